"""The tree as plain values, and the JSON Schema of them: both derived from the node classes."""

from __future__ import annotations

import types
import typing
from dataclasses import fields, is_dataclass
from typing import Any

from falldamage_forge.board import Tile
from falldamage_forge.issues import SourceSpan
from falldamage_forge.lang import ast

SCHEMA = "https://json-schema.org/draft/2020-12/schema"


def as_values(node: Any) -> Any:
    """A node as dictionaries, lists, texts and numbers; every node names its `type`."""
    if isinstance(node, Tile):
        return str(node)
    if isinstance(node, SourceSpan):
        return [node.line, node.col, node.end_line, node.end_col]
    if is_dataclass(node) and not isinstance(node, type):
        values = {item.name: as_values(getattr(node, item.name)) for item in fields(node)}
        return {"type": type(node).__name__, **values}
    if isinstance(node, tuple):
        return [as_values(item) for item in node]
    return node


def _nodes() -> dict[str, type]:
    """The node classes by name, without those that only others are made from."""
    return {
        name: value
        for name, value in vars(ast).items()
        if isinstance(value, type)
        and is_dataclass(value)
        and value.__module__ == ast.__name__
        and value not in (ast.Statement, ast.Block)
    }


def json_schema() -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of `as_values(document)`."""
    nodes = _nodes()
    statements = [name for name, cls in nodes.items() if issubclass(cls, ast.Statement)]
    definitions: dict[str, Any] = {
        "Statement": {"oneOf": [{"$ref": f"#/$defs/{n}"} for n in statements]}
    }
    for name, cls in nodes.items():
        hints = typing.get_type_hints(cls)
        properties = {"type": {"const": name}}
        properties |= {item.name: _schema(hints[item.name]) for item in fields(cls)}
        definitions[name] = {
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        }
    return {
        "$schema": SCHEMA,
        "title": "A Forge layout's tree, language version 1",
        "$ref": "#/$defs/Document",
        "$defs": definitions,
    }


def _schema(hint: Any) -> dict[str, Any]:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if hint is Tile:
        return {"type": "string", "pattern": "^[A-Z]{1,2}[1-9][0-9]{0,2}$"}
    if hint is SourceSpan:
        whole = {"type": "integer", "minimum": 1}
        return {"type": "array", "items": whole, "minItems": 4, "maxItems": 4}
    if origin in (typing.Union, types.UnionType):
        return {"anyOf": [_schema(argument) for argument in arguments]}
    if origin is typing.Literal:
        return {"enum": list(arguments)}
    if origin is tuple and arguments[-1] is Ellipsis:
        return {"type": "array", "items": _schema(arguments[0])}
    if origin is tuple:
        size = len(arguments)
        return {
            "type": "array",
            "prefixItems": [_schema(argument) for argument in arguments],
            "minItems": size,
            "maxItems": size,
        }
    if isinstance(hint, type) and is_dataclass(hint):
        return {"$ref": f"#/$defs/{hint.__name__}"}
    return {"type": {int: "integer", str: "string", bool: "boolean", type(None): "null"}[hint]}

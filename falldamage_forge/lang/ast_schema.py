"""JSON of the AST and its JSON Schema, both derived from the node classes."""

from __future__ import annotations

import typing
from dataclasses import fields, is_dataclass
from typing import Any

from falldamage_forge.board import Tile
from falldamage_forge.infra.type_schema import DRAFT, Schema, object_schema
from falldamage_forge.issues import SourceSpan
from falldamage_forge.lang import ast

_WHOLE = {"type": "integer", "minimum": 1}
PLACES: dict[type, Schema] = {
    Tile: {"type": "string", "pattern": "^[A-Z]{1,2}[1-9][0-9]{0,2}$"},
    SourceSpan: {"type": "array", "items": _WHOLE, "minItems": 4, "maxItems": 4},
}
"""Schemas of the values that are no nodes: tiles and spans."""


def as_values(node: Any) -> Any:
    """Return a node as dictionaries, lists, texts and numbers; every node has its `type`."""
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
    """Return the concrete node classes by name."""
    return {
        name: value
        for name, value in vars(ast).items()
        if isinstance(value, type)
        and is_dataclass(value)
        and value.__module__ == ast.__name__
        and value not in (ast.Statement, ast.Block)
    }


def json_schema() -> Schema:
    """Return the JSON Schema (draft 2020-12) of `as_values(document)`."""
    nodes = _nodes()
    statements = [name for name, cls in nodes.items() if issubclass(cls, ast.Statement)]
    known = {
        cls: {"$ref": f"#/$defs/{name}"}
        for name, cls in (*nodes.items(), ("Statement", ast.Statement))
    }
    definitions: Schema = {"Statement": {"oneOf": [{"$ref": f"#/$defs/{n}"} for n in statements]}}
    for name, cls in nodes.items():
        hints = typing.get_type_hints(cls)
        names = {item.name: hints[item.name] for item in fields(cls)}
        definitions[name] = object_schema({"type": name, **names}, {**known, **PLACES})
    return {
        "$schema": DRAFT,
        "title": "A Forge layout's tree, language version 1",
        "$ref": "#/$defs/Document",
        "$defs": definitions,
    }

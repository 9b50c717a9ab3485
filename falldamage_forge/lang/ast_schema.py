"""JSON of the AST and its JSON Schema, both derived from the node classes."""

from __future__ import annotations

import typing
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from falldamage_forge.board import Tile
from falldamage_forge.elements import ELEMENTS
from falldamage_forge.infra.type_schema import DRAFT, Schema, object_schema
from falldamage_forge.issues import SourceSpan
from falldamage_forge.lang import ast

_WHOLE = {"type": "integer", "minimum": 1}
PLACES: dict[type, Schema] = {
    Tile: {"type": "string", "pattern": "^[A-Z]{1,2}[1-9][0-9]{0,2}$"},
    SourceSpan: {"type": "array", "items": _WHOLE, "minItems": 4, "maxItems": 4},
}
"""Schemas of the values that are no nodes: tiles and spans."""


def node_name(node: Any) -> str:
    """Return the type of a node in the JSON of the syntax tree."""
    if isinstance(node, ast.Span | ast.Put):
        return ELEMENTS[node.kind].json_node[0]
    return type(node).__name__


def as_values(node: Any) -> Any:
    """Return a node as dictionaries, lists, texts and numbers; every node has its `type`."""
    if isinstance(node, Tile):
        return str(node)
    if isinstance(node, SourceSpan):
        return [node.line, node.col, node.end_line, node.end_col]
    if isinstance(node, ast.Span | ast.Put):
        attributes = ELEMENTS[node.kind].json_node[1]
        values = {key: as_values(getattr(node, one)) for key, one in attributes.items()}
        return {"type": node_name(node), "span": as_values(node.span), **values}
    if is_dataclass(node) and not isinstance(node, type):
        values = {item.name: as_values(getattr(node, item.name)) for item in fields(node)}
        return {"type": node_name(node), **values}
    if isinstance(node, tuple):
        return [as_values(item) for item in node]
    return node


def _classes() -> Iterator[type[Any]]:
    """Yield the concrete node classes; those of elements are one."""
    own = (x for x in vars(ast).values() if isinstance(x, type) and x.__module__ == ast.__name__)
    left_out = (ast.Statement, ast.Block, ast.Put)
    yield from (cls for cls in own if is_dataclass(cls) and cls not in left_out)


def _element_nodes() -> dict[str, Schema]:
    """Return the fields of each type of an element's statement, by its name."""
    nodes: dict[str, Schema] = {}
    kinds: dict[str, list[str]] = {}
    for word, element in ELEMENTS.items():
        if element.form in ("put", "span"):
            name, attributes = element.json_node
            kinds.setdefault(name, []).append(word)
            hints = typing.get_type_hints(ast.Span if element.form == "span" else ast.Put)
            shapes = {key: hints[one] for key, one in attributes.items()}
            if "kind" in shapes:
                shapes["kind"] = typing.Literal[tuple(kinds[name])]
            nodes[name] = {"type": name, "span": SourceSpan, **shapes}
    return nodes


def json_schema() -> Schema:
    """Return the JSON Schema (draft 2020-12) of `as_values(document)`."""
    nodes: dict[str, Schema] = {}
    statements: list[str] = []
    for cls in _classes():
        hints = typing.get_type_hints(cls)
        shapes = {item.name: hints[item.name] for item in fields(cls)}
        new = {cls.__name__: {"type": cls.__name__, **shapes}}
        new = _element_nodes() if cls is ast.Span else new
        nodes |= new
        statements += new if issubclass(cls, ast.Statement) else ()
    known = {cls: {"$ref": f"#/$defs/{cls.__name__}"} for cls in (*_classes(), ast.Statement)}
    definitions: Schema = {"Statement": {"oneOf": [{"$ref": f"#/$defs/{n}"} for n in statements]}}
    for name, shapes in nodes.items():
        definitions[name] = object_schema(shapes, {**known, **PLACES})
    return {
        "$schema": DRAFT,
        "title": "A Forge layout's tree, language version 1",
        "$ref": "#/$defs/Document",
        "$defs": definitions,
    }

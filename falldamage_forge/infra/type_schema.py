"""JSON Schema of the values of a type."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from typing import Any, NotRequired

Schema = dict[str, Any]
DRAFT = "https://json-schema.org/draft/2020-12/schema"
_SCALARS = {
    int: "integer", float: "number", str: "string", bool: "boolean",
    dict: "object", type(None): "null", None: "null",
}  # fmt: skip


def type_schema(shape: Any, known: Mapping[type, Schema]) -> Schema:
    """Return the schema of a type.

    Args:
        shape: A scalar type, `Literal`, union, list, tuple or dict type; or, with shapes as parts,
            `{field: shape}` for an object, `[shape]` for a list, `(shape, shape)` for a union; or a
            text or number for itself.
        known: Schemas of further types, such as references to definitions.
    """

    def each(parts: typing.Iterable[Any]) -> list[Schema]:
        return [type_schema(part, known) for part in parts]

    origin, parts = typing.get_origin(shape), typing.get_args(shape)
    if isinstance(shape, type) and shape in known:
        return known[shape]
    if isinstance(shape, str | int):
        return {"const": shape}
    if isinstance(shape, dict):
        return object_schema(shape, known)
    if isinstance(shape, tuple) or origin in (typing.Union, types.UnionType, typing.Literal):
        either = parts or shape
        return {"enum": list(either)} if isinstance(either[0], str) else {"anyOf": each(either)}
    if isinstance(shape, list) or origin is list or Ellipsis in parts:
        return {"type": "array", "items": type_schema((parts or shape)[0], known)}
    if origin is tuple:
        size = len(parts)
        return {"type": "array", "prefixItems": each(parts), "minItems": size, "maxItems": size}
    if origin is dict:
        return {"type": "object", "additionalProperties": each(parts)[1]}
    return {"type": _SCALARS[shape]}


def object_schema(fields: Mapping[str, Any], known: Mapping[type, Schema]) -> Schema:
    """Return the schema of an object without further fields.

    Args:
        fields: Shapes by field; a field in `NotRequired` is optional.
        known: Schemas of further types.
    """
    bare = {
        name: typing.get_args(shape)[0] if typing.get_origin(shape) is NotRequired else shape
        for name, shape in fields.items()
    }
    return {
        "type": "object",
        "properties": {name: type_schema(shape, known) for name, shape in bare.items()},
        "required": [name for name, shape in fields.items() if bare[name] is shape],
        "additionalProperties": False,
    }

"""Every message that a test sees is one of the published schema."""

import json
from functools import cache
from typing import Any

import jsonschema
from jsonschema.exceptions import best_match

from tests.cli.running import ROOT


@cache
def of(direction: str) -> Any:
    schema = json.loads((ROOT / "docs" / "studio.schema.json").read_text("utf-8"))
    by_type: dict[str, list[Any]] = {}
    for shape in schema["$defs"][direction]["oneOf"]:
        by_type.setdefault(shape["properties"]["type"]["const"], []).append(shape)
    return {
        kind: jsonschema.Draft202012Validator({"oneOf": shapes, "$defs": schema["$defs"]})
        for kind, shapes in by_type.items()
    }


def fits(message: Any, direction: str = "told") -> Any:
    """The message as JSON has it, when it is one of `told` or `said`; else ValidationError."""
    read = json.loads(json.dumps(message)) if not isinstance(message, str) else json.loads(message)
    fault = best_match(of(direction)[read["type"]].iter_errors(read))
    if fault is not None:
        raise fault
    return read

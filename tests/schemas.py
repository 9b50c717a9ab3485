"""Answers against the published schemas of `docs/`, each of which is read and checked once."""

import json
from functools import cache
from typing import Any

from jsonschema.validators import validator_for

from tests.cli.running import ROOT


@cache
def of(name: str, kind: str = "") -> Any:
    """The validator of `NAME.schema.json`, or of one of its definitions."""
    schema = json.loads((ROOT / "docs" / f"{name}.schema.json").read_text("utf-8"))
    if kind:
        schema["$ref"] = f"#/$defs/{kind}"
    validator = validator_for(schema)
    validator.check_schema(schema)
    return validator(schema)

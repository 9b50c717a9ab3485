"""Registry of diagnostic codes: title, cause and correction, from the tables in `codes/`."""

from __future__ import annotations

from dataclasses import field
from functools import cache
from importlib import resources

from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.infra.toml_loader import parse_toml, read_table
from falldamage_forge.issues import Severity


@dataclass(frozen=True, slots=True)
class DiagnosticCode:
    """One code. `example` is a source that raises it, `corrected` one that does not.

    Both are empty for codes that no source raises. `files` are the sources the example imports.
    """

    code: str
    title: str
    severity: Severity
    why: str
    help: str
    example: str = ""
    corrected: str = ""
    files: dict[str, str] = field(default_factory=dict)


@cache
def codes() -> dict[str, DiagnosticCode]:
    """Return all codes by name, sorted."""
    found: dict[str, DiagnosticCode] = {}
    folder = resources.files("falldamage_forge.diagnostics").joinpath("codes")
    for file in sorted(folder.iterdir(), key=lambda item: item.name):
        table = parse_toml(file.read_text("utf-8"), file.name)
        for code, entry in table.items():
            if code in found:
                raise ValueError(f"{code} is explained twice")
            found[code] = read_table(
                DiagnosticCode, {"code": code, **entry}, f"{file.name}: {code}"
            )
    return dict(sorted(found.items()))


def explain(code: str) -> str | None:
    """Return the explanation of a code as plain text; None for an unknown code."""
    entry = codes().get(code.upper())
    if entry is None:
        return None
    parts = [
        f"{entry.code}: {entry.title} ({entry.severity})",
        entry.why,
        f"Help: {entry.help}",
    ]
    if entry.example:
        parts += ["For example, this raises it:", _indent(entry.example)]
        parts += ["and this does not:", _indent(entry.corrected)]
    return "\n\n".join(parts)


def _indent(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.strip().splitlines())

"""Every code the forge can raise, why it is raised and how to mend it: tables in `codes/`."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from importlib import resources

from falldamage_forge.issues import Severity
from falldamage_forge.tables import parse_toml, read_table


@dataclass(frozen=True, slots=True)
class Code:
    """One code. `example` is a source that raises it and `mended` its corrected twin, if any."""

    code: str
    title: str
    severity: Severity
    why: str
    mend: str
    example: str = ""
    mended: str = ""
    files: dict[str, str] = field(default_factory=dict)


@cache
def codes() -> dict[str, Code]:
    """All codes, sorted."""
    found: dict[str, Code] = {}
    folder = resources.files("falldamage_forge.diagnostics").joinpath("codes")
    for file in sorted(folder.iterdir(), key=lambda item: item.name):
        table = parse_toml(file.read_text("utf-8"), file.name)
        for code, entry in table.items():
            if code in found:
                raise ValueError(f"{code} is explained twice")
            found[code] = read_table(Code, {"code": code, **entry}, f"{file.name}: {code}")
    return dict(sorted(found.items()))


def explain(code: str) -> str | None:
    """The page of a code as plain text; None for an unknown one."""
    entry = codes().get(code.upper())
    if entry is None:
        return None
    parts = [
        f"{entry.code}: {entry.title} ({entry.severity})",
        entry.why,
        f"To mend it: {entry.mend}",
    ]
    if entry.example:
        parts += ["For example, this raises it:", _indent(entry.example)]
        parts += ["and this does not:", _indent(entry.mended)]
    return "\n\n".join(parts)


def _indent(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.strip().splitlines())

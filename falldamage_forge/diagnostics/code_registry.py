"""Registry of diagnostic codes: title, cause and correction, from the tables in `codes/`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from functools import cache
from importlib import resources

from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.infra.toml_loader import parse_toml, read_table
from falldamage_forge.issues import Severity
from falldamage_forge.languages.translator import ENGLISH, read_language, spoken


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
        table = parse_toml(file.read_text("utf-8"), file.name, any_escapes=True)
        for code, entry in table.items():
            if code in found:
                raise ValueError(f"{code} is explained twice")
            found[code] = read_table(
                DiagnosticCode, {"code": code, **entry}, f"{file.name}: {code}"
            )
    return dict(sorted(found.items()))


def codes_in(language: str) -> dict[str, DiagnosticCode]:
    """Return all codes by name, sorted, with the texts that a language has for them."""
    texts = read_language(language).codes
    return {code: _spoken(entry, texts.get(code, {})) for code, entry in codes().items()}


def _spoken(entry: DiagnosticCode, texts: Mapping[str, str]) -> DiagnosticCode:
    title, why = texts.get("title", entry.title), texts.get("why", entry.why)
    return replace(entry, title=title, why=why, help=texts.get("help", entry.help))


def explain(code: str, language: str = ENGLISH) -> str | None:
    """Return the explanation of a code as plain text; None for an unknown code.

    Args:
        code: Code of an issue, in any case: `FDF101`.
        language: Language of the explanation: `en` or `de`.
    """
    entry = codes_in(language).get(code.upper())
    if entry is None:
        return None
    say = spoken(language)
    parts = [
        f"{entry.code}: {entry.title} ({say(entry.severity)})",
        entry.why,
        f"{say('Help')}: {entry.help}",
    ]
    if entry.example:
        parts += [say("For example, this raises it:"), _indent(entry.example)]
        parts += [say("and this does not:"), _indent(entry.corrected)]
    return "\n\n".join(parts)


def _indent(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.strip().splitlines())

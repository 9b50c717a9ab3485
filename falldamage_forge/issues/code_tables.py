"""Tables of diagnostic codes: title, cause and correction of each, and its texts in languages."""

from __future__ import annotations

from dataclasses import field, replace
from functools import cache
from importlib import resources
from typing import Any

from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.infra.toml_loader import parse_toml, read_table
from falldamage_forge.issues import Severity


@dataclass(frozen=True, slots=True)
class DiagnosticCode:
    """One code.

    Attributes:
        code: Name, such as `FDF101`.
        title: The defect in a few words.
        severity: Severity of its issues.
        why: Why it is a defect.
        help: How it is corrected.
        example: Source that raises it; empty if no source does.
        corrected: The example without the defect.
        files: Sources that the example imports.
        texts: `title`, `why` and `help` in other languages.
        says: Sentences of its issues that no other code has, by their English, in other languages.
    """

    code: str
    title: str
    severity: Severity
    why: str
    help: str
    example: str = ""
    corrected: str = ""
    files: dict[str, str] = field(default_factory=dict)
    texts: dict[str, dict[str, str]] = field(default_factory=dict)
    says: dict[str, dict[str, str]] = field(default_factory=dict)

    def spoken(self, language: str) -> DiagnosticCode:
        """Return the code with its texts in a language, as far as it has them."""
        own = self.texts.get(language, {})
        title, why, cure = (own.get(key, getattr(self, key)) for key in ("title", "why", "help"))
        return replace(self, title=title, why=why, help=cure)


@cache
def _tables() -> dict[str, tuple[str, dict[str, Any]]]:
    """Return the table of each code with the name of its file."""
    found: dict[str, tuple[str, dict[str, Any]]] = {}
    folder = resources.files(__package__).joinpath("codes")
    for file in sorted(folder.iterdir(), key=lambda item: item.name):
        table = parse_toml(file.read_text("utf-8"), file.name, any_escapes=True)
        for code, entry in table.items():
            if code in found:
                raise ValueError(f"{code} is explained twice")
            found[code] = file.name, entry
    return dict(sorted(found.items()))


@cache
def codes() -> dict[str, DiagnosticCode]:
    """Return all codes by name, sorted."""
    return {
        code: read_table(DiagnosticCode, {"code": code, **entry}, f"{file}: {code}")
        for code, (file, entry) in _tables().items()
    }


def sentences_of_codes(language: str) -> dict[str, str]:
    """Return what tables of codes have of a language for their issues, by its English.

    Each command in another language asks: the tables are not read into codes for it.
    """
    own = (entry.get("says", {}).get(language, {}) for _, entry in _tables().values())
    return {english: said for one in own for english, said in one.items()}

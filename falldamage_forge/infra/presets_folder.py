"""Presets folder: where it is, and what its tables say in other languages.

A table of presets may end with `[says.de]`: the texts of its rows in German, by their English. A
row is then one place to write, with its titles and sentences in each language.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from falldamage_forge.infra.toml_loader import parse_toml
from falldamage_forge.issues import ForgeError, Issue

SAYS = "says"
"""Key of the texts in other languages; it is no row of its table."""


@cache
def root() -> Path:
    """Return the presets folder, of the installed package or of the checkout.

    Raises:
        ForgeError: FDF292 if it is missing.
    """
    package = Path(__file__).resolve().parents[1]
    for folder in (package / "presets_data", package.parent / "presets"):
        if folder.is_dir():
            return folder
    raise ForgeError(
        [Issue("FDF292", "error", "the presets folder is missing; reinstall the forge")]
    )


def rows(text: str, where: str) -> dict[str, Any]:
    """Return the table of a preset without its texts in other languages.

    Args:
        text: The source.
        where: Its name in messages.

    Raises:
        ForgeError: FDF290 or FDF007 if it is not valid.
    """
    return parse_toml(text.partition(f"\n[{SAYS}.")[0], where)


def said_by(file: Path, language: str) -> dict[str, str]:
    """Return the texts of one table in a language, by their English; only its end is parsed."""
    _, _, after = file.read_text("utf-8").partition(f"\n[{SAYS}.{language}]\n")
    return parse_toml(after.partition("\n[")[0], file.name)


def said_in(language: str) -> dict[str, str]:
    """Return the texts of all tables in a language, by their English."""
    tables = (said_by(file, language) for file in sorted(root().glob("*/*.toml")))
    return {english: said for table in tables for english, said in table.items()}

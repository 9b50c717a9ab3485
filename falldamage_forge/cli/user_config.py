"""User settings: printer, process, saved project and price of filament, in a TOML file."""

from __future__ import annotations

import os
from dataclasses import fields
from pathlib import Path

from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.infra.source_loader import read_text
from falldamage_forge.infra.toml_loader import parse_toml, read_table
from falldamage_forge.issues import refuse

FOLDER = "FDFORGE_CONFIG_DIR"
"""Environment variable that moves the settings folder."""
MOST_PER_KG = 10_000.0


@dataclass(frozen=True, slots=True)
class UserConfig:
    """User settings.

    `price_per_kg` is the price of a kilogram of filament, None if unknown; `project` is the path of
    a saved project of the printer, empty for none; `language` is that of issues and results,
    empty for that of the environment.
    """

    printer: str = "a1-mini"
    process: str = "standard"
    price_per_kg: float | None = None
    currency: str = "EUR"
    project: str = ""
    language: str = ""

    def __post_init__(self) -> None:
        """Raise ValueError for a wrong price, currency or language."""
        if self.price_per_kg is not None and not 0 < self.price_per_kg <= MOST_PER_KG:
            raise ValueError(f"`price_per_kg` should be from 0 to {MOST_PER_KG:g}")
        if not (self.currency.isalpha() and len(self.currency) == 3):
            raise ValueError("`currency` should be three letters, like EUR")
        if self.language:
            from falldamage_forge.languages.translator import language_names, language_of

            if language_of(self.language) is None:
                raise ValueError(f"`language` should be one of {', '.join(language_names())}")


def settings_path() -> Path:
    """Return the file of the settings."""
    if folder := os.environ.get(FOLDER):
        return Path(folder) / "settings.toml"
    import platformdirs

    return platformdirs.user_config_path("falldamage-forge") / "settings.toml"


def load_settings() -> UserConfig:
    """Return the user's settings, or the defaults; ForgeError if the file is not valid."""
    path = settings_path()
    if not path.exists():
        return UserConfig()
    return read_table(UserConfig, parse_toml(read_text(path, str(path)), str(path)), str(path))


def save_settings(settings: UserConfig) -> Path:
    """Write the settings that differ from the defaults; ForgeError (FDF295) if that fails."""
    from falldamage_forge.infra.atomic_write import write_file

    path, usual = settings_path(), UserConfig()
    lines = ["# Written by `fdforge printer use`."]
    for one in fields(UserConfig):
        value = getattr(settings, one.name)
        if value != getattr(usual, one.name):
            lines.append(f"{one.name} = {_toml(value)}")
    write_file(path, ("\n".join(lines) + "\n").encode())
    return path


def _toml(value: str | float) -> str:
    """Return a value as TOML; a text must not need escapes."""
    if not isinstance(value, str):
        return f"{value:g}"
    if "'" in value or not value.isprintable():
        raise refuse("FDF295", f"`{value}` cannot be stored in the settings", "choose another name")
    return f"'{value}'"

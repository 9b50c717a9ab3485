"""What a user said once: printer, process and the price of filament, in a file of their own."""

from __future__ import annotations

import os
from dataclasses import dataclass, fields
from pathlib import Path

from falldamage_forge.files import read_text
from falldamage_forge.issues import refuse
from falldamage_forge.tables import parse_toml, read_table

FOLDER = "FDFORGE_CONFIG_DIR"
"""An environment variable that puts the settings elsewhere."""
MOST_PER_KG = 10_000.0


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings; `price_per_kg` of filament, None if it was not told."""

    printer: str = "a1-mini"
    process: str = "standard"
    price_per_kg: float | None = None
    currency: str = "EUR"

    def __post_init__(self) -> None:
        """ValueError for a price that is none."""
        if self.price_per_kg is not None and not 0 < self.price_per_kg <= MOST_PER_KG:
            raise ValueError(f"`price_per_kg` should be from 0 to {MOST_PER_KG:g}")
        if not (self.currency.isalpha() and len(self.currency) == 3):
            raise ValueError("`currency` should be three letters, like EUR")


def settings_path() -> Path:
    """Where the settings are kept."""
    if folder := os.environ.get(FOLDER):
        return Path(folder) / "settings.toml"
    import platformdirs

    return platformdirs.user_config_path("falldamage-forge") / "settings.toml"


def load_settings() -> Settings:
    """The user's settings, or the usual ones; ForgeError names what is wrong in the file."""
    path = settings_path()
    if not path.exists():
        return Settings()
    return read_table(Settings, parse_toml(read_text(path, str(path)), str(path)), str(path))


def save_settings(settings: Settings) -> Path:
    """Write the settings that are not the usual ones; ForgeError (FDF295) when that fails."""
    from falldamage_forge.staging import write_file

    path, usual = settings_path(), Settings()
    lines = ["# Written by `fdforge printer use`."]
    for one in fields(Settings):
        value = getattr(settings, one.name)
        if value != getattr(usual, one.name):
            lines.append(f"{one.name} = {_toml(value)}")
    write_file(path, ("\n".join(lines) + "\n").encode())
    return path


def _toml(value: str | float) -> str:
    """A value as TOML; a text must not need escapes that nobody would type."""
    if not isinstance(value, str):
        return f"{value:g}"
    if "'" in value or not value.isprintable():
        raise refuse("FDF295", f"`{value}` cannot be kept in the settings", "choose another name")
    return f"'{value}'"

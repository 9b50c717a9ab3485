"""Look-alikes: characters of other scripts that readers take for ASCII letters, digits or signs.

Keyboards of other languages, word processors and scans write them. Callers name the first in a text
that they cannot read. Source of the letters: Unicode Technical Standard 39, confusables.
"""

from __future__ import annotations

import re
import unicodedata

_LETTERS = {
    # Cyrillic
    "АВЕЅІЈКМНОРСТУХҮԌԚԜ": "ABESIJKMHOPCTYXYGQW",
    "аесорухіјѕԁһԛԝѵ": "aecopyxijsdhqwv",
    # Greek
    "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ": "ABEZHIKMNOPTYX",
    "αιορυν": "aiopuv",
    # Latin and Armenian letters without a dot or with another form
    "ıȷɡօԍ": "ijgoG",
}
_PLAIN = {
    other: plain
    for others, letters in _LETTERS.items()
    for other, plain in zip(others, letters, strict=True)
}
_SIGNS = {"→": "->", "‐": "-", "‑": "-", "−": "-", "⁃": "-", "‥": "..", "∙": "."}
_QUOTED = re.compile(r'("[^"]*"?)')


def plain_form(character: str) -> str | None:
    """Return the ASCII text that a character looks like; None for ASCII and for all others.

    >>> plain_form("В"), plain_form("Ｄ"), plain_form("٤"), plain_form("é")
    ('B', 'D', '4', None)
    """
    if character.isascii():
        return None
    if found := _PLAIN.get(character) or _SIGNS.get(character):
        return found
    digit = unicodedata.decimal(character, None)
    if digit is not None:
        return str(digit)
    normal = unicodedata.normalize("NFKC", character)
    return normal if normal.isascii() and normal.isprintable() and normal.strip() else None


def look_alike_hint(text: str, first: int = 1) -> str | None:
    """Return the name and place of the first look-alike in a text, with the text to write.

    Args:
        text: The text; parts in double quotes may hold any characters.
        first: Number of the text's first character in its line.

    Returns:
        None if the text has none outside of quotes.
    """
    if text.isascii():
        return None
    place, found, parts = first, "", []
    for number, part in enumerate(_QUOTED.split(text)):
        for character in part:
            plain = None if number % 2 else plain_form(character)
            if plain and not found:
                name = unicodedata.name(character, "").lower()
                code = f"U+{ord(character):04X}, {name}".rstrip(", ")
                found = f"character {place} is `{character}` ({code}), not `{plain}`"
            parts.append(plain or character)
            place += 1
    return f"{found}: write `{''.join(parts)}`" if found else None

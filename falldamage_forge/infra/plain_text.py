"""Plain text: the one door through which text of the user's files is read.

Characters that no format carries are refused with their place: control characters, noncharacters,
lone surrogates, and marks that turn the direction of writing. XML, PDF, JSON, file names and
terminals take every text that passes. TOML and JSON can hold them as escapes, so `parse_json` and
`toml_loader.parse_toml` look at the values, too. The language reports them as issues of a map.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from falldamage_forge.infra.visible_text import unseen_at
from falldamage_forge.issues import ForgeError, Issue, SourceSpan

MAC_ENDS = "save the file with line feeds (LF) as line ends"
_SURROGATES, _NONCHARACTERS = range(0xD800, 0xE000), range(0xFDD0, 0xFDF0)
_HEX = "[0-9a-fA-F]"
_ESCAPE = re.compile(
    rf"\\(?:u([dD][89abAB]{_HEX}{{2}})\\u([dD][c-fC-F]{_HEX}{{2}})"
    rf"|u({_HEX}{{4}})|U({_HEX}{{8}})|.)",
    re.DOTALL,
)
_SHORT = {"b": "\b", "f": "\f", "r": "\r"}


def unseen_issue(text: str, at: int, file: str, line: int, column: int, width: int = 1) -> Issue:
    """Return the issue (FDF007) of a character that no format carries.

    Args:
        text: A text with the character.
        at: Its index.
        file: Name of the file.
        line: Line of the character, from 1.
        column: Column of the character, from 1.
        width: Number of characters that write it: 6 for an escape.
    """
    number = ord(text[at])
    kind = "control character"
    if number in _SURROGATES:
        kind = "half of a pair of characters"
    elif number in _NONCHARACTERS or number & 0xFFFE == 0xFFFE:
        kind = "noncharacter"
    hint = MAC_ENDS if text[at] == "\r" else "delete it"
    span = SourceSpan(file, line, column, line, column + width)
    return Issue("FDF007", "error", f"{kind} U+{number:04X}", span, hint=hint)


def require_plain(text: str, file: str) -> str:
    """Return the text of a file.

    Args:
        text: The text.
        file: Name of the file.

    Raises:
        ForgeError: FDF007 with line and column of the first character that no format carries.
    """
    at = unseen_at(text)
    if at is None:
        return text
    raise ForgeError([unseen_issue(text, at, file, *_place(text, at))])


def require_plain_values(value: object, text: str, file: str) -> None:
    """Raise ForgeError (FDF007) if an escape writes a character that no format carries.

    Args:
        value: Parsed TOML or JSON.
        text: Its source.
        file: Name of the file.
    """
    for at, width, letter in _escapes(text):
        if unseen_at(letter) is not None and any(letter in each for each in _texts(value)):
            raise ForgeError([unseen_issue(letter, 0, file, *_place(text, at), width)])


def parse_json(text: str, file: str) -> Any:
    """Return the value of a JSON text.

    Args:
        text: The source.
        file: Name of the file.

    Raises:
        ForgeError: FDF007 for a character that no format carries.
        ValueError: If the text is not JSON.
        RecursionError: If it nests too deep.
    """
    value = json.loads(require_plain(text, file))
    require_plain_values(value, text, file)
    return value


def _place(text: str, at: int) -> tuple[int, int]:
    """Return line and column of an index, from 1."""
    before = text[:at]
    return before.count("\n") + 1, at - before.rfind("\n")


def _escapes(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield index, length and character of each escape of TOML and JSON."""
    if "\\" not in text:
        return
    for found in _ESCAPE.finditer(text):
        high, low, short, long = found.groups()
        if high:
            number = 0x10000 + ((int(high, 16) & 0x3FF) << 10) + (int(low, 16) & 0x3FF)
        elif short or long:
            number = int(short or long, 16)
        else:
            number = ord(_SHORT.get(found[0][1], " "))
        if number < 0x110000:
            yield found.start(), len(found[0]), chr(number)


def _texts(value: object) -> Iterator[str]:
    """Yield the texts of plain data, keys included."""
    stack = [value]
    while stack:
        one = stack.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            stack += [*one, *one.values()]
        elif isinstance(one, list | tuple):
            stack += one

"""Language features of the page's editor: formatting, completion, hover, places of tiles."""

from __future__ import annotations

import typing
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

from falldamage_forge.diagnostics.machine_formatters import span_json
from falldamage_forge.issues import ForgeError
from falldamage_forge.studio.protocol import message

if TYPE_CHECKING:
    from falldamage_forge.lang.language_service import Completion
    from falldamage_forge.studio.session import Session

MOST_WORDS = 200
"""Greatest number of completions in a message."""


def vocabularies() -> dict[str, tuple[str, ...]]:
    """Return the words of other packages that a source may use, by kind."""
    from falldamage_forge import presets
    from falldamage_forge.board.tones import PALETTES
    from falldamage_forge.games.fall_damage.options import FallDamageOptions
    from falldamage_forge.issues.code_tables import codes
    from falldamage_forge.lang.lower import PRINT_KEYS
    from falldamage_forge.lengths import MAGNETS
    from falldamage_forge.rules.custom_units import allowed_list_values, properties

    games = {name: presets.load_rules(name) for name in presets.names("rulesets")}
    return {
        "rules": presets.names("rulesets"),
        "options": tuple(item.name.replace("_", "-") for item in fields(FallDamageOptions)),
        "print": PRINT_KEYS,
        "printers": presets.names("printers"),
        "tops": tuple(PALETTES),
        "magnets": tuple(MAGNETS),
        "pieces": tuple(presets.load_catalogue().pieces),
        "codes": tuple(codes()),
        "units": tuple(presets.load_units()),
        **option_values(FallDamageOptions),
        **{f"units.{name}": tuple(game.units) for name, game in games.items()},
        **{f"properties.{name}": properties(game) for name, game in games.items()},
        **{
            f"lists.{name}.{key.replace('_', '-')}": tuple(words)
            for name, game in games.items()
            for key, words in allowed_list_values(game).items()
        },
    }


def option_values(options: type) -> dict[str, tuple[str, ...]]:
    """Return the values of each option of a dataclass of options, as `options.NAME`."""
    assert is_dataclass(options)
    hints = typing.get_type_hints(options)
    found = {name: typing.get_args(hint) for name, hint in hints.items()}
    return {
        f"options.{name.replace('_', '-')}": tuple(str(v).replace("_", "-") for v in values)
        for name, values in found.items()
        if values and all(isinstance(value, str) for value in values)
    }


def format_session(session: Session) -> tuple[Session, dict[str, Any] | None]:
    """Return the session with formatted text, and an error message or None."""
    from falldamage_forge.lang.formatter import format_text

    try:
        text = format_text(session.text, session.name)
    except ForgeError as error:
        why = error.issues[0].message
        return session, message("error", message=f"correct the text first: {why}")
    return session.with_text(text, "format"), None


def words_at(text: str, line: int, column: int) -> tuple[Completion, ...]:
    """Return the completions at a place of a text.

    Args:
        text: The text.
        line: Line, from 0.
        column: Column in characters, from 0.
    """
    from falldamage_forge.lang import language_service

    return language_service.complete(text, line, column, vocabularies())


def complete(text: str, line: int, column: int) -> dict[str, Any]:
    """Return the completions of the typed prefix as a message: [word, kind, form, meaning].

    Args:
        text: The text.
        line: Line, from 0.
        column: Column in characters, from 0.
    """
    from falldamage_forge.lang import language_service

    found = words_at(text, line, column)
    typed, first, _ = language_service.word_at(text, line, column)
    start = typed[: column - first].lower() if typed else ""
    # A tile's name is completed after `..`, too.
    start = start.rsplit("..", maxsplit=1)[-1]
    forms = language_service.reference()
    words = [
        [word, kind, *(forms[word] if word in forms else ("", detail.partition(": ")[2]))]
        for word, kind, detail in found
        if word.lower().startswith(start) and word.lower() != start
    ]
    return message(
        "completions", line=line, column=column, typed=len(start), words=words[:MOST_WORDS]
    )


def hover_text(session: Session, line: int, column: int) -> dict[str, Any]:
    """Return the explanation of the word at a place as a message; empty for user-defined words.

    The `form` of a keyword and the name of a tile or code are source, `text` is their meaning.

    Args:
        session: The session.
        line: Line, from 0.
        column: Column in characters, from 0.
    """
    from falldamage_forge.diagnostics.code_registry import explain
    from falldamage_forge.lang import language_service
    from falldamage_forge.studio.session import map_of

    word, first, last = language_service.word_at(session.text, line, column)
    if entry := language_service.reference().get(word or ""):
        form, text = entry
    else:
        board = map_of(session).board
        shown = language_service.describe_word(word, board, explain) if word else None
        form, _, text = (shown or "").partition(": ")
    place = {"line": line, "first": first, "last": last}
    return message("meaning", **place, word=word, form=form, text=text)


def source_locations(session: Session, tile: str) -> dict[str, Any]:
    """Return the places of the text that describe a tile, other files included.

    Args:
        session: Session of the map.
        tile: Name of the tile: `C3`.
    """
    from falldamage_forge.board.coordinates import parse_place
    from falldamage_forge.lang.edit import spans_of
    from falldamage_forge.studio.session import map_of

    try:
        at, _ = parse_place(tile)
    except ValueError:
        return message("written", tile=tile, places=[])
    places = [span_json(span) for span in spans_of(map_of(session).loaded, at)]
    return message("written", tile=tile, places=places)


def tiles(session: Session, line: int) -> dict[str, Any]:
    """Return the tiles that a line of the text describes.

    Args:
        session: Session of the map.
        line: Number of the line, from 1.
    """
    from falldamage_forge.lang.edit import tiles_at
    from falldamage_forge.studio.session import map_of

    found = tiles_at(map_of(session).loaded, line)
    return message("tiles", line=line, tiles=[str(tile) for tile in found])

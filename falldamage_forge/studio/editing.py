"""What the page's editor asks of the text: a tidy form, words that fit, what a word means."""

from __future__ import annotations

import typing
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

from falldamage_forge.issues import ForgeError
from falldamage_forge.studio.protocol import message

if TYPE_CHECKING:
    from falldamage_forge.lang.assist import Completion
    from falldamage_forge.studio.session import Session

MOST_WORDS = 200
"""Completions that are told; more help nobody."""


def vocabularies() -> dict[str, tuple[str, ...]]:
    """The words of other rooms that a source may use."""
    from falldamage_forge import presets
    from falldamage_forge.diagnostics.catalogue import codes
    from falldamage_forge.games.fall_damage.options import Options
    from falldamage_forge.lang.lower import PRINT_KEYS
    from falldamage_forge.rules.own import listed, properties

    games = {name: presets.load_rules(name) for name in presets.names("rulesets")}
    return {
        "rules": presets.names("rulesets"),
        "options": tuple(item.name.replace("_", "-") for item in fields(Options)),
        "print": PRINT_KEYS,
        "printers": presets.names("printers"),
        "pieces": tuple(presets.load_catalogue().pieces),
        "codes": tuple(codes()),
        "units": tuple(presets.load_units()),
        **option_values(Options),
        **{f"units.{name}": tuple(game.units) for name, game in games.items()},
        **{f"properties.{name}": properties(game) for name, game in games.items()},
        **{
            f"lists.{name}.{key.replace('_', '-')}": tuple(words)
            for name, game in games.items()
            for key, words in listed(game).items()
        },
    }


def option_values(options: type) -> dict[str, tuple[str, ...]]:
    """The values of each option of a dataclass that names them, as `options.NAME`."""
    assert is_dataclass(options)
    hints = typing.get_type_hints(options)
    found = {name: typing.get_args(hint) for name, hint in hints.items()}
    return {
        f"options.{name.replace('_', '-')}": tuple(str(v).replace("_", "-") for v in values)
        for name, values in found.items()
        if values and all(isinstance(value, str) for value in values)
    }


def formatted(session: Session) -> tuple[Session, dict[str, Any] | None]:
    """The session with its text in the one style; an error message where that cannot be done."""
    from falldamage_forge.lang.format import format_text

    try:
        text = format_text(session.text, session.name)
    except ForgeError as error:
        why = error.issues[0].message
        return session, message("error", message=f"mend the text first: {why}")
    return session.wrote(text, "format"), None


def words_at(text: str, line: int, column: int) -> tuple[Completion, ...]:
    """Words that can stand at a place of a text, line and column from 0."""
    from falldamage_forge.lang import assist

    return assist.complete(text, line, column, vocabularies())


def complete(text: str, line: int, column: int) -> dict[str, Any]:
    """Of these words the ones that go on with what is typed, as a message: [word, kind, detail]."""
    from falldamage_forge.lang import assist

    found = words_at(text, line, column)
    typed, first, _ = assist.word_at(text, line, column)
    start = typed[: column - first].lower() if typed else ""
    # A tile's name is completed after `..`, too.
    start = start.rsplit("..", maxsplit=1)[-1]
    words = [list(one) for one in found if one.word.lower().startswith(start)]
    words = [one for one in words if one[0].lower() != start]
    return message(
        "completions", line=line, column=column, typed=len(start), words=words[:MOST_WORDS]
    )


def meaning(session: Session, line: int, column: int) -> dict[str, Any]:
    """What the word at a place means, line and column from 0; empty for one's own words."""
    from falldamage_forge.diagnostics.catalogue import explain
    from falldamage_forge.lang import assist
    from falldamage_forge.studio.session import map_of

    word, first, last = assist.word_at(session.text, line, column)
    board = map_of(session).board
    shown = assist.describe_word(word, board, explain) if word else None
    place = {"line": line, "first": first, "last": last}
    return message("meaning", **place, word=word, text=shown or "")

"""Texts of server messages in the language of a client; everything else stays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from falldamage_forge.diagnostics.code_registry import codes_in, explain
from falldamage_forge.issues.code_tables import codes
from falldamage_forge.languages.translator import ENGLISH, known_language, spoken

ISSUES = ("issues.message", "issues.hint", "issues.notes.message", "issues.fix.words")
UNITS = ("units.title", "units.role", "units.abilities.0", "units.abilities.1")
SPOKEN: Mapping[str, tuple[str, ...]] = {
    "board": ISSUES,
    "verdict": ISSUES,
    "measures": (
        "measures.name",
        "measures.text",
        "measures.why",
        "leads.text",
        "leads.what",
        "leads.told",
    ),
    "advice": ("remedies.changes",),
    "answer": ("message", "hint"),
    "preview": ("why",),
    "overlay": ("title", "why", "legend.1"),
    "pieces": ("pieces.title", "filaments"),
    "game": ("moves.words", "moves.act", "moves.effects.words", *UNITS, "log"),
    "state": ("why",),
    "completions": ("words.3",),
    "meaning": ("text",),
    "progress": ("what",),
    "error": ("message", *ISSUES),
}
"""Paths of the texts by type of message; a path goes through lists, a number is an index."""


def spoken_message(sent: dict[str, Any], language: str) -> dict[str, Any]:
    """Return a server message with its texts in a language; English for an unknown language.

    Args:
        sent: Message in English.
        language: Language of the client: `en` or `de`.
    """
    if (language := known_language(language)) == ENGLISH:
        return sent
    if sent["type"] == "meaning" and (page := explain(sent["form"], language)):
        return {**sent, "text": page.partition(": ")[2]}
    for path in SPOKEN.get(sent["type"], ()):
        sent = _at(sent, path.split("."), spoken(language))
    if "issues" in sent:
        sent = _at(sent, ["issues", "why"], lambda why: _reasons(language).get(why, why))
    return sent


@cache
def _reasons(language: str) -> Mapping[str, str]:
    """Return why each code is a defect, by its English."""
    own = codes_in(language)
    return {entry.why: own[code].why for code, entry in codes().items()}


def _at(value: Any, path: list[str], say: Callable[[str], str]) -> Any:
    """Return a value with the texts at a path translated."""
    if isinstance(value, str):
        return say(value)
    if isinstance(value, dict):
        inner = {path[0]: _at(value[path[0]], path[1:], say)} if path[0] in value else {}
        return {**value, **inner}
    if not isinstance(value, list | tuple):
        return value
    if path and path[0].isdigit() and value and not isinstance(value[0], list | tuple):
        at = int(path[0])
        return [*value[:at], _at(value[at], path[1:], say), *value[at + 1 :]]
    return [_at(one, path, say) for one in value]

"""Gestures on a map: synthesise the text edit, refuse it if the board could not be built.

Issues of text, legality and set-up count, except those of an unfinished board. Playability does not
count: a tower is placed before its ladder.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from falldamage_forge import presets
from falldamage_forge.elements.legality import check_legality
from falldamage_forge.infra.source_loader import SourceLoader
from falldamage_forge.issues import Issue
from falldamage_forge.lang.edit import (
    Answer,
    Become,
    EditRefused,
    EditResult,
    Judge,
    Raise,
    edit,
    parse_gesture,
)
from falldamage_forge.lang.facts import Extent
from falldamage_forge.library.forge import Forge, Map, reject_imports
from falldamage_forge.maps.checks import build_limits
from falldamage_forge.rules.position import Position
from falldamage_forge.rules.setup_check import check_setup

if TYPE_CHECKING:
    from falldamage_forge.elements.things import Things
    from falldamage_forge.lang import LoadResult
    from falldamage_forge.lang.edit.edit_synthesis import Copies
    from falldamage_forge.lang.expansion import Read

UNFINISHED = frozenset({"FDF150", "FDF151"})
"""Codes of issues that an unfinished board may have: sides, and tiles of their start zones."""


def gesture(
    forge: Forge, map: Map, words: str, copies: Copies = "ask", brush: bool = True,
    *, anyway: bool = False,
) -> Answer:  # fmt: skip
    """Apply a gesture such as `raise D4` to the text of a map.

    Args:
        forge: The library instance.
        map: The map.
        words: The gesture.
        copies: Statements to change where terrain is placed several times.
        brush: True to skip tiles that the gesture does not apply to.
        anyway: True to accept an edit that makes the board illegal.

    Raises:
        Impossible: If the words are not a gesture.
    """
    wanted = parse_gesture(words, Extent(map.board.rows, map.board.cols))
    read = _reader(map)
    judge = None if anyway else judge_of(forge, map)
    answer = edit(
        map.text, wanted, map.name, read, copies=copies, brush=brush, label=words, judge=judge
    )
    lifted = isinstance(wanted, Raise) and not wanted.bridges
    if (
        lifted
        and isinstance(answer, EditRefused)
        and any(x.code == "FDF132" for x in answer.issues)
    ):
        hint = f"`{words} with bridges` takes the bridge along"
        return replace(answer, issues=tuple(replace(x, hint=hint) for x in answer.issues))
    return answer


def become(map: Map, things: Things) -> str | None:
    """Return the text of a map whose board has other elements; None if no edit leads there.

    Args:
        map: The map.
        things: Elements of the other board.
    """
    answer = edit(map.text, Become(things), map.name, _reader(map), copies="here", judge=None)
    return answer.text if isinstance(answer, EditResult) else None


def _reader(map: Map) -> Read:
    """Return the function that reads the imports of a map."""
    return SourceLoader().importer(map.root) if map.root is not None else reject_imports


def judge_of(forge: Forge, map: Map) -> Judge:
    """Return a function that gives the new issues of an edited text.

    Args:
        forge: Library that reads the rules.
        map: The map before the edit.
    """

    def judge(loaded: LoadResult) -> tuple[Issue, ...]:
        board, players = loaded.layout.board, loaded.layout.players
        game, issues = forge.game(replace(map, loaded=loaded))
        position = Position(board, game)
        limits = build_limits(presets.load_catalogue(), position)
        set_up = (x for x in check_setup(position, players) if x.code not in UNFINISHED)
        return (*issues, *check_legality(board, limits), *set_up)

    return judge

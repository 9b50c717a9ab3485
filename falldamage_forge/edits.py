"""Gestures in words on a map: done to its text, and refused where they would break its table.

What `check` says of the text, the table and the setting up counts, but for what a table in the
making lacks. Whether it can be played yet does not: a tower comes before its ladder.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from falldamage_forge import presets
from falldamage_forge.board.legality import check_legality
from falldamage_forge.checks import limits_of
from falldamage_forge.files import Sources
from falldamage_forge.forge import Forge, Map, no_imports
from falldamage_forge.issues import Issue
from falldamage_forge.lang.edit import Answer, Judge, Raise, Refused, edit, gesture_of
from falldamage_forge.lang.facts import Extent
from falldamage_forge.rules.position import Position
from falldamage_forge.rules.setup import check_setup

if TYPE_CHECKING:
    from falldamage_forge.lang import Loaded
    from falldamage_forge.lang.edit.engine import Copies

UNFINISHED = frozenset({"FDF150", "FDF151"})
"""What a table in the making may lack: sides, and tiles of their zones."""


def gesture(
    forge: Forge, map: Map, words: str, copies: Copies = "ask", brush: bool = True,
    *, anyway: bool = False,
) -> Answer:  # fmt: skip
    """Do a gesture such as `raise D4`; `anyway` takes what breaks the map, too.

    Raises Impossible for words that are no gesture.
    """
    wanted = gesture_of(words, Extent(map.board.rows, map.board.cols))
    read = Sources().importer(map.root) if map.root is not None else no_imports
    judge = None if anyway else judge_of(forge, map)
    answer = edit(
        map.text, wanted, map.name, read, copies=copies, brush=brush, label=words, judge=judge
    )
    lifted = isinstance(wanted, Raise) and not wanted.bridges
    if lifted and isinstance(answer, Refused) and any(x.code == "FDF132" for x in answer.issues):
        hint = f"`{words} with bridges` takes the bridge along"
        return replace(answer, issues=tuple(replace(x, hint=hint) for x in answer.issues))
    return answer


def judge_of(forge: Forge, map: Map) -> Judge:
    """What tells why another text of a map could not be built or set up."""

    def judge(loaded: Loaded) -> tuple[Issue, ...]:
        board, players = loaded.layout.board, loaded.layout.players
        game, issues = forge.game(replace(map, loaded=loaded))
        position = Position(board, game)
        limits = limits_of(presets.load_catalogue(), position)
        set_up = (x for x in check_setup(position, players) if x.code not in UNFINISHED)
        return (*issues, *check_legality(board, limits), *set_up)

    return judge

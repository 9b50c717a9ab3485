"""Moves of the game as values: decisions and chance outcomes, with their text.

The text is the notation of records: `unit 3`, `move E5@2`, `attack 11`, `bomb E5@0`, `die 4`.
"""

from __future__ import annotations

from typing import NamedTuple

from falldamage_forge.board import DIRECTION_NAMES, DIRECTIONS
from falldamage_forge.games.fall_damage.play.kept import Row
from falldamage_forge.games.fall_damage.play.spots import spot_name, tile_name

KINDS = (
    "side", "draft", "place", "unit", "end_turn", "move", "act", "drop", "take", "end",
    "land", "wind", "choice", "hand", "free", "chance",
)  # fmt: skip
"""In the order legal lists are sorted by."""
WAY_NAMES = tuple(DIRECTION_NAMES[offset] for offset in DIRECTIONS)


class Move(NamedTuple):
    """One decision or outcome. Which of the fields mean something depends on `kind` and `name`.

    `way` counts north, east, south, west; `tile` is a tile's number; `word` anything else.
    """

    kind: str
    name: str = ""
    units: tuple[int, ...] = ()
    spots: tuple[int, ...] = ()
    tile: int = -1
    way: int = -1
    word: str = ""

    def __str__(self) -> str:
        """The move's notation."""
        parts = [self.name or _TEXT.get(self.kind, self.kind)]
        if self.word:
            parts.append(self.word)
        parts += map(str, self.units)
        parts += map(spot_name, self.spots)
        if self.tile >= 0:
            parts.append(tile_name(self.tile))
        if self.way >= 0:
            parts.append(WAY_NAMES[self.way])
        return " ".join(parts)

    @property
    def order(self) -> tuple[object, ...]:
        """The key legal lists are sorted by: unit, kind, row, column, level, names."""
        return _order(self)


_TEXT = {"end_turn": "end turn", "end": "end", "free": "move"}
_RANK = {kind: rank for rank, kind in enumerate(KINDS)}


def _order(move: Move) -> tuple[object, ...]:
    kind, name, units, spots, tile, way, word = move
    unit = units[0] if kind == "unit" else 0
    return _RANK[kind], unit, spots or (tile << 4,), name, word, units, way


def in_order(moves: list[Move]) -> list[Move]:
    """A legal list as it must be."""
    return sorted(moves, key=_order) if len(moves) > 1 else moves


COIN = (Move("chance", "coin", word="heads"), Move("chance", "coin", word="tails"))
DIE = tuple(Move("chance", "die", word=str(number)) for number in range(1, 7))
END = Move("end", "end")
UNIT = Row(lambda index: Move("unit", "unit", (index,)))
"""Choosing a unit, by index."""
STRIDE = Row(lambda spot: Move("move", "move", spots=(spot,)))
"""Walking to a surface, by spot."""
END_TURN = Move("end_turn", "end turn")

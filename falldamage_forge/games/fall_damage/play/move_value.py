"""Moves as values: decisions and chance outcomes, with their notation.

Examples of the notation in records: `unit 3`, `move E5@2`, `attack 11`, `bomb E5@0`, `die 4`.
"""

from __future__ import annotations

from typing import NamedTuple

from falldamage_forge.board import DIRECTION_NAMES, DIRECTIONS
from falldamage_forge.games.fall_damage.play.surface_number import spot_name, tile_name

KINDS = (
    "side", "draft", "place", "unit", "end_turn", "move", "act", "drop", "take", "end",
    "land", "wind", "choice", "hand", "free", "chance",
)  # fmt: skip
"""Kinds of moves, in the order of legal moves."""
WAY_NAMES = tuple(DIRECTION_NAMES[offset] for offset in DIRECTIONS)


class Move(NamedTuple):
    """One decision or chance outcome; `kind` and `name` determine which fields are used.

    Attributes:
        kind: One of `KINDS`.
        name: Name such as `attack`.
        units: Unit indices.
        spots: Surface numbers.
        tile: Tile number; -1 for none.
        way: 0 north, 1 east, 2 south, 3 west; -1 for none.
        word: Any other value, such as a card.
    """

    kind: str
    name: str = ""
    units: tuple[int, ...] = ()
    spots: tuple[int, ...] = ()
    tile: int = -1
    way: int = -1
    word: str = ""

    def __str__(self) -> str:
        """Return the move's notation."""
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
        """Sort key of legal moves: kind, unit, row, column, level, names."""
        return _order(self)


_TEXT = {"end_turn": "end turn", "end": "end", "free": "move"}
_RANK = {kind: rank for rank, kind in enumerate(KINDS)}


def _order(move: Move) -> tuple[object, ...]:
    kind, name, units, spots, tile, way, word = move
    unit = units[0] if kind == "unit" else 0
    return _RANK[kind], unit, spots or (tile << 4,), name, word, units, way

"""What never changes in a game: the map, the readings, the cards."""

from __future__ import annotations

from dataclasses import dataclass, field

from falldamage_forge.board import Board
from falldamage_forge.games.fall_damage.options import Options
from falldamage_forge.games.fall_damage.play.kit import Card, Kit
from falldamage_forge.games.fall_damage.play.land import Land, land_of
from falldamage_forge.games.fall_damage.play.options import Readings
from falldamage_forge.games.fall_damage.play.spots import spot_at, tile_number


@dataclass(eq=False)
class Arena:
    """A map under rules and readings, ready for games. `zones` are the start surfaces, sorted."""

    board: Board
    rules: Options
    readings: Readings
    kit: Kit
    land: Land = field(init=False)
    zones: tuple[tuple[int, ...], tuple[int, ...]] = field(init=False)
    chests: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.land = land_of(self.board)
        named = {zone.side: zone.surfaces for zone in self.board.starts}
        red, blue = (
            tuple(sorted(spot_at(t.row, t.col, level) for t, level in named.get(side, ())))
            for side in ("red", "blue")
        )
        self.zones = (red, blue)
        self.chests = tuple(
            sorted(tile_number(chest.tile) << 4 | chest.level for chest in self.board.treasures)
        )

    def card(self, name: str) -> Card:
        """A card by name."""
        return self.kit.cards[name]

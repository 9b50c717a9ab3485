"""What never changes in a game: the map, the readings, the cards; and what is known of its lands.

One Arena serves any number of games on one map. Grounds are kept by land,
because bricks return to the land they came from when they crumble.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from falldamage_forge.board import Board
from falldamage_forge.games.fall_damage.options import Options
from falldamage_forge.games.fall_damage.play.ground import Ground
from falldamage_forge.games.fall_damage.play.kit import Card, Kit
from falldamage_forge.games.fall_damage.play.land import Land, land_of
from falldamage_forge.games.fall_damage.play.options import Readings
from falldamage_forge.games.fall_damage.play.spots import spot_at, tile_number

KEPT_GROUNDS = 200


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
    in_reach: Callable[[int, int, int], bool] = field(init=False, repr=False)
    """Whether one surface is within a reach of another, whatever the land: (one, other, reach)."""
    _base: Ground = field(init=False, repr=False)
    _grounds: dict[tuple[object, ...], Ground] = field(init=False, repr=False)

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
        self._base = Ground(self.land, self.rules)
        self.in_reach = self._base.in_reach
        self._grounds = {}
        self.land.__dict__["_ground"] = (self, self._base)

    def ground(self, land: Land) -> Ground:
        """What a land means; patched from the map's own when it is new."""
        known = land.__dict__.get("_ground")
        if known is not None and known[0] is self:
            return known[1]  # type: ignore[no-any-return]
        key = land.key
        found = self._grounds.get(key)
        if found is None:
            found = Ground(land, self.rules, self._base, _changed(self.land, land))
            self._grounds[key] = found
            if len(self._grounds) > KEPT_GROUNDS:
                del self._grounds[next(iter(self._grounds))]
        # Remembered on the land itself: it is asked for many times a decision.
        land.__dict__["_ground"] = (self, found)
        return found

    def card(self, name: str) -> Card:
        """A card by name."""
        return self.kit.cards[name]


def _changed(one: Land, other: Land) -> frozenset[int]:
    """Tiles that are not alike on two lands of one map."""
    tiles = {
        tile
        for tile in one.tiles()
        if one.columns[one.place(tile)] != other.columns[other.place(tile)]
    }
    for land, against in ((one, other), (other, one)):
        for _, _, laid, _ in land.bricks:
            tiles |= set(laid)
        for number, deck in enumerate(land.decks):
            if deck and against.decks[number] is None:
                tiles |= set(map(tile_number, deck.tiles))
        for number, ladder in enumerate(land.ladders):
            if ladder and against.ladders[number] is None:
                tiles |= {tile_number(ladder.foot), tile_number(ladder.top)}
    return frozenset(tiles)

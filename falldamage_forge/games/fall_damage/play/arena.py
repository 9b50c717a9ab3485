"""What never changes in a game: the map, the readings, the cards; and what is known of its lands.

One Arena serves any number of games on one map. Grounds are kept by land,
because bricks return to the land they came from when they crumble.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from falldamage_forge.board import Board
from falldamage_forge.games.fall_damage.attack import within
from falldamage_forge.games.fall_damage.options import Options
from falldamage_forge.games.fall_damage.play.ground import Ground
from falldamage_forge.games.fall_damage.play.kept import Row
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
    reach: Callable[[int, int], Row[bool]] = field(init=False, repr=False)
    """`Ground.reach`: from a surface so far, by surface, whatever the land."""
    base: Ground = field(init=False, repr=False)
    """The map's own land."""
    _circles: dict[int, Row[frozenset[int]]] = field(init=False, repr=False)
    _last: Ground = field(init=False, repr=False)
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
        self.base = self._last = Ground(self.land, self.rules)
        self.reach = self.base.reach
        self._grounds, self._circles = {}, {}
        self.land.__dict__["_ground"] = (self, self.base)

    def ground(self, land: Land) -> Ground:
        """What a land means; patched from another one when it is new."""
        known = land.__dict__.get("_ground")
        if known is not None and known[0] is self:
            self._last = known[1]
            return known[1]  # type: ignore[no-any-return]
        key = self._key(land)
        found = self._grounds.get(key)
        if found is None:
            # Patched from the last asked for: one change of the terrain follows the other.
            found = Ground(land, self.rules, self._last, _changed(self._last.land, land))
            self._grounds[key] = found
            if len(self._grounds) > KEPT_GROUNDS:
                del self._grounds[next(iter(self._grounds))]
        # Remembered on the land itself: it is asked for many times a decision.
        land.__dict__["_ground"] = (self, found)
        self._last = found
        return found

    def _key(self, land: Land) -> tuple[object, ...]:
        """Equal for lands on which everything stands alike."""
        columns = enumerate(zip(self.land.columns, land.columns, strict=True))
        changed = tuple((n, new) for n, (old, new) in columns if old is not new and old != new)
        bricks = [(tile, levels) for _, levels, tiles, _ in land.bricks for tile in tiles]
        gone = tuple(thing is None for thing in (*land.decks, *land.ladders))
        return changed, tuple(sorted(bricks)), gone

    def circle(self, tile: int, radius: int) -> frozenset[int]:
        """Tiles of an area of effect around a tile, itself included; some may lie off the board."""
        found = self._circles.get(radius)
        if found is None:
            around, rules = range(-radius, radius + 1), self.rules
            offsets = [(r, c) for r in around for c in around if within(r, c, radius, rules)]
            found = self._circles[radius] = Row(
                lambda tile: frozenset(
                    tile + (row << 6) + col for row, col in offsets if 0 <= (tile & 63) + col < 64
                )
            )
        return found[tile]

    def card(self, name: str) -> Card:
        """A card by name."""
        return self.kit.cards[name]


def _changed(one: Land, other: Land) -> frozenset[int]:
    """Tiles that are not alike on two lands of one map."""
    columns = zip(one.tiles(), one.columns, other.columns, strict=True)
    tiles = {tile for tile, old, new in columns if old is not new and old != new}
    laid = {tile for land in (one, other) for brick in land.bricks for tile in brick[2]}
    tiles |= {tile for tile in laid if one.bricks_on(tile) != other.bricks_on(tile)}
    for land, against in ((one, other), (other, one)):
        for number, deck in enumerate(land.decks):
            if deck and against.decks[number] is None:
                tiles |= set(map(tile_number, deck.tiles))
        for number, ladder in enumerate(land.ladders):
            if ladder and against.ladders[number] is None:
                tiles |= {tile_number(ladder.foot), tile_number(ladder.top)}
    return frozenset(tiles)

"""What a land means for movement, reach and sight: worked out when asked, kept, and patched.

When a tile changes, a new Ground takes over what the change cannot touch, and what the grounds of
a map have in common is known to all of them: exits of surfaces whose surroundings have been seen
before, lines of sight over tiles that have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property, lru_cache
from typing import Any

from falldamage_forge.board import DIRECTIONS, Column
from falldamage_forge.board import Ground as Kind
from falldamage_forge.board.surfaces import Terrain
from falldamage_forge.games.fall_damage.attack import can_attack, within
from falldamage_forge.games.fall_damage.options import Options
from falldamage_forge.games.fall_damage.play.gait import (
    Exits,
    Gait,
    Link,
    Step,
    exits_of,
    fall_damage,
)
from falldamage_forge.games.fall_damage.play.kept import Row
from falldamage_forge.games.fall_damage.play.land import Land
from falldamage_forge.games.fall_damage.play.line import Closers, line_of, shapes_between
from falldamage_forge.games.fall_damage.play.spots import (
    STEPS,
    TOP_LEVEL,
    neighbours,
    surface_of,
    tile_number,
    tile_of,
)

KEPT_LINES = 100_000


class Shared:
    """What the grounds of one map know together, many lands being alike in most places.

    `reaches` hold for any land; exits, steps and lines by what the tiles are like that matter to
    them.
    """

    def __init__(self) -> None:
        self.reaches: dict[tuple[int, int], Row[bool]] = {}
        self.shapes: dict[tuple[object, ...], int] = {}
        self.exits: dict[tuple[object, ...], Exits] = {}
        self.steps: dict[tuple[object, ...], tuple[Step, ...]] = {}
        self.lines: dict[tuple[object, ...], Closers | None] = {}


class Ground:
    """One land under the ruleset's options; see the module for what `parent` is for."""

    def __init__(
        self,
        land: Land,
        options: Options,
        parent: Ground | None = None,
        changed: frozenset[int] = frozenset(),
    ) -> None:
        self.land, self.options = land, options
        self.terrain = Terrain(land.board(), options.terrain)
        self.levels: dict[int, tuple[int, ...]] = dict(parent.levels) if parent else {}
        for tile in changed if parent else land.tiles():
            found = self.terrain.standable(tile_of(tile))
            self.levels[tile] = tuple(level for level in found if level <= TOP_LEVEL)
        self.tops: dict[int, int] = dict(parent.tops) if parent else {}
        for tile in changed if parent else land.tiles():
            self.tops[tile] = self.terrain.top(tile_of(tile))
        self.slabs = {
            tile_number(tile): levels for tile, levels in self.terrain.board.deck_levels.items()
        }
        self.stand = frozenset([t << 4 | z for t, levels in self.levels.items() for z in levels])
        self.wet = self._tops(Kind.WATER)
        self.lava = self._tops(Kind.LAVA)
        self._lines: dict[int, Row[Closers | None]] = {}
        self._aims: dict[tuple[int, int], tuple[int, ...]] = {}
        self.memo: dict[object, object] = {}
        """What others work out once for this land, by a key of their own."""
        self._shared: Shared = parent._shared if parent else Shared()
        shapes = self._shared.shapes
        self._shape: dict[int, int] = dict(parent._shape) if parent else {}
        for tile in changed if parent else land.tiles():
            look = (self.levels[tile], self.slabs.get(tile, ()), self.column(tile))
            self._shape[tile] = shapes.setdefault(look, len(shapes))
        self._ladder_shape = shapes.setdefault(("ladders", land.ladders), len(shapes))
        self._around: dict[int, tuple[int, ...]] = {}
        self._exits: dict[Gait, Row[Exits]] = {}
        if parent:
            self._take_over(parent, changed)

    def _take_over(self, parent: Ground, changed: frozenset[int]) -> None:
        """The parent's exits, but where a changed tile is near."""
        rows, cols = self.land.rows, self.land.cols
        near = changed.union(*(pair for tile in changed for pair in neighbours(tile, rows, cols)))
        for gait, known in parent._exits.items():
            exits = self.exits(gait)
            exits.update((spot, found) for spot, found in known.items() if spot >> 4 not in near)

    def _tops(self, kind: Kind) -> frozenset[int]:
        columns = zip(self.land.tiles(), self.terrain.board.columns, strict=True)
        return frozenset(
            tile << 4 | column.level
            for tile, column in columns
            if column.ground is kind and column.feature is None
        )

    @cached_property
    def spots(self) -> tuple[int, ...]:
        """The surfaces, sorted."""
        return tuple(sorted(self.stand))

    # -- movement -----------------------------------------------------------------------------

    def free(self, tile: int, low: int, high: int) -> bool:
        """Whether nothing solid lies between two levels over a tile (`Terrain.free`, faster)."""
        if self.tops[tile] > low:
            return False
        if tile not in self.slabs:
            return True
        return not any(low < slab < high + 1 for slab in self.slabs[tile])

    def _on_foot(self, spot: int, near: int, far: int) -> Iterable[Link]:
        """Steps to the next tile and leaps to the one after it, whoever takes them."""
        tile, level = spot >> 4, spot & 15
        for goal in self.levels[near]:
            high = (level if level > goal else goal) + 1
            if self.free(tile, level, high) and self.free(near, goal, high):
                yield Link(near << 4 | goal, "step", goal - level)
        if far < 0 or self.tops[near] > level:
            return
        flush = self.tops[near] == level or level in self.slabs.get(near, ())
        for goal in self.levels[far]:
            high = (level if level > goal else goal) + 1
            if (
                self.free(near, level, high)
                and self.free(tile, level, high)
                and self.free(far, goal, high)
            ):
                yield Link(far << 4 | goal, "leap", goal - level, near, flush)

    @cached_property
    def _ladders(self) -> dict[int, list[Link]]:
        """The ladders one can climb, by the surface of either end."""
        found: dict[int, list[Link]] = {}
        for ladder in self.terrain.board.ladders:
            low, high = ladder.foot_level, ladder.top_level
            foot, top = tile_number(ladder.foot) << 4 | low, tile_number(ladder.top) << 4 | high
            open_above = self.terrain.free(ladder.foot, low, max(low, high) + 1)
            if open_above and foot in self.stand and top in self.stand:
                found.setdefault(foot, []).append(Link(top, "ladder", high - low))
                found.setdefault(top, []).append(Link(foot, "ladder", low - high))
        return found

    def exits(self, gait: Gait) -> Row[Exits]:
        """By surface: what a gait may do from there, occupants left aside."""
        found = self._exits.get(gait)
        if found is None:
            found = self._exits[gait] = Row(lambda spot: self._exits_from(spot, gait))
        return found

    def steps_from(self, spot: int, gait: Gait) -> tuple[Step, ...]:
        """What a gait may do from a surface, occupants left aside."""
        return self.exits(gait)[spot].steps

    def _exits_from(self, spot: int, gait: Gait) -> Exits:
        key = (spot, gait, *self._surroundings(spot >> 4))
        known = self._shared.exits
        found = known.get(key)
        if found is None:
            found = known[key] = exits_of(self._steps(spot, gait))
        return found

    def _steps(self, spot: int, gait: Gait) -> Iterable[Step]:
        if gait.ghost:
            return self._ghostly(spot, gait)
        shape, known = self._shape, self._shared.steps
        steps: list[Step] = []
        for near, far in neighbours(spot >> 4, self.land.rows, self.land.cols):
            key = (spot, gait, near, shape[spot >> 4], shape[near], shape.get(far, -1))
            found = known.get(key)
            if found is None:
                found = known[key] = self._taken(spot, self._on_foot(spot, near, far), gait)
            steps += found
        return (*steps, *self._taken(spot, self._ladders.get(spot, ()), gait))

    def _taken(self, spot: int, links: Iterable[Link], gait: Gait) -> tuple[Step, ...]:
        """Links as a gait takes them, but those it cannot."""
        steps = (self._step(spot, link, gait) for link in links)
        return tuple(step for step in steps if step is not None)

    def _surroundings(self, tile: int) -> tuple[int, ...]:
        """What the tiles are like that a step from a tile can meet, and the ladders there are."""
        found = self._around.get(tile)
        if found is None:
            shape = self._shape
            near = [
                shape[other]
                for pair in neighbours(tile, self.land.rows, self.land.cols)
                for other in pair
                if other >= 0
            ]
            found = self._around[tile] = (shape[tile], self._ladder_shape, *near)
        return found

    def _step(self, spot: int, link: Link, gait: Gait) -> Step | None:
        options, rise = self.options, link.rise
        wet = link.to if options.water_cost == "enter" else spot
        tile = 2 if self._charged_as_water(wet) else 1
        dry = 2 - tile
        vertical = max(rise, 0) if options.beast_down == "free" else abs(rise)
        if link.kind == "ladder":
            cost = tile if options.ladder_cost == "one" else max(1, abs(rise)) + tile - 1
            if gait.vertical_counts:
                cost = max(cost, tile + vertical)
            return Step(link.to, cost, 0, (), dry, 0, 0, 0)
        if rise > gait.jump:
            return None
        empty: tuple[int, ...] = ()
        if link.kind == "leap":
            if not self._may_leap(link):
                return None
            # With `leap_pass` one may come down on a friend, and go on.
            passes = options.leap_pass == "yes"
            empty = (*(() if passes else (link.to,)), *self._below_leap(spot, link))
        cost = tile + (link.kind == "leap") + (vertical if gait.vertical_counts else 0)
        drop = max(-rise, 0)
        fall = 0 if gait.no_fall or link.to in self.wet else drop
        damage = fall_damage(fall, gait.jump, options)
        return Step(link.to, cost, damage, empty, dry, max(rise, 0), fall, drop)

    def _may_leap(self, link: Link) -> bool:
        options = self.options
        if link.flush and options.gap == "strictly_lower":
            return False
        if options.leap_vertical == "level" and link.rise != 0:
            return False
        if options.leap_over == "empty":
            column = self.terrain.board.column(tile_of(link.over))
            if column.feature is not None:
                return False
        return not (options.leap_vertical == "none_up" and link.rise > 0)

    def _below_leap(self, spot: int, link: Link) -> tuple[int, ...]:
        """Spots of the tile leapt where a unit is in the way."""
        low, high = spot & 15, max(spot & 15, link.to & 15) + 1
        anywhere = self.options.leap_over != "clear"
        return tuple(
            link.over << 4 | level
            for level in range(0 if anywhere else low, min(high, TOP_LEVEL + 1))
        )

    def _charged_as_water(self, spot: int) -> bool:
        if spot in self.wet:
            return True
        if self.options.bridge_cost != "inherit":
            return False
        column = self.terrain.board.column(tile_of(spot >> 4))
        return column.ground is Kind.WATER and (spot & 15) > column.level

    def _ghostly(self, spot: int, gait: Gait) -> Iterable[Step]:
        """Discorporate: one tile a step, up to its Jump, down any, or straight on inside solids."""
        terrain, number, level = self.terrain, spot >> 4, spot & 15
        for offset, step in zip(DIRECTIONS, STEPS, strict=True):
            near = tile_of(number).step(offset)
            if near not in terrain.board:
                continue
            goals = set(self.levels[number + step])
            goals |= {z for z in range(TOP_LEVEL + 1) if number + step << 4 | z in self.lava}
            if not terrain.free(near, level, level + 1):
                goals.add(level)
            for goal in sorted(goals):
                to, rise = number + step << 4 | goal, goal - level
                if rise > gait.jump:
                    continue
                vertical = max(rise, 0) if self.options.beast_down == "free" else abs(rise)
                drop = max(-rise, 0)
                fall = 0 if gait.no_fall or to in self.wet else drop
                damage = fall_damage(fall, gait.jump, self.options)
                cost = 1 + (vertical if gait.vertical_counts else 0)
                yield Step(to, cost, damage, (), 0, max(rise, 0), fall, drop)

    # -- reach and sight ----------------------------------------------------------------------

    def aims(self, spot: int, reach: int) -> tuple[int, ...]:
        """Surfaces within a reach of a surface, heights asked, in the board's order."""
        key = (spot, reach)
        found = self._aims.get(key)
        if found is None:
            near = self.reach(spot, reach)
            found = self._aims[key] = tuple(
                goal
                for row, col in _offsets(reach, self.options)
                for goal in self._standing_at((spot >> 10) + row, (spot >> 4 & 63) + col)
                if near[goal]
            )
        return found

    def reach(self, spot: int, reach: int) -> Row[bool]:
        """By surface: whether it is within reach and height of one; sight is another matter."""
        found = self._shared.reaches.get((spot, reach))
        if found is None:
            here, options = surface_of(spot), self.options
            found = Row(lambda other: can_attack(here, surface_of(other), reach, options))
            self._shared.reaches[spot, reach] = found
        return found

    def lines(self, spot: int) -> Row[Closers | None]:
        """By surface: who closes the line of sight to it by standing there; None: terrain does."""
        found = self._lines.get(spot)
        if found is None:
            found = self._lines[spot] = Row(lambda other: self._line(spot, other))
        return found

    def _line(self, one: int, other: int) -> Closers | None:
        if one > other:
            one, other = other, one
        return self.kept_line((one, other), lambda: line_of(self.terrain, one, other, self.options))

    def _standing_at(self, row: int, col: int) -> Iterable[int]:
        if not (0 <= row < self.land.rows and 0 <= col < self.land.cols):
            return ()
        tile = row << 6 | col
        return (tile << 4 | level for level in self.levels[tile])

    def kept_line(self, key: tuple[Any, ...], make: Callable[[], Closers | None]) -> Closers | None:
        """A line known by a key that begins with its ends, if nothing on it has changed since."""
        known = self._shared.lines
        full = (*key, shapes_between(key[0] >> 4, key[1] >> 4)(self._shape))
        if full not in known:
            if len(known) >= KEPT_LINES:
                known.clear()
            known[full] = make()
        return known[full]

    @cached_property
    def dry(self) -> frozenset[int]:
        """Tiles with a surface and without lava."""
        columns = zip(self.land.tiles(), self.terrain.board.columns, strict=True)
        lava = {tile for tile, column in columns if column.ground is Kind.LAVA}
        return frozenset(tile for tile, levels in self.levels.items() if levels) - lava

    def column(self, tile: int) -> Column:
        """A tile's column, bricks counted."""
        return self.terrain.board.column(tile_of(tile))

    def without(self, *, tile: int = -1, deck: int = -1) -> Terrain:
        """The terrain as if a tree, spire or bridge were away, to draw a line to it."""
        land = self.land
        if tile >= 0:
            column = land.column(tile)
            land = land.with_column(tile, Column(column.level, column.ground))
        if deck >= 0:
            land = land.without_deck(deck)
        return Terrain(land.board(), self.options.terrain)

    def feature_top(self, tile: int) -> int:
        """The top of what stands on a tile."""
        return self.terrain.top(tile_of(tile))

    @cached_property
    def features(self) -> tuple[tuple[int, Column], ...]:
        """Tiles with a tree or a spire."""
        columns = zip(self.land.tiles(), self.land.columns, strict=True)
        return tuple((tile, column) for tile, column in columns if column.feature is not None)

    @cached_property
    def standing(self) -> frozenset[tuple[str, int]]:
        """What can be destroyed: trees and spires by tile, decks and ladders by number."""
        decks = {("deck", number) for number, deck in enumerate(self.land.decks) if deck}
        ladders = {("ladder", number) for number, x in enumerate(self.land.ladders) if x}
        named = {(str(column.feature), tile) for tile, column in self.features}
        return frozenset(decks | ladders | named)


@lru_cache(maxsize=256)
def _offsets(reach: int, options: Options) -> tuple[tuple[int, int], ...]:
    wide = max(reach, 1)
    around = range(-wide, wide + 1)
    return tuple(
        (row, col)
        for row in around
        for col in around
        if (row, col) != (0, 0) and within(row, col, wide, options)
    )

"""Involuntary movement: where a pushed unit ends, what it falls, whether it lives.

Sources: "Push", "Pushing Vertically & Obstacles" and "Fall Damage" of the rulebook; "The pushed
unit stops at the occupied tile" of the web manual. Everything is judged tile by tile.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from falldamage_forge.board import EAST, NORTH, SOUTH, WEST, Ground, Tile
from falldamage_forge.rules.ruleset import Options
from falldamage_forge.surfaces import Surface, Terrain

Direction = Literal["B", "R", "L", "F"]
RIGHT_OF = {NORTH: EAST, EAST: SOUTH, SOUTH: WEST, WEST: NORTH}
"""Turned right, seen from above with north up."""


@dataclass(frozen=True, slots=True)
class Victim:
    """What of the pushed unit matters: `no_fall` the Wrestler's, `no_push` the Shield Bearer's."""

    no_fall: bool = False
    no_push: bool = False


@dataclass(frozen=True, slots=True)
class Push:
    """A push as cards write it: `B2`. `mage` adds 2 to the damage of falls."""

    direction: Direction
    tiles: int
    mage: bool = False

    @classmethod
    def parse(cls, text: str, *, mage: bool = False) -> Push:
        """From `B2`, `L1`, `F1`; a bare number is a push back. ValueError otherwise."""
        letter, digits = (text[:1], text[1:]) if text[:1].isalpha() else ("B", text)
        letter = letter.upper()
        number = digits.isascii() and digits.isdigit() and len(digits) <= 2
        if letter not in "BRLF" or not number:
            raise ValueError(f"`{text}` is not a push; write B, R, L or F and a count, such as B2")
        return cls(letter, int(digits), mage)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Pushed:
    """What a push does. `end` is None when the unit dies; `path` are the surfaces it passed."""

    end: Surface | None
    damage: int
    dead: bool
    path: tuple[Surface, ...]


def facing(attacker: Surface, target: Surface, options: Options) -> tuple[int, int] | None:
    """The direction "in relation to the attacker's position": the dominant axis from attacker to
    target; None where an exact diagonal leaves it to the attacker, or both share a tile.
    """
    rows = target.tile.row - attacker.tile.row
    cols = target.tile.col - attacker.tile.col
    if (rows, cols) == (0, 0):
        return None
    if abs(rows) == abs(cols) and options.push_diag == "attacker_chooses":
        return None
    if abs(cols) >= abs(rows):
        return EAST if cols > 0 else WEST
    return SOUTH if rows > 0 else NORTH


def way_of(
    attacker: Surface, target: Surface, push: Push, options: Options
) -> tuple[int, int] | None:
    """The (row, col) step of a push; None for a swap or where the facing is open."""
    front = facing(attacker, target, options)
    if front is None or push.direction == "F":
        return None
    right = RIGHT_OF[front]
    return {"B": front, "R": right, "L": (-right[0], -right[1])}[push.direction]


@dataclass(slots=True)
class _Slide:
    """The unit on its way."""

    terrain: Terrain
    options: Options
    taken: frozenset[Surface]
    attacker_level: int
    victim: Victim
    mage: bool
    at: Surface
    path: list[Surface] = field(default_factory=list)
    damage: int = 0
    dead: bool = False
    fell: bool = False
    may_climb: bool = False

    def move(self, surface: Surface) -> None:
        self.at = surface
        self.path.append(surface)

    def land(self, surface: Surface) -> None:
        """Come down on a surface; every drop damages, water and the Wrestler excepted."""
        drop = self.at.level - surface.level
        column = self.terrain.board.column(surface.tile)
        on_top = column.level == surface.level
        self.move(surface)
        if drop <= 0:
            return
        self.fell = True
        if self.victim.no_fall or (on_top and column.ground is Ground.WATER):
            return
        bonus = 2 if self.mage and (self.options.mage_bonus == "per_drop" or not self.damage) else 0
        self.damage += drop + bonus


def push_unit(
    terrain: Terrain,
    attacker: Surface,
    target: Surface,
    push: Push,
    options: Options,
    *,
    taken: frozenset[Surface] = frozenset(),
    victim: Victim = Victim(),
    way: tuple[int, int] | None = None,
) -> Pushed:
    """Push the unit on `target`. `taken` are the other units' surfaces, the attacker's left out.

    `way` chooses the direction where `facing` leaves it open. A swap (F) exchanges the two units
    without a fall.
    """
    if victim.no_push or push.tiles == 0:
        return Pushed(target, 0, False, ())
    if push.direction == "F":
        return Pushed(attacker, 0, False, (attacker,))
    offset = way or way_of(attacker, target, push, options)
    if offset is None:
        return Pushed(target, 0, False, ())
    others = (taken | {attacker}) - {target}
    slide = _Slide(
        terrain, options, others, attacker.level, victim, push.mage, target,
        may_climb=attacker.level <= target.level,
    )  # fmt: skip
    for number in range(push.tiles):
        last = number == push.tiles - 1
        if not _one_tile(slide, offset, last) or slide.dead:
            break
        if slide.fell and options.push_after_fall == "stop":
            break
    if not slide.dead and options.push_fall == "hover":
        _settle(slide, target)
    return Pushed(None if slide.dead else slide.at, slide.damage, slide.dead, tuple(slide.path))


def _one_tile(slide: _Slide, offset: tuple[int, int], last: bool) -> bool:
    """Move one tile on; False when something stops the push."""
    tile = slide.at.tile.step(offset)
    board, level = slide.terrain.board, slide.at.level
    if tile not in board:
        if slide.options.edge == "void":
            slide.dead = True
            return True
        return False
    if not _body_free(slide, tile, level):
        return _climb(slide, tile, level)
    if slide.options.push_fall == "hover" and not last:
        if _deadly(slide, tile, level):
            slide.dead = True
        slide.move(Surface(tile, level))
        return True
    return _come_down(slide, tile, offset)


def _body_free(slide: _Slide, tile: Tile, level: int) -> bool:
    """No terrain and no unit in the way at body height."""
    if not slide.terrain.free(tile, level, level + 1):
        return False
    return Surface(tile, level) not in slide.taken


def _climb(slide: _Slide, tile: Tile, level: int) -> bool:
    """ "Pushed vertically up to one height per tile", if the attacker is level or below."""
    up = Surface(tile, level + 1)
    if not (
        slide.may_climb
        and _rises_by_one(slide, tile, level)
        and slide.taken.isdisjoint((Surface(tile, level), up))
        and slide.terrain.free(slide.at.tile, level, level + 2)
        and slide.terrain.free(tile, up.level, up.level + 1)
    ):
        return False
    if _lava_top(slide, tile, up.level):
        slide.dead = True
        return True
    if up.level not in slide.terrain.standable(tile):
        return False
    slide.move(up)
    return True


def _rises_by_one(slide: _Slide, tile: Tile, level: int) -> bool:
    """The obstacle at body height ends exactly one level up."""
    return slide.terrain.top(tile) == level + 1 or level + 1 in slide.terrain.decks(tile)


def _lava_top(slide: _Slide, tile: Tile, level: int) -> bool:
    column = slide.terrain.board.column(tile)
    return column.ground is Ground.LAVA and column.feature is None and column.level == level


def _deadly(slide: _Slide, tile: Tile, level: int) -> bool:
    """Whether what lies under the body at this level is lava."""
    below = slide.terrain.highest_below(tile, level)
    return below == level and _lava_top(slide, tile, level)


def _come_down(slide: _Slide, tile: Tile, offset: tuple[int, int]) -> bool:
    """Onto the highest top at or below; over what cannot be occupied, slide on to what can."""
    level = slide.at.level
    while True:
        landing = slide.terrain.highest_below(tile, level)
        assert landing is not None
        if _lava_top(slide, tile, landing):
            slide.dead = True
            return True
        spot = Surface(tile, landing)
        if landing in slide.terrain.standable(tile) and spot not in slide.taken:
            slide.land(spot)
            return True
        tile = tile.step(offset)
        if tile not in slide.terrain.board:
            if slide.options.edge == "void":
                slide.dead = True
                return True
            return False
        if not _body_free(slide, tile, level):
            return False


def _settle(slide: _Slide, start: Surface) -> None:
    """With `hover`, a unit that was stopped in the air falls now.

    Where it cannot come down, over a unit or a tree, it was not pushed that far.
    """
    for spot in (*reversed(slide.path), start):
        landing = slide.terrain.highest_below(spot.tile, spot.level)
        if landing is None:
            continue
        if _lava_top(slide, spot.tile, landing):
            slide.dead = True
            return
        if landing in slide.terrain.standable(spot.tile):
            ground = Surface(spot.tile, landing)
            if ground not in slide.taken:
                slide.at = spot
                if ground != spot:
                    slide.land(ground)
                return


def victim_with(victim: Victim, **changes: bool) -> Victim:
    """The victim with other flags (Lead Shoes: `no_push`)."""
    return replace(victim, **changes)

"""Involuntary movement: where a pushed unit ends, what it falls, whether it lives.

Sources: "Push", "Pushing Vertically & Obstacles" and "Fall Damage" of the rulebook; "The pushed
unit stops at the occupied tile" of the web manual. Everything is judged tile by tile.
"""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from falldamage_forge.board import DIRECTION_NAMES, EAST, NORTH, SOUTH, WEST, Ground, Tile
from falldamage_forge.board.surfaces import Surface, Terrain
from falldamage_forge.games.fall_damage.options import Options
from falldamage_forge.rules.answers import Pushed
from falldamage_forge.values import dataclass

Direction = Literal["B", "R", "L", "F"]
RIGHT_OF = {NORTH: EAST, EAST: SOUTH, SOUTH: WEST, WEST: NORTH}
"""Turned right, seen from above with north up."""
MAGE_BONUS = 2
"""Source: "Mages give bonus 2 damage for Fall Damage"."""


@dataclass(frozen=True, slots=True)
class Victim:
    """What of the pushed unit matters: `no_fall` the Wrestler's, `no_push` the Shield Bearer's,
    `no_lava` who is discorporate's.
    """

    no_fall: bool = False
    no_push: bool = False
    no_lava: bool = False


ANYBODY = Victim()
"""Somebody without anything special."""


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


def facings(attacker: Surface, target: Surface, options: Options) -> tuple[tuple[int, int], ...]:
    """The directions an attacker may face "in relation to the attacker's position".

    The dominant axis from attacker to target; on an exact diagonal both, when the attacker chooses;
    none when both share a tile.
    """
    rows = target.tile.row - attacker.tile.row
    cols = target.tile.col - attacker.tile.col
    upright = SOUTH if rows > 0 else NORTH
    level = EAST if cols > 0 else WEST
    if (rows, cols) == (0, 0):
        return ()
    if abs(rows) == abs(cols) and options.push_diag == "attacker_chooses":
        return (upright, level)
    return (level,) if abs(cols) >= abs(rows) else (upright,)


def facing(
    attacker: Surface,
    target: Surface,
    options: Options,
    chosen: tuple[int, int] | None = None,
) -> tuple[int, int] | None:
    """The direction an attacker faces; None when both share a tile.

    ValueError when a choice is open and none is made, or when one is made that is not open.
    """
    open_ways = facings(attacker, target, options)
    names = " or ".join(DIRECTION_NAMES[way] for way in open_ways)
    if chosen is not None and chosen not in open_ways:
        if not open_ways:
            raise ValueError("the two share a tile: there is no way to face")
        raise ValueError(f"from {attacker} one faces {names} to attack {target}")
    if chosen is None and len(open_ways) > 1:
        raise ValueError(f"{target} is on an exact diagonal of {attacker}: say the way, {names}")
    return chosen or (open_ways[0] if open_ways else None)


def way_of(
    attacker: Surface,
    target: Surface,
    push: Push,
    options: Options,
    chosen: tuple[int, int] | None = None,
) -> tuple[int, int] | None:
    """The (row, col) step of a push; None for a swap or in one tile. ValueError as `facing`."""
    if push.direction == "F":
        return None
    front = facing(attacker, target, options, chosen)
    if front is None:
        return None
    right = RIGHT_OF[front]
    return {"B": front, "R": right, "L": (-right[0], -right[1])}[push.direction]


@dataclass(slots=True)
class _Slide:
    """The unit on its way. `left` tiles of the push are still to be made."""

    terrain: Terrain
    options: Options
    taken: frozenset[Surface]
    attacker_level: int | None
    victim: Victim
    mage: bool
    at: Surface
    start: Surface
    left: int
    path: list[Surface] = field(default_factory=list)
    damage: int = 0
    dead: bool = False
    fell: bool = False

    @property
    def may_climb(self) -> bool:
        """ "only if the Attacker is either below, or on the same level as them"; judged at the
        attack, or at each tile (option `climb_judged`).
        """
        if self.attacker_level is None:
            return False
        judged = self.start if self.options.climb_judged == "attack" else self.at
        return self.attacker_level <= judged.level

    def kills(self, tile: Tile, level: int) -> bool:
        """Whether this top is bare lava, and the unit is not proof against it."""
        return not self.victim.no_lava and _lava_top(self, tile, level)

    def stands(self, tile: Tile, level: int) -> bool:
        """Whether the unit can come to rest on this top."""
        if level in self.terrain.standable(tile):
            return True
        return self.victim.no_lava and _lava_top(self, tile, level)

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
        added = self.mage and (self.options.mage_bonus == "per_drop" or not self.damage)
        self.damage += drop + (MAGE_BONUS if added else 0)


def push_unit(
    terrain: Terrain,
    attacker: Surface,
    target: Surface,
    push: Push,
    options: Options,
    *,
    taken: frozenset[Surface] = frozenset(),
    victim: Victim = ANYBODY,
    way: tuple[int, int] | None = None,
) -> Pushed:
    """Push the unit on `target`. `taken` are the other units' surfaces, the attacker's left out.

    `way` is how the attacker faces where `facings` leaves it open: ValueError when it is needed and
    missing, or not open. A swap (F) exchanges the two units without a fall.
    """
    if victim.no_push or push.tiles == 0:
        return Pushed(target, 0, False, ())
    if push.direction == "F":
        return Pushed(attacker, 0, False, (attacker,))
    offset = way_of(attacker, target, push, options, way)
    if offset is None:
        return Pushed(target, 0, False, ())
    return slide_unit(
        terrain, target, offset, push.tiles, options,
        taken=taken | {attacker}, victim=victim, mage=push.mage, attacker_level=attacker.level,
    )  # fmt: skip


def slide_unit(
    terrain: Terrain,
    target: Surface,
    way: tuple[int, int],
    tiles: int,
    options: Options,
    *,
    taken: frozenset[Surface] = frozenset(),
    victim: Victim = ANYBODY,
    mage: bool = False,
    attacker_level: int | None = None,
) -> Pushed:
    """Push the unit on `target` so many tiles in a given direction (row, col).

    `taken` are all other units' surfaces. Without an attacker's level it is never pushed up, as by
    a wind.
    """
    if victim.no_push:
        return Pushed(target, 0, False, ())
    others = taken - {target}
    slide = _Slide(
        terrain, options, others, attacker_level, victim, mage, target, target, left=tiles
    )
    while slide.left:
        slide.left -= 1
        if not _one_tile(slide, way, not slide.left) or slide.dead:
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
    if slide.kills(tile, up.level):
        slide.dead = True
        return True
    if not slide.stands(tile, up.level):
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
    return below == level and slide.kills(tile, level)


def _come_down(slide: _Slide, tile: Tile, offset: tuple[int, int]) -> bool:
    """Onto the highest top at or below; over what cannot be occupied, slide on to what can.

    Those tiles are no part of the push, or of what is left of it (option `slide_cost`).
    """
    level, left = slide.at.level, slide.left
    while True:
        landing = slide.terrain.highest_below(tile, level)
        assert landing is not None
        if slide.kills(tile, landing):
            slide.dead = True
            return True
        spot = Surface(tile, landing)
        if slide.stands(tile, landing) and spot not in slide.taken:
            slide.land(spot)
            slide.left = left
            return True
        if slide.options.slide_cost == "counts":
            if not left:
                return False
            left -= 1
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
        if slide.kills(spot.tile, landing):
            slide.dead = True
            return
        if slide.stands(spot.tile, landing):
            ground = Surface(spot.tile, landing)
            if ground not in slide.taken:
                slide.at = spot
                if ground != spot:
                    slide.land(ground)
                return

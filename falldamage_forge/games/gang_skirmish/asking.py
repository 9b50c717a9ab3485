"""Questions of the gang skirmish by name."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated, Literal, NamedTuple

from falldamage_forge.board import DIRECTION_NAMES, Board, Tile
from falldamage_forge.board.surfaces import Surface, Terrain
from falldamage_forge.games.gang_skirmish import falling, formulas, guards, shove
from falldamage_forge.games.gang_skirmish.options import Fighter, Options
from falldamage_forge.games.gang_skirmish.room import along, stands
from falldamage_forge.games.ruler import Way
from falldamage_forge.games.spots import MIDDLE, Shift
from falldamage_forge.rules.questions import named

Phases = Annotated[int, range(101)]
Inches = Annotated[int, range(61)]
MapCover = Literal["map", "none", "partial", "full", "no_line_of_sight"]
"""What the map's railings give, or a cover for all edges alike."""


class Moved(NamedTuple):
    """One distance of a Knockback or Drag: its chance, where it ends, what it does.

    `engaged` is the enemy with whom one ends in base contact.
    """

    inches: int
    chance: Fraction
    travelled_um: int
    tile: str
    pinned: bool
    hit: int | None
    engaged: str | None
    ends: str


def knockback(
    terrain: Terrain,
    options: Options,
    attacker: Surface,
    start: Surface,
    force: Inches,
    fighter: Fighter,
    enemies: frozenset[Surface] = frozenset(),
) -> tuple[Moved, ...]:
    """Where a Knockback of a force sends a fighter, straight away from an attacker.

    One row for each distance: chance, where it ends, the Strength of the hit by an obstruction.
    `enemies`, on bases like the fighter's, are in the way, fallen upon, and come into base contact.
    """
    rows = start.tile.row - attacker.tile.row
    cols = start.tile.col - attacker.tile.col
    way = _straight(rows, cols)
    return tuple(_moved(terrain, start, way, force, fighter, options, enemies))


def drag(
    terrain: Terrain,
    options: Options,
    attacker: Surface,
    start: Surface,
    force: Inches,
    fighter: Fighter,
    attacker_unit: Fighter,
    enemies: frozenset[Surface] = frozenset(),
) -> tuple[Moved, ...]:
    """Where Drag (force) pulls a fighter, straight towards an attacker, until their bases touch.

    `fighter` is who is dragged, `attacker_unit` whose base stops it; `enemies` as in a Knockback.
    """
    rows = attacker.tile.row - start.tile.row
    cols = attacker.tile.col - start.tile.col
    way = _straight(rows, cols)
    return tuple(
        _moved(
            terrain, start, way, force, fighter, options, enemies, (attacker, attacker_unit.base_um)
        )
    )


def _straight(rows: int, cols: int) -> tuple[int, int]:
    if (rows == 0) == (cols == 0):
        raise ValueError("the two stand in one row or one column, on different tiles")
    return ((rows > 0) - (rows < 0), (cols > 0) - (cols < 0))


def _moved(
    terrain: Terrain,
    start: Surface,
    way: tuple[int, int],
    force: int,
    fighter: Fighter,
    options: Options,
    enemies: frozenset[Surface],
    puller: tuple[Surface, int] | None = None,
) -> Iterator[Moved]:
    spots = stands(terrain, start, fighter, options) or (MIDDLE,)
    rows: dict[Moved, Fraction] = {}
    for inches, chance in shove.shove_distances(force, fighter.strength).items():
        for shift in spots:
            row = _row(terrain, start, way, inches, fighter, options, enemies, puller, shift)
            rows[row] = rows.get(row, Fraction(0)) + chance / len(spots)
    return (row._replace(chance=chance) for row, chance in rows.items())


def _row(
    terrain: Terrain,
    start: Surface,
    way: tuple[int, int],
    inches: int,
    fighter: Fighter,
    options: Options,
    enemies: frozenset[Surface],
    puller: tuple[Surface, int] | None,
    shift: Shift,
) -> Moved:
    """One distance from one spot, without its chance."""
    stops = [shove.touching_um(start, way, fighter, options, enemies, shift)]
    if puller:
        by, base_um = puller
        stops.append(
            shove.touching_um(start, way, fighter, options, frozenset((by,)), shift, base_um)
        )
    stop_um = min((stop for stop in stops if stop is not None), default=None)
    end = shove.shove(terrain, start, way, inches, fighter, options, stop_um, shift)
    level, told, engaged = start.level - end.down, "stands", None
    pins = shove.pinned(inches, options)
    if pins:
        if end.fall_levels is None:
            at = guards.middle_um(start.tile, options, shift)
            point = (at[0] + way[0] * end.travelled_um, at[1] + way[1] * end.travelled_um)
            end, engaged = shove.into_contact(
                terrain, end, point, level, fighter, options, enemies - {start}
            )
        fates = falling.shoved(terrain, end, start.level, way, fighter, options, enemies)
        told = falling.told(fates)
    with_whom = str(engaged) if engaged else None
    tile = str(end.tile)
    return Moved(inches, Fraction(0), end.travelled_um, tile, pins, end.wall, with_whom, told)


def edges(
    terrain: Terrain, options: Options, start: Surface, fighter: Fighter
) -> dict[str, dict[str, int | str]]:
    """Every edge beside a fighter who stands on a place: how far from the base, levels down.

    -1 level is a Pitfall, -2 the edge of the battlefield where that is one; `cover` is what a
    railing there gives.
    """
    found: dict[str, dict[str, int | str]] = {}
    for shift in stands(terrain, start, fighter, options) or (MIDDLE,):
        for lip, drop, way in shove.edges_beside(terrain, start, fighter, options, shift):
            name, cover = DIRECTION_NAMES[way], guards.cover(terrain.board, start, way)
            known = found.setdefault(name, {"distance_um": lip, "down": drop, "cover": cover})
            known["distance_um"] = min(lip, int(known["distance_um"]))
    return found


def shove_outcome(
    terrain: Terrain,
    options: Options,
    start: Surface,
    direction: Way,
    inches: Inches,
    fighter: Fighter,
) -> shove.Shoved:
    """Where a shove of so many inches along a direction ends, before anybody checks.

    Of several spots that are equally near to the middle it begins on the first in that direction.
    """
    spots = stands(terrain, start, fighter, options) or (MIDDLE,)
    first = max(spots, key=lambda spot: along(spot, direction))
    return shove.shove(terrain, start, direction, inches, fighter, options, shift=first)


def fall_chances(
    terrain: Terrain,
    options: Options,
    start: Surface,
    direction: Way,
    force: Inches,
    fighter: Fighter,
) -> dict[int, Fraction]:
    """Chance of each first fall in inches, 0 for none and -1 for a Pitfall, when a force hits.

    -2 is going over the edge of the battlefield, where `battlefield_edge` lets one.
    """
    return shove.fall_chances(terrain, start, direction, force, fighter, options)


def pinned_falls(
    terrain: Terrain,
    options: Options,
    start: Surface,
    fighter: Fighter,
    cause: formulas.Cause = "forced",
    cover: MapCover = "map",
    modifier: int = 0,
) -> Fraction:
    """Chance that a fighter who becomes Prone on a place falls off an edge beside it.

    With the map's railings, unless another cover is named for all its edges.
    """
    chances = []
    for shift in stands(terrain, start, fighter, options) or (MIDDLE,):
        near = shove.edges_beside(terrain, start, fighter, options, shift)
        if cover == "map":
            ways = guards.falls(terrain.board, start, near, cause, fighter, options, modifier)
            falls = sum((chance for _, chance in ways), Fraction(0))
        else:
            apart = [distance for distance, _, _ in near]
            target = fighter.initiative
            falls = formulas.falls_when_prone(apart, target, cause, options, cover, modifier)
        chances.append(falls)
    return sum(chances, Fraction(0)) / len(chances)


class Rail(NamedTuple):
    """What stands on a side of a surface."""

    cover: formulas.Cover
    modifier: int | None
    height_um: int
    climbed: bool
    stops: bool


def rail(board: Board, options: Options, start: Surface, direction: Way) -> Rail:
    """The railing on a side of a place: its cover, what it adds to the check, whether it bars.

    No modifier stands for an edge that nobody falls off.
    """
    there = board.rails.get((start.tile, start.level, direction))
    cover = guards.cover(board, start, direction)
    return Rail(
        cover,
        formulas.rail_modifier(cover),
        there.length_um if there else 0,
        guards.bars(board, start, direction),
        guards.stops(board, start, direction, options),
    )


def in_field(board: Board, options: Options, start: Surface, fighter: Fighter) -> tuple[Tile, ...]:
    """The counters in whose Heavy-G fields a fighter in the middle of a place is."""
    return guards.in_fields(board, start.tile, fighter, options)


def field_pull(
    board: Board, options: Options, start: Surface, direction: Way, fighter: Fighter
) -> int:
    """What the map's fields add to a check to avoid falling over a side of a place."""
    return guards.field_modifier(board, start, direction, fighter, options)


def lying(
    terrain: Terrain,
    options: Options,
    start: Surface,
    fighter: Fighter,
    cause: formulas.Cause = "forced",
    enemies: frozenset[Surface] = frozenset(),
) -> tuple[falling.Fate, ...]:
    """Every end of a fighter who becomes Prone on a place: falls that chain, with their chances.

    `enemies` and friends alike are those on whom one may land: `hurt` names them.
    """
    spots = stands(terrain, start, fighter, options) or (MIDDLE,)
    return falling.merged(
        fate._replace(chance=fate.chance / len(spots))
        for shift in spots
        for fate in falling.prone(terrain, start, cause, fighter, options, enemies, shift)
    )


def knocked(
    terrain: Terrain,
    options: Options,
    start: Surface,
    direction: Way,
    force: Inches,
    fighter: Fighter,
    enemies: frozenset[Surface] = frozenset(),
) -> tuple[falling.Fate, ...]:
    """Every end of a fighter when a Knockback of a force hits along a direction."""
    from falldamage_forge.games.gang_skirmish.game import knocked

    return knocked(terrain, start, direction, force, fighter, options, enemies)


def heavy_g_lasts(end_phases: Phases) -> Fraction:
    """Chance that a field is still there after some End Phases: a D6 of 3 or less ends it."""
    return formulas.heavy_g_lasts(end_phases)


QUESTIONS = named(
    (
        formulas.initiative,
        formulas.is_step,
        formulas.must_leap,
        formulas.leap_rise_allowed,
        formulas.leap_cost_um,
        formulas.leap_fall_um,
        formulas.jump_down_cost_um,
        formulas.jump_down_modifier,
        formulas.fall_inches,
        formulas.kip_allowed,
        formulas.kip_fail_falls,
        formulas.edge_distance_um,
        formulas.within_edge,
        edges,
        formulas.falls_when_prone,
        pinned_falls,
        lying,
        knocked,
        rail,
        formulas.rail_cover,
        formulas.check_with_rail,
        formulas.lands_again,
        knockback,
        drag,
        shove_outcome,
        fall_chances,
        shove.shove_distances,
        shove.pinned,
        shove.wall_strength,
        shove.ends_engaged,
        in_field,
        field_pull,
        formulas.in_heavy_g,
        formulas.heavy_g_reach_um,
        formulas.heavy_g_shove_in,
        formulas.heavy_g_modifier,
        heavy_g_lasts,
    )
)

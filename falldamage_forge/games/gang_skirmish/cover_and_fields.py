"""Effects of a map's railings and Heavy-G fields: cover, obstruction, pull.

A battlement is a railing of its own height. All lengths are integers in micrometres.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import isqrt
from typing import cast

from falldamage_forge.board import Board, Tile
from falldamage_forge.board.surfaces import Surface, Terrain
from falldamage_forge.games.any_angle import INCH_UM, root_up
from falldamage_forge.games.base_placement import MIDDLE, Shift
from falldamage_forge.games.gang_skirmish import formulas
from falldamage_forge.games.gang_skirmish.drops import Near, Side, edges_beside
from falldamage_forge.games.gang_skirmish.formulas import Cause, Cover
from falldamage_forge.games.gang_skirmish.options import Fighter, GangSkirmishOptions
from falldamage_forge.rules.argument_types import Um

Span = tuple[Um, Um]
BY_HELP: tuple[Cover, ...] = ("none", "partial", "full", "no_line_of_sight")


def cover(board: Board, here: Surface, side: Side) -> Cover:
    """Return the cover of a railing on a side of a surface against falling off it.

    Args:
        board: Board of the map.
        here: Surface of the fighter.
        side: Direction of the fall as a step (row, column).
    """
    rail = board.rails.get((here.tile, here.level, side))
    if rail is None:
        return "none"
    said = rail.name.replace("-", "_") or "by_height"
    return formulas.rail_cover(rail.length_um, cast(formulas.StatedCover, said))


def blocks_step(board: Board, here: Surface, side: Side) -> bool:
    """True if a railing is too tall to step over: it has to be climbed.

    Args:
        board: Board of the map.
        here: Surface of the fighter.
        side: Direction of the railing as a step (row, column).
    """
    rail = board.rails.get((here.tile, here.level, side))
    return rail is not None and not formulas.is_step(rail.length_um)


def blocks_knockback(board: Board, here: Surface, side: Side, options: GangSkirmishOptions) -> bool:
    """True if a railing is an obstruction for knockback (option `rail_stops`).

    Args:
        board: Board of the map.
        here: Surface of the fighter.
        side: Direction of the railing as a step (row, column).
        options: Options of the ruleset.
    """
    if options.rail_stops == "tall":
        return blocks_step(board, here, side)
    return options.rail_stops == "all" and (here.tile, here.level, side) in board.rails


def falls_while_prone(
    board: Board,
    here: Surface,
    near: Iterable[Near],
    cause: Cause,
    fighter: Fighter,
    options: GangSkirmishOptions,
    modifier: int = 0,
) -> tuple[tuple[Near, Fraction], ...]:
    """Return the edges over which a prone fighter may fall, each with its probability.

    It is the nearest edge, of several the deepest; equal edges are equally likely. An edge hidden
    by its railing does not count.

    Args:
        board: The board.
        here: Surface of the fighter.
        near: Edges beside it.
        cause: Cause of being prone.
        fighter: The fighter.
        options: Options of the ruleset.
        modifier: Modifier of the check.
    """
    edges = [
        (edge, given)
        for edge in near
        if (given := cover(board, here, edge[2])) != "no_line_of_sight"
        and formulas.within_edge(edge[0])
    ]
    if not edges:
        return ()

    def chance(edge: Near, given: Cover) -> Fraction:
        pull = modifier + field_modifier(board, here, edge[2], fighter, options)
        return formulas.falls_when_prone(
            (edge[0],), fighter.initiative, cause, options, given, pull
        )

    least = min((edge[0], _rank(edge[1])) for edge, _ in edges)
    nearest = [one for one in edges if (one[0][0], _rank(one[0][1])) == least]
    if options.edges == "each":
        stays = Fraction(1)
        for edge, given in edges:
            stays *= 1 - chance(edge, given)
        return tuple((edge, (1 - stays) / len(nearest)) for edge, _ in nearest)
    return tuple((edge, chance(edge, given) / len(nearest)) for edge, given in nearest)


def edge_cover(
    terrain: Terrain, here: Surface, fighter: Fighter, options: GangSkirmishOptions
) -> Cover:
    """Return the cover at the edge over which a fighter in the middle of a surface would fall.

    `none` without an edge, `no_line_of_sight` if railings hide all edges.

    Args:
        terrain: Board with its levels and railings.
        here: Surface of the fighter.
        fighter: Profile of the fighter.
        options: Options of the ruleset.
    """
    near = edges_beside(terrain, here, fighter, options)
    over = falls_while_prone(terrain.board, here, near, "forced", fighter, options)
    if over:
        return min((cover(terrain.board, here, edge[2]) for edge, _ in over), key=BY_HELP.index)
    return "no_line_of_sight" if near else "none"


def _rank(drop: int) -> int:
    """Return the sort key of drops: a Pitfall first, then the deepest."""
    return -1000 if drop < 0 else -drop


# -- Heavy-G ---------------------------------------------------------------------------------------


def middle_um(tile: Tile, options: GangSkirmishOptions, shift: Shift = MIDDLE) -> tuple[Um, Um]:
    """Return the middle of a tile, or a placement on it, in um from the board's corner.

    Args:
        tile: Tile of the board.
        options: Options of the ruleset.
        shift: Offset of the base from the middle of its tile, in um.
    """
    tile_um = options.tile_um
    row, col = tile.row * tile_um + tile_um // 2, tile.col * tile_um + tile_um // 2
    return row + shift[0], col + shift[1]


def reach_um(field_um: Um, fighter: Fighter, options: GangSkirmishOptions) -> Um:
    """Return the distance from a field's counter within which a centre is in the field.

    Args:
        field_um: Reach of the field in um.
        fighter: Profile of the fighter.
        options: Options of the ruleset.
    """
    return field_um + (fighter.base_um // 2 if options.in_field == "base_touches" else 0)


def in_fields(
    board: Board, tile: Tile, fighter: Fighter, options: GangSkirmishOptions, shift: Shift = MIDDLE
) -> tuple[Tile, ...]:
    """Return the counters of the fields in which a fighter is, at any height.

    Args:
        board: Board of the map.
        tile: Tile of the fighter.
        fighter: Profile of the fighter.
        options: Options of the ruleset.
        shift: Offset of the base from the middle of its tile, in um.
    """
    y, x = middle_um(tile, options, shift)
    found = []
    for field in board.fitted("field"):
        fy, fx = middle_um(field.tile, options)
        if (y - fy) ** 2 + (x - fx) ** 2 <= reach_um(field.length_um, fighter, options) ** 2:
            found.append(field.tile)
    return tuple(found)


def field_modifier(
    board: Board, here: Surface, side: Side, fighter: Fighter, options: GangSkirmishOptions
) -> int:
    """Return the modifier of fields to a check against falling over a side.

    Source: "+1 bonus if they would fall away from the center …, or a -1 penalty if … towards".

    Args:
        board: Board of the map.
        here: Surface of the fighter.
        side: Direction of the fall as a step (row, column).
        fighter: Profile of the fighter.
        options: Options of the ruleset.
    """
    total = 0
    for counter in in_fields(board, here.tile, fighter, options):
        away = side[0] * (here.tile.row - counter.row) + side[1] * (here.tile.col - counter.col)
        direction = "away" if away > 0 else "towards" if away < 0 else "neither"
        total += formulas.heavy_g_modifier(direction)  # type: ignore[arg-type]
    return total


def spans(
    board: Board,
    start: tuple[Um, Um],
    end: tuple[Um, Um],
    fighter: Fighter,
    options: GangSkirmishOptions,
) -> tuple[Span, ...]:
    """Return the parts of a straight path inside fields, in um from its start, in order.

    Args:
        board: The board.
        start: Start in um south and east of the board's corner.
        end: End, likewise.
        fighter: The fighter.
        options: Options of the ruleset.
    """
    dy, dx = end[0] - start[0], end[1] - start[1]
    square = dy * dy + dx * dx
    if not square:
        return ()
    length = root_up(square)
    found = []
    for field in board.fitted("field"):
        fy, fx = middle_um(field.tile, options)
        oy, ox = fy - start[0], fx - start[1]
        along = oy * dy + ox * dx
        reach = reach_um(field.length_um, fighter, options)
        under = along * along - square * (oy * oy + ox * ox - reach * reach)
        if under > 0:
            half = isqrt(under)
            low, high = max(0, (along - half) // length), min(length, (along + half) // length)
            if low < high:
                found.append((low, high))
    return tuple(_joined(sorted(found)))


def _joined(listed: list[Span]) -> Iterator[Span]:
    last: Span | None = None
    for low, high in listed:
        if last is None:
            last = (low, high)
        elif low <= last[1]:
            last = (last[0], max(last[1], high))
        else:
            yield last
            last = (low, high)
    if last is not None:
        yield last


def shoved_um(
    board: Board,
    here: Surface,
    side: Side,
    far_um: Um,
    who: Fighter,
    by: GangSkirmishOptions,
    shift: Shift = MIDDLE,
) -> Um:
    """Return the length of knockback through fields; the rest inside a field is halved.

    Args:
        board: Board of the map.
        here: Surface of the fighter.
        side: Direction of the knockback as a step (row, column).
        far_um: Length of the knockback outside fields, in um.
        who: Profile of the fighter.
        by: Options of the ruleset.
        shift: Offset of the base from the middle of its tile, in um.
    """
    if by.heavy_g_involuntary == "no":
        return far_um
    start = middle_um(here.tile, by, shift)
    end = (start[0] + side[0] * far_um, start[1] + side[1] * far_um)
    left, gone = far_um, 0
    for low, high in spans(board, start, end, who, by):
        outside = max(0, low - gone)
        if outside >= left:
            break
        left, gone = left - outside, gone + outside
        inside = formulas.heavy_g_reach_um(left, 0, by)
        if inside <= high - gone:
            return gone + inside
        left, gone = left - 2 * (high - gone), high
    return gone + left


def price_um(inside_um: Um, options: GangSkirmishOptions) -> Um:
    """Return the cost of a path inside a field, for a move that has paid nothing yet.

    Args:
        inside_um: Length of the path inside the field, in um.
        options: Options of the ruleset.
    """
    if options.heavy_g == "exact":
        return 2 * inside_um
    return 2 * -(-inside_um // INCH_UM) * INCH_UM

"""What a map's railings and Heavy-G fields do at a place: cover, what bars the way, what pulls.

A battlement is a railing of its own height. All lengths are whole micrometres.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import isqrt

from falldamage_forge.board import Board, Tile
from falldamage_forge.board.surfaces import Surface, Terrain
from falldamage_forge.games.gang_skirmish import formulas
from falldamage_forge.games.gang_skirmish.formulas import Cause, Cover
from falldamage_forge.games.gang_skirmish.options import Fighter, Options
from falldamage_forge.games.ruler import INCH_UM, Um, root_up
from falldamage_forge.games.spots import MIDDLE, Shift

Side = tuple[int, int]
Near = tuple[Um, int, Side]
"""An edge: how far from the base, levels down (or a Pitfall), and its side."""
Span = tuple[Um, Um]
BY_HELP: tuple[Cover, ...] = ("none", "partial", "full", "no_line_of_sight")


def cover(board: Board, here: Surface, side: Side) -> Cover:
    """The cover that what stands on a side of a surface gives against falling off it."""
    rail = board.rails.get((here.tile, here.level, side))
    return "none" if rail is None else formulas.rail_cover(rail.length_um, rail.name)


def bars(board: Board, here: Surface, side: Side) -> bool:
    """Whether a railing is too tall to step over: it has to be climbed, or stops a shove."""
    rail = board.rails.get((here.tile, here.level, side))
    return rail is not None and not formulas.is_step(rail.length_um)


def stops(board: Board, here: Surface, side: Side, options: Options) -> bool:
    """Whether a railing is an obstruction for one who is shoved into it."""
    if options.rail_stops == "tall":
        return bars(board, here, side)
    return options.rail_stops == "all" and (here.tile, here.level, side) in board.rails


def falls(
    board: Board,
    here: Surface,
    near: Iterable[Near],
    cause: Cause,
    fighter: Fighter,
    options: Options,
    modifier: int = 0,
) -> tuple[tuple[Near, Fraction], ...]:
    """Over which of some edges one may fall who lies on a surface, each with its chance.

    It is the nearest, of several the deepest, of several alike each as likely; none that is hidden
    by what stands on it.
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


def shelter(terrain: Terrain, here: Surface, fighter: Fighter, options: Options) -> Cover:
    """The cover at the edge over which one would go who lies in the middle of a surface.

    None where there is no edge; a railing that hides all of them is no line of sight.
    """
    from falldamage_forge.games.gang_skirmish.shove import edges_beside

    near = edges_beside(terrain, here, fighter, options)
    over = falls(terrain.board, here, near, "forced", fighter, options)
    if over:
        return min((cover(terrain.board, here, edge[2]) for edge, _ in over), key=BY_HELP.index)
    return "no_line_of_sight" if near else "none"


def _rank(drop: int) -> int:
    """A Pitfall before all, then the deepest."""
    return -1000 if drop < 0 else -drop


# -- Heavy-G ---------------------------------------------------------------------------------------


def middle_um(tile: Tile, options: Options, shift: Shift = MIDDLE) -> tuple[Um, Um]:
    """The middle of a tile, or a spot on it, south and east of the board's corner."""
    tile_um = options.tile_um
    row, col = tile.row * tile_um + tile_um // 2, tile.col * tile_um + tile_um // 2
    return row + shift[0], col + shift[1]


def reach_um(field_um: Um, fighter: Fighter, options: Options) -> Um:
    """How near to the counter of a field a middle is in it."""
    return field_um + (fighter.base_um // 2 if options.in_field == "base_touches" else 0)


def in_fields(
    board: Board, tile: Tile, fighter: Fighter, options: Options, shift: Shift = MIDDLE
) -> tuple[Tile, ...]:
    """The counters in whose fields a fighter on a spot of a tile is, at any height."""
    y, x = middle_um(tile, options, shift)
    found = []
    for field in board.fitted("field"):
        fy, fx = middle_um(field.tile, options)
        if (y - fy) ** 2 + (x - fx) ** 2 <= reach_um(field.length_um, fighter, options) ** 2:
            found.append(field.tile)
    return tuple(found)


def field_modifier(
    board: Board, here: Surface, side: Side, fighter: Fighter, options: Options
) -> int:
    """ "+1 bonus if they would fall away from the center …, or a -1 penalty if … towards"."""
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
    options: Options,
) -> tuple[Span, ...]:
    """The parts of a straight way that lie in fields, in um from its start, apart and in order."""
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
    by: Options,
    shift: Shift = MIDDLE,
) -> Um:
    """How far a shove gets that goes through fields: what is left in one is halved there."""
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


def price_um(inside_um: Um, options: Options) -> Um:
    """What is paid for a way inside a field, for a move that has paid for none of it yet."""
    if options.heavy_g == "exact":
        return 2 * inside_um
    return 2 * -(-inside_um // INCH_UM) * INCH_UM

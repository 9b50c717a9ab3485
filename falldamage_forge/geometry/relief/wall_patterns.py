"""Wall patterns by name: stones, bricks, boards and rocks of each style."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from falldamage_forge.geometry.csg import rings_of
from falldamage_forge.geometry.relief import crags, framed_walls
from falldamage_forge.geometry.relief import wall_zones as lay
from falldamage_forge.geometry.relief.bays import Bays, arched, breached, coursed
from falldamage_forge.geometry.relief.elements import (
    Outline,
    ReliefElement,
    WallDrawing,
    WallPath,
)
from falldamage_forge.geometry.relief.masonry import Bond, masonry
from falldamage_forge.geometry.relief.openings import OPENINGS
from falldamage_forge.geometry.relief.rubble_walls import cells
from falldamage_forge.geometry.relief.wall_zones import WallZone
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.lengths import GRID, PrintGrid

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

Draw = Callable[
    [WallPath, WallZone, random.Random, tuple[ReliefElement, ...]], Iterator[ReliefElement]
]
"""Draws the elements of one zone of a wall, about the openings that it is given."""


@dataclass(frozen=True, slots=True)
class WallPattern:
    """Depth of the joints behind the outline, drawing functions, and suitable openings.

    `low` draw a zone that is too low for a level's whole drawing, a step, by variant.
    """

    floor_mm: float
    draw: Draw
    low: tuple[Draw, ...]
    openings: tuple[str, ...] = ()
    crag: Callable[[WallPath, random.Random], crags.Depth] | None = None


def run_of(outline: BaseGeometry, grid: PrintGrid = GRID, broken: Outline = ()) -> WallPath:
    """Return the wall path round an outline of one ring."""
    import shapely

    (ring,) = rings_of(shapely.orient_polygons(outline))
    return WallPath(tuple(ring), grid, broken)


def wall_pattern(
    name: str, variant: int, run: WallPath, low_mm: float, high_mm: float
) -> WallDrawing:
    """Return the drawing of a wall between two heights above the piece's level.

    Variant 0 has no openings. The others have those of the style, in turn, and a door only at a
    piece's foot.

    Args:
        name: Key of `WALLS`.
        variant: Number of the variant; equal arguments give equal walls.
        run: Foot of the wall.
        low_mm: Lower height.
        high_mm: Upper height.

    Raises:
        KeyError: If the name is unknown.
    """
    pattern = WALLS[name]
    if pattern.crag and is_crag(name, run.grid) and high_mm - low_mm > crags.LEAST_MM:
        chance = random.Random(f"{name} {variant} {run.lengths_mm}")
        rows = crags.rows_of(run, low_mm, high_mm)
        drawn = crags.crag(run, rows, pattern.crag(run, chance), chance)
        return WallDrawing(run, low_mm, high_mm, pattern.floor_mm, (), drawn)
    stones = list(lay.marks(run, high_mm, pattern.floor_mm))
    for zone in lay.zones(low_mm, high_mm, pattern.floor_mm, run.grid.rise_mm):
        chance = random.Random(f"{name} {variant} {zone.level} {run.lengths_mm}")
        short = zone.high_mm - zone.low_mm < SHORT_MM
        holes = () if short else tuple(_openings(pattern.openings, variant, run, zone))
        draw = pattern.low[variant % len(pattern.low)] if short else pattern.draw
        stones += holes
        stones += draw(run, zone, chance, holes)
    return WallDrawing(run, low_mm, high_mm, pattern.floor_mm, tuple(_apart(stones, run)))


def is_crag(name: str, grid: PrintGrid) -> bool:
    """True if walls of a pattern are crags on a grid; very low steps have stones all the same."""
    return WALLS[name].crag is not None and grid.rise_mm >= CRAG_MM


def _apart(stones: Sequence[ReliefElement], run: WallPath) -> Iterator[ReliefElement]:
    """Yield the stones that overlap no earlier one, none round a corner, and no stone's edge.

    Overlaps occur where a drawing for a level of 30 mm is fitted to a much lower one, and rarely
    where a stone moves away from a corner's line. In place of an omitted stone the joint shows.
    """
    for side, length in enumerate(run.lengths_mm):
        yield from _free([stone for stone in stones if stone.side == side], (0.0, length))


def _free(
    stones: Sequence[ReliefElement], corners: tuple[float, ...] = ()
) -> Iterator[ReliefElement]:
    """Yield the stones on one face that overlap no earlier one; those at a corner stay."""
    import shapely

    if not stones:
        return
    fixed = [any(u in corners for u, _ in stone.outline) for stone in stones]
    order = sorted(range(len(stones)), key=lambda index: not fixed[index])
    areas = [shapely.Polygon(stones[index].outline) for index in order]
    pairs = shapely.STRtree(areas).query(areas, predicate="intersects").T.tolist()
    lost: set[int] = set()
    for late, early in sorted(pairs):
        if early < late and order[early] not in lost and not fixed[order[late]]:
            lost.add(order[late])
    yield from (_inside(stone) for index, stone in enumerate(stones) if index not in lost)


def _inside(stone: ReliefElement) -> ReliefElement:
    """Return a stone with the elements that lie on its face and overlap no other."""
    import shapely

    if not stone.on:
        return stone
    face = shapely.buffer(shapely.Polygon(stone.outline), -FLANK_MM, join_style="mitre")
    on = [one for one in stone.on if face.contains(shapely.Polygon(one.outline))]
    return replace(stone, on=tuple(_free(on)))


def _openings(
    names: tuple[str, ...], variant: int, run: WallPath, zone: WallZone
) -> Iterator[ReliefElement]:
    """Yield openings in the middle of every other tile: on one side of a small piece, else two."""
    if not names or not variant:
        return
    name = names[(variant - 1) % len(names)]
    if name == "door" and zone.level:
        name = names[0]
    draw, width, share, least = OPENINGS[name]
    if zone.high_mm - zone.low_mm < least:
        return
    tall = (zone.high_mm - zone.low_mm) * share
    low = zone.low_mm if name == "door" else zone.low_mm + (zone.high_mm - zone.low_mm - tall) / 2
    lengths = run.lengths_mm
    sides = [side for side in range(len(lengths)) if not (side + zone.level) % 2]
    if max(lengths) < run.grid.pitch_mm:
        sides = [(variant + zone.level) % len(lengths)]
    for side in sides:
        length = lengths[side]
        if length < 2 * width:
            continue
        tiles = run.tiles(length)
        first = (variant + zone.level + side // 2) % 2 if tiles > 1 else 0
        places = range(first, tiles, 2) if name != "door" else [tiles // 2]
        for place in places:
            middle = length * (place + 0.5) / tiles
            if CORNER_MM + width / 2 <= middle <= length - CORNER_MM - width / 2:
                yield draw(side, middle, low, low + tall)


def _plain(
    run: WallPath, zone: WallZone, chance: random.Random, holes: tuple[ReliefElement, ...]
) -> Iterator[ReliefElement]:
    for side, length in enumerate(run.lengths_mm):
        yield ReliefElement(side, lay.box((0.0, length), (zone.low_mm, zone.high_mm)), 0.0)


def _rock(
    run: WallPath, zone: WallZone, chance: random.Random, holes: tuple[ReliefElement, ...]
) -> Iterator[ReliefElement]:
    """Yield a cliff: large faces that stand out unevenly and lean."""
    for parts in cells(run, zone, chance, (10.6, 7.8), 0.3, ROCK_MM + 0.15):
        round_corner = len(parts) > 1
        inset = chance.uniform(0.0, 0.1 if round_corner else 0.42)
        lean = 0.0 if round_corner else chance.uniform(-1.0, 1.0) * min(0.24, 2 * inset)
        for side, outline in parts:
            yield ReliefElement(side, outline, inset, lean)


def _bank(
    run: WallPath, zone: WallZone, chance: random.Random, holes: tuple[ReliefElement, ...]
) -> Iterator[ReliefElement]:
    """Yield a bank of earth with boulders."""
    for parts in cells(run, zone, chance, (8.6, 6.2), 1.1, BANK_MM):
        round_corner = len(parts) > 1
        inset = 0.0 if round_corner else chance.uniform(0.0, 0.22)
        if round_corner or chance.random() >= 0.3:
            for side, outline in parts:
                yield ReliefElement(side, outline, inset)


ROCK_MM, BANK_MM = 0.62, 0.6
FLANK_MM = 0.4
"""Approximate distance of a stone's face inside its outline."""
CORNER_MM = 7.6
"""Least distance of openings from a corner."""
ASHLAR = Bond(
    (0.8, 1.0, 1.15, 0.9, 0.6), (18.0, 32.0), (5.8, 3.7), (0.25, 0.9), 0.15, 0.0, 0.0, 0.0, 0.5, 0.5
)
ASHLAR_BAY = Bond((1.14, 0.86, 1.0), (8.0, 20.0), (0.0, 0.0), (0.25, 0.9), 0.25, 0.0, 0.0)
BRICK = Bond((1.0, 1.0, 1.0, 1.0, 1.0), (9.5, 12.5), (6.6, 5.0), (0.12, 0.4), 0.1, 0.0, 0.0)
RUIN = Bond((0.9, 1.15, 0.85, 1.1, 0.8), (7.0, 13.0), (5.4, 3.6), (0.5, 1.6), 0.3, 0.0, 0.0, 0.2)
RUIN_BAY = Bond((1.1, 0.9, 1.2), (5.0, 9.0), (0.0, 0.0), (0.4, 1.2), 0.6, 0.0, 0.0, stands_mm=1.5)

KERB = Bond((1.0,), (7.0, 12.0), (8.2, 5.0), (0.25, 0.9), 0.2, 0.0, 0.0)
BOARDS = Bond((1.0,), (14.0, 22.0), (8.2, 5.0), (0.1, 0.3), 0.1, 0.0, 0.0)
KERBS = tuple(
    masonry(bond)
    for bond in (
        KERB,
        replace(KERB, heights=(1.0, 1.0), wear_mm=(0.1, 0.4)),
        replace(KERB, widths_mm=(4.0, 6.0), quoins_mm=(5.0, 3.7), wear_mm=(0.5, 1.4)),
        replace(KERB, quoins_mm=(4.6, 4.6), widths_mm=(24.0, 36.0)),
    )
)
"""Steps of one course, of two, of rubble, and of one slab between corner stones."""
PALINGS = tuple(
    masonry(bond)
    for bond in (
        BOARDS,
        replace(BOARDS, heights=(1.0, 1.0)),
        replace(BOARDS, widths_mm=(3.4, 4.6), quoins_mm=(3.4, 3.4)),
        replace(BOARDS, widths_mm=(5.5, 7.5), quoins_mm=(5.0, 3.4)),
    )
)
"""Steps of one board, of two, and of upright ones."""
SHORT_MM = 14.0
CRAG_MM = 24.0
"""Walls of lower levels have stones instead of crags."""

WALLS: Mapping[str, WallPattern] = {
    "plain": WallPattern(0.5, _plain, (_plain,)),
    "ashlar": WallPattern(
        0.55,
        masonry(ASHLAR, Bays(6.2, 5.6, 0.55, 1.95, coursed(ASHLAR_BAY)).on),
        KERBS,
        ("slit", "window", "door"),
    ),
    "brick": WallPattern(
        0.45,
        masonry(BRICK, Bays(7.0, 7.0, 0.45, 2.2, arched(0.8)).on),
        KERBS,
        ("window", "slit", "door"),
    ),
    "ruin": WallPattern(
        0.6,
        masonry(RUIN, Bays(5.8, 5.6, 0.6, 2.4, breached(RUIN_BAY)).on),
        KERBS,
        ("slit",),
    ),
    "rock": WallPattern(ROCK_MM, _rock, KERBS, crag=crags.cliff),
    "bank": WallPattern(BANK_MM, _bank, KERBS, crag=crags.bank),
    "timber": WallPattern(0.5, framed_walls.timber, PALINGS, ("casement", "casement", "door")),
    "hall": WallPattern(framed_walls.HALL_MM, framed_walls.hall, KERBS),
}
"""Patterns by the names that styles use."""

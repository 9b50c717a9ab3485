"""Walls by name: how each style's stones, bricks, boards and rocks lie."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from falldamage_forge.geometry.finish import courses as lay
from falldamage_forge.geometry.finish import frames
from falldamage_forge.geometry.finish.courses import Zone
from falldamage_forge.geometry.finish.masonry import Bond, masonry
from falldamage_forge.geometry.finish.model import Run, Stone, Wall
from falldamage_forge.geometry.finish.openings import OPENINGS
from falldamage_forge.geometry.finish.rubble import cells
from falldamage_forge.geometry.solids import rings_of
from falldamage_forge.lengths import GRID, Grid

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

Draw = Callable[[Run, Zone, random.Random, tuple[Stone, ...]], Iterator[Stone]]
"""Draws what stands on one zone of a wall, about the openings that it is given."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """How far the plane of joints lies behind the outline, who draws, and which openings suit.

    `low` draws where there is no room for a level's whole drawing: on a step.
    """

    floor_mm: float
    draw: Draw
    low: Draw
    openings: tuple[str, ...] = ()


def run_of(outline: BaseGeometry, grid: Grid = GRID) -> Run:
    """The run round an outline of one ring, on tiles and levels of a size."""
    import shapely

    (ring,) = rings_of(shapely.orient_polygons(outline))
    return Run(tuple(ring), grid)


def wall_pattern(name: str, variant: int, run: Run, low_mm: float, high_mm: float) -> Wall:
    """The drawing of a wall between two heights above the piece's own ground.

    Equal arguments give equal walls. Variant 0 has no openings; the others have those of the style,
    in turn, and a door only at a piece's foot. Raises KeyError for a name that is not in WALLS.
    """
    pattern = WALLS[name]
    stones = list(lay.marks(run, high_mm, pattern.floor_mm))
    for zone in lay.zones(low_mm, high_mm, pattern.floor_mm, run.grid.rise_mm):
        chance = random.Random(f"{name} {variant} {zone.level} {run.lengths_mm}")
        short = zone.high_mm - zone.low_mm < SHORT_MM
        holes = () if short else tuple(_openings(pattern.openings, variant, run, zone))
        draw = pattern.low if short else pattern.draw
        stones += holes
        stones += draw(run, zone, chance, holes)
    return Wall(run, low_mm, high_mm, pattern.floor_mm, tuple(_apart(stones, run)))


def _apart(stones: Sequence[Stone], run: Run) -> Iterator[Stone]:
    """Stones without those that would lie across an earlier one, across one round a corner, or
    over the edge of the stone that they are on.

    It happens where a drawing for a level of 30 mm is fitted to a much lower one, and rarely where
    a stone moves away from a corner's line. Of what is left out the joint is seen.
    """
    for side, length in enumerate(run.lengths_mm):
        yield from _free([stone for stone in stones if stone.side == side], (0.0, length))


def _free(stones: Sequence[Stone], corners: tuple[float, ...] = ()) -> Iterator[Stone]:
    """Stones on one face without those across an earlier one; what touches a corner stays."""
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


def _inside(stone: Stone) -> Stone:
    """A stone with what is on it, as far as that lies on its face and is free."""
    import shapely

    if not stone.on:
        return stone
    face = shapely.buffer(shapely.Polygon(stone.outline), -FLANK_MM, join_style="mitre")
    on = [one for one in stone.on if face.contains(shapely.Polygon(one.outline))]
    return replace(stone, on=tuple(_free(on)))


def _openings(names: tuple[str, ...], variant: int, run: Run, zone: Zone) -> Iterator[Stone]:
    """Openings in the middle of every other tile: on one side of a small piece, two of a large."""
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
    run: Run, zone: Zone, chance: random.Random, holes: tuple[Stone, ...]
) -> Iterator[Stone]:
    for side, length in enumerate(run.lengths_mm):
        yield Stone(side, lay.box((0.0, length), (zone.low_mm, zone.high_mm)), 0.0)


def _rock(run: Run, zone: Zone, chance: random.Random, holes: tuple[Stone, ...]) -> Iterator[Stone]:
    """A cliff: great faces that stand out unevenly and lean."""
    for parts in cells(run, zone, chance, (10.6, 7.8), 0.3, ROCK_MM + 0.15):
        round_corner = len(parts) > 1
        inset = chance.uniform(0.0, 0.1 if round_corner else 0.42)
        lean = 0.0 if round_corner else chance.uniform(-1.0, 1.0) * min(0.24, 2 * inset)
        for side, outline in parts:
            yield Stone(side, outline, inset, lean)


def _bank(run: Run, zone: Zone, chance: random.Random, holes: tuple[Stone, ...]) -> Iterator[Stone]:
    """A bank of earth from which boulders look out."""
    for parts in cells(run, zone, chance, (8.6, 6.2), 1.1, BANK_MM):
        round_corner = len(parts) > 1
        inset = 0.0 if round_corner else chance.uniform(0.0, 0.22)
        if round_corner or chance.random() >= 0.3:
            for side, outline in parts:
                yield Stone(side, outline, inset)


ROCK_MM, BANK_MM = 0.62, 0.6
FLANK_MM = 0.4
"""A stone's face lies about so far within its outline."""
CORNER_MM = 7.6
"""Openings lie no nearer to a corner."""
ASHLAR = Bond(
    (1.14, 0.86, 1.0), (18.0, 32.0), (10.2, 6.8), (0.25, 1.0), 0.2, 0.0, 0.12, 0.0, 0.75, 0.2
)
BRICK = Bond((1.0, 1.0, 1.0, 1.0, 1.0), (9.5, 12.5), (11.6, 6.4), (0.12, 0.4), 0.1, 0.0, 0.0)
RUIN = Bond((1.3, 0.8, 1.1, 0.8), (7.0, 13.0), (9.4, 6.2), (0.5, 1.6), 0.3, 0.0, 0.5, 0.16)

KERB = Bond((1.0,), (7.0, 12.0), (8.2, 5.0), (0.25, 0.9), 0.2, 0.0, 0.0)
BOARDS = Bond((1.0,), (14.0, 22.0), (8.2, 5.0), (0.1, 0.3), 0.1, 0.0, 0.0)
SHORT_MM = 14.0

WALLS: Mapping[str, Pattern] = {
    "plain": Pattern(0.5, _plain, _plain),
    "ashlar": Pattern(0.55, masonry(ASHLAR), masonry(KERB), ("slit", "window", "door")),
    "brick": Pattern(0.45, masonry(BRICK), masonry(KERB), ("window", "slit", "door")),
    "ruin": Pattern(0.6, masonry(RUIN), masonry(KERB), ("slit",)),
    "rock": Pattern(ROCK_MM, _rock, masonry(KERB)),
    "bank": Pattern(BANK_MM, _bank, masonry(KERB)),
    "timber": Pattern(0.5, frames.timber, masonry(BOARDS), ("window", "slit", "door")),
    "hall": Pattern(frames.HALL_MM, frames.hall, masonry(KERB)),
}
"""Patterns by the names that styles use."""

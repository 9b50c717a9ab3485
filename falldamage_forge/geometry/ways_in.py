"""Ways in: each part is moved to its place into the table as it stands at its step.

A part comes straight down if no standing part is above its lowest points: two height fields tell
that for the whole way. Else it may come down beside its place, slide in from one of four sides a
little above its seat, and be pressed down. Parts that are joined in the hand move as one. Seats are
a matter of the joint check. Results are cached on disk. `build`, `prove` and the sheets use them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from falldamage_forge.geometry.csg import from_mesh, translate
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.height_field import (
    HeightField,
    cells_per_tile,
    collisions,
    decode_field,
    encode_field,
    height_field,
)
from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.geometry.mesh_cache import LIBRARIES, cached_entry
from falldamage_forge.geometry.piece_mesh import fit_of, place, play_transform
from falldamage_forge.infra import disk_cache
from falldamage_forge.infra.lazy_dataclass import FrozenDict, dataclass
from falldamage_forge.issues import ForgeError, Issue
from falldamage_forge.pieces.building_order import Group
from falldamage_forge.pieces.piece import Piece, Placement
from falldamage_forge.printing.printer import Printer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LIFTS_MM = (1.5, 3.0, 6.0, 12.0)
"""Heights above the seat at which a part slides in; a skirt is 1.44 mm deep."""
SLIDES_TILES = (1, 2, 3, 4)
"""Distances beside its place at which a part comes down before it slides in."""
CLICK_MM3 = 1.0
"""Most volume that a bead shares with a stud while a part is pressed down; usually 0.44."""
PRESS_STEP_MM = 0.3
"""Step between the heights at which a pressed part is measured."""


@dataclass(frozen=True, slots=True)
class Side:
    """A side to come from: its offset in tiles (x, y), and rows that turn points to make it up."""

    offset: tuple[int, int]
    turn: tuple[tuple[int, int, int], tuple[int, int, int], tuple[int, int, int]]


SIDES: Mapping[str, Side] = {
    "south": Side((0, -1), ((1, 0, 0), (0, 0, 1), (0, -1, 0))),
    "north": Side((0, 1), ((-1, 0, 0), (0, 0, 1), (0, 1, 0))),
    "east": Side((1, 0), ((0, 1, 0), (0, 0, 1), (1, 0, 0))),
    "west": Side((-1, 0), ((0, -1, 0), (0, 0, 1), (-1, 0, 0))),
}


@dataclass(frozen=True, slots=True)
class Way:
    """A way in that is not straight down: from a side, `lift_mm` above the seat, then down."""

    side: str
    lift_mm: float

    @property
    def words(self) -> str:
        """The way as the sheets and messages tell it."""
        return f"from the {self.side}, {self.lift_mm:g} mm above its seat, then press it down"


@dataclass(frozen=True, slots=True)
class WaysReport:
    """Parts that do not go straight down into the table as it stands at their step.

    Attributes:
        placements: The parts.
        ways: Way of each part that comes from a side, by its index. What is joined to it in the
            hand comes with it.
        blocked: Parts that are above the place of each part without any way, by its index.
    """

    placements: tuple[Placement, ...] = ()
    ways: Mapping[int, Way] = field(default=FrozenDict())
    blocked: Mapping[int, tuple[int, ...]] = field(default=FrozenDict())

    def words(self) -> dict[int, str]:
        """Return the words on the way of each part that does not go straight down, by its index."""
        return {index: way.words for index, way in self.ways.items()}

    def issues(self) -> Iterator[Issue]:
        """Yield an error for each part without a way, a warning for each that needs a side."""
        for index, above in self.blocked.items():
            part, *others = (self.placements[one] for one in (index, *above))
            tiles = tuple((one.tile.row, one.tile.col) for one in (part, *others))
            words = " and ".join(one.described for one in others)
            message = f"{part.described} has no way in: above it is {words}"
            yield Issue("FDF440", "error", message, tiles=tiles)
        for index, way in self.ways.items():
            part = self.placements[index]
            message = f"{part.described} does not go straight down; its way: {way.words}"
            yield Issue("FDF441", "warning", message, tiles=((part.tile.row, part.tile.col),))


def refuse_blocked(
    placements: Sequence[Placement],
    order: Sequence[Group],
    meshes: Mapping[str, Mesh],
    printer: Printer,
) -> WaysReport:
    """Return the ways of all parts; arguments as those of `find_ways`.

    Args:
        placements: Parts of a map on the board.
        order: Groups of parts in the order of assembly.
        meshes: Meshes in print pose by key, in mm.
        printer: Printer whose gaps the meshes have.

    Raises:
        ForgeError: (FDF440) Lists every part without a way.
    """
    found = find_ways(placements, order, meshes, printer)
    if found.blocked:
        raise ForgeError(tuple(issue for issue in found.issues() if issue.severity == "error"))
    return found


def find_ways(
    placements: Sequence[Placement],
    order: Sequence[Group],
    meshes: Mapping[str, Mesh],
    printer: Printer,
) -> WaysReport:
    """Return which parts do not go straight down, and how they go in.

    The result is cached on disk, keyed by the meshes and their places.

    Args:
        placements: Parts and their positions.
        order: Groups of their indices in the order in which they are placed.
        meshes: Mesh of each piece by key, in print pose.
        printer: Printer whose gaps the meshes have.
    """
    package = Path(__file__).resolve().parent
    sums = {key: meshes[key].digest() for key in sorted({p.piece.key for p in placements})}
    content = repr((placements, order, sorted(sums.items()), fit_of(printer))).encode()

    def measure() -> bytes:
        ways, blocked = _Table(placements, meshes, printer).placed(order)
        return json.dumps([[[n, w.side, w.lift_mm] for n, w in ways.items()], blocked]).encode()

    found = disk_cache.get_or_compute(package, LIBRARIES, "ways", [content], measure)
    ways, blocked = json.loads(found)
    return WaysReport(
        tuple(placements),
        FrozenDict({index: Way(side, lift_mm) for index, side, lift_mm in ways}),
        FrozenDict({index: tuple(above) for index, above in blocked}),
    )


class _Table:
    """A table that fills part by part: the greatest height in each cell, and the part there."""

    def __init__(
        self, placements: Sequence[Placement], meshes: Mapping[str, Mesh], printer: Printer
    ) -> None:
        import numpy as np

        self.placements, self.meshes, self.printer = placements, meshes, printer
        self.fields = _fields(placements, meshes, fit_of(printer))
        self.left = min((f.x for f in self.fields), default=0)
        self.near = min((f.y for f in self.fields), default=0)
        wide = max((f.x + f.high.shape[1] for f in self.fields), default=0) - self.left
        deep = max((f.y + f.high.shape[0] for f in self.fields), default=0) - self.near
        self.high = np.full((deep, wide), -np.inf, np.float32)
        self.part = np.full((deep, wide), -1, np.int32)

    def placed(
        self, order: Sequence[Group]
    ) -> tuple[dict[int, Way], list[tuple[int, tuple[int, ...]]]]:
        """Place all groups; return ways from a side, and parts without a way with those above."""
        ways: dict[int, Way] = {}
        blocked: list[tuple[int, tuple[int, ...]]] = []
        standing: list[int] = []
        for group in order:
            above = sorted({part for one in group for part in self._above(one)})
            if above:
                way = _from_side(self, group, standing)
                if way:
                    ways[group[0]] = way
                else:
                    blocked.append((group[0], tuple(above)))
            for one in group:
                high, part = self._cut(one)
                own = self.fields[one].high
                part[own > high] = one
                high[own > high] = own[own > high]
            standing += group
        return ways, blocked

    def _cut(self, index: int) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
        """Return the cells of the table below a part: heights and parts."""
        own = self.fields[index]
        y, x = own.y - self.near, own.x - self.left
        rows, cols = slice(y, y + own.high.shape[0]), slice(x, x + own.high.shape[1])
        return self.high[rows, cols], self.part[rows, cols]

    def _above(self, index: int) -> list[int]:
        """Return the standing parts that are above the lowest points of a part at its place."""
        high, part = self._cut(index)
        return sorted({int(n) for n in part[collisions(high - self.fields[index].low)]})


def _fields(
    placements: Sequence[Placement], meshes: Mapping[str, Mesh], fit: DesignParameters
) -> list[HeightField]:
    """Return the height field of each part at its place."""
    own: dict[str, HeightField] = {}
    fields = []
    for part in placements:
        piece, grid = part.piece, part.piece.grid
        cells = cells_per_tile(grid)
        if piece.key not in own:
            about = piece, meshes[piece.key], fit
            found = cached_entry(field_key(*about), partial(field_entry, *about))
            own[piece.key] = decode_field(found) or _measured(*about)
        rows = 1 + max((row for row, _ in piece.footprint), default=0)
        cols = 1 + max((col for _, col in piece.footprint), default=0)
        turned = own[piece.key].turned(part.quarter_turns, rows * cells, cols * cells)
        up_mm = grid.height_mm(part.level) + part.raised_mm
        fields.append(turned.moved(part.tile.col * cells, -part.tile.row * cells, up_mm))
    return fields


def field_key(piece: Piece, mesh: Mesh, fit: DesignParameters) -> str:
    """Return the key in the mesh cache of the height field of a part as it stands.

    Args:
        piece: The piece.
        mesh: Its mesh in print pose.
        fit: Gaps of its printer.
    """
    about = play_transform(piece, fit).tobytes(), repr(piece.grid).encode()
    return disk_cache.key_of("height field", (mesh.digest().encode(), *about))


def field_entry(piece: Piece, mesh: Mesh, fit: DesignParameters) -> bytes:
    """Return the entry of `field_key`, made without the cache."""
    return encode_field(_measured(piece, mesh, fit))


def _measured(piece: Piece, mesh: Mesh, fit: DesignParameters) -> HeightField:
    matrix, grid = play_transform(piece, fit), piece.grid
    points = mesh.vertices @ matrix[:3, :3].T + matrix[:3, 3]
    return height_field(points, mesh.faces, grid.pitch_mm / cells_per_tile(grid))


def _from_side(table: _Table, group: Group, standing: Sequence[int]) -> Way | None:
    """Return the first way from a side into a table, None if there is none."""
    parts = table.placements
    grid = parts[group[0]].piece.grid
    cells = cells_per_tile(grid)
    bodies = {n: place(table.meshes[parts[n].piece.key], parts[n], table.printer)
              for n in (*group, *standing)}  # fmt: skip
    boxes = {n: body.bounds_mm() for n, body in bodies.items()}

    def near(mover: int, low: Sequence[float], high: Sequence[float]) -> list[int]:
        """Return the standing parts in the box that a part sweeps between two shifts."""
        own_low, own_high = boxes[mover]
        swept = [(a + b, c + d) for a, b, c, d in zip(own_low, low, own_high, high, strict=True)]
        return [
            n
            for n in standing
            if all(a < high_mm and low_mm < b
                   for a, b, (low_mm, high_mm) in zip(*boxes[n], swept, strict=True))
        ]  # fmt: skip

    @cache
    def seen(part: int, side: Side, lift_mm: float = 0.0) -> HeightField:
        return _seen_from(bodies[part], side, cells, grid.pitch_mm, lift_mm)

    def falls(mover: int, x: int, y: int, lift_mm: float) -> bool:
        there = table.fields[mover].moved(x * cells, y * cells, lift_mm)
        return not any(there.blocked_by(table.fields[n]) for n in standing)

    def slides(mover: int, side: Side, x: int, y: int, lift_mm: float) -> bool:
        way = (x * grid.pitch_mm, y * grid.pitch_mm)
        low = (min(way[0], 0.0), min(way[1], 0.0), lift_mm)
        high = (max(way[0], 0.0), max(way[1], 0.0), lift_mm)
        own = seen(mover, side, lift_mm)
        return not any(own.blocked_by(seen(n, side)) for n in near(mover, low, high))

    def presses(mover: int, lift_mm: float) -> bool:
        solid = from_mesh(bodies[mover])
        steps = range(1, round(lift_mm / PRESS_STEP_MM) + 1)
        others = [from_mesh(bodies[n]) for n in near(mover, (0, 0, 0), (0, 0, lift_mm))]
        return all(
            float(shared.volume()) <= CLICK_MM3
            for other in others
            for step in steps
            for shared in (other ^ translate(solid, z_mm=step * PRESS_STEP_MM)).decompose()
        )

    for lift_mm in LIFTS_MM:
        pressed = all(presses(mover, lift_mm) for mover in group)
        for name, side in SIDES.items() if pressed else ():
            for tiles in SLIDES_TILES:
                x, y = (tiles * step for step in side.offset)
                if all(
                    falls(mover, x, y, lift_mm) and slides(mover, side, x, y, lift_mm)
                    for mover in group
                ):
                    return Way(name, lift_mm)
    return None


def _seen_from(
    body: Mesh, side: Side, cells: int, pitch_mm: float, lift_mm: float = 0.0
) -> HeightField:
    """Return the field of a lifted part as seen from a side: heights are distances towards it."""
    import numpy as np

    lift = np.array((0.0, 0.0, lift_mm))
    points = (body.vertices + lift) @ np.array(side.turn).T
    return height_field(points, body.faces, pitch_mm / cells)

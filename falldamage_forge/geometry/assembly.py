"""A whole table put together: no two parts share room, and every part rests on what is below.

Parts rest on one another or on the table. A part is held when, lowered by less than the play of a
peg in its socket, it presses on something that is held itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from falldamage_forge.geometry.build import standing
from falldamage_forge.geometry.connectors import STANDARD
from falldamage_forge.geometry.fits import Fit
from falldamage_forge.geometry.joints import OVERLAP_MM3, overlap_mm3
from falldamage_forge.geometry.solids import Solid, moved
from falldamage_forge.geometry.style import PLAIN, Style
from falldamage_forge.issues import Issue
from falldamage_forge.pieces.model import Placement

DROP_MM = STANDARD.socket_depth_mm - STANDARD.peg_length_mm + 0.1
"""So far a part is lowered to see what it rests on: more than any peg's play in its depth."""

Box = tuple[float, ...]
Memo = dict[tuple[object, ...], float]


@dataclass(frozen=True, slots=True)
class AssemblyProof:
    """What was found of a table's parts. `clashes` are pairs of indices with mm³ they share.

    `floating` are the indices of parts that nothing holds. Indices count the placements.
    """

    placements: tuple[Placement, ...]
    pairs: int
    clashes: tuple[tuple[int, int, float], ...]
    floating: tuple[int, ...]

    def issues(self) -> Iterator[Issue]:
        """Why the table cannot be built as planned; nothing if it can."""
        for one, other, volume in self.clashes:
            a, b = self.placements[one], self.placements[other]
            tiles = ((a.tile.row, a.tile.col), (b.tile.row, b.tile.col))
            message = f"{_named(a)} and {_named(b)} share {volume:.2f} mm³"
            yield Issue("FDF433", "error", message, tiles=tiles)
        for index in self.floating:
            part = self.placements[index]
            tile = (part.tile.row, part.tile.col)
            yield Issue("FDF434", "error", f"nothing holds {_named(part)}", tiles=(tile,))


def _named(placement: Placement) -> str:
    return f"{placement.piece.key} at {placement.tile}, level {placement.level}"


def prove_assembly(
    placements: Sequence[Placement], fit: Fit, style: Style = PLAIN
) -> AssemblyProof:
    """Stand all parts of a plan on the table, as their real solids, and look."""
    solids = [standing(placement, fit, style) for placement in placements]
    boxes = [tuple(solid.bounding_box()) for solid in solids]
    memo: Memo = {}
    pairs = list(_near(boxes))
    clashes, rests = [], _on_table(boxes)
    holds: list[set[int]] = [set() for _ in solids]
    for one, other in pairs:
        a, b = (one, solids[one]), (other, solids[other])
        shared = _shared(a, b, placements, 0.0, memo)
        if shared >= OVERLAP_MM3:
            clashes.append((one, other, shared))
        if _shared(a, b, placements, -DROP_MM, memo) > shared + OVERLAP_MM3:
            holds[one].add(other)
        if _shared(a, b, placements, DROP_MM, memo) > shared + OVERLAP_MM3:
            holds[other].add(one)
    held = _held(rests, holds)
    floating = tuple(index for index in range(len(solids)) if index not in held)
    return AssemblyProof(tuple(placements), len(pairs), tuple(clashes), floating)


def _near(boxes: Sequence[Box]) -> Iterator[tuple[int, int]]:
    """Pairs whose boxes overlap, or would if one of them were lowered, each once."""
    import numpy as np

    sides = np.array(boxes)
    for index in range(len(boxes)):
        low, high = sides[index, :3], sides[index, 3:]
        rest = sides[index + 1 :]
        flat = ((rest[:, :2] < high[:2]) & (rest[:, 3:5] > low[:2])).all(axis=1)
        near = flat & (rest[:, 2] < high[2] + DROP_MM) & (rest[:, 5] > low[2] - DROP_MM)
        for other in np.flatnonzero(near):
            yield index, index + 1 + int(other)


def _shared(
    a: tuple[int, Solid],
    b: tuple[int, Solid],
    placements: Sequence[Placement],
    lift_mm: float,
    memo: Memo,
) -> float:
    """Volume that two parts share when the second is lifted; measured once for each way they lie.

    A lift of the second is a drop of the first.
    """
    one, other = placements[a[0]], placements[b[0]]
    key = (
        one.piece.key,
        one.quarter_turns,
        other.piece.key,
        other.quarter_turns,
        other.tile.row - one.tile.row,
        other.tile.col - one.tile.col,
        other.level - one.level,
        lift_mm,
    )
    if key not in memo:
        memo[key] = overlap_mm3(a[1], moved(b[1], z_mm=lift_mm))
    return memo[key]


def _on_table(boxes: Sequence[Box]) -> set[int]:
    """Parts that touch the table on which the base lies, once they are lowered."""
    return {index for index, box in enumerate(boxes) if box[2] - DROP_MM <= -STANDARD.base_mm}


def _held(rests: set[int], holds: Sequence[set[int]]) -> set[int]:
    """Everything held by the table, directly or over other parts; `holds[i]` lie on part i."""
    found: set[int] = set()
    todo = sorted(rests)
    while todo:
        index = todo.pop()
        if index not in found:
            found.add(index)
            todo += sorted(holds[index] - found)
    return found

"""A whole table put together: no two parts share room, and every part rests on what is below.

Parts rest on one another or on the table. A part is held when, lowered a little, it presses on
something that is held itself; a deck must do so at both its ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from falldamage_forge.board import Tile
from falldamage_forge.geometry.build import standing
from falldamage_forge.geometry.fits import Fit
from falldamage_forge.geometry.joints import OVERLAP_MM3, connectors_of, overlap_mm3
from falldamage_forge.geometry.solids import Solid, moved
from falldamage_forge.geometry.standard import STANDARD
from falldamage_forge.geometry.style import PLAIN, Style
from falldamage_forge.issues import Issue
from falldamage_forge.pieces.model import Placement

DROP_MM = 0.3
"""So far a part is lowered to see what it rests on: blades lie a hair above their ledges."""

Box = tuple[float, ...]
Memo = dict[tuple[object, ...], float]


@dataclass(frozen=True, slots=True)
class AssemblyProof:
    """What was found of a table's parts. `clashes` are pairs of indices with mm³ they share.

    `floating` are the indices of parts that nothing holds, and of decks that lack the hold of an
    end. Indices count the placements.
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
            what = "an end of " if _ends(part) else ""
            yield Issue("FDF434", "error", f"nothing holds {what}{_named(part)}", tiles=(tile,))


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
    under: list[set[int]] = [set() for _ in solids]
    for one, other in pairs:
        a, b = (one, solids[one]), (other, solids[other])
        shared = _shared(a, b, placements, 0.0, memo)
        if shared >= OVERLAP_MM3:
            clashes.append((one, other, shared))
        if _shared(a, b, placements, -DROP_MM, memo) > shared + OVERLAP_MM3:
            under[other].add(one)
        if _shared(a, b, placements, DROP_MM, memo) > shared + OVERLAP_MM3:
            under[one].add(other)
    held = _held(rests, [_needs(placements, *each) for each in enumerate(under)])
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
        round(other.raised_mm - one.raised_mm, 3),
        lift_mm,
    )
    if key not in memo:
        memo[key] = overlap_mm3(a[1], moved(b[1], z_mm=lift_mm))
    return memo[key]


def _on_table(boxes: Sequence[Box]) -> set[int]:
    """Parts that touch the table on which the base lies, once they are lowered."""
    return {index for index, box in enumerate(boxes) if box[2] - DROP_MM <= -STANDARD.base_mm}


def _ends(placement: Placement) -> tuple[Tile, ...]:
    """The two tiles that a deck hangs between; none for other parts."""
    if connectors_of(placement.piece).enters != "blades":
        return ()
    tiles = placement.tiles()
    first, last = tiles[0], tiles[-1]
    row, col = (0, 1) if placement.quarter_turns % 2 == 0 else (1, 0)
    return Tile(first.row - row, first.col - col), Tile(last.row + row, last.col + col)


def _needs(placements: Sequence[Placement], index: int, under: set[int]) -> list[set[int]]:
    """Sets of parts of each of which one must be held, so that a part is: a deck has two."""
    ends = _ends(placements[index])
    if not ends:
        return [under]
    return [{each for each in under if end in placements[each].tiles()} for end in ends]


def _held(rests: set[int], needs: Sequence[list[set[int]]]) -> set[int]:
    """Everything held by the table, directly or over other parts."""
    found: set[int] = set()
    more = rests
    while more:
        found |= more
        more = {
            index
            for index, groups in enumerate(needs)
            if index not in found and all(group & found for group in groups)
        }
    return found

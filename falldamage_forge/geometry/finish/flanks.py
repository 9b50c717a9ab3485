"""What becomes of a stone: its foot on what it lies on, its face, and the flank between them.

The same stone is drawn twice: as it is seen, and in the cavity a wall further in. The flanks in
there run beside those outside, so that the wall is as thick as ever and is two printed lines.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from falldamage_forge.geometry.finish.model import Outline, Stone

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

RUN = 0.85
"""How far a flank that overhangs in print may run for each mm that it rises."""
CORNER_RUN = 0.58
"""The same where a stone goes round a corner, whose edge moves faster than its sides."""
SOFT_MM, SOFT_SHARE = 0.3, 0.5
"""Width of a flank beside a joint: so much, and a share of its height."""
SHARP_MM, SHARP_SHARE = 0.14, 0.3
"""The same of what is on a stone."""
LEAST_EDGE_MM = 0.02
"""Edges that become shorter give way to a point."""
FOLLOWED_MM = 0.1
"""What stands out of a stone by less is not followed in the cavity."""
SUNK_MM = 0.3
"""What is sunk into a stone by less makes the whole stone lie deeper in the cavity."""

Shape = tuple["Floats", "Floats", "Floats"]
"""A foot, a face with as many points, and the face's insets."""


def holds(outline: Outline, floor_mm: float, length_mm: float, wall_mm: float = 0.84) -> bool:
    """Whether a stone so high as `floor_mm`, on a side so long, has room for all its flanks."""
    stone = Stone(0, outline, 0.0)
    shapes = (outer(stone, floor_mm, length_mm), inner(stone, floor_mm, length_mm, wall_mm))
    return all(shape is not None for shape in shapes)


def outer(stone: Stone, depth: float, length: float, soft: bool = True) -> Shape | None:
    """A stone as it is seen, on what lies at `depth`, on a side of that length.

    None when it is too small. One on a wall is `soft`; one on a stone has sharper flanks.
    """
    import numpy as np

    foot = np.array(stone.outline)
    beside, above, below = _flanks_mm(stone, depth, _at_corner(foot, length), soft)
    face = drawn_in(foot, _Shift(beside, above, below).of, length)
    return None if face is None else (foot, face, _leaning(stone, face))


def inner(
    stone: Stone, depth: float, length: float, wall_mm: float, soft: bool = True
) -> Shape | None:
    """The same stone in the cavity, or None where it is too small to be followed.

    Along a side the wall is measured square to the flank, above and below along the layer that both
    its faces lie in.
    """
    import numpy as np

    outline = np.array(stone.outline)
    rise = depth - stone.inset_mm
    if abs(rise) < FOLLOWED_MM:
        return None
    corner = _at_corner(outline, length)
    gentle = _slope_mm(abs(rise) + abs(stone.lean_mm) / 2, corner)
    beside, above, below = _flanks_mm(stone, depth, corner, soft)
    if rise > 0:
        flank = _Shift(beside, max(above, gentle), max(below, gentle), wall_mm, rise)
        foot = drawn_in(outline, flank.behind, length)
        face = drawn_in(outline, flank.inner, length)
    else:
        # It is a bump in there, whose upper flank hangs as well and so is gentle.
        flank = _Shift(beside, above, below, wall_mm, rise)
        more = max(gentle - above, 0.0)
        grown = _Shift(0.0, -more, 0.0)
        foot = drawn_in(outline, lambda out: flank.behind(out) + grown.of(out), length)
        face = drawn_in(outline, flank.inner, length)
    return None if foot is None or face is None else (foot, face, _leaning(stone, face))


def followed(stone: Stone) -> Stone:
    """A stone as the cavity knows it: with that on it which is followed there, and deep enough."""
    import numpy as np
    import shapely

    raised = [on for on in stone.on if on.inset_mm < stone.inset_mm - FOLLOWED_MM]
    sunk = [on for on in stone.on if on.deepest_mm > stone.inset_mm + SUNK_MM]
    rest = [on for on in stone.on if on not in raised and on not in sunk]
    deep = max([stone.inset_mm, *(on.deepest_mm for on in rest)])
    found = [followed(on) for on in raised]
    if len(sunk) == 1:
        found.append(followed(sunk[0]))
    elif sunk:
        points = np.concatenate([np.array(on.outline) for on in sunk])
        hull = shapely.orient_polygons(shapely.convex_hull(shapely.MultiPoint(points)))
        outline = tuple((float(u), float(v)) for u, v in shapely.get_coordinates(hull)[:-1])
        found.append(Stone(stone.side, outline, max(on.deepest_mm for on in sunk)))
    return replace(stone, inset_mm=deep, on=tuple(found))


def _leaning(stone: Stone, face: Floats) -> Floats:
    """The insets of a face's points."""
    low, high = face[:, 1].min(), face[:, 1].max()
    insets: Floats = stone.inset_mm + stone.lean_mm * (0.5 - (face[:, 1] - low) / (high - low))
    return insets


def _flanks_mm(
    stone: Stone, depth: float, corner: bool, soft: bool = True
) -> tuple[float, float, float]:
    """How wide a stone's flanks are on what lies at `depth`: at its sides, above and below.

    What looks up on the table looks down in print and gets a slope.
    """
    rise = abs(depth - stone.inset_mm)
    beside = SOFT_MM + SOFT_SHARE * rise if soft else SHARP_MM + SHARP_SHARE * rise
    gentle = max(beside, _slope_mm(rise + abs(stone.lean_mm) / 2, corner))
    if soft:
        return beside, gentle, gentle
    return (beside, gentle, beside) if stone.inset_mm < depth else (beside, beside, gentle)


def _slope_mm(rise: float, corner: bool) -> float:
    """How wide a flank must be that hangs over."""
    return rise / (CORNER_RUN if corner else RUN)


@dataclass(frozen=True, slots=True)
class _Shift:
    """How far edges move in: those at the sides, those that look up, those that look down.

    What lies between moves by as much of each as it looks that way, so that the corners that are
    worn off a stone keep their shape, and none folds before its stone does.

    In a cavity, `wall_mm` within stones that `rise_mm` high stand out, edges move farther: so far
    that in every layer the flank in there runs parallel to the one outside, a wall away.
    """

    beside_mm: float
    above_mm: float
    below_mm: float
    wall_mm: float = 0.0
    rise_mm: float = 1.0

    def of(self, outward: Floats) -> Floats:
        """The way of edges with these normals, (n, 2)."""
        import numpy as np

        across, up = outward.T
        moved: Floats = (
            self.beside_mm * np.abs(across)
            + self.above_mm * np.maximum(up, 0.0)
            + self.below_mm * np.maximum(-up, 0.0)
        )
        return moved

    def behind(self, outward: Floats) -> Floats:
        """How far in the cavity's flank begins."""
        import numpy as np

        across = np.abs(outward[:, 0])
        run = self.of(outward)
        way: Floats = np.hypot(run, self.rise_mm * across) - run
        return self.wall_mm / self.rise_mm * way

    def inner(self, outward: Floats) -> Floats:
        """How far in the cavity's flank ends."""
        return self.behind(outward) + self.of(outward)


def _at_corner(foot: Floats, length: float) -> bool:
    return bool((foot[:, 0] == 0.0).any() or (foot[:, 0] == length).any())


def drawn_in(ring: Floats, way: Callable[[Floats], Floats], length: float) -> Floats | None:
    """Each edge moved inwards by the way that its normal has; None where nothing is left.

    Edges on a corner's line stay, and points on it move along it.
    """
    import numpy as np

    ends = (ring[:, 0] == 0.0) * 1 + (ring[:, 0] == length) * 2
    # Indexing is several times faster than rolling such short rings.
    ahead = np.arange(1, len(ring) + 1) % len(ring)
    back = np.arange(-1, len(ring) - 1)
    along = ring[ahead] - ring
    along /= np.hypot(along[:, 0], along[:, 1])[:, None]
    outward = along[:, ::-1] * (1.0, -1.0)
    fixed = (ends > 0) & (ends == ends[ahead])
    by = np.where(fixed, 0.0, way(outward))
    before = outward[back]
    by_before = by[back]
    # Where the lines n.x = c of both edges meet; nearly parallel ones move straight inwards.
    cross = before[:, 0] * outward[:, 1] - before[:, 1] * outward[:, 0]
    flat = np.abs(cross) < 1e-3
    safe = np.where(flat, 1.0, cross)
    moved_u = (by_before * -outward[:, 1] + by * before[:, 1]) / safe
    moved_v = (by * -before[:, 0] + by_before * outward[:, 0]) / safe
    step = np.array([moved_u, moved_v]).T
    step[flat] = (-outward * np.maximum(by, by_before)[:, None])[flat]
    drawn = ring + step
    drawn[ends > 0, 0] = ring[ends > 0, 0]
    left = ((drawn[ahead] - drawn) * along).sum(axis=1)
    # An edge that turned about has vanished: what it joined meets in a point.
    for edge in np.flatnonzero(left < LEAST_EDGE_MM):
        meeting = _meeting(int(edge), ring - outward * by[:, None], along)
        if meeting is None or (ends[[edge, (edge + 1) % len(ring)]] > 0).any():
            return None
        drawn[[edge, (edge + 1) % len(ring)]] = meeting
    kept = ((drawn[ahead] - drawn) * along).sum(axis=1)
    return drawn if ((kept >= LEAST_EDGE_MM) | (kept == 0.0)).all() else None


def _meeting(edge: int, lines: Floats, along: Floats) -> Floats | None:
    """Where the lines before and after an edge cross; None where they hardly do."""
    before, after = edge - 1, (edge + 1) % len(lines)
    turn = along[before, 0] * along[after, 1] - along[before, 1] * along[after, 0]
    if turn < 0.05:
        return None
    way = lines[after] - lines[before]
    share = (way[0] * along[after, 1] - way[1] * along[after, 0]) / turn
    place: Floats = lines[before] + share * along[before]
    return place

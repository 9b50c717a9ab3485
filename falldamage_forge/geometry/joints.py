"""Fit proof: every two pieces that the rules let touch, seated, measured and pulled.

A joint is a pair of placements and how the second part leaves the first. It holds when, seated,
the parts share no volume; lifted off their rests, the least gap between them is the asked one; and
pulled any other way, they collide.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from falldamage_forge.board import Tile
from falldamage_forge.geometry.build import standing
from falldamage_forge.geometry.fits import Fit
from falldamage_forge.geometry.solids import Solid, made, moved
from falldamage_forge.geometry.style import PLAIN, Style
from falldamage_forge.issues import Issue
from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.pieces.model import Piece, Placement

Vector = tuple[float, float, float]

OVERLAP_MM3 = 0.01
"""Less shared volume than this is rounding."""
GAP_TOLERANCE_MM = 0.01
LIFT_MM = 0.3
"""How far a part is raised off its rest before the gap round its connector is measured."""
PULL_MM = 1.2
NEAR_MM = 4.0
"""What is farther from the other part is out of reach of any gap, lift or pull."""


@dataclass(frozen=True, slots=True)
class Joint:
    """Two placements that mate. `gap_mm` is asked; `lift_mm` raises `b` before it is measured.

    `rise_mm` is how far above its level `b` stands (on a topper); `pulls` are directions in which
    `b` must not come away.
    """

    name: str
    a: Placement
    b: Placement
    gap_mm: float
    pulls: tuple[Vector, ...]
    lift_mm: float = LIFT_MM
    rise_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class JointProof:
    """What was measured of a joint, in mm³ and mm; `held` is the least overlap when pulled."""

    joint: Joint
    overlap_mm3: float
    gap_mm: float
    held_mm3: float

    def issues(self) -> Iterator[Issue]:
        """Why the joint does not hold; nothing if it does."""
        name = self.joint.name
        if self.overlap_mm3 >= OVERLAP_MM3:
            message = f"{name}: the seated parts overlap by {self.overlap_mm3:.3f} mm³"
            yield Issue("FDF430", "error", message)
        if self.gap_mm < self.joint.gap_mm - GAP_TOLERANCE_MM:
            message = f"{name}: the gap is {self.gap_mm:.3f} mm, not {self.joint.gap_mm:.3f} mm"
            yield Issue("FDF431", "error", message)
        if self.gap_mm > self.joint.gap_mm + 0.1:
            message = f"{name}: the gap is {self.gap_mm:.3f} mm and rattles"
            yield Issue("FDF431", "error", message)
        if self.held_mm3 < OVERLAP_MM3:
            yield Issue("FDF432", "error", f"{name}: pulled, the parts come away")


ACROSS: tuple[Vector, ...] = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0))


def prove_joint(joint: Joint, fit: Fit, style: Style = PLAIN) -> JointProof:
    """Seat, lift and pull one joint."""
    a = standing(joint.a, fit, style)
    b = moved(standing(joint.b, fit, style), z_mm=joint.rise_mm)
    a, b = _near(a, b), _near(b, a)
    search = joint.gap_mm + 1.0
    return JointProof(
        joint,
        overlap_mm3(a, b),
        float(a.min_gap(moved(b, z_mm=joint.lift_mm), search)),
        min(overlap_mm3(a, moved(b, *(PULL_MM * part for part in pull))) for pull in joint.pulls),
    )


def _near(solid: Solid, other: Solid) -> Solid:
    """What of a solid lies near the other's box: all that a proof can touch."""
    from manifold3d import Manifold

    box = other.bounding_box()
    low = [side - NEAR_MM for side in box[:3]]
    size = [high + NEAR_MM - side for high, side in zip(box[3:], low, strict=True)]
    return made(solid ^ Manifold.cube(size).translate(low))


def overlap_mm3(a: Solid, b: Solid) -> float:
    """Volume that two solids share."""
    return float((a ^ b).volume())


def joints(catalogue: Catalogue, fit: Fit) -> Iterator[Joint]:
    """Every kind of joint of the catalogue, at every quarter turn that differs."""
    yield from _seams(catalogue, fit)
    yield from _stacks(catalogue, fit)
    yield from _toppers(catalogue, fit)
    yield from _bridges(catalogue, fit)
    yield from _ladders(catalogue, fit)


def _seams(catalogue: Catalogue, fit: Fit) -> Iterator[Joint]:
    """Two quadrants side by side, east and south of one another, every turn against every turn."""
    first = catalogue.quadrant
    size = 1 + max(col for _, col in first.footprint)
    for turn in range(4):
        for other in range(4):
            for tile, away in ((Tile(0, size), (1.0, 0.0, 0.0)), (Tile(size, 0), (0.0, -1.0, 0.0))):
                yield Joint(
                    f"seam, turns {turn} and {other}, {'east' if away[0] else 'south'}",
                    Placement(first, Tile(0, 0), 0, turn),
                    Placement(first, tile, 0, other),
                    fit.seam_mm,
                    (away, (away[1], away[0], 0.0), (-away[1], -away[0], 0.0)),
                    lift_mm=0.0,
                )


def _tops(catalogue: Catalogue) -> Iterator[tuple[Placement, Tile, int]]:
    """A placement of every piece with a top, a tile on it, and the level of that top."""
    yield Placement(catalogue.quadrant, Tile(0, 0), 0), Tile(1, 1), 0
    for piece in catalogue.blocks():
        yield Placement(piece, Tile(0, 0), 0), Tile(*piece.footprint[0]), piece.levels
        if len(piece.footprint) > 1:
            yield Placement(piece, Tile(0, 0), 0), Tile(*piece.footprint[-1]), piece.levels
    for piece in catalogue.family("bridge"):
        yield Placement(piece, Tile(0, 0), 1), Tile(*piece.footprint[-1]), 1


def _stacks(catalogue: Catalogue, fit: Fit) -> Iterator[Joint]:
    """Every block on a quadrant at each turn, and the smallest block on every top."""
    cell = catalogue["block-1x1x1"]
    for piece in catalogue.blocks():
        for turn in range(4):
            yield _stack(
                f"{piece.key} turned {turn} on the base",
                Placement(catalogue.quadrant, Tile(0, 0), 0),
                Placement(piece, Tile(1, 1), 0, turn),
                fit,
            )
    for top, tile, level in _tops(catalogue):
        if top.piece.family == "bridge":
            continue
        yield _stack(f"{cell.key} on {top.piece.key}", top, Placement(cell, tile, level), fit)


def _stack(name: str, a: Placement, b: Placement, fit: Fit, rise_mm: float = 0.0) -> Joint:
    return Joint(name, a, b, fit.fit_mm, ACROSS, rise_mm=rise_mm)


def _toppers(catalogue: Catalogue, fit: Fit) -> Iterator[Joint]:
    """What lies or stands on a tile's top, on every kind of top; markers and chests on toppers."""
    light = [catalogue.chest, catalogue.start_marker]
    for top, tile, level in _tops(catalogue):
        pieces: list[Piece] = [*light]
        if top.piece.family != "bridge":
            pieces += [catalogue.water, catalogue.dowel]
        for piece in pieces:
            yield _stack(f"{piece.key} on {top.piece.key}", top, Placement(piece, tile, level), fit)
    for foot in (catalogue.spire, catalogue.tree):
        for turn in range(4):
            yield _stack(
                f"{foot.key} turned {turn} on its dowel",
                Placement(catalogue.dowel, Tile(0, 0), 0),
                Placement(foot, Tile(0, 0), 0, turn),
                fit,
            )
    for piece in light:
        yield _stack(
            f"{piece.key} on a topper",
            Placement(catalogue.water, Tile(0, 0), 0),
            Placement(piece, Tile(0, 0), 0),
            fit,
            rise_mm=2.0,
        )


def _bridges(catalogue: Catalogue, fit: Fit) -> Iterator[Joint]:
    """Both ends of every bridge in the keyholes of blocks and of other decks' sides, every turn."""
    along: tuple[Vector, ...] = ((1, 0, 0), (-1, 0, 0))
    for bridge in catalogue.family("bridge"):
        span = len(bridge.footprint)
        deck = Placement(bridge, Tile(5, 5), 1)
        for turn in range(4):
            for end, tile in (("west", Tile(5, 4)), ("east", Tile(5, 5 + span))):
                block = Placement(catalogue["block-1x1x1"], tile, 0, turn)
                yield Joint(
                    f"{bridge.key}'s {end} end on a block turned {turn}",
                    block,
                    deck,
                    fit.fit_mm,
                    (*along, (0, 1, 0), (0, -1, 0)),
                )
        side = Placement(catalogue.bridge(1), Tile(5, 4), 1, 1)
        yield Joint(f"{bridge.key} on a deck's side", side, deck, fit.fit_mm, along)


def _ladders(catalogue: Catalogue, fit: Fit) -> Iterator[Joint]:
    """Every ladder's toes in every kind of top, at every edge of a tile."""
    for ladder in catalogue.family("ladder"):
        for turn in range(4):
            away = ((0, -1, 0), (-1, 0, 0), (0, 1, 0), (1, 0, 0))[turn]
            across = (away[1], away[0], 0)
            pulls = (away, across, (-across[0], -across[1], 0))
            tops = [
                (Placement(catalogue.quadrant, Tile(0, 0), 0), Tile(2, 2), 0),
                (Placement(catalogue["block-1x1x1"], Tile(2, 2), 0), Tile(2, 2), 1),
                (Placement(catalogue["block-2x2x1"], Tile(2, 2), 0), Tile(2, 2), 1),
            ]
            if turn in (0, 2):
                tops.append((Placement(catalogue.bridge(2), Tile(2, 2), 1), Tile(2, 2), 1))
            for top, tile, level in tops:
                yield Joint(
                    f"{ladder.key} on {top.piece.key} turned {turn}",
                    top,
                    Placement(ladder, tile, level, turn),
                    fit.fit_mm,
                    pulls,
                )

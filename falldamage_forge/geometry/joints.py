"""Fit proof: every two pieces that the rules let touch, seated, measured and pulled.

A joint is a pair of placements and how the second part leaves the first. It holds when, seated,
the parts share no volume; lifted off their rests, the least gap between them is the asked one; and
pulled any other way, they collide.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from falldamage_forge.board import Tile
from falldamage_forge.geometry.build import BUILDERS, standing
from falldamage_forge.geometry.fits import Fit
from falldamage_forge.geometry.solids import Solid, made, moved
from falldamage_forge.geometry.style import PLAIN, Style
from falldamage_forge.geometry.tiles import SIDES, Cell, Cells
from falldamage_forge.issues import Issue
from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.pieces.model import Piece, Placement

Vector = tuple[float, float, float]

OVERLAP_MM3 = 0.01
"""Less shared volume than this is rounding."""
GAP_TOLERANCE_MM = 0.01
RATTLE_MM = 0.1
"""So much more than the asked gap is too loose."""
LIFT_MM = 0.12
"""By how much more than its gap a part is raised off its rest before the gap is measured.

More than what rattles, so that two faces that only rest on one another are no joint.
"""
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
    lift_mm: float = 0.0
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
        if self.gap_mm > self.joint.gap_mm + RATTLE_MM:
            message = f"{name}: the gap is {self.gap_mm:.3f} mm and rattles"
            yield Issue("FDF431", "error", message)
        if self.held_mm3 < OVERLAP_MM3:
            yield Issue("FDF432", "error", f"{name}: pulled, the parts come away")


ACROSS: tuple[Vector, ...] = ((0, 1, 0), (1, 0, 0), (0, -1, 0), (-1, 0, 0))
COMPASS = ("north", "east", "south", "west")
"""Four directions, and what they are called, in the order of a tile's `SIDES`."""


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


@dataclass(frozen=True, slots=True)
class Connectors:
    """The male connector by which a builder's pieces enter others, and those that enter them."""

    enters: str = ""
    takes: tuple[str, ...] = ()


TILE = ("peg", "plug", "toes", "crown")
CONNECTORS: Mapping[str, Connectors] = {
    "quadrant": Connectors("seam", ("seam", *TILE)),
    "rim-strip": Connectors("seam"),
    "block": Connectors("peg", (*TILE, "knobs")),
    "step": Connectors("peg", (*TILE, "knobs")),
    "plank-bridge": Connectors("knobs", (*TILE, "knobs")),
    "arch-bridge": Connectors("knobs", (*TILE, "knobs")),
    "ladder": Connectors("toes"),
    "battlement": Connectors("crown"),
    "topper": Connectors("peg", ("plug", "toes", "crown", "knobs")),
    "marker": Connectors("plug", ("plug",)),
    "token": Connectors("plug"),
    "chest": Connectors("plug"),
    "dowel": Connectors("peg", ("foot",)),
    "spire": Connectors("foot"),
    "tree": Connectors("foot"),
    "stand": Connectors(),
}
"""Connectors by builder; joints are proved of every piece whose builder stands here.

`peg` and `plug` are the long and the short square peg, `knobs` a deck's two ends, `toes` a ladder's
and `crown` a battlement's, all four edges at once; a `foot` stands on a dowel.
"""

EDGED = ("toes", "knobs")
"""What enters one edge of a tile, so that its seat has a side."""

Seat = tuple[Cell, int]
"""A cell of a top, and the side or the quarter turn of what enters it."""
Pair = tuple[Piece, Piece, Seat, int]
"""Male, female, seat, and which end of the male: 0, or 2 for the other end of a deck."""


def entering(catalogue: Catalogue, kind: str) -> list[Piece]:
    """The pieces with this male connector."""
    return [piece for piece in catalogue.pieces.values() if connectors_of(piece).enters == kind]


def taking(catalogue: Catalogue, kind: str) -> list[Piece]:
    """The pieces with its female, and a place to use it."""
    females = [piece for piece in catalogue.pieces.values() if kind in connectors_of(piece).takes]
    return [piece for piece in females if _seats(piece, kind)]


def connectors_of(piece: Piece) -> Connectors:
    """The connectors of a piece; none if its builder has no entry."""
    return CONNECTORS.get(piece.builder, Connectors())


def joints(catalogue: Catalogue, fit: Fit) -> Iterator[Joint]:
    """Every kind of joint of the catalogue, at every quarter turn that differs.

    Each piece enters, at every turn, the largest one that takes it; each top takes the smallest
    piece of a kind at every seat and one of every other builder.
    """
    yield from _seams(catalogue, fit)
    for kind in dict.fromkeys(each.enters for each in CONNECTORS.values()):
        males, females = entering(catalogue, kind), taking(catalogue, kind)
        if not males or not females or kind == "seam":
            continue
        pairs = [*_on_largest(males, females, kind), *_on_every_top(males, females, kind)]
        for male, female, seat, end in dict.fromkeys(pairs):
            yield mated(male, female, seat, fit, end)


def _on_largest(males: list[Piece], females: list[Piece], kind: str) -> Iterator[Pair]:
    largest = max(females, key=lambda piece: len(piece.footprint))
    seats = _seats(largest, kind)
    if kind not in EDGED:
        inner = seats[len(seats) // 4][0]
        seats = [(inner, turn) for turn in range(4)]
    for male in males:
        for seat in seats:
            for end in (0, 2) if kind == "knobs" else (0,):
                yield male, largest, seat, end


def _on_every_top(males: list[Piece], females: list[Piece], kind: str) -> Iterator[Pair]:
    first, *others = smallest(males)
    for female in females:
        seats = _seats(female, kind)
        yield from ((first, female, seat, 0) for seat in seats)
        yield from ((other, female, seats[0], 0) for other in others)


def smallest(pieces: list[Piece]) -> list[Piece]:
    """The smallest piece of each builder, from small to large."""
    by_size = sorted(pieces, key=lambda piece: (max(1, len(piece.footprint)), piece.levels))
    first = {piece.builder: piece for piece in reversed(by_size)}
    return list(reversed(first.values()))


def _seats(top: Piece, kind: str) -> list[Seat]:
    """Where a top takes a kind: each side once, or every cell."""
    cells = top.footprint or ((0, 0),)
    sides = {cell: _keyholed(top, cells, cell, outward=kind == "knobs") for cell in cells}
    if kind in EDGED:
        first = {side: cell for cell in reversed(cells) for side in sides[cell]}
        return [(first[side], side) for side in sorted(first)]
    return [(cell, 0) for cell in cells if kind != "crown" or len(sides[cell]) == 4]


def _keyholed(top: Piece, cells: Cells, cell: Cell, *, outward: bool) -> list[int]:
    """The sides of a cell with keyholes; a deck's ends have none. `outward`: with room beyond."""
    deck = connectors_of(top).enters == "knobs"
    found = []
    for side, (row, col) in enumerate(SIDES):
        inner = (cell[0] + row, cell[1] + col) in cells
        if not (outward if inner else deck and col):
            found.append(side)
    return found


def mated(male: Piece, female: Piece, seat: Seat, fit: Fit, end: int = 0) -> Joint:
    """The joint of two pieces, whether they fit or not.

    A top's mouth lies in the face that it is printed on. `end` 2 is a deck's other end.
    """
    (cell, turn), kind = seat, connectors_of(male).enters
    tile, pulls = Tile(*cell), ACROSS
    if kind == "toes":
        pulls = tuple(pull for pull in ACROSS if pull != ACROSS[turn])
    if kind == "knobs":
        # A deck is placed at its north-west tile, and runs west to east before it is turned.
        row, col = (way if way > 0 else way * len(male.footprint) for way in SIDES[turn])
        tile = Tile(cell[0] + row, cell[1] + col)
        turn = (turn + 3 + end) % 4
    rise_mm = BUILDERS[female.builder].bed(female, fit) if female.pose == "upside-down" else 0.0
    return Joint(
        f"{male.key} turned {turn} on {female.key} at {Tile(*cell)}",
        Placement(female, Tile(0, 0), 0),
        Placement(male, tile, 0, turn),
        fit.fit_mm,
        pulls,
        fit.fit_mm + LIFT_MM,
        rise_mm,
    )


def _seams(catalogue: Catalogue, fit: Fit) -> Iterator[Joint]:
    """Every edge of a quadrant with every edge of another and with every rim strip."""
    first = catalogue.quadrant
    last = max(col for _, col in first.footprint)
    corners = (Tile(0, 0), Tile(0, last), Tile(last, last), Tile(last, 0))
    strips = [piece for piece in entering(catalogue, "seam") if piece is not first]
    for side, (row, col) in enumerate(SIDES):
        beside = Tile(row * (last + 1), col * (last + 1))
        mates = [Placement(first, beside, 0, turn) for turn in range(4)]
        # A strip lies north of the tile it is placed at.
        mates += [Placement(strip, corners[side], 0, side) for strip in strips]
        for mate in mates:
            yield Joint(
                f"{mate.piece.key} turned {mate.quarter_turns} {COMPASS[side]} of {first.key}",
                Placement(first, Tile(0, 0), 0),
                mate,
                fit.seam_mm,
                tuple(pull for pull in ACROSS if pull != ACROSS[side - 2]),
            )

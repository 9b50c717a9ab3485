"""Fit proof: every two pieces that the rules let touch, seated, lifted, pushed and pulled.

Parts are judged as their layers are printed (`printed`), not as their meshes are drawn.
A joint is a pair of placements. It is sound when, seated, the parts share no volume; when the
second, sunk a tenth of a millimetre, runs into the first (its height is exact); when it runs into
it pulled aside in every direction that must hold; and when, lifted off, it has to pass a click
where one is promised.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from falldamage_forge.board import Tile
from falldamage_forge.geometry.build import standing
from falldamage_forge.geometry.fits import Fit
from falldamage_forge.geometry.printed import printed_standing
from falldamage_forge.geometry.solids import Solid, made, moved
from falldamage_forge.geometry.standard import STANDARD, places_on
from falldamage_forge.geometry.style import PLAIN, Style
from falldamage_forge.geometry.tiles import SIDES, Cell
from falldamage_forge.issues import Issue
from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.pieces.model import Piece, Placement

Vector = tuple[float, float, float]

OVERLAP_MM3 = 0.01
"""Less shared volume than this is rounding."""
SINK_MM = 0.1
PULL_MM = 0.6
"""Sunk and pulled so far, parts must run into one another: more than any gap."""
LIFTS_MM = (0.15, 0.25, 0.35, 0.5)
"""Lifted so far, a bead is under the head's overhang or passes it."""
NEAR_MM = 3.0
"""What is farther from the other part is out of reach of any lift or pull."""


@dataclass(frozen=True, slots=True)
class Joint:
    """Two placements that mate, `b` on or in `a`.

    `pulls` are directions in which `b` must not come away; `clicks` whether it must pass something
    when it is lifted; `rests` whether `a` carries it (a tie is pressed in from below).
    """

    name: str
    a: Placement
    b: Placement
    pulls: tuple[Vector, ...]
    clicks: bool = False
    rests: bool = True


@dataclass(frozen=True, slots=True)
class JointProof:
    """What was measured, in mm³ of overlap: seated, sunk, pulled (least), lifted (most)."""

    joint: Joint
    overlap_mm3: float
    sunk_mm3: float
    held_mm3: float
    click_mm3: float

    def issues(self) -> Iterator[Issue]:
        """Why the joint does not hold; nothing if it does."""
        name = self.joint.name
        if self.overlap_mm3 >= OVERLAP_MM3:
            message = f"{name}: the seated parts overlap by {self.overlap_mm3:.3f} mm³"
            yield Issue("FDF430", "error", message)
        if self.joint.rests and self.sunk_mm3 < OVERLAP_MM3:
            message = f"{name}: nothing carries it; sunk {SINK_MM} mm it touches nothing"
            yield Issue("FDF431", "error", message)
        if self.joint.pulls and self.held_mm3 < OVERLAP_MM3:
            message = f"{name}: pulled {PULL_MM} mm, the parts come away"
            yield Issue("FDF432", "error", message)
        if self.joint.clicks and self.click_mm3 < OVERLAP_MM3:
            yield Issue("FDF435", "error", f"{name}: it lifts off without a click")


ACROSS: tuple[Vector, ...] = ((0, 1, 0), (1, 0, 0), (0, -1, 0), (-1, 0, 0))
COMPASS = ("north", "east", "south", "west")
"""Four directions, and what they are called, in the order of a tile's `SIDES`."""


def prove_joint(joint: Joint, fit: Fit, style: Style = PLAIN) -> JointProof:
    """Seat, sink, lift and pull one joint, both parts as their layers are printed."""
    near = _near(joint, fit, style)
    a, b = (made(printed_standing(part, fit, near, style)) for part in (joint.a, joint.b))
    pulled = [overlap_mm3(a, moved(b, *(PULL_MM * part for part in pull))) for pull in joint.pulls]
    lifted = [overlap_mm3(a, moved(b, z_mm=lift)) for lift in LIFTS_MM] if joint.clicks else []
    return JointProof(
        joint,
        overlap_mm3(a, b),
        overlap_mm3(a, moved(b, z_mm=-SINK_MM)) if joint.rests else 0.0,
        min(pulled, default=0.0),
        max(lifted, default=0.0),
    )


def _near(joint: Joint, fit: Fit, style: Style) -> tuple[float, ...]:
    """The box where both parts lie, and a little round it: all that a proof can touch."""
    a, b = (standing(part, fit, style).bounding_box() for part in (joint.a, joint.b))
    low = (max(one, other) - NEAR_MM for one, other in zip(a[:3], b[:3], strict=True))
    high = (min(one, other) + NEAR_MM for one, other in zip(a[3:], b[3:], strict=True))
    return (*low, *high)


def overlap_mm3(a: Solid, b: Solid) -> float:
    """Volume that two solids share."""
    return float((a ^ b).volume())


@dataclass(frozen=True, slots=True)
class Connectors:
    """How a builder's pieces stand or hang, and what stands on them or hangs in them."""

    enters: str = ""
    takes: tuple[str, ...] = ()


HEAD = ("skirt", "legs", "foot")
"""What stands on any head."""
DEEP = (*HEAD, "blades", "hook")
"""What stands on or hangs in a head with deep keyholes."""
DECK = ("legs", "foot", "blades", "hook")
"""A deck carries no column."""
CONNECTORS: Mapping[str, Connectors] = {
    "quadrant": Connectors("", (*HEAD, "tie")),
    "rim-strip": Connectors("", ("tie",)),
    "tie": Connectors("tie"),
    "block": Connectors("skirt", DEEP),
    "step": Connectors("skirt", DEEP),
    "plank-bridge": Connectors("blades", DECK),
    "arch-bridge": Connectors("blades", DECK),
    "cap": Connectors("legs", DEEP),
    "ladder": Connectors("foot", ("tongue",)),
    "battlement": Connectors("legs"),
    "spire": Connectors("legs"),
    "tree": Connectors("legs"),
    "chest": Connectors(),
    "token": Connectors(),
    "stand": Connectors(),
    "lifter": Connectors(),
}
"""Connectors by builder; joints are proved of every piece whose builder stands here.

A `skirt` stands all round a tile, `legs` at its corners; `blades` are a deck's two ends, a ladder's
`foot` stands at one edge and its `hook` hangs in another tile's; a `tongue` joins two ladders.
"""
EDGED = ("foot", "blades", "hook")
"""What enters one edge of a tile, so that its seat has a side."""

Seat = tuple[Cell, int]
"""A cell of a top, and the side or the quarter turn of what enters it."""


def connectors_of(piece: Piece) -> Connectors:
    """The connectors of a piece; none if its builder has no entry."""
    return CONNECTORS.get(piece.builder, Connectors())


def entered_by(piece: Piece) -> tuple[str, ...]:
    """The ways in which a piece enters others: a ladder has a foot or a slot, a hook or none."""
    kind = connectors_of(piece).enters
    if piece.builder != "ladder":
        return (kind,) if kind else ()
    part = piece["part"]
    ways = ("foot",) if part in ("whole", "lower") else ("tongue",)
    return (*ways, "hook") if part in ("whole", "upper") else ways


def takes_of(piece: Piece) -> tuple[str, ...]:
    """What a piece takes; only a lower or middle section of a ladder has a tongue."""
    if piece.builder == "ladder" and piece["part"] not in ("lower", "middle"):
        return ()
    return connectors_of(piece).takes


def joints(catalogue: Catalogue, fit: Fit) -> Iterator[Joint]:
    """Every kind of joint of the catalogue, at every quarter turn that differs.

    Each piece enters, at every turn or side, a small top; each top takes, at every seat, the
    smallest piece of a kind and one of every other builder.
    """
    yield from _ties(catalogue)
    tops = [piece for piece in catalogue.pieces.values() if takes_of(piece)]
    for kind in (*DEEP, "tongue"):
        males = [piece for piece in catalogue.pieces.values() if kind in entered_by(piece)]
        females = [piece for piece in tops if kind in takes_of(piece)]
        seen = set()
        for joint in (*_on_small(males, females, kind), *_on_every(males, females, kind)):
            if joint.name not in seen:
                seen.add(joint.name)
                yield joint


def _on_small(males: list[Piece], females: list[Piece], kind: str) -> Iterator[Joint]:
    """Every piece at every turn on the smallest top that is large enough for it."""
    for male in males:
        wide = kind == "skirt" and len(male.footprint) > 1
        top = max(females, key=_area) if wide else smallest(females)[0]
        cells = top.footprint or ((0, 0),)
        cell = cells[len(cells) // 4] if wide else cells[0]
        for turn in range(4 if kind != "tongue" else 1):
            for end in (0, 2) if kind == "blades" else (0,):
                yield mated(male, top, (cell, turn), kind, end)


def _area(piece: Piece) -> int:
    return len(piece.footprint)


def _on_every(males: list[Piece], females: list[Piece], kind: str) -> Iterator[Joint]:
    first, *others = smallest(males)
    for female in females:
        seats = seats_of(female, kind)
        yield from (mated(first, female, seat, kind) for seat in seats)
        yield from (mated(other, female, seats[0], kind) for other in others)


def smallest(pieces: list[Piece]) -> list[Piece]:
    """The smallest piece of each builder, from small to large."""
    by_size = sorted(pieces, key=lambda piece: (max(1, len(piece.footprint)), piece.levels))
    first = {piece.builder: piece for piece in reversed(by_size)}
    return list(reversed(first.values()))


def seats_of(top: Piece, kind: str) -> list[Seat]:
    """Where a top takes a kind: each cell, or each free side of one, that lies differently."""
    cells = top.footprint or ((0, 0),)
    deck = "blades" in entered_by(top)
    found: dict[object, Seat] = {}
    for cell in cells:
        around = tuple(
            (cell[0] + row, cell[1] + col) in cells for row in (-1, 0, 1) for col in (-1, 0, 1)
        )
        if kind not in EDGED:
            found.setdefault(around, (cell, 0))
            continue
        for side, (row, col) in enumerate(SIDES):
            inner = (cell[0] + row, cell[1] + col) in cells
            if not (inner and (deck or kind != "foot")) and not (deck and col):
                found.setdefault((around, side), (cell, side))
    return list(found.values())


def top_of_mm(piece: Piece) -> float:
    """How high a piece's top lies above the level it stands on; decks hang below their level."""
    high = piece.grid.height_mm(piece.levels) if piece.builder == "block" else 0.0
    heights = {"step": places_on(piece.grid).step_mm, "cap": STANDARD.cap_mm}
    return heights.get(piece.builder, high)


def mated(male: Piece, female: Piece, seat: Seat, kind: str, end: int = 0) -> Joint:
    """The joint of two pieces, whether they fit or not. `end` 2 is a deck's other end."""
    (cell, turn), tile, pulls = seat, Tile(*seat[0]), ACROSS
    level, raised = 0, top_of_mm(female)
    if kind == "blades":
        # A deck is placed at its north-west tile, and runs west to east before it is turned.
        row, col = (way if way > 0 else way * len(male.footprint) for way in SIDES[turn])
        tile = Tile(cell[0] + row, cell[1] + col)
        turn = (turn + 3 + end) % 4
    elif kind == "hook":
        # It comes up from the tile beside, leaning back over that side.
        row, col = SIDES[turn]
        tile, turn = Tile(cell[0] + row, cell[1] + col), (turn + 2) % 4
        level = -male.levels
    elif kind == "foot":
        # Behind it there is the wall that it leans on.
        pulls = tuple(pull for pull in ACROSS if pull != ACROSS[turn])
        raised -= STANDARD.cap_mm if male["low"] else 0.0
    elif kind == "tongue":
        level, turn = female.levels, 0
        # Its slot narrows towards the front: it cannot swing away from the wall.
        pulls = (ACROSS[1], ACROSS[2], ACROSS[3])
    # Beads catch in a block's and a leg's whole tile; a single-sided battlement's do so as well.
    return Joint(
        f"{male.key} {kind} turned {turn} on {female.key} at {Tile(*cell)}",
        Placement(female, Tile(0, 0), 0),
        Placement(male, tile, level, turn, raised),
        pulls,
        clicks=kind in ("skirt", "legs"),
        rests=True,
    )


def _ties(catalogue: Catalogue) -> Iterator[Joint]:
    """Ties in every edge of a quadrant and of every rim strip, and what they join side by side."""
    first, tie = catalogue.quadrant, catalogue.tie
    last = max(col for _, col in first.footprint)
    ends = (catalogue.grid.tie_tile, last - catalogue.grid.tie_tile)
    for side, (row, col) in enumerate(SIDES):
        # The tie lies across the north edge of its tile: seen from `first` its own, or the next's.
        for at in ends:
            tile = (Tile(0, at), Tile(at, last), Tile(last, at), Tile(at, 0))[side]
            pulls = (ACROSS[side], ACROSS[(side + 1) % 4], ACROSS[(side + 3) % 4])
            name = f"tie {COMPASS[side]} of {first.key} at {tile}"
            yield Joint(
                name,
                Placement(first, Tile(0, 0), 0),
                Placement(tie, tile, 0, side),
                pulls,
                rests=False,
            )
        beside = Tile(row * (last + 1), col * (last + 1))
        for turn in range(4):
            yield Joint(
                f"{first.key} turned {turn} {COMPASS[side]} of {first.key}",
                Placement(first, Tile(0, 0), 0),
                Placement(first, beside, 0, turn),
                (ACROSS[(side + 2) % 4],),
                rests=False,
            )
    for strip in catalogue.family("rim"):
        for at in ends:
            yield Joint(
                f"tie at {at} of {strip.key}",
                Placement(strip, Tile(0, 0), 0),
                Placement(tie, Tile(0, at), 0),
                (ACROSS[1], ACROSS[2], ACROSS[3]),
                rests=False,
            )

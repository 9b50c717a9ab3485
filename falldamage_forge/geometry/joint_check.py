"""Joint check: every pair of pieces that the rules let touch, seated, sunk, pulled and lifted.

Parts are measured as their layers are printed (`layered_mesh`), not as their meshes. A joint is a
pair of placements. Seated, the parts share no volume. Sunk by 0.1 mm, the second intersects the
first (its height is exact). Pulled aside in each direction that must hold, it intersects the first.
Lifted off, it intersects the first if a snap fit is required. A part that is turned in is free on
its way. `fdforge prove` runs it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from falldamage_forge.board import Tile
from falldamage_forge.geometry.connector_standard import LAYER_MM, STANDARD, places_on
from falldamage_forge.geometry.csg import Solid, force_evaluation, translate
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.footprint import SIDES, Cell
from falldamage_forge.geometry.layered_mesh import printed_standing
from falldamage_forge.geometry.piece_mesh import placed_solid
from falldamage_forge.geometry.piece_style import PLAIN, PieceStyle
from falldamage_forge.geometry.sign_disc import TURN_DEG
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import Issue
from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.pieces.piece import Piece, Placement
from falldamage_forge.pieces.variants import open_sides, variants_of

Vector = tuple[float, float, float]

OVERLAP_MM3 = 0.01
"""Smaller shared volumes are rounding errors."""
SINK_MM = 0.1
PULL_MM = 0.6
"""Parts sunk or pulled this far must intersect: more than any gap."""
LIFTS_MM = (0.15, 0.25, 0.35, 0.5)
"""Lifts at which a bead is under the stud's overhang or passes it."""
DROPS_MM = tuple(LAYER_MM / 2 * step for step in range(17))
"""Places below its seat of a part that comes from below."""
TURN_STEPS = 12
NEAR_MM = 3.0
"""Solids are cropped to the other part's box plus this; no lift or pull reaches farther."""


@dataclass(frozen=True, slots=True)
class Joint:
    """Two placements that mate, `b` on or in `a`.

    `pulls` are directions in which `b` must not come away. `clicks` is true if `b` must pass an
    overlap when it is lifted. `rests` is true if `a` supports `b`. A tie is pressed in from below,
    a disc comes `from_below` turned by `turn_deg` about the middle of its tile, and is turned back.
    """

    name: str
    a: Placement
    b: Placement
    pulls: tuple[Vector, ...]
    clicks: bool = False
    rests: bool = True
    from_below: bool = False
    turn_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class JointReport:
    """Measured overlaps in mm³.

    Seated, sunk, pulled (least of all), lifted and turned in (greatest of all).
    """

    joint: Joint
    overlap_mm3: float
    sunk_mm3: float
    held_mm3: float
    click_mm3: float
    entry_mm3: float = 0.0

    def issues(self) -> Iterator[Issue]:
        """Yield an issue for each requirement that the joint fails."""
        name = self.joint.name
        if self.overlap_mm3 >= OVERLAP_MM3:
            message = f"{name}: the seated parts overlap by {self.overlap_mm3:.3f} mm³"
            yield Issue("FDF430", "error", message)
        if self.entry_mm3 >= OVERLAP_MM3:
            message = f"{name}: on the way in the parts overlap by {self.entry_mm3:.3f} mm³"
            yield Issue("FDF430", "error", message)
        if self.joint.rests and self.sunk_mm3 < OVERLAP_MM3:
            message = f"{name}: nothing supports it; sunk by {SINK_MM} mm it touches nothing"
            yield Issue("FDF431", "error", message)
        if self.joint.pulls and self.held_mm3 < OVERLAP_MM3:
            message = f"{name}: pulled {PULL_MM} mm, the parts come away"
            yield Issue("FDF432", "error", message)
        if self.joint.clicks and self.click_mm3 < OVERLAP_MM3:
            yield Issue("FDF435", "error", f"{name}: it lifts off without passing a bead")


ACROSS: tuple[Vector, ...] = ((0, 1, 0), (1, 0, 0), (0, -1, 0), (-1, 0, 0))
COMPASS = ("north", "east", "south", "west")
"""Names of the directions in `ACROSS`, in the order of `SIDES`."""


def check_joint(joint: Joint, fit: DesignParameters, style: PieceStyle = PLAIN) -> JointReport:
    """Return the overlaps of a joint when seated, sunk, pulled and lifted.

    Args:
        joint: Placements to measure; both parts are taken as their layers are printed.
        fit: Gaps of the printer.
        style: Relief of both parts.
    """
    near = near_box(joint, fit, style)
    a, b = (printed_standing(part, fit, near, style) for part in (joint.a, joint.b))
    return check_seated(joint, force_evaluation(a), force_evaluation(b))


def check_seated(joint: Joint, a: Solid, b: Solid) -> JointReport:
    """Return the overlaps of two solids that stand seated on the board.

    Args:
        joint: Joint of the two pieces.
        a: Solid of the first, on the board, in mm.
        b: Solid of the second, on the board, in mm.
    """
    pulled = [
        overlap_mm3(a, translate(b, *(PULL_MM * part for part in pull))) for pull in joint.pulls
    ]
    lifted = [overlap_mm3(a, translate(b, z_mm=lift)) for lift in LIFTS_MM] if joint.clicks else []
    entering = (overlap_mm3(a, part) for part in _entering(joint, b))
    return JointReport(
        joint,
        overlap_mm3(a, b),
        overlap_mm3(a, translate(b, z_mm=-SINK_MM)) if joint.rests else 0.0,
        min(pulled, default=0.0),
        max(lifted, default=0.0),
        max(entering, default=0.0),
    )


def _entering(joint: Joint, b: Solid) -> Iterator[Solid]:
    """Yield a part that is turned in, on its way up and then back to its seat."""
    if not joint.turn_deg:
        return
    x, y = joint.b.piece.grid.centre_mm(*joint.b.tile)

    def turned(angle_deg: float) -> Solid:
        return translate(translate(b, -x, -y).rotate((0, 0, angle_deg)), x, y)

    yield from (translate(turned(joint.turn_deg), z_mm=-drop) for drop in DROPS_MM)
    yield from (turned(joint.turn_deg * step / TURN_STEPS) for step in range(TURN_STEPS))


def near_box(joint: Joint, fit: DesignParameters, style: PieceStyle) -> tuple[float, ...]:
    """Return the box where both parts lie, grown by `NEAR_MM`.

    Args:
        joint: Joint of two pieces.
        fit: Design parameters of the printer and grid, in mm.
        style: Looks of the kit.
    """
    a, b = (placed_solid(part, fit, style).bounding_box() for part in (joint.a, joint.b))
    low = (max(one, other) - NEAR_MM for one, other in zip(a[:3], b[:3], strict=True))
    high = (min(one, other) + NEAR_MM for one, other in zip(a[3:], b[3:], strict=True))
    return (*low, *high)


def overlap_mm3(a: Solid, b: Solid) -> float:
    """Return the volume that two solids share, in mm³.

    Args:
        a: Solid in mm.
        b: Solid in the same frame.
    """
    return float((a ^ b).volume())


@dataclass(frozen=True, slots=True)
class Connectors:
    """Connector with which a builder's pieces enter others, and the connectors they accept."""

    enters: str = ""
    takes: tuple[str, ...] = ()


HEAD = ("skirt", "legs", "foot")
"""Connectors that any stud accepts."""
DEEP = (*HEAD, "blades", "hook")
"""Connectors that a stud with deep keyholes accepts."""
DECK = ("legs", "foot", "blades", "hook")
"""Connectors that a deck accepts; it carries no column."""
CONNECTORS: Mapping[str, Connectors] = {
    "quadrant": Connectors("", (*HEAD, "tie")),
    "rim-strip": Connectors("", ("tie",)),
    "tie": Connectors("tie"),
    "block": Connectors("skirt", DEEP),
    "step": Connectors("skirt", DEEP),
    "plank-bridge": Connectors("blades", DECK),
    "arch-bridge": Connectors("blades", DECK),
    "cap": Connectors("legs", DEEP),
    "disc": Connectors(),
    "ladder": Connectors("foot", ("tongue",)),
    "battlement": Connectors("legs"),
    "spire": Connectors("skirt"),
    "tree": Connectors("skirt"),
    "chest": Connectors(),
    "token": Connectors(),
    "stand": Connectors(),
    "wheel": Connectors(),
    "figure": Connectors(),
    "lifter": Connectors(),
    "tray": Connectors(),
    "die": Connectors(),
    "turned": Connectors(),
}
"""Connectors by builder; the joint check covers every piece whose builder is listed.

A `skirt` surrounds a tile, `legs` stand at its corners; `blades` are a deck's two ends, a ladder's
`foot` stands at one edge and its `hook` hangs in another tile's; a `tongue` joins two ladders.
"""
EDGED = ("foot", "blades", "hook")
"""Connectors that enter one edge of a tile, so that their seat has a side."""

Seat = tuple[Cell, int]
"""A cell of a top, and the side or the quarter turn of the piece that enters it."""


def connectors_of(piece: Piece) -> Connectors:
    """Return the connectors of a piece; none if its builder is not listed."""
    return CONNECTORS.get(piece.builder, Connectors())


def inserted_connectors(piece: Piece) -> tuple[str, ...]:
    """Return the connectors of a piece that enter others: of a ladder foot or slot, and hook."""
    kind = connectors_of(piece).enters
    if piece.builder != "ladder":
        return (kind,) if kind else ()
    part = piece["part"]
    ways = ("foot",) if part in ("whole", "lower") else ("tongue",)
    return (*ways, "hook") if part in ("whole", "upper") else ways


def accepted_connectors(piece: Piece) -> tuple[str, ...]:
    """Return the connectors that a piece accepts; only lower and middle ladders have a tongue.

    Water and lava that flow over an edge accept only what enters one of their other edges.
    """
    if piece.builder == "ladder" and piece["part"] not in ("lower", "middle"):
        return ()
    takes = connectors_of(piece).takes
    if opened := open_sides(piece):
        return tuple(kind for kind in takes if kind in EDGED and len(opened) < len(SIDES))
    return takes


def joints(catalogue: Catalogue, fit: DesignParameters) -> Iterator[Joint]:
    """Yield every kind of joint of the catalogue, at every quarter turn that differs.

    Each piece enters, at every turn or side, a small top. Each top accepts, at every seat, the
    smallest piece of a kind and one of every other builder. Variants mate alike, except for those
    that flow over an edge: they are pieces of their own here, and lie beside each other.

    Args:
        catalogue: Pieces to pair.
        fit: Gaps of the printer.
    """
    yield from _ties(catalogue)
    designs = tuple(catalogue.pieces.values())
    flows = tuple(part for piece in designs for part in variants_of(piece) if open_sides(part))
    yield from _side_by_side(flows)
    pieces = (*designs, *flows)
    tops = [piece for piece in pieces if accepted_connectors(piece)]
    for kind in (*DEEP, "tongue"):
        males = [piece for piece in pieces if kind in inserted_connectors(piece)]
        females = [piece for piece in tops if kind in accepted_connectors(piece)]
        seen = set()
        for joint in (*_on_small(males, females, kind), *_on_every(males, females, kind)):
            if joint.name not in seen:
                seen.add(joint.name)
                yield joint
    yield from _discs(catalogue)


def _on_small(males: list[Piece], females: list[Piece], kind: str) -> Iterator[Joint]:
    """Yield every piece at every turn on the smallest top that is large enough for it."""
    for male in males:
        wide = kind == "skirt" and len(male.footprint) > 1
        top = max(females, key=_area) if wide else smallest(females)[0]
        cells = top.footprint or ((0, 0),)
        cell = cells[len(cells) // 4] if wide else cells[0]
        for turn in range(4 if kind != "tongue" else 1):
            for end in (0, 2) if kind == "blades" else (0,):
                yield make_joint(male, top, (cell, turn), kind, end)


def _area(piece: Piece) -> int:
    return len(piece.footprint)


def _on_every(males: list[Piece], females: list[Piece], kind: str) -> Iterator[Joint]:
    first, *others = smallest(males)
    for female in females:
        seats = seats_of(female, kind)
        yield from (make_joint(first, female, seat, kind) for seat in seats)
        yield from (make_joint(other, female, seats[0], kind) for other in others)


def smallest(pieces: list[Piece]) -> list[Piece]:
    """Return the smallest piece of each builder, from small to large."""
    by_size = sorted(pieces, key=lambda piece: (max(1, len(piece.footprint)), piece.levels))
    first = {piece.builder: piece for piece in reversed(by_size)}
    return list(reversed(first.values()))


def seats_of(top: Piece, kind: str) -> list[Seat]:
    """Return the seats of a top for a connector: cells or sides with different surroundings.

    Args:
        top: Piece with a top.
        kind: Kind of the connector.
    """
    cells = top.footprint or ((0, 0),)
    deck = "blades" in inserted_connectors(top)
    seats: dict[object, Seat] = {}
    for cell in cells:
        around = tuple(
            (cell[0] + row, cell[1] + col) in cells for row in (-1, 0, 1) for col in (-1, 0, 1)
        )
        if kind not in EDGED:
            seats.setdefault(around, (cell, 0))
            continue
        for side, (row, col) in enumerate(SIDES):
            inner = (cell[0] + row, cell[1] + col) in cells
            shut = side in open_sides(top) or (deck and col)
            if not (inner and (deck or kind != "foot")) and not shut:
                seats.setdefault((around, side), (cell, side))
    return list(seats.values())


def top_of_mm(piece: Piece) -> float:
    """Return the height of a piece's top above its level in mm; decks hang below their level."""
    high = piece.grid.height_mm(piece.levels) if piece.builder == "block" else 0.0
    heights = {"step": places_on(piece.grid).step_mm, "cap": STANDARD.cap_mm}
    return heights.get(piece.builder, high)


def make_joint(male: Piece, female: Piece, seat: Seat, kind: str, end: int = 0) -> Joint:
    """Return the joint of two pieces, which may not fit.

    Args:
        male: Piece that enters.
        female: Piece that is entered.
        seat: Cell of `female`, and a side or quarter turn.
        kind: Connector of `male`.
        end: 2 for a deck's other end.
    """
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
        # A ladder stands on its foot or on the section below; its hook only holds.
        rests=kind != "hook",
    )


def _side_by_side(flows: Sequence[Piece]) -> Iterator[Joint]:
    """Yield each piece that flows over an edge, and the first of its family beyond that edge."""
    first = {piece.family: piece for piece in reversed(flows)}
    for piece in flows:
        other = first[piece.family]
        for side in open_sides(piece):
            yield Joint(
                f"{other.key} flows {COMPASS[side]} of {piece.key}",
                Placement(piece, Tile(0, 0), 0),
                Placement(other, Tile(*SIDES[side]), 0),
                (ACROSS[(side + 2) % 4],),
                rests=False,
            )


def _discs(catalogue: Catalogue) -> Iterator[Joint]:
    """Yield each disc in its start marker; only a turn lets it go."""
    markers = (piece for piece in catalogue.pieces.values() if piece.family == "start-marker")
    for marker in markers:
        for disc, _ in catalogue.companions(marker):
            yield Joint(
                f"{disc.key} in {marker.key}",
                Placement(marker, Tile(0, 0), 0),
                Placement(disc, Tile(0, 0), 0),
                (*ACROSS, (0, 0, 1), (0, 0, -1)),
                rests=False,
                from_below=True,
                turn_deg=TURN_DEG,
            )


def _ties(catalogue: Catalogue) -> Iterator[Joint]:
    """Yield ties in every edge of a quadrant and a rim strip, and the pairs that they join.

    Where magnets join them there are the pairs alone.
    """
    first, tie = catalogue.quadrant, catalogue.tie
    last = max(col for _, col in first.footprint)
    tiles = (catalogue.grid.tie_tile, last - catalogue.grid.tie_tile)
    ends = () if catalogue.magnets else tiles
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
                from_below=True,
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
                from_below=True,
            )

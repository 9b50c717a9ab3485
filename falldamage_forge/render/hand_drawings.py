"""Drawings of what hands do: how dials, starts and ladders go together, uses of ties and lifter.

Each picture shows the meshes of the build; the parts that move are red. `fdforge kit` writes the
pages beside the build sheets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from falldamage_forge.board import Tile
from falldamage_forge.geometry.sign_disc import TURN_DEG
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.languages.translator import Say
from falldamage_forge.pieces.piece import Piece, Placement
from falldamage_forge.render.pdf_pages import MARGIN_PT, PdfPages
from falldamage_forge.render.raster3d.renderer import QUICK, ColoredMesh, ViewAngle, photograph

if TYPE_CHECKING:
    from falldamage_forge.geometry.mesh import Mesh
    from falldamage_forge.printing.printer import Printer

RESTS, MOVES = "#cfc4ae", "#c8401a"
"""Colours of parts that lie still and of parts that move."""
STEPS_EACH = 3
"""Steps on a page."""
_PICTURE_PX = (880, 560)


@dataclass(frozen=True, slots=True)
class HandPart:
    """A part of a step: its key begins with `key`; it hangs `lift_mm` over its seat.

    `turn_deg` turns it counterclockwise about the middle of its tile. It `moves` in this step.
    """

    key: str
    lift_mm: float = 0.0
    turn_deg: float = 0.0
    tile: Tile = Tile(0, 0)
    level: int = 0
    moves: bool = False


@dataclass(frozen=True, slots=True)
class HandStep:
    """One picture and its sentence; `over` shows the parts lying on their heads."""

    title: str
    text: str
    parts: tuple[HandPart, ...]
    view: ViewAngle = ViewAngle()
    over: bool = False


WHEEL, STAND, FIGURE = HandPart("health-wheel"), HandPart("stand-"), HandPart("unit-")
BEHIND, NEAR = ViewAngle(turn_deg=205.0, tilt_deg=38.0), ViewAngle(turn_deg=25.0, tilt_deg=24.0)
STEPS = (
    HandStep(
        "Stand",
        "Lay the wheel on the table, its numbers up. Put the hub of the stand into it.",
        (WHEEL, HandPart("stand-", 14.0, moves=True)),
    ),
    HandStep(
        "Figure",
        "Push both legs of the figure through the stand until they click under the wheel.",
        (WHEEL, STAND, HandPart("unit-", 16.0, moves=True)),
        NEAR,
    ),
    HandStep(
        "Health",
        "Hold the figure and turn the wheel by its rim. The number behind the figure counts.",
        (HandPart("health-wheel", turn_deg=-108.0, moves=True), STAND, FIGURE),
        BEHIND,
    ),
    HandStep(
        "Another figure",
        "Hold the wheel and pull the figure straight up. Push the other one in: the Health stays.",
        (WHEEL, STAND, HandPart("unit-", 16.0, moves=True)),
        BEHIND,
    ),
    HandStep(
        "Ties",
        "Lay the quadrants on their heads, edge to edge. Press the ties in until both ends click.",
        (
            HandPart("quadrant"),
            HandPart("quadrant", tile=Tile(5, 0)),
            HandPart("tie", -14.0, tile=Tile(5, 0), moves=True),
            HandPart("tie", -14.0, tile=Tile(5, 4), moves=True),
        ),
        ViewAngle(70.0, 42.0, frame_mm=((90.0, 110.0, 0.0), (150.0, 190.0, 20.0))),
        over=True,
    ),
    HandStep(
        "Start marker",
        "Lay the start on its head. Put its disc in, bar up, and turn it by a sixth of a turn.",
        (HandPart("start-blue"), HandPart("start-disc-blue", -12.0, TURN_DEG, moves=True)),
        over=True,
    ),
    *(
        HandStep(
            "Ladder",
            "Hang the hooks into the keyhole at the head; lower the foot into the one at the base.",
            (
                HandPart("quadrant"),
                HandPart(f"block-1x1x{levels}"),
                HandPart(f"ladder-{levels}", 10.0, tile=Tile(1, 0), moves=True),
            ),
            ViewAngle(
                25.0, 24.0, frame_mm=((-10.0, -95.0, 0.0), (85.0, 10.0, 30.0 * levels + 14.0))
            ),
        )
        for levels in (2, 3, 1)
    ),
    HandStep(
        "Lifter",
        "Put both jaws into the grooves at two sides of a block, press them together, and pull.",
        (
            HandPart("block-1x1x1"),
            HandPart("block-1x1x1", tile=Tile(0, 1), lift_mm=12.0, moves=True),
            HandPart("lifter", tile=Tile(0, 1), level=1, lift_mm=12.0, moves=True),
            HandPart("block-1x1x1", tile=Tile(0, 2)),
        ),
        NEAR,
    ),
)
"""All steps in order; those are shown whose parts a build has, one of each title."""


def steps_of(pieces: Mapping[str, Piece]) -> Iterator[tuple[HandStep, tuple[Piece, ...]]]:
    """Yield the first step of each title whose parts are all there, with the piece of each part.

    Args:
        pieces: Pieces of a build by key.
    """
    shown = set()
    for step in STEPS:
        found = [
            next((pieces[key] for key in sorted(pieces) if key.startswith(part.key)), None)
            for part in step.parts
        ]
        known = tuple(piece for piece in found if piece is not None)
        if len(known) == len(found) and step.title not in shown:
            shown.add(step.title)
            yield step, known


def hand_pages(
    pieces: Mapping[str, Piece],
    meshes: Mapping[str, Mesh],
    printer: Printer,
    size: str = "a4",
    say: Say = str,
) -> bytes | None:
    """Return the PDF of all steps whose parts a build has; None if it has none.

    Args:
        pieces: Pieces of the build by key.
        meshes: Mesh of each in print pose.
        printer: Printer whose gaps the meshes have.
        size: `a4` or `letter`.
        say: Translates each text.
    """
    shown = list(steps_of(pieces))
    if not shown:
        return None
    paper = PdfPages(size, "How parts go together", say)
    wide = paper.width_pt - 2 * MARGIN_PT
    each = (paper.height_pt - 2 * MARGIN_PT) / STEPS_EACH
    for number, (step, own) in enumerate(shown):
        if number % STEPS_EACH == 0:
            paper.new_page("The parts that move are red")
        y = MARGIN_PT + number % STEPS_EACH * each
        paper.text(f"{number + 1}  {say(step.title)}", MARGIN_PT, y + 12, 13, bold=True)
        for line, words in enumerate(paper.wrap(step.text, 10.5, wide)):
            paper.text(words, MARGIN_PT, y + 28 + 13 * line, 10.5)
        picture = step_picture(step, own, meshes, printer)
        paper.photo(picture, MARGIN_PT, y + 48, wide, each - 58)
    return paper.finish()


def step_picture(
    step: HandStep, pieces: tuple[Piece, ...], meshes: Mapping[str, Mesh], printer: Printer
) -> bytes:
    """Return the picture of a step, a PNG.

    Args:
        step: Step to draw.
        pieces: Piece of each of its parts.
        meshes: Meshes by key, in print pose.
        printer: Printer whose gaps the meshes have.
    """
    bodies = [
        _posed(part, piece, meshes[piece.key], printer, step.over)
        for part, piece in zip(step.parts, pieces, strict=True)
    ]
    return photograph(bodies, *_PICTURE_PX, clear=True, view=step.view, grain=QUICK)


def _posed(part: HandPart, piece: Piece, mesh: Mesh, printer: Printer, over: bool) -> ColoredMesh:
    import numpy as np

    from falldamage_forge.geometry.piece_mesh import place

    corners = place(mesh, Placement(piece, part.tile, part.level), printer).vertices
    middle = np.array([*piece.grid.centre_mm(*part.tile), 0.0])
    angle = np.radians(part.turn_deg)
    cos, sin = np.cos(angle), np.sin(angle)
    turned = (corners - middle) @ np.array([[cos, sin, 0], [-sin, cos, 0], [0, 0, 1]])
    moved = turned + middle + (0.0, 0.0, part.lift_mm)
    if over:
        moved *= (1.0, -1.0, -1.0)
    return ColoredMesh(moved.astype(np.float32)[mesh.faces], MOVES if part.moves else RESTS)

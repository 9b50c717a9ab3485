"""Drawings of what hands do: how dials and each joint of a table go together, use of the lifter.

Each picture shows the meshes of the build; the parts that move are red. `fdforge build` and
`fdforge kit` write the pages beside the build sheets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from typing import TYPE_CHECKING

from falldamage_forge.board import Feature, Ground, Tile
from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.geometry.sign_disc import TURN_DEG
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.infra.process_pool import PoolFuture, submit
from falldamage_forge.languages.translator import Say
from falldamage_forge.pieces.piece import Piece, Placement
from falldamage_forge.render.image_cache import cached_page, is_page_cached
from falldamage_forge.render.pdf_pages import MARGIN_PT, PdfPages
from falldamage_forge.render.raster3d.renderer import QUICK, ColoredMesh, ViewAngle, photograph
from falldamage_forge.render.viewer_meshes import models_of

if TYPE_CHECKING:
    from falldamage_forge.printing.printer import Printer

RESTS, MOVES = "#cfc4ae", "#c8401a"
"""Colours of parts that lie still and of parts that move."""
STEPS_EACH = 3
"""Steps on a page."""
_PICTURE_PX = (660, 420)
_TITLE, _FOOTER = "How parts go together", "The parts that move are red"


@dataclass(frozen=True, slots=True)
class HandPart:
    """A part of a step: its key begins with `key`; it hangs `lift_mm` over its seat.

    `turn_deg` turns it counterclockwise about the middle of its tile. It `moves` in this step. A
    magnet that `lies` is flat there, its upper face at its seat.
    """

    key: str
    lift_mm: float = 0.0
    turn_deg: float = 0.0
    tile: Tile = Tile(0, 0)
    level: int = 0
    moves: bool = False
    lies: bool = False


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


def _columns(levels: int, *tiles: Tile) -> Iterator[tuple[HandPart, ...]]:
    """Yield columns on some tiles: of one block each, of blocks of a level, and none at all."""
    yield tuple(HandPart(f"block-1x1x{levels}", tile=tile) for tile in tiles)
    yield tuple(
        HandPart("block-1x1x1", tile=tile, level=level) for tile in tiles for level in range(levels)
    )
    yield ()


def _bridges(title: str, family: str) -> Iterator[HandStep]:
    """Yield a bridge of each span between two columns."""
    text = "Lower both ends into the keyholes of the two edges."
    for alone, span in product((False, True), (1, 2, 3, 4)):
        way = HandPart(f"{family}-{span}", 14.0, tile=Tile(0, 1), level=1, moves=True)
        for columns in _columns(1, Tile(0, 0), Tile(0, span + 1)):
            if bool(columns) is not alone:
                yield HandStep(title, text, (*columns, way), NEAR)


def _ladders() -> Iterator[HandStep]:
    """Yield a ladder of each length at a wall."""
    text = "Hang the hooks into the keyhole at the head; lower the foot into the one at the base."
    for alone, levels in product((False, True), (2, 3, 1, 4, 5)):
        frame = ((-10.0, -95.0, 0.0), (85.0, 10.0, 30.0 * levels + 14.0))
        ladder = HandPart(f"ladder-{levels}", 10.0, tile=Tile(1, 0), moves=True)
        for wall in _columns(levels, Tile(0, 0)):
            if bool(wall) is not alone:
                parts = (HandPart("quadrant"), *wall, ladder)
                yield HandStep("Ladder", text, parts, ViewAngle(25.0, 24.0, frame_mm=frame))


def _on_tile(title: str, text: str, key: str, high_mm: float) -> HandStep:
    """Return the step that sets a part on a tile of the base, with the part's height in mm."""
    frame = ((15.0, -75.0, 0.0), (75.0, -15.0, high_mm + 16.0))
    part = HandPart(key, 16.0, tile=Tile(1, 1), moves=True)
    return HandStep(title, text, (HandPart("quadrant"), part), replace(NEAR, frame_mm=frame))


GROUNDS = tuple(ground for ground in Ground if ground is not Ground.GROUND)
_TOPPER = "Lay it into the groove around its tile, and press it down."
_FOOT = "Tear off the ears at its foot. Press it down over the stone of its tile until it clicks."
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
        "Magnets",
        "Take the magnets from one stack and dot the upper face of each. Press them in: at a + the"
        " dot faces out of the edge, at a - it faces in. Then any edges pull each other.",
        (
            HandPart("quadrant"),
            HandPart("magnet-", -9.0, moves=True),
            HandPart("magnet-", -9.0, 90.0, moves=True),
        ),
        ViewAngle(110.0, 52.0, frame_mm=((0.0, 0.0, 0.0), (30.0, 30.0, 18.0))),
        over=True,
    ),
    HandStep(
        "Magnets of blocks",
        "Lay a magnet into each post while the print pauses. Press one into each foot later, and"
        " one under each stone of the base. The dot always goes in first.",
        (
            HandPart("block-1x1x1@magnets-"),
            HandPart("magnet-", -8.0, moves=True, lies=True),
        ),
        ViewAngle(20.0, 50.0),
        over=True,
    ),
    _on_tile(
        "Block",
        "Set it on the groove around its tile. Press two opposite sides down until they click.",
        "block-1x1",
        60.0,
    ),
    _on_tile(
        "Block",
        "Set it on the groove around its tiles. Press all sides down until they click.",
        "block-",
        60.0,
    ),
    *(_on_tile(word.title(), _TOPPER, word, 20.0) for word in GROUNDS),
    *_bridges("Bridge", "bridge"),
    *_bridges("Arch", "arch"),
    *_ladders(),
    *(_on_tile(word.title(), _FOOT, word, 70.0) for word in Feature),
    HandStep(
        "Start marker",
        "Lay the start on its head. Put its disc in, bar up, and turn it by a sixth of a turn.",
        (HandPart("start-blue"), HandPart("start-disc-blue", -12.0, TURN_DEG, moves=True)),
        over=True,
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
"""All steps in order; those are shown whose parts a build has, the first of each title."""


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


def parts_of(pieces: Mapping[str, Piece]) -> dict[str, Piece]:
    """Return the pieces that the pictures show, by key.

    Args:
        pieces: Pieces of a build by key.
    """
    return {piece.key: piece for _, own in steps_of(pieces) for piece in own}


def begin_hand_pages(
    pieces: Mapping[str, Piece],
    meshes: Mapping[str, Mesh],
    printer: Printer,
    size: str = "a4",
    say: Say = str,
) -> Callable[[], bytes | None]:
    """Start the pictures of all steps whose parts a build has in the process pool.

    Nothing is started for pages that are cached.

    Args:
        pieces: Pieces of the build by key.
        meshes: Mesh of each in print pose.
        printer: Printer whose gaps the meshes have.
        size: `a4` or `letter`.
        say: Translates each text.

    Returns:
        A function that returns the PDF; None if the build has no such parts.
    """
    shown = list(steps_of(pieces))
    if not shown:
        return lambda: None
    held = parts_of(pieces)
    words = [say(text) for step, _ in shown for text in (step.title, step.text)]
    about = repr((size, words, say(_TITLE), say(_FOOTER), held, printer))
    content = (about.encode(), *(meshes[key].digest().encode() for key in held))
    ask = PoolFuture if is_page_cached("hands", content) else submit
    begun = [
        ask(partial(step_picture, step, own, {one.key: meshes[one.key] for one in own}, printer))
        for step, own in shown
    ]

    def draw() -> bytes:
        pictures = [future.result() for future in reversed(begun)]
        return _drawn([step for step, _ in shown], pictures[::-1], size, say)

    return lambda: cached_page("hands", content, draw)


def _drawn(shown: Sequence[HandStep], pictures: Sequence[bytes], size: str, say: Say) -> bytes:
    """Return the PDF of some steps with their pictures."""
    paper = PdfPages(size, _TITLE, say)
    wide = paper.width_pt - 2 * MARGIN_PT
    each = (paper.height_pt - 2 * MARGIN_PT) / STEPS_EACH
    for number, (step, picture) in enumerate(zip(shown, pictures, strict=True)):
        if number % STEPS_EACH == 0:
            paper.new_page(_FOOTER)
        y = MARGIN_PT + number % STEPS_EACH * each
        paper.text(f"{number + 1}  {say(step.title)}", MARGIN_PT, y + 12, 13, bold=True)
        for line, words in enumerate(paper.wrap(step.text, 10.5, wide)):
            paper.text(words, MARGIN_PT, y + 28 + 13 * line, 10.5)
        paper.photo(picture, MARGIN_PT, y + 48, wide, each - 58)
    return paper.finish()


def step_picture(
    step: HandStep, pieces: tuple[Piece, ...], meshes: Mapping[str, Mesh], printer: Printer
) -> bytes:
    """Return the picture of a step, a JPEG.

    Args:
        step: Step to draw.
        pieces: Piece of each of its parts.
        meshes: Meshes by key, in print pose.
        printer: Printer whose gaps the meshes have.
    """
    models = models_of({piece.key: piece for piece in pieces}, meshes)
    light = {key: Mesh(model.vertices, model.faces) for key, model in models.items()}
    bodies = [
        _posed(part, piece, light[piece.key], printer, step.over)
        for part, piece in zip(step.parts, pieces, strict=True)
    ]
    return photograph(bodies, *_PICTURE_PX, clear=True, view=step.view, grain=QUICK, form="jpeg")


def _posed(part: HandPart, piece: Piece, mesh: Mesh, printer: Printer, over: bool) -> ColoredMesh:
    import numpy as np

    from falldamage_forge.geometry.piece_mesh import place

    corners = place(mesh, Placement(piece, part.tile, part.level), printer).vertices
    middle = np.array([*piece.grid.centre_mm(*part.tile), 0.0])
    if part.lies:
        corners = corners[:, [0, 2, 1]] * (1.0, -1.0, 1.0)
        seat = (corners.min(axis=0) + corners.max(axis=0)) / 2
        corners = corners + middle - (*seat[:2], corners[:, 2].max())
    angle = np.radians(part.turn_deg)
    cos, sin = np.cos(angle), np.sin(angle)
    turned = (corners - middle) @ np.array([[cos, sin, 0], [-sin, cos, 0], [0, 0, 1]])
    moved = turned + middle + (0.0, 0.0, part.lift_mm)
    if over:
        moved *= (1.0, -1.0, -1.0)
    return ColoredMesh(moved.astype(np.float32)[mesh.faces], MOVES if part.moves else RESTS)

"""Build sheets: the parts to lay out, then step by step where each one goes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from falldamage_forge.board import DIRECTIONS, Board, Tile
from falldamage_forge.lengths import GRID, Grid
from falldamage_forge.pieces.model import Piece, Placement
from falldamage_forge.pool import Task, begin
from falldamage_forge.render.isometric import isometric
from falldamage_forge.render.kept import remembered_page
from falldamage_forge.render.palette import LIGHT
from falldamage_forge.render.paper import FAINT, MARGIN_PT, Paper
from falldamage_forge.render.scene import Drawing, Path, Pen
from falldamage_forge.render.steps import LADDERS, Step, steps
from falldamage_forge.render.topdown import MARGIN as MAP_MARGIN
from falldamage_forge.render.topdown import RIM, topdown

if TYPE_CHECKING:
    from falldamage_forge.geometry.mesh import Mesh

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_MAP_TILE_PX = 40.0
_CELL_PT = (128.0, 122.0)
_PICTURE_PX = 260


@dataclass(frozen=True, slots=True)
class Thumb:
    """A picture of a piece: PNG bytes of a square."""

    png: bytes


def thumbs(pieces: Mapping[str, Piece], meshes: Mapping[str, Mesh]) -> dict[str, Thumb]:
    """Pictures of pieces by key, as they stand on the table; `meshes` in print pose."""
    return shown(begin_thumbs(pieces, meshes))


def begin_thumbs(pieces: Mapping[str, Piece], meshes: Mapping[str, Mesh]) -> dict[str, Task[Thumb]]:
    """The same, begun."""
    return {key: begin(partial(_thumb, piece, meshes[key])) for key, piece in pieces.items()}


def shown(begun: Mapping[str, Task[Thumb]]) -> dict[str, Thumb]:
    """Pictures that were begun, by key, sorted."""
    found = {key: begun[key].result() for key in reversed(list(begun))}
    return dict(sorted(found.items()))


def _thumb(piece: Piece, mesh: Mesh) -> Thumb:
    from falldamage_forge.geometry.build import play_transform
    from falldamage_forge.render.models import SEEN_MM, models_of
    from falldamage_forge.render.photo.picture import QUICK, Body, photograph

    model = models_of({piece.key: piece}, {piece.key: mesh}, SEEN_MM)[piece.key]
    turn = play_transform(piece)
    corners = (model.vertices @ turn[:3, :3].T).astype("f4")
    body, size = Body(corners[model.faces], model.colour), (_PICTURE_PX, _PICTURE_PX)
    return Thumb(photograph([body], *size, clear=True, grain=QUICK))


def sheets(
    title: str,
    board: Board,
    placements: Sequence[Placement],
    pictures: Mapping[str, Thumb],
    size: str = "a4",
    photo: bytes | None = None,
    kind: type[Paper] = Paper,
) -> bytes:
    """The PDF of a plan on `a4` or `letter`; pieces without a picture get an empty frame.

    `photo`, a PNG or JPEG of the finished board, stands on the cover in place of a drawing. Another
    `kind` of paper gives other bytes, such as HTML.
    """
    words = repr((title, board, tuple(placements), size, sorted(pictures), kind.__name__))
    seen = (words.encode(), *(pictures[key].png for key in sorted(pictures)), photo or b"")

    def draw() -> bytes:
        paper = kind(size, f"{title}: how to build it")
        return _drawn(paper, title, board, placements, pictures, photo)

    return remembered_page("sheets", seen, draw)


def _drawn(
    paper: Paper,
    title: str,
    board: Board,
    placements: Sequence[Placement],
    pictures: Mapping[str, Thumb],
    photo: bytes | None,
) -> bytes:
    parts = steps(board, placements)
    _cover(paper, title, board, parts, photo)
    _parts(paper, title, parts, pictures)
    y = paper.height_pt
    for number, step in enumerate(parts, start=1):
        heading = f"Step {number} of {len(parts)}: {step.title}"
        y = _step(paper, title, heading, step, pictures, y)
    return paper.finish()


def grid_of(parts: Sequence[Step]) -> Grid:
    """The size of what is placed."""
    return next((one.piece.grid for step in parts for one in step.placements), GRID)


def _totals(parts: Sequence[Step]) -> dict[str, tuple[Piece, int]]:
    """Each piece with its count over all steps, by key."""
    totals: dict[str, tuple[Piece, int]] = {}
    for step in parts:
        pieces = step.pieces()
        for key, count in step.counts().items():
            totals[key] = (pieces[key], count + (totals[key][1] if key in totals else 0))
    return dict(sorted(totals.items()))


def _cover(
    paper: Paper, title: str, board: Board, parts: Sequence[Step], photo: bytes | None
) -> None:
    paper.new_page(title)
    wide = paper.width_pt - 2 * MARGIN_PT
    paper.text(title, MARGIN_PT, 72, 26, bold=True)
    count = sum(len(step.placements) for step in parts)
    words = f"{board.cols} x {board.rows} tiles, {board.highest} levels, {count} parts, "
    paper.text(f"{words}{len(parts)} steps", MARGIN_PT, 92, 11, colour=FAINT)
    if photo is None:
        picture = isometric(board, grid=grid_of(parts))
        used = paper.drawing(picture, MARGIN_PT, 110, wide, paper.height_pt - 330)
    else:
        used = paper.photo(photo, MARGIN_PT, 110, wide, paper.height_pt - 330)
    y = 110 + used + 24
    for number, step in enumerate(parts, start=1):
        amount = len(step.placements)
        words = f"{number}  {step.title}: {amount} part{'s' * (amount != 1)}"
        paper.text(words, MARGIN_PT + (number - 1) % 2 * wide / 2, y, 10)
        y += 15 * (number % 2 == 0)


def _parts(paper: Paper, title: str, parts: Sequence[Step], pictures: Mapping[str, Thumb]) -> None:
    """A page or more of cells: picture, count, name."""
    totals = list(_totals(parts).values())
    wide, high = _CELL_PT
    across = int((paper.width_pt - 2 * MARGIN_PT) // wide)
    down = int((paper.height_pt - 2 * MARGIN_PT - 60) // high)
    for start in range(0, len(totals), across * down):
        paper.new_page(title)
        paper.text("Parts needed", MARGIN_PT, 66, 18, bold=True)
        for place, (piece, count) in enumerate(totals[start : start + across * down]):
            x = MARGIN_PT + place % across * wide
            y = 84 + place // across * high
            paper.box(x, y, wide - 8, high - 8)
            if piece.key in pictures:
                paper.image(pictures[piece.key].png, x + 24, y + 3, 72, 72)
            paper.text(f"{count} x", x + wide - 16, y + 18, 13, bold=True, anchor=1.0)
            paper.text(piece.key, x + 6, y + 86, 9, bold=True)
            for line, words in enumerate(paper.wrap(piece.title, 7.5, wide - 20)[:2]):
                paper.text(words, x + 6, y + 96 + 9 * line, 7.5, colour=FAINT)


def _step(
    paper: Paper,
    title: str,
    heading: str,
    step: Step,
    pictures: Mapping[str, Thumb],
    y: float,
) -> float:
    """A map with the new parts outlined and lettered, the board afterwards, and the list.

    It begins at `y` if there is room, else on a new page; the y below it is returned.
    """
    wide = paper.width_pt - 2 * MARGIN_PT
    letters = dict(zip(step.counts(), _letters(len(step.counts())), strict=True))
    plan = _with_outlines(step, letters)
    tall = min(wide * 0.47 * plan.height / plan.width, 430.0)
    if y + tall + 36 + 44 * len(letters) > paper.height_pt - MARGIN_PT:
        paper.new_page(title)
        y = 64.0
    paper.text(heading, MARGIN_PT, y, 16, bold=True)
    used = paper.drawing(plan, MARGIN_PT, y + 12, wide * 0.47, tall)
    after = isometric(step.board, legend=False, grid=grid_of([step]))
    small = paper.drawing(after, MARGIN_PT + wide * 0.5, y + 24, wide * 0.5, tall - 40)
    middle = MARGIN_PT + wide * 0.75
    paper.text("afterwards", middle, y + 38 + small, 9, colour=FAINT, anchor=0.5)
    y += 12 + used + 24
    for key in step.counts():
        y = _list(paper, title, heading, step, (key, letters[key]), pictures.get(key), y)
    return y + 22


def _list(
    paper: Paper,
    title: str,
    heading: str,
    step: Step,
    named: tuple[str, str],
    picture: Thumb | None,
    y: float,
) -> float:
    """One piece of a step: letter, picture, count and where its copies go; the y below it."""
    key, letter = named
    copies = [placement for placement in step.placements if placement.piece.key == key]
    spots = ", ".join(map(_spot, copies))
    lines = paper.wrap(spots, 9, paper.width_pt - 2 * MARGIN_PT - 72)
    first = True
    while lines:
        room = int((paper.height_pt - MARGIN_PT - y - 16) // 12)
        if room < min(len(lines), 3):
            paper.new_page(title)
            paper.text(f"{heading}, continued", MARGIN_PT, 64, 14, bold=True)
            y = 92.0
            continue
        now, lines = lines[:room], lines[room:]
        if picture is not None:
            paper.image(picture.png, MARGIN_PT + 22, y - 12, 40, 40)
        paper.text(letter, MARGIN_PT + 10, y + 12, 15, bold=True, anchor=0.5)
        # The count stands once, so that the counts of all pages add up to the piece list.
        head = f"{len(copies)} x {key}" if first else f"{key}, continued"
        paper.text(head, MARGIN_PT + 70, y, 10.5, bold=True)
        beside = MARGIN_PT + 78 + paper.width(head, 10.5, bold=True)
        paper.text(copies[0].piece.title, beside, y, 9, colour=FAINT)
        for words in now:
            y += 12
            paper.text(words, MARGIN_PT + 70, y, 9)
        y += max(20.0, 42.0 - 12 * len(now))
        first = False
    return y


def _letters(count: int) -> list[str]:
    """A, B, … Z, AA, AB, …"""
    return [
        (LETTERS[number // 26 - 1] if number >= 26 else "") + LETTERS[number % 26]
        for number in range(count)
    ]


def _spot(placement: Placement) -> str:
    """Where a part goes: all its tiles, its level when it does not lie on the base.

    A rectangle of tiles is told by its corners; of a ladder the tile it leans on, of a bridge the
    tiles it rests on are told as well.
    """
    family = placement.piece.family
    if family in LADDERS:
        return _climb(placement)
    tiles = placement.tiles() or (placement.tile,)
    rows, cols = [tile.row for tile in tiles], [tile.col for tile in tiles]
    first, last = Tile(min(rows), min(cols)), Tile(max(rows), max(cols))
    words = str(first) if first == last else f"{first}-{last}"
    if len(tiles) < (last.row - first.row + 1) * (last.col - first.col + 1):
        words = "+".join(map(str, tiles))
    if family == "bridge":
        way = (1, 0) if placement.quarter_turns % 2 else (0, 1)
        words += f" from {tiles[0].step((-way[0], -way[1]))} to {tiles[-1].step(way)}"
    return f"{words} (level {placement.level})" if placement.level else words


def _climb(placement: Placement) -> str:
    """A ladder's two ends: its foot and what it leans on, with their levels."""
    foot, low = placement.tile, placement.level
    top = foot.step(DIRECTIONS[placement.quarter_turns % 4])
    return f"{foot} (level {low}) up to {top} (level {low + placement.piece.levels})"


def _with_outlines(step: Step, letters: Mapping[str, str]) -> Drawing:
    """The map of a step, pale, with a bold lettered outline round every new part."""
    drawing = topdown(step.board, legend=False, tile_px=_MAP_TILE_PX, grid=grid_of([step]))
    pen = Pen(list(drawing.shapes))
    origin = MAP_MARGIN + RIM
    for placement in step.placements:
        tiles = placement.tiles() or (placement.tile,)
        colour = LIGHT.marks[1]
        if len(tiles) < 25:
            for tile in tiles:
                pen.fill(_square(tile, origin, 0.04), colour, 0.24)
        for edge in _outline(tiles, origin):
            pen.line(edge, colour, 3.0)
        row = sum(tile.row for tile in tiles) / len(tiles) + 0.5
        col = sum(tile.col for tile in tiles) / len(tiles) + 0.5
        at = (origin + col * _MAP_TILE_PX, origin + row * _MAP_TILE_PX + 6)
        letter = letters[placement.piece.key]
        pen.text(letter, at, 12, "#ffffff", anchor=0.5, weight=0.5)
        pen.text(letter, at, 12, "#20180f", anchor=0.5, weight=0.18)
    return replace(drawing, shapes=tuple(pen.shapes))


def _square(tile: Tile, origin: float, inset: float) -> Path:
    low_x, low_y = (
        origin + (tile.col + inset) * _MAP_TILE_PX,
        origin + (tile.row + inset) * _MAP_TILE_PX,
    )
    side = (1 - 2 * inset) * _MAP_TILE_PX
    return (
        (low_x, low_y),
        (low_x + side, low_y),
        (low_x + side, low_y + side),
        (low_x, low_y + side),
    )


def _outline(tiles: Sequence[Tile], origin: float) -> list[Path]:
    """The edges of some tiles that do not lie between two of them, drawn in a little."""
    inside = set(tiles)
    edges: list[Path] = []
    for tile in tiles:
        a, b, c, d = _square(tile, origin, 0.05)
        for offset, edge in (
            ((-1, 0), (a, b)),
            ((0, 1), (b, c)),
            ((1, 0), (c, d)),
            ((0, -1), (d, a)),
        ):
            if tile.step(offset) not in inside:
                edges.append(edge)
    return edges

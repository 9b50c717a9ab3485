"""Build sheets: a PDF with the parts to lay out, then each step with the places of its parts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from falldamage_forge.board import DIRECTIONS, Board, Tile, column_name
from falldamage_forge.export.filament_list import change_note, filament_rows, step_rows
from falldamage_forge.infra.lazy_dataclass import FrozenDict, dataclass
from falldamage_forge.infra.process_pool import submit
from falldamage_forge.languages.translator import ENGLISH, spoken
from falldamage_forge.lengths import MAGNETS
from falldamage_forge.pieces.bought import magnet_piece, magnets_in, magnets_of
from falldamage_forge.pieces.building_order import LADDERS, TIES
from falldamage_forge.pieces.model_keys import model_origin
from falldamage_forge.pieces.piece import Piece, Placement
from falldamage_forge.pieces.plan import seam_of
from falldamage_forge.pieces.variants import design_of
from falldamage_forge.printing.filament_plan import FilamentPlan
from falldamage_forge.printing.supports import is_supported
from falldamage_forge.render.build_steps import (
    HAND_WORDS,
    BuildStep,
    grid_of,
    magnet_words,
    steps,
)
from falldamage_forge.render.image_cache import cached_page
from falldamage_forge.render.isometric import PictureSeries, isometric
from falldamage_forge.render.isometric_models import SeenModel
from falldamage_forge.render.legend import size_words
from falldamage_forge.render.page_layout import (
    GAP_PT,
    StepBlock,
    fitting,
    grown,
    least_pt,
    place_pt,
    with_models,
)
from falldamage_forge.render.pdf_pages import FAINT, MARGIN_PT, PdfPages
from falldamage_forge.render.step_map import step_map

if TYPE_CHECKING:
    from falldamage_forge.geometry.mesh import Mesh

BACK_PT = 110.0
"""Least height of the picture from behind on the cover."""
_CELL_PT = (128.0, 122.0)
_PICTURE_PX = 260
_STEP_PT = 172.0
"""Least height of a step's map: three steps with a piece each fit on a page."""
_TILE_PT = 15.0
"""Least height of a tile on a step's map, where letters are still legible."""
_MAP_SHARE = 0.47
"""Share of a page's width for a step's map."""
_AROUND_PT = 32.0 + GAP_PT
"""Height of a step's heading and gaps."""
_FILLED = 0.6
"""Share of a page from which on it may end before a step that does not fit."""
_LINES = 3
"""Least lines of a piece's places before a page ends."""
_TOP_PT, _CELLS_PT, _BELOW_PT = 64.0, 84.0, 20.0
"""The y of the first heading and of the first parts on a page, and the gap below the parts."""
_MOST_CELL = 2.0
"""Greatest growth of the cells of parts that would leave a page half empty."""

SUPPORTED = "print it with supports: the files of its plate switch them on for it alone"

Thumbnail = bytes
"""Picture of a piece: a square PNG."""


def thumbs(pieces: Mapping[str, Piece], meshes: Mapping[str, Mesh]) -> dict[str, Thumbnail]:
    """Return pictures of pieces by key, sorted, as they stand on the table.

    The magnets that pieces hold are drawn too. The process pool shares the work.

    Args:
        pieces: Pieces by key.
        meshes: Mesh of each in print pose, in mm.
    """
    begun = {key: submit(partial(_thumb, piece, meshes[key])) for key, piece in pieces.items()}
    bought = magnets_in(pieces)
    begun |= {key: submit(partial(_bought_thumb, one)) for key, one in bought.items()}
    pictures = {key: begun[key].result() for key in reversed(list(begun))}
    return dict(sorted(pictures.items()))


def first_looks(pieces: Mapping[str, Piece]) -> dict[str, Piece]:
    """Return the first look of each design by key, sorted: sheets show it for all looks.

    Args:
        pieces: Pieces by key.
    """
    found: dict[str, str] = {}
    for key in sorted(pieces):
        found.setdefault(design_of(pieces[key]).key, key)
    return {key: pieces[key] for key in found.values()}


def _bought_thumb(piece: Piece) -> Thumbnail:
    from falldamage_forge.geometry.csg import to_mesh
    from falldamage_forge.geometry.design_parameters import DesignParameters
    from falldamage_forge.geometry.piece_mesh import build_solid

    return _thumb(piece, to_mesh(build_solid(piece, DesignParameters())))


def _thumb(piece: Piece, mesh: Mesh) -> Thumbnail:
    from falldamage_forge.geometry.piece_mesh import play_transform
    from falldamage_forge.render.raster3d.renderer import QUICK, ColoredMesh, photograph
    from falldamage_forge.render.viewer_meshes import models_of

    model = models_of({piece.key: piece}, {piece.key: mesh})[piece.key]
    turn = play_transform(piece)
    corners = (model.vertices @ turn[:3, :3].T).astype("f4")
    body, size = ColoredMesh(corners[model.faces], model.colour), (_PICTURE_PX, _PICTURE_PX)
    return photograph([body], *size, clear=True, grain=QUICK)


def sheets(
    title: str,
    board: Board,
    placements: Sequence[Placement],
    pictures: Mapping[str, Thumbnail],
    size: str = "a4",
    photo: bytes | None = None,
    looks: bool = False,
    kind: type[PdfPages] = PdfPages,
    filaments: FilamentPlan | None = None,
    tops: str = "",
    back: bytes | None = None,
    language: str = ENGLISH,
    ways: Mapping[int, str] = FrozenDict(),
    models: Sequence[SeenModel] = (),
) -> bytes:
    """Return the build sheets of a plan.

    Args:
        title: Title of the map.
        board: Finished board.
        placements: Plan of the board.
        pictures: Picture of each piece by key; a missing one gives an empty frame.
        size: `a4` or `letter`.
        photo: PNG or JPEG of the finished board for the cover; None for a drawing.
        looks: True to ask for the look of each part; False for any part of its design.
        kind: Class of pages: `PdfPages`, or `HtmlPages` for HTML.
        filaments: Filaments and the order to load them, on a page of their own; None for none.
        tops: Key of `tones.PALETTES` for the colours of tops; empty for none.
        back: The same as `photo` from the other side; None for none.
        language: Name of the language of the texts.
        ways: Words on the way in of each part that does not go straight down, by its index.
        models: Models of others as they are drawn once they are placed.

    Returns:
        Bytes of the file.
    """
    if not looks:
        placements, pictures = _by_design(placements, pictures)
    about = (title, board, tuple(placements), size, sorted(pictures), kind.__name__, language)
    drawn_models = tuple((sorted(model.faces.items()), model.top) for model in models)
    words = repr((*about, filaments, tops, sorted(ways.items()), *drawn_models))
    shown = (*(pictures[key] for key in sorted(pictures)), photo or b"", back or b"")
    seen = (words.encode(), *shown)

    def draw() -> bytes:
        paper = kind(size, spoken(language)(f"{title}: how to build it"))
        paper.say, paper.language = spoken(language), language
        writer = _SheetWriter(paper, title, pictures, filaments, tops, models)
        return writer.drawn(board, steps(board, placements, ways), photo, back)

    return cached_page("sheets", seen, draw)


def _by_design(
    placements: Sequence[Placement], pictures: Mapping[str, Thumbnail]
) -> tuple[list[Placement], dict[str, Thumbnail]]:
    """Return placements without looks, and a picture of each design: that of its first look."""
    looks = {one.piece.key: design_of(one.piece) for one in placements}
    shown: dict[str, Thumbnail] = {}
    for key in sorted(looks.keys() & pictures.keys()):
        shown.setdefault(looks[key].key, pictures[key])
    bought = {one.key for name in MAGNETS if (one := magnet_piece(name))}
    shown |= {key: pictures[key] for key in sorted(bought & pictures.keys())}
    return [replace(one, piece=looks[one.piece.key]) for one in placements], shown


def _totals(parts: Sequence[BuildStep]) -> dict[str, tuple[Piece, int]]:
    """Return each piece with its count over all steps, by key, and the magnets that they hold."""
    totals: dict[str, tuple[Piece, int]] = {}
    for step in parts:
        pieces = step.pieces()
        for key, count in step.counts().items():
            totals[key] = (pieces[key], count + (totals[key][1] if key in totals else 0))
    pieces = {key: piece for key, (piece, _) in totals.items()}
    magnets = magnets_of({key: count for key, (_, count) in totals.items()}, pieces)
    held = {one.key: (one, n) for name, n in magnets.items() if (one := magnet_piece(name))}
    return dict(sorted(totals.items())) | held


def _filaments_pt(plan: FilamentPlan) -> float:
    """Return the height of the filaments with the order to load them."""
    return 15.0 * (len(filament_rows(plan)) + len(step_rows(plan))) + 70.0


@dataclass(frozen=True, slots=True)
class _SheetWriter:
    """Writes the build sheets of a map, with pictures of its pieces by key, on pages."""

    paper: PdfPages
    title: str
    pictures: Mapping[str, Thumbnail]
    filaments: FilamentPlan | None = None
    tops: str = ""
    models: Sequence[SeenModel] = ()

    def drawn(
        self,
        board: Board,
        parts: Sequence[BuildStep],
        photo: bytes | None,
        back: bytes | None = None,
    ) -> bytes:
        """Return the bytes of the file."""
        self._cover(board, parts, photo, back)
        blocks = [
            self._block(f"Step {number} of {len(parts)}: {step.title}", step, seen)
            for number, (step, seen) in enumerate(with_models(parts, self.models), start=1)
        ]
        plan = self.filaments
        y = self._part_pages(parts, least_pt(blocks) if plan is None else _filaments_pt(plan))
        if plan is not None:
            y = self._filaments(plan, y)
        self._steps(blocks, y)
        return self.paper.finish()

    @property
    def _foot_pt(self) -> float:
        """The y at which a page is full."""
        return self.paper.height_pt - MARGIN_PT

    def _cover(
        self,
        board: Board,
        parts: Sequence[BuildStep],
        photo: bytes | None,
        back: bytes | None,
    ) -> None:
        paper = self.paper
        paper.new_page(self.title)
        wide = paper.width_pt - 2 * MARGIN_PT
        paper.text(self.title, MARGIN_PT, 72, 26, bold=True)
        count = sum(len(step.placements) for step in parts)
        words = f"{size_words(board, 'x')}, {count} parts, "
        paper.text(f"{words}{len(parts)} steps", MARGIN_PT, 92, 11, colour=FAINT)
        if photo is None:
            picture = isometric(
                board, grid=grid_of(parts), tops=self.tops, say=paper.say, models=self.models
            )
            used = paper.drawing(picture, MARGIN_PT, 110, wide, paper.height_pt - 330)
        else:
            used = paper.photo(photo, MARGIN_PT, 110, wide, paper.height_pt - 330)
        y = 110 + used + 24
        for number, step in enumerate(parts, start=1):
            amount = len(step.placements)
            number_words = paper.say(f"{amount} part{'s' * (amount != 1)}")
            words = f"{paper.say(step.title)}: {number_words}"
            paper.text(f"{number}  {words}", MARGIN_PT + (number - 1) % 2 * wide / 2, y, 10)
            y += 15 * (number % 2 == 0)
        room = paper.height_pt - MARGIN_PT - y - 24
        if back is not None and room >= BACK_PT:
            middle = paper.width_pt / 2
            paper.text("from behind", middle, y + 20, 9, colour=FAINT, anchor=0.5)
            paper.photo(back, MARGIN_PT, y + 24, wide, room)

    def _filaments(self, plan: FilamentPlan, y: float) -> float:
        """Draw the filaments, and the plates in order with the slots to load; return the y below.

        They begin at `y` if there is room, else on a new page.
        """
        paper = self.paper
        if y + _filaments_pt(plan) > self._foot_pt:
            paper.new_page(self.title)
            y = _TOP_PT
        paper.text("Filaments to print it", MARGIN_PT, y + 2, 18, bold=True)
        y = self._table(filament_rows(plan, paper.say), y + 26)
        y = self._table(step_rows(plan), y + 18)
        paper.text(change_note(plan), MARGIN_PT, y + 18, 9, colour=FAINT)
        return y + 48

    def _table(self, rows: Sequence[Sequence[str]], y: float) -> float:
        """Draw rows in columns, the first one bold; return the y below them."""
        paper = self.paper
        widths = [
            max(paper.width(cell, 10, bold=True) for cell in own) + 16
            for own in zip(*rows, strict=True)
        ]
        for number, row in enumerate(rows):
            x = MARGIN_PT
            for cell, width in zip(row, widths, strict=True):
                paper.text(cell, x, y, 10, bold=number == 0)
                x += width
            y += 15
        return y

    def _part_pages(self, parts: Sequence[BuildStep], next_pt: float) -> float:
        """Draw one or more pages of cells: picture, count, name; return the y below the last.

        Cells of the last page grow if what comes next, `next_pt` high, has no room below them.
        """
        paper = self.paper
        totals = list(_totals(parts).values())
        wide, high = _CELL_PT
        across = int((paper.width_pt - 2 * MARGIN_PT) // wide)
        down = int((self._foot_pt - _CELLS_PT) // high)
        y = self._foot_pt
        for start in range(0, len(totals), across * down):
            paper.new_page(self.title)
            paper.text("Parts needed", MARGIN_PT, _TOP_PT + 2, 18, bold=True)
            cells = totals[start : start + across * down]
            rows = math.ceil(len(cells) / across)
            tall = high
            if _CELLS_PT + rows * high + _BELOW_PT + next_pt > self._foot_pt:
                tall = min((self._foot_pt - _CELLS_PT) / rows, _MOST_CELL * high)
            for place, (piece, count) in enumerate(cells):
                x = MARGIN_PT + place % across * wide
                self._cell(piece, count, x, _CELLS_PT + place // across * tall, tall)
            y = _CELLS_PT + rows * tall + _BELOW_PT
        return y

    def _cell(self, piece: Piece, count: int, x: float, y: float, high: float) -> None:
        """Draw a piece with its count and name in a frame."""
        paper, wide = self.paper, _CELL_PT[0]
        side = min(high - 50, wide - 32)
        foot = y + high - 36
        paper.box(x, y, wide - 8, high - 8)
        if piece.key in self.pictures:
            left, top = x + (wide - 8 - side) / 2, y + (foot - 11 - y - side) / 2
            paper.image(self.pictures[piece.key], left, top, side, side)
        paper.text(f"{count} x", x + wide - 16, y + 18, 13, bold=True, anchor=1.0)
        over = paper.width(piece.key, 9, bold=True) / (wide - 20)
        paper.text(piece.key, x + 6, foot, 9 / max(over, 1.0), bold=True, verbatim=True)
        for line, words in enumerate(paper.wrap(piece.title, 7.5, wide - 20)[:2]):
            paper.text(words, x + 6, foot + 10 + 9 * line, 7.5, colour=FAINT)

    def _block(self, heading: str, step: BuildStep, models: Sequence[SeenModel]) -> StepBlock:
        """Return a step with what it needs of a page."""
        paper = self.paper
        letters = {key: column_name(number) for number, key in enumerate(step.counts())}
        plan = step_map(step, letters, models)
        listed = sum(place_pt(len(self._spots(step, key))) for key in letters)
        fits = (paper.width_pt - 2 * MARGIN_PT) * _MAP_SHARE * plan.height / plan.width
        room = self._foot_pt - _TOP_PT - _AROUND_PT - place_pt(1)
        most = min(fits, room)
        least = min(most, max(_STEP_PT, _TILE_PT * step.board.rows))
        return StepBlock(heading, step, letters, plan, least, most, listed + _AROUND_PT, models)

    def _steps(self, blocks: Sequence[StepBlock], y: float) -> None:
        """Draw steps one below the other, the first at `y` if there is room.

        Maps of a page grow together until the page is full or they are as wide as may be.
        """
        if not blocks:
            return
        rest, series = list(blocks), PictureSeries(blocks[-1].step.board, blocks[-1].models)
        while rest:
            first, room = rest[0], self._foot_pt - y + GAP_PT
            begun = first.least_pt + _AROUND_PT + place_pt(_LINES) <= room
            filled = y > _TOP_PT + _FILLED * (self._foot_pt - _TOP_PT)
            # A long list may go on overleaf rather than leave the page half empty.
            if first.least_pt + first.beside_pt > room and (filled or not begun):
                self.paper.new_page(self.title)
                y = _TOP_PT
            room = self._foot_pt - y + GAP_PT
            own = fitting(rest, room)
            heights = grown(own, room)
            left = room - sum(heights) - sum(block.beside_pt for block in own)
            more = rest[len(own) :][:1]
            if more and more[0].least_pt + _AROUND_PT + place_pt(_LINES) <= left:
                # The list of the next step goes on overleaf; else the page would be half empty.
                own, heights = [*own, *more], [*heights, more[0].least_pt]
            rest = rest[len(own) :]
            for block, height in zip(own, heights, strict=True):
                y = self._step(block, height, y, series)

    def _step(self, block: StepBlock, tall: float, y: float, series: PictureSeries) -> float:
        """Draw a step from `y`: a map with its parts lettered, the board afterwards, a list.

        The map is `tall` points high; the y below the list is returned. The boards are a series.
        """
        paper, step = self.paper, block.step
        wide = paper.width_pt - 2 * MARGIN_PT
        paper.text(block.heading, MARGIN_PT, y, 16, bold=True)
        used = paper.drawing(block.plan, MARGIN_PT, y + 12, wide * _MAP_SHARE, tall)
        after = isometric(
            step.board,
            legend=False,
            grid=grid_of([step]),
            tops=self.tops,
            models=block.models,
            series=series,
        )
        small = paper.drawing(after, MARGIN_PT + wide * 0.5, y + 24, wide * 0.5, tall - 40)
        middle = MARGIN_PT + wide * 0.75
        paper.text("afterwards", middle, y + 38 + small, 9, colour=FAINT, anchor=0.5)
        y += 12 + used + 20
        for key, letter in block.letters.items():
            y = self._places(block.heading, step, key, letter, y)
        return y + GAP_PT

    def _spots(self, step: BuildStep, key: str) -> list[str]:
        """Return the lines about a piece's copies: places, how they are joined, ways in."""
        paper = self.paper
        own = [
            (one, way)
            for one, way in zip(step.placements, step.ways, strict=True)
            if one.piece.key == key
        ]
        told = [", ".join(_spot(one) for one, _ in own)]
        if words := HAND_WORDS.get(own[0][0].piece.family):
            told.append(words)
        piece = own[0][0].piece
        told += magnet_words(piece)
        file, digest = model_origin(own[0][0].piece)
        if digest:
            told.append(f"of `{file}`, sha256 {digest}")
        if is_supported(own[0][0].piece):
            told.append(SUPPORTED)
        told += [f"{_spot(one)}: {paper.say(way)}" for one, way in own if way]
        wide = paper.width_pt - 2 * MARGIN_PT - 72
        return [line for words in told for line in paper.wrap(words, 9, wide)]

    def _places(self, heading: str, step: BuildStep, key: str, letter: str, y: float) -> float:
        """Draw one piece of a step: letter, picture, count and places; return the y below it."""
        paper = self.paper
        copies = [placement for placement in step.placements if placement.piece.key == key]
        lines = self._spots(step, key)
        first = True
        while lines:
            room = int((paper.height_pt - MARGIN_PT - y - 16) // 12)
            if room < min(len(lines), _LINES):
                paper.new_page(self.title)
                paper.text(f"{heading}, continued", MARGIN_PT, _TOP_PT, 14, bold=True)
                y = 92.0
                continue
            now, lines = lines[:room], lines[room:]
            if key in self.pictures:
                paper.image(self.pictures[key], MARGIN_PT + 28, y - 10, 28, 28)
            paper.text(letter, MARGIN_PT + 10, y + 8, 14, bold=True, anchor=0.5)
            # The count stands once, so that the counts of all pages add up to the piece list.
            head = f"{len(copies)} x {key}" if first else f"{key}, continued"
            paper.text(head, MARGIN_PT + 70, y, 10.5, bold=True)
            beside = MARGIN_PT + 78 + paper.width(head, 10.5, bold=True)
            paper.text(copies[0].piece.title, beside, y, 9, colour=FAINT)
            for words in now:
                y += 12
                paper.text(words, MARGIN_PT + 70, y, 9)
            y += place_pt(len(now)) - 12 * len(now)
            first = False
        return y


def _spot(placement: Placement) -> str:
    """Return the place of a part: all its tiles, and its level unless it lies on the base.

    A rectangle of tiles is written as its corners, the seam under a tie as the tiles beside it. A
    ladder adds the tile it leans on, a bridge the tiles it rests on.
    """
    family = placement.piece.family
    if family in LADDERS:
        return _climb(placement)
    if family in TIES:
        return "|".join(map(str, seam_of(placement)))
    tiles = placement.tiles() or (placement.tile,)
    rows, cols = [tile.row for tile in tiles], [tile.col for tile in tiles]
    first, last = Tile(min(rows), min(cols)), Tile(max(rows), max(cols))
    words = str(first) if first == last else f"{first}-{last}"
    if len(tiles) < (last.row - first.row + 1) * (last.col - first.col + 1):
        words = "+".join(map(str, tiles))
    if family == "bridge":
        step = (1, 0) if placement.quarter_turns % 2 else (0, 1)
        words += f" from {tiles[0].step((-step[0], -step[1]))} to {tiles[-1].step(step)}"
    return f"{words} (level {placement.level})" if placement.level else words


def _climb(placement: Placement) -> str:
    """Return a ladder's two ends, its foot and the tile it leans on, with their levels."""
    foot, low = placement.tile, placement.level
    top = foot.step(DIRECTIONS[placement.quarter_turns % 4])
    return f"{foot} (level {low}) up to {top} (level {low + placement.piece.levels})"

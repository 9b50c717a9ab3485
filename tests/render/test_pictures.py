"""Pictures show what the board is: order, visibility, every thing, same bytes, no fonts."""

import io
import re
import struct
import zlib
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.typing import NDArray
from PIL import Image

from falldamage_forge.board import Board, Column, Deck, Feature, Tile, make_board
from falldamage_forge.render import isometric as iso
from falldamage_forge.render.display_list import Path, Pen, Point
from falldamage_forge.render.isometric import isometric
from falldamage_forge.render.isometric_projection import ELEVATION_DEG, Projection
from falldamage_forge.render.isometric_shadows import shadow_intervals
from falldamage_forge.render.overlay import Overlay, OverlayMark
from falldamage_forge.render.paint_context import PaintContext
from falldamage_forge.render.palette import DARK, LIGHT, PALETTES, channels, tone
from falldamage_forge.render.stroke_font import GLYPHS, glyph, text_strokes, text_width
from falldamage_forge.render.svg import png, svg
from falldamage_forge.render.terminal import terminal
from falldamage_forge.render.topdown import topdown
from tests.amount import some
from tests.cli.running import typed
from tests.render.boards import MAPS, preset, rough_boards

ROUNDED = 16
"""Greatest change of a pixel's channel when a line moves by whole pixels."""
SHADED = 40
"""Greatest loss of a channel where the base's shadow ends."""
PROBE = (0.37, 0.61)
"""A point of each top: row and column, off the diagonal so that its ray meets no edge."""
DRAW = {"iso": isometric, "top": topdown}


def inside(point: Point, path: Path) -> bool:
    x, y = point
    odd = False
    for (x1, y1), (x2, y2) in zip(path, (*path[1:], path[0]), strict=True):
        if (y1 > y) != (y2 > y) and x < x1 + (x2 - x1) * (y - y1) / (y2 - y1):
            odd = not odd
    return odd


def in_sight(board: Board, tile: Tile, level: int) -> bool:
    """By marching from a point of a top towards the viewer, cell by cell."""
    assert ELEVATION_DEG == 45.0
    row, col, height = tile.row + PROBE[0], tile.col + PROBE[1], level + 1e-6
    step = 0.01
    while row < board.rows and col < board.cols:
        row, col, height = row + step, col + step, height + step * 2**0.5
        here = Tile(int(row), int(col))
        if here in board and board.column(here).level > height:
            return False
    return True


@settings(max_examples=60, deadline=None)
@given(rough_boards())
def test_a_top_is_seen_exactly_where_nothing_stands_before_it(board: Board) -> None:
    pen, at = Pen(), Projection(100.0)
    sketch = PaintContext(board, pen, at, LIGHT)
    for _, _, _, paint in sorted(iso._jobs(sketch, (), board, ()), key=lambda job: job[:3]):
        paint()
    solid = [shape for shape in pen.shapes if shape.fill and shape.stroke == shape.fill]
    for tile in board.tiles():
        level = board.column(tile).level
        middle = at(tile.row + PROBE[0], tile.col + PROBE[1], level)
        last = [shape for shape in solid if inside(middle, shape.paths[0])][-1]
        seen = last.paths[0] == at.top(*tile, level)
        assert seen == in_sight(board, tile, level), (tile, level)


@pytest.mark.parametrize("name", MAPS)
def test_painting_goes_from_back_to_front(name: str) -> None:
    board = preset(name).board
    sketch = PaintContext(board, Pen(), Projection(), LIGHT)
    jobs = sorted(iso._jobs(sketch, (), board, ()), key=lambda job: job[:3])
    places = [job[:2] for job in jobs]
    assert places == sorted(places)
    cubes = sum(column.level for column in board.columns)
    things = sum(column.feature is not None for column in board.columns)
    things += sum(deck.span for deck in board.decks) + len(board.treasures)
    starts = sum(len(zone.surfaces) for zone in board.starts)
    seen_ladders = sum(ladder.top < ladder.foot for ladder in board.ladders)
    rails = sum(len(each.sides) or 1 for each in board.fittings)
    total = cubes + len(board.columns) + things + starts + seen_ladders + rails
    assert len(jobs) == total


def _row(levels: str) -> Board:
    return make_board(1, len(levels), [Column(int(level)) for level in levels])


def test_shadows_fall_east_by_height() -> None:
    board = _row("20000")
    assert shadow_intervals(board, Tile(0, 1), 0) == ((0.0, 1.0),)
    (stretch,) = shadow_intervals(board, Tile(0, 2), 0)
    assert stretch == (0.0, pytest.approx(0.16))
    assert shadow_intervals(board, Tile(0, 3), 0) == ()
    assert shadow_intervals(_row("02"), Tile(0, 0), 0) == ()


@pytest.mark.parametrize("view", DRAW)
@pytest.mark.parametrize("name", some(MAPS, 5))
def test_pictures_are_reproducible_and_need_no_fonts(name: str, view: str) -> None:
    layout = preset(name)
    texts = [
        svg(DRAW[view](layout.board, title=layout.title, theme=theme))
        for theme in PALETTES
        for _ in range(2)
    ]
    assert texts[0] == texts[1] != texts[2] == texts[3]
    assert "<text" not in texts[0]
    assert "font" not in texts[0]
    assert "url(" not in texts[0]
    assert len(texts[0]) < 500_000


@pytest.mark.parametrize("view", DRAW)
def test_a_drawing_stays_on_its_paper(view: str) -> None:
    for name in MAPS:
        layout = preset(name)
        drawing = DRAW[view](layout.board, title=layout.title)
        left, top, right, bottom = drawing.bounds()
        assert 0 <= left < right <= drawing.width
        assert 0 <= top < bottom <= drawing.height


@pytest.mark.parametrize("view", DRAW)
@pytest.mark.parametrize("feature", [None, Feature.TREE, Feature.SPIRE])
def test_every_change_of_the_board_changes_the_picture(view: str, feature: Feature | None) -> None:
    def picture(column: Column) -> str:
        columns = [Column(1) for _ in range(25)]
        columns[24] = column
        return svg(DRAW[view](make_board(5, 5, columns), legend=False))

    base = picture(Column(1))
    changed = Column(1, feature=feature) if feature else Column(2)
    assert picture(changed) != base
    assert picture(Column(1)) == base


def test_the_svg_can_be_embedded_and_its_title_is_escaped() -> None:
    text = svg(isometric(preset("duel").board, title='<script>"&'))
    assert "<title>&lt;script&gt;&quot;&amp;</title>" in text
    assert "<script" not in text


def test_an_overlay_is_a_group_of_its_own() -> None:
    board = preset("duel").board
    overlay = Overlay("turns", "Turns", (OverlayMark(Tile(9, 9), 0, 1, "3"),), ((1, "one"),))
    for draw in DRAW.values():
        plain, marked = draw(board), draw(board, overlays=[overlay])
        groups = {shape.group for shape in marked.shapes} - {""}
        assert groups == {"overlay-turns"}
        assert {shape.group for shape in plain.shapes} == {""}
        assert svg(marked).count('<g class="overlay-turns">') >= 1


def test_png_is_a_png_of_the_size_asked_for() -> None:
    drawing = topdown(preset("duel").board, legend=False)
    data = png(drawing, scale=0.5)
    width, height = struct.unpack(">II", data[16:24])
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert abs(width - drawing.width / 2) <= 1
    assert abs(height - drawing.height / 2) <= 1
    assert data == png(drawing, scale=0.5)


# -- letters -------------------------------------------------------------------------------------


def test_every_letter_of_our_languages_has_a_glyph_of_its_own() -> None:
    letters = [*(chr(code) for code in range(33, 127) if chr(code).isalnum()), *"ÄÖÜäöüß"]
    assert set(letters) <= set(GLYPHS)
    assert len({glyph(letter) for letter in letters}) == len(letters)
    assert all(-0.6 <= y <= 16.6 for letter in GLYPHS for s in glyph(letter)[0] for _, y in s)


def test_letters_with_marks_are_drawn_alike_however_they_are_written() -> None:
    assert text_strokes("Höhe", 12) == text_strokes("Ho\u0308he", 12) != text_strokes("Hohe", 12)
    assert text_strokes("café", 12) == text_strokes("cafe", 12)


def test_text_is_as_wide_as_it_says_and_survives_foreign_letters() -> None:
    for text in ("Siege of Ashkeep", "10 × 10", "J10"):
        strokes = text_strokes(text, 12)
        right = max(x for stroke in strokes for x, _ in stroke)
        assert right == pytest.approx(text_width(text, 12), abs=0.8)
    assert text_strokes("é", 10) == text_strokes("e", 10)
    assert text_strokes("漢", 10)
    assert text_strokes("\x00\n", 10) == []
    assert text_width("", 10) == 0


# -- colours -------------------------------------------------------------------------------------


def _luminance(colour: str) -> float:
    parts = []
    for value in channels(colour):
        share = value / 255
        parts.append(share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4)
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def _contrast(one: str, other: str) -> float:
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_colours_can_be_told_apart_and_read(palette) -> None:
    assert _contrast(palette.ink, palette.paper) > 7
    assert _contrast(palette.faint, palette.paper) > 3
    raised = [_luminance(colour) for colour in palette.grounds[1:]]
    assert raised == sorted(raised), "higher ground is lighter"
    assert _contrast(palette.gleam, "#2a2118") > 7
    assert tone("#808080", 2.0) == "#ffffff"


# -- the terminal --------------------------------------------------------------------------------


def test_terminal_shows_every_tile() -> None:
    text = terminal(preset("canyon").board)
    lines = text.splitlines()
    assert lines[0].split() == list("ABCDEFGHIJ")
    assert "\x1b" not in text
    cells = [line[4:].split() for line in lines[1:11]]
    assert all(len(row) == 10 for row in cells)
    assert cells[4][4] == ".~=2=4$"
    assert cells[0][1] == ".r"
    assert cells[1][4] == ".#"


def test_coloured_terminal_has_same_text() -> None:
    board = preset("ashkeep").board
    plain = re.sub(r"\x1b\[[0-9;]*m", "", terminal(board, colour=True))
    lines = [line.rstrip() for line in plain.splitlines()]
    assert lines == terminal(board).splitlines()


def _unfiltered(data: bytes) -> Iterator[bytes]:
    at = 8
    while at < len(data):
        (size,) = struct.unpack(">I", data[at : at + 4])
        if data[at + 4 : at + 8] == b"IDAT":
            yield data[at + 8 : at + 8 + size]
        at += 12 + size


def test_the_command_writes_a_picture_and_refuses_nonsense(tmp_path) -> None:
    out = tmp_path / "duel.png"
    assert typed("show", "duel", "-o", str(out)).returncode == 0
    pixels = zlib.decompress(b"".join(_unfiltered(out.read_bytes())))
    assert len(set(pixels)) > 100
    for words, code, message in (
        (("duel", "-o", str(tmp_path / "a.gif")), 2, ".png or .svg"),
        (("duel", "--turns", "--hazard"), 2, "one overlay"),
        (("duel", "--reach", "Z9"), 1, "not on the board"),
        (("dule",), 1, "duel"),
        (("duel", "-o", "/dev/null/x.png"), 1, "cannot write"),
    ):
        done = typed("show", *words)
        assert done.returncode == code, done.stderr
        assert message in done.stderr
        assert "Traceback" not in done.stderr
    text = typed("show", "duel", "--reach", "E5", "--move", "2", "--jump", "1").stdout
    assert "Move 2, Jump 1 from E5" in text


def _fills(arch: bool, tops: str) -> set[str]:
    """The fills of what a bridge between two columns adds to a picture."""
    columns = [Column()] * 25
    columns[10] = columns[14] = Column(level=2)
    deck = Deck.between(Tile(2, 0), Tile(2, 4), 2, arch=arch)
    bare, bridged = (
        isometric(make_board(5, 5, columns, decks=decks), legend=False, tops=tops)
        for decks in ((), (deck,))
    )
    before = {shape.fill for shape in bare.shapes}
    return {shape.fill for shape in bridged.shapes if shape.fill} - before


def test_an_arch_is_of_stone_and_a_bridge_of_wood() -> None:
    shades = {tone(LIGHT.wood_dark, share) for share in (1.06, 0.86)}
    assert shades & _fills(arch=False, tops="") and not shades & _fills(arch=True, tops="")


@pytest.mark.parametrize("arch", [False, True])
def test_a_bridge_has_the_printed_colour_of_its_top(arch: bool) -> None:
    """Planks go with wood, stone with stone: only one of the two palettes colours a bridge."""
    changed = {tops: _fills(arch, tops) != _fills(arch, "") for tops in ("turf", "planks")}
    assert changed == {"turf": arch, "planks": not arch}


@pytest.mark.parametrize("name", ["duel", "canyon"])
def test_what_is_cut_off_a_picture_is_its_heading_and_its_legend(name: str) -> None:
    """A picture is painted once: cut, it shows what one without heading and legend shows."""
    whole = isometric(preset(name).board, title="A name above the board")
    kept = _pixels(png(whole))[whole.head : -whole.foot]
    plain = _pixels(png(isometric(preset(name).board, legend=False)))

    def unlike(over: int) -> int:
        return int(np.abs(plain[over : over + len(kept)] - kept).max())

    over = min(range(len(plain) - len(kept) + 1), key=unlike)
    assert unlike(over) <= ROUNDED
    paper, below = plain[0, 0], plain[over + len(kept) :]
    assert (plain[:over] == paper).all(), "what is cut off more is paper"
    assert (paper - below <= SHADED).all(), "or the end of the base's shadow on it"


def _pixels(data: bytes) -> NDArray[np.int16]:
    """Return the pixels of a PNG, shape (rows, columns, 3)."""
    return np.array(Image.open(io.BytesIO(data)).convert("RGB"), np.int16)

"""Build sheets and cards: nothing is missing, nothing twice, and the text can be read back."""

import base64
import io
import re
import zlib
from collections import Counter
from dataclasses import replace

import pytest
from PIL import Image

from falldamage_forge import presets
from falldamage_forge.board import Tile
from falldamage_forge.lang import load
from falldamage_forge.pieces.piece import Piece, Placement
from falldamage_forge.pieces.plan import PiecePlan, plan
from falldamage_forge.pieces.variants import assign_variants, design_of, variant, variants_of
from falldamage_forge.render.build_sheets import sheets
from falldamage_forge.render.build_steps import STAGES, steps
from falldamage_forge.render.pdf_pages import SIZES_PT, PdfPages, printable
from tests.amount import EXHAUSTIVE
from tests.cli.running import ROOT
from tests.render.boards import MAPS, preset

CATALOGUE = presets.load_catalogue()
DOT = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJg"
    "gg=="
)


def plan_of(name: str) -> PiecePlan:
    return plan(preset(name).board, CATALOGUE)


def pages(pdf: bytes) -> list[str]:
    """The text of each page: what its content stream shows, in order."""
    found = []
    for stream in re.findall(rb"stream\r?\n(.*?)endstream", pdf, re.S):
        try:
            data = zlib.decompressobj().decompress(stream)
        except zlib.error:
            continue
        if b"BT" not in data:
            continue
        shown = re.findall(rb"\(((?:\\.|[^()\\])*)\) Tj", data)
        words = [_unescaped(text).decode("cp1252") for text in shown]
        found.append("\n".join(words))
    return found


def _unescaped(text: bytes) -> bytes:
    """A PDF string without its escapes: octal numbers, or the letter itself."""

    def letter(match: re.Match[bytes]) -> bytes:
        code = match[1]
        return bytes([int(code, 8)]) if code.isdigit() else code

    return re.sub(rb"\\([0-7]{3}|.)", letter, text, flags=re.S)


@pytest.fixture(scope="module")
def ashkeep() -> bytes:
    layout, parts = preset("ashkeep"), plan_of("ashkeep")
    thumbs = dict.fromkeys(parts.pieces(), DOT)
    return sheets(layout.title, layout.board, parts.placements, thumbs)


def test_the_cover_shows_the_board_from_behind_where_there_is_room() -> None:
    layout, parts = preset("duel"), plan_of("duel")
    made = (layout.title, layout.board, parts.placements, {})
    stream = io.BytesIO()
    Image.new("RGB", (40, 30)).save(stream, "PNG")
    wide = stream.getvalue()
    assert "from behind" in pages(sheets(*made, photo=wide, back=wide))[0]
    assert "from behind" not in pages(sheets(*made, photo=DOT, back=wide))[0], "no room"
    assert "from behind" not in pages(sheets(*made, photo=wide))[0]


# -- steps ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MAPS)
def test_every_part_is_placed_once_and_the_last_board_is_the_map(name: str) -> None:
    board, parts = preset(name).board, plan_of(name)
    found = steps(board, parts.placements)
    placed = Counter(placement for step in found for placement in step.placements)
    assert placed == Counter(parts.placements)
    assert found[-1].board == board
    assert all(step.placements for step in found)


def test_each_kind_of_piece_is_on_the_last_board() -> None:
    text = (ROOT / "docs" / "sampler.forge").read_text("utf-8")
    layout = load(text, "sampler").layout
    assert layout is not None
    board = layout.board
    assert board.battlements and board.steps
    assert any(deck.arch for deck in board.decks)
    found = steps(board, plan(board, presets.load_catalogue()).placements)
    assert found[-1].board == board
    assert not found[1].board.battlements


@pytest.mark.parametrize("name", MAPS)
def test_nothing_is_placed_on_air(name: str) -> None:
    board = preset(name).board
    before = steps(board, ())
    assert before == ()
    levels = dict.fromkeys(board.tiles(), 0)
    for step in steps(board, plan_of(name).placements):
        for placement in step.placements:
            if placement.piece.family == "block":
                assert {levels[tile] for tile in placement.tiles()} == {placement.level}
        levels = {tile: step.board.column(tile).level for tile in board.tiles()}
    order = [title for title, _ in STAGES]
    last = ("Bridges", "Ladders", "Trees and spires, without their ears")
    assert all(order.index("Blocks") < order.index(title) for title in last)


def test_a_piece_of_a_new_family_is_not_forgotten() -> None:
    board, parts = preset("duel").board, plan_of("duel")
    strange = Placement(Piece("tower-1", "tower", "Tower", "tower"), Tile(2, 2), 1)
    found = steps(board, (*parts.placements, strange))
    assert [step.title for step in found if strange in step.placements] == ["Other pieces"]


# -- sheets --------------------------------------------------------------------------------------


PAIRS = (
    [(name, size) for name in MAPS for size in SIZES_PT]
    if EXHAUSTIVE
    else [("ashkeep", "a4"), ("canyon", "letter")]
)


@pytest.mark.parametrize(("name", "size"), PAIRS)
def test_the_counts_of_all_pages_add_up_to_the_piece_list(
    name: str, size: str, ashkeep: bytes
) -> None:
    layout, parts = preset(name), plan_of(name)
    pdf = ashkeep
    if (name, size) != ("ashkeep", "a4"):
        pdf = sheets(layout.title, layout.board, parts.placements, {}, size)
    texts = pages(pdf)
    step_pages = [text for text in texts if re.search(r"^Step \d+ of", text, re.M)]
    counted: Counter[str] = Counter()
    for text in step_pages:
        for count, key in re.findall(r"^(\d+) x (\S+)$", text, re.M):
            counted[key] += int(count)
    assert counted == parts.counts()
    needed = "\n".join(text for text in texts if "Parts needed" in text)
    amounts = re.findall(r"^(\d+) x\n(\S+)$", needed, re.M)
    assert {key: int(count) for count, key in amounts} == parts.counts()
    width, height = SIZES_PT[size]
    assert re.search(rf"/MediaBox \[ 0 0 {width:g}\d* {height:g}\d* \]".encode(), pdf)


def test_every_tile_of_a_step_is_named(ashkeep: bytes) -> None:
    text = " ".join(pages(ashkeep)).replace("\n", " ")
    for placement in plan_of("ashkeep").placements:
        assert str(placement.tile) in text
    for ladder in preset("ashkeep").board.ladders:
        foot = f"{ladder.foot} (level {ladder.foot_level})"
        assert f"{foot} up to {ladder.top} (level {ladder.top_level})" in text
    for deck in preset("ashkeep").board.decks:
        assert f"from {deck.a} to {deck.b}" in text
    assert "Siege of Ashkeep" in text


def test_every_tile_of_a_corner_block_is_named() -> None:
    corner = CATALOGUE["block-l-1"]
    places = [Placement(corner, Tile(2, 2), 0, turns) for turns in range(4)]
    text = " ".join(pages(sheets("L", preset("duel").board, places, {}))).replace("\n", " ")
    for place in places:
        assert "+".join(map(str, place.tiles())) in text


def test_the_sides_markers_are_steps_of_their_own() -> None:
    board, parts = preset("ashkeep").board, plan_of("ashkeep")
    found = {step.title: step for step in steps(board, parts.placements)}
    for zone in board.starts:
        tiles = {(place.tile, place.level) for place in found[f"Start of {zone.side}"].placements}
        assert tiles == set(zone.surfaces)


def test_sheets_are_the_same_on_every_run(ashkeep: bytes) -> None:
    layout, parts = preset("ashkeep"), plan_of("ashkeep")
    thumbs = dict.fromkeys(parts.pieces(), DOT)
    assert sheets(layout.title, layout.board, parts.placements, thumbs) == ashkeep
    assert b"/var" not in ashkeep
    assert b"20260" not in ashkeep


def test_long_lists_go_on_over_pages() -> None:
    layout, parts = preset("ashkeep"), plan_of("ashkeep")
    marker = next(p for p in parts.placements if p.piece.family == "lava")
    many = [replace(marker, tile=Tile(n // 50, n % 50)) for n in range(2500)]
    texts = pages(sheets("Many", layout.board, many, {}))
    assert sum("2500 x lava" in text for text in texts) == 1
    assert any("continued" in text for text in texts)
    joined = " ".join(texts).replace("\n", " ")
    assert all(f"{placement.tile}" in joined for placement in many)


def test_titles_in_any_script_are_printed() -> None:
    layout = preset("duel")
    texts = pages(sheets("Zwölf (漢) \\ \x00", layout.board, plan_of("duel").placements, {}))
    assert "Zwölf (?) \\" in texts[0]
    assert printable("é漢\x00") == "é?\\u0000"


def test_wrapped_lines_fit_and_lose_no_word() -> None:
    paper = PdfPages("a4", "x")
    text = "one two three four five six seven eight nine ten " * 4
    lines = paper.wrap(text, 9, 120)
    assert " ".join(lines).split() == text.split()
    assert all(paper.width(line, 9) <= 120 for line in lines)


def test_sheets_ask_for_looks_only_if_wished() -> None:
    layout, parts = preset("duel"), assign_variants(plan_of("duel"))
    designs = Counter(plan_of("duel").counts())
    assert set(parts.counts()) - set(designs), "some parts have another look"
    for looks, wanted in ((False, designs), (True, parts.counts())):
        pdf = sheets(layout.title, layout.board, parts.placements, {}, looks=looks)
        needed = "\n".join(text for text in pages(pdf) if "Parts needed" in text)
        amounts = re.findall(r"^(\d+) x\n(\S+)$", needed, re.M)
        assert {key: int(count) for count, key in amounts} == dict(wanted)


def test_a_design_without_its_first_look_has_a_picture() -> None:
    look = variant(CATALOGUE["block-1x1x1"], 2)
    places = [Placement(look, Tile(2, 2), 0)]
    pdf = sheets("x", preset("duel").board, places, {look.key: DOT})
    assert pdf.count(b"/Subtype /Image") >= 1
    assert "block-1x1x1-c" not in " ".join(pages(pdf))


@pytest.mark.parametrize("name", CATALOGUE.pieces)
def test_the_design_of_each_look_is_the_piece(name: str) -> None:
    piece = CATALOGUE[name]
    assert {design_of(look) for look in variants_of(piece)} == {piece}


def test_two_or_three_steps_stand_on_a_page() -> None:
    texts = pages(sheets("Duel", preset("duel").board, plan_of("duel").placements, {}))
    each = [len(re.findall(r"^Step \d+ of", text, re.M)) for text in texts]
    assert [count for count in each if count] == [2, 2, 3, 2, 2]

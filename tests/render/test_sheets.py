"""Build sheets and cards: nothing is missing, nothing twice, and the text can be read back."""

import base64
import io
import re
import zlib
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from PIL import Image

from falldamage_forge import presets
from falldamage_forge.board import Board, Tile
from falldamage_forge.geometry.ways_in import SIDES, Way, WaysReport
from falldamage_forge.lang import load
from falldamage_forge.languages.translator import spoken, spoken_issue
from falldamage_forge.library.forge import Forge
from falldamage_forge.pieces.building_order import hand_groups, prerequisites
from falldamage_forge.pieces.family_roles import STEPS
from falldamage_forge.pieces.piece import Piece, Placement
from falldamage_forge.pieces.plan import PiecePlan, plan
from falldamage_forge.pieces.variants import assign_variants, design_of, variant, variants_of
from falldamage_forge.render.build_sheets import first_looks, sheets
from falldamage_forge.render.build_steps import building_order, steps
from falldamage_forge.render.pdf_pages import MARGIN_PT, SIZES_PT, PdfPages, printable
from tests.amount import EXHAUSTIVE, some
from tests.buildable import ONE_ORDER, STARTS, YARD
from tests.cli.running import ROOT
from tests.nasty import nasty
from tests.render.boards import MAPS, preset

CATALOGUE = presets.load_catalogue()
BUILT = {**ONE_ORDER, **{f"nasty {seed}": nasty(seed).text for seed in some(range(300), 12)}}
DOT = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJg"
    "gg=="
)


def _map_of(text: str) -> tuple[Board, tuple[Placement, ...]]:
    """The board of a text and its plan."""
    map_ = Forge().loads(text)
    return map_.board, Forge().plan(map_).placements


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
    order = list(STEPS)
    last = ("Bridges", "Ladders", "Trees and spires, without their ears")
    assert all(order.index("Blocks") < order.index(title) for title in last)


def test_a_piece_of_a_new_family_is_not_forgotten() -> None:
    board, parts = preset("duel").board, plan_of("duel")
    strange = Placement(Piece("tower-1", "tower", "Tower", "tower"), Tile(2, 2), 1)
    found = steps(board, (*parts.placements, strange))
    assert [step.title for step in found if strange in step.placements] == ["Other pieces"]


@pytest.mark.parametrize("text", BUILT.values(), ids=BUILT)
def test_parts_of_a_step_may_be_placed_in_any_order(text: str) -> None:
    """Nothing of a step waits for another part of it, unless both are joined in the hand."""
    board, placements = _map_of(text)
    groups = hand_groups(placements)
    before = prerequisites(placements, groups)
    place = {groups[number]: number for number in range(len(groups))}
    order = [place[group] for group in building_order(board, placements)]
    found = steps(board, placements)
    assert found[-1].board == board
    done: set[int] = set()
    for step in found:
        own: list[int] = []
        while sum(len(groups[number]) for number in own) < len(step.placements):
            own.append(order.pop(0))
        listed = [placements[index] for number in own for index in groups[number]]
        assert listed == list(step.placements), "the order of building is that of the sheets"
        assert all(before[number] <= done for number in own), step.title
        done |= set(own)
    assert not order


def test_boards_of_steps_show_the_markers_that_stand_by_then() -> None:
    """A part of a side's starts may wait for a bridge."""
    text = (
        "board 10x10\nstack C3 height 2\nstack E3 height 2\nbridge C3 -> E3 level 2\n"
        "start red at D3@0, D3@2\n"
    )
    found = steps(*_map_of(text))
    shown = [[spot for zone in step.board.starts for spot in zone.surfaces] for step in found]
    tile = Tile(2, 3)
    titles = ["Start of red", "Bridges", "Start of red"]
    assert [step.title for step in found[-3:]] == titles
    assert shown[-3:] == [[(tile, 0)], [(tile, 0)], [(tile, 0), (tile, 2)]]


def test_parts_on_parts_of_their_kind_are_a_step_of_their_own() -> None:
    text = (
        "board 10x10\nstack C3 height 2\nstack E3 height 2\nstack D2 height 4\n"
        "stack D4 height 4\nbridge C3 -> E3 level 2\nbridge D2 -> D4 level 4\n"
    )
    bridges = [step for step in steps(*_map_of(text)) if step.title == "Bridges"]
    assert [[place.level for place in step.placements] for step in bridges] == [[2], [4]]


def test_disc_is_listed_after_its_marker_with_words_on_how_it_is_joined() -> None:
    board, placements = _map_of(STARTS)
    for step in steps(board, placements):
        if step.title.startswith("Start of"):
            side = step.title.removeprefix("Start of ")
            assert list(step.counts()) == [f"start-{side}", f"start-disc-{side}"]
    english = " ".join(pages(sheets("S", board, placements, {}))).replace("\n", " ")
    assert english.count("turn it into its marker from below") == 2
    german = pages(sheets("S", board, placements, {}, language="de"))
    assert " ".join(german).replace("\n", " ").count("in sein Startzeichen drehen") == 2


def test_sheets_tell_the_way_of_a_part_that_comes_from_a_side() -> None:
    board, placements = _map_of(YARD)
    (chest,) = (n for n, one in enumerate(placements) if one.piece.family == "chest")
    ways = {chest: Way("south", 1.5).words}
    made = (board, placements, {})
    english = " ".join(pages(sheets("Y", *made, ways=ways))).replace("\n", " ")
    assert "C5: from the south, 1.5 mm above its seat, then press it down" in english
    german = " ".join(pages(sheets("Y", *made, ways=ways, language="de"))).replace("\n", " ")
    assert "C5: von Süden her, 1.5 mm über seinem Sitz, dann andrücken" in german
    assert "from the south" not in " ".join(pages(sheets("Y", *made))).replace("\n", " ")


@pytest.mark.parametrize("side", SIDES)
def test_ways_and_parts_without_a_way_are_told_in_german(side: str) -> None:
    _, placements = _map_of(YARD)
    report = WaysReport(placements, {0: Way(side, 1.5)}, {1: (0, 2)})
    blocked, warned = (spoken_issue(issue, spoken("de")).message for issue in report.issues())
    assert "kommt nicht an seinen Platz: darüber ist" in blocked
    assert "passt nicht gerade von oben; sein Weg: von " in warned
    assert not re.search(r"\b(level|above|from|and|press)\b", blocked + warned)


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


def test_each_tie_is_named_by_the_seam_that_it_crosses(ashkeep: bytes) -> None:
    """No two ties have one name: the eight of a board were told by seven tiles."""
    named = re.findall(r"([A-T])(\d+)\|([A-T])(\d+)", " ".join(pages(ashkeep)))
    assert len(set(named)) == len(named) == plan_of("ashkeep").counts()["tie"]
    for col, row, other_col, other_row in named:
        assert ord(other_col) - ord(col) + int(other_row) - int(row) == 1


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


def test_sheets_need_the_picture_of_each_first_look_alone() -> None:
    layout = preset("duel")
    parts = assign_variants(plan(layout.board, CATALOGUE), 4)
    first = first_looks(parts.pieces())
    assert {piece.key for piece in map(design_of, first.values())} == {
        design_of(piece).key for piece in parts.pieces().values()
    }
    assert len(first) < len(parts.pieces())
    whole, few = (
        sheets(layout.title, layout.board, parts.placements, dict.fromkeys(keys, DOT))
        for keys in (parts.pieces(), first)
    )
    assert whole == few


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


@pytest.mark.parametrize("language", ["en", "de"])
def test_sheets_of_a_base_with_magnets_say_their_number_and_which_way_round(language: str) -> None:
    board, placed = _map_of(
        "forge 1\nprint { magnets 6x2 }\nstart red at B1..I1\nstart blue at B10..I10\n"
    )
    whole = " ".join(pages(sheets("M", board, placed, {}, language=language))).replace("\n", " ")
    assert "32 x magnet-6x2" in whole
    assert ("at a +" in whole) is (language == "en")
    assert ("bei einem +" in whole) is (language == "de")
    assert "tie" not in whole.split()


def test_the_key_of_a_part_stays_in_its_frame() -> None:
    """A long key, such as that of a block for magnets, is written smaller."""
    seen: dict[str, tuple[float, float]] = {}

    class Watched(PdfPages):
        def text(self, text: str, x: float, y: float, size: float, **more: Any) -> None:
            seen[text] = x, x + self.width(text, size, bold=bool(more.get("bold")))
            super().text(text, x, y, size, **more)

    board, placed = _map_of(
        "forge 1\nprint { magnets 6x2 blocks }\nstack C3..D4 height 2\nstart red at B1..I1\n"
        "start blue at B10..I10\n"
    )
    sheets("M", board, placed, {}, kind=Watched)
    keys = sorted((seen[key], key) for key in seen if "@magnets-" in key and " " not in key)
    assert len(keys) >= 2
    room = (PdfPages("a4", "M").width_pt - 2 * MARGIN_PT) / 4 - 8
    for (start, end), key in keys:
        assert end - start < room, key

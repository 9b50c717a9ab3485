"""Pages and pictures of a build as a person sees them: where texts stand, and what they name."""

import io
import json
import re
import shutil
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from itertools import combinations, pairwise, product
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

import falldamage_forge as ff
from falldamage_forge import presets
from falldamage_forge.board import Board, Feature, Ground
from falldamage_forge.event.event_sheets import (
    TableSheet,
    calendar_sheets,
    round_sheets,
    table_sheets,
)
from falldamage_forge.event.event_table import Contest
from falldamage_forge.event.pairings import Meeting, Round
from falldamage_forge.event.print_calendar import PlannedPlate, PlateJob
from falldamage_forge.infra import presets_folder
from falldamage_forge.lang import load
from falldamage_forge.lang.layout import Layout
from falldamage_forge.languages.translator import spoken
from falldamage_forge.lengths import GRID
from falldamage_forge.pieces.plan import plan
from falldamage_forge.printing.box_layers import pack_box
from falldamage_forge.printing.print_price import Price
from falldamage_forge.render.build_sheets import sheets
from falldamage_forge.render.build_steps import steps
from falldamage_forge.render.display_list import Drawing, PaintedPath, Point
from falldamage_forge.render.hand_drawings import STEPS
from falldamage_forge.render.how_to_play import guide, how_to_play
from falldamage_forge.render.isometric import isometric
from falldamage_forge.render.packing_sheets import packing_sheets
from falldamage_forge.render.pdf_pages import MARGIN_PT
from falldamage_forge.render.printed_cards import cards
from falldamage_forge.render.topdown import topdown
from tests.amount import EXHAUSTIVE
from tests.buildable import PIT
from tests.cli.running import ROOT, run

CATALOGUE = presets.load_catalogue()
CARD_MARGIN_PT = 8 / 25.4 * 72
"""Least room beside cards, which no printer leaves out."""
NAMES = tuple(presets.names("maps"))
TABLES = tuple(sorted(path.stem for path in (presets_folder.root() / "tables").glob("*.forge")))
FEW = ("duel", "ashkeep", "gatehouse", "crypt")
LANGUAGES = ("en", "de")
needs_pdftotext = pytest.mark.skipif(
    shutil.which("pdftotext") is None, reason="pdftotext is not installed"
)


@cache
def layout_of(name: str) -> Layout:
    text = PIT
    if name == "sampler":
        text = (ROOT / "docs" / "sampler.forge").read_text("utf-8")
    elif name != "pit":
        folder = "maps" if name in NAMES else "tables"
        text = (presets_folder.root() / folder / f"{name}.forge").read_text("utf-8")
    layout = load(text, name).layout
    assert layout is not None
    return layout


@cache
def sheet(name: str, language: str = "en", size: str = "a4") -> bytes:
    """The build sheets as a build writes them, with grey pictures in place of photographs."""
    layout = layout_of(name)
    placements = plan(layout.board, CATALOGUE).placements
    stream = io.BytesIO()
    Image.new("RGB", (900, 675), "#8f8778").save(stream, "PNG")
    small = io.BytesIO()
    Image.new("RGB", (60, 60), "#8f8778").save(small, "PNG")
    pictures = {one.piece.key: small.getvalue() for one in placements}
    grey = stream.getvalue()
    shown = {"photo": grey, "back": grey}
    return sheets(
        layout.title, layout.board, placements, pictures, size, language=language, **shown
    )


@dataclass(frozen=True)
class Box:
    """A word of a page with its box in points, from the upper left corner."""

    text: str
    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True)
class Page:
    """A page with its size in points and its words."""

    width: float
    height: float
    words: tuple[Box, ...]


def pages_of(pdf: bytes, folder: Path) -> list[Page]:
    """The pages of a PDF as pdftotext finds them."""
    file, out = folder / "pages.pdf", folder / "pages.html"
    file.write_bytes(pdf)
    done = run(["pdftotext", "-bbox", file, out])
    assert done.returncode == 0, done.stderr
    found = []
    for page in ElementTree.fromstring(out.read_text("utf-8")).iter():
        if not page.tag.endswith("page"):
            continue
        words = tuple(
            Box(
                word.text or "",
                *(float(word.get(key, "nan")) for key in ("xMin", "yMin", "xMax", "yMax")),
            )
            for word in page
        )
        found.append(Page(float(page.get("width", "nan")), float(page.get("height", "nan")), words))
    return found


def filled(pdf: bytes, folder: Path) -> list[float]:
    """The share of each page's height, margins and footer left out, down to its lowest ink."""
    file = folder / "ink.pdf"
    file.write_bytes(pdf)
    assert run(["pdftoppm", "-r", "36", "-gray", file, folder / "ink"]).returncode == 0
    shares = []
    for path in sorted(folder.glob("ink-*.pgm")):
        page = Image.open(path)
        margin = round(MARGIN_PT / 2)
        body = page.crop((0, margin, page.width, page.height - margin - 2))
        ink = body.point(lambda tone: 255 * (tone < 235)).getbbox()  # type: ignore[operator]
        shares.append(ink[3] / body.height if ink else 0.0)
        path.unlink()
    return shares


def faults_of(pages: list[Page], margin: float = MARGIN_PT) -> list[str]:
    """Return what a person would find wrong: a page without words, words outside, two in one place.

    Args:
        pages: The pages.
        margin: Room left and right of all words in points.
    """
    found = []
    for number, page in enumerate(pages, start=1):
        if not page.words:
            found.append(f"page {number} is empty")
        for word in page.words:
            inside = word.left >= margin - 1 and word.right <= page.width - margin + 1
            if not inside or word.top < 0 or word.bottom > page.height:
                found.append(f"page {number}: {word} is outside")
        for one, two in combinations(page.words, 2):
            wide = min(one.right, two.right) - max(one.left, two.left)
            # A line's box reaches above its capitals and below its baseline.
            high = min(one.bottom, two.bottom) - max(one.top, two.top)
            least = min(one.bottom - one.top, two.bottom - two.top)
            if wide >= 0.5 and high >= 0.35 * least:
                found.append(f"page {number}: {one} over {two}")
    return found


CASES = [
    (name, language, size)
    for name in ((*NAMES, *TABLES, "sampler", "pit") if EXHAUSTIVE else (*FEW, "sampler", "pit"))
    for language, size in (("en", "a4"), ("de", "a4"), ("en", "letter"))
    if EXHAUSTIVE or size == "a4" or name == "duel"
]


@needs_pdftotext
@pytest.mark.parametrize(("name", "language", "size"), CASES)
def test_no_text_lies_over_another_or_leaves_its_page(
    name: str, language: str, size: str, tmp_path: Path
) -> None:
    assert faults_of(pages_of(sheet(name, language, size), tmp_path)) == []


@needs_pdftotext
@pytest.mark.parametrize(("name", "language", "size"), CASES)
def test_pages_are_filled_but_for_the_last(
    name: str, language: str, size: str, tmp_path: Path
) -> None:
    shares = filled(sheet(name, language, size), tmp_path)
    assert len(shares) >= 4
    assert all(share >= 0.6 for share in shares[:-1]), [round(share, 2) for share in shares]


# -- every other document ------------------------------------------------------------------------

LONG_NAME = "Maximiliane von Hohenstein-Oberwurzbach"
LONG_TITLE = "The Long Siege of the Old Keep above the Flooded Market of Ashkeep"


def _cards(language: str) -> bytes:
    units = tuple(presets.load_units().values())
    return cards(units, "a4", CATALOGUE, presets.load_kit(), standees=True, language=language)


def _guide(language: str) -> bytes:
    situations = json.loads(presets.load_text("play", "situations.json"))["examples"]
    titles = {name: unit.title for name, unit in presets.load_units().items()}
    board = layout_of(guide().first.map).board
    return how_to_play(situations, presets.load_kit(), board, titles, "a4", language)


def _packing(language: str) -> bytes:
    parts = dict.fromkeys(("quadrant", "tie", "tree", "water", "block-1x1x1", "block-l-1"), 12)
    packed = pack_box(parts, dict.fromkeys(parts, (30.0, 25.0, 20.0)), (200, 150, 60))
    pieces = {key: CATALOGUE[key] for key in parts}
    return packing_sheets(LONG_TITLE, packed, parts, pieces, {}, say=spoken(language))


def _calendar(language: str) -> bytes:
    start = datetime(2026, 11, 25, 22, 30)
    planned = [
        PlannedPlate(
            PlateJob(f"plate-{number:02}-base of {LONG_TITLE}", "base", 500.0, 210.0),
            1 + number % 2, number % 3, start + timedelta(hours=9 * number),
            start + timedelta(hours=9 * number + 8),
        )
        for number in range(40)
    ]  # fmt: skip
    return calendar_sheets(LONG_TITLE, planned, Price(18.0, "EUR"), say=spoken(language))


def _tables(language: str) -> bytes:
    fair = "Exactly fair: a half turn exchanges the sides, their starts, and all that stands there."
    shown = [
        TableSheet(title, layout.board, GRID, counts, fair, f"https://example.org/{name}")
        for name, title in (("duel", "Duel"), ("ashkeep", LONG_TITLE))
        for layout in (layout_of(name),)
        for counts in (plan(layout.board, CATALOGUE).counts(),)
    ]
    return table_sheets(LONG_TITLE, shown, CATALOGUE.pieces, {}, say=spoken(language))


def _rounds(language: str) -> bytes:
    players = tuple(f"{LONG_NAME} {number}" for number in range(10))
    contest = Contest(players)
    games = [Meeting(LONG_TITLE, *players[at : at + 2]) for at in range(0, 10, 2)]
    return round_sheets(LONG_TITLE, contest, [Round(1, tuple(games))], say=spoken(language))


DOCUMENTS = {
    "cards": _cards,
    "guide": _guide,
    "packing": _packing,
    "calendar": _calendar,
    "tables": _tables,
    "rounds": _rounds,
}
"""Each PDF that is no sheets of a build, in a language; hands are looked at in their folder."""


@needs_pdftotext
@pytest.mark.parametrize(("name", "language"), [*product(DOCUMENTS, LANGUAGES)])
def test_no_text_of_a_document_lies_over_another_or_leaves_its_page(
    name: str, language: str, tmp_path: Path
) -> None:
    pages = pages_of(DOCUMENTS[name](language), tmp_path)
    assert faults_of(pages, CARD_MARGIN_PT if name == "cards" else MARGIN_PT) == []


# -- words ---------------------------------------------------------------------------------------

WORDS = {
    "water": r"\bwater\b",
    "lava": r"\blava\b",
    "bridge": r"\bbridges?\b",
    "ladder": r"\bladders?\b",
    "tree": r"\btrees?\b",
    "spire": r"\bspires?\b",
    "treasure": r"\btreasures?\b",
    "red": r"\bred\b",
    "blue": r"\bblue\b",
}
"""What names an element in the titles of steps and in legends."""


def elements_of(board: Board) -> set[str]:
    """The elements of a board, by the keys of `WORDS`."""
    grounds = {column.ground for column in board.columns}
    features = {column.feature for column in board.columns}
    there = {
        "water": Ground.WATER in grounds,
        "lava": Ground.LAVA in grounds,
        "bridge": bool(board.decks),
        "ladder": bool(board.ladders),
        "tree": Feature.TREE in features,
        "spire": Feature.SPIRE in features,
        "treasure": bool(board.treasures),
        **{zone.side: bool(zone.surfaces) for zone in board.starts},
    }
    return {name for name, found in there.items() if found}


def named_in(text: str) -> set[str]:
    return {name for name, form in WORDS.items() if re.search(form, text, re.I)}


@pytest.mark.parametrize("draw", [isometric, topdown])
@pytest.mark.parametrize("name", [*NAMES, *TABLES, "sampler", "pit"])
def test_a_legend_names_an_element_exactly_if_the_map_has_it(name: str, draw: object) -> None:
    board = layout_of(name).board
    said: list[str] = []

    def heard(text: str) -> str:
        said.append(text)
        return text

    draw(board, say=heard)  # type: ignore[operator]
    assert named_in("\n".join(said)) == elements_of(board)


@pytest.mark.parametrize("name", [*NAMES, *TABLES, "sampler", "pit"])
def test_titles_of_steps_name_an_element_exactly_if_the_map_has_it(name: str) -> None:
    board = layout_of(name).board
    titles = [step.title for step in steps(board, plan(board, CATALOGUE).placements)]
    arches = {"bridge"} if board.decks and all(deck.arch for deck in board.decks) else set()
    assert named_in("\n".join(titles)) == elements_of(board) - arches
    translated = [spoken("de")(title) for title in titles]
    assert not set(translated) & (set(titles) - {"Lava"}), "a title has no German"


@needs_pdftotext
@pytest.mark.parametrize("name", FEW)
def test_pages_name_only_elements_of_the_map(name: str, tmp_path: Path) -> None:
    """Titles of maps and names of parts aside, which a test of the piece list compares."""
    layout = layout_of(name)
    found = pages_of(sheet(name), tmp_path)
    text = "\n".join(" ".join(word.text for word in page.words) for page in found)
    assert named_in(text.replace(layout.title, "")) <= elements_of(layout.board)


# -- pictures ------------------------------------------------------------------------------------


def covers(shape: PaintedPath, point: Point) -> bool:
    """Whether a filled shape that is no shadow lies over a point."""
    if not shape.fill or shape.opacity <= 0.5:
        return False
    x, y = point
    for path in shape.paths:
        odd = False
        for (x1, y1), (x2, y2) in pairwise((*path, path[0])):
            if (y1 > y) != (y2 > y) and x < x1 + (x2 - x1) * (y - y1) / (y2 - y1):
                odd = not odd
        if odd:
            return True
    return False


def labels_of(drawing: Drawing) -> list[tuple[int, PaintedPath]]:
    """The coordinates of a picture with their numbers among its shapes, by their strokes' look."""
    found = [(n, s) for n, s in enumerate(drawing.shapes) if not s.fill and s.width == 1.9]
    assert len({shape.stroke for _, shape in found}) == 1
    return found


@pytest.mark.parametrize("name", [*NAMES, *TABLES, "sampler", "pit"])
def test_no_coordinate_of_the_picture_is_hidden_and_none_is_missing(name: str) -> None:
    board = layout_of(name).board
    drawing = isometric(board, legend=False)
    labels = labels_of(drawing)
    assert board.rows + board.cols <= len(labels) <= 2 * (board.rows + board.cols)
    for number, label in labels:
        points = [point for path in label.paths for point in path]
        # Painted last or not, a label lies where no face of the picture is but those of the rim.
        for other, shape in enumerate(drawing.shapes):
            if other != number and _standing(shape, drawing):
                assert not any(covers(shape, point) for point in points)


def _standing(shape: PaintedPath, drawing: Drawing) -> bool:
    """Whether a face is none of the slab's three, which are the largest of the picture."""
    wide = max(x for path in shape.paths for x, _ in path) - min(
        x for path in shape.paths for x, _ in path
    )
    return wide < 0.3 * drawing.width


def test_the_label_behind_a_tree_is_left_out_and_its_twin_stays() -> None:
    """A tree at A7 of `duel` stands before the 6 on the west rim; the 6 on the east rim stays."""
    board = layout_of("duel").board
    assert len(labels_of(isometric(board, legend=False))) == 2 * (board.rows + board.cols) - 1


@pytest.mark.parametrize("draw", [isometric, topdown])
def test_starts_are_drawn_as_the_round_discs_that_are_printed(draw: object) -> None:
    from falldamage_forge.pieces.start_signs import SIGNS
    from falldamage_forge.render.side_marks import mark_of

    for side, sign in SIGNS.items():
        mark = mark_of(side, 0)
        reaches = [((row - 0.5) ** 2 + (col - 0.5) ** 2) ** 0.5 for row, col in mark.ring]
        assert max(reaches) - min(reaches) < 1e-9, "the printed disc is round"
        assert not mark.letter and len(mark.sign) == len(sign())
        inside = [(row - 0.5) ** 2 + (col - 0.5) ** 2 for line in mark.sign for row, col in line]
        assert max(inside) ** 0.5 < max(reaches)
    plain, started = (len(draw(board, legend=False).shapes) for board in _with_and_without())  # type: ignore[operator]
    lines = sum(len(sign()) + 2 for sign in SIGNS.values())
    assert started - plain == 8 * lines


def _with_and_without() -> tuple[Board, Board]:
    rows = "".join(f"  {row} | . . . . . . . .\n" for row in range(1, 9))
    bare = "forge 1\nmap {\n    | A B C D E F G H\n" + rows + "}\n"
    starts = "start red at A1..H1\nstart blue at A8..H8\n"
    boards = []
    for text in (bare, bare + starts):
        layout = load(text, "x").layout
        assert layout is not None
        boards.append(layout.board)
    return boards[0], boards[1]


# -- the folder ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a build of `duel`, in German."""
    place = tmp_path_factory.mktemp("folder") / "duel"
    ff.build(ff.load("duel"), options=ff.BuildOptions(language="de")).write(place)
    return place


def test_the_folder_has_every_file_that_the_docs_name_in_it(folder: Path) -> None:
    """Names in `exports/duel`, in the table of the README, and sheets on pages for builders."""
    named: dict[str, str] = {}
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        for name in re.findall(r"`exports/duel/([\w./-]+\.\w+)`", page.read_text("utf-8")):
            named[name] = page.name
    readme = (ROOT / "README.md").read_text("utf-8")
    table = readme[readme.index("writes a whole folder") :].split("\n\n")[1]
    for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE):
        for name in re.findall(r"`([a-z][\w./-]+)`", row):
            named[name] = "README.md"
    for page in ("assembly.md", "print-and-play.md"):
        text = (ROOT / "docs" / page).read_text("utf-8")
        for name in re.findall(r"`([a-z]+\.pdf)`", text):
            named.setdefault(name, page)
    named.pop("cards.pdf", None)  # `fdforge cards -o cards.pdf` writes it
    assert {"build.pdf", "hands.pdf", "board.png"} <= named.keys()
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*")}
    generic = {"pieces/block-1x1x2_x4.stl", "plates/plate-01-base.stl"}
    lacking = {name: page for name, page in named.items() if name.rstrip("/") not in there}
    assert lacking.keys() <= generic - there


@needs_pdftotext
def test_hands_of_a_folder_tell_how_a_disc_goes_into_its_start(
    folder: Path, tmp_path: Path
) -> None:
    found = pages_of((folder / "hands.pdf").read_bytes(), tmp_path)
    text = " ".join(word.text for page in found for word in page.words)
    say = spoken("de")
    for words in ("Start marker", "Ties", "Block", "Bridge", "Ladder", "Tree", "Water"):
        assert say(words) in text
    (disc,) = {step.text for step in STEPS if step.title == "Start marker"}
    assert say(disc) in text
    assert "Lava" not in text and say("Spire") not in text
    assert faults_of(found) == []

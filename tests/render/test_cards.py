"""Cards: every rule is on its card in letters one can read, tips are apart, backs fit fronts."""

import re
from collections import Counter
from itertools import product
from pathlib import Path

import pytest
import shapely
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from shapely import affinity

from falldamage_forge import presets
from falldamage_forge.cli import cli
from falldamage_forge.games.fall_damage.play.game_data import TreasureEffect
from falldamage_forge.geometry.figures import silhouette as silhouette_of
from falldamage_forge.issues import ForgeError
from falldamage_forge.pieces.piece import Piece
from falldamage_forge.render import printed_cards as room
from falldamage_forge.render.display_list import Drawing
from falldamage_forge.render.icons import ICONS, SIDE, icon
from falldamage_forge.render.pdf_pages import PdfPages
from falldamage_forge.render.printed_cards import (
    CARD_PT,
    COLOURS,
    LEAST_FIGURE_PT,
    SLIPS_EACH,
    SMALLEST_PT,
    SUMMARIES,
    cards,
    deck,
    is_used_up,
    rules_of,
    slips_of,
    standees_of,
    summary,
    tips_of,
)
from falldamage_forge.render.rich_text import lines_of, words_of
from falldamage_forge.render.silhouettes import (
    BRIDGE_HALF_MM,
    HEIGHT,
    STRIP_MM,
    WIDTH,
    cut_line,
    figure_of,
    silhouette_paths,
)
from tests.render.test_sheets import pages

UNITS = list(presets.load_units().values())
GAME = presets.load_kit()
FINDS = [*GAME.treasure.values()]


CATALOGUE = presets.load_catalogue()


def test_every_card_shows_its_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    drawing = PdfPages.drawing

    def watched(self: PdfPages, picture: Drawing, *place: float) -> float:
        if (picture.width, picture.height) == (WIDTH, HEIGHT):
            assert place[3] >= LEAST_FIGURE_PT - 8, picture.title
            shown.append(picture.title)
        return drawing(self, picture, *place)

    monkeypatch.setattr(PdfPages, "drawing", watched)
    cards(UNITS, "a4", CATALOGUE)
    assert shown == [unit.title.partition(" (")[0] for unit in UNITS for _ in range(unit.copies)]
    shown.clear()
    cards(UNITS, "a4")
    assert not shown


def test_a_card_of_a_user_has_no_figure() -> None:
    assert figure_of("Herald", CATALOGUE) is None
    assert figure_of("Beast (tails)", CATALOGUE) == CATALOGUE["unit-beast"]


def test_paths_of_outlines_are_closed_and_inside_their_frame() -> None:
    paths = silhouette_paths(CATALOGUE)
    assert len(paths) == len(set(paths.values())) == 23
    for path in paths.values():
        assert re.fullmatch(r"(M[^MZ]+Z)+", path)
        corners = [at.split(",") for at in re.findall(r"[-\d.]+,[-\d.]+", path)]
        assert all(0 <= float(x) <= WIDTH and 0 <= float(y) <= HEIGHT + 2 for x, y in corners)


@pytest.mark.parametrize("figure", CATALOGUE.family("unit"), ids=lambda figure: figure.key)
def test_paper_standee_is_one_strip_whose_halves_lie_on_each_other(figure: Piece) -> None:
    area, fold = cut_line(figure)
    back = affinity.scale(area, 1.0, -1.0, origin=(0.0, fold))
    assert area.geom_type == "Polygon" and area.symmetric_difference(back).area < 1e-6
    assert silhouette_of(figure).difference(area.buffer(1e-6)).area < 0.2
    at_fold = shapely.LineString([(-99, fold), (99, fold)]).intersection(area)
    assert at_fold.length >= 2 * BRIDGE_HALF_MM - 1.5
    low_x, low_y, high_x, high_y = area.bounds
    assert max(-low_x, high_x) <= STRIP_MM[0] / 2 and high_y - low_y <= STRIP_MM[1]


def test_both_sides_have_a_paper_standee_for_each_copy_of_a_figure() -> None:
    strips = standees_of(UNITS, CATALOGUE)
    figures = {key for figure, _, _ in strips for key in [figure.key]}
    assert figures == {piece.key for piece in CATALOGUE.family("unit")}
    count = Counter((figure.key, side) for figure, _, side in strips)
    assert {count["unit-beast", side] for side in ("red", "blue")} == {1}
    assert count["unit-skeleton", "red"] == count["unit-skeleton", "blue"] == 2


def test_standees_are_pages_after_the_cards(tmp_path: Path) -> None:
    knight = [unit for unit in UNITS if unit.title == "Knight"]
    plain, more = (cards(knight, "a4", CATALOGUE, standees=own) for own in (False, True))
    assert pages(more)[: len(pages(plain))] == pages(plain)
    (added,) = pages(more)[len(pages(plain)) :]
    assert added.count("Knight") == 2
    own = tmp_path / "own.pdf"
    run = CliRunner().invoke(cli, ["cards", "knight", "--standees", "--no-backs", "-o", str(own)])
    assert run.exit_code == 0, run.output
    assert pages(own.read_bytes())[-1].count("Knight") == 2


def texts_of(pdf: bytes) -> str:
    return " ".join(" ".join(pages(pdf)).split())


def test_a_whole_deck() -> None:
    found = Counter(card.kind for card in deck(UNITS, game=GAME))
    assert found["rules"] == SUMMARIES * len(summary())
    assert found["treasure"] == len(GAME.categories) == 6
    assert [find.dice for find in FINDS] == list(product(range(1, 7), repeat=2))
    assert sum(found.values()) - found["rules"] - 6 == sum(unit.copies for unit in UNITS)
    assert set(found) == set(COLOURS)


def numbers_of(result: TreasureEffect) -> set[int]:
    """The numbers of a result as a slip writes them: a zone's radius as the side of its square."""
    side = 2 * result.radius + 1 if result.zone else result.radius
    told = {result.amount, result.reach, result.attack, side, result.own, int(result.push[1:] or 0)}
    if result.most:
        told |= {1, result.most, result.most + 1, 6, GAME.called("elixir").amount}
    if result.effect == "reversal":
        told |= {1}  # what a level counts in every Attack
    return told - {0}


@pytest.mark.parametrize("result", FINDS, ids=lambda result: result.name)
def test_treasure_states_the_numbers_that_are_played(result: TreasureEffect) -> None:
    found = {int(number) for number in re.findall(r"\d+", result.text.replace("Two", "2"))} - {0}
    assert found == numbers_of(result)


def test_whatever_is_hidden_by_treasure_has_a_slip() -> None:
    hidden = {result.title for result in FINDS if "hidden-item" in result.pieces}
    assert hidden and {slip.title for slip in slips_of((), GAME)} == hidden


def test_every_word_of_every_rule_is_printed() -> None:
    text = texts_of(cards(UNITS, game=GAME, backs=False))
    paragraphs = [line for unit in UNITS for line in (*rules_of(unit), *tips_of(unit))]
    paragraphs += [line for topic in summary() for line in topic.lines]
    paragraphs += [find.text for find in FINDS]
    for paragraph in paragraphs:
        for word in words_of(paragraph):
            assert word.text in text
            assert not word.icon or word.icon in ICONS


def test_card_font_is_never_below_minimum(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = []
    write = room.rich_text.write

    def watch(paper, lines, x, y, size, *rest):
        sizes.append(size)
        return write(paper, lines, x, y, size, *rest)

    monkeypatch.setattr(room.rich_text, "write", watch)
    paper = PdfPages("a4", "x")
    paper.new_page("")
    for card in deck(UNITS, game=GAME):
        card.paint(paper, 0, 0)
    assert min(sizes) >= SMALLEST_PT
    # At the smallest size a text might not fit any more: no card needs it.
    assert min(sizes) > SMALLEST_PT


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_card_separates_rules_and_tips(unit) -> None:
    for line in rules_of(unit):
        assert not line.startswith("{tip}")
        assert "tip:" not in line.lower()
        body = re.sub(r"^\*\*.+?\*\*|\{[\w-]+\}", "", line).strip()
        assert body[0].isupper() or body[0].isdigit()
        assert body.endswith(".")
    assert len(tips_of(unit)) == sum(ability.tip for ability in unit.abilities)
    actions = sum("{action}" in line for line in rules_of(unit))
    assert actions == sum(ability.action and not ability.tip for ability in unit.abilities)


def test_card_numbers_are_the_units() -> None:
    units = presets.load_units()
    (text,) = pages(cards([units["knight"]], backs=False))
    for name, value in (("Move", 3), ("Jump", 1), ("Health", 8), ("Attack", 3), ("Reach", 1)):
        assert f"{value}\n{name}" in text
    assert "B1\nPush" in text
    (text,) = pages(cards([units["assassin"]], backs=False))
    assert "any\nJump" in text


def test_both_hidden_items_have_their_slips() -> None:
    names = [slip.title for slip in slips_of(UNITS, GAME)]
    assert names == ["Spring Trap", "Ancestral Aid"]
    lines = Counter(pages(cards(UNITS, game=GAME))[-1].splitlines())
    assert all(lines[name] == SLIPS_EACH for name in names)


def test_every_find_can_be_taken_as_a_card() -> None:
    # What is kept and used as an Action is used up; an elixir is drunk at once or later.
    for find in FINDS:
        assert is_used_up(find) == (find.effect in {"item", "elixir"}), find
    sheets = [
        page for page in pages(cards(UNITS, game=GAME, backs=False)) if "take the card" in page
    ]
    for find in FINDS:
        assert sum(find.title in " ".join(page.split()) for page in sheets) == 1
    assert not any("take the card" in page for page in pages(cards(UNITS[:1])))


@pytest.mark.parametrize("size", ["a4", "letter"])
def test_cards_stay_on_the_paper_and_backs_lie_behind_their_fronts(size: str) -> None:
    paper = PdfPages(size, "x")
    for page in room._pages(paper, CARD_PT, deck(UNITS, game=GAME)):
        spots = [at for at, _ in page]
        assert len(spots) <= 9
        columns = {x for x, _ in spots} | {paper.width_pt - x - CARD_PT[0] for x, _ in spots}
        assert len({round(x) for x in columns}) <= 3
        for x, y in spots:
            assert 0 <= x <= paper.width_pt - CARD_PT[0]
            assert 0 <= y <= paper.height_pt - CARD_PT[1] - 20
    with_backs, without = (
        len(pages(cards(UNITS, size, game=GAME, backs=b))) for b in (True, False)
    )
    fronts = -(-len(deck(UNITS, game=GAME)) // 9)
    assert with_backs - without == fronts


def test_cards_are_reproducible() -> None:
    assert cards(UNITS, game=GAME) == cards(UNITS, game=GAME)


@pytest.mark.parametrize("name", ICONS)
def test_icons_stay_on_their_square(name: str) -> None:
    left, top, right, bottom = icon(name, "#000000").bounds()
    assert 0 <= left < right <= SIDE
    assert 0 <= top < bottom <= SIDE
    with pytest.raises(KeyError):
        icon("no such", "#000000")


@given(st.text(st.sampled_from("ab *{}\n.,é"), max_size=60), st.floats(20, 200))
def test_wrapping_loses_no_word(text: str, width: float) -> None:
    paper = PdfPages("a4", "x")
    lines = lines_of(paper, text, 8, width)
    assert [word for line in lines for word in line] == words_of(text)


def test_cards_command_writes_pdf(tmp_path) -> None:
    out = tmp_path / "cards.pdf"
    words = ["cards", "knight", "-o", str(out), "--paper", "letter", "--no-backs"]
    assert CliRunner().invoke(cli, words).output.startswith("1 card in")
    assert out.read_bytes().startswith(b"%PDF")
    done = CliRunner().invoke(cli, ["cards", "knigth"])
    assert isinstance(done.exception, ForgeError)
    assert "did you mean `knight`?" in str(done.exception.issues[0].hint)

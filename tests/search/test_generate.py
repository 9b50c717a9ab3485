"""Generated maps: playable, built of the stock, said as a person would, the same each time."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from falldamage_forge.board import Tile
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.issues import ForgeError
from falldamage_forge.lang.formatter import format_text
from falldamage_forge.rules.position import Position
from falldamage_forge.search import adapter
from falldamage_forge.search.codegen import areas, map_source
from falldamage_forge.search.constructive import MapRequirements
from falldamage_forge.search.genome import BlockCounts, StockBudget, decode_genome
from falldamage_forge.search.map_generator import generate, repair_map, stock_budget
from falldamage_forge.search.mutation import mutate_genome
from falldamage_forge.search.ornaments import NONE, add_ornaments
from falldamage_forge.search.style_grammar import Grammar, MapStyle, read_parts
from falldamage_forge.search.walkability import compute_reachability
from tests.amount import EXHAUSTIVE
from tests.search.drafts import STYLES, starter, unwalked

SEEDS = range(100 if EXHAUSTIVE else 5)
SHARE = 0.95


@pytest.mark.parametrize("style", STYLES)
def test_maps_of_a_stock_are_playable_and_can_be_built(style: str) -> None:
    budget = stock_budget(starter(), MapRequirements())
    good = 0
    for seed in SEEDS:
        text = generate(seed, adapter.style(style), budget).text
        checked = adapter.check(text)
        good += not checked.issues
        assert checked.issues == ()
        assert adapter.missing_parts(text, starter()) == {}, f"{style} {seed}"
    assert good >= SHARE * len(SEEDS)


@pytest.mark.parametrize("style", STYLES)
def test_generated_text_is_formatted_and_parses_to_its_board(style: str) -> None:
    for seed in range(3):
        made = generate(seed, adapter.style(style))
        assert format_text(made.text, "made") == made.text
        board = adapter.check(made.text).layout.board
        decks = tuple(replace(deck, arch=False) for deck in board.decks)
        plain = replace(board, decks=decks, battlements=(), steps=())
        assert plain == made.draft.canvas.board()
        if EXHAUSTIVE or seed == 0:
            assert generate(seed, adapter.style(style)).text == made.text


def test_styles_differ_in_ladders_arches_battlements_and_steps() -> None:
    texts = {
        style: [generate(s, adapter.style(style), sketches=4).text for s in range(4)]
        for style in STYLES
    }

    def count(style: str, sign: str) -> int:
        return sum(line.startswith(sign) for text in texts[style] for line in text.splitlines())

    for sign in ("bridge ", "ladder ", "battlement ", "step "):
        assert sum(count(style, sign) for style in STYLES) > 0, sign
    assert any(" arch" in text for each in texts.values() for text in each)
    assert count("castle", "battlement ") > 0 == count("village", "battlement ")
    for line in (line for each in texts.values() for text in each for line in text.splitlines()):
        tiles = line.partition(" sides")[0].partition(" at ")[2].split(", ")
        assert not line.startswith("battlement") or len(tiles) == len(set(tiles))
    skylines = [skyline(text) for each in texts.values() for text in each]
    assert Counter(skylines).most_common(1)[0][1] <= len(skylines) / 3


def skyline(text: str) -> tuple[int, ...]:
    """The highest level of every second column pair from west to east, or its mirror image."""
    board = adapter.board_of(text)
    high = [
        max(
            board.column(Tile(row, col + each)).level
            for row in range(board.rows)
            for each in (0, 1)
        )
        for col in range(0, board.cols, 2)
    ]
    return min(tuple(high), tuple(high[::-1]))


def test_an_ornament_that_is_not_owned_or_not_allowed_is_left_out() -> None:
    made = generate(2, adapter.style("castle"))
    assert add_ornaments(made.draft, Random(1), lambda _: False) == NONE
    none_owned = replace(made.draft.budget, blocks=BlockCounts.of({}, ()))
    made.draft.budget = none_owned
    assert add_ornaments(made.draft, Random(1), lambda _: True) == NONE


def test_size_and_requirements_are_met() -> None:
    wish = MapRequirements(15, 20, levels=(3, 3), openness=(0.4, 0.7), lava=(0.005, 0.05), chests=4)
    made = generate(1, adapter.style("castle"), wish=wish)
    board = adapter.check(made.text).layout.board
    assert (board.rows, board.cols) == (15, 20)
    assert len(board.treasures) == 4
    assert max(column.level for column in board.columns) == 3
    assert 0.4 <= 1 - made.looks.fill <= 0.7
    assert 0.005 <= made.looks.lava <= 0.05


def test_requirement_is_written_into_the_map_and_holds() -> None:
    wish = MapRequirements(expects=("expect good sight",))
    text = generate(2, adapter.style("arena"), wish=wish).text
    assert "expect good sight" in text.splitlines()
    assert adapter.check(text).issues == ()


def test_unknown_requirement_is_refused_before_the_search() -> None:
    with pytest.raises(ForgeError) as caught:
        generate(2, adapter.style("arena"), wish=MapRequirements(expects=("expect wonders",)))
    assert caught.value.issues[0].code == "FDF330"


def test_a_stock_without_a_base_is_refused() -> None:
    with pytest.raises(ForgeError) as caught:
        stock_budget({"quadrant": 4, "start-red": 3, "start-blue": 8}, MapRequirements())
    assert caught.value.issues[0].code == "FDF501"
    assert "5 start-red" in caught.value.issues[0].message


def test_failed_seed_reports_its_reason() -> None:
    with pytest.raises(ForgeError) as caught:
        generate(1, adapter.style("castle"), accept=lambda _: "too brown", sketches=4)
    assert caught.value.issues[0].code == "FDF502"
    assert "too brown" in caught.value.issues[0].message


# -- the sketch's own answers against the rules' --------------------------------------------------


@pytest.mark.parametrize("style", STYLES)
def test_walkability_equals_the_rules(style: str) -> None:
    """Surfaces and moves without damage of sketches nobody has mended."""
    for seed in range(6):
        canvas = unwalked(style, seed).canvas
        ways = compute_reachability(canvas)
        position = Position(canvas.board(), adapter.game())
        cols = canvas.table.cols
        numbers = [(s.tile.row * cols + s.tile.col, s.level) for s in position.graph.surfaces]
        assert list(ways.surfaces) == numbers
        for unit, links in (("M3 J1", ways.plain), ("M2 Jany, levels count", ways.tails)):
            told = [sum({1 << to for to in out}) for out in position.model(unit).successors]
            assert list(links) == told


@pytest.mark.parametrize("style", STYLES)
def test_a_sketch_drawn_anew_is_the_same_board(style: str) -> None:
    for seed in range(6):
        mended = repair_map(unwalked(style, seed, stock_budget(starter(), MapRequirements())))
        if mended is None:
            continue
        draft, ways = mended
        again = decode_genome(draft.sketch, draft.style, draft.start)
        assert again.sketch == draft.sketch
        assert again.canvas.board() == draft.canvas.board()
        assert again.budget.sums == draft.budget.sums
        assert not ways.stray()


@pytest.mark.parametrize("style", STYLES)
def test_tree_never_stands_on_the_end_of_a_bridge_or_ladder(style: str) -> None:
    for seed in range(3):
        draft = unwalked(style, seed)
        canvas, placed = draft.canvas, 0
        ends = {(tile, deck.level) for deck in canvas.decks for tile in (deck.a, deck.b)}
        ends |= {(t, canvas.level[t]) for lad in canvas.ladders for t in (lad.foot, lad.top)}
        for tile, level in enumerate(canvas.level):
            if draft.copy().thing("tree", tile):
                placed += 1
                assert (tile, level) not in ends
        assert placed


def test_mutation_adds_no_bridge_to_a_style_without() -> None:
    style = adapter.style("castle")
    bare = replace(style, grammar=replace(style.grammar, bridges=(0, 0)))
    for seed in range(6):
        sketch = replace(unwalked("castle", seed).sketch, bridges=())
        wish = MapRequirements()
        made = mutate_genome(sketch, bare, StockBudget(), wish, Random(seed))
        assert not made.sketch.bridges


def test_every_class_gets_from_start_to_start_and_to_the_chests() -> None:
    for style in STYLES:
        position = Position(generate(11, adapter.style(style)).draft.canvas.board(), adapter.game())
        goals = {Surface(*place) for zone in position.board.starts for place in zone.surfaces}
        goals |= {Surface(chest.tile, chest.level) for chest in position.board.treasures}
        wanted = {position.graph.index[goal] for goal in goals}
        for group in position.classes:
            for start in position.zones(group.profile).values():
                assert wanted <= position.flood(group.profile, start[:1]), (style, group.name)


# -- parts ----------------------------------------------------------------------------------------

OWN = """\
forge 1
define gallows {
  map {
    2  1  .
  }
  ladder C1 -> B1
}
"""


def test_own_parts_join_a_style() -> None:
    own = read_parts("forge 1\ndefine crate {\n  map {\n    1  1\n  }\n}\n", "own.forge")
    style = MapStyle(
        Grammar("mine", "Mine", "Mine.", ("A",), ("b",), {}, {"crate": 1}, kinds=(1, 1)), own
    )
    made = generate(0, style)
    assert "place crate at" in made.text
    both = adapter.style("castle").with_parts(own)
    assert {"crate", "wall"} <= set(both.grammar.parts)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("forge 1\n", "FDF500"),
        ("forge 1\ndefine a {\n  tree at B2\n", "FDF003"),
        ("forge 1\ndefine a {\n  place a at A1\n}\n", "FDF206"),
        ("forge 1\ndefine a {\n  start red at A1\n}\n", "FDF500"),
    ],
)
def test_invalid_parts_are_refused(text: str, code: str) -> None:
    with pytest.raises(ForgeError) as caught:
        read_parts(text, "own.forge")
    assert code in {issue.code for issue in caught.value.issues}


def test_grammar_naming_a_missing_part_is_refused() -> None:
    grammar = Grammar("mine", "Mine", "Mine.", ("A",), ("b",), {"hart": 1}, {"wall": 1})
    with pytest.raises(ForgeError, match="no part called `hart`"):
        MapStyle(grammar, adapter.style("castle").parts)


def test_parts_are_drawn_and_used() -> None:
    for name in STYLES:
        style = adapter.style(name)
        used = {*style.grammar.hearts, *style.grammar.parts}
        assert used == set(style.parts), name


def test_areas_are_written_as_rectangles() -> None:
    assert areas([0, 1, 10, 11, 25], 10) == "A1..B2, F3"
    assert areas([], 10) == ""


def test_map_text_is_the_same_for_the_same_seed() -> None:
    draft = unwalked("ruins", 1)
    assert map_source(draft, 1) == map_source(draft, 1)

"""Models in the language: block, place, board, formatter, copies and refusals."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import falldamage_forge as ff
from falldamage_forge.board import Board, Feature, Tile
from falldamage_forge.elements.things import board_of, things_of
from falldamage_forge.issues import Issue, has_errors
from falldamage_forge.lang import load
from falldamage_forge.lang.flatten import flatten
from falldamage_forge.lang.formatter import format_text
from falldamage_forge.lang.model_block import KEYS, POSES, SCALES, UNITS

STARTS = "start red at B1..I1\nstart blue at B10..I10\n"
RUIN = 'model ruin "ruin.stl" { tiles 2x1  levels { 2 . }  studs }\n'


def issues(body: str) -> tuple[Issue, ...]:
    return ff.check(ff.loads(f"forge 1\n{body}{STARTS}", "x.forge")).issues


def board(body: str) -> Board:
    loaded = load(f"forge 1\n{body}{STARTS}", "x.forge")
    assert not loaded.issues
    return loaded.layout.board


def test_a_model_is_a_column_of_its_level_and_a_spire_where_no_unit_stands() -> None:
    made = board(f"{RUIN}stack C3..D3 height 1\nplace ruin at C3\n")
    assert made.column(Tile(2, 2)).level == 3
    assert made.column(Tile(2, 2)).feature is None
    assert made.column(Tile(2, 3)).level == 1
    assert made.column(Tile(2, 3)).feature is Feature.SPIRE
    assert [made.built_level(Tile(2, col)) for col in (1, 2, 3)] == [0, 1, 1]


@pytest.mark.parametrize(
    "turn", ["", " rotate 90", " rotate 180", " rotate 270", " mirror x", " mirror y"]
)
def test_place_turns_tiles_and_facing_alike(turn: str) -> None:
    made = board(f"{RUIN}place ruin at E5{turn}\n")
    (ruin,) = made.models
    high = next(tile for tile, (top, _) in zip(ruin.tiles, ruin.tops, strict=True) if top == 2)
    east = ruin.aims[1]
    low = next(tile for tile in ruin.tiles if tile != high)
    assert (low.row - high.row, low.col - high.col) == (east.row - high.row, east.col - high.col)


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 4), st.integers(0, 2), st.sampled_from(("", " rotate 90", " mirror y"))
        ),
        max_size=4,
    )
)
def test_a_written_out_map_has_the_same_board(places: list[tuple[int, int, str]]) -> None:
    lines = "".join(
        f"place ruin at {Tile(2 + 2 * row, 3 * col)}{turn}\n"
        for row, col, turn in {
            (row, col): each for each in places for row, col in [each[:2]]
        }.values()
    )
    loaded = load(f"forge 1\n{RUIN}{lines}{STARTS}", "x.forge")
    made = loaded.layout.board
    assert board_of(things_of(made), made.rows, made.cols) == made
    again = load(flatten(loaded.layout), "x.forge")
    assert again.layout.board == made
    assert not again.issues or loaded.issues


def test_symmetry_makes_models_whose_images_are_themselves() -> None:
    made = board(f"{RUIN}symmetry rotate 180 swap red blue\nplace ruin at C4\n".replace(STARTS, ""))
    assert len(made.models) == 2
    turn = {Tile(r, c): Tile(9 - r, 9 - c) for r in range(-1, 11) for c in range(-1, 11)}
    images = {x.moved(lambda tile: turn[tile]) for x in made.models}
    assert images == set(made.models)


@settings(deadline=None)
@given(
    st.fixed_dictionaries(
        {},
        optional={
            "tiles 2x1": st.just("levels { 1 . }"),
            "scale": st.sampled_from((*SCALES, "50%", "12.5%")),
            "unit": st.sampled_from(UNITS),
            "turn": st.sampled_from(("90", "180", "270")),
            "print": st.sampled_from((*POSES, "upright supports")),
            "license": st.just('"CC-BY-4.0"'),
            "studs": st.just(""),
            "flip": st.just(""),
        },
    ),
    st.booleans(),
)
def test_the_formatter_keeps_every_block(chosen: dict[str, str], lines: bool) -> None:
    joint = "  # why\n" if lines else "  "
    inside = joint.join(f"{key} {value}".strip() for key, value in chosen.items())
    text = f'forge 1\nmodel x "x.stl" {{ {inside}\n}}\n'
    once = format_text(text, "x.forge")
    assert format_text(once, "x.forge") == once
    assert load(once, "x").document == load(text, "x").document


WRONG = {
    "tiles 10x1": "FDF211",
    "tiles 2": "FDF211",
    "scale huge": "FDF211",
    "scale 0%": "FDF211",
    "unit parsec": "FDF211",
    "turn 45": "FDF211",
    "print sideways": "FDF211",
    "levels { 2 3 }": "FDF211",
    "levels { high }": "FDF211",
    "levels { 13 }": "FDF211",
    "levels": "FDF001",
    "colour red": "FDF210",
    "scale": "FDF001",
    "tiles { 2x1 }": "FDF001",
}


@pytest.mark.parametrize("setting", WRONG)
def test_a_wrong_setting_is_reported_at_its_place(setting: str) -> None:
    found = issues(f'model x "x.stl" {{ {setting} }}\nplace x at E5\n')
    first = next(issue for issue in found if issue.severity == "error")
    assert first.code == WRONG[setting]
    assert first.span is not None
    assert first.span.line == 2


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (f"{RUIN}stack C3 height 1\nplace ruin at C3\n", "FDF148"),
        (f"{RUIN}place ruin at C3\nplace ruin at D3\n", "FDF148"),
        (f"{RUIN}tree at D3\nplace ruin at C3\n", "FDF148"),
        (f"{RUIN}water at D3\nplace ruin at C3\n", "FDF148"),
        (f"{RUIN}stack C3..D3 height 11\nplace ruin at C3\n", "FDF106"),
        (f"{RUIN}place ruin at J3\n", "FDF100"),
        (f"{RUIN}{RUIN}", "FDF203"),
        (f"{RUIN}place riun at C3\n", "FDF202"),
        (RUIN.replace("  studs", "") + "place ruin at C4\nladder C5 -> C4\n", "FDF149"),
        (RUIN.replace("  studs", "") + "place ruin at C4\nbattlement at C4\n", "FDF149"),
    ],
)
def test_a_model_that_cannot_stand_is_refused(body: str, code: str) -> None:
    found = issues(body)
    assert has_errors(found)
    assert code in {issue.code for issue in found}


def test_a_model_with_studs_holds_a_ladder() -> None:
    assert not has_errors(issues(f"{RUIN}place ruin at C4\nladder C5 -> C4\n"))


def test_every_key_of_a_block_has_a_default() -> None:
    (model,) = load('forge 1\nmodel x "x.stl" { }\nplace x at E5\n', "x").layout.models
    assert len(KEYS) == 10
    assert model.tops == (-1,)
    assert model.scale == "fit"

"""Issues, lengths, tiles, tables: the small values everything else stands on."""

from dataclasses import dataclass
from enum import StrEnum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falldamage_forge.board import Column, Deck, Tile, column_index, column_name, make_board
from falldamage_forge.infra.toml_loader import parse_toml, read_table
from falldamage_forge.issues import ForgeError, Issue, SourceSpan, did_you_mean, has_errors
from falldamage_forge.lengths import GRID, parse_length_mm
from falldamage_forge.pieces.piece import Piece, Placement, turn_footprint


@given(st.integers(0, 701))
def test_column_letters_go_both_ways(col: int) -> None:
    assert column_index(column_name(col)) == col


@given(st.integers(0, 998), st.integers(0, 701))
def test_tile_names_go_both_ways(row: int, col: int) -> None:
    assert Tile.parse(str(Tile(row, col))) == Tile(row, col)


@pytest.mark.parametrize("text", ["", "A", "1", "A0", "A01", "1A", "A1 ", "AAA1", "A1000", "Ä1"])
def test_a_bad_tile_name_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a tile"):
        Tile.parse(text)


@given(st.integers(0, 999_999_999).map(lambda micrometres: micrometres / 1000))
def test_lengths_go_both_ways(length_mm: float) -> None:
    assert parse_length_mm(f"{length_mm:.6f}mm") == pytest.approx(length_mm, abs=1e-6)


def test_length_units() -> None:
    assert parse_length_mm("1in") == parse_length_mm('1"') == parse_length_mm("2.54 cm") == 25.4
    for bad in ("", "-1mm", "1e3", "nan", "1 parsec", "1,5mm"):
        with pytest.raises(ValueError, match="not a length"):
            parse_length_mm(bad)


def test_grid_reads_like_the_text() -> None:
    assert GRID.corner_mm(0, 0) == (0.0, 0.0)
    assert GRID.centre_mm(0, 1) == (45.0, -15.0)
    assert GRID.height_mm(3) == 90.0


def test_a_deck_is_the_same_either_way_round() -> None:
    a, b = Tile(4, 1), Tile(4, 4)
    deck = Deck.between(b, a, 2, SourceSpan("x", 1, 1, 1, 2))
    assert deck == Deck.between(a, b, 2)
    assert deck.tiles == (Tile(4, 2), Tile(4, 3))
    assert Deck.between(Tile(0, 0), Tile(1, 1), 2).tiles == ()


def test_boards_compare_by_meaning() -> None:
    here = SourceSpan("x", 1, 1, 1, 2)
    decks = [Deck.between(Tile(0, 0), Tile(0, 2), 1), Deck.between(Tile(1, 0), Tile(1, 2), 1)]
    one = make_board(2, 3, [Column(source=here)] * 6, decks=decks)
    other = make_board(2, 3, [Column()] * 6, decks=reversed(decks))
    assert one == other
    assert one.tops(Tile(0, 1)) == (0, 1)
    assert Tile(2, 0) not in one
    with pytest.raises(ValueError, match="columns"):
        make_board(2, 3, [Column()])


footprints = st.sets(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=6).map(
    lambda cells: tuple(sorted(cells))
)


@given(footprints, st.integers(0, 3))
def test_turning_keeps_size_and_four_turns_are_none(
    footprint: tuple[tuple[int, int], ...], turns: int
) -> None:
    turned = turn_footprint(footprint, turns)
    assert len(turned) == len(footprint)
    assert min(row for row, _ in turned) == min(col for _, col in turned) == 0
    assert turn_footprint(turned, 4 - turns) == turn_footprint(footprint, 0)


def test_a_turned_domino_lies_the_other_way() -> None:
    domino = Piece("block-2x1x1", "block", "Block", "block", footprint=((0, 0), (0, 1)))
    assert Placement(domino, Tile(2, 2), 0, 1).tiles() == (Tile(2, 2), Tile(3, 2))


def test_did_you_mean() -> None:
    assert did_you_mean("towr", ["tower", "keep"]) == "did you mean `tower`?"
    assert did_you_mean("TOWER", ["tower"]) == "did you mean `tower`?"
    assert did_you_mean("xyzzy", ["tower", "keep"]) is None


def test_only_errors_are_errors() -> None:
    assert not has_errors([Issue("FDF301", "warning", "hm")])
    assert has_errors([Issue("FDF301", "warning", "hm"), Issue("FDF100", "error", "no")])


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True)
class Inner:
    size: float


@dataclass(frozen=True)
class Sample:
    name: str
    count: int = 1
    colour: Colour = Colour.RED
    sizes: tuple[float, ...] = ()
    pair: tuple[int, int] = (0, 0)
    inner: Inner | None = None
    reach: int | str = 0

    def __post_init__(self) -> None:
        if self.count > 100:
            raise ValueError("`count` is at most 100")


def test_a_table_becomes_a_value() -> None:
    toml = (
        'name="n"\ncount=3\ncolour="blue"\nsizes=[1,2.5]\npair=[1,2]\nreach="any"\n[inner]\nsize=2'
    )
    sample = read_table(Sample, parse_toml(toml, "t.toml"), "t")
    assert sample == Sample("n", 3, Colour.BLUE, (1.0, 2.5), (1, 2), Inner(2.0), "any")


@pytest.mark.parametrize(
    ("toml", "message", "hint"),
    [
        ("", "`name` is missing", None),
        ('name="n"\ncuont=1', "unknown key `cuont`", "did you mean `count`?"),
        ('name="n"\ncount=true', "whole number", None),
        ('name="n"\ncount=1.5', "whole number", None),
        ('name="n"\ncount=101', "at most 100", None),
        ('name="n"\ncolour="blu"', "one of red, blue", "did you mean `blue`?"),
        ('name="n"\npair=[1]', "2 entries", None),
        ('name="n"\nsizes=3', "should be a list", None),
        ('name="n"\ninner=3', "expected a table", None),
        ('name="n"\n[inner]\nsiez=1', "unknown key `siez`", "did you mean `size`?"),
    ],
)
def test_a_faulty_table_is_told_with_a_hint(toml: str, message: str, hint: str | None) -> None:
    with pytest.raises(ForgeError) as caught:
        read_table(Sample, parse_toml(toml, "t.toml"), "t")
    issue = caught.value.issues[0]
    assert message in issue.message
    assert issue.hint == hint


def test_broken_toml_names_its_line() -> None:
    with pytest.raises(ForgeError) as caught:
        parse_toml("a = 1\nb = \n", "t.toml")
    span = caught.value.issues[0].span
    assert span is not None
    assert (span.file, span.line) == ("t.toml", 2)

"""Magnets of a map's base: the statement, the plan, and every list that says what to buy."""

import csv
import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falldamage_forge import presets
from falldamage_forge.builds.output_files import plan_notes
from falldamage_forge.builds.pipeline import BuildOptions
from falldamage_forge.export.shopping_list import shopping_csv, shopping_json, shopping_notes
from falldamage_forge.issues import Issue
from falldamage_forge.lang import load
from falldamage_forge.lang.flatten import flatten
from falldamage_forge.lang.formatter import format_text
from falldamage_forge.lengths import MAGNETS, magnet_problem
from falldamage_forge.library.forge import Forge
from falldamage_forge.pieces.bought import magnet_piece, magnets_of
from falldamage_forge.pieces.piece import MAGNETS_IN
from falldamage_forge.pieces.stock import is_piece, read_stock
from falldamage_forge.printing.print_price import Price

FORGE = Forge()
STARTS = "start red at A1..H1\nstart blue at A5..H5\n"


def text_of(magnets: str, more: str = "", size: str = "15x10") -> str:
    return f"forge 1\nboard {size}\nprint {{ magnets {magnets} {more} }}\n{STARTS}"


def issues_of(text: str) -> tuple[Issue, ...]:
    return load(text, "map.forge").issues


def job(text: str, **options: Any) -> Any:
    made = FORGE.assemble(
        FORGE.check(FORGE.loads(text)), options=BuildOptions(**options), meshes=False
    )
    return made.build


@pytest.mark.parametrize("name", MAGNETS)
def test_the_statement_survives_formatter_and_expansion(name: str) -> None:
    loaded = load(text_of(name, "rim"), "map.forge")
    assert not loaded.issues
    assert loaded.layout.printing.magnets == name
    assert load(flatten(loaded.layout), "flat.forge").layout.printing.magnets == name
    tidy = format_text(text_of(name, "rim"), "map.forge")
    assert load(tidy, "map.forge").layout == loaded.layout
    assert not load(f"forge 1\n{STARTS}", "plain.forge").layout.printing.magnets


@pytest.mark.parametrize("name", MAGNETS)
def test_magnets_of_blocks_survive_formatter_and_expansion(name: str) -> None:
    loaded = load(text_of(name, "blocks  rim"), "map.forge")
    assert not loaded.issues
    assert loaded.layout.printing.held == f"{name}-blocks"
    for text in (flatten(loaded.layout), format_text(text_of(name, "blocks  rim"), "map.forge")):
        assert load(text, "map.forge").layout.printing.held == f"{name}-blocks"


def test_blocks_need_magnets() -> None:
    (issue,) = issues_of(f"forge 1\nprint {{ blocks }}\n{STARTS}")
    assert issue.code == "FDF212" and issue.hint is not None
    mended = issue.hint.split("`")[1]
    assert not issues_of(f"forge 1\nprint {{ {mended} }}\n{STARTS}")


def test_a_table_with_magnets_in_blocks_counts_them_all() -> None:
    made = job(text_of("6x2", "blocks", "10x10") + "stack C3 height 2\nstack C4 height 1\n")
    tiles = {key: len(made.pieces[key].footprint) for key in made.counts}
    blocks = sum(
        2 * tiles[key] * n for key, n in made.counts.items() if made.pieces[key].family == "block"
    )
    assert blocks > 0
    assert made.magnets == {"6x2": 4 * (8 + 25) + blocks}


@given(st.floats(0.5, 99).map(lambda x: f"{x:.3g}"), st.floats(0.5, 99).map(lambda x: f"{x:.3g}"))
def test_other_sizes_are_refused_by_name(diameter: str, height: str) -> None:
    size = f"{diameter}x{height}"
    why = magnet_problem(size)
    assert bool(why) is (size not in MAGNETS)
    if why:
        assert size in why
        (issue,) = issues_of(text_of(size))
        assert (issue.code, issue.message) == ("FDF212", why)
        assert issue.span is not None
        assert issue.hint is not None and all(name in issue.hint for name in MAGNETS)


@pytest.mark.parametrize(
    ("size", "why"),
    [
        ("10x2", "more than 8 mm"),
        ("6x5", "room for 3 mm"),
        ("3x1", "too weakly"),
        ("4x6", "a rod"),
        ("5x3", "usual sizes"),
        ("six", "no size"),
        ("6 x 2", ""),
    ],
)
def test_a_refusal_says_why(size: str, why: str) -> None:
    assert any(why in issue.message for issue in issues_of(text_of(size)))


@pytest.mark.parametrize("rim", [False, True])
def test_every_pocket_gets_a_magnet_and_nothing_a_tie(rim: bool) -> None:
    build = job(text_of("6x2", "rim" if rim else ""))
    families = {piece.family for piece in build.pieces.values()}
    assert "tie" not in families
    quadrants, strips = 6, 5 * rim
    assert build.magnets == {"6x2": 8 * quadrants + 2 * strips}
    assert plan_notes(build)["bought"] == shopping_json(build.magnets, None)
    assert [row.piece for row in build.rows] == [row.piece for row in build.rows if row.grams]


def test_a_base_with_ties_buys_nothing() -> None:
    build = job(f"forge 1\nboard 15x10\n{STARTS}")
    assert not build.magnets
    assert "bought" not in plan_notes(build)
    assert {"quadrant", "tie"} <= {piece.family for piece in build.pieces.values()}


def test_owned_quadrants_have_their_magnets() -> None:
    own = {"quadrant@magnets-6x2": 4}
    assert job(text_of("6x2"), owned=own).magnets == {"6x2": 16}
    assert job(text_of("6x2"), owned={"quadrant": 4}).magnets == {"6x2": 48}
    assert job(text_of("6x2"), owned={"quadrant@magnets-6x3": 4}).magnets == {"6x2": 48}


def test_a_stock_knows_parts_for_magnets() -> None:
    known = presets.load_catalogue().every
    for key in ("quadrant@magnets-6x2", "rim-letters-a@magnets-8x3@25.4", "quadrant@25.4"):
        assert is_piece(key, known)
    for key in ("quadrant@magnets-9x9", "quadrant@25.4@25.4", "quadrant@", "quadrant@magnets-6x2@"):
        assert not is_piece(key, known)
    table = "piece,count\nquadrant@magnets-6x2-b,2\n"
    assert read_stock(table, "stock.csv", known) == {"quadrant@magnets-6x2": 2}


@given(st.dictionaries(st.sampled_from(sorted(MAGNETS)), st.integers(1, 10_000)))
def test_the_shopping_list_says_each_number_once(magnets: dict[str, int]) -> None:
    price = Price(20.0, "EUR", 0.1)
    for own in (None, Price(20.0), price):
        rows = list(csv.DictReader(io.StringIO(shopping_csv(magnets, own).decode())))
        assert [int(row["quantity"]) for row in rows] == list(magnets.values())
        assert [row["item"] for row in rows] == [magnet_piece(name).key for name in magnets]
        priced = own is price
        assert all(("cost" in row) is priced for row in rows)
        notes = shopping_notes(magnets, own)
        assert all(str(n) in note for n, note in zip(magnets.values(), notes, strict=True))
        assert all(("EUR" in note) is priced for note in notes)


def test_only_parts_of_a_base_hold_magnets() -> None:
    catalogue = presets.load_catalogue(magnets="6x2")
    counts = dict.fromkeys((piece.key for piece in catalogue.pieces.values()), 1)
    held = magnets_of(counts, {piece.key: piece for piece in catalogue.pieces.values()})
    builders = [p.builder for p in catalogue.pieces.values() if p.builder in MAGNETS_IN]
    assert held == {"6x2": sum(MAGNETS_IN[builder] for builder in builders)}

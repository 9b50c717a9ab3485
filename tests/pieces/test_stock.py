"""Stock files: read strictly, added up, written so that no spreadsheet runs them."""

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from falldamage_forge.builds.pipeline import BuildOptions, planned
from falldamage_forge.issues import ForgeError
from falldamage_forge.pieces.lost_corners import broken_sites
from falldamage_forge.pieces.piece import MAX_VARIANTS
from falldamage_forge.pieces.stock import (
    MAX_ISSUES,
    StockEntry,
    append_entries,
    design_of,
    has_broken_top,
    read_entries,
    read_stock,
    safe_text,
    write_entries,
)
from falldamage_forge.pieces.variants import allocate_owned_variants, variants_of
from falldamage_forge.presets import load_catalogue, load_printer, load_style
from tests.cli.running import small_map, tree, typed

from .maps import layout_of

KNOWN = load_catalogue().pieces


def test_stock_sums_lines_of_any_csv_dialect() -> None:
    text = "piece,count\nblock-1x1x1,8\n\nquadrant,4\nblock-1x1x1,-3\ntree,1\ntree,-1\n"
    stock = {"block-1x1x1": 5, "quadrant": 4}
    assert read_stock(text, "s", KNOWN) == stock
    assert read_stock(text.replace(",", ";").replace("\n", "\r\n"), "s", KNOWN) == stock
    turned = 'Quantity,"Piece",colour\n 5 , block-1x1x1 ,red\n4,quadrant,\n'
    assert read_stock(turned, "s", KNOWN) == stock


def test_stock_counts_variants_by_design_but_for_broken_tops() -> None:
    for design in KNOWN.values():
        for part in variants_of(design):
            broken = design.family == "block" and broken_sites(part.footprint, part.variant)
            key = part.key if broken else design.key
            assert read_stock(f"piece,count\n{part.key},2\n", "s", KNOWN) == {key: 2}


def _left_to_print(name: str, style: str, stock: dict[str, int]) -> Counter[str]:
    """Parts of a map in a style that a stock lacks."""
    options = BuildOptions(variants=MAX_VARIANTS, style=load_style(style), owned=stock)
    plan = planned(layout_of(name), load_catalogue(), load_printer("a1-mini"), options)
    owned = allocate_owned_variants(plan.counts(), plan.pieces(), stock)
    return Counter(plan.counts()) - Counter(owned)


def test_broken_block_of_a_stock_replaces_no_whole_one() -> None:
    """A ruin needs no part twice; in stone the blocks with broken tops are printed whole."""
    parts = _left_to_print("ashkeep", "ruin", {})
    lines = "".join(f"{key},{count}\n" for key, count in parts.items())
    stock = read_stock(f"piece,count\n{lines}", "s", KNOWN)
    broken = {key: count for key, count in stock.items() if has_broken_top(key)}
    assert broken
    assert not _left_to_print("ashkeep", "ruin", stock)
    whole = {key: count for key, count in stock.items() if key not in broken}
    stone = _left_to_print("ashkeep", "stone", stock)
    assert stone
    assert stone == _left_to_print("ashkeep", "stone", whole)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "FDF402"),
        ("peice,count\n", "no column `piece`"),
        ("piece,number\n", "no column `count`"),
        ("piece,piece,count\n", "two columns"),
        ('piece,count\n"block-1x1x1,3\n', "s.csv:2:1: error[FDF402]"),
        ("piece,count\nblock-1x1x1\n", "s.csv:2:1: error[FDF403]: `` is not a count"),
        ("piece,count\nblock-1x1x1,2.5\n", "`2.5` is not a count"),
        ("piece,count\nblock-1x1x1,=1+1\n", "`=1+1` is not a count"),
        ("piece,count\nblock-1x1x1,٣\n", "is not a count"),
        ("piece,count\nblock-1x1x1,100001\n", "is not a count"),
        ("piece,count\nblock-1x1x1,1" + "0" * 5000 + "\n", "is not a count"),
        ("piece,count\nquadrnt,4\n", "no piece called `quadrnt`"),
        ("piece,count\nquadrant,4\nquadrant,-5\n", "1 more `quadrant` went"),
        ("piece,count\nquad\0rant,4\n", "U+0000"),
        ("piece,count\n" + "quadrant,1\n" * 20_001, "more than 20000 lines"),
        ("piece,count\n" + "x" * 200_000 + ",1\n", "no CSV"),
    ],
)
def test_untrusted_stock_file_is_rejected(text: str, says: str) -> None:
    with pytest.raises(ForgeError) as caught:
        read_stock(text, "s.csv", KNOWN)
    assert says in "\n".join(map(str, caught.value.issues))


@pytest.mark.parametrize("first", ["", "sep=;\n", '"sep=;"\n', "SEP=\t\n"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("count", ["4", "4.0", "4,00", "4.000"])
def test_files_of_spreadsheets_are_read(first: str, delimiter: str, count: str) -> None:
    delimiter = first[4:5] if first.startswith(("sep", "SEP")) else ";" if first else delimiter
    cell = f'"{count}"' if delimiter in count else count
    text = f"{first}from{delimiter}count{delimiter}piece\nme{delimiter}{cell}{delimiter}spire\n"
    assert read_stock(text, "s.csv", KNOWN) == {"spire": 4}
    after = append_entries(text, [StockEntry("spire", 3, "me")])
    assert after.startswith(text) and read_stock(after, "s.csv", KNOWN) == {"spire": 7}
    with pytest.raises(ForgeError) as caught:
        read_stock(f"{text}me{delimiter}x{delimiter}spire\n", "s.csv", KNOWN)
    (issue,) = caught.value.issues
    assert issue.span and issue.span.line == text.count("\n") + 1


def test_stock_errors_have_line_and_hint() -> None:
    with pytest.raises(ForgeError) as caught:
        read_stock("piece,count\nquadrnt,four\nspire,2\ntre,1\n", "s.csv", KNOWN)
    told = [(i.code, i.span.line if i.span else 0, bool(i.hint)) for i in caught.value.issues]
    assert told == [("FDF400", 2, True), ("FDF403", 2, True), ("FDF400", 4, True)]


entries = st.lists(
    st.builds(
        StockEntry,
        st.sampled_from(sorted(KNOWN)),
        st.integers(-9, 99),
        st.text(max_size=12),
        st.just(0),
    ),
    max_size=8,
)


def test_reading_stops_after_the_first_issues() -> None:
    class Known(dict[str, int]):
        asked = 0

        def __iter__(self) -> Iterator[str]:
            self.asked += 1
            return super().__iter__()

    known = Known(tree=1)
    with pytest.raises(ForgeError) as raised:
        read_stock("piece,count\n" + "blok,1\n" * 9_000, "stock.csv", known)
    assert len(raised.value.issues) == known.asked == MAX_ISSUES


@settings(max_examples=60, deadline=None)
@given(entries, entries)
def test_stock_round_trip_has_no_formula(first: list[StockEntry], second: list[StockEntry]) -> None:
    text = append_entries(write_entries(first), second)
    assert text.startswith(write_entries(first))
    again = read_entries(text, "s", KNOWN)
    assert [(e.piece, e.count) for e in again] == [(e.piece, e.count) for e in [*first, *second]]
    for row in csv.reader(io.StringIO(text, newline="")):
        assert row[2][:1] not in ("=", "+", "@", "-", "|", "\t", "\r")


def test_append_follows_existing_columns() -> None:
    there = "count;piece\n3;spire"
    assert append_entries(there, [StockEntry("tree", 2, "x")]) == "count;piece\n3;spire\n2;tree\n"
    assert safe_text("=SUM(A1)\n+2") == "'=SUM(A1) +2"


def test_stock_of_an_export_is_what_stood_on_its_plates(tmp_path: Path) -> None:
    def run(*words: object, code: int = 0) -> str:
        done = typed(*words, cwd=tmp_path)
        assert done.returncode == code, done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout or done.stderr

    small_map(tmp_path / "duel.forge")
    run("build", "duel.forge", "--no-pictures")
    plates = json.loads((tmp_path / "exports/duel/pieces.json").read_text("utf-8"))["plates"]
    assert "1 part in stock.csv" in run("stock", "add", "exports/duel/plate-03")
    before = tree(tmp_path)["stock.csv"]
    assert "FDF405" in run("stock", "add", "exports/duel/plates/plate-03-base.stl", code=1)
    assert "FDF404" in run("stock", "add", "exports/duel/plate-99", code=1)
    assert "FDF404" in run("stock", "add", "exports", code=1)
    assert "FDF403" in run("stock", "add", "--", "quadrant", "-2", code=1)
    assert "FDF400" in run("stock", "add", "quadrnt", "2", code=1)
    assert tree(tmp_path)["stock.csv"] == before
    run("stock", "add", "exports/duel")
    owned = {
        row["piece"]: row["count"] for row in json.loads(run("stock", "show", "--format", "json"))
    }
    wanted: Counter[str] = Counter()
    known = load_catalogue().pieces
    for plate in plates:
        for key, count in plate["pieces"].items():
            wanted[design_of(key, known)] += count  # variants count as the piece itself
    assert owned == wanted
    assert set(owned) <= set(known)
    assert tree(tmp_path)["stock.csv"].startswith(before)
    history = run("stock", "show", "--history")
    assert all(f"{plate['name']} of duel (" in history for plate in plates)

    listed = json.loads(run("pieces", "duel.forge", "--own", "stock.csv", "--format", "json"))
    assert listed["total"]["parts"] == 0
    assert listed["total"]["owned"] == sum(wanted.values())
    (tmp_path / "exports/duel/pieces.json").write_text('{"plates": [{"plate": 1}]}')
    assert "FDF404" in run("stock", "add", "exports/duel/plate-03", "--again", code=1)


def test_plate_built_with_other_parts_is_another_plate(tmp_path: Path) -> None:
    def built(pieces: dict[str, int]) -> None:
        plates = [{"plate": 1, "name": "plate-01-base", "pieces": pieces}]
        (tmp_path / "a").mkdir(exist_ok=True)
        (tmp_path / "a" / "pieces.json").write_text(json.dumps({"plates": plates}))

    def added() -> int:
        return typed("stock", "add", "a/plate-01", cwd=tmp_path).returncode

    built({"tree": 2, "spire": 1})
    assert (added(), added()) == (0, 1)
    built({"spire": 1, "tree": 2})
    assert added() == 1, "the same parts in another order are the same plate"
    built({"tree": 2, "spire": 2})
    assert (added(), added()) == (0, 1)
    rows = json.loads(typed("stock", "show", "--format", "json", cwd=tmp_path).stdout)
    assert {row["piece"]: row["count"] for row in rows} == {"tree": 4, "spire": 3}


def test_parts_of_another_size_are_counted_by_themselves() -> None:
    text = (
        "piece,count\nblock-1x1x1,3\nblock-1x1x1@25.4,2\nblock-1x1x1@25.4-b,1\nstep@25.4x12.72,4\n"
    )
    owned = read_stock(text, "stock.csv", KNOWN)
    assert owned == {"block-1x1x1": 3, "block-1x1x1@25.4": 3, "step@25.4x12.72": 4}
    for strange in ("block-1x1x1@", "block-1x1x1@inch", "no-block@25.4"):
        with pytest.raises(ForgeError, match="no piece"):
            read_stock(f"piece,count\n{strange},1\n", "stock.csv", KNOWN)

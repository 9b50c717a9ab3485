"""Several maps at once, pieces that are not there, and a slicer that refuses, hangs or lies."""

from __future__ import annotations

import subprocess
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falldamage_forge.issues import ForgeError
from falldamage_forge.pieces.catalogue import MAX_VARIANTS, Family
from falldamage_forge.pieces.extras import combine_extras
from falldamage_forge.pieces.stock import StockEntry, append_entries, read_stock, write_entries
from falldamage_forge.pieces.variants import variant, variants_of
from falldamage_forge.presets import load_catalogue, load_printer
from falldamage_forge.printing import prusaslicer
from falldamage_forge.printing.plates import PackItem, pack, verify_packing
from falldamage_forge.printing.printer import BED_MM, RANGES, printer_from_table
from falldamage_forge.printing.process import Process

CATALOGUE, PRINTER = load_catalogue(), load_printer("a1-mini")
tables = st.lists(st.dictionaries(st.sampled_from("abc"), st.integers(1, 9)), max_size=4)


@given(tables)
def test_several_maps_take_the_most_or_the_sum(several: list[dict[str, int]]) -> None:
    for key in "abc":
        counts = [table.get(key, 0) for table in several]
        assert combine_extras(several, together=True).get(key, 0) == sum(counts)
        assert combine_extras(several, together=False).get(key, 0) == max(counts, default=0)
    assert list(combine_extras(several, together=True)) == sorted(
        {key for t in several for key in t}
    )


def test_a_piece_has_its_variants_and_no_more() -> None:
    for piece in CATALOGUE.pieces.values():
        every = variants_of(piece)
        assert len({one.key for one in every}) == piece.variants == len(every)
        for number in (-1, piece.variants):
            with pytest.raises(ValueError, match="has no variant"):
                variant(piece, number)
    for number in (0, MAX_VARIANTS + 1):
        with pytest.raises(ValueError, match="`variants`"):
            Family("x", "x", "x", "block", variants=number)


def test_every_piece_is_of_the_catalogue_with_the_strips_of_larger_boards() -> None:
    every = CATALOGUE.every
    assert every.keys() == CATALOGUE.pieces.keys() | CATALOGUE.strips.keys()
    assert all(CATALOGUE[key].key == key and key in CATALOGUE for key in every)
    for rise in range(1, 9):
        sections = CATALOGUE.ladders(rise)
        assert sum(section.levels for section in sections) == rise
    bare = replace(CATALOGUE, families={"ladder": CATALOGUE.family("ladder")})
    longest = max(piece.levels for piece in CATALOGUE.family("ladder"))
    assert bare.max_rise == longest < CATALOGUE.max_rise
    with pytest.raises(KeyError):
        bare.ladders(longest + 1)


def test_a_stock_begins_with_its_header() -> None:
    entries = [StockEntry("block-1x1x1", 4), StockEntry("quadrant", 2)]
    pieces = tuple(CATALOGUE.pieces)
    for empty in ("", " \n"):
        assert append_entries(empty, entries) == write_entries(entries)
    twice = append_entries(append_entries("", entries), entries)
    assert read_stock(twice, "x.csv", pieces) == {"block-1x1x1": 8, "quadrant": 4}


def test_packing_check_rejects_other_size_or_outline() -> None:
    part = PackItem("l", 60, 40, 10, 1, "", ((0, 0, 60, 10), (0, 10, 20, 30)))
    (plate,) = pack([part], PRINTER)
    (slot,) = plate.slots
    verify_packing([plate], [part], PRINTER)
    u, v, p, q = slot.outline[1]
    broken: list[tuple[dict[str, Any], str]] = [
        ({"width_mm": slot.width_mm + 1}, "wrong size"),
        ({"outline": (slot.outline[0], (u + 5, v, p, q))}, "wrong outline"),
        ({"outline": (slot.outline[0], (u, v, q, p))}, "wrong outline"),
    ]
    for change, told in broken:
        with pytest.raises(ValueError, match=told):
            verify_packing([replace(plate, slots=(replace(slot, **change),))], [part], PRINTER)


def test_a_part_as_high_as_the_printer_is_printed() -> None:
    whole = PackItem("tower", 20, 20, PRINTER.height_mm, 1)
    assert len(pack([whole], PRINTER)) == 1
    with pytest.raises(ForgeError, match="tower"):
        pack([replace(whole, height_mm=PRINTER.height_mm + 0.1)], PRINTER)


@pytest.mark.parametrize("key", RANGES)
def test_a_printer_is_taken_up_to_its_bounds(key: str) -> None:
    table = {"title": "x", "bed_mm": [200, 200], "height_mm": 200}
    low, high = RANGES[key]
    for inside in (low, high):
        assert getattr(printer_from_table({**table, key: inside}, "x", "x.toml"), key) == inside
    for outside in (low - 0.01, high + 0.01):
        with pytest.raises(ForgeError, match=f"`{key}` should be from"):
            printer_from_table({**table, key: outside}, "x", "x.toml")


def test_a_bed_and_walls_have_bounds() -> None:
    table = {"title": "x", "height_mm": 200}
    for bed in ([BED_MM[0] - 1, 200], [200, BED_MM[1] + 1]):
        with pytest.raises(ForgeError, match="`bed_mm`"):
            printer_from_table({**table, "bed_mm": bed}, "x", "x.toml")
    assert [Process(wall_mm=wall).wall_mm for wall in (0.4, 2.0)] == [0.4, 2.0]
    for wall in (0.39, 2.01):
        with pytest.raises(ValueError, match="`wall-mm`"):
            Process(wall_mm=wall)


@pytest.mark.parametrize(
    ("run", "code"),
    [
        (subprocess.CompletedProcess("x", 1, "", "one\nno such thing"), "no such thing"),
        (subprocess.CompletedProcess("x", 0, "", ""), "refused a plate: ?"),
        (subprocess.TimeoutExpired("x", 600), "more than 600 s"),
    ],
)
def test_slicer_without_output_raises_error(
    run: Any, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer(*_: object, **__: object) -> Any:
        if isinstance(run, Exception):
            raise run
        return run

    monkeypatch.setattr(prusaslicer.shutil, "which", lambda name: f"/bin/{name}")
    monkeypatch.setattr(prusaslicer.subprocess, "run", answer)
    with pytest.raises(ForgeError) as caught:
        prusaslicer.slice_file(b"", ".stl", (), PRINTER)
    (issue,) = caught.value.issues
    assert issue.code == "FDF471" and code in issue.message


def test_missing_slicer_raises_error(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Counter[str]()
    monkeypatch.setattr(prusaslicer.shutil, "which", lambda name: asked.update([name]))
    with pytest.raises(ForgeError, match="not installed"):
        prusaslicer.find_slicer()
    assert set(asked) == set(prusaslicer.NAMES)

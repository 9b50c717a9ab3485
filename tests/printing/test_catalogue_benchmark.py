"""The benchmark of the whole catalogue: it goes on after a stop, and its table counts right."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks import bench_catalogue as catalogue
from benchmarks.bench_catalogue import CHUNK, Case, Row, Twins
from falldamage_forge.geometry.piece_mesh import build
from falldamage_forge.presets import load_catalogue, load_printer, load_style
from falldamage_forge.printing.estimate_model import LayerRange

CASES = [Case("standard", "PrusaSlicer", 30.0, "stone", f"part-{n}") for n in range(2 * CHUNK + 1)]
GIVEN = argparse.Namespace(cluster="", jobs=1)


def row(case: Case, **more: object) -> Row:
    about = {"process": case.process, "slicer": case.slicer, "size_mm": case.size_mm}
    found = Row(**about, style=case.style, part=case.part, inputs="abc")  # type: ignore[arg-type]
    return replace(found, grams=2.0, minutes=10.0, estimated_g=2.1, estimated_min=9.0, **more)  # type: ignore[arg-type]


def test_a_stopped_run_goes_on_where_it_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows of whole chunks are kept; what is known by its inputs is not sliced again."""
    state, asked = tmp_path / "state.csv", list[Case]()

    def stopped(case: Case, known: Row | None, twins: Twins) -> Row | None:
        if len(asked) == CHUNK + 1:
            raise KeyboardInterrupt
        return again(case, known, twins)

    def again(case: Case, known: Row | None, _: Twins) -> Row | None:
        if known is not None:
            return None
        asked.append(case)
        return row(case)

    monkeypatch.setattr(catalogue, "cases", lambda given: CASES)
    monkeypatch.setattr(catalogue, "judged", stopped)
    with pytest.raises(KeyboardInterrupt):
        catalogue.slice_all(GIVEN, state)
    kept = catalogue.read(state)
    assert list(kept) == CASES[:CHUNK]
    assert kept[CASES[0]] == row(CASES[0])
    asked.clear()
    monkeypatch.setattr(catalogue, "judged", again)
    assert list(catalogue.slice_all(GIVEN, state)) == CASES
    assert asked == CASES[CHUNK:]


def test_two_runs_share_a_state(tmp_path: Path) -> None:
    """Each adds its rows, so that neither takes the other's away; the later of a case counts."""
    state, (first, second, *_) = tmp_path / "state.csv", [row(case) for case in CASES]
    catalogue.add(state, [first])
    catalogue.add(state, [second])
    newer = replace(first, grams=3.0)
    catalogue.add(state, [newer])
    assert list(catalogue.read(state).values()) == [newer, second]


def test_a_part_that_is_alike_in_two_styles_is_sliced_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What no style changes has the row of its twin, under its own name."""
    case = Case("standard", "CuraEngine", 30.0, "stone", "coin")
    monkeypatch.setattr(catalogue, "cura_supports", lambda mesh, printer: 4.0)
    first = catalogue.judged(case, None, {})
    assert first is not None and first.supports_mm == 4.0
    twins = catalogue.twins_of([first])
    monkeypatch.delattr(catalogue, "cura_supports")
    other = replace(case, style="desert")
    assert catalogue.judged(other, None, twins) == replace(first, style="desert")
    with pytest.raises(NameError):
        catalogue.judged(replace(other, part="block-1x1x1"), None, twins)
    with pytest.raises(NameError):
        catalogue.judged(replace(other, part="coin@40", size_mm=40.0), None, twins)


def test_inputs_are_all_that_a_slicer_is_given() -> None:
    """Another shape, setting or range of layers is sliced again."""
    printer, style = load_printer("a1-mini"), load_style("stone")
    pieces = load_catalogue()
    coin, pawn = (build(pieces[key], printer, style) for key in ("coin", "pawn"))
    own = LayerRange(4.8, 6.48, 0.28)
    digests = {
        catalogue.inputs_of(coin, {"a": "1"}),
        catalogue.inputs_of(pawn, {"a": "1"}),
        catalogue.inputs_of(coin, {"a": "2"}),
        catalogue.inputs_of(coin, {"a": "1"}, (own,)),
        catalogue.inputs_of(coin, {"a": "1"}, (LayerRange(4.8, 6.48, 0.4),)),
    }
    assert len(digests) == 5


def test_each_style_finds_the_twins_of_those_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the first run on: nothing is known when it begins."""
    styles = ("stone", "desert", "brick")
    found: list[tuple[str, int]] = []

    def asked(case: Case, _: Row | None, twins: Twins) -> Row:
        found.append((case.style, len(twins)))
        return replace(row(case), inputs=case.part)

    monkeypatch.setattr(catalogue, "judged", asked)
    everything = [replace(case, style=style) for style in styles for case in CASES]
    monkeypatch.setattr(catalogue, "cases", lambda given: everything)
    assert list(catalogue.slice_all(GIVEN, tmp_path / "state.csv")) == everything
    assert set(found) == {("stone", 0), ("desert", len(CASES)), ("brick", len(CASES))}


def test_what_is_known_gets_the_estimate_of_today(monkeypatch: pytest.MonkeyPatch) -> None:
    """Constants of the estimate change without the file that is sliced."""
    monkeypatch.delattr(catalogue, "slice_file")
    monkeypatch.setattr(catalogue, "cura_supports", lambda mesh, printer: 0.0)
    case = Case("standard", "CuraEngine", 30.0, "stone", "coin")
    laid = catalogue.judged(case, None, {})
    assert laid is not None and catalogue.judged(case, laid, {}) is None
    old = replace(laid, slicer="PrusaSlicer", grams=2.0, minutes=9.0, estimated_min=1.0)
    now = catalogue.judged(old.case, old, {})
    assert now is not None and 1.0 < now.estimated_min < 9.0 and now.grams == 2.0
    assert catalogue.judged(old.case, now, {}) is None


def cells(lines: Sequence[str]) -> dict[str, str]:
    names, values = (
        [word.strip() for word in line.strip("|").split("|")] for line in (lines[0], lines[2])
    )
    return dict(zip(names, values, strict=True))


def test_table_counts_parts_errors_and_errors_of_the_estimate() -> None:
    rows = [row(case) for case in CASES[:4]]
    rows[1] = replace(rows[1], errors="lost 0.9 mm²", islands=2)
    rows[2] = replace(rows[2], supports_mm=1.0, minutes=20.0)
    rows[3] = replace(rows[3], refused="FDF437", minutes=0.0, grams=0.0)
    lines = catalogue.tables(rows)
    found = cells(lines)
    assert (found["parts"], found["refused"], found["supports"]) == ("4", "1", "1")
    assert (found["islands"], found["errors"]) == ("2", "1")
    assert found["hours off"] == "25.0%, at most 55%; 67% within 10 %"
    assert found["grams off"] == "5.0%, at most 5%; 100% within 10 %"
    assert "2 of 4 cases have errors or supports." in lines
    assert lines[-3] == "", "Markdown takes lines without one before them for words of a paragraph"
    assert lines[-2].startswith("- `part-1` (standard, PrusaSlicer, 30 mm, stone): lost 0.9 mm²")


def test_parts_with_one_error_share_a_line() -> None:
    """Blocks of a style have one top: fifteen lines said what one says."""
    rows = [replace(row(case), errors="jut of 0.5 mm") for case in CASES[:3]]
    rows[1] = replace(rows[1], errors="lost 0.9 mm²")
    *_, first, second = catalogue.tables(rows)
    assert first == "- `part-0`, `part-2` (standard, PrusaSlicer, 30 mm, stone): jut of 0.5 mm"
    assert second.startswith("- `part-1` ")


def test_each_part_of_a_size_is_a_case_once() -> None:
    given = argparse.Namespace(
        processes=["standard", "fine"],
        slicers=["PrusaSlicer", "CuraEngine"],
        sizes=[30.0],
        styles=["stone"],
        looks=11,
    )
    found = list(catalogue.cases(given))
    assert len(set(found)) == len(found) > 3 * 300
    given.looks = 1
    first = list(catalogue.cases(given))
    assert set(first) < set(found) and not any(case.part.endswith("-b") for case in first)
    assert {case.process for case in found if case.slicer == "CuraEngine"} == {"standard"}
    given.processes = ["quick"]
    assert {case.slicer for case in catalogue.cases(given)} == {"PrusaSlicer", "CuraEngine"}

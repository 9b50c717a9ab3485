"""All lists agree: steps, plates, CSV, order, JSON, 3MF and the plan count the same parts."""

import csv
import io
import json
import re
from collections import Counter

import pytest

from falldamage_forge.builds.output_files import artifacts
from falldamage_forge.builds.pipeline import BuildOptions, PrintJob, build_map
from falldamage_forge.export.piece_list import columns, csv_table, format_ranges
from falldamage_forge.infra.artifacts import Artifact
from falldamage_forge.pieces.block_candidates import check_cover, heights_of
from falldamage_forge.presets import load_catalogue, load_printer
from falldamage_forge.render.build_steps import steps
from tests.amount import EXHAUSTIVE
from tests.export.test_threemf import built, read_strictly
from tests.pieces.maps import MAPS, board_of, layout_of

PRINTER = load_printer("a1-mini")


def table(data: bytes, count: str = "quantity") -> Counter[str]:
    rows = csv.DictReader(io.StringIO(data.decode("utf-8"), newline=""))
    return Counter({row["piece"]: int(row[count]) for row in rows if int(row[count])})


def files_of(build: PrintJob, name: str) -> dict[str, Artifact]:
    return {file.path: file for file in artifacts(build, layout_of(name), PRINTER)}


def judge(build: PrintJob, name: str, every_plate: bool = True) -> None:
    """Every list of an export says the same counts; each plate's own 3MF too if asked."""
    files = files_of(build, name)
    required = Counter(build.plan.counts())
    owned = Counter({key: min(n, build.owned.get(key, 0)) for key, n in required.items()})
    printed = required - owned
    in_steps: Counter[str] = Counter()
    for step in steps(board_of(name), build.plan.placements):
        in_steps.update(step.counts())
    assert in_steps == required
    assert table(files["pieces.csv"].data, "required") == required
    assert table(files["pieces.csv"].data) == printed
    assert table(files["order.csv"].data) == printed
    listed = json.loads(files["pieces.json"].data)
    on_plates: Counter[str] = Counter()
    for plate in listed["plates"]:
        on_plates.update(plate["pieces"])
        if not every_plate:
            continue
        parts, _ = read_strictly(files[f"plates/{plate['name']}.3mf"].data, True)
        assert Counter(key for key, _ in parts) == Counter(plate["pieces"])
    assert on_plates == printed
    for kind in (r"project(-\d+)?\.3mf", r"project-plain\.3mf"):
        projects = [f.data for path, f in files.items() if re.fullmatch(kind, path)]
        shown = Counter(key for data in projects for key, _ in read_strictly(data, True)[0])
        assert shown == printed
    stl = [path[7:-4].rsplit("_x", 1) for path in files if path.startswith("pieces/")]
    assert Counter({key: int(count) for key, count in stl}) == printed
    for sums in (listed["total"], sum_of(listed["groups"])):
        assert sums["parts"] == printed.total()
        assert sums["required"] == required.total()
    assert sum(row["minutes"] for row in listed["pieces"]) == pytest.approx(
        sum(plate["minutes"] for plate in listed["plates"]), abs=1
    )
    assert sum(row["grams"] for row in listed["pieces"]) == pytest.approx(
        sum(plate["grams"] for plate in listed["plates"]), abs=1
    )


def sum_of(groups: dict[str, dict[str, float]]) -> dict[str, float]:
    return {key: sum(group[key] for group in groups.values()) for key in ("parts", "required")}


@pytest.mark.parametrize("name", MAPS if EXHAUSTIVE else ("duel",))
def test_all_lists_of_a_map_agree(name: str) -> None:
    build = built(name)
    judge(build, name, EXHAUSTIVE)
    blocks = [p for p in build.plan.placements if p.piece.family == "block"]
    check_cover(heights_of(board_of(name)), blocks)


def test_all_lists_agree_when_parts_are_owned_and_plates_go_by_stage() -> None:
    owned = {"block-1x1x1": 9, "quadrant": 3, "start-red": 99, "tree": 1}
    options = BuildOptions(owned, "hours", group_by="stage", printers=3)
    build = build_map(layout_of("duel"), load_catalogue(), PRINTER, options=options)
    judge(build, "duel")
    assert {plate.group for plate in build.plates} <= {"base", "terrain", "ways", "rest"}
    assert build.plates[0].group == "base"
    assert set(build.machines) == {1, 2, 3}


def test_owning_everything_leaves_nothing_to_print() -> None:
    counts = built("duel").plan.counts()
    build = build_map(layout_of("duel"), load_catalogue(), PRINTER, options=BuildOptions(counts))
    judge(build, "duel")
    assert build.plates == ()


def test_the_judge_can_fail() -> None:
    build = built("duel")
    from dataclasses import replace

    with pytest.raises(AssertionError):
        judge(replace(build, rows=build.rows[1:]), "duel")
    with pytest.raises(ValueError, match="zip"):
        judge(replace(build, plates=build.plates[1:]), "duel")


def test_ranges_and_columns_are_for_people() -> None:
    assert format_ranges([]) == ""
    assert format_ranges([1, 2, 3, 4, 6, 8, 9]) == "1-4 6 8 9"
    assert columns([("a", "b"), ("long", "1")]) == "a     b\nlong  1"
    assert csv_table(("a",), [('x,"y"',)]) == b'a\r\n"x,""y"""\r\n'

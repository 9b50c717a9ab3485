"""Few filaments: parts share them, and each step says which slot of the AMS to load."""

import json
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falldamage_forge.builds.output_files import filament_plan, plate_colours
from falldamage_forge.builds.pipeline import BuildOptions, PrintJob, build_map
from falldamage_forge.export.filament_list import change_note, filament_json
from falldamage_forge.presets import load_catalogue, load_printer
from falldamage_forge.printing.colour_groups import GROUPS
from falldamage_forge.printing.filament_plan import (
    AMS_SLOTS,
    FilamentStep,
    at_most_one_ams,
    print_steps,
    share_filaments,
)
from falldamage_forge.printing.plates import PackItem
from falldamage_forge.printing.process import MAX_FILAMENTS
from tests.cli.running import small_map, typed
from tests.export.test_threemf import built
from tests.pieces.maps import layout_of
from tests.render.test_sheets import pages

PRINTER = load_printer("a1-mini")
WEIGHTS = st.dictionaries(
    st.sampled_from([*GROUPS, "fern", "glass"]), st.floats(0, 500), max_size=11
)


@given(WEIGHTS, st.integers(1, MAX_FILAMENTS))
def test_each_group_that_is_printed_has_one_filament(weights: dict[str, float], most: int) -> None:
    shared = share_filaments(weights, most)
    groups = [group for own in shared for group in own]
    assert sorted(groups) == sorted(group for group, grams in weights.items() if grams > 0)
    assert len(shared) == min(most, len(groups))
    used = [sum(weights[group] for group in own) for own in shared]
    assert used == sorted(used, reverse=True), "the most used filament is the first"


@given(WEIGHTS, st.integers(1, MAX_FILAMENTS))
def test_one_filament_more_separates_and_never_mixes(weights: dict[str, float], most: int) -> None:
    few, more = (list(map(set, share_filaments(weights, n))) for n in (most, most + 1))
    assert all(any(own <= other for other in few) for own in more)


@given(WEIGHTS, st.integers(2, MAX_FILAMENTS))
def test_two_filaments_tell_the_sides_apart(weights: dict[str, float], most: int) -> None:
    known = {group: grams for group, grams in weights.items() if group in GROUPS}
    shared = share_filaments({**known, "red": 5.0, "blue": 5.0}, most)
    assert not [own for own in shared if {"red", "blue"} <= {*own}]


def test_like_colours_share_first() -> None:
    weights = dict.fromkeys(GROUPS, 10.0)
    assert ("stone", "base") in share_filaments(weights, 8)
    assert {"water", "lava"} <= {own[0] for own in share_filaments(weights, 4)}
    with pytest.raises(ValueError, match="at least 1"):
        share_filaments(weights, 0)


USED = st.lists(
    st.lists(st.integers(1, 9), min_size=1, max_size=AMS_SLOTS, unique=True), max_size=20
)


@given(USED)
def test_steps_load_each_filament_before_its_plate(used: list[list[int]]) -> None:
    steps = print_steps(used)
    assert [n for step in steps for n in step.plates] == list(range(1, len(used) + 1))
    slots: dict[int, int] = {}
    for step in steps:
        for load in step.loads:
            assert 1 <= load.slot <= AMS_SLOTS
            assert slots.get(load.slot, 0) == load.instead_of, "the list says what leaves"
            slots[load.slot] = load.filament
        assert {*step.filaments} <= {*slots.values()}
        assert all(tuple(used[plate - 1]) == step.filaments for plate in step.plates)
    assert all(one.filaments != other.filaments for one, other in pairwise(steps))


@given(USED)
def test_steps_load_no_more_than_any_other_order_of_leaving(used: list[list[int]]) -> None:
    """Belady's rule, against the rule that the first filament loaded leaves."""
    steps = print_steps(used)
    slots: list[int] = []
    loads = 0
    for step in steps:
        for filament in step.filaments:
            if filament not in slots:
                loads += 1
                while len(slots) >= AMS_SLOTS:
                    slots.remove(next(n for n in slots if n not in step.filaments))
                slots.append(filament)
    assert sum(len(step.loads) for step in steps) <= loads


@given(st.lists(st.tuples(st.integers(1, 9), st.booleans(), st.integers(0, 2)), max_size=30))
def test_no_group_of_plates_holds_more_than_an_ams(rows: list[tuple[int, bool, int]]) -> None:
    filaments = {f"p{n}": filament for n, (filament, _, _) in enumerate(rows)}
    items = [
        PackItem(f"p{n}", 9, 9, 9, count, "base" if base else "rest")
        for n, (_, base, count) in enumerate(rows)
    ]
    split = at_most_one_ams(items, filaments)
    for group in {item.group for item in split}:
        own = {filaments[item.key] for item in split if item.group == group and item.count}
        assert len(own) <= AMS_SLOTS
    for before, after in zip(items, split, strict=True):
        assert (before.key, before.count) == (after.key, after.count)
        assert after.group.partition("-")[0] == before.group


@cache
def planned(options: BuildOptions) -> PrintJob:
    job = built("duel")
    return build_map(layout_of("duel"), load_catalogue(), PRINTER, options=options, sizes=job.sizes)


@pytest.mark.parametrize("filaments", [1, 2, 3, 4, 5, 16])
@pytest.mark.parametrize(
    "more", [{}, {"share_g": 30.0}, {"share_g": 900.0}, {"group_by": "stage"}], ids=str
)
def test_no_plate_needs_more_than_one_ams(filaments: int, more: dict[str, object]) -> None:
    build = planned(BuildOptions(filaments=filaments, **more))  # type: ignore[arg-type]
    plan = filament_plan(build)
    assert plan is not None
    assert len(plan.filaments) <= filaments
    assert all(1 <= len(step.filaments) <= AMS_SLOTS for step in plan.steps)
    assert [n for step in plan.steps for n in step.plates] == [p.index for p in build.plates]
    grams = sum(row.grams for row in build.rows)
    assert sum(one.grams for one in plan.filaments) == pytest.approx(grams)
    groups, colours = plate_colours(build)
    assert len({colours[groups[key]] for plate in build.plates for key in plate.counts()}) == len(
        plan.filaments
    )
    for plate in build.plates:
        modes = {PRINTER.process.way(build.pieces[key].group) for key in plate.counts()}
        if filaments > 1 and "group_by" not in more:
            assert modes == {PRINTER.process.way(plate.group)}
            held = {build.pieces[key].group for key in plate.counts()}
            assert held == set(plate.group.split("+")), "a plate is named by what lies on it"


def test_one_filament_prints_by_stage() -> None:
    build = planned(BuildOptions(filaments=1))
    assert [*dict.fromkeys(p.group for p in build.plates)] == [
        "base", "terrain", "ways", "rest", "tree",
    ]  # fmt: skip
    plan = filament_plan(build)
    assert plan and change_note(plan).startswith("0 changes of spool without an AMS; 0 with")


def test_fewer_filaments_need_no_more_plates() -> None:
    numbers = [len(planned(BuildOptions(filaments=n)).plates) for n in (2, 4, 16)]
    assert numbers == sorted(numbers)


def test_without_a_number_each_colour_has_its_own() -> None:
    build = planned(BuildOptions())
    assert filament_plan(build) is None
    groups, colours = plate_colours(build)
    assert groups == {key: piece.group for key, piece in build.pieces.items()}
    assert list(colours) == sorted(colours)


def test_notes_count_the_changes() -> None:
    steps = print_steps([(1,), (1,), (2,), (3,), (4,), (5,)])
    plan = filament_plan(planned(BuildOptions(filaments=2)))
    assert plan

    def note(own: tuple[FilamentStep, ...]) -> str:
        from dataclasses import replace

        return change_note(replace(plan, steps=own))

    assert note(steps) == "4 changes of spool without an AMS; 1 with an AMS of 4 slots"
    assert "plates of several filaments need an AMS" in note(print_steps([(1, 2)]))


def test_commands_tell_the_plan(tmp_path: Path) -> None:
    map_, target = small_map(tmp_path / "small.forge"), tmp_path / "out"
    words = ("--filaments", "2", "--price", "20")
    text = typed("pieces", map_, *words).stdout
    assert "into slot of the AMS" in text and "1 into 1" in text
    told = json.loads(typed("pieces", map_, *words, "--format", "json").stdout)
    assert [one["filament"] for one in told["filaments"]] == [1, 2]
    cost = sum(one["cost"] for one in told["filaments"])
    assert cost == pytest.approx(told["total"]["cost"], abs=0.02)
    run = typed("build", map_, *words, "-o", target)
    assert run.returncode == 0, run.stderr
    page = tmp_path / "page.html"
    assert typed("report", map_, "--filaments", "2", "-o", page).returncode == 0
    assert '<section id="filaments"' in page.read_text("utf-8")
    written = json.loads((target / "pieces.json").read_text("utf-8"))
    for key in ("filaments", "steps"):
        assert written[key] == told[key]
    assert '<section id="filaments"' in (target / "report.html").read_text("utf-8")
    drawn = pages((target / "build.pdf").read_bytes())
    (page,) = (page for page in drawn if "Filaments to print it" in page)
    assert "1 into 1" in page and f"{told['filaments'][0]['cost']:.2f} EUR" in page


@pytest.mark.parametrize("number", ["0", "17", "-1", "two"])
def test_a_wrong_number_of_filaments_is_a_usage_error(number: str) -> None:
    run = typed("pieces", "duel", "--filaments", number)
    assert run.returncode == 2
    assert "--filaments" in run.stderr


def test_json_is_plain() -> None:
    plan = filament_plan(planned(BuildOptions(filaments=4)))
    assert plan
    assert json.loads(json.dumps(filament_json(plan))) == filament_json(plan)

"""Kits: the maps can be built from them, one at a time or together, and from no less."""

import json
from collections import Counter
from pathlib import Path

import pytest

from falldamage_forge import presets
from falldamage_forge.builds.pipeline import assemble_kit
from falldamage_forge.infra import presets_folder
from falldamage_forge.infra.toml_loader import read_table
from falldamage_forge.issues import ForgeError
from falldamage_forge.pieces.block_candidates import check_cover, heights_of
from falldamage_forge.pieces.map_kit import KitTable, kit_for, missing_from_stock
from falldamage_forge.pieces.plan import nominal_costs, plan
from tests.amount import EXHAUSTIVE
from tests.cli.running import typed
from tests.pieces.maps import MAPS, board_of

CATALOGUE = presets.load_catalogue()
COSTS = nominal_costs(CATALOGUE.blocks())


def grams(counts: Counter[str]) -> float:
    return sum(COSTS.get(key, 0.0) * count for key, count in counts.items())


def blocks_fill(name: str, placements: object) -> None:
    blocks = [p for p in placements if p.piece.family == "block"]  # type: ignore[attr-defined]
    check_cover(heights_of(board_of(name)), blocks)


@pytest.mark.parametrize("names", [("ashkeep", "duel"), ("canyon", "ashkeep")])
def test_each_map_is_built_from_the_kit_and_the_kit_is_lighter_than_both(
    names: tuple[str, ...],
) -> None:
    kit = kit_for([board_of(name) for name in names], CATALOGUE)
    alone = [Counter(plan(board_of(name), CATALOGUE).counts()) for name in names]
    most: Counter[str] = Counter()
    for name, made in zip(names, kit.plans, strict=True):
        blocks_fill(name, made.placements)
        assert Counter(made.counts()) <= Counter(kit.parts)
        most |= Counter(made.counts())
    assert most == kit.parts, "the kit holds a part that no map uses"
    assert kit.cover.proved
    assert grams(Counter(kit.parts)) <= grams(alone[0] | alone[1]) + 0.5


def test_maps_that_stand_together_need_the_sum_of_their_parts() -> None:
    names = ("duel", "ashkeep", "duel")
    kit = kit_for([board_of(name) for name in names], CATALOGUE, together=True)
    total: Counter[str] = Counter()
    for name, made in zip(names, kit.plans, strict=True):
        blocks_fill(name, made.placements)
        total += Counter(made.counts())
    assert total == kit.parts
    alone = sum((Counter(plan(board_of(n), CATALOGUE).counts()) for n in names), Counter())
    assert grams(total) <= grams(alone) + 0.5


def test_missing_from_stock_lists_only_missing_parts() -> None:
    counts = plan(board_of("duel"), CATALOGUE).counts()
    assert missing_from_stock(board_of("duel"), CATALOGUE, counts) == {}
    short = {**counts, "quadrant": counts["quadrant"] - 1}
    assert missing_from_stock(board_of("duel"), CATALOGUE, short) == {"quadrant": 1}
    assert sum(missing_from_stock(board_of("duel"), CATALOGUE, {}).values()) <= sum(counts.values())


def test_all_preset_sets_name_maps_and_pieces_that_are_there() -> None:
    assert set(presets.names("sets")) == {"starter", "siege", "tournament", "night"}
    for name in presets.names("sets"):
        wanted = presets.load_set(name)
        assert set(wanted.maps) <= {*MAPS, *presets.names("tables")}
        assert set(wanted.extras) <= set(CATALOGUE.pieces)
    assert len(presets.load_set("tournament").maps) == 10
    assert presets.load_set("tournament").together


@pytest.mark.skipif(not EXHAUSTIVE, reason="solves three large kits")
@pytest.mark.parametrize(("name", "hours"), [("starter", 24), ("siege", 24), ("tournament", 160)])
def test_a_set_is_printed_in_the_time_its_name_promises(name: str, hours: float) -> None:
    wanted = presets.load_set(name)
    boards = [board_of(each) for each in wanted.maps]
    kit = kit_for(boards, CATALOGUE, together=wanted.together, extras=wanted.extras)
    made = assemble_kit(kit, presets.load_printer("a1-mini"))
    assert sum(figures.minutes for figures in made.figures) <= 60 * hours
    assert kit.cover.gap <= 0.02


@pytest.mark.parametrize("table", [{"maps": []}, {"maps": ["duel"], "extras": {"tree": 0}}])
def test_invalid_kit_raises_error(table: dict[str, object]) -> None:
    with pytest.raises(ForgeError, match="FDF291"):
        read_table(KitTable, {"title": "t", **table}, "set x")


def test_kit_command_says_what_it_builds_and_what_a_stock_builds(tmp_path: Path) -> None:
    run = typed("kit", "ashkeep", "duel", "--format", "json", cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    told = json.loads(run.stdout)
    assert [row["map"] for row in told["maps"]] == ["ashkeep", "duel"]
    assert told["division"]["method"] == "exact"
    on_plates: Counter[str] = Counter()
    for plate in told["plates"]:
        on_plates.update(plate["pieces"])
    rows = {row["piece"]: row["quantity"] for row in told["pieces"]}
    assert on_plates == rows
    lines = [f"{piece},{count}" for piece, count in rows.items()]
    (tmp_path / "kit.csv").write_text("\n".join(["piece,count", *lines]))
    run = typed("kit", "--can-build", "kit.csv", "--format", "json", cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    assert {row["map"] for row in found if row["buildable"]} >= {"ashkeep", "duel"}
    assert [len(row["lacks"]) > 0 for row in found] == sorted(not r["buildable"] for r in found)
    missing = [sum(row["lacks"].values()) for row in found]
    assert missing == sorted(missing)


def test_stock_of_the_tables_builds_every_table() -> None:
    stock = presets_folder.root() / "tables" / "stock.csv"
    run = typed("kit", "--can-build", stock, "--format", "json")
    assert run.returncode == 0, run.stderr
    found = {row["map"]: row["buildable"] for row in json.loads(run.stdout)}
    assert set(found) == set(presets.map_names())
    assert all(found[name] for name in presets.names("tables"))


def test_kit_reports_unreadable_input() -> None:
    assert typed("kit").returncode == 2
    run = typed("kit", "duell")
    assert (run.returncode, "did you mean `duel`?" in run.stderr) == (1, True)

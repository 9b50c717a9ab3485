"""CONTRIBUTING's "Add a ruleset", walked with a tiny fifth game; every skipped step is told."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pytest

from falldamage_forge.board.surfaces import Surface, SurfaceGraph
from falldamage_forge.games.flat_layers import anchor, layers_of
from falldamage_forge.games.registry import GAMES, Reader
from falldamage_forge.infra.toml_loader import read_table
from falldamage_forge.presets import names
from falldamage_forge.rules.movement_graph import CostUnit, Edge, GraphNode, MovementGraph
from falldamage_forge.rules.position import Position
from falldamage_forge.rules.ruleset import Ruleset
from falldamage_forge.rules.unit_values import NOBODY, Occupants, Profile
from tests.games.complete import missing

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class KingOptions:
    """Step 1: the readings."""

    diagonal: Literal["yes", "no"] = "yes"


@dataclass(frozen=True, slots=True)
class King:
    """Step 1: a unit."""

    steps: int = 1


@dataclass(frozen=True)
class KingGame(Ruleset):
    """Step 2: the game."""

    units: Mapping[str, King]
    options: KingOptions = field(default_factory=KingOptions)

    __hash__ = Ruleset.__hash__

    def __post_init__(self) -> None:
        self.check_proof_units()

    def model(
        self, graph: SurfaceGraph, unit: Profile, others: Occupants = NOBODY
    ) -> MovementGraph:
        (layer,) = layers_of(graph.board, False)
        places = tuple(GraphNode(anchor(layer, t), (anchor(layer, t),)) for t in sorted(layer))
        index = {place.anchor.tile: n for n, place in enumerate(places)}

        def steps(place: GraphNode) -> Iterator[Edge]:
            for row in (-1, 0, 1):
                for col in (-1, 0, 1):
                    to = index.get(place.anchor.tile.step((row, col)))
                    allowed = 0 in (row, col) or self.options.diagonal == "yes"
                    if (row, col) != (0, 0) and to is not None and allowed:
                        yield Edge(to, "step", 1)

        return MovementGraph(
            str(unit),
            places,
            tuple(tuple(steps(place)) for place in places),
            self.profile(unit).steps,
            CostUnit("squares"),
        )

    def attack_nodes(
        self, graph: SurfaceGraph, unit: Profile, model: MovementGraph, enemies: frozenset[Surface]
    ) -> set[int]:
        return {n for n, place in enumerate(model.places) if place.anchor not in enemies}


def read_king(table: Mapping[str, Any], where: str) -> Ruleset:
    return read_table(KingGame, table, where)


TABLE = """game = "king"
name = "king"
title = "Kings"
proof_units = ["king"]

[units.king]
steps = 1
"""
MAP = "forge 1\nrules king\nstart red at B1..I1\nstart blue at B10..I10\n"
DOC = "# Kings\n\n| option | default |\n|---|---|\n| `diagonal` | `yes` |\n"
FILES = {
    4: "presets/rulesets/king.toml",
    5: "tests/data/king_cases.json",
    6: "docs/king.md",
    7: "presets/maps/kings.forge",
}


@pytest.fixture
def project(tmp_path: Path) -> tuple[Path, dict[str, Reader]]:
    texts = {
        FILES[4]: TABLE,
        FILES[5]: json.dumps([{"sentence": f"sentence {n}"} for n in range(25)]),
        "tests/games/test_king.py": 'CASES = cases.load("king")\n',
        FILES[6]: DOC,
        FILES[7]: MAP,
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path, {**GAMES, "king": read_king}


def test_all_steps_make_a_complete_ruleset(project: tuple[Path, dict[str, Reader]]) -> None:
    root, games = project
    assert missing(root, "king", games) == []


@pytest.mark.parametrize("step", FILES)
def test_missing_file_of_a_ruleset_is_reported(
    project: tuple[Path, dict[str, Reader]], step: int
) -> None:
    root, games = project
    (root / FILES[step]).unlink()
    assert [text.partition(":")[0] for text in missing(root, "king", games)] == [str(step)]


@pytest.mark.parametrize(
    ("file", "old", "new", "step"),
    [
        (FILES[4], 'game = "king"', 'game = "kink"', "3"),
        (FILES[4], "steps = 1", "stepps = 1", "4"),
        (FILES[4], '["king"]', '["queen"]', "4"),
        (FILES[5], "sentence 1", "", "5"),
        ("tests/games/test_king.py", '"king"', '"kings"', "5"),
        (FILES[6], "`yes`", "`no`", "6"),
        (FILES[7], "rules king\n", "", "7"),
        (FILES[7], "start red", "lava at row 5\nstart red", "7"),
    ],
)
def test_unfinished_step_is_reported(
    project: tuple[Path, dict[str, Reader]], file: str, old: str, new: str, step: str
) -> None:
    root, games = project
    text = (root / file).read_text("utf-8")
    assert old in text
    (root / file).write_text(text.replace(old, new, 1), "utf-8")
    if old == "sentence 1":
        (root / file).write_text(text.replace('"sentence 1"', '""', 1), "utf-8")
    found = missing(root, "king", games)
    assert found
    assert {text.partition(":")[0] for text in found} == {step}


def test_unregistered_ruleset_is_reported(project: tuple[Path, dict[str, Reader]]) -> None:
    root, _ = project
    assert missing(root, "king", GAMES) == ["3: `king` is not registered"]


def test_ruleset_without_a_movement_graph_is_refused() -> None:
    @dataclass(frozen=True)
    class Half(Ruleset):
        units: Mapping[str, King]
        options: KingOptions = field(default_factory=KingOptions)

    with pytest.raises(TypeError, match="abstract.*model"):
        read_table(Half, {"name": "x", "title": "x", "proof_units": [], "units": {}}, "x")


def test_minimal_ruleset_answers_queries() -> None:
    from tests.rules.cases import board_of

    game = read_king({"name": "k", "title": "k", "proof_units": ["k"], "units": {"k": {}}}, "k")
    board = board_of({"heights": [[0, 0, 0]] * 3})
    for reading, turns in (("yes", 2), ("no", 4)):
        position = Position(board, game.with_options([("diagonal", reading, None)]))
        assert position.reach("k", "A1").surfaces[-1].turns == turns


@pytest.mark.parametrize("name", names("rulesets"))
def test_every_ruleset_here_is_complete(name: str) -> None:
    assert missing(ROOT, name, GAMES) == []


def test_the_walk_through_names_every_step() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    section = text.partition("## Add a ruleset\n")[2].partition("\n## ")[0]
    assert re.findall(r"^(\d)\. ", section, re.MULTILINE) == ["1", "2", "3", "4", "5", "6", "7"]
    for name in re.findall(r"`((?:falldamage_forge|presets|tests|docs)/[a-z_./-]+)`", section):
        assert (ROOT / name).exists(), name

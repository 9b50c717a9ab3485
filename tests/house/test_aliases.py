"""An earlier name of a public function, class, command or option answers as its present name."""

from pathlib import Path

import click
import pytest

import falldamage_forge as ff
from falldamage_forge.cli import ALIASES, cli
from falldamage_forge.cli import COMMANDS as SHOWN
from falldamage_forge.cli.game_input import BOT_ALIASES
from falldamage_forge.playtest.bots import BOTS
from falldamage_forge.presets import load_rules
from falldamage_forge.rules.movement_graph import CostUnit
from tests.cli.running import typed

NAMES = [
    (ff, "analysis", "position"),
    (ff, "Analysis", "Position"),
    (ff, "CheckResult", "Checked"),
    (ff.Forge, "analysis", "position"),
    (ff.Forge, "check_legality", "legal"),
    (ff.Analysis, "has_line_of_sight", "sees"),
    (CostUnit, "format", "tell"),
]


@pytest.mark.parametrize(("owner", "name", "earlier"), NAMES, ids=lambda item: str(item)[:20])
def test_earlier_name_of_the_library_is_the_same_object(
    owner: object, name: str, earlier: str
) -> None:
    assert getattr(owner, name) == getattr(owner, earlier)


LINES = [
    ("prove block-1x1x1", "verify block-1x1x1"),
    ("ask duel", "query duel"),
    ("check duel --rules gatefall", "check duel --ruleset gatefall"),
    ("reach duel --rules gatefall --from B10", "reach duel --ruleset gatefall --from B10"),
    ("sheets duel --own none.csv", "sheets duel --stock none.csv"),
    ("generate --wish nonsense", "generate --require nonsense"),
    ("ask crypt surprised creatures=2", "ask crypt surprise-odds creatures=2"),
    ("ask gatehouse count one=A1 --json", "ask gatehouse distance one=A1 --json"),
    (
        "play duel --red careful --blue careful --perft 1",
        "play duel --red cautious --blue cautious --perft 1",
    ),
    ("playtest duel --bots search-1,search-1", "playtest duel --bots rollout,searcher"),
]


@pytest.mark.parametrize(("line", "other"), LINES)
def test_alias_of_the_command_line_answers_alike(line: str, other: str) -> None:
    one, two = typed(*line.split()), typed(*other.split())
    assert one.stdout + one.stderr
    assert (one.returncode, one.stdout, one.stderr) == (two.returncode, two.stdout, two.stderr)


@pytest.mark.parametrize(
    ("name", "option", "other"),
    [
        ("search", "--k", "--picks"),
        ("search", "--own", "--stock"),
        ("search", "--wish", "--require"),
        ("build", "--own", "--stock"),
        ("generate", "--own", "--stock"),
    ],
)
def test_alias_of_an_option_is_the_same_option(name: str, option: str, other: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    assert [option in item.opts for item in command.params].count(True) == 1
    assert all((option in item.opts) == (other in item.opts) for item in command.params)


def test_picks_and_kit_are_refused_alike_without_an_archive(tmp_path: Path) -> None:
    line = ["search", "--archive", tmp_path / "none", "--evaluations", 0]
    one, two = typed(*line, "--then", "kit"), typed(*line, "--kit-for-picks")
    assert (one.returncode, one.stdout, one.stderr) == (two.returncode, two.stdout, two.stderr)
    assert one.returncode == 1


@pytest.mark.parametrize("rules", ["gang-skirmish", "falchion", "gatefall"])
def test_alias_of_a_query_names_a_query(rules: str) -> None:
    game = load_rules(rules)
    assert game.question_aliases
    assert set(game.question_aliases.values()) <= set(game.questions)
    assert not set(game.question_aliases) & set(game.questions)


def test_alias_of_a_bot_names_a_bot() -> None:
    assert set(BOT_ALIASES.values()) <= set(BOTS)
    assert not set(BOT_ALIASES) & set(BOTS)


def test_alias_of_a_command_names_a_command() -> None:
    assert set(ALIASES.values()) <= set(SHOWN)
    assert not set(ALIASES) & set(SHOWN)

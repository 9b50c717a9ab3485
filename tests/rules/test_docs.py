"""The pages about rules and measures say what the code does."""

import re
from dataclasses import fields
from typing import Literal, get_args, get_origin, get_type_hints

import pytest

import falldamage_forge as ff
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.lang import load
from falldamage_forge.metrics.metric_reasons import REASONS
from tests.cli.running import ROOT

RULES = (ROOT / "docs" / "rules.md").read_text("utf-8")
METRICS = (ROOT / "docs" / "metrics.md").read_text("utf-8")
OPTIONS = RULES.partition("\n## Options\n")[2]
ROWS = dict(re.findall(r"^\| `(\w+)` \| ([^|]+) \|", OPTIONS, re.MULTILINE))


@pytest.mark.parametrize("name", [item.name for item in fields(FallDamageOptions)])
def test_docs_list_every_option_and_value_with_the_default_first(name: str) -> None:
    kind, default = get_type_hints(FallDamageOptions)[name], getattr(FallDamageOptions(), name)
    if get_origin(kind) is Literal:
        assert re.findall(r"`(\w+)`", ROWS[name]) == list(get_args(kind))
        assert get_args(kind)[0] == default
    else:
        assert ROWS[name].startswith(f"{default} (")


def test_docs_list_no_unknown_option() -> None:
    assert set(ROWS) == {item.name for item in fields(FallDamageOptions)}


def test_every_documented_expectation_is_known() -> None:
    text = (ROOT / "presets" / "maps" / "duel.forge").read_text("utf-8")
    said = re.findall(r"^\| `(expect [^`]+)`", RULES, re.MULTILINE)
    assert len(said) >= 7
    checked = ff.check(ff.loads(f"{text}\n" + "\n".join(said) + "\n", "duel.forge"))
    assert "FDF330" not in {issue.code for issue in checked.issues}
    assert not checked.map.issues


def test_every_measure_has_a_definition() -> None:
    headings = re.findall(r"^## (.+)$", METRICS, re.MULTILINE)
    assert [metric.name for metric in ff.analyze(ff.load("duel")).metrics] == headings


def test_reason_of_a_measure_quotes_the_rulebook_as_its_page_does() -> None:
    headings = re.findall(r"^## (.+)$", METRICS, re.MULTILINE)
    assert REASONS.keys() == {*headings, "played"}
    page = " ".join(METRICS.split()).replace("\n", " ")
    quotes = [quote for reason in REASONS.values() for quote in re.findall(r'"([^"]+)"', reason)]
    assert len(quotes) >= 4
    assert [quote for quote in quotes if quote not in page] == []


def test_every_example_of_the_pages_loads() -> None:
    for text in re.findall(r"```forge\n(.*?)```", RULES + METRICS, re.DOTALL):
        assert load(text, "rules.md").issues == ()

"""The formatter never changes a meaning or a comment, and settles at once."""

import json
import sys
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from falldamage_forge import presets
from falldamage_forge.issues import ForgeError
from falldamage_forge.lang import load, parse
from falldamage_forge.lang.ast_schema import as_values, json_schema
from falldamage_forge.lang.flatten import flatten
from falldamage_forge.lang.formatter import format_text
from tests import schemas
from tests.cli.running import ROOT, run, typed
from tests.lang.programs import many, programs

MAPS = [presets.path("maps", name) for name in presets.names("maps")]


@many(120, 20_000)
@given(programs)
def test_formatting_keeps_the_meaning_and_settles_at_once(text: str) -> None:
    document, issues = parse(text, "x")
    assert issues == (), f"{text}\n{issues}"
    formatted = format_text(text, "x")
    assert parse(formatted, "x") == (document, ())
    assert format_text(formatted, "x") == formatted
    assert formatted.count("#") == text.count("#")


junk = st.sampled_from(["{", "}", '"', "#", "\n", "@", "..", "->", "é", "\x00", " ", "9" * 30, "|"])


@many(150, 100_000)
@given(programs, st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 9), junk), max_size=4))
def test_damaged_source_gives_issues_and_no_exception(
    text: str, cuts: list[tuple[int, int, str]]
) -> None:
    for where, width, put in cuts:
        at = where % (len(text) + 1)
        text = text[:at] + put + text[at + width :]
    loaded = load(text, "x")
    if not parse(text, "x")[1]:
        assert format_text(format_text(text, "x"), "x") == format_text(text, "x")
    for issue in loaded.issues:
        assert issue.span is not None
        assert issue.span.line <= text.count("\n") + 1


@pytest.mark.parametrize("path", MAPS, ids=lambda path: path.stem)
def test_presets_are_formatted(path: Path) -> None:
    text = path.read_text("utf-8")
    assert format_text(text, path.name) == text


@pytest.mark.parametrize("path", MAPS, ids=lambda path: path.stem)
def test_an_expanded_map_is_the_same_board(path: Path) -> None:
    layout = load(path.read_text("utf-8"), path.name).layout
    again = load(flatten(layout), "expanded")
    assert again.issues == ()
    assert again.layout.board == layout.board


def test_a_source_with_a_syntax_error_is_left_alone(tmp_path: Path) -> None:
    with pytest.raises(ForgeError, match="FDF002"):
        format_text("forge 1\nstak D4 height 1\n", "x")
    source = tmp_path / "bad.forge"
    source.write_text("forge 1\nstak   D4 height 1\n")
    assert typed("fmt", source).returncode == 1
    assert source.read_text() == "forge 1\nstak   D4 height 1\n"


def test_the_command_checks_shows_writes_and_reads_standard_input(tmp_path: Path) -> None:
    source = tmp_path / "m.forge"
    source.write_text("forge   1\ntree at A1,B2 # firs\n")
    assert typed("fmt", source, "--check").returncode == 1
    shown = typed("fmt", source, "--diff")
    assert (shown.returncode, "+tree at A1, B2  # firs" in shown.stdout) == (1, True)
    assert source.read_text().startswith("forge   1")
    assert typed("fmt", source).returncode == 0
    assert source.read_text() == "forge 1\ntree at A1, B2  # firs\n"
    assert typed("fmt", source, "--check").returncode == 0
    words = [sys.executable, "-m", "falldamage_forge", "fmt", "-"]
    piped = run(words, input="forge 1\n\n\n\ntree   at A1\n", check=True)
    assert piped.stdout == "forge 1\n\ntree at A1\n"


@many(40, 2_000)
@given(programs)
def test_the_tree_fits_its_published_schema(text: str) -> None:
    schemas.of("ast").validate(json.loads(json.dumps(as_values(parse(text, "x")[0]))))


def test_the_published_schema_is_current_and_can_fail() -> None:
    published = json.loads((ROOT / "docs" / "ast.schema.json").read_text("utf-8"))
    assert published == json_schema()
    bad = as_values(parse("forge 1\ntree at A1\n", "x")[0])
    bad["statements"][1]["kind"] = "shrub"
    with pytest.raises(jsonschema.ValidationError):
        schemas.of("ast").validate(bad)


def test_ast_and_expand_commands() -> None:
    run = typed("ast", "arena", "--json")
    assert json.loads(run.stdout)["type"] == "Document"
    flat = typed("expand", "arena")
    assert "symmetry" not in flat.stdout
    assert typed("expand", "nowhere.forge").returncode == 1


def test_a_line_that_would_outgrow_its_bound_is_left_alone() -> None:
    text = "forge 1\ntree at " + ",".join(["A1"] * 650) + "\n"
    assert load(text, "x").issues == ()
    with pytest.raises(ForgeError, match="FDF010"):
        format_text(text, "x")


def test_a_row_without_a_label_makes_no_header_of_its_letters() -> None:
    text = "forge 1\nmap {   C\n  1 |  .  .  0~\n}\n"
    assert parse(format_text(text, "x"), "x")[0] == parse(text, "x")[0]

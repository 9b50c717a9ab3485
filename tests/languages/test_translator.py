"""A text in another language: each sentence of the declared modules, and nothing of the user's."""

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import falldamage_forge as ff
from falldamage_forge.cli import cli
from falldamage_forge.diagnostics.code_registry import explain
from falldamage_forge.diagnostics.issue_folding import unfolded
from falldamage_forge.infra.presets_folder import root, said_by
from falldamage_forge.infra.toml_loader import parse_toml
from falldamage_forge.issues import ForgeError, Issue
from falldamage_forge.issues.code_tables import codes, sentences_of_codes
from falldamage_forge.languages.translator import (
    PLURAL,
    Language,
    filled,
    language_names,
    patterns,
    read_language,
    spoken,
    spoken_issue,
    translator,
)
from tests.languages.sentences import PACKAGE, sentences

OTHERS = [name for name in language_names() if name != "en"]
COMPLETE = """
    board/board_model.py board/coordinates.py board/surfaces.py elements/battlement.py
    elements/bridge.py elements/ladder.py elements/legality_tools.py elements/obstruction.py
    elements/pitfall.py elements/railing.py elements/spire.py elements/step.py
    builds/pipeline.py cli/commands/ast.py cli/commands/explain.py
    cli/commands/guide.py cli/commands/los.py cli/commands/path.py cli/commands/pieces.py
    cli/commands/play.py cli/commands/replay.py cli/commands/report.py cli/commands/sheets.py
    cli/commands/show.py cli/commands/slicer.py cli/game_input.py cli/link_console.py
    cli/progress_bar.py cli/size_options.py cli/spoken_language.py cli/stock_options.py
    event/pairings.py infra/atomic_write.py infra/source_loader.py infra/toml_loader.py
    lang/ast_builder.py lang/block_scanner.py lang/board_builder.py lang/edit/fitting_gestures.py
    lang/edit/gestures.py lang/expansion.py lang/lower.py lang/map_block.py lang/parser.py
    lang/tainted_tiles.py lengths.py models/model_file.py models/model_repair.py
    models/scene_reader.py models/stl_reader.py models/threemf_reader.py models/triangles.py
    rules/expectations.py rules/playability.py
    playtest/link_code.py playtest/link_game.py playtest/link_text.py
    rules/setup_check.py rules/side_connection.py search/archive_folder.py search/evaluate.py
    search/map_elites.py search/map_generator.py studio/autosave.py studio/background_jobs.py
    studio/board_overlays.py studio/draft_files.py studio/language_features.py studio/link_play.py
    studio/match_value.py studio/message_handlers.py studio/message_tables.py studio/page_socket.py
    studio/play_match.py studio/playable_map.py studio/play_mode.py studio/protocol.py
    studio/pyodide_host.py studio/session.py studio/session_hub.py studio/session_settings.py
    studio/session_stages.py
""".split()
"""Modules whose sentences every language has."""
PARTS = {
    ", chance X2", "Found by `fdforge search`", ", or give the bridge level X2",
    "a bridge at level X2 X4 X6", "`battlement at X2 sides X4`",
    "place X2 at X4", "X1 X3 of both X5 and X7", "are start tiles", "is a start tile",
    "start X2 at X4", " at X2 damage", " without damage", "X1 can X3", "in X2 turnX4", " or back",
    "X1 cannot get from X3's start X5 to X7's start X9X10", "X1 start zoneX3 for X5 players",
    "X1 (X3) cannot get from X5's start X7 to X9 ", "did you mean `(\\w+)`",
    ", X2 damage", "s are", "without X2", "X1 turnX3", "bridge A B [level N] [arch]",
    "bridge {from} {to}", "bridge {from} {to} arch",
    "foot of a ladder",
    "without the X2: X4 surfaceX6 cut off for X8",
    "a link's number is from 0 to LINKS", "the last choices are all symbols, or an escape",
    "the rest is below the sum of all weights",
    "go on with a draft", "together with what is on disk",
    "this page does not read", "too many messages", "text only",
}  # fmt: skip
"""Parts of longer sentences, source text, patterns of texts, our own bugs, labels of steps that the
page translates, and reasons of closed sockets."""
LEFT = re.compile(r"\b(the|is|of|and|to|this|that|with|are|no|not|it|or|from|for|can|cannot)\b")
"""English words that no other language of ours has."""


@cache
def issues_of(text: str) -> tuple[Issue, ...]:
    return tuple(i for i, _ in unfolded(ff.check(ff.loads(text, "example.forge")).issues))


def texts_of(issue: Issue) -> list[str]:
    return [issue.message, *filter(None, [issue.hint]), *(note.message for note in issue.notes)]


@pytest.mark.parametrize("module", COMPLETE)
@pytest.mark.parametrize("name", OTHERS)
def test_each_sentence_of_a_complete_module_is_translated(name: str, module: str) -> None:
    found = {text for text in sentences(module) if not text.startswith("forge title")}
    assert {text for text in found if spoken(name)(text) == text} <= PARTS


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("code", [code for code, entry in codes().items() if entry.example])
def test_examples_of_codes_leave_no_english_word(name: str, code: str) -> None:
    for issue in issues_of(codes()[code].example):
        for text in texts_of(spoken_issue(issue, spoken(name))):
            assert not LEFT.search(re.sub(r"`[^`]*`", "", text)), text


@pytest.mark.parametrize("name", OTHERS)
def test_both_sides_of_a_sentence_have_the_same_values(name: str) -> None:
    for english, translated in read_language(name).sentences.items():
        before, after = (set(re.findall(r"\{(\w+)\}", text)) for text in (english, translated))
        assert before - {PLURAL} == after - {PLURAL}, english


@pytest.mark.parametrize("name", OTHERS)
def test_each_sentence_is_reached_by_its_own_english(name: str) -> None:
    """No sentence hides behind another that fits the same texts."""
    for pattern in patterns(read_language(name)):
        marked = iter(range(99))
        values = tuple("s" if n == PLURAL else f"V{next(marked)}" for n in pattern.names)
        english = pattern.literals[0] + "".join(
            value + literal for value, literal in zip(values, pattern.literals[1:], strict=True)
        )
        meant = filled(pattern.translated, dict(zip(pattern.names, values, strict=True)))
        assert spoken(name)(english) == meant


@given(st.data())
def test_each_text_of_a_sentence_has_its_words(data: st.DataObject) -> None:
    """The words by which a sentence is found are whole in each of its texts."""
    pattern = data.draw(st.sampled_from(patterns(read_language("de"))))
    text = pattern.literals[0] + "".join(data.draw(st.text()) + end for end in pattern.literals[1:])
    assert {*pattern.words} <= {*re.findall(r"\w+", text)}


SPEAK = translator(
    Language(
        "Test",
        {"{what} on {tile}": "auf {tile}: {what}", "no piece `{name}`": "kein Teil `{name}`",
         "a tree": "Baum", "{count} unit{s} left here": "hier noch: {count}"},
        {" and ": " und "},
    )
)  # fmt: skip


@pytest.mark.parametrize(
    ("english", "meant"),
    [
        ("no piece `a tree`", "kein Teil `a tree`"),
        ("no piece `a tree and a tree`", "kein Teil `a tree and a tree`"),
        ("A1 on B1", "auf B1: A1"),
        ("a long word on B1", "a long word on B1"),
        ("a tree and a tree", "a tree and a tree"),
        ("1 unit left here", "hier noch: 1"),
        ("a tree and 2 units left here", "hier noch: Baum und 2"),
        ("2 unitss left here", "2 unitss left here"),
    ],
)
def test_values_are_translated_outside_of_quotes_only(english: str, meant: str) -> None:
    assert SPEAK(english) == meant


@given(st.text())
def test_any_text_gives_a_text_and_english_stays(text: str) -> None:
    assert spoken("en")(text) == text
    assert isinstance(spoken("de")(text), str)
    assert spoken("de")(f"no statement `{text}`") == f"keine Anweisung `{text}`"


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ForgeError, match="no language called `dee`"):
        spoken("dee")


WRONG = "forge 1\nstak D4 height 3\nstart red at B1..I1\nstart blue at B10..I10\n"


def test_the_command_line_speaks_the_chosen_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, wrong = tmp_path, tmp_path / "wrong.forge"
    wrong.write_text(WRONG)
    monkeypatch.setenv("FDFORGE_CONFIG_DIR", str(home))

    def asked(*words: str) -> str:
        return CliRunner().invoke(cli, [*words, str(wrong)]).output

    assert "error[FDF002]: no statement `stak`" in asked("check")
    german = asked("--lang", "de", "check")
    assert "Fehler[FDF002]: keine Anweisung `stak`" in german
    assert "Abhilfe: meinst du `stack`?" in german and "nicht spielbar (Fehler: 1" in german
    assert "keine Anweisung" in asked("--lang", "de", "check", "--format", "json")
    (home / "settings.toml").write_text('language = "de"\n')
    assert asked("check") == german
    assert "no statement" in asked("--lang", "en", "check")
    (home / "settings.toml").write_text('language = "xx"\n')
    assert "no statement" in asked("check")


def test_an_unknown_language_of_the_command_line_is_bad_usage() -> None:
    run = CliRunner().invoke(cli, ["--lang", "xx", "presets"])
    assert run.exit_code == 2 and "known: en, de" in run.output


SECOND_WORDS = {
    "de": {"Basis": "Grundplatte, Standfläche", "Spiele des Druckers": "Spaltmaße",
           "Truhe": "Schatz", "Verteilung": "Scheduler", "Testspiel": "Playtest",
           "sichert": "speichert", "Sätze": "Sets", "tiefster Fall": "Sturz"},
}  # fmt: skip
"""Words that a language does not use, with the word that it uses for the term."""


@pytest.mark.parametrize("name", OTHERS)
def test_a_term_has_one_word(name: str) -> None:
    known = read_language(name)
    texts = [
        *known.sentences.values(),
        *(text for code in codes().values() for text in code.texts[name].values()),
    ]
    used = {
        word: text for word in SECOND_WORDS[name] for text in texts if re.search(rf"\b{word}", text)
    }
    assert used == {}


def test_an_explained_example_stays_source() -> None:
    page = CliRunner().invoke(cli, ["--lang", "de", "explain", "FDF437"]).output
    assert all(line in page for line in codes()["FDF437"].corrected.splitlines())


@pytest.mark.parametrize("name", OTHERS)
def test_all_codes_are_explained(name: str) -> None:
    for code, entry in codes().items():
        texts = entry.texts[name]
        assert texts.keys() == {"title", "why", "help"}, code
        page = explain(code, name)
        assert page and all(text in page for text in texts.values())
        quotes = [set(re.findall(r"`[^`]+`", str(getattr(entry, key)))) for key in texts]
        assert quotes == [set(re.findall(r"`[^`]+`", text)) for text in texts.values()], code


def test_a_text_is_said_in_one_table() -> None:
    """Of two German texts for one English the reader would see only the first."""
    own = parse_toml((PACKAGE / "languages" / "de.toml").read_text("utf-8"), "de.toml")["sentences"]
    tables = [own, sentences_of_codes("de")]
    tables += [said_by(file, "de") for file in sorted(root().glob("*/*.toml"))]
    count = Counter(english for table in tables for english in table)
    assert [english for english, times in count.items() if times > 1] == []

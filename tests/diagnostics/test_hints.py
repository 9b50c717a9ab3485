"""What a message tells to do can be done: its words, its commands, its pages."""

import random
import re
import shlex
from pathlib import Path

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from falldamage_forge.cli import COMMANDS
from falldamage_forge.games.fall_damage.ability_queries.ability_table import ABILITIES
from falldamage_forge.games.fall_damage.engine.modifiers import EFFECTS
from falldamage_forge.issues import did_you_mean
from falldamage_forge.issues.code_tables import codes
from falldamage_forge.lang.parser import parse
from falldamage_forge.lang.quick_fixes import statements
from tests.amount import some
from tests.cli.running import ROOT, typed
from tests.docs.pages import anchors, read
from tests.hostile.asked import command_of

PAGES = sorted((ROOT / "docs").glob("*.md"))
SOURCES = [
    path
    for path in sorted((ROOT / "falldamage_forge").rglob("*"))
    if path.suffix in (".py", ".toml")
]
ROWS = "start red at B1..I1\nstart blue at B10..I10\n"


# -- pages ---------------------------------------------------------------------------------------


def test_every_page_that_a_message_names_is_there() -> None:
    named = 0
    for path in SOURCES:
        for page, anchor in re.findall(
            r"\bdocs/([\w-]+\.(?:md|json))(?:#([\w-]+))?", path.read_text("utf-8")
        ):
            named += 1
            assert (ROOT / "docs" / page).is_file(), f"{path.name} names docs/{page}"
            if anchor:
                assert anchor in anchors(read(ROOT / "docs" / page)), (
                    f"{path.name}: {page}#{anchor}"
                )
    assert named > 15


@pytest.mark.parametrize("names", [EFFECTS, ABILITIES], ids=["effects", "abilities"])
def test_the_list_that_a_refusal_sends_to_has_every_name(names: dict[str, object]) -> None:
    page = (ROOT / "docs" / "rules.md").read_text("utf-8")
    part = page.partition("\n## Effects and abilities\n")[2].partition("\n## ")[0]
    listed = re.findall(r"^\| `([\w-]+)` \|", part, re.MULTILINE)
    assert set(names) <= set(listed)
    assert set(listed) <= {*EFFECTS, *ABILITIES, "--with", "--ability"}


def test_what_the_page_says_of_trees_is_said_once() -> None:
    page = (ROOT / "docs" / "rules.md").read_text("utf-8")
    assert "from the level of their top" not in page
    assert page.count("one level above their top") == 2, "the text and the table agree"


# -- commands ------------------------------------------------------------------------------------


def commands_in(text: str) -> list[list[str]]:
    found = re.findall(r"`fdforge ([^`{}]+)`", text)
    return [shlex.split(line.replace("…", "").replace("\\n", " ")) for line in found]


def test_every_command_that_a_message_or_page_names_is_there() -> None:
    asked = [
        (path, words) for path in (*SOURCES, *PAGES) for words in commands_in(path.read_text())
    ]
    assert len(asked) > 100
    for path, words in asked:
        if not words or words[0].startswith("-") or words[0].isupper():
            continue
        assert words[0] in COMMANDS, (path, words)
        command = command_of(words[0])
        if isinstance(command, click.Group) and len(words) > 1 and words[1] in command.commands:
            command = command.commands[words[1]]
        options = {name for p in command.params for name in (*p.opts, *p.secondary_opts)}
        named = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)}
        assert named <= options | {"--help", "-h"}, (path, words)


@pytest.mark.parametrize("name", ["My Map", "it's", "a;b", "$HOME", "plain"])
def test_every_printed_command_can_be_pasted(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "two words"
    folder.mkdir()
    told = typed("new", name, cwd=folder).stdout
    told += typed("new", f"{name} 2", "--rules", "falchion", cwd=folder).stdout
    told += typed(
        "generate", "--seed", "7", "--of", "1", "-o", f"{name} 3.forge", cwd=folder
    ).stdout
    bad = folder / f"{name} bad.forge"
    bad.write_text(f"forge 1\nstack row 5 height 12\n{ROWS}")
    told += typed("analyze", bad.name, cwd=folder).stderr
    pasted = commands_in(told)
    assert len(pasted) == 6, told
    for words in pasted:
        files = [word for word in words[1:] if word.endswith((".forge", ".toml"))]
        assert files, words
        assert all((folder / file).is_file() for file in files), words


def test_a_hint_names_the_map_and_not_a_word_for_it(tmp_path: Path) -> None:
    """Hints of commands with a place for the map, in every example of every code."""
    hints = 0
    for code in codes().values():
        if not code.example:
            continue
        folder = tmp_path / code.code
        folder.mkdir()
        for file, text in {**code.files, "my map.forge": code.example}.items():
            (folder / file).write_text(text)
        run = typed("check", "my map.forge", cwd=folder)
        assert not re.search(r"`fdforge [^`]*\b(MAP|FILE)\b", run.stderr), run.stderr
        hints += "= help:" in run.stderr
    assert hints > 60


# -- words ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["import", "die", "x", "", "ab", "zzz", "make", "run"])
def test_a_command_that_is_far_from_all_gets_no_suggestion(word: str) -> None:
    assert did_you_mean(word, COMMANDS) is None


@pytest.mark.parametrize("command", COMMANDS)
def test_a_slip_in_a_command_gets_it(command: str) -> None:
    slips = [command[:n] + command[n + 1 :] for n in range(len(command))]
    slips += [command[:n] + command[n + 1] + command[n] + command[n + 2 :]
              for n in range(len(command) - 1)]  # fmt: skip
    for slip in {slip for slip in slips if len(slip) > 3} - set(COMMANDS) - {command}:
        near = did_you_mean(slip, COMMANDS)
        assert near is not None, slip
    assert did_you_mean(command.upper(), COMMANDS) == f"did you mean `{command}`?"


@given(st.text("abcdefghij-_ABC", max_size=12), st.lists(st.text("abcdefghij-", min_size=1)))
def test_a_suggestion_is_a_known_word_that_is_near(word: str, known: list[str]) -> None:
    found = did_you_mean(word, known)
    if found is None:
        return
    near = re.fullmatch(r"did you mean `(.*)`\?", found)
    assert near and near[1] in known
    shared = sum(min(word.lower().count(c), near[1].count(c)) for c in set(near[1]))
    begins = near[1].startswith(word.lower()[:3])
    assert begins or shared >= len(word) * 3 // 4 - 1


ALLOWED = f"forge 1\nstack G5 height 9\ntreasure at G5\n{ROWS}expect reachable treasure\n"


def test_allow_suggests_only_what_allow_can_take_back(tmp_path: Path) -> None:
    """A code that is near but an error, or allowed already, is no remedy."""
    suggested = 0
    for code in some([*codes()], len(codes()) // 8):
        path = tmp_path / f"{code}.forge"
        path.write_text(f'{ALLOWED}allow {code} "x"\n')
        run = typed("check", path, "--all")
        for near in re.findall(r"did you mean `(FDF\d+)`", run.stderr):
            suggested += 1
            path.write_text(f'{ALLOWED}allow {near} "x"\n')
            assert "FDF299" not in typed("check", path).stderr, (code, near)
    assert suggested > 3


@pytest.mark.parametrize("word", ["club.tml", "club.forge", "x.toml", "a/b"])
@pytest.mark.parametrize("command", ["kit", "check", "analyze"])
def test_a_file_that_is_missing_is_called_a_file(command: str, word: str, tmp_path: Path) -> None:
    run = typed(command, word, cwd=tmp_path)
    assert run.returncode == 1
    assert "no such file" in run.stderr, run.stderr
    assert "no preset" not in run.stderr


def test_an_import_that_is_missing_is_called_a_file(tmp_path: Path) -> None:
    (tmp_path / "m.forge").write_text(f'forge 1\nimport "parts" as p\n{ROWS}')
    run = typed("check", "m.forge", cwd=tmp_path)
    assert "no such file" in run.stderr
    assert "preset" not in run.stderr


# -- following a hint mends ----------------------------------------------------------------------

FOLLOWED = {
    "a bridge over terrain": ("stack C5 height 2\nbridge C5 -> E5 level 2", "FDF132"),
    "a bridge of two low ends": ("bridge C5 -> E5 level 2", "FDF132"),
    "a bridge of two equal ends": ("stack C5, E5 height 3\nbridge C5 -> E5 level 2", "FDF132"),
    "a ladder on a tree": ("tree at D5\nladder C5 -> D5", "FDF138"),
    "a fraction": ("stack D4 height 1.5", "FDF001"),
    "a negative height": ("stack D4 height -1", "FDF001"),
    "a number in words": ("stack D4 height two", "FDF001"),
    "a step with two ends": ("step D4 -> D5", "FDF001"),
    "a no-break space": ("stack\u00a0D4 height 2", "FDF001"),
}


@pytest.mark.parametrize("name", FOLLOWED)
def test_a_hint_is_there_and_offers_nothing_that_fails(name: str, tmp_path: Path) -> None:
    statement, code = FOLLOWED[name]
    path = tmp_path / "m.forge"
    path.write_text(f"forge 1\n{statement}\n{ROWS}")
    run = typed("check", path)
    assert f"error[{code}]" in run.stderr
    hint = "".join(re.findall(r"= help: (.*)", run.stderr))
    assert hint
    assert "tree" not in "".join(re.findall(r"-- (.*is level.*)", run.stderr))
    offered = re.search(r"give the bridge level (\d+)", hint)
    assert offered is None or offered[1] != "0"
    for whole in re.findall(r"write `([^`…]+)`", hint):
        path.write_text(f"forge 1\n{whole}\n{ROWS}")
        assert typed("check", path).returncode == 0, whole
    if offered:
        path.write_text(f"forge 1\n{statement[:-1]}{offered[1]}\n{ROWS}")
        assert "error" not in typed("check", path).stderr


SOUND = [
    "stack C3..D4, F2 height 2", "stack ring 2 height 1", "bridge C3 -> E3 level 2",
    "bridge C3 -> E3 level 2 arch", "ladder D1 -> D2", "step at D1", "tree at row 5",
    "battlement at F1 sides north, east", "railing at C4 height 1/2in", "spire at A1..C3 except B2",
    "treasure at D4", "lava at col 3", "start red at B1..I1", "board 10x10", "rules gang-skirmish",
    "place tower at D4 rotate 90 raise +1", "expect symmetric rotate-180", "symmetry rotate-180",
    'title "Two rocks"', 'allow FDF311 "a trap"', "water at A4, B5",
]  # fmt: skip
STRAY = "at to -> = , .. height level sides north row except rotate 2 D4 B1..C2 x and red".split()


def spoilt(dice: random.Random) -> str:
    """A statement with one or two words taken away, added, changed or exchanged."""
    words = dice.choice(SOUND).split()
    for _ in range(dice.randint(1, 2)):
        at, other = (dice.randrange(1, max(len(words), 2)) for _ in range(2))
        match dice.choice(("less", "more", "else", "exchanged")):
            case "less":
                words[at : at + 1] = []
            case "more":
                words[at:at] = [dice.choice(STRAY)]
            case "else":
                words[at : at + 1] = [dice.choice(STRAY)]
            case _ if max(at, other) < len(words):
                words[at], words[other] = words[other], words[at]
    return " ".join(words)


def test_statement_that_a_hint_writes_out_is_one() -> None:
    """`step D1 -> D2` once got `step at D1 -> D2`, which was refused in its turn."""
    dice, written = random.Random(1), 0
    for line in dict.fromkeys(spoilt(dice) for _ in range(6000)):
        for issue in parse(f"forge 1\n{line}\n", "x")[1]:
            for whole in statements(issue.hint or ""):
                said = re.sub(r"\bN\b", "1", whole)
                assert parse(f"forge 1\n{said}\n", "x")[1] == (), (line, issue.hint)
                written += issue.hint == f"write `{whole}`"
    assert written > 50


def test_an_empty_file_is_one_error(tmp_path: Path) -> None:
    for text in ("", "\n\n", "# nothing yet\n"):
        path = tmp_path / "m.forge"
        path.write_text(text)
        assert typed("check", path).stderr.count("error[") == 1

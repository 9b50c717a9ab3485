"""Pages, help texts, docstrings and the changelog keep to plain words.

`prose_baseline.toml` holds the number of violations of each file that is not yet rewritten. A file
may have fewer, never more. FORGE_ACCEPT=1 writes the baseline again if its total has not grown.
"""

import ast
import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from falldamage_forge.cli import cli
from tests.cli.running import ROOT

BASELINE = Path(__file__).with_name("prose_baseline.toml")
HELP = "help"
SECTIONS = ("What you gain", "Breaking", "Added", "Changed", "Fixed", "Removed")
WRONG = re.compile(
    r"\b("
    r"whoever|whatever|somebody|nobody|anybody|anew|sign by sign|so many|if not said|not said|"
    r"told|tells|comes? along|left away|of one's own|an own|in bulk|kept answers?|"
    r"mend(s|ed|ing)?|faults?|lore|gait|crew|unhurt|harmless|owe[sd]?|reaps?|"
    r"held against|holds against|way is barred|falls away|desk|outbox"
    r")\b",
    re.IGNORECASE,
)
HEAD = re.compile(r"(What|Whatever|Who|Whoever|Whose|Where|Whether)\b")
SENTENCE = re.compile(r"(?:^|(?<=[.:;!] )|(?<=\| ))(?=[A-Z])", re.MULTILINE)


def prose(page: str) -> str:
    """A page without code blocks, code spans, comments, quotations and links' targets."""
    text = re.sub(r"```.*?```|<!--.*?-->", "", page, flags=re.DOTALL)
    text = re.sub(r"`[^`]*`|\"[^\"\n]*\"", "x", text)
    text = re.sub(r"\]\([^)]*\)", "]", text)
    return re.sub(r"(?<=\S)\n(?=[a-z(])", " ", text)


def free_clauses(text: str) -> int:
    """Sentences of a page that begin with a free clause; questions are none."""
    found = 0
    for start in (match.end() for match in SENTENCE.finditer(text)):
        sentence = re.split(r"[.!|\n]", text[start:], maxsplit=1)[0]
        found += bool(HEAD.match(sentence)) and "?" not in sentence
    return found


def of_page(text: str) -> int:
    clean = prose(text)
    return len(WRONG.findall(clean)) + free_clauses(clean)


def of_docstring(text: str) -> int:
    clean = re.sub(r"`[^`]*`|\"[^\"\n]*\"", "x", text)
    return len(WRONG.findall(clean)) + bool(HEAD.match(text.strip()))


def docstrings(source: str) -> Iterator[str]:
    """Every string that stands as a statement: docstrings, and texts below an attribute."""
    for node in ast.walk(ast.parse(source)):
        constant = node.value if isinstance(node, ast.Expr) else None
        if isinstance(constant, ast.Constant) and isinstance(constant.value, str):
            yield constant.value


def help_texts(command: click.Command) -> Iterator[str]:
    """The texts of a command, of its options and of all commands below it."""
    yield command.help or ""
    for item in command.params:
        yield getattr(item, "help", None) or ""
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from help_texts(below)


def counts_of_pages() -> dict[str, int]:
    """Violations of each page of Markdown that has any."""
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *ROOT.glob("editors/*/README.md")]
    return {
        str(path.relative_to(ROOT)): count
        for path in pages
        if (count := of_page(path.read_text("utf-8")))
    }


def counts_of_code() -> dict[str, int]:
    """Violations of each module that has any, and of all help texts together."""
    found = {HELP: sum(map(of_docstring, help_texts(cli)))}
    for path in (ROOT / "falldamage_forge").rglob("*.py"):
        texts = docstrings(path.read_text("utf-8"))
        found[str(path.relative_to(ROOT))] = sum(map(of_docstring, texts))
    return {name: count for name, count in found.items() if count}


def baseline() -> dict[str, int]:
    return tomllib.loads(BASELINE.read_text("utf-8")) if BASELINE.exists() else {}


@pytest.mark.skipif(os.environ.get("FORGE_ACCEPT") != "1", reason="FORGE_ACCEPT=1 writes it")
def test_the_baseline_is_written_again() -> None:
    old, counts = baseline(), {**counts_of_pages(), **counts_of_code()}
    assert not old or sum(counts.values()) <= sum(old.values())
    BASELINE.write_text("".join(f'"{name}" = {counts[name]}\n' for name in sorted(counts)))


def changelog() -> dict[str, list[str]]:
    """Lines of the changelog by `release / section`; section None holds lines outside of one."""
    found: dict[str, list[str]] = {}
    release = section = "None"
    for line in (ROOT / "CHANGELOG.md").read_text("utf-8").splitlines()[1:]:
        if line.startswith("## "):
            release, section = line[3:], "None"
        elif line.startswith("### "):
            section = line[4:]
        elif line:
            found.setdefault(f"{release} / {section}", []).append(line)
    return found


def test_the_changelog_has_its_sections_in_their_order() -> None:
    releases: dict[str, list[str]] = {}
    for key in changelog():
        release, _, section = key.partition(" / ")
        releases.setdefault(release, []).append(section)
    assert len(releases) > 1
    for sections in releases.values():
        assert sections == [name for name in SECTIONS if name in sections], "move bullets into one"


def test_a_bullet_of_the_changelog_has_at_most_two_lines() -> None:
    for lines in changelog().values():
        bullets = re.split(r"^- ", "\n".join(lines), flags=re.MULTILINE)[1:]
        assert [text for text in bullets if len(text.split("\n  ")) > 2] == []


def grown(counts: dict[str, int]) -> dict[str, str]:
    """Files with more violations than the baseline allows."""
    allowed = baseline()
    return {
        name: f"{count}, at most {allowed.get(name, 0)}"
        for name, count in counts.items()
        if count > allowed.get(name, 0)
    }


def test_no_page_has_more_wrong_words_than_its_baseline() -> None:
    assert not grown(counts_of_pages())


def test_no_module_has_more_wrong_words_than_its_baseline() -> None:
    assert not grown(counts_of_code())


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("The error is told here.", 1),
        ("Draw the pictures anew, by whoever asks.", 2),
        ("Whether it fits is printed.", 1),
        ("It fits. Who asks, gets it.", 1),
        ("| a | What it does |", 1),
        ("## Where do parts go?", 0),
        ("```\nwhoever\n```\nRun `anew`.", 0),
        ("The rulebook says \"nobody moves\".", 0),
        ("The command reports the error,\nand names the file.", 0),
    ],
)  # fmt: skip
def test_the_count_of_a_page_is_right(text: str, count: int) -> None:
    assert of_page(text) == count


@pytest.mark.parametrize(("text", "count"), [("What a unit is.", 1), ("Return what it is.", 0)])
def test_a_docstring_begins_with_a_noun_or_a_verb(text: str, count: int) -> None:
    assert of_docstring(text) == count

"""The reference's examples load; colours know every keyword; bounds hold."""

import json
import re
import time

import pytest

from falldamage_forge.lang import load
from falldamage_forge.lang.block_scanner import MAX_DEPTH, MAX_LINE
from falldamage_forge.lang.expansion import MAX_FACTS
from falldamage_forge.lang.language_service import reference
from falldamage_forge.lang.parser import KEYWORDS, grammar
from tests.cli.running import ROOT

REFERENCE = (ROOT / "docs" / "language.md").read_text("utf-8")
EXAMPLES = re.findall(r"```forge\n(.*?)```", REFERENCE, re.DOTALL)


@pytest.mark.parametrize("text", EXAMPLES)
def test_every_example_of_the_reference_loads(text: str) -> None:
    assert load(text, "language.md").issues == ()


def test_the_reference_names_every_keyword_and_the_real_bounds() -> None:
    missing = [word for word in KEYWORDS if not re.search(rf"\b{word}\b", REFERENCE)]
    assert not missing
    assert f"{MAX_LINE} characters" in REFERENCE
    assert f"nest {MAX_DEPTH} deep" in REFERENCE
    assert f"{MAX_FACTS:,}".replace(",", " ") + " facts" in REFERENCE


def test_every_statement_has_its_line_in_the_reference() -> None:
    assert set(reference()) == set(KEYWORDS)
    rows = re.findall(r"^\| `(.*)` \| (.*) \|$", REFERENCE, re.M)
    shown = {(form.replace("\\|", "|"), means) for form, means in rows}
    assert {(entry.form, entry.means) for entry in reference().values()} <= shown


def test_keywords_are_those_of_the_grammar() -> None:
    words = {str(t.pattern.value) for t in grammar().terminals if t.pattern.type == "str"}
    assert set(KEYWORDS) <= words


def test_colours_follow_the_language() -> None:
    pygments = pytest.importorskip("pygments", reason="pip install pygments")
    from pygments.token import Error, Keyword

    from falldamage_forge.lang.highlight import ForgeLexer, textmate_grammar

    for text in EXAMPLES:
        tokens = list(pygments.lex(text, ForgeLexer()))
        assert "".join(value for _, value in tokens) == text
        assert all(kind is not Error for kind, _ in tokens)
        firsts = {line.split()[0] for line in text.splitlines() if line.strip()}
        shown = {value.strip() for kind, value in tokens if kind is Keyword}
        assert firsts & set(KEYWORDS) <= shown | {"K", "P"}
    published = json.loads((ROOT / "docs" / "forge.tmLanguage.json").read_text("utf-8"))
    assert published == textmate_grammar()


BOMB = "".join(
    f"define a{n} {{\n place a{n + 1} at A1\n place a{n + 1} at A1\n}}\n" for n in range(39)
)
HOSTILE = {
    "nested": "forge 1\n" + "define a {\n" * 100_000,
    "bomb": f"forge 1\n{BOMB}define a39 {{\n tree at A1\n}}\nplace a0 at A1\n",
    "circle": "forge 1\ndefine a {\n place b at A1\n}\ndefine b {\n place a at A1\n}",
    "long line": "forge 1\n" + "x" * 900_000,
    "many lines": "forge 1\n" + "tree at A1\n" * 60_000,
    "many errors": "forge 1\n" + "tre at A1\n" * 20_000,
    "wide": "forge 1\nstack A1..ZZ999 height 1\n",
    "digits": "forge 1\nstack A1 height " + "9" * 1_900,
    "nul": "forge 1\ntree at \x00\n",
    "quotes": 'forge 1\ntitle "' + "a" * 1_900,
    "braces": "forge 1\n" + "}" * 1_900,
    "map": "forge 1\nmap {\n" + (". " * 900 + "\n") * 500 + "}\n",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_ends_in_issues_with_places(name: str) -> None:
    start = time.monotonic()
    issues = load(HOSTILE[name], "x").issues
    assert time.monotonic() - start < 30, "a hang, not a matter of speed"
    assert issues
    assert all(issue.span is not None for issue in issues)

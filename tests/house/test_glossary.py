"""Words in a special sense stand in the glossary, and each of its words is used by a page."""

import re
from pathlib import Path

import pytest

from tests.cli.running import ROOT

DOCS = ROOT / "docs"
GLOSSARY = DOCS / "glossary.md"
PAGES = [*sorted(DOCS.glob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
DOORS = ("print-and-play.md", "run-an-event.md", "design-maps.md")


def prose(page: str) -> str:
    """A page without code blocks, code spans and links' targets."""
    text = re.sub(r"```.*?```", "", page, flags=re.DOTALL)
    return re.sub(r"\]\([^)]*\)", "]", re.sub(r"`[^`]*`", "", text))


def terms() -> list[str]:
    rows = re.findall(r"^\| ([a-z ]+) \|", GLOSSARY.read_text("utf-8"), re.MULTILINE)
    return [term for term in rows if term != "term"]


def singular(term: str) -> set[str]:
    return {term, term.removesuffix("s"), term.removesuffix("es"), f"{term}s"}


def test_a_term_has_one_entry() -> None:
    assert len(terms()) == len(set(terms()))
    assert len(terms()) > 50


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_words_in_italics_are_in_the_glossary(page: Path) -> None:
    text = prose(page.read_text("utf-8"))
    marked = re.findall(r"(?<![*\w])\*([^*\n|]+)\*(?![*\w])", text)
    known = set(terms())
    unknown = [word for word in marked if not singular(word.lower()) & known and word != "italics"]
    assert not unknown


@pytest.mark.parametrize("term", terms())
def test_a_term_is_used_by_another_page(term: str) -> None:
    word = re.compile(rf"\b{term}(s|es)?\b", re.IGNORECASE)
    pages = [page for page in PAGES if page != GLOSSARY]
    assert any(word.search(prose(page.read_text("utf-8"))) for page in pages)


@pytest.mark.parametrize("door", DOORS)
def test_readme_leads_to_the_doors_and_they_lead_on(door: str) -> None:
    assert f"(docs/{door})" in (ROOT / "README.md").read_text("utf-8")
    links = re.findall(r"\]\(([a-z-]+\.md)", (DOCS / door).read_text("utf-8"))
    assert len(set(links)) >= 4

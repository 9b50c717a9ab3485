"""The pages as data: fenced blocks, headings, links, and marked figures.

A *figure* stands between comments, which no reader sees:

    The map needs <!-- = duel.parts -->72<!-- = --> parts.

`tests/docs/figures.py` computes it from the program. A value that takes a slicer, a clock or hours
of games stands in a *measured* block, which names the day, the commit and the command:

    <!-- measured 2026-11-23, 1c2f3a4: fdforge prove duel --sliced -->
    ...
    <!-- end of measured -->
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.cli.running import ROOT

PAGES = sorted((*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *ROOT.glob("editors/**/*.md")))
PAGES = [page for page in PAGES if "node_modules" not in page.parts]
FENCE = re.compile(
    r"^( *)```(\w*)(?: title=\"([^\"]+)\")?[^\n]*\n(.*?)^ *```$", re.MULTILINE | re.DOTALL
)
FIGURE = re.compile(r"<!-- = ([\w.-]+) -->(.*?)<!-- = -->", re.DOTALL)
MEASURED = re.compile(
    r"<!-- measured (\d{4}-\d\d-\d\d), ([0-9a-f]{7,40}): (.+?) -->\n(.*?)<!-- end of measured -->",
    re.DOTALL,
)
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


@dataclass(frozen=True)
class Block:
    """A fenced block: language, the file whose content it shows, text, and line from 1."""

    language: str
    title: str
    text: str
    line: int

    @property
    def commands(self) -> tuple[str, ...]:
        """The commands of a listing, each on one line; of a `console` block those after `$`."""
        lines = self.text.replace("\\\n", " ").splitlines()
        if self.language == "console":
            return tuple(line.removeprefix("$ ") for line in lines if line.startswith("$ "))
        return tuple(line for line in lines if line.strip() and not line.startswith("#"))

    @property
    def shown(self) -> str | None:
        """What a `console` block shows after its only command; None if it shows nothing."""
        first, _, rest = self.text.partition("\n")
        shows = self.language == "console" and rest and not re.search(r"^\$ ", rest, re.MULTILINE)
        return rest if shows and first.startswith("$ ") else None


@cache
def read(page: Path) -> str:
    """Return the text of a page."""
    return page.read_text("utf-8")


def name(page: Path) -> str:
    """Return the short name of a page, such as `docs/kits.md`."""
    return page.relative_to(ROOT).as_posix()


def blocks(text: str) -> Iterator[Block]:
    """Yield the fenced blocks of a page in their order."""
    for found in FENCE.finditer(text):
        indent, language, title, inner = found.groups()
        body = "".join(line.removeprefix(indent) for line in inner.splitlines(keepends=True))
        yield Block(language, title or "", body, text.count("\n", 0, found.start()) + 1)


def prose(text: str) -> str:
    """Return a page without fenced blocks, figures and measured blocks; as many lines."""

    def blank(found: re.Match[str]) -> str:
        return "\n" * found[0].count("\n")

    for pattern in (MEASURED, FENCE, FIGURE):
        text = pattern.sub(blank, text)
    return text


def anchors(text: str) -> set[str]:
    """Return the anchors of a page's headings, as GitHub and MkDocs make them."""
    outside = FENCE.sub("", text)
    found = {slug(heading) for heading in HEADING.findall(outside)}
    return found | set(re.findall(r"<a id=\"([^\"]+)\"", outside))


def slug(heading: str) -> str:
    """Return the anchor of a heading: letters, digits and hyphens, in lower case."""
    plain = re.sub(r"`|\*|<!--.*?-->|\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")


def links(text: str) -> Iterator[tuple[str, str]]:
    """Yield file and anchor of each link inside the repository; an empty file is the page."""
    for target in LINK.findall(FENCE.sub("", text)):
        if not re.match(r"[a-z]+:", target):
            file, _, anchor = target.partition("#")
            yield file, anchor

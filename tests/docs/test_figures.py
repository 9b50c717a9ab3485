"""Figures of the pages are what the program gives today; FORGE_ACCEPT=1 writes them."""

import os
import re
from pathlib import Path

import pytest

from tests.docs.figures import FIGURES
from tests.docs.pages import FIGURE, PAGES, name, read

SHOWN = [page for page in PAGES if FIGURE.search(read(page))]


@pytest.mark.long  # every page, as a figure that is out of date is nobody's but its page's
@pytest.mark.parametrize("page", SHOWN, ids=name)
def test_figures_are_computed(page: Path) -> None:
    fresh = FIGURE.sub(lambda at: f"<!-- = {at[1]} -->{FIGURES[at[1]]()}<!-- = -->", read(page))
    if "FORGE_ACCEPT" in os.environ:
        page.write_text(fresh, "utf-8")
        return
    stated, computed = (
        [at.groups() for at in FIGURE.finditer(text)] for text in (read(page), fresh)
    )
    assert stated == computed, "FORGE_ACCEPT=1 writes the figures of today; read each of them"


def test_every_figure_is_shown() -> None:
    shown = {at[1] for page in PAGES for at in FIGURE.finditer(read(page))}
    assert shown == set(FIGURES)


def test_marks_come_in_pairs() -> None:
    for page in PAGES:
        text = read(page)
        opened = len(re.findall(r"<!-- = [\w.-]+ -->", text))
        assert opened == text.count("<!-- = -->") == len(FIGURE.findall(text)), name(page)

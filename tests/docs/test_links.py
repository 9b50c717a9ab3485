"""Links lead to files and headings that exist, and no anchor holds a figure that may change."""

import re
from pathlib import Path

import pytest

from tests.docs.pages import PAGES, anchors, links, name, read, slug


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_to_files_and_headings(page: Path) -> None:
    for file, anchor in links(read(page)):
        target = (page.parent / file).resolve() if file else page
        assert target.exists(), f"{name(page)}: {file}"
        if anchor and target.suffix == ".md":
            assert anchor in anchors(read(target)), f"{name(page)}: {file}#{anchor}"


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_linked_anchors_hold_no_figure(page: Path) -> None:
    """A link to `#2-print-the-coupon-about-24-g` breaks when the coupon weighs 25 g.

    The number of a step at the beginning is the heading's name.
    """
    for _, anchor in links(read(page)):
        assert not re.search(r"(?<!^)\d+-(g|kg|min|h|parts|plates|maps|games|hours)\b", anchor), (
            anchor
        )


def test_anchors_are_those_of_github() -> None:
    assert slug("2. Print the coupon: about 25 g, 47 min") == "2-print-the-coupon-about-25-g-47-min"
    assert slug('Meaning of "fair"') == "meaning-of-fair"
    assert slug("`expect` and [links](x.md)") == "expect-and-links"

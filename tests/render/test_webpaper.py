"""Build sheets as a web page: the pages of the PDF, whole XML, nothing asked for elsewhere."""

import re
from xml.etree import ElementTree

from falldamage_forge.library.forge import Forge
from falldamage_forge.render.build_sheets import sheets
from falldamage_forge.render.build_steps import steps
from falldamage_forge.render.html_pages import HtmlPages

SVG = "{http://www.w3.org/2000/svg}"


def test_html_sheets_list_every_part_once() -> None:
    forge = Forge()
    map_ = forge.load("duel")
    plan = forge.plan(map_)
    data = sheets("A <duel>", map_.board, plan.placements, {}, kind=HtmlPages)
    assert data == sheets("A <duel>", map_.board, plan.placements, {}, kind=HtmlPages)
    text = data.decode()
    assert "<title>A &lt;duel&gt;: how to build it</title>" in text
    own = text.split('<svg class="')[1:]
    pages = [ElementTree.fromstring(f'<svg class="{one.split("</main>")[0]}') for one in own]
    assert len(pages) >= 3
    words = ["".join(each.itertext()) for page in pages for each in page.iter(f"{SVG}text")]
    for number, step in enumerate(steps(map_.board, plan.placements), start=1):
        assert any(one.startswith(f"Step {number} of ") for one in words)
        for key, count in step.counts().items():
            assert f"{count} x {key}" in words
    assert set(re.findall(r'https?://[^"\s]+', text)) == {"http://www.w3.org/2000/svg"}
    assert "<script" not in text


def test_lines_boxes_and_pictures_stand_on_the_page() -> None:
    paper = HtmlPages("letter", "x")
    paper.new_page("foot")
    paper.line(0, 0, 5, 5)
    paper.box(0, 0, 5, 5, dash=True)
    paper.fill(0, 0, 5, 5, "#abcdef")
    assert paper.photo(b"\x89PNG", 0, 0, 5, 7) == 7
    paper.image(b"\xff\xd8", 0, 0, 5, 5)
    assert paper.width("wide", 10, bold=True) > paper.width("wide", 10) > 0
    text = paper.finish().decode()
    for part in (
        "<line",
        "stroke-dasharray",
        "#abcdef",
        "data:image/png",
        "data:image/jpeg",
        "foot",
    ):
        assert part in text

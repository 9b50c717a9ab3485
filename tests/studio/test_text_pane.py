"""The coloured text lies exactly under the typed text: line by line, column by column."""

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from falldamage_forge import presets
from tests.amount import some
from tests.cli.running import ROOT
from tests.render.chromium import BINARY
from tests.studio.test_page import Page

browser = [
    pytest.mark.browser,
    pytest.mark.skipif(BINARY is None, reason="no Chromium"),
]
PAGE = ROOT / "falldamage_forge" / "studio" / "page"
TEXTS = {
    path.stem: path.read_text("utf-8")
    for kind in ("maps", "tables")
    for path in sorted((ROOT / "presets" / kind).glob("*.forge"))
}
ODD = {
    "tabs": "forge 1\nmap {\n\t.\t1\t2\n\t\t3 |\n}\n",
    "wide letters": 'forge 1\ntitle "城の塔 — Turm"  # 城 { | -> ..\nstack D4 height 1\n',
    "combining letters": 'forge 1\ntitle "Cafe\u0301 n\u0303"\nstack D4 height 1\n',
    "long line": "forge 1  # " + "a { b | c -> d .. e, " * 90 + "\nstack D4 height 1\n",
    "faults": "forge 1\nstak D4 height 3\nstack D4..E4 -> { | } height\nlava at Z99, <= >=\n",
    "empty lines": "\n\nforge 1\n\n\n{ }\n\n",
}
PLACES = """(() => {
  const [field, layer] = ['#text', '#colours'].map((one) => document.querySelector(one));
  // The same text without colours, in a box like the field: where a browser puts typed text.
  const plain = layer.cloneNode(false);
  plain.id = 'plain-text';
  Object.assign(plain.style, { position: 'absolute', visibility: 'hidden' });
  const said = ['font', 'letterSpacing', 'padding', 'whiteSpace', 'tabSize', 'inset', 'margin'];
  for (const name of said) plain.style[name] = getComputedStyle(field)[name];
  plain.textContent = field.value + '\\n';
  layer.after(plain);
  const places = (box) => {
    const walk = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
    const { left, top } = box.getBoundingClientRect();
    const found = [];
    for (let node = walk.nextNode(); node; node = walk.nextNode())
      for (let at = 0; at < node.length; at++) {
        if (node.data[at] === '\\n') continue;
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        const r = range.getBoundingClientRect();
        found.push([node.data[at], r.left - left + box.scrollLeft, r.top - top + box.scrollTop]);
      }
    return found;
  };
  const [drawn, typed] = [layer, plain].map(places);
  const sizes = [layer, field].map((one) => [one.scrollHeight, one.scrollWidth]);
  plain.remove();
  const apart = drawn.filter(([sign, x, y], at) => { const [own, left, top] = typed[at] ?? [];
    return sign !== own || Math.abs(x - left) > 0.6 || Math.abs(y - top) > 1.1; });
  return { count: [drawn.length, typed.length], apart: apart.slice(0, 3), sizes };
})()"""
"""Letters that are not drawn where they are typed, and the sizes of both layers."""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    found = Page(tmp_path_factory.mktemp("page"))
    yield found
    assert found.browser.complaints() == []
    found.close()


def put(page: Page, text: str) -> None:
    page.browser.run(f"studio.app.editor.put({json.dumps(text)})")
    shown = json.dumps(text if text.endswith("\n") else text + "\n")
    page.wait(
        "studio.app.sync.idle && document.querySelector('#colours').textContent"
        f".trimEnd() === {shown}.trimEnd()"
    )


class TestTextPane:
    pytestmark = browser

    @pytest.mark.parametrize("name", [*some(list(TEXTS), 6), *ODD])
    def test_coloured_text_lies_under_typed_text(self, page: Page, name: str) -> None:
        put(page, TEXTS.get(name) or ODD[name])
        found = page.browser.run(PLACES)
        assert found["apart"] == []
        assert found["count"][0] == found["count"][1] > 0
        (drawn_height, drawn_width), (typed_height, typed_width) = found["sizes"]
        assert abs(drawn_height - typed_height) <= 20, "at most the field's last empty line"
        assert abs(drawn_width - typed_width) <= 9, "at most the padding behind the longest line"

    def test_letter_that_is_moved_is_found(self, page: Page) -> None:
        put(page, TEXTS["duel"])
        each = "document.querySelectorAll('#colours .typed-sign').forEach((one) => %s)"
        page.browser.run(each % "{ one.style.display = 'block'; }")
        assert page.browser.run(PLACES)["apart"]
        page.browser.run(each % "{ one.style.display = ''; }")
        assert page.browser.run(PLACES)["apart"] == []


SHARED = {"divider", "hint", "i"}
"""Classes that mean one thing on every screen: a border between panes, a remark, an icon."""


def test_class_without_a_place_is_styled_in_one_file() -> None:
    """`.sign { display: block }` of the game once broke the text, whose signs had that class."""
    everywhere: dict[str, Path] = {}
    named: dict[str, set[Path]] = defaultdict(set)
    for path in PAGE.glob("*.css"):
        rules = re.sub(r"/\*.*?\*/", "", path.read_text("utf-8"), flags=re.DOTALL)
        for selectors in re.findall(r"([^{}]+)\{", rules):
            for selector in map(str.strip, selectors.split(",")):
                for name in re.findall(r"\.([A-Za-z][\w-]*)", selector):
                    named[name].add(path)
                if re.fullmatch(r"\.[A-Za-z][\w-]*", selector):
                    everywhere[selector[1:]] = path
    assert everywhere
    twice = {name for name in everywhere if len(named[name]) > 1}
    assert twice == SHARED


def test_texts_are_those_of_the_presets() -> None:
    assert set(presets.names("maps")) <= set(TEXTS)

"""The text pane in a real Chromium: the coloured text lies exactly under the typed text."""

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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
ODD = {
    "tabs": 'define x {\n\tstack A1 height 1\n \t at B2..C3\n\t\t\ttitle\t"a\tb"\t# c\td\n}\n',
    "wide": 'title "漢字仮名 テーブル" # 全角 {|} ->\nstack C3 height 1 # 한글\n',
    "combining": 'title "e\u0301a\u0308o\u0302 s\u0323\u0307" # n\u0303 { e\u0301 }\nlava D4, E5\n',
    "emoji": 'title "🏰🌋 👩‍👩‍👧 🇩🇪" # ⚔️ -> 🪜\ntree at B2\n',
    "right to left": 'title "\u05e9\u05dc\u05d5 \u200f table" # \u0645\u0631\u062d { }\nlava D4\n',
    "long lines": f"stack {', '.join(f'C{n}' for n in range(1, 99))} height 2\n# {'=' * 400}\n",
    "many lines": "".join(f"stack C{n % 10 + 1} height 2 # {n}\n" for n in range(300)),
    "long and many lines": f"# {'=' * 200}\n" * 60,
    "signs": "|||{{{}}}<=>=->..,,<>=\nA1..B2|C3->D4{x}\n",
    "no end": "stack C3 height 1",
    "nothing": "",
    "empty lines": "\n\n\nstack C3 height 1\n\n\n\n",
}
TYPED = """async function (text, top, left) {
  const { editor } = studio.app, { area, colours, numbers } = editor;
  area.value = text;
  editor.draw();
  await new Promise((go) => requestAnimationFrame(go));
  area.scrollTop = top * area.scrollHeight;
  area.scrollLeft = left * area.scrollWidth;
  await new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)));
  const NEAR_PX = 1, lines = text.split("\\n");
  // Where each place of an element's text stands: [left, top, height] by line and column.
  const places = (root) => {
    const nodes = document.createTreeWalker(root), range = new Range();
    const rows = lines.map(() => []);
    let line = 0;
    for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
      if (node.nodeName === "BR") line += 1; // Chromium breaks lines of a field so
      for (let at = 0; at < (node.length ?? 0) && line < rows.length; at += 1) {
        if (node.data[at] === "\\n") { line += 1; continue; }
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        const { left, right, top, height } = range.getBoundingClientRect();
        rows[line].push([left, right, top, height].map((one) => Math.round(one * 8) / 8));
      }
    }
    return rows;
  };
  const [typed, drawn] = [this, colours].map(places), faults = [];
  lines.forEach((line, row) => {
    if (typed[row].length !== line.length || drawn[row].length !== line.length)
      faults.push(`line ${row + 1}: ${typed[row].length} typed, ${drawn[row].length} drawn`);
    const apart = (one, column) => Math.max(
      ...one.map((far, i) => Math.abs(far - (drawn[row][column]?.[i] ?? Infinity))));
    const at = typed[row].findIndex((one, column) => apart(one, column) > NEAR_PX);
    if (at >= 0) faults.push(`line ${row + 1} column ${at + 1} `
      + `${JSON.stringify(line[at])}: typed ${typed[row][at]}, drawn ${drawn[row][at]}`);
    // The hint's place of a column, and the column of that place, are those of the caret.
    const box = area.parentElement.getBoundingClientRect();
    [...typed[row].keys()].filter((column) => column % 7 === 0 && row < 20).forEach((column) => {
      const [x] = editor.spot({ line: row, column });
      const seen = x + area.closest("#editor").getBoundingClientRect().left;
      const [from, to] = typed[row][column];
      if (Math.min(Math.abs(seen - from), Math.abs(seen - to)) > 1)
        faults.push(`hint of line ${row + 1} column ${column + 1}: ${seen}, typed ${from}`);
    });
    const number = numbers.children[row]?.getBoundingClientRect();
    const first = typed[row][0];
    if (first && Math.abs(number.top - first[2]) > 3)
      faults.push(`number ${row + 1}: ${number.top}, typed ${first[2]}`);
  });
  const height = (one) => { const all = new Range(); all.selectNodeContents(one);
    return Math.round(all.getBoundingClientRect().height); };
  if (text && !/\\n$/.test(text) && height(this) !== height(colours))
    faults.push(`all is ${height(this)} typed, ${height(colours)} drawn`);
  return faults.slice(0, 6);
}"""
"""A function of the element that a field draws its text in."""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    found = Page(tmp_path_factory.mktemp("page"))
    found.wait("studio.app.sync.idle")
    yield found
    found.close()


def within(node: dict[str, Any], name: str) -> int | None:
    """The node that draws the text of the field of that id, in what the browser adds to a field."""
    if name in node.get("attributes", ()) and node.get("shadowRoots"):
        return int(node["shadowRoots"][0]["children"][0]["backendNodeId"])
    below = [*node.get("children", ()), *node.get("shadowRoots", ())]
    return next(filter(None, (within(one, name) for one in below)), None)


def misplaced(page: Page, text: str, top: float = 0, left: float = 0) -> list[str]:
    """Letters of a text that are not drawn where they are typed, the field scrolled so far."""
    ask = page.browser.ask
    node = within(ask("DOM.getDocument", depth=-1, pierce=True)["root"], "text")
    field = ask("DOM.resolveNode", backendNodeId=node)["object"]["objectId"]
    found = ask(
        "Runtime.callFunctionOn",
        objectId=field,
        functionDeclaration=TYPED,
        arguments=[{"value": one} for one in (text, top, left)],
        awaitPromise=True,
        returnByValue=True,
    )
    assert "exceptionDetails" not in found, found["exceptionDetails"]
    return list(found["result"]["value"])


def texts() -> dict[str, str]:
    """The text of every map and table."""
    return {
        f"{kind}/{name}": presets.load_text(kind, f"{name}.forge")
        for kind in ("maps", "tables")
        for name in presets.names(kind)
    }


WINDOWS = {"a desk": (1300, 700), "a phone": (390, 844)}


class TestTextPane:
    pytestmark = browser

    @pytest.mark.parametrize("window", WINDOWS)
    def test_coloured_text_lies_under_typed_text_of_presets(self, page: Page, window: str) -> None:
        page.browser.narrow(*WINDOWS[window])
        page.browser.run("import('./panes.js').then((panes) => panes.open('text'))")
        wrong = {name: misplaced(page, text) for name, text in texts().items()}
        assert {name: faults for name, faults in wrong.items() if faults} == {}

    @pytest.mark.parametrize("kind", ODD)
    @pytest.mark.parametrize("scrolled", some([(0, 0), (0.3, 0.2), (1, 1)], 2))
    def test_coloured_text_lies_under_odd_typed_text(
        self, page: Page, kind: str, scrolled: tuple[float, float]
    ) -> None:
        page.browser.narrow(*WINDOWS["a desk"])
        assert misplaced(page, ODD[kind], *scrolled) == []

    @pytest.mark.parametrize(
        ("style", "fault"),
        [
            ("#colours .typed-sign { display: block }", " column "),
            ("#colours .typed-number { letter-spacing: 2px }", " column "),
            ("#numbers { line-height: 21px }", "number"),
            ("#colours { line-height: 21px }", "drawn"),
        ],
    )
    def test_letter_that_is_moved_is_found(self, page: Page, style: str, fault: str) -> None:
        page.browser.run(
            "window.moved = new CSSStyleSheet(), "
            f"moved.replaceSync({style!r}), document.adoptedStyleSheets = [moved], true"
        )
        found = misplaced(page, ODD["signs"] + ODD["long lines"])
        page.browser.run("document.adoptedStyleSheets = [], true")
        assert any(fault in one for one in found), found


SHARED = {"divider", "hint", "i"}
"""Classes that mean one thing on every screen: a border between panes, a remark, an icon."""
OF_ALL_SCREENS = PAGE / "phone.css"
"""Sizes of every screen in one window."""


def test_class_without_a_place_is_styled_in_one_file() -> None:
    """`.sign { display: block }` of the game once broke the text, whose signs had that class."""
    everywhere: dict[str, Path] = {}
    named: dict[str, set[Path]] = defaultdict(set)
    for path in set(PAGE.glob("*.css")) - {OF_ALL_SCREENS}:
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

"""The report: one small page that says everything, fetches nothing and runs in a real browser."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

import falldamage_forge as ff
from falldamage_forge.board import Column, Tile, make_board
from falldamage_forge.builds.result import report_context
from falldamage_forge.export.piece_list import ListRow, format_minutes, start_note
from falldamage_forge.issues import Issue
from falldamage_forge.presets import load_printer
from falldamage_forge.render.html_report import ReportData, report
from falldamage_forge.render.overlay import Overlay, OverlayMark
from tests.amount import EXHAUSTIVE
from tests.render.boards import MAPS
from tests.render.chromium import BINARY, NO_WEBGL, WEBGL, Chromium

pytestmark = pytest.mark.long  # they share two whole builds


class Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self._tag = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._tag = tag

    def handle_data(self, data: str) -> None:
        if self._tag not in {"style", "script"}:
            self.words += data


def whole(name: str) -> ReportData:
    source = f"# {name} & <b>co</b>\n</pre><script>alert(1)</script>"
    map_ = replace(ff.load(name), name=f"{name}.forge", texts={f"{name}.forge": source})
    checked = replace(ff.check(map_), issues=())
    return report_context(ff.Forge().assemble(checked))


@pytest.fixture(scope="module")
def duel() -> ReportData:
    return whole("duel")


@pytest.fixture(scope="module")
def page(duel: ReportData) -> str:
    return report(duel)


def test_report_says_how_long_its_plates_take_to_start(duel: ReportData, page: str) -> None:
    assert duel.start == start_note(len(duel.plates), load_printer("a1-mini"))
    assert f"{duel.start.capitalize()}." in Page(page).words


@pytest.mark.parametrize("name", ["duel", *(MAPS if EXHAUSTIVE else ())])
def test_a_page_is_small_and_fetches_nothing(name: str, page: str) -> None:
    text = page if name == "duel" else report(whole(name))
    assert len(text.encode()) < 1_000_000
    for tag, attributes in Page(text).tags:
        for key in ("src", "href"):
            value = attributes.get(key)
            assert value is None or value.startswith(("data:", "#")), (tag, value)
    scripts = "".join(re.findall(r"<script>(.*?)</script>", text, re.S))
    assert "fetch(" not in scripts
    assert "http" not in scripts


def test_the_same_map_gives_the_same_page(page: str) -> None:
    assert page == report(whole("duel"))


def test_source_and_names_are_text_not_markup(duel: ReportData) -> None:
    evil = '</title><script>alert("x")</script>'
    issue = Issue("FDF310", "warning", evil, hint=evil)
    row = ListRow(evil, evil, evil, 1, 0, 1.0, 1.0, ())
    data = replace(duel, title=evil, author=evil, issues=(issue,), notes=(evil,), rows=(row,))
    data = replace(data, source=evil, source_name=evil, printer=evil)
    text = report(replace(data, scene={**duel.scene, "evil": evil}))
    read = Page(text)
    assert sum(tag == "script" for tag, _ in read.tags) == 2
    assert read.words.count(evil) == 11
    assert "alert(" not in "".join(re.findall(r"<script>(.*?)</script>", text, re.S))


def test_the_lists_are_all_there(duel: ReportData, page: str) -> None:
    words = Page(page).words
    for row in duel.rows:
        assert row.piece in words
        assert row.title in words
    assert str(sum(row.quantity for row in duel.rows)) in words
    assert sum(row.quantity for row in duel.rows) == sum(plate.quantity for plate in duel.plates)
    assert all(overlay.title in words for overlay in duel.overlays)
    assert "</pre><script>alert(1)" in words


def test_report_shows_issue_first() -> None:
    board = make_board(5, 5, [Column()] * 25)
    fault = Issue("FDF300", "error", "nobody gets there")
    words = Page(report(ReportData("Faulty", board, issues=(fault,)))).words
    assert "Not playable" in words
    assert "FDF300" in words
    assert "Legal and playable" in Page(report(ReportData("Fine", board))).words


def test_hours() -> None:
    assert [format_minutes(m) for m in (0, 59.4, 60, 125)] == [
        "0 min",
        "59 min",
        "1 h 00 min",
        "2 h 05 min",
    ]


def test_a_large_board_stays_below_the_limit() -> None:
    board = make_board(50, 50, [Column(n * 7 % 5) for n in range(2500)])
    mark = OverlayMark(Tile(49, 49), board.column((49, 49)).level, 1, "1")
    overlay = Overlay("turns", "turns", (mark,), ((1, "1 turn"),))
    assert len(report(ReportData("Large", board, overlays=(overlay,)))) < 1_000_000


# -- in the browser ------------------------------------------------------------------------------

browser = pytest.mark.skipif(BINARY is None, reason="needs Chromium (apt-get install chromium)")
COLOURS = """(() => {
  const view = document.getElementById('view'), flat = document.createElement('canvas');
  [flat.width, flat.height] = [view.width, view.height];
  const pen = flat.getContext('2d');
  pen.drawImage(view, 0, 0);
  const data = pen.getImageData(0, 0, flat.width, flat.height).data, seen = new Set();
  let sum = 0;
  for (let i = 0; i < data.length; i += 4) {
    const colour = data[i] << 16 | data[i + 1] << 8 | data[i + 2];
    seen.add(colour);
    sum = (sum * 31 + colour) % 1000000007;
  }
  return [seen.size, sum];
})()"""
FRAME = "new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(() => go(1))))"


@pytest.fixture
def page_file(page: str, tmp_path: Path) -> Path:
    file = tmp_path / "report.html"
    file.write_text(page, encoding="utf-8")
    return file


@pytest.fixture
def chromium(tmp_path: Path) -> Iterator[Chromium]:
    started = Chromium(tmp_path / "profile", *WEBGL)
    yield started
    started.close()


@browser
@pytest.mark.browser
@pytest.mark.parametrize("served", [False, True])
def test_phones_are_led_to_the_scenes_where_the_page_is_served(
    duel: ReportData, served: bool, tmp_path: Path, chromium: Chromium
) -> None:
    file = tmp_path / "report.html"
    file.write_text(report(replace(duel, phone="my duel")), encoding="utf-8")
    handler = partial(SimpleHTTPRequestHandler, directory=tmp_path)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/report.html" if served else file.as_uri()
        chromium.open(address, "document.documentElement.dataset.view")
        assert chromium.run("document.getElementById('phone').hidden") == (not served)
        ends = "[...document.querySelectorAll('#phone a')].map((a) => a.href.split('/').pop())"
        assert chromium.run(ends) == ["my%20duel.usdz", "my%20duel.glb"]
        server.shutdown()


@browser
@pytest.mark.browser
def test_the_page_lives_in_a_browser(page_file: Path, chromium: Chromium) -> None:
    chromium.open(page_file.as_uri(), "document.documentElement.dataset.view")
    if chromium.run("document.documentElement.dataset.view") != "ready":
        pytest.skip("this Chromium has no WebGL 2")
    colours, first = chromium.run(COLOURS)
    assert colours > 50, "the canvas is blank"
    # By keyboard alone: the view turns, an overlay is switched, and the map and the view show it.
    chromium.run("document.getElementById('view').focus()")
    chromium.key("ArrowLeft", 37)
    chromium.run(FRAME)
    turned = chromium.run(COLOURS)[1]
    assert turned != first
    chromium.key("Home", 36)
    chromium.run(FRAME)
    assert chromium.run(COLOURS)[1] == first
    for button in ("Back", "Top"):
        chromium.run(f"document.querySelector('[data-act={button}]').click()")
        chromium.run(FRAME)
        assert chromium.run(COLOURS)[1] not in (first, turned)
    chromium.key("Home", 36)
    shown = "getComputedStyle(document.querySelector('.map svg .overlay-turns')).display"
    assert chromium.run(shown) == "none"
    chromium.run("document.getElementById('o-none').focus()")
    chromium.key("ArrowRight", 39)
    chromium.run(FRAME)
    assert chromium.run("document.activeElement.id") == "o-turns"
    assert chromium.run(shown) == "inline"
    assert chromium.run(COLOURS)[1] != first
    # On a telephone: nothing but the tables' own boxes scrolls sideways.
    chromium.narrow(390, 844)
    chromium.run(FRAME)
    assert chromium.run("document.documentElement.scrollWidth <= innerWidth")
    assert chromium.complaints() == []
    assert chromium.requests() == []


@browser
@pytest.mark.browser
def test_without_webgl_the_pictures_remain(page_file: Path, tmp_path: Path) -> None:
    chromium = Chromium(tmp_path / "profile", *NO_WEBGL)
    try:
        chromium.open(page_file.as_uri(), "document.documentElement.dataset.view")
        assert chromium.run("document.documentElement.dataset.view") == "none"
        assert "cannot show" in chromium.run("document.getElementById('view-note').textContent")
        assert chromium.run("document.getElementById('view').hidden")
        assert chromium.run("document.querySelector('#picture img').naturalWidth") > 500
        assert chromium.requests() == []
    finally:
        chromium.close()


@browser
@pytest.mark.browser
def test_browser_watcher_notices_errors(tmp_path: Path, chromium: Chromium) -> None:
    file = tmp_path / "bad.html"
    script = (
        "console.error('no'); fetch('http://127.0.0.1:9/x').catch(() => {}); setTimeout(boom, 0)"
    )
    file.write_text(f"<script>var over = 1; {script}</script>", encoding="utf-8")
    chromium.open(file.as_uri(), "window.over")
    chromium.run("new Promise((go) => setTimeout(go, 300))")
    assert chromium.requests() == ["http://127.0.0.1:9/x"]
    assert any("no" in complaint for complaint in chromium.complaints())

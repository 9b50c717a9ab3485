"""Every web page that a command writes, or a site has, as data; none needs a studio.

The pages lie in one folder behind one file server, as on any static host.
"""

import json
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import product
from pathlib import Path
from typing import Any

from falldamage_forge import presets
from falldamage_forge.builds.result import report_context, report_context_of_illegal
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.play import PlayOptions
from falldamage_forge.library.forge import Forge
from falldamage_forge.playtest import playtest_page
from falldamage_forge.playtest.game_series import run_here
from falldamage_forge.playtest.runner import PlaytestRequest, run_playtest
from falldamage_forge.render import archive_page
from falldamage_forge.render.build_sheets import sheets
from falldamage_forge.render.html_pages import HtmlPages
from falldamage_forge.render.html_report import report
from falldamage_forge.render.silhouettes import silhouette_paths
from falldamage_forge.studio import site_pages, static_site
from tests.cli.running import SMALL
from tests.render.chromium import WEBGL, Chromium
from tests.studio.screens import ODD_SIZES, SIZES, THEMES, Look, finished_game

FORGE = Forge()
MAP = FORGE.loads(SMALL.format(tower="D4") + 'title "A small table for two"\n', "small.forge")
Files = Mapping[str, bytes]


@dataclass(frozen=True)
class Written:
    """A page of the folder `files` makes: its path, and how to come to what is looked at.

    Attributes:
        files: Makes the page and the files beside it, by path.
        path: Path of the page.
        ready: Script that is true when the page is whole.
        act: Script that does what a reader does then.
        rolls: The page is longer than its window, and its reader scrolls it.
    """

    files: Callable[[], Files]
    path: str
    ready: str = "true"
    act: str = "true"
    rolls: bool = True


@cache
def _report() -> Files:
    data = report_context(FORGE.assemble(FORGE.check(MAP)))
    return {"report.html": report(data).encode()}


@cache
def _refused() -> Files:
    wrong = FORGE.loads(SMALL.format(tower="D4") + "bridge D4 -> G4 level 5\nlava at A1\n")
    return {"refused.html": report(report_context_of_illegal(FORGE.check(wrong))).encode()}


@cache
def _archive() -> Files:
    maps = []
    for number, name in enumerate(presets.names("maps")[:5]):
        map_ = FORGE.load(name)
        traits = {"mean level": 0.7 * number, "sight": 0.2 * number, "choke points": float(number)}
        style = ("keep", "village")[number % 2]
        shown = (map_.title, style, -0.3 * number, traits, map_.text, map_.board)
        maps.append(archive_page.ArchiveMap(name, *shown))
    history = [(64, 3, -2.0, -4.0), (128, 5, -1.0, -3.0), (256, 11, -0.5, -2.5)]
    return {"archive.html": archive_page.gallery(maps, history).encode()}


@cache
def _replay() -> Files:
    outlines = silhouette_paths(presets.load_catalogue())
    page = playtest_page.replay_page(finished_game().record(), presets.load_kit(), outlines)
    return {"replay.html": page.encode()}


@cache
def _playtest() -> Files:
    board = FORGE.load("duel").board
    order = PlaytestRequest(
        {"duel": board}, {"duel": FallDamageOptions()}, PlayOptions(round_limit=2),
        presets.load_kit(), ("random", "greedy"), 4, 7,
    )  # fmt: skip
    (outcome,) = run_playtest(order, run_here, pieces=False)
    links = {"the longest game": "replay.html"}
    return {"playtest.html": playtest_page.page([(board, outcome.result)], links).encode()}


@cache
def _sheets() -> Files:
    placements = FORGE.plan(MAP).placements
    return {"sheets.html": sheets(MAP.title, MAP.board, placements, {}, kind=HtmlPages)}


@cache
def _site() -> Files:
    figures = {"duel": {"hours": 12.5, "difficulty": {"en": "9 % may fall", "de": "9 % fallen"}}}
    pages = static_site._page("https://example.org/", "docs/", figures)
    files = (*pages, *static_site._pictures(), site_pages.web_app(), *site_pages.icons())
    return {f"site/{file.path}": file.data for file in files}


_IMAGES = "[...document.images].every((one) => one.complete || one.loading === 'lazy')"
_VIEWER = f"document.documentElement.dataset.view && {_IMAGES}"
_TEXTS = f"document.querySelector('[data-t=homeLead]').textContent && {_IMAGES}"
_TURNS = "document.querySelector('#o-turns').click()"
REST = """Promise.all([...document.images].map((one) => one.decode().catch(() => 0)))
  .then(() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go))))"""
WRITTEN: Mapping[str, Written] = {
    "report": Written(_report, "report.html", _VIEWER, _TURNS),
    "refused report": Written(_refused, "refused.html", _IMAGES),
    "archive": Written(_archive, "archive.html", _IMAGES),
    "map of an archive": Written(
        _archive, "archive.html", _IMAGES, "document.querySelector('article').click()"
    ),
    "replay": Written(
        _replay, "replay.html", "document.querySelector('#count').value", "go(40)", rolls=False
    ),
    "end of a replay": Written(
        _replay, "replay.html", "document.querySelector('#count').value", "go(9999)", rolls=False
    ),
    "playtest": Written(_playtest, "playtest.html"),
    "sheets": Written(_sheets, "sheets.html"),
    "site": Written(_site, "site/index.html", _TEXTS),
}
"""Each page by its name."""


def every_page() -> list[Look]:
    """Return each written page at each size in each theme."""
    every = product(WRITTEN, SIZES, THEMES)
    return [Look(*one, finger=one[1] != "desk") for one in every]


def pages() -> list[Look]:
    """Return each written page once at each size, in the themes by turns."""
    return [
        Look(name, size, THEMES[(number + turn) % 2], finger=size != "desk")
        for number, name in enumerate(WRITTEN)
        for turn, size in enumerate(SIZES)
    ]


class Desk:
    """A browser before a folder of pages."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "pages"
        quiet = type("Quiet", (SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
        handler = partial(quiet, directory=str(self.folder))
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.browser = Chromium(folder / "profile", *WEBGL)

    def reach(self, look: Look) -> None:
        """Go to a page in a window of a size, and to what is looked at there."""
        page, ask = WRITTEN[look.screen], self.browser.ask
        for path, data in page.files().items():
            file = self.folder / path
            if not file.exists():
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(data)
        features: list[dict[str, Any]] = [
            {"name": "prefers-color-scheme", "value": look.theme},
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]
        ask("Emulation.setEmulatedMedia", features=features)
        ask("Emulation.setTouchEmulationEnabled", enabled=look.finger)
        ask("Emulation.setScrollbarsHidden", hidden=look.finger)  # a phone lays them over the page
        self.browser.narrow(*{**SIZES, **ODD_SIZES}[look.size])
        speaks = f"?lang={look.language}" if look.language != "en" else ""
        host = f"http://127.0.0.1:{self.server.server_port}"
        self.browser.open("about:blank", "true")
        self.browser.open(f"{host}/{page.path}{speaks}", page.ready)
        self.browser.run(
            "for (const one of document.images) one.loading = 'eager';"
            f"{page.act}; {json.dumps(look.screen)}"
        )
        self.browser.run(REST)

    def close(self) -> None:
        self.browser.close()
        self.server.shutdown()
        self.server.server_close()


@contextmanager
def desk() -> Iterator[Desk]:
    """Yield a browser before a folder of pages."""
    with tempfile.TemporaryDirectory() as folder:
        found = Desk(Path(folder))
        try:
            yield found
        finally:
            found.close()

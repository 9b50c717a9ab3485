"""The page as static files, in a real Chromium, from a plain file server; the network is cut."""

import fnmatch
import http.server
import io
import json
import shutil
import threading
import time
import zipfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from falldamage_forge import presets
from falldamage_forge.builds.output_files import plate_contents
from falldamage_forge.builds.pipeline import BuildOptions
from falldamage_forge.builds.result import BuildResult
from falldamage_forge.export.threemf import PlateContents, write_plate
from falldamage_forge.geometry.stl import write_stl
from falldamage_forge.issues import ForgeError
from falldamage_forge.library.forge import Forge
from falldamage_forge.studio import pyodide_runtime
from falldamage_forge.studio.precompile import LIBRARY, compile_bytecode
from falldamage_forge.studio.session import Session
from falldamage_forge.studio.static_site import _python, build_site
from tests.amount import EXHAUSTIVE
from tests.cli.running import typed
from tests.render.chromium import BINARY, WEBGL, Chromium
from tests.render.test_qr_code import read
from tests.studio import sites
from tests.studio.hands import Hands

NOWHERE = "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"
PATIENCE_S = 180


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


class Hosted(Hands):
    """A site in a folder of a plain file server, and a page of it in a browser."""

    def __init__(self, folder: Path) -> None:
        try:
            files = build_site((sites.STYLE,), presets.load_printer("a1-mini"), only=sites.keys())
        except ForgeError as error:
            pytest.skip(str(error.issues[0].message))
        self.files = {file.path: file.data for file in files}
        for file in files:
            path = folder / "in/a/folder" / file.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.data)
        handler = partial(Quiet, directory=str(folder))
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/in/a/folder/"
        self.browser = Chromium(folder / "profile", *WEBGL, NOWHERE)
        self.browser.narrow(1300, 700)
        self.open()

    def open(self, more: str = "?quality=low") -> None:
        self.browser.open(f"{self.url}studio.html{more}", "window.studio")
        self.wait("document.querySelector('#verdict').className")

    def wait(self, script: str) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not self.browser.holds(script):
            told = self.browser.run("document.querySelector('#notice')?.textContent ?? ''")
            assert time.monotonic() < deadline, f"{script}: {told}"
            assert "stopped" not in told, told
            time.sleep(0.05)

    def put(self, text: str) -> None:
        self.browser.run(
            "(() => { document.querySelector('#presets').close(); "
            f"const t = document.querySelector('#text'); t.value = {json.dumps(text)}; "
            "t.dispatchEvent(new Event('input')); })()"
        )

    def say(self, words: str) -> None:
        self.browser.run(
            f"(() => {{ document.querySelector('#words').value = {words!r}; "
            "document.querySelector('#say').requestSubmit(); })()"
        )

    def close(self) -> None:
        self.browser.close()
        self.server.shutdown()
        self.server.server_close()


def zip_of(page: Hosted, what: str = "zip") -> bytes:
    """A zip that the page hands over to print."""
    maker = f"document.querySelector('[data-make={what}]')"
    page.wait(f"!{maker}.disabled")
    return page.saved(lambda: page.browser.run(f"{maker}.click()"), "*.zip")


def built_here() -> BuildResult:
    """The library's build of the small map, in the site's style."""
    forge = Forge()
    options = BuildOptions(style=presets.load_style(sites.STYLE))
    return forge.build(forge.loads(sites.TEXT), options=options)


def stuff_of(built: BuildResult) -> PlateContents:
    """What plates are made of."""
    return plate_contents(built.build)


def zipped_model(data: bytes) -> dict[str, bytes]:
    """The parts of a 3MF file."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def hosted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    found = Hosted(tmp_path_factory.mktemp("site"))
    yield found
    found.close()


@pytest.fixture
def page(hosted: Hosted) -> Hosted:
    """The page with the small map in it, whatever a test before did: to start one takes seconds."""
    if hosted.text() != sites.TEXT:
        hosted.put(sites.TEXT)
    hosted.wait("document.querySelector('#title').textContent === 'A small table'")
    hosted.wait("studio.state.sent === null && !studio.app.editor.changed")
    return hosted


@pytest.mark.long
@pytest.mark.browser
@pytest.mark.skipif(BINARY is None, reason="no Chromium")
class TestPage:
    """One page for all."""

    def test_a_text_has_the_verdict_and_figures_of_the_library(self, page: Hosted) -> None:
        page.wait("document.querySelector('#totals').textContent.includes('A1 mini')")
        told = page.browser.run("document.querySelector('#totals').textContent")
        forge, built = Forge(), built_here()
        grams = sum(figures.grams for figures in built.build.figures)
        assert f"{round(grams)} g" in told
        assert f"{sum(row.quantity for row in built.rows)}" in told
        shown = page.browser.run("document.querySelector('#verdict').textContent")
        assert ("Playable" in shown) == forge.check(forge.loads(sites.TEXT)).ok

    def test_a_dropped_model_is_told_to_need_the_studio(self, page: Hosted, tmp_path: Path) -> None:
        page.wait("studio.state.whole")
        (tmp_path / "egg.stl").write_bytes(b"solid egg\nendsolid\n")
        data = {"items": [], "files": [str(tmp_path / "egg.stl")], "dragOperationsMask": 1}
        x, y = page.spot(1, 1, 0)
        for kind in ("dragEnter", "dragOver", "drop"):
            page.browser.ask("Input.dispatchDragEvent", type=kind, x=x, y=y, data=data)
        page.wait(
            "document.querySelector('#notice').textContent.includes('fdforge studio mine.forge')"
        )
        page.browser.run("document.querySelector('#notice button').click()")

    def test_the_printed_parts_stand_on_the_board(self, page: Hosted) -> None:
        page.wait("performance.getEntriesByType('resource').some((r) => r.name.includes('mesh/'))")
        assert page.browser.run("studio.view.board.columns[22][0]") == 1

    def test_gestures_are_the_edits_that_the_library_makes(self, page: Hosted) -> None:
        texts = []
        for words in ("raise F5", "tree A5"):
            before = page.text()
            texts.append(before)
            page.say(words)
            after = Session(before).gesture(words)[0].text
            assert after != before
            page.wait(f"document.querySelector('#text').value === {json.dumps(after)}")
        for earlier in reversed(texts):
            page.wait("!document.querySelector('#undo').disabled")
            page.browser.run("document.querySelector('#undo').click()")
            page.wait(f"document.querySelector('#text').value === {json.dumps(earlier)}")
        assert page.text() == sites.TEXT

    def test_what_is_typed_is_kept_before_the_worker_has_heard_of_it(self, page: Hosted) -> None:
        kept = page.browser.run(
            "(() => { const t = document.querySelector('#text'); t.value += '# kept at once'; "
            "t.dispatchEvent(new Event('input')); "
            "return Object.values(localStorage).some((one) => one.includes('kept at once')); })()"
        )
        assert kept

    def test_a_stamp_is_set_down_by_the_mouse(self, page: Hosted) -> None:
        page.press("[data-tool='stamp']")
        page.wait("document.querySelector('[data-stamp=\"castle.turret\"]')")
        page.press("#stamps summary", "castle")
        page.press("[data-stamp='castle.turret']")
        page.wait("studio.state.stamp?.name === 'castle.turret'")
        page.click(5, 0, 0)
        page.wait("document.querySelector('#text').value.includes('place turret at A6')")
        page.press("[data-tool='look']")
        page.press("#undo")
        page.wait(f"document.querySelector('#text').value === {json.dumps(sites.TEXT)}")

    def test_the_game_is_played_by_the_mouse(self, page: Hosted) -> None:
        page.wait("!document.querySelector('#begin').disabled")
        page.browser.run("document.querySelector('#player-blue').value = 'hand'")
        page.press("#play")
        page.press("#begin")
        page.wait("studio.state.play?.hand")
        figures = "[...document.querySelectorAll('.standee .figure')]"
        page.wait(f"{figures}.length && {figures}.every((one) => one.getAttribute('d'))")
        begun = page.browser.run("studio.state.play.count")
        page.press("#advise")
        page.wait("document.querySelectorAll('#moves .hinted').length === 1")
        assert page.browser.run("studio.state.play.count") == begun, "a hint makes no move"
        page.press("#all-moves summary")
        page.press("#moves button")
        page.wait(f"studio.state.play.count > {begun}")
        page.press("#back")
        page.wait(f"studio.state.play.count === {begun}")
        page.press("#leave")
        page.wait("!studio.state.play")

    def test_a_game_by_link_goes_on_after_a_reload(self, page: Hosted) -> None:
        page.wait("!document.querySelector('#begin').disabled")
        page.press("#play")
        page.press("#friend-begin")
        page.wait("studio.state.play?.link")
        link = page.browser.run("document.querySelector('#friend-link').value")
        page.open()
        page.wait("studio.state.play?.link")
        assert page.browser.run("document.querySelector('#friend-link').value") == link
        page.press("#leave")
        page.wait("!studio.state.play")

    def test_the_zip_holds_the_very_files_of_the_command_line(self, page: Hosted) -> None:
        with zipfile.ZipFile(io.BytesIO(zip_of(page))) as archive:
            assert archive.testzip() is None
            files = {name: archive.read(name) for name in archive.namelist()}
        built = built_here()
        wanted = {
            f"pieces/{row.piece}_x{row.quantity}.stl": write_stl(
                built.build.printed[row.piece], row.piece
            )
            for row in built.rows
            if row.quantity
        }
        assert {name: files[name] for name in files if name.endswith(".stl")} == wanted
        plates = {
            f"plates/{plate.name}.3mf": zipped_model(write_plate(plate, stuff_of(built)))
            for plate in built.plates
        }
        assert plates
        assert {n: zipped_model(files[n]) for n in files if n.endswith(".3mf")} == plates
        assert files["map.forge"].decode() == sites.TEXT
        assert json.loads(files["pieces.json"])["division"]["method"] == "exact"
        lacks = {artifact.path for artifact in built.artifacts()} - files.keys()
        reasons = [row.split(": ")[0] for row in files["missing.txt"].decode().splitlines()[2:]]
        told = [name for pattern in reasons for name in fnmatch.filter(lacks, pattern)]
        assert sorted(told) == sorted(lacks)
        for pattern in reasons:
            assert fnmatch.filter(lacks, pattern) and not fnmatch.filter(files, pattern)
        assert "missing.txt" in page.browser.run("document.querySelector('#printing').textContent")

    def test_plates_are_handed_over_alone_and_no_project_is_offered(self, page: Hosted) -> None:
        with zipfile.ZipFile(io.BytesIO(zip_of(page, "plates"))) as archive:
            names = archive.namelist()
        assert names == [f"plates/{plate.name}.3mf" for plate in built_here().plates]
        page.browser.run("document.querySelector('#print-button').click()")
        shown = page.browser.run(
            "[...document.querySelectorAll('#printing :is([data-make], .hint)')]"
            ".filter((one) => one.checkVisibility()).map((one) => one.dataset.make ?? '')"
        )
        assert shown == ["zip", "", "plates", "", "sheets", ""]
        page.browser.run("document.querySelector('#printing').close()")

    def test_a_camera_reads_the_code_of_a_link(self, page: Hosted) -> None:
        page.browser.run(
            "document.head.insertAdjacentHTML('beforeend',"
            " '<link rel=canonical href=\"https://example.org/forge/studio.html\">')"
        )
        page.browser.run("document.querySelector('#share').click()")
        page.wait("document.querySelector('#qr path').getAttribute('d')")
        link = page.browser.run("document.querySelector('#share-link').value")
        assert read(page.browser.screenshot()) == [link]
        page.browser.run("document.querySelector('#sharing').close()")
        page.browser.run("document.querySelector('link[rel=canonical]').remove()")

    def test_a_link_opens_there_and_a_reload_loses_nothing(self, page: Hosted) -> None:
        linked = sites.TEXT.replace("A small table", "Sent by a friend")
        packed = page.browser.run(
            f"import('./share.js').then((m) => m.packed({json.dumps(linked)}))"
        )
        page.browser.open("about:blank", "true")
        page.open(f"?quality=low#map={packed}")
        page.wait("document.querySelector('#title').textContent === 'Sent by a friend'")
        assert page.text() == linked
        page.wait(
            "Object.entries(localStorage).some(([key, kept]) => key.startsWith('fdforge-draft') && "
            f"JSON.parse(kept).text === {json.dumps(linked)})"
        )
        if not EXHAUSTIVE:
            return
        page.browser.open("about:blank", "true")
        page.open()
        page.wait("document.querySelector('#title').textContent === 'Sent by a friend'")
        assert page.text() == linked

    @pytest.mark.skipif(shutil.which("node") is None, reason="no Node")
    def test_what_a_start_loads_is_compiled_and_nothing_is_lost(self, page: Hosted) -> None:
        ours = next(name for name in page.files if name.startswith("python-"))
        for before, after, needed in (
            (pyodide_runtime.runtime()[LIBRARY], f"pyodide/{LIBRARY}", "json/__init__.py"),
            (sites.python(), ours, "falldamage_forge/studio/pyodide_host.py"),
        ):
            old, new = (
                zipfile.ZipFile(io.BytesIO(data)).namelist() for data in (before, page.files[after])
            )
            assert f"{needed}c" in new
            assert [f"{name}c" if f"{name}c" in new else name for name in old] == new

    def test_nothing_outside_is_asked_for_and_the_console_is_empty(self, page: Hosted) -> None:
        asked = page.browser.requests()
        assert asked
        assert all(address.startswith(page.url) for address in asked)
        assert page.browser.complaints() == []

    def test_an_older_link_leads_from_the_first_page_to_the_studio(self, page: Hosted) -> None:
        packed = page.browser.run(f"import('./share.js').then((m) => m.packed({sites.TEXT!r}))")
        page.browser.open("about:blank", "true")
        page.browser.open(f"{page.url}#map={packed}", "window.studio")
        page.wait("document.querySelector('#title').textContent === 'A small table'")

    def test_after_the_first_visit_it_opens_edits_and_prints_without_its_host(
        self, page: Hosted
    ) -> None:
        page.wait("document.documentElement.dataset.offline === 'ready'")
        page.server.shutdown()
        page.server.server_close()
        page.browser.open("about:blank", "true")
        page.open()
        page.wait("document.querySelector('#title').textContent === 'A small table'")
        page.say("erase E2")
        page.wait("!document.querySelector('#text').value.includes('tree')")
        names = zipfile.ZipFile(io.BytesIO(zip_of(page))).namelist()
        assert any(name.startswith("pieces/block-1x1x1") for name in names)
        assert not any(name.startswith("pieces/tree") for name in names)


def test_the_same_input_gives_the_same_python() -> None:
    first, again = (_python((sites.STYLE,), {sites.STYLE: b"{}"}) for _ in range(2))
    assert first == again


def test_another_pyodide_is_refused(tmp_path: Path) -> None:
    (tmp_path / "pyodide.tgz").write_bytes(b"something else")
    words = ["studio", "--site", str(tmp_path / "out"), "--pyodide", str(tmp_path / "pyodide.tgz")]
    done = typed(*words)
    assert done.returncode == 1
    assert f"not pyodide {pyodide_runtime.VERSION}" in done.stderr
    assert "npm pack pyodide@" in done.stderr
    assert not (tmp_path / "out").exists()


def test_without_npm_it_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("falldamage_forge.infra.disk_cache.get", lambda *_: None)
    with pytest.raises(ForgeError, match="cannot fetch pyodide") as caught:
        pyodide_runtime.runtime()
    assert "--pyodide" in str(caught.value.issues[0].hint)


def test_without_node_the_python_stays_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert compile_bytecode({}, b"") is None


def test_a_runtime_that_does_not_start_compiles_nothing() -> None:
    assert compile_bytecode({"pyodide.mjs": b"throw new Error()"}, b"") is None

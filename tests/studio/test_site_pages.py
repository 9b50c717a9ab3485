"""The pages around the static studio, and the offline copy in a real Chromium."""

import base64
import http.server
import json
import os
import re
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falldamage_forge import presets
from falldamage_forge.infra.artifacts import Artifact
from falldamage_forge.studio import site_pages, static_site
from falldamage_forge.studio.public_address import read_address, with_public_address
from falldamage_forge.studio.server import page_files
from tests.cli.running import typed
from tests.render.chromium import BINARY, Chromium

PATIENCE_S, AWAY_S = 90, 1.0
"""Seconds until a browser must have changed over, and without a page so that it can."""
SOCKETS = 9
"""More than a browser opens ahead to one host; such a socket still reads a file of a closed one."""
PUBLIC = "https://example.org/forge/"
PAGE = b"""<!doctype html><script>
const ready = navigator.serviceWorker.register("service-worker.js")
  .then(() => navigator.serviceWorker.ready);
</script>"""


def worker(files: list[Artifact]) -> Artifact:
    program = (static_site._FOLDER / "site" / static_site._WORKER).read_text()
    return site_pages.offline_copy(program, files, "stone")


def table(made: Artifact) -> dict[str, object]:
    found = re.search(r"const SITE = (.*);\n", made.data.decode())
    assert found
    return dict(json.loads(found[1]))


@given(st.text())
def test_a_link_holds_its_map(text: str) -> None:
    word = site_pages.share_link(PUBLIC, text).partition("#map=")[2]
    assert re.fullmatch(r"[A-Za-z0-9_-]*", word)
    data = base64.urlsafe_b64decode(word + "=" * (-len(word) % 4))
    assert zlib.decompress(data, -zlib.MAX_WBITS).decode() == text


def test_the_first_page_opens_every_preset_map() -> None:
    html = {file.path: file.data for file in static_site._page(PUBLIC, "docs/")}["index.html"]
    links = re.findall(r'href="studio\.html#map=([\w-]+)"', html.decode())
    texts = {
        zlib.decompress(base64.urlsafe_b64decode(word + "=="), -zlib.MAX_WBITS) for word in links
    }
    assert texts == {presets.path("maps", name).read_bytes() for name in presets.names("maps")}
    assert b"<!-- " not in html
    assert b'href="docs/"' in html


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_text_of_the_first_page_is_of_each_language(language: str) -> None:
    html = {file.path: file.data for file in static_site._page(PUBLIC, "docs/")}["index.html"]
    known = (static_site._FOLDER / f"{language}.js").read_text()
    wanted = set(re.findall(r'data-t="(\w+)"', html.decode()))
    assert wanted | {"homeStored", "homeRisk"} == set(re.findall(r'\b(home\w+): "', known))


def test_links_lead_to_the_public_address() -> None:
    pages = {file.path: file.data.decode() for file in static_site._page(PUBLIC, None)}
    assert f'rel="canonical" href="{PUBLIC}"' in pages["index.html"]
    assert f'rel="canonical" href="{PUBLIC}studio.html"' in pages["studio.html"]
    assert f'content="{PUBLIC}icon-512.png"' in pages["studio.html"]
    served = page_files(PUBLIC)["/"][0]
    assert f'rel="canonical" href="{PUBLIC}studio.html"'.encode() in served
    assert b"canonical" not in page_files()["/"][0]
    assert with_public_address(b"<head></head>", 'https://x/"><b>/').count(b"<") == 3


@pytest.mark.parametrize("wrong", ["example.org", "ftp://example.org/", "https://", "http://x/?a"])
def test_an_address_that_is_none_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="it "):
        read_address(wrong)
    done = typed("studio", "--site", "unwritten", "--public-url", wrong)
    assert done.returncode == 2
    assert "--public-url" in done.stderr


def test_the_app_can_be_installed() -> None:
    about = json.loads(site_pages.web_app().data)
    icons = {file.path: file.data for file in site_pages.icons()}
    for icon in about["icons"]:
        width, height = (int.from_bytes(icons[icon["src"]][at : at + 4]) for at in (16, 20))
        assert icon["sizes"] == f"{width}x{height}"
    assert {"any", "maskable"} == {icon["purpose"] for icon in about["icons"]}


def test_the_copy_is_of_one_version_and_holds_the_first_style() -> None:
    files = [Artifact("a.js", b"1"), Artifact("mesh/stone/x", b"2"), Artifact("stl/brick/x", b"3")]
    made = table(worker(files))
    assert made["files"] == {file.path: file.sha256 for file in files}
    assert made["first"] == ["a.js", "mesh/stone/x"]
    assert table(worker([*files[:2], Artifact("stl/brick/x", b"4")]))["version"] != made["version"]


def until(true: Callable[[], bool]) -> None:
    """Ask again and again until it is so."""
    deadline = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.1)


class Host:
    """A folder on a plain file server, and a browser."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "below/here"
        self.second = 1_700_000_000  # hosts tell changes by the second
        quiet = type(
            "Quiet", (http.server.SimpleHTTPRequestHandler,), {"log_message": lambda *_: None}
        )
        handler = partial(quiet, directory=str(folder))
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/below/here/"
        self.browser = Chromium(folder / "profile")

    def deploy(self, **texts: str) -> None:
        files = [Artifact("index.html", PAGE)]
        files += [Artifact(name.replace("_", "/"), text.encode()) for name, text in texts.items()]
        for file in [*files, worker(files)]:
            path = self.folder / file.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.data)
            os.utime(path, (self.second, self.second))
        self.second += 1

    def open(self) -> None:
        self.browser.open("about:blank", "true")
        self.browser.open(self.url, "true")
        self.browser.run("ready.then(() => true)")

    def reads_after_a_while(self, path: str) -> tuple[int, str]:
        self.browser.open("about:blank", "true")
        time.sleep(AWAY_S)
        self.open()
        return self.read(path)

    def read(self, path: str) -> tuple[int, str]:
        script = f"fetch('{path}').then(async (a) => [a.status, await a.text()])"
        status, text = self.browser.run(script)
        return status, text

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    def close(self) -> None:
        self.browser.close()
        self.stop()


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    found = Host(tmp_path)
    yield found
    found.close()


def assert_in_both_languages(why: str, path: str, english: str, german: str) -> None:
    lines = why.splitlines()
    assert len(lines) == 2 and all(line.startswith(f"{path} ") for line in lines), why
    assert english in lines[0] and german in lines[1], why


@pytest.mark.browser
@pytest.mark.skipif(BINARY is None, reason="no Chromium")
def test_a_file_that_cannot_be_had_is_refused_in_both_languages(host: Host) -> None:
    host.deploy(a="x", mesh_brick_x="x", **{f"mesh_brick_{n}": "x" for n in range(SOCKETS)})
    host.open()
    host.open()
    (host.folder / "mesh/brick/x").unlink()
    status, why = host.read("mesh/brick/x")
    assert status == 503
    assert_in_both_languages(why, "mesh/brick/x", "the host answers 404", "Server antwortet 404")
    host.stop()
    read = {f"mesh/brick/{n}": host.read(f"mesh/brick/{n}") for n in range(SOCKETS)}
    path, why = next((path, text) for path, (status, text) in read.items() if status == 503)
    assert_in_both_languages(why, path, "no connection", "keine Verbindung")
    host.browser.open(host.url + path, "true")
    assert why in host.browser.run("document.body.textContent")


@pytest.mark.browser
@pytest.mark.skipif(BINARY is None, reason="no Chromium")
def test_a_page_never_mixes_two_versions_and_needs_no_host(host: Host) -> None:
    host.deploy(a="old", mesh_brick_x="old", mesh_brick_y="old")
    host.open()
    host.open()  # from now on the copy answers
    assert host.read("mesh/brick/x") == (200, "old")
    other = host.browser.tab()
    other.open(host.url, "true")
    host.deploy(a="new", mesh_brick_x="new", mesh_brick_y="new")
    host.open()
    assert host.read("a") == (200, "old")
    assert host.read("mesh/brick/x") == (200, "old")
    status, why = host.read("mesh/brick/y")
    assert status == 503
    assert_in_both_languages(why, "mesh/brick/y", "of another version", "anderen Version")
    waiting = "navigator.serviceWorker.getRegistration().then((found) => !!found.waiting)"
    until(lambda: host.browser.run(waiting))
    other.crash()
    until(lambda: host.reads_after_a_while("a") == (200, "new"))
    assert {host.read(path) for path in ("a", "mesh/brick/x", "mesh/brick/y")} == {(200, "new")}
    until(lambda: host.browser.run("caches.keys().then((names) => names.length)") == 1)
    host.stop()
    host.open()
    assert host.read("a") == (200, "new")

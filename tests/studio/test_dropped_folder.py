"""A dropped folder: the files that its map names come along, so that it checks as on disk."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from falldamage_forge.library.forge import Forge
from tests.render.chromium import BINARY
from tests.studio.test_model_drop import RUIN, let_fall
from tests.studio.test_page import Page
from tests.studio.test_server import TEXT, Studio

FORGE = Forge()
TOWERS = 'forge 1\nimport "walls/low.forge" as low\ndefine tower {\n  map {\n    3 2\n  }\n}\n'
LOW = "forge 1\ndefine wall {\n  map {\n    1 1\n  }\n}\n"
MODEL = 'model ruin "models/ruin.obj" {\n  tiles 2x1\n  scale fit\n  levels { 1 . }\n}\n'
MAIN = f"""forge 1
board 10x10
players 2
import "sets/towers.forge" as towers
{MODEL}place towers.tower at C4
place ruin at G6
start red at B1..I1
start blue at B10..I10
"""
NAMED = ("models/ruin.obj", "sets/towers.forge", "sets/walls/low.forge")


def files_of(folder: Path) -> dict[str, bytes]:
    """Return the files below a folder by path, but for the open map, drafts and the browser's."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not {"profile", "drafts", "mine.forge"} & {*path.parts}
    }


@pytest.fixture
def dropped(tmp_path: Path) -> Path:
    """A folder with a map, the files that it names, and others."""
    folder = tmp_path / "table"
    for name, data in {
        "table.forge": MAIN.encode(),
        "sets/towers.forge": TOWERS.encode(),
        "sets/walls/low.forge": LOW.encode(),
        "models/ruin.obj": RUIN.read_bytes(),
        "models/spare.obj": RUIN.read_bytes(),
        "notes.txt": b'"sets/towers.forge"',
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


# -- a page --------------------------------------------------------------------------------------


@pytest.fixture
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    if BINARY is None:
        pytest.skip("no Chromium")
    found = Page(tmp_path_factory.mktemp("folder"))
    yield found
    assert found.browser.complaints() == []
    found.close()


@pytest.mark.browser
def test_dropped_folder_checks_as_on_disk(page: Page, dropped: Path) -> None:
    """Its imports, their imports and its models lie beside the open map; other files do not."""
    checked = FORGE.check(FORGE.load(str(dropped / "table.forge")))
    assert checked.ok
    let_fall(page, dropped, page.spot(1, 1, 0))
    page.wait_text(MAIN)
    page.wait("document.querySelector('#verdict').className === 'good' && studio.app.sync.idle")
    shown = page.browser.run(
        "[...document.querySelectorAll('#issues .card')]"
        ".map(({ title }) => title.split(' ').at(-1))"
    )
    assert shown == [issue.code for issue in checked.issues]
    beside = page.studio.file.parent
    assert files_of(beside) == {name: (dropped / name).read_bytes() for name in NAMED}
    spoken = page.browser.run("document.querySelector('#spoken').textContent")
    assert all(name in spoken for name in NAMED)
    page.browser.run("document.querySelector('#undo').click()")
    page.wait_text(TEXT)


@pytest.mark.browser
def test_other_file_of_a_name_stays_and_the_map_is_not_opened(page: Page, dropped: Path) -> None:
    other = page.studio.file.parent / "sets" / "towers.forge"
    other.parent.mkdir()
    other.write_text(LOW, "utf-8")
    let_fall(page, dropped, page.spot(1, 1, 0))
    page.wait("document.querySelector('#notice').textContent.includes('another file of that name')")
    assert page.text() == TEXT and other.read_text("utf-8") == LOW
    page.browser.run("document.querySelector('#notice button').click()")
    # The same map again, once its file is there, is judged again.
    other.write_text(TOWERS, "utf-8")
    let_fall(page, dropped, page.spot(1, 1, 0))
    page.wait_text(MAIN)
    page.wait("document.querySelector('#verdict').className === 'good' && studio.app.sync.idle")


# -- a server ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    folder = tmp_path_factory.mktemp("beside") / "inner"  # its parent is the test's, too
    folder.mkdir()
    found = Studio(folder)
    yield found
    found.close()


def body_of(files: dict[str, bytes]) -> bytes:
    """Return files as the page sends them."""
    index = json.dumps([[name, len(data)] for name, data in files.items()])
    return b"\n".join([index.encode(), b"".join(files.values())])


def sent(studio: Studio, files: dict[str, bytes], **headers: str) -> dict[str, Any]:
    status, body = studio.post("/beside", body_of(files), X_Studio_Token=studio.token, **headers)
    assert status == 200
    told: dict[str, Any] = json.loads(body)
    return told


@pytest.mark.parametrize(
    "name",
    [
        "../x.forge", "a/../../x.forge", "/x.forge", ".x.forge", "a/.x.obj", "x.txt", "CON.obj",
        "a\\x.obj", "x\0.obj", "", "x", "a/", "a:b.forge",
    ],
)  # fmt: skip
def test_no_name_leads_out_of_the_folder_of_the_map(studio: Studio, name: str) -> None:
    above = studio.file.parent.parent
    before = files_of(above)
    assert sent(studio, {"new/first.forge": LOW.encode(), name: LOW.encode()})["type"] == "error"
    assert files_of(above) == before


def test_link_in_the_folder_leads_nowhere(studio: Studio, tmp_path: Path) -> None:
    (studio.file.parent / "out").symlink_to(tmp_path, target_is_directory=True)
    assert sent(studio, {"out/x.forge": LOW.encode()})["type"] == "error"
    assert files_of(tmp_path) == {}


def test_file_is_kept_once_and_never_replaced(studio: Studio) -> None:
    file = studio.file.parent / "a b" / "x.forge"
    for _ in range(2):
        assert sent(studio, {"a b/x.forge": LOW.encode()}) == {}
    told = sent(studio, {"a b/x.forge": b"forge 1\n"}, X_Studio_Language="de")
    assert file.read_bytes() == LOW.encode()
    assert told["message"].startswith("die Karte wird nicht geöffnet")
    assert "neben der offenen Karte" in told["issues"][0]["message"]
    assert sent(studio, {"mine.forge": b"forge 1\n"})["type"] == "error"
    assert studio.file.read_text("utf-8") == TEXT


def test_all_files_are_kept_or_none(studio: Studio) -> None:
    """A later file conflicts, or cannot be written: earlier ones and their folders are gone."""
    beside = studio.file.parent
    (beside / "taken.forge").write_bytes(LOW.encode())
    (beside / "blocked").write_bytes(b"a file where a folder is wanted")
    before = sorted(beside.rglob("*"))
    for last in ("taken.forge", "blocked/x.forge"):
        files = {"one/two/a.forge": LOW.encode(), "b.obj": b"v", last: b"forge 1\n"}
        assert sent(studio, files)["type"] == "error"
        assert sorted(beside.rglob("*")) == before


@pytest.mark.parametrize("body", [b"", b"x", b"[]", b"1\n", b'[["a.forge", 3]]\nab', b'[["a"]]\n'])
def test_body_of_another_form_is_refused(studio: Studio, body: bytes) -> None:
    status, _ = studio.post("/beside", body, X_Studio_Token=studio.token)
    assert status == (200 if body == b"[]" else 400)


def test_who_lacks_the_token_keeps_nothing(studio: Studio) -> None:
    for headers in ({}, {"X_Studio_Token": "x"}, {"Origin": "http://evil.test"}):
        assert studio.post("/beside", body_of({"y.forge": LOW.encode()}), **headers)[0] == 403
    assert not (studio.file.parent / "y.forge").exists()

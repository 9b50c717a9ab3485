"""A model dropped on the board: kept beside the map, measured, turned and set down, or refused."""

import json
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

import falldamage_forge as ff
from falldamage_forge.builds.adoption import adopt
from falldamage_forge.lang.model_block import ModelBlock, block_lines
from falldamage_forge.lengths import GRID
from falldamage_forge.library.forge import Forge
from tests.models.bad_files import bad_files
from tests.render.chromium import BINARY
from tests.studio.test_page import Page
from tests.studio.test_server import TEXT, Studio

RUIN = Path(__file__).resolve().parents[2] / "docs" / "models" / "ruin.obj"


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    found = Studio(tmp_path_factory.mktemp("drop"))
    yield found
    found.close()


@pytest.fixture
def table(studio: Studio) -> Studio:
    """The studio, whose map is as at first, with nothing beside it."""
    with studio.line() as line:
        line.send(json.dumps({"v": 1, "type": "hello", "token": studio.token}))
        said = {"v": 1, "type": "join", "base": studio.file.read_text("utf-8"), "text": TEXT}
        line.send(json.dumps(said))
        deadline = time.monotonic() + 60
        while studio.file.read_text("utf-8") != TEXT:
            assert time.monotonic() < deadline
            time.sleep(0.05)
    for path in beside(studio):
        path.unlink()
    return studio


def beside(studio: Studio) -> list[Path]:
    return sorted(x for x in studio.file.parent.iterdir() if x.is_file() and x != studio.file)


def drop(studio: Studio, name: str, data: bytes, language: str = "en") -> dict[str, Any]:
    status, body = studio.post(
        f"/model/{quote(name)}", data, X_Studio_Token=studio.token, X_Studio_Language=language
    )
    assert status == 200
    told: dict[str, Any] = json.loads(body)
    return told


def test_a_dropped_file_is_written_as_adopt_writes_it(table: Studio) -> None:
    told = drop(table, RUIN.name, RUIN.read_bytes())
    wanted = adopt(RUIN, ModelBlock("ruin", str(RUIN)), None, Forge().printer(), GRID)
    assert "\n".join(block_lines(wanted.block, RUIN.name)) in table.file.read_text("utf-8")
    assert [path.name for path in beside(table)] == [RUIN.name]
    assert beside(table)[0].read_bytes() == RUIN.read_bytes()
    assert told["name"] == "ruin"
    assert told["tiles"] == f"{wanted.block.cols}x{wanted.block.rows}"
    assert told["levels"] == list(wanted.block.tops)


def test_the_same_file_again_is_the_same_model_and_another_gets_a_name(table: Studio) -> None:
    drop(table, RUIN.name, RUIN.read_bytes())
    text = table.file.read_text("utf-8")
    assert drop(table, "copy.obj", RUIN.read_bytes())["name"] == "ruin"
    assert table.file.read_text("utf-8") == text
    other = RUIN.read_bytes() + b"\n# another\n"
    assert drop(table, RUIN.name, other)["name"] == "ruin-2"
    assert [path.name for path in beside(table)] == ["ruin-2.obj", RUIN.name]
    loaded = ff.load(str(table.file))
    assert not [issue for issue in loaded.issues if issue.severity == "error"]


@pytest.mark.parametrize(
    "name", ["../ruin.obj", '"a b".OBJ', "Rüine (1).obj", "..%2Fx.obj", "CON.obj"]
)
def test_no_name_leads_out_of_the_folder_or_breaks_the_text(table: Studio, name: str) -> None:
    before = {
        path: path.read_bytes() for path in table.file.parent.parent.glob("*") if path.is_file()
    }
    status, body = table.post(
        f"/model/{quote(name, safe='')}", RUIN.read_bytes(), X_Studio_Token=table.token
    )
    after = {
        path: path.read_bytes() for path in table.file.parent.parent.glob("*") if path.is_file()
    }
    assert after == before
    if status == 200:
        assert "name" in json.loads(body)
        loaded = ff.load(str(table.file))
        assert not [issue for issue in loaded.issues if issue.severity == "error"]
        assert len(beside(table)) == 1
    else:
        assert status in (404, 405)
        assert not beside(table)


@pytest.mark.parametrize("language", ["en", "de"])
def test_bad_files_are_refused_in_words_and_write_nothing(table: Studio, language: str) -> None:
    for name, data in islice(bad_files(), 0, None, 9):
        if len(data) > 1_000_000:
            continue
        told = drop(table, name, data, language)
        assert told["type"] == "error", name
        assert told["issues"], name
        assert all(one["message"] for one in told["issues"])
        assert ("abgelehnt" in told["message"]) == (language == "de")
        assert table.file.read_text("utf-8") == TEXT
        assert not beside(table)


def test_who_lacks_the_token_drops_nothing(table: Studio) -> None:
    for headers in ({}, {"X_Studio_Token": "x"}, {"Origin": "http://evil.test"}):
        assert table.post("/model/ruin.obj", RUIN.read_bytes(), **headers)[0] == 403
    assert table.file.read_text("utf-8") == TEXT
    assert not beside(table)


def test_a_map_that_is_no_file_has_no_place_for_a_model(tmp_path: Path) -> None:
    studio = Studio(tmp_path, "duel")
    try:
        told = drop(studio, RUIN.name, RUIN.read_bytes())
    finally:
        studio.close()
    assert told["type"] == "error"
    assert "fdforge studio mine.forge" in told["issues"][0]["hint"]


# -- hands ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    if BINARY is None:
        pytest.skip("no Chromium")
    found = Page(tmp_path_factory.mktemp("hands"))
    yield found
    found.close()


def let_fall(page: Page, file: Path, at: tuple[float, float]) -> None:
    """A file let go over a place of the window."""
    data = {"items": [], "files": [str(file)], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        page.browser.ask("Input.dispatchDragEvent", type=kind, x=at[0], y=at[1], data=data)


@pytest.mark.browser
def test_a_model_is_dropped_seen_turned_and_set_down(page: Page, tmp_path: Path) -> None:
    page.browser.run("studio.app.editor.put('forge 1\\nboard 5x5\\n')")
    page.wait("studio.state.sent === null && studio.state.whole && studio.view.board.cols === 5")
    let_fall(page, RUIN, page.spot(1, 1, 0))
    page.wait("studio.state.stamp?.name === 'ruin'")
    page.wait("studio.view.haunted")
    ghosts = "JSON.stringify(studio.view.parts.ghosts)"
    seen = {page.browser.run(ghosts)}
    page.browser.run("document.querySelector('#board').focus()")
    for _ in range(3):
        page.browser.key("r", 82)
        page.wait(f"!{json.dumps(sorted(seen))}.includes({ghosts}) && studio.view.haunted")
        seen.add(page.browser.run(ghosts))
    assert len(seen) == 4
    x, y = page.spot(1, 1, 0)
    page.browser.ask(
        "Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=100, modifiers=8
    )
    page.wait("studio.state.stamp.turn === 0")
    page.click(1, 1, 0)
    page.wait("studio.view.parts.list.some((one) => one.model && one.shown === 1)")
    assert "place ruin at B2\n" in page.text()
    page.browser.run("document.querySelector('#undo').click()")
    page.browser.run("document.querySelector('#undo').click()")
    page.wait_text("forge 1\nboard 5x5\n")
    assert page.browser.complaints() == []


@pytest.mark.browser
def test_what_cannot_be_a_model_is_told_on_the_page(page: Page, tmp_path: Path) -> None:
    bad, strange = tmp_path / "bad.stl", tmp_path / "strange.txt"
    bad.write_bytes(b"solid nothing\nendsolid\n")
    strange.write_bytes(b"x")
    text = page.text()
    for file, word in ((bad, "no triangles"), (strange, "STL, OBJ")):
        let_fall(page, file, page.spot(1, 1, 0))
        page.wait(f"document.querySelector('#notice').textContent.includes({word!r})")
        page.browser.run("document.querySelector('#notice button').click()")
    assert page.text() == text
    assert page.browser.complaints() == []

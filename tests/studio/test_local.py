"""The session of the page without a server, in a Python without any library but lark and ours."""

import base64
import io
import json
import zipfile
from typing import Any

import pytest

from falldamage_forge.pieces.stock import read_stock
from falldamage_forge.studio import session_stages as stages
from falldamage_forge.studio.gallery_figures import owned_parts
from falldamage_forge.studio.message_handlers import REFUSED_STOCK
from falldamage_forge.studio.session import Session
from falldamage_forge.studio.session_settings import STOCK_FILE, SessionSettings
from tests.studio import sites
from tests.studio.telling import fits

pytestmark = pytest.mark.long  # they share a run of the site edition
HEAVY = ("numpy", "scipy", "shapely", "highspy", "manifold3d", "trimesh", "click", "PIL")
PROGRAM = """
import base64, json, pathlib
from falldamage_forge.studio.pyodide_host import InteractiveWorker, BatchWorker
text = %r
quick, slow = InteractiveWorker(text), BatchWorker()
told = quick.on_connect() + list(quick.run_stages())
say = lambda **said: quick.on_message(json.dumps({"v": 1, **said}))
for asked in %r:
    told += say(**asked)
    if quick.changed:
        told += quick.run_stages()
for kind in ("stages", "zip"):
    settings = quick.session.settings.table()
    slow.on_message(json.dumps({"kind": kind, "text": text, "revision": 0, "settings": settings}))
    told += slow.run_stages()
needed = json.loads(told[-1])["meshes"]
meshes = {path: pathlib.Path(sys.path[0], path).read_bytes() for path in needed}
told += slow.write(meshes)
made = base64.b64encode(slow.download.data).decode()
settings = quick.session.settings.table()
game = next(one["saved"] for one in map(json.loads, told) if one["type"] == "game")
slow.on_message(json.dumps(
    {"kind": "hint", "text": text, "revision": 0, "settings": settings, "game": game}
))
told += slow.run_stages()
heavy = sorted(set(%r) & set(sys.modules))
print(json.dumps({"told": [json.loads(one) for one in told], "heavy": heavy, "made": made}))
"""
STOCK = "piece,count\ntie,1\n"
ASKED = (
    {
        "type": "gesture",
        "words": "raise C3",
        "revision": 0,
        "copies": "ask",
        "brush": True,
        "number": 1,
    },
    {"type": "undo", "number": 2},
    {"type": "overlay", "kind": "turns", "tile": "B1", "to": "", "unit": ""},
    {"type": "preview", "words": "tree F5", "brush": False},
    {"type": "written", "tile": "C3"},
    {"type": "tiles", "line": 5},
    {"type": "complete", "text": "forge 1\nbo", "line": 2, "column": 3},
    {"type": "set", "values": {"variants": 2}},
    {"type": "preset", "name": "duel"},
    {"type": "play", "do": "begin", "values": {"seed": 3, "red": "hand", "blue": "greedy"}},
    {"type": "set", "values": {"stock": STOCK}},
    {"type": "set", "values": {"stock": "tie,1"}},
    {"type": "stock", "name": "duel"},
    {"type": "nonsense"},
)


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The prints of the program."""
    folder = tmp_path_factory.mktemp("bare")
    for path, data in sites.baked()[0].items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    found: dict[str, Any] = json.loads(sites.run(folder, PROGRAM % (sites.TEXT, ASKED, HEAVY)))
    assert found["heavy"] == []
    return found


@pytest.fixture(scope="module")
def told(outcome: dict[str, Any]) -> list[dict[str, Any]]:
    return list(map(fits, outcome["told"]))


def of(told: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [one for one in told if one["type"] == kind]


def test_nothing_heavy_is_needed_and_the_answers_are_those_of_the_library(
    told: list[dict[str, Any]],
) -> None:
    wished = SessionSettings(style=sites.STYLE).changed({"stock": STOCK})
    here = Session(sites.TEXT, settings=wished)
    for stage in ("board", "verdict", "measures"):
        assert of(told, stage)[0] == json.loads(json.dumps(stages.STAGES[stage](here)))
    totals, own = of(told, "pieces")[0]["totals"], stages.pieces(here)["totals"]
    assert totals == own and own["owned"] == 1
    assert of(told, "stock") == [owned_parts(here, "duel")]


def test_gestures_are_edits_and_undone(told: list[dict[str, Any]]) -> None:
    states = of(told, "state")
    raised = here_after("raise C3")
    assert [one["text"] for one in states[:3]] == [sites.TEXT, raised, sites.TEXT]
    assert states[3]["title" if "title" in states[3] else "undo"] == "open duel"


def test_each_change_is_answered_with_its_number(told: list[dict[str, Any]]) -> None:
    assert [one["heard"] for one in of(told, "state")[:3]] == [0, 1, 2]
    assert not any(one["stale"] for one in of(told, "state"))


def test_a_hint_is_a_legal_move_of_a_bot_in_time(told: list[dict[str, Any]]) -> None:
    (game,), (advice,) = of(told, "game"), of(told, "hint")
    assert advice["count"] == game["count"]
    assert advice["move"] in [move["text"] for move in game["moves"]]


def here_after(words: str) -> str:
    return Session(sites.TEXT).gesture(words)[0].text


def test_the_game_is_played_there(told: list[dict[str, Any]]) -> None:
    assert of(told, "game")[0]["turn"] == "red"


def test_meshes_are_told_where_they_lie(told: list[dict[str, Any]]) -> None:
    parts = of(told, "parts")[0]["parts"]
    assert {one["key"]: one["mesh"] for one in parts} == {
        key: f"mesh/{sites.STYLE}/{key}" for key in {one["key"] for one in parts}
    }


def test_the_meshes_of_a_build_are_asked_for(told: list[dict[str, Any]]) -> None:
    (files,) = of(told, "files")
    parts = {part["key"] for part in of(told, "parts")[0]["parts"]}
    assert files["meshes"] and set(files["meshes"]) <= {f"stl/{sites.STYLE}/{key}" for key in parts}


def test_the_zip_is_written_there(outcome: dict[str, Any]) -> None:
    with zipfile.ZipFile(io.BytesIO(base64.b64decode(outcome["made"]))) as archive:
        files = {name: archive.read(name).decode("utf-8", "replace") for name in archive.namelist()}
    assert files["map.forge"] == sites.TEXT
    assert read_stock(files[STOCK_FILE], STOCK_FILE, ["tie"]) == {"tie": 1}
    rows = {row["piece"]: row["quantity"] for row in json.loads(files["pieces.json"])["pieces"]}
    written = {f"pieces/{piece}_x{count}.stl" for piece, count in rows.items() if count}
    assert {name for name in files if name.endswith(".stl")} == written
    assert files["pieces.csv"].count("\r\n") == len(rows) + 1


def test_what_cannot_be_is_told_and_nothing_stops(told: list[dict[str, Any]]) -> None:
    errors = [one["message"] for one in of(told, "error")]
    assert errors == [
        "this page has one look of each piece; `fdforge studio` has more",
        REFUSED_STOCK,
        "no such message",
    ]

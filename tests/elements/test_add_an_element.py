"""An element is one module: a slide and a crate, written into a folder, work in every package."""

import json
import os
import re
import shutil
from pathlib import Path

import pytest

from tests.cli import running
from tests.cli.running import ROOT, fdforge, python

PAGE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
CRATE = PAGE.partition("## Add an element")[2].partition("```python\n")[2].partition("```")[0]
"""The crate of the page, as it stands."""
SLIDE = '''
"""Slide: a chute from a surface down to its lower neighbour."""

from falldamage_forge.elements.element import Element, Part, Tool
from falldamage_forge.elements.legality_tools import board_error
from falldamage_forge.elements.solids import Box

GAP, LONG = 0.02, 0.9


def solids(slide):
    row, col = slide.to.row - slide.tile.row, slide.to.col - slide.tile.col
    drop = slide.level - slide.to_level
    for number in range(4 * drop):
        near, far = 0.5 + GAP, 0.5 + GAP + LONG * (1 - number / (4 * drop))
        low, high = ((0.5 + x * row if row else 0.5 + y, 0.5 + x * col if col else 0.5 + y)
                     for x, y in ((near, -0.2), (far, 0.2)))
        level = -drop + number / 4
        yield Box((*map(min, low, high), level), (*map(max, low, high), level + 0.25))


def check(board, limits):
    for x in board.fitted("slide"):
        if x.to not in board.neighbours(x.tile) or x.level <= x.to_level:
            message = f"no slide can stand on {x.tile}: it leads down to no neighbour"
            yield board_error("FDF160", message, x.source, x.ends)


ELEMENT = Element(
    word="slide",
    means="a chute from a surface down to its lower neighbour",
    form="span",
    ends=("TOP", "BOTTOM"),
    sign="/",
    rank=5,
    depth=5,
    everywhere=True,
    solids=solids,
    part=Part("Slide"),
    tools=(
        Tool("slide", "ways", "j", 50, "slide {from} {to}", {"en": "slide", "de": "Rutsche"},
             beside=True, line="M4 4v16h16z"),
    ),
    texts={"de": {"/ slide": "/ Rutsche"}},
    checks=(check,),
)
'''
MAP = """forge 1
board 5x5
stack B2 height 2
stack C2 height 1
crate at D4, E5
slide B2 -> B3
slide C2 -> D2
start red at A1
start blue at E1
"""
STUDIO = """
import json, sys
from falldamage_forge.lang.lower import load
from falldamage_forge.studio.message_tables import board_table
from falldamage_forge.studio.server import page_files

board = load(open(sys.argv[1]).read(), "map.forge").layout.board
files = {name: data.decode() for name, (data, _) in page_files().items() if name[-3:] != "png"}
for name in ("/elements.js", "/tools.js", "/icons.svg"):
    open(f"{sys.argv[2]}{name}", "w").write(files[name])
print(json.dumps(board_table(board)))
"""
PARTS = """
import json, sys
from falldamage_forge import presets
from falldamage_forge.geometry.assembly_check import check_assembly
from falldamage_forge.geometry.mesh_properties import volume_below_mm3
from falldamage_forge.geometry.piece_mesh import build_all
from falldamage_forge.lang.lower import load
from falldamage_forge.pieces.plan import plan

printer = presets.load_printer("a1-mini")
found = plan(load(open(sys.argv[1]).read(), "x").layout.board, presets.load_catalogue())
meshes = build_all(found.pieces(), printer)
report = check_assembly(found.placements, meshes, printer)
print(json.dumps([found.counts(), report.clashes, [found.placements[n].described
      for n in report.floating], {key: volume_below_mm3(meshes[key], 999.0) for key in meshes}]))
"""


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of two elements, each one module."""
    folder = tmp_path_factory.mktemp("own")
    (folder / "crate.py").write_text(CRATE)
    (folder / "slide.py").write_text(SLIDE)
    return folder


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A map with both elements."""
    path = tmp_path / "map.forge"
    path.write_text(MAP)
    return path


def test_a_map_with_own_elements_is_checked(own: Path, table: Path) -> None:
    done = fdforge("check", "--format", "json", table, FDFORGE_ELEMENTS=own)
    codes = {issue["code"] for issue in json.loads(done.stdout)["issues"]}
    assert not codes & {"FDF001", "FDF002", "FDF160", "FDF372"}
    table.write_text(MAP.replace("B2 -> B3", "B3 -> B2").replace("D4, E5", "B2@1"))
    done = fdforge("check", table, FDFORGE_ELEMENTS=own)
    assert "no slide can stand on B3: it leads down to no neighbour" in done.stderr
    assert "no crate can stand on B2: there is nothing at level 1" in done.stderr


def test_without_the_folder_their_words_are_unknown(table: Path) -> None:
    done = fdforge("check", table)
    assert "no statement `crate`" in done.stderr
    assert "no statement `slide`" in done.stderr


@pytest.mark.parametrize(
    ("gesture", "line"),
    [
        ("crate A5", "+crate at D4, E5, A5"),
        ("clear crate D4", "+crate at E5"),
        ("erase one E5", "+crate at D4"),
        ("move crate D4 to A4", "+crate at E5, A4"),
        ("slide B2 A2", "+slide B2 -> A2"),
        ("erase one B2 toward B3", "-slide B2 -> B3"),
        ("raise C2", "+stack C2 height 2"),
        ("rotate B1..C3 180", "+slide C2 -> C1"),
        ("mirror B2..D2 x", "+slide C2 -> B2"),
        ("move B2..B3 to B4", "+slide B4 -> B5"),
    ],
)
def test_gestures_on_own_elements_change_the_text(
    gesture: str, line: str, own: Path, table: Path
) -> None:
    done = fdforge("edit", "--no-brush", table, gesture, FDFORGE_ELEMENTS=own)
    assert done.returncode == 0, done.stderr
    changed = [row for row in done.stdout.splitlines() if re.match(r"[+-](?![+-])", row)]
    assert line in changed


def test_own_elements_survive_expansion_and_the_formatter(own: Path, table: Path) -> None:
    flat = fdforge("expand", table, FDFORGE_ELEMENTS=own).stdout
    table.write_text(flat)
    assert fdforge("expand", table, FDFORGE_ELEMENTS=own).stdout == flat
    assert {"slide B2 -> B3", "slide C2 -> D2", "crate at D4, E5"} <= {*flat.splitlines()}
    tree = json.loads(fdforge("ast", "--json", table, FDFORGE_ELEMENTS=own).stdout)
    kinds = [node.get("kind") for node in tree["statements"]]
    assert kinds.count("slide") == 2
    assert kinds.count("crate") == 1


def test_own_elements_are_shown_in_every_view(own: Path, table: Path, tmp_path: Path) -> None:
    text = fdforge("show", table, FDFORGE_ELEMENTS=own).stdout
    assert "c crate   / slide" in text
    assert re.search(r"2 +\. +2/ +1/", text)
    german = fdforge("--lang", "de", "show", table, FDFORGE_ELEMENTS=own).stdout
    assert "c Kiste   / Rutsche" in german
    bare = tmp_path / "bare.forge"
    bare.write_text(re.sub(r"(?m)^(crate|slide) .*\n", "", MAP))
    for view in ("iso", "top"):
        sizes = []
        for source in (bare, table):
            picture = tmp_path / f"{source.stem}-{view}.svg"
            fdforge("show", source, "--view", view, "-o", picture, FDFORGE_ELEMENTS=own)
            sizes.append(picture.read_text().count("<path"))
        assert sizes[1] >= sizes[0] + 16, (view, sizes)


def test_parts_of_own_elements_stand_on_the_board(own: Path, table: Path) -> None:
    told = python("-c", PARTS, table, FDFORGE_ELEMENTS=str(own))
    counts, clashes, floating, volumes = json.loads(told.splitlines()[-1])
    assert {key: counts[key] for key in ("crate", "slide-1", "slide-2")} == {
        "crate": 2, "slide-1": 1, "slide-2": 1,
    }  # fmt: skip
    assert clashes == []
    assert floating == []
    body, lid = 15.0 * 15.0 * 12.6, 18.0 * 18.0 * 2.4
    assert volumes["crate"] == pytest.approx(body + lid, rel=1e-3)
    assert volumes["slide-2"] > volumes["slide-1"] > 0


def test_the_studio_has_tools_icons_and_solids_of_own_elements(
    own: Path, table: Path, tmp_path: Path
) -> None:
    told = json.loads(python("-c", STUDIO, table, tmp_path, FDFORGE_ELEMENTS=str(own)))
    assert [x["kind"] for x in told["fittings"]] == ["crate", "crate", "slide", "slide"]
    assert [(x["tiles"], len(told["shapes"][x["shape"]]), x["part"]) for x in told["things"]] == [
        ([[3, 3]], 2, True),
        ([[4, 4]], 2, True),
        ([[1, 1], [2, 1]], 8, True),
        ([[1, 2], [1, 3]], 4, True),
    ]
    symbols = (tmp_path / "icons.svg").read_text()
    assert '<symbol id="slide"' in symbols
    assert '<symbol id="crate"' in symbols
    module = (tmp_path / "elements.js").read_text()
    assert '"slide": "Rutsche"' in module
    assert "battlement" in module
    if node := shutil.which("node"):
        (tmp_path / "package.json").write_text('{"type": "module"}')
        program = (
            'import { TOOLS } from "./tools.js"; '
            "const one = (name) => TOOLS.find((x) => x.name === name);"
            'console.log(TOOLS[0].name, one("slide").two("B2", "B3"), one("crate").area("A1..B2"),'
            ' one("battlement").area("A1"), one("railing").fitting, one("crate").fitting)'
        )
        (tmp_path / "say.js").write_text(program)
        done = running.run([node, tmp_path / "say.js"], env={**os.environ})
        assert done.stdout.strip() == (
            "look slide B2 B3 crate A1..B2 battlement A1 railing undefined"
        ), done.stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ELEMENT = 1", "has no element"),
        ("1 / 0", "cannot run"),
        (CRATE.replace('word="crate"', 'word="tree"'), "there are two elements called `tree`"),
        (None, "there is no folder"),
    ],
)
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_folder_that_cannot_be_read_is_refused(
    text: str | None, message: str, language: str, tmp_path: Path, table: Path
) -> None:
    folder = tmp_path / "broken"
    if text is not None:
        folder.mkdir()
        (folder / "one.py").write_text(text)
    done = fdforge("--lang", language, "check", table, FDFORGE_ELEMENTS=folder)
    assert done.returncode == 1
    assert "FDF294" in done.stderr
    assert "Traceback" not in done.stderr
    assert (message in done.stderr) == (language == "en")

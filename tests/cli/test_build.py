"""The main job end to end: what is written, what is refused, and what is never lost."""

import csv
import hashlib
import json
import shutil
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from falldamage_forge import presets
from falldamage_forge.geometry.stl import read_stl
from tests.amount import EXHAUSTIVE
from tests.cli.running import fdforge, run, small_map, tree, typed

MAPS = presets.names("maps")

FIVE_MISTAKES = """\
forge 1
stak D4 height 3
stack Z9 height 1
spire at C3
ladder E5 -> E6
start red at B1..I1
start blue at B10..H10
"""


Folders = Callable[[str], Path]
PICTURED = "small"
BUILT = (PICTURED, *MAPS) if EXHAUSTIVE else (PICTURED,)
"""Each map is built once; the small one has pictures too."""
SLICED = 1


def small(place: Path) -> list[Path]:
    return [small_map(place / f"{PICTURED}.forge")]


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Folders:
    @cache
    def folder_of(name: str) -> Path:
        place = tmp_path_factory.mktemp("exports")
        folder = place / name
        words = small(place) if name == PICTURED else [name, "--no-pictures"]
        run = fdforge("build", *words, "-o", folder)
        assert run.returncode == 0, run.stderr
        return folder

    return folder_of


@pytest.mark.parametrize("name", MAPS)
def test_presets_are_playable_without_a_warning(name: str) -> None:
    run = typed("check", name)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout == f"{name}: playable (0 errors, 0 warnings)\n"


@pytest.mark.parametrize("name", BUILT)
def test_lists_agree_with_the_plates_and_with_each_other(name: str, built: Folders) -> None:
    folder = built(name)
    table = json.loads((folder / "pieces.json").read_text("utf-8"))
    quantities = {row["piece"]: row["quantity"] for row in table["pieces"]}
    on_plates: Counter[str] = Counter()
    for plate in table["plates"]:
        on_plates.update(plate["pieces"])
        mesh = read_stl((folder / "plates" / f"{plate['name']}.stl").read_bytes(), "plate")
        triangles = sum(
            count * len(read_stl(next(folder.glob(f"pieces/{key}_x*.stl")).read_bytes(), key).faces)
            for key, count in plate["pieces"].items()
        )
        assert len(mesh.faces) == triangles, "a part is missing from the plate's mesh"
        (x0, y0, z0), (x1, y1, z1) = mesh.bounds_mm()
        assert x0 >= 0 and y0 >= 0 and x1 <= 180 and y1 <= 180 and z1 <= 180 and abs(z0) < 1e-3
        assert all(
            plate["plate"] in row["plates"]
            for row in table["pieces"]
            if row["piece"] in plate["pieces"]
        )
    assert dict(on_plates) == quantities
    with (folder / "pieces.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert {row["piece"]: int(row["quantity"]) for row in rows} == quantities
    files = {
        path.stem.rsplit("_x", 1)[0]: int(path.stem.rsplit("_x", 1)[1])
        for path in folder.glob("pieces/*.stl")
    }
    assert files == quantities
    assert table["total"]["parts"] == sum(quantities.values())


@pytest.mark.parametrize("name", BUILT)
def test_the_manifest_names_every_file(name: str, built: Folders) -> None:
    files = tree(built(name))
    listed = json.loads(files.pop("manifest.json"))["files"]
    assert listed == {
        path: {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        for path, data in files.items()
    }


def test_two_builds_are_the_same_bytes(tmp_path: Path, built: Folders) -> None:
    # A locale with a decimal comma whose language the forge does not speak.
    env = {"PYTHONHASHSEED": "77", "LC_ALL": "fr_FR.UTF-8", "TZ": "Pacific/Kiritimati"}
    run = fdforge("build", *small(tmp_path), "-o", tmp_path / "again", **env)
    assert run.returncode == 0, run.stderr
    again, before = tree(tmp_path / "again"), tree(built(PICTURED))
    assert again.keys() == before.keys()
    assert [name for name in again if again[name] != before[name]] == []


def test_all_errors_are_reported_in_one_run_and_nothing_is_written(tmp_path: Path) -> None:
    source = tmp_path / "bad.forge"
    source.write_text(FIVE_MISTAKES)
    run = typed("build", source, cwd=tmp_path)
    assert run.returncode == 1
    for place in ("2:1", "3:7", "4:1", "5:1", "7:1"):
        assert f"--> bad.forge:{place}" in run.stderr, run.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.forge"]
    assert "Traceback" not in run.stderr


def test_an_unplayable_map_leaves_the_last_export(tmp_path: Path) -> None:
    source = small_map(tmp_path / "mine.forge")
    assert typed("build", "mine.forge", "--no-pictures", cwd=tmp_path).returncode == 0
    before = tree(tmp_path / "exports")
    (tmp_path / "exports" / "mine" / "notes.txt").write_text("print slowly")
    good = source.read_text("utf-8")
    source.write_text(good + "stack row 5 height 9\n")
    assert typed("build", "mine.forge", cwd=tmp_path).returncode == 1
    source.write_text(good)
    assert typed("build", "mine.forge", "--no-pictures", cwd=tmp_path).returncode == 0
    after = tree(tmp_path / "exports")
    assert after.pop("mine/notes.txt") == b"print slowly"
    assert after == before


def test_foreign_folder_is_not_changed(tmp_path: Path) -> None:
    (tmp_path / "holiday.jpg").write_bytes(b"photo")
    run = typed("build", "duel", "-o", tmp_path)
    assert run.returncode == 1
    assert "FDF295" in run.stderr
    assert tree(tmp_path) == {"holiday.jpg": b"photo"}


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("build",), 2, "Missing argument"),
        (("build", "duel", "--printer", "a1-mimi"), 1, "did you mean `a1-mini`?"),
        (("build", "dule"), 1, "did you mean `duel`?"),
        (("check", "nowhere.forge"), 1, "no such file"),
        (("chekc", "duel"), 2, "did you mean `check`?"),
        (("check", "."), 1, "not a regular file"),
    ],
)
def test_wrong_words_get_a_clear_answer(words: tuple[str, ...], code: int, says: str) -> None:
    run = typed(*words)
    assert run.returncode == code
    assert says in run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.slicer
@pytest.mark.parametrize("name", BUILT)
def test_every_file_slices_inside_the_printer(name: str, built: Folders, tmp_path: Path) -> None:
    """By default the smallest plate of one map; else all files of all maps."""
    if shutil.which("prusa-slicer") is None:
        pytest.skip("PrusaSlicer is missing: apt-get install prusa-slicer")
    paths = sorted(built(name).rglob("*.stl"))
    if not EXHAUSTIVE:
        plates = [path for path in paths if path.parent.name == "plates"]
        paths = sorted(plates, key=lambda path: path.stat().st_size)[:SLICED]
    for path in {path.read_bytes()[80:]: path for path in paths}.values():
        gcode = tmp_path / f"{path.stem}.gcode"
        options = (
            "--bed-shape 0x0,180x0,180x180,0x180 --max-print-height 180 --skirts 0 "
            "--center 90,90 --layer-height 0.3 --first-layer-height 0.3 --fill-density 5%"
        )
        command = ["prusa-slicer", "--export-gcode", *options.split(), "-o", gcode, path]
        done = run(command)
        assert done.returncode == 0, done.stderr
        assert extrusion_inside(gcode.read_text()), f"{path.name} leaves the bed"


def extrusion_inside(gcode: str) -> bool:
    """Whether every extruding move stays within 180 x 180 x 180 mm, and there are some."""
    z = 0.0
    moves = 0
    for line in gcode.splitlines():
        if not line.startswith("G1 "):
            continue
        words = {word[0]: float(word[1:]) for word in line.split(";")[0].split()[1:]}
        z = words.get("Z", z)
        if words.get("E", 0) > 0 and "X" in words:
            moves += 1
            if not (0 <= words["X"] <= 180 and 0 <= words["Y"] <= 180 and 0 < z <= 180):
                return False
    return moves > 0


def test_the_bed_check_can_fail() -> None:
    assert extrusion_inside("G1 Z0.2\nG1 X10 Y10 E1")
    assert not extrusion_inside("G1 Z0.2\nG1 X190 Y10 E1")
    assert not extrusion_inside("")

"""Meshes on disk: a second build makes none, writers agree, rubbish is not believed."""

import importlib
import inspect
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from falldamage_forge.geometry import part_size, shipped_parts
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.mesh_cache import (
    SOURCES,
    cache_key,
    code_version,
    decode_cached_mesh,
    encode_cached_mesh,
)
from falldamage_forge.geometry.piece_mesh import BUILDERS
from falldamage_forge.geometry.piece_style import PLAIN
from falldamage_forge.infra import disk_cache
from falldamage_forge.presets import load_catalogue, load_printer, load_style
from tests.cli.running import fdforge, small_map, tree

made = importlib.import_module("falldamage_forge.geometry.piece_mesh")  # its name is a function too
PRINTER = load_printer("a1-mini")
CHEST = load_catalogue()["chest"]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(disk_cache.FOLDER, str(tmp_path / "meshes"))
    monkeypatch.delenv(disk_cache.SWITCH, raising=False)
    return tmp_path / "meshes"


@pytest.fixture
def count(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The pieces that were really made; the memory of this process is forgotten before."""
    names: list[str] = []
    real = made.build_solid
    monkeypatch.setattr(made, "build_solid", lambda p, *rest: names.append(p.key) or real(p, *rest))
    made._build.cache_clear()
    yield names
    made._build.cache_clear()


def test_a_second_process_makes_nothing_and_writes_the_same_bytes(tmp_path: Path) -> None:
    env = {disk_cache.FOLDER: str(tmp_path / "meshes"), disk_cache.SWITCH: "on"}
    small = small_map(tmp_path / "small.forge")
    words = ("--no-pictures", "--style", "plain")
    for name in ("cold", "warm"):
        run = fdforge("build", small, *words, "-o", tmp_path / name, **env)
        assert run.returncode == 0, run.stderr
    without = fdforge("build", small, *words, "--no-cache", "-o", tmp_path / "none", **env)
    assert without.returncode == 0, without.stderr
    assert tree(tmp_path / "cold") == tree(tmp_path / "warm") == tree(tmp_path / "none")
    told = fdforge("cache", **env).stdout
    assert told.startswith(
        f"{len(list((tmp_path / 'meshes').glob('*/*.mesh')))} meshes and pictures kept"
    )
    assert "pictures removed" in fdforge("cache", "--clear", **env).stdout
    assert fdforge("cache", **env).stdout.startswith("0 meshes and pictures kept")


def test_a_build_after_a_change_has_the_bytes_of_one_without_cache(tmp_path: Path) -> None:
    """With pictures: what was kept of the map before the change is used for none that differs."""
    env = {disk_cache.FOLDER: str(tmp_path / "meshes"), disk_cache.SWITCH: "on"}
    small = small_map(tmp_path / "small.forge")
    words = ("build", small, "--style", "plain")
    first = fdforge(*words, "-o", tmp_path / "first", **env)
    assert first.returncode == 0, first.stderr
    text = small.read_text("utf-8")
    small.write_text(f"{text}water at B2\n", "utf-8")
    for name, more in (("changed", ()), ("none", ("--no-cache",))):
        run = fdforge(*words, *more, "-o", tmp_path / name, **env)
        assert run.returncode == 0, run.stderr
    changed = tree(tmp_path / "changed")
    assert changed == tree(tmp_path / "none")
    assert changed["board.png"] != tree(tmp_path / "first")["board.png"]


def test_meshes_are_made_once(place: Path, count: list[str]) -> None:
    first = made.build(CHEST, PRINTER)
    made._build.cache_clear()
    second = made.build(CHEST, PRINTER)
    assert count == ["chest"]
    assert np.array_equal(first.vertices, second.vertices)
    assert np.array_equal(first.faces, second.faces)
    assert second.vertices.dtype == np.float32
    assert second.faces.dtype == np.int32


@pytest.mark.parametrize("damage", ["cut", "flip", "empty", "lies"])
def test_rubbish_is_made_again(damage: str, place: Path, count: list[str]) -> None:
    good = made.build(CHEST, PRINTER)
    (path,) = place.glob(f"*/{cache_key(CHEST, made.fit_of(PRINTER), PLAIN)}.mesh")
    whole = path.read_bytes()
    if damage == "lies":  # sound checksum, but corners that are not there
        disk_cache.put(
            path.parent.name,
            path.stem,
            encode_cached_mesh(good)[:8] + b"\xff" * 12 + encode_cached_mesh(good)[20:],
        )
    else:
        broken = {"cut": whole[:-7], "flip": whole[:-1] + b"\x55", "empty": b""}[damage]
        path.write_bytes(broken)
    made._build.cache_clear()
    again = made.build(CHEST, PRINTER)
    assert count == ["chest", "chest"]
    assert np.array_equal(again.vertices, good.vertices)
    assert path.read_bytes() == whole


@pytest.mark.parametrize("body", [b"", b"[]", b"[1, 2", b"[1, 2, 3, 4, 5, 6, 7]"])
def test_a_size_is_stored_beside_its_mesh_and_rubbish_is_measured_again(
    body: bytes, place: Path, count: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shipped_parts, "entry", lambda *_: None)
    mesh = made.build(CHEST, PRINTER)
    mesh_key = cache_key(CHEST, made.fit_of(PRINTER), PLAIN)
    (path,) = (each for each in place.glob("*/*.mesh") if each.stem != mesh_key)
    with monkeypatch.context() as patch:
        patch.setattr(part_size, "measure", None)
        stored = part_size.size_of(mesh)
    assert part_size.stored_size(path.stem) == stored
    disk_cache.put(path.parent.name, path.stem, body)
    assert part_size.size_of(mesh) == stored
    monkeypatch.setenv(disk_cache.SWITCH, "off")
    assert part_size.size_of(mesh) == stored


def test_it_can_be_switched_off(
    place: Path, count: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(disk_cache.SWITCH, "off")
    made.build(CHEST, PRINTER)
    made._build.cache_clear()
    made.build(CHEST, PRINTER)
    assert count == ["chest", "chest"]
    assert not place.exists()


def test_a_place_that_may_not_be_written_costs_nothing_but_time(
    tmp_path: Path, count: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv(disk_cache.FOLDER, str(tmp_path / "file"))
    made.build(CHEST, PRINTER)
    assert count == ["chest"]
    assert disk_cache.stats().entries == 0


def test_many_writers_leave_one_whole_entry(place: Path) -> None:
    bodies = [bytes([n]) * 100_000 for n in range(16)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda body: disk_cache.put("v", "k", body), bodies * 4))
        seen = list(pool.map(lambda _: disk_cache.get("v", "k"), range(32)))
    assert set(seen) <= set(bodies)
    assert [path.name for path in (place / "v").iterdir()] == ["k.mesh"]


def test_cache_key_depends_on_everything_that_decides_a_mesh() -> None:
    fit, stone = DesignParameters(), load_style("stone")
    keys = {
        cache_key(piece, each, style)
        for piece in (CHEST, load_catalogue()["tree"])
        for each in (
            fit,
            DesignParameters(0.2),
            DesignParameters(seam_mm=0.3),
            DesignParameters(wall_mm=0.6),
        )
        for style in (PLAIN, stone)
    }
    assert len(keys) == 16
    assert len(code_version()) == 16


def test_bytes_that_are_no_mesh_are_none() -> None:
    mesh = made.build(CHEST, PRINTER)
    data = encode_cached_mesh(mesh)
    assert np.array_equal(decode_cached_mesh(data).vertices, mesh.vertices)
    for bad in (b"", data[:8], data[:-4], data + b"\0" * 12, b"\0" * 8):
        assert decode_cached_mesh(bad) is None


def _bytes(place: Path) -> int:
    return sum(path.stat().st_size for path in place.rglob("*") if path.is_file())


def test_cache_has_a_limit_and_keeps_recently_used_entries(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Entries of any version of the code, of many sizes, one of them read again and again."""
    monkeypatch.setenv(disk_cache.LIMIT, "1")
    monkeypatch.setattr(disk_cache, "_unseen_bytes", None)
    limit = disk_cache.limit_bytes()
    assert limit == 1_000_000
    disk_cache.put("old", "used", b"u" * 50_000)
    for number in range(120):
        disk_cache.put(("old", "new")[number % 2], f"{number}", bytes(1000 * (number % 37) + 1))
        assert disk_cache.get("old", "used") == b"u" * 50_000
        assert _bytes(place) <= limit
    assert disk_cache.get("new", "119") is not None
    assert disk_cache.get("old", "0") is None
    assert disk_cache.stats().size_bytes > limit // 2
    # One that is larger than all that may be kept goes again and takes no other process down.
    disk_cache.put("new", "huge", bytes(2 * limit))
    assert _bytes(place) <= limit


def test_new_process_counts_the_entries_of_others(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(30):
        disk_cache.put("v", f"{number}", bytes(100_000))
    disk_cache.put("w", "other", bytes(5))
    assert disk_cache.stats() == disk_cache.CacheStats(31, _bytes(place), 2)
    monkeypatch.setenv(disk_cache.LIMIT, "1")
    monkeypatch.setattr(disk_cache, "_unseen_bytes", None)
    disk_cache.put("v", "last", b"x")
    assert _bytes(place) <= disk_cache.limit_bytes()
    assert disk_cache.get("v", "last") == b"x"
    told = fdforge("cache", **{disk_cache.FOLDER: str(place), disk_cache.LIMIT: "1"}).stdout
    assert "MB of at most 1, in" in told


def test_a_limit_that_is_none_is_the_usual_one(monkeypatch: pytest.MonkeyPatch) -> None:
    for said in ("", "much", "-5", "1.5"):
        monkeypatch.setenv(disk_cache.LIMIT, said)
        assert disk_cache.limit_bytes() == disk_cache.USUAL_MB * 1_000_000


def test_rules_of_pieces_that_builders_read_are_in_the_caches_version() -> None:
    """A change of where a ruin is broken, or of what flows, must make new meshes."""
    modules = {builder.make.__module__ for builder in BUILDERS.values()}
    texts = [inspect.getsource(sys.modules[name]) for name in sorted(modules)]
    read = {name for text in texts for name in re.findall(r"_forge\.pieces\.(\w+) import", text)}
    assert "lost_corners" in read
    assert {f"pieces/{name}.py" for name in read} <= {*SOURCES}

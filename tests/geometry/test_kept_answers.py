"""Answers that are kept on disk: each follows every input, and rubbish is worked out again."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from falldamage_forge.board import Tile
from falldamage_forge.geometry import assembly_check, bed_adhesion, ways_in
from falldamage_forge.geometry.height_field import encode_field
from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.geometry.mesh_cache import encode_cached_mesh
from falldamage_forge.geometry.piece_mesh import build, fit_of
from falldamage_forge.infra import disk_cache
from falldamage_forge.lengths import print_grid
from falldamage_forge.pieces.piece import Placement
from falldamage_forge.presets import load_catalogue, load_printer
from falldamage_forge.printing import plates
from falldamage_forge.printing.plates import PackItem

PRINTER = load_printer("a1-mini")
TREE, BLOCK = (load_catalogue()[key] for key in ("tree", "block-1x1x1"))


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(disk_cache.FOLDER, str(tmp_path / "kept"))
    monkeypatch.delenv(disk_cache.SWITCH, raising=False)
    return tmp_path / "kept"


def rewrite(place: Path, body: bytes) -> None:
    """Put other bytes with a sound checksum into every entry."""
    for path in place.glob("*/*.mesh"):
        disk_cache.put(path.parent.name, path.stem, body)


def forbid(patch: pytest.MonkeyPatch, module: Any, name: str) -> None:
    def called(*_: object) -> None:
        raise AssertionError(f"{name} was called")

    patch.setattr(module, name, called)


def shape(mesh: Mesh) -> bytes:
    return encode_cached_mesh(mesh)


def test_ears_are_made_once_and_follow_mesh_and_layer(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = build(TREE, PRINTER)
    moved = Mesh((tree.vertices * np.float32(1.01)).astype(np.float32), tree.faces)
    asked: list[tuple[Mesh, float]] = [(tree, 0.2), (tree, 0.3), (moved, 0.2)]

    def eared() -> list[bytes]:
        bed_adhesion.with_ears.cache_clear()
        return [shape(bed_adhesion.with_ears(*each)) for each in asked]

    first = eared()
    assert len(set(first)) == 3
    with monkeypatch.context() as patch:
        forbid(patch, bed_adhesion, "make_ears")
        assert eared() == first
    rewrite(place, shape(tree)[:-3])
    assert eared() == first
    monkeypatch.setenv(disk_cache.SWITCH, "off")
    assert eared() == first


def looked(*placements: Placement) -> assembly_check.AssemblyReport:
    meshes = {each.piece.key: build(each.piece, PRINTER) for each in placements}
    assembly_check._KNOWN.clear()
    return assembly_check.check_assembly(placements, meshes, PRINTER)


def test_pairs_are_measured_once_and_follow_both_meshes_and_their_pose(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    low, other = Placement(BLOCK, Tile(0, 0), 0), Placement(BLOCK, Tile(3, 3), 0)
    inside = replace(low, raised_mm=10.0)
    deeper = replace(low, raised_mm=5.0)
    first = [looked(low, each) for each in (inside, deeper)]
    clashes = [each.clashes[0][2] for each in first]
    assert clashes[1] > clashes[0] > 0
    with monkeypatch.context() as patch:
        forbid(patch, assembly_check, "_shared")
        # Another table of the same pair: only the pair is known.
        apart = looked(low, inside, other)
        assert apart.clashes == first[0].clashes
    rewrite(place, b"short")
    monkeypatch.setattr(assembly_check, "MOST_KNOWN", 0)
    again = looked(low, deeper, replace(other, tile=Tile(4, 4)))
    assert again.clashes == first[1].clashes


def test_height_fields_are_measured_once_and_follow_mesh_pose_and_grid(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    block = build(BLOCK, PRINTER)
    wider = Mesh((block.vertices * np.float32(1.1)).astype(np.float32), block.faces)
    fit = fit_of(PRINTER)
    finer = replace(BLOCK, grid=print_grid(25.4, 25.4))
    over = replace(BLOCK, pose="upright")
    asked = [
        (BLOCK, block, fit),
        (BLOCK, wider, fit),
        (finer, block, fit),
        (over, block, fit),
    ]

    def fields() -> list[bytes]:
        found = []
        for piece, mesh, own in asked:
            placed = Placement(piece, Tile(0, 0), 0)
            found += ways_in._fields([placed], {piece.key: mesh}, own)
        return [encode_field(field) for field in found]

    first = fields()
    assert len(set(first)) == len(asked)
    with monkeypatch.context() as patch:
        forbid(patch, ways_in, "height_field")
        assert fields() == first
    for rubbish in (b"", first[0][:-1], bytes(16)):
        rewrite(place, rubbish)
        assert fields() == first
    monkeypatch.setenv(disk_cache.SWITCH, "off")
    assert fields() == first


ITEMS = [
    PackItem("a", 40.0, 30.0, 10.0, 5),
    PackItem("b", 60.0, 60.0, 10.0, 3, outline=((0.0, 0.0, 60.0, 20.0), (0.0, 0.0, 20.0, 60.0))),
]


def test_plates_are_packed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = plates.pack(ITEMS, PRINTER)
    with monkeypatch.context() as patch:
        forbid(patch, plates, "best_fill")
        assert plates.pack(ITEMS, PRINTER) == first
    monkeypatch.setenv(disk_cache.SWITCH, "off")
    assert plates.pack(ITEMS, PRINTER) == first


def test_packing_follows_every_input(monkeypatch: pytest.MonkeyPatch) -> None:
    real, calls = plates.best_fill, list[object]()

    def counted(*given: Any) -> Any:
        calls.append(given)
        return real(*given)

    monkeypatch.setattr(plates, "best_fill", counted)
    one, two = ITEMS
    asked: list[tuple[list[PackItem], Any]] = [
        (ITEMS, PRINTER),
        ([replace(one, count=4), two], PRINTER),
        ([replace(one, width_mm=41.0), two], PRINTER),
        ([replace(one, depth_mm=31.0), two], PRINTER),
        ([replace(one, height_mm=11.0), two], PRINTER),
        ([replace(one, key="c"), two], PRINTER),
        ([one, replace(two, outline=())], PRINTER),
        (ITEMS, replace(PRINTER, spacing_mm=PRINTER.spacing_mm + 1)),
        (ITEMS, replace(PRINTER, margin_mm=PRINTER.margin_mm + 1)),
        (ITEMS, replace(PRINTER, bed_mm=(200.0, 190.0))),
    ]
    for number, (items, printer) in enumerate(asked, start=1):
        plates.pack(items, printer)
        assert len(calls) == number
    for items, printer in asked:
        plates.pack(items, printer)
    assert len(calls) == len(asked)


LIES: dict[str, Callable[[Any], object]] = {
    "no list": lambda beds: 3,
    "one lost": lambda beds: [beds[0][1:], *beds[1:]],
    "one over another": lambda beds: [[[*beds[0][0][:1], *each[1:]] for each in beds[0][:1] * 8]],
    "off the bed": lambda beds: [[[key, x + 10**6, y, turns] for key, x, y, turns in beds[0]]],
    "unknown part": lambda beds: [[["z", *each[1:]] for each in beds[0]], *beds[1:]],
}


@pytest.mark.parametrize("lie", list(LIES))
def test_packing_that_is_none_is_packed_again(lie: str, place: Path) -> None:
    first = plates.pack(ITEMS, PRINTER)
    (path,) = place.glob("*/*.mesh")
    beds = json.loads(path.read_bytes()[disk_cache._SUM_BYTES :])
    rewrite(place, json.dumps(LIES[lie](beds)).encode())
    assert plates.pack(ITEMS, PRINTER) == first

"""Parts that come with the package: as the builder makes them, used by their sources alone."""

import importlib
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from falldamage_forge import presets
from falldamage_forge.board import Tile
from falldamage_forge.cli.map_argument import FORGE
from falldamage_forge.cli.ship_parts import entries_to_ship, parts_to_ship, plans_to_ship
from falldamage_forge.export import roundtrip
from falldamage_forge.export.roundtrip import known_meshes
from falldamage_forge.export.threemf import PlateContents
from falldamage_forge.geometry import (
    assembly_check,
    mesh_cache,
    mesh_validation,
    shipped_parts,
    simplified_mesh,
    ways_in,
)
from falldamage_forge.geometry.assembly_check import (
    SHIPPED_PAIRS,
    pair_volumes,
    shipped_volumes,
)
from falldamage_forge.geometry.mesh_cache import cache_key, decode_cached_mesh
from falldamage_forge.geometry.mesh_validation import require_valid_stl
from falldamage_forge.geometry.piece_mesh import (
    as_printed,
    build,
    fit_of,
    printed_sizes,
    size_key,
)
from falldamage_forge.geometry.stl import write_stl
from falldamage_forge.infra import disk_cache
from falldamage_forge.lengths import GRID
from falldamage_forge.pieces.piece import Placement
from falldamage_forge.render.viewer_meshes import SCENE_MM, models_of
from tests.amount import EXHAUSTIVE
from tests.cli.running import fdforge, typed

RENEW = "run `python -m falldamage_forge.cli.ship_parts`"
STONE = presets.load_style(presets.DEFAULT_STYLE)
SOME = 1000 if EXHAUSTIVE else 3
MOST_BYTES = 8_000_000
MADE = importlib.import_module("falldamage_forge.geometry.piece_mesh")


def test_shipped_parts_are_those_of_these_sources() -> None:
    assert shipped_parts.about()["sources"] == mesh_cache.sources_version(), RENEW
    assert shipped_parts.FILE.stat().st_size < MOST_BYTES


def test_parts_of_preset_maps_are_shipped_and_nothing_else() -> None:
    parts = parts_to_ship()
    entries = set(shipped_parts.about()["entries"])
    for piece, printer in parts:
        keys = {cache_key(piece, fit_of(printer), STONE), size_key(piece, printer, STONE)}
        assert keys <= entries, f"{piece.key}: {RENEW}"
    # Mesh, its size twice, two for pictures, height field, sound, read back; for some ears.
    assert SHIPPED_PAIRS in entries, RENEW
    assert 8 * len(parts) < len(entries) <= 9 * len(parts) + 1, RENEW


def test_shipped_pairs_are_of_the_plans_in_which_the_shipped_parts_stand() -> None:
    """One plan for each preset map of usual tiles; their parts are those that are shipped."""
    maps = [FORGE.load(name) for name in presets.map_names()]
    plans = plans_to_ship()
    assert len(plans) == sum(map_.grid == GRID for map_ in maps) < len(maps)
    used = {(one.piece.key, printer) for placements, printer in plans for one in placements}
    assert used == {(piece.key, printer) for piece, printer in parts_to_ship()}


def test_shipped_parts_are_made_again_with_the_same_bytes() -> None:
    """A few of them, other ones each time; libraries of other versions may round otherwise."""
    if shipped_parts.about()["libraries"] != mesh_cache.library_versions():
        pytest.skip("other versions of the libraries made the parts")
    sources = mesh_cache.sources_version()
    parts = parts_to_ship()
    for piece, printer in random.sample(parts, min(SOME, len(parts))):
        for key, body in entries_to_ship(piece, printer).items():
            assert shipped_parts.entry(sources, key) == body, f"{piece.key}: {RENEW}"


def test_a_first_build_judges_no_shipped_part(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes the meshes of pictures, height fields and the answers of judges as they came."""
    piece, printer = random.choice(parts_to_ship())
    mesh = build(piece, printer, STONE)
    printed, fit = as_printed(piece, mesh), fit_of(printer)
    contents = PlateContents({piece.key: printed}, {}, {})
    stl = write_stl(printed, piece.key)
    placement = Placement(piece, Tile(0, 0), 0)

    def used() -> None:
        require_valid_stl(stl, printer, piece.key)
        known_meshes(contents)
        ways_in._fields([placement], {piece.key: mesh}, fit)
        models_of({piece.key: piece}, {piece.key: mesh})
        models_of({piece.key: piece}, {piece.key: mesh}, SCENE_MM)

    makers = (
        (mesh_validation, "validate_stl"),
        (roundtrip, "reading"),
        (ways_in, "height_field"),
        (simplified_mesh, "make_simplified"),
    )
    for module, name in makers:
        with monkeypatch.context() as patch:
            patch.setattr(module, name, refused)
            used()
            patch.setenv(disk_cache.SWITCH, "off")
            with pytest.raises(AssertionError, match="was made"):
                used()


def test_shipped_pairs_are_measured_again_with_the_same_volumes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Those of one map, the one with the fewest parts that holds a drawn part."""
    shipped = shipped_volumes()
    assert shipped, RENEW
    key = random.choice(parts_to_ship())[0].key
    plans = [plan for plan in plans_to_ship() if key in {one.piece.key for one in plan[0]}]
    placements, printer = min(plans or plans_to_ship(), key=lambda plan: len(plan[0]))
    monkeypatch.setattr(assembly_check, "shipped_volumes", dict)
    measured = pair_volumes(placements, printer, STONE)
    assert measured.keys() <= shipped.keys(), RENEW
    for pair, volumes in measured.items():
        assert shipped[pair] == pytest.approx(volumes, abs=1e-6), RENEW


def test_first_check_of_a_preset_map_measures_no_pair(
    empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    placements, printer = min(plans_to_ship(), key=lambda plan: len(plan[0]))
    assembly_check._KNOWN.clear()
    monkeypatch.setattr(assembly_check, "overlap_mm3", refused)
    assert pair_volumes(placements, printer, STONE)
    monkeypatch.setenv(disk_cache.SWITCH, "off")
    assembly_check._KNOWN.clear()
    with pytest.raises(AssertionError, match="was made"):
        pair_volumes(placements, printer, STONE)


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A user's first run: nothing is in the cache or in memory."""
    monkeypatch.setenv(disk_cache.FOLDER, str(tmp_path / "kept"))
    monkeypatch.delenv(disk_cache.SWITCH, raising=False)
    MADE._build.cache_clear()
    yield tmp_path / "kept"
    MADE._build.cache_clear()


def refused(*_: object) -> Any:
    raise AssertionError("a mesh was made")


def test_first_use_makes_no_mesh_and_keeps_what_it_unpacked(
    empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    piece, printer = parts_to_ship()[0]
    monkeypatch.setattr(MADE, "build_solid", refused)
    mesh = build(piece, printer, STONE)
    size = printed_sizes({piece.key: piece}, printer, STONE)[piece.key]
    assert len(mesh.faces) > 10 and size.measure.volume_mm3 > 0
    monkeypatch.setattr(shipped_parts, "entry", refused)
    MADE._build.cache_clear()
    assert build(piece, printer, STONE).digest() == mesh.digest()
    assert printed_sizes({piece.key: piece}, printer, STONE)[piece.key] == size


@pytest.mark.parametrize("change", ["sources", "off", "damaged", "style", "fit"])
def test_other_builders_and_inputs_make_their_own(
    change: str, empty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    piece, printer = next(each for each in parts_to_ship() if each[0].key == "chest")
    style, calls, real = STONE, list[str](), MADE.build_solid

    def counted(*given: Any) -> Any:
        calls.append(change)
        return real(*given)

    monkeypatch.setattr(MADE, "build_solid", counted)
    if change == "sources":
        monkeypatch.setattr(mesh_cache, "sources_version", lambda: "other")
    elif change == "off":
        monkeypatch.setenv(disk_cache.SWITCH, "off")
    elif change == "style":
        style = MADE.PLAIN
    elif change == "fit":
        printer = replace(printer, fit_mm=printer.fit_mm + 0.02)
    else:
        at, size = shipped_parts.about()["entries"][cache_key(piece, fit_of(printer), style)]
        data = bytearray(shipped_parts.FILE.read_bytes())
        data[at + size // 2] ^= 0xFF
        (tmp_path / "damaged.bin").write_bytes(data)
        real_entry = shipped_parts.entry
        monkeypatch.setattr(
            shipped_parts,
            "entry",
            lambda sources, key: real_entry(sources, key, tmp_path / "damaged.bin"),
        )
    mesh = build(piece, printer, style)
    assert calls == [change]
    assert len(mesh.faces) > 10


def test_packed_entries_come_back_and_a_strange_file_is_none(tmp_path: Path) -> None:
    entries = {"a": b"one" * 100, "b": b"", "c": bytes(range(256))}
    path = tmp_path / "parts.bin"
    path.write_bytes(shipped_parts.pack("mine", {"x": "1"}, entries))
    assert {key: shipped_parts.entry("mine", key, path) for key in entries} == entries
    assert shipped_parts.entry("other", "a", path) is None
    assert shipped_parts.entry("mine", "z", path) is None
    whole = path.read_bytes()
    for number, data in enumerate((b"", whole[:5], whole[:30], b"x" + whole, whole[:-5])):
        other = tmp_path / f"{number}.bin"
        other.write_bytes(data)
        found = [shipped_parts.entry("mine", key, other) for key in entries]
        assert None in found
        assert shipped_parts.has("mine", "a", tmp_path / "none.bin") is False


def test_a_damaged_mesh_is_none() -> None:
    piece, printer = parts_to_ship()[0]
    key = cache_key(piece, fit_of(printer), STONE)
    body = shipped_parts.entry(mesh_cache.sources_version(), key)
    assert body is not None and decode_cached_mesh(body) is not None
    assert decode_cached_mesh(body[:-1]) is None


def test_pieces_are_listed_alike_with_meshes_and_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A first call reads the shipped sizes; without the cache every mesh is made."""
    env = {disk_cache.FOLDER: str(tmp_path / "kept"), disk_cache.SWITCH: ""}
    first = fdforge("pieces", "duel", **env)
    again = typed("pieces", "duel", "--no-cache")
    assert first.returncode == again.returncode == 0, first.stderr
    assert first.stdout == again.stdout

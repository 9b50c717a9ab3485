"""What a large map holds in the memory at once is bounded, by counts."""

from collections.abc import Iterable
from pathlib import Path

import pytest

import falldamage_forge as ff
from falldamage_forge import presets
from falldamage_forge.board import Tile
from falldamage_forge.builds import output_files
from falldamage_forge.builds.pipeline import BuildOptions
from falldamage_forge.geometry.piece_mesh import build
from falldamage_forge.infra import atomic_write
from falldamage_forge.infra.artifacts import Artifact
from falldamage_forge.pieces.piece import Placement
from falldamage_forge.render.raster3d import board_scene as photos
from falldamage_forge.render.raster3d.renderer import ColoredMesh
from tests.cli.running import small_map, tree

PRINTER, STYLE = presets.load_printer("a1-mini"), presets.load_style("plain")


def test_plates_are_written_one_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A plate is made when the one before is on the disk."""
    built = ff.build(
        ff.load(small_map(tmp_path / "small.forge")), options=BuildOptions(style=STYLE)
    )
    few = built.write(tmp_path / "few", pictures=False)
    made: list[str] = []
    ahead: list[int] = []
    real_mesh, real_write = output_files.plate_mesh, atomic_write.write_folder

    def noted(plate: object, meshes: object) -> object:
        made.append(plate.name)  # type: ignore[attr-defined]
        return real_mesh(plate, meshes)  # type: ignore[arg-type]

    def watched(target: Path, files: Iterable[Artifact]) -> None:
        def one_by_one() -> Iterable[Artifact]:
            seen = 0
            for file in files:
                seen += file.path.startswith("plates/") and file.path.endswith(".stl")
                ahead.append(len(made) - seen)
                yield file

        real_write(target, one_by_one())

    monkeypatch.setattr(output_files, "plate_mesh", noted)
    monkeypatch.setattr(atomic_write, "write_folder", watched)
    many = built.write(tmp_path / "many", pictures=False)
    assert len(made) == len(built.plates) > 2
    assert max(ahead) == 0
    assert many == few
    assert tree(tmp_path / "many") == tree(tmp_path / "few")
    assert [entry.path for entry in many][-1] == "manifest.json"


@pytest.mark.parametrize("name", ["block-1x1x1", "tree"])
def test_a_photograph_of_a_large_board_has_no_more_triangles_than_of_a_small_one(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Within a factor: a board of 40 x 40 shows four times the parts of one of 20 x 20."""
    piece = presets.load_catalogue()[name]
    meshes = {piece.key: build(piece, PRINTER, presets.load_style("stone"))}

    def triangles(tiles: int) -> int:
        seen: list[ColoredMesh] = []
        monkeypatch.setattr(photos, "photograph", lambda bodies, *_, **__: seen.extend(bodies))
        parts = [Placement(piece, Tile(r, c), 0) for r in range(tiles) for c in range(tiles)]
        photos.page_photo(parts, meshes, PRINTER)
        return sum(len(body.triangles) for body in seen)

    assert triangles(40) < 2 * triangles(20)

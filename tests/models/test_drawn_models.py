"""Models in the isometric picture: their own shape, few triangles, each on one of their tiles."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import shapely
from trimesh.creation import box, icosphere

import falldamage_forge as ff
from falldamage_forge.board import Board, Tile
from falldamage_forge.builds.model_pieces import drawn_models
from falldamage_forge.geometry.piece_mesh import build_all
from falldamage_forge.geometry.simplified_mesh import COARSEST_MM
from falldamage_forge.library.forge import Forge
from falldamage_forge.pieces.model_keys import SHOWN_TRIANGLES
from falldamage_forge.render.build_steps import steps
from falldamage_forge.render.display_list import PaintedPath
from falldamage_forge.render.isometric import isometric
from falldamage_forge.render.isometric_models import (
    MOST_FACES,
    SeenModel,
    model_shadows,
    without_models,
)
from falldamage_forge.render.page_layout import with_models
from falldamage_forge.render.scenes.table_scene import table_scene
from falldamage_forge.render.topdown import topdown

MAP = """forge 1
model egg "egg.stl" { levels { . } }
model wall "wall.stl" { tiles 2x1  levels { 1 2 } }
stack D5 height 2
place egg at D5
place wall at F5 {turn}
start red at B1..I1
start blue at B10..I10
"""
TURNS = {"": {(4, 5), (4, 6)}, "rotate 90": {(4, 5), (5, 5)}, "rotate 180": {(4, 5), (4, 6)}}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An egg of 81920 triangles, 60 mm high, and a wall that is one level high in the west."""
    made = tmp_path_factory.mktemp("drawn")
    egg = icosphere(6, 14)
    egg.vertices = egg.vertices * (1, 1, 2)
    egg.export(made / "egg.stl")
    low, high = box((30, 28, 30)), box((29.5, 28, 60))
    low.apply_translation((-14.5, 0, 15))
    high.apply_translation((14.5, 0, 30))
    from trimesh.boolean import union

    union([low, high], engine="manifold").export(made / "wall.stl")
    return made


def loaded(folder: Path, turn: str) -> tuple[ff.Map, tuple[SeenModel, ...]]:
    path = folder / "map.forge"
    path.write_text(MAP.replace("{turn}", turn))
    made, forge = ff.load(path), Forge()
    return made, drawn_models(made.board, forge.catalogue(made), forge.printer(made))


@pytest.mark.parametrize("turn", TURNS)
def test_triangles_are_few_and_lie_on_the_tiles_above_the_ground(folder: Path, turn: str) -> None:
    made, models = loaded(folder, turn)
    seen = {tile: faces for model in models for tile, faces in model.faces.items()}
    assert seen.keys() == {Tile(4, 3), *(Tile(*at) for at in TURNS[turn])}
    for model in models:
        assert sum(map(len, model.faces.values())) <= MOST_FACES
    for model, standing in zip(models, made.board.models, strict=True):
        corners = np.array([at for own in model.faces.values() for f in own for at in f.corners])
        rows, cols = zip(*standing.tiles, strict=True)
        off = COARSEST_MM / 30
        assert corners[:, 0].min() > min(rows) - off and corners[:, 0].max() < max(rows) + 1 + off
        assert corners[:, 1].min() > min(cols) - off and corners[:, 1].max() < max(cols) + 1 + off
        assert corners[:, 2].min() == standing.level
        assert model.top == corners[:, 2].max() > standing.level + 1.5


def test_the_high_end_is_drawn_where_the_rules_have_it(folder: Path) -> None:
    for turn in TURNS:
        made, models = loaded(folder, turn)
        wall = models[1].faces
        for tile, faces in wall.items():
            top = max(level for face in faces for *_, level in face.corners)
            if made.board.column(tile).level == 2:
                assert top == pytest.approx(2, abs=0.2)
            low = sorted(level for face in faces for *_, level in face.corners)
            assert low[0] == 0


def test_a_drawn_model_replaces_the_columns_of_the_rules(folder: Path) -> None:
    made, models = loaded(folder, "")
    ground = without_models(made.board, models)
    for x in made.board.models:
        for tile in x.tiles:
            assert ground.column(tile).level == x.level
            assert ground.column(tile).feature is None
    plain, drawn = (
        isometric(made.board, legend=False),
        isometric(made.board, legend=False, models=models),
    )
    count = sum(isinstance(shape, PaintedPath) for shape in drawn.shapes)
    assert count > sum(isinstance(shape, PaintedPath) for shape in plain.shapes)
    assert isometric(made.board, legend=False, models=()) == plain


def test_a_model_casts_the_shadow_of_its_own_outline_to_the_east(folder: Path) -> None:
    made, models = loaded(folder, "")
    wall = made.board.models[1]
    east = max(wall.tiles, key=lambda tile: tile.col)
    assert made.board.column(east).level == 2

    def area(tile: Tile, level: float) -> float:
        return sum(shapely.Polygon(one).area for one in model_shadows(models[1:], tile, level))

    beside, west = Tile(east.row, east.col + 1), Tile(east.row, east.col - 2)
    assert area(beside, 0.0) == pytest.approx(28 / 30, abs=0.06)  # as wide as the wall
    assert 0 < area(beside, 1.0) < area(beside, 0.0)
    assert 0 < area(Tile(east.row, east.col + 2), 0.0) < 0.3
    assert area(west, 0.0) == area(beside, 2.5) == area(Tile(east.row + 1, east.col), 0.0) == 0


def test_a_view_from_above_draws_models_and_the_levels_of_the_rules(folder: Path) -> None:
    made, models = loaded(folder, "")
    plain, drawn = topdown(made.board), topdown(made.board, models=models)
    assert topdown(made.board, models=()) == plain
    assert len(drawn.shapes) > len(plain.shapes)
    for tile in (tile for x in made.board.models for tile in x.tiles):
        assert without_models(made.board, models).column(tile).feature is None


def test_legend_from_above_names_no_spire_that_only_the_rules_have(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a model has no top, the rules have a spire; the drawing shows the model."""
    told = []

    def draw_legend(pen: object, board: Board, *more: object) -> float:
        told.append(board)
        return 0.0

    monkeypatch.setattr("falldamage_forge.render.topdown.draw_legend", draw_legend)
    made, models = loaded(folder, "")
    assert made.board.fixed
    topdown(made.board, models=models)
    (board,) = told
    assert not any(board.column(tile).feature for tile in made.board.fixed)


def test_steps_show_a_model_from_when_it_is_placed(folder: Path) -> None:
    made, models = loaded(folder, "")
    parts = steps(made.board, Forge().plan(made).placements)
    shown = list(with_models(parts, models))
    placed = [
        number
        for number, step in enumerate(parts)
        if any(one.piece.family == "model" for one in step.placements)
    ]
    assert placed
    assert [step for step, _ in shown] == list(parts)
    assert all(not seen for _, seen in shown[: placed[0]])
    assert all(set(seen) == set(models) for _, seen in shown[placed[-1] :])


@pytest.mark.parametrize("turn", TURNS)
def test_what_is_painted_with_a_tile_lies_on_it(folder: Path, turn: str) -> None:
    """The next tile's ground would cover what reaches over."""
    _, models = loaded(folder, turn)
    off = COARSEST_MM / 30
    for model in models:
        for tile, faces in model.faces.items():
            corners = np.array([spot for face in faces for spot in face.corners])
            assert (corners[:, :2] > np.array(tile) - off).all()
            assert (corners[:, :2] < np.array(tile) + 1 + off).all()
    wall = models[1].faces
    assert all(len(faces) > 4 for faces in wall.values())


def test_an_exported_scene_has_a_scan_with_few_triangles(folder: Path) -> None:
    made, forge = loaded(folder, "")[0], Forge()
    placements = [part for part in forge.plan(made).placements if part.piece.family == "model"]
    pieces = {part.piece.key: part.piece for part in placements}
    printer = forge.printer(made)
    meshes = build_all(pieces, printer)
    assert len(meshes["model-egg"].faces) > SHOWN_TRIANGLES
    scene = table_scene("egg", placements, meshes, printer, tolerance_mm=0.001)
    assert scene.triangles < 2 * SHOWN_TRIANGLES

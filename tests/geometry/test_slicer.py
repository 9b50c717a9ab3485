"""A real slicer's word: pieces slice inside the bed, without supports, at the weight we promise."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import trimesh

from falldamage_forge import presets
from falldamage_forge.export.plate_meshes import plate_mesh
from falldamage_forge.geometry import caps
from falldamage_forge.geometry.connector_standard import LAYER_MM, STANDARD
from falldamage_forge.geometry.csg import to_mesh, translate
from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.geometry.mesh_properties import measure
from falldamage_forge.geometry.piece_mesh import build, fit_of
from falldamage_forge.geometry.relief.top_patterns import TOPS, VARIETY
from falldamage_forge.geometry.snap_fit import click_of
from falldamage_forge.lengths import GRID, PrintGrid
from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.pieces.piece import Piece
from falldamage_forge.pieces.variants import BANKS, FLOWS, variants_of
from falldamage_forge.printing.plates import PackItem, pack
from falldamage_forge.printing.printer import Printer
from tests.amount import EXHAUSTIVE

from .conftest import mesh_of
from .gcode import Line, laid_lines, spans
from .slicing import (
    WITH_SUPPORTS,
    assert_layers,
    cura_supports,
    cura_words,
    needs_cura,
    needs_slicer,
    plate_of,
    slice_cura,
    slice_mesh,
    slice_prusa,
)

pytestmark = [pytest.mark.slicer, needs_slicer]
CLICKS = ("block-1x1x1", "step", "spire", "tree", "battlement", "water")
WAY = presets.load_process("standard").way
STYLES = tuple(presets.names("styles"))
GRIDS = {25.4: PrintGrid(25.4, 25.44), 30.0: GRID, 40.0: PrintGrid(40.0, 40.08)}
TILES = tuple(GRIDS) if EXHAUSTIVE else (30.0,)
"""Sizes of tiles in mm; a quadrant of 40 mm needs a wider bed than the printer of the others."""
WIDER = {40.0: "p1s"}
FIGURE = ("unit-druid", "stand-sun-caster", "health-wheel")
START = ("start-red", "start-disc-red", "start-disc-blue")
SAMPLE = ("block-1x1x1", "step", "bridge-1", "ladder-1", "lava", "chest", "icon", *START, *FIGURE)
"""Small pieces that each are built in their own way; spires are among those that lean."""
LEANING = ("arch-1", "battlement-1", "railing-1", "spire-c")
"""Pieces with sills, ledges and feet that slope, because flat ones would ask for supports."""
FLAT = ("block-2x1x1", "water-h", "lava", "lava-c", "lava-d", "lava-g", "lifter")
ASKED = ("spire", "battlement-1", "icon", "die", *FLAT, *START, *FIGURE)
"""What another slicer is asked by default: spires, necks of keyholes, lava and lifters had wanted
supports."""


DOT_MM = 0.3
"""CuraEngine's support of a few ceilings on other sizes is a dot of at most 0.2 mm."""


def parts_of(
    catalogue: Catalogue, few: Iterable[str], without: Iterable[str] = ()
) -> dict[str, Piece]:
    """Parts of a few keys; with FORGE_EXHAUSTIVE every variant of every piece but some."""
    pieces = [piece for key, piece in catalogue.pieces.items() if key not in without]
    parts = {part.key: part for piece in pieces for part in variants_of(piece)}
    return parts if EXHAUSTIVE else {key: parts[key] for key in few}


def plates_of(
    parts: Mapping[str, Piece], style: str, printer: Printer
) -> Iterator[tuple[str, Mesh, str]]:
    """(way of printing, mesh, words) of each packed plate of some parts in a style."""
    look = presets.load_style(style)
    meshes = {key: build(piece, printer, look) for key, piece in parts.items()}
    items = [
        PackItem(key, *measure(mesh).size_mm, 1, WAY(parts[key].group).name)
        for key, mesh in meshes.items()
    ]
    plates = pack(items, printer)
    assert sum(len(plate.slots) for plate in plates) == len(meshes)
    for plate in plates:
        yield plate.group, plate_mesh(plate, meshes), f"{style}: {', '.join(plate.counts())}"


@pytest.mark.parametrize("tile", TILES)
@pytest.mark.parametrize("style", STYLES if EXHAUSTIVE else ("brick",))
def test_pieces_slice_inside_the_bed_without_supports(
    style: str, tile: float, catalogue: Catalogue, tmp_path: Path
) -> None:
    """By default a few pieces; with FORGE_EXHAUSTIVE all but trees in all styles and sizes."""
    machine = WIDER.get(tile, "a1-mini")
    printer = presets.load_printer(machine)
    parts = parts_of(catalogue.on(GRIDS[tile]), (*SAMPLE, *LEANING), ["tree"])
    for way, mesh, words in plates_of(parts, style, printer):
        low, high = mesh.bounds_mm()
        centre = f"{(low[0] + high[0]) / 2:.3f},{(low[1] + high[1]) / 2:.3f}"
        sliced = slice_mesh(mesh, tmp_path, way, WITH_SUPPORTS, centre, machine)
        assert not sliced.supported, words
        assert sliced.inside(printer), words
        for axis in range(2):
            found = sliced.high_mm[axis] - sliced.low_mm[axis]
            assert found == pytest.approx(high[axis] - low[axis], abs=1.2), words


@pytest.mark.parametrize("tile", TILES)
@pytest.mark.parametrize("style", STYLES if EXHAUSTIVE else ("stone",))
def test_trees_slice_without_supports(
    style: str, tile: float, catalogue: Catalogue, printer: Printer, tmp_path: Path
) -> None:
    look = presets.load_style(style)
    for part in variants_of(catalogue["tree"].on(GRIDS[tile]))[: None if EXHAUSTIVE else 1]:
        tree = build(part, printer, look)
        assert not slice_mesh(tree, tmp_path, "figures", WITH_SUPPORTS).supported, part.key


@needs_cura
@pytest.mark.parametrize("tile", TILES)
@pytest.mark.parametrize("style", STYLES if EXHAUSTIVE else ("stone",))
def test_another_slicer_wants_no_supports_either(
    style: str, tile: float, catalogue: Catalogue, printer: Printer, tmp_path: Path
) -> None:
    """By default a part of each kind; with FORGE_EXHAUSTIVE every variant, style and size."""
    look = presets.load_style(style)
    parts = parts_of(catalogue.on(GRIDS[tile]), ASKED)
    wanted_mm = {
        key: cura_supports(build(part, printer, look), tmp_path) for key, part in parts.items()
    }
    least_mm = 0.0 if tile == GRID.pitch_mm else DOT_MM
    assert not {key: length for key, length in wanted_mm.items() if length > least_mm}


@needs_cura
@pytest.mark.parametrize("tile", GRIDS)
def test_strokes_of_tops_need_no_supports(tile: float, printer: Printer, tmp_path: Path) -> None:
    """By default two tops; with FORGE_EXHAUSTIVE every drawing of every top, each on a cap."""
    fit, wanted_mm = fit_of(printer, PrintGrid(tile)), {}
    drawn = [name for name in TOPS if name != "bare"] if EXHAUSTIVE else ["lava", "sun"]
    for name in drawn:
        for number in range(len(BANKS) if name in FLOWS else VARIETY)[: None if EXHAUSTIVE else 3]:
            drawings = [(number, ())]
            if name in FLOWS and (banks := BANKS[number]) != (0, 1, 2, 3):
                opened = tuple(side for side in range(4) if side not in banks)
                drawings.append((caps.FLOWING[number], opened))
            for drawing in drawings:
                cap = caps.plate(fit, name, *drawing).rotate((180, 0, 0))
                mesh = to_mesh(translate(cap, z_mm=-cap.bounding_box()[2]))
                wanted_mm[name, *drawing] = cura_supports(mesh, tmp_path)
    assert not {key: length for key, length in wanted_mm.items() if length > DOT_MM}


def table() -> Mesh:
    """A plate on one leg, which no slicer prints without supports."""
    return mesh_of(
        trimesh.util.concatenate(
            [
                trimesh.creation.box(bounds=((0, 0, 0), (4, 4, 10))),
                trimesh.creation.box(bounds=((-12, -12, 10), (16, 16, 12))),
            ]
        )
    )


@needs_cura
def test_the_other_slicer_does_flag_an_overhang(tmp_path: Path) -> None:
    assert cura_supports(table(), tmp_path) > 100


@needs_cura
def test_settings_given_to_the_extruder_alone_are_noticed(tmp_path: Path) -> None:
    """After `-e0` a setting is the extruder's: the print keeps its layers of 0.1 mm."""
    words = cura_words()
    late = ["-e0", *words[: words.index("-e0")]]
    with pytest.raises(AssertionError, match="layer"):
        slice_cura(table(), tmp_path, late)


@needs_cura
@pytest.mark.parametrize(
    ("key", "value"), [("support_angle", 60), ("layer_height_0", 0.3), ("wall_line_count", 3)]
)
def test_the_other_slicer_tells_what_it_works_with(key: str, value: float, tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=f"{key}: meant .*, sliced with {value}"):
        slice_cura(table(), tmp_path, cura_words({key: value}))


@needs_cura
def test_the_other_slicers_own_filament_is_noticed(tmp_path: Path) -> None:
    words = cura_words()
    with pytest.raises(AssertionError, match="material_diameter"):
        slice_cura(table(), tmp_path, [*words[: words.index("-e0")], "-e0"])


@pytest.mark.parametrize(
    "extra",
    [("--layer-height", "0.2"), ("--first-layer-height", "0.2"), ("--support-material",)],
    ids=lambda words: words[0],
)
def test_changed_slicer_settings_are_noticed(extra: tuple[str, ...], tmp_path: Path) -> None:
    threshold = ("--support-material-threshold", "60") if len(extra) == 1 else ()
    with pytest.raises(AssertionError, match="sliced with"):
        slice_mesh(table(), tmp_path, "terrain", (*extra, *threshold))


def test_layers_are_read_from_the_lines_themselves() -> None:
    mesh = mesh_of(trimesh.creation.box(bounds=((0, 0, 0), (9, 9, 0.72))))
    good = "".join(f"G1 Z{z}\nG1 X9 Y{z} E1\n" for z in (0.24, 0.48, 0.72))
    assert_layers(good, mesh, 0.24)
    faults = {
        "first": good.replace("0.24", "0.2"),
        "layers of": good.replace("0.48", "0.5"),
        "end at": good.partition("G1 Z0.48")[0],
    }
    for why, wrong in faults.items():
        with pytest.raises(AssertionError, match=why):
            assert_layers(wrong, mesh, 0.24)


def test_the_slicer_does_flag_an_overhang_and_our_bounds_check_can_fail(
    printer: Printer, tmp_path: Path
) -> None:
    assert slice_mesh(table(), tmp_path, "terrain", WITH_SUPPORTS).supported
    wide = trimesh.creation.box(bounds=((0, 0, 0), (178, 12, 2)))
    sliced = slice_mesh(mesh_of(wide), tmp_path, "terrain", centre="95,90")
    assert not sliced.inside(printer)


Laid = Callable[[str], list[list[Line]]]


@pytest.fixture(scope="module")
def laid(catalogue: Catalogue, printer: Printer, tmp_path_factory: pytest.TempPathFactory) -> Laid:
    """The lines of a piece, layer by layer; each is sliced once."""

    @cache
    def lines(key: str) -> list[list[Line]]:
        folder, way = tmp_path_factory.mktemp("laid"), WAY(catalogue[key].group).name
        return laid_lines(slice_prusa(build(catalogue[key], printer), folder, way))

    return lines


@pytest.mark.parametrize("key", ("block-1x1x1", "water") if not EXHAUSTIVE else CLICKS)
def test_sliced_click_equals_reported_click(
    key: str, catalogue: Catalogue, printer: Printer, laid: Laid
) -> None:
    """Lines are as wide as their filament says: the innermost bead against the widest head."""
    fit = fit_of(printer)
    piece = catalogue[key]
    click = click_of(piece, fit)
    assert click is not None
    above, below = laid(key), laid("block-1x1x1")
    # Middles of parts lie in the bed's; beads lie along y, a head's sides in mid-edge.
    middle_y = -fit.grid.pitch_mm / 2
    runs = {abs(y - middle_y) for _, y in click.places_mm}
    skirt = round(STANDARD.skirt_mm / LAYER_MM)
    upright = piece.pose == "upright"
    inner = min(
        near
        for number, layer in enumerate(above)
        if (number < skirt - 2 if upright else number >= len(above) - skirt + 2)
        for run in runs
        for near, _ in spans(layer, run)
    )
    face = max(far for layer in below[:4] for _, far in spans(layer, 0.0))
    assert face - inner == pytest.approx(click.click_mm, abs=0.02)


@pytest.mark.skipif(not EXHAUSTIVE, reason="slices four plates; set FORGE_EXHAUSTIVE=1")
def test_four_quadrants_and_sixty_blocks_stay_in_their_budget(
    catalogue: Catalogue, printer: Printer, tmp_path: Path
) -> None:
    block = build(catalogue["block-1x1x1"], printer)
    quadrant = slice_mesh(build(catalogue.quadrant, printer), tmp_path, "terrain")
    plates = [slice_mesh(plate_of([block] * n, 162, 3), tmp_path, "terrain") for n in (25, 10)]
    grams = 4 * quadrant.grams + 2 * plates[0].grams + plates[1].grams
    minutes = 4 * quadrant.minutes + 2 * plates[0].minutes + plates[1].minutes
    assert 4 * quadrant.grams <= 84
    assert 4 * quadrant.minutes <= 4 * 60
    assert grams <= 380
    assert minutes <= 13 * 60
    assert np.isfinite(grams)

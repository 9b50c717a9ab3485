"""Ranges of thicker layers: never in a joint, the same for all slicers, and what they lay."""

import io
import xml.etree.ElementTree as ET
import zipfile
from dataclasses import replace
from itertools import pairwise

import pytest

from falldamage_forge.builds.output_files import plate_contents
from falldamage_forge.builds.pipeline import PrintJob, assemble_parts
from falldamage_forge.export.bambu_project import write_projects
from falldamage_forge.export.threemf import (
    PRUSA_RANGES,
    STUDIO_RANGES,
    ModelInfo,
    write_plain,
    write_plate,
)
from falldamage_forge.geometry.baseplate import MOUTH_MM, POCKET_MM
from falldamage_forge.geometry.connector_standard import BULB, SHALLOW_BULB, STANDARD
from falldamage_forge.lengths import GRID, print_grid
from falldamage_forge.pieces.family_roles import (
    BASE_CORE_MM,
    DECK_MM,
    RING_CORE_MM,
    RING_MM,
    ROLES,
    SHELL_CORE_MM,
    SHELL_MM,
    role_of,
)
from falldamage_forge.presets import (
    load_catalogue,
    load_printer,
    load_process,
    names,
    slicer_files,
    slicer_settings,
)
from falldamage_forge.printing.estimate import grams, part_seconds, rates_of
from falldamage_forge.printing.estimate_model import LayerRange
from falldamage_forge.printing.gcode import read_layers
from falldamage_forge.printing.layer_ranges import layer_at, layer_ranges, layer_tops
from falldamage_forge.printing.prusaslicer import slice_plate
from tests.geometry.slicing import needs_slicer

PRINTER = load_printer("a1-mini")
STANDARD_LAYER_MM = PRINTER.process.terrain.layer_mm
GRIDS = [GRID, print_grid(25.4, 12.72), print_grid(25.4, 25.4), print_grid(40, 40.08)]
TALL = ["block-1x1x1", "block-l-2", "block-3x3x3", "step", "arch-1", "spire", "tree"]


@pytest.fixture(scope="module")
def job() -> PrintJob:
    counts = {"block-1x1x1": 1, "spire": 1, "tie": 1, "tree": 1}
    pieces = {key: load_catalogue()[key] for key in counts}
    return assemble_parts(counts, pieces, PRINTER)


def layers_of(height_mm: float, *ranges: LayerRange) -> tuple[float, ...]:
    first_mm = PRINTER.process.first_layer_mm
    return layer_tops(height_mm, first_mm, STANDARD_LAYER_MM, tuple(ranges))


def test_heights_of_joints_are_those_of_the_standard() -> None:
    assert SHELL_MM[0] >= max(STANDARD.fin_mm, STANDARD.pit_depth_mm)
    assert SHELL_MM[1] >= STANDARD.skirt_mm + STANDARD.seat_rise_mm
    assert DECK_MM[0] >= STANDARD.deck_mm
    assert RING_MM[0] >= STANDARD.skirt_mm + STANDARD.leg_free_mm


def test_cores_hold_what_clicks_hangs_and_rests() -> None:
    """Beads and seats lie in the skirt's height, keyholes and undercuts in the stud's."""
    keyhole_mm, shallow_mm = BULB[-1][0], SHALLOW_BULB[-1][0]
    assert SHELL_CORE_MM[0] >= max(STANDARD.pit_depth_mm, keyhole_mm)
    assert min(SHELL_CORE_MM[1], RING_CORE_MM[0]) >= STANDARD.skirt_mm > STANDARD.bead_high_mm
    assert BASE_CORE_MM[0] >= max(STANDARD.throat_depth_mm, shallow_mm)
    for role in ROLES.values():
        if role.core_mm and role.joints_mm:
            assert all(
                core <= whole for core, whole in zip(role.core_mm, role.joints_mm, strict=True)
            )


@pytest.mark.parametrize("grid", GRIDS, ids=lambda grid: f"{grid.pitch_mm:g}x{grid.rise_mm:g}")
def test_layers_of_joints_lie_where_they_lie_without_ranges(grid: object) -> None:
    found = 0
    for piece in load_catalogue(grid).pieces.values():  # type: ignore[arg-type]
        height_mm = piece.grid.height_mm(max(piece.levels, 1)) + STANDARD.skirt_mm
        ranges = layer_ranges(piece, height_mm, PRINTER.process)
        if not ranges:
            continue
        found += 1
        ((bottom_mm, top_mm, _),) = ranges
        low_mm, high_mm = role_of(piece.family).joints_mm or (height_mm, 0.0)
        assert low_mm <= bottom_mm < top_mm <= height_mm - high_mm + 1e-6
        plain, ranged = layers_of(height_mm), layers_of(height_mm, *ranges)
        outside = {top for top in plain if not bottom_mm < top < top_mm}
        assert outside == {top for top in ranged if not bottom_mm < top < top_mm}
        assert {bottom_mm, top_mm} <= outside
        assert len(plain) - len(ranged) == round((top_mm - bottom_mm) / 1.68)
    assert found > 10 or grid.rise_mm < 20  # type: ignore[attr-defined]


def test_parts_of_a_plate_share_the_layers_of_their_plain_walls() -> None:
    catalogue = load_catalogue()
    tops = []
    for key in TALL:
        (own,) = layer_ranges(catalogue[key], 61.44, PRINTER.process)
        tops.append({z for z in layers_of(61.44, own) if own.bottom_mm <= z <= own.top_mm})
    for one, other in pairwise(tops):
        both = max(min(one), min(other)), min(max(one), max(other))
        assert {z for z in one ^ other if both[0] <= z <= both[1]} == set()


@pytest.mark.parametrize("name", names("processes"))
def test_only_processes_with_another_layer_have_ranges(name: str) -> None:
    process, tree = load_process(name), load_catalogue()["tree"]
    (found,) = layer_ranges(tree, 61.44, process) or (None,)
    assert (found is None) == (process.figures.plain_layer_mm is None)
    thick_first = replace(process, first_layer_mm=0.28)
    assert layer_ranges(tree, 61.44, thick_first) == ()
    base = layer_ranges(load_catalogue()["quadrant"], STANDARD.base_mm, process)
    assert bool(base) == process.terrain.plain_slopes


def test_quick_prints_slopes_of_joints_in_thick_layers_and_nothing_that_clicks() -> None:
    quick, standard, found = load_process("quick"), load_process("standard"), 0
    for piece in load_catalogue().pieces.values():
        height_mm = piece.grid.height_mm(max(piece.levels, 1)) + STANDARD.skirt_mm
        wide, plain = (
            layer_ranges(piece, height_mm, quick),
            layer_ranges(piece, height_mm, standard),
        )
        if not plain:
            continue
        (own,), (usual,), role = wide, plain, role_of(piece.family)
        low_mm, high_mm = role.core_mm or role.joints_mm or (0.0, 0.0)
        assert low_mm <= own.bottom_mm and own.top_mm <= height_mm - high_mm + 1e-6
        if role.core_mm:
            found += 1
            assert own.bottom_mm < usual.bottom_mm and own.top_mm > usual.top_mm - 1.2
    assert found > 10


@pytest.mark.parametrize("held", ["6x2", "6x2-blocks"])
def test_pockets_of_magnets_keep_the_layers_of_joints(held: str) -> None:
    """They lie in a joint's ribs, as high as magnets are."""
    catalogue, quick = load_catalogue(), load_process("quick")
    base, block = (catalogue[key].holding(held) for key in ("quadrant", "block-1x1x1"))
    assert layer_ranges(base, 7.2, quick) == ()
    (own,) = layer_ranges(block, 31.44, quick)
    lower_mm = SHELL_MM[0] if block.magnets else SHELL_CORE_MM[0]
    assert own.bottom_mm >= lower_mm


def test_a_last_layer_is_laid_if_the_part_reaches_beyond_its_middle() -> None:
    assert [len(layers_of(z)) for z in (0.1, 0.24, 0.36, 0.37, 0.48)] == [1, 1, 1, 2, 2]
    own = LayerRange(0.48, 1.04, 0.28)
    assert layers_of(1.3, own) == (0.24, 0.48, 0.76, 1.04, 1.28)
    assert [layer_at(z, 0.24, [own]) for z in (0.47, 0.48, 1.03, 1.04)] == [0.24, 0.28, 0.28, 0.24]


def test_ranges_save_time_and_no_plastic(job: PrintJob) -> None:
    for key in ("block-1x1x1", "spire", "tree"):
        shape, rates = job.shapes[key], rates_of(PRINTER, job.pieces[key].group)
        without = replace(shape, ranges=())
        # The slicer finds 0.90; the model is cautious: it lets the flow limit each thick line.
        assert 0.84 < part_seconds(shape, rates) / part_seconds(without, rates) < 0.99
        assert grams(shape, rates) == pytest.approx(grams(without, rates), rel=0.02)


def ranges_in(data: bytes, member: str) -> dict[str, list[dict[str, str]]]:
    """Numbers of the ranges of each object of a 3MF, by its name."""
    package = zipfile.ZipFile(io.BytesIO(data))
    model = ET.fromstring(package.read("3D/3dmodel.model"))
    keys = [each.get("name") or "" for each in model.iter() if each.tag.endswith("}object")]
    order = [each.get("objectid") for each in model.iter() if each.tag.endswith("}item")]
    numbers = [each.get("id") for each in model.iter() if each.tag.endswith("}object")]
    assert [*dict.fromkeys(order)] == numbers, "both ways to count objects are the same"
    return {
        keys[int(each.get("id", "0")) - 1]: [
            {**own.attrib, **{str(o.get("opt_key")): str(o.text) for o in own}} for own in each
        ]
        for each in ET.fromstring(package.read(member)).iter("object")
    }


def test_all_files_hold_the_same_ranges(job: PrintJob) -> None:
    stuff = plate_contents(job)
    want = {
        key: [{
            "min_z": f"{own.bottom_mm:g}",
            "max_z": f"{own.top_mm:g}",
            "extruder": "0",
            "layer_height": f"{own.layer_mm:g}",
        }]
        for key, shape in job.shapes.items()
        for own in shape.ranges
    }  # fmt: skip
    assert want.keys() == {"block-1x1x1", "spire", "tree"}
    (project,) = write_projects(ModelInfo("it"), job.plates, stuff, PRINTER)
    plain = write_plain(ModelInfo("it"), job.plates, stuff, PRINTER)
    assert ranges_in(project, STUDIO_RANGES) == want
    assert ranges_in(plain, STUDIO_RANGES) == ranges_in(plain, PRUSA_RANGES) == want
    held: dict[str, list[dict[str, str]]] = {}
    for plate in job.plates:
        data = write_plate(plate, stuff)
        if PRUSA_RANGES in zipfile.ZipFile(io.BytesIO(data)).namelist():
            held |= ranges_in(data, PRUSA_RANGES)
        else:
            assert not want.keys() & plate.counts().keys()
    assert held == want


@needs_slicer
@pytest.mark.slicer
def test_prusaslicer_lays_the_layers_that_were_planned(job: PrintJob) -> None:
    """A block and a spire on one plate, each with its own range."""
    stuff = plate_contents(job)
    plate = next(plate for plate in job.plates if "spire" in plate.counts())
    gcode = slice_plate(write_plate(plate, stuff), slicer_files(PRINTER, plate.group))
    layers = read_layers(gcode, slicer_settings(PRINTER, plate.group))
    want = {
        round(top, 2)
        for key in plate.counts()
        for top in layers_of(job.sizes[key].measure.size_mm[2], *job.shapes[key].ranges)
    }
    assert {round(layer.top_mm, 2) for layer in layers} == want
    (block,), (spire,) = (job.shapes[key].ranges for key in ("block-1x1x1", "spire"))
    tops = [0.0, *sorted(want)]
    both = [b - a for a, b in pairwise(tops) if spire.bottom_mm <= a < block.top_mm]
    assert {round(high, 2) for high in both} == {0.28}
    joints = [b - a for a, b in pairwise(tops) if b <= block.bottom_mm]
    assert {round(high, 2) for high in joints} == {0.24}


@needs_slicer
@pytest.mark.slicer
def test_every_copy_of_a_part_has_its_ranges() -> None:
    """PrusaSlicer splits the objects of files of others into one for each copy, without ranges."""
    catalogue = load_catalogue()
    copies = assemble_parts({"block-1x1x1": 3}, {"block-1x1x1": catalogue["block-1x1x1"]}, PRINTER)
    (plate,) = copies.plates
    gcode = slice_plate(write_plate(plate, plate_contents(copies)), slicer_files(PRINTER, "stone"))
    (shape,) = copies.shapes.values()
    want = {round(top, 2) for top in layers_of(shape.height_mm, *shape.ranges)}
    layers = read_layers(gcode, slicer_settings(PRINTER, "stone"))
    assert {round(layer.top_mm, 2) for layer in layers} == want


@pytest.mark.parametrize("name", names("processes"))
def test_ties_lie_free_in_their_pockets_as_layers_are_laid(name: str) -> None:
    """Base and tie are printed in different layers; each pocket is higher than its tie."""
    process, high_mm = load_process(name), STANDARD.base_mm
    ranges = layer_ranges(load_catalogue()["quadrant"], high_mm, process)
    tops = layer_tops(high_mm, process.first_layer_mm, process.terrain.layer_mm, ranges)

    def open_mm(drawn_mm: float) -> float:
        """Height from the foot of what a slicer leaves open of a pocket: it lies foot up."""
        closed = [
            top for low, top in pairwise((0.0, *tops)) if (low + top) / 2 < high_mm - drawn_mm
        ]
        return high_mm - closed[-1]

    assert tops[-1] == pytest.approx(high_mm)
    for tie_mm, drawn_mm in (
        (STANDARD.tie_neck_height_mm, MOUTH_MM),
        (STANDARD.tie_mm, POCKET_MM),
    ):
        assert tie_mm + 0.07 <= open_mm(drawn_mm) <= tie_mm + 0.4

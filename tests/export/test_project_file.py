"""The project for Bambu Studio and OrcaSlicer, judged by the facts of docs/project-file.md."""

import io
import json
import zipfile
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from PIL import Image

from falldamage_forge import presets
from falldamage_forge.builds.pipeline import BuildOptions, assemble_parts, build_map
from falldamage_forge.export.bambu_project import (
    MAX_PLATES,
    PROJECT_VERSION,
    process_preset,
    write_projects,
)
from falldamage_forge.export.plate_thumbnails import PIXELS, SMALL_PIXELS, ThumbnailRenderer
from falldamage_forge.export.threemf import ModelInfo
from falldamage_forge.presets import load_catalogue, load_printer, load_process, names
from falldamage_forge.printing.printer import Printer
from tests.amount import some
from tests.export.test_threemf import built, entries, read_strictly, stuff_of
from tests.pieces.maps import MAPS, layout_of

PRINTERS = [name for name in names("printers") if load_printer(name).studio]
SYSTEM_PROCESSES = {
    "a1-mini": "0.24mm Draft @BBL A1M",
    "a1": "0.24mm Draft @BBL A1",
    "p1s": "0.24mm Draft @BBL X1C",
}
WIDE_PROCESSES = {
    "a1-mini": "0.24mm Optimal @BBL A1M 0.6 nozzle",
    "a1": "0.24mm Optimal @BBL A1 0.6 nozzle",
    "p1s": "0.24mm Standard @BBL X1C 0.6 nozzle",
}


def system_process(printer: Printer) -> str:
    """The process of the programs that a printer's nozzle has."""
    known = WIDE_PROCESSES if printer.nozzle_mm == 0.6 else SYSTEM_PROCESSES
    return known[printer.name]


PROCESS_KEYS = {
    "layer_height",
    "initial_layer_print_height",
    "elefant_foot_compensation",
    "wall_generator",
    "infill_direction",
    "initial_layer_acceleration",
    # of economy
    "min_bead_width",
    "outer_wall_line_width",
    "internal_solid_infill_line_width",
    "top_surface_line_width",
    "initial_layer_line_width",
    "top_shell_layers",
    "top_shell_thickness",
    "bottom_shell_layers",
    # of quick
    "wall_loops",
    "wall_transition_filter_deviation",
    "wall_transition_angle",
    # of tops in a colour of their own
    "enable_prime_tower",
    # of dice
    "sparse_infill_density",
    "sparse_infill_pattern",
}
PROJECT_KEYS = PROCESS_KEYS | set(
    """from name version printer_technology printer_settings_id print_settings_id
    filament_settings_id filament_ids filament_colour filament_type filament_diameter filament_map
    printer_model printer_variant nozzle_diameter extruder_type printable_area
    printable_height curr_bed_type different_settings_to_system wipe_tower_x wipe_tower_y""".split()
)
OBJECT_KEYS = PROCESS_KEYS | {"name", "extruder"}
PLATE_KEYS = {"plater_id", "plater_name", "locked", "thumbnail_file"}


def set_up(name: str, process: str) -> Printer:
    return presets.set_up(load_printer(name), process)


Parts = list[tuple[str, np.ndarray]]


def judge(data: bytes, printer: Printer, parts: Parts | None = None) -> list[str]:
    """What a reader would trip over; empty for a good file. `parts` as they were read before."""
    faults = []
    package = zipfile.ZipFile(io.BytesIO(data))
    settings = json.loads(package.read("Metadata/project_settings.config"))
    config = ET.fromstring(package.read("Metadata/model_settings.config"))
    parts = parts or read_strictly(data)[0]
    filaments = len(settings["filament_colour"])
    for key, value in settings.items():
        texts = value if isinstance(value, list) else [value]
        if key not in PROJECT_KEYS:
            faults.append(f"{key} is not known")
        if not all(isinstance(text, str) for text in texts) or not texts:
            faults.append(f"{key} is not text")
        if key.startswith("filament_") and len(value) != filaments:
            faults.append(f"{key} is not one a filament")
    for key in ("printer_settings_id", "print_settings_id", "printable_area", "curr_bed_type"):
        if not settings.get(key):
            faults.append(f"{key} is missing")
    different = settings["different_settings_to_system"]
    if len(different) != filaments + 2:
        faults.append("different_settings_to_system is not process, filaments, printer")
    if any(key not in settings for key in different[0].split(";") if key):
        faults.append("a key is said to be different and has no value")
    faults += judge_plates(config, parts, printer, filaments, package)
    return faults


def judge_plates(
    config: ET.Element,
    parts: list[tuple[str, np.ndarray]],
    printer: Printer,
    filaments: int,
    package: zipfile.ZipFile,
) -> list[str]:
    faults = []
    for each in config.iter("object"):
        said = entries(each)
        if set(said) - OBJECT_KEYS:
            faults.append(f"object keys {set(said) - OBJECT_KEYS}")
        if not said["name"] or not 1 <= int(said["extruder"]) <= filaments:
            faults.append(f"{said}: no name, or a filament that is not there")
    plates = list(config.iter("plate"))
    if [entries(plate).get("plater_id") for plate in plates] != [
        str(number + 1) for number in range(len(plates))
    ]:
        faults.append("plates are not counted 1 to n")
    columns = int(np.ceil(np.sqrt(len(plates))))
    left = list(parts)
    for number, plate in enumerate(plates):
        said = entries(plate)
        if set(said) != PLATE_KEYS:
            faults.append(f"plate keys {set(said)}")
        if said.get("locked") != "false":
            faults.append("a plate is locked: readers do not arrange it anew")
        width, depth = printer.bed_mm
        corner = (number % columns * width * 1.2, -(number // columns) * depth * 1.2)
        for _ in plate.findall("model_instance"):
            name, corners = left.pop(0)
            inside = corners[:, :2] - corner
            if inside.min() < 0 or (inside.max(axis=0) > printer.bed_mm).any():
                faults.append(f"{name} is not on plate {number + 1}")
        for path, side in (
            (said["thumbnail_file"], PIXELS),
            (said["thumbnail_file"].replace(".png", "_small.png"), SMALL_PIXELS),
        ):
            picture = Image.open(io.BytesIO(package.read(path)))
            if picture.size != (side, side) or picture.format != "PNG":
                faults.append(f"{path} is {picture.size}")
    if left:
        faults.append("parts stand on no plate")
    return faults


PAIRS = [(name, process) for name in PRINTERS for process in names("processes")]


@pytest.mark.parametrize(("name", "process"), some(PAIRS, 3))
def test_project_has_entries_that_readers_need(name: str, process: str) -> None:
    printer = set_up(name, process)
    build = build_map(layout_of(MAPS[0]), load_catalogue(), printer)
    (data,) = write_projects(ModelInfo("it"), build.plates, stuff_of(build), printer)
    assert judge(data, printer) == []
    settings = json.loads(
        zipfile.ZipFile(io.BytesIO(data)).read("Metadata/project_settings.config")
    )
    assert settings["printer_settings_id"] == f"{printer.title} {printer.nozzle_mm:g} nozzle"
    assert settings["print_settings_id"] == system_process(printer)
    different = settings["different_settings_to_system"][0].split(";")
    assert "initial_layer_print_height" in different
    assert {"wall_generator", "infill_direction"} <= set(different)
    assert ("outer_wall_line_width" in different) == (process in {"economy", "quick"})
    assert ("elefant_foot_compensation" in different) == (name != "a1-mini")
    assert settings["elefant_foot_compensation"] == "0"


def test_the_judge_can_fail() -> None:
    build, printer = built(MAPS[0]), load_printer("a1-mini")
    (data,) = write_projects(ModelInfo("it"), build.plates, stuff_of(build), printer)

    parts, _ = read_strictly(data)
    assert judge(data, printer, parts) == []
    small = zipfile.ZipFile(io.BytesIO(data)).read("Metadata/plate_1_small.png")
    project, model = "Metadata/project_settings.config", "Metadata/model_settings.config"
    for path, old, new in (
        (project, b'"layer_height"', b'"layer_hight"'),
        (project, b'"0.24"', b"0.24"),
        (project, b'"GFA00",', b""),
        (project, b"0.24mm Draft @BBL A1M", b""),
        (model, b'key="plater_id" value="2"', b'key="plater_id" value="4"'),
        (model, b'key="extruder" value="3"', b'key="extruder" value="33"'),
        (model, b'key="locked"', b'key="lokked"'),
        (model, b'key="locked" value="false"', b'key="locked" value="no"'),
        ("Metadata/plate_1.png", None, small),
    ):
        assert judge(changed(data, path, old, new), printer, parts), (path, old)


def changed(data: bytes, path: str, old: bytes | None, new: bytes) -> bytes:
    """The file with one member's text replaced, or all of it."""
    package, stream = zipfile.ZipFile(io.BytesIO(data)), io.BytesIO()
    with zipfile.ZipFile(stream, "w") as made:
        for name in package.namelist():
            content = package.read(name)
            if name == path:
                assert old is None or old in content
                content = new if old is None else content.replace(old, new)
            made.writestr(name, content)
    return stream.getvalue()


def test_project_has_process_layers_and_figure_overrides() -> None:
    for process in names("processes"):
        printer = set_up("a1-mini", process)
        build = build_map(layout_of("duel"), load_catalogue(), printer)
        (data,) = write_projects(ModelInfo("it"), build.plates, stuff_of(build), printer)
        package = zipfile.ZipFile(io.BytesIO(data))
        settings = json.loads(package.read("Metadata/project_settings.config"))
        assert settings["layer_height"] == f"{printer.process.terrain.layer_mm:g}"
        assert settings["initial_layer_print_height"] == f"{printer.process.first_layer_mm:g}"
        config = ET.fromstring(package.read("Metadata/model_settings.config"))
        for each in config.iter("object"):
            said = entries(each)
            group = build.pieces[said["name"]].group
            layer_mm = printer.process.way(group).layer_mm
            other = layer_mm != printer.process.terrain.layer_mm
            own = {"layer_height": f"{layer_mm:g}"} if other else {}
            usual = printer.process.terrain.studio
            words = printer.process.way(group).studio
            own |= {key: words[key] for key in words if usual.get(key) != words[key]}
            assert {key: said[key] for key in said if key in PROCESS_KEYS} == own


@pytest.mark.parametrize("name", names("processes"))
def test_project_prints_dice_and_nothing_else_solid(name: str) -> None:
    printer, counts = set_up("a1-mini", name), {"die": 2, "coin": 1}
    pieces = {key: load_catalogue()[key] for key in counts}
    build = assemble_parts(counts, pieces, printer)
    (data,) = write_projects(ModelInfo("it"), build.plates, stuff_of(build), printer)
    package = zipfile.ZipFile(io.BytesIO(data))
    config = ET.fromstring(package.read("Metadata/model_settings.config"))
    dense = {
        said["name"]: said.get("sparse_infill_density")
        for said in map(entries, config.iter("object"))
    }
    assert dense == {"die": "100%", "coin": None}
    assert b"infill_density" not in package.read("Metadata/project_settings.config")
    assert sorted(plate.group for plate in build.plates) == ["die", "marker"]


def test_colours_that_share_a_plate_keep_their_filaments() -> None:
    printer = load_printer("a1-mini")
    options = BuildOptions(share_g=30)
    build = build_map(layout_of("duel"), load_catalogue(), printer, options=options)
    shared = [plate for plate in build.plates if "+" in plate.group]
    assert shared
    for plate in shared:
        held = {build.pieces[key].group for key in plate.counts()}
        assert held == set(plate.group.split("+")), "no colour lies on two shared plates"
    assert len({build.pieces[key].group for plate in shared for key in plate.counts()}) > 1
    assert all("tree" not in plate.group for plate in shared)
    (data,) = write_projects(ModelInfo("it"), build.plates, stuff_of(build), printer)
    assert judge(data, printer) == []
    settings = json.loads(
        zipfile.ZipFile(io.BytesIO(data)).read("Metadata/project_settings.config")
    )
    towers = zip(settings["wipe_tower_x"], settings["wipe_tower_y"], strict=True)
    for plate, place in zip(build.plates, towers, strict=True):
        x_mm, y_mm = map(float, place)
        assert 3 <= x_mm <= 180 - 38 and 3 <= y_mm <= 180 - 38, "the brim too is on the bed"
        for left, front, wide, deep in (box for slot in plate.slots for box in slot.boxes()):
            apart = x_mm + 38 <= left or left + wide + 3 <= x_mm
            apart |= y_mm + 38 <= front or front + deep + 3 <= y_mm
            assert apart or plate not in shared, "a tower stands beside the parts"


def test_plates_of_one_colour_have_no_tower() -> None:
    build, printer = built("duel"), load_printer("a1-mini")
    (data,) = write_projects(ModelInfo("it"), build.plates, stuff_of(build), printer)
    settings = zipfile.ZipFile(io.BytesIO(data)).read("Metadata/project_settings.config")
    assert b"wipe_tower" not in settings


def test_a_printer_without_system_presets_gets_no_project() -> None:
    build = built(MAPS[0])
    assert (
        write_projects(ModelInfo("it"), build.plates, stuff_of(build), load_printer("ender-3"))
        == []
    )
    with pytest.raises(ValueError, match="no presets"):
        process_preset(load_printer("ender-3"), load_process("standard").terrain)


@pytest.mark.parametrize("name", PRINTERS)
def test_presets_to_import_are_the_systems_with_what_is_different(name: str) -> None:
    for process in names("processes"):
        printer = set_up(name, process)
        for way in printer.process.ways():
            title, data = process_preset(printer, way)
            preset = json.loads(data)
            assert preset["name"] == preset["print_settings_id"] == title
            system = system_process(printer)
            assert preset["inherits"] == system
            assert title.partition("@")[2] == system.partition("@")[2]
            assert (preset["from"], preset["version"]) == ("User", PROJECT_VERSION)
            assert all(isinstance(value, str) for value in preset.values())
            keys = set(preset) & PROCESS_KEYS
            assert "initial_layer_print_height" in keys
            layer_mm, of_all_mm = way.layer_mm, printer.process.terrain.layer_mm
            assert ("layer_height" in keys) == (layer_mm != of_all_mm)


def test_pictures_show_every_part_and_are_always_the_same() -> None:
    build, printer = built("duel"), load_printer("a1-mini")
    pictures = ThumbnailRenderer(stuff_of(build), printer)
    for plate in build.plates:
        large, small = pictures.of(plate)
        assert (large, small) == ThumbnailRenderer(stuff_of(build), printer).of(plate)
        drawn = np.asarray(Image.open(io.BytesIO(large)).convert("RGB")).astype(int)
        scale = (PIXELS - 20) / 180
        for slot in plate.slots:
            x = round(10 + (slot.x_mm + slot.width_mm / 2) * scale)
            y = round(PIXELS - 10 - (slot.y_mm + slot.depth_mm / 2) * scale)
            half_x, half_y = slot.width_mm * scale / 2 - 2, slot.depth_mm * scale / 2 - 2
            cut = drawn[int(y - half_y) : int(y + half_y), int(x - half_x) : int(x + half_x)]
            # The parts of these tests are grey of 0x80, the bed is lighter.
            assert (cut.max(axis=2) < 0xC0).mean() > 0.3, slot.key


def test_more_plates_than_a_project_holds_make_another() -> None:
    build = built(MAPS[0])
    many = build.plates * (MAX_PLATES // len(build.plates) + 1)
    projects = write_projects(ModelInfo("many"), many, stuff_of(build), load_printer("a1-mini"))
    assert len(projects) == 2
    assert write_projects(ModelInfo("none"), [], stuff_of(build), load_printer("a1-mini")) == []

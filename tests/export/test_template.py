"""A project that the user saved is a template: its settings, for other filaments and plates."""

import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falldamage_forge.export.bambu_project import print_mode_settings, write_projects
from falldamage_forge.export.project_template import (
    MAX_FILAMENTS,
    NEEDED,
    SETTINGS,
    ProjectTemplate,
    project_keys,
    read_template,
    template_settings,
)
from falldamage_forge.export.threemf import MODEL, ModelInfo
from falldamage_forge.issues import ForgeError
from falldamage_forge.presets import load_printer
from tests.cli.running import small_map, typed
from tests.export.acceptance import Opened, opened
from tests.export.saved_project import (
    NEVER_STRETCHED,
    PRINTER,
    PRIVATE,
    SAVED_BY,
    Settings,
    saved,
    saved_settings,
)
from tests.export.test_threemf import built, read_strictly, stuff_of
from tests.pieces.maps import MAPS


def template(settings: object = None) -> ProjectTemplate:
    return read_template(saved(settings), "saved.3mf", PRINTER)


PROCESS = print_mode_settings(PRINTER.process.terrain, PRINTER.process)


@given(st.integers(1, 9), st.integers(1, 3), st.integers(1, 16), st.integers(1, 36))
def test_each_list_has_the_length_of_its_meaning(
    filaments: int, variants: int, wanted: int, plates: int
) -> None:
    before = saved_settings(filaments, variants)
    colours = [f"#0000{n:02X}" for n in range(wanted)]
    made = template_settings(template(before), colours, plates, PROCESS)
    keys = project_keys()
    lengths = {
        **dict.fromkeys(keys["filament"] | keys["always"].keys(), wanted),
        **dict.fromkeys(keys["variant"] | {"filament_self_index"}, wanted * variants),
        **dict.fromkeys(keys["even"], wanted * 3),
        **dict.fromkeys(keys["plate"], plates),
        **dict.fromkeys(keys["preset"], wanted + 2),
    }
    assert {key: len(made[key]) for key in lengths} == lengths
    assert made["filament_colour"] == made["filament_multi_colour"] == colours
    for kind, block in (("filament", 1), ("variant", variants), ("even", 3)):
        for key in keys[kind]:
            assert made[key] == before[key][:block] * wanted, "the first filament's, repeated"
    assert {key: made[key] for key in NEVER_STRETCHED} == NEVER_STRETCHED
    assert all(made[key] == ("2" if wanted > 1 else "0") for key in keys["number"])
    assert not {"flush_volumes_matrix", "flush_volumes_vector", "a_number"} & made.keys()
    assert opened(SAVED_BY, made) == Opened("project")


def test_the_settings_are_the_users_and_the_process_is_ours() -> None:
    made = template_settings(template(), ["#000000"], 1, PROCESS)
    assert made["sparse_infill_density"] == "33%"
    assert made["outer_wall_speed"] == ["77"]
    assert made["printer_settings_id"] == "My A1 mini"
    assert made["filament_type"] == ["PETG"]
    assert made["layer_height"] == "0.24"
    different = made["different_settings_to_system"][0].split(";")
    assert set(different) == {"sparse_infill_density", *PROCESS}


def test_private_keys_are_dropped_everywhere() -> None:
    own = json.dumps({"name": "My process", **PRIVATE}).encode()
    member = "Metadata/machine_settings_1.config"
    data = saved(None, **{member: own, "Metadata/slice_info.config": b"secret"})
    read = read_template(data, "saved.3mf", PRINTER)
    assert set(read.presets) == {member}
    assert json.loads(read.presets[member]) == {"name": "My process"}
    (written,) = projects(read)
    for name in written.namelist():
        if name.endswith(".config"):
            text = written.read(name).decode()
            assert not [key for key in (*PRIVATE, "secret", "10.0.0.7") if key in text], name


def projects(read: ProjectTemplate, printer: str = "a1-mini") -> list[zipfile.ZipFile]:
    build = built(MAPS[0])
    files = write_projects(
        ModelInfo("it"), build.plates, stuff_of(build), load_printer(printer), None, read
    )
    assert all(read_strictly(data, names_only=True) for data in files)
    return [zipfile.ZipFile(io.BytesIO(data)) for data in files]


def test_a_project_of_a_template_is_opened_whole() -> None:
    (package,) = projects(template())
    settings = json.loads(package.read(SETTINGS))
    assert f'"Application">{SAVED_BY}<' in package.read(MODEL).decode()
    assert opened(SAVED_BY, settings) == Opened("project")
    groups = {piece.group for piece in built(MAPS[0]).pieces.values()}
    assert len(settings["filament_colour"]) == len(groups)
    assert len(settings["wipe_tower_x"]) == len(built(MAPS[0]).plates)


def test_our_own_project_as_a_template_changes_nothing() -> None:
    build = built(MAPS[0])
    (data,) = write_projects(ModelInfo("it"), build.plates, stuff_of(build), PRINTER)
    before = json.loads(zipfile.ZipFile(io.BytesIO(data)).read(SETTINGS))
    (package,) = projects(read_template(data, "project.3mf", PRINTER))
    after = json.loads(package.read(SETTINGS))
    listed = "different_settings_to_system"
    assert {**after, listed: before[listed]} == before
    assert set(before[listed][0].split(";")) <= set(after[listed][0].split(";"))


def test_a_printer_without_presets_gets_a_project_from_a_template() -> None:
    printer = load_printer("ender-3")
    width, depth = printer.bed_mm
    area = ["0x0", f"{width:g}x0", f"{width:g}x{depth:g}", f"0x{depth:g}"]
    settings = {**saved_settings(), "printer_model": "Creality Ender-3", "printable_area": area}
    read = read_template(saved(settings, "OrcaSlicer-2.3.2"), "saved.3mf", printer)
    (package,) = projects(read, "ender-3")
    assert json.loads(package.read(SETTINGS))["printer_model"] == "Creality Ender-3"


def without(key: str) -> bytes:
    return saved({name: value for name, value in saved_settings().items() if name != key})


def having(**values: Any) -> bytes:
    return saved({**saved_settings(), **values})


@cache
def bomb() -> bytes:
    return saved(None, **{SETTINGS: b"[" + b" " * 50_000_000 + b"]"})


def many_members() -> bytes:
    return saved(None, **{f"Metadata/{n}.png": b"" for n in range(5000)})


BAD: dict[str, tuple[Callable[[], bytes], str]] = {
    "empty": (lambda: b"", "not a valid zip file"),
    "no zip": (lambda: b"forge 1\n", "not a valid zip file"),
    "cut off": (lambda: saved()[:-200], "not a valid zip file"),
    "bomb": (bomb, "unpacks to more than"),
    "many members": (many_members, "5002 members"),
    "unsafe name": (lambda: saved(None, **{"../../x": b""}), "a member is called"),
    "plain": (lambda: saved(None, "FallDamage Forge 1.0"), "neither Bambu Studio nor OrcaSlicer"),
    "PrusaSlicer": (lambda: saved(None, "PrusaSlicer-2.9.4"), "neither Bambu Studio nor"),
    "wrong version": (lambda: saved(None, "BambuStudio-two"), "neither Bambu Studio nor"),
    "no settings": (lambda: saved(None, **{SETTINGS: b""}), "is not JSON"),
    "deep": (lambda: saved(None, **{SETTINGS: b"[" * 100_000 + b"1"}), "Metadata/project_settings"),
    "a list": (lambda: saved([1]), "not a JSON object"),
    "10,000 filaments": (
        lambda: having(filament_colour=[f"#{n:06X}" for n in range(10_000)]),
        f"10000 filaments, at most {MAX_FILAMENTS}",
    ),
    "no filament": (lambda: having(filament_colour=[]), "no valid `filament_colour`"),
    "a text of filaments": (lambda: having(filament_colour="#FF0000"), "`filament_colour`"),
    "a list as name": (lambda: having(name=["x"]), "no valid `name`"),
    "another printer": (lambda: having(printer_model="Bambu Lab A1"), "`Bambu Lab A1`, not"),
    "another bed": (
        lambda: having(printable_area=["0x0", "256x0", "256x256", "0x256"]),
        "its bed is 256 x 256 mm, that of Bambu Lab A1 mini 180 x 180 mm",
    ),
    "no corners": (lambda: having(printable_area=["0", "nan"]), "not a list of corners"),
    "no numbers": (lambda: having(printable_area=["axb"]), "its bed is"),
    "another nozzle": (lambda: having(nozzle_diameter=["0.6"]), "its nozzle is not of 0.4 mm"),
    "no nozzle": (lambda: having(nozzle_diameter=["wide"]), "its nozzle is not of 0.4 mm"),
    **{f"no {key}": (lambda key=key: without(key), f"`{key}`") for key in NEEDED},  # type: ignore[misc]
}


@pytest.mark.parametrize(("make", "why"), BAD.values(), ids=BAD)
def test_a_file_that_cannot_be_a_template_is_refused(make: Callable[[], bytes], why: str) -> None:
    with pytest.raises(ForgeError, match="FDF464") as refused:
        read_template(make(), "saved.3mf", PRINTER)
    (issue,) = refused.value.issues
    assert why in issue.message
    assert issue.hint


@given(st.data())
def test_a_damaged_project_is_read_or_refused(data: st.DataObject) -> None:
    whole = bytearray(saved())
    for _ in range(data.draw(st.integers(1, 4))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    codes: list[str] = []
    try:
        read_template(bytes(whole), "saved.3mf", PRINTER)
    except ForgeError as refused:
        codes = [issue.code for issue in refused.issues]
    assert codes in ([], ["FDF464"])


def test_the_command_stores_a_project_and_builds_take_its_settings(tmp_path: Path) -> None:
    home = {"FDFORGE_CONFIG_DIR": str(tmp_path / "config")}
    file = tmp_path / "saved.3mf"
    file.write_bytes(saved())
    run = typed("printer", "use", "--project", "saved.3mf", cwd=tmp_path, **home)
    assert run.returncode == 0, run.stderr
    assert SAVED_BY in run.stdout
    assert str(file) in typed("printer", "list", **home).stdout
    map_ = small_map(tmp_path / "small.forge")

    def built_with(name: str, *words: str) -> Settings:
        run = typed("build", map_, "--no-pictures", "-o", tmp_path / name, *words, **home)
        assert run.returncode == 0, run.stderr
        package = zipfile.ZipFile(tmp_path / name / "project.3mf")
        settings: Settings = json.loads(package.read(SETTINGS))
        return settings

    assert built_with("own")["sparse_infill_density"] == "33%"
    assert "sparse_infill_density" not in built_with("other", "--printer", "p1s")
    file.write_bytes(saved()[:500])
    run = typed("build", map_, "--no-pictures", "-o", tmp_path / "cut", **home)
    assert run.returncode == 1
    assert "FDF464" in run.stderr
    assert not (tmp_path / "cut").exists()
    file.unlink()
    run = typed("build", map_, "--no-pictures", "-o", tmp_path / "gone", **home)
    assert run.returncode == 1
    assert "fdforge printer use --project FILE" in run.stderr
    assert typed("printer", "use", "a1-mini", **home).returncode == 0
    assert "sparse_infill_density" not in built_with("forgotten")


def test_a_project_that_is_refused_is_not_stored(tmp_path: Path) -> None:
    home = {"FDFORGE_CONFIG_DIR": str(tmp_path / "config")}
    (tmp_path / "saved.3mf").write_bytes(saved())
    run = typed("printer", "use", "p1s", "--project", tmp_path / "saved.3mf", **home)
    assert run.returncode == 1
    assert "`Bambu Lab A1 mini`, not `Bambu Lab P1S`" in run.stderr
    assert not (tmp_path / "config").exists()


def test_a_template_of_another_nozzle_is_refused_for_a_printer_of_the_same_name() -> None:
    with pytest.raises(ForgeError, match="nozzle"):
        read_template(saved(), "saved.3mf", replace(PRINTER, nozzle_mm=0.25))

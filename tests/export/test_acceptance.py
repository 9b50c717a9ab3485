"""The project opens as a project, by the program's own order of reading; each wrong key is seen."""

import io
import json
import re
import zipfile
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from falldamage_forge.export.bambu_project import write_projects
from falldamage_forge.export.threemf import ModelInfo
from falldamage_forge.presets import load_printer, names
from tests.export.acceptance import PER_FILAMENT, Opened, opened
from tests.export.test_threemf import built, stuff_of
from tests.pieces.maps import MAPS

Settings = dict[str, Any]
OURS = "BambuStudio-02.00.00.00"
A1 = "Bambu Lab A1 mini"
FULL = ["printer_settings_id", "print_settings_id", "filament_settings_id", "filament_colour"]


@cache
def project(printer: str = "a1-mini") -> tuple[str, str]:
    """The application and the settings' text of our file."""
    build = built(MAPS[0])
    (data,) = write_projects(ModelInfo("it"), build.plates, stuff_of(build), load_printer(printer))
    package = zipfile.ZipFile(io.BytesIO(data))
    model = package.read("3D/3dmodel.model").decode()
    application = re.search(r'"Application">([^<]*)<', model)
    assert application
    return application[1], package.read("Metadata/project_settings.config").decode()


def ours() -> Settings:
    settings: Settings = json.loads(project()[1])
    return settings


@pytest.mark.parametrize("name", [n for n in names("printers") if load_printer(n).studio])
def test_our_project_opens_whole(name: str) -> None:
    application, text = project(name)
    assert application == OURS
    assert opened(application, json.loads(text)) == Opened("project")


def keys(*wanted: str, **values: Any) -> Callable[[Settings], Settings]:
    """Settings with some of our keys, and further values; no map is built to collect the tests."""
    return lambda whole: {**{key: whole[key] for key in wanted}, **values}


MEASURED: list[tuple[str, Callable[[Settings], Settings] | None, str]] = [
    # Lists of keys that users of the program measured or shipped, and how it opened them.
    ("filament keys only", keys("filament_colour", "filament_type"), "geometry"),
    ("palette and tower", keys("filament_colour", wipe_tower_x=["15"]), "geometry"),
    ("no settings", None, "geometry"),
    ("14 keys with presets", keys(*FULL, "printer_model", "nozzle_diameter"), "project"),
    ("presets by name, no gate", keys(*FULL), "geometry"),
    ("12 keys of a shipped tool", keys(*FULL, "printer_model", "filament_type"), "project"),
    ("empty colours", keys("printer_model", filament_colour=[]), "nothing"),
    ("numbers for texts", keys(printer_model=A1, version=2), "geometry"),
    ("three keys", keys("filament_colour", "version", "name"), "geometry"),
]


@pytest.mark.parametrize(("what", "settings", "kind"), MEASURED, ids=[row[0] for row in MEASURED])
def test_the_reader_agrees_with_measurements(
    what: str, settings: Callable[[Settings], Settings] | None, kind: str
) -> None:
    assert opened(OURS, settings and settings(ours())).kind == kind


GATE = {"printer_model": A1, "nozzle_diameter": ["0.4"], "extruder_type": ["Direct Drive"]}


@pytest.mark.parametrize("model", [A1, "Voron", None])
@pytest.mark.parametrize("nozzles", [None, ["0.4"], ["0.4", "0.4"]])
@pytest.mark.parametrize("types", [None, ["Direct Drive"], ["Bowden"] * 2])
def test_the_gate_wants_the_vendors_printer_or_a_type_for_each_nozzle(
    model: str | None, nozzles: list[str] | None, types: list[str] | None
) -> None:
    values = {"printer_model": model, "nozzle_diameter": nozzles, "extruder_type": types}
    settings = {key: value for key, value in ours().items() if key not in GATE}
    settings |= {key: value for key, value in values.items() if value is not None}
    typed = nozzles is not None and types is not None and len(types) == len(nozzles)
    wanted = "project" if model == A1 or typed else "geometry"
    assert opened(OURS, settings).kind == wanted


def without(key: str) -> Callable[[Settings], Settings]:
    return lambda settings: {name: value for name, value in settings.items() if name != key}


def having(**values: Any) -> Callable[[Settings], Settings]:
    return lambda settings: {**settings, **values}


HEAD = ("version", "name", "from")
MUTATIONS: list[tuple[str, Callable[[Settings], Settings], str, set[str]]] = [
    *((f"no {key}", without(key), "project", {key}) for key in PER_FILAMENT),
    *((f"one {key}", having(**{key: ["x"]}), "project", {key}) for key in PER_FILAMENT),
    *((f"{key} as a number", having(**{key: [1]}), "project", {key}) for key in PER_FILAMENT),
    ("no colours", without("filament_colour"), "project", {"colours", *PER_FILAMENT, "changes"}),
    ("empty colours", having(filament_colour=[]), "nothing", set()),
    ("no printer preset", without("printer_settings_id"), "project", {"start code"}),
    ("empty printer preset", having(printer_settings_id=""), "project", {"start code"}),
    ("no process preset", without("print_settings_id"), "project", {"process"}),
    ("empty process preset", having(print_settings_id=""), "project", {"process"}),
    ("one diameter", having(filament_diameter=["1.75"]), "project", {"filaments"}),
    ("no bed", without("curr_bed_type"), "project", {"bed"}),
    ("no differences", without("different_settings_to_system"), "project", {"changes"}),
    ("one difference", having(different_settings_to_system=[""]), "project", {"changes"}),
    ("a number as version", having(version=2), "geometry", set()),
    ("a number as name", having(name=1), "geometry", set()),
    ("a list as origin", having(**{"from": ["project"]}), "geometry", set()),
    ("variants without their lists", having(extruder_variant_list=["x"]), "nothing", set()),
    *((f"no text as {key}", having(**{key: None}), "geometry", set()) for key in HEAD),
    *((f"{key} of another", having(**{key: ["x"] * 9}), "project", {key}) for key in PER_FILAMENT),
    ("no diameter", without("filament_diameter"), "project", {"filaments"}),
    ("diameters as numbers", having(filament_diameter=[1.75] * 9), "project", {"filaments"}),
    ("a number as printer preset", having(printer_settings_id=1), "project", {"start code"}),
    ("a number as process preset", having(print_settings_id=1), "project", {"process"}),
    ("a number as bed", having(curr_bed_type=1), "project", {"bed"}),
]


@pytest.mark.parametrize(
    ("what", "mutate", "kind", "lost"), MUTATIONS, ids=[row[0] for row in MUTATIONS]
)
def test_each_wrong_key_is_seen(
    what: str, mutate: Callable[[Settings], Settings], kind: str, lost: set[str]
) -> None:
    found = opened(OURS, mutate(ours()))
    assert (found.kind, set(found.lost)) == (kind, lost)


@pytest.mark.parametrize(
    ("application", "kind"),
    [
        ("FallDamage Forge 1.0", "geometry"),
        ("OrcaSlicer-2.3.2", "geometry"),
        ("PrusaSlicer-2.9", "geometry"),
        ("BambuStudio-", "nothing"),
        ("BambuStudio-two", "nothing"),
        ("BambuStudio-02.08.02.61", "project"),
    ],
)
def test_the_application_decides_who_is_heard(application: str, kind: str) -> None:
    assert opened(application, ours()).kind == kind


def test_a_newer_version_opens_with_a_dialog() -> None:
    assert opened("BambuStudio-09.00.00.00", ours()) == Opened("project", frozenset({"silence"}))

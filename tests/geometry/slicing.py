"""Driving PrusaSlicer and CuraEngine: a mesh in, what its G-code really does out."""

from __future__ import annotations

import math
import os
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from falldamage_forge import presets
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.infra import presets_folder
from falldamage_forge.infra.lazy_dataclass import FrozenDict
from falldamage_forge.printing.printer import Printer
from falldamage_forge.printing.slicer_settings import differing_settings, told_settings
from tests.cli.running import run

from .conftest import stl_bytes

NAMES = ("prusa-slicer", "PrusaSlicer", "prusa-slicer-console")
WORD = re.compile(r"([XYZE])(-?[\d.]+)")
EXECUTABLE = next(filter(None, map(shutil.which, NAMES)), None)
needs_slicer = pytest.mark.skipif(EXECUTABLE is None, reason="PrusaSlicer is not installed")
CURA = shutil.which("CuraEngine")
CURA_TABLES = Path(os.environ.get("CURA_RESOURCES", "/usr/share/cura/resources"))
"""Where the package `cura` puts the definitions that CuraEngine cannot do without."""
needs_cura = pytest.mark.skipif(
    CURA is None or not (CURA_TABLES / "definitions").is_dir(),
    reason="CuraEngine or its definitions are not installed",
)
ANGLE_DEG = 40
"""Supports may be laid below this slope, from the horizontal."""
TERRAIN_MM = presets.load_process("standard").terrain.layer_mm
CURA_SAYS = {
    "machine_width": 220,
    "machine_depth": 220,
    "machine_height": 220,
    "machine_center_is_zero": "false",
    "center_object": "true",
    "adhesion_type": "none",
    "layer_height": TERRAIN_MM,
    "layer_height_0": TERRAIN_MM,
    "line_width": 0.42,
    "wall_line_width_0": 0.42,
    "wall_line_width_x": 0.42,
    "wall_line_count": 2,
    "top_layers": 4,
    "bottom_layers": 3,
    "support_enable": "true",
    "support_type": "everywhere",
    "support_angle": 90 - ANGLE_DEG,
}
"""Terrain's settings; CuraEngine counts overhangs from upright. The bed holds every piece."""
STRAND_MM = 1.75
CURA_ROLL = {"material_diameter": STRAND_MM}
"""Settings of the extruder; CuraEngine's own filament is 2.85 mm thick."""
WITH_SUPPORTS = ("--support-material", "--support-material-threshold", f"{ANGLE_DEG}")
ALLOWED = {"support_material": "1", "support_material_threshold": f"{ANGLE_DEG}"}
"""The settings of `WITH_SUPPORTS`."""


@dataclass(frozen=True)
class Sliced:
    """What a slicer made: whether it needed supports, and the bounds of what it extrudes."""

    grams: float
    minutes: float
    supported: bool
    low_mm: tuple[float, float, float]
    high_mm: tuple[float, float, float]

    def inside(self, printer: Printer) -> bool:
        """Whether every extrusion lies on the bed and below the printer's height."""
        return (
            min(self.low_mm) >= 0
            and self.high_mm[0] <= printer.bed_mm[0]
            and self.high_mm[1] <= printer.bed_mm[1]
            and self.high_mm[2] <= printer.height_mm
        )


def slice_mesh(
    mesh: Mesh,
    folder: Path,
    process: str,
    extra: Sequence[str] = (),
    centre: str = "90,90",
    machine: str = "a1-mini",
) -> Sliced:
    """Slice one part (or a plate as one mesh) on a printer's bed."""
    return read_gcode(slice_prusa(mesh, folder, process, extra, centre, machine))


def slice_prusa(
    mesh: Mesh,
    folder: Path,
    process: str,
    extra: Sequence[str] = (),
    centre: str = "90,90",
    machine: str = "a1-mini",
) -> str:
    """PrusaSlicer's G-code of one part (or a plate as one mesh) on a printer's bed.

    The exit code of the slicer is no check, so the G-code is read; what it was sliced with is what
    was asked, or this fails.
    """
    assert EXECUTABLE is not None
    part, out = folder / "part.stl", folder / "out.gcode"
    part.write_bytes(stl_bytes(mesh))
    settings = presets_folder.root() / "slicer"
    ways = {way.name: way for way in presets.load_process("standard").ways()}
    loads = [f"--load={settings / name}.ini" for name in (machine, *ways[process].settings)]
    command = [EXECUTABLE, "--export-gcode", *loads, "--center", centre, *extra]
    done = run([*command, "-o", out, part])
    assert done.returncode == 0, done.stderr[-500:]
    text = out.read_text(encoding="utf-8")
    supports = WITH_SUPPORTS[0] in extra
    asked = {
        "layer_height": ways[process].layer_mm,
        "first_layer_height": presets.load_process("standard").first_layer_mm,
        "filament_diameter": STRAND_MM,
        **(ALLOWED if supports else {"support_material": 0}),
    }
    assert_asked(asked, told_settings(text))
    assert_layers(text, mesh, ways[process].layer_mm)
    return text


def cura_supports(
    mesh: Mesh, folder: Path, changed: Mapping[str, float | str] = FrozenDict()
) -> float:
    """How many mm of support lines CuraEngine, allowed to, lays for a part."""
    return support_mm(slice_cura(mesh, folder, changed=changed))


def cura_lines(fit: DesignParameters) -> dict[str, float | str]:
    """CuraEngine's settings for the lines of a printer; it lays single ones if it fills gaps."""
    single = {"wall_line_count": 1, "fill_outline_gaps": "true"} if fit.one_line else {}
    return {name: fit.line_mm for name in CURA_SAYS if "line_width" in name} | single


def slice_cura(
    mesh: Mesh,
    folder: Path,
    words: Sequence[str] | None = None,
    changed: Mapping[str, float | str] = FrozenDict(),
) -> str:
    """CuraEngine's G-code of a part; what it was sliced with is what was asked, or this fails.

    `words` are its settings, by default those of `cura_words()` but for the `changed` ones.
    """
    assert CURA is not None
    part, out = folder / "part.stl", folder / "cura.gcode"
    part.write_bytes(stl_bytes(mesh))
    tables = CURA_TABLES / "definitions"
    command = [CURA, "slice", "-v", "-j", str(tables / "fdmprinter.def.json")]
    search = f"{tables}{os.pathsep}{CURA_TABLES / 'extruders'}"
    done = run(
        [*command, *(words or cura_words(changed)), "-l", part, "-o", out],
        env={**os.environ, "CURA_ENGINE_SEARCH_PATH": search},
        errors="replace",
    )
    assert done.returncode == 0, done.stderr[-500:]
    whole, extruder = cura_settings(done.stderr)
    asked = CURA_SAYS | {**changed}
    assert_asked(asked, whole)
    assert_asked(CURA_ROLL, extruder)
    assert_asked({key: asked[key] for key in asked.keys() & extruder.keys()}, extruder)
    text = out.read_text("utf-8", errors="replace")
    assert ";TYPE:WALL-OUTER" in text
    assert_layers(text, mesh, TERRAIN_MM)
    return text


def cura_words(changed: Mapping[str, float | str] = CURA_SAYS) -> list[str]:
    """Settings of the whole print, and only then the extruder's own: after `-e0` `-s` is its."""
    return [*_cura_options(CURA_SAYS | {**changed}), "-e0", *_cura_options(CURA_ROLL)]


def _cura_options(settings: Mapping[str, float | str]) -> list[str]:
    return [word for key, value in settings.items() for word in ("-s", f"{key}={value}")]


def cura_settings(reply: str) -> tuple[dict[str, str], dict[str, str]]:
    """The settings that CuraEngine says it works with: of the whole print, of the extruder alone.

    It writes them as words of a command: `-s key="value"`, extruders after `-e0`, groups of meshes
    after `-g`.
    """
    whole, _, extruder = reply.partition(" -g ")[0].partition(" -e0 ")
    first, second = (
        dict(re.findall(r'-s (\w+)="(.*?)"', part, re.S)) for part in (whole, extruder)
    )
    return first, second


def assert_asked(asked: Mapping[str, float | str], told: Mapping[str, str]) -> None:
    """AssertionError unless a slicer works with the very settings it was asked for."""
    wrong = list(differing_settings({key: f"{value}" for key, value in asked.items()}, told))
    assert not wrong, wrong


def layer_tops(text: str) -> list[float]:
    """Heights at which the part is laid, from below; supports may have layers of their own."""
    z, found, support = 0.0, set(), False
    for line in text.splitlines():
        if line.startswith(";TYPE:"):
            support = line[6:].lower().startswith("support")
        elif line.startswith(("G1 ", "G0 ")):
            words = dict(WORD.findall(line.split(";")[0]))
            z = float(words.get("Z", z))
            if float(words.get("E", 0)) > 0 and ("X" in words or "Y" in words) and not support:
                found.add(round(z, 3))
    return sorted(found)


def assert_layers(text: str, mesh: Mesh, layer_mm: float, first_mm: float = 0.24) -> None:
    """AssertionError unless each layer is as high as it was asked, all the way up the part."""
    tops = layer_tops(text)
    steps = {round(after - before, 3) for before, after in pairwise(tops)}
    assert abs(tops[0] - first_mm) < 1e-3, f"the first layer is {tops[0]} mm"
    assert steps <= {round(layer_mm, 3)}, f"layers of {sorted(steps)} mm, not {layer_mm}"
    top = mesh.bounds_mm()[1][2]
    assert abs(tops[-1] - top) < layer_mm, f"layers end at {tops[-1]} of {top} mm"


def support_mm(text: str) -> float:
    """How long CuraEngine's lines of support are."""
    kind, place, total, last = "", (0.0, 0.0), 0.0, 0.0
    for line in text.splitlines():
        if line.startswith(";TYPE:"):
            kind = line[6:].strip()
        elif line.startswith(("G0 ", "G1 ", "G92 ")):
            words = {axis: float(value) for axis, value in WORD.findall(line.split(";")[0])}
            after = (words.get("X", place[0]), words.get("Y", place[1]))
            if kind.startswith("SUPPORT") and words.get("E", last) > last:
                total += math.dist(place, after)
            place, last = after, words.get("E", last)
    return total


def read_gcode(text: str) -> Sliced:
    """Grams, minutes, supports and the bounds of every move that extrudes."""
    grams = re.search(r"^; filament used \[g\] = ([\d.]+)", text, re.M)
    time = re.search(r"^; estimated printing time \(normal mode\) = (.+)$", text, re.M)
    assert grams
    assert time
    units = {"d": 1440.0, "h": 60.0, "m": 1.0, "s": 1 / 60}
    minutes = sum(int(count) * units[unit] for count, unit in re.findall(r"(\d+)([dhms])", time[1]))
    low, high = _bounds(text)
    supported = ";TYPE:Support material" in text
    return Sliced(float(grams[1]), minutes, supported, low, high)


def _bounds(
    text: str,
) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    place = {"X": 0.0, "Y": 0.0, "Z": 0.0}
    points = []
    for line in text.splitlines():
        if not line.startswith(("G1 ", "G0 ")):
            continue
        words = dict(WORD.findall(line.split(";")[0]))
        before = (place["X"], place["Y"], place["Z"])
        place.update({axis: float(value) for axis, value in words.items() if axis in place})
        if float(words.get("E", 0)) > 0 and ("X" in words or "Y" in words):
            points += [before, (place["X"], place["Y"], place["Z"])]
    found = np.array(points)
    low, high = found.min(axis=0), found.max(axis=0)
    return (low[0], low[1], low[2]), (high[0], high[1], high[2])


def plate_of(meshes: Sequence[Mesh], width_mm: float, gap_mm: float = 4.0) -> Mesh:
    """Meshes laid in rows from the left, as one mesh."""
    vertices, faces = [], []
    x = y = deep = 0.0
    count = 0
    for mesh in meshes:
        low, high = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)
        size = high - low
        if x and x + size[0] > width_mm:
            x, y, deep = 0.0, y + deep + gap_mm, 0.0
        vertices.append(mesh.vertices - low + np.array([x, y, 0], np.float32))
        faces.append(mesh.faces + count)
        count += len(mesh.vertices)
        x += size[0] + gap_mm
        deep = max(deep, float(size[1]))
    return Mesh(np.concatenate(vertices).astype(np.float32), np.concatenate(faces).astype(np.int32))

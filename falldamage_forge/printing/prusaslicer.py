"""PrusaSlicer as an external process: slice a plate, and read grams, minutes and features.

`fdforge build --slicer` and the fit of the estimate use it.
"""

from __future__ import annotations

import math
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import ForgeError, Issue
from falldamage_forge.printing.estimate_model import PrintStatistics
from falldamage_forge.printing.printer import Printer

NAMES = ("prusa-slicer", "PrusaSlicer", "prusa-slicer-console")
MAX_SECONDS = 600
AS_LAID = "--dont-arrange"
"""Option that keeps parts where their file has them.

Without it the command line arranges them again, 6 mm apart, and refuses a plate without that room.
"""
_MINUTES = {"d": 1440.0, "h": 60.0, "m": 1.0, "s": 1 / 60}
_WORD = re.compile(r"([XYZEF])(-?[\d.]+)")
MOVING = "moving"
"""Feature name of travel moves and retractions."""
LINES = ("External perimeter", "Perimeter", "Overhang perimeter", "Thin wall", "Gap fill")
"""Features that are lines, not skins."""
BEND_DEG = 20.0
"""Smaller bends hardly slow a nozzle down."""
OVERHEAD = "Custom"
"""The slicer's feature name of the printer's start and end code."""


def find_slicer(option: str = "--slicer") -> str:
    """Return the slicer's executable.

    Args:
        option: Option of the command that needs it, for the hint.

    Raises:
        ForgeError: (FDF470) If PrusaSlicer is not installed.
    """
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        raise _refuse(
            "FDF470",
            "PrusaSlicer is not installed, so it cannot slice",
            f"run `apt-get install prusa-slicer`, or omit `{option}`",
        )
    return path


def plate_command(settings: Sequence[str], plate: str, gcode: str) -> list[str]:
    """Return the options and files that slice a plate with its parts where they lie.

    Args:
        settings: Paths of slicer profiles, loaded in order.
        plate: Path of the plate, an STL or 3MF file.
        gcode: Path of the G-code to write.
    """
    loads = [word for path in settings for word in ("--load", path)]
    return ["--export-gcode", AS_LAID, *loads, "-o", gcode, plate]


def slice_plate(data: bytes, settings: Sequence[Path]) -> str:
    """Return the G-code of a plate whose parts stay where they lie.

    Args:
        data: Bytes of a 3MF file.
        settings: Slicer profiles, loaded in order.

    Raises:
        ForgeError: (FDF470) If PrusaSlicer is not installed; (FDF471) if it rejects the file or
            takes more than `MAX_SECONDS`.
    """
    with tempfile.TemporaryDirectory() as folder:
        part, out = Path(folder, "plate.3mf"), Path(folder, "plate.gcode")
        part.write_bytes(data)
        return _sliced(plate_command([str(path) for path in settings], str(part), str(out)), out)


def slice_file(
    data: bytes,
    suffix: str,
    settings: Sequence[Path],
    printer: Printer,
    options: Sequence[str] = (),
) -> str:
    """Return the G-code of a part in the middle of a bed.

    The slicer's exit code alone is no proof of success: read the extrusion.

    Args:
        data: Bytes of an STL or 3MF file.
        suffix: `.stl` or `.3mf`.
        settings: Slicer profiles, loaded in order.
        printer: Gives the bed's centre.
        options: Further options of the command line.

    Raises:
        ForgeError: (FDF470) If PrusaSlicer is not installed; (FDF471) if it rejects the file or
            takes more than `MAX_SECONDS`.
    """
    centre = f"{printer.bed_mm[0] / 2:g},{printer.bed_mm[1] / 2:g}"
    with tempfile.TemporaryDirectory() as folder:
        part, out = Path(folder, f"part{suffix}"), Path(folder, "part.gcode")
        part.write_bytes(data)
        words = ["--export-gcode", *(f"--load={path}" for path in settings)]
        return _sliced([*words, "--center", centre, *options, "-o", str(out), str(part)], out)


def _sliced(words: Sequence[str], out: Path) -> str:
    """Run PrusaSlicer and return the G-code that it writes."""
    try:
        run = subprocess.run(
            [find_slicer(), *words],
            capture_output=True,
            text=True,
            check=False,
            timeout=MAX_SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise _refuse("FDF471", f"PrusaSlicer took more than {MAX_SECONDS} s") from None
    if run.returncode or not out.is_file():
        lines = (run.stderr or run.stdout).strip().splitlines()
        raise _refuse("FDF471", f"PrusaSlicer refused a plate: {lines[-1] if lines else '?'}")
    return out.read_text(encoding="utf-8", errors="replace")


def read_figures(gcode: str) -> PrintStatistics:
    """Return grams and minutes from the comments at the end of G-code.

    Raises:
        ForgeError: (FDF471) If the comments are missing.
    """
    weights = re.findall(r"^; filament used \[g\] = ([\d., ]+)", gcode, re.M)
    time = re.search(r"^; estimated printing time \(normal mode\) = (.+)$", gcode, re.M)
    if not weights or time is None:
        raise _refuse("FDF471", "the G-code has no comments on filament and time")
    grams = sum(float(word) for word in weights[-1].split(","))
    minutes = sum(
        int(count) * _MINUTES[unit] for count, unit in re.findall(r"(\d+)([dhms])", time[1])
    )
    return PrintStatistics(grams, minutes)


def plate_figures(gcode: str, first_layer_mm_s: float) -> PrintStatistics:
    """Return grams and minutes of a plate whose first layer's lines have their own speed.

    PrusaSlicer has one speed for a whole first layer, which suits its skins.

    Args:
        gcode: G-code of the plate.
        first_layer_mm_s: Maximum speed of lines in the first layer.
    """
    read = read_figures(gcode)
    return PrintStatistics(read.grams, read.minutes + slow_lines_s(gcode, first_layer_mm_s) / 60)


def slow_lines_s(gcode: str, speed_mm_s: float) -> float:
    """Return the extra seconds of a first layer whose lines are no faster than `speed_mm_s`.

    A nozzle stops at corners, so each straight or gently bent run starts and ends at rest.

    Args:
        gcode: G-code of PrusaSlicer, with its settings.
        speed_mm_s: Greatest speed of a first layer's lines, in mm/s.
    """
    setting = re.search(r"^; first_layer_acceleration = ([\d.]+)", gcode, re.M)
    slope = float(setting[1]) if setting and float(setting[1]) > 0 else math.inf
    first = gcode.split(";LAYER_CHANGE")[1:2]
    return sum(
        _line_s(length_mm, speed_mm_s, slope) - _line_s(length_mm, faster, slope)
        for length_mm, faster in _runs("".join(first))
        if faster > speed_mm_s
    )


def gcode_commands(gcode: str) -> Iterator[tuple[str, dict[str, float], float]]:
    """Yield (feature, words by letter, speed in mm/s) of each command that moves the head."""
    kind, speed = OVERHEAD, 1.0
    for line in gcode.splitlines():
        if line.startswith(";TYPE:"):
            kind = line[6:].strip()
        if not line.startswith(("G1 ", "G0 ")):
            continue
        words = {axis: float(value) for axis, value in _WORD.findall(line.split(";")[0])}
        speed = max(words.get("F", speed * 60) / 60, 0.1)
        yield kind, words, speed


def _runs(gcode: str) -> Iterator[tuple[float, float]]:
    """Yield (length in mm, speed in mm/s) of lines between corners of more than `BEND_DEG`."""
    place, direction, length, speed = (0.0, 0.0), (0.0, 0.0), 0.0, 1.0
    for kind, words, faster in gcode_commands(gcode):
        before = speed
        after = (words.get("X", place[0]), words.get("Y", place[1]))
        step = math.dist(place, after)
        if not step:
            speed = faster
            continue
        ahead = ((after[0] - place[0]) / step, (after[1] - place[1]) / step)
        laid = kind in LINES and words.get("E", 0.0) > 0
        bent = direction[0] * ahead[0] + direction[1] * ahead[1] < math.cos(math.radians(BEND_DEG))
        if length and (not laid or bent):
            yield length, before
            length = 0.0
        length += step if laid else 0.0
        place, direction, speed = after, ahead, faster
    if length:
        yield length, speed


def _line_s(length_mm: float, speed_mm_s: float, slope_mm_s2: float) -> float:
    """Return the seconds of a line that starts and ends at rest."""
    if length_mm >= speed_mm_s**2 / slope_mm_s2:
        return length_mm / speed_mm_s + speed_mm_s / slope_mm_s2
    return 2 * math.sqrt(length_mm / slope_mm_s2)


@dataclass(slots=True)
class _FeatureSum:
    filament_mm: float = 0.0
    seconds: float = 0.0


def read_features(gcode: str) -> dict[str, PrintStatistics]:
    """Return filament and time by feature of the G-code.

    Filament is that of the lines. A move takes its length divided by its speed; the rest of the
    file's time is distributed in proportion, so that both add up to its totals.
    """
    whole = read_figures(gcode)
    sums: dict[str, _FeatureSum] = {}
    for kind, length_mm, filament_mm, speed_mm_s in _moves(gcode):
        total = sums.setdefault(kind, _FeatureSum())
        total.filament_mm += filament_mm
        total.seconds += length_mm / speed_mm_s
    filament_mm = sum(total.filament_mm for total in sums.values()) or 1.0
    seconds = sum(total.seconds for total in sums.values()) or 1.0
    return {
        kind: PrintStatistics(
            whole.grams * total.filament_mm / filament_mm, whole.minutes * total.seconds / seconds
        )
        for kind, total in sums.items()
    }


def _moves(gcode: str) -> Iterator[tuple[str, float, float, float]]:
    """Yield (feature, length in mm, filament in mm, speed in mm/s) of moves; relative extrusion."""
    place = {"X": 0.0, "Y": 0.0, "Z": 0.0}
    for kind, words, speed in gcode_commands(gcode):
        after = {axis: words.get(axis, place[axis]) for axis in place}
        length = math.dist(tuple(place.values()), tuple(after.values()))
        place, filament = after, words.get("E", 0.0)
        if filament > 0 and length > 0:
            yield kind, length, filament, speed
        elif length > 0 or filament:
            yield MOVING, length or abs(filament), 0.0, speed


def add_features(many: Sequence[Mapping[str, PrintStatistics]]) -> dict[str, PrintStatistics]:
    """Return the features of several plates added up, most filament first, then most time."""
    kinds = {kind for features in many for kind in features}
    none = PrintStatistics(0.0, 0.0)
    total = {
        kind: PrintStatistics(
            sum(features.get(kind, none).grams for features in many),
            sum(features.get(kind, none).minutes for features in many),
        )
        for kind in kinds
    }
    return dict(sorted(total.items(), key=lambda it: (-it[1].grams, -it[1].minutes, it[0])))


def _refuse(code: str, message: str, hint: str | None = None) -> ForgeError:
    return ForgeError([Issue(code, "error", message, hint=hint)])

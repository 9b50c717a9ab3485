"""PrusaSlicer as an outside measure: a plate's file in; its grams, minutes and features out."""

from __future__ import annotations

import math
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from falldamage_forge.issues import ForgeError, Issue
from falldamage_forge.printing.estimate import Figures
from falldamage_forge.printing.printer import Printer

NAMES = ("prusa-slicer", "PrusaSlicer", "prusa-slicer-console")
MAX_SECONDS = 600
_MINUTES = {"d": 1440.0, "h": 60.0, "m": 1.0, "s": 1 / 60}
_WORD = re.compile(r"([XYZEF])(-?[\d.]+)")
MOVING = "moving"
"""The feature of moves that lay nothing, with retractions."""
LINES = ("External perimeter", "Perimeter", "Overhang perimeter", "Thin wall", "Gap fill")
"""Features that are lines, not skins."""
BEND_DEG = 20.0
"""Round smaller corners a nozzle does not slow down much."""
OVERHEAD = "Custom"
"""What a slicer calls the printer's own start and end."""


def find_slicer() -> str:
    """The slicer's executable; ForgeError (FDF470) when there is none."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        raise _refuse(
            "FDF470",
            "PrusaSlicer is not installed, so its figures cannot be had",
            "`apt-get install prusa-slicer`, or leave `--slicer` away for estimates",
        )
    return found


def slice_file(data: bytes, suffix: str, settings: Sequence[Path], printer: Printer) -> str:
    """The G-code of a file's bytes under settings loaded one after another.

    ForgeError (FDF471) when the slicer refuses the file or takes too long. Its exit code alone is
    no proof: read what it extrudes.
    """
    slicer = find_slicer()
    centre = f"{printer.bed_mm[0] / 2:g},{printer.bed_mm[1] / 2:g}"
    with tempfile.TemporaryDirectory() as folder:
        part, out = Path(folder, f"plate{suffix}"), Path(folder, "plate.gcode")
        part.write_bytes(data)
        words = [slicer, "--export-gcode", *(f"--load={path}" for path in settings)]
        words += ["--center", centre, "-o", str(out), str(part)]
        try:
            run = subprocess.run(
                words, capture_output=True, text=True, check=False, timeout=MAX_SECONDS
            )
        except subprocess.TimeoutExpired:
            raise _refuse("FDF471", f"PrusaSlicer took more than {MAX_SECONDS} s") from None
        if run.returncode or not out.is_file():
            words = (run.stderr or run.stdout).strip().splitlines()
            raise _refuse("FDF471", f"PrusaSlicer refused a plate: {words[-1] if words else '?'}")
        return out.read_text(encoding="utf-8", errors="replace")


def read_figures(gcode: str) -> Figures:
    """Grams and minutes from a G-code's closing comments; ForgeError (FDF471) without them."""
    weights = re.findall(r"^; filament used \[g\] = ([\d., ]+)", gcode, re.M)
    time = re.search(r"^; estimated printing time \(normal mode\) = (.+)$", gcode, re.M)
    if not weights or time is None:
        raise _refuse("FDF471", "the G-code says neither grams nor time")
    grams = sum(float(word) for word in weights[-1].split(","))
    minutes = sum(
        int(count) * _MINUTES[unit] for count, unit in re.findall(r"(\d+)([dhms])", time[1])
    )
    return Figures(grams, minutes)


def plate_figures(gcode: str, first_layer_mm_s: float) -> Figures:
    """Grams and minutes of a plate whose first layer's lines are laid at a speed of their own.

    PrusaSlicer knows one share of speed for a whole first layer, which is right for its skins.
    """
    found = read_figures(gcode)
    return Figures(found.grams, found.minutes + slow_lines_s(gcode, first_layer_mm_s) / 60)


def slow_lines_s(gcode: str, speed_mm_s: float) -> float:
    """How much longer the first layer takes when its lines are no faster than a speed.

    A nozzle stops at corners, so each straight or gently bent run starts and ends at rest.
    """
    told = re.search(r"^; first_layer_acceleration = ([\d.]+)", gcode, re.M)
    slope = float(told[1]) if told and float(told[1]) > 0 else math.inf
    first = gcode.split(";LAYER_CHANGE")[1:2]
    return sum(
        _line_s(length_mm, speed_mm_s, slope) - _line_s(length_mm, faster, slope)
        for length_mm, faster in _runs("".join(first))
        if faster > speed_mm_s
    )


def _commands(gcode: str) -> Iterator[tuple[str, dict[str, float], float]]:
    """(feature, words by letter, speed in mm/s) of each command that moves the head."""
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
    """(length in mm, speed in mm/s) of lines between corners of more than `BEND_DEG`."""
    place, way, length, speed = (0.0, 0.0), (0.0, 0.0), 0.0, 1.0
    for kind, words, faster in _commands(gcode):
        before = speed
        after = (words.get("X", place[0]), words.get("Y", place[1]))
        step = math.dist(place, after)
        if not step:
            speed = faster
            continue
        ahead = ((after[0] - place[0]) / step, (after[1] - place[1]) / step)
        laid = kind in LINES and words.get("E", 0.0) > 0
        bent = way[0] * ahead[0] + way[1] * ahead[1] < math.cos(math.radians(BEND_DEG))
        if length and (not laid or bent):
            yield length, before
            length = 0.0
        length += step if laid else 0.0
        place, way, speed = after, ahead, faster
    if length:
        yield length, speed


def _line_s(length_mm: float, speed_mm_s: float, slope_mm_s2: float) -> float:
    """What a line takes from a stop to a stop."""
    if length_mm >= speed_mm_s**2 / slope_mm_s2:
        return length_mm / speed_mm_s + speed_mm_s / slope_mm_s2
    return 2 * math.sqrt(length_mm / slope_mm_s2)


@dataclass(slots=True)
class _Sum:
    filament_mm: float = 0.0
    seconds: float = 0.0


def read_features(gcode: str) -> dict[str, Figures]:
    """Where plastic and minutes go: figures by what the slicer calls a line, and by moving.

    Filament is that of the lines themselves. A move takes its length at its speed; what starting
    and stopping adds is shared out in proportion, so that both add up to the file's own figures.
    """
    whole = read_figures(gcode)
    sums: dict[str, _Sum] = {}
    for kind, length_mm, filament_mm, speed_mm_s in _moves(gcode):
        one = sums.setdefault(kind, _Sum())
        one.filament_mm += filament_mm
        one.seconds += length_mm / speed_mm_s
    filament_mm = sum(one.filament_mm for one in sums.values()) or 1.0
    seconds = sum(one.seconds for one in sums.values()) or 1.0
    return {
        kind: Figures(
            whole.grams * one.filament_mm / filament_mm, whole.minutes * one.seconds / seconds
        )
        for kind, one in sums.items()
    }


def _moves(gcode: str) -> Iterator[tuple[str, float, float, float]]:
    """(feature, length in mm, filament in mm, speed in mm/s) of each move; relative extrusion."""
    place = {"X": 0.0, "Y": 0.0, "Z": 0.0}
    for kind, words, speed in _commands(gcode):
        after = {axis: words.get(axis, place[axis]) for axis in place}
        length = math.dist(tuple(place.values()), tuple(after.values()))
        place, filament = after, words.get("E", 0.0)
        if filament > 0 and length > 0:
            yield kind, length, filament, speed
        elif length > 0 or filament:
            yield MOVING, length or abs(filament), 0.0, speed


def add_features(many: Sequence[Mapping[str, Figures]]) -> dict[str, Figures]:
    """The features of several plates together, most plastic first, then most time."""
    kinds = {kind for features in many for kind in features}
    none = Figures(0.0, 0.0)
    total = {
        kind: Figures(
            sum(features.get(kind, none).grams for features in many),
            sum(features.get(kind, none).minutes for features in many),
        )
        for kind in kinds
    }
    return dict(sorted(total.items(), key=lambda it: (-it[1].grams, -it[1].minutes, it[0])))


def _refuse(code: str, message: str, hint: str | None = None) -> ForgeError:
    return ForgeError([Issue(code, "error", message, hint=hint)])

"""PrusaSlicer as an outside measure: a plate's file in, its grams and minutes out."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from falldamage_forge.cli.common import refuse
from falldamage_forge.printing.estimate import Figures
from falldamage_forge.printing.printer import Printer

NAMES = ("prusa-slicer", "PrusaSlicer", "prusa-slicer-console")
MAX_SECONDS = 600
_MINUTES = {"d": 1440.0, "h": 60.0, "m": 1.0, "s": 1 / 60}


def find_slicer() -> str:
    """The slicer's executable; ForgeError (FDF470) when there is none."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        raise refuse(
            "FDF470",
            "PrusaSlicer is not installed, so its figures cannot be had",
            "`apt-get install prusa-slicer`, or leave `--slicer` away for estimates",
        )
    return found


def slice_file(data: bytes, suffix: str, printer: Printer, process: str) -> str:
    """The G-code of a file's bytes under our recommended settings.

    ForgeError (FDF471) when the slicer refuses the file, takes too long or has no settings for the
    printer. Its exit code alone is no proof: read what it extrudes.
    """
    from falldamage_forge import presets

    slicer = find_slicer()
    settings = presets.root() / "slicer"
    loads = [settings / f"{name}.ini" for name in (printer.settings or printer.name, process)]
    for path in loads:
        if not path.is_file():
            raise refuse("FDF471", f"there are no slicer settings called `{path.stem}`")
    centre = f"{printer.bed_mm[0] / 2:g},{printer.bed_mm[1] / 2:g}"
    with tempfile.TemporaryDirectory() as folder:
        part, out = Path(folder, f"plate{suffix}"), Path(folder, "plate.gcode")
        part.write_bytes(data)
        words = [slicer, "--export-gcode", *(f"--load={path}" for path in loads)]
        words += ["--center", centre, "-o", str(out), str(part)]
        try:
            run = subprocess.run(
                words, capture_output=True, text=True, check=False, timeout=MAX_SECONDS
            )
        except subprocess.TimeoutExpired:
            raise refuse("FDF471", f"PrusaSlicer took more than {MAX_SECONDS} s") from None
        if run.returncode or not out.is_file():
            words = (run.stderr or run.stdout).strip().splitlines()
            raise refuse("FDF471", f"PrusaSlicer refused a plate: {words[-1] if words else '?'}")
        return out.read_text(encoding="utf-8", errors="replace")


def read_figures(gcode: str) -> Figures:
    """Grams and minutes from a G-code's closing comments; ForgeError (FDF471) without them."""
    weights = re.findall(r"^; filament used \[g\] = ([\d., ]+)", gcode, re.M)
    time = re.search(r"^; estimated printing time \(normal mode\) = (.+)$", gcode, re.M)
    if not weights or time is None:
        raise refuse("FDF471", "the G-code says neither grams nor time")
    grams = sum(float(word) for word in weights[-1].split(","))
    minutes = sum(
        int(count) * _MINUTES[unit] for count, unit in re.findall(r"(\d+)([dhms])", time[1])
    )
    return Figures(grams, minutes)

"""Fits the constants of the estimate to PrusaSlicer's figures, in one command of some minutes:

    python benchmarks/fit_estimate.py

It slices single parts and the plates of one map in every style, and fits twice: first without some
styles, which tell what error to expect of what was not sliced; then with all. It writes the
constants into presets/printers/a1-mini.toml and the figures, which a test holds the estimate to,
into tests/data/slicer_figures.json. Plates whose file and settings are as before are not sliced
again. `--check` slices nothing and writes nothing: it prints the errors of the constants. With
names of processes it slices and fits those alone, and keeps figures and constants of the others.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
from scipy.optimize import least_squares

import falldamage_forge as ff
from falldamage_forge import presets
from falldamage_forge.builds.output_files import plate_contents
from falldamage_forge.builds.pipeline import BuildOptions, PrintJob, assemble_parts, build_map
from falldamage_forge.export.threemf import write_plate
from falldamage_forge.pieces.piece import MAX_VARIANTS
from falldamage_forge.printing.estimate import estimate
from falldamage_forge.printing.estimate_model import (
    Band,
    EstimateModel,
    LayerRange,
    PartFeatures,
    PrintStatistics,
)
from falldamage_forge.printing.plates import Plate
from falldamage_forge.printing.printer import Printer
from falldamage_forge.printing.prusaslicer import read_figures, slice_file, slow_lines_s
from falldamage_forge.printing.unprintable import is_left_out

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "tests" / "data" / "slicer_figures.json"
TABLE = ROOT / "presets" / "printers" / "a1-mini.toml"
MARK = "# Constants of the estimate"
CATALOGUE = presets.load_catalogue()
MAP = "duel"
USUAL = "stone"
"""The default style: all kinds of parts, and all plates of the map."""
HELD_OUT = ("brick", "desert", "hall")
"""Styles that the first fit does without."""
STYLED = ("arch-2", "battlement", "block-1x1x1", "bridge-2", "step")
"""Parts that are sliced alone in every style; the map's plates of `WALLS` are too."""
WALLS = ("stone", "wood")
OTHERS = (
    "block-2x2x1", "bomb", "chest", "coin", "die", "figure-tray", "health-wheel", "icon",
    "ladder-2", "lifter", "pawn", "rim-letters-a", "rubble", "spire", "stand-sun-caster",
    "start-disc-red", "start-red", "tie", "tree", "unit-knight", "vines", "water",
)  # fmt: skip
"""Parts that are sliced alone in the default style."""
STYLES: dict[str, tuple[str, ...]] = {
    "standard": (USUAL, *(name for name in presets.names("styles") if name != USUAL)),
    "economy": (USUAL, "plain", "timber"),
    "fine": (USUAL,),
    "quick": (USUAL, "plain", "timber"),
}
"""Styles that are sliced by process."""
BASES = ("plain", USUAL, "timber")
"""Styles in which a quadrant is sliced, which takes long."""


@dataclass(frozen=True)
class Record:
    """What the slicer said of a plate of a way of printing; `sha` is that of file and settings.

    `slow_s` is what the first layer's lines take longer at their own speed, by the G-code.
    """

    name: str
    style: str
    way: str
    counts: dict[str, int]
    grams: float
    minutes: float
    sha: str
    slow_s: float = 0.0

    @property
    def alone(self) -> bool:
        """True for a part that is not one of the map's plates."""
        return not self.name.startswith(MAP)

    @property
    def figures(self) -> PrintStatistics:
        """What the estimate is to say."""
        return PrintStatistics(self.grams, self.minutes + self.slow_s / 60)


@dataclass(frozen=True)
class Job:
    """A plate to know figures of."""

    name: str
    style: str
    plate: Plate
    made: PrintJob

    @property
    def way(self) -> str:
        return self.made.printer.process.way(self.plate.group).name


@cache
def printer_for(process: str) -> Printer:
    return presets.set_up(presets.load_printer("a1-mini"), process)


@cache
def settings_of(way: str) -> tuple[EstimateModel, dict[str, str]]:
    """Layers of a way of printing, and its slicer settings."""
    for printer in map(printer_for, STYLES):
        for group in ("", *printer.process.own_mode_groups):
            mode = printer.process.way(group)
            if mode.name == way:
                first_mm = printer.process.first_layer_mm
                layers = EstimateModel(layer_mm=mode.layer_mm, first_layer_mm=first_mm)
                return layers, presets.slicer_settings(printer, group)
    raise KeyError(way)


def jobs(processes: Sequence[str]) -> Iterator[Job]:
    """Single parts and the plates of the map, each content of a plate once."""
    seen: set[tuple[str, ...]] = set()
    layout = ff.load(MAP).layout
    for process, style in ((way, style) for way in processes for style in STYLES[way]):
        printer, options = printer_for(process), BuildOptions(style=presets.load_style(style))
        groups = (*WALLS, "base") if style in BASES else WALLS
        keys = (*STYLED, *(OTHERS if style == USUAL else ()))
        for key in sorted(keys):
            if is_left_out(CATALOGUE[key], printer.process):
                continue
            made = assemble_parts({key: 1}, {key: CATALOGUE[key]}, printer, options=options)
            yield from _new(Job(key, style, made.plates[0], made), seen)
        made = build_map(layout, CATALOGUE, printer, options=options)
        for plate in made.plates:
            if plate.group in groups or style == USUAL:
                yield from _new(Job(f"{MAP}-{plate.name}", style, plate, made), seen)
        if style == USUAL:
            # Trees of different looks differ by a third, and a build prints all of them.
            looks = build_map(
                layout, CATALOGUE, printer, options=replace(options, variants=MAX_VARIANTS)
            )
            for plate in looks.plates:
                if plate.group in printer.process.figure_groups:
                    yield from _new(Job(f"{MAP}-{plate.name}-looks", style, plate, looks), seen)


def _new(job: Job, seen: set[tuple[str, ...]]) -> Iterator[Job]:
    key = (job.way, job.style, *map(str, job.plate.counts().items()))
    if key not in seen:
        seen.add(key)
        yield job


def sliced(job: Job, known: dict[str, Record]) -> Record:
    printer, plate = job.made.printer, job.plate
    data = write_plate(plate, plate_contents(job.made))
    settings = presets.slicer_settings(printer, plate.group)
    sha = hashlib.sha256(data + json.dumps(settings).encode()).hexdigest()[:16]
    counts = plate.counts()
    if sha in known:
        return replace(known[sha], name=job.name, style=job.style, way=job.way, counts=counts)
    gcode = slice_file(data, ".3mf", presets.slicer_files(printer, plate.group), printer)
    found, slow_s = read_figures(gcode), slow_lines_s(gcode, printer.process.first_layer_mm_s)
    print(f"{job.way} {job.style} {job.name}: {found.grams} g, {found.minutes:.0f} min", flush=True)
    figures = (round(found.grams, 2), round(found.minutes, 2))
    return Record(job.name, job.style, job.way, counts, *figures, sha, round(slow_s, 1))


Shapes = dict[str, PartFeatures]
"""Features of parts by way, style and key."""


def load() -> tuple[list[Record], Shapes]:
    data = json.loads(DATA.read_text("utf-8"))
    shapes = {
        name: PartFeatures(
            tuple(Band(*band) for band in bands),
            tuple(LayerRange(*own) for own in data.get("ranges", {}).get(name, ())),
        )
        for name, bands in data["shapes"].items()
    }
    return [Record(**entry) for entry in data["plates"]], shapes


def save(records: list[Record], shapes: Shapes) -> None:
    """The figures, and the features of the parts when they were sliced."""
    rows = ",\n".join("  " + json.dumps(asdict(record)) for record in records)
    features = ",\n".join(
        f"  {json.dumps(name)}: {json.dumps(shape.bands, separators=(',', ':'))}"
        for name, shape in sorted(shapes.items())
    )
    ranges = json.dumps(
        {name: shape.ranges for name, shape in sorted(shapes.items()) if shape.ranges}
    )
    text = f'{{\n "shapes": {{\n{features}\n }},\n "ranges": {ranges},\n'
    text += f' "plates": [\n{rows}\n ]\n}}\n'
    DATA.write_text(text, "utf-8")


GRAMS = ("wall_fill", "skin_fill", "bridge_fill")
TIMES = (
    "corners",
    "inner_corners",
    "s_per_inner_mm",
    "s_per_path",
    "paths_per_stroke",
    "skin",
    "still",
    "first_corners",
    "first_paths",
    "first_skin",
)
SLOWER = ("lines", "first_lines", "bridges")
"""What is fitted too for ways whose lines have other speeds than those of `estimate_model`."""
OWN_SPEEDS = ("quick", "quick-figures", "quick-solid")
LARGE = 0.15
"""Relative errors of single parts beyond this count by less than their square."""
BOUND = 0.08
"""A plate's relative errors near this count by more than their square: a test holds all plates."""
SCATTERED = {"economy": 1.5}
"""What a plate counts in a way whose plates lie too far apart for that."""
PLATE = 2.5
"""What a plate counts, relative to a single part, which nobody prints alone."""
LOOSE = 0.012
"""How firmly constants are held to what they start from, relative to the slicer's figures."""


MANY = 100
"""Records from which on a fit needs no help; with fewer it starts from the last one's constants."""


def estimated(record: Record, shapes: Shapes, rates: EstimateModel) -> PrintStatistics:
    own = {key: shapes[f"{record.way} {record.style} {key}"] for key in record.counts}
    return estimate(record.counts, own, rates)


def fit(
    way: str, records: Sequence[Record], shapes: Shapes, start: EstimateModel | None
) -> EstimateModel:
    """Constants of a way of printing, by least squares of relative errors.

    Args:
        way: Way of printing.
        records: What was sliced.
        shapes: Features of parts.
        start: Constants to start from, those of the last fit; None for the model's own.
    """
    layers, settings = settings_of(way)
    first = replace(
        start or EstimateModel(),
        layer_mm=layers.layer_mm,
        first_layer_mm=layers.first_layer_mm,
        line_mm=float(settings["external_perimeter_extrusion_width"]),
        first_line_mm=float(settings["first_layer_extrusion_width"]),
        top_line_mm=float(settings["top_infill_extrusion_width"]),
        infill=float(settings["fill_density"].rstrip("%")) / 100,
        density_g_cm3=float(settings["filament_density"]),
    )
    firmly = LOOSE * len(records) ** 0.5
    alone = np.array([record.alone for record in records])

    def solved(names: tuple[str, ...], field: str) -> dict[str, float]:
        before = np.array([getattr(first, name) for name in names])

        def rates(logs: np.ndarray) -> EstimateModel:
            return replace(first, **dict(zip(names, (np.exp(logs) * before).tolist(), strict=True)))

        def errors(logs: np.ndarray) -> np.ndarray:
            own = rates(logs)
            off = np.array(
                [
                    np.log(getattr(estimated(r, shapes, own), field) / getattr(r.figures, field))
                    for r in records
                ]
            )
            part, plate = LARGE * np.arcsinh(off / LARGE), PLATE * off * (1 + (off / BOUND) ** 2)
            if way in SCATTERED:
                plate = SCATTERED[way] * part
            errors = np.where(alone, part, plate)
            return np.array([*errors, *firmly * logs])

        found = rates(least_squares(errors, np.zeros(len(names))).x)
        return {name: float(f"{getattr(found, name):.4g}") for name in names}

    return replace(first, **solved(GRAMS, "grams"), **solved(times(way), "minutes"))


def times(way: str) -> tuple[str, ...]:
    """The constants of the hours of a way of printing."""
    return (*TIMES, *SLOWER) if way in OWN_SPEEDS else TIMES


def table(way: str, rates: EstimateModel) -> str:
    names = (
        "density_g_cm3",
        "line_mm",
        "first_line_mm",
        "top_line_mm",
        "infill",
        "joined",
        *GRAMS,
        *times(way),
    )
    return "\n".join([f"[estimate.{way}]", *(f"{n} = {getattr(rates, n)}" for n in names)]) + "\n"


def report(way: str, rates: EstimateModel, records: Sequence[Record], shapes: Shapes) -> None:
    """Print the errors of plates and of single parts."""
    for alone in (False, True):
        own = [record for record in records if record.alone == alone]
        for field in ("grams", "minutes") if own else ():
            found = [getattr(estimated(r, shapes, rates), field) for r in own]
            off = np.array(found) / [getattr(r.figures, field) for r in own] - 1
            worst = [f"{own[n].style} {own[n].name} {off[n]:+.1%}" for n in np.argsort(-abs(off))]
            print(
                f"{way}, {len(own)} {'single parts' if alone else 'plates'}: {field} off by", end=""
            )
            print(
                f" {abs(off).mean():.1%}, nine in ten by at most {np.quantile(abs(off), 0.9):.1%};"
            )
            print(f"  worst {', '.join(worst[:4])}")


def main() -> None:
    if "--check" in sys.argv:
        records, shapes = load()
        known = presets.load_printer("a1-mini").estimate
        for way in dict.fromkeys(record.way for record in records):
            own = settings_of(way)[0]
            layers = {"layer_mm": own.layer_mm, "first_layer_mm": own.first_layer_mm}
            rates = replace(known[way], **layers)
            report(way, rates, [r for r in records if r.way == way], shapes)
        return
    old_records, old_shapes = load() if DATA.exists() else ([], {})
    before = {record.sha: record for record in old_records}
    wanted = list(jobs([name for name in STYLES if name in sys.argv] or list(STYLES)))
    ways = list(dict.fromkeys(job.way for job in wanted))
    shapes = {name: own for name, own in old_shapes.items() if name.split()[0] not in ways}
    shapes |= {
        f"{job.way} {job.style} {key}": job.made.shapes[key]
        for job in wanted
        for key in job.plate.counts()
    }
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        records = list(pool.map(lambda job: sliced(job, before), wanted))
    save([*(old for old in old_records if old.way not in ways), *records], shapes)
    known = presets.load_printer("a1-mini").estimate
    blocks = [table(way, rates) for way, rates in known.items() if way not in ways]
    for way in ways:
        own = [record for record in records if record.way == way]
        start = None if len(own) >= MANY else known.get(way)
        if held := [record for record in own if record.style in HELD_OUT]:
            rest = [record for record in own if record.style not in HELD_OUT]
            report(f"held out, {way}", fit(way, rest, shapes, start), held, shapes)
        rates = fit(way, own, shapes, start)
        report(way, rates, own, shapes)
        blocks.append(table(way, rates))
    head = TABLE.read_text("utf-8").partition(MARK)[0]
    told = f"{MARK}, fitted to PrusaSlicer by benchmarks/fit_estimate.py.\n"
    TABLE.write_text(head + told + "\n".join(sorted(blocks)), "utf-8")


if __name__ == "__main__":
    main()

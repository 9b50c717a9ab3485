"""Fits the constants of the estimate to PrusaSlicer's figures, in one command of a few minutes:

    python benchmarks/fit_estimate.py

It slices some plates of every builder and the plates of one map, each way of printing with its own
meshes and settings; fits; writes the constants into presets/printers/a1-mini.toml and the figures,
which a test holds the estimate to, into tests/data/slicer_figures.json; and prints what is left of
error. Plates whose file and settings are as before are not sliced again. `--check` slices nothing
and writes nothing: it prints the errors of the constants as they are, on the figures as they are.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, fields, replace
from functools import cache
from itertools import groupby
from pathlib import Path

import numpy as np
from scipy.optimize import least_squares

import falldamage_forge as ff
from falldamage_forge import presets
from falldamage_forge.builds.pipeline import (
    BuildOptions,
    assemble_parts,
    build_map,
    features_of_piece,
)
from falldamage_forge.export.plate_meshes import plate_mesh
from falldamage_forge.geometry.piece_mesh import build
from falldamage_forge.geometry.stl import write_stl
from falldamage_forge.printing.estimate import estimate, wall_seconds
from falldamage_forge.printing.estimate_model import BuilderFactor, EstimateModel, PartFeatures
from falldamage_forge.printing.plates import Plate
from falldamage_forge.printing.printer import Printer
from falldamage_forge.printing.prusaslicer import read_figures, slice_file, slow_lines_s

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "tests" / "data" / "slicer_figures.json"
TABLE = ROOT / "presets" / "printers" / "a1-mini.toml"
MARK = "# Constants of the estimate"
CATALOGUE = presets.load_catalogue()
STYLE = presets.load_style("stone")
"""The default style."""
MAP = "duel"
FEW = 5
"""Copies of a builder's smallest piece on its plate."""
PROCESSES = presets.names("processes")


@dataclass(frozen=True)
class Record:
    """What the slicer said of a plate of a way of printing; `sha` is that of file and settings.

    `slow_s` is what the first layer's lines take longer at their own speed, by the G-code.
    """

    name: str
    way: str
    counts: dict[str, int]
    grams: float
    minutes: float
    sha: str
    slow_s: float = 0.0


@cache
def printer_for(process: str) -> Printer:
    return replace(presets.load_printer("a1-mini"), process=presets.load_process(process))


@cache
def process_of(way: str) -> str:
    """The process a way of printing belongs to."""
    for name in ("standard", *PROCESSES):
        if way in {each.name for each in presets.load_process(name).ways()}:
            return name
    raise KeyError(way)


@cache
def shape(key: str, way: str) -> PartFeatures:
    return features_of_piece(
        CATALOGUE[key], build(CATALOGUE[key], printer_for(process_of(way)), STYLE)
    )


def plates(printer: Printer) -> Iterator[tuple[str, Plate]]:
    """Of each builder one small piece alone and a plate of several sizes; and a map's plates."""
    pieces = sorted(CATALOGUE.pieces.values(), key=lambda piece: piece.builder)
    for builder, group in groupby(pieces, key=lambda piece: piece.builder):
        own = sorted(group, key=lambda piece: shape(piece.key, "terrain").volume_mm3)
        some = {own[len(own) // 2].key: 2, own[-1].key: 1} | {own[0].key: FEW}
        for counts in ({own[0].key: 1}, some):
            parts = {key: CATALOGUE[key] for key in counts}
            made = assemble_parts(counts, parts, printer, options=BuildOptions(style=STYLE))
            yield f"{builder}-{sum(counts.values())}", made.plates[0]
    layout = ff.load(MAP).layout
    for plate in build_map(layout, CATALOGUE, printer, options=BuildOptions(style=STYLE)).plates:
        yield f"{MAP}-{plate.name}", plate


def wanted() -> Iterator[tuple[str, str, Plate, Printer]]:
    """(name, way, plate, printer) of every plate to know figures of, each content once."""
    seen = set()
    for process in PROCESSES:
        printer = printer_for(process)
        for name, plate in plates(printer):
            way = printer.process.way(plate.group).name
            key = (way, tuple(plate.counts().items()))
            if key not in seen:
                seen.add(key)
                yield name, way, plate, printer


def sliced(job: tuple[str, str, Plate, Printer], known: dict[str, Record]) -> Record:
    name, way, plate, printer = job
    meshes = {key: build(CATALOGUE[key], printer, STYLE) for key in plate.counts()}
    data = write_stl(plate_mesh(plate, meshes), "plate")
    settings = presets.slicer_settings(printer, plate.group)
    sha = hashlib.sha256(data + json.dumps(settings).encode()).hexdigest()[:16]
    if sha in known:
        return replace(known[sha], name=name, way=way, counts=plate.counts())
    gcode = slice_file(data, ".stl", presets.slicer_files(printer, plate.group), printer)
    found, slow_s = read_figures(gcode), slow_lines_s(gcode, printer.process.first_layer_mm_s)
    print(f"{way} {name}: {found.grams:.1f} g, {found.minutes:.0f} min", flush=True)
    figures = (round(found.grams, 2), round(found.minutes, 2))
    return Record(name, way, plate.counts(), *figures, sha, round(slow_s, 1))


def load() -> list[Record]:
    return [Record(**entry) for entry in json.loads(DATA.read_text("utf-8"))["plates"]]


def save(records: list[Record]) -> None:
    """The figures, and what the pieces measured when they were sliced."""
    rows = ",\n".join("  " + json.dumps(asdict(r)) for r in sorted(records, key=_rank))
    keys = sorted({(r.way, key) for r in records for key in r.counts})
    shapes = ",\n".join(
        f"  {json.dumps(f'{way} {key}')}: {_measures(key, way)}" for way, key in keys
    )
    DATA.write_text(f'{{\n "shapes": {{\n{shapes}\n }},\n "plates": [\n{rows}\n ]\n}}\n', "utf-8")


def _rank(record: Record) -> tuple[str, str]:
    return record.way, record.name


def _measures(key: str, way: str) -> str:
    own = shape(key, way)
    rounded = (own.volume_mm3, own.area_mm2, own.flat_mm2, own.height_mm)
    numbers = [round(value, 2) for value in rounded]
    return json.dumps([*numbers, own.builder, round(own.crease_mm, 1)])


GRAMS = ("solid_fraction", "shell_mm", "infill_fraction")
TIMES = (
    "s_per_flat_mm2",
    "s_per_wall_mm2",
    "s_per_crease_mm",
    "s_per_part_layer",
    "s_per_layer",
    "least_s_per_layer",
    "slowed",
)
LARGE = 0.07
"""Relative errors beyond this count by more than their square."""
ALONE = 0.4
"""What the plate of a single small part counts: nobody prints one, but it tells of least times."""
LOOSE = 0.06
"""How firmly constants and factors are held to what they start from, where plates say nothing."""


def start_of(way: str) -> EstimateModel:
    process = presets.load_process(process_of(way))
    (own,) = (each for each in process.ways() if each.name == way)
    return EstimateModel(layer_mm=own.layer_mm, first_layer_mm=process.first_layer_mm)


def fit(way: str, records: list[Record]) -> EstimateModel:
    """Constants and each builder's factors together, by least squares of relative errors."""
    shapes = {key: shape(key, way) for record in records for key in record.counts}
    builders = sorted({each.builder for each in shapes.values()})
    start = start_of(way)
    weights = np.array([ALONE if sum(r.counts.values()) == 1 else 1.0 for r in records])

    def solved(names: tuple[str, ...], what: str, field: str) -> np.ndarray:
        first = np.array([getattr(start, name) for name in names] + [1.0] * len(builders))

        def errors(logs: np.ndarray) -> np.ndarray:
            values = np.exp(logs) * first
            factors = dict(zip(builders, values[len(names) :], strict=True))
            rates = replace(
                start,
                **dict(zip(names, map(float, values), strict=False)),
                builders={b: BuilderFactor(**{what: float(f)}) for b, f in factors.items()},
            )
            off = np.array(
                [
                    np.log(getattr(estimate(r.counts, shapes, rates), field) / getattr(r, field))
                    for r in records
                ]
            )
            # Far ones count more than by their square: a test holds every plate to a bound.
            return np.array([*(weights * LARGE * np.sinh(off / LARGE)), *(LOOSE * logs)])

        return np.exp(least_squares(errors, np.zeros(len(first)), xtol=1e-9).x) * first

    plastic, times = solved(GRAMS, "grams", "grams"), solved(TIMES, "time", "minutes")
    found = (*plastic[: len(GRAMS)], *times[: len(TIMES)])
    values = dict(zip((*GRAMS, *TIMES), found, strict=True))
    factors = {
        builder: BuilderFactor(round(float(g), 3), round(float(t), 3))
        for builder, g, t in zip(builders, plastic[len(GRAMS) :], times[len(TIMES) :], strict=True)
    }
    rates = replace(start, **{n: float(f"{v:.4g}") for n, v in values.items()}, builders=factors)
    walls_s = sum(
        wall_seconds(shapes[key], rates) * n for r in records for key, n in r.counts.items()
    )
    slow_s = sum(record.slow_s for record in records)
    return replace(rates, first_layer_walls=round(slow_s / walls_s, 3))


def table(way: str, rates: EstimateModel) -> str:
    lines = [f"[estimate.{way}]"]
    names = (*GRAMS, *TIMES, "first_layer_walls")
    lines += [f"{name} = {getattr(rates, name)}" for name in names]
    lines.append(f"[estimate.{way}.builders]")
    lines += [
        f"{builder} = {{ grams = {factor.grams}, time = {factor.time} }}"
        for builder, factor in rates.builders.items()
    ]
    return "\n".join(lines) + "\n"


def report(
    way: str, rates: EstimateModel, records: list[Record], shapes: dict[str, PartFeatures]
) -> None:
    found = [estimate(r.counts, shapes, rates) for r in records]
    for what in ("grams", "minutes"):
        off = np.array(
            [getattr(f, what) / getattr(r, what) - 1 for f, r in zip(found, records, strict=True)]
        )
        worst = [f"{records[n].name} {off[n]:+.1%}" for n in np.argsort(-np.abs(off))[:4]]
        mean = np.abs(off).mean()
        print(f"{way}: {len(off)} plates, {what} off by {mean:.1%}; worst {', '.join(worst)}")


def check() -> None:
    measured = json.loads(DATA.read_text("utf-8"))["shapes"]
    known = presets.load_printer("a1-mini").estimate
    for way, group in groupby(sorted(load(), key=_rank), key=lambda r: r.way):
        records = list(group)
        shapes = {key: PartFeatures(*measured[f"{way} {key}"]) for r in records for key in r.counts}
        own = start_of(way)
        layers = {
            f.name: getattr(own, f.name) for f in fields(EstimateModel) if "layer_mm" in f.name
        }
        layers.pop("least_s_per_layer", None)
        report(way, replace(known[way], **layers), records, shapes)


def main() -> None:
    if "--check" in sys.argv:
        check()
        return
    known = {record.sha: record for record in load()} if DATA.exists() else {}
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        records = list(pool.map(lambda job: sliced(job, known), list(wanted())))
    save(records)
    blocks = []
    for way, group in groupby(sorted(records, key=_rank), key=lambda r: r.way):
        own = list(group)
        rates = fit(way, own)
        report(way, rates, own, {key: shape(key, way) for r in own for key in r.counts})
        blocks.append(table(way, rates))
    head = TABLE.read_text("utf-8").partition(MARK)[0]
    told = f"{MARK}, fitted to PrusaSlicer by benchmarks/fit_estimate.py.\n"
    TABLE.write_text(head + told + "\n".join(blocks), "utf-8")


if __name__ == "__main__":
    main()

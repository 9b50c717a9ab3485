"""Fits the constants of the estimate to PrusaSlicer's figures and prints them as a printer's table.

    python benchmarks/fit_estimate.py collect   # slices plates that have no figures yet; long
    python benchmarks/fit_estimate.py           # fits, prints constants and errors

The figures are kept in tests/data/slicer_figures.json, which a test holds the estimate to. Plates:
every piece alone, a full plate and a third of one, and the mixed plates of the preset maps.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path

import numpy as np
from scipy.optimize import least_squares

from falldamage_forge import presets
from falldamage_forge.assemble import assemble, assemble_parts, shape_of
from falldamage_forge.cli.common import Sources, load_loaded
from falldamage_forge.cli.slicer import read_figures, slice_file
from falldamage_forge.export.plates import plate_mesh
from falldamage_forge.export.stl import write_stl
from falldamage_forge.geometry.build import build
from falldamage_forge.printing.estimate import (
    FIGURE_GROUPS,
    estimate,
    process_of,
)
from falldamage_forge.printing.plates import Plate
from falldamage_forge.printing.process import Factor, Model, Shape

DATA = Path(__file__).resolve().parents[1] / "tests" / "data" / "slicer_figures.json"
PRINTER = presets.load_printer("a1-mini")
CATALOGUE = presets.load_catalogue()
LAYERS_MM = {"terrain": 0.24, "figures": 0.2}
MOST = 25


@dataclass(frozen=True)
class Record:
    """What the slicer said of a plate."""

    name: str
    process: str
    counts: Mapping[str, int]
    grams: float
    minutes: float


def load() -> list[Record]:
    return [Record(**entry) for entry in json.loads(DATA.read_text("utf-8"))["plates"]]


def save(records: list[Record]) -> None:
    """The figures, and what the pieces measured when they were sliced."""
    rows = [{f.name: getattr(record, f.name) for f in fields(Record)} for record in records]
    plates = ",\n".join("  " + json.dumps(row) for row in sorted(rows, key=lambda r: r["name"]))
    keys = sorted({key for record in records for key in record.counts})
    shapes = ",\n".join(f"  {json.dumps(key)}: {json.dumps(measures(key))}" for key in keys)
    DATA.write_text(f'{{\n "shapes": {{\n{shapes}\n }},\n "plates": [\n{plates}\n ]\n}}\n', "utf-8")


@cache
def shape(key: str) -> Shape:
    return shape_of(CATALOGUE[key], build(CATALOGUE[key], PRINTER))


def measures(key: str) -> list[object]:
    own = shape(key)
    rounded = (own.volume_mm3, own.area_mm2, own.flat_mm2, own.height_mm)
    return [*(round(value, 2) for value in rounded), own.builder]


def plates() -> Iterator[tuple[str, Plate]]:
    for key, piece in CATALOGUE.pieces.items():
        full = assemble_parts({key: MOST}, {key: piece}, PRINTER).plates[0]
        yield f"full-{key}", full
        if len(full.slots) > 1:
            third = max(1, len(full.slots) // 3)
            yield f"third-{key}", assemble_parts({key: third}, {key: piece}, PRINTER).plates[0]
        if full.group in FIGURE_GROUPS:
            yield f"terrain-{key}", replace(full, group="rest")
    for name in presets.names("maps"):
        made = assemble(load_loaded(name, Sources()).layout, CATALOGUE, PRINTER)
        for plate in made.plates:
            yield f"{name}-{plate.name}", plate


def collect() -> None:
    records = load() if DATA.exists() else []
    known = {(record.process, tuple(sorted(record.counts.items()))) for record in records}
    for name, plate in plates():
        process = process_of(plate.group)
        if (process, tuple(plate.counts().items())) in known:
            continue
        meshes = {key: build(CATALOGUE[key], PRINTER) for key in plate.counts()}
        data = write_stl(plate_mesh(plate, meshes), "plate")
        found = read_figures(slice_file(data, ".stl", PRINTER, process))
        minutes = round(found.minutes, 2)
        records.append(Record(name, process, plate.counts(), round(found.grams, 2), minutes))
        known.add((process, tuple(plate.counts().items())))
        save(records)
        print(name, found, flush=True)


CONSTANTS = ("solid_fraction", "shell_mm", "infill_fraction")
TIMES = ("s_per_flat_mm2", "s_per_wall_mm2", "s_per_part_layer", "s_per_layer", "least_s_per_layer")


def fit(process: str, records: list[Record]) -> Model:
    """Constants first, then each builder's factors, both by least squares of relative errors."""
    shapes = {key: shape(key) for record in records for key in record.counts}
    builders = sorted({each.builder for each in shapes.values()})
    start = Model(layer_mm=LAYERS_MM[process])

    def model(values: np.ndarray, names: tuple[str, ...], what: str) -> Model:
        table = {f.name: getattr(start, f.name) for f in fields(Model)}
        table |= dict(zip(names, map(float, values), strict=False))
        extra = values[len(names) :]
        factors = {b: Factor(**{what: float(f)}) for b, f in zip(builders, extra, strict=False)}
        return Model(**{**table, "builders": factors})

    def errors(values: np.ndarray, names: tuple[str, ...], what: str) -> np.ndarray:
        made = model(values, names, what)
        found = [estimate(record.counts, shapes, made) for record in records]
        field = "grams" if what == "grams" else "minutes"
        off = [
            np.log(getattr(f, field) / getattr(r, field))
            for f, r in zip(found, records, strict=True)
        ]
        # Builders stay near 1 unless their parts say otherwise.
        return np.array([*off, *(0.02 * np.log(values[len(names) :]))])

    answers = {}
    for what, names in (("grams", CONSTANTS), ("time", TIMES)):
        first = [getattr(start, name) for name in names] + [1.0] * len(builders)
        answers[what] = least_squares(
            errors, first, bounds=(1e-4, 20), args=(names, what), x_scale=np.abs(first), xtol=1e-10
        ).x
    values = dict(zip(CONSTANTS, answers["grams"], strict=False))
    values |= dict(zip(TIMES, answers["time"], strict=False))
    weights, times = answers["grams"][len(CONSTANTS) :], answers["time"][len(TIMES) :]
    factors = {
        builder: Factor(round(float(g), 3), round(float(t), 3))
        for builder, g, t in zip(builders, weights, times, strict=True)
    }
    rounded = {name: float(f"{value:.4g}") for name, value in values.items()}
    return Model(**rounded, layer_mm=LAYERS_MM[process], builders=factors)


def main() -> None:
    if sys.argv[1:] == ["collect"]:
        collect()
        return
    for process in LAYERS_MM:
        records = [record for record in load() if record.process == process]
        made = fit(process, records)
        print(f"\n[estimate.{process}]")
        for name in (*CONSTANTS, *TIMES, "layer_mm"):
            print(f"{name} = {getattr(made, name)}")
        print(f"[estimate.{process}.builders]")
        for builder, factor in made.builders.items():
            print(f"{builder} = {{ grams = {factor.grams}, time = {factor.time} }}")
        report(made, records)


def report(model: Model, records: list[Record]) -> None:
    found = [estimate(r.counts, {k: shape(k) for k in r.counts}, model) for r in records]
    for what in ("grams", "minutes"):
        pairs = zip(found, records, strict=True)
        off = np.array([getattr(f, what) / getattr(r, what) - 1 for f, r in pairs])
        worst = [f"{records[n].name} {off[n]:+.1%}" for n in np.argsort(-np.abs(off))[:5]]
        print(f"# {len(off)} plates, {what}: mean {np.abs(off).mean():.1%}; {', '.join(worst)}")


if __name__ == "__main__":
    main()

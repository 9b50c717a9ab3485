"""The whole catalogue, sliced: every part in each style and size, by PrusaSlicer and CuraEngine.

Run: python -m benchmarks.bench_catalogue [--styles stone,desert] [--sizes 30] [--jobs 2]

Each case is a row of catalogue.csv beside this file, added as it is known; a case whose part,
settings and slicer are as before is not sliced again, so that a run that was stopped goes on where
it ended, on another machine too. With `--cluster ADDRESS` the workers of a Dask scheduler slice. At
the end it writes the tables of docs/catalogue.md; `--tables` does that alone, and sorts the rows.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import os
import statistics
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, fields, replace
from functools import cache, partial
from importlib import import_module
from itertools import groupby
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from benchmarks.shared import HERE, put
from falldamage_forge import presets
from falldamage_forge.builds.pipeline import BuildOptions, PrintJob, assemble_parts
from falldamage_forge.export.threemf import write_part
from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.geometry.piece_mesh import build, fit_of
from falldamage_forge.geometry.sliced_part import SlicedPart, judge_sliced
from falldamage_forge.infra.dask_cluster import Cluster
from falldamage_forge.issues import ForgeError
from falldamage_forge.lengths import print_grid
from falldamage_forge.pieces.piece import MAX_VARIANTS, Piece
from falldamage_forge.pieces.variants import variants_of
from falldamage_forge.printing.estimate_model import LayerRange
from falldamage_forge.printing.layer_ranges import layer_ranges
from falldamage_forge.printing.printer import Printer
from falldamage_forge.printing.prusaslicer import plate_figures, slice_file
from falldamage_forge.printing.slicer_settings import differing_settings, told_settings
from tests.geometry import slicing

if TYPE_CHECKING:
    from multiprocessing.queues import Queue

STATE = HERE / "catalogue.csv"
STYLES = ("stone", *(name for name in presets.names("styles") if name != "stone"))
SIZES_MM = (30.0, 25.4, 40.0)
PROCESSES = ("standard", "economy", "fine", "quick")
SLICERS = ("PrusaSlicer", "CuraEngine")
PRINTERS = {40.0: "p1s"}
"""A quadrant of 40 mm tiles needs a wider bed than the a1-mini's."""
PART_SHARE, DOT_MM = 0.10, 0.3
"""How far the estimate of a part may be off, and the length of a support that is but a dot."""
CHUNK = 4
LISTED = 60
"""Number of different errors that the page lists."""


@dataclass(frozen=True, order=True)
class Case:
    """A part to slice."""

    process: str
    slicer: str
    size_mm: float
    style: str
    part: str


@dataclass(frozen=True)
class Row:
    """What a slicer did with a part, or the code by which the part is refused.

    `inputs` is a digest of file and settings. `supports_mm` is the length of supports where they
    are allowed, by PrusaSlicer 1 for any. Estimates are those of one part alone.
    """

    process: str
    slicer: str
    size_mm: float
    style: str
    part: str
    inputs: str
    refused: str = ""
    supports_mm: float = 0.0
    islands: int = 0
    grams: float = 0.0
    minutes: float = 0.0
    estimated_g: float = 0.0
    estimated_min: float = 0.0
    errors: str = ""

    @property
    def case(self) -> Case:
        return Case(self.process, self.slicer, self.size_mm, self.style, self.part)


@cache
def looks_of(size_mm: float) -> tuple[tuple[Piece, ...], ...]:
    """The looks of each piece of the catalogue on tiles of a size."""
    catalogue = presets.load_catalogue(print_grid(size_mm, size_mm))
    return tuple(tuple(variants_of(piece)) for piece in catalogue.pieces.values())


def printer_of(case: Case) -> Printer:
    printer = presets.load_printer(PRINTERS.get(case.size_mm, "a1-mini"))
    return presets.set_up(printer, case.process)


def cases(given: argparse.Namespace) -> Iterator[Case]:
    """Every part of the catalogue in every look, the default style, size and process first."""
    for process in given.processes:
        for slicer in given.slicers:
            if slicer == "CuraEngine" and process == "fine":
                continue  # its shapes and lines are those of `standard`
            for size_mm in given.sizes:
                keys = [look.key for own in looks_of(size_mm) for look in own[: given.looks]]
                for style in given.styles:
                    yield from (Case(process, slicer, size_mm, style, key) for key in keys)


Twins = Mapping[tuple[str, str, float, str], Row]
"""Rows by process, slicer, size and digest of inputs: many parts are alike in all styles."""


def twins_of(rows: Iterable[Row]) -> Twins:
    return {(row.process, row.slicer, row.size_mm, row.inputs): row for row in rows}


def judged(case: Case, known: Row | None, twins: Twins) -> Row | None:
    """Slice a part unless it or a twin was sliced; None if nothing changes what is known."""
    printer, style = printer_of(case), presets.load_style(case.style)
    piece = next(one for own in looks_of(case.size_mm) for one in own if one.key == case.part)
    about = asdict(case)
    try:
        mesh = build(piece, printer, style)
        options = BuildOptions(style=style)
        job = assemble_parts({piece.key: 1}, {piece.key: piece}, printer, options=options)
    except ForgeError as error:
        code = error.issues[0].code
        refused = Row(**about, inputs=code, refused=code)
        return None if known == refused else refused
    settings = presets.slicer_settings(printer, piece.group)
    low, high = mesh.bounds_mm()
    ranges = layer_ranges(piece, high[2] - low[2], printer.process)
    # CuraEngine lays all layers alike.
    digest = inputs_of(mesh, settings, ranges if case.slicer == "PrusaSlicer" else ())
    same = known is not None and known.inputs == digest
    twin = known if same else twins.get((case.process, case.slicer, case.size_mm, digest))
    if twin is not None:
        found = _estimated(replace(twin, style=case.style, part=case.part), job)
        return None if found == known else found
    if case.slicer == "CuraEngine":
        return Row(**about, inputs=digest, supports_mm=round(cura_supports(mesh, printer), 2))
    data, files = write_part(piece.key, mesh, ranges), presets.slicer_files(printer, piece.group)
    # Allowed supports that are not laid change nothing, so most parts are sliced once.
    gcode, asked = slice_file(data, ".3mf", files, printer, slicing.WITH_SUPPORTS), slicing.ALLOWED
    supported = ";TYPE:Support material" in gcode
    if supported:
        gcode, asked = slice_file(data, ".3mf", files, printer), {}
    laid = SlicedPart.from_gcode(mesh, gcode, settings, printer.bed_mm, ranges)
    wrong = differing_settings({**settings, **asked}, told_settings(gcode))
    report = judge_sliced(piece.key, laid, tuple(wrong))
    figures = plate_figures(gcode, printer.process.first_layer_mm_s)
    row = Row(
        **about,
        inputs=digest,
        supports_mm=float(supported),
        islands=sum(spot.kind == "island" for spot in report.spots),
        grams=round(figures.grams, 2),
        minutes=round(figures.minutes, 2),
        errors="; ".join(str(issue).partition(" as sliced: ")[2] for issue in report.issues()),
    )
    return _estimated(row, job)


def inputs_of(mesh: Mesh, settings: Mapping[str, str], ranges: tuple[LayerRange, ...] = ()) -> str:
    """Return a digest of all that a slicer is given: shape, settings and ranges of layers."""
    given = (mesh.digest(), json.dumps(settings), *ranges)
    return hashlib.sha256(" ".join(map(str, given)).encode()).hexdigest()[:12]


def _estimated(row: Row, job: PrintJob) -> Row:
    """Return a row with the estimate of today, which changes without what is sliced."""
    if not row.minutes:
        return row
    grams, minutes = job.figures[0].grams, job.figures[0].minutes
    return replace(row, estimated_g=round(grams, 2), estimated_min=round(minutes, 2))


def cura_supports(mesh: Mesh, printer: Printer) -> float:
    lines = slicing.cura_lines(fit_of(printer))
    with tempfile.TemporaryDirectory() as folder:
        return slicing.cura_supports(mesh, Path(folder), lines)


Asked = Sequence[tuple[Case, Row | None]]
"""Cases, each with the row that is known of it."""


def chunk(asked: Asked, twins: Twins) -> list[Row | None]:
    """Rows of some cases that are not as known."""
    return [judged(case, known, twins) for case, known in asked]


def read(state: Path) -> dict[Case, Row]:
    """Rows of an earlier run."""
    if not state.is_file():
        return {}
    kinds = {field.name: type(field.default) for field in fields(Row)} | {"size_mm": float}
    rows = []
    with state.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            values = {
                name: kinds[name](word) if kinds[name] in (int, float) else word
                for name, word in row.items()
            }
            rows.append(Row(**values))
    return {row.case: row for row in rows}


def add(state: Path, rows: Iterable[Row]) -> None:
    """Add rows to a file that other runs add to as well; a later row of a case counts."""
    with state.open("a", encoding="utf-8", newline="") as stream:
        _put_rows(stream, rows)


def write(state: Path, rows: Iterable[Row]) -> None:
    """Write a file of rows, in place of what is there."""
    with state.open("w", encoding="utf-8", newline="") as stream:
        _put_rows(stream, rows)


def _put_rows(stream: TextIO, rows: Iterable[Row]) -> None:
    out = csv.DictWriter(stream, [field.name for field in fields(Row)], lineterminator="\n")
    if not stream.tell():
        out.writeheader()
    out.writerows(map(asdict, rows))


def slice_all(given: argparse.Namespace, state: Path) -> dict[Case, Row]:
    """Slice what is not known; rows are written after each chunk."""
    known = read(state)
    wanted = list(cases(given))
    done = 0
    # Style by style, so that each finds the twins of those before it.
    for _, own in groupby(wanted, lambda case: replace(case, part="")):
        every = list(own)
        parts = [every[at : at + CHUNK] for at in range(0, len(every), CHUNK)]
        asked = [[(case, known.get(case)) for case in part] for part in parts]
        for part, rows in zip(parts, answers(given, asked, twins_of(known.values())), strict=True):
            found = {row.case: row for row in rows if row is not None}
            done += len(part)
            if found:
                known |= found
                add(state, found.values())
                wrong = sum(bool(row.errors or row.supports_mm > DOT_MM) for row in found.values())
                print(f"{done} of {len(wanted)}: {part[-1]}, {wrong} with errors", flush=True)
    return known


def answers(
    given: argparse.Namespace, asked: Sequence[Asked], twins: Twins
) -> Iterator[list[Row | None]]:
    """Results of all chunks in order, from here, from workers, or from a cluster."""
    if given.cluster:
        cluster = Cluster(given.cluster, "start the command again: it goes on")
        yield from cluster.map(chunk, [(part, twins) for part in asked])
        return
    if given.jobs == 1:
        yield from (chunk(part, twins) for part in asked)
        return
    context = get_context("spawn")
    cores = context.Queue()
    for core in sorted(os.sched_getaffinity(0)) * given.jobs:
        cores.put(core)
    with ProcessPoolExecutor(given.jobs, context, keep_to, (cores,)) as workers:
        yield from workers.map(partial(chunk, twins=twins), asked)


def keep_to(cores: Queue[int]) -> None:
    """Keep a worker and its slicers to the next core: threads of two that share cores wait."""
    os.sched_setaffinity(0, {cores.get()})


def off(pairs: Sequence[tuple[float, float]]) -> str:
    """Mean and greatest relative error, and the share within `PART_SHARE`."""
    errors = [abs(estimated / real - 1) for estimated, real in pairs]
    if not errors:
        return "–"
    inside = sum(error <= PART_SHARE for error in errors) / len(errors)
    return f"{statistics.mean(errors):.1%}, at most {max(errors):.0%}; {inside:.0%} within 10 %"


def tables(rows: Iterable[Row]) -> list[str]:
    """Markdown: a line for each process, slicer, size and style, and the list of what fails."""
    every = sorted(rows, key=lambda row: row.case)
    groups: dict[tuple[str, str, float, str], list[Row]] = {}
    for row in every:
        groups.setdefault((row.process, row.slicer, row.size_mm, row.style), []).append(row)
    head = "process|slicer|tile|style|parts|refused|supports|islands|errors|hours off|grams off"
    lines = [f"| {' | '.join(head.split('|'))} |", "|" + " --- |" * len(head.split("|"))]
    for (process, slicer, size_mm, style), own in groups.items():
        laid = [row for row in own if not row.refused]
        weighed = [row for row in laid if row.minutes]
        cells = (
            *(process, slicer, f"{size_mm:g}&nbsp;mm", style, len(own), len(own) - len(laid)),
            sum(row.supports_mm > DOT_MM for row in laid),
            sum(row.islands for row in laid) if slicer == "PrusaSlicer" else "–",
            sum(bool(row.errors) for row in laid) if slicer == "PrusaSlicer" else "–",
            off([(row.estimated_min, row.minutes) for row in weighed]),
            off([(row.estimated_g, row.grams) for row in weighed]),
        )
        lines.append(f"| {' | '.join(map(str, cells))} |")
    failing = [row for row in every if row.errors or row.supports_mm > DOT_MM]
    lines += ["", f"{len(failing)} of {len(every)} cases have errors or supports.", ""]
    alike: dict[tuple[str, str], list[str]] = {}
    for row in failing:
        words = row.errors or f"supports of {row.supports_mm:g} mm"
        where = f"{row.process}, {row.slicer}, {row.size_mm:g} mm, {row.style}"
        alike.setdefault((where, words), []).append(f"`{row.part}`")
    for (where, words), parts in list(alike.items())[:LISTED]:
        lines.append(f"- {', '.join(parts)} ({where}): {words}")
    return lines


def words(text: str) -> list[str]:
    return text.split(",")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--styles", type=words, default=list(STYLES))
    parser.add_argument(
        "--sizes", type=lambda text: [float(one) for one in words(text)], default=list(SIZES_MM)
    )
    parser.add_argument("--processes", type=words, default=list(PROCESSES))
    parser.add_argument("--slicers", type=words, default=list(SLICERS))
    parser.add_argument("--looks", type=int, default=MAX_VARIANTS, help="of each piece, at most")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--cluster", default="")
    parser.add_argument("--state", type=Path, default=STATE)
    parser.add_argument("--tables", action="store_true")
    given = parser.parse_args()
    known = read(given.state) if given.tables else slice_all(given, given.state)
    if given.tables:
        write(given.state, sorted(known.values(), key=lambda row: row.case))
    put("catalogue.md", "catalogue", tables(known.values()))


if __name__ == "__main__":
    # Under its name, by which a worker finds the calls.
    import_module("benchmarks.bench_catalogue").main()

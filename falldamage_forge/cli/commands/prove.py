"""`fdforge prove`: verify that pieces print and fit, and that maps stand."""

from __future__ import annotations

import json
import sys
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from falldamage_forge.cli import option
from falldamage_forge.cli.build_options import PLAN, PlanWords, options_of
from falldamage_forge.cli.map_argument import FORGE, checked_map, echo_issues
from falldamage_forge.cli.progress_bar import show_progress
from falldamage_forge.cli.proof_columns import DIALS, HOLDS, JOINTS, piece_table
from falldamage_forge.cli.size_options import SIZE, printable_pieces, requested_grid
from falldamage_forge.cli.spoken_language import echo, echo_report
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.infra.progress import track
from falldamage_forge.infra.report_table import row_json
from falldamage_forge.infra.source_loader import read_text
from falldamage_forge.issues import has_errors

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from falldamage_forge.cli.sliced_proof import SlicedProof
    from falldamage_forge.cli.table_proof import TableProof
    from falldamage_forge.geometry.bed_adhesion import Foot
    from falldamage_forge.geometry.dial_check import DialReport
    from falldamage_forge.geometry.joint_check import Joint, JointReport
    from falldamage_forge.geometry.piece_style import PieceStyle
    from falldamage_forge.geometry.print_report import MeasuredSpread
    from falldamage_forge.geometry.printability import PrintabilityReport
    from falldamage_forge.geometry.snap_fit import RetentionResult
    from falldamage_forge.geometry.tolerance_analysis import ToleranceResult
    from falldamage_forge.issues import Issue
    from falldamage_forge.library.forge import Map
    from falldamage_forge.pieces.catalogue import Catalogue
    from falldamage_forge.pieces.piece import Piece, Placement
    from falldamage_forge.printing.printer import Printer


@dataclass(slots=True)
class ProofReport:
    """The results of one run."""

    prints: list[PrintabilityReport] = field(default_factory=list)
    joints: list[JointReport] = field(default_factory=list)
    dials: list[DialReport] = field(default_factory=list)
    holds: list[RetentionResult] = field(default_factory=list)
    maps: dict[str, TableProof] = field(default_factory=dict)
    tolerances: dict[str, list[ToleranceResult]] = field(default_factory=dict)
    tallest: Foot | None = None
    sliced: SlicedProof | None = None

    def issues(self) -> tuple[Issue, ...]:
        """Return all issues, those of pieces first."""
        found: list[Issue] = [issue for proof in self.prints for issue in proof.issues]
        for proof in self.prints:
            if proof.foot and self.tallest:
                found += proof.foot.issues(proof.name, self.tallest)
        found += [issue for proof in self.joints for issue in proof.issues()]
        found += [issue for proof in self.dials for issue in proof.issues()]
        found += [issue for hold in self.holds for issue in hold.issues()]
        found += [issue for proof in self.maps.values() for issue in proof.issues()]
        found += self.sliced.issues() if self.sliced else ()
        return tuple(found)


@option.command
def command(
    names: tuple[str, ...] = option.maps("[MAP|PIECE]..."),
    style_name: str = option.STYLE.but("Style of surfaces."),
    printer_name: str | None = option.PRINTER,
    process_name: str | None = option.PROCESS,
    tolerances: bool = option.flag(
        "Simulate thousands of prints of each MAP with the printer's spread, and count those that "
        "fit and hold.",
        "--tolerance",
        de="Simuliert Tausende Drucke jeder MAP mit der Streuung des Druckers und zählt "
        "die, die passen und halten.",
    ),
    report: Path | None = option.FROM.but(
        "With --tolerance: simulate the spread that this report of prints measured, too.",
        de="Mit --tolerance: simuliert auch die Streuung, die dieser Bericht über Drucke "
        "gemessen hat.",
    ),
    sliced: bool = option.flag(
        "Judge parts and joints by what PrusaSlicer lays down, too; it must be installed.",
        de="Beurteilt Teile und Verbindungen auch danach, was PrusaSlicer legt; es muss "
        "installiert sein.",
    ),
    given: PlanWords = PLAN,
    size: dict[str, float | None] = SIZE,
    as_json: bool = option.JSON,
) -> None:
    """Verify that every PIECE prints without supports and fits, and that every MAP stands.

    Without arguments the whole catalogue is verified with every joint. Each part is checked as its
    written file. Each joint is seated, lowered, lifted and pulled; standing pieces are tilted and
    lifted against the stiffness of their snap fits; each dial of a unit is turned and its figure
    pushed in; each map is assembled from the parts that
    `fdforge build` writes with the same options.
    """
    from falldamage_forge import presets
    from falldamage_forge.builds.pipeline import planned
    from falldamage_forge.cli.table_proof import prove_table
    from falldamage_forge.geometry.size_limits import require_printable
    from falldamage_forge.pieces.variants import part_named

    measured = _measured(report, tolerances)
    catalogue = presets.load_catalogue(requested_grid(**size))
    printer = FORGE.printer(name=printer_name, process=process_name)
    options = options_of(given, style_name)
    style = presets.load_style(style_name)
    findings = ProofReport()
    pieces: dict[str, Piece] = {}
    for name in names:
        if piece := part_named(name, catalogue):
            pieces[piece.key] = piece
        else:
            map_ = _map(name, catalogue)
            if tolerances:
                findings.tolerances[name] = _tolerated(name, map_, printer, measured)
                continue
            machine = FORGE.printer(map_, printer_name, process_name)
            printer = machine if len(names) == 1 else printer
            placements = planned(map_.layout, FORGE.catalogue(map_), machine, options).placements
            catalogue = _of_one_size(catalogue, placements, bool(pieces))
            pieces |= {placement.piece.key: placement.piece for placement in placements}
            findings.maps[name] = prove_table(name, map_.board, placements, machine, style)
    if tolerances:
        from falldamage_forge.cli.tolerance_table import echo_tolerances

        echo_tolerances(findings.tolerances, printer, measured, as_json)
        return
    require_printable(pieces.values())
    catalogue = replace(catalogue, pieces=_known_pieces(catalogue, pieces, printer))
    wanted = pieces or dict(catalogue.pieces)
    mating = _joints(wanted, catalogue, printer)
    findings.tallest = _tallest(catalogue, printer, style)
    findings.prints += _printed(wanted.values(), printer, style)
    findings.joints += _joined(mating, printer, style)
    findings.dials += _dials(wanted.values(), catalogue, printer, style)
    findings.holds += _held(wanted.values(), printer, style)
    if sliced:
        from falldamage_forge.cli.sliced_proof import prove_sliced

        findings.sliced = prove_sliced(wanted.values(), mating, printer, style)
    show_progress("")
    issues = findings.issues()
    if as_json:
        document = _document(findings, printer, style, issues)
        click.echo(json.dumps(document, indent=2, ensure_ascii=False))
    else:
        echo_issues(issues, {})
        _echo_table(findings, printer, style)
    sys.exit(1 if has_errors(issues) else 0)


def _known_pieces(
    catalogue: Catalogue, named: dict[str, Piece], printer: Printer
) -> dict[str, Piece]:
    """Return the pieces that the process prints, and those that the user named."""
    from falldamage_forge.printing.unprintable import is_left_out

    return {
        key: piece
        for key, piece in printable_pieces(catalogue).items()
        if key in named or not is_left_out(piece, printer.process)
    }


def _of_one_size(catalogue: Catalogue, placements: Sequence[Placement], others: bool) -> Catalogue:
    """Return the catalogue of the maps' print size, and of the magnets of their bases."""
    grid, magnets = placements[0].piece.grid, placements[0].piece.magnets
    if others and (grid, magnets) != (catalogue.grid, catalogue.magnets):
        raise click.UsageError("name pieces and maps of one size, all with magnets or all without")
    return catalogue.on(grid).holding(magnets)


def _map(name: str, catalogue: Catalogue) -> Map:
    """Return a map to verify; exit 1 on errors. The hint for an unknown name lists pieces."""
    from falldamage_forge.issues import ForgeError, did_you_mean, refuse

    try:
        return checked_map(name).map
    except ForgeError as error:
        near = did_you_mean(name, catalogue.pieces)
        if near and all(issue.code == "FDF293" for issue in error.issues):
            message = f"`{name}` is neither a map nor a piece"
            raise refuse("FDF400", message, near) from None
        raise


def _tolerated(
    name: str, map_: Map, printer: Printer, measured: MeasuredSpread | None
) -> list[ToleranceResult]:
    """Return the results at the usual spreads, and at a measured one."""
    from falldamage_forge.geometry.piece_mesh import fit_of
    from falldamage_forge.geometry.tolerance_analysis import SPREADS_MM, kinds_of, tolerance

    placements = FORGE.plan(map_).placements
    fit = fit_of(printer, placements[0].piece.grid)
    kinds = kinds_of(placements, fit)
    doing = f"printing {name} a little wrong, by {{}} mm"
    spreads = {*SPREADS_MM, *([measured.spread_mm] if measured else [])}
    return [
        tolerance(kinds, fit, spread) for spread in track(sorted(spreads), doing, show_progress)
    ]


def _measured(report: Path | None, tolerances: bool) -> MeasuredSpread | None:
    """Return the spread that a report of prints measured; None without one."""
    if report is None:
        return None
    if not tolerances:
        raise click.UsageError("--from needs --tolerance")
    from falldamage_forge.geometry.print_report import measured_spread, report_from

    return measured_spread(report_from(read_text(report, str(report)), str(report)), str(report))


def _printed(
    pieces: Iterable[Piece], printer: Printer, style: PieceStyle
) -> Iterable[PrintabilityReport]:
    from falldamage_forge.geometry.bed_adhesion import foot_of_mesh
    from falldamage_forge.geometry.piece_mesh import as_printed, build
    from falldamage_forge.geometry.printability import check_printability
    from falldamage_forge.geometry.stl import write_stl

    wanted = tuple(pieces)
    for done, piece in enumerate(wanted):
        show_progress(f"cutting {piece.key} into layers", done, len(wanted))
        mesh = build(piece, printer, style)
        layer_mm = printer.process.way(piece.group).layer_mm
        report = check_printability(write_stl(mesh, piece.key), printer, piece.key, layer_mm)
        if report.foot:
            # Ears hold the part while it is printed, and are gone when its outline has to fit.
            foot = foot_of_mesh(as_printed(piece, mesh), printer.layer_mm)
            report = replace(report, foot=foot)
        yield report


def _tallest(catalogue: Catalogue, printer: Printer, style: PieceStyle) -> Foot:
    """The foot of the tallest block on one tile, which others are compared with."""
    from falldamage_forge.geometry.bed_adhesion import TALLEST, foot_of_mesh
    from falldamage_forge.geometry.piece_mesh import build

    return foot_of_mesh(build(catalogue[TALLEST], printer, style), printer.layer_mm)


def _joints(pieces: dict[str, Piece], catalogue: Catalogue, printer: Printer) -> Sequence[Joint]:
    """The joints that any of the pieces has with another, by their designs."""
    from falldamage_forge.geometry.joint_check import joints
    from falldamage_forge.geometry.piece_mesh import fit_of
    from falldamage_forge.pieces.variants import design

    keys = {design(piece) for piece in pieces.values()}
    return [
        joint
        for joint in joints(catalogue, fit_of(printer))
        if design(joint.a.piece) in keys and design(joint.b.piece) in keys
    ]


def _joined(wanted: Sequence[Joint], printer: Printer, style: PieceStyle) -> Iterable[JointReport]:
    from falldamage_forge.geometry.joint_check import check_joint
    from falldamage_forge.geometry.piece_mesh import fit_of

    fit = fit_of(printer)
    for done, joint in enumerate(wanted):
        show_progress(f"joining {joint.name}", done, len(wanted))
        yield check_joint(joint, fit, style)


def _dials(
    wanted: Iterable[Piece], catalogue: Catalogue, printer: Printer, style: PieceStyle
) -> Iterable[DialReport]:
    """The dials of figures, stands and wheels."""
    from falldamage_forge.geometry.dial_check import check_dial, dials
    from falldamage_forge.geometry.piece_mesh import fit_of

    fit = fit_of(printer)
    found = tuple(dials(catalogue, wanted))
    for done, (unit, stand, wheel) in enumerate(found):
        show_progress(f"turning the dial of {unit.key}", done, len(found))
        yield check_dial(unit, stand, wheel, fit, style)


def _held(
    pieces: Iterable[Piece], printer: Printer, style: PieceStyle
) -> Iterable[RetentionResult]:
    """Yield the forces that pieces with snap fits resist."""
    from falldamage_forge.geometry.piece_mesh import fit_of, own_solid
    from falldamage_forge.geometry.snap_fit import check_retention

    fit = fit_of(printer)
    show_progress("pulling at what stands on tiles")
    return check_retention(pieces, fit, lambda piece: float(own_solid(piece, fit, style).volume()))


def _echo_table(findings: ProofReport, printer: Printer, style: PieceStyle) -> None:
    """Print a line for each piece, and a verdict for pieces, joints and each map."""
    echo_report(piece_table(findings.tallest), findings.prints)
    bad = sum(bool(proof.issues) for proof in findings.prints)
    said = f"{bad} of them FAULTY" if bad else "all print without supports"
    echo("")
    echo(f"{len(findings.prints)} pieces, {style.title}, {printer.label}: {said}")
    loose = sum(any(True for _ in proof.issues()) for proof in findings.joints)
    if findings.joints:
        said = f"{loose} of them FAULTY" if loose else "all fit and hold"
        echo(f"{len(findings.joints)} joints, {printer.fit_mm:.2f} mm fit: {said}")
    for columns, rows in ((DIALS, findings.dials), (HOLDS, findings.holds)):
        if rows:
            echo("")
            echo_report(columns, rows)
    if any(proof.name.startswith("tie") for proof in findings.prints):
        from falldamage_forge.geometry.snap_fit import tie_bend

        echo("tie, one end first: its pocket bends by {:.2f} mm, strain {:.2%}".format(*tie_bend()))
    if findings.sliced and findings.tallest:
        from falldamage_forge.cli.sliced_proof import echo_sliced

        echo_sliced(findings.sliced, findings.tallest)
    for name, table in findings.maps.items():
        echo(table.line(name))


def _document(
    findings: ProofReport, printer: Printer, style: PieceStyle, issues: tuple[Issue, ...]
) -> dict[str, Any]:
    """Return the results as JSON values; lengths in mm, places (x, y, z) in print pose."""
    pieces = piece_table(findings.tallest)
    return {
        "ok": not has_errors(issues),
        "printer": printer.name,
        "process": printer.process.name,
        "style": style.name,
        "pieces": [row_json(pieces, proof) for proof in findings.prints],
        "joints": [row_json(JOINTS, proof) for proof in findings.joints],
        "dials": [row_json(DIALS, proof) for proof in findings.dials],
        "holds": [row_json(HOLDS, hold) for hold in findings.holds],
        "maps": {name: table.counts() for name, table in findings.maps.items()},
        **_sliced(findings),
        "issues": [str(issue) for issue in issues],
    }


def _sliced(findings: ProofReport) -> dict[str, Any]:
    """The JSON key of parts and joints as sliced; empty without `--sliced`."""
    if findings.sliced is None or findings.tallest is None:
        return {}
    from falldamage_forge.cli.sliced_proof import sliced_document

    return {"sliced": sliced_document(findings.sliced, findings.tallest)}

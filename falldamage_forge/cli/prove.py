"""`fdforge prove`: do the pieces print, do they fit, does the map stand?"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import click

from falldamage_forge.cli import complete
from falldamage_forge.cli.build_options import options_of, plan_options
from falldamage_forge.cli.common import FORGE, checked_map, echo_issues
from falldamage_forge.cli.sizes import grid_asked, made, size_options
from falldamage_forge.cli.waiting import show_progress
from falldamage_forge.presets import DEFAULT_STYLE
from falldamage_forge.waiting import each

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from falldamage_forge.forge import Map
    from falldamage_forge.geometry.assembly import AssemblyProof
    from falldamage_forge.geometry.hold import Hold
    from falldamage_forge.geometry.joints import JointProof
    from falldamage_forge.geometry.proof import PrintProof
    from falldamage_forge.geometry.style import Style
    from falldamage_forge.geometry.tolerance import Tolerance
    from falldamage_forge.issues import Issue
    from falldamage_forge.pieces.catalogue import Catalogue
    from falldamage_forge.pieces.model import Piece, Placement
    from falldamage_forge.printing.printer import Printer


@dataclass(slots=True)
class Findings:
    """Everything proved in one run."""

    prints: list[PrintProof] = field(default_factory=list)
    joints: list[JointProof] = field(default_factory=list)
    holds: list[Hold] = field(default_factory=list)
    maps: dict[str, AssemblyProof] = field(default_factory=dict)
    tolerances: dict[str, list[Tolerance]] = field(default_factory=dict)

    def issues(self) -> tuple[Issue, ...]:
        """All faults, pieces first."""
        found: list[Issue] = [issue for proof in self.prints for issue in proof.issues]
        found += [issue for proof in self.joints for issue in proof.issues()]
        found += [issue for hold in self.holds for issue in hold.issues()]
        found += [issue for proof in self.maps.values() for issue in proof.issues()]
        return tuple(found)


@click.command()
@click.argument("names", metavar="[MAP|PIECE]...", nargs=-1, shell_complete=complete.maps)
@click.option(
    "--style", "style_name", default=DEFAULT_STYLE, show_default=True, help="Style of surfaces."
)
@click.option(
    "--printer",
    "printer_name",
    help="Printer, by name or by the file of your own.  [default: yours, or a1-mini]",
)
@click.option("--process", "process_name", help="Process; `fdforge presets` lists them.")
@click.option(
    "--tolerance",
    "tolerances",
    is_flag=True,
    help="Print thousands of tables of each MAP a little wrong: how many go together and hold.",
)
@plan_options
@size_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(
    names: tuple[str, ...],
    style_name: str,
    printer_name: str | None,
    process_name: str | None,
    tolerances: bool,
    tile_mm: float | None,
    rise_mm: float | None,
    as_json: bool,
    own: Path | None,
    **words: Any,
) -> None:
    """Prove that every PIECE prints without supports and fits, and that every MAP stands.

    Without arguments the whole catalogue is proved, with every joint. Each part is judged as the
    file that is written; each joint is seated, sunk, lifted and pulled; what stands is tilted and
    lifted with the stiffness of its click; each map is put together from the very parts that
    `fdforge build` writes with the same options.
    """
    from falldamage_forge import presets
    from falldamage_forge.assemble import planned
    from falldamage_forge.geometry.scale import refuse_unmade

    catalogue = presets.load_catalogue(grid_asked(tile_mm, rise_mm))
    printer = FORGE.printer(name=printer_name, process=process_name)
    options = options_of(own, style_name, **words)
    style = presets.load_style(style_name)
    findings = Findings()
    pieces: dict[str, Piece] = {}
    for name in names:
        if name in catalogue:
            pieces[catalogue[name].key] = catalogue[name]
        else:
            map_ = _map(name, catalogue)
            if tolerances:
                findings.tolerances[name] = _tolerated(name, FORGE.plan(map_).placements, printer)
                continue
            machine = FORGE.printer(map_, printer_name, process_name)
            printer = machine if len(names) == 1 else printer
            placements = planned(map_.layout, FORGE.catalogue(map_), machine, options).placements
            catalogue = _of_one_size(catalogue, placements, bool(pieces))
            pieces |= {placement.piece.key: placement.piece for placement in placements}
            findings.maps[name] = _assembled(name, placements, machine, style)
    if tolerances and not findings.tolerances:
        raise click.UsageError("--tolerance needs a MAP")
    if tolerances:
        _tell_tolerances(findings.tolerances, printer, as_json)
        return
    refuse_unmade(pieces.values())
    catalogue = replace(catalogue, pieces=made(catalogue))
    wanted = pieces or dict(catalogue.pieces)
    findings.prints += _printed(wanted.values(), printer, style)
    findings.joints += _joined(wanted, catalogue, printer, style)
    findings.holds += _held(wanted.values(), printer, style)
    show_progress("")
    issues = findings.issues()
    if as_json:
        document = _document(findings, printer, style, issues)
        click.echo(json.dumps(document, indent=2, ensure_ascii=False))
    else:
        echo_issues(issues, {})
        _echo_table(findings, printer, style)
    sys.exit(1 if issues else 0)


def _of_one_size(catalogue: Catalogue, placements: Sequence[Placement], others: bool) -> Catalogue:
    """The catalogue of the size that a map is printed in."""
    grid = placements[0].piece.grid
    if others and grid != catalogue.grid:
        raise click.UsageError("name pieces and maps of one size")
    return catalogue.on(grid)


def _map(name: str, catalogue: Catalogue) -> Map:
    """A map to be proved; exits 1 when it is faulty, and hints at pieces for an unknown name."""
    from falldamage_forge.issues import ForgeError, did_you_mean, refuse

    try:
        return checked_map(name).map
    except ForgeError as error:
        near = did_you_mean(name, catalogue.pieces)
        if near and all(issue.code == "FDF293" for issue in error.issues):
            message = f"`{name}` is neither a map nor a piece"
            raise refuse("FDF400", message, near) from None
        raise


def _assembled(
    name: str, placements: Sequence[Placement], printer: Printer, style: Style
) -> AssemblyProof:
    from falldamage_forge.geometry.assembly import prove_assembly
    from falldamage_forge.geometry.build import build_all

    pieces = {placement.piece.key: placement.piece for placement in placements}
    meshes = build_all(pieces, printer, style, show_progress)
    show_progress(f"putting {name} together")
    return prove_assembly(placements, meshes, printer)


def _tolerated(name: str, placements: Sequence[Placement], printer: Printer) -> list[Tolerance]:
    from falldamage_forge.geometry.build import fit_of
    from falldamage_forge.geometry.tolerance import SPREADS_MM, kinds_of, tolerance

    fit = fit_of(printer, placements[0].piece.grid)
    kinds = kinds_of(placements, fit)
    doing = f"printing {name} a little wrong, by {{}} mm"
    return [tolerance(kinds, fit, spread) for spread in each(SPREADS_MM, doing, show_progress)]


def _tell_tolerances(found: dict[str, list[Tolerance]], printer: Printer, as_json: bool) -> None:
    """How many tables of each map go together and hold, by the printer's spread."""
    show_progress("")
    if as_json:
        document = {
            name: [
                {
                    "spread_mm": one.spread_mm,
                    "share": round(one.share, 4),
                    "failures": {why: round(share, 4) for why, share in one.failures.items()},
                }
                for one in table
            ]
            for name, table in found.items()
        }
        click.echo(json.dumps({"printer": printer.name, "tolerance": document}, indent=2))
        return
    for name, table in found.items():
        click.echo(
            f"{name}, {printer.title}: fit {printer.fit_mm:g}, click {printer.click_mm:g} mm"
        )
        click.echo("spread     tables that go together and hold   fails first")
        for one in table:
            click.echo(f"±{one.spread_mm:.2f} mm  {one.share:32.1%}   {one.first or 'nothing'}")


def _printed(pieces: Iterable[Piece], printer: Printer, style: Style) -> Iterable[PrintProof]:
    from falldamage_forge.geometry.build import build
    from falldamage_forge.geometry.proof import prove_print
    from falldamage_forge.geometry.stl import write_stl

    wanted = tuple(pieces)
    for done, piece in enumerate(wanted):
        show_progress(f"cutting {piece.key} into layers", done, len(wanted))
        data = write_stl(build(piece, printer, style), piece.key)
        yield prove_print(data, printer, piece.key, printer.process.way(piece.group).layer_mm)


def _joined(
    pieces: dict[str, Piece], catalogue: Catalogue, printer: Printer, style: Style
) -> Iterable[JointProof]:
    """Proofs of the joints that any of the pieces has with another; looks mate alike."""
    from falldamage_forge.geometry.build import fit_of
    from falldamage_forge.geometry.joints import joints, prove_joint
    from falldamage_forge.pieces.variants import design

    fit = fit_of(printer)
    keys = {design(piece) for piece in pieces.values()}
    wanted = [
        joint
        for joint in joints(catalogue, fit)
        if joint.a.piece.key in keys and joint.b.piece.key in keys
    ]
    for done, joint in enumerate(wanted):
        show_progress(f"joining {joint.name}", done, len(wanted))
        yield prove_joint(joint, fit, style)


def _held(pieces: Iterable[Piece], printer: Printer, style: Style) -> Iterable[Hold]:
    """What everything that clicks bears by its click and its weight."""
    from falldamage_forge.geometry.build import fit_of, own_solid
    from falldamage_forge.geometry.hold import holds

    fit = fit_of(printer)
    show_progress("pulling at what stands on tiles")
    return holds(pieces, fit, lambda piece: float(own_solid(piece, fit, style).volume()))


def _echo_table(findings: Findings, printer: Printer, style: Style) -> None:
    """A line for each piece, and one verdict for pieces, joints and each map."""
    width = max((len(proof.name) for proof in findings.prints), default=5)
    click.echo(f"{'piece':{width}}  layers  bridge  juts out  islands  balance  verdict")
    for proof in findings.prints:
        click.echo(
            f"{proof.name:{width}}  {proof.layers:6}  {proof.bridge_mm:6.1f}"
            f"  {proof.cantilever_mm:8.1f}  {proof.islands:7}  {proof.balance_mm:7.1f}"
            f"  {'FAULTY' if proof.issues else 'prints'}"
        )
    bad = sum(bool(proof.issues) for proof in findings.prints)
    said = f"{bad} of them FAULTY" if bad else "all print without supports"
    click.echo(f"\n{len(findings.prints)} pieces, {style.title}, {printer.title}: {said}")
    loose = sum(any(True for _ in proof.issues()) for proof in findings.joints)
    if findings.joints:
        said = f"{loose} of them FAULTY" if loose else "all fit and hold"
        click.echo(f"{len(findings.joints)} joints, {printer.fit_mm:.2f} mm fit: {said}")
    _echo_holds(findings.holds)
    for name, table in findings.maps.items():
        said = (
            "FAULTY" if any(True for _ in table.issues()) else "stands; nothing clashes or floats"
        )
        click.echo(f"{name}: {len(table.placements)} parts, {table.pairs} contacts: {said}")


def _echo_holds(holds: Sequence[Hold]) -> None:
    """What each standing piece bears: lifted, pulled sideways at its top, knocked."""
    if not holds:
        return
    width = max(len(hold.name) for hold in holds)
    click.echo(f"\n{'on a tile':{width}}  lifts off at  tips at (top)  knocked over by")
    for hold in holds:
        click.echo(
            f"{hold.name:{width}}  {hold.lift_n:10.1f} N  {hold.tip_gf:10.0f} gf"
            f"  {hold.knock_mj:12.2f} mJ"
        )


def _document(
    findings: Findings, printer: Printer, style: Style, issues: tuple[Issue, ...]
) -> dict[str, Any]:
    """The findings as JSON values; lengths in mm, places (x, y, z) in print pose."""
    return {
        "ok": not issues,
        "printer": printer.name,
        "process": printer.process.name,
        "style": style.name,
        "pieces": [_piece(proof) for proof in findings.prints],
        "joints": [
            {
                "name": proof.joint.name,
                "overlap_mm3": round(proof.overlap_mm3, 4),
                "sunk_mm3": round(proof.sunk_mm3, 3),
                "held_mm3": round(proof.held_mm3, 3),
                "click_mm3": round(proof.click_mm3, 3),
                "codes": [issue.code for issue in proof.issues()],
            }
            for proof in findings.joints
        ],
        "holds": [
            {
                "name": hold.name,
                "lift_n": round(hold.lift_n, 2),
                "tip_gf": round(hold.tip_gf, 1),
                "knock_mj": round(hold.knock_mj, 3),
            }
            for hold in findings.holds
        ],
        "maps": {
            name: {
                "parts": len(table.placements),
                "contacts": table.pairs,
                "clashes": len(table.clashes),
                "floating": len(table.floating),
            }
            for name, table in findings.maps.items()
        },
        "issues": [str(issue) for issue in issues],
    }


def _piece(proof: PrintProof) -> dict[str, Any]:
    return {
        "key": proof.name,
        "size_mm": [round(side, 3) for side in proof.soundness.size_mm],
        "volume_mm3": round(proof.soundness.volume_mm3, 2),
        "triangles": proof.soundness.triangles,
        "layers": proof.layers,
        "bridge_mm": round(proof.bridge_mm, 3),
        "cantilever_mm": round(proof.cantilever_mm, 3),
        "islands": proof.islands,
        "balance_mm": round(proof.balance_mm, 3),
        "codes": sorted({issue.code for issue in proof.issues}),
        "faults": [
            {"code": fault.code, "message": fault.message, "place_mm": list(fault.place)}
            for fault in proof.faults
        ],
    }

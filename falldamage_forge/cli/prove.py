"""`fdforge prove`: do the pieces print, do they fit, does the map stand?"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import click

from falldamage_forge.cli.common import (
    Sources,
    check_map,
    echo_issues,
    printer_called,
    show_progress,
    stop_on_errors,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from falldamage_forge.geometry.assembly import AssemblyProof
    from falldamage_forge.geometry.joints import JointProof
    from falldamage_forge.geometry.proof import PrintProof
    from falldamage_forge.geometry.style import Style
    from falldamage_forge.issues import Issue
    from falldamage_forge.pieces.catalogue import Catalogue
    from falldamage_forge.pieces.model import Piece, Placement
    from falldamage_forge.printing.printer import Printer


@dataclass(slots=True)
class Findings:
    """Everything proved in one run."""

    prints: list[PrintProof] = field(default_factory=list)
    joints: list[JointProof] = field(default_factory=list)
    maps: dict[str, AssemblyProof] = field(default_factory=dict)

    def issues(self) -> tuple[Issue, ...]:
        """All faults, pieces first."""
        found: list[Issue] = [issue for proof in self.prints for issue in proof.issues]
        found += [issue for proof in self.joints for issue in proof.issues()]
        found += [issue for proof in self.maps.values() for issue in proof.issues()]
        return tuple(found)


@click.command()
@click.argument("names", metavar="[MAP|PIECE]...", nargs=-1)
@click.option(
    "--style", "style_name", default="plain", show_default=True, help="Style of surfaces."
)
@click.option(
    "--printer",
    "printer_name",
    default="a1-mini",
    show_default=True,
    help="Printer, by name or by the file of your own.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(names: tuple[str, ...], style_name: str, printer_name: str, as_json: bool) -> None:
    """Prove that every PIECE prints without supports and fits, and that every MAP stands.

    Without arguments the whole catalogue is proved, with every joint. Each part is judged as the
    file that is written; each joint is seated, measured and pulled; each map is put together.
    """
    from falldamage_forge import presets

    catalogue = presets.load_catalogue()
    printer, style = printer_called(printer_name), presets.load_style(style_name)
    findings = Findings()
    pieces: dict[str, Piece] = {}
    for name in names:
        if name in catalogue.pieces:
            pieces[name] = catalogue[name]
        else:
            placements = _placements(name, catalogue)
            pieces |= {placement.piece.key: placement.piece for placement in placements}
            findings.maps[name] = _assembled(name, placements, printer, style)
    wanted = pieces or dict(catalogue.pieces)
    findings.prints += _printed(wanted.values(), printer, style)
    findings.joints += _joined(wanted, catalogue, printer, style)
    show_progress("")
    issues = findings.issues()
    if as_json:
        document = _document(findings, printer, style, issues)
        click.echo(json.dumps(document, indent=2, ensure_ascii=False))
    else:
        echo_issues(issues, Sources())
        _echo_table(findings, printer, style)
    sys.exit(1 if issues else 0)


def _placements(name: str, catalogue: Catalogue) -> Sequence[Placement]:
    """The plan of a map; exits 1 when it is faulty, and hints at pieces for an unknown name."""
    from falldamage_forge.issues import ForgeError, did_you_mean
    from falldamage_forge.pipeline import plan_of

    sources = Sources()
    try:
        checked = check_map(name, sources)
    except ForgeError as error:
        near = did_you_mean(name, catalogue.pieces)
        if near and all(issue.code == "FDF293" for issue in error.issues):
            from falldamage_forge.cli.common import refuse

            message = f"`{name}` is neither a map nor a piece"
            raise refuse("FDF400", message, near) from None
        raise
    stop_on_errors(checked.issues, sources)
    return plan_of(checked.layout, catalogue).placements


def _assembled(
    name: str, placements: Sequence[Placement], printer: Printer, style: Style
) -> AssemblyProof:
    from falldamage_forge.geometry.assembly import prove_assembly
    from falldamage_forge.geometry.build import fit_of

    show_progress(f"putting {name} together")
    return prove_assembly(placements, fit_of(printer), style)


def _printed(pieces: Iterable[Piece], printer: Printer, style: Style) -> Iterable[PrintProof]:
    from falldamage_forge.export.stl import write_stl
    from falldamage_forge.geometry.build import build
    from falldamage_forge.geometry.proof import prove_print

    for piece in pieces:
        show_progress(f"cutting {piece.key} into layers")
        yield prove_print(write_stl(build(piece, printer, style), piece.key), printer, piece.key)


def _joined(
    pieces: dict[str, Piece], catalogue: Catalogue, printer: Printer, style: Style
) -> Iterable[JointProof]:
    """Proofs of the joints that any of the pieces has with another."""
    from falldamage_forge.geometry.build import fit_of
    from falldamage_forge.geometry.joints import joints, prove_joint

    fit = fit_of(printer)
    for joint in joints(catalogue, fit):
        if joint.a.piece.key in pieces and joint.b.piece.key in pieces:
            show_progress(f"joining {joint.name}")
            yield prove_joint(joint, fit, style)


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
    for name, table in findings.maps.items():
        said = (
            "FAULTY" if any(True for _ in table.issues()) else "stands; nothing clashes or floats"
        )
        click.echo(f"{name}: {len(table.placements)} parts, {table.pairs} contacts: {said}")


def _document(
    findings: Findings, printer: Printer, style: Style, issues: tuple[Issue, ...]
) -> dict[str, Any]:
    """The findings as JSON values; lengths in mm, places (x, y, z) in print pose."""
    return {
        "ok": not issues,
        "printer": printer.name,
        "style": style.name,
        "pieces": [_piece(proof) for proof in findings.prints],
        "joints": [
            {
                "name": proof.joint.name,
                "gap_mm": round(proof.gap_mm, 4),
                "asked_mm": proof.joint.gap_mm,
                "overlap_mm3": round(proof.overlap_mm3, 4),
                "codes": [issue.code for issue in proof.issues()],
            }
            for proof in findings.joints
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

"""`fdforge prove --sliced`: parts and joints judged by what PrusaSlicer lays down."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from typing import Any

from falldamage_forge.cli.progress_bar import show_progress
from falldamage_forge.cli.proof_columns import SEATS, sliced_table
from falldamage_forge.cli.spoken_language import echo, echo_report
from falldamage_forge.geometry.bed_adhesion import Foot
from falldamage_forge.geometry.joint_check import Joint, JointReport, check_seated, near_box
from falldamage_forge.geometry.piece_mesh import build, fit_of
from falldamage_forge.geometry.piece_style import PieceStyle
from falldamage_forge.geometry.sliced_joint import JointFit, joint_fit, slabs_standing
from falldamage_forge.geometry.sliced_part import SlicedPart, SlicedReport, judge_sliced
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.infra.progress import track
from falldamage_forge.infra.report_table import row_json
from falldamage_forge.issues import Issue
from falldamage_forge.pieces.piece import Piece
from falldamage_forge.printing.printer import Printer


@dataclass(slots=True)
class SlicedProof:
    """Everything that was judged as sliced; joints with what was measured of them."""

    parts: list[SlicedReport] = field(default_factory=list)
    joints: list[tuple[JointReport, JointFit]] = field(default_factory=list)

    def issues(self) -> Iterator[Issue]:
        """All issues, parts first."""
        for part in self.parts:
            yield from part.issues()
        for report, _ in self.joints:
            for issue in report.issues():
                yield Issue(issue.code, issue.severity, f"as sliced, {issue.message}")


class PartSlicer:
    """PrusaSlicer on the pieces of a printer in a style, each sliced once.

    `options` are words that the slicer gets beside the printer's own settings.
    """

    def __init__(self, printer: Printer, style: PieceStyle, options: Sequence[str] = ()) -> None:
        from falldamage_forge.printing.prusaslicer import find_slicer

        find_slicer("--sliced")
        self.printer, self.style, self.options = printer, style, options
        self._known: dict[str, tuple[SlicedPart, tuple[str, ...]]] = {}

    def sliced(self, piece: Piece) -> tuple[SlicedPart, tuple[str, ...]]:
        """A piece's layers, and the settings that it was sliced with otherwise than meant."""
        from falldamage_forge import presets
        from falldamage_forge.export.threemf import write_part
        from falldamage_forge.printing.layer_ranges import layer_ranges
        from falldamage_forge.printing.prusaslicer import slice_file
        from falldamage_forge.printing.slicer_settings import differing_settings, told_settings

        if piece.key not in self._known:
            mesh = build(piece, self.printer, self.style)
            files = presets.slicer_files(self.printer, piece.group)
            meant = presets.slicer_settings(self.printer, piece.group)
            height_mm = mesh.bounds_mm()[1][2] - mesh.bounds_mm()[0][2]
            ranges = layer_ranges(piece, height_mm, self.printer.process)
            data = write_part(piece.key, mesh, ranges)
            gcode = slice_file(data, ".3mf", files, self.printer, self.options)
            part = SlicedPart.from_gcode(mesh, gcode, meant, self.printer.bed_mm, ranges)
            other = tuple(differing_settings(meant, told_settings(gcode)))
            self._known[piece.key] = part, other
        return self._known[piece.key]

    def judge(self, piece: Piece) -> SlicedReport:
        """A piece as it was sliced."""
        return judge_sliced(piece.key, *self.sliced(piece))

    def join(self, joint: Joint) -> tuple[JointReport, JointFit]:
        """A joint of two pieces as they were sliced."""
        fit = fit_of(self.printer)
        near = near_box(joint, fit, self.style)
        a, b = (
            slabs_standing(placed, self.sliced(placed.piece)[0].slabs, fit, near)
            for placed in (joint.a, joint.b)
        )
        return check_seated(joint, a, b), joint_fit(joint, a, b)


def prove_sliced(
    pieces: Iterable[Piece], joints: Sequence[Joint], printer: Printer, style: PieceStyle
) -> SlicedProof:
    """Slice and judge pieces and joints one by one.

    Args:
        pieces: Pieces to slice.
        joints: Joints whose parts are sliced together.
        printer: Printer whose profile slices them.
        style: Style of the surfaces.

    Raises:
        ForgeError: FDF470 without PrusaSlicer, FDF471 when it refuses a part.
    """
    slicer = PartSlicer(printer, style)
    named = {piece.key: piece for piece in pieces}
    seats = {joint.name: joint for joint in joints}
    return SlicedProof(
        [slicer.judge(named[key]) for key in track(tuple(named), "slicing {}", show_progress)],
        [slicer.join(seats[name]) for name in track(tuple(seats), "joining {}", show_progress)],
    )


def echo_sliced(proof: SlicedProof, tallest: Foot) -> None:
    """A line for each part and each joint; areas in mm², lengths in mm.

    Args:
        proof: Judged parts and joints.
        tallest: Foot of the tallest block, with which others are compared.
    """
    echo("")
    echo_report(sliced_table(tallest), proof.parts)
    if proof.joints:
        echo("")
        echo_report(SEATS, proof.joints)


def sliced_document(proof: SlicedProof, tallest: Foot) -> dict[str, Any]:
    """The proof as JSON values; lengths in mm, places (x, y, z) in print pose.

    Args:
        proof: Judged parts and joints.
        tallest: Foot of the tallest block, with which others are compared.
    """
    pieces = sliced_table(tallest)
    return {
        "pieces": [row_json(pieces, part) for part in proof.parts],
        "joints": [row_json(SEATS, seat) for seat in proof.joints],
    }

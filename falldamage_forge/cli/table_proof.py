"""Proof of a map in `fdforge prove`: its parts are put together, in the order of its sheets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from falldamage_forge.cli.progress_bar import show_progress
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import Issue, has_errors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from falldamage_forge.board import Board
    from falldamage_forge.geometry.assembly_check import AssemblyReport
    from falldamage_forge.geometry.piece_style import PieceStyle
    from falldamage_forge.geometry.ways_in import WaysReport
    from falldamage_forge.pieces.piece import Placement
    from falldamage_forge.printing.printer import Printer


@dataclass(frozen=True, slots=True)
class TableProof:
    """A map's parts put together, and the ways of its parts to their places."""

    assembly: AssemblyReport
    ways: WaysReport

    def issues(self) -> tuple[Issue, ...]:
        """Return the issues of both."""
        return (*self.assembly.issues(), *self.ways.issues())

    def line(self, name: str) -> str:
        """Return the verdict on a map of a name."""
        said = "stands; nothing clashes or floats, each part has a way in"
        if has_errors(self.issues()):
            said = "FAULTY"
        found = self.assembly
        return f"{name}: {len(found.placements)} parts, {found.pairs} contacts: {said}"

    def counts(self) -> dict[str, int]:
        """Return the counts of the JSON document."""
        return {
            "parts": len(self.assembly.placements),
            "contacts": self.assembly.pairs,
            "clashes": len(self.assembly.clashes),
            "floating": len(self.assembly.floating),
            "from_side": len(self.ways.ways),
            "blocked": len(self.ways.blocked),
        }


def prove_table(
    name: str, board: Board, placements: Sequence[Placement], printer: Printer, style: PieceStyle
) -> TableProof:
    """Return the proof of a map.

    Args:
        name: Name of the map in progress lines.
        board: Its board.
        placements: Its plan.
        printer: Printer whose gaps the parts have.
        style: Relief of the parts.
    """
    from falldamage_forge.geometry.assembly_check import check_assembly
    from falldamage_forge.geometry.piece_mesh import build_all
    from falldamage_forge.geometry.ways_in import find_ways
    from falldamage_forge.render.build_steps import building_order

    pieces = {placement.piece.key: placement.piece for placement in placements}
    meshes = build_all(pieces, printer, style, show_progress)
    show_progress(f"putting {name} together")
    order = building_order(board, placements)
    return TableProof(
        check_assembly(placements, meshes, printer), find_ways(placements, order, meshes, printer)
    )

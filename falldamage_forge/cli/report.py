"""`fdforge report`: one page about a map, to share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from falldamage_forge.cli.common import (
    Sources,
    check_map,
    echo_issues,
    fall_damage_of,
    map_path,
    printer_of,
    ruleset_of,
    show_progress,
)

if TYPE_CHECKING:
    from falldamage_forge.assemble import Build
    from falldamage_forge.issues import Issue
    from falldamage_forge.lang import Layout
    from falldamage_forge.printing.printer import Printer
    from falldamage_forge.render.overlay import Overlay
    from falldamage_forge.render.report import ReportData
    from falldamage_forge.rules.study import Metric


@click.command()
@click.argument("map_name", metavar="MAP")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="The file; <map>-report.html if not said.",
)
@click.option("--printer", "printer_name", help="Printer to estimate for.")
def command(map_name: str, output: Path | None, printer_name: str | None) -> None:
    """Write one HTML page about MAP: picture, 3D view, verdict, overlays, lists and source.

    The page needs no network. A map that is not playable gets its page too, and exits 1.
    """
    from falldamage_forge.assemble import assemble
    from falldamage_forge.cli.write import safe_name, write_file
    from falldamage_forge.issues import has_errors
    from falldamage_forge.presets import load_catalogue
    from falldamage_forge.render.report import report

    sources = Sources()
    checked = check_map(map_name, sources)
    echo_issues(checked.issues, sources)
    layout = checked.layout
    # What cannot be built (codes below 300) cannot be drawn either.
    broken = any(i.severity == "error" and i.code < "FDF300" for i in checked.issues)
    if layout is None or broken:
        raise SystemExit(1)
    stem = map_path(map_name).stem
    printer = printer_of(layout, printer_name)
    build = assemble(layout, load_catalogue(), printer, show_progress)
    data = report_data(layout, checked.issues, build, printer, next(iter(sources.texts.items())))
    target = output or Path(f"{safe_name(stem)}-report.html")
    write_file(target, report(data).encode())
    show_progress("")
    click.echo(f"{target}")
    if has_errors(checked.issues):
        raise SystemExit(1)


def report_data(
    layout: Layout,
    issues: tuple[Issue, ...],
    build: Build,
    printer: Printer,
    source: tuple[str, str],
) -> ReportData:
    """Everything the page says; `source` is the name and the text of the map."""
    from falldamage_forge.render.models import scene
    from falldamage_forge.render.report import PieceRow, PlateRow, ReportData

    overlays = _overlays(layout)
    rows = tuple(
        PieceRow(
            row.piece,
            row.title,
            row.quantity,
            row.grams,
            row.minutes,
            " ".join(map(str, row.plates)),
        )
        for row in build.rows
    )
    plates = tuple(
        PlateRow(
            plate.name,
            len(plate.slots),
            figures.grams,
            figures.minutes,
        )
        for plate, figures in zip(build.plates, build.figures, strict=True)
    )
    return ReportData(
        title=layout.title,
        board=layout.board,
        author=layout.author,
        issues=issues,
        measures=_measures(layout, issues),
        overlays=overlays,
        rows=rows,
        plates=plates,
        printer=printer.title,
        scene=scene(layout.board, build.plan.placements, build.meshes, printer, overlays),
        source=source[1],
        source_name=Path(source[0]).name,
    )


def _measures(layout: Layout, issues: tuple[Issue, ...]) -> tuple[Metric, ...]:
    """How the map plays; nothing where it does not, or where it would take long."""
    from falldamage_forge.issues import has_errors
    from falldamage_forge.presets import load_units
    from falldamage_forge.render.report import MAX_DRAWN
    from falldamage_forge.rules.analysis import analyze
    from falldamage_forge.rules.classes import movement_classes
    from falldamage_forge.rules.ruleset import Ruleset
    from falldamage_forge.rules.study import study

    board = layout.board
    if has_errors(issues) or board.rows * board.cols > MAX_DRAWN or not board.starts:
        return ()
    units = load_units()
    ruleset, _ = ruleset_of(layout)
    if not isinstance(ruleset, Ruleset):  # another game's map; these are Fall Damage's measures
        return ()
    return analyze(study(board, ruleset, movement_classes(units.values()), units))


def _overlays(layout: Layout) -> tuple[Overlay, ...]:
    from falldamage_forge.render import overlays
    from falldamage_forge.rules.movement import Profile

    ruleset, _ = fall_damage_of(layout)
    profile = Profile(ruleset.proof_move, min(ruleset.proof_jumps))
    moves = overlays.moves_for(layout.board, ruleset, profile)
    starts = layout.board.starts
    return (
        overlays.turns(moves, starts),
        overlays.control(moves, starts),
        overlays.hazard(moves.graph, ruleset.options),
        overlays.islands(moves, starts),
    )

"""`fdforge report`: write an HTML page about a map."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from falldamage_forge.cli import option
from falldamage_forge.cli.build_options import FILAMENTS, VARIANTS, price_of
from falldamage_forge.cli.map_argument import FORGE, echo_issues, file_stem, played_metrics
from falldamage_forge.cli.progress_bar import show_progress
from falldamage_forge.cli.spoken_language import echo, wished_language
from falldamage_forge.cli.stock_options import OWNED, owned_parts


@option.command
def command(
    map_name: str = option.MAP,
    output: Path | None = option.output(
        "Output file (default: <map>-report.html).",
        de="Ausgabedatei (Standard: <map>-report.html).",
    ),
    printer_name: str | None = option.PRINTER.but(
        "Printer of the estimates.", de="Drucker der Schätzungen."
    ),
    filaments: int | None = FILAMENTS,
    owned: dict[str, Any] = OWNED,
) -> None:
    """Write one HTML page about MAP: picture, 3D view, verdict, overlays, lists and source.

    The page needs no network. For a map that is not playable, or cannot be built, the page marks
    its issues, and the command exits 1.
    """
    from falldamage_forge.builds.pipeline import BuildOptions
    from falldamage_forge.builds.result import report_context, report_context_of_illegal
    from falldamage_forge.infra.atomic_write import write_file
    from falldamage_forge.render.html_report import report

    target = option.output_path(output, Path(f"{file_stem(map_name)}-report.html"))
    map_ = FORGE.load(map_name)
    checked = FORGE.check(map_)
    echo_issues(checked.issues, map_.texts)
    if checked.buildable:
        options = BuildOptions(
            owned=owned_parts(**owned), price=price_of(), variants=VARIANTS, filaments=filaments
        )
        built = FORGE.assemble(checked, printer_name, options, show_progress)
        show_progress("taking pictures")
        data = report_context(built)
        played = played_metrics(map_, checked.position)
        data = replace(data, measures=(*data.measures, *played))
    else:
        data = report_context_of_illegal(checked)
    show_progress("writing the report")
    write_file(target, report(data, wished_language()).encode())
    show_progress("")
    echo(f"{target}")
    if not checked.ok:
        raise SystemExit(1)

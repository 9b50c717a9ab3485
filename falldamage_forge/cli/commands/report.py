"""`fdforge report`: write an HTML page about a map."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from falldamage_forge.cli.build_options import VARIANTS, filaments_option, price_of
from falldamage_forge.cli.map_argument import FORGE, echo_issues, played_metrics
from falldamage_forge.cli.progress_bar import show_progress
from falldamage_forge.cli.shared_options import map_argument, output_option, output_path
from falldamage_forge.cli.spoken_language import echo, wished_language
from falldamage_forge.cli.stock_options import own_options, owned_parts


@click.command()
@map_argument
@output_option(help="Output file (default: <map>-report.html).")
@click.option("--printer", "printer_name", help="Printer of the estimates.")
@filaments_option
@own_options
def command(
    map_name: str,
    output: Path | None,
    printer_name: str | None,
    filaments: int | None,
    own: Path | None,
    kit: Path | None,
) -> None:
    """Write one HTML page about MAP: picture, 3D view, verdict, overlays, lists and source.

    The page needs no network. For a map that is not playable, or cannot be built, the page marks
    its issues, and the command exits 1.
    """
    from falldamage_forge.builds.pipeline import BuildOptions
    from falldamage_forge.builds.result import report_context, report_context_of_illegal
    from falldamage_forge.infra.atomic_write import safe_name, write_file
    from falldamage_forge.render.html_report import report
    from falldamage_forge.resolve import resolve_map_path

    default = Path(f"{safe_name(resolve_map_path(map_name).stem)}-report.html")
    target = output_path(output, default)
    map_ = FORGE.load(map_name)
    checked = FORGE.check(map_)
    echo_issues(checked.issues, map_.texts)
    if checked.buildable:
        owned = owned_parts(own, kit)
        options = BuildOptions(
            owned=owned, price=price_of(), variants=VARIANTS, filaments=filaments
        )
        data = report_context(FORGE.assemble(checked, printer_name, options, show_progress))
        played = played_metrics(map_, checked.position)
        data = replace(data, measures=(*data.measures, *played))
    else:
        data = report_context_of_illegal(checked)
    write_file(target, report(data, wished_language()).encode())
    show_progress("")
    echo(f"{target}")
    if not checked.ok:
        raise SystemExit(1)

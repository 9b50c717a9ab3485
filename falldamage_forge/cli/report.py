"""`fdforge report`: one page about a map, to share."""

from __future__ import annotations

from pathlib import Path

import click

from falldamage_forge.cli import complete
from falldamage_forge.cli.build_options import VARIANTS, price_of
from falldamage_forge.cli.common import FORGE, echo_issues
from falldamage_forge.cli.printed import own_options, owned_of
from falldamage_forge.cli.waiting import show_progress


@click.command()
@click.argument("map_name", metavar="MAP", shell_complete=complete.maps)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="The file; <map>-report.html if not said.",
)
@click.option("--printer", "printer_name", help="Printer to estimate for.")
@own_options
def command(
    map_name: str,
    output: Path | None,
    printer_name: str | None,
    own: Path | None,
    kit: Path | None,
) -> None:
    """Write one HTML page about MAP: picture, 3D view, verdict, overlays, lists and source.

    The page needs no network. A map that is not playable, or cannot be built, gets its page too,
    with its faults marked, and exits 1.
    """
    from falldamage_forge.assemble import BuildOptions
    from falldamage_forge.bundle import faulty_data, report_data
    from falldamage_forge.called import map_path
    from falldamage_forge.render.report import report
    from falldamage_forge.staging import safe_name, write_file

    map_ = FORGE.load(map_name)
    checked = FORGE.check(map_)
    echo_issues(checked.issues, map_.texts)
    if checked.buildable:
        owned = owned_of(own, kit)
        options = BuildOptions(owned=owned, price=price_of(), variants=VARIANTS)
        data = report_data(FORGE.assemble(checked, printer_name, options, show_progress))
    else:
        data = faulty_data(checked)
    target = output or Path(f"{safe_name(map_path(map_name).stem)}-report.html")
    write_file(target, report(data).encode())
    show_progress("")
    click.echo(f"{target}")
    if not checked.ok:
        raise SystemExit(1)

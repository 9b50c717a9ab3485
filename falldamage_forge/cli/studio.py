"""`fdforge studio`: design a table in the browser."""

from __future__ import annotations

import json
from pathlib import Path

import click

from falldamage_forge.extras import missing
from falldamage_forge.issues import refuse


@click.command()
@click.argument("map_name", metavar="[MAP]", required=False)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, help="0: the map's last, or a free one."
)
@click.option("--no-browser", is_flag=True, help="Print the address only.")
@click.option(
    "--site",
    "folder",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write the page as static files that need no server.",
)
@click.option(
    "--style",
    "styles",
    metavar="NAME",
    multiple=True,
    default=("stone",),
    show_default=True,
    help="With --site: looks of the pieces that go along; may be given again.",
)
@click.option(
    "--printer", default="a1-mini", show_default=True, help="With --site: whose gaps they have."
)
@click.option(
    "--pyodide",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="With --site: the package of npm, fetched before.",
)
@click.option("--schema", is_flag=True, help="Print the JSON Schema of its messages and stop.")
def command(
    map_name: str | None,
    port: int,
    no_browser: bool,
    folder: Path | None,
    styles: tuple[str, ...],
    printer: str,
    pyodide: Path | None,
    schema: bool,
) -> None:
    """Open MAP in the studio: text, board in 3D, and what it means, in your browser.

    A file is saved after every change. A preset, or no MAP, is kept in the browser only. The
    address is printed on one line when it can be opened; Ctrl-C ends the studio.

    With --site DIR nothing is opened: the same page is written for any static host to serve.
    """
    if schema:
        from falldamage_forge.studio.schema import json_schema

        click.echo(json.dumps(json_schema(), indent=2))
        return
    if folder is not None:
        _write_site(folder, styles, printer, pyodide)
        return
    try:
        from falldamage_forge.studio import server
    except ImportError:
        raise missing("studio", "the studio") from None
    from falldamage_forge.called import map_path
    from falldamage_forge.lang.template import TEMPLATE
    from falldamage_forge.studio import journal
    from falldamage_forge.studio.desk import Desk
    from falldamage_forge.studio.file import MapFile
    from falldamage_forge.studio.session import Session

    path = map_path(map_name) if map_name else None
    file = MapFile(path) if path else None
    if path and file and path == Path(map_name or ""):
        session, kept = Session(file.text, file.name, file.path.parent), file
    else:
        text = file.text if file else TEMPLATE.format(title="A new table")
        session, kept = Session(text, "map.forge"), None
    try:
        home = journal.id_for(kept.path) if kept else f"preset-{map_name}" if map_name else "blank"
        sock, address = server.opened(home, port)
    except OSError as error:
        raise refuse(
            "FDF295", f"cannot listen on port {port}: {error.strerror}", "--port 0 takes a free one"
        ) from None

    def ready(url: str) -> None:
        click.echo(url)
        if not no_browser:
            click.launch(url)

    server.serve(lambda: Desk(session, kept, blank=path is None), sock, address.token, ready)


def _write_site(folder: Path, styles: tuple[str, ...], printer: str, pyodide: Path | None) -> None:
    from falldamage_forge.called import printer_called
    from falldamage_forge.staging import write_folder
    from falldamage_forge.studio.site import site

    machine = printer_called(printer)
    files = site(styles, machine, lambda what: click.echo(what, err=True), pyodide)
    write_folder(folder, files)
    size = sum(len(file.data) for file in files) / 1e6
    click.echo(f"{len(files)} files, {size:.1f} MB in {folder}; any static host can serve it")

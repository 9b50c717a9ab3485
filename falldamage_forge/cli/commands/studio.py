"""`fdforge studio`: open the browser editor."""

from __future__ import annotations

import json
from pathlib import Path

import click

from falldamage_forge.cli import option
from falldamage_forge.cli.spoken_language import echo
from falldamage_forge.infra.optional_libraries import missing
from falldamage_forge.issues import refuse


def _public_address(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    from falldamage_forge.studio.public_address import read_address

    try:
        return read_address(value) if value else None
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


@option.command
def command(
    map_name: str | None = option.any_map("[MAP]", required=False),
    port: int = option.whole(
        0,
        65535,
        "Port; 0 for the map's last port, or a free one.",
        default=0,
        de="Port; 0 für den letzten Port der Karte, oder einen freien.",
    ),
    no_browser: bool = option.flag(
        "Print the address without opening a browser.",
        de="Nennt die Adresse, ohne einen Browser zu öffnen.",
    ),
    folder: Path | None = option.written(
        "Folder for a static copy of the page that needs no server.",
        "--site",
        metavar="DIR",
        type=option.FOLDER,
        writes="any",
        de="Ordner für eine statische Kopie der Seite, die keinen Server braucht.",
    ),
    styles: tuple[str, ...] = option.many(
        "With --site: style whose meshes are included; repeatable.",
        "--style",
        metavar="NAME",
        default=("stone",),
        de="Mit --site: Stil, dessen Netze dabei sind; wiederholbar.",
    ),
    printer: str = option.text(
        "With --site: printer whose clearances the meshes have.",
        default="a1-mini",
        de="Mit --site: Drucker, dessen Spaltmaße die Netze haben.",
    ),
    pyodide: Path | None = option.text(
        "With --site: archive of the npm package pyodide (default: fetched by npm).",
        metavar="FILE",
        type=click.Path(path_type=Path, dir_okay=False),
        de="Mit --site: Archiv des npm-Pakets pyodide (Standard: von npm geholt).",
    ),
    public_url: str | None = option.text(
        "Address where the site is published: share links and previews lead there.",
        metavar="URL",
        callback=_public_address,
        de="Adresse, unter der die Seite steht: Links und Vorschauen führen dorthin.",
    ),
    docs: str | None = option.text(
        "With --site: link to the documentation on the first page, such as docs/.",
        metavar="ADDRESS",
        de="Mit --site: Link zur Dokumentation auf der ersten Seite, wie docs/.",
    ),
    schema: bool = option.flag(
        "Print the JSON Schema of the messages and exit.",
        de="Schreibt das JSON-Schema der Nachrichten und endet.",
    ),
) -> None:
    """Open MAP in the browser editor: text, 3D board, issues, metrics, pieces.

    A file is saved after every change. A preset, or no MAP, is stored in the browser only. The
    address is printed on one line when the page is ready; Ctrl-C ends the studio.

    With --site DIR the page is written as files for any static host, and not opened.
    """
    if schema:
        from falldamage_forge.studio.protocol_schema import json_schema

        click.echo(json.dumps(json_schema(), indent=2))
        return
    if folder is not None:
        _write_site(folder, styles, printer, pyodide, public_url, docs)
        return
    try:
        from falldamage_forge.studio import server
    except ImportError:
        raise missing("studio", "the studio") from None
    from falldamage_forge.lang.new_map_template import TEMPLATE
    from falldamage_forge.maps.resolve import resolve_map_path
    from falldamage_forge.studio import draft_files
    from falldamage_forge.studio.map_file import MapFile
    from falldamage_forge.studio.session import Session
    from falldamage_forge.studio.session_hub import SessionHub

    path = resolve_map_path(map_name) if map_name else None
    file = MapFile(path) if path else None
    if path and file and path == Path(map_name or ""):
        session, kept = Session(file.text, file.name, file.path.parent), file
    else:
        text = file.text if file else TEMPLATE.format(title="A new table")
        session, kept = Session(text, "map.forge"), None
    try:
        home = (
            draft_files.id_for(kept.path) if kept else f"preset-{map_name}" if map_name else "blank"
        )
        sock, address = server.opened(home, port)
    except OSError as error:
        raise refuse(
            "FDF295", f"cannot listen on port {port}: {error.strerror}", "--port 0 takes a free one"
        ) from None

    def ready(url: str) -> None:
        echo(url)
        if not no_browser:
            click.launch(url)

    server.serve(
        lambda: SessionHub(session, kept, blank=path is None),
        sock,
        address.token,
        ready,
        public_url,
    )


def _write_site(
    folder: Path,
    styles: tuple[str, ...],
    printer: str,
    pyodide: Path | None,
    address: str | None,
    docs: str | None,
) -> None:
    from falldamage_forge.infra.atomic_write import write_folder
    from falldamage_forge.maps.resolve import resolve_printer
    from falldamage_forge.studio.static_site import build_site

    machine = resolve_printer(printer)
    files = build_site(
        styles, machine, lambda what: echo(what, err=True), pyodide, None, address, docs
    )
    write_folder(folder, files)
    size = sum(len(file.data) for file in files) / 1e6
    echo(f"{len(files)} files, {size:.1f} MB in {folder}; copy it to any static host")

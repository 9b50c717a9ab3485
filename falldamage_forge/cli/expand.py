"""`fdforge expand`: a map written out flat."""

from __future__ import annotations

import click

from falldamage_forge.cli.common import Sources, load_loaded, stop_on_errors


@click.command()
@click.argument("map_name", metavar="MAP")
def command(map_name: str) -> None:
    """Print MAP as a plain map: definitions placed, symmetry done, imports gone."""
    from falldamage_forge.lang.expanded import expand_text

    sources = Sources()
    loaded = load_loaded(map_name, sources)
    stop_on_errors(loaded.issues, sources)
    click.echo(expand_text(loaded.layout), nl=False)

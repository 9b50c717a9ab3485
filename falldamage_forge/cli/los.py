"""`fdforge los`: who sees whom."""

from __future__ import annotations

import click

from falldamage_forge.cli import play


@click.command()
@click.argument("map_name", metavar="MAP")
@click.argument("viewer", metavar="A1[@L]")
@click.argument("target", metavar="B2[@L]")
@play.occupied_option
@play.options_option
@play.json_option
def command(
    map_name: str,
    viewer: str,
    target: str,
    occupied: tuple[str, ...],
    options: tuple[str, ...],
    as_json: bool,
) -> None:
    """Tell whether a unit on one surface of MAP sees a unit on another, and what is in the way."""
    from falldamage_forge.rules.sight import sees

    table = play.open_table(map_name, options)
    one, other = table.place(viewer), table.place(target)
    taken = table.places(occupied)
    result = sees(table.graph.terrain, one, other, table.ruleset.options, taken=taken)
    if as_json:
        play.echo_json({"visible": result.visible, "blocked_by": result.blocked_by})
    elif result.visible:
        click.echo(f"{one} and {other} see each other")
    else:
        click.echo(f"{one} and {other} do not see each other: {result.blocked_by} is in the way")

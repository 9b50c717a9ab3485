"""`fdforge cards`: unit cards and hidden-item slips to print."""

from __future__ import annotations

from pathlib import Path

import click

from falldamage_forge.cli.common import refuse


@click.command()
@click.argument("names", nargs=-1, metavar="[UNIT]...")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    default=Path("cards.pdf"),
    show_default=True,
    help="The PDF to write.",
)
@click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True)
def command(names: tuple[str, ...], output: Path, paper: str) -> None:
    """Write cards of the UNITs named, or of all of them, and slips for their hidden items."""
    from falldamage_forge import presets
    from falldamage_forge.cli.write import write_file
    from falldamage_forge.issues import did_you_mean
    from falldamage_forge.render.cards import cards

    units = presets.load_units()
    for name in names:
        if name not in units:
            hint = did_you_mean(name, units) or f"known: {', '.join(units)}"
            raise refuse("FDF293", f"no unit called `{name}`", hint)
    chosen = [units[name] for name in names or units]
    write_file(output, cards(chosen, paper))
    click.echo(f"{sum(unit.copies for unit in chosen)} cards in {output}")

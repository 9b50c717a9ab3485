"""`fdforge cards`: cards to print: units, rules, treasure, and slips for hidden items."""

from __future__ import annotations

from pathlib import Path

import click

from falldamage_forge.issues import refuse


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
@click.option("--backs/--no-backs", default=True, help="Backs, for printing on both sides.")
def command(names: tuple[str, ...], output: Path, paper: str, backs: bool) -> None:
    """Write the cards of the game: units, a summary of the rules, treasure, hidden items.

    With UNITs only theirs and the slips for their hidden items. Cards are 63 x 88 mm.
    """
    from falldamage_forge import presets
    from falldamage_forge.issues import did_you_mean
    from falldamage_forge.render.cards import cards, deck
    from falldamage_forge.staging import write_file

    units = presets.load_units()
    for name in names:
        if name not in units:
            hint = did_you_mean(name, units) or f"known: {', '.join(units)}"
            raise refuse("FDF293", f"no unit called `{name}`", hint)
    chosen = [units[name] for name in names or units]
    whole = not names
    write_file(output, cards(chosen, paper, whole=whole, backs=backs))
    count = len(deck(chosen, whole=whole))
    click.echo(f"{count} card{'s' * (count != 1)} in {output}")

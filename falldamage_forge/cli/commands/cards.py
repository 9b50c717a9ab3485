"""`fdforge cards`: write unit cards, rule cards and hidden-item slips."""

from __future__ import annotations

from pathlib import Path

from falldamage_forge.cli import option
from falldamage_forge.cli.spoken_language import echo, wished_language
from falldamage_forge.issues import refuse


@option.command
def command(
    names: tuple[str, ...] = option.argument("[UNIT]...", nargs=-1),
    output: Path = option.output("Output file, a PDF.", default=Path("cards.pdf")),
    paper: str = option.PAPER,
    backs: bool = option.text(
        "Add backs for double-sided printing.",
        "--backs/--no-backs",
        default=True,
        de="Fügt Rückseiten für beidseitigen Druck hinzu.",
    ),
    standees: bool = option.flag(
        "Add figures of paper for both sides, to cut out and fold.",
        de="Fügt Papierfiguren für beide Seiten hinzu, zum Ausschneiden und Falten.",
    ),
) -> None:
    """Write the cards of the game as a PDF: units, a summary of the rules, treasure, hidden items.

    Each find of a treasure chest is a half card of its own, to lie beside the finder's.

    With UNITs only their cards and the slips of their hidden items. Cards are 63 x 88 mm.
    """
    from falldamage_forge import presets
    from falldamage_forge.infra.atomic_write import write_file
    from falldamage_forge.issues import did_you_mean
    from falldamage_forge.render.printed_cards import cards, deck

    units = presets.load_units()
    for name in names:
        if name not in units:
            hint = did_you_mean(name, units) or f"known: {', '.join(units)}"
            raise refuse("FDF293", f"no unit called `{name}`", hint)
    chosen = [units[name] for name in names or units]
    game = None if names else presets.load_kit()
    data = cards(
        chosen,
        paper,
        presets.load_catalogue(),
        game,
        backs=backs,
        standees=standees,
        language=wished_language(),
    )
    write_file(output, data)
    count = len(deck(chosen, game=game))
    echo(f"{count} card{'s' * (count != 1)} in {output}")

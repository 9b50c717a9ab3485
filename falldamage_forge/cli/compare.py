"""`fdforge compare`: one board under every game, side by side."""

from __future__ import annotations

import click

from falldamage_forge.cli import games, play


@click.command()
@click.argument("map_name", metavar="MAP")
@play.json_option
def command(map_name: str, as_json: bool) -> None:
    """Show MAP under every ruleset: coverage, turns to contact, falls, and what does not fit.

    The map's own options hold for its own rules; the others are read by their defaults. Each game
    sends its plain unit, the first of `proof_units` in its table.
    """
    from falldamage_forge import presets
    from falldamage_forge.cli.common import Sources, load_loaded, ruleset_of, stop_on_errors
    from falldamage_forge.games.fall_damage import survey

    sources = Sources()
    loaded = load_loaded(map_name, sources)
    layout = loaded.layout
    own, faults = ruleset_of(layout)
    stop_on_errors((*loaded.issues, *faults), sources)
    found = [
        survey(layout.board, own if name == layout.rules else presets.load_rules(name))
        for name in presets.names("rulesets")
    ]
    if as_json:
        rows = [games.survey_json(entry) for entry in found]
        play.echo_json({"title": layout.title, "rules": layout.rules, "games": rows})
        return
    play.echo_table(
        ("", *(entry.rules for entry in found)),
        (
            ("unit", *(entry.unit for entry in found)),
            ("surfaces reached", *(f"{e.reached} of {e.surfaces}" for e in found)),
            ("coverage", *(f"{entry.coverage} %" for entry in found)),
            ("turns to contact", *(games.contact_text(entry) for entry in found)),
            ("may fall from", *(f"{len(entry.drops)} surfaces" for entry in found)),
            ("deepest fall", *(f"{entry.deepest} levels" for entry in found)),
            ("no room on", *(len(entry.unfit) for entry in found)),
            ("never reached", *(len(entry.cut_off) for entry in found)),
        ),
    )
    for entry in found:
        for note in entry.notes:
            click.echo(f"{entry.rules}: {note}")

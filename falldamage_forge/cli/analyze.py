"""`fdforge analyze`: what makes a map good to play."""

from __future__ import annotations

import click

from falldamage_forge.cli import games, play

MARKS = {"good": "good", "warn": "WARN", "bad": "BAD ", "info": "info"}


@click.command()
@click.argument("map_name", metavar="MAP")
@play.rules_option
@play.options_option
@play.json_option
def command(map_name: str, rules: str | None, options: tuple[str, ...], as_json: bool) -> None:
    """Measure how MAP plays: reach, contact, fairness, choke points, falls, sight, robustness.

    docs/metrics.md defines every measure with its source and threshold.
    """
    from falldamage_forge.presets import load_units
    from falldamage_forge.rules.analysis import analyze
    from falldamage_forge.rules.classes import movement_classes
    from falldamage_forge.rules.study import study

    layout, ruleset = play.open_rules(map_name, options, rules)
    if games.analyze(layout, ruleset, as_json):
        return
    table = play.table_of(layout, ruleset)
    units = load_units()
    classes = movement_classes(units.values())
    metrics = analyze(study(table.layout.board, table.ruleset, classes, units))
    if as_json:
        play.echo_json(
            {
                "title": table.layout.title,
                "classes": {group.name: list(group.units) for group in classes},
                "metrics": [
                    {
                        "name": metric.name,
                        "verdict": metric.verdict,
                        "text": metric.text,
                        "values": dict(metric.values),
                        "tiles": [str(tile) for tile in metric.tiles],
                    }
                    for metric in metrics
                ],
            }
        )
        return
    for metric in metrics:
        click.echo(f"{MARKS[metric.verdict]}  {metric.name}: {metric.text}")
        if metric.tiles and metric.verdict != "good":
            shown = ", ".join(map(str, metric.tiles[:12]))
            more = f" and {len(metric.tiles) - 12} more" if len(metric.tiles) > 12 else ""
            click.echo(f"      at {shown}{more}")

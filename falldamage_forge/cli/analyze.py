"""`fdforge analyze`: what makes a map good to play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from falldamage_forge.cli import play
from falldamage_forge.cli.common import FORGE, echo_issues
from falldamage_forge.cli.waiting import show_progress
from falldamage_forge.paths import quoted

if TYPE_CHECKING:
    from falldamage_forge.advice import Remedy
    from falldamage_forge.forge import Map
    from falldamage_forge.rules.answers import Survey
    from falldamage_forge.rules.lead import Lead
    from falldamage_forge.rules.position import Position

MARKS = {"good": "good", "warn": "WARN", "bad": "BAD ", "info": "info"}


@click.command()
@play.asks
@click.option("--units", is_flag=True, help="Also tell what each class of units finds.")
@click.option(
    "--suggest",
    is_flag=True,
    help="Search small changes that make the map fairer, and print the best three.",
)
def command(
    map_: Map, position: Position, units: bool, suggest: bool, as_json: bool, **_: Any
) -> None:
    """Measure how MAP plays: reach, contact, fairness, choke points, falls, sight, robustness.

    docs/metrics.md defines every measure with its source and threshold.
    """
    from falldamage_forge.measures.table import analyze

    found = analyze(position, map_.layout.title, show_progress)
    refused = tuple(i for i in FORGE.check(map_).issues if i.severity == "error")
    wanted = suggest and not refused
    remedies = FORGE.advise(map_, position, progress=show_progress) if wanted else ()
    show_progress("")
    if as_json:
        more = {"remedies": [one.json() for one in remedies]} if suggest else {}
        play.echo_json(found.json() | more)
        return
    for metric in found.metrics:
        click.echo(f"{MARKS[metric.verdict]}  {metric.name}: {metric.text}")
        if metric.tiles and metric.verdict != "good":
            click.echo(f"      at {play.some(metric.tiles, 12)}")
    unfair = [lead for lead in found.leads if lead.unfair]
    _tell_leads(unfair)
    if suggest and refused:
        click.echo("`--suggest` changes a map that `fdforge check` passes; mend these first:")
        echo_issues(refused, map_.texts, err=False)
    elif suggest:
        _tell_remedies(map_, remedies, bool(unfair))
    elif unfair:
        click.echo("`--suggest` searches small changes that mend it")
    for survey in found.surveys:
        if units or survey.notes or any(drop.chance is not None for drop in survey.drops):
            _tell(survey, found.classes[survey.unit])


def _tell_leads(unfair: list[Lead]) -> None:
    """Who is ahead and by what, what weighs most first."""
    for lead in unfair:
        who = f"{lead.side} is ahead: {lead.side} {lead.text}" if lead.side else lead.text
        click.echo(f"{who}; {lead.told}")


def _tell_remedies(map_: Map, remedies: tuple[Remedy, ...], unfair: bool) -> None:
    """Each remedy: what it changes, the lines to paste, and the command that writes them."""
    if not unfair:
        click.echo("no side is too far ahead: there is nothing to mend")
    elif not remedies:
        click.echo("no small change that was tried makes it fairer without making something worse")
    for number, one in enumerate(remedies, start=1):
        changes = "; ".join(change.told for change in one.changes)
        verdict = "then all is fair" if one.fair else "fairer, not yet fair"
        click.echo(f"\n{number}. {', then '.join(one.gestures)}: {changes} ({verdict})")
        for sign, line in one.lines(map_.text):
            click.echo(f"   {sign} {line}")
        for words in one.gestures:
            click.echo(f"   fdforge edit {quoted(map_.name)} {words} --write")


def _tell(survey: Survey, names: tuple[str, ...]) -> None:
    click.echo(f"{survey.unit}: {', '.join(names)}" if names != (survey.unit,) else survey.unit)
    click.echo(f"  reached: {survey.reached} of {survey.surfaces} ({survey.coverage} %)")
    click.echo(f"  turns to contact: {contact_text(survey)}")
    click.echo(
        f"  may fall from: {len(survey.drops)} surfaces, {survey.deepest} levels at most: "
        f"{play.some(drop.surface for drop in survey.drops)}"
    )
    dangers: dict[str, list[object]] = {}
    for drop in sorted(survey.drops, key=lambda drop: (-(drop.chance or 0), drop.surface)):
        if drop.chance is not None:
            dangers.setdefault(f"chance {drop.chance}, {drop.text}", []).append(drop.surface)
    for text, places in dangers.items():
        click.echo(f"    {text}: {play.some(places)}")
    click.echo(f"  no room on: {play.some(survey.unfit)}")
    click.echo(f"  never reached: {play.some(survey.cut_off)}")
    for note in survey.notes:
        click.echo(f"  note: {note}")


def contact_text(survey: Survey) -> str:
    """Turns to contact of every side: the first unit, and the last."""
    return "; ".join(
        f"{contact.side} {contact.first or 'never'} to {contact.last or 'never'}"
        for contact in survey.contacts
    )

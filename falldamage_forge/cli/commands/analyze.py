"""`fdforge analyze`: measure how a map plays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from falldamage_forge.cli import option, query_options
from falldamage_forge.cli.game_input import require_fall_damage
from falldamage_forge.cli.map_argument import FORGE, echo_issues, played_metrics
from falldamage_forge.cli.progress_bar import show_progress
from falldamage_forge.cli.spoken_language import echo, wished_say
from falldamage_forge.infra.progress import track
from falldamage_forge.infra.user_paths import quoted

if TYPE_CHECKING:
    from falldamage_forge.library.forge import Map
    from falldamage_forge.library.suggestions.local_search import Suggestion
    from falldamage_forge.rules.answers import Survey
    from falldamage_forge.rules.lead_margin import Lead
    from falldamage_forge.rules.position import Position

MARKS = {"good": "good", "warn": "WARN", "bad": "BAD ", "info": "info"}


@query_options.command
def command(
    asked: query_options.Question = query_options.QUESTION,
    units: bool = option.flag(
        "Add the results of each class of units.",
        de="Nennt auch die Ergebnisse jeder Klasse von Einheiten.",
    ),
    suggest: bool = option.flag(
        "Search small edits that make the map fairer, and print the best three.",
        de="Sucht kleine Änderungen, die die Karte fairer machen, und nennt die besten drei.",
    ),
    play: bool = option.flag(
        "With --suggest, let bots play and print the effect of each edit on red's score.",
        de="Mit --suggest: lässt Bots spielen und nennt die Wirkung jeder Änderung auf die"
        " Punkte von Rot.",
    ),
    games: int = option.whole(
        1,
        1000000,
        "Games on the map and with each edit, with --play.",
        default=1200,
        de="Spiele auf der Karte und mit jeder Änderung, mit --play.",
    ),
) -> None:
    """Measure how MAP plays: reach, contact, fairness, choke points, falls, sight, robustness.

    docs/metrics.md defines every metric with its source and threshold.
    """
    from falldamage_forge.metrics.metric_table import analyze

    map_, position = asked.open()
    if play and not suggest:
        raise click.UsageError("--play plays the edits of --suggest; write both")
    if play:
        require_fall_damage(map_, position.game)
    found = analyze(position, map_.layout.title, show_progress)
    found = replace(found, metrics=(*found.metrics, *played_metrics(map_, position)))
    refused = tuple(i for i in FORGE.check(map_).issues if i.severity == "error")
    wanted = suggest and not refused
    remedies = FORGE.advise(map_, position, progress=show_progress) if wanted else ()
    now, effects = _played(map_, position, remedies, games) if play and remedies else ("", [])
    show_progress("")
    if asked.as_json:
        more: dict[str, Any] = {"remedies": [one.json() for one in remedies]} if suggest else {}
        for remedy, effect in zip(more.get("remedies", ()), effects, strict=False):
            remedy["play"] = effect
        query_options.echo_json(found.json() | more)
        return
    say = wished_say()
    for metric in found.metrics:
        echo(f"{say(MARKS[metric.verdict])}  {say(metric.name)}: {say(metric.text)}")
        if metric.tiles and metric.verdict != "good":
            echo(f"      at {query_options.format_first(metric.tiles, 12)}")
    unfair = [lead for lead in found.leads if lead.unfair]
    _tell_leads(unfair)
    if suggest and refused:
        echo("`--suggest` changes a map that `fdforge check` passes; correct these first:")
        echo_issues(refused, map_.texts, err=False)
    elif suggest:
        _tell_remedies(map_, remedies, bool(unfair), [effect["text"] for effect in effects])
        if now:
            echo(f"\nthe map as it is: {now}")
    elif unfair:
        echo("`--suggest` searches small edits that correct it")
    for survey in found.surveys:
        if units or survey.notes or any(drop.chance is not None for drop in survey.drops):
            _tell(survey, found.classes[survey.unit])


def _tell_leads(unfair: list[Lead]) -> None:
    """Print the side that is ahead and the reasons, the greatest first."""
    for lead in unfair:
        who = f"{lead.side} is ahead: {lead.side} {lead.text}" if lead.side else lead.text
        echo(f"{who}; {lead.told}")


def _played(
    map_: Map, position: Position, remedies: tuple[Suggestion, ...], games: int
) -> tuple[str, list[dict[str, Any]]]:
    """Return the verdict on a map, and the effect of each suggestion as JSON values."""
    from falldamage_forge.playtest import fairness_check
    from falldamage_forge.playtest.game_series import play_chunk
    from falldamage_forge.playtest.score_verdict import effect_json

    boards = [FORGE.loads(one.text, map_.name, map_.root).board for one in remedies]
    now, effects = fairness_check.effects(
        position, boards, games,
        lambda work: (play_chunk(*piece) for piece in track(work, "playing", show_progress)),
    )  # fmt: skip
    return fairness_check.format_found(now), [effect_json(each) for each in effects]


def _tell_remedies(
    map_: Map, remedies: tuple[Suggestion, ...], unfair: bool, effects: Sequence[str] = ()
) -> None:
    """Print each suggestion: its change, the lines to paste, and the command that writes them."""
    if not unfair:
        echo("no side is too far ahead")
    elif not remedies:
        echo("no small change that was tried makes it fairer without making something worse")
    for number, one in enumerate(remedies, start=1):
        changes = "; ".join(change.told for change in one.changes)
        verdict = "then all is fair" if one.fair else "fairer, not yet fair"
        echo(f"\n{number}. {', then '.join(one.gestures)}: {changes} ({verdict})")
        for effect in effects[number - 1 : number]:
            echo(f"   {effect}")
        for sign, line in one.lines(map_.text):
            echo(f"   {sign} {line}")
        for words in one.gestures:
            echo(f"   fdforge edit {quoted(map_.name)} {words} --write")


def _tell(survey: Survey, names: tuple[str, ...]) -> None:
    echo(f"{survey.unit}: {', '.join(names)}" if names != (survey.unit,) else survey.unit)
    echo(f"  reached: {survey.reached} of {survey.surfaces} ({survey.coverage} %)")
    echo(f"  turns to contact: {contact_text(survey)}")
    echo(
        f"  may fall from: {len(survey.drops)} surfaces, {survey.deepest} levels at most: "
        f"{query_options.format_first(drop.surface for drop in survey.drops)}"
    )
    dangers: dict[str, list[object]] = {}
    for drop in sorted(survey.drops, key=lambda drop: (-(drop.chance or 0), drop.surface)):
        if drop.chance is not None:
            dangers.setdefault(f"chance {drop.chance}, {drop.text}", []).append(drop.surface)
    for text, places in dangers.items():
        echo(f"    {text}: {query_options.format_first(places)}")
    echo(f"  no room on: {query_options.format_first(survey.unfit)}")
    echo(f"  never reached: {query_options.format_first(survey.cut_off)}")
    for note in survey.notes:
        echo(f"  note: {note}")


def contact_text(survey: Survey) -> str:
    """Return the turns to contact of every side: of the first unit, and of the last."""
    return "; ".join(
        f"{contact.side} {contact.first or 'never'} to {contact.last or 'never'}"
        for contact in survey.contacts
    )

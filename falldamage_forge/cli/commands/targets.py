"""`fdforge targets`: list the targets of a unit's attack or ability."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from falldamage_forge.cli import option, query_options
from falldamage_forge.cli.spoken_language import echo

if TYPE_CHECKING:
    from falldamage_forge.rules.answers import Targets


@query_options.command
def command(
    asked: query_options.Question = query_options.QUESTION,
    unit: str = option.text(
        "Card of the attacker.", required=True, metavar="NAME", de="Karte des Angreifers."
    ),
    start: str = query_options.START.but("Surface of the attacker."),
    more: dict[str, Any] = option.table(
        ability=option.text(
            "Ability or treasure, such as `splash`.",
            metavar="NAME",
            de="Fähigkeit oder Schatz, wie `splash`.",
        ),
        aim=option.text(
            "Target of the ability; adds its outcome.",
            metavar="TILE",
            de="Ziel der Fähigkeit; nennt auch ihre Wirkung.",
        ),
        second=option.text(
            "Second target, for abilities that need one.",
            metavar="TILE",
            de="Zweites Ziel, für Fähigkeiten, die eines brauchen.",
        ),
        way=query_options.WAY.but(
            "Direction, for abilities that need one.",
            de="Richtung, für Fähigkeiten, die eine brauchen.",
        ),
        count=option.whole(
            0,
            99,
            "Number, for abilities that need one.",
            de="Zahl, für Fähigkeiten, die eine brauchen.",
        ),
        effects=query_options.EFFECTS.but(
            "Effect on the unit, such as `song` or `weapon=1`; repeatable.",
            de="Wirkung auf die Einheit, wie `song` oder `weapon=1`; wiederholbar.",
        ),
        **query_options.STANDING,
        occupied=query_options.OCCUPIED,
    ),
) -> None:
    """List the surfaces of MAP that a unit can attack, with its bonus for height.

    Trees, bridges, ladders and spires in range are listed with their damage. With --ability list
    the ability's targets; with --aim also its outcome.
    """
    asked.answer(asked.position().targets(unit, start, **more), tell)


def tell(found: Targets) -> None:
    """Print the targets of a unit, or the outcome of its ability."""
    from falldamage_forge.rules.answer_columns import TARGETS

    if "outcome" in found.extra:
        _tell_outcome(found)
        return
    echo(f"{found.unit} on {found.start}: {len(found.targets)} surfaces")
    query_options.echo_rows(TARGETS, found.targets)
    for thing in found.extra.get("structures", ()):
        pool = f", {thing['pool']} damage destroy it" if thing["pool"] else ", can be pushed"
        echo(f"{thing['kind']} at {thing['tile']}@{thing['level']}{pool}")


def _tell_outcome(found: Targets) -> None:
    from falldamage_forge.games.fall_damage.play.death import death_words

    outcome = found.extra["outcome"]
    echo(f"{found.unit} on {found.start} uses {found.extra['ability']}")
    for row in outcome["units"]:
        end = row["end"]
        where = f"ends on {end['tile']}@{end['level']}" if end else "ends"
        if row["cause"]:
            where = death_words(row["cause"], f"{row['at']['tile']}@{row['at']['level']}")
        harm = f"{row['damage']} damage, {row['fall']} fall damage"
        gains = f", gains {', '.join(row['gains'])}" if row["gains"] else ""
        heal = f", heals {row['heal']}" if row["heal"] else ""
        start = f"{row['from']['tile']}@{row['from']['level']}"
        echo(f"  who stands on {start} {where}, {harm}{heal}{gains}")
    for row in outcome["places"]:
        place = f"{row['tile']}@{row['level']}"
        dies = f", {death_words(row['cause'], place)}" if row["cause"] else ""
        echo(f"  may be put on {place}, {row['damage']} damage{dies}")
    for note in (*outcome["notes"], *(f"tile {tile}" for tile in outcome["tiles"])):
        echo(f"  {note}")

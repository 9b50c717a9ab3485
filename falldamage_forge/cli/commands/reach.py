"""`fdforge reach`: list the surfaces that a unit reaches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from falldamage_forge.cli import query_options
from falldamage_forge.cli.spoken_language import echo

if TYPE_CHECKING:
    from falldamage_forge.rules.answers import MoveOption, Reach


@query_options.command
def command(
    asked: query_options.Question = query_options.QUESTION,
    who: query_options.UnitWords = query_options.UNIT,
    start: str = query_options.START,
) -> None:
    """List the surfaces of MAP that a unit reaches, with the least number of turns.

    `turns` is the least number of turns without damage. `one turn` lists the Pareto set of cost and
    damage (and chance, for rules with checks) of one turn's moves.
    """
    asked.answer(who.on(asked.position()).reach(start, **who.among), tell)


def tell(found: Reach) -> None:
    """Print the surfaces that a unit reaches."""
    echo(f"{found.unit} from {found.start}")
    checks = any(row.chance != 1 or any(w.chance != 1 for w in row.now) for row in found.surfaces)
    spread = any(len(row.when) > 1 for row in found.surfaces)
    acts = any(row.acts and row.acts > max(row.turns or 1, 1) for row in found.surfaces)
    extra = (["chance"] if checks else []) + (["with chance"] if spread else [])
    head = ("surface", "turns", *extra, *(["action in turn"] if acts else []))
    text = f"{found.scale.name}, damage{', chance' if checks else ''}"
    query_options.echo_table(
        (*head, f"one turn ({text})"),
        (
            (
                row.surface,
                "-" if row.turns is None else row.turns,
                *([row.chance] if checks else []),
                *([query_options.format_turn_chances(row.when) or "-"] if spread else []),
                *([row.acts or "-"] if acts else []),
                "  ".join(_told(found, way, checks) for way in row.now) or "-",
            )
            for row in found.surfaces
        ),
    )


def _told(found: Reach, way: MoveOption, checks: bool) -> str:
    parts = [found.scale.tell(way.cost), str(way.harm), *([str(way.chance)] if checks else [])]
    return ",".join(parts)

"""`fdforge reach`: list the surfaces that a unit reaches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from falldamage_forge.cli import query_options
from falldamage_forge.cli.spoken_language import echo

if TYPE_CHECKING:
    from falldamage_forge.rules.answers import Reach


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
    query_options.echo_rows(found.table, found.surfaces)

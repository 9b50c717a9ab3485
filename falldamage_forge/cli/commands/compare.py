"""`fdforge compare`: one board under every ruleset."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from falldamage_forge.cli import option, query_options
from falldamage_forge.cli.map_argument import FORGE, refusal, stop_on_errors
from falldamage_forge.cli.spoken_language import echo, echo_named

if TYPE_CHECKING:
    from fractions import Fraction

    from falldamage_forge.rules.answers import Survey


@option.command
def command(
    map_name: str = option.MAP,
    as_json: bool = option.JSON,
) -> None:
    """Compare MAP under every ruleset: coverage, turns to contact, falls, unusable starts.

    The map's own options apply to its own ruleset; the others use their defaults. Each ruleset is
    measured with its plain unit, the first of `proof_units` in its table. The legend defines a turn
    of each game. The chance is that of the first attack by its turn, over all checks on the path
    and all cards; failed checks may be repeated in later turns.
    """
    map_ = FORGE.load(map_name)
    _, faults = FORGE.game(map_)
    stop_on_errors((*map_.issues, *faults), map_.texts)
    refusal(map_)
    found = FORGE.compare(map_)
    if as_json:
        rows = [survey.json() for survey in found]
        query_options.echo_json(
            {"title": map_.layout.title, "rules": map_.layout.rules, "games": rows}
        )
        return
    for entry in found:
        echo(f"a turn of {entry.rules}: {entry.turn}")
    query_options.echo_table(
        (
            ("", *(entry.rules for entry in found)),
            ("unit", *(entry.unit for entry in found)),
            ("surfaces reached", *(f"{e.reached} of {e.surfaces}" for e in found)),
            ("coverage", *(f"{entry.coverage} %" for entry in found)),
            *_contacts(found),
            ("may fall from", *(f"{len(entry.drops)} surfaces" for entry in found)),
            ("deepest fall", *(f"{entry.deepest} levels" for entry in found)),
            ("no room on", *(len(entry.unfit) for entry in found)),
            ("never reached", *(len(entry.cut_off) for entry in found)),
        ),
    )
    for entry in found:
        for note in entry.notes:
            echo_named(entry.rules, note)


def _contacts(found: Sequence[Survey]) -> Iterator[tuple[object, ...]]:
    """Yield a row for the first and last unit of each side that can attack."""
    for number, contact in enumerate(found[0].contacts):
        ends = [entry.contacts[number] for entry in found]
        sure = ("-" if end.chance is None else _percent(end.chance) for end in ends)
        yield (f"turn of {contact.side}'s first attack", *(end.first or "never" for end in ends))
        yield ("  with a chance of", *sure)
        if any(len({end.chance, *end.later}) > 1 for end in ends):
            for turns in range(max(len(end.later) for end in ends)):
                later = (_percent(end.later[turns]) if end.later else "-" for end in ends)
                yield (f"  and {turns + 1} turn{'s' if turns else ''} later", *later)
        yield (f"turn of {contact.side}'s last to attack", *(end.last or "never" for end in ends))


def _percent(chance: Fraction) -> str:
    """Return `1`, or a fraction with its percentage: `3/8 (38 %)`."""
    return str(chance) if chance == 1 else f"{chance} ({round(chance * 100)} %)"

"""`fdforge reach`: where a unit gets to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from falldamage_forge.cli import play

if TYPE_CHECKING:
    from falldamage_forge.rules.answers import Reach, Way
    from falldamage_forge.rules.unit_on_board import UnitOn


@click.command()
@play.asks
@play.asks_unit
@click.option("--from", "start", required=True, metavar="TILE", help="Where it stands: E5 or E5@2.")
def command(unit: UnitOn, among: dict[str, Any], start: str, as_json: bool, **_: Any) -> None:
    """List the surfaces of MAP that a unit reaches: in one turn, and in how many at least.

    `turns` is the least number of turns without damage; `one turn` lists cost and damage (and the
    chance, where checks are made) of every way of one turn that no other beats.
    """
    found = unit.reach(start, **among)
    if as_json:
        play.echo_json(found.json())
        return
    click.echo(f"{found.unit} from {found.start}")
    checks = any(row.chance != 1 or any(w.chance != 1 for w in row.now) for row in found.surfaces)
    spread = any(len(row.when) > 1 for row in found.surfaces)
    acts = any(row.acts and row.acts > max(row.turns or 1, 1) for row in found.surfaces)
    extra = (["chance"] if checks else []) + (["with chance"] if spread else [])
    head = ("surface", "turns", *extra, *(["action in turn"] if acts else []))
    told = f"{found.scale.name}, damage{', chance' if checks else ''}"
    play.echo_table(
        (*head, f"one turn ({told})"),
        (
            (
                row.surface,
                "-" if row.turns is None else row.turns,
                *([row.chance] if checks else []),
                *([play.when_text(row.when) or "-"] if spread else []),
                *([row.acts or "-"] if acts else []),
                "  ".join(_told(found, way, checks) for way in row.now) or "-",
            )
            for row in found.surfaces
        ),
    )


def _told(found: Reach, way: Way, checks: bool) -> str:
    parts = [found.scale.tell(way.cost), str(way.harm), *([str(way.chance)] if checks else [])]
    return ",".join(parts)

"""Metrics of Fall Damage: first strikes, push exposure, sight."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from falldamage_forge.board import DIRECTION_NAMES, DIRECTIONS
from falldamage_forge.board.surfaces import Surface, SurfaceGraph
from falldamage_forge.games.fall_damage.attack_area import can_attack
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.push_result import slide_unit
from falldamage_forge.rules.answers import Metric, Verdict
from falldamage_forge.rules.bitset_bfs import bits
from falldamage_forge.rules.position import enemy_starts

if TYPE_CHECKING:
    from falldamage_forge.games.fall_damage.rules_table import FallDamageTable
    from falldamage_forge.games.fall_damage.unit_cards import UnitCard
    from falldamage_forge.rules.position_view import PositionView

DEEP = 3
"""Levels of a fall that takes half the health of most cards."""
FallResult = tuple[int, bool]
"""Damage, and true if the unit dies regardless of its health."""
Falls = Mapping[tuple[int, int], list[FallResult]]
"""Results by direction, one for each surface."""


def table(
    position: PositionView, game: FallDamageTable
) -> Mapping[str, Callable[[], tuple[Metric, ...]]]:
    """Return the metrics by name.

    Args:
        position: The board under its rules.
        game: Rules, options and cards of the game.
    """
    known = {"first-strike": first_strike, "push-exposure": push_exposure, "sight": sight}
    return {name: partial(measure, position, game) for name, measure in known.items()}


def first_strike(position: PositionView, game: FallDamageTable) -> tuple[Metric, ...]:
    """Return the metric of units that can attack an enemy's start in their first activation.

    Attacks, pushes and areas such as the Bomb's count. Units with "activated first in a round" get
    their bonus.

    Args:
        position: The board under its rules.
        game: Rules, options and cards of the game.
    """
    strikers: dict[str, str] = {}
    for group in position.classes:
        for card in map(game.card, group.units):
            if card.attack or card.push or _blast(card):
                for side in position.sides:
                    if card.name not in strikers:
                        at = _strike(position, game, card, side)
                        strikers |= {card.name: f"{side} on {at}"} if at else {}
    names = ", ".join(sorted(strikers))
    text = f"can hit in their first activation: {names}" if names else "nobody hits at once"
    verdict: Verdict = "good" if not strikers else "warn" if len(strikers) <= 2 else "bad"
    return (Metric("first strike", verdict, text, strikers),)


def _blast(card: UnitCard) -> int:
    """Return the greatest radius of the card's damaging actions."""
    return max((ability.blast for ability in card.abilities), default=0)


def _strike(
    position: PositionView, game: FallDamageTable, card: UnitCard, side: str
) -> Surface | None:
    """Return a surface from which a card can attack a waiting enemy in its first activation."""
    surfaces, seen, options = position.graph.surfaces, position.seen or (), game.options
    first = any(ability.when == "first_in_round" for ability in card.abilities)
    moving = replace(card, move=card.move + 1) if first else card
    starts = enemy_starts(position, side)
    marks = [n for n, at in enumerate(surfaces) if at in starts]
    blast = _blast(card)
    aims = {
        aim
        for aim, at in enumerate(surfaces)
        if aim in marks
        or any(blast and can_attack(at, surfaces[mark], blast, options) for mark in marks)
    }
    for number in bits(position.reached(moving.profile, side, 1)):
        at = surfaces[number]
        for aim in aims:
            visible = not card.needs_sight or seen[number] >> aim & 1
            if visible and can_attack(at, surfaces[aim], card.reach, options):
                return at
    return None


def push_exposure(position: PositionView, game: FallDamageTable) -> tuple[Metric, ...]:
    """Return the metric of surfaces from which a push of 1 tile is dangerous.

    Dangerous is a fall of 3 levels or more, or death.

    Args:
        position: The board under its rules.
        game: Rules, options and cards of the game.
    """
    graph, options = position.graph, game.options
    falls = falls_of(graph, options)
    high = _exposed(falls.values())
    # The option that is safe for connectivity (a wall) is not the strict one for exposure.
    careful = replace(options, edge="void")
    share = len(high) / max(len(graph.surfaces), 1)
    worst = worst_of(falls)
    values = {
        "fall 1 or more": sum(damage >= 1 for damage, _ in worst),
        "fall 3 or more": sum(damage >= DEEP for damage, _ in worst),
        "into lava or off": sum(dead for _, dead in worst),
        "by direction": {DIRECTION_NAMES[way]: len(_exposed([row])) for way, row in falls.items()},
        "with edge=void": len(_exposed(falls_of(graph, careful).values())),
    }
    text = f"{share:.0%} of surfaces are a push away from death or {DEEP} damage"
    tiles = tuple(sorted({graph.surfaces[number].tile for number in high}))
    verdict: Verdict = "good" if 0.05 <= share <= 0.45 else "warn"
    return (Metric("push exposure", verdict, text, values, tiles),)


def falls_of(graph: SurfaceGraph, options: FallDamageOptions) -> Falls:
    """Return the cached results of pushes of 1 tile, by direction and surface.

    Args:
        graph: Surfaces of the board with the steps between them.
        options: Options of the rules.
    """
    known: dict[FallDamageOptions, Falls] = graph.memo.setdefault("falls", {})
    if options not in known:
        known[options] = {way: _falls(graph, way, options) for way in DIRECTIONS}
    return known[options]


def remember_falls(graph: SurfaceGraph, options: FallDamageOptions, falls: Falls) -> None:
    """Cache the results of pushes of 1 tile; see `falls_of`.

    Args:
        graph: Surfaces of the board with the steps between them.
        options: Options of the rules.
        falls: Damage and death of each push, by direction and surface.
    """
    graph.memo.setdefault("falls", {})[options] = falls


def worst_of(falls: Falls) -> list[FallResult]:
    """Return the worst result of a push from each surface; death is worse than any fall."""
    columns = zip(*falls.values(), strict=True)
    return [max(column, key=lambda fall: (fall[1], fall[0])) for column in columns]


def _falls(
    graph: SurfaceGraph, way: tuple[int, int], options: FallDamageOptions
) -> list[FallResult]:
    """Return the result of a push of 1 tile in a direction, for each surface."""
    found = []
    for tile, level in graph.surfaces:
        result = slide_unit(
            graph.terrain, Surface(tile, level), way, 1, options, attacker_level=level
        )
        found.append((result.damage, result.dead))
    return found


def worst_falls(graph: SurfaceGraph, options: FallDamageOptions) -> dict[Surface, tuple[int, bool]]:
    """Return the worst result of a push of 1 tile, by surface, if it does any damage.

    Args:
        graph: Surfaces of the board with the steps between them.
        options: Options of the rules.
    """
    falls = falls_of(graph, options).values()
    found = {}
    for surface, ways in zip(graph.surfaces, zip(*falls, strict=True), strict=True):
        damage, dead = max(one for one, _ in ways), any(one for _, one in ways)
        if damage or dead:
            found[surface] = (damage, dead)
    return found


def _exposed(rows: Iterable[list[FallResult]]) -> set[int]:
    return {
        number
        for row in rows
        for number, (damage, dead) in enumerate(row)
        if dead or damage >= DEEP
    }


def sight(position: PositionView, game: FallDamageTable) -> tuple[Metric, ...]:
    """Return the metric of the share of surface pairs with a line of sight.

    Args:
        position: The board under its rules.
        game: Not used; all metrics take it.
    """
    del game
    seen = position.seen or ()
    share = sum(mask.bit_count() for mask in seen) / max(len(seen) * (len(seen) - 1), 1)
    text = f"{share:.0%} of pairs of surfaces see each other"
    verdict: Verdict = "good" if 0.25 <= share <= 0.75 else "warn"
    return (Metric("sight", verdict, text, {"share": round(share, 3)}),)

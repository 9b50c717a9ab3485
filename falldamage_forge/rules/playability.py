"""Playability check: errors for the proof units of a ruleset, warnings for its other units.

Only ways without certain damage count, at any probability. `check` and the studio call it for every
ruleset.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from falldamage_forge.board import Chest, Ladder
from falldamage_forge.board.surfaces import Surface, SurfaceGraph, ladder_clear
from falldamage_forge.issues import Issue
from falldamage_forge.rules import pathfinding
from falldamage_forge.rules.movement_graph import MovementGraph
from falldamage_forge.rules.position import Position
from falldamage_forge.rules.setup_check import why_not_standable
from falldamage_forge.rules.side_connection import (
    Proof,
    all_meet,
    built_here,
    cut_off_starts,
    obstacle_between,
    proof_of,
    sides_apart,
    source_of,
    zone_of,
)


def check_play(position: Position) -> tuple[Issue, ...]:
    """Return the issues that make a map unplayable.

    Errors: sides cut off (FDF300) or without clearance (FDF361), chests that no unit reaches
    (FDF301). Warnings: chests that some units do not reach (FDF301), traps (FDF310), islands
    (FDF311), units cut off (FDF312), blocked ladders (FDF313).

    Args:
        position: A board whose start tiles and chests lie on surfaces (see `check_setup`).
    """
    proofs = tuple(proof_of(position, unit, unit) for unit in position.game.proof_units)
    issues = [issue for proof in proofs for issue in _room(position, proof)]
    issues += sides_apart(position, proofs)
    if not issues and position.game.everybody:
        issues += _classes(position, proofs)
    issues += _treasures(position, proofs)
    issues += _islands(position, proofs)
    issues += _traps(position, proofs)
    issues += _ladders(position)
    return (*position.game.check_starts(position), *issues)


# -- sides -----------------------------------------------------------------------------------------


def _room(position: Position, proof: Proof) -> Iterator[Issue]:
    """Yield an issue for start tiles without clearance for a proof unit."""
    for zone in position.board.starts:
        tight = [
            tile
            for tile, level in zone.surfaces
            if Surface(tile, level) not in proof.model.standing
        ]
        if tight:
            yield Issue(
                "FDF361",
                "error",
                f"no room for {position.game.unit_noun(proof.unit)} on {zone.side}'s start "
                f"{', '.join(map(str, tight))}",
                zone.source,
                tuple(tight),
            )


def _classes(position: Position, proofs: tuple[Proof, ...]) -> Iterator[Issue]:
    """Yield an issue for units, apart from proof units, that do not get from start to start."""
    proved = {proof.profile for proof in proofs} | {
        position.game.profile(proof.profile) for proof in proofs
    }
    for group in position.classes:
        if group.profile in proved:
            continue
        proof = proof_of(position, group.name, group.profile)
        if all_meet(position, proof):
            continue
        side, stuck, goal = next(cut_off_starts(position, proof))
        names = ", ".join(group.units) or group.name
        here, there = (proof.model.places[n].anchor for n in (stuck, goal))
        yield Issue(
            "FDF312",
            "warning",
            f"{names} ({group.name}) cannot get from {side}'s start {here.tile} to {there.tile} "
            "without damage",
            zone_of(position.board, side).source,
            (here.tile, there.tile),
        )


# -- treasure --------------------------------------------------------------------------------------


def _treasures(position: Position, proofs: tuple[Proof, ...]) -> Iterator[Issue]:
    """Yield an issue for each chest that a side does not reach, with the units that do."""
    for chest in position.board.treasures:
        surface = Surface(chest.tile, chest.level)
        cut_off = [
            (proof, side)
            for proof in proofs
            for side, reached in proof.reach.items()
            if surface not in proof.surfaces(reached)
        ]
        if not cut_off:
            continue
        proof, side = cut_off[-1]
        lacking = sorted({side for _, side in cut_off})
        sides = " and ".join(lacking)
        units = position.game.nouns([proof.unit for proof, _ in cut_off])
        who = _who_can(position, chest, lacking)
        matters = position.game.treasure_matters
        number = proof.model.index.get(surface)
        wall = None
        if number is not None:
            back = position.flood(proof.profile, (number,), back=True)
            wall = obstacle_between(position, proof, proof.reach[side], back)
        yield Issue(
            "FDF301",
            "error" if matters and not who else "warning",
            f"{sides} cannot reach the treasure at {chest.tile} without damage as {units}; "
            f"{who or 'no unit can'}",
            chest.source,
            (chest.tile,),
            wall,
            built_here(position.board, surface, "the treasure lies here"),
        )


def _who_can(position: Position, chest: Chest, sides: list[str]) -> str:
    """Return the units of some sides that reach a chest, with turns and damage, in words."""
    surface = Surface(chest.tile, chest.level)
    units_by_price: dict[str, list[str]] = {}
    for group in position.classes:
        model = position.model(group.profile)
        zones = position.zones(group.profile)
        starts = {place for side in sides for place in zones[side]}
        label = pathfinding.path(model, starts, (surface,), any_harm=False)
        label = label or pathfinding.path(model, starts, (surface,))
        if label is not None:
            turns = model.clock.turns(label.moves)
            price = f"in {turns} turn{'' if turns == 1 else 's'}"
            price += f" at {label.harm} damage" if label.harm else " without damage"
            units_by_price.setdefault(price, []).extend(group.units or (group.name,))
    return "; ".join(
        f"{', '.join(units)} can {price}" for price, units in sorted(units_by_price.items())
    )


# -- islands and traps -----------------------------------------------------------------------------


def _islands(position: Position, proofs: tuple[Proof, ...]) -> Iterator[Issue]:
    """Yield an issue for each region that no start reaches, with all units concerned."""
    for units, region, proof in _regions(position, proofs, _unreached):
        beyond = frozenset(
            n for n, place in enumerate(proof.model.places) if place.anchor in set(region)
        )
        yield Issue(
            "FDF311",
            "warning",
            f"{units} never reaches {_names(region)} without damage",
            source_of(position.board, region),
            tuple(surface.tile for surface in region),
            obstacle_between(position, proof, proof.reached, beyond),
        )


def _traps(position: Position, proofs: tuple[Proof, ...]) -> Iterator[Issue]:
    """Yield an issue for each region that units enter and cannot leave, with the way in."""

    def trapped(proof: Proof) -> frozenset[Surface]:
        if not proof.starts:
            return frozenset()
        home = position.flood(proof.profile, proof.starts, back=True)
        return proof.surfaces(proof.reached) - proof.surfaces(home)

    for units, region, proof in _regions(position, proofs, trapped):
        label = pathfinding.path(proof.model, proof.starts, region, any_harm=False)
        first = label
        while first is not None and first.back is not None:
            first = first.back
        steps = [first, *pathfinding.label_path(label)] if label and first else []
        route = " -> ".join(str(proof.model.places[step.place].anchor.tile) for step in steps)
        inside = position.flood(
            proof.profile,
            [n for n, place in enumerate(proof.model.places) if place.anchor in set(region)],
        )
        outside = frozenset(range(len(proof.model.places))) - inside
        wall = obstacle_between(position, proof, inside, outside) or "no way leads out"
        yield Issue(
            "FDF310",
            "warning",
            f"{units} gets into {_names(region)} but not out without damage",
            source_of(position.board, region),
            tuple(surface.tile for surface in region),
            f"the way in is {route}; {wall}",
        )


def _unreached(proof: Proof) -> frozenset[Surface]:
    everything = proof.surfaces(frozenset(range(len(proof.model.places))))
    return everything - proof.surfaces(proof.reached) if proof.starts else frozenset()


def _regions(
    position: Position,
    proofs: tuple[Proof, ...],
    select: Callable[[Proof], frozenset[Surface]],
) -> Iterator[tuple[str, tuple[Surface, ...], Proof]]:
    """Yield connected regions of the selected surfaces, each with the units that share it."""
    proofs_by_region: dict[tuple[Surface, ...], list[Proof]] = {}
    for proof in proofs:
        for region in _components(position.graph, select(proof)):
            proofs_by_region.setdefault(region, []).append(proof)
    for region, sharing in sorted(proofs_by_region.items()):
        units = position.game.nouns([proof.unit for proof in sharing])
        yield units, region, sharing[-1]


def _components(graph: SurfaceGraph, chosen: frozenset[Surface]) -> list[tuple[Surface, ...]]:
    """Return the groups of surfaces joined by steps of at most one level, sorted."""
    left, groups = set(chosen), []
    for first in sorted(chosen):
        if first not in left:
            continue
        left.discard(first)
        group, queue = [first], [first]
        while queue:
            here = queue.pop()
            for there in map(graph.surfaces.__getitem__, graph.steps(graph.index[here])):
                if there in left and abs(there.level - here.level) <= 1:
                    left.discard(there)
                    group.append(there)
                    queue.append(there)
        groups.append(tuple(sorted(group)))
    return groups


def _ladders(position: Position) -> Iterator[Issue]:
    """Yield an issue for each ladder that no unit of the ruleset climbs of its own will."""
    for ladder in position.board.ladders:
        why = _why_dead(position, ladder)
        if why:
            yield Issue(
                "FDF313",
                "warning",
                f"no unit can climb the ladder {ladder.foot} -> {ladder.top}: {why}",
                ladder.source,
                (ladder.foot, ladder.top),
            )


def _why_dead(position: Position, ladder: Ladder) -> str | None:
    """Return why no unit climbs a ladder, or None."""
    foot, top = Surface(ladder.foot, ladder.foot_level), Surface(ladder.top, ladder.top_level)
    terrain = position.graph.terrain
    for end in (foot, top):
        why = why_not_standable(position.board, terrain.options.headroom, end.tile, end.level)
        if why:
            return f"no unit stands on {end.tile} because {why}"
    if not ladder_clear(terrain, ladder):
        return f"a bridge is in the way over {ladder.foot}"
    groups = {group.profile for group in position.classes} | set(position.game.proof_units)
    if any(_leads(position.model(profile), foot, top) for profile in groups):
        return None
    return f"no unit gets from {ladder.foot} to {ladder.top}"


def _leads(model: MovementGraph, foot: Surface, top: Surface) -> bool:
    """True if an edge without certain damage leads from one surface to another."""
    ends = {number for number, place in enumerate(model.places) if top in place.covers}
    return any(
        edge.to in ends and not edge.harm
        for place, edges in zip(model.places, model.edges, strict=True)
        if foot in place.covers
        for edge in edges
    )


# -- words -----------------------------------------------------------------------------------------


def _names(region: tuple[Surface, ...]) -> str:
    shown = ", ".join(map(str, region[:6]))
    return shown + (f" and {len(region) - 6} more" if len(region) > 6 else "")

"""Abilities that put units elsewhere, or change what they stand on."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from falldamage_forge.board import Board, Tile
from falldamage_forge.board.surfaces import Surface, Terrain
from falldamage_forge.games.fall_damage.abilities.aims import (
    Using,
    aim_of,
    allowed,
    anybody_in_reach,
    dive_of,
    enemies_in_reach,
    way_of_use,
)
from falldamage_forge.games.fall_damage.abilities.scene import (
    Change,
    Outcome,
    Place,
    Scene,
    Standing,
    Use,
    change_of,
)
from falldamage_forge.games.fall_damage.abilities.thrown import (
    caught,
    spring_deaths,
    spring_landings,
    swapped,
    wind,
)
from falldamage_forge.games.fall_damage.falls import Fall, settled


def use_spring(scene: Scene, doer: Standing, use: Use) -> Outcome:
    """What the trap at `aim` may do to whom steps on it: all landings, or what `second` does."""
    trap = aim_of(use)
    thrown = scene.by_place.get(trap)
    victim = thrown.victim if thrown else None
    landings = spring_landings(
        scene.graph, trap, scene.options,
        taken=scene.taken, no_fall=bool(victim and victim.no_fall),
    )  # fmt: skip
    deaths = spring_deaths(scene.graph, trap, scene.options)
    if use.second is None:
        places = [Place(at, damage) for at, damage in landings.items()]
        places += (Place(at, dead=True) for at in sorted(deaths))
        return Outcome(places=tuple(sorted(places, key=lambda place: place.at)))
    if use.second in deaths:
        return Outcome((Change(trap, None),))
    if use.second not in landings:
        raise ValueError(f"nobody can be thrown from {trap} to {use.second}")
    return Outcome((Change(trap, use.second, fall=landings[use.second]),))


def use_swap(scene: Scene, doer: Standing, use: Use) -> Outcome:
    """ "Swap 2 units": any two others, each in reach and sight."""
    among = anybody_in_reach(scene, doer)
    one = allowed(aim_of(use), among, "swapped")
    if use.second is None or use.second == one:
        raise ValueError("a Swap takes two units")
    other = allowed(use.second, among, "swapped")
    return Outcome(fallen(swapped(one, other)))


def fallen(falls: Mapping[Surface, Fall]) -> tuple[Change, ...]:
    """Falls as changes."""
    return tuple(Change(at, fall.end, fall=fall.damage) for at, fall in falls.items())


def use_catch(scene: Scene, doer: Standing, use: Use) -> Outcome:
    """An enemy comes to stand behind the mage."""
    aim = allowed(aim_of(use), enemies_in_reach()(scene, doer), "caught")
    victim = scene.by_place[aim].victim
    fall = caught(scene.graph, doer.at, aim, scene.taken, scene.options, victim)
    if fall is None:
        raise ValueError(f"there is no free place behind {doer.at} for the unit on {aim}")
    return Outcome(fallen({aim: fall}))


def use_ropes(scene: Scene, doer: Standing, use: Use) -> Outcome:
    """The Wrestler drops, and hurts whom it may."""
    dive = dive_of(scene, doer, aim_of(use))
    if dive.end is None:
        raise ValueError(f"there is no dive from {doer.at} on to {use.aim}")
    hits = tuple(Change(at, at, damage) for at, damage in dive.hit.items())
    return Outcome((Change(doer.at, dive.end, path=(dive.end,)), *hits))


def gale(*, own: bool) -> Using:
    """A wind over all units of a side."""

    def using(scene: Scene, doer: Standing, use: Use) -> Outcome:
        units = (*scene.friends(doer), doer) if own else scene.enemies(doer)
        moved = scene.victims(one.at for one in units)
        others = scene.taken - set(moved)
        found = wind(scene.graph.terrain, moved, way_of_use(use), scene.options, others=others)
        return Outcome(tuple(change_of(at, pushed) for at, pushed in found))

    return using


def build(change: Callable[[Board, Surface, Use], Board], *, sight: bool = True) -> Using:
    """An ability that changes the board: who stands there is lifted, or falls."""

    def using(scene: Scene, doer: Standing, use: Use) -> Outcome:
        aim = aim_of(use)
        if sight and not scene.reaches(doer, aim):
            raise ValueError(f"{aim} cannot be aimed at: out of reach or out of sight")
        board = change(scene.graph.board, aim, use)
        return Outcome(_settled(scene, board, mage=doer.unit.mage), board)

    return using


def _settled(scene: Scene, board: Board, *, mage: bool) -> tuple[Change, ...]:
    after = Terrain(board, scene.graph.terrain.options)
    units = scene.victims(scene.by_place)
    return fallen(settled(scene.graph.terrain, after, units, mage=mage))


def two_tiles(use: Use) -> tuple[Tile, Tile]:
    """The two tiles of an Eruption."""
    if use.second is None or use.second.tile == aim_of(use).tile:
        raise ValueError("an Eruption takes two different tiles")
    return aim_of(use).tile, use.second.tile

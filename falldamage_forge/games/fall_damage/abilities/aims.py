"""What abilities may be aimed at: who or what is in reach, in sight, and fit for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from falldamage_forge.board.surfaces import Surface
from falldamage_forge.games.fall_damage.abilities import bricks
from falldamage_forge.games.fall_damage.abilities.modifiers import unit_under
from falldamage_forge.games.fall_damage.abilities.scene import Outcome, Scene, Standing, Use
from falldamage_forge.games.fall_damage.abilities.thrown import Dive, caught, top_ropes
from falldamage_forge.games.fall_damage.attack import within

POTION, BANDAGE, PROMO_REACH = (3, 3), (1, 5), 4
"""Reach and healing, and a reach. Sources: "Reach 3 Heal +3", "Reach 1 Heal +5", "in Reach 4"."""

Need = Literal["aim", "second", "way", "count"]
Aims = Callable[[Scene, Standing], tuple[Surface, ...]]
Using = Callable[[Scene, Standing, Use], Outcome]


@dataclass(frozen=True, slots=True)
class Skill:
    """One ability: what has to be chosen, whose card or treasure it is, and its two functions."""

    says: str
    needs: tuple[Need, ...]
    of: tuple[str, ...]
    aims: Aims
    use: Using


def aim_of(use: Use) -> Surface:
    """What a use is aimed at; ValueError when that is not said."""
    if use.aim is None:
        raise ValueError("say what it is aimed at")
    return use.aim


def way_of_use(use: Use) -> tuple[int, int]:
    """The direction of a use; ValueError when that is not said."""
    if use.way is None:
        raise ValueError("say a way: north, east, south or west")
    return use.way


def allowed(aim: Surface, among: Iterable[Surface], what: str) -> Surface:
    """The place itself; ValueError when it is not among those that may be chosen."""
    if aim not in among:
        raise ValueError(f"{aim} cannot be {what}: out of reach or out of sight")
    return aim


def surfaces_in_reach(reach: int | None = None, *, sight: bool | None = None) -> Aims:
    """All surfaces within a reach, the card's unless given."""

    def found(scene: Scene, doer: Standing) -> tuple[Surface, ...]:
        return tuple(
            at for at in scene.graph.surfaces if scene.reaches(doer, at, reach, needs_sight=sight)
        )

    return found


def enemies_in_reach(reach: int | None = None, *, sight: bool | None = None) -> Aims:
    """Enemies within a reach."""

    def found(scene: Scene, doer: Standing) -> tuple[Surface, ...]:
        return tuple(
            one.at
            for one in scene.enemies(doer)
            if scene.reaches(doer, one.at, reach, needs_sight=sight)
        )

    return found


def friends_in_reach(reach: int) -> Aims:
    """Other units of its own side within a reach."""

    def found(scene: Scene, doer: Standing) -> tuple[Surface, ...]:
        return tuple(one.at for one in scene.friends(doer) if scene.reaches(doer, one.at, reach))

    return found


def anybody_in_reach(scene: Scene, doer: Standing) -> tuple[Surface, ...]:
    """Any other units within the card's reach."""
    return tuple(
        one.at for one in scene.standing if one.at != doer.at and scene.reaches(doer, one.at)
    )


def own_place(scene: Scene, doer: Standing) -> tuple[Surface, ...]:
    """What starts from the unit itself."""
    return (doer.at,)


def potion_aims(scene: Scene, doer: Standing) -> tuple[Surface, ...]:
    """Friends, but no skeletons; and enemy skeletons, whom it damages."""
    friends = (one for one in scene.friends(doer) if one.unit.name != "skeleton")
    foes = (one for one in scene.enemies(doer) if one.unit.name == "skeleton")
    return tuple(one.at for one in (*friends, *foes) if scene.reaches(doer, one.at, POTION[0]))


def cannon_aims(scene: Scene, doer: Standing) -> tuple[Surface, ...]:
    """ "uphill Attack only"."""
    found = enemies_in_reach(5)(scene, doer)
    return tuple(at for at in found if at.level > doer.at.level)


def trap_aims(scene: Scene, doer: Standing) -> tuple[Surface, ...]:
    """Tiles within reach that nobody stands on at any level; sight is not asked."""
    card = unit_under(doer.unit, doer.modifiers, scene.options)
    busy = {at.tile for at in scene.taken}
    middle = doer.at.tile
    return tuple(
        at
        for at in scene.graph.surfaces
        if at.tile not in busy
        and within(at.tile.row - middle.row, at.tile.col - middle.col, card.reach, scene.options)
    )


def catch_aims(scene: Scene, doer: Standing) -> tuple[Surface, ...]:
    """Enemies in reach for whom there is a place behind the mage."""
    found = enemies_in_reach()(scene, doer)
    return tuple(
        at
        for at in found
        if caught(scene.graph, doer.at, at, scene.taken, scene.options, scene.by_place[at].victim)
    )


def ropes_aims(scene: Scene, doer: Standing) -> tuple[Surface, ...]:
    """Lower surfaces one tile away with an enemy on or next to them."""
    return tuple(
        at for at in scene.graph.surfaces
        if abs(at.tile.row - doer.at.tile.row) + abs(at.tile.col - doer.at.tile.col) == 1
        and scene.graph.terrain.free(at.tile, at.level, doer.at.level + 1)
        and dive_of(scene, doer, at).hit
    )  # fmt: skip


def dive_of(scene: Scene, doer: Standing, target: Surface) -> Dive:
    """What a drop from its place on to another does."""
    card = unit_under(doer.unit, doer.modifiers, scene.options)
    return top_ropes(
        scene.graph, doer.at, target,
        frozenset(one.at for one in scene.enemies(doer)), scene.options,
        friends=frozenset(one.at for one in scene.friends(doer)), jump=card.jump,
    )  # fmt: skip


def brick_aims(scene: Scene, doer: Standing) -> tuple[Surface, ...]:
    """Column tops in reach and sight that bricks can rise on, no bridge ending or passing there."""
    board = scene.graph.board
    ends = {tile for deck in board.decks for tile in (deck.a, deck.b, *deck.tiles)}
    return tuple(
        at
        for at in surfaces_in_reach()(scene, doer)
        if at.tile not in ends
        and at.level == board.column(at.tile).level
        and bricks.brick_fault(board, at.tile, bricks.SCAFFOLD_LEVELS) is None
    )


def everywhere(scene: Scene, doer: Standing) -> tuple[Surface, ...]:
    """Every surface of the board."""
    return scene.graph.surfaces

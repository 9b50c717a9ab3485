"""Attacks and gifts: on one target, and on all in an area."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from falldamage_forge.board import Board, Tile
from falldamage_forge.games.fall_damage.abilities.aims import (
    POTION,
    PROMO_REACH,
    Aims,
    Using,
    aim_of,
    allowed,
    potion_aims,
    surfaces_in_reach,
    way_of_use,
)
from falldamage_forge.games.fall_damage.abilities.areas import Hit, shove, strike_area
from falldamage_forge.games.fall_damage.abilities.modifiers import STONE, attack_damage, unit_under
from falldamage_forge.games.fall_damage.abilities.scene import (
    Change,
    Outcome,
    Scene,
    Standing,
    Use,
    change_of,
)
from falldamage_forge.games.fall_damage.attack import (
    area,
    area_members,
    can_attack,
    cone,
    height_bonus,
)
from falldamage_forge.games.fall_damage.push import Push, facings, push_unit


def strike(
    damage: int | None = None,
    push: str | None = None,
    reach: int | None = None,
    *,
    height: bool = False,
) -> Using:
    """An attack on one place: the card's own damage and push, or an item's, perhaps with the number
    for height.
    """

    def using(scene: Scene, doer: Standing, use: Use) -> Outcome:
        aim = aim_of(use)
        if not scene.reaches(doer, aim, reach):
            raise ValueError(f"{aim} cannot be attacked: out of reach or out of sight")
        hurt = damage
        if hurt is None:
            hurt = attack_damage(doer.unit, doer.modifiers, doer.at, aim, scene.options)
        elif height:
            hurt += height_bonus(doer.at, aim, reach or doer.unit.reach, scene.options)
        text = unit_under(doer.unit, doer.modifiers, scene.options).push if push is None else push
        target = scene.by_place.get(aim)
        if target is None:
            return Outcome()
        if not text or target.left <= hurt:
            return Outcome((Change(aim, aim, hurt),))
        return _pushed(scene, doer, target, Push.parse(text, mage=doer.unit.mage), hurt, use.way)

    return using


def _pushed(
    scene: Scene,
    doer: Standing,
    target: Standing,
    push: Push,
    hurt: int,
    way: tuple[int, int] | None,
) -> Outcome:
    if push.direction != "F" and len(facings(doer.at, target.at, scene.options)) < 2:
        way = None
    pushed = push_unit(
        scene.graph.terrain, doer.at, target.at, push, scene.options,
        taken=scene.taken - {doer.at, target.at}, victim=target.victim, way=way,
    )  # fmt: skip
    changes = [change_of(target.at, pushed, hurt)]
    if push.direction == "F" and pushed.path:
        changes.append(Change(doer.at, target.at, path=(target.at,)))
    return Outcome(tuple(changes))


def use_cannon(scene: Scene, doer: Standing, use: Use) -> Outcome:
    """An item that shoots uphill."""
    if aim_of(use).level <= doer.at.level:
        raise ValueError("a Cannon attacks uphill only")
    return strike(5, "B3", 5)(scene, doer, use)


def use_shove(scene: Scene, doer: Standing, use: Use) -> Outcome:
    """The Attack's damage to its target; every adjacent enemy goes back."""
    aim = allowed(aim_of(use), surfaces_in_reach()(scene, doer), "attacked")
    hurt = attack_damage(doer.unit, doer.modifiers, doer.at, aim, scene.options)
    killed = aim in scene.by_place and scene.by_place[aim].left <= hurt
    enemies = [one.at for one in scene.enemies(doer) if not (killed and one.at == aim)]
    hits = shove(
        scene.graph.terrain, doer.at, scene.victims(enemies), scene.options,
        taken=scene.taken - {aim} if killed else scene.taken,
        target=aim, stone=STONE * doer.modifiers.stone,
    )  # fmt: skip
    moved = {hit.who for hit in hits}
    changes = [change_of(hit.who, hit.pushed, hurt if hit.who == aim else 0) for hit in hits]
    if aim in scene.by_place and aim not in moved:
        changes.insert(0, Change(aim, aim, hurt))
    return Outcome(tuple(changes))


def gains(name: str, aims: Aims, *, damage: int = 0, heal: int = 0) -> Using:
    """An ability that gives one target something to have."""

    def using(scene: Scene, doer: Standing, use: Use) -> Outcome:
        aim = allowed(aim_of(use), aims(scene, doer), "chosen")
        names = (name,) if name else ()
        return Outcome((Change(aim, aim, damage, heal=heal, gains=names),))

    return using


def use_potion(scene: Scene, doer: Standing, use: Use) -> Outcome:
    """Heals a friend, or hurts an enemy Skeleton."""
    aim = allowed(aim_of(use), potion_aims(scene, doer), "thrown at")
    foe = scene.by_place[aim].side != doer.side
    return Outcome((Change(aim, aim, POTION[1] if foe else 0, heal=0 if foe else POTION[1]),))


def blast(
    radius: int,
    *,
    damage: int | None = None,
    push: int | None = None,
    reach: int | None = None,
    sight: bool | None = None,
    gain: str = "",
    enemies_only: bool = False,
) -> Using:
    """An area of effect of a radius around what is aimed at; damage and push are the card's when
    None.
    """

    def using(scene: Scene, doer: Standing, use: Use) -> Outcome:
        aim = aim_of(use)
        if not scene.reaches(doer, aim, reach, needs_sight=sight):
            raise ValueError(f"{aim} cannot be aimed at: out of reach or out of sight")
        card = unit_under(doer.unit, doer.modifiers, scene.options)
        units = scene.enemies(doer) if enemies_only else scene.standing
        tiles = area(aim.tile, radius, scene.options)
        members = area_members(aim, tiles, [one.at for one in units], scene.options)
        hurt = card.attack if damage is None else damage
        hits = strike_area(
            scene.graph.terrain, doer.at, aim, scene.victims(members), scene.options,
            damage=hurt, push=int(card.push[1:] or 0) if push is None else push,
            mage=doer.unit.mage, taken=scene.taken,
            killed=frozenset(at for at in members if scene.by_place[at].left <= hurt),
        )  # fmt: skip
        return Outcome(_changes(hits, gain), tiles=on_board(scene.graph.board, tiles))

    return using


def _changes(hits: Iterable[Hit], gain: str = "") -> tuple[Change, ...]:
    names = (gain,) if gain else ()
    plain = (change_of(hit.who, hit.pushed, hit.damage) for hit in hits)
    return tuple(Change(c.who, c.end, c.damage, c.fall, path=c.path, gains=names) for c in plain)


def on_board(board: Board, tiles: Iterable[Tile]) -> tuple[Tile, ...]:
    """Those tiles that lie on the board, sorted."""
    return tuple(sorted(tile for tile in tiles if tile in board))


def use_mist(scene: Scene, doer: Standing, use: Use) -> Outcome:
    """Everybody in the cone in front of the Apothecary."""
    tiles = cone(doer.at.tile, way_of_use(use), scene.options)
    others = [one.at for one in scene.standing if one.at != doer.at]
    members = area_members(doer.at, tiles, others, scene.options)
    changes = tuple(Change(at, at, gains=("mist",)) for at in members)
    return Outcome(changes, tiles=on_board(scene.graph.board, tiles))


def use_promo(scene: Scene, doer: Standing, use: Use) -> Outcome:
    """ "All enemies in Reach 4"; sight is not asked of what starts from oneself."""
    found = [
        one.at
        for one in scene.enemies(doer)
        if can_attack(doer.at, one.at, PROMO_REACH, scene.options)
    ]
    return Outcome(tuple(Change(at, at, gains=("promo",)) for at in found))


def zone(tiles_of: Callable[[Tile, Scene], frozenset[Tile]], reach: int | None) -> Using:
    """Tiles that something is laid over, around what is aimed at."""

    def using(scene: Scene, doer: Standing, use: Use) -> Outcome:
        aim = aim_of(use)
        if reach is not None and not scene.reaches(doer, aim, reach):
            raise ValueError(f"{aim} cannot be aimed at: out of reach or out of sight")
        return Outcome(tiles=on_board(scene.graph.board, tiles_of(aim.tile, scene)))

    return using

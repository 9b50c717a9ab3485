"""Questions of Fall Damage beyond movement: pushes, targets and abilities, who stands where.

Each takes a position and the words of a question, and answers with frozen values. A unit among
others is written `CARD=TILE`, or the bare tile of somebody unknown.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from falldamage_forge.board import WAYS, Feature
from falldamage_forge.board.grid import parse_place
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.games.fall_damage.abilities.scene import (
    SOMEBODY,
    Scene,
    Standing,
    Use,
    as_table,
    auras,
)
from falldamage_forge.games.fall_damage.engine.modifiers import (
    Modifiers,
    told,
    victim_under,
    with_effects,
)
from falldamage_forge.games.fall_damage.push import Push, Victim, push_unit
from falldamage_forge.games.fall_damage.spire import push_spire
from falldamage_forge.games.fall_damage.units import Fielded, Unit
from falldamage_forge.issues import did_you_mean, refuse
from falldamage_forge.rules.answers import Pushed, Target, Targets
from falldamage_forge.rules.figures import spot

if TYPE_CHECKING:
    from falldamage_forge.games.fall_damage.game import FallDamage
    from falldamage_forge.rules.game import PushQuestion, TargetsQuestion
    from falldamage_forge.rules.position import Position

MINE, THEIRS = "mine", "theirs"


def effects_of(game: FallDamage, texts: Iterable[str]) -> Modifiers:
    """Effects from words such as `song`, `boots=2`; ForgeError (FDF344) for unknown ones."""
    try:
        return with_effects(texts, game.options)
    except ValueError as error:
        hint = "docs/rules.md#effects-and-abilities lists them"
        raise refuse("FDF344", str(error), hint) from None


def standing(game: FallDamage, position: Position, text: str | Surface, side: str) -> Standing:
    """Who stands where, from `bard=E5`, `E5` or a surface."""
    if isinstance(text, Surface):
        return Standing(text, SOMEBODY, side)
    name, sign, place = text.rpartition("=")
    return Standing(position.place(place), game.card(name) if sign else SOMEBODY, side)


def scene_of(
    game: FallDamage,
    position: Position,
    enemies: Iterable[str | Surface],
    friends: Iterable[str | Surface],
) -> Scene:
    """The board with everybody who is named."""
    there = [standing(game, position, text, THEIRS) for text in enemies]
    there += [standing(game, position, text, MINE) for text in friends]
    return on_land(game, position, *there)


def on_land(game: FallDamage, position: Position, *standing: Standing) -> Scene:
    """The board with some on it; one that was played on keeps its bricks and what they stand."""
    land = None
    if position.before is not None:
        land = position.graph.memo.get("played")
        if land is None:
            from falldamage_forge.games.fall_damage.whatif import played

            start = position.before.board
            land = played(start, position.changes, game.kit, game.options).state
            position.graph.memo["played"] = land
    return Scene(position.graph, game.kit, game.options, standing, land)


def under_auras(
    game: FallDamage, position: Position, unit: Fielded, start: Surface, others: Iterable[Any]
) -> Fielded:
    """A unit under Song and Intimidate of those who stand around it."""
    cards = [one for one in others if isinstance(one, Standing)]
    if not cards:
        return unit
    me = Standing(start, unit.unit, MINE, unit.effects)
    scene = on_land(game, position, me, *cards)
    return replace(unit, effects=auras(scene, me))


# -- push ------------------------------------------------------------------------------------------


def push(game: FallDamage, position: Position, asked: PushQuestion) -> Pushed:
    """Where a pushed unit ends, or a spire. ValueError for a push that cannot be."""
    pushed = Push.parse(asked.push, mage=asked.mage)
    way = WAYS[asked.way] if asked.way else None
    terrain, options = position.graph.terrain, game.options
    spire = spire_at(position, asked.target)
    if spire is not None:
        fallen = push_spire(
            terrain, asked.attacker, spire.tile, pushed, options, taken=asked.occupied, way=way
        )
        extra = {"spire": True, "gone": fallen.gone, "hit": fallen.hit and spot(fallen.hit)}
        end = None if fallen.gone else spire
        return Pushed(end, fallen.damage, False, fallen.path, extra)
    target = position.place(asked.target)
    card = game.card(asked.unit) if asked.unit else SOMEBODY
    effects = effects_of(game, asked.effects)
    known = asked.unit or asked.effects
    victim = victim_under(card, effects, target) if known else Victim()
    return push_unit(
        terrain, asked.attacker, target, pushed, options,
        taken=asked.occupied, victim=victim, way=way,
    )  # fmt: skip


def spire_at(position: Position, text: str | Surface) -> Surface | None:
    """The tower's top under a spire on a named tile, if there is one."""
    if isinstance(text, Surface):
        return None
    try:
        tile, level = parse_place(text)
    except ValueError:
        return None
    if tile not in position.board:
        return None
    column = position.board.column(tile)
    if column.feature is not Feature.SPIRE or level not in (None, column.level):
        return None
    return Surface(tile, column.level)


# -- targets ---------------------------------------------------------------------------------------


def targets(game: FallDamage, position: Position, asked: TargetsQuestion) -> Targets:
    """Surfaces and structures in reach and, where the card needs it, in sight; or an ability's.

    ValueError for a use that cannot be.
    """
    card, here, taken = game.card(asked.unit), asked.start, sorted(asked.occupied)
    if asked.ability:
        return _ability(game, position, card, asked)
    from falldamage_forge.games.fall_damage.abilities.reach import in_reach

    doer = Standing(here, card, MINE)
    others = (Standing(at, SOMEBODY, THEIRS) for at in taken if at != here)
    scene = on_land(game, position, doer, *others)
    found, rows = in_reach(scene, doer)
    return Targets(game.name, asked.unit, here, found, {"structures": rows})


def _ability(game: FallDamage, position: Position, card: Unit, asked: TargetsQuestion) -> Targets:
    from falldamage_forge.games.fall_damage.abilities.skills import ABILITIES

    here, name = asked.start, str(asked.ability)
    skill = ABILITIES.get(name)
    if skill is None:
        hint = did_you_mean(name, ABILITIES) or f"known: {', '.join(ABILITIES)}"
        raise refuse("FDF344", f"there is no ability `{name}`", hint)
    effects = effects_of(game, asked.effects)
    doer = Standing(here, card, MINE, effects)
    scene = scene_of(game, position, asked.enemies, asked.friends)
    others = tuple(Standing(at, SOMEBODY, THEIRS) for at in sorted(asked.occupied))
    scene = replace(scene, standing=(doer, *scene.standing, *others))
    extra: dict[str, Any] = {"ability": name, "effects": told(effects)}
    if asked.aim is None and "aim" in skill.needs:
        aims = tuple(Target(at) for at in skill.aims(scene, doer))
        return Targets(game.name, card.name, here, aims, extra)
    way = WAYS[asked.way] if asked.way else None
    outcome = skill.use(scene, doer, Use(asked.aim, asked.second, way, asked.count))
    return Targets(game.name, card.name, here, (), {**extra, "outcome": as_table(outcome)})

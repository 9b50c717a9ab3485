"""Queries of Fall Damage beyond movement: pushes, targets, abilities, units with auras.

Each function takes a position and the words of a query, and returns frozen values. Units are
written `CARD=TILE`, or as a tile for an unknown unit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from falldamage_forge.board import WAYS, Feature
from falldamage_forge.board.coordinates import parse_place
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.games.fall_damage.ability_queries.ability_context import (
    SOMEBODY,
    AbilityContext,
    AbilityUse,
    PlacedUnit,
    auras,
    outcome_json,
)
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine import modifiers, targeting
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.falls import pool_of
from falldamage_forge.games.fall_damage.engine.modifiers import EffectiveUnit, Modifiers
from falldamage_forge.games.fall_damage.engine.unit_stats import height_number, is_melee, may_attack
from falldamage_forge.games.fall_damage.play.death import FALL
from falldamage_forge.games.fall_damage.play.surface_number import spot_of, surface_of
from falldamage_forge.games.fall_damage.play.vocabulary import item_name
from falldamage_forge.games.fall_damage.push_result import push_spire, push_unit
from falldamage_forge.games.fall_damage.unit_cards import Push, PushTarget
from falldamage_forge.issues import did_you_mean, refuse
from falldamage_forge.rules.answers import PushResult, Target, Targets
from falldamage_forge.rules.json_values import surface_json

if TYPE_CHECKING:
    from falldamage_forge.games.fall_damage.rules_table import FallDamageTable
    from falldamage_forge.rules.position_view import PositionView
    from falldamage_forge.rules.ruleset import PushQuestion, TargetsQuestion


Piece = tuple[int, str, int | None, int]
"""Surface of a terrain target, its kind, its health, and the surface to aim at."""


def in_reach(
    scene: AbilityContext, doer: PlacedUnit
) -> tuple[tuple[Target, ...], list[dict[str, Any]]]:
    """Return the surfaces in reach and sight with their height modifier, and terrain targets.

    A unit without a plain Attack, but with an ability of its reach, has no terrain targets.

    Args:
        scene: Board and units.
        doer: The unit, one of the context's.
    """
    s, numbers = scene.moment(doer)
    i = numbers[doer.at]
    places = [at for at in scene.graph.surfaces if targeting.can_attack_surface(s, i, spot_of(at))]
    found = tuple(Target(at, _bonus(s, i, spot_of(at))) for at in places)
    pieces = sorted(_pieces(s, i), key=lambda piece: piece[:2]) if may_attack(s, i) else ()
    return found, [_row(s, i, piece) for piece in pieces]


def _bonus(s: StateColumns, i: int, at: int) -> int:
    return height_number(s, s.spot[i], at, is_melee(s, i, at))


def _row(s: StateColumns, i: int, piece: Piece) -> dict[str, Any]:
    where, kind, pool, aim = piece
    foot = surface_of(where)
    return {
        "kind": kind,
        "tile": str(foot.tile),
        "level": foot.level,
        "pool": pool,
        "aim": surface_json(surface_of(aim)),
        "bonus": _bonus(s, i, aim),
    }


def _pieces(s: StateColumns, i: int) -> Iterator[Piece]:
    """Yield the terrain targets that the unit can attack."""
    for tile in s.feature_tiles[: s.n_features]:
        aim, is_tree = targeting.aim_at_feature(s, i, tile), s.feature[tile] == C.TREE
        if aim >= 0:
            pool = pool_of(s, C.W_TREE) if is_tree else None
            yield tile << 4 | s.level[tile], "tree" if is_tree else "spire", pool, aim
    for n in range(s.n_decks):
        aim = targeting.aim_at_deck(s, i, n)
        if aim >= 0:
            foot = s.deck_tiles[n * C.DECK_LENGTH] << 4 | s.deck_level[n]
            yield foot, "bridge", pool_of(s, C.W_DECK), aim
    for n in range(s.n_ladders):
        aim = targeting.aim_at_ladder(s, i, n)
        if aim >= 0:
            foot = s.foot_tile[n] << 4 | s.foot_level[n]
            yield foot, "ladder", pool_of(s, C.W_LADDER), aim


MINE, THEIRS = "mine", "theirs"


def effects_of(game: FallDamageTable, texts: Iterable[str]) -> Modifiers:
    """Return the modifiers of words such as `song`, `boots=2`.

    Args:
        game: Rules, options and cards of the game.
        texts: Words such as `song` or `boots=2`.

    Raises:
        ForgeError (FDF344): If a word is unknown or its value wrong.
    """
    try:
        return modifiers.parse_modifiers(texts, game.options, game.content)
    except ValueError as error:
        hint = "docs/rules.md#effects-and-abilities lists them"
        raise refuse("FDF344", str(error), hint) from None


def parse_placed_unit(
    game: FallDamageTable, position: PositionView, text: str | Surface, side: str
) -> PlacedUnit:
    """Return the unit and its surface, from `bard=E5`, `E5` or a surface.

    Args:
        game: Rules, options and cards of the game.
        position: The board under its rules.
        text: `bard=E5`, `E5`, or a surface.
        side: Side of the unit: `MINE` or `THEIRS`.
    """
    if isinstance(text, Surface):
        return PlacedUnit(text, SOMEBODY, side)
    name, sign, place = text.rpartition("=")
    return PlacedUnit(position.place(place), game.card(name) if sign else SOMEBODY, side)


def ability_context(
    game: FallDamageTable,
    position: PositionView,
    enemies: Iterable[str | Surface],
    friends: Iterable[str | Surface],
) -> AbilityContext:
    """Return the board with all units of a query on it.

    Args:
        game: Rules, options and cards of the game.
        position: The board under its rules.
        enemies: Units of the other side, as `parse_placed_unit` reads them.
        friends: Units of the own side.
    """
    there = [parse_placed_unit(game, position, text, THEIRS) for text in enemies]
    there += [parse_placed_unit(game, position, text, MINE) for text in friends]
    return on_land(game, position, *there)


def on_land(game: FallDamageTable, position: PositionView, *standing: PlacedUnit) -> AbilityContext:
    """Return the board with units on it; after `--what-if` it retains bricks and damage.

    Args:
        game: Rules, options and cards of the game.
        position: The board under its rules.
        *standing: Units on the board.
    """
    land = None
    if position.before is not None:
        land = position.graph.memo.get("played")
        if land is None:
            from falldamage_forge.games.fall_damage.board_changes import apply_changes

            start = position.before.board
            land = apply_changes(start, position.changes, game.content, game.options).state
            position.graph.memo["played"] = land
    return AbilityContext(position.graph, game.content, game.options, standing, land)


def with_auras(
    game: FallDamageTable,
    position: PositionView,
    unit: EffectiveUnit,
    start: Surface,
    others: Iterable[Any],
) -> EffectiveUnit:
    """Return a unit under the Song and Intimidate of the units around it.

    Args:
        game: Rules, options and cards of the game.
        position: The board under its rules.
        unit: The unit.
        start: Its surface.
        others: Units on the board; only cards with abilities count.
    """
    cards = [one for one in others if isinstance(one, PlacedUnit)]
    if not cards:
        return unit
    me = PlacedUnit(start, unit.unit, MINE, unit.effects)
    scene = on_land(game, position, me, *cards)
    return replace(unit, effects=auras(scene, me))


# -- push ------------------------------------------------------------------------------------------


def push(game: FallDamageTable, position: PositionView, asked: PushQuestion) -> PushResult:
    """Return the result of a push of a unit or a spire.

    Args:
        game: Rules, options and cards of the game.
        position: The board under its rules.
        asked: Attacker, target, push and units in the way.

    Raises:
        ValueError: If the push is impossible; the message says why.
    """
    try:
        pushed = Push.parse(asked.push, extra=game.content.amount("mage") if asked.mage else 0)
    except ValueError as error:
        raise refuse("FDF346", f"`push`: {error}") from None
    way = WAYS[asked.way] if asked.way else None
    terrain, options = position.graph.terrain, game.options
    spire = spire_at(position, asked.target)
    if spire is not None:
        return push_spire(
            terrain, asked.attacker, spire.tile, pushed, options, taken=asked.occupied, way=way
        )
    target = position.place(asked.target)
    card = game.card(asked.unit) if asked.unit else SOMEBODY
    effects = effects_of(game, asked.effects)
    known = asked.unit or asked.effects
    victim = modifiers.victim_under(card, effects, target) if known else PushTarget()
    found = push_unit(
        terrain, asked.attacker, target, pushed, options,
        taken=asked.occupied, victim=victim, way=way,
    )  # fmt: skip
    if found.dead or found.damage < card.health:
        return found
    return replace(found, dead=True, cause=FALL, at=found.end)


def spire_at(position: PositionView, text: str | Surface) -> Surface | None:
    """Return the top of the column under a spire on a named tile; None if there is none.

    Args:
        position: The board under its rules.
        text: A tile or surface, such as `D4` or `D4@2`.
    """
    if isinstance(text, Surface):
        return None
    try:
        tile, level = parse_place(text)
    except ValueError:
        return None
    if tile not in position.board:
        return None
    column = position.board.column(tile)
    if tile in position.board.fixed:
        return None
    if column.feature is not Feature.SPIRE or level not in (None, column.level):
        return None
    return Surface(tile, column.level)


# -- targets ---------------------------------------------------------------------------------------


def targets(game: FallDamageTable, position: PositionView, asked: TargetsQuestion) -> Targets:
    """Return the surfaces and terrain targets in reach and sight, or the aims of an ability.

    Args:
        game: Rules, options and cards of the game.
        position: The board under its rules.
        asked: Unit, surface, ability and other units.

    Raises:
        ForgeError (FDF344): If the ability is unknown.
        ValueError: If the ability cannot be used so; the message says why.
    """
    card, here = game.card(asked.unit), asked.start
    doer = PlacedUnit(here, card, MINE, effects_of(game, asked.effects))
    scene = ability_context(game, position, asked.enemies, asked.friends)
    others = (PlacedUnit(at, SOMEBODY, THEIRS) for at in sorted(asked.occupied) if at != here)
    scene = replace(scene, standing=(doer, *scene.standing, *others))
    if asked.ability:
        return _ability(game, scene, doer, asked)
    for name in ("aim", "second", "way", "count"):
        if getattr(asked, name) is not None:
            hint = "name the ability; `attack` is the card's own attack"
            raise refuse("FDF346", f"`{name}` is a choice of an ability, and none is named", hint)
    found, rows = in_reach(scene, doer)
    return Targets(game.name, card.name, here, found, {"structures": rows})


def _ability(
    game: FallDamageTable, scene: AbilityContext, doer: PlacedUnit, asked: TargetsQuestion
) -> Targets:
    from falldamage_forge.games.fall_damage.ability_queries.ability_table import ABILITIES

    name = item_name(str(asked.ability))
    skill = ABILITIES.get(name)
    if skill is None:
        hint = did_you_mean(name, ABILITIES) or f"known: {', '.join(ABILITIES)}"
        raise refuse("FDF344", f"there is no ability `{name}`", hint)
    extra: dict[str, Any] = {"ability": name, "effects": modifiers.modifiers_json(doer.modifiers)}
    if asked.aim is None and "aim" in skill.needs:
        aims = tuple(Target(at) for at in skill.aims(scene, doer))
        return Targets(game.name, doer.unit.name, doer.at, aims, extra)
    way = WAYS[asked.way] if asked.way else None
    outcome = skill.use(scene, doer, AbilityUse(asked.aim, asked.second, way, asked.count))
    extra["outcome"] = outcome_json(outcome)
    return Targets(game.name, doer.unit.name, doer.at, (), extra)

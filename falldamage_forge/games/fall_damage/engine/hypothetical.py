"""Hypothetical states: a board with units placed by the caller, for queries and `--what-if`."""

from __future__ import annotations

from dataclasses import replace

from falldamage_forge.board import Board, Chest, Column, Ground, Tile, make_board
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine import match_context, unit_stats
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.effects import put
from falldamage_forge.games.fall_damage.engine.empty_state import copy_of, sighted_state
from falldamage_forge.games.fall_damage.engine.modifiers import NONE, Modifiers, worth
from falldamage_forge.games.fall_damage.engine.revival import blank_unit
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.play.game_data import GameData, card_of
from falldamage_forge.games.fall_damage.play.surface_number import spot_of, surface_of, tile_number
from falldamage_forge.games.fall_damage.unit_cards import MovementProfile, UnitCard

MINE, THEIRS = 0, 1


def board_state(board: Board, rules: FallDamageOptions, content: GameData) -> StateColumns:
    """Return a state of a board without units, with cards, abilities and items.

    Args:
        board: The board.
        rules: Rules of movement and attack.
        content: Cards, abilities and items of the game.
    """
    s = copy_of(sighted_state(board, rules))
    s.link = [0] * (len(s.occupant) * C.LINKS)
    match_context.fill_kit(s, content)
    return s


def stand(
    s: StateColumns,
    content: GameData,
    unit: UnitCard,
    at: Surface,
    side: int,
    modifiers: Modifiers = NONE,
    health: int | None = None,
    *,
    silent: bool = False,
) -> int:
    """Place a unit of a card on a surface.

    Args:
        s: State of the game; changed.
        content: Game data.
        unit: Unit card, one of the game's or a variant.
        at: Surface.
        side: `MINE` or `THEIRS`.
        modifiers: Modifiers of the unit.
        health: Health; None: full, and healable without a limit.
        silent: True if its Song is interrupted.

    Returns:
        The unit's index.

    Raises:
        ValueError: If the state holds the most units that a game can have.
    """
    i = s.n_units
    if i == C.MOST_UNITS:
        raise ValueError(f"at most {C.MOST_UNITS} units can be placed")
    s.n_units += 1
    card = _deal(s, content, unit, C.MOST_CARDS + i)
    blank_unit(s, i, side, card)
    put(s, i, spot_of(at))
    s.health[i] = unit.health if health is None else health
    s.max_health[i] = unit.health + (C.UNLIMITED if health is None else 0)
    s.song_off[i] = int(silent)
    _wear(s, content, i, modifiers)
    if unit.no_push:
        s.lead_shoes[i] = 1
    return i


def _deal(s: StateColumns, content: GameData, unit: UnitCard, number: int) -> int:
    """Return the number of a unit's card: one of the game data, or a new one after them."""
    card = card_of(unit, content.abilities)
    if content.cards.get(unit.name) == card:
        return match_context.cards_of(content).index(unit.name)
    for column in (s.card_letter, s.card_own_reach, s.card_abilities, s.card_class):
        column.extend([0] * (number + 1 - len(column)))
    s.printed.extend([0] * ((number + 1) * C.STATS - len(s.printed)))
    match_context.fill_card(s, number, card)
    if not unit.needs_sight:
        s.card_abilities[number] |= 1 << C.ARC
    if unit.pass_enemies:
        s.card_abilities[number] |= 1 << C.AGILE
    return number


def _wear(s: StateColumns, content: GameData, i: int, has: Modifiers) -> None:
    """Apply modifiers to a unit."""
    s.song_now[i], s.vines[i], s.carries[i] = int(has.bard), int(has.vines), int(has.carry)
    s.mist_rounds[i], s.mist[i], s.promo[i] = has.poison, int(has.poison > 0), int(has.promo)
    s.move_plus[i] = worth(has, content, "boots") - worth(has, content, "adrenal")
    s.jump_plus[i], s.reach_plus[i] = (
        worth(has, content, "crampons"),
        worth(has, content, "ethereal"),
    )
    s.attack_plus[i] = worth(has, content, "weapon") + has.attack_plus
    s.push_plus[i] = worth(has, content, "stone")
    s.discorporate[i], s.lead_shoes[i] = int(has.discorporate), int(has.lead_shoes)
    s.drum[i], s.diagonal[i] = int(has.drum), int(has.phase)
    s.no_sight_needed[i] = int(has.projector)
    for tiles, column, bit in ((has.quicksand, s.sand, 1), (has.rope, s.rope, 1 << s.side[i])):
        for tile in tiles:
            if 0 <= tile.row < s.rows and 0 <= tile.col < s.cols:
                column[tile_number(tile)] |= bit
                s.n_zones = max(s.n_zones, 1)


def effective_unit(
    unit: UnitCard, has: Modifiers, rules: FallDamageOptions, content: GameData
) -> UnitCard:
    """Return a card with its values at the beginning of an activation.

    Args:
        unit: The card as printed.
        has: Treasure, statuses and auras that change its values.
        rules: Rules of movement and attack.
        content: Cards, abilities and items of the game.
    """
    s = board_state(ONE_TILE, rules, content)
    i = s.active = stand(s, content, unit, Surface(Tile(0, 0), 0), MINE, has)
    move = unit_stats.move_with(s, i, unit.move, has.knight_first, has.bard, has.intimidated)
    reach = unit_stats.reach_of(s, i) if unit.reach else 0
    rooted = has.unmoved and unit_stats.has_ability(s, i, C.ROOTED)
    return replace(
        unit,
        move=unit_stats.halve_if_carrying(s, i, move),
        jump=unit.jump + has.crampons,
        attack=max(unit_stats.attack_number(s, i, reach == 1, rooted), 0),
        reach=reach,
        push=f"{unit.push[0]}{unit_stats.tiles_of(s, i)}" if unit.push else "",
        needs_sight=unit.needs_sight and not has.projector,
        no_push=unit.no_push or has.lead_shoes,
        pass_enemies=unit.pass_enemies or has.discorporate,
    )


ONE_TILE = make_board(1, 1, [Column()])
"""Board for a card's values that need no map."""


def effective_profile(
    unit: UnitCard, has: Modifiers, rules: FallDamageOptions, content: GameData
) -> MovementProfile:
    """Return the movement profile of a card at the beginning of an activation.

    Args:
        unit: Unit card.
        has: Modifiers of the unit.
        rules: Options of the ruleset.
        content: Game data.
    """
    made = effective_unit(unit, has, rules, content).profile
    return replace(made, slow=has.quicksand, ghost=has.discorporate)


def board_of(s: StateColumns, before: Board) -> Board:
    """Return the terrain of a state as a board; bricks become solid columns.

    Args:
        s: State of the game; read only.
        before: The map's board, whose columns, decks and ladders are reused where unchanged.
    """
    columns = []
    for tile, column in zip(before.tiles(), before.columns, strict=True):
        at = tile_number(tile)
        bricks = s.bricks[at]
        ground = Ground.GROUND if bricks else GROUNDS[s.kind[at]]
        feature = column.feature if s.feature[at] else None
        level = s.level[at] + bricks
        now = column
        if (level, ground, feature) != (column.level, column.ground, column.feature):
            now = replace(column, level=level, ground=ground, feature=feature)
        columns.append(now)
    decks = tuple(deck for n, deck in enumerate(before.decks) if s.deck_alive[n])
    ladders = tuple(ladder for n, ladder in enumerate(before.ladders) if s.ladder_alive[n])
    board = replace(before, columns=tuple(columns), decks=decks, ladders=ladders)
    return replace(board, treasures=_chests(s, before))


GROUNDS = {C.DRY: Ground.GROUND, C.WATER: Ground.WATER, C.FIRE: Ground.LAVA}


def _chests(s: StateColumns, before: Board) -> tuple[Chest, ...]:
    """Return the chests where they are now; each retains its source position in the map."""
    laid: dict[Tile, list[Chest]] = {}
    for chest in before.treasures:
        laid.setdefault(chest.tile, []).append(chest)
    found = []
    for spot in s.chests[: s.n_chests]:
        at = surface_of(spot)
        found.append(Chest(at.tile, at.level, laid[at.tile].pop(0).source))
    return tuple(found)

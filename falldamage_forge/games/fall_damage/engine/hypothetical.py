"""A state from words: a board, whoever is said to stand on it, and what they are said to have."""

from __future__ import annotations

from dataclasses import replace

from falldamage_forge.board import Board, Ground, Tile, Treasure
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.engine.effects import put
from falldamage_forge.games.fall_damage.engine.ground_state import copy_of, ground_state
from falldamage_forge.games.fall_damage.engine.match_context import (
    cards_of,
    fill_card,
    fill_kit,
)
from falldamage_forge.games.fall_damage.engine.modifiers import (
    BOOTS,
    NONE,
    STONE,
    WEAPON,
    Modifiers,
)
from falldamage_forge.games.fall_damage.engine.revival import blank_unit
from falldamage_forge.games.fall_damage.options import Options
from falldamage_forge.games.fall_damage.play.kit import Kit, card_of
from falldamage_forge.games.fall_damage.play.spots import spot_of, surface_of, tile_number
from falldamage_forge.games.fall_damage.units import Unit

MINE, THEIRS = 0, 1


def board_state(board: Board, rules: Options, kit: Kit) -> State:
    """A board with nobody on it, and what is played with."""
    s = copy_of(ground_state(board, rules))
    s.link = [-1] * (len(s.occupant) * C.LINKS)
    fill_kit(s, kit)
    return s


def stand(
    s: State,
    kit: Kit,
    unit: Unit,
    at: Surface,
    side: int,
    modifiers: Modifiers = NONE,
    health: int | None = None,
    *,
    silent: bool = False,
) -> int:
    """Put a unit of a card on a surface; gives its number.

    How much health one lacks of whom no health is told is not known: as much as can be healed.

    Raises:
        ValueError: When there are more units than a game can have.
    """
    i = s.n_units
    if i == C.MOST_UNITS:
        raise ValueError(f"at most {C.MOST_UNITS} units can be told of")
    s.n_units += 1
    card = _deal(s, kit, unit, C.MOST_CARDS + i)
    blank_unit(s, i, side, card)
    put(s, i, spot_of(at))
    s.health[i] = unit.health if health is None else health
    s.max_health[i] = unit.health + (C.UNLIMITED if health is None else 0)
    s.song_off[i] = int(silent)
    _wear(s, i, modifiers)
    if unit.no_push:
        s.lead_shoes[i] = 1
    return i


def _deal(s: State, kit: Kit, unit: Unit, number: int) -> int:
    """The number of a unit's card: one of the kit, or a new one behind them."""
    card = card_of(unit, kit.abilities)
    if kit.cards.get(unit.name) == card:
        return cards_of(kit).index(unit.name)
    for column in (s.card_letter, s.card_own_reach, s.card_abilities, s.card_class):
        column.extend([0] * (number + 1 - len(column)))
    s.printed.extend([0] * ((number + 1) * C.STATS - len(s.printed)))
    fill_card(s, number, card)
    if not unit.needs_sight:
        s.card_abilities[number] |= 1 << C.ARC
    if unit.pass_enemies:
        s.card_abilities[number] |= 1 << C.AGILE
    return number


def _wear(s: State, i: int, has: Modifiers) -> None:
    """Give a unit what it is said to have."""
    s.song_now[i], s.vines[i], s.carries[i] = int(has.bard), int(has.vines), int(has.carry)
    s.mist_rounds[i], s.mist[i], s.promo[i] = has.poison, int(has.poison > 0), int(has.promo)
    s.move_plus[i] = BOOTS * has.boots - has.adrenal
    s.jump_plus[i], s.reach_plus[i] = has.crampons, has.ethereal
    s.attack_plus[i] = WEAPON * has.weapon + has.attack_plus
    s.push_plus[i] = STONE * has.stone
    s.discorporate[i], s.lead_shoes[i] = int(has.discorporate), int(has.lead_shoes)
    s.drum[i], s.diagonal[i] = int(has.drum), int(has.phase)
    s.no_sight_needed[i] = int(has.projector)
    for tiles, column, bit in ((has.quicksand, s.sand, 1), (has.rope, s.rope, 1 << s.side[i])):
        for tile in tiles:
            if 0 <= tile.row < s.rows and 0 <= tile.col < s.cols:
                column[tile_number(tile)] |= bit
                s.n_zones = max(s.n_zones, 1)


def board_of(s: State, before: Board) -> Board:
    """The land of a state as a board, bricks as solid columns; `before` is the map's own."""
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


def _chests(s: State, before: Board) -> tuple[Treasure, ...]:
    """The chests where they are now; one keeps its tile, and its place in the map's text."""
    laid: dict[Tile, list[Treasure]] = {}
    for chest in before.treasures:
        laid.setdefault(chest.tile, []).append(chest)
    found = []
    for spot in s.chests[: s.n_chests]:
        at = surface_of(spot)
        found.append(Treasure(at.tile, at.level, laid[at.tile].pop(0).source))
    return tuple(found)

"""The core's memory for a map: terrain, cards, treasure and lines as numbers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from falldamage_forge.board import Feature
from falldamage_forge.board import Ground as Kind
from falldamage_forge.games.fall_damage.options import Options
from falldamage_forge.games.fall_damage.play.arena import Arena
from falldamage_forge.games.fall_damage.play.kit import SKELETON, Kit
from falldamage_forge.games.fall_damage.play.line import _scale
from falldamage_forge.games.fall_damage.play.options import Readings
from falldamage_forge.games.fall_damage.play.spots import tile_name, tile_number
from falldamage_forge.games.fall_damage.sight import crossings
from falldamage_forge.playtest.core.loops import layout as L

Memory = Any
"""One row of 64-bit numbers; a list will do where nothing is compiled."""
KINDS = {Kind.GROUND: L.DRY, Kind.WATER: L.WATER, Kind.LAVA: L.FIRE}
FEATURES = {None: 0, Feature.TREE: L.TREE, Feature.SPIRE: L.SPIRE}
LETTERS = {"": L.NO_LETTER, "B": L.BACK, "R": L.RIGHT, "L": L.LEFTWARD, "F": L.FRONT}
PLUSES = {
    "attack": L.ATTACK_PLUS, "reach": L.REACH_PLUS, "push": L.PUSH_PLUS, "move": L.MOVE_PLUS,
    "jump": L.JUMP_PLUS,
}  # fmt: skip
FLAGS = {
    "drum": L.DRUM, "no_sight_needed": L.NO_SIGHT, "diagonal": L.DIAGONAL, "lead_shoes": L.LEAD,
    "thorns": L.THORNS, "discorporate": L.DISCORPORATE,
}  # fmt: skip
AMOUNTS = (
    "ancestral-aid", "war-drum", "elixir", "life-fountain", "armor-of-thorns", "dam-break",
)  # fmt: skip
ASKING = {
    "eruption": L.ERUPTION, "dam": L.DAM_TILE, "tectonic": L.TECTONIC, "aid": L.AID,
    "mirror": L.BECOME, "slip": L.VICTIM, "gloves": L.GLOVES, "satiate": L.SATIATE,
    "botched": L.BOTCHED, "unholy": L.UNHOLY,
}  # fmt: skip
STATS = {"M": L.OWN_M, "J": L.OWN_J, "H": L.OWN_H, "A": L.OWN_A, "R": L.OWN_R, "P": L.OWN_P}
ZONES = {"rope": L.ROPES_ZONE, "fountain": L.FOUNTAIN_ZONE, "fog": L.FOG_ZONE}


def plays(arena: Arena) -> bool:
    """Whether the core plays a map under its readings: the defaults, on a board that fits."""
    readings = {name for name in arena.readings.changed() if name != "round_limit"}
    board = arena.board
    return (
        arena.rules == Options()
        and not readings
        and arena.readings.win == Readings().win
        and board.rows <= L.MOST_ROWS
        and board.cols <= L.MOST_ROWS
        and len(board.decks) <= L.MOST_DECKS
        and all(len(deck.tiles) <= L.DECK - L.D_TILES for deck in board.decks)
        and len(board.ladders) <= L.MOST_LADDERS
        and len(board.treasures) <= L.MOST_CHESTS // 2
        and len(words_of(arena)) <= 240
        and len(arena.ground(arena.land).spots) <= L.MOST_SURFACES
        and all(len(zone) <= 16 for zone in arena.zones)
        and arena.readings.round_limit < L.MOST_ROUNDS
        and len(arena.kit.cards) <= L.MOST_CARDS
        and set(arena.kit.abilities) == set(L.ABILITIES)
    )


def pieces_of(arena: Arena) -> Iterator[tuple[str, int, int]]:
    """The words of everything that can be shot at, what each is and its tile or number."""
    for tile in arena.land.tiles():
        feature = arena.land.column(tile).feature
        if feature is not None:
            kind = "tree" if feature is Feature.TREE else "spire"
            what = L.W_TREE if feature is Feature.TREE else L.W_SPIRE
            yield f"{kind} {tile_name(tile)}", what, tile
    for number in range(len(arena.land.decks)):
        yield f"deck {number}", L.W_DECK, number
    for number in range(len(arena.land.ladders)):
        yield f"ladder {number}", L.W_LADDER, number


def choices_of(kit: Kit) -> Iterator[tuple[str, int, int]]:
    """The words of dice and of what treasure lets one choose, what each is and its numbers."""
    names = cards_of(kit)
    for name in kit.team_cards():
        yield name, L.W_CARD, names.index(name)
    for number, name in enumerate(names):
        for ability in kit.cards[name].abilities:
            yield f"{ability} {name}", L.W_SKILL, L.ABILITIES.index(ability) << 6 | number
    for one, other in combinations(STATS, 2):
        yield f"{one} {other}", L.W_STATS, STATS[one] << 6 | STATS[other]
    for number in range(1, max(6, kit.called("dam-break").amount) + 1):
        yield str(number), L.W_NUMBER, number


def words_of(arena: Arena) -> list[str]:
    """Every word a move of the core may hold, in the order they sort; the first is none."""
    named = (*pieces_of(arena), *choices_of(arena.kit))
    return sorted({"", *L.CHANCE_WORDS, *(word for word, _, _ in named)})


def cards_of(kit: Kit) -> tuple[str, ...]:
    """The cards by the core's numbers."""
    return tuple(sorted(kit.cards))


def fill(m: Memory, arena: Arena) -> None:
    """Write a map under an arena's rules into memory; `survey_all` of the loops does the rest."""
    m[L.ROWS], m[L.COLS] = arena.board.rows, arena.board.cols
    m[L.LIMIT], m[L.LAID] = arena.readings.round_limit, len(arena.chests)
    for n, spot in enumerate(arena.chests):
        m[L.LAID_CHESTS + n] = spot
    rules = arena.rules
    m[L.HEIGHTS : L.HEIGHTS + 4] = [
        0, rules.tree_height, rules.spire_height, rules.spire_damage,
    ]  # fmt: skip
    nobody = [-1] * L.SPOTS
    m[L.OCC : L.OCC + L.SPOTS] = m[L.SURFACE_OF : L.SURFACE_OF + L.SPOTS] = nobody
    for links in (L.LINK, L.BASE_LINK):
        m[links : links + L.SPOTS * L.LINKS : L.LINKS] = nobody
    _fill_kit(m, arena.kit)
    _fill_ways(m, arena)
    _fill_words(m, arena)
    _fill_pieces(m, arena)
    for base in (L.GROUND, L.BASE):
        _fill_tiles(m, arena, base)
    _fill_spots(m, arena)


def _fill_kit(m: Memory, kit: Kit) -> None:
    names = cards_of(kit)
    for number, name in enumerate(names):
        card, row = kit.cards[name], L.CARDS + number * L.CARD_SIZE
        mask = sum(1 << L.ABILITIES.index(ability) for ability in card.abilities)
        values = [
            card.move, card.jump, card.health, card.attack, card.reach, card.push,
            LETTERS[card.letter], int(card.own_reach), mask,
        ]  # fmt: skip
        # A stat's place is found by its order: M J H A R P.
        m[row : row + 9] = values
    for at, name in (
        (L.SKELETON_CARD, SKELETON), (L.WEREWOLF_CARD, kit.abilities["werewolf"].becomes),
        (L.NECROMANCER_CARD, "necromancer"), (L.BEAST_CARD, "beast"),
    ):  # fmt: skip
        m[at] = names.index(name)
    actions = 0
    for number, name in enumerate(L.ABILITIES):
        table, row = kit.abilities[name], L.ABILITY_ROWS + number * L.ABILITY
        m[row : row + 7] = [
            table.reach, table.amount, table.radius, table.tiles, table.push, table.heads,
            table.tails,
        ]  # fmt: skip
        actions |= (table.uses == "action") << number
    m[L.ABILITY_ROWS + L.WEREWOLF * L.ABILITY + 7] = actions
    for number, name in enumerate(L.ITEM_NAMES):
        row = L.ITEM_ROWS + number * L.ITEM
        if name:
            item = kit.called(name)
            letter, tiles = (item.push[0], int(item.push[1:])) if item.push else ("", 0)
            m[row : row + 5] = [item.reach, item.attack, LETTERS[letter], tiles, item.radius]
        else:
            m[row : row + 6] = [kit.called(result).amount for result in AMOUNTS]
    _fill_results(m, kit)


def _fill_results(m: Memory, kit: Kit) -> None:
    for roll, result in kit.treasure.items():
        row = L.RESULTS + ((int(roll[0]) - 1) * 6 + int(roll[2]) - 1) * L.RESULT_SIZE
        effect, what, amount = L.GAIN_ASK, 0, result.amount
        if result.effect in ASKING:
            what, amount = ASKING[result.effect], amount if result.effect == "eruption" else -1
        elif result.effect == "plus":
            effect, what = L.GAIN_PLUS, PLUSES[result.stat]
        elif result.effect == "item":
            effect, what = L.GAIN_ITEM, L.ITEM_NAMES.index(result.name)
        elif result.effect == "flag":
            effect, what = L.GAIN_FLAG, FLAGS[result.flag]
        elif result.effect == "zone":
            effect, what = L.GAIN_ZONE, ZONES[result.zone]
        elif result.effect == "wind":
            effect, what = L.GAIN_WIND, int(result.who == "friends")
        else:
            effect = SIMPLE[result.effect]
        m[row : row + 3] = [effect, what, amount]


SIMPLE = {
    "elixir": L.GAIN_ELIXIR, "reversal": L.GAIN_REVERSAL, "blood": L.GAIN_BLOOD,
    "puzzle": L.GAIN_PUZZLE, "adrenal": L.GAIN_ADRENAL,
}  # fmt: skip


def _fill_ways(m: Memory, arena: Arena) -> None:
    scale = _scale(arena.rules)
    m[L.SIGHT_LEVEL], m[L.SIGHT_EYE], m[L.SIGHT_DECK] = scale.level, scale.eye, scale.deck
    count, span = 0, L.MOST_ROWS - 1
    high, wide = arena.board.rows, arena.board.cols
    for rows in range(1 - high, high):
        for cols in range(1 - wide, wide):
            parts, tiles = crossings(rows, cols, False)
            index = L.WAY_INDEX + ((rows + span) * L.WAY_SPAN + cols + span) * 3
            m[index], m[index + 1], m[index + 2] = count, len(tiles), parts
            for tile in tiles:
                m[L.WAYS + count * 4 : L.WAYS + count * 4 + 4] = list(tile)
                count += 1
    assert count < L.MOST_WAYS


def _fill_words(m: Memory, arena: Arena) -> None:
    words = words_of(arena)
    for at, word in enumerate(L.CHANCE_WORDS):
        m[L.CHANCE_WORD + at] = words.index(word)
    m[L.N_FEATURES], m[L.N_WORDS] = 0, len(words)
    for word, kind, number in (*pieces_of(arena), *choices_of(arena.kit)):
        at = words.index(word)
        m[L.WORDS + at * 2], m[L.WORDS + at * 2 + 1] = kind, number
        if kind in (L.W_TREE, L.W_SPIRE):
            m[L.FEATURES + m[L.N_FEATURES]] = number
            m[L.N_FEATURES] += 1


def _fill_pieces(m: Memory, arena: Arena) -> None:
    words = words_of(arena)
    m[L.N_DECKS], m[L.N_LADDERS] = len(arena.land.decks), len(arena.land.ladders)
    for number, deck in enumerate(arena.land.decks):
        assert deck is not None
        row = L.DECK_ROWS + number * L.DECK
        tiles = [tile_number(tile) for tile in deck.tiles]
        ends = [tile_number(deck.a), tile_number(deck.b)]
        values = [deck.level, 1, 0, words.index(f"deck {number}"), *ends, len(tiles), *tiles]
        m[row : row + len(values)] = values
    for number, ladder in enumerate(arena.land.ladders):
        assert ladder is not None
        row = L.LADDER_ROWS + number * L.LADDER
        m[row : row + 7] = [
            tile_number(ladder.foot), ladder.foot_level, tile_number(ladder.top),
            ladder.top_level, 1, 0, words.index(f"ladder {number}"),
        ]  # fmt: skip


def _fill_tiles(m: Memory, arena: Arena, base: int) -> None:
    land, words, board = arena.land, words_of(arena), arena.board
    slabs = {tile_number(tile): levels for tile, levels in board.deck_levels.items()}
    for tile in land.tiles():
        at, column = base + tile * L.TILE, land.column(tile)
        kind = "tree" if column.feature is Feature.TREE else "spire"
        m[at + L.LEVEL], m[at + L.KIND] = column.level, KINDS[column.ground]
        m[at + L.FEATURE], m[at + L.INSIDE] = FEATURES[column.feature], 1
        m[at + L.WORD] = words.index(f"{kind} {tile_name(tile)}") if column.feature else 0
        m[at + L.DECKS] = sum(1 << level for level in slabs.get(tile, ()))
        m[at + L.UNDER_DECK], m[at + L.DECK_END] = land.under_deck(tile), land.deck_end(tile)
        m[at + L.LADDER_FOOT] = land.ladder_foot(tile)
        m[at + L.LADDER_TOP] = land.ladder_top(tile)
        for way, (rows, cols) in enumerate(((-1, 0), (0, 1), (1, 0), (0, -1))):
            for first, steps in ((L.NEAR, 1), (L.AWAY, 2)):
                row, col = (tile >> 6) + rows * steps, (tile & 63) + cols * steps
                inside = 0 <= row < land.rows and 0 <= col < land.cols
                m[at + first + way] = row << 6 | col if inside else -1


def _fill_spots(m: Memory, arena: Arena) -> None:
    spots = arena.ground(arena.land).spots
    m[L.N_SURFACES] = len(spots)
    for number, spot in enumerate(spots):
        m[L.SURFACES + number], m[L.SURFACE_OF + spot] = spot, number
    m[L.N_ZONE_RED], m[L.N_ZONE_BLUE] = (len(zone) for zone in arena.zones)
    for number, spot in enumerate((*arena.zones[0], *arena.zones[1])):
        m[L.ZONE_SPOTS + number] = spot

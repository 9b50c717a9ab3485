"""Immutable part of a match as columns: terrain, cards, treasure, lines of sight."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from itertools import combinations
from math import lcm
from typing import get_args, get_type_hints

from falldamage_forge.board import Board, Feature
from falldamage_forge.board import Ground as Kind
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import Rules, StateColumns
from falldamage_forge.games.fall_damage.engine.line_of_sight import Crossing, crossed_offsets
from falldamage_forge.games.fall_damage.engine.terrain_state import survey_all
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.play.game_data import CLASSES, SKELETON, CardForm, GameData
from falldamage_forge.games.fall_damage.play.play_options import PlayOptions
from falldamage_forge.games.fall_damage.play.state_value import MatchContext, TerrainValue
from falldamage_forge.games.fall_damage.play.surface_number import tile_name, tile_number

KINDS = {Kind.GROUND: C.DRY, Kind.WATER: C.WATER, Kind.LAVA: C.FIRE}
FEATURES = {None: 0, Feature.TREE: C.TREE, Feature.SPIRE: C.SPIRE}
LETTERS = {"": C.NO_LETTER, "B": C.BACK, "R": C.RIGHT, "L": C.LEFTWARD, "F": C.FRONT}
ASKING = {
    "eruption": C.ERUPTION, "dam": C.DAM_TILE, "tectonic": C.TECTONIC, "aid": C.AID,
    "mirror": C.BECOME, "slip": C.VICTIM, "gloves": C.GLOVES, "satiate": C.SATIATE,
    "botched": C.BOTCHED, "unholy": C.UNHOLY,
}  # fmt: skip
PLUSES = {"attack": C.A, "reach": C.R, "push": C.P, "move": C.M, "jump": C.J}
STATS = {letter: number for number, letter in enumerate(C.STAT_LETTERS)}


def limits(context: MatchContext) -> list[str]:
    """Return, in words, every quantity of a map that exceeds the engine's capacity."""
    board = context.board
    counts = (
        ("rows", board.rows, C.MOST_ROWS),
        ("columns", board.cols, C.MOST_COLS),
        ("bridges", len(board.decks), C.MOST_DECKS),
        ("tiles in a bridge", max((len(d.tiles) for d in board.decks), default=0), C.DECK_LENGTH),
        ("ladders", len(board.ladders), C.MOST_LADDERS),
        ("treasures", len(board.treasures), C.MOST_CHESTS),
        ("trees, spires, bridges and ladders", len(words_of(context)), C.MOST_WORDS),
        ("start surfaces", sum(map(len, context.zones)), C.MOST_UNITS // 2),
        ("cards", len(context.content.cards), C.MOST_CARDS),
    )
    return [f"{found} {name} of at most {most}" for name, found, most in counts if found > most]


def pieces_of(land: TerrainValue) -> Iterator[tuple[str, int, int]]:
    """Yield the word, kind and number of each terrain target."""
    for tile in land.tiles():
        feature = land.target_feature(tile)
        if feature is not None:
            kind = "tree" if feature is Feature.TREE else "spire"
            what = C.W_TREE if feature is Feature.TREE else C.W_SPIRE
            yield f"{kind} {tile_name(tile)}", what, tile
    for number in range(len(land.decks)):
        yield f"deck {number}", C.W_DECK, number
    for number in range(len(land.ladders)):
        yield f"ladder {number}", C.W_LADDER, number


def choices_of(content: GameData) -> Iterator[tuple[str, int, int]]:
    """Yield the word, kind and number of each die face and treasure choice."""
    names = cards_of(content)
    for name in content.team_cards():
        yield name, C.W_CARD, names.index(name)
    for number, name in enumerate(names):
        for ability in content.cards[name].abilities:
            yield f"{ability} {name}", C.W_SKILL, C.ABILITIES.index(ability) << 6 | number
    for one, other in combinations(STATS, 2):
        yield f"{one} {other}", C.W_STATS, STATS[one] << 6 | STATS[other]
    for number in range(1, max(6, content.called("dam-break").amount) + 1):
        yield str(number), C.W_NUMBER, number


def words_of(context: MatchContext) -> list[str]:
    """Return every word that a move may hold, sorted; the first is empty."""
    named = (*pieces_of(context.land), *choices_of(context.content))
    return sorted({"", *C.CHANCE_WORDS, *SPOKEN, *(word for word, _, _ in named)})


SPOKEN = ("heal", "total", "red", "blue")


def cards_of(content: GameData) -> tuple[str, ...]:
    """Return the cards in the order of the engine's card numbers."""
    return tuple(sorted(content.cards))


def blank(board: Board, lengths: Mapping[str, int]) -> StateColumns:
    """Return columns of given lengths for a board, with every other column zero.

    Args:
        board: The board.
        lengths: Length of each column, by name.
    """
    s = StateColumns(lengths)
    s.rows, s.cols, s.base = board.rows, board.cols, board.rows << 6
    s.occupant = [-1] * len(s.occupant)
    return s


def new_match(context: MatchContext) -> StateColumns:
    """Return a state with a map and its cards, without units.

    Args:
        context: Map, cards and options of the match; the caller has checked its limits.
    """
    board = context.board
    s = blank(board, StateColumns.sized(board.rows))
    fill_rules(s, context.rules, context.readings)
    s.laid_prize = context.prize
    chests = [chest for chest in context.chests if chest != s.laid_prize]
    s.laid = len(chests)
    s.laid_chests[: s.laid] = chests
    fill_kit(s, context.content)
    fill_ways(s, board.rows - 1, board.cols - 1)
    _fill_words(s, context)
    fill_pieces(s, context.land, words_of(context))
    for base in (C.GROUND, s.base):
        fill_tiles(s, context.land, board, base)
    survey_all(s)
    _fill_spots(s, context)
    return s


def fill_rules(s: StateColumns, rules: FallDamageOptions, readings: PlayOptions) -> None:
    """Fill the columns of the options, and the heights that depend on them.

    Args:
        s: State of the game; changed.
        rules: Options of the ruleset.
        readings: Options of play.
    """
    s.heights[1:] = [rules.tree_height, rules.spire_height]
    # Sight is counted in parts of a level in which the eye and a deck's thickness are whole.
    eye, deck = rules.los_eye_exact, rules.deck_thickness_exact
    s.sight_level = lcm(eye.denominator, deck.denominator)
    s.sight_eye, s.sight_deck = int(eye * s.sight_level), int(deck * s.sight_level)
    for table in (rules, readings):
        for item in fields(table):
            value = getattr(table, item.name)
            if item.name not in Rules.lengths:
                continue
            if isinstance(value, int):
                setattr(s, item.name, value)
            elif value != item.default:
                words = get_args(get_type_hints(type(table))[item.name])
                setattr(s, item.name, words.index(value))
    free = {name.replace("_", "-") for name in readings.action_of}
    s.free_actions = sum(1 << n for n, name in enumerate(C.ABILITIES) if name in free)
    sightless = {name.replace("_", "-") for name in readings.los_free}
    s.free_sight = sum(1 << n for n, name in enumerate(C.SIGHTLESS) if name in sightless)


def fill_kit(s: StateColumns, content: GameData) -> None:
    """Fill the columns of the cards, abilities, items and treasure results.

    Args:
        s: State of the game; changed.
        content: Cards, abilities, items and treasure of the game.
    """
    names = cards_of(content)
    for n, name in enumerate(names):
        fill_card(s, n, content.cards[name])
    s.skeleton_card, s.beast_card = names.index(SKELETON), names.index("beast")
    s.werewolf_card = names.index(content.abilities["werewolf"].becomes)
    s.necromancer_card = names.index("necromancer")
    for n, name in enumerate(C.ABILITIES):
        table = content.abilities[name]
        values = [getattr(table, what) for what in C.ABILITY_NUMBERS]
        s.numbers[n * C.ABILITY : (n + 1) * C.ABILITY] = values
        s.action_abilities |= (table.uses == "action") << n
    for n, name in enumerate(C.ITEM_NAMES):
        if name:
            item = content.called(name)
            s.item_reach[n], s.item_attack[n], s.item_radius[n] = (
                item.reach,
                item.attack,
                item.radius,
            )
            s.item_letter[n] = LETTERS[item.push[:1]]
            s.item_push[n] = int(item.push[1:] or 0)
    s.amounts[:] = [getattr(content.called(result), what) for result, what in C.AMOUNTS]
    s.zone_radius[C.SAND_ZONE] = content.called("quicksand").radius
    for result in content.treasure.values():
        if result.zone:
            s.zone_radius[C.ZONE_KINDS.index(result.zone)] = result.radius
    s.party = content.cards[SKELETON].copies
    for entry in fields(content.numbers):
        setattr(s, entry.name, getattr(content.numbers, entry.name))
    fill_results(s, content)


def fill_card(s: StateColumns, n: int, card: CardForm) -> None:
    """Fill the columns of one card.

    Args:
        s: State of the game; changed.
        n: Number of the card.
        card: Values and abilities of the card.
    """
    values = (card.move, card.jump, card.health, card.attack, card.reach, card.push)
    s.printed[n * C.STATS : (n + 1) * C.STATS] = values
    if card.unit_class in CLASSES:
        s.card_class[n] = CLASSES.index(card.unit_class)
    s.card_letter[n], s.card_own_reach[n] = LETTERS[card.letter], int(card.own_reach)
    s.card_abilities[n] = sum(1 << C.ABILITIES.index(name) for name in card.abilities)


def fill_results(s: StateColumns, content: GameData) -> None:
    """Fill the effect of each treasure result, by its roll.

    Args:
        s: State of the game; changed.
        content: Treasure results of the game, by roll such as `3-5`.
    """
    for roll, result in content.treasure.items():
        row = (int(roll[0]) - 1) * 6 + int(roll[2]) - 1
        what, amount = 0, result.amount
        effect = C.EFFECTS.index(result.effect) if result.effect in C.EFFECTS else C.GAIN_ASK
        if effect == C.GAIN_ASK:
            what, amount = ASKING[result.effect], amount if result.effect == "eruption" else -1
        elif effect == C.GAIN_PLUS:
            what = PLUSES[result.stat]
        elif effect == C.GAIN_ITEM:
            what = C.ITEM_NAMES.index(result.name)
        elif effect == C.GAIN_FLAG:
            what = C.FLAGS.index(result.flag)
        elif effect == C.GAIN_ZONE:
            what = C.ZONE_KINDS.index(result.zone)
        elif effect == C.GAIN_WIND:
            what = int(result.who == "friends")
        s.result_effect[row], s.result_what[row], s.result_amount[row] = effect, what, amount


def fill_ways(s: StateColumns, high: int, wide: int) -> None:
    """List the tiles that a line crosses, for all lines up to `high` rows and `wide` columns.

    Args:
        s: State of the game; changed.
        high: Most rows of a line.
        wide: Most columns of a line, to each side.
    """
    s.lines_apart, s.lines_middle = 2 * wide + 1, wide
    crossed: list[Crossing] = []
    for rows in range(high + 1):
        for cols in range(-wide, wide + 1):
            parts, tiles = crossed_offsets(rows, cols, s.los_corner == 1)
            at = rows * s.lines_apart + cols + s.lines_middle
            s.way_first[at], s.way_count[at], s.way_parts[at] = len(crossed), len(tiles), parts
            crossed += tiles
    list_crossings(s, crossed)


def list_crossings(s: StateColumns, crossed: Sequence[Crossing]) -> None:
    """List crossed tiles as differences of tile numbers, with the parts of the line.

    Args:
        s: State of the game; changed.
        crossed: Row and column offset of each crossed tile, with the parts of the line at which it
            is entered and left.
    """
    s.way_tile[: len(crossed)] = [row * 64 + col for row, col, _, _ in crossed]
    s.way_low[: len(crossed)] = [low for _, _, low, _ in crossed]
    s.way_high[: len(crossed)] = [high for _, _, _, high in crossed]


def _fill_words(s: StateColumns, context: MatchContext) -> None:
    words = words_of(context)
    s.chance_words = [words.index(word) for word in C.CHANCE_WORDS]
    s.heal_word, s.total_word = words.index("heal"), words.index("total")
    s.side_words = [words.index("red"), words.index("blue")]
    s.n_words = len(words)
    for word, kind, number in (*pieces_of(context.land), *choices_of(context.content)):
        at = words.index(word)
        s.word_kind[at], s.word_value[at] = kind, number
        if kind in (C.W_TREE, C.W_SPIRE):
            s.feature_tiles[s.n_features] = number
            s.n_features += 1


def fill_pieces(s: StateColumns, land: TerrainValue, words: list[str]) -> None:
    """Fill the columns of bridges and ladders, and the words of all terrain targets.

    Args:
        s: State of the game; changed.
        land: Terrain of the map.
        words: Words of the map's moves; the index of each is its number.
    """
    s.n_decks, s.n_ladders = len(land.decks), len(land.ladders)
    for tile in land.tiles():
        feature = land.target_feature(tile)
        if feature is not None:
            kind = "tree" if feature is Feature.TREE else "spire"
            s.tile_word[tile] = words.index(f"{kind} {tile_name(tile)}")
    for n, deck in enumerate(land.decks):
        assert deck is not None
        s.deck_level[n], s.deck_alive[n] = deck.level, 1
        s.deck_word[n], s.deck_count[n] = words.index(f"deck {n}"), len(deck.tiles)
        s.deck_a[n], s.deck_b[n] = tile_number(deck.a), tile_number(deck.b)
        at = n * C.DECK_LENGTH
        s.deck_tiles[at : at + len(deck.tiles)] = [tile_number(tile) for tile in deck.tiles]
    for n, ladder in enumerate(land.ladders):
        assert ladder is not None
        s.foot_tile[n], s.foot_level[n] = tile_number(ladder.foot), ladder.foot_level
        s.head_tile[n], s.head_level[n] = tile_number(ladder.top), ladder.top_level
        s.ladder_alive[n], s.ladder_word[n] = 1, words.index(f"ladder {n}")


def fill_tiles(s: StateColumns, land: TerrainValue, board: Board, base: int) -> None:
    """Fill the columns of every tile and of its neighbours.

    Args:
        s: State of the game; changed.
        land: Terrain of the map.
        board: The board, which holds the levels of its decks.
        base: Start of the tile columns to fill.
    """
    slabs = {tile_number(tile): levels for tile, levels in board.deck_levels.items()}
    for tile in land.tiles():
        at, column = base + tile, land.column(tile)
        s.level[at], s.kind[at] = column.level, KINDS[column.ground]
        s.feature[at] = FEATURES[column.feature]
        s.decks[at] = sum(1 << level for level in slabs.get(tile, ()))
        s.under_deck[at], s.deck_end[at] = int(land.under_deck(tile)), int(land.deck_end(tile))
        s.ladder_foot[at] = int(land.ladder_foot(tile))
        s.ladder_top[at] = int(land.ladder_top(tile))
        for way, (rows, cols) in enumerate(((-1, 0), (0, 1), (1, 0), (0, -1))):
            for neighbours, steps in ((s.near, 1), (s.away, 2)):
                row, col = (tile >> 6) + rows * steps, (tile & 63) + cols * steps
                inside = 0 <= row < land.rows and 0 <= col < land.cols
                neighbours[at * 4 + way] = row << 6 | col if inside else -1


def _fill_spots(s: StateColumns, context: MatchContext) -> None:
    tiles = [row << 6 | col for row in range(s.rows) for col in range(s.cols)]
    spots = [tile << 4 | z for tile in tiles for z in range(16) if s.stand[tile] >> z & 1]
    s.n_surfaces, s.surface_of = len(spots), [-1] * len(s.surface_of)
    for number, spot in enumerate(spots):
        s.surfaces[number] = spot
        s.surface_of[spot] = number
    s.n_zone_red, s.n_zone_blue = (len(zone) for zone in context.zones)
    for number, spot in enumerate((*context.zones[0], *context.zones[1])):
        s.zone_spots[number] = spot

"""Declaration of the game state as named columns.

Python holds the columns as lists and integers; numba gets a record type of the same names
(`jit.py`). Copy, equality, hash and serialisation follow from the declaration.
"""

from typing import Annotated

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.records import BY_ROWS, Columns
from falldamage_forge.games.fall_damage.engine.state_fields import Moment, UnitFields

Column = list[int]
Units = Annotated[Column, C.MOST_UNITS]
Tiles = Annotated[Column, 2 * C.TILES, BY_ROWS]
"""Terrain now, then the map's own from `StateColumns.base` on."""
Around = Annotated[Column, 2 * C.TILES * 4, BY_ROWS]
Spots = Annotated[Column, C.SPOTS, BY_ROWS]
Marks = Annotated[Column, C.TILES, BY_ROWS]
Cards = Annotated[Column, C.MOST_CARDS]
Decks = Annotated[Column, C.MOST_DECKS]
Ladders = Annotated[Column, C.MOST_LADDERS]
Bricks = Annotated[Column, C.MOST_BRICKS]
Chests = Annotated[Column, C.MOST_CHESTS]
Hidden = Annotated[Column, C.MOST_HIDDEN]
Bodies = Annotated[Column, C.MOST_BODIES]
Zones = Annotated[Column, C.MOST_ZONES]
Tasks = Annotated[Column, C.MOST_STACK]
Events = Annotated[Column, C.MOST_EVENTS]
Words = Annotated[Column, C.MOST_WORDS]
Ways = Annotated[Column, C.MOST_WAYS]
Offsets = Annotated[Column, C.MOST_ROWS * (2 * C.MOST_COLS - 1), BY_ROWS]
Items = Annotated[Column, 8]
Results = Annotated[Column, 36]
Exits = Annotated[Column, 160]
Labels = Annotated[Column, C.MOST_LABELS]
Steps = Annotated[Column, 128]
Sides = Annotated[Column, 2]


class TerrainColumns(Columns, UnitFields[Units, Units, Units], Moment[int]):
    """Position columns: two states are equal if and only if these are."""

    raised: Sides
    seats: Sides
    n_picks: Sides
    picks: Annotated[Column, 2 * C.MOST_PICKS]
    n_units: int
    promo: Units  # bit per Wrestler whose Promo is active
    extra: Units  # ability of the Mime's Gloves, -1: none
    extra_card: Units
    items: Units  # four bits per item, in the order found
    own: Annotated[Column, C.MOST_UNITS * C.STATS]  # swapped values, -1: as printed
    used: Units  # a bit for each free ability used in this activation
    n_stack: int
    task: Tasks
    task_a: Tasks
    task_b: Tasks
    task_c: Tasks
    task_d: Tasks
    task_e: Tasks
    task_f: Tasks
    task_g: Tasks
    n_chests: int
    chests: Chests
    n_hidden: int
    hidden_side: Hidden
    hidden_kind: Hidden
    hidden_tile: Hidden
    hidden_level: Hidden
    hidden_unit: Hidden
    n_bodies: int
    body_unit: Bodies
    body_spot: Bodies
    body_used: Bodies
    n_zones: int
    zone_kind: Zones
    zone_side: Zones
    zone_tile: Zones
    n_bricks: int
    brick_owner: Bricks
    brick_levels: Bricks
    brick_left: Bricks
    brick_count: Bricks
    brick_tiles: Annotated[Column, C.MOST_BRICKS * C.BRICK_LENGTH]
    deck_alive: Decks
    deck_scar: Decks
    ladder_alive: Ladders
    ladder_scar: Ladders
    level: Tiles
    kind: Tiles
    feature: Tiles
    scar: Tiles
    prize: int  # where the Icon or the Bomb lies, -1: nowhere


class Rules(Columns):
    """Options of the ruleset as numbers: an option of words is the word's index, 0 the default."""

    side_choice: int
    team_duplicates: int
    shared_cards: int
    draft: int
    placement: int
    skeleton_place: int
    turn_size: int
    pass_: int
    aura_when: int
    path_choice: int
    auto_end: int
    zero_attack: int
    attack_friends: int
    melee_is: int
    push_optional: int
    dead_pushers: int
    area_terrain: int
    aura_los: int
    enter_by: int
    elixir: int
    change_health: int
    standard_piece: int
    vanguard: int
    counter_when: int
    counter_chain: int
    trap_limit: int
    trap_under_unit: int
    swap_self: int
    crumble: int
    raise_limit: int
    raise_bodies: int
    raise_where: int
    top_ropes: int
    heal_self: int
    hidden_scope: int
    double_end: int
    at_limit: int
    win: int
    round_start: int
    table_order: int
    potion_skeletons: int
    empty_actions: int
    revive_at: int
    knife_push: int
    health_total: int
    round_limit: int
    headroom: int
    jump_scope: int
    voluntary_fall: int
    fall_allowance: int
    lethal_step: int
    leap_vertical: int
    gap: int
    leap_over: int
    leap_pass: int
    water_cost: int
    bridge_cost: int
    ladder_cost: int
    beast_down: int
    occupancy: int
    treasure_trigger: int
    move_split: int
    carry_round: int
    push_diag: int
    push_fall: int
    push_after_fall: int
    edge: int
    climb_judged: int
    slide_cost: int
    wind_climb: int
    mage_bonus: int
    spire_damage: int
    spire_level: int
    melee_down: int
    reach_shape: int
    reach2: int
    height_bonus: int
    upward: int
    own_column: int
    los_own: int
    los_corner: int
    stack: int
    poison_stack: int
    intimidate_levels: int
    top_ropes_on: int
    top_ropes_levels: int
    top_ropes_damage: int
    spring_arc: int
    spring_lava: int
    catch_level: int
    area_push: int
    area_levels: int
    cone: int
    free_actions: int  # a bit for each ability that takes no Action (`action_of`)
    free_sight: int  # a bit for each entry of `codes.SIGHTLESS` (`los_free`)


class MatchColumns(TerrainColumns, Rules):
    """Columns that a match never changes, and columns derived from the position."""

    rows: int
    cols: int
    base: int  # start of the map's own terrain in tile columns
    laid: int
    laid_chests: Chests
    near: Around  # neighbours by way (north, east, south, west), -1 off the board
    away: Around  # the tiles behind them
    bricks: Tiles
    top: Tiles
    decks: Tiles  # a bit for each level
    stand: Tiles
    wet: Tiles
    lava: Tiles
    sand: Tiles
    rope: Tiles
    fountain: Tiles
    fog: Tiles
    under_deck: Tiles
    deck_end: Tiles
    ladder_foot: Tiles
    ladder_top: Tiles
    tile_word: Tiles
    changed: Tiles
    n_changed: int
    changes: Marks
    occupant: Spots  # -1: nobody
    n_surfaces: int
    surfaces: Annotated[Column, C.MOST_SURFACES]
    surface_of: Spots
    n_zone_red: int
    n_zone_blue: int
    zone_spots: Annotated[Column, C.MOST_SURFACES]
    n_features: int
    feature_tiles: Marks
    n_decks: int
    deck_level: Decks
    deck_word: Decks
    deck_a: Decks
    deck_b: Decks
    deck_count: Decks
    deck_tiles: Annotated[Column, C.MOST_DECKS * C.DECK_LENGTH]
    n_ladders: int
    foot_tile: Ladders
    foot_level: Ladders
    head_tile: Ladders
    head_level: Ladders
    ladder_word: Ladders
    printed: Annotated[Column, C.MOST_CARDS * C.STATS]
    card_letter: Cards
    card_own_reach: Cards
    card_abilities: Cards
    skeleton_card: int
    werewolf_card: int
    necromancer_card: int
    beast_card: int
    party: int  # Skeletons per Necromancer
    turn_units: int
    class_cards: int
    tree_health: int
    bridge_health: int
    ladder_health: int
    numbers: Annotated[Column, len(C.ABILITIES) * C.ABILITY]
    action_abilities: int
    item_reach: Items
    item_attack: Items
    item_letter: Items
    item_push: Items
    item_radius: Items
    amounts: Annotated[Column, len(C.AMOUNTS)]  # of results that are no items
    zone_radius: Annotated[Column, len(C.ZONE_KINDS)]
    result_effect: Results
    result_what: Results
    result_amount: Results
    heights: Annotated[Column, 3]  # of a tree, of a spire
    sight_level: int
    sight_eye: int
    sight_deck: int
    lines_apart: int  # how many lines are listed for each row down
    lines_middle: int  # where those straight down begin
    way_first: Offsets
    way_count: Offsets
    way_parts: Offsets
    way_tile: Ways  # from the first tile on, as a difference of numbers
    way_low: Ways
    way_high: Ways
    n_words: int
    word_kind: Words
    word_value: Words
    chance_words: Annotated[Column, 8]
    heal_word: int
    total_word: int
    side_words: Sides
    card_class: Cards
    laid_prize: int
    placed: int  # whether the teams' places are given
    n_team: Sides
    n_teams: int
    team_side: Units
    team_card: Units
    n_spots: int
    spot_side: Units
    team_spot: Units


class StateColumns(MatchColumns):
    """Complete state: a match, its legal moves, its events and the search's work arrays."""

    dice: int
    lost: int
    tell: int  # 1: an event for each tile of a push
    n_moves: int
    moves: Annotated[Column, C.MOST_MOVES]
    n_events: int
    event: Events
    event_a: Events
    event_b: Events
    event_c: Events
    event_d: Events
    event_e: Events
    stamp: int
    walk_jump: int  # the moving unit's values: columns, because each step reads them
    walk_counts: int
    walk_light: int  # 1: no fall damage
    walk_through: int
    walk_budget: int
    walk_limit: int
    best: Spots
    cost: Spots
    seen: Spots
    n_ends: int
    ends_of: int
    ends: Annotated[Column, C.MOST_ENDS]
    exit_to: Exits
    exit_cost: Exits
    exit_fall: Exits
    exit_drop: Exits
    exit_climb: Exits
    exit_link: Exits
    dive_stamp: int
    dive_seen: Spots
    dive_from: Spots
    dive_drop: Spots
    dive_cost: Spots
    dive_damage: Spots
    ways_stamp: int
    ways_seen: Spots
    ways_at: Spots
    n_ways: int
    ways: Labels
    n_labels: int
    n_heap: int
    heap: Labels
    label_cost: Labels
    label_damage: Labels
    label_climb: Labels
    label_fallen: Labels
    label_at: Labels
    label_back: Labels
    label_drop: Labels
    label_next: Labels
    path: Steps
    n_passed: int
    passed: Steps
    n_drops: int
    drop_from: Steps
    drop_to: Steps
    drop_by: Steps
    slid: int  # number of tiles of the last push in `members`
    reached: Annotated[Column, C.MOST_ENDS]
    members: Annotated[Column, C.MOST_ENDS]
    link: Annotated[Column, 2 * C.SPOTS * C.LINKS, BY_ROWS]
    buckets: Annotated[Column, (C.MOST_COSTS + 1) * C.BUCKET]

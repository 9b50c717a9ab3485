"""Named numbers of the engine: kinds, phases, tasks, moves, events and capacities.

A surface index is `row << 10 | col << 4 | level`, a tile number `row << 6 | col`.
"""

MOST_ROWS, MOST_COLS = 50, 64
MOST_LEVEL = 12
SPOTS = MOST_ROWS << 10
TILES = MOST_ROWS << 6
MOST_UNITS = 62
NONE, NO, YES = -1, False, True
"""Named, because numba compiles a function again for each literal argument."""
UNLIMITED = 1_000_000
"""A Jump of this or more is "Unlimited vertical Move" (Assassin, Beast)."""
FAR = 99

GROUND = 0
"""Start of the tile columns of the terrain now; the map's own start at `StateColumns.base`."""
PHASES = ("choose_unit", "activation", "over", "setup")
CHOOSE, ACTIVATION, OVER, SETUP = range(len(PHASES))
RESULTS = ("", "red", "blue", "draw", "unfinished")
RED_WINS, BLUE_WINS, DRAW, UNFINISHED = range(1, len(RESULTS))
PLAYED, LOST = 0, 1
"""Values of `StateColumns.lost`: the game goes on, or a list is full."""

# -- units -----------------------------------------------------------------------------------------
STAT_LETTERS = ("M", "J", "H", "A", "R", "P")
STATS = len(STAT_LETTERS)
M, J, H, A, R, P = range(STATS)
"""Values printed on a card, in their order."""
FLAGS = ("drum", "no_sight_needed", "diagonal", "lead_shoes", "thorns", "discorporate")
DRUM, NO_SIGHT, DIAGONAL, LEAD, THORNS, DISCORPORATE = range(6)
"""Flags that a unit gets from treasure."""

# -- tiles -----------------------------------------------------------------------------------------
DRY, WATER, FIRE = range(3)
TREE, SPIRE = 1, 2
LEVEL, BRICKS = range(2)
"""Part of a tile that rises: its ground or its bricks."""

# -- cards -----------------------------------------------------------------------------------------
NO_LETTER, BACK, RIGHT, LEFTWARD, FRONT = range(5)
ABILITIES = (
    "agile", "arrows-arc", "bandage", "bomb", "catch", "counter", "crawl-or-fly",
    "grappling-hook", "intimidate", "mage", "no-fall", "partition", "poison-mist", "promo",
    "raise", "rooted", "scaffold", "shove", "song", "splash", "spring-trap", "swap", "syringe",
    "throw-potion", "top-ropes", "ungovernable", "vanguard", "vines", "werewolf",
)  # fmt: skip
(
    AGILE, ARC, BANDAGE, BOMB, CATCH, COUNTER, CRAWL, HOOK, INTIMIDATE, MAGE, NO_FALL, PARTITION,
    POISON, PROMOTE, RAISE, ROOTED, SCAFFOLD, SHOVE, SONG, SPLASH, SPRING, SWAP, STAB, POTION,
    ROPES, UNGOVERNABLE, VANGUARD, BIND, WEREWOLF,
) = range(len(ABILITIES))  # fmt: skip
ABILITY_NUMBERS = ("reach", "amount", "radius", "tiles", "push", "heads", "tails", "rounds")
ABILITY = len(ABILITY_NUMBERS)
A_REACH, A_AMOUNT, A_RADIUS, A_TILES, A_PUSH, A_HEADS, A_TAILS, A_ROUNDS = range(ABILITY)
ITEM_NAMES = ("", "cannon", "celestial-cannon", "grenade", "knife", "quicksand", "elixir")
CANNON, CELESTIAL, GRENADE, KNIFE, URN, ELIXIR_ITEM = range(1, len(ITEM_NAMES))
I_REACH, I_ATTACK, I_LETTER, I_PUSH, I_RADIUS = range(5)
AMOUNTS = (
    ("ancestral-aid", "amount"), ("war-drum", "amount"), ("elixir", "amount"),
    ("life-fountain", "amount"), ("armor-of-thorns", "amount"), ("armor-of-thorns", "own"),
    ("dam-break", "amount"), ("blood-contract", "own"), ("puzzle-box", "most"),
)  # fmt: skip
(
    X_AID, X_DRUM, X_ELIXIR, X_FOUNTAIN, X_THORNS, X_OWN_THORNS, X_DAM, X_BLOOD, X_BOX,
) = range(len(AMOUNTS))  # fmt: skip
"""Amounts of treasure results that are not items."""

# -- treasure: what a result does, by roll ---------------------------------------------------------
EFFECTS = (
    "", "plus", "elixir", "item", "flag", "zone", "reversal", "blood", "wind", "puzzle", "adrenal",
)  # fmt: skip
(
    GAIN_ASK, GAIN_PLUS, GAIN_ELIXIR, GAIN_ITEM, GAIN_FLAG, GAIN_ZONE, GAIN_REVERSAL, GAIN_BLOOD,
    GAIN_WIND, GAIN_PUZZLE, GAIN_ADRENAL,
) = range(len(EFFECTS))  # fmt: skip
"""`GAIN_ASK` stacks the question `R_WHAT` with the amount."""
R_EFFECT, R_WHAT, R_AMOUNT = range(3)
ZONE_KINDS = ("rope", "fountain", "fog", "quicksand")
ROPES_ZONE, FOUNTAIN_ZONE, FOG_ZONE, SAND_ZONE = range(len(ZONE_KINDS))
HIDDEN_KINDS = ("spring", "aid")
SPRING_ITEM, AID_ITEM = range(len(HIDDEN_KINDS))

# -- tasks and questions ---------------------------------------------------------------------------
(
    JUDGE, FIRST_TURN, SONGS, CRUMBLING, FOUNTAINS, MISTS, BITES, REFRESH, BEGIN, WALK, ACT,
    CRUMBLE, COUNTER_BLOW, PUSH_BY, SWAP_TILES, SHOVE_ALL, PUSH, REST, STILL, BITE, OPEN, GAIN,
    TIRE, WEAR, PUSH_SPIRE, TOP_ROPES, START, REVIVE, DROP_UNIT, WEAR_AREA, TOUCH, DRAFT_NEXT,
    PLACE_NEXT, SKELETONS, SKELETON, SETTLE_ALL,
) = range(36)  # fmt: skip
QUESTIONS = 36
(
    COIN_MOVE, ROLL, HAND_ON, ELIXIR, BOX, WIND, FREE_MOVE, FREE_COIN, LAND, ZONE, ERUPTION,
    DAM_TILE, DAM_WAY, DAM_LENGTH, TECTONIC, AID, BECOME, VICTIM, GLOVES, SATIATE, BOTCHED, UNHOLY,
    MAY_PUSH, TOSS, CHOOSE_SIDE, PICK, PLACE, STAND_UP,
) = range(36, 64)  # fmt: skip
NO_LEVEL = -1
W_PLAIN, W_TREE, W_SPIRE, W_DECK, W_LADDER, W_CARD, W_SKILL, W_STATS, W_NUMBER = range(9)
"""Kind of a move's word. `StateColumns.word_value` holds the tile or number it names; two numbers
(an ability and a card, or two values) are stored as first * 64 + second."""
CHANCE_WORDS = ("1", "2", "3", "4", "5", "6", "heads", "tails")

# -- moves -----------------------------------------------------------------------------------------
NAMES = (
    "ability", "attack", "attack rooted", "bandage", "bomb", "cannon", "card", "catch",
    "celestial-cannon", "coin", "crumble", "die", "draft", "drop", "elixir", "end", "end turn",
    "grenade", "hand on", "heal", "keep", "knife", "land", "length", "move", "no push",
    "partition", "place", "place skeleton", "poison mist", "promo", "push", "quicksand", "raise",
    "scaffold", "side", "sink", "splash", "spring trap", "stats", "stay", "swap", "syringe",
    "take", "throw potion", "tile", "total", "unit", "vines", "way", "werewolf", "wind",
)  # fmt: skip
"""Sorted, because moves of one kind and place are listed by name."""
(
    M_ABILITY, M_ATTACK, M_ROOTED, M_BANDAGE, M_BOMB, M_CANNON, M_CARD, M_CATCH, M_CELESTIAL,
    M_COIN, M_CRUMBLE, M_DIE, M_DRAFT, M_DROP, M_ELIXIR, M_END, M_END_TURN, M_GRENADE, M_HAND_ON,
    M_HEAL, M_KEEP, M_KNIFE, M_LAND, M_LENGTH, M_MOVE, M_NO_PUSH, M_PARTITION, M_PLACE,
    M_PLACE_SKELETON, M_POISON, M_PROMO, M_PUSH, M_QUICKSAND, M_RAISE, M_SCAFFOLD, M_SIDE, M_SINK,
    M_SPLASH, M_SPRING, M_STATS, M_STAY, M_SWAP, M_SYRINGE, M_TAKE, M_POTION, M_TILE, M_TOTAL,
    M_UNIT, M_VINES, M_WAY, M_WEREWOLF, M_WIND,
) = range(len(NAMES))  # fmt: skip
ABILITY_OF = tuple(
    ABILITIES.index(slug) if (slug := name.replace(" ", "-")) in ABILITIES else -1 for name in NAMES
)
ITEM_OF = tuple(ITEM_NAMES.index(name) if name in ITEM_NAMES else 0 for name in NAMES)
"""Item of each move; 0: none."""
MOVE_OF_ITEM = tuple(NAMES.index(name) if name else -1 for name in ITEM_NAMES)
"""Ability of each move name; -1: none."""
K_SIDE, K_DRAFT, K_PLACE = 0, 1, 2
K_UNIT, K_END_TURN, K_MOVE, K_ACT, K_END = 3, 4, 5, 6, 9
K_DROP, K_TAKE = 7, 8
K_LAND, K_WIND, K_CHOICE, K_HAND, K_FREE, K_CHANCE = 10, 11, 12, 13, 14, 15
"""Move kinds, in the order of legal moves."""

# -- events ----------------------------------------------------------------------------------------
EVENTS = (
    "harm", "die", "chest", "activate", "round", "attack", "attack_terrain", "area", "counter",
    "ability", "item", "treasure", "sprung", "move", "pushed", "new", "revived", "destroyed",
    "spire", "bricks", "wind", "thrown", "over", "slide",
)  # fmt: skip
(
    E_HARM, E_DIE, E_CHEST, E_ACTIVATE, E_ROUND, E_ATTACK, E_SIEGE, E_AREA, E_COUNTER, E_ABILITY,
    E_ITEM, E_TREASURE, E_SPRUNG, E_MOVE, E_PUSHED, E_NEW, E_REVIVED, E_DESTROYED, E_SPIRE,
    E_BRICKS, E_WIND, E_THROWN, E_OVER, E_SLIDE,
) = range(len(EVENTS))  # fmt: skip
BY_ATTACK, BY_FALL, BY_LAVA, BY_DIVE, BY_STEP, BY_OTHER, BY_HARM, BY_SACRIFICE = range(8)
CAUSES = ("attack", "fall", "lava", "dive", "step", "other", "harm", "sacrifice")

# -- statistics ------------------------------------------------------------------------------------
COUNTS = (
    "games", "red", "blue", "draw", "unfinished", "chests", "opened", "opened_red", "decided",
    "bled", "comebacks", "richer", "richer_won", "higher", "higher_won", "first_wins", "a_wins",
    "far_ahead", "finished", "poisoned",
)  # fmt: skip
(
    N_GAMES, N_RED, N_BLUE, N_DRAW, N_UNFINISHED, N_LAID, N_OPENED, N_OPENED_RED, N_DECIDED,
    N_BLED, N_COMEBACKS, N_RICHER, N_RICHER_WON, N_HIGHER, N_HIGHER_WON, N_FIRST_WINS, N_A_WINS,
    N_FAR_AHEAD, N_FINISHED, N_POISONED,
) = range(len(COUNTS))  # fmt: skip
VALUES = (
    "fall_kills", "lava_kills", "attack_kills", "first_damage", "first_chest", "strikes",
    "from_above", "rounds",
)  # fmt: skip
(
    V_FALL, V_LAVA, V_ATTACK, V_FIRST_DAMAGE, V_FIRST_CHEST, V_STRIKES, V_FROM_ABOVE, V_ROUNDS,
) = range(len(VALUES))  # fmt: skip
(
    W_BLOOD, W_HIT_ROUND, W_CHEST_ROUND, W_STRIKES, W_ACTIVATIONS, W_CHESTS_RED, W_CHESTS_BLUE,
    W_HIGH, W_SAME, W_LOW, W_HIGHER_3, W_AHEAD, W_ACTOR, W_ACTED, W_SOURCE, W_OWN, W_KILLS,
    W_POISONED,
) = range(18)  # fmt: skip
WATCH = 32
PART = 10_000
HABITS = (
    "activations", "idle", "back_and_forth", "tree_shots", "ladder_shots", "bridge_shots",
    "bricks", "terrain", "area", "counter", "thorns", "trap", "treasure", "step", "other",
)  # fmt: skip
(
    H_ACTIVATIONS, H_IDLE, H_BACK, H_TREE, H_LADDER, H_BRIDGE, H_BRICKS, H_TERRAIN, H_AREA,
    H_COUNTER, H_THORNS, H_TRAP, H_TREASURE, H_STEP, H_OTHER,
) = range(len(HABITS))  # fmt: skip
"""Counts of a card in its own activations; from `H_BRICKS` on: causes of its death in one."""

SIGHTLESS = (*ABILITIES, *ITEM_NAMES[1:], "archer", "attack")
"""Entries of option `los_free`: abilities, then items, which may need no line of sight."""
FREE_ITEM = len(ABILITIES) - 1
FREE_ARCHER, FREE_ATTACK = FREE_ITEM + len(ITEM_NAMES), FREE_ITEM + len(ITEM_NAMES) + 1

# -- options with more than two values -------------------------------------------------------------
DRAFT_BLIND, DRAFT_ALTERNATE = 0, 1
MELEE_REACH1, MELEE_ADJACENT, MELEE_CARD = range(3)
KEEP_DAMAGE, HEALTH_FULL, KEEP_HEALTH = range(3)
DOUBLE_DRAW, ACTOR_WINS, ACTOR_LOSES = range(3)
LIMIT_UNFINISHED, LIMIT_UNITS, LIMIT_HEALTH = range(3)
ELIMINATION, ROYAL_ICON, BOMB_WINS = range(3)
BODIES_ALL, BODIES_OWN, BODIES_NO_SKELETONS = range(3)
REVIVE_BODY, REVIVE_START, REVIVE_FINDER = range(3)
LEAP_JUMP, LEAP_NONE_UP, LEAP_LEVEL = range(3)
OVER_NO_UNIT, OVER_EMPTY, OVER_CLEAR = range(3)
HEIGHT_MELEE, HEIGHT_ALL, HEIGHT_LITERAL = range(3)
CATCH_HIGHEST, CATCH_NEAREST, CATCH_FALL = range(3)
OUTWARD, FROM_ATTACKER, OUTWARD_AND_BACK = range(3)
CONE_DEPTH = (2, 3, 1)
"""Depth of a cone in tiles: four tiles in all, nine or one."""
CRUMBLE_ANY, CRUMBLE_OWN = 0, 1

BY_GROUND, BY_DECK, BY_UNIT = range(3)
"""Blockers of a line of sight."""
SURVIVES, IN_LAVA, OFF_BOARD = range(3)
NOWHERE, KILLED, OVER_EDGE = -1, -2, -3
"""End of a push, and the place where a unit lands."""

COLUMN_ORDER = (1, 3, 5, 2, 4, 6)
"""Reading order of the treasure grids when they are counted by columns."""

# -- capacities ------------------------------------------------------------------------------------
LINKS = 28
MOST_COSTS, BUCKET = 127, 768
MOST_STACK, MOST_MOVES, MOST_EVENTS, MOST_LOG = 400, 8_000, 600, 40_000
MOST_HIDDEN, MOST_BODIES, MOST_ZONES, MOST_BRICKS = 256, 512, 128, 60
MOST_DECKS, MOST_LADDERS, MOST_CHESTS, MOST_ENDS = 128, 128, 128, 9_000
MOST_SURFACES, MOST_WAYS = 9_000, 255_000
MOST_GAITS, DISTANCES = 32, 800_000
"""Step rules and distances that bots cache."""
DECK_LENGTH, BRICK_LENGTH = 50, 4
MOST_PICKS = 64
MOST_CARDS, MOST_ROUNDS, MOST_WORDS = 32, 1_024, 1_024
MOST_THREATS, THREATS = 16_384, 81_920
MOST_LABELS = 20_000

"""Numbers with names: kinds, phases, tasks, moves, events, and how much there is room for.

A spot is `row << 10 | col << 4 | level`, a tile `row << 6 | col`, as everywhere in play.
"""

MOST_ROWS, MOST_COLS = 31, 64
MOST_LEVEL = 12
SPOTS = MOST_ROWS << 10
TILES = MOST_ROWS << 6
MOST_UNITS = 62
NONE, NO, YES = -1, False, True
MAGE_BONUS = 2
"""What a Mage adds to a fall."""
"""By name, as numba compiles a function anew for each literal it is called with."""
UNLIMITED = 1_000_000
FAR = 99

GROUND, BASE = 0, TILES
"""Where the columns of tiles begin: the land as it is now, and the map's own."""
CHOOSE, ACTIVATION, OVER, SETUP = range(4)
RED_WINS, BLUE_WINS, DRAW, UNFINISHED = 1, 2, 3, 4
PLAYED, LOST = 0, 1
"""What `State.lost` says: goes on, or a list is full."""

# -- units -----------------------------------------------------------------------------------------
STATS = 6
M, J, H, A, R, P = range(STATS)
"""The values that a card prints, in their order."""
FLAGS = ("drum", "no_sight_needed", "diagonal", "lead_shoes", "thorns", "discorporate")
DRUM, NO_SIGHT, DIAGONAL, LEAD, THORNS, DISCORPORATE = range(6)
"""The flags that treasure gives."""

# -- tiles -----------------------------------------------------------------------------------------
DRY, WATER, FIRE = range(3)
TREE, SPIRE = 1, 2
LEVEL, BRICKS = range(2)
"""What of a tile rises."""

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
) = range(29)  # fmt: skip
A_REACH, A_AMOUNT, A_RADIUS, A_TILES, A_PUSH, A_HEADS, A_TAILS = range(7)
ABILITY = 8
ITEM_NAMES = ("", "cannon", "celestial-cannon", "grenade", "knife", "quicksand", "elixir")
CANNON, CELESTIAL, GRENADE, KNIFE, URN, ELIXIR_ITEM = range(1, 7)
I_REACH, I_ATTACK, I_LETTER, I_PUSH, I_RADIUS = range(5)
X_AID, X_DRUM, X_ELIXIR, X_FOUNTAIN, X_THORNS, X_DAM = range(6)
"""Amounts of results that are no items: they fill the row of item 0."""

# -- treasure: what a result does, by roll ---------------------------------------------------------
(
    GAIN_ASK, GAIN_PLUS, GAIN_ELIXIR, GAIN_ITEM, GAIN_FLAG, GAIN_ZONE, GAIN_REVERSAL, GAIN_BLOOD,
    GAIN_WIND, GAIN_PUZZLE, GAIN_ADRENAL,
) = range(11)  # fmt: skip
"""`GAIN_ASK` owes the question `R_WHAT` with the amount."""
R_EFFECT, R_WHAT, R_AMOUNT = range(3)
ROPES_ZONE, FOUNTAIN_ZONE, FOG_ZONE, SAND_ZONE = range(4)
SPRING_ITEM, AID_ITEM = range(2)

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
"""What a word of a move names: `WORDS` holds this and the tile or number for each; two numbers,
of an ability and a card or of two values, as the first times 64 and the second."""
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
"""In their order, as moves of one kind and place are sorted by name."""
(
    M_ABILITY, M_ATTACK, M_ROOTED, M_BANDAGE, M_BOMB, M_CANNON, M_CARD, M_CATCH, M_CELESTIAL,
    M_COIN, M_CRUMBLE, M_DIE, M_DRAFT, M_DROP, M_ELIXIR, M_END, M_END_TURN, M_GRENADE, M_HAND_ON,
    M_HEAL, M_KEEP, M_KNIFE, M_LAND, M_LENGTH, M_MOVE, M_NO_PUSH, M_PARTITION, M_PLACE,
    M_PLACE_SKELETON, M_POISON, M_PROMO, M_PUSH, M_QUICKSAND, M_RAISE, M_SCAFFOLD, M_SIDE, M_SINK,
    M_SPLASH, M_SPRING, M_STATS, M_STAY, M_SWAP, M_SYRINGE, M_TAKE, M_POTION, M_TILE, M_TOTAL,
    M_UNIT, M_VINES, M_WAY, M_WEREWOLF, M_WIND,
) = range(52)  # fmt: skip
ABILITY_OF = tuple(
    ABILITIES.index(slug) if (slug := name.replace(" ", "-")) in ABILITIES else -1 for name in NAMES
)
"""The ability that a move's name is of; -1: none."""
K_SIDE, K_DRAFT, K_PLACE = 0, 1, 2
K_UNIT, K_END_TURN, K_MOVE, K_ACT, K_END = 3, 4, 5, 6, 9
K_DROP, K_TAKE = 7, 8
K_LAND, K_WIND, K_CHOICE, K_HAND, K_FREE, K_CHANCE = 10, 11, 12, 13, 14, 15
"""The kinds' places in the order of legal lists."""

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
) = range(24)  # fmt: skip
BY_ATTACK, BY_FALL, BY_LAVA, BY_DIVE, BY_STEP, BY_OTHER, BY_HARM, BY_SACRIFICE = range(8)
CAUSES = ("attack", "fall", "lava", "dive", "step", "other", "harm", "sacrifice")

# -- what is counted -------------------------------------------------------------------------------
COUNTS = (
    "games", "red", "blue", "draw", "unfinished", "chests", "opened", "opened_red", "decided",
    "bled", "comebacks", "richer", "richer_won", "higher", "higher_won", "first_wins", "a_wins",
)  # fmt: skip
(
    N_GAMES, N_RED, N_BLUE, N_DRAW, N_UNFINISHED, N_LAID, N_OPENED, N_OPENED_RED, N_DECIDED,
    N_BLED, N_COMEBACKS, N_RICHER, N_RICHER_WON, N_HIGHER, N_HIGHER_WON, N_FIRST_WINS, N_A_WINS,
) = range(17)  # fmt: skip
VALUES = (
    "fall_kills", "lava_kills", "attack_kills", "first_damage", "first_chest", "strikes",
    "from_above", "rounds",
)  # fmt: skip
(
    V_FALL, V_LAVA, V_ATTACK, V_FIRST_DAMAGE, V_FIRST_CHEST, V_STRIKES, V_FROM_ABOVE, V_ROUNDS,
) = range(8)  # fmt: skip
(
    W_BLOOD, W_HIT_ROUND, W_CHEST_ROUND, W_STRIKES, W_ACTIVATIONS, W_CHESTS_RED, W_CHESTS_BLUE,
    W_HIGH, W_SAME, W_LOW, W_HIGHER_3, W_KILLS,
) = range(12)  # fmt: skip
WATCH = 24
DEATHS, FALLS, TREASURES = range(3)
"""What is counted by surface."""
PART = 10_000

SIGHTLESS = (*ABILITIES, *ITEM_NAMES[1:], "archer", "attack")
"""What may need no line of sight (option `los_free`); an item's place is behind the abilities."""
FREE_ITEM, FREE_ARCHER, FREE_ATTACK = 28, 35, 36

# -- options: words that have more than one other ----------------------------------------------
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
"""How far a cone reaches: four tiles, nine or one."""
CRUMBLE_ANY, CRUMBLE_OWN = 0, 1

BY_GROUND, BY_DECK, BY_UNIT = range(3)
"""What closes a line of sight."""
SURVIVES, IN_LAVA, OFF_BOARD = range(3)
NOWHERE, KILLED, OVER_EDGE = -1, -2, -3
"""How a push ends, and where one comes down."""

COLUMN_ORDER = (1, 3, 5, 2, 4, 6)
"""Reading places of the numbers when treasure's grids are counted by columns."""

# -- how much there is room for --------------------------------------------------------------------
LINKS = 28
MOST_COSTS, BUCKET = 127, 768
MOST_STACK, MOST_MOVES, MOST_EVENTS, MOST_LOG = 400, 8_000, 600, 40_000
MOST_HIDDEN, MOST_BODIES, MOST_ZONES, MOST_BRICKS = 256, 512, 128, 60
MOST_DECKS, MOST_LADDERS, MOST_CHESTS, MOST_ENDS = 40, 24, 40, 2_000
MOST_SURFACES, MOST_WAYS = 2_048, 400_000
MOST_GAITS, KNOWN_SURFACES = 12, 256
"""Of how many surfaces bots remember the distances."""
DECK_LENGTH, BRICK_LENGTH = 25, 4
MOST_PICKS, PER_CLASS, PARTY = 64, 2, 2
MOST_CARDS, MOST_ROUNDS, MOST_WORDS = 32, 1_024, 256
MOST_THREATS, THREAT = 16_384, 5
MOST_LABELS = 20_000

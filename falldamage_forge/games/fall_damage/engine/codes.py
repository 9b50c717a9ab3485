"""Numbers with names: kinds, phases, tasks, moves, events, and how much there is room for.

A spot is `row << 10 | col << 4 | level`, a tile `row << 6 | col`, as everywhere in play.
"""

MOST_ROWS = 16
MOST_LEVEL = 12
SPOTS = MOST_ROWS << 10
TILES = MOST_ROWS << 6
MOST_UNITS = 62
NONE, NO, YES = -1, False, True
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
ITEM_NAMES = ("", "cannon", "celestial-cannon", "grenade", "knife", "quicksand")
CANNON, CELESTIAL, GRENADE, KNIFE, URN = range(1, 6)
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
    TIRE, WEAR, PUSH_SPIRE, TOP_ROPES, START, REVIVE,
) = range(28)  # fmt: skip
QUESTIONS = 28
(
    COIN_MOVE, ROLL, HAND_ON, ELIXIR, BOX, WIND, FREE_MOVE, FREE_COIN, LAND, ZONE, ERUPTION,
    DAM_TILE, DAM_WAY, DAM_LENGTH, TECTONIC, AID, BECOME, VICTIM, GLOVES, SATIATE, BOTCHED, UNHOLY,
) = range(28, 50)  # fmt: skip
NO_LEVEL = -1
W_PLAIN, W_TREE, W_SPIRE, W_DECK, W_LADDER, W_CARD, W_SKILL, W_STATS, W_NUMBER = range(9)
"""What a word of a move names: `WORDS` holds this and the tile or number for each; two numbers,
of an ability and a card or of two values, as the first times 64 and the second."""
CHANCE_WORDS = ("1", "2", "3", "4", "5", "6", "heads", "tails")

# -- moves -----------------------------------------------------------------------------------------
NAMES = tuple(sorted((
    "attack", "attack rooted", "bandage", "bomb", "cannon", "catch", "celestial-cannon", "grenade",
    "knife", "partition", "poison mist", "promo", "quicksand", "raise", "scaffold", "splash",
    "spring trap", "swap", "syringe", "throw potion", "vines", "werewolf", "unit", "end turn",
    "move", "end", "coin", "die", "land", "wind", "tile", "total", "heal", "hand on", "keep",
    "stay", "way", "length", "sink", "card", "ability", "stats",
)))  # fmt: skip
(
    M_ABILITY, M_ATTACK, M_ROOTED, M_BANDAGE, M_BOMB, M_CANNON, M_CARD, M_CATCH, M_CELESTIAL,
    M_COIN, M_DIE, M_END, M_END_TURN, M_GRENADE, M_HAND_ON, M_HEAL, M_KEEP, M_KNIFE, M_LAND,
    M_LENGTH, M_MOVE, M_PARTITION, M_POISON, M_PROMO, M_QUICKSAND, M_RAISE, M_SCAFFOLD, M_SINK,
    M_SPLASH, M_SPRING, M_STATS, M_STAY, M_SWAP, M_SYRINGE, M_POTION, M_TILE, M_TOTAL, M_UNIT,
    M_VINES, M_WAY, M_WEREWOLF, M_WIND,
) = range(42)  # fmt: skip
K_UNIT, K_END_TURN, K_MOVE, K_ACT, K_END = 3, 4, 5, 6, 9
K_LAND, K_WIND, K_CHOICE, K_HAND, K_FREE, K_CHANCE = 10, 11, 12, 13, 14, 15
"""The kinds' places in the order of legal lists."""

# -- events ----------------------------------------------------------------------------------------
E_HARM, E_DIE, E_CHEST, E_ACTIVATE, E_STRIKE, E_ROUND = range(6)
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

# -- how much there is room for --------------------------------------------------------------------
LINKS = 28
MOST_COSTS, BUCKET = 40, 768
MOST_STACK, MOST_MOVES, MOST_EVENTS, MOST_LOG = 400, 8_000, 600, 40_000
MOST_HIDDEN, MOST_BODIES, MOST_ZONES, MOST_BRICKS = 64, 160, 64, 60
MOST_DECKS, MOST_LADDERS, MOST_CHESTS, MOST_ENDS = 40, 24, 40, 2_000
MOST_GAITS, MOST_SURFACES, MOST_WAYS = 12, 256, 60_000
DECK_LENGTH, BRICK_LENGTH = 25, 4
MOST_CARDS, MOST_ROUNDS, MOST_WORDS = 32, 1_024, 256
WAY_SPAN = 2 * MOST_ROWS - 1
MOST_THREATS, THREAT = 16_384, 5
MOST_INCREMENTS = 4_000

"""Columns of the bots: cached map knowledge, the running game's watch, and counts."""

from __future__ import annotations

from typing import Annotated

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import Column, Sides, Spots, Units
from falldamage_forge.games.fall_damage.engine.records import Columns

Log = Annotated[Column, C.MOST_LOG]
SLOT = 100_000
"""Greatest length of a position in `Bots.slots`."""
MOST_CANDIDATES, MOST_PIECES = 2_000, 32
MOST_PUSHED = 4
"""Tiles of a push beyond which fear looks no farther."""
Candidates = Annotated[Column, MOST_CANDIDATES]


class Bots(Columns):
    """Map knowledge of the bots, observations of the current game, and counts of all games."""

    bot: Sides
    first_seat: int
    swapped: int
    n_log: int
    log: Log
    log_counts: Log
    game: int
    visited: Spots
    n_visited: int
    visit_list: Spots
    visits: Spots
    deaths: Spots
    falls: Spots
    treasure: Spots
    counts: Annotated[Column, 32]
    values: Annotated[Column, 16 * 3]
    rounds: Annotated[Column, C.MOST_ROUNDS]
    watch: Annotated[Column, C.WATCH]
    last_cause: Units
    began: Units  # surface on which the unit's last activation began
    strolled: Units  # the same, if it only moved in that activation; else -1
    habits: Annotated[Column, C.MOST_CARDS * len(C.HABITS)]
    n_gaits: int
    gaits: Annotated[Column, C.MOST_GAITS]
    distance: Annotated[Column, C.DISTANCES]  # rows of one length, that of the map's surfaces
    next_row: int
    row_owner: Annotated[Column, C.MOST_SURFACES]  # step rules and surface of a row, 0: free
    row_of: Annotated[Column, C.MOST_GAITS * C.MOST_SURFACES + 1]
    n_threats: int
    threat_key: Annotated[Column, C.MOST_THREATS]
    threats: Annotated[Column, C.THREATS]
    n_foes: int  # enemies of the unit evaluated last, with their surfaces and threats
    foe: Units
    foe_spot: Units
    foe_harm: Units  # 0: no threat
    foe_threat: Units
    foe_push: Units  # tiles that it pushes
    lead: int  # strength of that unit's side over that of its enemies, in hundredths
    price: int  # what that side pays for a point of its health, in hundredths of its worth
    foe_prey: Units  # units of that side that it can attack next
    thrown: Annotated[Column, C.MOST_SURFACES * MOST_PUSHED * 2]  # worst fall by a push, plus 1
    n_pieces: int  # bridges with a foe of that unit on them, and Spires, as words
    piece: Annotated[Column, MOST_PIECES]
    style: int  # weights of the bot that plays
    spends: Sides  # lead of each side at the decision of a search, from 100 on
    opened: Sides  # chests that each side has opened in a playout
    tie_side: int  # the side whose view breaks ties, and the hash of its view
    tie_salt: int
    slots: Annotated[Column, 3 * SLOT]  # positions put aside
    slot_at: int
    slot_differs: int
    n_candidates: int
    first_key: Candidates  # the move to make
    next_key: Candidates  # the step after the choice of a unit, -1: none
    prior: Candidates  # value by the one-ply bot, in thousandths
    total: Candidates  # sum of its playouts' values, in thousandths
    tie_rank: Candidates  # hash that breaks ties
    flood_stamp: int
    n_flooded: int
    flood_tail: int
    flood_best: Spots
    flood_seen: Spots
    flood_waits: Spots
    flood_list: Spots
    flood_queue: Annotated[Column, C.SPOTS]

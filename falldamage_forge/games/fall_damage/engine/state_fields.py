"""Fields that the columns of the engine and the readable state share, each declared once.

`TerrainColumns` takes the fields as columns, `Unit` and `State` as values of a person's kinds:
a flag is a column of 0 and 1, and a boolean; a word is an index, and a text. The annotations are
read by both sides. `play/shapes.py` writes and checks JSON by them.
"""

from typing import Annotated, Any, Generic, TypeVar

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.infra.lazy_dataclass import dataclass

Number = TypeVar("Number")
"""One integer of each unit."""
Flag = TypeVar("Flag")
"""Yes or no of each unit."""
Card = TypeVar("Card")
"""A card of each unit: its number, or its name."""
Word = TypeVar("Word")
"""One of a list of words: its index, or the word itself."""

SIDES = ("red", "blue")
Side = Annotated[int, SIDES]
Whole = Annotated[int, range(2**31)]
Index = Annotated[int, range(-1, 2**31)]
"""Index of a unit; -1 for none."""
Spot = Annotated[int, "spot"]
Place = Annotated[int, "place"]
"""Surface number; -1 for nowhere."""
TileNumber = Annotated[int, "tile"]


ZERO: Any = 0
FIRST: Any = 1
NO: Any = False
EMPTY: Any = ()
NOWHERE: Any = C.NOWHERE
SETUP: Any = C.PHASES[C.SETUP]
OPEN: Any = C.RESULTS[0]
"""Defaults of fields whose type the class fills in."""


@dataclass(kw_only=True, eq=False)
class Moment(Generic[Word]):
    """Round, turn and result of a game.

    Attributes:
        last_actor: Index of the unit that acted last.
        active: Index of the unit that is activated.
    """

    round: Annotated[int, range(1, 2**31)] = 1
    left_in_turn: int = -1
    activations_this_round: Whole = 0
    last_actor: Index = -1
    phase: Annotated[Word, C.PHASES] = SETUP
    active: Index = -1
    result: Annotated[Word, C.RESULTS] = OPEN
    reversal_round: Whole = 0
    first: Side = 0
    to_act: Side = 0


@dataclass(eq=False)
class UnitFields(Generic[Number, Flag, Card]):
    """Values of one unit.

    Attributes:
        side: 0 red, 1 blue.
        card: Its card; none until it is drafted.
        spot: Surface number; -1 if it is dead or not placed.
        ready_from: First round in which it may be activated.
        moved: 0 before its Move, 1 if a rest may follow the Action, 2 after it.
        move_now: Tiles left of its Move.
        mist_rounds: Round starts spent with a Poison Mist.

    A field of type Any has columns of other names or another form (`simulator.py`).
    """

    side: Annotated[Number, SIDES]
    card: Card
    spot: Annotated[Number, "place"] = NOWHERE
    health: Number = ZERO
    max_health: Number = ZERO
    activated: Flag = NO
    ready_from: Number = FIRST
    moved: Number = ZERO
    acted: Flag = NO
    move_now: Number = ZERO
    song_now: Flag = NO
    attack_plus: Number = ZERO
    reach_plus: Number = ZERO
    push_plus: Number = ZERO
    move_plus: Number = ZERO
    jump_plus: Number = ZERO
    mist: Number = ZERO
    mist_rounds: Number = ZERO
    syringe: Flag = NO
    blood: Number = ZERO
    vines: Flag = NO
    promo_by: Any = EMPTY
    song_off: Flag = NO
    no_sight_needed: Flag = NO
    diagonal: Flag = NO
    lead_shoes: Flag = NO
    thorns: Flag = NO
    discorporate: Flag = NO
    drum: Flag = NO
    extra_ability: Any = None
    items: Any = EMPTY
    carries: Flag = NO
    stats: Any = EMPTY
    used: Any = EMPTY

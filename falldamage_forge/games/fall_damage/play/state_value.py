"""State of a game as a value: everything that determines its continuation.

Only functions that play a move change a state, and only a copy of their own (`State.copy`). Fields
are plain values and units; units are copied with the state. Equal terrain plays alike: damage on
terrain targets and the units belong to the state. The immutable part of a game is its match
context; an observation is the part of a state that one side sees.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from functools import cached_property, lru_cache
from typing import Annotated, Any, NamedTuple

from falldamage_forge.board import Board, Column, Deck, Feature, Ground, Ladder, Tile, make_board
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.state_fields import (
    SIDES as SIDES,  # noqa: PLC0414
)
from falldamage_forge.games.fall_damage.engine.state_fields import (
    Index,
    Moment,
    Place,
    Side,
    Spot,
    TileNumber,
    UnitFields,
    Whole,
)
from falldamage_forge.games.fall_damage.engine.surface_index import apart
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.play.game_data import CardForm, GameData
from falldamage_forge.games.fall_damage.play.move_value import Move
from falldamage_forge.games.fall_damage.play.play_options import PlayOptions
from falldamage_forge.games.fall_damage.play.surface_number import NOWHERE, spot_at, tile_number
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import ForgeError, Issue

RED, BLUE = 0, 1
Seat = Annotated[int, (0, 1)]
Task = Annotated[tuple[Any, ...], "task"]
"""A pending effect or decision: its name, and the plain values it needs."""


@dataclass(eq=True)
class Unit(UnitFields[int, bool, str]):
    """One unit; `state_fields.UnitFields` has its fields.

    Attributes:
        promo_by: Indices of the Wrestlers whose Promo affects it.
        extra_ability: Ability and card of the Mime's Gloves.
        items: Items in the order found.
        stats: Swapped values by letter.
        used: Free abilities used in this activation.
    """

    promo_by: tuple[Whole, ...] = ()
    extra_ability: Annotated[tuple[str, str], "an ability and a card"] | None = None
    items: tuple[str, ...] = ()
    stats: tuple[Annotated[tuple[str, int], "a value and its number"], ...] = ()
    used: tuple[str, ...] = ()

    @property
    def alive(self) -> bool:
        """True if it is on the board."""
        return self.spot != NOWHERE

    def copy(self) -> Unit:
        """Return an independent unit with the same values."""
        twin = Unit.__new__(Unit)
        twin.__dict__.update(self.__dict__)
        return twin


@dataclass(frozen=True, slots=True)
class HiddenItem:
    """A hidden item: `spring` or `aid`; `level` -1 for the whole tile; `unit` laid it."""

    side: Side
    kind: Annotated[str, C.HIDDEN_KINDS]
    tile: TileNumber
    level: int = -1
    unit: Index = -1


@dataclass(frozen=True, slots=True)
class FallenUnit:
    """A unit's body: the surface on which it fell; `used` after it was raised or revived."""

    unit: Whole
    spot: Spot
    used: bool = False


@dataclass(frozen=True, slots=True)
class EffectZone:
    """Tiles with a lasting effect: `quicksand`, `rope` (of a side), `fountain` or `fog`."""

    kind: Annotated[str, C.ZONE_KINDS]
    tiles: frozenset[TileNumber]
    side: Annotated[int, (-1, 0, 1)] = -1


@dataclass
class State(Moment[str]):
    """A position under a match context; `occupied`, `legal` and `log` are not part of it.

    The fields before `occupied` are the keys of a saved state, in their order.
    """

    ctx: MatchContext = field(repr=False, compare=False)
    pending: list[Task] = field(default_factory=list)
    units: list[Unit] = field(default_factory=list)
    picks: Annotated[tuple[tuple[str, ...], tuple[str, ...]], "two lists of cards"] = ((), ())
    seats: Annotated[tuple[Seat, Seat], "two seats"] = (0, 1)
    land: TerrainValue = field(repr=False, kw_only=True)
    scars: Annotated[tuple[tuple[str, int], ...], "scars"] = ()
    chests: tuple[Spot, ...] = ()
    prize: Place = NOWHERE
    zones: tuple[EffectZone, ...] = ()
    hidden: tuple[HiddenItem, ...] = ()
    bodies: tuple[FallenUnit, ...] = ()
    raised: Annotated[tuple[Whole, Whole], "two numbers"] = (0, 0)
    occupied: dict[int, int] = field(default_factory=dict, repr=False, compare=False)
    legal: list[Move] | None = field(default=None, repr=False, compare=False)
    log: list[tuple[Any, ...]] | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.left_in_turn < 0:
            self.left_in_turn = self.ctx.content.numbers.turn_units

    def copy(self) -> State:
        """Return an independent copy without the log."""
        twin = State.__new__(State)
        twin.__dict__.update(self.__dict__)
        twin.units = [unit.copy() for unit in self.units]
        twin.pending = list(self.pending)
        twin.occupied = dict(self.occupied)
        twin.log = None
        return twin

    def emit_event(self, *event: Any) -> None:
        """Append an event to the log, if a caller has set one."""
        if self.log is not None:
            self.log.append(event)

    # -- units on the board ------------------------------------------------------------------------

    def living(self, side: int | None = None) -> list[int]:
        """Return the indices of the units on the board.

        Args:
            side: 0 red, 1 blue; None for both.
        """
        return [
            index
            for index, unit in enumerate(self.units)
            if unit.spot != NOWHERE and (side is None or unit.side == side)
        ]

    def place_unit(self, index: int, spot: int) -> None:
        """Place a unit on a free surface; NOWHERE takes it off the board.

        Args:
            index: Index of the unit.
            spot: Surface number that is free, or NOWHERE.
        """
        unit = self.units[index]
        if unit.spot != NOWHERE and self.occupied.get(unit.spot) == index:
            del self.occupied[unit.spot]
        unit.spot = spot
        if spot != NOWHERE:
            self.occupied[spot] = index

    @property
    def over(self) -> bool:
        """True if the game has ended."""
        return self.phase == "over"

    def push_tasks(self, *tasks: Task) -> None:
        """Push tasks on the effect stack; the first one given is resolved first."""
        self.pending.extend(reversed(tasks))


def rebuild_occupancy(state: State) -> None:
    """Recompute `occupied` from the units."""
    state.occupied = {u.spot: i for i, u in enumerate(state.units) if u.spot != NOWHERE}


class Brick(NamedTuple):
    """Bricks placed by one ability.

    Attributes:
        unit: Index of the mage.
        levels: Height in levels.
        tiles: Tile numbers.
        left: Round starts until they crumble.
    """

    unit: Whole
    levels: Whole
    tiles: tuple[TileNumber, ...]
    left: int


@dataclass(frozen=True)
class TerrainValue:
    """Columns by tile; decks and ladders by their number on the map, None if destroyed.

    `fixed` holds the numbers of tiles of models, which are no targets, ascending.
    """

    rows: int
    cols: int
    columns: tuple[Column, ...]
    decks: tuple[Deck | None, ...]
    ladders: tuple[Ladder | None, ...]
    bricks: tuple[Brick, ...] = ()
    fixed: tuple[int, ...] = ()

    def place(self, tile: int) -> int:
        """Return the index of a tile's column in `columns`."""
        return (tile >> 6) * self.cols + (tile & 63)

    def column(self, tile: int) -> Column:
        """Return a tile's column without bricks."""
        return self.columns[self.place(tile)]

    def bricks_on(self, tile: int) -> int:
        """Return the levels of bricks on a tile."""
        return sum(levels for _, levels, tiles, _ in self.bricks if tile in tiles)

    def board(self) -> Board:
        """Return the terrain as a board; bricks become solid columns."""
        columns = list(self.columns)
        for _, levels, tiles, _ in self.bricks:
            for tile in tiles:
                at = self.place(tile)
                old = columns[at]
                columns[at] = replace(old, level=old.level + levels, ground=Ground.GROUND)
        return make_board(
            self.rows,
            self.cols,
            columns,
            decks=[deck for deck in self.decks if deck],
            ladders=[ladder for ladder in self.ladders if ladder],
        )

    def target_feature(self, tile: int) -> Feature | None:
        """Return the tree or spire on a tile that can be a target."""
        return None if tile in self.fixed else self.column(tile).feature

    def tiles(self) -> tuple[int, ...]:
        """Return every tile's number, row by row."""
        return _tiles(self.rows, self.cols)

    def under_deck(self, tile: int) -> bool:
        """True if a bridge passes over a tile."""
        where = Tile(tile >> 6, tile & 63)
        return any(deck and where in deck.tiles for deck in self.decks)

    def deck_end(self, tile: int) -> bool:
        """True if a bridge rests on a tile."""
        where = Tile(tile >> 6, tile & 63)
        return any(deck and where in (deck.a, deck.b) for deck in self.decks)

    def ladder_foot(self, tile: int) -> bool:
        """True if a ladder stands on a tile."""
        return any(ladder and tile_number(ladder.foot) == tile for ladder in self.ladders)

    def ladder_top(self, tile: int) -> bool:
        """True if a ladder leans on a tile."""
        return any(ladder and tile_number(ladder.top) == tile for ladder in self.ladders)


@lru_cache(maxsize=64)
def _tiles(rows: int, cols: int) -> tuple[int, ...]:
    return tuple(row << 6 | col for row in range(rows) for col in range(cols))


def terrain_state(board: Board) -> TerrainValue:
    """Return the terrain of a map, without source positions."""
    columns = tuple(Column(c.level, Ground(c.ground), _feature(c.feature)) for c in board.columns)
    decks = tuple(Deck(d.a, d.b, d.level) for d in board.decks)
    ladders = tuple(Ladder(x.foot, x.foot_level, x.top, x.top_level) for x in board.ladders)
    fixed = tuple(sorted(map(tile_number, board.fixed)))
    return TerrainValue(board.rows, board.cols, columns, decks, ladders, fixed=fixed)


def _feature(feature: Feature | None) -> Feature | None:
    return Feature(feature) if feature else None


@dataclass(eq=False)
class MatchContext:
    """A map under options, with its cards; `zones` are the start surfaces, sorted."""

    board: Board
    rules: FallDamageOptions
    readings: PlayOptions
    content: GameData
    land: TerrainValue = field(init=False)
    zones: tuple[tuple[int, ...], tuple[int, ...]] = field(init=False)
    chests: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.land = terrain_state(self.board)
        named = {zone.side: zone.surfaces for zone in self.board.starts}
        red, blue = (
            tuple(sorted(spot_at(t.row, t.col, level) for t, level in named.get(side, ())))
            for side in ("red", "blue")
        )
        self.zones = (red, blue)
        self.chests = tuple(
            sorted(tile_number(chest.tile) << 4 | chest.level for chest in self.board.treasures)
        )

    @cached_property
    def prize(self) -> int:
        """Surface of the Icon or the Bomb: the chest farthest from both start zones.

        NOWHERE if the options have no prize or the map no chest.
        """
        if self.readings.win == "elimination" or not self.chests:
            return NOWHERE
        zones = [spot for zone in self.zones for spot in zone]
        return max(self.chests, key=lambda at: (sum(apart(at, spot) for spot in zones), -at))

    def card(self, name: str) -> CardForm:
        """Return a card by name."""
        return self.content.cards[name]


Teams = tuple[Sequence[str], Sequence[str]]
Places = tuple[Sequence[int], Sequence[int]]


def new_state(ctx: MatchContext, teams: Teams | None = None, places: Places | None = None) -> State:
    """Return the state before the first coin.

    Args:
        ctx: Match context.
        teams: Card names of red and blue; None: they are drafted.
        places: Surface numbers of red and blue; None: units are placed by moves.

    Raises:
        ForgeError: As `check_teams`.
    """
    chests = tuple(chest for chest in ctx.chests if chest != ctx.prize)
    state = State(ctx, land=ctx.land, chests=chests, prize=ctx.prize)
    sizes = [len(zone) for zone in ctx.zones]
    if teams is not None:
        check_teams(ctx, teams)
        sizes = [len(team) for team in teams]
        state.picks = (tuple(teams[0]), tuple(teams[1]))
    for side, size in enumerate(sizes):
        state.units += [Unit(side, "") for _ in range(size)]
    fixed = tuple(tuple(side) for side in places) if places is not None else None
    state.push_tasks(("toss",), ("draft_next",), ("place_next", fixed), ("skeletons", RED),
              ("skeletons", BLUE), ("settle_all",), ("start",))  # fmt: skip
    return state


def check_teams(ctx: MatchContext, teams: Teams) -> None:
    """Check that teams can be placed.

    Args:
        ctx: Map and cards of the game.
        teams: Names of red's and of blue's cards.

    Raises:
        ForgeError (FDF341, FDF381): If a card is unknown, or a team exceeds its start zone.
    """
    faults = []
    for side, team, zone in zip(SIDES, teams, ctx.zones, strict=True):
        unknown = [name for name in team if name not in ctx.content.cards]
        faults += [Issue("FDF341", "error", f"no unit called `{name}`") for name in unknown]
        if len(team) > len(zone):
            message = f"{side} has {len(team)} units and {len(zone)} start tiles"
            faults.append(Issue("FDF381", "error", message))
    if faults:
        raise ForgeError(faults)


def shallow_observation(state: State, side: int) -> State:
    """Return an observation that shares its units with the state; do not play on it.

    Args:
        state: The state.
        side: 0 red, 1 blue.
    """
    if state.phase == "setup":
        return observation(state, side)
    seen = State.__new__(State)
    seen.__dict__.update(state.__dict__)
    seen.hidden = tuple(item for item in state.hidden if item.side == side)
    seen.log = None
    return seen


def observation(state: State, side: int) -> State:
    """Return the state without the other side's hidden items.

    During a blind draft the other side's cards and placements are hidden too.

    Args:
        state: The state.
        side: 0 red, 1 blue.
    """
    seen = state.copy()
    seen.legal = state.legal
    seen.hidden = tuple(item for item in state.hidden if item.side == side)
    if state.phase == "setup" and state.ctx.readings.draft == "blind":
        picks = list(seen.picks)
        picks[1 - side] = ()
        seen.picks = (picks[0], picks[1])
        for index, unit in enumerate(seen.units):
            if unit.side != side:
                seen.place_unit(index, NOWHERE)
                unit.card, unit.health, unit.max_health = "", 0, 0
    return seen

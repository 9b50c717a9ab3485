"""The state of a game: exactly what two positions must share to play on alike.

A state is changed only by the functions that play a decision, always on a copy of its own
(`State.copy`); everything in it is a plain value or a Unit, and units are copied with it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from falldamage_forge.games.fall_damage.play.spots import NOWHERE

if TYPE_CHECKING:
    from falldamage_forge.games.fall_damage.play.arena import Arena
    from falldamage_forge.games.fall_damage.play.land import Land
    from falldamage_forge.games.fall_damage.play.moves import Move

RED, BLUE = 0, 1
SIDES = ("red", "blue")
Task = tuple[Any, ...]
"""Something owed: the name of what is to be done, and plain values it needs."""


@dataclass(eq=True)
class Unit:
    """One unit. `spot` is NOWHERE for who is dead or not placed yet; see GAME state in docs."""

    side: int
    card: str
    spot: int = NOWHERE
    health: int = 0
    max_health: int = 0
    activated: bool = False
    ready_from: int = 1
    moved: int = 0
    acted: bool = False
    move_now: int = 0
    song_now: bool = False
    attack_plus: int = 0
    reach_plus: int = 0
    push_plus: int = 0
    move_plus: int = 0
    jump_plus: int = 0
    mist: int = 0
    mist_rounds: int = 0
    syringe: bool = False
    blood: int = 0
    vines: bool = False
    promo_by: tuple[int, ...] = ()
    song_off: bool = False
    no_sight_needed: bool = False
    diagonal: bool = False
    lead_shoes: bool = False
    thorns: bool = False
    discorporate: bool = False
    drum: bool = False
    extra_ability: tuple[str, str] | None = None
    items: tuple[str, ...] = ()
    carries: bool = False
    stats: tuple[tuple[str, int], ...] = ()
    used: tuple[str, ...] = ()

    @property
    def alive(self) -> bool:
        """Whether it stands on the board."""
        return self.spot != NOWHERE

    def copy(self) -> Unit:
        """Another unit with the same values."""
        twin = Unit.__new__(Unit)
        twin.__dict__.update(self.__dict__)
        return twin


@dataclass(frozen=True, slots=True)
class Hidden:
    """A hidden item: whose, `spring` or `aid`, where (level -1: the whole tile), whose trap."""

    side: int
    kind: str
    tile: int
    level: int = -1
    unit: int = -1


@dataclass(frozen=True, slots=True)
class Body:
    """Where a unit fell, and whether it was raised or revived since."""

    unit: int
    spot: int
    used: bool = False


@dataclass(frozen=True, slots=True)
class Zone:
    """Tiles under a lasting effect: `quicksand`, `rope` (of a side), `fountain`, `fog`."""

    kind: str
    tiles: frozenset[int]
    side: int = -1


@dataclass
class State:
    """A position. `arena` is what never changes; `occupied` and `log` are no part of the state."""

    arena: Arena = field(repr=False, compare=False)
    land: Land = field(repr=False)
    round: int = 1
    first: int = RED
    to_act: int = RED
    left_in_turn: int = 2
    activations_this_round: int = 0
    last_actor: int = -1
    phase: str = "setup"
    active: int = -1
    result: str = ""
    pending: list[Task] = field(default_factory=list)
    units: list[Unit] = field(default_factory=list)
    picks: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    seats: tuple[int, int] = (0, 1)
    scars: tuple[tuple[str, int], ...] = ()
    chests: tuple[int, ...] = ()
    prize: int = NOWHERE
    zones: tuple[Zone, ...] = ()
    reversal_round: int = 0
    hidden: tuple[Hidden, ...] = ()
    bodies: tuple[Body, ...] = ()
    raised: tuple[int, int] = (0, 0)
    occupied: dict[int, int] = field(default_factory=dict, repr=False, compare=False)
    legal: list[Move] | None = field(default=None, repr=False, compare=False)
    reach: tuple[int, int, dict[int, tuple[int, int]]] | None = field(
        default=None, repr=False, compare=False
    )
    log: list[tuple[Any, ...]] | None = field(default=None, repr=False, compare=False)

    def copy(self) -> State:
        """A state that can be changed without changing this one; the log is not taken along."""
        twin = State.__new__(State)
        twin.__dict__.update(self.__dict__)
        twin.units = [unit.copy() for unit in self.units]
        twin.pending = list(self.pending)
        twin.occupied = dict(self.occupied)
        twin.log = None
        return twin

    def note(self, *event: Any) -> None:
        """Tell whoever watches (measures, replays) what happened."""
        if self.log is not None:
            self.log.append(event)

    # -- who is where -------------------------------------------------------------------------

    def living(self, side: int | None = None) -> list[int]:
        """Units on the board, by index."""
        return [
            index
            for index, unit in enumerate(self.units)
            if unit.spot != NOWHERE and (side is None or unit.side == side)
        ]

    def put(self, index: int, spot: int) -> None:
        """Stand a unit on a surface that is free, or take it off the board with NOWHERE."""
        unit = self.units[index]
        if unit.spot != NOWHERE and self.occupied.get(unit.spot) == index:
            del self.occupied[unit.spot]
        unit.spot = spot
        if spot != NOWHERE:
            self.occupied[spot] = index

    def exchange(self, one: int, other: int) -> None:
        """Two units change places; two single `put`s would lose one of them."""
        a, b = self.units[one], self.units[other]
        a.spot, b.spot = b.spot, a.spot
        self.occupied[a.spot], self.occupied[b.spot] = one, other

    def ready(self, side: int) -> list[int]:
        """Units of a side that may be activated in this round, by index."""
        return [
            index
            for index, unit in enumerate(self.units)
            if unit.side == side
            and not unit.activated
            and unit.spot != NOWHERE
            and unit.ready_from <= self.round
        ]

    def zone_tiles(self, kind: str, side: int = -1) -> frozenset[int]:
        """Tiles of all zones of a kind."""
        found: frozenset[int] = frozenset()
        for zone in self.zones:
            if zone.kind == kind and zone.side == side:
                found |= zone.tiles
        return found

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.phase == "over"

    def owe(self, *tasks: Task) -> None:
        """Put tasks before all that is owed already; the first named is done first."""
        self.pending.extend(reversed(tasks))


def recount(state: State) -> None:
    """Work out `occupied` anew from the units."""
    state.occupied = {u.spot: i for i, u in enumerate(state.units) if u.spot != NOWHERE}

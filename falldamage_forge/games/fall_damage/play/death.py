"""Deaths: the cause and the place of each, from the events of a move, and in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.play.surface_number import spot_name

LAVA, VOID, NO_PLACE, FALL = "lava", "void", "no-place", "fall"
WORDS = {
    LAVA: "dies in lava on {place}",
    VOID: "dies in the void at {place}",
    NO_PLACE: "dies without room at {place}",
    FALL: "dies of the fall on {place}",
    "step": "dies of the drop on {place}",
    "dive": "dies of a dive on {place}",
    "attack": "dies of an attack on {place}",
    "sacrifice": "is sacrificed on {place}",
}
"""Predicates of a death, by cause; damage of any other cause is `dies on PLACE`."""


class Death(NamedTuple):
    """A death: its cause, and the surface on which the unit dies.

    Attributes:
        cause: `lava`, `void`, `no-place`, or the cause of the last damage, such as `fall`.
        spot: Surface number; of the void: the surface at the edge.
    """

    cause: str
    spot: int

    @property
    def words(self) -> str:
        """Return the predicate of a sentence, such as `dies in lava on C2@0`."""
        return death_words(self.cause, spot_name(self.spot))


def death_words(cause: str, place: object) -> str:
    """Return what happens to a unit that dies, such as `dies in lava on C2@0`.

    Args:
        cause: Cause of the death, such as `lava`.
        place: The surface, as the sentence names it.
    """
    return WORDS.get(cause, "dies on {place}").format(place=place)


def death_of(cause: str, spot: int, place: int, harm: str) -> Death:
    """Return a death from the values of its event.

    Args:
        cause: Cause of the event `die`.
        spot: Surface of the unit.
        place: Surface on which it dies, or `codes.OVER_EDGE`.
        harm: Cause of the last damage to the unit in this move.
    """
    if place == C.OVER_EDGE:
        return Death(VOID, spot)
    if cause == C.CAUSES[C.BY_FALL]:
        return Death(NO_PLACE, place)
    return Death(harm if cause == C.CAUSES[C.BY_HARM] else cause, place)


def death_in(log: Sequence[tuple[Any, ...]], n: int) -> Death:
    """Return the death of event number `n` of a move's log.

    Args:
        log: Events of the move.
        n: Index of the event in the log; the event is a death.
    """
    _, i, spot, cause, _, place = log[n]
    harms = [event[3] for event in log[:n] if event[:2] == ("harm", i)]
    return death_of(cause, spot, place, harms[-1] if harms else cause)

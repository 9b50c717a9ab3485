"""Movement classes: units that move alike are judged once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from falldamage_forge.rules.movement import UNLIMITED, Profile
from falldamage_forge.rules.units import Unit


@dataclass(frozen=True, slots=True)
class MovementClass:
    """A profile and the units that share it."""

    profile: Profile
    units: tuple[str, ...]

    @property
    def name(self) -> str:
        """`M3 J1`, with what is special."""
        jump = "any" if self.profile.jump >= UNLIMITED else str(self.profile.jump)
        special = (
            (", levels count" if self.profile.vertical_counts else "")
            + (", no fall damage" if self.profile.no_fall else "")
            + (", passes enemies" if self.profile.pass_enemies else "")
        )
        return f"M{self.profile.move} J{jump}{special}"


def movement_classes(units: Iterable[Unit]) -> tuple[MovementClass, ...]:
    """The classes of playable cards, by Move and Jump; health does not part them."""
    found: dict[Profile, list[str]] = {}
    for unit in units:
        if unit.unit_class != "summoned":
            profile = replace(unit.profile, health=None)
            found.setdefault(profile, []).append(unit.name)
    order = sorted(found, key=lambda p: (p.move, p.jump, p.vertical_counts, p.no_fall))
    return tuple(MovementClass(profile, tuple(sorted(found[profile]))) for profile in order)

"""The overlay that `show` is asked for: who moves, from where, and what is laid over the board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from falldamage_forge.cli.common import FORGE

if TYPE_CHECKING:
    from falldamage_forge.forge import Map
    from falldamage_forge.render.overlay import Overlay

SWITCHES = ("turns", "hazard", "control", "islands")


@dataclass(frozen=True, slots=True)
class Asked:
    """What the options say: switches that are on, `UNIT@TILE`, a tile, and numbers for both."""

    switches: tuple[str, ...]
    reach: str | None = None
    sight: str | None = None
    move: int | None = None
    jump: int | None = None

    @property
    def names(self) -> list[str]:
        """Every overlay asked for."""
        named = [("reach", self.reach), ("sight", self.sight)]
        return [*self.switches, *(name for name, value in named if value is not None)]


def overlays_asked(map_: Map, asked: Asked) -> list[Overlay]:
    """The overlays asked for, under the map's own game."""
    return [_overlay(map_, name, asked) for name in asked.names]


def _overlay(map_: Map, name: str, asked: Asked) -> Overlay:
    from falldamage_forge.render import overlays

    position = FORGE.position(map_)
    wanted = (("move", asked.move), ("jump", asked.jump))
    changes = {key: value for key, value in wanted if value is not None}
    who, place = _unit_at(asked.reach)
    unit = position.unit(who or position.plain, **changes)
    told = position.game.told(unit.profile)
    if name == "reach":
        return overlays.reach(unit, position.place(place), who.capitalize() or told)
    if name == "sight":
        return overlays.sight(position, position.place(asked.sight or ""))
    if name == "hazard":
        return overlays.hazard(position)
    draw = {"turns": overlays.turns, "control": overlays.control, "islands": overlays.islands}
    return draw[name](position, unit.profile)


def _unit_at(reach: str | None) -> tuple[str, str]:
    """Name and place of `UNIT@TILE` or `TILE`, each with an optional `@LEVEL`."""
    from falldamage_forge.board.grid import parse_place

    try:
        parse_place(reach or "A1")
    except ValueError:
        who, _, place = (reach or "").partition("@")
        return who, place
    return "", reach or ""

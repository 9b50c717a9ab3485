"""Overlay options of `show`: the unit, its start, and the overlay to draw."""

from __future__ import annotations

from typing import TYPE_CHECKING

from falldamage_forge.cli import option
from falldamage_forge.cli.map_argument import FORGE
from falldamage_forge.infra.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from falldamage_forge.library.forge import Map
    from falldamage_forge.render.overlay import Overlay

SWITCHES = ("turns", "hazard", "control", "islands")


@dataclass(frozen=True, slots=True)
class OverlayRequest:
    """The overlay options: switches that are on, `UNIT@TILE`, a tile, Move and Jump."""

    switches: tuple[str, ...]
    reach: str | None = None
    sight: str | None = None
    move: int | None = None
    jump: int | None = None

    @property
    def names(self) -> list[str]:
        """Return the names of the requested overlays."""
        named = [("reach", self.reach), ("sight", self.sight)]
        return [*self.switches, *(name for name, value in named if value is not None)]


def _request(
    reach: str | None, sight: str | None, move: int | None, jump: int | None, **switches: bool
) -> OverlayRequest:
    named = tuple(name for name in SWITCHES if switches[name])
    return OverlayRequest(named, reach, sight, move, jump)


OVERLAY = option.group(
    _request,
    reach=option.text(
        "Overlay: surfaces that a unit (or --move, --jump) reaches in one turn.",
        metavar="UNIT@TILE",
        de="Ebene: Flächen, die eine Einheit (oder --move, --jump) in einem Zug erreicht.",
    ),
    sight=option.text(
        "Overlay: surfaces in sight of a unit on this tile.",
        metavar="TILE",
        de="Ebene: Flächen in Sicht einer Einheit auf diesem Feld.",
    ),
    turns=option.flag("Overlay: turns from the starts.", de="Ebene: Züge von den Starts."),
    hazard=option.flag(
        "Overlay: depth of falls over the edges.", de="Ebene: Tiefe der Stürze über die Kanten."
    ),
    control=option.flag(
        "Overlay: side that arrives first.", de="Ebene: Seite, die zuerst ankommt."
    ),
    islands=option.flag(
        "Overlay: surfaces that no start reaches without damage.",
        de="Ebene: Flächen, die kein Start ohne Schaden erreicht.",
    ),
    move=option.whole(
        1,
        30,
        "Move for overlays, instead of a unit's.",
        de="Bewegung für Ebenen, statt jener einer Einheit.",
    ),
    jump=option.whole(
        0,
        30,
        "Jump for overlays, instead of a unit's.",
        de="Sprung für Ebenen, statt jenem einer Einheit.",
    ),
)


def requested_overlays(map_: Map, asked: OverlayRequest) -> list[Overlay]:
    """Return the requested overlays under the map's own ruleset.

    Args:
        map_: The map.
        asked: Names and values of the overlay options.
    """
    return [_overlay(map_, name, asked) for name in asked.names]


def _overlay(map_: Map, name: str, asked: OverlayRequest) -> Overlay:
    from falldamage_forge.render import rule_overlays

    position = FORGE.position(map_)
    wanted = (("move", asked.move), ("jump", asked.jump))
    changes = {key: value for key, value in wanted if value is not None}
    who, place = _unit_at(asked.reach)
    unit = position.unit(who or position.plain, **changes)
    text = position.game.unit_title(unit.profile)
    if name == "reach":
        return rule_overlays.reach(unit, position.place(place), who.capitalize() or text)
    if name == "sight":
        return rule_overlays.sight(position, position.place(asked.sight or ""))
    if name == "hazard":
        return rule_overlays.hazard(position)
    draw = {
        "turns": rule_overlays.turns,
        "control": rule_overlays.control,
        "islands": rule_overlays.islands,
    }
    return draw[name](position, unit.profile)


def _unit_at(reach: str | None) -> tuple[str, str]:
    """Return name and place of `UNIT@TILE` or `TILE`, each with an optional `@LEVEL`."""
    from falldamage_forge.board.coordinates import parse_place

    try:
        parse_place(reach or "A1")
    except ValueError:
        who, _, place = (reach or "").partition("@")
        return who, place
    return "", reach or ""

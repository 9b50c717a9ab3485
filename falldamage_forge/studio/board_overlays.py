"""Overlays of the page: for a unit, from a tile, to another tile, or of the whole board.

A mark is [row, col, level, colour, text] with colours as #rrggbb of the light palette; an arrow is
[[row, col, level], [row, col, level], colour].
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from falldamage_forge.board import DIRECTIONS, Board, Tile
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.issues import ForgeError, has_errors, refuse
from falldamage_forge.render.palette import LIGHT
from falldamage_forge.studio.message_tables import changed_tiles
from falldamage_forge.studio.protocol import message

if TYPE_CHECKING:
    from falldamage_forge.render.overlay import Overlay
    from falldamage_forge.rules.answers import Path
    from falldamage_forge.rules.position import Position
    from falldamage_forge.studio.session import Session

Lay = dict[str, Any]


def compute_overlay(
    session: Session, kind: str, tile: str, target: str = "", unit: str = ""
) -> dict[str, Any]:
    """Return an overlay as a message: title, marks, arrows and legend, or `why` there is none.

    Args:
        session: The session.
        kind: A key of `LAYS`.
        tile: The tile under the pointer.
        target: The end of a path.
        unit: The unit; empty for the plain one.
    """
    asked = {"kind": kind, "tile": tile, "to": target, "revision": session.revision}
    try:
        position = _position(session)
        found = LAYS[kind](position, tile, target, unit or position.plain)
    except (ForgeError, ValueError) as error:
        why = error.issues[0].message if isinstance(error, ForgeError) else str(error)
        return message("overlay", **asked, why=why)
    return message("overlay", **asked, **found)


def units(session: Session) -> dict[str, Any]:
    """Return the units of the map's ruleset, the plain one first, and its kinds of fittings."""
    try:
        position = _position(session)
    except ForgeError:
        return message("units", names=[], rules="", fittings=[])
    names = dict.fromkeys((position.plain, *position.game.units))
    fittings = list(position.game.fittings)
    return message("units", names=list(names), rules=position.game.title, fittings=fittings)


def _position(session: Session) -> Position:
    """Return the analysis of the last board that could be parsed."""
    from falldamage_forge.studio.session import map_of
    from falldamage_forge.studio.shared_library import forge

    map_ = map_of(session)
    game, issues = forge().game(map_)
    if has_errors(issues):
        raise ForgeError(issues)
    return forge().on(map_.board, game)


def _told(found: Overlay) -> Lay:
    marks = [
        [*mark.tile, mark.level, found.colour(LIGHT, mark.tint), mark.text] for mark in found.marks
    ]
    legend = [[found.colour(LIGHT, tint), words] for tint, words in found.legend]
    return {"title": found.title, "marks": marks, "arrows": [], "legend": legend}


def _reach(position: Position, tile: str, to: str, unit: str) -> Lay:
    """One turn: costs and damage."""
    from falldamage_forge.render import rule_overlays

    return _told(rule_overlays.reach(position.unit(unit), position.place(tile), unit))


def _farther(position: Position, tile: str, to: str, unit: str) -> Lay:
    """Turns to all surfaces."""
    found = position.unit(unit).reach(tile)
    turns = [(row.surface, row.turns) for row in found.surfaces if row.turns is not None]
    most = min(max((count for _, count in turns), default=0), len(LIGHT.heat) - 1)
    return {
        "title": f"turns of {unit} from {found.start}",
        "marks": [
            [*at.tile, at.level, LIGHT.heat[min(count, len(LIGHT.heat) - 1)], str(count)]
            for at, count in turns
        ],
        "arrows": [],
        "legend": [
            [LIGHT.heat[count], f"{count} turn{'s' * (count != 1)}"] for count in range(most + 1)
        ],
    }


def _sight(position: Position, tile: str, to: str, unit: str) -> Lay:
    from falldamage_forge.render import rule_overlays

    return _told(rule_overlays.sight(position, position.place(tile)))


def _whole(name: str) -> Callable[[Position, str, str, str], Lay]:
    """Return the overlay of a function that covers the whole board."""

    def found(position: Position, tile: str, to: str, unit: str) -> Lay:
        from falldamage_forge.render import rule_overlays

        plain = name == "hazard"
        draw = getattr(rule_overlays, name)
        return _told(draw(position) if plain else draw(position, unit))

    return found


def _path(position: Position, tile: str, to: str, unit: str) -> Lay:
    """The best path between two tiles; one with damage if there is no other."""
    if not to:
        raise ValueError("choose the other end")
    one = position.unit(unit)
    found = one.path(tile, to)
    if not found.found:
        found = one.path(tile, to, any_damage=True)
    if not found.found:
        raise ValueError(f"{unit} finds no way from {found.start} to {found.goal}")
    return _way(found)


def _way(found: Path) -> Lay:
    at, arrows, marks = found.start, [], []
    for step in found.steps:
        colour = LIGHT.heat[min(step.turn, len(LIGHT.heat) - 1)] if not step.harm else LIGHT.lava
        if step.surface != at:
            arrows.append([_spot(at), _spot(step.surface), colour])
        at = step.surface
        text = f"{step.turn}" + (f"!{step.harm}" if step.harm else "")
        marks.append([*at.tile, at.level, colour, text])
    harm = f", {found.harm} damage" if found.harm else ""
    chance = f", chance {found.chance}" if found.chance != 1 else ""
    cost = f"{found.scale.tell(found.cost)} {found.scale.name}"
    title = f"{found.unit} from {found.start} to {found.goal}: turn {found.turns}, {cost}"
    last = {(row, col, level): mark for mark in marks for row, col, level in [mark[:3]]}
    legend = [[LIGHT.heat[2], "the number is the turn"], [LIGHT.lava, "! damage on the way"]]
    return {
        "title": title + harm + chance,
        "marks": list(last.values()),
        "arrows": arrows,
        "legend": legend,
    }


def _push(position: Position, tile: str, to: str, unit: str) -> Lay:
    """The result of a push by one tile in each direction."""
    here = position.place(tile)
    marks, arrows = [], []
    for way in DIRECTIONS:
        behind = Surface(here.tile.step((-way[0], -way[1])), here.level)
        found = position.push(behind, here, "B1")
        beside = here.tile.step(way)
        dead, harm = found.end is None, found.damage
        colour = LIGHT.marks[1] if dead else LIGHT.heat[min(harm + 1, 5)] if harm else LIGHT.heat[0]
        end = found.end or Surface(beside if beside in position.board else here.tile, here.level)
        arrows.append([_spot(here), _off(here, way) if dead else _spot(end), colour])
        if dead or end != here:
            marks.append([*end.tile, end.level, colour, "X" if dead else str(harm)])
    title = f"one tile of push from {here}: damage, X deadly"
    legend = [[LIGHT.heat[0], "0 damage"], [LIGHT.heat[3], "more damage"]]
    return {
        "title": title,
        "marks": marks,
        "arrows": arrows,
        "legend": [*legend, [LIGHT.marks[1], "X deadly"]],
    }


def _loss(position: Position, tile: str, to: str, unit: str) -> Lay:
    """Surfaces that become unreachable, and units that fall, when the feature here is destroyed."""
    at = position.place_tile(tile.partition("@")[0])
    name, after = _wreck(position, at)
    then = position.on(after)
    before, left = _reached(position, unit), _reached(then, unit)
    surfaces = set(position.graph.surfaces)
    gone = surfaces - set(then.graph.surfaces)
    lost = (before - left) & set(then.graph.surfaces)
    red, grey = LIGHT.marks[1], LIGHT.marks[6]
    marks: list[list[Any]] = [[*one.tile, one.level, grey, "×"] for one in sorted(lost)]
    arrows = []
    for one in sorted(gone):
        fall = position.game.what_if(position.board, [f"without {at}"], one)
        marks.append([*one.tile, one.level, red, "X" if fall.unit is None else f"-{fall.damage}"])
        if fall.unit is not None and fall.unit != one:
            arrows.append([_spot(one), _spot(fall.unit), red])
    plural = "s are" if len(lost) != 1 else " is"
    title = f"without the {name}: {len(lost)} surface{plural} cut off for {unit}"
    legend = [[red, "falls, with the damage"], [grey, "× nobody gets here any more"]]
    return {"title": title, "marks": marks, "arrows": arrows, "legend": legend}


def _wreck(position: Position, at: Tile) -> tuple[str, Board]:
    """Return the destructible feature on a tile, by name, and the board without it."""
    board = position.board
    for name, _, after in position.game.destruction_results(board):
        if at in {Tile(row, col) for row, col, *_ in changed_tiles(board, after)}:
            return name, after
    message = f"no bridge, ladder or tree stands on {at}"
    raise refuse("FDF340", message, "point at one of them")


def _reached(position: Position, unit: str) -> set[Surface]:
    """Return the surfaces that some start reaches without damage."""
    starts = [number for zone in position.zones(unit).values() for number in zone]
    places = position.model(unit).places
    return {places[number].anchor for number in position.flood(unit, starts)}


def _spot(surface: Surface) -> list[int]:
    return [*surface.tile, surface.level]


def _off(here: Surface, way: tuple[int, int]) -> list[int]:
    """Return a place over the edge."""
    return [here.tile.row + way[0], here.tile.col + way[1], here.level]


LAYS: Mapping[str, Callable[[Position, str, str, str], Lay]] = {
    "reach": _reach,
    "farther": _farther,
    "path": _path,
    "sight": _sight,
    "push": _push,
    "loss": _loss,
    "turns": _whole("turns"),
    "control": _whole("control"),
    "hazard": _whole("hazard"),
    "islands": _whole("islands"),
}
"""Overlays by kind."""

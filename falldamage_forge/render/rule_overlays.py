"""Overlays of rule queries: reach, turns, control, islands, hazard and sight."""

from __future__ import annotations

from collections.abc import Iterable

from falldamage_forge.board.surfaces import Surface
from falldamage_forge.render.overlay import Overlay, OverlayMark
from falldamage_forge.rules.answers import Hazard
from falldamage_forge.rules.bitset_bfs import bits
from falldamage_forge.rules.position import Position
from falldamage_forge.rules.ruleset import Ruleset
from falldamage_forge.rules.unit_on_board import BoardUnit
from falldamage_forge.rules.unit_values import Profile

CONTESTED = 6
"""Tint of surfaces that no side reaches first."""
MOST_TINTS = 5
_SIDE_TINTS = {"blue": 0, "red": 1}


def reach(unit: BoardUnit, start: Surface, who: str) -> Overlay:
    """Return the overlay of surfaces where one turn can end: the least cost, `!` and damage if any.

    Args:
        unit: Unit on its board.
        start: Surface it starts from.
        who: Name of the unit, for the title.

    Raises:
        ForgeError: If the unit cannot stand on `start`.
    """
    result = unit.reach(start)
    scale = result.scale
    marks = []
    for row in result.surfaces:
        if not row.now:
            continue
        cost, damage, chance = row.now[0]
        text = scale.tell(cost) + (f"!{damage}" if damage else "")
        if chance != 1:
            text += f" {round(chance * 100)}%"
        tint = int(scale.exact(cost))
        marks.append(OverlayMark(*row.surface, tint, "" if row.surface == result.start else text))
    most = max((mark.tint for mark in marks), default=0)
    legend = [
        (n, f"{n} {'Move' if scale.name == 'tiles' else scale.name}") for n in range(most + 1)
    ]
    return Overlay("reach", f"{who} from {start.tile} in one turn", _sorted(marks), tuple(legend))


def turns(position: Position, unit: Profile | None = None) -> Overlay:
    """Return the overlay of least turns without damage from the nearest start zone.

    Args:
        position: Board under a ruleset.
        unit: Movement profile; None for the ruleset's plain unit.
    """
    unit = unit or position.plain
    places = position.model(unit).places
    least: dict[Surface, int] = {}
    for layers in position.layers(unit).values():
        for turn, layer in enumerate(layers):
            for number in bits(layer):
                at = places[number].anchor
                least[at] = min(turn, least.get(at, turn))
    marks = [OverlayMark(*at, count, str(count)) for at, count in least.items()]
    most = min(max(least.values(), default=0), MOST_TINTS)
    legend = tuple(
        (n, f"{n} turn{'s' * (n != 1)}{' or more' * (n == MOST_TINTS)}") for n in range(most + 1)
    )
    title = f"turns from the starts, {_who(position, unit)}"
    return Overlay("turns", title, _sorted(marks), legend)


def control(position: Position, unit: Profile | None = None) -> Overlay:
    """Return the overlay of the side that arrives first, with its turns; `=` for a tie.

    Args:
        position: Board under a ruleset.
        unit: Movement profile; None for the ruleset's plain unit.
    """
    unit = unit or position.plain
    sides = position.sides
    tints = {side: _SIDE_TINTS.get(side, 2 + number) for number, side in enumerate(sides)}
    marks = []
    model = position.model(unit)
    for surface, numbers in model.standing.items():
        goal = sum(1 << number for number in numbers)
        arrivals = {side: position.turns_to(unit, side, goal) for side in sides}
        best = min((turn for turn in arrivals.values() if turn is not None), default=None)
        if best is None or surface not in model.index:
            continue
        first = [side for side, turn in arrivals.items() if turn == best]
        alone = len(first) == 1
        text = (first[0][:1].upper() if alone else "=") + str(best)
        marks.append(OverlayMark(*surface, tints[first[0]] if alone else CONTESTED, text))
    legend = [(tints[side], f"{side} first") for side in sides]
    legend.append((CONTESTED, "at the same time"))
    title = f"who is there first, {_who(position, unit)}"
    return Overlay("control", title, _sorted(marks), tuple(legend), "marks")


def islands(position: Position, unit: Profile | None = None) -> Overlay:
    """Return the overlay of surfaces that no start reaches without damage, by component.

    Args:
        position: Board under a ruleset.
        unit: Movement profile; None for the ruleset's plain unit.
    """
    unit = unit or position.plain
    places = position.model(unit).places
    starts = [number for zone in position.zones(unit).values() for number in zone]
    reached = position.flood(unit, starts)
    there = {places[number].anchor for number in reached}
    remaining = [number for number, place in enumerate(places) if place.anchor not in there]
    marks: list[OverlayMark] = []
    legend: list[tuple[int, str]] = []
    while remaining:
        group = position.flood(unit, remaining[:1]) - reached
        letter = chr(65 + len(legend) % 26)
        tint = len(legend) % CONTESTED
        island = {places[at].anchor for at in remaining if at in group}
        marks += [OverlayMark(*at, tint, letter) for at in island]
        size = len(island)
        legend.append((tint, f"island {letter}, {size} surface{'s' * (size != 1)}"))
        remaining = [at for at in remaining if places[at].anchor not in island]
    title = f"out of reach without damage, {_who(position, unit)}"
    if not marks:
        title = f"nothing is out of reach, {_who(position, unit)}"
    return Overlay("islands", title, _sorted(marks), tuple(legend), "marks")


def hazard(position: Position) -> Overlay:
    """Return the overlay of the worst fall from each surface after a push; `X` if it kills.

    In a ruleset with probabilities the marks are chances, and the legend names the depths of falls.
    """
    game = position.game
    hazards = game.hazards(position.graph, position.plain)
    if any(one.chance is not None for one in hazards):
        return _chances(hazards)
    if type(game).hazards is Ruleset.hazards:
        return Overlay("hazard", f"there are no falls in {game.title}", (), ())
    falls = position.game.worst_falls(position.graph)
    marks = []
    for surface, (levels, dead) in falls.items():
        tint = MOST_TINTS if dead else min(levels, 4)
        marks.append(OverlayMark(*surface, tint, "X" if dead else str(levels)))
    legend = [(n, f"{n} damage{' or more' * (n == 4)}") for n in range(1, 5)]
    title = "hazard: the worst of a push by one tile"
    return Overlay("hazard", title, _sorted(marks), (*legend, (MOST_TINTS, "X deadly")))


def _chances(hazards: Iterable[Hazard]) -> Overlay:
    """Return falls by their chance, one colour for each kind of fall."""
    listed = sorted(hazards, key=lambda one: (one.levels, one.text))
    tints = {
        text: min(n, MOST_TINTS) for n, text in enumerate(dict.fromkeys(o.text for o in listed))
    }
    marks = [OverlayMark(*one.surface, tints[one.text], str(one.chance)) for one in listed]
    legend = tuple((tint, text) for text, tint in tints.items())
    return Overlay("hazard", "hazard: the chance of a fall", _sorted(marks), legend, "marks")


def sight(position: Position, viewer: Surface) -> Overlay:
    """Return the overlay of surfaces that a unit sees on an empty board; `V` is the viewer.

    Args:
        position: Map and rules.
        viewer: Surface of the unit.
    """
    marks = []
    seen = 0
    for target in position.graph.surfaces:
        if target == viewer:
            marks.append(OverlayMark(*target, 4, "V"))
            continue
        visible = position.sees(viewer, target).visible
        seen += visible
        marks.append(OverlayMark(*target, 5 if visible else CONTESTED, "" if visible else "×"))
    others = len(position.graph.surfaces) - 1
    title = f"sight from {viewer.tile}: {seen} of {others} surfaces"
    legend = ((4, "V viewer"), (5, "seen"), (CONTESTED, "× not seen"))
    return Overlay("sight", title, tuple(marks), legend, "marks")


def _sorted(marks: list[OverlayMark]) -> tuple[OverlayMark, ...]:
    return tuple(sorted(marks, key=lambda mark: (mark.tile, mark.level)))


def _who(position: Position, unit: Profile) -> str:
    return position.game.unit_title(unit)

"""What makes a map good to play: measures with verdicts, each for all movement classes it needs.

`docs/metrics.md` defines every measure with its source and threshold. A measure never stops a
build; `check` turns some of them into warnings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

from falldamage_forge.board import DIRECTIONS, Board, Feature, Tile
from falldamage_forge.rules.abilities import without_tree
from falldamage_forge.rules.bitset import bits, mask_of, one_turn_masks, turn_layers
from falldamage_forge.rules.classes import MovementClass
from falldamage_forge.rules.cut import least_cut
from falldamage_forge.rules.movement import MoveGraph, Profile, move_graph
from falldamage_forge.rules.push import Push, push_unit
from falldamage_forge.rules.reach import can_attack
from falldamage_forge.rules.ruleset import Ruleset
from falldamage_forge.rules.sightmap import visible_sets
from falldamage_forge.rules.symmetry import image, symmetries
from falldamage_forge.rules.units import Unit
from falldamage_forge.surfaces import Surface, SurfaceGraph, surface_graph

Verdict = Literal["good", "warn", "bad", "info"]


@dataclass(frozen=True, slots=True)
class Metric:
    """One measure: what was found, in words and numbers, and the tiles it speaks of."""

    name: str
    verdict: Verdict
    text: str
    values: Mapping[str, Any] = field(default_factory=dict)
    tiles: tuple[Tile, ...] = ()


@dataclass(frozen=True)
class Study:
    """A board made ready: surfaces, sides, and layers of turns by class and side."""

    board: Board
    ruleset: Ruleset
    graph: SurfaceGraph
    classes: tuple[MovementClass, ...]
    units: Mapping[str, Unit]
    moves: Mapping[str, MoveGraph]
    sides: tuple[str, ...]
    zones: Mapping[str, int]
    layers: Mapping[tuple[str, str], list[int]]
    plain: str

    @cached_property
    def seen(self) -> tuple[int, ...]:
        """For each surface the set of surfaces seen from it."""
        return visible_sets(self.graph, self.ruleset.options)

    def reached(self, name: str, side: str, turns: int | None = None) -> int:
        """Surfaces a class of a side reaches within some turns, or ever."""
        mask = 0
        for layer in self.layers[name, side][: None if turns is None else turns + 1]:
            mask |= layer
        return mask

    def turns(self, name: str, side: str, goals: int) -> int | None:
        """Least turns to any of the goals."""
        for turn, layer in enumerate(self.layers[name, side]):
            if layer & goals:
                return turn
        return None

    def tiles(self, mask: int) -> tuple[Tile, ...]:
        """Tiles of a set of surfaces, sorted."""
        return tuple(sorted({self.graph.surfaces[number].tile for number in bits(mask)}))


def study(
    board: Board, ruleset: Ruleset, classes: tuple[MovementClass, ...], units: Mapping[str, Unit]
) -> Study:
    """Everything the measures share. The plain class has the rules' proof Move and Jump 1."""
    graph = surface_graph(board, ruleset.options.terrain)
    plain = MovementClass(Profile(ruleset.proof_move, ruleset.proof_jumps[0]), ())
    every = {group.name: group for group in (plain, *classes)}
    moves = {
        name: move_graph(graph, group.profile, ruleset.options) for name, group in every.items()
    }
    zones = {
        zone.side: mask_of(
            graph.index[Surface(tile, level)]
            for tile, level in zone.surfaces
            if Surface(tile, level) in graph.index
        )
        for zone in board.starts
    }
    masks = {name: one_turn_masks(graph_of) for name, graph_of in moves.items()}
    layers = {
        (name, side): turn_layers(masks[name], zone)
        for name in every
        for side, zone in zones.items()
    }
    return Study(
        board, ruleset, graph, tuple(every.values()), units, moves, tuple(zones), zones, layers,
        plain.name,
    )  # fmt: skip


def analyze(subject: Study) -> tuple[Metric, ...]:
    """All measures in order."""
    return tuple(metric for measure in MEASURES for metric in measure(subject))


def _grade(good: bool, warn: bool = False) -> Verdict:
    return "good" if good else "warn" if warn else "bad"


def _sum(masks: Iterator[int]) -> int:
    total = 0
    for mask in masks:
        total |= mask
    return total


# -- getting there -------------------------------------------------------------------------------


def connection(s: Study) -> Iterator[Metric]:
    """Classes whose units get from each side's whole start to the other's without damage."""
    cut_off = []
    for group in s.classes:
        for side in s.sides:
            goals = _sum(zone for other, zone in s.zones.items() if other != side)
            if goals & ~s.reached(group.name, side):
                cut_off.append(group.name)
                break
    text = "every movement class gets from start to start"
    if cut_off:
        text = f"cut off without damage: {'; '.join(cut_off)}"
    yield Metric("connection", _grade(not cut_off), text, {"cut_off": cut_off})


def coverage(s: Study) -> Iterator[Metric]:
    """Share of surfaces that some side reaches, for the plain class and for each class."""
    count = len(s.graph.surfaces)
    shares = {
        group.name: round(
            _sum(s.reached(group.name, side) for side in s.sides).bit_count() / count, 3
        )
        for group in s.classes
    }
    share = shares[s.plain]
    missed = ((1 << count) - 1) & ~_sum(s.reached(s.plain, side) for side in s.sides)
    text = f"{share:.0%} of {count} surfaces are reached by a unit with Jump 1"
    yield Metric("coverage", _grade(share >= 0.9, share >= 0.7), text, shares, s.tiles(missed))


def contact(s: Study) -> Iterator[Metric]:
    """Turns until a plain unit stands next to the enemy's start, and attacks in the first one."""
    soonest: dict[str, int | None] = {}
    for side in s.sides:
        goals = _sum(zone for other, zone in s.zones.items() if other != side)
        near = mask_of(
            number
            for number, surface in enumerate(s.graph.surfaces)
            if any(
                can_attack(surface, s.graph.surfaces[goal], 1, s.ruleset.options)
                for goal in bits(goals)
            )
        )
        soonest[side] = s.turns(s.plain, side, near)
    known = [turns for turns in soonest.values() if turns is not None]
    least = min(known, default=None)
    text = "the sides never meet" if least is None else f"first contact in turn {least}"
    good, warn = least is not None and least >= 2, least == 1
    yield Metric("contact", _grade(good, warn), text, soonest)


def first_strike(s: Study) -> Iterator[Metric]:
    """Units that can hit somebody on the enemy's start in their very first activation."""
    seen = s.seen
    strikers: dict[str, str] = {}
    for unit in s.units.values():
        group = next((g for g in s.classes if unit.name in g.units), None)
        if group is None or (unit.attack == 0 and not unit.push):
            continue
        for side in s.sides:
            goals = _sum(zone for other, zone in s.zones.items() if other != side)
            for number in bits(s.reached(group.name, side, 1)):
                marks = goals & seen[number] if unit.needs_sight else goals
                here = s.graph.surfaces[number]
                if any(
                    can_attack(here, s.graph.surfaces[mark], unit.reach, s.ruleset.options)
                    for mark in bits(marks)
                ):
                    strikers.setdefault(unit.name, f"{side} on {here}")
                    break
    names = ", ".join(sorted(strikers))
    text = f"can hit in their first activation: {names}" if names else "nobody hits at once"
    yield Metric("first strike", _grade(not strikers, len(strikers) <= 2), text, strikers)


# -- fairness ------------------------------------------------------------------------------------


def treasure(s: Study) -> Iterator[Metric]:
    """Turns of each side to each chest; the largest difference is what counts."""
    table: dict[str, dict[str, int | None]] = {}
    worst, tiles = 0, []
    for chest in s.board.treasures:
        number = s.graph.index.get(Surface(chest.tile, chest.level))
        goal = 0 if number is None else 1 << number
        turns = {side: s.turns(s.plain, side, goal) for side in s.sides}
        table[f"{chest.tile}@{chest.level}"] = turns
        known = [turn for turn in turns.values() if turn is not None]
        gap = 99 if len(known) < len(turns) else max(known, default=0) - min(known, default=0)
        if gap:
            tiles.append(chest.tile)
    totals = {
        side: sum(99 if t[side] is None else t[side] or 0 for t in table.values())
        for side in s.sides
    }
    worst = max(totals.values(), default=0) - min(totals.values(), default=0)
    text = "no treasure on the map"
    if table:
        sums = " and ".join(f"{side} {turns}" for side, turns in totals.items())
        text = f"turns to all chests together: {sums}"
    yield Metric("treasure", _grade(worst <= 1, worst <= 2), text, table, tuple(tiles))


def certificate(s: Study) -> str | None:
    """A symmetry that exchanges the two sides: then every measure is equal for both, exactly."""
    if len(s.sides) != 2:
        return None
    zones = {zone.side: frozenset(zone.surfaces) for zone in s.board.starts}
    for name in symmetries(s.board):
        other = {zone.side: frozenset(zone.surfaces) for zone in image(s.board, name).starts}
        if zones[s.sides[0]] == other[s.sides[1]] and zones[s.sides[1]] == other[s.sides[0]]:
            return name
    return None


def control(s: Study) -> Iterator[Metric]:
    """Surfaces each side reaches first, and how many it reaches, after 1, 2 and 3 turns."""
    proof = certificate(s)
    values: dict[str, Any] = {"certificate": proof}
    worst = 0.0
    for turn in (1, 2, 3):
        reach = {side: s.reached(s.plain, side, turn) for side in s.sides}
        counts = {side: mask.bit_count() for side, mask in reach.items()}
        values[f"reach after {turn}"] = counts
        high, low = max(counts.values(), default=0), min(counts.values(), default=0)
        worst = max(worst, (high - low) / high if high else 0.0)
    owned = dict.fromkeys(s.sides, 0)
    for number in range(len(s.graph.surfaces)):
        times = {side: s.turns(s.plain, side, 1 << number) for side in s.sides}
        first = min((t for t in times.values() if t is not None), default=None)
        owners = [side for side, t in times.items() if t is not None and t == first]
        if len(owners) == 1:
            owned[owners[0]] += 1
    values["reached first"] = owned
    high, low = max(owned.values(), default=0), min(owned.values(), default=0)
    worst = max(worst, (high - low) / max(len(s.graph.surfaces), 1))
    values["difference"] = round(worst, 3)
    text = f"the sides differ by at most {worst:.0%} in reach and control"
    if proof:
        text = f"exactly fair: {proof} exchanges the sides"
    yield Metric("control", _grade(worst <= 0.1, worst <= 0.2), text, values)


# -- shape ---------------------------------------------------------------------------------------


def choke_points(s: Study) -> Iterator[Metric]:
    """Least number of surfaces that part the sides when they are blocked."""
    moves = s.moves[s.plain]
    first, second = (s.zones[side] for side in s.sides[:2]) if len(s.sides) > 1 else (0, 0)
    if not first or not second:
        yield Metric("choke points", "info", "two sides are needed", {})
        return
    links = [[edge.to for edge in out if edge.damage == 0] for out in moves.edges]
    cut = least_cut(links, first, second)
    tiles = tuple(s.graph.surfaces[number].tile for number in cut)
    text = f"{len(cut)} surfaces can keep the sides apart"
    verdict = _grade(len(cut) >= 4, len(cut) >= 2)
    yield Metric("choke points", verdict, text, {"cut": len(cut)}, tiles)


def high_ground(s: Study) -> Iterator[Metric]:
    """The highest surfaces: who is first there, how many ways lead up, how much they see."""
    top = max((surface.level for surface in s.graph.surfaces), default=0)
    peaks = [n for n, surface in enumerate(s.graph.surfaces) if top and surface.level == top]
    seen = s.seen
    count = max(len(s.graph.surfaces) - 1, 1)
    table, contested = {}, True
    for number in peaks:
        turns = {side: s.turns(s.plain, side, 1 << number) for side in s.sides}
        ways = sum(
            edge.to == number and edge.damage == 0 for out in s.moves[s.plain].edges for edge in out
        )
        table[str(s.graph.surfaces[number])] = {
            "turns": turns,
            "approaches": ways,
            "sees": round(seen[number].bit_count() / count, 2),
        }
        contested = contested and ways > 1
    text = f"{len(peaks)} surfaces at level {top}" if peaks else "the board is flat"
    tiles = tuple(sorted({s.graph.surfaces[number].tile for number in peaks}))
    yield Metric("high ground", "good" if contested else "warn", text, table, tiles)


def push_exposure(s: Study) -> Iterator[Metric]:
    """Surfaces from which a push of one tile makes a unit fall 3 levels or more, or kills it."""
    worst: dict[int, int] = {}
    deadly: set[int] = set()
    for number, surface in enumerate(s.graph.surfaces):
        for offset in DIRECTIONS:
            behind = Surface(surface.tile.step((-offset[0], -offset[1])), surface.level)
            result = push_unit(
                s.graph.terrain, behind, surface, Push("B", 1), s.ruleset.options, way=offset
            )
            if result.dead:
                deadly.add(number)
            worst[number] = max(worst.get(number, 0), result.damage)
    high = {number for number, damage in worst.items() if damage >= 3} | deadly
    share = len(high) / max(len(s.graph.surfaces), 1)
    values = {
        "fall 1 or more": sum(damage >= 1 for damage in worst.values()),
        "fall 3 or more": sum(damage >= 3 for damage in worst.values()),
        "into lava or off": len(deadly),
    }
    text = f"{share:.0%} of surfaces are a push away from death or 3 damage"
    tiles = tuple(sorted({s.graph.surfaces[number].tile for number in high}))
    verdict = _grade(0.05 <= share <= 0.45, True)
    yield Metric("push exposure", verdict, text, values, tiles)


def openness(s: Study) -> Iterator[Metric]:
    """Share of pairs of surfaces that see each other."""
    seen = s.seen
    count = len(seen)
    share = sum(mask.bit_count() for mask in seen) / max(count * (count - 1), 1)
    text = f"{share:.0%} of pairs of surfaces see each other"
    yield Metric("sight", _grade(0.25 <= share <= 0.75, True), text, {"share": round(share, 3)})


def robustness(s: Study) -> Iterator[Metric]:
    """What becomes unreachable for a plain unit when one bridge, ladder or tree is destroyed."""
    needed, tiles = [], []
    for name, where, board in _wrecks(s.board):
        graph = surface_graph(board, s.ruleset.options.terrain)
        moves = move_graph(graph, s.moves[s.plain].profile, s.ruleset.options)
        masks = one_turn_masks(moves)
        for side in s.sides:
            start = mask_of(
                graph.index[surface]
                for number in bits(s.zones[side])
                if (surface := s.graph.surfaces[number]) in graph.index
            )
            reached = _sum(iter(turn_layers(masks, start)))
            goals = [
                graph.index.get(Surface(c.tile, c.level))
                for c in s.board.treasures
                if Surface(c.tile, c.level) in graph.index
            ]
            goals += [
                graph.index.get(x)
                for o, z in s.zones.items()
                if o != side
                for n in bits(z)
                if (x := s.graph.surfaces[n]) in graph.index
            ]
            if any(goal is not None and not reached >> goal & 1 for goal in goals):
                needed.append(name)
                tiles.append(where)
                break
    text = "nothing on the map hangs on a single bridge, ladder or tree"
    if needed:
        text = f"a start or a chest is lost with: {', '.join(needed)}"
    yield Metric("robustness", _grade(not needed, True), text, {"needed": needed}, tuple(tiles))


def _wrecks(board: Board) -> Iterator[tuple[str, Tile, Board]]:
    """The board with one thing destroyed, for each thing that can be."""
    for deck in board.decks:
        left = tuple(other for other in board.decks if other is not deck)
        yield f"bridge {deck.a} -> {deck.b}", deck.a, replace(board, decks=left)
    for ladder in board.ladders:
        rest = tuple(other for other in board.ladders if other is not ladder)
        name = f"ladder {ladder.foot} -> {ladder.top}"
        yield name, ladder.foot, replace(board, ladders=rest)
    for tile in board.tiles():
        if board.column(tile).feature is Feature.TREE:
            yield f"tree {tile}", tile, without_tree(board, tile)


Measure = Callable[[Study], Iterator[Metric]]
MEASURES: tuple[Measure, ...] = (
    connection,
    coverage,
    contact,
    first_strike,
    treasure,
    control,
    choke_points,
    high_ground,
    push_exposure,
    openness,
    robustness,
)

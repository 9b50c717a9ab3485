"""Voluntary movement: a profile's moves over a board as a model of the engine.

Sources: "Unit Attributes and Game Mechanics: Move, Jump" of the rulebook. Places of the model are
the surfaces of the graph, number by number.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache, lru_cache, partial
from typing import NamedTuple

from falldamage_forge.board import Feature, Tile
from falldamage_forge.board.surfaces import Link, Surface, SurfaceGraph
from falldamage_forge.games.fall_damage.options import Options
from falldamage_forge.rules.clocks import SURE
from falldamage_forge.rules.game import NOBODY, Occupants
from falldamage_forge.rules.model import Allowance, Edge, Model, Place, Scale
from falldamage_forge.values import dataclass

UNLIMITED = 1_000_000
"""A Jump of this or more is "Unlimited vertical Move" (Assassin, Beast)."""
TILES = Scale("tiles")
_NAME = re.compile(r"M([0-9]{1,2}) J([0-9]{1,2}|any)")
_SPECIAL = {
    "levels count": "vertical_counts",
    "no fall damage": "no_fall",
    "passes enemies": "pass_enemies",
}


@dataclass(frozen=True, slots=True)
class Profile:
    """How a unit moves. `vertical_counts` is the Beast's, `no_fall` the Wrestler's.

    `health` bounds voluntary damage when the option `lethal_step` is `no`; None knows no bound.
    Entering a tile of `slow` costs 2 (Quicksand); a `ghost` passes through things (Discorporate).
    """

    move: int
    jump: int
    vertical_counts: bool = False
    no_fall: bool = False
    pass_enemies: bool = False
    health: int | None = None
    slow: frozenset[Tile] = frozenset()
    ghost: bool = False

    @property
    def name(self) -> str:
        """`M3 J1`, with what is special; health does not part units that move alike."""
        jump = "any" if self.jump >= UNLIMITED else str(self.jump)
        special = "".join(f", {words}" for words, key in _SPECIAL.items() if getattr(self, key))
        return f"M{self.move} J{jump}{special}"

    @classmethod
    def parse(cls, text: str) -> Profile | None:
        """The profile of a name such as `M3 J1` or `M2 Jany, levels count`; None for others."""
        head, *special = text.split(", ")
        match = _NAME.fullmatch(head)
        if match is None or not all(words in _SPECIAL for words in special):
            return None
        jump = UNLIMITED if match[2] == "any" else int(match[2])
        return replace(
            cls(int(match[1]), jump),
            **{_SPECIAL[words]: True for words in special},  # type: ignore[arg-type]
        )


class Row(NamedTuple):
    """What a link costs whoever takes it: tiles, levels of rise, the level unhurt in water."""

    to: int
    kind: str
    cost: int
    rise: int
    wet: bool


def model(
    graph: SurfaceGraph,
    name: str,
    profile: Profile,
    options: Options,
    others: Occupants = NOBODY,
) -> Model:
    """The moves that the rules leave a profile, each with cost and damage."""
    if profile.ghost:
        from falldamage_forge.games.fall_damage.abilities.ghost import ghost_graph

        ghostly = ghost_graph(graph)
        inside = frozenset(ghostly.graph.surfaces[number] for number in ghostly.inside)
        graph, others = ghostly.graph, replace(others, friends=others.friends | inside)
    enemies, friends = _numbers(graph, others.enemies), _numbers(graph, others.friends)
    if options.occupancy == "cell":
        enemies, friends = _whole_cells(graph, enemies), _whole_cells(graph, friends)
    blocked = frozenset() if profile.pass_enemies else enemies
    budget_up = options.jump_scope == "turn"
    slow = _slow(graph, profile)
    price = cache(partial(_price, profile, options, budget_up))  # a board has few kinds of links
    edges = tuple(
        tuple(
            edge
            for row in rows
            if row.to not in blocked and (edge := _edge(row, slow, price)) is not None
        )
        for rows in _rows(graph, options, others, profile.pass_enemies)
    )
    taken = enemies | friends
    return Model(
        name,
        _places(graph.surfaces),
        edges,
        profile.move,
        TILES,
        no_stop=taken,
        no_end=taken,
        strain=profile.jump if budget_up else None,
        allowance=Allowance(profile.jump, options.voluntary_fall)
        if options.fall_allowance == "per_turn"
        else None,
        lethal=profile.health if options.lethal_step == "no" else None,
    )


@lru_cache(maxsize=64)
def _places(surfaces: tuple[Surface, ...]) -> tuple[Place, ...]:
    return tuple(Place(surface, (surface,)) for surface in surfaces)


def _numbers(graph: SurfaceGraph, surfaces: Iterable[Surface]) -> frozenset[int]:
    return frozenset(graph.index[surface] for surface in surfaces if surface in graph.index)


def _whole_cells(graph: SurfaceGraph, numbers: frozenset[int]) -> frozenset[int]:
    tiles = {graph.surfaces[number].tile for number in numbers}
    return frozenset(n for n, surface in enumerate(graph.surfaces) if surface.tile in tiles)


# -- links, for everybody ------------------------------------------------------------------------


def _rows(
    graph: SurfaceGraph, options: Options, others: Occupants, passes: bool
) -> tuple[tuple[Row, ...], ...]:
    """The links that options and occupants leave, with what they cost, once for all profiles."""
    key = (options, others, passes)
    known: dict[object, tuple[tuple[Row, ...], ...]] = graph.memo.setdefault("rows", {})
    if key not in known:
        wet = tuple(_charged_as_water(graph, n, options) for n in range(len(graph.surfaces)))
        known[key] = tuple(
            tuple(
                _row(graph, link, options, wet)
                for link in links
                if link.kind != "leap" or leap_allowed(graph, link, options, others, passes)
            )
            for links in graph.links
        )
    return known[key]


def _row(graph: SurfaceGraph, link: Link, options: Options, wet: tuple[bool, ...]) -> Row:
    """Horizontal cost: a tile each, "double when on Water tile", the leapt tile counted once."""
    charged = wet[link.b if options.water_cost == "enter" else link.a]
    cost = (2 if charged else 1) + (link.kind == "leap")
    return Row(link.b, link.kind, cost, link.rise, graph.water(link.b))


def _charged_as_water(graph: SurfaceGraph, number: int, options: Options) -> bool:
    if graph.water(number):
        return True
    tile, level = graph.surfaces[number]
    column = graph.board.column(tile)
    return options.bridge_cost == "inherit" and column.ground == "water" and level > column.level


def leap_allowed(
    graph: SurfaceGraph, link: Link, options: Options, others: Occupants, passes: bool = False
) -> bool:
    """ "The empty tile you are crossing": a leap crosses what `leap_over` says, lands on nobody.

    With `leap_pass` one may come down on a friend, or with `passes` on an enemy, and go on.
    """
    if link.flush and options.gap == "strictly_lower":
        return False
    if options.leap_vertical == "level" and link.rise != 0:
        return False
    if options.leap_vertical == "none_up" and link.rise > 0:
        return False
    assert link.over is not None
    start, goal = graph.surfaces[link.a], graph.surfaces[link.b]
    if not _may_land(goal, others, options, passes):
        return False
    if options.leap_over == "empty" and _has_feature(graph, link.over):
        return False
    high = max(start.level, goal.level) + 1
    low = start.level if options.leap_over == "clear" else 0
    return not any(at.tile == link.over and low <= at.level < high for at in others.taken)


def _may_land(goal: Surface, others: Occupants, options: Options, passes: bool) -> bool:
    taken, friends = others.taken, others.friends
    if options.occupancy == "cell":
        tiles = {at.tile for at in taken}
        if goal.tile not in tiles:
            return True
        return options.leap_pass == "yes" and (
            passes or all(at in friends for at in taken if at.tile == goal.tile)
        )
    if goal not in taken:
        return True
    return options.leap_pass == "yes" and (passes or goal in friends)


def _has_feature(graph: SurfaceGraph, tile: Tile) -> bool:
    return graph.board.column(tile).feature in (Feature.TREE, Feature.SPIRE)


# -- one profile's ---------------------------------------------------------------------------------


Price = tuple[str, int, int, Fraction, int, int]
"""An edge from its kind to its drop."""


def _slow(graph: SurfaceGraph, profile: Profile) -> frozenset[int]:
    """Surfaces on tiles that slow the profile down."""
    if not profile.slow:
        return frozenset()
    return frozenset(n for n, surface in enumerate(graph.surfaces) if surface.tile in profile.slow)


def _edge(row: Row, slow: frozenset[int], price: Callable[..., Price | None]) -> Edge | None:
    to, kind, cost, rise, wet = row
    if to in slow:
        cost = max(cost, 2 + (kind == "leap"))
    found = price(kind, cost, rise, wet)
    return found and Edge(to, *found)


def _price(
    profile: Profile,
    options: Options,
    budget_up: bool,
    kind: str,
    cost: int,
    rise: int,
    wet: bool,
) -> Price | None:
    """Cost and damage of one link, or None where the profile may not take it."""
    ladder = kind == "ladder"
    if not ladder and rise > profile.jump:
        return None
    if ladder:
        cost = _ladder_cost(cost, rise, profile, options)
    elif profile.vertical_counts:
        cost += _vertical(rise, options)
    if cost > profile.move:
        return None
    if ladder:
        return kind, cost, 0, SURE, 0, 0
    drop = 0 if rise >= 0 or wet or profile.no_fall else -rise
    harm = Allowance(profile.jump, options.voluntary_fall).harm(0, drop) if drop else 0
    return kind, cost, harm, SURE, max(rise, 0) if budget_up else 0, drop


def _ladder_cost(tile: int, rise: int, profile: Profile, options: Options) -> int:
    """A tile, or its height in tiles; never less than the levels cost the Beast anyway."""
    cost = tile
    if options.ladder_cost == "height":
        cost = max(1, abs(rise)) + tile - 1
    if profile.vertical_counts:
        cost = max(cost, tile + _vertical(rise, options))
    return cost


def _vertical(rise: int, options: Options) -> int:
    """ "any vertical movement counts towards the total Move" (Beast)."""
    return max(rise, 0) if options.beast_down == "free" else abs(rise)


def drops(graph: SurfaceGraph, surface: Surface) -> int:
    """Levels down to the lowest neighbour one can be pushed to."""
    return max(_drops(graph, surface), default=0)


def _drops(graph: SurfaceGraph, surface: Surface) -> Iterator[int]:
    for near in graph.board.neighbours(surface.tile):
        if graph.terrain.free(near, surface.level, surface.level + 1):
            below = graph.terrain.highest_below(near, surface.level)
            yield surface.level - (below or 0)

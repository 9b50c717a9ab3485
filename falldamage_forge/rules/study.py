"""A board made ready to be measured: surfaces, classes, sides, and who is where in which turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from falldamage_forge.board import Board, Tile
from falldamage_forge.rules.bitset import bits, mask_of, turn_waves
from falldamage_forge.rules.classes import MovementClass
from falldamage_forge.rules.movement import MoveGraph, Profile, move_graph
from falldamage_forge.rules.ruleset import Ruleset
from falldamage_forge.rules.sightmap import visible_sets
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
    starts = [tuple(bits(zone)) for zone in zones.values()]
    waves = {name: turn_waves(one, starts) for name, one in moves.items()}
    layers = {
        (name, side): waves[name].sets(number)
        for name in every
        for number, side in enumerate(zones)
    }
    return Study(
        board, ruleset, graph, tuple(every.values()), units, moves, tuple(zones), zones, layers,
        plain.name,
    )  # fmt: skip


def grade(good: bool, warn: bool = False) -> Verdict:
    """The verdict of two conditions, the stricter first."""
    return "good" if good else "warn" if warn else "bad"


def union(masks: Iterator[int]) -> int:
    """All members of several sets."""
    total = 0
    for mask in masks:
        total |= mask
    return total

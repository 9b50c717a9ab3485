"""Ornaments of a generated map: arches under bridges, battlements on walls, half steps before them.

They change looks and parts, not the rules of Fall Damage; each is kept only if the map with it
passes every check and the stock has its part.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import TypeVar

from falldamage_forge.board import DIRECTION_NAMES, Tile
from falldamage_forge.elements import battlement, step
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.pieces.plan import parapets
from falldamage_forge.search.genome import MapBuilder

T = TypeVar("T")

SIDES = tuple(DIRECTION_NAMES.values())
MOST_TILES = 4
"""Tiles of one run of battlements."""
TRIES = 8
"""Places tried for each kind of ornament."""


@dataclass(frozen=True, slots=True)
class Ornaments:
    """Ornaments of one half of a map.

    Attributes:
        arches: Supports of the bridges that are arches.
        battlements: (tile, sides), sides by name from north clockwise.
        steps: Tiles with a half step.
    """

    arches: frozenset[tuple[int, int]] = frozenset()
    battlements: tuple[tuple[int, tuple[str, ...]], ...] = ()
    steps: tuple[int, ...] = ()

    def lines(self, cols: int) -> list[str]:
        """Return the statements of battlements and steps.

        Args:
            cols: Columns of the board.
        """
        runs: dict[tuple[str, ...], list[str]] = {}
        for tile, sides in self.battlements:
            runs.setdefault(sides, []).append(str(Tile(*divmod(tile, cols))))
        found = [
            f"{battlement.ELEMENT.word} at {', '.join(tiles)}"
            + (f" sides {', '.join(sides)}" if len(sides) < len(SIDES) else "")
            for sides, tiles in sorted(runs.items())
        ]
        if self.steps:
            tiles = ", ".join(str(Tile(*divmod(tile, cols))) for tile in self.steps)
            found.append(f"{step.ELEMENT.word} at {tiles}")
        return found


NONE = Ornaments()


def add_ornaments(draft: MapBuilder, rng: Random, fits: Callable[[Ornaments], bool]) -> Ornaments:
    """Return ornaments for a finished map, as many as the style's grammar draws.

    Args:
        draft: The map.
        rng: Random numbers.
        fits: Returns True if the map with these ornaments passes all checks.
    """
    grammar, scale = draft.style.grammar, len(draft.canvas.level) / 100
    arches, battlements, steps = (
        round(rng.randint(*limits) * scale)
        for limits in (grammar.arches, grammar.battlements, grammar.steps)
    )
    found = NONE
    for bridge in _tried(draft.sketch.bridges, rng):
        if len(found.arches) < arches:
            key = f"arch-{len(draft.canvas.between(bridge.a, bridge.b))}"
            more = replace(found, arches=found.arches | {(bridge.a, bridge.b)})
            found = _kept(draft, found, more, {key: 2}, fits)
    for run in sorted(_tried(_walls(draft), rng), key=len, reverse=True):
        if battlements and not {*run} & {*found.battlements}:
            keys = Counter(key for _, sides in run for key, _ in parapets(_numbers(sides)))
            more = replace(found, battlements=(*found.battlements, *run))
            needs = {key: 2 * count for key, count in keys.items()}
            found = _kept(draft, found, more, needs, fits)
            battlements -= found is more
    for tile in _tried(_feet(draft), rng):
        if len(found.steps) < steps:
            more = replace(found, steps=(*found.steps, tile))
            found = _kept(draft, found, more, dict.fromkeys(step.ELEMENT.families, 2), fits)
    return found


def _numbers(sides: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(SIDES.index(side) for side in sides)


def _kept(
    draft: MapBuilder,
    found: Ornaments,
    more: Ornaments,
    needs: dict[str, int],
    fits: Callable[[Ornaments], bool],
) -> Ornaments:
    """Return the larger ornaments if stock and checks allow them, else the present ones."""
    left = draft.budget.use(needs)
    if left is None or not fits(more):
        return found
    draft.budget = left
    return more


def _tried(things: Sequence[T], rng: Random) -> list[T]:
    return rng.sample(things, min(TRIES, len(things)))


Run = tuple[tuple[int, tuple[str, ...]], ...]


def _walls(draft: MapBuilder) -> list[Run]:
    """Return straight runs of tiles with the sides that face a drop of a level or more.

    A run lies on one level, on tops of two levels or more without anything on them, in the first
    half of the board; the symmetry adds its image.
    """
    canvas = draft.canvas
    taken = {tile for tile, _ in canvas.chests}
    taken |= {tile for ladder in canvas.ladders for tile in (ladder.foot, ladder.top)}
    taken |= {tile for deck in canvas.decks for tile in (deck.a, deck.b)}
    rims: dict[int, tuple[str, ...]] = {}
    for tile, level in enumerate(canvas.level):
        near = canvas.table.near[tile]
        sides = tuple(
            side
            for side, other in zip(SIDES, near, strict=True)
            if other < 0 or canvas.level[other] < level
        )
        free = tile not in taken and not canvas.feature[tile] and not canvas.ground[tile]
        if level >= 2 and free and sides and tile < canvas.table.image[tile]:
            rims[tile] = sides
    runs = []
    for tile in sorted(rims):
        for way in (1, 2):  # eastwards and southwards
            run, at = [tile], canvas.table.near[tile][way]
            while at in rims and canvas.level[at] == canvas.level[tile] and len(run) < MOST_TILES:
                run.append(at)
                at = canvas.table.near[at][way]
            runs.append(tuple((each, rims[each]) for each in run))
    return list(dict.fromkeys(runs))


def _feet(draft: MapBuilder) -> list[int]:
    """Return bare tiles of the first half that touch a column, between the start rows."""
    canvas = draft.canvas
    cols, size = canvas.table.cols, len(canvas.level)
    under = {tile for deck in canvas.decks for tile in deck.tiles}
    feet = {ladder.foot for ladder in canvas.ladders}
    return [
        tile
        for tile in range(cols, size - cols)
        if canvas.plain(tile)
        and tile not in under | feet
        and tile < canvas.table.image[tile]
        and any(other >= 0 and canvas.level[other] for other in canvas.table.near[tile])
    ]

"""Remedies of battlements and half steps, by the code of their issue."""

from __future__ import annotations

from collections.abc import Iterator

from falldamage_forge.board import DIRECTION_NAMES, NORTH, Battlement, Tile
from falldamage_forge.elements import battlement, bridge, step
from falldamage_forge.elements.element import Thing
from falldamage_forge.elements.legality_tools import hooks_into
from falldamage_forge.remedies.piece_remedies import bared, deck_away, ladder_away
from falldamage_forge.remedies.place_remedies import MOST_PLACES, carried_chest, places_near
from falldamage_forge.remedies.remedy import (
    Kind,
    Patient,
    Remedy,
    names,
    painted,
    replaced,
    replaced_all,
    without,
)


def _crowns(p: Patient) -> Iterator[Battlement]:
    """Yield the battlement that an issue is about."""
    for crown in p.board.battlements:
        if (crown.tile,) == p.issue.tiles:
            yield crown


def _off(thing: Thing) -> Remedy:
    """Return the remedy that takes all elements of a thing's kind off its tile."""
    tile, *_ = thing.tiles
    return Remedy(f"take the {thing.kind} off {tile}", without(thing.kind, tiles=[tile]))


def _bare_rim(tile: Tile) -> Remedy:
    return _off(battlement.thing(tile, NORTH))


def of_loose_battlement(p: Patient) -> Iterator[Kind]:
    """FDF145: a battlement on a top without a rim, or below an arch."""
    for crown in _crowns(p):
        column = p.board.column(crown.tile)
        if column.level == 0:
            words = f"put a column below it: `stack {crown.tile} height 1`"
            yield Kind((Remedy(words, painted([crown.tile], 1)),))
        yield from bared(p, crown.tile)
        for over in p.board.decks:
            if over.arch and crown.tile in over.tiles and over.level == column.level + 1:
                arch, plain = (
                    bridge.thing(over.a, over.b, over.level, arch=arch) for arch in (True, False)
                )
                words = f"lay a plain bridge {over.a} -> {over.b} in place of the arch"
                yield Kind((Remedy(words, replaced(arch, plain)),))
        yield Kind((_bare_rim(crown.tile),), last=True)


def of_hooked_battlement(p: Patient) -> Iterator[Kind]:
    """FDF146: a battlement on the side where a bridge or ladder ends."""
    for crown in _crowns(p):
        taken = [at for at in crown.sides if at in {at for _, at, _ in hooks_into(p.board, crown)}]
        free = [DIRECTION_NAMES[at] for at in crown.sides if at not in taken]
        if free:
            gone = [battlement.thing(crown.tile, at) for at in taken]
            written = f"`battlement at {crown.tile} sides {' '.join(free)}`"
            words = f"leave out {names(DIRECTION_NAMES[at] for at in taken)}: {written}"
            yield Kind((Remedy(words, replaced_all(gone, [])),))
        yield Kind((_bare_rim(crown.tile),), last=True)


def of_crowded_step(p: Patient) -> Iterator[Kind]:
    """FDF147: a step on a top that is not free."""
    for tile in map(Tile._make, p.issue.tiles):
        level = p.board.column(tile).level
        yield from bared(p, tile)
        taken = {one.tile for one in p.board.steps}
        yield Kind(_carried(tile, at) for at in places_near(p.board, tile, taken)[:MOST_PLACES])
        if any(crown.tile == tile for crown in p.board.battlements):
            yield Kind((_bare_rim(tile),))
        for chest in p.board.treasures:
            if (chest.tile, chest.level) == (tile, level):
                yield carried_chest(p, chest)
        for one in p.board.ladders:
            if (tile, level) in ((one.foot, one.foot_level), (one.top, one.top_level)):
                yield Kind((ladder_away(one),))
        for over in p.board.decks:
            ends = tile in (over.a, over.b) and over.level == level
            if ends or (tile in over.tiles and over.level == level + 1):
                yield Kind((deck_away(over),))
        yield Kind((_off(step.thing(tile)),), last=True)


def _carried(tile: Tile, at: Tile) -> Remedy:
    """Return the remedy that puts a step on another tile."""
    change = replaced(step.thing(tile), step.thing(at))
    return Remedy(f"put the step on {at} instead of {tile}", change)

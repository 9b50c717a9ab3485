"""Remedies of bridges, ladders and features, by the code of their issue."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product

from falldamage_forge.board import DIRECTIONS, Deck, Ground, Ladder, Tile
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.elements import bridge, ladder
from falldamage_forge.elements.element import Thing
from falldamage_forge.remedies.remedy import (
    Kind,
    Patient,
    Remedy,
    in_turn,
    names,
    painted,
    replaced,
    without,
)

MOST_PLACES = 12
"""Most other pairs of supports that are tried for a bridge."""


def _deck(of: Deck, level: int | None = None) -> Thing:
    return bridge.thing(of.a, of.b, of.level if level is None else level, arch=of.arch)


def _ladder(of: Ladder) -> Thing:
    return ladder.thing((of.foot, of.top), (of.foot_level, of.top_level))


# -- bridges ---------------------------------------------------------------------------------------


def _decks(p: Patient) -> Iterator[Deck]:
    """Yield the deck that an issue is about, and others of its statement over the same tiles."""
    about = {*p.issue.tiles}
    for each in p.board.decks:
        if each.source == p.issue.span and about & {each.a, each.b, *each.tiles}:
            yield each


def _raised(p: Patient, of: Deck) -> Iterator[Remedy]:
    """Yield the remedy that raises a bridge with its supports above what lies below it."""
    level = max((p.reach(tile) for tile in of.tiles), default=0) + 1
    for high in range(max(level, of.level + (level <= of.level)), level + 3):
        low = tuple(end for end in (of.a, of.b) if high not in p.board.tops(end))
        change = in_turn(painted(low, high), replaced(_deck(of), _deck(of, high)))
        moved = f"raise {', '.join(map(str, low))} and the bridge to level {high}"
        yield Remedy(moved, change) if low else _relevelled(of, high)


def deck_away(of: Deck) -> Remedy:
    """Return the remedy that takes a bridge away."""
    words = f"take the bridge {of.a} -> {of.b} of level {of.level} away"
    return Remedy(words, replaced(_deck(of)))


def _deck_gone(of: Deck) -> Kind:
    return Kind((deck_away(of),), last=True)


def bared(p: Patient, tile: Tile) -> Iterator[Kind]:
    """Yield the remedies that take a feature, water or lava off a tile.

    Args:
        p: The board with the issue.
        tile: The tile.
    """
    column = p.board.column(tile)
    ground = None if column.ground is Ground.GROUND else column.ground
    for kind, what in (("feature", column.feature), ("ground", ground)):
        if what is not None:
            yield Kind((Remedy(f"take the {what} off {tile}", without(kind, tiles=[tile])),))


def of_bent_deck(p: Patient) -> Iterator[Kind]:
    """FDF130: ends that are neighbours, or not in one row or column."""
    for of in islice(_decks(p), 1):
        pairs = [(end, at) for end in (of.a, of.b) for at in _in_line(p, end)]
        pairs.sort(key=lambda pair: (_steps(pair[1], of.b if pair[0] == of.a else of.a), pair))
        yield Kind(_drawn(p, of, *pair) for pair in pairs[:MOST_PLACES])
        yield _deck_gone(of)


def _in_line(p: Patient, end: Tile) -> Iterator[Tile]:
    """Yield the tiles to which a bridge piece leads from a tile."""
    for way in DIRECTIONS:
        for far in range(2, p.limits.max_span + 2):
            if (at := end.step(way, far)) in p.board:
                yield at


def _steps(one: Tile, other: Tile) -> int:
    return abs(one.row - other.row) + abs(one.col - other.col)


def _drawn(p: Patient, of: Deck, end: Tile, at: Tile) -> Remedy:
    """Return the remedy that draws a bridge between two other supports of its level."""
    low = tuple(tile for tile in (end, at) if of.level not in p.board.tops(tile))
    new = bridge.thing(end, at, of.level, arch=of.arch)
    written = f"write `bridge {end} -> {at} level {of.level}{' arch' if of.arch else ''}`"
    words = f"make {names(low)} level {of.level} and {written}" if low else written
    return Remedy(words, in_turn(painted(low, of.level), replaced(_deck(of), new)))


def of_loose_deck(p: Patient) -> Iterator[Kind]:
    """FDF132: an end at another level than its support."""
    for of in islice(_decks(p), 1):
        ends = tuple(map(Tile._make, p.issue.tiles))
        words = f"make {names(ends)} level {of.level}"
        yield Kind((Remedy(words, painted(ends, of.level)),))
        shared = {*p.board.tops(of.a)} & {*p.board.tops(of.b)} - {0}
        nearest = sorted(shared, key=lambda level: (abs(level - of.level), level))
        yield Kind(_relevelled(of, level) for level in nearest)
        yield Kind(_raised(p, of))
        yield _deck_gone(of)


def _relevelled(of: Deck, level: int) -> Remedy:
    return Remedy(f"give the bridge level {level}", replaced(_deck(of), _deck(of, level)))


def of_long_deck(p: Patient) -> Iterator[Kind]:
    """FDF131: more tiles than the longest bridge piece spans."""
    for of in islice(_decks(p), 1):
        middle = (len(of.tiles) - 1) / 2
        order = sorted(range(len(of.tiles)), key=lambda n: (abs(n - middle), n))
        yield Kind(_supported(of, of.tiles[place]) for place in order)
        yield _deck_gone(of)


def _supported(of: Deck, at: Tile) -> Remedy:
    """Return the remedy that puts a support under a bridge, and a bridge on either side."""
    parts = (
        bridge.thing(of.a, at, of.level, arch=of.arch),
        bridge.thing(at, of.b, of.level, arch=of.arch),
    )
    return Remedy(
        f"make {at} level {of.level} and lay one bridge {of.a} -> {at} and one {at} -> {of.b}",
        in_turn(painted([at], of.level), replaced(_deck(of), *parts)),
    )


def of_blocked_deck(p: Patient) -> Iterator[Kind]:
    """FDF134: terrain or a feature in the way of a bridge."""
    for of in islice(_decks(p), 1):
        yield Kind(_raised(p, of))
        (tile,) = map(Tile._make, p.issue.tiles)
        yield from bared(p, tile)
        level = max(of.level - 1, 0)
        yield Kind((Remedy(f"make {tile} level {level}", painted([tile], level)),))
        yield _deck_gone(of)


def of_crossing_decks(p: Patient) -> Iterator[Kind]:
    """FDF135: two bridges that cross at one level."""
    for of in islice(_decks(p), 1):
        yield Kind(_raised(p, of))
        yield _deck_gone(of)


def of_bad_support(p: Patient) -> Iterator[Kind]:
    """FDF133: a feature, water or lava where a bridge ends."""
    for tile in map(Tile._make, p.issue.tiles):
        yield from bared(p, tile)
    for of in islice(_decks(p), 1):
        yield _deck_gone(of)


# -- ladders ---------------------------------------------------------------------------------------


def _ladders(p: Patient) -> Iterator[Ladder]:
    """Yield the ladders that an issue is about."""
    about = {*p.issue.tiles}
    for each in p.board.ladders:
        if each.source == p.issue.span and about <= {each.foot, each.top}:
            yield each


def _other_feet(p: Patient, of: Ladder) -> Iterator[Remedy]:
    """Yield the remedies that stand a ladder on another side of what it leans on."""
    for foot in p.board.neighbours(of.top):
        level = p.board.column(foot).level
        if foot != of.foot and level < of.top_level:
            new = ladder.thing((foot, of.top), (level, of.top_level))
            words = f"lean the ladder on {of.top} from {foot}"
            yield Remedy(words, replaced(_ladder(of), new))


def of_far_ladder(p: Patient) -> Iterator[Kind]:
    """FDF136: a foot and a top that are no neighbours."""
    for of in islice(_ladders(p), 1):
        near = sorted(p.board.neighbours(of.top), key=lambda at: (_steps(at, of.foot), at))
        yield Kind(_leaned(p, of, foot, of.top) for foot in near)
        near = sorted(p.board.neighbours(of.foot), key=lambda at: (_steps(at, of.top), at))
        yield Kind(_leaned(p, of, of.foot, top) for top in near)
        yield _ladder_gone(of)


def _leaned(p: Patient, of: Ladder, foot: Tile, top: Tile) -> Remedy:
    """Return the remedy that leans a ladder from one column to another."""
    levels = (p.board.column(foot).level, p.board.column(top).level)
    change = replaced(_ladder(of), ladder.thing((foot, top), levels))
    return Remedy(f"lean the ladder on {top} from {foot}", change)


def of_floating_ladder(p: Patient) -> Iterator[Kind]:
    """FDF137: a foot or a top at a level where its tile has no surface."""
    for of in _ladders(p):
        tops = p.board.tops(of.foot), p.board.tops(of.top)
        ends = sorted(
            product(*tops),
            key=lambda levels: (
                abs(levels[0] - of.foot_level) + abs(levels[1] - of.top_level),
                levels,
            ),
        )
        yield Kind(_ended(p, of, levels) for levels in ends)
        for tile, level in ((of.foot, of.foot_level), (of.top, of.top_level)):
            if level not in p.board.tops(tile):
                yield Kind((Remedy(f"make {tile} level {level}", painted([tile], level)),))
        yield _ladder_gone(of)


def _ended(p: Patient, of: Ladder, levels: tuple[int, ...]) -> Remedy:
    """Return the remedy that gives the ends of a ladder other levels."""
    foot, top = (
        tile if p.board.column(tile).level == level else Surface(tile, level)
        for tile, level in zip((of.foot, of.top), levels, strict=True)
    )
    change = replaced(_ladder(of), _ladder(of)._replace(levels=levels))
    return Remedy(f"write `ladder {foot} -> {top}`", change)


def of_lying_ladder(p: Patient) -> Iterator[Kind]:
    """FDF138: a ladder whose top is not above its foot."""
    for of in islice(_ladders(p), 1):
        turned = ladder.thing((of.top, of.foot), (of.top_level, of.foot_level))
        yield Kind((Remedy("swap the two tiles", replaced(_ladder(of), turned)),))
        level = of.foot_level + 1
        yield Kind((Remedy(f"make {of.top} level {level}", painted([of.top], level)),))
        yield _ladder_gone(of)


def ladder_away(of: Ladder) -> Remedy:
    """Return the remedy that takes a ladder away, with its name."""
    return Remedy(f"take the ladder {of.foot} -> {of.top} away", replaced(_ladder(of)))


def _ladder_gone(of: Ladder) -> Kind:
    return Kind((Remedy("take the ladder away", replaced(_ladder(of))),), last=True)


def of_long_ladder(p: Patient) -> Iterator[Kind]:
    """FDF139: more levels than the longest ladder piece climbs."""
    for of in islice(_ladders(p), 1):
        for tile, level in (
            (of.foot, of.top_level - p.limits.max_rise),
            (of.top, of.foot_level + p.limits.max_rise),
        ):
            yield Kind((Remedy(f"make {tile} level {level}", painted([tile], level)),))
        yield _ladder_gone(of)


def of_hindered_ladder(p: Patient) -> Iterator[Kind]:
    """FDF140, FDF141 and FDF313: something at its foot, its head or on its way."""
    for of in islice(_ladders(p), 1):
        for tile in (of.foot, of.top):
            yield from bared(p, tile)
        yield Kind(_from_deck(p, of))
        yield Kind(_other_feet(p, of))
        for over in p.board.decks:
            if of.foot in over.tiles and of.foot_level < over.level:
                yield _deck_gone(over)
        yield _ladder_gone(of)


def _from_deck(p: Patient, of: Ladder) -> Iterator[Remedy]:
    """Yield the remedies that start a ladder on a bridge in its way."""
    for level in p.board.deck_levels.get(of.foot, ()):
        if of.foot_level < level < of.top_level:
            new = _ladder(of)._replace(levels=(level, of.top_level))
            words = f"start the ladder on the bridge: `ladder {of.foot}@{level} -> {of.top}`"
            yield Remedy(words, replaced(_ladder(of), new))


def of_double_ladder(p: Patient) -> Iterator[Kind]:
    """FDF142: two ladders in one place."""
    for of in p.board.ladders:
        if of.source == p.issue.span and of.foot in p.issue.tiles:
            yield _ladder_gone(of)


# -- features --------------------------------------------------------------------------------------


def of_bare_spire(p: Patient) -> Iterator[Kind]:
    """FDF143: a spire on the bare board."""
    for tile in map(Tile._make, p.issue.tiles):
        words = f"put a column below it: `stack {tile} height 1`"
        yield Kind((Remedy(words, painted([tile], 1)),))
        yield from bared(p, tile)


def of_wet_feature(p: Patient) -> Iterator[Kind]:
    """FDF144: a feature in water or lava."""
    for tile in map(Tile._make, p.issue.tiles):
        yield from bared(p, tile)

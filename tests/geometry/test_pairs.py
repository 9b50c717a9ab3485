"""Every kind of thing beside, under, over and on every other kind, two by two on a small board.

Legality is the only judge of which two may be together: what it lets stand goes together, and what
it keeps apart for want of room does clash.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from typing import Any

import pytest

from falldamage_forge import presets
from falldamage_forge.board import (
    DIRECTION_NAMES,
    DIRECTIONS,
    Battlement,
    Board,
    Chest,
    Column,
    Deck,
    Feature,
    Fitting,
    Ground,
    HalfStep,
    Ladder,
    StartZone,
    Tile,
    make_board,
)
from falldamage_forge.elements.legality import check_legality
from falldamage_forge.elements.legality_tools import BuildLimits
from falldamage_forge.elements.railing import PRINTED_UM
from falldamage_forge.geometry.assembly_check import AssemblyReport, check_assembly
from falldamage_forge.geometry.piece_mesh import build
from falldamage_forge.pieces.plan import plan
from falldamage_forge.pieces.variants import assign_variants
from falldamage_forge.rules.setup_check import check_setup
from tests.amount import some
from tests.rules.asking import position

HERE = Tile(2, 2)
SIZE = 5
LEVELS = (1, 2, 3, 4)
CLIMBS = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
ROOM = {"FDF141", "FDF142"}
"""Codes of what is refused for nothing but want of room."""
UNFINISHED = {"FDF150", "FDF151"}
"""A small board has no two whole teams."""
SIDES = tuple(sides for count in range(1, 5) for sides in combinations(DIRECTIONS, count))


@dataclass(frozen=True)
class Thing:
    """Something about `HERE`, with the columns that it needs and no others."""

    name: str
    columns: dict[Tile, Column] = field(default_factory=dict)
    parts: dict[str, tuple[Any, ...]] = field(default_factory=dict)


def things() -> Iterator[Thing]:
    """All of them, by name."""
    for level in (0, 1, 2):
        yield Thing(f"column {level}", {HERE: Column(level)})
        for ground, feature in ((g, None) for g in (Ground.WATER, Ground.LAVA)):
            yield Thing(f"{ground} {level}", {HERE: Column(level, ground, feature)})
        for feature in Feature:
            yield Thing(f"{feature} {level}", {HERE: Column(level, feature=feature)})
        yield Thing(f"chest {level}", {}, {"treasures": (Chest(HERE, level),)})
        yield Thing(f"start {level}", {}, {"starts": (StartZone("red", ((HERE, level),)),)})
    for level in (1, 2):
        column = {HERE: Column(level)}
        yield Thing(f"step {level}", column, {"steps": (HalfStep(HERE),)})
        for sides in SIDES:
            said = " ".join(DIRECTION_NAMES[side] for side in sides)
            crown = Battlement(HERE, sides)
            yield Thing(f"battlement {level} {said}", column, {"battlements": (crown,)})
        for sides in SIDES[:6]:
            said = " ".join(DIRECTION_NAMES[side] for side in sides)
            rail = Fitting("railing", HERE, level, sides, "", PRINTED_UM[1])
            yield Thing(f"railing {level} {said}", column, {"fittings": (rail,)})
    yield from _decks()
    yield from _ladders()


def _decks() -> Iterator[Thing]:
    """Over the tile both ways, over the one beside, and ending on it from each side."""
    for level in LEVELS:
        for arch in (False, True):
            kind = f"{'arch' if arch else 'bridge'} {level}"
            for way, said in (((0, 1), "west to east"), ((1, 0), "north to south")):
                yield _deck(f"{kind} {said}", HERE.step(way, -1), HERE.step(way), level, arch)
            beside = HERE.step((0, 1))
            ends = beside.step((-1, 0)), beside.step((1, 0))
            yield _deck(f"{kind} past its east", *ends, level, arch)
            for side in DIRECTIONS:
                said = f"{kind} from {DIRECTION_NAMES[side]}"
                yield _deck(said, HERE, HERE.step(side, 2), level, arch)
                held = {HERE.step(side, 2): Column(level)}
                loose = Deck.between(HERE, HERE.step(side, 2), level, arch=arch)
                yield Thing(f"{said}, on another", held, {"decks": (loose,)})


def _deck(name: str, a: Tile, b: Tile, level: int, arch: bool) -> Thing:
    ends = {a: Column(level), b: Column(level)}
    return Thing(name, ends, {"decks": (Deck.between(a, b, level, arch=arch),)})


def _ladders() -> Iterator[Thing]:
    """From the tile and to it over each side; both ends on columns, or one on a deck to come."""
    for low, high in CLIMBS:
        for side in DIRECTIONS:
            near, said = HERE.step(side), DIRECTION_NAMES[side]
            up, down = Ladder(HERE, low, near, high), Ladder(near, low, HERE, high)
            own = ((up, {HERE: Column(low)}, {near: Column(high)}, "to"),
                   (down, {HERE: Column(high)}, {near: Column(low)}, "from"))  # fmt: skip
            for ladder, here, there, word in own:
                name, parts = f"ladder {low} {high} {word} {said}", {"ladders": (ladder,)}
                yield Thing(name, here | there, parts)
                yield Thing(f"{name}, here on a deck", there, parts)
                yield Thing(f"{name}, there on a deck", here, parts)


@cache
def pairs() -> tuple[tuple[Thing, Thing], ...]:
    """Every two things that want no column otherwise; the language keeps a rim to one statement."""
    return tuple(
        (one, other)
        for one, other in combinations(things(), 2)
        if all(other.columns.get(tile, column) == column for tile, column in one.columns.items())
        and not {*one.parts} & {*other.parts} & {"battlements", "fittings"}
    )


def board_of(one: Thing, other: Thing) -> Board:
    columns = one.columns | other.columns
    names = {*one.parts, *other.parts}
    parts = {name: [*one.parts.get(name, ()), *other.parts.get(name, ())] for name in names}
    grid = [columns.get(Tile(row, col), Column()) for row in range(SIZE) for col in range(SIZE)]
    return make_board(SIZE, SIZE, grid, **parts)


def proof_of(board: Board) -> AssemblyReport:
    printer, style = presets.load_printer("a1-mini"), presets.load_style("plain")
    found = assign_variants(plan(board, presets.load_catalogue()))
    meshes = {key: build(piece, printer, style) for key, piece in found.pieces().items()}
    return check_assembly(found.placements, meshes, printer)


def codes(board: Board) -> set[str]:
    """Errors of a board that need no second side: what keeps it from being built or set up."""
    set_up = check_setup(position(board), 0)
    found = (*check_legality(board, BuildLimits(max_rise=12)), *set_up)
    return {issue.code for issue in found if issue.severity == "error"} - UNFINISHED


def test_legal_pairs_of_features_do_not_intersect(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FDFORGE_CACHE", "off")  # thousands of small tables, each asked once
    legal = 0
    for one, other in some(pairs(), 180):
        board = board_of(one, other)
        if codes(board):
            continue
        legal += 1
        issues = [issue.message for issue in proof_of(board).issues()]
        assert not issues, (one.name, other.name, issues)
    assert legal > 30


def test_ladder_is_illegal_only_if_it_intersects(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FDFORGE_CACHE", "off")
    kinds = {"ladder", "bridge", "arch"}
    ladders = [pair for pair in pairs() if {thing.name.split()[0] for thing in pair} <= kinds]
    refused = 0
    for one, other in some(ladders, 500):
        board = board_of(one, other)
        if codes(board) and codes(board) <= ROOM:
            refused += 1
            assert proof_of(board).clashes, (one.name, other.name)
    assert refused > 10

"""Parts of styles: their orientations, what they need from a stock, and what a map needs."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from falldamage_forge import presets
from falldamage_forge.board.coordinates import TURNS
from falldamage_forge.builds.pipeline import BuildOptions
from falldamage_forge.library.forge import Forge
from falldamage_forge.search import adapter
from falldamage_forge.search.genome import _wants
from falldamage_forge.search.style_grammar import (
    LAVA,
    SPIRE,
    TREE,
    WATER,
    MapPart,
    OrientedPart,
    PartCell,
    orient_shape,
    orientations,
)
from tests.cli.running import SMALL


def shape_of(seed: int) -> OrientedPart:
    """A shape with cells, ladders, decks and chests anywhere."""
    dice = random.Random(seed)
    rows, cols = dice.randint(1, 4), dice.randint(1, 4)

    def at() -> tuple[int, int]:
        return dice.randrange(rows), dice.randrange(cols)

    cells = {
        at(): (dice.randint(0, 3), dice.choice((0, WATER, LAVA)), dice.choice((0, TREE, SPIRE)))
        for _ in range(6)
    }
    return OrientedPart(
        rows, cols,
        tuple(sorted(PartCell(*place, *what) for place, what in cells.items())),
        tuple((*at(), *at()) for _ in range(2)),
        tuple((*at(), *at(), dice.randint(1, 4)) for _ in range(2)),
        tuple(at() for _ in range(2)),
    )  # fmt: skip


SHAPES = st.builds(shape_of, st.integers(0, 10**6))


@settings(max_examples=30)
@given(SHAPES, st.booleans(), st.integers(0, 3))
def test_orientation_moves_every_place_as_a_board_turns(
    shape: OrientedPart, mirrored: bool, turns: int
) -> None:
    def to(row: int, col: int) -> tuple[int, int]:
        rows, cols = shape.rows, shape.cols
        if mirrored:
            row, col = TURNS["mirror-x"](row, col, rows, cols)
        for _ in range(turns):
            row, col = TURNS["rotate-90"](row, col, rows, cols)
            rows, cols = cols, rows
        return row, col

    turned = orient_shape(shape, mirrored, turns)
    size = (shape.cols, shape.rows) if turns % 2 else (shape.rows, shape.cols)
    assert (turned.rows, turned.cols) == size
    assert sorted(turned.cells) == sorted(
        PartCell(*to(cell.row, cell.col), *cell[2:]) for cell in shape.cells
    )
    assert turned.ladders == tuple((*to(a, b), *to(c, d)) for a, b, c, d in shape.ladders)
    assert turned.decks == tuple((*to(a, b), *to(c, d), z) for a, b, c, d, z in shape.decks)
    assert turned.chests == tuple(to(*chest) for chest in shape.chests)
    known = orientations(shape)
    assert len({each for *_, each in known}) == len(known)
    assert turned in [each for *_, each in known]
    assert all(orient_shape(shape, *how) == each for *how, each in known)


def test_part_needs_its_pieces_once_a_copy() -> None:
    cells = [
        PartCell(0, 0, 2, 0, TREE), PartCell(0, 1, 0, WATER, 0), PartCell(0, 2, 0, LAVA, 0),
        PartCell(0, 3, 2, 0, SPIRE), PartCell(1, 0, 0, 0, TREE),
    ]  # fmt: skip
    shape = OrientedPart(
        2, 4, tuple(cells), ((1, 0, 0, 0),), ((0, 0, 0, 3, 2), (0, 0, 1, 0, 2)), ((1, 1), (1, 2))
    )
    part = MapPart("all", shape, ())
    wanted = {
        "tree": 2, "spire": 1, "water": 1, "lava": 1, "ladder-2": 1,
        "bridge-2": 1, "bridge-0": 1, "chest": 2,
    }  # fmt: skip
    for copies in (1, 2):
        assert _wants(part, copies) == {key: copies * count for key, count in wanted.items()}


def test_estimate_of_a_map_is_that_of_its_piece_list() -> None:
    """A generated map states what `fdforge pieces` will say of it."""
    forge = Forge()
    checked = forge.check(forge.loads(SMALL.format(tower="D4"), "small.forge"))
    options = BuildOptions(style=presets.load_style(presets.DEFAULT_STYLE), variants=1)
    figures = forge.assemble(checked, options=options, meshes=False).build.figures
    grams, hours = adapter.print_estimate(SMALL.format(tower="D4"))
    assert grams == pytest.approx(sum(plate.grams for plate in figures), rel=0.02)
    assert hours * 60 == pytest.approx(sum(plate.minutes for plate in figures), rel=0.1)


def test_map_needs_the_parts_that_are_not_owned(monkeypatch: pytest.MonkeyPatch) -> None:
    """With parts of 2 g and half an hour each."""
    monkeypatch.setattr(adapter, "_part", lambda piece, printer: (2.0, 1800.0))
    text = SMALL.format(tower="D4")
    counts = adapter._forge().plan(adapter._forge().loads(text), {}).counts()
    every = sum(counts.values())
    for owned in (None, {}):
        assert adapter.print_estimate(text, owned) == (2.0 * every, every / 2)
    key = max(counts, key=counts.__getitem__)
    assert adapter.print_estimate(text, {key: 1}) == (2.0 * (every - 1), (every - 1) / 2)
    left = every - counts[key]
    assert adapter.print_estimate(text, {key: 99}) == (2.0 * left, left / 2)

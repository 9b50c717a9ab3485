"""Changes of a sketch in its own terms: parts moved, turned, exchanged, laid and taken away."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random

from falldamage_forge.search.budget import Budget
from falldamage_forge.search.grow import (
    SYMMETRIES,
    Wish,
    add_bridges,
    add_thing,
    heart,
    scatter,
)
from falldamage_forge.search.parts import Style
from falldamage_forge.search.sketch import Draft, Sketch, Stamp, redraw

Change = Callable[[Sketch, Style, Random], Sketch]
MOST_CHANGES = 3


def mutate(sketch: Sketch, style: Style, budget: Budget, wish: Wish, rng: Random) -> Draft:
    """A draft a few changes away. What mending had added is left out, to be mended anew."""
    symmetry = sketch.symmetry
    sketch = replace(
        sketch,
        steps=(),
        ladders=(),
        chests=(),
        things=tuple(each for each in sketch.things if each[0] != "spire"),
    )
    additions = 0
    fresh_heart = False
    for _ in range(rng.randint(1, MOST_CHANGES)):
        name = rng.choices(list(CHANGES), [weight for weight, _ in CHANGES.values()])[0]
        additions += name == "add"
        fresh_heart = fresh_heart or name == "heart"
        change = CHANGES[name][1]
        if change is not None:
            sketch = change(sketch, style, rng)
    if wish.symmetry:
        sketch = replace(sketch, symmetry=symmetry)
    draft = redraw(sketch, style, budget, partial(heart, rng=rng) if fresh_heart else None)
    kinds = sorted({stamp.part for stamp in sketch.stamps}) or sorted(style.grammar.parts)
    if additions:
        others = sorted(style.grammar.parts)
        scatter(draft, [*kinds, rng.choice(others)], additions, rng, wish)
    least, most = style.grammar.bridges
    if len(draft.sketch.bridges) < most:
        add_bridges(draft, rng.randint(max(least, 1), max(most, 1)), rng)
    if not draft.sketch.things:
        for _ in range(rng.randint(*style.grammar.trees)):
            add_thing(draft, "tree", rng)
    return draft


def _one(sketch: Sketch, rng: Random) -> int:
    return rng.randrange(len(sketch.stamps))


def _with(sketch: Sketch, at: int, stamp: Stamp | None) -> Sketch:
    stamps = [*sketch.stamps]
    stamps[at : at + 1] = [stamp] if stamp else []
    return replace(sketch, stamps=tuple(stamps))


def _move(sketch: Sketch, style: Style, rng: Random) -> Sketch:
    if not sketch.stamps:
        return sketch
    at = _one(sketch, rng)
    stamp = sketch.stamps[at]
    row, col = stamp.row + rng.randint(-2, 2), stamp.col + rng.randint(-2, 2)
    return _with(sketch, at, stamp._replace(row=row, col=col))


def _turn(sketch: Sketch, style: Style, rng: Random) -> Sketch:
    if not sketch.stamps:
        return sketch
    at = _one(sketch, rng)
    turned = sketch.stamps[at]._replace(mirrored=rng.random() < 0.5, turns=rng.randrange(4))
    return _with(sketch, at, turned)


def _swap(sketch: Sketch, style: Style, rng: Random) -> Sketch:
    if not sketch.stamps:
        return sketch
    weights = dict(sorted(style.grammar.parts.items()))
    name = rng.choices(list(weights), list(weights.values()))[0]
    at = _one(sketch, rng)
    return _with(sketch, at, sketch.stamps[at]._replace(part=name))


def _remove(sketch: Sketch, style: Style, rng: Random) -> Sketch:
    return _with(sketch, _one(sketch, rng), None) if len(sketch.stamps) > 1 else sketch


def _heartless(sketch: Sketch, style: Style, rng: Random) -> Sketch:
    return replace(sketch, heart=None)


def _symmetry(sketch: Sketch, style: Style, rng: Random) -> Sketch:
    return replace(sketch, symmetry=rng.choice(SYMMETRIES), heart=None)


def _features(sketch: Sketch, style: Style, rng: Random) -> Sketch:
    return replace(sketch, bridges=(), things=())


CHANGES: dict[str, tuple[int, Change | None]] = {
    "move": (28, _move),
    "add": (22, None),
    "turn": (14, _turn),
    "swap": (14, _swap),
    "remove": (8, _remove),
    "heart": (6, _heartless),
    "features": (5, _features),
    "symmetry": (3, _symmetry),
}
"""Kinds of change with how often each is made; parts are added when the rest has been drawn."""

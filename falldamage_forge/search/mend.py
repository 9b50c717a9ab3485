"""Mending: the least change after which everybody gets everywhere and back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Literal, NamedTuple

from falldamage_forge.search.canvas import Canvas
from falldamage_forge.search.parts import LAVA
from falldamage_forge.search.sketch import Draft, redraw
from falldamage_forge.search.walk import Ways, walk

MAX_ROUNDS = 8
MAX_TRIES = 14
MAX_RISE = 5


class Fix(NamedTuple):
    """One change to try: a step, tree, spire or lava, a ladder, or a bridge taken away."""

    kind: Literal["step", "ladder", "spire", "tree", "lava", "drop"]
    tile: int
    other: int = -1

    def on(self, draft: Draft) -> bool:
        """Make the change; False where it cannot be made."""
        if self.kind == "step":
            return draft.step(self.tile)
        if self.kind == "ladder":
            return draft.ladder(self.tile, self.other)
        if self.kind == "drop":
            return _drop(draft, self.tile, self.other)
        return draft.thing(self.kind, self.tile)


def mend(draft: Draft) -> tuple[Draft, Ways] | None:
    """The draft with a few steps, ladders and spires more, or bridges fewer; None if that fails.

    Afterwards a plain unit gets from everywhere to everywhere, and the Beast on its tails from
    start to start.
    """
    ways = walk(draft.canvas)
    for _ in range(MAX_ROUNDS):
        stray = ways.stray()
        if not stray:
            break
        if stray & ways.starts:
            return None
        best: tuple[int, Draft, Ways] | None = None
        for fix in islice(_fixes(draft, ways, stray), MAX_TRIES):
            trial = draft.copy()
            if not fix.on(trial):
                continue
            after = walk(trial.canvas)
            left = after.stray()
            if left & after.starts:
                continue
            count = left.bit_count()
            if best is None or count < best[0]:
                best = count, trial, after
            if not count:
                break
        if best is None or best[0] >= stray.bit_count():
            return None
        _, draft, ways = best
    else:
        return None
    return (draft, ways) if not ways.starts & ~ways.home(ways.tails) else None


def _fixes(draft: Draft, ways: Ways, stray: int) -> Iterator[Fix]:
    """Changes that may join the stray surfaces, the ones that look best first."""
    canvas = draft.canvas
    numbers = [n for n in range(len(ways.surfaces)) if stray >> n & 1]
    home = {surface for n, surface in enumerate(ways.surfaces) if not stray >> n & 1}
    decks = {(tile, deck.level): n for n, deck in enumerate(canvas.decks) for tile in deck.tiles}
    seen: set[tuple[str, int]] = set()

    def new(kind: str, tile: int) -> bool:
        """Whether this was not offered yet, nor for the image."""
        place = (kind, min(tile, canvas.table.image[tile]))
        fresh = place not in seen
        seen.add(place)
        return fresh

    for number in numbers:
        tile, level = ways.surfaces[number]
        if level != canvas.level[tile]:
            continue
        for beside in canvas.table.near[tile]:
            if beside >= 0 and level == 2 and new("step", beside):
                yield Fix("step", beside)
            if beside >= 0:
                yield from _ladders(canvas, home, tile, beside)
    for number in numbers:
        tile, level = ways.surfaces[number]
        if level == canvas.level[tile] > 0 and new("spire", tile):
            yield Fix("spire", tile)
        if level == 0 and new("fill", tile):
            yield Fix("step", tile)
            yield Fix("tree", tile)
            yield Fix("lava", tile)
    stray_decks = [decks.get(ways.surfaces[number]) for number in numbers]
    for place in (*stray_decks, *range(len(canvas.decks))):
        if place is not None and new("deck", canvas.decks[place].a):
            yield Fix("drop", canvas.decks[place].a, canvas.decks[place].b)


def _ladders(canvas: Canvas, home: set[tuple[int, int]], tile: int, beside: int) -> Iterator[Fix]:
    """Ladders between a stray column and a neighbour that is not, whichever is lower."""
    other = canvas.level[beside]
    rise = other - canvas.level[tile]
    if (beside, other) not in home or canvas.ground[beside] == LAVA:
        return
    if 2 <= rise <= MAX_RISE:
        yield Fix("ladder", tile, beside)
    elif 2 <= -rise <= MAX_RISE:
        yield Fix("ladder", beside, tile)


def _drop(draft: Draft, a: int, b: int) -> bool:
    """The draft without a bridge; drawn anew, so that its piece is free again."""
    image = draft.canvas.table.image
    pairs = ({a, b}, {image[a], image[b]})
    kept = tuple(each for each in draft.sketch.bridges if {each.a, each.b} not in pairs)
    if len(kept) == len(draft.sketch.bridges):
        return False
    fresh = redraw(replace(draft.sketch, bridges=kept), draft.style, draft.start)
    draft.sketch, draft.canvas, draft.budget = fresh.sketch, fresh.canvas, fresh.budget
    return True

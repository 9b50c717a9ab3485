"""Generation of one playable map from a seed: the best candidates are repaired and checked.

The repair makes the least changes that make every surface reachable both ways.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, replace
from itertools import islice
from random import Random
from typing import Literal, NamedTuple

from falldamage_forge.board import Feature, Ground
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import ForgeError, Issue
from falldamage_forge.search import adapter, composition
from falldamage_forge.search.codegen import map_source
from falldamage_forge.search.constructive import (
    MAX_RISE,
    MapRequirements,
    add_chests,
    construct_genome,
)
from falldamage_forge.search.genome import MapBuilder, StockBudget, budget_of, decode_genome
from falldamage_forge.search.mutable_board import MutableBoard
from falldamage_forge.search.ornaments import NONE, Ornaments, add_ornaments
from falldamage_forge.search.style_grammar import LAVA, MapStyle
from falldamage_forge.search.walkability import Reachability, compute_reachability

MAX_ROUNDS = 8
MAX_TRIES = 14


class RepairStep(NamedTuple):
    """One change to try: a column, tree, spire, lava or ladder more, or a bridge less."""

    kind: Literal["rise", "climb", "drop"] | Ground | Feature
    tile: int
    other: int = -1

    def on(self, draft: MapBuilder) -> bool:
        """Apply the change; return false if it does not fit."""
        if self.kind == "rise":
            return draft.step(self.tile)
        if self.kind == "climb":
            return draft.ladder(self.tile, self.other)
        if self.kind == "drop":
            return _drop(draft, self.tile, self.other)
        return draft.thing(self.kind, self.tile)


def repair_map(draft: MapBuilder) -> tuple[MapBuilder, Reachability] | None:
    """Return the map with a few columns, ladders and spires more, or bridges less.

    Afterwards a plain unit reaches every surface from every other, and the Beast on its tails
    reaches both starts.

    Returns:
        The repaired builder and its reachable sets; None if the repair fails.
    """
    ways = compute_reachability(draft.canvas)
    for _ in range(MAX_ROUNDS):
        stray = ways.stray()
        if not stray:
            break
        if stray & ways.starts:
            return None
        best: tuple[int, MapBuilder, Reachability] | None = None
        for fix in islice(_fixes(draft, ways, stray), MAX_TRIES):
            trial = draft.copy()
            if not fix.on(trial):
                continue
            after = compute_reachability(trial.canvas)
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


def _fixes(draft: MapBuilder, ways: Reachability, stray: int) -> Iterator[RepairStep]:
    """Yield changes that may connect the stray surfaces, the best-looking first."""
    canvas = draft.canvas
    numbers = [n for n in range(len(ways.surfaces)) if stray >> n & 1]
    home = {surface for n, surface in enumerate(ways.surfaces) if not stray >> n & 1}
    decks = {(tile, deck.level): n for n, deck in enumerate(canvas.decks) for tile in deck.tiles}
    seen: set[tuple[str, int]] = set()

    def new(kind: str, tile: int) -> bool:
        """True if neither this change nor its image was offered yet."""
        place = (kind, min(tile, canvas.table.image[tile]))
        fresh = place not in seen
        seen.add(place)
        return fresh

    for number in numbers:
        tile, level = ways.surfaces[number]
        if level != canvas.level[tile]:
            continue
        for beside in canvas.table.near[tile]:
            if beside >= 0 and level == 2 and new("rise", beside):
                yield RepairStep("rise", beside)
            if beside >= 0:
                yield from _ladders(canvas, home, tile, beside)
    for number in numbers:
        tile, level = ways.surfaces[number]
        if level == canvas.level[tile] > 0 and new(Feature.SPIRE, tile):
            yield RepairStep(Feature.SPIRE, tile)
        if level == 0 and new("fill", tile):
            yield RepairStep("rise", tile)
            yield RepairStep(Feature.TREE, tile)
            yield RepairStep(Ground.LAVA, tile)
    stray_decks = [decks.get(ways.surfaces[number]) for number in numbers]
    for place in (*stray_decks, *range(len(canvas.decks))):
        if place is not None and new("deck", canvas.decks[place].a):
            yield RepairStep("drop", canvas.decks[place].a, canvas.decks[place].b)


def _ladders(
    canvas: MutableBoard, home: set[tuple[int, int]], tile: int, beside: int
) -> Iterator[RepairStep]:
    """Yield ladders between a stray column and a connected neighbour, in either direction."""
    other = canvas.level[beside]
    rise = other - canvas.level[tile]
    if (beside, other) not in home or canvas.ground[beside] == LAVA:
        return
    if 2 <= rise <= MAX_RISE:
        yield RepairStep("climb", tile, beside)
    elif 2 <= -rise <= MAX_RISE:
        yield RepairStep("climb", beside, tile)


def _drop(draft: MapBuilder, a: int, b: int) -> bool:
    """Remove a bridge by decoding the genome again, which returns its part to the stock."""
    image = draft.canvas.table.image
    pairs = ({a, b}, {image[a], image[b]})
    rest = tuple(each for each in draft.sketch.bridges if {each.a, each.b} not in pairs)
    if len(rest) == len(draft.sketch.bridges):
        return False
    fresh = decode_genome(replace(draft.sketch, bridges=rest), draft.style, draft.start)
    draft.sketch, draft.canvas, draft.budget = fresh.sketch, fresh.canvas, fresh.budget
    return True


Accept = Callable[[str], str]
UNBOUND = StockBudget()
ANY = MapRequirements()

SKETCHES = 24
MENDED = 4
"""Of SKETCHES candidates, the number that is repaired; the best of them is returned."""
UNKNOWN = {"FDF330", "FDF400", "FDF001", "FDF002"}
"""Codes of `check` for an expectation that cannot be read."""
TRIES = 5
"""Rounds of candidates before a seed is abandoned."""


@dataclass(frozen=True)
class GeneratedMap:
    """A generated map: text, builder, proportions, score, and rejections by reason."""

    text: str
    draft: MapBuilder
    looks: composition.CompositionFeatures
    score: float
    refused: Mapping[str, int] = field(default_factory=dict)


def generate(
    seed: int,
    style: MapStyle,
    budget: StockBudget = UNBOUND,
    wish: MapRequirements = ANY,
    *,
    sketches: int = SKETCHES,
    accept: Accept = lambda _: "",
) -> GeneratedMap:
    """Return the map of a seed; the same arguments give the same text.

    Args:
        seed: The seed.
        style: Style of the map.
        budget: Stock for the map; default: unlimited.
        wish: Requirements of the map.
        sketches: Number of candidates; the best ones are repaired.
        accept: Callback that returns why a text is rejected, or an empty text.

    Raises:
        ForgeError (FDF502): If no candidate becomes playable; the message gives the reasons.
    """
    refused: Counter[str] = Counter()
    for attempt in range(TRIES):
        rng = Random(f"{style.grammar.name}/{seed}/{attempt}")
        drafts = [construct_genome(style, rng, budget, wish) for _ in range(sketches)]
        drafts.sort(key=lambda draft: -composition.composition_score(draft, wish))
        finished: list[tuple[float, MapBuilder, composition.CompositionFeatures]] = []
        for draft in drafts:
            done = repair_and_furnish(draft, rng, wish, refused)
            if done is not None:
                finished.append(
                    (composition.score_features(done[1], style.grammar.proportions, wish), *done)
                )
            if len(finished) == MENDED:
                break
        for score, draft, seen in sorted(finished, key=lambda each: -each[0]):
            text = map_source(draft, seed, wish.expects)
            if passes_check(text, refused) and _accepted(accept(text), refused):
                text = _ornamented(text, draft, seed, rng, wish, accept)
                return GeneratedMap(text, draft, seen, score, refused)
    raise _hopeless(style, seed, refused)


def _ornamented(
    plain: str, draft: MapBuilder, seed: int, rng: Random, wish: MapRequirements, accept: Accept
) -> str:
    """Return the text with the ornaments that pass every check."""
    texts = {NONE: plain}

    def fits(ornaments: Ornaments) -> bool:
        texts[ornaments] = map_source(draft, seed, wish.expects, ornaments=ornaments)
        return not adapter.check(texts[ornaments]).issues and not accept(texts[ornaments])

    return texts[add_ornaments(draft, rng, fits)]


def _accepted(why: str, refused: Counter[str]) -> bool:
    """True if there is no reason against a map; otherwise the reason is counted."""
    if why:
        refused[why] += 1
    return not why


def repair_and_furnish(
    draft: MapBuilder, rng: Random, wish: MapRequirements, refused: Counter[str]
) -> tuple[MapBuilder, composition.CompositionFeatures] | None:
    """Return a repaired map with chests; None if it is unplayable or unwanted.

    Args:
        draft: The map under construction.
        rng: Random numbers.
        wish: Requirements of the map.
        refused: Counter of rejections by reason.
    """
    repaired = repair_map(draft)
    if repaired is None:
        refused["not every surface is reachable"] += 1
        return None
    draft, ways = repaired
    if not _chests(draft, ways, rng, wish):
        refused["no good places for chests"] += 1
        return None
    seen = composition.composition_features(draft)
    if not composition.meets_requirements(seen, wish):
        refused["the requirements are not met"] += 1
        return None
    return draft, seen


def _chests(draft: MapBuilder, ways: Reachability, rng: Random, wish: MapRequirements) -> bool:
    """Place the required chests, less those of the parts."""
    return add_chests(draft, ways, wish.chests - len(draft.canvas.chests), rng)


def passes_check(text: str, refused: Counter[str]) -> bool:
    """True if `check` finds nothing; its issues are counted.

    Args:
        text: Source of the map.
        refused: Count of each issue; increased.

    Raises:
        ForgeError: If an expectation cannot be read, because no other map would do better.
    """
    issues = adapter.check(text).issues
    for issue in issues:
        if issue.code in UNKNOWN:
            raise ForgeError([Issue(issue.code, "error", issue.message, hint=issue.hint)])
        refused[f"{issue.code} {issue.message}"] += 1
    return not issues


def _hopeless(style: MapStyle, seed: int, refused: Mapping[str, int]) -> ForgeError:
    reasons = ", ".join(f"{why} ({count})" for why, count in sorted(refused.items())[:4])
    message = f"no playable {style.grammar.name} came of seed {seed}: {reasons or 'nothing fits'}"
    hint = "try another seed or style, a larger stock, or a wider wish"
    return ForgeError([Issue("FDF502", "error", message, hint=hint)])


def stock_budget(owned: Mapping[str, int], wish: MapRequirements) -> StockBudget:
    """Return the budget of a stock.

    Args:
        owned: Number of parts by key.
        wish: Requirements of the map.

    Raises:
        ForgeError (FDF501): If the stock lacks baseplates, start markers or chests.
    """
    pieces = adapter.catalogue()
    fixed = {
        pieces.quadrant.key: wish.rows * wish.cols // 25,
        pieces.start_marker("red").key: 8,
        pieces.start_marker("blue").key: 8,
        pieces.chest.key: wish.chests,
    }
    lacks = {key: n - owned.get(key, 0) for key, n in fixed.items() if owned.get(key, 0) < n}
    if lacks:
        missing = ", ".join(f"{count} {key}" for key, count in lacks.items())
        message = f"no map of this size can be built from the stock: it lacks {missing}"
        hint = "add them with `fdforge stock add`, or wish for fewer chests or a smaller board"
        raise ForgeError([Issue("FDF501", "error", message, hint=hint)])
    return budget_of(owned, pieces)

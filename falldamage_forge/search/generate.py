"""One playable map from a seed: many sketches, the best by composition mended and proved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random

from falldamage_forge.issues import ForgeError, Issue
from falldamage_forge.search import door
from falldamage_forge.search.budget import Budget, budget_of
from falldamage_forge.search.grow import Wish, add_chests, grow
from falldamage_forge.search.mend import mend
from falldamage_forge.search.parts import Style
from falldamage_forge.search.sketch import Draft
from falldamage_forge.search.taste import Looks, judge, judged, keeps, looks
from falldamage_forge.search.walk import Ways
from falldamage_forge.search.wording import wording

Accept = Callable[[str], str]
UNBOUND = Budget()
ANY = Wish()

SKETCHES = 24
MENDED = 4
"""Of this many sketches so many are mended; the best is kept."""
UNKNOWN = {"FDF330", "FDF400", "FDF001", "FDF002"}
"""What `check` says of an expectation that cannot be understood."""
TRIES = 5
"""Rounds of sketches before a seed is given up."""


@dataclass(frozen=True)
class Made:
    """A map: its text, the draft it came from, how it looks, and why others were refused."""

    text: str
    draft: Draft
    looks: Looks
    score: float
    refused: Mapping[str, int] = field(default_factory=dict)


def generate(
    seed: int,
    style: Style,
    budget: Budget = UNBOUND,
    wish: Wish = ANY,
    *,
    sketches: int = SKETCHES,
    accept: Accept = lambda _: "",
) -> Made:
    """The map of a seed. The same arguments give the same text.

    `accept` tells of a text why it will not do, or nothing. Raises ForgeError (FDF502) with the
    reasons when no sketch can be made playable.
    """
    refused: Counter[str] = Counter()
    for attempt in range(TRIES):
        rng = Random(f"{style.grammar.name}/{seed}/{attempt}")
        drafts = [grow(style, rng, budget, wish) for _ in range(sketches)]
        drafts.sort(key=lambda draft: -judge(draft, wish))
        finished: list[tuple[float, Draft, Looks]] = []
        for draft in drafts:
            done = finish(draft, rng, wish, refused)
            if done is not None:
                finished.append((judged(done[1], style.grammar.taste, wish), *done))
            if len(finished) == MENDED:
                break
        for score, draft, seen in sorted(finished, key=lambda each: -each[0]):
            text = wording(draft, seed, wish.expects)
            if proved(text, refused) and _accepted(accept(text), refused):
                return Made(text, draft, seen, score, refused)
    raise _hopeless(style, seed, refused)


def _accepted(why: str, refused: Counter[str]) -> bool:
    """Whether nothing is said against a map; what is, is counted."""
    if why:
        refused[why] += 1
    return not why


def finish(
    draft: Draft, rng: Random, wish: Wish, refused: Counter[str]
) -> tuple[Draft, Looks] | None:
    """A sketch mended, with its chests, if it then is what was wished; else why not is counted."""
    mended = mend(draft)
    if mended is None:
        refused["not everybody gets everywhere"] += 1
        return None
    draft, ways = mended
    if not _chests(draft, ways, rng, wish):
        refused["no good places for chests"] += 1
        return None
    seen = looks(draft)
    if not keeps(seen, wish):
        refused["not what was wished"] += 1
        return None
    return draft, seen


def _chests(draft: Draft, ways: Ways, rng: Random, wish: Wish) -> bool:
    """The chests wished for, less those that parts have brought."""
    return add_chests(draft, ways, wish.chests - len(draft.canvas.chests), rng)


def proved(text: str, refused: Counter[str]) -> bool:
    """Whether `check` finds nothing at all; what it finds is counted.

    ForgeError when a wish is one that nobody understands: no other map would do better.
    """
    issues = door.check(text).issues
    for issue in issues:
        if issue.code in UNKNOWN:
            raise ForgeError([Issue(issue.code, "error", issue.message, hint=issue.hint)])
        refused[f"{issue.code} {issue.message}"] += 1
    return not issues


def _hopeless(style: Style, seed: int, refused: Mapping[str, int]) -> ForgeError:
    reasons = ", ".join(f"{why} ({count})" for why, count in sorted(refused.items())[:4])
    message = f"no playable {style.grammar.name} came of seed {seed}: {reasons or 'nothing fits'}"
    hint = "try another seed or style, a larger stock, or a wider wish"
    return ForgeError([Issue("FDF502", "error", message, hint=hint)])


def stock_budget(owned: Mapping[str, int], wish: Wish) -> Budget:
    """The budget of a stock; ForgeError (FDF501) when base, markers or chests are lacking."""
    pieces = door.catalogue()
    fixed = {
        pieces.quadrant.key: wish.rows * wish.cols // 25,
        pieces.start_marker("red").key: 8,
        pieces.start_marker("blue").key: 8,
        pieces.chest.key: wish.chests,
    }
    lacks = {key: n - owned.get(key, 0) for key, n in fixed.items() if owned.get(key, 0) < n}
    if lacks:
        told = ", ".join(f"{count} {key}" for key, count in lacks.items())
        message = f"no map of this size can be built from the stock: it lacks {told}"
        hint = "add them with `fdforge stock add`, or wish for fewer chests or a smaller board"
        raise ForgeError([Issue("FDF501", "error", message, hint=hint)])
    return budget_of(owned, pieces)

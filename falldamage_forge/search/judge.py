"""What becomes of a child: drawn or edited, mended, measured, played if asked, and proved.

Everything here depends on nothing but the values it is given, so it may run on any machine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from falldamage_forge.board import Board
from falldamage_forge.games.fall_damage.game import FallDamage
from falldamage_forge.search import door
from falldamage_forge.search.archive import BETTER, Cell, Elite, cell_of
from falldamage_forge.search.budget import Budget
from falldamage_forge.search.edits import canvas_of, vary
from falldamage_forge.search.generate import finish, proved, stock_budget
from falldamage_forge.search.grow import Wish, grow
from falldamage_forge.search.mutate import mutate
from falldamage_forge.search.parts import Style, Taste
from falldamage_forge.search.play import liveliness
from falldamage_forge.search.sketch import Draft, Sketch
from falldamage_forge.search.taste import Looks, band, judged, looks_of
from falldamage_forge.search.wording import wording

OWN = "own"
"""The style of variants of somebody's own map."""
USUAL_KINDS = 3
"""Kinds of part in a map that names none."""


@dataclass(frozen=True)
class Setup:
    """All that judging a map needs, as values that can be sent to another machine.

    `origin` is somebody's own map, of which variants are made in place of maps of the styles;
    `games` are those that bots play on each map that would enter, none by default.
    """

    styles: tuple[Style, ...]
    wish: Wish
    owned: Mapping[str, int] | None
    game: FallDamage
    key: str = ""
    """Tells setups apart; workers keep what they made ready for one."""
    origin: str = ""
    games: int = 0


@dataclass(frozen=True, slots=True)
class Child:
    """One map to be made by a seed: from a parent, or fresh in a style.

    A parent is a sketch, or the text of a variant of somebody's own map.
    """

    seed: str
    style: str
    parent: Sketch | str | None = None


@dataclass(frozen=True, slots=True)
class Chunk:
    """Children judged together, and what is known of cells: only a better map is worth proving."""

    number: int
    children: tuple[Child, ...]
    known: Mapping[Cell, float]


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of a chunk: elites to offer, in the children's order, and why others are none."""

    number: int
    elites: tuple[Elite, ...]
    refused: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Made:
    """A map that was made of a child: drawn (`draft`), or its parent's text edited."""

    child: Child
    looks: Looks
    taste: Taste
    levels: int
    draft: Draft | None = None
    text: str = ""
    board: Board | None = None


@dataclass
class Ready:
    """What a process makes of a setup once."""

    setup: Setup
    styles: dict[str, Style] = field(init=False)
    budget: Budget = field(init=False)
    bulk: Any = field(init=False)
    spared: Counter[str] = field(init=False)

    def __post_init__(self) -> None:
        from falldamage_forge.search.bulk import Bulk

        self.styles = {style.grammar.name: style for style in self.setup.styles}
        owned, wish = self.setup.owned, self.setup.wish
        self.budget = Budget() if owned is None else stock_budget(owned, wish)
        origin = self.setup.origin
        found = door.check(origin).every if origin else ()
        self.spared = Counter(issue.code for issue in found if issue.severity != "error")
        game = self.setup.game
        self.bulk = Bulk(game, [game.profile(group.profile) for group in game.classes()])


_READY: dict[str, Ready] = {}


def ready(setup: Setup) -> Ready:
    """A setup made ready, kept for as long as the process lives."""
    if setup.key not in _READY:
        _READY.clear()
        _READY[setup.key] = Ready(setup)
    return _READY[setup.key]


def judge_chunk(setup: Setup, chunk: Chunk) -> Judged:
    """Make and judge a chunk's children; a pure function of what is given."""
    refused: Counter[str] = Counter()
    here = ready(setup)
    make = _edited if setup.origin else _drawn
    made = [done for child in chunk.children if (done := make(here, child, refused)) is not None]
    elites = tuple(_elites(here, made, chunk.known, refused)) if made else ()
    return Judged(chunk.number, elites, dict(refused))


def _drawn(here: Ready, child: Child, refused: Counter[str]) -> Made | None:
    """The child drawn, mended, with chests; None if it cannot be played or is its parent again."""
    rng = Random(child.seed)
    style, wish = here.styles[child.style], here.setup.wish
    if isinstance(child.parent, Sketch):
        draft = mutate(child.parent, style, here.budget, wish, rng)
    else:
        draft = grow(style, rng, here.budget, wish)
    done = finish(draft, rng, wish, refused)
    if done is None:
        return None
    draft, seen = done
    if isinstance(child.parent, Sketch) and _same(draft.sketch, child.parent):
        refused["it is its parent again"] += 1
        return None
    return Made(child, seen, style.grammar.taste, sum(draft.canvas.level), draft=draft)


def _edited(here: Ready, child: Child, refused: Counter[str]) -> Made | None:
    """The parent's text, or the one all began with, after a few gestures."""
    from falldamage_forge.search.bulk import fits

    parent = child.parent if isinstance(child.parent, str) else here.setup.origin
    done = vary(parent, door.board_of(parent), Random(child.seed))
    if done is None:
        refused["it is its parent again"] += 1
        return None
    text, board = done
    if not fits(board):
        refused["too many things to be judged in bulk"] += 1
        return None
    canvas = canvas_of(board)
    seen = looks_of(canvas, USUAL_KINDS)
    return Made(child, seen, Taste(), sum(canvas.level), text=text, board=board)


def _same(one: Sketch, other: Sketch) -> bool:
    """Whether two sketches say the same but for where chests lie."""
    parts = (one.stamps, one.heart, one.bridges, one.things, one.symmetry)
    return parts == (other.stamps, other.heart, other.bridges, other.things, other.symmetry)


def _elites(
    here: Ready, made: list[Made], known: Mapping[Cell, float], refused: Counter[str]
) -> Iterator[Elite]:
    """Those that are better than what their cells are known to hold, played and proved."""
    found = here.bulk.measure(_packed(made))
    for n, each in enumerate(made):
        if found.surfaces[n] < 0:
            refused["too many surfaces to be judged in bulk"] += 1
            continue
        if not found.playable[n] or found.cut_off[n]:
            refused["some class is cut off"] += 1
            continue
        row, count = found.figures[n].tolist(), int(found.surfaces[n])
        traits, figures = traits_of(each.levels, row, count)
        quality = quality_of(each, figures, here.setup.wish)
        best = known.get(cell_of(each.child.style, traits), float("-inf")) + BETTER
        if quality <= best:
            continue
        text, board = _said(each, here.setup.wish)
        if not _stands(here, each, text, refused):
            continue
        if here.setup.games:
            quality += liveliness(board, here.setup.game.options, here.setup.games)
            if quality <= best:
                refused["games by bots were less lively"] += 1
                continue
        sketch = None if each.draft is None else each.draft.sketch
        yield Elite(round(quality, 6), traits, each.child.style, sketch, text)


def _packed(made: Sequence[Made]) -> Any:
    """The maps as arrays."""
    from falldamage_forge.search.bulk import pack, pack_canvases

    drafts = [each.draft for each in made if each.draft is not None]
    if drafts:
        return pack_canvases([draft.canvas for draft in drafts])
    return pack([each.board for each in made if each.board is not None])


def _said(each: Made, wish: Wish) -> tuple[str, Board]:
    """The map's text and board."""
    if each.draft is None:
        assert each.board is not None
        return each.text, each.board
    text = wording(each.draft, each.child.seed, wish.expects, "Found by `fdforge search`")
    return text, each.draft.canvas.board()


def _stands(here: Ready, each: Made, text: str, refused: Counter[str]) -> bool:
    """Whether `check` finds nothing, and the stock builds it; drawn maps keep to it anyhow.

    Of a variant it may find what it found in the map that all began with, and no more.
    """
    if each.draft is not None:
        return proved(text, refused)
    for issue in door.check(text).every:
        if here.spared[issue.code] == 0:
            refused[f"{issue.code} {issue.message}"] += 1
            return False
    owned = here.setup.owned
    if owned is not None and door.missing(text, owned):
        refused["the stock does not build it"] += 1
        return False
    return True


def traits_of(
    levels: int, row: Sequence[int], surfaces: int
) -> tuple[dict[str, float], dict[str, float]]:
    """What a map is like on the axes, and the figures that its quality comes of."""
    from falldamage_forge.search.loops import gauges

    count = max(surfaces, 1)
    traits = {
        "verticality": row[gauges.LEVELS] / count,
        "openness": row[gauges.SEEN] / max(count * (count - 1), 1),
        "ways": float(row[gauges.CUT]),
        "cost": float(levels),
    }
    figures = {
        "reach": (row[gauges.REACH + 2] + row[gauges.REACH + 5]) / (2 * count),
        "contact": float(min(row[gauges.CONTACT], row[gauges.CONTACT + 1])),
        "high": row[gauges.HIGH] / count,
        "falls": row[gauges.FALLS] / count,
        "ways": traits["ways"],
    }
    return {key: round(value, 6) for key, value in traits.items()}, figures


def quality_of(each: Made, figures: Mapping[str, float], wish: Wish) -> float:
    """How good a map is to play and to look at; 0 is best.

    The first terms are bands that games played by bots told apart; the last ones have no dead
    zone, so that of two good maps one is always better.
    """
    score = judged(each.looks, each.taste, wish)
    score += 1.0 * band(figures["reach"], 0.70, 0.90, 0.2)
    score += 1.0 * band(figures["ways"], 4, 8, 2)
    score += 1.0 * band(figures["contact"], 3, 5, 1)
    score += 0.8 * band(figures["high"], 0.12, 0.50, 0.1)
    score -= min(abs(figures["falls"] - 0.30), 0.3)
    score -= min(abs(figures["reach"] - 0.80), 0.3) * 0.5
    return score

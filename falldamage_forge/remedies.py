"""Remedies: small changes of a board that mend an issue, each tried before a hint proposes it.

`PROPOSALS` lists by code the changes that may mend an issue. `with_remedies` makes each on the
board, judges the changed board, and words the hint of those after which the issue is gone and no
other error was added. So no hint leads to the next error. Callers: `checks`, the library.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from falldamage_forge.board import Board, Chest, Deck, Ground, Ladder, Tile
from falldamage_forge.board.legality import BuildLimits
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import Issue
from falldamage_forge.lang.edit.board_elements import (
    BoardElement,
    Delta,
    Things,
    apply_delta,
    board_of,
    deck,
    things_of,
)
from falldamage_forge.lang.edit.gestures import InvalidGesture, LayBridge, LeanLadder, Paint
from falldamage_forge.lang.facts import Extent
from falldamage_forge.rules.position import Position
from falldamage_forge.rules.setup_check import why_not_standable
from falldamage_forge.rules.side_connection import gap_between_sides

MOST_TOLD = 3
"""Most remedies of a hint."""
MOST_TRIED = 60
"""Most changed boards that are judged for the issues of one board."""
MOST_PLACES = 4
"""Most other places that are tried for a start tile or a chest."""
MOST_LINES = 3
"""Most lines over a barrier for which remedies are tried."""
LONGEST_LINE = 8
"""Most tiles of a barrier along such a line."""
AROUND = 3
"""Distance in tiles within which another place is looked for."""

Judge = Callable[[Board], Iterable[Issue]]
"""Returns the issues of a changed board."""
Change = Callable[[Things], Things]


@dataclass(frozen=True, slots=True)
class Remedy:
    """A change of a board and its words, an imperative without a full stop.

    Attributes:
        words: The change, for a hint.
        change: Function from the elements of the board to those after the change.
    """

    words: str
    change: Change


class Kind(NamedTuple):
    """Remedies of one kind, the likeliest first; a hint tells one of them.

    `last` marks a kind that is told only if no other mends the issue.
    """

    remedies: Iterable[Remedy]
    last: bool = False


@dataclass(frozen=True, slots=True)
class Patient:
    """A board with an issue.

    Attributes:
        position: The board under its rules.
        limits: Limits of catalogue and printer.
        issue: The issue.
    """

    position: Position
    limits: BuildLimits
    issue: Issue

    @property
    def board(self) -> Board:
        """The board."""
        return self.position.board

    def reach(self, tile: Tile) -> int:
        """Return the level up to which a column is filled, with what stands on it."""
        column = self.board.column(tile)
        return column.level + self.limits.height(column.feature)


def with_remedies(
    found: Iterable[Issue], position: Position, limits: BuildLimits, judge: Judge
) -> tuple[Issue, ...]:
    """Return the issues of a board with the remedies that mend them as hints.

    Args:
        found: All issues of the board that `judge` finds.
        position: The board under its rules.
        limits: Limits of catalogue and printer.
        judge: Finds the issues of a changed board.
    """
    issues = tuple(found)
    if not any(issue.code in PROPOSALS for issue in issues):
        return issues
    things, box = things_of(position.board), Extent(position.board.rows, position.board.cols)
    tried = iter(range(MOST_TRIED))

    def works(remedy: Remedy, issue: Issue) -> bool:
        with suppress(InvalidGesture):
            if next(tried, None) is not None:
                after = remedy.change(things)
                return _mends(issue, issues, judge(board_of(after, box.rows, box.cols)))
        return False

    return tuple(
        _hinted(issue, position, limits, works) if issue.code in PROPOSALS else issue
        for issue in issues
    )


def _hinted(
    issue: Issue,
    position: Position,
    limits: BuildLimits,
    works: Callable[[Remedy, Issue], bool],
) -> Issue:
    proposed = PROPOSALS[issue.code](Patient(position, limits, issue))
    good: list[str] = []
    for kind in proposed:
        if len(good) < MOST_TOLD and not (good and kind.last):
            tried = (each.words for each in kind.remedies if works(each, issue))
            good += islice(tried, 1)
    if not good:
        return issue
    cures = f"either {', or '.join(good)}" if len(good) > 1 else good[0]
    return replace(issue, hint=f"{issue.hint}. To mend it, {cures}" if issue.hint else cures)


def _mends(issue: Issue, before: Iterable[Issue], after: Iterable[Issue]) -> bool:
    """True if an issue is gone and no error was added; another may lose some of its tiles."""
    known: dict[str, list[set[tuple[int, int]]]] = {}
    for one in before:
        if one is not issue:
            known.setdefault(one.code, []).append({*one.tiles})
    after = tuple(after)
    gone = (issue.code, issue.tiles) not in {(one.code, one.tiles) for one in after}
    return gone and all(
        any(tiles.issuperset(one.tiles) for tiles in known.get(one.code, ()))
        for one in after
        if one.severity == "error"
    )


# -- changes ---------------------------------------------------------------------------------------


def _paint(tiles: Iterable[Tile], level: int) -> Change:
    """Return the change of columns to a level, with what stands on them."""
    return lambda things: apply_delta(things, Paint((*tiles,), level).delta(things, Extent(0, 0)))


def _without(*kinds: str, tiles: Iterable[Tile]) -> Change:
    """Return the change that takes elements of some kinds off some tiles."""
    at = {*tiles}
    return lambda things: frozenset(
        x for x in things if x.kind not in kinds or x.tiles[0] not in at
    )


def _in_turn(*changes: Change) -> Change:
    def change(things: Things) -> Things:
        for each in changes:
            things = each(things)
        return things

    return change


def _replaced(gone: BoardElement, *new: BoardElement) -> Change:
    """Return the change of one element to others."""
    return lambda things: apply_delta(things, Delta(frozenset({gone}), frozenset(new)))


def _deck(of: Deck, level: int | None = None) -> BoardElement:
    return deck(of.a, of.b, of.level if level is None else level, arch=of.arch)


def _ladder(of: Ladder) -> BoardElement:
    return BoardElement("ladder", (of.foot, of.top), (of.foot_level, of.top_level))


def names(tiles: Iterable[Tile]) -> str:
    """Return `D4`, `D4 and D6`, or `D4, D5 and D6`."""
    return " and ".join(filter(None, ", ".join(map(str, tiles)).rsplit(", ", 1)))


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
        change = _in_turn(_paint(low, high), _replaced(_deck(of), _deck(of, high)))
        moved = f"raise {', '.join(map(str, low))} and the bridge to level {high}"
        yield Remedy(moved, change) if low else _relevelled(of, high)


def _deck_gone(of: Deck) -> Kind:
    change = _replaced(_deck(of))
    return Kind(
        (Remedy(f"take the bridge {of.a} -> {of.b} of level {of.level} away", change),), last=True
    )


def _bare(p: Patient, tile: Tile) -> Iterator[Kind]:
    """Yield the remedies that take a feature, water or lava off a tile."""
    column = p.board.column(tile)
    ground = None if column.ground is Ground.GROUND else column.ground
    for kind, what in (("feature", column.feature), ("ground", ground)):
        if what is not None:
            yield Kind((Remedy(f"take the {what} off {tile}", _without(kind, tiles=[tile])),))


def _of_loose_deck(p: Patient) -> Iterator[Kind]:
    """FDF132: an end at another level than its support."""
    for of in islice(_decks(p), 1):
        ends = tuple(map(Tile._make, p.issue.tiles))
        words = f"make {names(ends)} level {of.level}"
        yield Kind((Remedy(words, _paint(ends, of.level)),))
        shared = {*p.board.tops(of.a)} & {*p.board.tops(of.b)} - {0}
        nearest = sorted(shared, key=lambda level: (abs(level - of.level), level))
        yield Kind(_relevelled(of, level) for level in nearest)
        yield Kind(_raised(p, of))
        yield _deck_gone(of)


def _relevelled(of: Deck, level: int) -> Remedy:
    return Remedy(f"give the bridge level {level}", _replaced(_deck(of), _deck(of, level)))


def _of_long_deck(p: Patient) -> Iterator[Kind]:
    """FDF131: more tiles than the longest bridge piece spans."""
    for of in islice(_decks(p), 1):
        middle = (len(of.tiles) - 1) / 2
        order = sorted(range(len(of.tiles)), key=lambda n: (abs(n - middle), n))
        yield Kind(_supported(of, of.tiles[place]) for place in order)
        yield _deck_gone(of)


def _supported(of: Deck, at: Tile) -> Remedy:
    """Return the remedy that puts a support under a bridge, and a bridge on either side."""
    parts = (deck(of.a, at, of.level, arch=of.arch), deck(at, of.b, of.level, arch=of.arch))
    return Remedy(
        f"make {at} level {of.level} and lay one bridge {of.a} -> {at} and one {at} -> {of.b}",
        _in_turn(_paint([at], of.level), _replaced(_deck(of), *parts)),
    )


def _of_blocked_deck(p: Patient) -> Iterator[Kind]:
    """FDF134: terrain or a feature in the way of a bridge."""
    for of in islice(_decks(p), 1):
        yield Kind(_raised(p, of))
        (tile,) = map(Tile._make, p.issue.tiles)
        yield from _bare(p, tile)
        level = max(of.level - 1, 0)
        yield Kind((Remedy(f"make {tile} level {level}", _paint([tile], level)),))
        yield _deck_gone(of)


def _of_crossing_decks(p: Patient) -> Iterator[Kind]:
    """FDF135: two bridges that cross at one level."""
    for of in islice(_decks(p), 1):
        yield Kind(_raised(p, of))
        yield _deck_gone(of)


def _of_bad_support(p: Patient) -> Iterator[Kind]:
    """FDF133: a feature, water or lava where a bridge ends."""
    for tile in map(Tile._make, p.issue.tiles):
        yield from _bare(p, tile)
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
            new = BoardElement("ladder", (foot, of.top), (level, of.top_level))
            words = f"lean the ladder on {of.top} from {foot}"
            yield Remedy(words, _replaced(_ladder(of), new))


def _of_lying_ladder(p: Patient) -> Iterator[Kind]:
    """FDF138: a ladder whose top is not above its foot."""
    for of in islice(_ladders(p), 1):
        turned = BoardElement("ladder", (of.top, of.foot), (of.top_level, of.foot_level))
        yield Kind((Remedy("swap the two tiles", _replaced(_ladder(of), turned)),))
        level = of.foot_level + 1
        yield Kind((Remedy(f"make {of.top} level {level}", _paint([of.top], level)),))
        yield _ladder_gone(of)


def _ladder_gone(of: Ladder) -> Kind:
    return Kind((Remedy("take the ladder away", _replaced(_ladder(of))),), last=True)


def _of_long_ladder(p: Patient) -> Iterator[Kind]:
    """FDF139: more levels than the longest ladder piece climbs."""
    for of in islice(_ladders(p), 1):
        for tile, level in (
            (of.foot, of.top_level - p.limits.max_rise),
            (of.top, of.foot_level + p.limits.max_rise),
        ):
            yield Kind((Remedy(f"make {tile} level {level}", _paint([tile], level)),))
        yield _ladder_gone(of)


def _of_hindered_ladder(p: Patient) -> Iterator[Kind]:
    """FDF140, FDF141 and FDF313: something at its foot, its head or on its way."""
    for of in islice(_ladders(p), 1):
        for tile in (of.foot, of.top):
            yield from _bare(p, tile)
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
            yield Remedy(words, _replaced(_ladder(of), new))


def _of_double_ladder(p: Patient) -> Iterator[Kind]:
    """FDF142: two ladders in one place."""
    for of in p.board.ladders:
        if of.source == p.issue.span and of.foot in p.issue.tiles:
            yield _ladder_gone(of)


# -- features --------------------------------------------------------------------------------------


def _of_bare_spire(p: Patient) -> Iterator[Kind]:
    """FDF143: a spire on the bare board."""
    for tile in map(Tile._make, p.issue.tiles):
        words = f"put a column below it: `stack {tile} height 1`"
        yield Kind((Remedy(words, _paint([tile], 1)),))
        yield from _bare(p, tile)


def _of_wet_feature(p: Patient) -> Iterator[Kind]:
    """FDF144: a feature in water or lava."""
    for tile in map(Tile._make, p.issue.tiles):
        yield from _bare(p, tile)


# -- starts and chests -----------------------------------------------------------------------------


def _rim(board: Board, tile: Tile) -> int:
    """Return the distance of a tile from the nearest edge of a board."""
    return min(tile.row, tile.col, board.rows - 1 - tile.row, board.cols - 1 - tile.col)


def _places_near(board: Board, tile: Tile, taken: set[Tile]) -> list[Tile]:
    """Return free tiles near a tile: those as far from the board's edge first, then the nearest."""
    far = {
        at: abs(at.row - tile.row) + abs(at.col - tile.col)
        for at in board.tiles()
        if at not in taken
        and board.column(at).feature is None
        and board.column(at).ground is Ground.GROUND
    }
    edge = _rim(board, tile)
    return sorted(far, key=lambda at: (far[at] > AROUND, _rim(board, at) != edge, far[at], at))


def _instead(p: Patient, side: str, place: Surface) -> Iterator[Remedy]:
    """Yield the remedies that take another start tile in place of a surface."""
    old = BoardElement("start", (place.tile,), (place.level,), side)
    taken = {at for zone in p.board.starts for at, _ in zone.surfaces}
    written = place.tile if _on_top(p.board, place) else place
    for at in _places_near(p.board, place.tile, taken):
        new = BoardElement("start", (at,), (p.board.column(at).level,), side)
        yield Remedy(f"start on {at} instead of {written}", _replaced(old, new))


def _of_bad_start(p: Patient) -> Iterator[Kind]:
    """FDF152: a start tile on which no unit stands."""
    headroom = p.position.game.terrain.headroom
    for zone in p.board.starts:
        if zone.source == p.issue.span and len(p.issue.tiles) == 1:
            for place in map(Surface._make, zone.surfaces):
                bad = why_not_standable(p.board, headroom, *place)
                if (place.tile,) == p.issue.tiles and bad:
                    yield Kind(islice(_instead(p, zone.side, place), MOST_PLACES))


def _of_bad_chest(p: Patient) -> Iterator[Kind]:
    """FDF154: a chest that no unit takes."""
    taken = {chest.tile for chest in p.board.treasures}
    for chest in p.board.treasures:
        if chest.source == p.issue.span and (chest.tile,) == p.issue.tiles:
            places = _places_near(p.board, chest.tile, taken)[:MOST_PLACES]
            yield Kind(_carried(p, chest, at) for at in places)


def _carried(p: Patient, chest: Chest, at: Tile) -> Remedy:
    """Return the remedy that puts a chest on top of another column."""
    old = BoardElement("treasure", (chest.tile,), (chest.level,))
    new = BoardElement("treasure", (at,), (p.board.column(at).level,))
    return Remedy(f"put the chest on {at} instead of {chest.tile}", _replaced(old, new))


# -- sides apart -----------------------------------------------------------------------------------


def _of_sides_apart(p: Patient) -> Iterator[Kind]:
    """FDF300: start zones that do not reach each other."""
    gap = gap_between_sides(p.position)
    if gap is None:
        return
    for side, place in gap.lone_starts:
        yield Kind(islice(_instead(p, side, place), MOST_PLACES))
    lines = _lines(p.board, gap.inside, gap.beyond)
    for propose in (_laddered, _bridged, _opened):
        yield Kind(each for line in lines for each in propose(p, line))


def _lines(
    board: Board, inside: frozenset[Surface], beyond: frozenset[Surface]
) -> list[tuple[Tile, ...]]:
    """Return the shortest straight lines of tiles from one part to the other, ends included."""
    near, far = ({at.tile for at in part if _on_top(board, at)} for part in (inside, beyond))
    found = []
    for start in near | far:
        ends = far if start in near else near
        for way in ((0, 1), (1, 0)):
            line = [start]
            while len(line) <= LONGEST_LINE + 1 and (at := line[-1].step(way)) in board:
                line.append(at)
                if at in near | far:
                    if at in ends:
                        found.append(tuple(line))
                    break
    middle = (board.rows - 1, board.cols - 1)

    def order(line: tuple[Tile, ...]) -> tuple[int, int, tuple[Tile, ...]]:
        off = sum(abs(line[0][n] + line[-1][n] - middle[n]) for n in (0, 1))
        return len(line), off, line

    return sorted(found, key=order)[:MOST_LINES]


def _on_top(board: Board, at: Surface) -> bool:
    return board.column(at.tile).level == at.level


def _opened(p: Patient, line: Sequence[Tile]) -> Iterator[Remedy]:
    """Yield gaps through a barrier, at the level of its first and of its last side."""
    wall = line[1:-1]
    for level in dict.fromkeys(p.board.column(tile).level for tile in (line[0], line[-1])):
        if wall:
            yield Remedy(
                f"leave a gap: make {names(wall)} plain ground of level {level}",
                _in_turn(_without("ground", "feature", tiles=wall), _paint(wall, level)),
            )


def _laddered(p: Patient, line: Sequence[Tile]) -> Iterator[Remedy]:
    """Yield ladders up to a barrier from both of its sides."""
    feet = dict.fromkeys(((line[0], line[1]), (line[-1], line[-2])))
    pairs = [
        (foot, top)
        for foot, top in feet
        if 1 < p.board.column(top).level - p.board.column(foot).level <= p.limits.max_rise
    ]
    if pairs:
        written = " and ".join(f"`ladder {foot} -> {top}`" for foot, top in pairs)
        lean = [LeanLadder(foot, top) for foot, top in pairs]
        yield Remedy(f"add {written}", _done(*lean))


def _done(*gestures: LeanLadder | LayBridge) -> Change:
    def change(things: Things) -> Things:
        for each in gestures:
            things = apply_delta(things, each.delta(things, Extent(0, 0)))
        return things

    return change


def _bridged(p: Patient, line: Sequence[Tile]) -> Iterator[Remedy]:
    """Yield a bridge over a barrier, on supports of one level beside it."""
    a, b, wall = line[0], line[-1], line[1:-1]
    if not 0 < len(wall) <= p.limits.max_span:
        return
    supports = [p.board.column(end).level for end in (a, b)]
    level = max(*supports, *(p.reach(tile) + 1 for tile in wall))
    low = tuple(end for end, has in zip((a, b), supports, strict=True) if has != level)
    bridge = f"add `bridge {a} -> {b} level {level}`"
    change = _in_turn(_paint(low, level), _done(LayBridge(a, b, level)))
    yield Remedy(f"make {names(low)} level {level} and {bridge}" if low else bridge, change)


Propose = Callable[[Patient], Iterator[Kind]]
PROPOSALS: Mapping[str, Propose] = {
    "FDF131": _of_long_deck,
    "FDF132": _of_loose_deck,
    "FDF133": _of_bad_support,
    "FDF134": _of_blocked_deck,
    "FDF135": _of_crossing_decks,
    "FDF138": _of_lying_ladder,
    "FDF139": _of_long_ladder,
    "FDF140": _of_hindered_ladder,
    "FDF141": _of_hindered_ladder,
    "FDF142": _of_double_ladder,
    "FDF143": _of_bare_spire,
    "FDF144": _of_wet_feature,
    "FDF152": _of_bad_start,
    "FDF154": _of_bad_chest,
    "FDF300": _of_sides_apart,
    "FDF313": _of_hindered_ladder,
}
"""Functions that propose remedies, by the code of the issue; the likeliest remedy comes first."""

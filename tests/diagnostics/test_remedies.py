"""Every alternative of every hint, followed to the letter on maps that no hint was written for.

Maps are presets, tables and nasty maps, with a few things changed at random. They are written as
people write them, a thing a line. A hint is followed by changing these lines, without the code that
found the hint.
"""

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

import pytest

import falldamage_forge as ff
from falldamage_forge import presets
from falldamage_forge.board import (
    DIRECTIONS,
    Battlement,
    Board,
    Chest,
    Column,
    Deck,
    Feature,
    Ground,
    HalfStep,
    Ladder,
    Tile,
)
from falldamage_forge.diagnostics.issue_folding import unfolded
from falldamage_forge.elements.things import board_of, things_of
from falldamage_forge.issues import Issue
from falldamage_forge.issues.code_tables import codes
from falldamage_forge.remedies.tried_hints import (
    LARGE_TILES,
    LEAST_PLAYED,
    MOST_PLAYED,
    PROPOSALS,
    most_played,
)
from tests.amount import some
from tests.nasty import Nasty, nasty

LEVELS = (0, 1, 2, 3, 5)
OF_PLAY = re.compile("FDF3[016]")
"""Codes that no board shows before it can be built."""


# -- maps ------------------------------------------------------------------------------------------


def changed(board: Board, dice: random.Random) -> Board:
    """A board after up to six changes, legal or not."""
    columns, decks, ladders = [*board.columns], [*board.decks], [*board.ladders]
    for _ in range(dice.randint(1, 6)):
        tile = Tile(dice.randrange(board.rows), dice.randrange(board.cols))
        place = tile.row * board.cols + tile.col
        what = dice.randrange(6)
        if what == 0:
            columns[place] = replace(columns[place], level=dice.choice(LEVELS))
        elif what == 1:
            ground = dice.choice((Ground.LAVA, Ground.WATER))
            columns[place] = replace(columns[place], ground=ground)
        elif what == 2:
            feature = dice.choice((Feature.TREE, Feature.SPIRE))
            columns[place] = replace(columns[place], feature=feature)
        elif what == 3 and decks:
            old = decks.pop(dice.randrange(len(decks)))
            decks.append(replace(old, level=max(old.level + dice.choice((-1, 1)), 1)))
        elif what == 4:
            end = tile.step(dice.choice(((0, 1), (1, 0))), dice.randint(2, 6))
            if end in board:
                decks.append(Deck.between(tile, end, dice.randint(1, 4)))
        elif (top := tile.step(dice.choice(DIRECTIONS))) in board:
            low, high = (board.column(at).level for at in (tile, top))
            ladders.append(Ladder(tile, low, top, high))
    decks = [*{(deck.a, deck.b, deck.level): deck for deck in decks}.values()]
    return replace(board, columns=tuple(columns), decks=tuple(decks), ladders=tuple(ladders))


def walled(board: Board, dice: random.Random) -> Board:
    """A board with a barrier right across it."""
    columns, row = [*board.columns], dice.randrange(2, board.rows - 2)
    fill = dice.choice(
        (Column(0, Ground.LAVA), Column(0, feature=Feature.TREE), Column(1, feature=Feature.SPIRE),
         Column(4), Column(3), Column(2, Ground.LAVA))
    )  # fmt: skip
    for at in range(row, min(row + dice.randint(1, 3), board.rows - 2)):
        columns[at * board.cols : (at + 1) * board.cols] = [fill] * board.cols
    return replace(board, columns=tuple(columns), decks=(), ladders=(), treasures=())


def written(board: Board, rules: str, options: Sequence[tuple[str, int]] = ()) -> str:
    """The text of a board; the level of a column's top is not written."""
    bare = board_of(things_of(board), board.rows, board.cols)
    text = Nasty(bare, rules, tuple(options)).text

    def plain(found: re.Match[str]) -> str:
        tile, level = Tile.parse(found[1]), int(found[2])
        return found[1] if board.column(tile).level == level else found[0]

    return re.sub(r"\b([A-Z]{1,2}\d+)@(\d+)", plain, text)


def broken(board: Board, dice: random.Random) -> Board:
    """A board with battlements, steps, bridges and ladders where there may be no room for them."""
    tiles = [tile for tile in board.tiles() if 0 < tile.row < board.rows - 1]
    decks, ladders = [*board.decks], [*board.ladders]
    crowns = {crown.tile: crown for crown in board.battlements}
    steps = {step.tile for step in board.steps}
    for _ in range(dice.randint(1, 4)):
        tile, other = dice.sample(tiles, 2)
        what = dice.randrange(5)
        if what == 0:
            crowns[tile] = Battlement(tile)
        elif what == 1:
            steps.add(dice.choice([tile, *(end for x in ladders for end in (x.foot, x.top))]))
        elif what == 2:
            decks.append(Deck.between(tile, other, dice.randint(1, 3)))
        elif what == 3:
            low, high = sorted(board.column(at).level for at in (tile, other))
            ladders.append(Ladder(tile, low, other, high))
        elif ladders:
            old = ladders.pop(dice.randrange(len(ladders)))
            ladders.append(replace(old, foot_level=old.foot_level + dice.choice((-1, 1, 2))))
    decks = [*{(deck.a, deck.b, deck.level): deck for deck in decks}.values()]
    ladders = [ladder for ladder in ladders if ladder.foot_level >= 0]
    return replace(
        board, decks=tuple(decks), ladders=tuple(ladders),
        battlements=tuple(crowns.values()), steps=tuple(map(HalfStep, sorted(steps))),
    )  # fmt: skip


def walls(board: Board, dice: random.Random) -> Board:
    """A board with towers and pits that units do not enter or leave, some with a chest."""
    columns, chests = [*board.columns], [*board.treasures]
    free = [
        tile for tile in board.tiles()
        if 1 < tile.row < board.rows - 2 and board.column(tile) == Column(0)
    ]  # fmt: skip
    for tile in dice.sample(free, min(len(free), dice.randint(1, 3))):
        place = tile.row * board.cols + tile.col
        columns[place] = Column(dice.choice((3, 4, 6)))
        if dice.random() < 0.5:
            chests.append(Chest(tile, columns[place].level))
    return replace(board, columns=tuple(columns), treasures=tuple(chests))


EXAMPLES = tuple(code for code in PROPOSALS if codes()[code].example)


def example(code: str) -> str:
    """The example of a code, written a thing a line."""
    text = codes()[code].example
    layout = ff.loads(text, "x.forge").loaded.layout
    (game,) = re.findall(r"^rules ([\w-]+)", text, re.M) or ["fall-damage"]
    return written(layout.board, game)


@cache
def texts() -> tuple[str, ...]:
    found = []
    for seed in some(range(400), 72):
        dice = random.Random(seed)
        if seed % 2:
            source = nasty(seed)
            board, rules, options = source.board, source.rules, source.options
        else:
            board = ff.load(dice.choice(presets.map_names())).board
            rules, options = "fall-damage", ()
        change = (walled, changed, broken, changed, walls, broken)[seed // 2 % 6]
        found.append(written(change(board, dice), rules, options))
    return (*found, *map(example, EXAMPLES))


# -- following -------------------------------------------------------------------------------------


TOLD = re.compile(r"(the way in is [^.]+; )?(\S+ (rises|lies) [^.]+|no way leads out)|"
                  r"\S+ has level [^.]+|`fdforge reach [^.]+")  # fmt: skip
"""Hints that say what is in the way, and propose no change."""


def alternatives(hint: str) -> list[str]:
    """The changes that a hint proposes, any of which should do."""
    cures = hint.rpartition(". To correct it, ")[2]
    return cures.removeprefix("either ").split(", or ")


class Lines:
    """The lines of a text, one thing each."""

    def __init__(self, text: str) -> None:
        self.lines = text.splitlines()

    def drop(self, pattern: str) -> None:
        kept = [line for line in self.lines if not re.fullmatch(pattern, line)]
        assert len(kept) == len(self.lines) - 1, pattern
        self.lines = kept

    def level(self, tile: str, level: str) -> None:
        self.lines = [line for line in self.lines if not line.startswith(f"stack {tile} ")]
        if level != "0":
            self.lines.insert(3, f"stack {tile} height {level}")

    def plain(self, tile: str) -> None:
        self.lines = [
            line for line in self.lines
            if not re.fullmatch(f"(tree|spire|lava|water) at {tile}", line)
        ]  # fmt: skip

    def at(self, number: int, pattern: str, new: str) -> None:
        """Change the text in a line of the source, which has to be there."""
        line = re.sub(pattern, new, self.lines[number], count=1)
        assert line != self.lines[number], (line, pattern)
        self.lines[number] = line


def followed(text: str, issue: Issue, words: str) -> str:
    """The text after one proposed change."""
    it, here = Lines(text), issue.span.line - 1 if issue.span else 0
    tiles = re.findall(r"\b[A-Z]{1,2}\d+\b", words)
    if said := re.fullmatch(r"(?:raise .+ and|give) the bridge(?: to)? level (\d+)", words):
        it.at(here, r"level \d+", f"level {said[1]}")
        for tile in tiles:
            it.level(tile, said[1])
    elif said := re.fullmatch(
        r"make (\S+) level (\d+) and lay one bridge (.+) and one (.+)", words
    ):
        level = re.findall(r"level \d+.*", it.lines[here])[0]
        it.lines[here] = f"bridge {said[3]} {level}"
        it.lines.append(f"bridge {said[4]} {level}")
        it.level(said[1], said[2])
    elif said := re.fullmatch(r"(?:make (.+) level (\d+) and )?write `(.+)`", words):
        it.lines[here] = said[3]
        for tile in re.findall(r"\b[A-Z]{1,2}\d+\b", said[1] or ""):
            it.level(tile, said[2])
    elif said := re.fullmatch(r"leave out [\w ,]+: `(.+)`", words):
        it.lines[here] = said[1]
    elif said := re.fullmatch(r"lay a plain bridge (\S+ -> \S+) in place of the arch", words):
        (row,) = (n for n, line in enumerate(it.lines) if f"bridge {said[1]} " in line)
        it.at(row, " arch", "")
    elif said := re.fullmatch(r"make (.+) level (\d+) and add `(.+)`", words):
        it.lines.append(said[3])
        for tile in re.findall(r"\b[A-Z]{1,2}\d+\b", said[1]):
            it.level(tile, said[2])
    elif said := re.fullmatch(r"leave a gap: make (.+) plain ground of level (\d+)", words):
        for tile in tiles:
            it.plain(tile)
            it.level(tile, said[2])
    elif said := re.fullmatch(r"make .+ level (\d+)", words):
        for tile in tiles:
            it.level(tile, said[1])
    elif said := re.fullmatch(r"put a column below it: `(stack (\S+) height 1)`", words):
        it.level(said[2], "1")
    elif said := re.fullmatch(r"take the bridge (\S+) -> (\S+) of level (\d+) away", words):
        it.drop(rf"bridge {said[1]} -> {said[2]} level {said[3]}( arch)?")
    elif said := re.fullmatch(r"take the ladder (\S+) -> (\S+) away", words):
        it.drop(rf"ladder {said[1]}(@\d+)? -> {said[2]}(@\d+)?")
    elif said := re.fullmatch(r"take the (battlement|step) off (\S+)", words):
        it.drop(rf"{said[1]} at {said[2]}( sides .+)?")
    elif words == "take the ladder away":
        del it.lines[here]
    elif said := re.fullmatch(r"take the (\w+) off (\S+)", words):
        it.drop(f"{said[1]} at {said[2]}")
    elif said := re.fullmatch(r"lean the ladder on (\S+) from (\S+)", words):
        kept = re.search(rf"-> ({said[1]}(@\d+)?)$", it.lines[here])
        it.at(here, r"ladder .+", f"ladder {said[2]} -> {kept[1] if kept else said[1]}")
    elif words == "swap the two tiles":
        it.at(here, r"ladder (\S+) -> (\S+)", r"ladder \2 -> \1")
    elif said := re.fullmatch(r"start the ladder on the bridge: `(.+)`", words):
        foot = re.findall(r"ladder (\S+) ->", said[1])[0]
        it.at(here, r"ladder \S+ ->", f"ladder {foot} ->")
    elif said := re.fullmatch(r"start on (.+) instead of (.+)", words):
        named = (re.split(", | and ", part) for part in said.groups())
        for new, old in zip(*named, strict=True):
            place = rf"\b{old}\b(?!@)"
            (row,) = (
                n for n, line in enumerate(it.lines)
                if line.startswith("start ") and re.search(place, line)
            )  # fmt: skip
            it.at(row, place, new)
    elif said := re.fullmatch(r"put the (chest|step) on (\S+) instead of (\S+)", words):
        word = {"chest": "treasure"}.get(said[1], said[1])
        rows = [
            n for n, line in enumerate(it.lines)
            if re.fullmatch(rf"{word} at {said[3]}(@\d+)?", line)
        ]  # fmt: skip
        row = here if here in rows else rows[0]
        it.at(row, rf"\b{said[3]}(@\d+)?$", said[2])
    elif said := re.fullmatch(r"add `([^`]+)`(?: and `([^`]+)`)?", words):
        it.lines += filter(None, said.groups())
    else:
        pytest.fail(f"no reader follows: {words}")
    return "\n".join(it.lines) + "\n"


@cache
def issues_of(text: str) -> list[Issue]:
    return [issue for issue, _ in unfolded(ff.check(ff.loads(text, "x.forge")).issues)]


def hinted(text: str) -> Iterator[tuple[Issue, str]]:
    """Yield each alternative of each issue for which remedies are looked for."""
    for issue in issues_of(text):
        if issue.code in PROPOSALS and issue.hint and not TOLD.fullmatch(issue.hint):
            for words in alternatives(issue.hint):
                yield issue, words


def added(before: Sequence[Issue], after: Sequence[Issue], mended: Issue) -> set[str]:
    """The codes of errors on tiles that no other error of the code named before."""
    old = {(one.code, tile) for one in before if one is not mended for tile in one.tiles}
    errors = (one for one in after if one.severity == "error")
    return {one.code for one in errors for tile in one.tiles if (one.code, tile) not in old}


@pytest.mark.parametrize("number", range(len(texts())))
def test_every_alternative_of_a_hint_mends_and_adds_no_error(number: int) -> None:
    text = texts()[number]
    before = issues_of(text)
    played = not any(re.match("FDF1[3-6]", x.code) for x in before if x.severity == "error")
    for issue, words in hinted(text):
        after = issues_of(followed(text, issue, words))
        assert (issue.code, issue.tiles) not in {(one.code, one.tiles) for one in after}, words
        new = added(before, after, issue)
        assert {code for code in new if played or not OF_PLAY.match(code)} == set(), words


def test_the_maps_raise_many_hints_of_every_kind() -> None:
    raised = Counter(issue.code for text in texts() for issue, _ in hinted(text))
    assert set(EXAMPLES) <= set(raised), set(EXAMPLES) - set(raised)
    assert raised.total() > 150


def test_issues_of_the_maps_are_rarely_without_a_remedy() -> None:
    found = [i for text in texts() for i in issues_of(text)[:8] if i.code in PROPOSALS]
    bare = Counter(issue.code for issue in found if not issue.hint)
    assert bare.total() < len(found) / 6, bare


STARTS = "start red at B1..I1\nstart blue at B10..I10\n"


@pytest.mark.parametrize(
    ("lines", "code", "hint"),
    [
        ("stack D3, D5 height 3\nstack D4 height 3\nbridge D3 -> D5 level 3", "FDF134",
         "either raise D3, D5 and the bridge to level 4, or make D4 level 2"),
        ("lava at row 5, row 6", "FDF300",
         "either make E4 and E7 level 1 and add `bridge E4 -> E7 level 1`, or leave a gap: make E5 "
         "and E6 plain ground of level 0"),
        ("tree at row 5", "FDF300", "leave a gap: make E5 plain ground of level 0"),
        ("stack row 5 height 1\nspire at row 5", "FDF300",
         "leave a gap: make E5 plain ground of level 0"),
        ("stack D4 height 3\nlava at D5\nladder D5 -> D4", "FDF313",
         "either take the lava off D5, or lean the ladder on D4 from D3"),
        ("stack D1 height 4", "FDF300",
         "D1@4 rises 4 above C1@0; Jump 2 climbs 2. To correct it, either start on A1 instead of "
         "D1, or add `ladder E1 -> D1`"),
    ],
)  # fmt: skip
def test_hint_names_what_mends_this_map(lines: str, code: str, hint: str) -> None:
    (found,) = (one for one in issues_of(f"forge 1\n{lines}\n{STARTS}") if one.code == code)
    assert found.hint == hint


@pytest.mark.parametrize("what", ["tree", "spire"])
def test_barrier_of_features_is_called_so(what: str) -> None:
    text = f"forge 1\nstack row 5 height 1\n{what} at row 5\n{STARTS}"
    (found,) = (one for one in issues_of(text) if one.code == "FDF300")
    assert found.message.startswith(f"row 5 is blocked by {what}s: ")


@pytest.mark.parametrize("seed", range(40))
def test_board_of_elements_is_the_board(seed: int) -> None:
    board = nasty(seed).board
    assert board_of(things_of(board), board.rows, board.cols) == board


DEAD = {
    "a foot in lava": ("stack D4 height 3\nlava at D5", "no unit stands on D5 because it is lava"),
    "a head in lava": ("stack D4 height 3\nlava at D4", "no unit stands on D4 because it is lava"),
    "a bridge above the foot": (
        "stack D4 height 3\nstack C5, E5 height 4\nbridge C5 -> E5 level 4",
        "a bridge is in the way over D5",
    ),
    "a bridge low above the head": (
        "stack D4 height 3\nstack C4, E4 height 4\nbridge C4 -> E4 level 4",
        "no unit stands on D4 because a bridge at level 4 leaves no headroom",
    ),
}


@pytest.mark.parametrize("name", DEAD)
def test_ladder_that_no_unit_climbs_is_told_with_the_reason(name: str) -> None:
    lines, why = DEAD[name]
    text = f"forge 1\n{lines}\nladder D5 -> D4\n{STARTS}"
    (found,) = (one for one in issues_of(text) if one.code == "FDF313")
    assert found.message == f"no unit can climb the ladder D5 -> D4: {why}"
    assert found.severity == "warning" and found.hint


@pytest.mark.parametrize("name", presets.map_names())
def test_no_ladder_of_a_preset_is_dead(name: str) -> None:
    assert not [one for one in ff.check(ff.load(name)).every if one.code == "FDF313"]


def test_a_large_board_has_fewer_changes_judged_but_never_none() -> None:
    """Each judgement takes as long as the board is large: together they grow with it, no faster."""
    sizes = [n * m for n in range(5, 55, 5) for m in range(5, 55, 5)]
    for tiles in sizes:
        most = most_played(tiles)
        assert LEAST_PLAYED <= most <= MOST_PLAYED
        assert most * tiles <= max(MOST_PLAYED * LARGE_TILES, LEAST_PLAYED * tiles)
    assert most_played(100) == MOST_PLAYED

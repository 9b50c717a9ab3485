"""Questions, effects, changes of the board and promises, as text: see `tests/snapshot.py`."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

import falldamage_forge as ff
from falldamage_forge.board import Board
from falldamage_forge.games.fall_damage.board_changes import CHANGES
from falldamage_forge.games.fall_damage.engine.modifiers import EFFECTS
from falldamage_forge.rules.query_registry import questions_of
from tests import snapshot
from tests.games.drawing import Dice, word
from tests.snapshot import Snapshots, asked, small, text, told

AREA = "games"
UNITS = {
    "yard": ("ganger", "scout", "brute"),
    "hall": ("drifter", "imp", "giant"),
    "camp": ("fighter", "archer", "brog"),
}


def questioned(name: str) -> Iterator[str]:
    """Every question of a map's game, three times with words of its types."""
    p = ff.position(small(name))
    known = {unit: p.game.units[unit] for unit in UNITS[name]}
    p = replace(p, game=replace(p.game, units=known))
    for question, about in questions_of(p).items():
        dice = Dice(question)
        for _ in range(3):
            given = {
                argument.name: word(dice, p, argument.hint)
                for argument in about.arguments
                if argument.needed or dice.random() < 0.5
            }
            words = " ".join(f"{key}={value}" for key, value in given.items())
            found = asked(p.ask, question, **given)
            answer = found["answer"] if isinstance(found, dict) else found
            rows = answer if isinstance(answer, list | tuple) else (answer,)
            yield from (f"{question} {words}".strip() + f": {plain(row)}" for row in rows)


def plain(value: Any) -> str:
    """A value with all its tables in one line."""
    if isinstance(value, dict):
        return f"({', '.join(f'{key} {plain(item)}' for key, item in value.items())})"
    if isinstance(value, list | tuple):
        return f"[{' '.join(map(plain, value))}]"
    return text(value)


def affected() -> Iterator[str]:
    """A knight on the crag: its turns, attack and a push; and what of it each effect changes."""
    usual = set(knight(""))
    yield from (f"no effect: {line}" for line in knight(""))
    for effect, about in EFFECTS.items():
        value = {"": "", "count": "=1", "tile": "=D5" if effect == "rope" else "=B3"}[about.takes]
        now = [line for line in knight(f"{effect}{value}") if line not in usual]
        yield from (f"{effect}{value}: {line}" for line in now or ["nothing changes"])


def knight(effect: str) -> Iterator[str]:
    """Answers about a knight under an effect."""
    p = ff.position(small("crag"))
    name, _, value = effect.partition("=")
    effects = [effect] if effect else []
    unit = p.unit("knight", **({name.replace("-", "_"): value} if name else {}))
    turns = [row["turns"] for row in asked(unit.reach, "A3")["surfaces"]]
    yield f"from A3, surfaces by turn: {text([turns.count(n) for n in range(1, 9)])}"
    standing: dict[str, Any] = {"enemies": ["E4@2", "E3"], "effects": effects, "ability": "attack"}
    rows = asked(p.targets, "knight", "D4@2", **standing)["targets"]
    yield f"on D4@2, may attack {text([text(row) for row in rows])}"
    hit = asked(p.targets, "knight", "D4@2", aim="E4@2", **standing)
    for row in hit["outcome"]["units"]:
        facts = (f"{key} {text(item)}" for key, item in row.items() if item)
        yield f"on D4@2, attacks: {', '.join(facts)}"
    pushed = asked(p.push, "E4@2", "D4@2", "B2", unit="knight", effects=effects)
    yield from told("pushed west off D4@2", pushed)


def land(board: Board) -> dict[str, str]:
    """By tile: level and what stands there; and the decks and ladders."""
    columns = zip(board.tiles(), board.columns, strict=True)
    found = {
        str(tile): " ".join(
            (str(one.level), one.ground.value, *([one.feature.value] if one.feature else []))
        )
        for tile, one in columns
    }
    for deck in board.decks:
        over = " ".join(sorted(str(tile) for tile in deck.tiles))
        found[f"bridge {deck.a}"] = f"level {deck.level} over {over}"
    return found | {f"ladder {one.foot}": f"to {one.top}" for one in board.ladders}


WHERE = ("D5", "E4", "D2", "G2", "G3", "H4", "B2", "C3", "F3", "E1")
WAYS = ("north", "east", "south", "west")
SERIES = (
    ("hit G2 3", "hit G2 3"), ("scaffold D5", "crumble"), ("partition D5 east", "topple H4 west 2"),
    ("lower E5", "raise E5"), ("eruption A1 A2", "dam A1 east 4"), ("without E4", "scaffold E4"),
    ("scaffold D5", "scaffold D5"), ("topple H4 east 3", "hit H4 9"),
)  # fmt: skip


def changed() -> Iterator[str]:
    """What changes in words do to the crag, one alone and one after the other."""
    p = ff.position(small("crag"))
    series = [
        (sentence(name, CHANGES[name][0], number, tile),)
        for name in CHANGES
        for number, tile in enumerate(WHERE)
        if CHANGES[name][0] or not number
    ]
    before = land(p.board)
    for texts in (*series, *SERIES):
        subject = ", ".join(texts)
        try:
            now = land(ff.position(small("crag"), what_if=texts).board)
        except ff.ForgeError as error:
            yield f"{subject}: refused {' '.join(issue.code for issue in error.issues)}"
            continue
        new = [
            f"{at} {now.get(at, 'gone')}"
            for at in {**before, **now}
            if before.get(at) != now.get(at)
        ]
        yield f"{subject}: {'; '.join(new) or 'nothing changes'}"


def sentence(name: str, example: str, number: int, tile: str) -> str:
    """A change in words on a tile, after the pattern of its example."""
    words, other = [name], WHERE[(number + 3) % len(WHERE)]
    tiles = iter((tile, other))
    for kind in example.split():
        is_way = kind in WAYS
        is_count = kind.isdigit()
        words.append(
            WAYS[number % 4] if is_way else str(1 + number % 5) if is_count else next(tiles)
        )
    return " ".join(words)


PROMISES = (
    "reachable treasure", "connected", "no islands", "no traps", "symmetric rotate-180",
    "symmetric mirror-x", "symmetric mirror-y", "good contact", "good control", "good sight",
    "good treasure",
)  # fmt: skip


def promised() -> Iterator[str]:
    """Whether small maps keep what they may promise."""
    for name in ("crag", "den", "yard", "hall", "camp"):
        for promise in PROMISES:
            found = ff.check(ff.loads(f"{small(name).text}\nexpect {promise}\n"))
            broken = [issue for issue in found.every if issue.code in ("FDF330", "FDF331")]
            tiles = [str(tile) for issue in broken for tile in issue.tiles]
            where = f"broken on {len(tiles)} tiles: {' '.join(tiles[:6])}"
            yield f"{name}, expect {promise}: {where if broken else 'kept'}"


SNAPSHOTS: Snapshots = {
    **{f"questions-{name}": partial(questioned, name) for name in UNITS},
    "changes": changed,
    "effects": affected,
    "promises": promised,
}


@pytest.mark.parametrize("name", SNAPSHOTS)
def test_answers_are_those_of_the_snapshot(name: str) -> None:
    snapshot.check(f"{AREA}/{name}", SNAPSHOTS[name]())

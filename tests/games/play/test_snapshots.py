"""Games, situations, chests and setting up, as text: see `tests/snapshot.py`."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import fields
from functools import partial

import pytest

from falldamage_forge.games.fall_damage.play import BoardGame, State, legal_moves, split_options
from falldamage_forge.games.fall_damage.play.legal_apply import advance_to_first_node, node_kind
from falldamage_forge.issues import ForgeError
from tests import snapshot
from tests.games.play.goldens import KIT, golden_board, goldens
from tests.games.play.situations import after, one_of_each, situation, standing, table_of
from tests.games.play.tables import ctx, new_game, small_board
from tests.games.play.telling import changes, game_lines, state_lines
from tests.games.play.test_engine import values
from tests.snapshot import Snapshots

AREA = "play"
READINGS = values()
GAMES = (0, 4, 10, 13, 16, 19)


def game(number: int) -> Iterator[str]:
    """A golden game played again."""
    record = list(goldens())[number]
    for side, team in zip(("red", "blue"), record["teams"], strict=True):
        yield f"{side}: {' '.join(team)}"
    replay = BoardGame.from_record(record, KIT)
    yield from game_lines(replay._states, replay.moves)


def acted(seed: int) -> Iterator[str]:
    """A drawn situation; what moves of each kind change, and what is asked then."""
    dice = random.Random(seed)
    state = situation(dice, table_of(dice, READINGS))
    yield f"readings: {readings(state)}"
    yield from (f"{key}: {line}" for key, line in state_lines(state).items() if "unit" in key)
    for choice in one_of_each(dice, state, 4):
        chosen = after(state, choice)
        yield f"{choice}: {asked(chosen)}"
        for move in one_of_each(dice, chosen, 8):
            yield from done(f"{choice}, {move}", chosen, after(chosen, move))


def readings(state: State) -> str:
    """The readings of a state's game that are not the usual ones."""
    table = state.ctx
    pairs = [
        f"{item.name}={getattr(some, item.name)}"
        for some in (table.rules, table.readings)
        for item in fields(some)
        if getattr(some, item.name) != item.default
    ]
    return " ".join(pairs)


def asked(state: State) -> str:
    """Who decides, among how many moves."""
    return f"{node_kind(state)}, {len(legal_moves(state))} legal"


def done(name: str, before: State, then: State) -> Iterator[str]:
    """What a move changed, and who decides next."""
    yield f"{name}: then {asked(then)}"
    yield from (f"  {line}" for line in changes(before, then, ("round", "to_act")))


def opened(seed: int) -> Iterator[str]:
    """Every result of the treasure table for a unit of a situation."""
    dice = random.Random(seed + 500)
    state = situation(dice, table_of(dice, READINGS))
    state.push_tasks(("open", dice.choice(standing(state))))
    state.legal = None
    advance_to_first_node(state)
    for first in legal_moves(state):
        then = after(state, first)
        for result in legal_moves(then) if then.pending else ():
            yield from done(f"{first}, {result}", then, after(then, result))


def set_up(seed: int) -> Iterator[str]:
    """The coin, sides, teams, places and the first moves, under readings of these."""
    dice = random.Random(seed + 800)
    names = ("draft", "team_duplicates", "shared_cards", "side_choice", "placement", "start",
             "beast", "win")  # fmt: skip
    options = dict(pair for pair in READINGS if pair[0] in names and dice.random() < 0.6)
    state = new_game(ctx(dice.choice((small_board(), golden_board())), options))
    yield f"options: {' '.join(f'{key}={value}' for key, value in options.items())}"
    for _ in range(80):
        if not state.over:
            move = dice.choice(legal_moves(state))
            then = after(state, move)
            yield f"{asked(state)}: {move}; seats {then.seats}, first {then.first}"
            state = then


def read() -> Iterator[str]:
    """Each option with each of its words, and which other words it takes."""
    wrong = ("x", "0", "2.5", "1+3", "four,one")
    words: dict[str, list[str]] = {}
    for name, value in READINGS:
        words.setdefault(name, []).append(value)
    for name, known in words.items():
        taken, refused = [], set()
        for value in (*known, *wrong):
            try:
                split_options({name: value})
                taken.append(repr(value))
            except ForgeError as error:
                refused |= {issue.code for issue in error.issues}
        yield f"{name}: takes {' '.join(taken)}; others {' '.join(sorted(refused))}"


SNAPSHOTS: Snapshots = {
    **{f"game-{number}": partial(game, number) for number in GAMES},
    **{f"situation-{seed}": partial(acted, seed) for seed in range(6)},
    **{f"chest-{seed}": partial(opened, seed) for seed in range(2)},
    **{f"set-up-{seed}": partial(set_up, seed) for seed in range(4)},
    "options": read,
}


@pytest.mark.parametrize("name", SNAPSHOTS)
def test_play_equals_its_snapshot(name: str) -> None:
    snapshot.check(f"{AREA}/{name}", SNAPSHOTS[name]())

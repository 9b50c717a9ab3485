"""Golden games: they replay to the same states, hold everything, and notice each number."""

import os
from collections import Counter

import pytest

from falldamage_forge.games.fall_damage.play import Game, legal
from falldamage_forge.games.fall_damage.play.engine import advance
from falldamage_forge.issues import ForgeError
from tests.amount import EXHAUSTIVE
from tests.games.play.goldens import (
    KIT,
    UNSEEN,
    bare,
    goldens,
    mutants,
    notices,
    play,
    replayed,
    wanted,
    write,
)

if "FORGE_ACCEPT" in os.environ:
    write()
GOLDENS = list(goldens())


@pytest.mark.parametrize("number", range(len(GOLDENS)))
def test_a_golden_replays_to_the_same_states(number: int) -> None:
    assert replayed(GOLDENS[number], KIT) == GOLDENS[number]["digest"]


def events_of(record: dict[str, object]) -> Counter[str]:
    game = Game.start_of(bare(record), KIT)
    state, seen = game.state.copy(), Counter[str]()
    state.log = []
    for text in record["moves"]:  # type: ignore[attr-defined]
        advance(state, next(move for move in legal(state) if str(move) == text))
    for event in state.log:
        seen[str(event[0])] += 1
        if event[0] in ("treasure", "ability", "item"):
            seen[f"{event[0]} {event[2]}"] += 1
        if event[0] == "harm":
            seen[f"harm by {event[3]}"] += 1
    for unit in state.units:
        seen[f"card {unit.card}"] += 1
    return seen


def test_everything_there_is_occurs_in_some_golden() -> None:
    seen = Counter[str]()
    for record in GOLDENS:
        seen += events_of(record)
    missing = sorted(wanted() - set(seen))
    assert not missing


def test_a_golden_that_was_tampered_with_is_told() -> None:
    record = dict(GOLDENS[0])
    record["moves"] = [*record["moves"][:20], "unit 99", *record["moves"][20:]]
    with pytest.raises(ForgeError, match="move 21"):
        replayed(record, KIT)


def test_the_same_seed_plays_the_same_game() -> None:
    one, other = play(5)[0], play(5)[0]
    assert one.record(trace=True) == other.record(trace=True)


# -- numbers ---------------------------------------------------------------------------------------


MUTANTS = {name: (card, kit) for name, card, kit in mutants()}
SAMPLE = list(MUTANTS) if EXHAUSTIVE else list(MUTANTS)[::9]


@pytest.mark.parametrize("name", SAMPLE)
def test_a_changed_number_changes_a_golden(name: str) -> None:
    found = any(notices(record, *MUTANTS[name]) for record in GOLDENS)
    assert found == (name not in UNSEEN)

"""Golden games: they replay to the same results, hold everything, and notice each number."""

from collections import Counter

import pytest

from falldamage_forge.games.fall_damage.play import BoardGame, legal_moves
from falldamage_forge.games.fall_damage.play.legal_apply import apply_move_in_place
from falldamage_forge.issues import ForgeError
from tests.amount import EXHAUSTIVE
from tests.games.play.goldens import (
    KIT,
    UNSEEN,
    goldens,
    mutants,
    notices,
    play,
    wanted,
)

GOLDENS = list(goldens())


@pytest.mark.parametrize("number", range(len(GOLDENS)))
def test_a_golden_replays_to_its_result(number: int) -> None:
    game = BoardGame.from_record(GOLDENS[number], KIT)
    assert list(map(str, game.moves)) == GOLDENS[number]["moves"]
    assert game.result == GOLDENS[number]["result"] and game.over


def events_of(record: dict[str, object]) -> Counter[str]:
    game = BoardGame.start_of(record, KIT)
    state, seen = game.state.copy(), Counter[str]()
    state.log = []
    for text in record["moves"]:  # type: ignore[attr-defined]
        apply_move_in_place(state, next(move for move in legal_moves(state) if str(move) == text))
    for event in state.log:
        seen[str(event[0])] += 1
        if event[0] in ("treasure", "ability", "item"):
            seen[f"{event[0]} {event[2]}"] += 1
        if event[0] == "harm":
            seen[f"harm by {event[3]}"] += 1
    for unit in state.units:
        seen[f"card {unit.card}"] += 1
    return seen


def test_every_element_and_number_occurs_in_some_golden() -> None:
    seen = Counter[str]()
    for record in GOLDENS:
        seen += events_of(record)
    missing = sorted(wanted() - set(seen))
    assert not missing


def test_changed_golden_is_refused() -> None:
    record = dict(GOLDENS[0])
    record["moves"] = [*record["moves"][:20], "unit 99", *record["moves"][20:]]
    with pytest.raises(ForgeError, match="move 21"):
        BoardGame.from_record(record, KIT)


def test_the_same_seed_plays_the_same_game() -> None:
    one, other = play(5)[0], play(5)[0]
    assert one.record(trace=True) == other.record(trace=True)


# -- numbers ---------------------------------------------------------------------------------------


MUTANTS = {name: (card, content) for name, card, content in mutants()}
SAMPLE = list(MUTANTS) if EXHAUSTIVE else list(MUTANTS)[::36]


@pytest.mark.parametrize("name", SAMPLE)
def test_a_changed_number_changes_a_golden(name: str) -> None:
    found = any(notices(record, *MUTANTS[name]) for record in GOLDENS)
    assert found == (name not in UNSEEN)

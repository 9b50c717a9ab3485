"""The game in the studio: hands and bots, moves as the library has them, taken back, left."""

import json

import pytest

import falldamage_forge as ff
from falldamage_forge.issues import ForgeError
from falldamage_forge.playtest import bots
from falldamage_forge.studio.play_mode import HAND, game_of, hint_message, play
from falldamage_forge.studio.session import Session
from tests.studio.telling import fits

DUEL = ff.load("duel").text


def begun(**values: object) -> tuple[Session, dict[str, object]]:
    session, told = play(Session(DUEL), "begin", {"seed": 3, **values})
    return session, fits(told)


def test_a_hand_is_asked_and_a_bot_answers() -> None:
    session, told = begun(red=HAND, blue="greedy")
    assert (told["turn"], told["hand"]) == ("red", True)
    for _ in range(12):
        moves = told["moves"]
        assert isinstance(moves, list)
        assert session.match is not None
        assert [one["text"] for one in moves] == list(map(str, game_of(session.match).legal_moves))
        session, told = play(session, "move", {"move": moves[len(moves) // 2]["text"]})
        fits(told)
        assert told["type"] == "game"
        if told["over"]:
            break
        assert told["turn"] == "red"


def test_a_hint_is_a_legal_move_of_a_bot_and_makes_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "SLOWER", float("inf"))  # the first bot is the last
    session, told = begun(red=HAND, blue=HAND)
    advice = fits(hint_message(session))
    assert (advice["bot"], advice["count"]) == (next(iter(bots.BOTS)), told["count"])
    assert advice["move"] in [one["text"] for one in told["moves"]]  # type: ignore[attr-defined]
    assert session.match is not None
    assert len(session.match.moves) == told["count"]


def test_a_hint_is_refused_where_no_person_decides() -> None:
    for session in (Session(DUEL), begun(red="greedy", blue="careful")[0]):
        with pytest.raises(ForgeError) as refused:
            hint_message(session)
        assert refused.value.issues[0].code == "FDF383"


def test_a_move_taken_back_is_as_if_it_had_not_been() -> None:
    session, before = begun(red=HAND, blue=HAND)
    after, _ = play(session, "move", {"move": before["moves"][0]["text"]})  # type: ignore[index]
    again, told = play(after, "back", {})
    assert again.match == session.match
    assert json.loads(json.dumps(told)) == before


def test_a_match_is_worked_out_again_from_its_moves() -> None:
    session, told = begun(red="greedy", blue="careful")
    assert session.match is not None
    state = game_of(session.match).hash
    from falldamage_forge.studio import play_mode as room

    room._games.clear()
    assert game_of(session.match).hash == state
    assert not told["hand"]
    further, told = play(session, "next", {})
    assert told["count"] > len(session.match.moves)
    assert further.match is not None


def test_teams_can_be_drafted_by_hand() -> None:
    _, told = begun(red=HAND, blue=HAND, draw=False)
    assert told["node"] == "pick"
    assert str(told["moves"][0]["text"]).startswith("draft")  # type: ignore[index]


@pytest.mark.parametrize(
    ("text", "do", "values"),
    [
        (DUEL, "begin", {"red": "nobody"}),
        (DUEL, "begin", {"seed": -1}),
        (DUEL, "begin", {"seed": "1"}),
        ("forge 1\nboard 5x5\n", "begin", {}),
        (ff.load("gatehouse").text, "begin", {}),
    ],
)
def test_what_cannot_be_played_is_told(text: str, do: str, values: dict[str, object]) -> None:
    session = Session(text)
    after, told = play(session, do, values)
    assert after is session
    assert told["type"] == "error"
    assert told["message"]


def test_a_move_that_is_none_leaves_the_match() -> None:
    session, _ = begun(red=HAND, blue=HAND)
    after, told = play(session, "move", {"move": "fly"})
    assert after is session
    assert "not legal" in told["message"]
    left, told = play(session, "leave", {})
    assert left.match is None
    assert told == {"v": 1, "type": "game", "on": False}

"""The game in the studio: hands and bots, moves as the library has them, taken back, left."""

import json
from dataclasses import replace
from typing import Any

import pytest

import falldamage_forge as ff
from falldamage_forge.games.fall_damage.play.surface_number import surface_of
from falldamage_forge.issues import ForgeError
from falldamage_forge.playtest import bots, link_game
from falldamage_forge.studio.match_value import HAND
from falldamage_forge.studio.play_match import game_of
from falldamage_forge.studio.play_message import match_message
from falldamage_forge.studio.play_mode import hint_message, play
from falldamage_forge.studio.session import Session
from falldamage_forge.studio.spoken_message import spoken_message
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


def test_game_tells_which_activation_of_a_turn_it_is() -> None:
    """A side activates one unit, then another one, and then it is the other side's turn."""
    session, told = begun(red=HAND, blue=HAND)
    before, seen = (0, 0, ""), set()
    for _ in range(60):
        step, turn = told["unit_of_turn"], told["turn"]
        if step is not None:
            assert isinstance(step, list | tuple)
            now = (*step, turn)
            if now != before:
                assert (before[0] + 1 == step[0] and before[2] == turn) or step[0] == 1
            before = now
            seen.add(tuple(step))
        moves = told["moves"]
        assert isinstance(moves, list)
        ends = [one for one in moves if one["kind"] in ("end", "end_turn")]
        session, told = play(session, "move", {"move": (ends or moves)[0]["text"]})
        fits(told)
    assert seen == {(1, 2), (2, 2)}


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
    assert again.match is not None
    assert again.match.undos == ((len(again.match.moves), 1),), "but the record tells it"
    assert replace(again.match, undos=()) == session.match
    assert json.loads(json.dumps({**told, "saved": before["saved"]})) == before


OPENED = ("unit 3", "move D4@3", "end", "unit 5", "move G5@2")
"""Moves of red and blue in the game of seed 4, whose second one opens a chest by three dice."""


@pytest.mark.parametrize(
    ("before", "step", "stays"),
    [
        (OPENED[:0], "unit 3", False),
        (OPENED[:2], "end", False),
        (OPENED[:1], "move D4@3", True),
        (OPENED, "splash D5@2", False),
        (OPENED, "splash G4@0", True),
    ],
    ids=["choice", "end", "move onto a chest", "push and fall", "push onto a chest"],
)
def test_step_is_taken_back_until_dice_have_fallen(
    before: tuple[str, ...], step: str, stays: bool
) -> None:
    session, told = play(Session(DUEL), "begin", {"red": HAND, "blue": HAND, "seed": 4})
    for move in before:
        session, told = play(session, "move", {"move": move})
    effects = next(one["effects"] for one in told["moves"] if one["text"] == step)
    kinds = {effect["kind"] for effect in effects}
    assert ("pushed" in kinds) == step.startswith("splash")
    assert ("fall" in kinds) == (step == "splash D5@2")
    after, _ = play(session, "move", {"move": step})
    again, answer = play(after, "back", {})
    if not stays:
        assert again.match is not None and session.match is not None
        assert again.match.moves == session.match.moves
        assert [one["text"] for one in fits(answer)["moves"]] == [x["text"] for x in told["moves"]]
        return
    assert again is after
    assert fits(answer)["message"] == "a die or coin was thrown since your last step: it stays"
    assert spoken_message(answer, "de")["message"].endswith("Würfel oder eine Münze: er bleibt")


@pytest.mark.parametrize("red", [HAND, "greedy"])
def test_game_without_a_step_of_a_person_has_nothing_to_take_back(red: str) -> None:
    session, _ = play(Session(DUEL), "begin", {"red": red, "blue": "greedy", "seed": 4})
    same, told = play(session, "back", {})
    assert same is session
    assert fits(told)["message"] == "there is no step of yours to take back"
    assert spoken_message(told, "de")["message"].startswith("es gibt keinen Schritt")


def test_a_match_is_worked_out_again_from_its_moves() -> None:
    session, told = begun(red="greedy", blue="careful")
    assert session.match is not None
    state = game_of(session.match).hash
    from falldamage_forge.studio import play_match as room

    room._games.clear()
    assert game_of(session.match).hash == state
    assert not told["hand"]
    further, told = play(session, "next", {})
    assert told["count"] > len(session.match.moves)
    assert further.match is not None


def test_board_of_a_game_shows_the_chests_that_lie_on_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is drawn follows the game: a chest that was taken away is gone, others stay."""
    monkeypatch.setattr(bots, "SLOWER", float("inf"))  # the first bot is the last
    session, told = begun(red=HAND, blue=HAND)
    seen = set()
    while not told["over"]:
        assert session.match is not None
        board: Any = told["board"]
        chests = game_of(session.match).state.chests
        lying = sorted([*surface_of(spot).tile, spot & 15] for spot in chests)
        shapes = board["shapes"]
        gold = [n for n, shape in enumerate(shapes) if any(x["paint"] == "gold" for x in shape)]
        drawn = sorted([*x["at"]] for x in board["things"] if x["shape"] in gold)
        assert drawn == lying
        assert sorted(board["chests"]) == lying and not board["starts"]
        seen.add(len(lying))
        advice = hint_message(session) if told["hand"] else None
        session, told = play(
            session, *(("move", {"move": advice["move"]}) if advice else ("next", {}))
        )
        if len(seen) > 1:
            return
    raise AssertionError("no chest was taken in this game")


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


def test_a_saved_match_goes_on_as_the_same() -> None:
    session, told = play(Session(DUEL), "begin", {"red": HAND, "blue": "greedy"})
    session, told = play(session, "move", {"move": told["moves"][0]["text"]})
    assert session.match is not None
    again, resumed = play(Session("forge 1\n"), "resume", {"saved": told["saved"]})
    assert fits(resumed) == fits(told)
    assert (again.match, resumed["id"]) == (replace(session.match, name="map.forge"), told["id"])


@pytest.mark.parametrize(
    "saved", ["", "[]", "7", '"seat"', "{}", '{"seat": {}}', '{"text": "x", "moves": 3}', None]
)
def test_a_saved_match_that_is_none_is_refused(saved: object) -> None:
    session, told = play(Session(DUEL), "resume", {"saved": saved})
    assert session.match is None
    assert "saved game cannot be read" in fits(told)["message"]


def by_link() -> tuple[Session, Session]:
    """Red's and blue's sessions after red has read that blue has joined."""
    red, offer = play(Session(DUEL), "offer", {"rounds": 2})
    assert fits(offer)["link"]["begun"] is False
    code = offer["link"]["code"]
    blue, joined = play(Session("forge 1\n"), "link", {"code": code, "saved": None})
    back = {"code": fits(joined)["link"]["code"], "saved": offer["saved"]}
    red, told = play(red, "link", back)
    assert fits(told)["link"]["begun"]
    return red, blue


def test_a_map_of_the_gallery_is_named_in_the_link_and_another_is_packed() -> None:
    red, blue = by_link()
    assert red.match is not None and red.match.seat is not None
    assert red.match.seat.table.map.startswith("@duel ")
    assert blue.match is not None
    assert blue.match.text == DUEL
    own, told = play(Session(DUEL + "# mine\n"), "offer", {"rounds": 2})
    assert own.match is not None and own.match.seat is not None
    assert own.match.seat.table.map == DUEL + "# mine\n"
    assert len(told["link"]["code"]) < 1000


def test_a_side_of_a_game_by_link_is_played_by_its_player_alone() -> None:
    red, blue = by_link()
    for session in (red, blue):
        told = match_message(session.match)
        assert told["hand"] == bool(told["moves"])
        assert told["waits"] != told["hand"]
        after, refused = play(session, "move", {"move": "end turn"})
        if not told["hand"]:
            assert after is session
            assert "not your turn" in refused["message"]
        kept, same = play(session, "back", {})
        assert (kept.match, same) == (session.match, told)


SMALL = "forge 1\nboard 5x5\nplayers 2\nstart red at B1..C1\nstart blue at B5..C5\n"


@pytest.mark.parametrize("text", [SMALL, "forge 1\nboard 5x5\n", ff.load("gatehouse").text])
def test_a_game_by_link_is_not_offered_where_no_team_can_stand(text: str) -> None:
    session, told = play(Session(text), "offer", {"rounds": 6})
    assert session.match is None
    assert told["type"] == "error"


def test_an_invitation_to_a_map_that_cannot_be_played_is_refused() -> None:
    for map_ in ("@no-such-map 12345678", "@duel 12345678", SMALL, "\0", "@"):
        code = link_game.link_of(link_game.offer(map_, 6, bytes(16)))
        session, told = play(Session(DUEL), "link", {"code": code, "saved": None})
        assert session.match is None
        assert told["type"] == "error"


@pytest.mark.parametrize("rounds", [0, 21, "6", None, True])
def test_a_wrong_number_of_rounds_is_refused(rounds: object) -> None:
    session, told = play(Session(DUEL), "offer", {"rounds": rounds})
    assert session.match is None
    assert "from 1 to 20" in told["message"]


def test_a_game_that_is_over_is_shown_again_move_by_move() -> None:
    session, told = play(Session(DUEL), "begin", {"red": "greedy", "blue": "greedy"})
    while not told["over"]:
        session, told = play(session, "next", {})
    for at in (0, 1, told["count"] // 2, told["count"]):
        same, shown = play(session, "show", {"at": at})
        assert same is session
        assert fits(shown)["count"] == at
        assert (shown["all"], shown["over"], shown["hand"]) == (told["count"], True, False)
    _, record = play(session, "record", {})
    assert ff.Game.from_record(json.loads(fits(record)["text"])).result == told["result"]

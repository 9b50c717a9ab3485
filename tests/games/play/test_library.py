"""The game as the library gives it."""

import pytest

import falldamage_forge as ff


def test_a_game_on_a_map() -> None:
    game = ff.Game(ff.load("duel"), {"turn-size": "exactly_two"}, seed=7)
    game.roll()
    assert game.node == "pick" and game.turn in ("red", "blue")
    first = game.push(game.legal_moves[0])
    assert str(first).startswith("draft ")
    assert game.pop() == first
    assert ff.Game.from_record(game.record()).hash == game.hash


def test_another_games_map_is_refused() -> None:
    with pytest.raises(ff.ForgeError, match="falchion"):
        ff.Game(ff.load("crypt"))

"""Two players who send each other links, on a small table with traps, coins and a chest."""

import random
from collections.abc import Callable
from typing import Any

from falldamage_forge import presets
from falldamage_forge.games.fall_damage.play import BoardGame
from falldamage_forge.games.fall_damage.play.state_value import Teams
from falldamage_forge.playtest import link_code
from falldamage_forge.playtest import link_game as links
from falldamage_forge.playtest.link_game import Seat, Table
from tests.games.play.tables import small_board

TEAM = ["tinkerer", "beast", "bandit"]
BOARD = small_board(6)


def begin(table: Table, teams: Teams) -> BoardGame:
    """The game of a table on the small board; the drawn teams are too many for it."""
    options = {"placement": "listed", "round_limit": table.rounds, "at_limit": "health"}
    return BoardGame(BOARD, presets.load_kit(), options, teams=(TEAM, TEAM))


def seats(seed: int, rounds: int = 5) -> list[Seat]:
    """Both seats, after blue has joined and red has read its link."""
    dice = random.Random(seed)
    red = links.offer("@small", rounds, dice.randbytes(link_code.SIZE))
    blue = links.join(links.link_of(red), dice.randbytes(link_code.SIZE), begin)
    return [links.receive(red, links.link_of(blue), begin), blue]


def choose(seat: Seat, dice: random.Random) -> str:
    """A legal move, often one that hides an item."""
    game = links.game_of(seat, begin)
    assert game is not None
    moves = game.legal_moves
    hiding = [move for move in moves if move.name == "spring trap" or game.node == "choose_aid"]
    return str(dice.choice(hiding if hiding and dice.random() < 0.7 else moves))


Watch = Callable[[Seat, Seat, str, Seat], Any]
"""Gets the sender, the receiver before, the code and the receiver after."""


def whole_game(seed: int, watch: Watch = lambda *_: None, rounds: int = 5) -> list[Seat]:
    """Play until a link has nothing new."""
    dice, both, turn = random.Random(-seed), seats(seed, rounds), 0
    while True:
        me = both[turn]
        while links.decides(me, begin):
            me = links.make(me, choose(me, dice), begin)
        both[turn] = me
        code, before = links.link_of(me), both[1 - turn]
        after = links.receive(before, code, begin)
        watch(me, before, code, after)
        if after is before:
            return both
        both[1 - turn], turn = after, 1 - turn

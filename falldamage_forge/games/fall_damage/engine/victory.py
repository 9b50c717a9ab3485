"""How the game ends."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State


def finish(s: State, result: int) -> None:
    """The game is over."""
    s.phase, s.result, s.n_stack = C.OVER, result, 0


def judge(s: State) -> None:
    """Has somebody won?"""
    if s.phase == C.OVER:
        return
    left = 0
    for i in range(s.n_units):
        if s.spot[i] >= 0:
            left |= 1 << s.side[i]
    if left == 0:
        finish(s, C.DRAW)
    elif left < 3:
        finish(s, C.RED_WINS if left == 1 else C.BLUE_WINS)

"""How the game ends."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.engine.effect_stack import note


def finish(s: State, result: int) -> None:
    """The game is over."""
    s.phase, s.result, s.n_stack = C.OVER, result, 0
    note(s, C.E_OVER, result)


def judge(s: State) -> None:
    """Has somebody won?"""
    if s.phase == C.OVER:
        return
    home = brought_home(s)
    if home >= 0:
        finish(s, C.RED_WINS + home)
        return
    left = 0
    for i in range(s.n_units):
        if s.spot[i] >= 0:
            left |= 1 << s.side[i]
    if left == 1 or left == 2:
        finish(s, C.RED_WINS if left == 1 else C.BLUE_WINS)
    elif left == 0:
        actor = s.side[s.active] if s.active >= 0 else s.last_actor
        if s.double_end == C.DOUBLE_DRAW or actor < 0:
            finish(s, C.DRAW)
        else:
            finish(s, C.RED_WINS + (actor if s.double_end == C.ACTOR_WINS else 1 - actor))


def brought_home(s: State) -> int:
    """The side whose carrier rests in the zone that wins; -1: none."""
    if s.win == C.ELIMINATION:
        return -1
    for i in range(s.n_units):
        if s.spot[i] >= 0 and s.carries[i]:
            zone = s.side[i] if s.win == C.ROYAL_ICON else 1 - s.side[i]
            first = 0 if zone == 0 else s.n_zone_red
            for n in range(first, first + (s.n_zone_red if zone == 0 else s.n_zone_blue)):
                if s.zone_spots[n] == s.spot[i]:
                    return s.side[i]
    return -1


def stop_at_limit(s: State) -> None:
    """The last round is over."""
    if s.at_limit == C.LIMIT_UNFINISHED:
        finish(s, C.UNFINISHED)
        return
    red, blue = 0, 0
    for i in range(s.n_units):
        if s.spot[i] >= 0:
            worth = 1 if s.at_limit == C.LIMIT_UNITS else s.health[i]
            red += worth if s.side[i] == 0 else 0
            blue += worth if s.side[i] == 1 else 0
    if red == blue:
        finish(s, C.DRAW)
    else:
        finish(s, C.RED_WINS if red > blue else C.BLUE_WINS)

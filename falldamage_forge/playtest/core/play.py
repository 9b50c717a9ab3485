"""Whole games: chance, the random bot, and the loop from one decision to the next."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.engine.decisions import chooser
from falldamage_forge.games.fall_damage.engine.rng import below
from falldamage_forge.games.fall_damage.engine.setup import open_game
from falldamage_forge.games.fall_damage.engine.transition import advance
from falldamage_forge.playtest.core.columns import Bots
from falldamage_forge.playtest.core.count import clear_watch, count_game, read, see
from falldamage_forge.playtest.core.planner import plan_move


def nth(s: State, bots: Bots, place: int) -> int:
    """The move at a place of the sorted list; the list is put out of order."""
    low, high = 0, s.n_moves - 1
    while low < high:
        pivot = s.moves[(low + high) >> 1]
        i, j = low, high
        while i <= j:
            while s.moves[i] < pivot:
                i += 1
            while s.moves[j] > pivot:
                j -= 1
            if i <= j:
                s.moves[i], s.moves[j] = s.moves[j], s.moves[i]
                i += 1
                j -= 1
        if place <= j:
            high = j
        elif place >= i:
            low = i
        else:
            return s.moves[place]
    return s.moves[place]


def pick(s: State, bots: Bots) -> int:
    """The move of whoever decides; before the first round every bot takes any."""
    side = chooser(s)
    bot = 0 if side < 0 else bots.bot[side]
    if bot == 0 or s.phase == C.SETUP:
        return nth(s, bots, below(s, s.n_moves))
    if s.n_moves == 1:
        return s.moves[0]
    key = plan_move(s, bots, 0.0 if bot == 1 else 0.25)
    return key if key >= 0 else nth(s, bots, below(s, s.n_moves))


def go_on(s: State, bots: Bots) -> int:
    """Play until the game is over, or a list is full; says which."""
    while s.phase != C.OVER:
        see(s, bots)
        if bots.n_log >= C.MOST_LOG:
            s.lost = C.LOST
        legal, key = s.n_moves, pick(s, bots)
        if s.lost:
            return s.lost
        bots.log[bots.n_log] = key
        bots.log_counts[bots.n_log] = legal
        bots.n_log += 1
        advance(s, key)
        if s.lost:
            return s.lost
        read(s, bots)
    count_game(s, bots)
    return C.PLAYED


OPEN = 0


def do(s: State, bots: Bots, what: int) -> int:
    """The door to everything here: one function, so that one is compiled.

    Plays a game from its opening until it is over or does not fit.
    """
    bots.game += 1
    bots.n_log = 0
    clear_watch(s, bots)
    open_game(s, bots.first_seat)
    return go_on(s, bots) if s.lost == 0 else s.lost

"""Whole games: chance, the random bot, and the loop from one decision to the next."""

from typing import Any

import numpy as np
from numba.core import config

from falldamage_forge.games.fall_damage.play.dice import Dice
from falldamage_forge.playtest.core.loops import layout as L
from falldamage_forge.playtest.core.loops.count import clear_watch, count_game, read, see
from falldamage_forge.playtest.core.loops.ground import survey
from falldamage_forge.playtest.core.loops.inner import loop
from falldamage_forge.playtest.core.loops.land import rebuild, restore
from falldamage_forge.playtest.core.loops.planner import plan_move
from falldamage_forge.playtest.core.loops.questions import chooser
from falldamage_forge.playtest.core.loops.skills import blank_unit
from falldamage_forge.playtest.core.loops.turn import advance, start
from falldamage_forge.playtest.core.loops.units import unit


@loop
def below(m, count):
    """A random number below another, from the game's SplitMix64."""
    state = np.uint64(m[L.DICE]) + np.uint64(0x9E3779B97F4A7C15)
    m[L.DICE] = np.int64(state)
    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.int64((state ^ (state >> np.uint64(31))) % np.uint64(count))


def _below_plain(m, count):
    """The same where nothing is compiled: Python's whole numbers do not run over."""
    dice = Dice(m[L.DICE])
    found = dice.below(count)
    m[L.DICE] = dice.state - (dice.state >> 63 << 64)
    return found


if getattr(config, "DISABLE_JIT", False):
    below = _below_plain


@loop
def nth(m, place):
    """The move at a place of the sorted list; the list is put out of order."""
    low, high = L.MOVES, L.MOVES + m[L.N_MOVES] - 1
    place += L.MOVES
    while low < high:
        pivot = m[(low + high) >> 1]
        i, j = low, high
        while i <= j:
            while m[i] < pivot:
                i += 1
            while m[j] > pivot:
                j -= 1
            if i <= j:
                m[i], m[j] = m[j], m[i]
                i += 1
                j -= 1
        if place <= j:
            high = j
        elif place >= i:
            low = i
        else:
            return m[place]
    return m[place]


@loop
def pick(m):
    """The move of whoever decides; -1: it is not the core's affair."""
    side = chooser(m)
    bot = 0 if side < 0 else m[L.BOT_RED + side]
    if bot == 0:
        return nth(m, below(m, m[L.N_MOVES]))
    if m[L.N_MOVES] == 1:
        return m[L.MOVES]
    if m[L.PHASE] == L.SETUP:
        return -1
    key = plan_move(m, 0.0 if bot == 1 else 0.25)
    return key if key >= 0 else nth(m, below(m, m[L.N_MOVES]))


@loop
def go_on(m):
    """Play until the game is over or the plain engine is needed; says which (`HAND`)."""
    while m[L.PHASE] != L.OVER:
        see(m)
        legal = m[L.N_MOVES]
        key = pick(m)
        if key < 0:
            # Before the first round bots see only their own side: the plain engine's affair.
            m[L.HAND] = L.LOST
            return m[L.HAND]
        if m[L.N_LOG] >= L.MOST_LOG or m[L.HAND]:
            m[L.HAND] = L.LOST
            return m[L.HAND]
        m[L.LOG + m[L.N_LOG]] = key
        m[L.LOG_COUNTS + m[L.N_LOG]] = legal
        m[L.N_LOG] += 1
        advance(m, key)
        if m[L.HAND]:
            return m[L.HAND]
        read(m)
        if m[L.HAND]:
            return m[L.HAND]
    count_game(m)
    return L.PLAYED


@loop
def open_game(m):
    """From `TEAMS` to the first decision."""
    restore(m)
    rebuild(m)
    for i in range(m[L.N_UNITS]):
        if m[unit(i) + L.SPOT] >= 0:
            m[L.OCC + m[unit(i) + L.SPOT]] = -1
    m[L.GAME] += 1
    m[L.HAND], m[L.N_LOG], m[L.ENDS_OF] = 0, 0, -1
    m[L.ROUND], m[L.TO_ACT], m[L.LEFT], m[L.ACTS] = 1, m[L.FIRST], 2, 0
    m[L.LAST_ACTOR], m[L.ACTIVE], m[L.RESULT], m[L.REVERSAL] = -1, -1, 0, 0
    m[L.RAISED_RED], m[L.RAISED_BLUE], m[L.N_STACK], m[L.N_HIDDEN] = 0, 0, 0, 0
    m[L.N_BODIES], m[L.N_ZONES], m[L.N_BRICKS] = 0, 0, 0
    m[L.N_CHESTS] = m[L.LAID]
    for n in range(m[L.LAID]):
        m[L.CHESTS + n] = m[L.LAID_CHESTS + n]
    m[L.N_UNITS] = m[L.N_TEAMS]
    for i in range(m[L.N_UNITS]):
        row = L.TEAMS + 3 * i
        blank_unit(m, i, m[row], m[row + 1])
        m[unit(i) + L.SPOT] = m[row + 2]
        m[L.OCC + m[row + 2]] = i
    clear_watch(m)
    start(m)


@loop
def survey_all(m):
    """Tops and surfaces of every tile, once a map."""
    for row in range(m[L.ROWS]):
        for col in range(m[L.COLS]):
            survey(m, L.GROUND, row << 6 | col)
            survey(m, L.BASE, row << 6 | col)


OPEN, SURVEY = range(2)


@loop
def do(m, what):
    """The door to everything here: one function, so that one is compiled.

    Plays a game from its opening until it is over or does not fit.
    """
    if what == SURVEY:
        survey_all(m)
        return 0
    open_game(m)
    return go_on(m) if m[L.HAND] == 0 else m[L.HAND]


def marked(digest: str) -> Any:
    """The door with a mark that numba's cache sees: it looks at closures, not at what is called.

    What is called must not be in the closure itself: in every process it is another object.
    """

    def entry(m, what):
        return -1 if digest == "" else do(m, what)

    return entry

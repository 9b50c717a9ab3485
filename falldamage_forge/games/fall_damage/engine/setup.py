"""Before round 1: who begins, who brings what, where everybody stands."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.engine.drafting import add_pick
from falldamage_forge.games.fall_damage.engine.effect_stack import owe
from falldamage_forge.games.fall_damage.engine.notation import key_of
from falldamage_forge.games.fall_damage.engine.revival import blank_unit
from falldamage_forge.games.fall_damage.engine.terrain_state import rebuild, restore
from falldamage_forge.games.fall_damage.engine.transition import advance, settle


def new_game(s: State) -> None:
    """A game's first question: the coin. Teams and places that are given are not asked for."""
    restore(s)
    rebuild(s)
    for i in range(s.n_units):
        if s.spot[i] >= 0:
            s.occupant[s.spot[i]] = -1
    s.lost, s.ends_of, s.n_events = 0, -1, 0
    s.round, s.first, s.to_act, s.left_in_turn, s.activations_this_round = 1, 0, 0, 2, 0
    s.last_actor, s.active, s.result, s.reversal_round = -1, -1, 0, 0
    s.raised[0], s.raised[1], s.seats[0], s.seats[1] = 0, 0, 0, 1
    s.n_stack, s.n_hidden, s.n_bodies, s.n_zones, s.n_bricks = 0, 0, 0, 0, 0
    s.prize, s.phase = s.laid_prize, C.SETUP
    s.n_chests = s.laid
    for n in range(s.laid):
        s.chests[n] = s.laid_chests[n]
    s.n_units, s.n_picks[0], s.n_picks[1] = 0, 0, 0
    for side in range(2):
        for _ in range(s.n_team[side]):
            blank_unit(s, s.n_units, side, -1)
            s.n_units += 1
    for n in range(s.n_teams):
        add_pick(s, s.team_side[n], s.team_card[n])
    owe(s, C.START)
    owe(s, C.SETTLE_ALL)
    owe(s, C.SKELETONS, 1)
    owe(s, C.SKELETONS, 0)
    owe(s, C.PLACE_NEXT, s.placed)
    owe(s, C.DRAFT_NEXT)
    owe(s, C.TOSS)
    settle(s)


def open_game(s: State, first: int) -> None:
    """A new game whose coin has fallen: 0 heads, 1 tails."""
    new_game(s)
    advance(s, key_of(C.K_CHANCE, C.M_COIN, word=s.chance_words[6 + first]))

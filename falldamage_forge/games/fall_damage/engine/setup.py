"""From two teams that stand to the first decision."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.engine.effect_stack import owe
from falldamage_forge.games.fall_damage.engine.effects import put
from falldamage_forge.games.fall_damage.engine.revival import blank_unit, stand_skeleton
from falldamage_forge.games.fall_damage.engine.terrain_state import rebuild, restore
from falldamage_forge.games.fall_damage.engine.transition import settle
from falldamage_forge.games.fall_damage.engine.unit_stats import alive


def start(s: State) -> None:
    """From two teams that stand to the first decision."""
    s.phase = C.SETUP
    for side in range(2):
        for i in range(s.n_units - 1, -1, -1):
            if s.side[i] == side and s.card[i] == s.necromancer_card:
                if s.spot[i] >= 0:
                    stand_skeleton(s, i)
                    stand_skeleton(s, i)
    owe(s, C.START)
    for i in range(s.n_units - 1, -1, -1):
        if alive(s, i):
            owe(s, C.REST, i, 0)
    settle(s)


def open_game(s: State) -> None:
    """From `TEAMS` to the first decision."""
    restore(s)
    rebuild(s)
    for i in range(s.n_units):
        if s.spot[i] >= 0:
            s.occupant[s.spot[i]] = -1
    s.lost, s.ends_of = 0, -1
    s.round, s.to_act, s.left_in_turn, s.activations_this_round = 1, s.first, 2, 0
    s.last_actor, s.active, s.result, s.reversal_round = -1, -1, 0, 0
    s.raised[0], s.raised[1], s.n_stack, s.n_hidden = 0, 0, 0, 0
    s.n_bodies, s.n_zones, s.n_bricks = 0, 0, 0
    s.n_chests = s.laid
    for n in range(s.laid):
        s.chests[n] = s.laid_chests[n]
    s.n_units = s.n_teams
    for i in range(s.n_units):
        blank_unit(s, i, s.team_side[i], s.team_card[i])
        put(s, i, s.team_spot[i])
    start(s)

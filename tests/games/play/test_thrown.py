"""Where a Spring Trap throws in a game is where the rules say that it throws."""

import pytest

from falldamage_forge.board.surfaces import surface_graph
from falldamage_forge.games.fall_damage.play.surface_number import spot_of, surface_of
from tests.games.play.columns import landings, surfaces
from tests.games.play.goldens import golden_board, teams_of
from tests.games.play.tables import ctx, new_game, played
from tests.rules.thrown import spring_landings


@pytest.mark.parametrize("lava", ["yes", "no"])
@pytest.mark.parametrize("arc", ["clear", "free"])
def test_spring_trap_throws_by_the_rules(arc: str, lava: str) -> None:
    options = {"round_limit": 2, "spring_arc": arc, "spring_lava": lava}
    states = played(new_game(ctx(golden_board(), options), teams_of(3)), 3)
    checked = 0
    for state in states[60::90]:
        rules = state.ctx.rules
        graph = surface_graph(state.land.board(), rules.terrain)
        index = next(n for n in state.living() if not state.units[n].discorporate)
        taken = frozenset(surface_of(spot) for spot, n in state.occupied.items() if n != index)
        for spot in surfaces(state)[::4]:
            trap = surface_of(spot)
            wanted = set(spring_landings(graph, trap, rules)) - taken
            assert landings(state, index, spot) == sorted(map(spot_of, wanted))
            checked += 1
    assert checked > 15

"""What the questions say is what the game does: rules that stand twice, bound on drawn boards."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from falldamage_forge.board import DIRECTIONS
from falldamage_forge.board.surfaces import surface_graph
from falldamage_forge.games.fall_damage.abilities.aims import brick_aims
from falldamage_forge.games.fall_damage.abilities.scene import Scene, Standing
from falldamage_forge.games.fall_damage.attack import can_attack
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine import push, surface_index
from falldamage_forge.games.fall_damage.engine.effects import put
from falldamage_forge.games.fall_damage.engine.match_context import new_match
from falldamage_forge.games.fall_damage.engine.revival import blank_unit
from falldamage_forge.games.fall_damage.options import Options
from falldamage_forge.games.fall_damage.play import Arena, Readings, legal
from falldamage_forge.games.fall_damage.play.spots import spot_of, surface_of, tile_of
from falldamage_forge.games.fall_damage.push import Victim, slide_unit
from falldamage_forge.presets import load_units
from tests.amount import EXHAUSTIVE
from tests.games.play.columns import standable
from tests.games.play.goldens import golden_board
from tests.games.play.tables import KIT, arena, new_game, played
from tests.rules.randomboards import random_board

BOARDS = 300 if EXHAUSTIVE else 6
PUSHES = [
    Options(),
    Options(edge="void"),
    Options(push_fall="hover"),
    Options(push_fall="hover", edge="void", slide_cost="counts"),
    Options(push_after_fall="stop", mage_bonus="per_push"),
    Options(climb_judged="tile", slide_cost="counts"),
    Options(headroom=1, mage_bonus="per_push", edge="void"),
]
REACHES = [
    Options(),
    Options(reach_shape="manhattan", own_column="yes"),
    Options(reach2="line", melee_down="unlimited"),
    Options(upward="horizontal2", own_column="yes"),
]


@pytest.mark.parametrize("options", PUSHES, ids=range(len(PUSHES)))
def test_pushes_end_where_the_question_says(options: Options) -> None:
    rng, moved, died = random.Random(9), 0, 0
    for _ in range(BOARDS):
        board = random_board(rng.randrange(10**9), 8, 8)
        s = new_match(Arena(board, options, Readings(), KIT))
        terrain, spots = surface_graph(board, options.terrain).terrain, standable(s)
        crowd = rng.sample(spots, min(10, len(spots)))
        s.n_units = len(crowd)
        for i, spot in enumerate(crowd):
            blank_unit(s, i, i & 1, 0)
            put(s, i, spot)
        taken = frozenset(map(surface_of, crowd[1:]))
        for _ in range(60):
            way, tiles, level = rng.randrange(4), rng.randint(1, 5), rng.choice([-1, 0, 1, 2, 9])
            mage, light, proof = (rng.random() < 0.3 for _ in range(3))
            asked = slide_unit(
                terrain, surface_of(crowd[0]), DIRECTIONS[way], tiles, options, taken=taken,
                victim=Victim(no_fall=light, no_lava=proof), mage=mage,
                attacker_level=None if level < 0 else level,
            )  # fmt: skip
            end, damage, fate = push.slide(
                s, C.GROUND, crowd[0], way, tiles, level, mage, light, proof, C.YES
            )
            assert (asked.end is None) == (fate != C.SURVIVES)
            if asked.end is not None:
                assert (end, damage) == (spot_of(asked.end), asked.damage)
            moved += end != crowd[0]
            died += fate != C.SURVIVES
    assert moved > 20 and died > 5


@pytest.mark.parametrize("options", REACHES, ids=range(len(REACHES)))
def test_what_is_in_reach_is_what_the_question_says(options: Options) -> None:
    rng = random.Random(4)
    s = new_match(Arena(golden_board(), options, Readings(), KIT))
    spots = standable(s)
    for _ in range(3_000):
        one, other = rng.choice(spots), rng.choice(spots)
        reach = rng.randrange(6)
        asked = can_attack(surface_of(one), surface_of(other), reach, options)
        assert surface_index.in_reach(s, one, other, reach) == (asked and one != other)


def test_bricks_are_offered_where_they_may_be_laid() -> None:
    """Also where bricks lie already: they were offered there once, and refused in play."""
    team = ("brick-mage", "beast", "gunner", "assassin", "space-mage", "archer", "samurai", "druid")
    table, mage, compared, laid = arena(golden_board()), load_units()["brick-mage"], 0, 0
    for seed in range(20 if EXHAUSTIVE else 4):
        for state in played(new_game(table, (team, team)), seed):
            if state.phase != "activation" or state.pending or state.zones:
                continue
            unit = state.units[state.active]
            if unit.card != "brick-mage" or unit.acted or unit.reach_plus or unit.stats:
                continue
            bricks = frozenset(tile_of(t) for _, _, tiles, _ in state.land.bricks for t in tiles)
            board = replace(state.land.board(), bricks=bricks)
            there = [
                Standing(surface_of(one.spot), side=str(one.side))
                for one in state.units
                if one.alive and one is not unit
            ]
            me = Standing(surface_of(unit.spot), mage, str(unit.side))
            scene = Scene(surface_graph(board, table.rules.terrain), table.rules, (*there, me))
            asked = {spot_of(at) for at in brick_aims(scene, me)}
            assert asked == {m.spots[0] for m in legal(state) if m.name == "scaffold"}
            compared, laid = compared + 1, laid + bool(bricks)
    assert compared > 12 and laid > 1

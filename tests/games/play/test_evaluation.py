"""What the one-ply bots think of an attack: pushes, Counter, bricks, and the best one."""

import pytest

from falldamage_forge.games.fall_damage.engine.simulator import simulator_of
from falldamage_forge.games.fall_damage.play import legal_apply
from falldamage_forge.games.fall_damage.play.surface_number import spot_at
from falldamage_forge.playtest.bot_kernels import evaluation
from tests.games.play.tables import KIT
from tests.games.play.test_habits import SIZE, flat, knowledge, make, on_own_scaffold, position

EAST = 1


@pytest.mark.parametrize(
    ("card", "levels", "mage", "damage"),
    [("knight", 0, 0, 0), ("knight", 3, 0, 3), ("knight", 3, 1, 5), ("knight", 0, 1, 0),
     ("wrestler", 3, 0, 0), ("shield-bearer", 3, 0, 0)],
)  # fmt: skip
def test_push_is_worth_its_fall(card: str, levels: int, mage: int, damage: int) -> None:
    """A level, a point; "2 more" by a mage; a Wrestler falls unhurt, a Shield Bearer stays."""
    heights = flat()
    heights[4][4] = levels
    state = position(heights, [("red", card, [4, 4, levels], {}), ("blue", "medic", [0, 0, 0], {})])
    columns, bots = knowledge(state, 1)
    spot = spot_at(4, 4, levels)
    pushed = evaluation.push_result(columns, bots, 0, spot, EAST, 2, levels, mage)
    assert (int(pushed[0]), bool(pushed[1])) == (damage, False)
    for way, tiles in ((-1, 2), (EAST, 0)):
        assert evaluation.push_result(columns, bots, 0, spot, way, tiles, levels, mage)[0] == 0


@pytest.mark.parametrize("before", [0, 2])
@pytest.mark.parametrize(("col", "near"), [(5, True), (7, False)])
def test_counter_hits_only_an_attacker_beside_it(before: int, col: int, near: bool) -> None:
    """A Samurai strikes back beside it; damage from before the Counter counts either way."""
    assert "counter" in KIT.cards["samurai"].abilities
    units = [("red", "knight", [4, col, 0], {}), ("blue", "samurai", [4, 4, 0], {})]
    state = position(flat(), units)  # type: ignore[arg-type]
    columns, bots = knowledge(state, 0)
    spot = spot_at(4, col, 0)
    harm = KIT.cards["samurai"].attack if near else 0
    found = evaluation.counter_value(columns, bots, 0, 1, spot, before)
    assert found == before + harm


def test_bricks_carry_the_surface_on_top_of_them_alone() -> None:
    state = on_own_scaffold(6)
    columns, _ = knowledge(state, 0)
    top = columns.spot[0]
    assert evaluation.bricks_under(columns, top) == 0
    others = (-1, top - 1, top + 1, spot_at(4, 0, 1), spot_at(0, 0, 0))
    assert [evaluation.bricks_under(columns, spot) for spot in others] == [-1] * len(others)


@pytest.mark.parametrize("levels", [1, 2])
def test_unit_on_a_partition_stands_on_bricks(levels: int) -> None:
    """Its fall is as deep as the bricks are high, "2 more" by the mage; its ground is no brick.

    A Partition has two levels; a table of other rules may have one.
    """
    units = [("red", "brick-mage", [4, 4, 0], {}), ("blue", "knight", [0, SIZE - 1, 0], {})]
    state = position(flat(), units)  # type: ignore[arg-type]
    make(state, "unit 0")
    laid = next(m for m in legal_apply.legal_moves(state) if m.name == "partition")
    make(state, str(laid))
    columns, _ = knowledge(state, 0)
    assert columns.n_bricks == 1
    for k in range(columns.brick_count[0]):
        tile = columns.brick_tiles[k]
        assert columns.bricks[tile] == 2
        columns.bricks[tile] = columns.brick_levels[0] = levels
        top = tile << 4 | columns.level[tile] + columns.bricks[tile]
        assert evaluation.bricks_under(columns, top) == 0
        assert evaluation.brick_fall(columns, 1, 0, top) == levels + 2
        assert evaluation.bricks_under(columns, top - levels) == -1


@pytest.mark.parametrize("card", ["archer", "gunner", "arbalist", "knight", "spearman"])
@pytest.mark.parametrize("gap", [1, 2, 4])
def test_best_attack_is_worth_that_of_the_best_target_in_reach(card: str, gap: int) -> None:
    """As the rules list the targets: of a hurt Medic and a Knight at the same distance."""
    units = [
        ("red", card, [4, 4, 0], {}),
        ("blue", "medic", [4 + gap, 4, 0], {"health": 2}), ("blue", "knight", [4, 4 - gap, 0], {}),
    ]  # fmt: skip
    state = position(flat(), units)  # type: ignore[arg-type]
    make(state, "unit 0")
    columns, bots = knowledge(state, 0)
    codec = simulator_of(state.ctx).codec
    worth = [
        evaluation.action_value(columns, bots, 0, codec.key(move))
        for move in legal_apply.legal_moves(state)
        if move.name == "attack" and "deck" not in str(move)
    ]
    assert bool(worth) is (KIT.cards[card].reach >= gap)
    best = evaluation.best_attack(columns, bots, 0, columns.spot[0])
    assert best == pytest.approx(max([0.0, *worth]))
    assert not worth or best >= evaluation.KILL + 2, "it fells the Medic"

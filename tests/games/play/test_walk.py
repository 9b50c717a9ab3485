"""Walking and seeing in play against their slow references, on random occupied boards."""

import random
from dataclasses import replace

import pytest

from falldamage_forge.board.surfaces import surface_graph
from falldamage_forge.games.fall_damage.moves import UNLIMITED, Profile
from falldamage_forge.games.fall_damage.options import Options
from falldamage_forge.games.fall_damage.play.gait import Gait
from falldamage_forge.games.fall_damage.play.ground import Ground
from falldamage_forge.games.fall_damage.play.land import land_of
from falldamage_forge.games.fall_damage.play.line import line_of
from falldamage_forge.games.fall_damage.play.spots import spot_of, surface_of
from falldamage_forge.games.fall_damage.play.targets import strikes, struck
from falldamage_forge.games.fall_damage.play.walk import Others, Walk, ends, path, ways
from falldamage_forge.games.fall_damage.sight import sees
from falldamage_forge.rules.game import Occupants
from tests.amount import EXHAUSTIVE
from tests.games.play.goldens import golden_board
from tests.games.play.tables import arena, new_game, played
from tests.rules.asking import moves_of, one_turn
from tests.rules.randomboards import random_board

BOARDS = 600 if EXHAUSTIVE else 24
PROFILES = [
    Profile(3, 1),
    Profile(5, 1),
    Profile(4, 2),
    Profile(3, 2, no_fall=True),
    Profile(4, UNLIMITED, pass_enemies=True),
    Profile(5, UNLIMITED, vertical_counts=True),
    Profile(7, 1, health=2),
    Profile(9, 0, health=4),
]
READINGS = [
    Options(),
    Options(gap="any_clear"),
    Options(jump_scope="turn"),
    Options(fall_allowance="per_turn"),
    Options(voluntary_fall="threshold", leap_vertical="none_up"),
    Options(water_cost="leave", bridge_cost="inherit", ladder_cost="height"),
    Options(occupancy="cell"),
    Options(lethal_step="yes", beast_down="free", leap_vertical="level"),
    Options(leap_over="clear", leap_pass="yes"),
    Options(leap_over="empty"),
    Options(leap_pass="yes", gap="any_clear"),
]


def crowd(rng: random.Random, count: int) -> list[int]:
    return rng.sample(range(count), min(count, rng.randint(2, 18)))


@pytest.mark.parametrize("options", READINGS, ids=range(len(READINGS)))
def test_ends_of_a_move_are_those_of_the_reference(options: Options) -> None:
    rng = random.Random(7)
    for _ in range(BOARDS):
        board = random_board(rng.randrange(10**9), 8, 8)
        graph = surface_graph(board, options.terrain)
        ground = Ground(land_of(board), options)
        assert [surface_of(spot) for spot in ground.spots] == list(graph.surfaces)
        standing = crowd(rng, len(graph.surfaces))
        for profile in PROFILES:
            start, *others = standing
            cut = rng.randint(0, len(others))
            foes, friends = frozenset(others[:cut]), frozenset(others[cut:])
            enemies, own = (frozenset(graph.surfaces[n] for n in n_) for n_ in (foes, friends))
            moves = moves_of(graph, profile, options, Occupants(enemies, own))
            wanted = {
                spot_of(graph.surfaces[at]): min((damage, cost) for cost, damage in labels)
                for at, labels in one_turn(moves, start).items()
                if at != start
            }
            found = ends(ground, walk_of(graph.surfaces, profile, start), crowd_of(
                ground, graph.surfaces, foes, friends, profile, options
            ))  # fmt: skip
            assert found == wanted


def walk_of(surfaces, profile: Profile, start: int) -> Walk:  # type: ignore[no-untyped-def]
    gait = Gait(profile.jump, profile.vertical_counts, profile.no_fall)
    return Walk(spot_of(surfaces[start]), profile.move, gait, profile.health)


def crowd_of(ground, surfaces, foes, friends, profile, options):  # type: ignore[no-untyped-def]
    closed = {spot_of(surfaces[n]) for n in foes}
    taken = closed | {spot_of(surfaces[n]) for n in friends}
    if options.occupancy == "cell":
        closed, taken = (
            {s >> 4 << 4 | z for s in side for z in ground.levels[s >> 4]}
            for side in (closed, taken)
        )
    return Others(frozenset() if profile.pass_enemies else closed, taken)


@pytest.mark.parametrize("options", READINGS[:5], ids=range(5))
def test_a_way_told_step_by_step_is_one_that_can_be_walked(options: Options) -> None:
    rng = random.Random(11)
    for _ in range(BOARDS // 2):
        ground = Ground(land_of(random_board(rng.randrange(10**9), 8, 8)), options)
        start, *others = rng.sample(ground.spots, 9)
        walk = Walk(start, 5, Gait(1), 6)
        crowd = Others(set(others[:4]), set(others))
        found = ends(ground, walk, crowd)
        by_end = ways(ground, walk, crowd)
        assert set(by_end) == set(found)
        for spot, labels in by_end.items():
            assert found[spot] == min((label.damage, label.cost) for label in labels)
            for label in labels:
                steps = path(label)
                assert sum(step.cost for step in steps) == label.cost <= walk.move
                assert steps[-1].to == spot
                at = start
                for step in steps:
                    assert step in ground.steps_from(at, walk.gait)
                    at = step.to


@pytest.mark.parametrize(
    "options",
    [
        Options(),
        Options(los_own="strict"),
        Options(los_corner="closed"),
        Options(los_eye=0.8, deck_thickness=0.35),
    ],
    ids=range(4),
)
def test_lines_are_those_of_the_reference(options: Options) -> None:
    rng = random.Random(3)
    for _ in range(BOARDS):
        board = random_board(rng.randrange(10**9), 8, 8)
        ground = Ground(land_of(board), options)
        for _ in range(60):
            one, other, *taken = rng.sample(ground.spots, min(12, len(ground.spots)))
            a, b = surface_of(one), surface_of(other)
            line = line_of(ground.terrain, one, other, options)
            empty = sees(ground.terrain, a, b, options).visible
            assert (line is not None) == empty
            if line is not None:
                crowd = frozenset(map(surface_of, taken))
                full = sees(ground.terrain, a, b, options, taken=crowd).visible
                assert full == (not set(line) & set(taken))


def test_a_patched_ground_is_like_a_new_one() -> None:
    rng = random.Random(5)
    for _ in range(BOARDS):
        board = random_board(rng.randrange(10**9), 8, 8)
        land, options, gait = land_of(board), Options(), Gait(1)
        base = Ground(land, options)
        for spot in base.spots:
            base.steps_from(spot, gait)
        pairs = [tuple(rng.sample(base.spots, 2)) for _ in range(80)]
        for one, other in pairs:
            base.lines(one)[other]
        tiles = frozenset(rng.sample(list(land.tiles()), 3))
        changed = land
        for tile in tiles:
            old = changed.column(tile)
            changed = changed.with_column(tile, replace(old, level=(old.level + 2) % 5))
        patched, fresh = Ground(changed, options, base, tiles), Ground(changed, options)
        assert patched.spots == fresh.spots and patched.wet == fresh.wet
        for spot in fresh.spots:
            assert patched.steps_from(spot, gait) == fresh.steps_from(spot, gait)
        for one, other in pairs:
            if one in fresh.stand and other in fresh.stand:
                assert patched.lines(one)[other] == fresh.lines(one)[other]


def test_the_grounds_of_a_game_are_like_new_ones() -> None:
    """Each is patched from the one before; bridges and ladders go, bricks come and go."""
    rng, table = random.Random(13), arena(golden_board())
    team = ("brick-mage", "beast", "gunner", "assassin", "space-mage", "archer", "samurai", "druid")
    states = played(new_game(table, (team, team)), 2)
    lands = list({id(state.land): state.land for state in states}.values())
    assert len(lands) > 12
    gaits = [Gait(1), Gait(2, no_fall=True), Gait(UNLIMITED, True), Gait(1, ghost=True)]
    for land in lands:
        patched = table.ground(land)
        for spot in patched.spots:
            for gait in gaits:
                patched.exits(gait)[spot]
    for land in rng.sample(lands, 8):
        patched, fresh = table.ground(land), Ground(land, table.rules)
        assert patched.stand == fresh.stand and patched.tops == fresh.tops
        assert patched.wet == fresh.wet and patched.lava == fresh.lava
        for spot in fresh.spots:
            for gait in gaits:
                assert patched.exits(gait)[spot] == fresh.exits(gait)[spot]
        for _ in range(100):
            one, other = rng.sample(fresh.spots, 2)
            assert patched.lines(one)[other] == fresh.lines(one)[other]


def test_whom_an_attack_reaches_is_asked_at_once_or_one_by_one() -> None:
    table = arena(golden_board())
    team = ("archer", "bard", "samurai", "arbalist", "medic", "necromancer", "assassin", "gunner")
    for state in played(new_game(table, (team, team)), 4)[::25]:
        spots = sorted(state.occupied)
        for unit in state.units:
            if unit.alive:
                wanted = [spot for spot in spots if strikes(state, unit, spot)]
                assert sorted(struck(state, unit, spots)) == wanted


def test_the_cheap_way_that_hurts_does_not_hide_the_dear_one() -> None:
    """A label is judged against processed ones only: see `walk`."""
    rng = random.Random(23)
    checked = 0
    for _ in range(BOARDS * 4):
        ground = Ground(land_of(random_board(rng.randrange(10**9), 8, 8)), Options())
        walk = Walk(rng.choice(ground.spots), 6, Gait(1), 9)
        others = Others(frozenset(), frozenset())
        for spot, (damage, cost) in ends(ground, walk, others).items():
            labels = ways(ground, walk, others).get(spot, ())
            if len(labels) > 1:
                checked += 1
                assert (damage, cost) == min((x.damage, x.cost) for x in labels)
            break
    assert checked or BOARDS < 100

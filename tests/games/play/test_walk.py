"""Walking and seeing in play against their slow references, on random occupied boards."""

import random

import pytest

import falldamage_forge as ff
from falldamage_forge.board.surfaces import surface_graph
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine import line_of_sight, movement_rules, reachable
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.effects import put
from falldamage_forge.games.fall_damage.engine.empty_state import ground_state
from falldamage_forge.games.fall_damage.engine.match_context import new_match
from falldamage_forge.games.fall_damage.engine.revival import blank_unit
from falldamage_forge.games.fall_damage.engine.simulator import Simulator
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.play import MatchContext, PlayOptions
from falldamage_forge.games.fall_damage.play.surface_number import spot_of, surface_of
from falldamage_forge.games.fall_damage.sight_line import has_line_of_sight
from falldamage_forge.games.fall_damage.unit_cards import UNLIMITED, MovementProfile
from falldamage_forge.presets import names
from falldamage_forge.rules.unit_values import Occupants
from tests.amount import EXHAUSTIVE
from tests.games.play.columns import ends_in, standable
from tests.games.play.goldens import golden_board
from tests.games.play.tables import KIT, ctx, new_game, played
from tests.rules.asking import moves_of, one_turn
from tests.rules.randomboards import random_board

BOARDS = 600 if EXHAUSTIVE else 8
PROFILES = [
    MovementProfile(3, 1),
    MovementProfile(5, 1),
    MovementProfile(4, 2),
    MovementProfile(3, 2, no_fall=True),
    MovementProfile(4, UNLIMITED, pass_enemies=True),
    MovementProfile(5, UNLIMITED, vertical_counts=True),
    MovementProfile(7, 1, health=2),
    MovementProfile(9, 0, health=4),
]
READINGS = [
    FallDamageOptions(),
    FallDamageOptions(gap="any_clear"),
    FallDamageOptions(jump_scope="turn"),
    FallDamageOptions(fall_allowance="per_turn"),
    FallDamageOptions(voluntary_fall="threshold", leap_vertical="none_up"),
    FallDamageOptions(water_cost="leave", bridge_cost="inherit", ladder_cost="height"),
    FallDamageOptions(occupancy="cell"),
    FallDamageOptions(lethal_step="yes", beast_down="free", leap_vertical="level"),
    FallDamageOptions(leap_over="clear", leap_pass="yes"),
    FallDamageOptions(leap_over="empty"),
    FallDamageOptions(leap_pass="yes", gap="any_clear"),
    FallDamageOptions(headroom=1),
    FallDamageOptions(headroom=3, tree_height=1),
]


@pytest.mark.parametrize("name", names("maps"))
def test_engine_and_board_have_the_same_surfaces(name: str) -> None:
    """Maps of other games with obstructions and pits among them."""
    board = ff.load(name).board
    for options in READINGS:
        graph, s = surface_graph(board, options.terrain), ground_state(board, options)
        assert list(map(surface_of, s.surfaces[: s.n_surfaces])) == list(graph.surfaces)


def crowd(rng: random.Random, count: int) -> list[int]:
    return rng.sample(range(count), min(count, rng.randint(2, 18)))


@pytest.mark.parametrize("options", READINGS, ids=range(len(READINGS)))
def test_ends_of_a_move_equal_the_reference(options: FallDamageOptions) -> None:
    rng = random.Random(7)
    for _ in range(BOARDS):
        board = random_board(rng.randrange(10**9), 8, 8)
        graph = surface_graph(board, options.terrain)
        s = new_match(MatchContext(board, options, PlayOptions(), KIT))
        assert [surface_of(spot) for spot in standable(s)] == list(graph.surfaces)
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
            spots = [spot_of(surface) for surface in graph.surfaces]
            stand(s, profile, spots[start], [spots[n] for n in foes], [spots[n] for n in friends])
            assert ends_in(s, 0, profile.move) == wanted


def stand(
    s: StateColumns, profile: MovementProfile, start: int, foes: list[int], friends: list[int]
) -> None:
    """Somebody of a profile, and others around."""
    for i in range(s.n_units):
        put(s, i, C.NONE)
    s.n_units = 1 + len(foes) + len(friends)
    for i, spot in enumerate((start, *foes, *friends)):
        blank_unit(s, i, 1 if 0 < i <= len(foes) else 0, 0)
        put(s, i, spot)
    s.printed[C.J], s.health[0] = profile.jump, profile.health or C.UNLIMITED
    has = {
        C.NO_FALL: profile.no_fall,
        C.AGILE: profile.pass_enemies,
        C.CRAWL: profile.vertical_counts,
    }
    s.card_abilities[0] = sum(1 << ability for ability, yes in has.items() if yes)
    s.card_abilities[0] |= (profile.jump >= UNLIMITED) << C.HOOK


@pytest.mark.parametrize("options", READINGS[:5], ids=range(5))
def test_path_given_step_by_step_is_legal(options: FallDamageOptions) -> None:
    rng = random.Random(11)
    for _ in range(BOARDS // 2):
        board = random_board(rng.randrange(10**9), 8, 8)
        s = new_match(MatchContext(board, options, PlayOptions(), KIT))
        start, *others = rng.sample(standable(s), 9)
        stand(s, MovementProfile(5, 1, health=6), start, others[:4], others[4:])
        found = ends_in(s, 0, 5)
        reachable.find_ways(s, 0, 5)
        labels = [n for n in s.ways[: s.n_ways] if s.label_at[n] in found]
        assert {s.label_at[n] for n in labels} == set(found)
        for spot, best in found.items():
            own = [n for n in labels if s.label_at[n] == spot]
            assert best == min((s.label_damage[n], s.label_cost[n]) for n in own)
            assert reachable.way_to(s, spot, *best) == reachable.way_to(s, spot, -1, -1)
            for label in own:
                steps = s.path[: reachable.write_path(s, label)]
                assert s.label_at[steps[-1]] == spot
                assert s.label_cost[label] <= 5
                at, spent = start, 0
                for step in steps:
                    count = movement_rules.list_exits(s, at, 1, 0, 0, 0)
                    price = s.label_cost[step] - spent
                    exits = zip(s.exit_to[:count], s.exit_cost, strict=False)
                    assert (s.label_at[step], price) in set(exits)
                    at, spent = s.label_at[step], s.label_cost[step]


@pytest.mark.parametrize(
    "options",
    [
        FallDamageOptions(),
        FallDamageOptions(los_own="strict"),
        FallDamageOptions(los_corner="closed"),
        FallDamageOptions(los_eye=0.8, deck_thickness=0.35),
    ],
    ids=range(4),
)
def test_lines_of_sight_equal_the_reference(options: FallDamageOptions) -> None:
    rng = random.Random(3)
    for _ in range(BOARDS):
        board = random_board(rng.randrange(10**9), 8, 8)
        s = new_match(MatchContext(board, options, PlayOptions(), KIT))
        terrain = surface_graph(board, options.terrain).terrain
        spots = standable(s)
        for _ in range(60):
            one, other, *taken = rng.sample(spots, min(12, len(spots)))
            stand(s, MovementProfile(3, 1), one, [other], taken)
            crowd = frozenset(map(surface_of, taken))
            wanted = has_line_of_sight(
                terrain, surface_of(one), surface_of(other), options, taken=crowd
            )
            assert line_of_sight.in_sight(s, one, other) == wanted.visible


def test_terrain_of_a_game_equals_freshly_computed_terrain() -> None:
    """What is worked out anew where something changed is as if it had always been so."""
    rng, table = random.Random(13), ctx(golden_board())
    team = ("brick-mage", "beast", "gunner", "assassin", "space-mage", "archer", "samurai", "druid")
    states = played(new_game(table, (team, team)), 2)
    lands = list({id(state.land): state.land for state in states}.values())
    assert len(lands) > 12
    sim = Simulator(table)
    for land in rng.sample(lands, 4):
        state = next(state for state in states if state.land is land)
        sim.take(state)
        fresh = new_match(MatchContext(land.board(), table.rules, table.readings, KIT))
        patched, spots = sim.columns, standable(fresh)
        assert standable(patched) == spots
        for spot in spots:
            for one, other in ((patched, fresh),):
                count = movement_rules.list_exits(one, spot, 2, 0, 0, 0)
                again = movement_rules.list_exits(other, spot, 2, 0, 0, 0)
                assert one.exit_link[:count] == other.exit_link[:again]
                assert one.exit_cost[:count] == other.exit_cost[:again]


def test_cheap_path_with_damage_does_not_hide_a_dearer_one() -> None:
    """A way is judged against processed ones only."""
    rng, checked = random.Random(23), 0
    for _ in range(BOARDS):
        board = random_board(rng.randrange(10**9), 8, 8)
        s = new_match(MatchContext(board, FallDamageOptions(), PlayOptions(), KIT))
        for start in rng.sample(standable(s), 6):
            stand(s, MovementProfile(6, 1, health=9), start, [], [])
            found = ends_in(s, 0, 6)
            reachable.find_ways(s, 0, 6)
            for spot, best in found.items():
                own = [n for n in s.ways[: s.n_ways] if s.label_at[n] == spot]
                checked += len(own) > 1
                assert best == min((s.label_damage[n], s.label_cost[n]) for n in own)
    assert checked

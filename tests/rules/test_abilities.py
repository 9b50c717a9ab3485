"""What cards, treasure and bricks do, each worked out by hand from its sentence."""

from dataclasses import replace

import pytest

from falldamage_forge.board import (
    Board,
    Chest,
    Column,
    Deck,
    Feature,
    Ground,
    Ladder,
    Tile,
    make_board,
)
from falldamage_forge.board.surfaces import Surface, SurfaceGraph, surface_graph
from falldamage_forge.games.fall_damage import board_changes
from falldamage_forge.games.fall_damage.attack_area import (
    area,
    footprint,
    height_bonus,
    in_reach_offset,
    square,
)
from falldamage_forge.games.fall_damage.engine.codes import MOST_LEVEL
from falldamage_forge.games.fall_damage.engine.hypothetical import effective_profile
from falldamage_forge.games.fall_damage.engine.modifiers import (
    Modifiers,
)
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.push_result import (
    push_directions,
    push_offset,
    push_unit,
    resolve_direction,
)
from falldamage_forge.games.fall_damage.unit_cards import MovementProfile, Push
from falldamage_forge.presets import load_units
from tests.rules.asking import fall_damage, move_under
from tests.rules.thrown import KIT, catch, spring_landings, top_ropes

RULES = FallDamageOptions()
UNITS = load_units()


def board(*rows: str, decks: tuple[Deck, ...] = ()) -> Board:
    """Rows of cells: a level, then `T`, `^`, `~` or `!`."""
    signs = {"T": Feature.TREE, "^": Feature.SPIRE}
    grounds = {"~": Ground.WATER, "!": Ground.LAVA}
    cells = [cell for row in rows for cell in row.split()]
    columns = [
        Column(int(cell[0]), grounds.get(cell[1:], Ground.GROUND), signs.get(cell[1:]))
        for cell in cells
    ]
    return make_board(len(rows), len(rows[0].split()), columns, decks=decks)


def graph(*rows: str, decks: tuple[Deck, ...] = ()) -> SurfaceGraph:
    return surface_graph(board(*rows, decks=decks), RULES.terrain)


def at(name: str) -> Surface:
    tile, _, level = name.partition("@")
    return Surface(Tile.parse(tile), int(level or 0))


# -- Move ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("move", "modifiers", "expected"),
    [
        (3, Modifiers(knight_first=True), 4),
        (3, Modifiers(bard=True), 4),
        (3, Modifiers(knight_first=True, bard=True), 5),
        (3, Modifiers(intimidated=1), 2),
        (3, Modifiers(intimidated=3), 2),
        (3, Modifiers(poison=2), 1),
        (3, Modifiers(poison=9), 0),
        (3, Modifiers(boots=1), 5),
        (3, Modifiers(boots=2), 7),
        (3, Modifiers(adrenal=1), 2),
        (3, Modifiers(vines=True, boots=2, bard=True), 0),
        (5, Modifiers(carry=True), 2),
        (3, Modifiers(carry=True, boots=1, poison=1), 2),
        (3, Modifiers(carry=True, poison=9), 0),
    ],
)
def test_move_is_added_to_then_kept_from_below_zero_then_halved(
    move: int, modifiers: Modifiers, expected: int
) -> None:
    assert move_under(move, modifiers, RULES) == expected


def test_readings_of_move() -> None:
    assert move_under(3, Modifiers(intimidated=2), replace(RULES, stack="yes")) == 1
    assert move_under(3, Modifiers(poison=2), replace(RULES, poison_stack="no")) == 2
    assert move_under(5, Modifiers(carry=True), replace(RULES, carry_round="up")) == 3
    assert move_under(4, Modifiers(carry=True), replace(RULES, carry_round="up")) == 2


def test_treasure_changes_profiles() -> None:
    """ "Exotic Crampons + 1 Jump"."""
    knight, assassin = UNITS["knight"], UNITS["assassin"]
    assert effective_profile(knight, Modifiers(), RULES, KIT) == knight.profile
    assert effective_profile(knight, Modifiers(crampons=2), RULES, KIT) == MovementProfile(
        3, 3, health=8
    )
    ghost = effective_profile(knight, Modifiers(discorporate=True), RULES, KIT)
    assert ghost == MovementProfile(3, 1, pass_enemies=True, health=8, ghost=True)
    assert effective_profile(assassin, Modifiers(), RULES, KIT).pass_enemies


# -- reach ---------------------------------------------------------------------------------------


def test_areas_and_squares() -> None:
    """ "AOE 1 is a + shape", "AOE 3x3 is a 3 by 3 grid"."""
    middle = Tile.parse("E5")
    names = {str(tile) for tile in area(middle, 1, RULES)}
    assert names == {"E5", "D5", "F5", "E4", "E6"}
    assert len(area(middle, 2, RULES)) == 13
    assert square(1) == {(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1)} - {(0, 0)}
    assert len(square(2)) == 24
    assert footprint(0, RULES) == frozenset()
    assert in_reach_offset(0, 4, 4, RULES)
    assert not in_reach_offset(3, 3, 4, RULES)
    assert in_reach_offset(2, 2, 3, RULES)


def test_height_rewards_melee() -> None:
    pairs = [("A1@1", "B1@0", 1), ("A1@0", "B1@1", -1), ("A1@1", "B1@1", 0)]
    for one, other, bonus in pairs:
        assert height_bonus(at(one), at(other), 1, RULES) == bonus
        assert height_bonus(at(one), at(other), 3, RULES) == 0
        assert height_bonus(at(one), at(other), 3, replace(RULES, height_bonus="all")) == bonus


# -- thrown --------------------------------------------------------------------------------------


def test_a_spring_trap_throws_up_two_and_away_four() -> None:
    found = spring_landings(graph("0 0 1 2 3 0 0~"), at("A1"), RULES)
    assert found == {at("A1"): 2, at("B1"): 2, at("C1@1"): 1, at("D1@2"): 0}
    far = spring_landings(graph("0 0 0 0 0~ 0 0"), at("A1"), RULES)
    assert far[at("E1")] == 0  # "Water prevents Fall Damage"
    assert at("F1") not in far
    raised = spring_landings(graph("1 0 3 4"), at("A1@1"), RULES)
    assert raised == {at("A1@1"): 2, at("B1"): 3, at("C1@3"): 0}


def test_trap_throws_no_unit_on_to_others_or_through_decks() -> None:
    low = graph("0 0 0")
    found = spring_landings(low, at("A1"), RULES, taken=frozenset({at("A1"), at("B1")}))
    assert set(found) == {at("A1"), at("C1")}
    assert set(spring_landings(low, at("A1"), RULES, no_fall=True).values()) == {0}
    roof = (Deck(Tile(0, 0), Tile(0, 2), 2),)
    under = graph("2 0 2 0", decks=roof)
    assert spring_landings(under, at("B1"), RULES) == {}
    beside = spring_landings(under, at("D1"), RULES)
    assert at("B1") not in beside
    assert beside[at("B1@2")] == 0


def test_a_clear_arc_has_nothing_in_its_way() -> None:
    wall = graph("0 4 0")
    assert at("C1") in spring_landings(wall, at("A1"), RULES)
    assert at("C1") not in spring_landings(wall, at("A1"), replace(RULES, spring_arc="clear"))
    low = graph("0 1 0")
    assert at("C1") in spring_landings(low, at("A1"), replace(RULES, spring_arc="clear"))


def test_caught_units_stand_as_far_behind_the_mage() -> None:
    """ "Teleport enemy equal distance behind you"."""
    field = graph("0 0 0 0 3", "0 0 0 0 0", "0 0 0 0 0T")
    assert catch(field, at("C1"), at("A1"), frozenset(), RULES) == at("E1@3")
    assert catch(field, at("B1"), at("A1"), frozenset(), RULES) == at("C1")
    assert catch(field, at("B2"), at("A1"), frozenset(), RULES) == at("C3")
    assert catch(field, at("A1"), at("B1"), frozenset(), RULES) is None
    assert catch(field, at("D3"), at("C3"), frozenset(), RULES) is None
    assert catch(field, at("B1"), at("A1"), frozenset({at("C1")}), RULES) is None
    bridged = graph("2 0 2 0 0", decks=(Deck(Tile(0, 0), Tile(0, 2), 2),))
    assert catch(bridged, at("C1@2"), at("D1"), frozenset(), RULES) == at("B1@2")
    assert catch(bridged, at("C1@2"), at("D1"), frozenset({at("B1@2")}), RULES) == at("B1")


def test_top_ropes_hurts_twice_the_levels_dropped() -> None:
    ring = graph("3 0 0 0", "0 0 1 0", "0 0 0 0")
    foes = frozenset({at("B2"), at("C1"), at("D1"), at("D3")})
    end, hit = top_ropes(ring, at("A1@3"), at("B1"), foes, RULES)
    assert (end, hit) == (at("B1"), {at("B2"): 6, at("C1"): 6})
    assert top_ropes(ring, at("B1"), at("A1@3"), foes, RULES)[0] is None
    assert top_ropes(ring, at("A2"), at("B2"), foes, RULES)[1] == {}


def test_top_ropes_on_to_an_enemy_lands_beside_it() -> None:
    ring = graph("3 0 2", "1 0 0")
    foes = frozenset({at("B1"), at("B2")})
    start, enemy, tower = at("A1@3"), at("B1"), at("C1@2")
    assert top_ropes(ring, start, enemy, foes, RULES)[0] is None  # all that is free is too high
    end, hit = top_ropes(ring, start, enemy, foes, replace(RULES, top_ropes_levels="any"))
    assert (end, hit) == (tower, {enemy: 6, at("B2"): 6})
    end, hit = top_ropes(ring, start, enemy, frozenset({enemy}), RULES)
    assert (end, hit) == (at("B2"), {enemy: 6})
    strict = replace(RULES, top_ropes_on="forbidden")
    assert top_ropes(ring, start, enemy, frozenset({enemy}), strict)[0] is None
    stair = graph("5 1 3", "1 2 0")
    near = top_ropes(stair, at("A1@5"), at("B1@1"), frozenset({at("B1@1")}), RULES)
    assert near[0] == at("B2@2")
    one = top_ropes(graph("1 0"), at("A1@1"), at("B1"), frozenset({at("B1")}), RULES)
    assert one == (None, {})  # never back to where it took off
    crowd = foes | {start, tower}
    any_level = replace(RULES, top_ropes_levels="any")
    assert top_ropes(ring, start, enemy, crowd, any_level)[0] is None  # C2 is not beside B1


# -- bricks --------------------------------------------------------------------------------------


def changed(field: Board, text: str) -> Board:
    return board_changes.apply_change(field, text, KIT)


def test_scaffold_and_partition_raise_columns() -> None:
    """ "Creates 1x1x3 tower", "Creates 3x1x2 wall"."""
    field = board("0 1 0~ 0", "0 0 0 0T")
    tower = changed(field, "scaffold B1")
    assert [c.level for c in tower.columns] == [0, 4, 0, 0, 0, 0, 0, 0]
    wet = changed(field, "scaffold C1")
    assert wet.column(Tile.parse("C1")) == Column(3, Ground.GROUND)
    wall = changed(field, "partition A1 east")
    assert [c.level for c in wall.columns] == [2, 3, 2, 0, 0, 0, 0, 0]
    with pytest.raises(ValueError, match="cannot rise at E1: that is not on the board"):
        changed(field, "partition D1 east")
    with pytest.raises(ValueError, match="cannot rise at D2: a tree stands there"):
        changed(field, "scaffold D2")
    with pytest.raises(ValueError, match="cannot rise at A1: lava carries none"):
        changed(board("0!"), "scaffold A1")


def test_a_column_is_raised_and_lowered_between_the_ground_and_the_highest_level() -> None:
    field = board("0 0")
    for words, levels in (("raise B1", range(1, MOST_LEVEL + 1)), ("lower B1", range(11, -1, -1))):
        for level in levels:
            field = changed(field, words)
            assert [c.level for c in field.columns] == [0, level]
        with pytest.raises(ValueError, match="B1 cannot go"):
            changed(field, words)


def test_bricks_lie_on_no_bricks_and_near_no_bridge() -> None:
    """As in a game: a tile takes bricks once, and none under a bridge or where one rests."""
    bridged = board("6 0 6", decks=(Deck(Tile(0, 0), Tile(0, 2), 5),))
    for text in ("scaffold A1", "scaffold B1"):
        with pytest.raises(ValueError, match="a bridge rests there or passes over it"):
            changed(bridged, text)
    with pytest.raises(ValueError, match="bricks cannot rise at A2: bricks lie there"):
        board_changes.apply_changes(
            board("0", "0", "0"), ["scaffold A2", "partition A1 south"], KIT
        )


def test_bricks_keep_everything_else_and_lift_chests() -> None:
    chest, lifted = Chest(Tile(0, 2), 1), Chest(Tile(0, 5), 0)
    steps = Ladder(Tile(0, 0), 0, Tile(0, 1), 1)
    deck = Deck(Tile(0, 2), Tile(0, 4), 1)
    field = make_board(
        1, 6, [Column(level) for level in (0, 1, 1, 0, 1, 0)],
        decks=[deck], ladders=[steps], treasures=[chest, lifted],
    )  # fmt: skip
    after = changed(field, "scaffold F1")
    assert (after.decks, after.ladders) == ((deck,), (steps,))
    assert after.treasures == (chest, Chest(Tile(0, 5), 3))
    with pytest.raises(ValueError, match="cannot rise at A1: a ladder stands there"):
        changed(field, "scaffold A1")


def test_destroyed_element_is_removed() -> None:
    """ "Trees can be targeted & destroyed", "Spire is removed after being pushed"."""
    field = board("0T 0^ 0")
    assert changed(field, "without A1").column(Tile(0, 0)).feature is None
    assert changed(field, "without A1").column(Tile(0, 1)).feature is Feature.SPIRE
    assert changed(field, "without B1").column(Tile(0, 1)) == Column(0)
    trees = [(name, left) for name, _, left in fall_damage().destruction_results(field)]
    assert trees == [("tree A1", changed(field, "without A1"))]
    ladder, other = Ladder(Tile(0, 0), 0, Tile(0, 1), 1), Ladder(Tile(0, 2), 0, Tile(0, 1), 1)
    deck = Deck(Tile(0, 1), Tile(0, 3), 1)
    built = make_board(
        1, 4, [Column(level) for level in (0, 1, 0, 1)], decks=[deck], ladders=[ladder, other]
    )
    assert changed(built, "without A1").ladders == (other,)
    assert changed(built, "without B1").ladders == ()
    assert changed(built, "without B1").decks == (deck,)
    assert changed(built, "without C1") == replace(built, decks=(), ladders=(ladder,))
    with pytest.raises(ValueError, match="no bridge, ladder, tree or spire at D1"):
        changed(built, "without D1")


def test_changes_in_words() -> None:
    field = board("0 0 0", "0 0 0", "0 0 0T")
    assert [c.level for c in changed(field, "partition A1 south").columns[::3]] == [2, 2, 2]
    for text in ("", "scaffold", "scaffold A1 east", "partition A1", "raze A1", "without"):
        with pytest.raises(ValueError, match="write `scaffold E5`"):
            changed(field, text)
    with pytest.raises(ValueError, match="J9 is not on the board"):
        changed(field, "scaffold J9")
    with pytest.raises(ValueError, match="`up` is not a direction"):
        changed(field, "partition A1 up")
    with pytest.raises(ValueError, match="is not a tile"):
        changed(field, "scaffold 55")


def test_a_trap_anywhere_throws_round_itself() -> None:
    field = graph("0 0 0 0 0 0", "0 0 0 0 0 0", "0 0 0 0 0 0", "0 0 0 0 0 0", "0 0 0 0 0 0")
    found = spring_landings(field, at("C3"), RULES)
    assert len(found) == 30
    assert at("F1") in found
    assert at("C3") in found
    far = spring_landings(graph("0 0 0 0 0 0 0 0 0 0"), at("F1"), RULES)
    assert {str(s.tile) for s in far} == set("B1 C1 D1 E1 F1 G1 H1 I1 J1".split())


def test_decks_over_trap_and_landing_leave_just_enough_room() -> None:
    """The thrown unit needs the level above the arc's top, and no more."""
    for level, thrown in ((4, True), (3, False)):
        deck = (Deck(Tile(0, 0), Tile(0, 2), level),)
        over_trap = graph(f"{level} 0 {level} 0", decks=deck)
        assert bool(spring_landings(over_trap, at("B1"), RULES)) == thrown
        found = spring_landings(over_trap, at("D1"), RULES)
        assert (at("B1") in found) == thrown
        clear = replace(RULES, spring_arc="clear")
        across = graph(f"0 {level} 0 {level} 0", decks=(Deck(Tile(0, 1), Tile(0, 3), level),))
        assert at("E1") not in spring_landings(across, at("A1"), clear)


def test_pushes_are_read_as_cards_write_them() -> None:
    assert Push.parse("B2") == Push("B", 2)
    assert Push.parse("l1") == Push("L", 1)
    assert Push.parse("2") == Push("B", 2)
    assert Push.parse("R03", extra=2) == Push("R", 3, extra=2)
    for text in ("", "B", "X1", "B-1", "B123", "2B", "BB", "B2.0", "\u0662"):
        with pytest.raises(ValueError, match="is not a push"):
            assert Push.parse(text) is None


def test_facing_is_the_longer_way_and_columns_win() -> None:
    """ "Direction is in relation to the attacker's position"."""
    ways = {"E1": (-1, 0), "E9": (1, 0), "A5": (0, -1), "I5": (0, 1), "F9": (1, 0), "I6": (0, 1)}
    for target, way in ways.items():
        assert resolve_direction(at("E5"), at(target), RULES) == way
    assert resolve_direction(at("E5"), at("G7"), RULES) == (0, 1)
    assert resolve_direction(at("E5"), at("C7"), RULES) == (0, -1)
    assert resolve_direction(at("E5"), at("E5@2"), RULES) is None
    chooses = replace(RULES, push_diag="attacker_chooses")
    assert push_directions(at("E5"), at("G7"), chooses) == ((1, 0), (0, 1))
    assert push_directions(at("E5"), at("C3"), chooses) == ((-1, 0), (0, -1))
    assert push_directions(at("E5"), at("E5@2"), chooses) == ()
    with pytest.raises(ValueError, match="add a way, south or east"):
        resolve_direction(at("E5"), at("G7"), chooses)
    assert resolve_direction(at("E5"), at("G7"), chooses, (1, 0)) == (1, 0)
    assert resolve_direction(at("E5"), at("G6"), chooses) == (0, 1)
    assert resolve_direction(at("E5"), at("G6"), chooses, (0, 1)) == (0, 1)
    with pytest.raises(ValueError, match="faces G7@0 east"):
        resolve_direction(at("E5"), at("G7"), RULES, (1, 0))
    with pytest.raises(ValueError, match="on one tile"):
        resolve_direction(at("E5"), at("E5@2"), RULES, (1, 0))
    assert push_offset(at("E5"), at("E4"), Push("R", 1), RULES) == (0, 1)
    assert push_offset(at("E5"), at("E4"), Push("L", 1), RULES) == (0, -1)
    assert push_offset(at("E5"), at("E4"), Push("B", 1), RULES) == (-1, 0)
    assert push_offset(at("E5"), at("E4"), Push("F", 1), RULES) is None


def test_hovering_units_die_over_lava_only_at_its_level() -> None:
    rules = replace(RULES, push_fall="hover")
    flat = graph("0 0 0! 0").terrain
    assert push_unit(flat, at("A1"), at("B1"), Push("B", 2), rules).dead
    sunken = graph("1 1 0! 1").terrain
    over = push_unit(sunken, at("A1@1"), at("B1@1"), Push("B", 2), rules)
    assert (over.end, over.dead) == (at("D1@1"), False)
    assert push_unit(sunken, at("A1@1"), at("B1@1"), Push("B", 1), rules).dead

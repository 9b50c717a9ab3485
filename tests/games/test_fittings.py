"""Railings, obstructions, fields and pits under the gang skirmish, by hand from the sentences."""

from fractions import Fraction
from typing import Any

import pytest

from falldamage_forge.board import Tile
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.library.forge import Forge
from falldamage_forge.rules.position import Position

FORGE = Forge()
HALF, THIRD, SIXTH = Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)


def table(body: str, rules: str = "") -> Position:
    """A board of 10x5 tiles; a fighter has Movement 5'', a base of 25 mm and Initiative 4+."""
    return FORGE.position(
        FORGE.loads(f"forge 1\nboard 10x5\nrules gang-skirmish {{ {rules} }}\n{body}")
    )


def at(name: str, level: int = 0) -> Surface:
    return Surface(Tile.parse(name), level)


def ask(position: Position, question: str, **given: str) -> Any:
    return position.ask(question, **given).value


def one_move(position: Position, start: str, **changes: Any) -> set[str]:
    """Tiles that are reached within one move."""
    reach = position.unit("ganger", **changes).reach(start)
    return {str(row.surface.tile) for row in reach.surfaces if row.moves <= 1}


# -- what stands between the fighter and the edge --------------------------------------------------


@pytest.mark.parametrize(
    ("rail", "falls", "after_failing"),
    [
        ("", HALF, 1),
        ("railing at D3 sides east cover none\n", HALF, 1),
        ("railing at D3 sides east\n", THIRD, 1),
        ("railing at D3 sides east height 1in\n", SIXTH, 1),
        ("railing at D3 sides east cover full\n", SIXTH, 1),
        ("railing at D3 sides east height 2in\n", 0, 0),
        ("railing at D3 sides east cover no-line-of-sight\n", 0, 0),
        ("battlement at D3 sides east\n", THIRD, 1),
        ("railing at D3 sides west height 2in\n", HALF, 1),
    ],
)
def test_cover_between_the_fighter_and_the_edge(rail: str, falls: Any, after_failing: Any) -> None:
    """ "Partial … +1", "Full … +2", "No Line of Sight, the fighter does not fall off that edge".

    The edge is to the east of D3 alone. Forced Prone one needs 4+, 3+ with Partial, 2+ with Full;
    who has failed a check falls at once.
    """
    position = table(f"stack A1..D5 height 1\n{rail}")
    assert ask(position, "pinned-falls", start="D3") == falls
    assert ask(position, "pinned-falls", start="D3", cause="failed-check") == after_failing
    down = {fate.falls: fate.chance for fate in ask(position, "lying", start="D3")}
    assert down.get((2,), 0) == falls


def test_of_several_edges_the_one_without_a_view_is_none() -> None:
    """At a corner the fall goes over the edge that is left, and `each` checks each with its own."""
    body = "stack A1..D4 height 1\nrailing at D4 sides east height 2in\nrailing at D4 sides south\n"
    assert ask(table(body), "pinned-falls", start="D4") == THIRD
    other = body.replace("east height 2in", "east height 1in")
    passes = (1 - THIRD) * (1 - SIXTH)
    assert ask(table(other, "edges each"), "pinned-falls", start="D4") == 1 - passes
    assert ask(table(body), "pinned-falls", start="D4", cover="none") == HALF


def test_a_railing_between_two_tiles_counts_for_both() -> None:
    body = "stack A1..D5 height 1\nrailing at C3 sides east height 2in\n"
    position = table(body)
    for start, direction in (("C3", "east"), ("D3", "west")):
        found = ask(position, "rail", start=start, direction=direction)
        assert (found.cover, found.modifier, found.climbed) == ("no_line_of_sight", None, True)
    assert ask(position, "rail", start="C3", direction="west").cover == "none"


@pytest.mark.parametrize(
    ("applies", "chance"), [("fall-check-only", HALF), ("any-check", 2 * THIRD)]
)
def test_whether_a_railing_helps_the_check_itself(applies: str, chance: Fraction) -> None:
    """A Kip Up from B2@1 to C2@2 beside an edge with a low railing: 4+, or 3+ with its help."""
    body = "stack B2 height 1\nstack C2 height 2\nrailing at B2 sides north west south\n"
    position = table(body, f"rail-applies {applies}")
    way = position.path("ganger", "B2", "C2")
    assert way.chance == chance


@pytest.mark.parametrize(("applies", "found"), [("fall-check-only", False), ("any-check", True)])
def test_railing_helps_a_jump_down_by_the_option(applies: str, found: bool) -> None:
    """120 mm down with 7+: no face will do; less 1 for the drop, and 2 more by a railing."""
    body = "stack B2 height 5\nstack C2 height 1\nrailing at C2 sides north east south cover full\n"
    unit = table(body, f"rail-applies {applies}").unit("ganger", initiative=7)
    way = unit.path("B2", "C2")
    assert (way.found, way.chance) == (found, Fraction(1, 6) if found else 1)


# -- what bars a way -------------------------------------------------------------------------------


@pytest.mark.parametrize(("height", "there"), [("1/2in", True), ("13mm", False), ("1in", False)])
def test_half_an_inch_is_stepped_over_and_more_has_to_be_climbed(height: str, there: bool) -> None:
    """ "onto or over structures or obstacles that are up to ½'' tall"."""
    rail = table(f"railing at col B sides east height {height}\n")
    assert ("C3" in one_move(rail, "B3")) is there
    assert ("C3" in one_move(rail, "A3")) is there
    crates = table(f"obstruction at col C height {height}\n")
    assert ("D3" in one_move(crates, "B3")) is there
    assert ("C3" in one_move(crates, "B3")) is there


def test_a_walk_goes_round_the_end_of_a_railing_and_no_base_brushes_it() -> None:
    """From B3 to C3 past the end of a rail north of row 4: the middle goes round by B4 or C4."""
    position = table("railing at B1..B3 sides east height 1in\n")
    way = position.path("ganger", "B3", "C3")
    assert way.cost > 30_000
    assert "4" in {str(step.surface.tile)[1] for step in way.steps}


@pytest.mark.parametrize(
    ("body", "start", "goal", "rail"),
    [
        ("stack B3, D3 height 2\n", "B3", "D3@2", "railing at B3 sides east height 1in\n"),
        ("stack B3, D3 height 2\n", "B3", "D3@2", "railing at D3 sides west height 1in\n"),
        ("stack B3 height 2\n", "B3", "C3@0", "railing at B3 sides east height 1in\n"),
        ("stack B3 height 2\n", "C3", "B3@2", "railing at B3 sides east height 1in\n"),
    ],
    ids=["leap off", "leap on to", "jump down", "kip up"],
)
def test_nobody_leaps_jumps_or_kips_through_a_tall_railing(
    body: str, start: str, goal: str, rail: str
) -> None:
    def kinds(position: Position) -> set[str]:
        model = position.model("ganger")
        here, there = position.place(start), position.place(goal)
        return {
            edge.kind
            for edge in model.edges[model.index[here]]
            if model.places[edge.to].anchor == there
        }

    assert kinds(table(body))
    assert kinds(table(body + rail.replace("1in", "1/2in"))) == kinds(table(body))
    assert not kinds(table(body + rail))


@pytest.mark.parametrize(
    ("body", "rules", "travelled", "hit", "falls"),
    [
        ("", "", 50_800, None, 1),
        ("railing at D3 sides east\n", "", 50_800, None, 1),
        ("railing at D3 sides east\n", "rail-stops all", 2_500, 2, None),
        ("railing at D3 sides east height 1in\n", "", 2_500, 2, None),
        ("railing at D3 sides east height 1in\n", "rail-stops none", 50_800, None, 1),
        ("railing at C3 sides west height 1in\n", "", 50_800, None, 1),
    ],
)
def test_one_shoved_into_a_railing_stops_and_is_hit(
    body: str, rules: str, travelled: int, hit: int | None, falls: int | None
) -> None:
    """ "If the target is moved into an obstruction, the target stops moving and suffers a hit".

    From the middle of D3 the base of 25 mm touches the rail after 2.5 mm.
    """
    position = table(f"stack A1..D5 height 1\n{body}", rules)
    end = ask(position, "shove-outcome", start="D3", direction="east", inches="2")
    assert (end.travelled_um, end.wall, end.fall_levels) == (travelled, hit, falls)


@pytest.mark.parametrize(("height", "hit"), [("1/2in", None), ("1in", 3), ("2in", 3)])
def test_one_shoved_into_an_obstruction_stops_and_is_hit(height: str, hit: int | None) -> None:
    """From B3 towards crates on D3: 2.5 mm to the edge of the tile, and one more tile of 30 mm."""
    position = table(f"obstruction at D3 height {height}\n")
    end = ask(position, "shove-outcome", start="B3", direction="east", inches="3")
    assert end.wall == hit
    assert end.travelled_um == (32_500 if hit else 76_200)


def test_an_obstruction_fills_the_levels_it_reaches_into() -> None:
    """Crates of 1'' fill one level of 30 mm, and two of 12.7 mm."""
    crates = "obstruction at C1 height 1in\n"
    for rules, top in (("", 1), ("rise-mm 12.7", 2)):
        assert table(crates, rules).graph.terrain.top(Tile.parse("C1")) == top


# -- Heavy-G ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "move_in", "within", "beyond"),
    [
        ("", 5, "E4", "E5"),
        ("heavy-g exact", 5, "E5", "B3"),
        ("heavy-g whole-action", 5, "E4", "E5"),
        ("", 6, "F5", "B3"),
    ],
)
def test_movement_in_a_field_is_halved_and_rounded_down(
    rules: str, move_in: int, within: str, beyond: str
) -> None:
    """ "all movement is halved (rounding down)": 5'' are 2'' from the counter, 6'' are 3''.

    In millimetres 50.8, 63.5 with `exact`, and 76.2: E4 is 30 off, E5 60, F5 67.1, B3 90.
    """
    found = one_move(table("field heavy-g at E3\n", rules), "E3", move_in=move_in)
    assert within in found
    assert beyond not in found


def test_only_movement_inside_a_field_is_halved() -> None:
    """From A3 the field of 63.5 mm about D3 begins after 90 - 63.5 - 12.5 = 14 mm.

    113 mm are left, 4.4'': 2'' inside, 64.8 mm in all. C3 is 60 mm off and D3 90; without the
    field it is D3 and E3. Counted by the middle it begins after 26.5: 100.5 mm are left, 3.9'', 1''
    inside, and C3 is too far.
    """
    found = one_move(table("field heavy-g at D3\n"), "A3")
    assert "C3" in found
    assert "D3" not in found
    assert {"D3", "E3"} <= one_move(table(""), "A3")
    middle = one_move(table("field heavy-g at D3\n", "in-field centre"), "A3")
    assert "B3" in middle
    assert "C3" not in middle


def test_whole_inches_are_counted_over_a_whole_move() -> None:
    """Round the tree C3 - D3 - D4 is 60 mm in two legs: 3'' of the 6'' halved, not 2'' and 2''."""
    position = table("tree at C4\nfield heavy-g at C3\n")
    assert "D4" in one_move(position, "C3", move_in=6)
    assert "D4" not in one_move(position, "C3", move_in=5)
    way = position.unit("ganger", move_in=6).path("C3", "D4")
    assert [step.cost for step in way.steps] == [101_600, 50_800]
    assert way.cost == 152_400


def test_two_fields_over_one_another_halve_once() -> None:
    one = one_move(table("field heavy-g at E3 radius 6in\n"), "E3")
    two = one_move(table("field heavy-g at E3 radius 6in\nfield heavy-g at F3 radius 6in\n"), "E3")
    assert one == two


@pytest.mark.parametrize(
    ("body", "rules", "travelled"),
    [
        ("field heavy-g at B3\n", "", 25_400),
        ("field heavy-g at B3\n", "heavy-g-involuntary no", 76_200),
        ("field heavy-g at B3\n", "heavy-g exact", 38_100),
        ("field heavy-g at B3 radius 2mm\n", "", 61_700),
        ("", "", 76_200),
    ],
)
def test_a_shove_in_a_field_is_shortened(body: str, rules: str, travelled: int) -> None:
    """3'' are 1'' inside.

    A field of 2 + 12.5 mm is left after 14.5, which cost 29 of the 76.2: 47.2 more, 61.7 in all.
    """
    position = table(body, rules)
    end = ask(position, "shove-outcome", start="B3", direction="east", inches="3")
    assert end.travelled_um == travelled


@pytest.mark.parametrize(("counter", "falls"), [("C3", THIRD), ("E3", 2 * THIRD), ("D1", HALF)])
def test_field_helps_against_falling_away_from_its_middle(counter: str, falls: Any) -> None:
    """ "+1 bonus if they would fall away from the center …, or a -1 penalty if … towards"."""
    position = table(f"stack A1..D5 height 1\nfield heavy-g at {counter}\n")
    assert ask(position, "pinned-falls", start="D3") == falls
    assert ask(position, "in-field", start="D3") == (Tile.parse(counter),)
    pull = ask(position, "field-pull", start="D3", direction="east")
    assert {THIRD: 1, 2 * THIRD: -1, HALF: 0}[falls] == pull


# -- pits ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pitfall", ["lava", "none"])
def test_a_pit_of_the_map_is_a_pitfall_under_every_reading(pitfall: str) -> None:
    """ "A fighter that falls into a Pitfall is immediately taken Out of Action"."""
    position = table("pitfall at D3\n", f"pitfall {pitfall}")
    assert at("D3") not in position.graph.index
    end = ask(position, "shove-outcome", start="C3", direction="east", inches="2")
    assert end.fall_levels == -1
    fates = ask(position, "knockback", attacker="B3", start="C3", force="5")
    assert fates[-1].ends == "falls into a Pitfall"
    assert "D3" not in one_move(position, "C3")
    assert {"E3", "D2"} <= one_move(position, "C3")


def test_hazards_of_analyze_know_railings() -> None:
    """A platform that is railed so that nobody sees over is no place to fall from."""
    body = "stack D3 height 1\n"
    railed = table(body + "railing at D3 height 2in\n")
    bare = table(body)
    unit = bare.plain
    assert [hazard.surface for hazard in bare.game.hazards(bare.graph, unit)] == [at("D3", 1)]
    assert not railed.game.hazards(railed.graph, unit)

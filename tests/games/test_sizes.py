"""Tables of other sizes: played by the ruler in their own, and refused where parts are made."""

from fractions import Fraction

import pytest

from falldamage_forge.issues import ForgeError
from falldamage_forge.lang.flatten import flatten
from falldamage_forge.library.forge import Forge, Map

FORGE = Forge()
STARTS = "start red at B1..I1\nstart blue at B10..I10\n"


def table(rules: str, sizes: str, more: str = "") -> Map:
    return FORGE.loads(f"forge 1\nrules {rules}\nprint {{ {sizes} }}\n{more}{STARTS}")


def cost(map_: Map, goal: str, unit: str) -> Fraction:
    found = FORGE.position(map_).path(unit, "A5", goal)
    return found.scale.exact(found.cost)


def test_a_tile_of_an_inch_is_five_feet() -> None:
    map_ = table("falchion", "tile 1in")
    assert cost(map_, "G5", "drifter") == 30
    assert cost(map_, "D1", "drifter") == 25, "three tiles across and four along: a hypotenuse"
    assert FORGE.game(FORGE.loads(flatten(map_.layout)))[0] == FORGE.game(map_)[0]
    spoken = FORGE.position(map_, options={"tile-mm": "30"}).path("drifter", "A5", "B5")
    assert spoken.cost == 30_000, "who says it on the command line has it so"


@pytest.mark.parametrize("rise", ["13mm", "3/4in", "1in", "30mm", "6cm"])
def test_a_level_is_as_high_as_the_map_says(rise: str) -> None:
    map_ = table("gang-skirmish", f"tile 1in  rise {rise}", "stack E5 height 1\n")
    model = FORGE.position(map_).model("ganger")
    up = [edge for edges in model.edges for edge in edges if edge.kind == "kip up"]
    expected = {"13mm": 13_000, "3/4in": 19_050, "1in": 25_400, "30mm": 30_000, "6cm": 60_000}[rise]
    assert {edge.cost for edge in up} == {expected}
    assert {edge.cost for edges in model.edges for edge in edges if edge.kind == "walk"} >= {25_400}


def test_games_that_count_tiles_are_the_same_in_any_size() -> None:
    one, other = (FORGE.game(table("fall-damage", size))[0] for size in ("rim", "tile 1in"))
    assert one == other


def test_size_without_printable_parts_is_warned_of_and_not_built() -> None:
    map_ = table("falchion", "tile 24mm  rise 25.4mm")
    checked = FORGE.check(map_)
    assert [(issue.code, issue.severity) for issue in checked.issues] == [("FDF437", "warning")]
    assert checked.ok
    assert not checked.buildable
    for made in (FORGE.plan, FORGE.build):
        with pytest.raises(ForgeError, match="cannot be printed"):
            made(map_)
    for sizes in ("tile 30mm  rise 3cm", "tile 1in  rise 1in", "tile 25mm", "tile 40mm  rise 40mm"):
        usual = FORGE.check(table("falchion", sizes))
        assert usual.issues == ()
        assert usual.buildable


@pytest.mark.parametrize(
    ("more", "piece"),
    [("step at D5", "step"), ("extras { tree 1 step 1 }", "step"), ("extras { step 1 }", "step")],
)
def test_part_without_room_is_reported(more: str, piece: str) -> None:
    low, high = (
        table("gang-skirmish", f"tile 1in  rise {rise}", more + "\n") for rise in ("1/2in", "1in")
    )
    (issue,) = (one for one in FORGE.check(low).issues if one.code == "FDF438")
    assert f"`{piece}`" in issue.message
    with pytest.raises(ForgeError, match=piece):
        FORGE.plan(low)
    assert not any(one.code == "FDF438" for one in FORGE.check(high).issues)


@pytest.mark.parametrize("said", ["tile 9mm", "rise 61mm", "tile wide", "tile 2.5in"])
def test_impossible_sizes_are_refused(said: str) -> None:
    assert [issue.code for issue in table("falchion", said).issues] == ["FDF211"]


def walks(rise: str, more: str, start: str, goal: str) -> bool:
    """Whether a ganger gets from one place to another by walking alone."""
    position = FORGE.position(table("gang-skirmish", f"tile 1in  rise {rise}", more))
    found = position.path("ganger", start, goal)
    return found.found and {step.kind for step in found.steps} == {"walk"} and found.chance == 1


@pytest.mark.parametrize(("rise", "walked"), [("1/2in", True), ("12.7mm", True), ("12.8mm", False)])
def test_half_an_inch_is_a_step(rise: str, walked: bool) -> None:
    stairs = "stack D5 height 1\nstack E5 height 2\nstack F5 height 3\n"
    assert walks(rise, stairs, "C5", "F5@3") is walked
    assert walks(rise, stairs, "F5@3", "C5") is walked


@pytest.mark.parametrize(("rise", "walked"), [("1in", True), ("26mm", False), ("30mm", False)])
def test_a_step_halves_a_level_of_an_inch(rise: str, walked: bool) -> None:
    terrace = "stack E5..F6 height 1\nstep at D5\n"
    assert walks(rise, terrace, "C5", "F6@1") is walked
    assert walks(rise, terrace, "F6@1", "C5") is walked
    assert not walks(rise, "stack E5..F6 height 1\n", "C5", "F6@1")


@pytest.mark.parametrize(
    ("more", "walked"),
    [
        ("stack E5, D4..E4 height 1\n", True),
        ("stack E5, D4, E4 height 1\nstack D5 height 1\n", True),
        ("stack E4 height 1\nstack D4 height 2\n", False),
        ("stack E4 height 1\ntree at E5\n", False),
        ("stack D4, E4, E5 height 2\n", False),
    ],
)
def test_a_step_across_a_corner_needs_a_step_on_both_sides(more: str, walked: bool) -> None:
    """From D5 to E4, half an inch up, over the corner where D4 and E5 meet."""
    position = FORGE.position(table("gang-skirmish", "tile 1in  rise 1/2in", more))
    model = position.model("ganger")
    at = {str(place.anchor.tile): n for n, place in enumerate(model.places) if not place.spot}
    ways = [(a, b) for a, b in (("D5", "E4"), ("E4", "D5")) if a in at and b in at]
    found = [
        edge.cost
        for a, b in ways
        for edge in model.edges[at[a]]
        if edge.to == at[b] and edge.kind == "walk" and edge.chance == 1
    ]
    assert found == ([35_922, 35_922] if walked else [])


def test_nobody_falls_off_a_step() -> None:
    stairs = "stack D4..E6 height 2\nstack F4..F6 height 1\n"
    low, high = (
        FORGE.position(table("gang-skirmish", f"tile 1in  rise {rise}", stairs))
        for rise in ("1/2in", "1in")
    )
    shoves = [
        p.ask("fall-chances", start="E5", direction="east", force=2, unit="ganger").value
        for p in (low, high)
    ]
    assert shoves[0] == {0: 1}, "down two steps of half an inch"
    assert set(shoves[1]) == {0, 1}
    ends = [
        p.ask("shove-outcome", start="E5", direction="east", inches=3).value for p in (low, high)
    ]
    assert (ends[0].down, ends[0].fall_levels) == (2, None)
    assert (ends[1].down, ends[1].fall_levels) == (0, 1)

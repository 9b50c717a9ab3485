"""Tables of other sizes: played by the ruler in their own, and refused where parts are made."""

from fractions import Fraction

import pytest

from falldamage_forge.forge import Forge, Map
from falldamage_forge.issues import ForgeError
from falldamage_forge.lang.flatten import flatten

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


@pytest.mark.parametrize("rise", ["10mm", "0.5in", "1in", "30mm", "6cm"])
def test_a_level_is_as_high_as_the_map_says(rise: str) -> None:
    map_ = table("gang-skirmish", f"tile 1in  rise {rise}", "stack E5 height 1\n")
    model = FORGE.position(map_).model("ganger")
    up = [edge for edges in model.edges for edge in edges if edge.kind == "kip up"]
    expected = {"10mm": 10_000, "0.5in": 12_700, "1in": 25_400, "30mm": 30_000, "6cm": 60_000}[rise]
    assert {edge.cost for edge in up} == {expected}
    assert {edge.cost for edges in model.edges for edge in edges if edge.kind == "walk"} >= {25_400}


def test_games_that_count_tiles_are_the_same_in_any_size() -> None:
    one, other = (FORGE.game(table("fall-damage", size))[0] for size in ("rim", "tile 1in"))
    assert one == other


def test_what_has_no_part_is_warned_of_and_not_made() -> None:
    map_ = table("falchion", "tile 25.4mm  rise 25.4mm")
    checked = FORGE.check(map_)
    assert [(issue.code, issue.severity) for issue in checked.issues] == [("FDF437", "warning")]
    assert checked.ok
    assert not checked.buildable
    for made in (FORGE.plan, FORGE.build):
        with pytest.raises(ForgeError, match="cannot be printed"):
            made(map_)
    usual = FORGE.check(table("falchion", "tile 30mm  rise 3cm"))
    assert usual.issues == ()
    assert usual.buildable


@pytest.mark.parametrize("said", ["tile 9mm", "rise 61mm", "tile wide", "tile 2.5in"])
def test_sizes_that_no_table_has_are_told(said: str) -> None:
    assert [issue.code for issue in table("falchion", said).issues] == ["FDF211"]

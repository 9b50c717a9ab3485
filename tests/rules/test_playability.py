"""FDF301: who reaches a treasure decides whether a map may be printed."""

import pytest

import falldamage_forge as ff
from falldamage_forge.issues import Issue

STARTS = "start red at B1..I1\nstart blue at B10..I10\n"
MOAT = (
    "forge 1\n{rules}lava at A2..B2\nlava at B1\ntreasure at A1\n"
    "start red at C1..I1,D2\nstart blue at B10..I10\n"
)
"""Nobody walks through lava, however high it jumps."""
PILLAR = "forge 1\nstack D4 height 3\n{more}treasure at D4\n" + STARTS
WALL = "forge 1\nstack row 5 height 3\ntreasure at C5\ntreasure at A1\ntreasure at J10\n" + STARTS


def issues(text: str) -> list[Issue]:
    found = ff.check(ff.loads(text, "x")).issues
    return [each for one in found for each in (one, *one.followers) if each.code == "FDF301"]


def test_treasure_that_no_unit_reaches_makes_a_map_unplayable() -> None:
    """An error only in a game whose units gain by treasure."""
    (lost,) = issues(MOAT.format(rules=""))
    assert lost.severity == "error"
    assert not ff.check(ff.loads(MOAT.format(rules=""), "x")).ok
    for name in ("falchion", "gatefall"):
        (other,) = issues(MOAT.format(rules=f"rules {name}\n"))
        assert other.severity == "warning"
        assert other.message.endswith("no unit can")


@pytest.mark.parametrize("more", ["", "water at D5\n"])
def test_treasure_that_a_card_reaches_is_warned_of_with_the_card_and_the_obstacle(
    more: str,
) -> None:
    """A drop into water, which leads down from the pillar without damage, is no way up."""
    (high,) = issues(PILLAR.format(more=more))
    assert high.severity == "warning"
    assert "blue and red cannot reach the treasure at D4 " in high.message
    assert " without damage as a unit with Jump 1 or 2; assassin" in high.message
    assert "no unit can" not in high.message
    assert high.hint is not None and high.hint.startswith("D4@3 rises 3 above ")
    (built,) = high.notes
    assert (built.span.line, built.message) == (2, "the treasure lies here")
    assert ff.check(ff.loads(PILLAR.format(more=more), "x")).ok


def test_treasure_names_each_side_that_lacks_it() -> None:
    """Both sides lack the chest on a wall; each of the others lies behind it for one side."""
    found = issues(WALL)
    lacking = [issue.message.partition(" without ")[0] for issue in found]
    assert sorted(lacking) == [
        "blue and red cannot reach the treasure at C5",
        "blue cannot reach the treasure at A1",
        "red cannot reach the treasure at J10",
    ]
    for issue in found:
        (tile,) = issue.tiles
        assert issue.span is not None
        assert issue.span.line == {"C5": 3, "A1": 4, "J10": 5}[str(tile)]


def test_treasure_in_reach_of_all_is_no_issue() -> None:
    """Nor does it end the check of the chests after it."""
    near = "ladder D5 -> D4\nstack G4 height 3\n"
    text = PILLAR.format(more=near)
    assert issues(text) == []
    (far,) = issues(f"{text}treasure at G4\n")
    assert [str(tile) for tile in far.tiles] == ["G4"]

"""Who is ahead, and what is said to mend it: every remedy holds when it is done."""

import pytest

from falldamage_forge.board import Tile
from falldamage_forge.forge import Forge, Map
from falldamage_forge.lang.edit import applied

HILL = """forge 1
map {
  . . . . . . . . . .
  . . . 1 . . . . . .
  . . . 2 . . . T . .
  . . . 3 2 . . . . .
  . . . . 1 . . . . .
  . . . . . . . ~ ~ .
  . . . . . . . ! . .
  . . . . . . . . . .
  . . . . . . . . . .
  . . . . . . . . . .
}
treasure at D4
start red at B1..I1
start blue at B10..I10
"""
"""Red holds the hill and its chest in turn 1, Blue in turn 3."""
FORGE = Forge()


def excess(map_: Map) -> float:
    return sum(lead.figure / lead.fair - 1 for lead in FORGE.analyze(map_).leads if lead.unfair)


def test_a_hill_that_one_side_holds_is_not_good() -> None:
    found = FORGE.analyze(FORGE.loads(HILL))
    assert (found["treasure"].verdict, found["high ground"].verdict) == ("warn", "bad")
    unfair = {lead.what: lead for lead in found.leads if lead.unfair}
    assert {lead.side for lead in unfair.values()} == {"red"}
    assert (unfair["treasure"].figure, unfair["treasure"].fair) == (2, 1)
    assert "blue in turn 3, red in turn 1" in unfair["treasure"].text
    assert unfair["heights"].tiles == (Tile.parse("D4"),)
    assert found.json()["leads"][0]["side"] == "red"


def test_every_remedy_does_what_it_says() -> None:
    map_ = FORGE.loads(HILL)
    before, judged = excess(map_), FORGE.analyze(map_)
    codes = [issue.code for issue in FORGE.check(map_).issues]
    remedies = FORGE.suggest(map_)
    assert len(remedies) == 3 and remedies[0].fair
    for one in remedies:
        assert applied(HILL, one.edits) == one.text
        after = FORGE.loads(one.text)
        assert excess(after) < before
        assert one.fair == (not excess(after))
        assert [issue.code for issue in FORGE.check(after).issues] <= codes
        bad = {metric.name for metric in FORGE.analyze(after).metrics if metric.verdict == "bad"}
        assert bad <= {metric.name for metric in judged.metrics if metric.verdict == "bad"}
        assert all(line in HILL for sign, line in one.lines(HILL) if sign == "-")
        assert all(line in one.text for sign, line in one.lines(HILL) if sign == "+")


@pytest.mark.parametrize("name", ["duel", "ashkeep"])
def test_a_fair_map_has_no_lead_and_needs_no_remedy(name: str) -> None:
    map_ = FORGE.load(name)
    assert not [lead for lead in FORGE.analyze(map_).leads if lead.side]
    assert FORGE.suggest(map_) == ()


def test_a_chest_nobody_gets_to_is_told_and_mended() -> None:
    text = "forge 1\nstack E5 height 3\ntreasure at E5\nstart red at B1..I1\n"
    text += "start blue at B10..I10\n"
    map_ = FORGE.loads(text)
    assert FORGE.analyze(map_)["treasure"].verdict == "warn"
    lost = FORGE.analyze(map_).leads[0]
    assert (lost.what, lost.side, lost.unfair) == ("treasure out of reach", None, True)
    remedies = FORGE.suggest(map_)
    assert any("ladder" in words for one in remedies for words in one.gestures)
    assert Forge().suggest(map_) == remedies, "the same map, the same advice"

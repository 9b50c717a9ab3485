"""Who is ahead, and what is said to mend it: every remedy holds when it is done."""

from dataclasses import replace
from itertools import combinations

import pytest

from falldamage_forge.board import Tile
from falldamage_forge.lang.edit import apply_edits
from falldamage_forge.library.forge import Forge, Map
from falldamage_forge.library.suggestions import edit_proposals
from falldamage_forge.library.suggestions.edit_proposals import propose_edits
from falldamage_forge.rules.answers import MapMetrics

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
WARNED = f"{HILL}stack J5 height 5\n"
FORGE = Forge()


def excess(map_: Map) -> float:
    return sum(lead.figure / lead.fair - 1 for lead in FORGE.analyze(map_).leads if lead.unfair)


def changes(before: MapMetrics, after: MapMetrics) -> dict[str, tuple[float, float, float, str]]:
    """By name the figures of what is unfair in one of two analyses, before and after."""
    first, second = ({lead.what: lead for lead in each.leads} for each in (before, after))
    return {
        what: (*(round(each[what].figure, 3) if what in each else 0 for each in (first, second)),
               lead.fair, lead.measure)
        for what, lead in (first | second).items()
        if any(what in each and each[what].unfair for each in (first, second))
    }  # fmt: skip


def test_a_hill_that_one_side_holds_is_not_good() -> None:
    found = FORGE.analyze(FORGE.loads(HILL))
    assert (found["treasure"].verdict, found["high ground"].verdict) == ("warn", "bad")
    unfair = {lead.what: lead for lead in found.leads if lead.unfair}
    assert {lead.side for lead in unfair.values()} == {"red"}
    assert (unfair["treasure"].figure, unfair["treasure"].fair) == (2, 1)
    assert "blue in turn 3, red in turn 1" in unfair["treasure"].text
    assert unfair["heights"].tiles == (Tile.parse("D4"),)
    assert found.json()["leads"][0]["side"] == "red"


def test_every_suggestion_does_what_it_says() -> None:
    map_ = FORGE.loads(WARNED)
    before, judged = excess(map_), FORGE.analyze(map_)
    assert {metric.verdict for metric in judged.metrics} >= {"warn", "bad"}
    codes = [issue.code for issue in FORGE.check(map_).issues]
    assert codes, "a warning that was there refuses no remedy"
    remedies = FORGE.suggest(map_)
    assert len(remedies) == 3 and remedies[0].fair
    kinds = [{words.split()[0] for words in one.gestures} for one in remedies]
    assert all(one != other for one, other in combinations(kinds, 2)), "different kinds first"
    for one in remedies:
        assert apply_edits(WARNED, one.edits) == one.text
        after = FORGE.loads(one.text)
        assert excess(after) < before
        assert one.fair == (not excess(after))
        assert {each.what: each[1:] for each in one.changes} == changes(
            judged, FORGE.analyze(after)
        )
        assert [issue.code for issue in FORGE.check(after).issues] <= codes
        bad = {metric.name for metric in FORGE.analyze(after).metrics if metric.verdict == "bad"}
        assert bad <= {metric.name for metric in judged.metrics if metric.verdict == "bad"}
        assert all(line in WARNED for sign, line in one.lines(WARNED) if sign == "-")
        assert all(line in one.text for sign, line in one.lines(WARNED) if sign == "+")


def test_a_lead_of_no_place_is_mended_where_the_other_side_is_latest() -> None:
    position = FORGE.position(FORGE.loads(HILL))
    lead = next(lead for lead in FORGE.analyze(FORGE.loads(HILL)).leads if lead.unfair)
    late = edit_proposals._late(position, lead.side)
    gestures = propose_edits(position, [replace(lead, tiles=())], 4, whole=False)
    latest = [tile for tile in late if late[tile] == max(late.values())]
    words = [gesture.split() for gesture in gestures]
    levels = {Tile.parse(tile) for verb, tile, *_ in words if verb in ("raise", "lower")}
    assert levels
    for tile in levels:
        assert any(apart(tile, at) <= 2 for at in latest), tile


def apart(a: Tile, b: Tile) -> int:
    return max(abs(a.row - b.row), abs(a.col - b.col))


def test_proposals_are_all_that_may_help_and_the_nearest_chests_first() -> None:
    map_ = FORGE.loads(HILL)
    position, board, chest = FORGE.position(map_), map_.board, Tile.parse("D4")
    leads = [lead for lead in FORGE.analyze(map_).leads if lead.unfair]
    late = edit_proposals._late(position, "red")
    words = [gesture.split() for gesture in propose_edits(position, leads, 4, whole=False)]
    level = {tile: board.column(tile).level for tile in board.tiles()}

    moves = [Tile.parse(each[-1]) for each in words if each[:3] == ["move", "treasure", "D4"]]
    costs = [apart(tile, chest) + abs(level[tile] - level[chest]) for tile in moves]
    starts = {tile for zone in board.starts for tile, _ in zone.surfaces}
    assert len(moves) > 3 and costs == sorted(costs)
    for tile in moves:
        assert abs(late[tile]) < abs(late[chest])
        assert board.column(tile).feature is None and tile not in starts

    near = [tile for tile in board.tiles() if any(apart(tile, at) <= 2 for at in leads[0].tiles)]
    assert {tuple(each[1:]) for each in words if each[0] == "ladder"} == {
        (str(foot), str(top))
        for top in near
        for foot in board.tiles()
        if abs(foot.row - top.row) + abs(foot.col - top.col) == 1
        if 2 <= level[top] - level[foot] <= 4 and late.get(foot, 0) <= late.get(top, 99)
    }


@pytest.mark.parametrize("name", ["duel", "ashkeep"])
def test_a_fair_map_has_no_lead_and_needs_no_remedy(name: str) -> None:
    map_ = FORGE.load(name)
    assert not [lead for lead in FORGE.analyze(map_).leads if lead.side]
    assert FORGE.suggest(map_) == ()


@pytest.mark.smoke
def test_unreachable_chest_gets_a_lead_and_a_suggestion() -> None:
    text = "forge 1\nstack E5 height 3\ntreasure at E5\nstart red at B1..I1\n"
    text += "start blue at B10..I10\n"
    map_ = FORGE.loads(text)
    assert FORGE.analyze(map_)["treasure"].verdict == "warn"
    lost = FORGE.analyze(map_).leads[0]
    assert (lost.what, lost.side, lost.unfair) == ("treasure out of reach", None, True)
    assert lost.text == "no side reaches the treasure on E5@3 without damage"
    away = FORGE.analyze(map_).leads[1]
    assert away.text == f"no side reaches {len(away.tiles)} of 100 surfaces without damage"
    remedies = FORGE.suggest(map_)
    assert any("ladder" in words for one in remedies for words in one.gestures)
    assert Forge().suggest(map_) == remedies, "the same map, the same advice"

"""Overlays say what the rules say, on the tables of a few tiles where it can be counted by hand."""

import pytest

from falldamage_forge.board import Column, Feature, Ground, StartZone, Tile, make_board
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.library.forge import Forge
from falldamage_forge.render import rule_overlays
from falldamage_forge.render.overlay import Overlay
from falldamage_forge.rules.position import Position
from tests.render.boards import MAPS, preset
from tests.rules.asking import position


def texts(overlay: Overlay) -> dict[str, str]:
    return {f"{mark.tile}@{mark.level}": mark.text for mark in overlay.marks}


def strip(word: str, **things):
    """A board of one row: digits are levels, `!` lava, `T` a tree, `|` a spire-high wall."""
    kinds = {"!": Column(0, Ground.LAVA), "T": Column(0, feature=Feature.TREE)}
    columns = [kinds.get(letter) or Column(int(letter)) for letter in word]
    return make_board(1, len(word), columns, **things)


def zone(side: str, *tiles: int) -> StartZone:
    return StartZone(side, tuple((Tile(0, col), 0) for col in tiles))


def test_reach_counts_move_and_damage() -> None:
    found = rule_overlays.reach(
        position(strip("00120")).unit("M4 J1"), Surface(Tile(0, 0), 0), "Knight"
    )
    assert texts(found) == {"A1@0": "", "B1@0": "1", "C1@1": "2", "D1@2": "3", "E1@0": "4!1"}
    assert found.title == "Knight from A1 in one turn"


def test_turns_and_control_and_islands() -> None:
    board = strip("0000000", starts=[zone("red", 0), zone("blue", 6)])
    by_turns = texts(rule_overlays.turns(position(board), "M2 J1"))
    assert by_turns == dict(zip([f"{c}1@0" for c in "ABCDEFG"], "0112110", strict=True))
    control = texts(rule_overlays.control(position(board), "M2 J1"))
    assert control == {
        "A1@0": "R0",
        "B1@0": "R1",
        "C1@0": "R1",
        "D1@0": "=2",
        "E1@0": "B1",
        "F1@0": "B1",
        "G1@0": "B0",
    }
    tower = strip("00300", starts=[zone("red", 0)])
    assert texts(rule_overlays.islands(position(tower))) == {
        "C1@3": "A",
        "D1@0": "B",
        "E1@0": "B",
    }
    assert "nothing" in rule_overlays.islands(position(board)).title


def test_hazard_is_the_worst_push() -> None:
    found = rule_overlays.hazard(position(strip("3010!")))
    assert texts(found) == {"A1@3": "3", "C1@1": "1", "D1@0": "X"}
    assert [mark.tint for mark in found.marks] == [3, 1, rule_overlays.MOST_TINTS]


def test_sight_stops_at_trees() -> None:
    found = texts(rule_overlays.sight(position(strip("00T0")), Surface(Tile(0, 0), 0)))
    assert found == {"A1@0": "V", "B1@0": "", "D1@0": "×"}


def test_marks_lie_on_surfaces_and_in_the_legend() -> None:
    for name in MAPS:
        board = preset(name).board
        p: Position = position(board)
        start = p.graph.surfaces[0]
        for overlay in (
            rule_overlays.reach(p.unit(p.plain), start, "x"),
            rule_overlays.turns(p),
            rule_overlays.control(p),
            rule_overlays.hazard(p),
            rule_overlays.sight(p, start),
        ):
            spots = [(mark.tile, mark.level) for mark in overlay.marks]
            assert len(set(spots)) == len(spots)
            assert {Surface(*spot) for spot in spots} <= set(p.graph.surfaces)
            assert {mark.tint for mark in overlay.marks} <= {tint for tint, _ in overlay.legend}


@pytest.mark.parametrize("name", ["gantries", "stairwell", "crypt", "gatehouse", "duel"])
def test_overlays_agree_with_ruleset_of_map(name: str) -> None:
    forge = Forge()
    p = forge.position(forge.load(name))
    hazards = p.game.hazards(p.graph, p.plain)
    found = rule_overlays.hazard(p)
    if any(one.chance is not None for one in hazards):
        assert texts(found) == {str(one.surface): str(one.chance) for one in hazards}
        assert {words for _, words in found.legend} == {one.text for one in hazards}
    elif not hazards:
        assert found.marks == found.legend == ()
    start = Surface(*p.board.starts[0].surfaces[0])
    reached = {str(row.surface) for row in p.reach(p.plain, start).surfaces}
    assert reached.isdisjoint(texts(rule_overlays.islands(p)))

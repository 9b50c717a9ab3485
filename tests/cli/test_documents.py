"""JSON of proofs, and the settings of a search: each number under its name, rounded."""

from __future__ import annotations

import hashlib
from types import SimpleNamespace
from typing import Any

import pytest

import falldamage_forge as ff
from falldamage_forge.cli.commands import export, prove, search
from falldamage_forge.cli.proof_columns import _play, foot_json, piece_table
from falldamage_forge.cli.sliced_proof import sliced_document
from falldamage_forge.cli.table_proof import TableProof
from falldamage_forge.infra.report_table import row_json
from falldamage_forge.presets import load_units
from falldamage_forge.search import adapter
from falldamage_forge.search.constructive import MapRequirements
from falldamage_forge.search.evaluate import EvaluationSetup
from falldamage_forge.search.map_elites import SearchConfig
from tests.cli.running import SMALL

Made: Any = SimpleNamespace
NUMBER = 1.23456789


def issue(code: str) -> Any:
    return ff.Issue(code, "error", f"about {code}")


FOOT = Made(
    contact_mm2=NUMBER, patches=2, modulus_mm3=NUMBER, height_mm=NUMBER, tear_n=NUMBER,
    share_of=lambda tallest: 0.12345,
)  # fmt: skip
FOOT_JSON = {
    "contact_mm2": 1.2, "patches": 2, "modulus_mm3": 1.2, "height_mm": 1.23, "tear_n": 1.23,
    "tear_share": 0.123,
}  # fmt: skip
PRINT = Made(
    name="block", soundness=Made(size_mm=(NUMBER, 2.0, 3.0), volume_mm3=NUMBER, triangles=12),
    layers=4, bridge_mm=NUMBER, cantilever_mm=2 * NUMBER, islands=0, balance_mm=3 * NUMBER,
    foot=FOOT, issues=[issue("FDF421"), issue("FDF420"), issue("FDF421")],
    faults=[Made(code="FDF420", message="thin", place=(1.0, 2.0, 3.0))],
)  # fmt: skip
JOINT = Made(
    joint=Made(name="a on b"), overlap_mm3=NUMBER, sunk_mm3=NUMBER, held_mm3=2 * NUMBER,
    click_mm3=3 * NUMBER, entry_mm3=NUMBER, issues=lambda: [issue("FDF430")],
)  # fmt: skip
HOLD = Made(name="a", lift_n=NUMBER, tip_gf=NUMBER, knock_mj=NUMBER, strain=NUMBER)
TABLE = TableProof(
    Made(placements=[1, 2, 3], pairs=5, clashes=[1], floating=[1, 2]),
    Made(ways={1: None}, blocked={2: (1,), 3: (1,), 4: (1,)}),
)


def test_proof_of_pieces_joints_and_maps_is_a_document() -> None:
    findings = Made(
        prints=[PRINT],
        tallest=FOOT,
        joints=[JOINT],
        dials=[],
        holds=[HOLD],
        maps={"duel": TABLE},
        sliced=None,
    )
    printer, style = Made(name="a1-mini", process=Made(name="fine")), Made(name="stone")
    assert prove._document(findings, printer, style, (issue("FDF420"),)) == {
        "ok": False, "printer": "a1-mini", "process": "fine", "style": "stone",
        "pieces": [{
            "key": "block", "size_mm": [1.235, 2.0, 3.0], "volume_mm3": 1.23, "triangles": 12,
            "layers": 4, "bridge_mm": 1.235, "cantilever_mm": 2.469, "islands": 0,
            "balance_mm": 3.704, "foot": FOOT_JSON, "codes": ["FDF420", "FDF421"],
            "faults": [{"code": "FDF420", "message": "thin", "place_mm": [1.0, 2.0, 3.0]}],
        }],
        "joints": [{
            "name": "a on b", "overlap_mm3": 1.2346, "sunk_mm3": 1.235, "held_mm3": 2.469,
            "click_mm3": 3.704, "entry_mm3": 1.235, "codes": ["FDF430"],
        }],
        "dials": [],
        "holds": [
            {"name": "a", "lift_n": 1.23, "tip_gf": 1.2, "knock_mj": 1.235, "strain": 1.23457},
        ],
        "maps": {"duel": {"parts": 3, "contacts": 5, "clashes": 1, "floating": 2,
                          "from_side": 1, "blocked": 3}},
        "issues": ["error[FDF420]: about FDF420"],
    }  # fmt: skip
    assert prove._document(findings, printer, style, ())["ok"] is True
    assert row_json(piece_table(None), PRINT)["foot"] is None
    assert foot_json(FOOT, FOOT) == FOOT_JSON


def test_proof_of_what_is_laid_is_a_document() -> None:
    areas, widths = {"lost": 1.239, "added": 2.239, "void": 3.239}, {"bridge": 4.239, "jut": 5.239}
    part = Made(
        name="block", layers=9, area_mm2=areas.__getitem__, widest_mm=widths.__getitem__,
        offset_mm=NUMBER, spread_mm=2 * NUMBER, solid_share=0.987654, foot=FOOT,
        spots=[Made(kind="island"), Made(kind="jut"), Made(kind="island")],
        settings=("a", "b"), faults={"FDF420": 2},
    )  # fmt: skip
    fit = Made(play_mm=(NUMBER, None), catch_mm=NUMBER, click_mm=2 * NUMBER)
    assert sliced_document(Made(parts=[part], joints=[(JOINT, fit)]), FOOT) == {
        "pieces": [{
            "key": "block", "layers": 9, "lost_mm2": 1.24, "added_mm2": 2.24, "voids_mm2": 3.24,
            "offset_mm": 1.2346, "spread_mm": 2.4691, "bridge_mm": 4.24, "jut_mm": 5.24,
            "islands": 2, "laid_share": 0.9877, "foot": FOOT_JSON, "settings": ["a", "b"],
            "faults": {"FDF420": 2},
        }],
        "joints": [{
            "name": "a on b", "overlap_mm3": 1.2346, "play_mm": [1.235, None], "catch_mm": 1.235,
            "click_mm": 2.469, "codes": ["FDF430"],
        }],
    }  # fmt: skip
    assert _play([None, 0.125, 1.0, None]) == "  free  0.12  1.00  free"


def test_settings_that_identify_a_search_are_named() -> None:
    wish = MapRequirements(chests=3, expects=("expect good sight",))
    styles = (adapter.style("castle"), adapter.style("arena"))
    plan = SearchConfig(7, 64, evaluations=9)
    about = {
        "styles": ["castle", "arena"], "wishes": ["expect good sight"], "chests": 3,
        "owned": None, "seed": 7, "batch": 64,
    }  # fmt: skip
    game = adapter.game()
    assert search._about(EvaluationSetup(styles, wish, None, game), plan) == about
    own = EvaluationSetup((), wish, {"tree": 1}, game, "key", "forge 1\n", 8)
    digest = hashlib.sha256(b"forge 1\n").hexdigest()
    assert search._about(own, plan) == {
        **about, "styles": [], "owned": {"tree": 1}, "from": digest, "games": 8,
    }  # fmt: skip


@pytest.mark.parametrize("rules", ["fall-damage", "falchion"])
def test_figures_of_a_table_are_cards_or_numbered(rules: str) -> None:
    map_ = ff.loads(f"{SMALL.format(tower='D4')}rules {rules}\n")
    figures = export._figures(map_)
    sides = [zone.side for zone in reversed(map_.board.starts)]
    names = (
        [card.title for card in load_units().values()]
        if rules == "fall-damage"
        else [f"Figure {number}" for number in range(1, 9)]
    )
    assert {figure.side for figure in figures} == set(sides)
    for side in sides:
        own = [figure for figure in figures if figure.side == side]
        assert sorted(figure.name for figure in own) == sorted(names)
        assert all(bool(figure.text) == (rules == "fall-damage") for figure in own)
        assert len({figure.colour for figure in own}) == 1
    assert len({figure.colour for figure in figures}) == 2

"""Figures and their dials: drawn for every card, told apart at the table, clicked, printed."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import combinations

import numpy as np
import pytest
import shapely
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from falldamage_forge import presets
from falldamage_forge.builds.pipeline import assemble_parts
from falldamage_forge.games.fall_damage.whole_game import ALL, pieces_of_game, read_teams
from falldamage_forge.geometry import dial, figures, handling_tools
from falldamage_forge.geometry.connector_standard import LAYER_MM
from falldamage_forge.geometry.csg import GeometryError, translate
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.dial_check import DialReport, check_dial, dials
from falldamage_forge.geometry.joint_check import overlap_mm3
from falldamage_forge.geometry.piece_mesh import build, fit_of, own_solid
from falldamage_forge.geometry.printability import check_printability
from falldamage_forge.pieces.piece import Piece
from falldamage_forge.printing.printer import Printer
from tests.amount import EXHAUSTIVE
from tests.pieces.maps import board_of

from .conftest import stl_bytes

CATALOGUE = presets.load_catalogue()
UNITS = {str(piece["card"]): piece for piece in CATALOGUE.family("unit")}
FIRST = (UNITS["knight"], CATALOGUE["stand-sun-fighter"], CATALOGUE["health-wheel"])
FEW = ("skeleton", "splash-mage", "gunner")
SEEN_PX, TALLEST_MM = 60, 36.0
EDGE_ON = 0.35
"""Views whose width is a smaller share of the outline's are counted apart."""
OFF_DEG = 12.0
"""Nobody looks exactly from a direction of the compass."""
TOLD_APART, EDGE_TOLD = 0.95, 0.3


def test_each_card_has_a_figure_and_no_other_has() -> None:
    kit = presets.load_kit()
    assert set(UNITS) == {*kit.team_cards(), "skeleton", "werewolf"}
    assert len(UNITS) == 23
    titles = {name: card.title for name, card in kit.cards.items()}
    assert {name: str(piece["title"]) for name, piece in UNITS.items()} == {
        name: titles[name] for name in UNITS
    }


@pytest.mark.parametrize("card", UNITS)
def test_outline_is_one_body_over_its_base_without_slim_features(card: str) -> None:
    outline = figures.silhouette(UNITS[card])
    assert outline.geom_type == "Polygon"
    low_x, low_y, high_x, high_y = outline.bounds
    assert max(-low_x, high_x) <= dial.RADIUS_MM
    assert low_y == pytest.approx(0.0, abs=0.2)
    assert 22 < high_y < TALLEST_MM
    for area in (outline, figures.raised(UNITS[card])):
        pen = figures.LEAST_MM / 2 - 0.03
        slim = area.difference(area.buffer(-pen).buffer(pen + 0.02))
        assert max((part.area for part in shapely.get_parts(slim)), default=0.0) < 0.05


@pytest.mark.parametrize("card", UNITS)
def test_each_shape_that_is_drawn_is_printed(card: str) -> None:
    """A word whose shape is too slim would leave no trace."""
    outline = figures.silhouette(UNITS[card])
    for line in str(UNITS[card]["body"]).splitlines():
        if line and "not" not in line:
            shape = figures.drawn(line)
            assert shape.intersection(outline).area > 0.6 * shape.area, line


@pytest.mark.parametrize("words", ["blob 1 2", "disc 1", "poly 1,2 3", "line x 1,2", "robe 1 2 3"])
def test_words_that_are_no_shape_are_refused(words: str) -> None:
    with pytest.raises(GeometryError, match="no shape of a figure"):
        figures.drawn(words)


def test_words_mirror_and_take_away() -> None:
    pair = figures.drawn("both disc 1 3,0\nnot disc 1.1 -3,0")
    assert pair.bounds == pytest.approx((2, -1, 4, 1))


def test_every_height_is_of_whole_layers() -> None:
    heights = (
        *(dial.WHEEL_MM, dial.WASHER_MM, dial.STAND_MM, dial.LEDGE_MM, dial.HUB_FOOT_MM),
        *(dial.THICK_MM, dial.SIGN_DEPTH_MM, figures.RAISED_MM, figures.CUT_MM),
        *(handling_tools.FLOOR_MM, handling_tools.DEEP_MM),
    )
    for height in heights:
        assert math.isclose(height / LAYER_MM, round(height / LAYER_MM), abs_tol=1e-9), height


@pytest.mark.parametrize("key", [*(UNITS if EXHAUSTIVE else FEW), "stand", "wheel"])
def test_figures_stands_and_wheels_print(key: str, printer: Printer) -> None:
    pieces = (UNITS[key],) if key in UNITS else CATALOGUE.family(key)
    for piece in pieces:
        report = check_printability(stl_bytes(build(piece, printer)), printer, piece.key)
        assert not report.issues


# -- the dial ------------------------------------------------------------------------------------


@cache
def first_dial(fit: DesignParameters) -> DialReport:
    """The check of the first dial; printers with the same gaps share it."""
    return check_dial(*FIRST, fit)


@pytest.mark.parametrize("name", presets.names("printers"))
def test_dial_rests_clicks_and_bears_its_springs(name: str) -> None:
    report = first_dial(fit_of(presets.load_printer(name)))
    assert not list(report.issues())
    assert 0.1 < report.turn_mm < dial.BEHIND_MM
    assert 0.2 < report.push_mm < figures.GROOVE_MM


FAULTY = {
    "FDF430": DesignParameters(fit_mm=-0.2),
    "FDF435": DesignParameters(click_mm=0.0),
    "FDF439": DesignParameters(click_mm=0.6),
}


@pytest.mark.parametrize("code", FAULTY)
def test_dial_of_impossible_gaps_is_refused(code: str) -> None:
    found = {issue.code for issue in check_dial(*FIRST, FAULTY[code]).issues()}
    assert code in found


def test_dial_without_barbs_does_not_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dial, "CATCH_MM", -0.3)
    gaps = DesignParameters(fit_mm=0.221)
    assert "FDF432" in {issue.code for issue in check_dial(*FIRST, gaps).issues()}


def test_dial_is_proved_for_every_figure_and_stand() -> None:
    proved = list(dials(CATALOGUE, CATALOGUE.pieces.values()))
    for place, family in enumerate(("unit", "stand", "wheel")):
        assert {parts[place] for parts in proved} == set(CATALOGUE.family(family))
    assert [unit.key for unit, _, _ in dials(CATALOGUE, [UNITS["bard"]])] == ["unit-bard"]
    assert list(dials(CATALOGUE, [FIRST[2]])) == [FIRST]
    assert not list(dials(CATALOGUE, [CATALOGUE["chest"]]))


# -- the tray ------------------------------------------------------------------------------------


def test_each_dial_of_a_game_has_a_socket_in_which_it_turns() -> None:
    """The dial touches no wall at any place, and would touch the floor a little lower."""
    kit, things = presets.load_kit(), presets.load_things()
    teams = read_teams({"red": (ALL,), "blue": (ALL,)}, kit)
    needed = pieces_of_game(teams, board_of("duel"), kit, things)
    assert len(handling_tools.sockets()) >= needed["health-wheel"]
    fit = fit_of(presets.load_printer("a1-mini"))
    tray, wheel = (own_solid(CATALOGUE[key], fit) for key in ("figure-tray", "health-wheel"))
    for x, y in handling_tools.sockets():
        inside = translate(wheel, x, y, handling_tools.FLOOR_MM)
        assert overlap_mm3(tray, inside) < 0.01
        assert overlap_mm3(tray, translate(inside, z_mm=-0.1)) > 1
    assert dial.TOP_MM < handling_tools.DEEP_MM


def test_figures_in_the_tray_do_not_touch_each_other() -> None:
    """A dial may lie at any side of its socket, its figure turned to any side."""
    farthest = max(
        math.hypot(x, dial.THICK_MM / 2 + figures.RAISED_MM)
        for piece in UNITS.values()
        for x in figures.silhouette(piece).bounds[::2]
    )
    aside = handling_tools.SOCKET_MM - dial.RADIUS_MM
    apart = min(math.dist(a, b) for a, b in combinations(handling_tools.sockets(), 2))
    assert apart > 2 * (farthest + aside)


@pytest.mark.parametrize("name", presets.names("printers"))
def test_tray_is_printed_without_supports_on_every_bed(name: str) -> None:
    printer, piece = presets.load_printer(name), CATALOGUE["figure-tray"]
    assert not check_printability(stl_bytes(build(piece, printer)), printer, piece.key).issues
    made = assemble_parts({piece.key: 1}, {piece.key: piece}, printer)
    assert len(made.plates) == 1


@pytest.mark.parametrize("key", ["lifter", "figure-tray", "unit-knight", "stand-moon-caster"])
def test_no_face_on_the_bed_looks_up(key: str) -> None:
    """An outline that crosses itself is closed by faces of both directions, which hide its gaps."""
    mesh = build(CATALOGUE[key], presets.load_printer("a1-mini"))
    corners = mesh.vertices[mesh.faces].astype(float)
    flat = corners[(corners[:, :, 2] < 1e-4).all(axis=1)][:, :, :2]
    one, two = flat[:, 1] - flat[:, 0], flat[:, 2] - flat[:, 0]
    seen = one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0]
    assert len(seen) and (seen < 1e-3).all()


# -- told apart at the table ---------------------------------------------------------------------


def seen(piece: Piece, turn_deg: float) -> NDArray[np.bool_]:
    """A standing figure as far away as 60 pixels make its tallest fellow."""
    scale = SEEN_PX / TALLEST_MM
    across = math.cos(math.radians(turn_deg))
    thick = abs(math.sin(math.radians(turn_deg))) * dial.THICK_MM * scale
    picture = Image.new("1", (SEEN_PX, SEEN_PX))
    draw = ImageDraw.Draw(picture)
    outline = figures.silhouette(piece)
    for ring, ink in [(outline.exterior, 1), *((hole, 0) for hole in outline.interiors)]:
        for shift in (-thick / 2, 0.0, thick / 2) if ink else (0.0,):
            points = [
                (SEEN_PX / 2 + x * across * scale + shift, SEEN_PX - y * scale)
                for x, y in ring.coords
            ]
            draw.polygon(points, fill=ink)
    return np.array(picture, dtype=bool)


@cache
def drawn_outline(piece: Piece, width_px: int, mirrored: bool) -> NDArray[np.bool_]:
    """The outline of the card, as narrow as the figure is seen."""
    front = seen(piece, 180.0 if mirrored else 0.0)
    columns = np.flatnonzero(front.any(axis=0))
    cut = Image.fromarray(front[:, columns[0] : columns[-1] + 1])
    return np.array(cut.resize((width_px, SEEN_PX)), dtype=bool)


def nearest(view: NDArray[np.bool_], known: Mapping[str, Piece]) -> str:
    columns = np.flatnonzero(view.any(axis=0))
    cut = view[:, columns[0] : columns[-1] + 1]

    def likeness(card: str) -> float:
        outlines = (drawn_outline(known[card], cut.shape[1], side) for side in (False, True))
        return max(float((cut & one).sum() / (cut | one).sum()) for one in outlines)

    return max(known, key=likeness)


def views(known: Mapping[str, Piece]) -> Iterator[tuple[bool, bool]]:
    """Of each figure from eight directions: seen edge-on, and recognised."""
    for card, piece in known.items():
        for turn in range(8):
            angle = 45.0 * turn + OFF_DEG
            edge_on = abs(math.cos(math.radians(angle))) < EDGE_ON
            yield edge_on, nearest(seen(piece, angle), known) == card


def shares(known: Mapping[str, Piece]) -> tuple[float, float]:
    """The share that is recognised of views from the side and of edge-on views."""
    found = list(views(known))
    return tuple(  # type: ignore[return-value]
        float(np.mean([right for edge, right in found if edge is kind])) for kind in (False, True)
    )


def test_figures_are_told_apart_from_all_sides_but_edge_on() -> None:
    told, edge = shares(UNITS)
    assert told >= TOLD_APART
    assert edge >= EDGE_TOLD


def test_figures_that_look_alike_are_noticed() -> None:
    body = UNITS["archer"]["body"]
    doubles = {
        card: replace(
            piece,
            key=card,
            params=tuple((k, body if k == "body" and n % 3 else v) for k, v in piece.params),
        )
        for n, (card, piece) in enumerate(UNITS.items())
    }
    assert shares(doubles)[0] < TOLD_APART

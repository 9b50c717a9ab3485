"""Printability proof: each kind of fault, made on purpose, is found; every piece passes."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
import shapely

from falldamage_forge import presets
from falldamage_forge.geometry.connector_standard import STANDARD
from falldamage_forge.geometry.csg import Solid, hull, subtract, to_mesh, union
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.loft import RELIEF, extrude, prism
from falldamage_forge.geometry.piece_mesh import build
from falldamage_forge.geometry.printability import PrintabilityReport, check_printability
from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.printing.printer import Printer
from tests.amount import EXHAUSTIVE, some

from .conftest import stl_bytes

CATALOGUE = presets.load_catalogue()
STYLES = presets.names("styles")


def box(x: float, y: float, z: float, right: float, back: float, top: float) -> Solid:
    """A box; one that lies on the bed has its relief."""
    low = RELIEF if z == 0 else None
    return prism(shapely.box(x, y, right, back), z, top, low=low)


def proof(parts: Sequence[Solid], printer: Printer) -> PrintabilityReport:
    return check_printability(stl_bytes(to_mesh(union(parts))), printer, "it", 0.2)


def codes(parts: Sequence[Solid], printer: Printer) -> set[str]:
    return {issue.code for issue in proof(parts, printer).issues}


FOOT = box(0, 0, 0, 30, 30, 2)


@pytest.fixture(scope="module")
def printer() -> Printer:
    """An A1 mini that prints layers of 0.2 mm, so that places below are round numbers."""
    usual = presets.load_printer("a1-mini")
    terrain = replace(usual.process.terrain, layer_mm=0.2)
    return replace(usual, process=replace(usual.process, terrain=terrain))


def test_a_plain_box_passes(printer: Printer) -> None:
    found = proof([box(0, 0, 0, 20, 20, 20)], printer)
    assert not found.issues
    assert found.layers == 100
    assert found.balance_mm == pytest.approx(9.7, abs=0.02)
    assert (found.bridge_mm, found.cantilever_mm, found.islands) == (0, 0, 0)


def test_an_island_is_found_at_its_place(printer: Printer) -> None:
    """A drop hangs from a bridge and begins below it."""
    posts = [box(0, 0, 0, 4, 8, 20), box(12, 0, 0, 16, 8, 20)]
    drop = box(7, 3, 10, 9, 5, 20)
    found = proof([*posts, box(0, 0, 19, 16, 8, 21), drop], printer)
    (fault,) = (fault for fault in found.faults if fault.code == "FDF420")
    assert fault.place == pytest.approx((8, 4, 10), abs=0.5)
    assert found.islands == 1
    (issue,) = (issue for issue in found.issues if issue.code == "FDF420")
    assert "(8.0, 4.0, 10.0)" in issue.message


@pytest.mark.parametrize("angle", [0, 20, 45])
def test_a_cantilever_is_found_in_any_direction(angle: float, printer: Printer) -> None:
    arm = box(0, 12, 15, 27, 18, 18)
    solid = union([FOOT, box(0, 12, 0, 8, 18, 18), arm]).rotate((0, 0, angle))
    found = proof([solid], printer)
    assert {issue.code for issue in found.issues} == {"FDF421"}
    assert found.cantilever_mm == pytest.approx(19, abs=0.3)


@pytest.mark.parametrize("angle", [0, 20, 45])
def test_a_bridge_is_measured_in_any_direction(angle: float, printer: Printer) -> None:
    def over(span: float) -> PrintabilityReport:
        posts = [box(0, 0, 0, 6, 10, 20), box(6 + span, 0, 0, 12 + span, 10, 20)]
        whole = union([*posts, box(0, 0, 18, 12 + span, 10, 21)])
        return proof([whole.rotate((0, 0, angle))], printer)

    assert not over(11.5).issues
    assert over(11.5).bridge_mm == pytest.approx(11.5, abs=0.6)
    assert {issue.code for issue in over(14).issues} == {"FDF422"}


def test_slopes_pass_from_fifty_degrees(printer: Printer) -> None:
    def leaning(run: float) -> set[str]:
        mushroom = hull(
            [
                (x * half, y * half, z)
                for half, z in ((3, 5), (3 + run, 15))
                for x in (-1, 1)
                for y in (-1, 1)
            ]
        )
        return codes([box(-8, -8, 0, 8, 8, 2), box(-3, -3, 0, 3, 3, 6), mushroom], printer)

    assert leaning(8.0) == set()  # 51 degrees from level
    # A gentler one juts out less than a line a layer: it droops no more than a cantilever may.
    assert leaning(60.0) == {"FDF421"}


def test_a_wall_of_one_line_is_found(printer: Printer) -> None:
    thin, good = (box(5, 5, 1, 5 + width, 25, 12) for width in (0.5, 0.84))
    assert codes([FOOT, good], printer) == set()
    found = proof([FOOT, thin], printer)
    assert {issue.code for issue in found.issues} == {"FDF423"}
    assert found.faults[0].place[0] == pytest.approx(5.25, abs=0.1)
    assert found.faults[0].place[2] > 2


def test_a_pin_of_one_line_is_found(printer: Printer) -> None:
    assert codes([FOOT, box(5, 5, 1, 5.5, 5.5, 12)], printer) == {"FDF423"}


def test_a_narrow_slit_in_the_face_is_found(printer: Printer) -> None:
    def slit(width: float) -> set[str]:
        return codes(
            [subtract(FOOT, [extrude(shapely.box(5, 5, 5 + width, 25), -1, 0.6)])], printer
        )

    assert slit(0.3) == {"FDF424"}
    assert slit(0.6) == set()


def test_part_that_topples_gives_issue(printer: Printer) -> None:
    """A leaning tower whose slope prints well and whose mass is beside its foot."""

    def tower(lean: float) -> set[str]:
        points = [
            (x + shift, y, z) for shift, z in ((0, 1), (lean, 40)) for x in (0, 10) for y in (0, 10)
        ]
        return codes([box(0, 0, 0, 10, 10, 2), hull(points)], printer)

    assert tower(4) == set()
    assert tower(20) == {"FDF425"}


def test_edges_without_relief_are_found(printer: Printer) -> None:
    bare = extrude(shapely.box(0, 0, 20, 20), 0, 5)
    assert codes([bare], printer) == {"FDF426"}
    assert codes([box(0, 0, 0, 20, 20, 5)], printer) == set()
    # What is too slim to be drawn in is let be: a bridge's blades, a leg's flanges.
    blade = extrude(shapely.box(19, 9, 24, 9.9), 0, 5)
    assert codes([box(0, 0, 0, 20, 20, 5), blade], printer) == set()


def test_report_includes_invalid_and_oversized_parts(printer: Printer) -> None:
    assert codes([FOOT, box(40, 0, 0, 50, 10, 5)], printer) == {"FDF415"}
    assert codes([box(0, 0, 0, 179, 10, 2)], printer) == {"FDF417"}


def test_many_places_of_one_problem_are_summarised(printer: Printer) -> None:
    pins = [box(3 * k + 1, 5, 1, 3 * k + 1.5, 20, 9) for k in range(9)]
    found = proof([FOOT, *pins], printer)
    assert len(found.issues) == 6
    assert "4 more times" in found.issues[-1].message


def test_the_standard_holds_its_own_rules() -> None:
    assert STANDARD.slope_deg > 50
    least_mm, usual_mm = 0.85 * 0.4, 0.42  # of a line, by slicers' settings for a nozzle of 0.4
    assert 2 * least_mm < DesignParameters().wall_mm <= 2 * usual_mm


STYLED = ("quadrant", "block-l-1", "step", "bridge-2", "spire", "battlement")
"""A piece of each kind that a style changes; all others are the same in every style."""


def _some(style: str) -> tuple[str, ...]:
    """Two of each builder in the plain style, in others those it changes, and one base."""
    if EXHAUSTIVE:
        return tuple(CATALOGUE.pieces)
    if style == "plain":
        builders = sorted({piece.builder for piece in CATALOGUE.pieces.values()})
        return tuple(key for builder in builders for key in some(_built_by(builder), 2))
    return STYLED if style == "stone" else STYLED[1:]


def _built_by(builder: str) -> list[str]:
    return [key for key, piece in CATALOGUE.pieces.items() if piece.builder == builder]


def test_a_style_changes_no_other_kind_of_piece(catalogue: Catalogue, printer: Printer) -> None:
    kinds = {catalogue[key].builder for key in STYLED} | {"arch-bridge", "ladder"}
    stone = presets.load_style("stone")
    for family in catalogue.families.values():
        if family[0].builder not in kinds:
            plain, styled = build(family[0], printer), build(family[0], printer, stone)
            assert plain.vertices.tobytes() == styled.vertices.tobytes()


@pytest.mark.parametrize(
    ("style", "key"), [(style, key) for style in STYLES for key in _some(style)]
)
def test_every_piece_prints_in_every_style(style: str, key: str, catalogue: Catalogue) -> None:
    printer = presets.load_printer("a1-mini")
    mesh = build(catalogue[key], printer, presets.load_style(style))
    layer_mm = printer.process.way(catalogue[key].group).layer_mm
    assert not check_printability(stl_bytes(mesh), printer, key, layer_mm).issues

"""The coupon tries the very connectors that are printed, and its answer comes back."""

from itertools import pairwise
from pathlib import Path

import pytest
import shapely
from manifold3d import Manifold
from manifold3d import Mesh as Triangles

from falldamage_forge import presets
from falldamage_forge.geometry.baseplate import tie_gap_mm
from falldamage_forge.geometry.bridges import BLADE
from falldamage_forge.geometry.connector_standard import heads, places
from falldamage_forge.geometry.csg import Solid, section
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.fit_coupon import (
    BLADE_STEPS_MM,
    CLICK_STEPS_MM,
    FIT_STEPS_MM,
    FRAME_MM,
    TIE_STEPS_MM,
    TOUCH_MM,
    coupon,
    label,
    tried_mm,
)
from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.geometry.piece_mesh import fit_of, own_solid
from falldamage_forge.geometry.printability import check_printability
from falldamage_forge.lengths import GAPS_MM
from falldamage_forge.maps.resolve import resolve_printer
from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.printing.printer import Printer
from tests.cli.running import tree, typed

from .conftest import stl_bytes
from .slicing import WITH_SUPPORTS, needs_slicer, slice_mesh

PARTS = coupon(DesignParameters())
STEPS = {
    "fit": FIT_STEPS_MM,
    "click": CLICK_STEPS_MM,
    "blades": BLADE_STEPS_MM,
    "tie": TIE_STEPS_MM,
}


def standing(mesh: Mesh) -> Solid:
    """A coupon's part turned over, as it is used: its top at z = 0."""
    raw = Triangles(mesh.vertices.astype("f4").copy(), mesh.faces.astype("u4").copy())
    return Manifold(raw).rotate((180, 0, 0))


def seen_at(name: str, z_mm: float) -> shapely.Geometry:
    """The section of a part at a height below its top, round the middle of its outline."""
    shape = section(standing(PARTS[name]), z_mm)
    left, low, right, high = shapely.bounds(shape)
    return shapely.affinity.translate(shape, -(left + right) / 2, -(low + high) / 2)


@pytest.mark.parametrize("name", list(PARTS))
def test_coupon_parts_are_printable(name: str, printer: Printer) -> None:
    assert not check_printability(stl_bytes(PARTS[name]), printer, name).issues


def test_coupon_has_labelled_part_for_each_step() -> None:
    for kind, steps in STEPS.items():
        names = [f"coupon-{kind}-{label(step)}" for step in steps]
        faces = {
            shapely.normalize(shapely.set_precision(seen_at(n, -0.2), 0.01)).wkb for n in names
        }
        assert len(faces) == len(steps), "two parts carry the same sign"


@pytest.mark.parametrize("kind", STEPS)
def test_middle_answer_is_the_standard_and_its_part_just_goes_together(kind: str) -> None:
    fit, steps = DesignParameters(), STEPS[kind]
    gaps = {
        "fit": fit.fit_mm,
        "click": fit.click_mm,
        "blades": BLADE.gap_mm(fit),
        "tie": tie_gap_mm(fit),
    }
    assert steps[len(steps) // 2] == pytest.approx(gaps[kind])
    tried = [tried_mm(step, steps) for step in steps]
    # Half a step to either side of it leads to the same answer.
    between = {round(b - a, 4) for a, b in pairwise(tried)}
    assert between == {2 * TOUCH_MM}
    assert tried[0] < -0.05 and tried[-1] > 0.1
    low, high = GAPS_MM[f"{kind.removesuffix('s')}_mm"]
    assert low <= steps[0] and steps[-1] <= high


@pytest.mark.parametrize("fit_mm", GAPS_MM["fit_mm"])
def test_gaps_that_follow_the_fit_stay_in_their_ranges(fit_mm: float) -> None:
    fit = DesignParameters(fit_mm)
    for key, gap_mm in (("blade_mm", BLADE.gap_mm(fit)), ("tie_mm", tie_gap_mm(fit))):
        low, high = GAPS_MM[key]
        assert low - 1e-9 <= gap_mm <= high + 1e-9, key


@pytest.mark.parametrize("step", TIE_STEPS_MM)
def test_ties_differ_by_their_answers(step: float) -> None:
    sizes = [PARTS[f"coupon-tie-{label(one)}"].bounds_mm() for one in (TIE_STEPS_MM[0], step)]
    widths = [high[0] - low[0] for low, high in sizes]
    assert widths[0] - widths[1] == pytest.approx(2 * (step - TIE_STEPS_MM[0]), abs=2e-3)


@pytest.mark.parametrize("step", FIT_STEPS_MM)
def test_coupon_frame_has_gap_of_its_answer(step: float) -> None:
    shape = seen_at(f"coupon-fit-{label(step)}", -FRAME_MM - 0.6)
    (ring,) = shapely.get_parts(shape)
    left, _, right, _ = shapely.Polygon(ring.interiors[0]).bounds
    gap = (right - left) / 2 - heads(DesignParameters()).face_mm
    assert gap == pytest.approx(tried_mm(step, FIT_STEPS_MM), abs=2e-3)


@pytest.mark.parametrize("step", CLICK_STEPS_MM)
def test_coupon_block_has_click_of_its_answer(step: float) -> None:
    top = places(DesignParameters()).step_mm
    low, high = (seen_at(f"coupon-click-{label(step)}", -top - depth) for depth in (1.1, 0.3))
    strip = shapely.box(-20, -2, 20, 2)
    cuts = [shapely.get_coordinates(shapely.intersection(one, strip)) for one in (low, high)]
    reach = [abs(points[:, 0]).min() for points in cuts]
    click = heads(DesignParameters()).face_mm - reach[0]
    assert click == pytest.approx(tried_mm(step, CLICK_STEPS_MM), abs=2e-3)
    assert reach[1] == pytest.approx(heads(DesignParameters()).skirt_mm, abs=2e-3)


def test_the_stone_and_the_blades_are_those_of_the_pieces(catalogue: Catalogue) -> None:
    stone = standing(PARTS["coupon-stone"])
    bridge = own_solid(catalogue["bridge-1"], DesignParameters())
    ours = stone.translate((-stone.bounding_box()[0] - 14.9, -stone.bounding_box()[1] - 14.9, 0))
    hung = bridge.translate((0, 15, 0)).rotate((0, 0, 90)).translate((0, 15, 0))
    assert (ours ^ hung).volume() == pytest.approx(0, abs=0.02)
    assert (ours ^ hung.translate((0, 0, -0.2))).volume() > 0.04
    handle = section(standing(PARTS["coupon-blades-0.24"]), -0.4)
    bulbs = shapely.intersection(
        handle, shapely.box(-9, handle.bounds[1], 9, handle.bounds[1] + 0.7)
    )
    assert len(shapely.get_parts(bulbs)) == 2


def test_the_command_writes_a_plate_that_repeats(tmp_path: Path) -> None:
    for name in ("one", "two"):
        assert typed("coupon", "-o", tmp_path / name).returncode == 0
    one, two = tree(tmp_path / "one"), tree(tmp_path / "two")
    assert one == two
    assert {"coupon.stl", "coupon.txt", "manifest.json"} < set(one)
    assert len([path for path in one if path.startswith("parts/")]) == len(PARTS)
    assert "fdforge coupon --set" in one["coupon.txt"].decode()


def test_coupon_answer_becomes_printer(tmp_path: Path, catalogue: Catalogue) -> None:
    own = tmp_path / "my-printer.toml"
    run = typed("coupon", "--set", "0.20", "--printer", "a1-mini", "-o", own)
    assert run.returncode == 0, run.stderr
    printer, stock = resolve_printer(str(own)), presets.load_printer("a1-mini")
    assert (printer.fit_mm, printer.seam_mm) == (0.20, 0.18)
    assert (printer.blade_mm, printer.tie_mm) == (None, None)
    assert printer.settings == "a1-mini"
    assert (printer.bed_mm, printer.margin_mm) == (stock.bed_mm, stock.margin_mm)
    assert printer.click_mm == stock.click_mm
    whole = own_solid(catalogue["block-1x1x1"], fit_of(printer))
    left, _, right, _ = section(whole, 29.4).bounds
    assert right - left == pytest.approx(2 * heads(fit_of(printer)).face_mm, abs=1e-3)
    again = tmp_path / "again.toml"
    run = typed(
        "coupon", "--set", "0.1", "--seam", "0.3", "--click", "0.25", "--blade", "0.25",
        "--tie", "0.21", "--printer", own, "-o", again,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    printer = resolve_printer(str(again))
    assert (printer.fit_mm, printer.seam_mm, printer.settings) == (0.1, 0.3, "a1-mini")
    assert printer.click_mm == 0.25
    fit = fit_of(printer)
    assert (BLADE.gap_mm(fit), tie_gap_mm(fit)) == (0.25, 0.21)
    assert again.read_text("utf-8").count("fit_mm") == 1


def test_wrong_answers_are_refused_and_nothing_is_written(tmp_path: Path) -> None:
    own = tmp_path / "mine.toml"
    run = typed("coupon", "--set", "2", "-o", own)
    assert run.returncode == 1
    assert "`fit_mm` should be from" in run.stderr
    assert not own.exists()
    assert typed("coupon", "--set", "0.2", "-o", tmp_path / "mine").returncode == 1
    for option in ("--seam", "--blade", "--tie", "--click"):
        assert typed("coupon", option, "0.2").returncode == 2
    for gaps, refused in (
        (("--set", "0.2", "--blade", "0.37"), "`blade_mm` should be from 0.12 to 0.36 mm"),
        (("--set", "0.35"), "`fit_mm` should be from 0.1 to 0.34 mm"),
    ):
        run = typed("coupon", *gaps, "-o", own)
        assert run.returncode == 1
        assert refused in run.stderr
        assert "lower the filament's flow" in run.stderr
        assert not own.exists()
    assert typed("coupon", "--printer", "a1-maxi", "-o", tmp_path / "c").returncode == 1


@needs_slicer
@pytest.mark.slicer
def test_coupon_slices_without_supports(printer: Printer, tmp_path: Path) -> None:
    from .slicing import plate_of

    sliced = slice_mesh(plate_of(list(PARTS.values()), 170), tmp_path, "terrain", WITH_SUPPORTS)
    assert not sliced.supported
    assert sliced.inside(printer)
    assert sliced.grams < 35

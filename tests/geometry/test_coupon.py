"""The coupon tries the very connectors that are printed, and its answer comes back."""

from pathlib import Path

import pytest
import shapely
from manifold3d import Manifold
from manifold3d import Mesh as Triangles

from falldamage_forge import presets
from falldamage_forge.cli.common import printer_called
from falldamage_forge.geometry import Mesh
from falldamage_forge.geometry.build import build_solid, fit_of, own_solid
from falldamage_forge.geometry.connectors import STANDARD, seam_knob
from falldamage_forge.geometry.coupon import FIT_STEPS_MM, SEAM_STEPS_MM, coupon, label
from falldamage_forge.geometry.fits import Fit
from falldamage_forge.geometry.proof import prove_print
from falldamage_forge.geometry.solids import Solid, section
from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.printing.printer import Printer
from tests.cli.running import fdforge, tree

from .conftest import stl_bytes
from .slicing import WITH_SUPPORTS, needs_slicer, slice_mesh

PARTS = coupon(Fit())


def standing(mesh: Mesh) -> Solid:
    """A coupon's part turned over, as it is used: its top at z = 0."""
    raw = Triangles(mesh.vertices.astype("f4").copy(), mesh.faces.astype("u4").copy())
    return Manifold(raw).rotate((180, 0, 0))


def centred(shape: shapely.Geometry) -> shapely.Geometry:
    left, low, right, high = shapely.bounds(shape)
    return shapely.affinity.translate(shape, -(left + right) / 2, -(low + high) / 2)


@pytest.mark.parametrize("name", list(PARTS))
def test_every_part_of_it_prints(name: str, printer: Printer) -> None:
    assert not prove_print(stl_bytes(PARTS[name]), printer, name).issues


def test_it_has_a_part_for_every_step_and_each_says_which() -> None:
    assert {f"coupon-peg-{label(step)}" for step in FIT_STEPS_MM} < set(PARTS)
    marks = set()
    for step in FIT_STEPS_MM:
        face = section(standing(PARTS[f"coupon-peg-{label(step)}"]), -0.2)
        marks.add(shapely.normalize(shapely.set_precision(face, 0.01)).wkb)
    assert len(marks) == len(FIT_STEPS_MM), "two pegs carry the same sign"


@pytest.mark.parametrize("step", FIT_STEPS_MM)
def test_a_peg_is_that_of_a_block_of_this_fit(step: float, catalogue: Catalogue) -> None:
    block = own_solid(catalogue["block-1x1x1"], Fit(step))
    ours = standing(PARTS[f"coupon-peg-{label(step)}"])
    for depth in (0.5, 2.0, 3.4):
        wanted = centred(section(block, -depth))
        found = centred(section(ours, -STANDARD.topper_mm - depth))
        assert shapely.symmetric_difference(wanted, found).area < 0.01
        low, _, high, _ = shapely.bounds(section(ours, -STANDARD.topper_mm - 2.0))
        assert STANDARD.socket_mm - (high - low) == pytest.approx(2 * step, abs=1e-3)


def test_the_socket_is_that_of_every_top(catalogue: Catalogue) -> None:
    ours = centred(section(standing(PARTS["coupon-socket"]), -2.0))
    (hole,) = [
        ring for ring in shapely.get_parts(ours)[0].interiors if shapely.Polygon(ring).area > 100
    ]
    left, low, right, high = hole.bounds
    assert (right - left, high - low) == pytest.approx((12.0, 12.0), abs=1e-3)
    block = build_solid(catalogue["block-1x1x1"], Fit())
    mouth = section(block, 0.01).interiors[0]
    top = section(standing(PARTS["coupon-socket"]), -0.01)
    assert any(
        shapely.Polygon(ring).area == pytest.approx(shapely.Polygon(mouth).area, abs=0.05)
        for ring in shapely.get_parts(top)[0].interiors
    )


def test_pockets_are_those_of_a_quadrant() -> None:
    bar = section(standing(PARTS["coupon-seams"]), -1.0)
    left, low, right, high = bar.bounds
    taken = shapely.difference(shapely.box(left, low, right, high), bar)
    pockets = sorted(shapely.get_parts(taken), key=lambda part: part.bounds[0])
    assert len(pockets) == len(SEAM_STEPS_MM)
    for step, pocket in zip(SEAM_STEPS_MM, pockets, strict=True):
        inside = shapely.intersection(seam_knob(step), shapely.box(-20, 0, 20, 20))
        assert pocket.area == pytest.approx(inside.area, abs=0.05)


def test_the_command_writes_a_plate_that_repeats(tmp_path: Path) -> None:
    for name in ("one", "two"):
        assert fdforge("coupon", "-o", tmp_path / name).returncode == 0
    one, two = tree(tmp_path / "one"), tree(tmp_path / "two")
    assert one == two
    assert {"coupon.stl", "coupon.txt", "manifest.json"} < set(one)
    assert len([path for path in one if path.startswith("parts/")]) == len(PARTS)
    assert "fdforge coupon --set" in one["coupon.txt"].decode()


def test_the_answer_comes_back_as_a_printer(tmp_path: Path, catalogue: Catalogue) -> None:
    own = tmp_path / "my-printer.toml"
    run = fdforge("coupon", "--set", "0.20", "--printer", "a1-mini", "-o", own)
    assert run.returncode == 0, run.stderr
    printer, stock = printer_called(str(own)), presets.load_printer("a1-mini")
    assert (printer.fit_mm, printer.seam_mm) == (0.20, 0.25)
    assert printer.settings == "a1-mini"
    assert (printer.bed_mm, printer.margin_mm) == (stock.bed_mm, stock.margin_mm)
    peg = section(own_solid(catalogue["block-1x1x1"], fit_of(printer)), -2.0)
    left, _, right, _ = peg.bounds
    assert right - left == pytest.approx(12 - 0.4, abs=1e-3)
    again = tmp_path / "again.toml"
    run = fdforge("coupon", "--set", "0.1", "--seam", "0.3", "--printer", own, "-o", again)
    assert run.returncode == 0, run.stderr
    printer = printer_called(str(again))
    assert (printer.fit_mm, printer.seam_mm, printer.settings) == (0.1, 0.3, "a1-mini")
    assert again.read_text("utf-8").count("fit_mm") == 1


def test_wrong_answers_are_refused_and_nothing_is_written(tmp_path: Path) -> None:
    own = tmp_path / "mine.toml"
    run = fdforge("coupon", "--set", "2", "-o", own)
    assert run.returncode == 1
    assert "`fit_mm` should be from" in run.stderr
    assert not own.exists()
    assert fdforge("coupon", "--set", "0.2", "-o", tmp_path / "mine").returncode == 1
    assert fdforge("coupon", "--seam", "0.2").returncode == 2
    assert fdforge("coupon", "--printer", "a1-maxi", "-o", tmp_path / "c").returncode == 1


@needs_slicer
@pytest.mark.slicer
def test_it_slices_without_supports(printer: Printer, tmp_path: Path) -> None:
    from .slicing import plate_of

    sliced = slice_mesh(plate_of(list(PARTS.values()), 170), tmp_path, "terrain", WITH_SUPPORTS)
    assert not sliced.supported
    assert sliced.inside(printer)
    assert sliced.grams < 20

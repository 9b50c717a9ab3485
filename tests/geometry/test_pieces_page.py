"""The page of pieces: its table, its pictures and its commands are what the forge does today.

Pictures are compared by their pixels; `fdforge gallery` draws them anew, then look at them.
"""

import io
import re

import pytest
from PIL import Image, ImageChops

from falldamage_forge import presets
from falldamage_forge.cli.commands.gallery import STYLES
from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.printing.printer import Printer
from falldamage_forge.render import contact_sheets
from tests.amount import EXHAUSTIVE
from tests.cli.running import ROOT

DOCS = ROOT / "docs"
PAGE = (DOCS / "pieces.md").read_text("utf-8")
LIMIT = 0.002
"""The share of pixels that may differ visibly, for other rounding of edges."""
DRAWN = contact_sheets.names() if EXHAUSTIVE else ("ways", "tokens", "coupon")


def difference(one: bytes, two: bytes) -> float:
    """The share of pixels of which a channel differs by more than a tenth; 1 for other sizes."""
    first, second = (Image.open(io.BytesIO(data)).convert("RGB") for data in (one, two))
    if first.size != second.size:
        return 1.0
    bands = ImageChops.difference(first, second).split()
    worst = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
    return sum(worst.histogram()[26:]) / (first.width * first.height)


def test_the_table_is_of_the_catalogue_as_it_is(catalogue: Catalogue, printer: Printer) -> None:
    """Any change of a mesh shows here first: sizes and volumes follow from it."""
    fresh = contact_sheets.with_table(PAGE, contact_sheets.table(catalogue, printer))
    assert fresh == PAGE, "run `fdforge gallery`"


def test_a_page_without_marks_is_refused() -> None:
    with pytest.raises(ValueError, match="marks"):
        contact_sheets.with_table("# Pieces\n", "")


def test_every_family_is_on_a_sheet_and_every_sheet_on_the_page(catalogue: Catalogue) -> None:
    shown = [family for families in contact_sheets.SHEETS.values() for family in families]
    assert sorted(shown) == sorted(catalogue.families)
    named = set(re.findall(r"pictures/pieces/([a-z]+)\.png", PAGE))
    assert named == set(contact_sheets.names())
    assert named == {path.stem for path in (DOCS / "pictures" / "pieces").glob("*")}
    assert set(STYLES) == set(presets.names("styles"))


@pytest.mark.parametrize("name", DRAWN)
def test_pictures_show_the_pieces_as_they_are(
    name: str, catalogue: Catalogue, printer: Printer
) -> None:
    styles = [presets.load_style(style) for style in STYLES]
    fresh = contact_sheets.picture(name, catalogue, printer, styles)
    kept = (DOCS / "pictures" / "pieces" / f"{name}.png").read_bytes()
    share = difference(kept, fresh)
    assert share <= LIMIT, f"{share:.2%} of the pixels differ; run `fdforge gallery` and look"


def test_the_comparison_can_fail() -> None:
    folder = DOCS / "pictures" / "pieces"
    one, two = ((folder / f"{name}.png").read_bytes() for name in ("tokens", "features"))
    assert difference(one, two) > LIMIT
    assert difference(one, one) == 0


def test_the_connector_numbers_on_the_page_are_the_standard() -> None:
    from falldamage_forge.geometry.connector_standard import STANDARD, heads, places
    from falldamage_forge.geometry.design_parameters import DesignParameters

    sizes = heads(DesignParameters())
    for words in (
        f"{sizes.face_mm:g} mm",
        f"{sizes.throat_mm:g} mm",
        f"skirt {STANDARD.skirt_mm:.2f} mm",
        f"{STANDARD.blade_mm:.2f} mm deep",
        f"{STANDARD.base_mm:.2f} mm high",
        f"skin of {STANDARD.base_skin_mm:.2f} mm",
        f"caps are {STANDARD.cap_mm:.2f} mm",
        f"step is {places(DesignParameters()).step_mm:.2f} mm",
    ):
        assert words in PAGE, words

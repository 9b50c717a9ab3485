"""QR codes, read by a scanner that is not ours (zxing)."""

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from falldamage_forge.render.qr_code import QUIET, qr_code
from falldamage_forge.render.svg import png

PIXELS = 4
"""Pixels of a module: of a large code on a phone's screen."""
LINK = st.text("abcXYZ0189-_", min_size=1, max_size=1_500)


def read(picture: bytes) -> list[str]:
    """What a scanner reads in a PNG."""
    zxingcpp = pytest.importorskip("zxingcpp")
    from PIL import Image

    image = Image.open(io.BytesIO(picture)).convert("RGBA")
    on_paper = Image.alpha_composite(Image.new("RGBA", image.size, "white"), image)
    found = zxingcpp.read_barcodes(on_paper.convert("L"))
    return [one.text for one in found]


@settings(max_examples=20)
@given(LINK)
def test_a_scanner_reads_the_text(word: str) -> None:
    text = f"https://example.org/forge/studio.html#map={word}"
    drawing = qr_code(text)
    assert read(png(drawing, scale=PIXELS)) == [text]
    inside = drawing.width - QUIET
    corners = [at for path in drawing.shapes[0].paths for point in path for at in point]
    assert min(corners) == QUIET
    assert max(corners) == inside


def test_a_text_that_no_code_holds_is_refused() -> None:
    qr_code("x" * 2_953, "l")
    with pytest.raises(ValueError, match="too large"):
        qr_code("x" * 2_954, "l")

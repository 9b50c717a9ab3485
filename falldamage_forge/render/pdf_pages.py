"""PDF pages with text, table lines and drawings; the same content gives the same bytes."""

from __future__ import annotations

import io
import unicodedata
from functools import cache, lru_cache
from typing import Any

from falldamage_forge.infra.visible_text import visible
from falldamage_forge.languages.translator import ENGLISH, Say
from falldamage_forge.render.display_list import Drawing, PaintedPath, Path
from falldamage_forge.render.palette import channels

SIZES_PT = {"a4": (595.28, 841.89), "letter": (612.0, 792.0)}
"""Width and height of a page in points."""
LEAST_PT = 4.0
"""Smallest font size of a text that is fitted."""
MARGIN_PT = 40.0
INK = "#2a2118"
FAINT = "#6f6556"


def printable(text: str) -> str:
    """Return the text in the characters of the PDF's built-in fonts; others become `?`."""
    known = unicodedata.normalize("NFC", visible(text)).encode("cp1252", "replace").decode("cp1252")
    return "".join(letter if letter.isprintable() else " " for letter in known)


class PdfPages:
    """Pages, drawn from the top: y runs down in points from the upper edge."""

    say: Say = str
    """Translates each text before it is measured or drawn."""
    language = ENGLISH
    """Language of the texts, which browsers read aloud and hyphenate."""

    def __init__(self, size: str, title: str, say: Say = str) -> None:
        from reportlab import rl_config
        from reportlab.pdfgen.canvas import Canvas

        # Bytes as they are: as letters they would be a quarter more, and slow to write.
        rl_config.useA85 = 0

        self.width_pt, self.height_pt = SIZES_PT[size]
        self._stream = io.BytesIO()
        self._canvas: Any = Canvas(
            self._stream, pagesize=SIZES_PT[size], invariant=1, pageCompression=1
        )
        self.say = say
        self._canvas.setTitle(printable(say(title)))
        self._canvas.setCreator("FallDamage Forge")
        self._outlines: dict[int, tuple[PaintedPath, str]] = {}
        self._images: dict[bytes, Any] = {}
        self.pages = 0

    def finish(self) -> bytes:
        """Return the PDF."""
        self._canvas.save()
        return self._stream.getvalue()

    def new_page(self, footer: str) -> None:
        """Begin a page with its number and `footer` at its lower edge."""
        self._begin()
        self.pages += 1
        y = self.height_pt - MARGIN_PT / 2
        self.text(footer, MARGIN_PT, y, 8, colour=FAINT)
        self.text(str(self.pages), self.width_pt - MARGIN_PT, y, 8, colour=FAINT, anchor=1.0)

    def _begin(self) -> None:
        if self.pages:
            self._canvas.showPage()

    def text(
        self,
        text: str,
        x: float,
        y: float,
        size: float,
        *,
        bold: bool = False,
        colour: str = INK,
        anchor: float = 0.0,
        verbatim: bool = False,
    ) -> None:
        """Draw a line of text, baseline at y; `anchor` 0 starts at x, 0.5 centres, 1 ends there.

        A `verbatim` text, such as a piece's key, is not translated.

        Args:
            text: Text in one line.
            x: Place to the right, in points.
            y: Baseline from above, in points.
            size: Size of the type, in points.
            bold: True for bold type.
            colour: Colour as `#rrggbb`.
            anchor: Share of the text to the left of x.
            verbatim: True for a text that is not translated.
        """
        words = printable(text if verbatim else self.say(text))
        self._canvas.setFillColorRGB(*_rgb(colour))
        self._canvas.setFont(_font(bold), size)
        left = x - anchor * self.width(text, size, bold=bold)
        self._canvas.drawString(left, self.height_pt - y, words)

    def width(self, text: str, size: float, *, bold: bool = False) -> float:
        """Return the width of a text in points.

        Args:
            text: Text in one line.
            size: Size of the type, in points.
            bold: True for bold type.
        """
        points: float = self._canvas.stringWidth(printable(self.say(text)), _font(bold), size)
        return points

    def fitted(self, text: str, size: float, width: float, *, bold: bool = False) -> float:
        """Return the largest font size, at most `size`, at which a text is no wider than `width`.

        A text is not made smaller than `LEAST_PT`, at which it is hard to read.
        """
        while size > LEAST_PT and self.width(text, size, bold=bold) > width:
            size -= 0.5
        return size

    def wrap(self, text: str, size: float, width: float, *, bold: bool = False) -> list[str]:
        """Return lines of words no wider than `width` points; a longer word stands alone.

        Args:
            text: Text of any length.
            size: Size of the type, in points.
            width: Greatest width of a line, in points.
            bold: True for bold type.
        """
        lines: list[str] = []
        for word in self.say(text).split():
            joined = f"{lines[-1]} {word}" if lines else word
            if lines and self.width(joined, size, bold=bold) <= width:
                lines[-1] = joined
            else:
                lines.append(word)
        return lines

    def line(self, x1: float, y1: float, x2: float, y2: float, colour: str = "#cbbfa6") -> None:
        """Draw a hairline.

        Args:
            x1: Place of the first end to the right, in points.
            y1: Place of the first end from above, in points.
            x2: Place of the second end to the right, in points.
            y2: Place of the second end from above, in points.
            colour: Colour as `#rrggbb`.
        """
        self._canvas.setStrokeColorRGB(*_rgb(colour))
        self._canvas.setStrokeAlpha(1)
        self._canvas.setDash()
        self._canvas.setLineWidth(0.6)
        self._canvas.line(x1, self.height_pt - y1, x2, self.height_pt - y2)

    def box(self, x: float, y: float, width: float, height: float, *, dash: bool = False) -> None:
        """Draw an empty frame; dashed if it is a cut line.

        Args:
            x: Left edge, in points.
            y: Upper edge, in points.
            width: Width in points.
            height: Height in points.
            dash: True for a cut line.
        """
        self._canvas.setStrokeColorRGB(*_rgb(FAINT))
        self._canvas.setStrokeAlpha(1)
        self._canvas.setDash([4, 3] if dash else [])
        self._canvas.setLineWidth(0.8)
        self._canvas.rect(x, self.height_pt - y - height, width, height)

    def fill(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        """Draw a filled rectangle.

        Args:
            x: Left edge, in points.
            y: Upper edge, in points.
            width: Width in points.
            height: Height in points.
            colour: Colour as `#rrggbb`.
        """
        self._canvas.setFillColorRGB(*_rgb(colour))
        self._canvas.setFillAlpha(1)
        self._canvas.rect(x, self.height_pt - y - height, width, height, stroke=0, fill=1)

    def image(self, png: bytes, x: float, y: float, width: float, height: float) -> None:
        """Draw a PNG or JPEG in a rectangle.

        Args:
            png: Bytes of the picture.
            x: Left edge, in points.
            y: Upper edge, in points.
            width: Width in points.
            height: Height in points.
        """
        from reportlab.lib.utils import ImageReader

        if png not in self._images:  # a picture of many steps is decoded once
            self._images[png] = ImageReader(io.BytesIO(png))
        at = self.height_pt - y - height
        self._canvas.drawImage(self._images[png], x, at, width, height, mask="auto")

    def photo(self, data: bytes, x: float, y: float, width: float, height: float) -> float:
        """Draw a PNG or JPEG as large as fits a rectangle, centred; return its height.

        Args:
            data: Bytes of the picture.
            x: Left edge, in points.
            y: Upper edge, in points.
            width: Width in points.
            height: Height in points.
        """
        from PIL import Image

        wide, high = Image.open(io.BytesIO(data)).size
        scale = min(width / wide, height / high)
        left = x + (width - wide * scale) / 2
        self.image(data, left, y, wide * scale, high * scale)
        return high * scale

    def drawing(self, drawing: Drawing, x: float, y: float, width: float, height: float) -> float:
        """Draw a drawing as large as fits a rectangle, centred; return its height.

        Args:
            drawing: Shapes with their size.
            x: Left edge, in points.
            y: Upper edge, in points.
            width: Width in points.
            height: Height in points.
        """
        scale = min(width / drawing.width, height / drawing.height)
        left = x + (width - drawing.width * scale) / 2
        self._canvas.saveState()
        self._canvas.transform(scale, 0, 0, -scale, left, self.height_pt - y)
        self._canvas.setLineJoin(1)
        self._canvas.setLineCap(1)
        looks: tuple[str, str] | None = None
        alphas: dict[bool, float] = {}
        for shape in drawing.shapes:
            for stroked, colour in ((False, shape.fill), (True, shape.stroke)):
                if colour and alphas.get(stroked) != shape.opacity:
                    alphas[stroked] = shape.opacity
                    self._alpha(shape.opacity, stroked=stroked)
            if (look := _look(shape.fill, shape.stroke, shape.width, shape.dash)) != looks:
                looks = look  # neighbours mostly have one look
                self._canvas.addLiteral(look[0])
            self._canvas.addLiteral(f"{self._outline(shape)} {look[1]}")
        self._canvas.restoreState()
        return drawing.height * scale

    def _outline(self, shape: PaintedPath) -> str:
        """Return the operators of a shape's paths; pictures of a series share shapes."""
        known = self._outlines.get(id(shape))
        if known is None:
            text = " ".join([_path(points, shape.closed) for points in shape.paths])
            known = self._outlines[id(shape)] = (shape, text)
        return known[1]

    def _alpha(self, opacity: float, *, stroked: bool) -> None:
        (self._canvas.setStrokeAlpha if stroked else self._canvas.setFillAlpha)(opacity)


@lru_cache(maxsize=1024)
def _look(fill: str | None, stroke: str | None, width: float, dash: float) -> tuple[str, str]:
    """Return the PDF operators of a look, and the one that paints a path so.

    Source: ISO 32000-1, 8.4.4 and 8.5.3. reportlab's own setters take longer than the rest of a
    drawing of thousands of shapes.
    """
    words = []
    if fill:
        words.append("{:.3f} {:.3f} {:.3f} rg".format(*_rgb(fill)))
    if stroke:
        words.append("{:.3f} {:.3f} {:.3f} RG".format(*_rgb(stroke)))
        words.append(f"{width:.3f} w [{f'{dash:.3f}' if dash else ''}] 0 d")
    return " ".join(words), "B*" if fill and stroke else "f*" if fill else "S" if stroke else "n"


def _path(points: Path, closed: bool) -> str:
    """Return the PDF operators of a path: move, line and close."""
    text = " l ".join([f"{x:.1f} {y:.1f}" for x, y in points])
    if " l " not in text:
        return f"{text} m{' h' if closed else ''}" if text else ""
    return f"{text.replace(' l ', ' m ', 1)} l{' h' if closed else ''}"


@cache
def _rgb(colour: str) -> tuple[float, float, float]:
    red, green, blue = channels(colour)
    return red / 255, green / 255, blue / 255


def _font(bold: bool) -> str:
    return "Helvetica-Bold" if bold else "Helvetica"

"""Pages of `pdf_pages` as one HTML file for printing from a browser; needs no library."""

from __future__ import annotations

import base64

from falldamage_forge.infra.visible_text import escape
from falldamage_forge.render.display_list import Drawing
from falldamage_forge.render.pdf_pages import FAINT, INK, SIZES_PT, PdfPages
from falldamage_forge.render.svg import svg

WIDE = {"normal": 0.53, "bold": 0.57}
"""Approximate width of a Helvetica letter per size; browsers have other fonts."""


class HtmlPages(PdfPages):
    """Pages as SVG, drawn from the top, in points."""

    def __init__(self, size: str, title: str) -> None:
        self.width_pt, self.height_pt = SIZES_PT[size]
        self._title = title
        self._sheets: list[list[str]] = []
        self.pages = 0

    def finish(self) -> bytes:
        """Return the HTML."""
        wide, high = self.width_pt, self.height_pt
        style = (
            f"@page{{size:{wide}pt {high}pt;margin:0}}body{{margin:0;background:#ddd}}"
            f"svg.sheet{{display:block;width:{wide}pt;height:{high}pt;margin:0 auto;"
            "background:#fff;font-family:Helvetica,Arial,sans-serif;break-after:page}"
            "@media screen{svg.sheet{max-width:100%;height:auto;margin-bottom:12px}}"
            "h1{position:absolute;clip-path:inset(50%)}"
        )
        sheets = [
            f'<svg class="sheet" viewBox="0 0 {wide} {high}" xmlns="http://www.w3.org/2000/svg">'
            + "\n".join(parts)
            + "</svg>"
            for parts in self._sheets
        ]
        head = (
            f'<!doctype html>\n<html lang="{self.language}"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            '<link rel="icon" href="data:,">'
            f"<title>{escape(self._title)}</title><style>{style}</style></head><body><main>\n"
            f"<h1>{escape(self._title)}</h1>\n"
        )
        return (head + "\n".join(sheets) + "\n</main></body></html>\n").encode()

    def _begin(self) -> None:
        self._sheets.append([])

    def _put(self, part: str) -> None:
        self._sheets[-1].append(part)

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
        words = escape(text if verbatim else self.say(text))
        at = {0.0: "start", 0.5: "middle", 1.0: "end"}[anchor]
        weight = ' font-weight="bold"' if bold else ""
        self._put(
            f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{colour}" '
            f'text-anchor="{at}"{weight}>{words}</text>'
        )

    def width(self, text: str, size: float, *, bold: bool = False) -> float:
        """Return the approximate width of a text in points.

        Args:
            text: Text in one line.
            size: Size of the type, in points.
            bold: True for bold type.
        """
        return len(self.say(text)) * size * WIDE["bold" if bold else "normal"]

    def line(self, x1: float, y1: float, x2: float, y2: float, colour: str = "#cbbfa6") -> None:
        """Draw a hairline.

        Args:
            x1: Place of the first end to the right, in points.
            y1: Place of the first end from above, in points.
            x2: Place of the second end to the right, in points.
            y2: Place of the second end from above, in points.
            colour: Colour as `#rrggbb`.
        """
        ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
        self._put(f'<line {ends} stroke="{colour}" stroke-width="0.6"/>')

    def box(self, x: float, y: float, width: float, height: float, *, dash: bool = False) -> None:
        """Draw an empty frame; dashed if it is a cut line.

        Args:
            x: Left edge, in points.
            y: Upper edge, in points.
            width: Width in points.
            height: Height in points.
            dash: True for a cut line.
        """
        dashes = ' stroke-dasharray="4 3"' if dash else ""
        self._put(
            f'<rect {_room(x, y, width, height)} fill="none" stroke="{FAINT}" '
            f'stroke-width="0.8"{dashes}/>'
        )

    def fill(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        """Draw a filled rectangle.

        Args:
            x: Left edge, in points.
            y: Upper edge, in points.
            width: Width in points.
            height: Height in points.
            colour: Colour as `#rrggbb`.
        """
        self._put(f'<rect {_room(x, y, width, height)} fill="{colour}"/>')

    def image(self, png: bytes, x: float, y: float, width: float, height: float) -> None:
        """Draw a PNG or JPEG in a rectangle.

        Args:
            png: Bytes of the picture.
            x: Left edge, in points.
            y: Upper edge, in points.
            width: Width in points.
            height: Height in points.
        """
        kind = "png" if png.startswith(b"\x89PNG") else "jpeg"
        data = base64.b64encode(png).decode()
        self._put(f'<image {_room(x, y, width, height)} href="data:image/{kind};base64,{data}"/>')

    def photo(self, data: bytes, x: float, y: float, width: float, height: float) -> float:
        """Draw a PNG or JPEG as large as fits a rectangle, centred; return the given height.

        Args:
            data: Bytes of the picture.
            x: Left edge, in points.
            y: Upper edge, in points.
            width: Width in points.
            height: Height in points.
        """
        self.image(data, x, y, width, height)
        return height

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
        own = svg(drawing, scale=scale)
        own = own.replace(' role="img"', ' aria-hidden="true"', 1)  # the page's words tell it
        self._put(own.replace("<svg ", f'<svg x="{left:.1f}" y="{y:.1f}" ', 1))
        return drawing.height * scale


def _room(x: float, y: float, width: float, height: float) -> str:
    return f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'

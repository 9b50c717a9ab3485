"""Archives of maps to look at: a sheet of pictures, a heat map of two axes, a page with sliders."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources

from falldamage_forge.board import Board
from falldamage_forge.render.isometric import isometric
from falldamage_forge.render.svg import png
from falldamage_forge.visible import escape, visible_in
from falldamage_forge.waiting import Progress, quiet

SHEET_COLUMNS = 6
SHEET_SCALE, THUMB_SCALE = 0.42, 0.3
THUMB_COLOURS = 48
INK, PAPER, FAINT = "#2d2a26", "#f4ecdd", "#cbbfa8"
LOW, HIGH = (232, 220, 196), (176, 58, 38)
"""Colours of the worst and the best quality."""
WORST = -2.0
"""Quality at which the colour is the palest."""


@dataclass(frozen=True, slots=True)
class Exhibit:
    """One map: its file's name, title, style, quality, place on the axes, text and board."""

    name: str
    title: str
    style: str
    quality: float
    traits: Mapping[str, float]
    text: str
    board: Board


def sheet(shown: Sequence[Exhibit], progress: Progress = quiet) -> bytes:
    """A PNG of pictures in rows, each with its title, style and quality."""
    from PIL import Image

    pictures = []
    for done, exhibit in enumerate(shown):
        progress(f"drawing {exhibit.name}", done, len(shown))
        title = f"{exhibit.title}, {exhibit.style}, {exhibit.quality:.2f}"
        data = png(isometric(exhibit.board, title=title, legend=False), scale=SHEET_SCALE)
        pictures.append(Image.open(io.BytesIO(data)).convert("RGB"))
    width = max((picture.width for picture in pictures), default=1)
    height = max((picture.height for picture in pictures), default=1)
    columns = min(SHEET_COLUMNS, max(len(pictures), 1))
    rows = -(-len(pictures) // columns)
    whole = Image.new("RGB", (width * columns, height * max(rows, 1)), PAPER)
    for number, picture in enumerate(pictures):
        whole.paste(picture, (number % columns * width, number // columns * height))
    stream = io.BytesIO()
    whole.save(stream, "PNG", optimize=True)
    return stream.getvalue()


# -- the heat map --------------------------------------------------------------------------------

CELL_PX, GAP_PX, MARGIN_PX = 56, 3, 90


def heat(shown: Sequence[Exhibit], axes: Mapping[str, tuple[float, ...]], suffix: str) -> bytes:
    """The best quality and the number of maps by the first two axes, one grid for each style."""
    text = heat_svg(shown, axes)
    if suffix != ".png":
        return text.encode()
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=text))


def heat_svg(shown: Sequence[Exhibit], axes: Mapping[str, tuple[float, ...]]) -> str:
    """The heat map as SVG."""
    (across, edges_x), (down, edges_y) = list(axes.items())[:2]
    styles = sorted({exhibit.style for exhibit in shown})
    columns = min(4, max(len(styles), 1))
    wide = (len(edges_x) + 1) * (CELL_PX + GAP_PX) + MARGIN_PX
    high = (len(edges_y) + 1) * (CELL_PX + GAP_PX) + MARGIN_PX
    rows = -(-len(styles) // columns)
    parts = []
    for number, style in enumerate(styles):
        own = [exhibit for exhibit in shown if exhibit.style == style]
        at = (number % columns * wide + 70, number // columns * high + 50)
        parts += _grid(own, style, at, (across, edges_x), (down, edges_y))
    size = f'width="{columns * wide + 20}" height="{rows * high + 20}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="DejaVu Sans, sans-serif" '
        f'font-size="12" fill="{INK}"><rect width="100%" height="100%" fill="{PAPER}"/>'
        + "".join(parts)
        + "</svg>\n"
    )


Axis = tuple[str, tuple[float, ...]]


def _grid(
    own: Sequence[Exhibit], style: str, at: tuple[int, int], across: Axis, down: Axis
) -> list[str]:
    left, top = at
    (name_x, edges_x), (name_y, edges_y) = across, down
    step = CELL_PX + GAP_PX
    parts = [f'<text x="{left}" y="{top - 14}" font-size="15">{escape(style)}</text>']
    for row in range(len(edges_y) + 1):
        for col in range(len(edges_x) + 1):
            here = [
                e.quality
                for e in own
                if _interval(e.traits[name_x], edges_x) == col
                and _interval(e.traits[name_y], edges_y) == row
            ]
            x, y = left + col * step, top + row * step
            fill = colour(max(here)) if here else "none"
            parts.append(
                f'<rect x="{x}" y="{y}" width="{CELL_PX}" height="{CELL_PX}" fill="{fill}" '
                f'stroke="{FAINT}"/>'
            )
            if here:
                parts.append(
                    f'<text x="{x + 6}" y="{y + 24}">{max(here):.2f}</text>'
                    f'<text x="{x + 6}" y="{y + 42}" font-size="10">{_maps(len(here))}</text>'
                )
    for col, edge in enumerate(edges_x, start=1):
        y = top + (len(edges_y) + 1) * step + 12
        parts.append(f'<text x="{left + col * step - 12}" y="{y}" font-size="10">{edge:g}</text>')
    for row, edge in enumerate(edges_y, start=1):
        y = top + row * step + 3
        parts.append(f'<text x="{left - 32}" y="{y}" font-size="10">{edge:g}</text>')
    base = top + (len(edges_y) + 1) * step + 26
    parts.append(f'<text x="{left}" y="{base}" font-size="11">{escape(name_x)} →</text>')
    parts.append(
        f'<text transform="translate({left - 40} {top + 60}) rotate(90)" font-size="11">'
        f"{escape(name_y)} →</text>"
    )
    return parts


def _maps(count: int) -> str:
    return f"{count} map{'s' * (count != 1)}"


def _interval(value: float, edges: Sequence[float]) -> int:
    return sum(value >= edge for edge in edges)


def colour(quality: float) -> str:
    """From pale to red, the better the darker."""
    share = min(max(1 - quality / WORST, 0.0), 1.0)
    r, g, b = (round(a + (z - a) * share) for a, z in zip(LOW, HIGH, strict=True))
    return f"#{r:02x}{g:02x}{b:02x}"


# -- the page ------------------------------------------------------------------------------------

History = Sequence[tuple[int, int, float, float]]


def gallery(shown: Sequence[Exhibit], history: History, progress: Progress = quiet) -> str:
    """One HTML page without anything from elsewhere: pictures, sliders, texts, how it went."""
    entries = []
    for done, exhibit in enumerate(shown):
        progress(f"drawing {exhibit.name}", done, len(shown))
        data = _thumb(exhibit.board)
        entries.append(
            {
                "name": exhibit.name,
                "title": exhibit.title,
                "style": exhibit.style,
                "quality": round(exhibit.quality, 3),
                "traits": {axis: round(value, 3) for axis, value in exhibit.traits.items()},
                "text": exhibit.text,
                "picture": base64.b64encode(data).decode(),
            }
        )
    table = json.dumps(visible_in(entries), sort_keys=True).replace("<", "\\u003c")
    page = _file("atlas.html")
    for key, value in (
        ("css", _file("atlas.css")),
        ("plots", plots(history)),
        ("maps", table),
        ("script", _file("atlas.js")),
    ):
        page = page.replace(f"{{{{{key}}}}}", value)
    return page


def _thumb(board: Board) -> bytes:
    """A small PNG of few colours."""
    from PIL import Image

    data = png(isometric(board, title="", legend=False), scale=THUMB_SCALE)
    stream = io.BytesIO()
    Image.open(io.BytesIO(data)).convert("RGB").quantize(THUMB_COLOURS).save(
        stream, "PNG", optimize=True
    )
    return stream.getvalue()


def _file(name: str) -> str:
    folder = resources.files("falldamage_forge.render").joinpath("page")
    return folder.joinpath(name).read_text("utf-8")


def plots(history: History) -> str:
    """Elites, best and mean quality over the maps looked at, as two small SVG plots."""
    if len(history) < 2:
        return ""
    count = [float(each[0]) for each in history]
    kept = _plot("maps kept", count, [[float(each[1]) for each in history]])
    lines = [[each[2] for each in history], [each[3] for each in history]]
    return kept + _plot("best and mean quality", count, lines)


def _plot(title: str, across: Sequence[float], lines: Sequence[Sequence[float]]) -> str:
    wide, high = 360, 150
    values = [value for line in lines for value in line]
    low, top = min(values), max(values)
    room = (top - low) or 1.0
    parts = []
    for line in lines:
        places = [
            (10 + x / across[-1] * (wide - 20), high - 30 - (y - low) / room * (high - 60))
            for x, y in zip(across, line, strict=True)
        ]
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f'<polyline points="{points}" fill="none" stroke="#b03a26" stroke-width="2"/>')
    return (
        f'<svg class="plot" viewBox="0 0 {wide} {high}" role="img" aria-label="{escape(title)}">'
        f'<text x="10" y="18">{escape(title)}: {low:g} to {top:g}</text>{"".join(parts)}'
        f'<text x="10" y="{high - 8}">0 to {across[-1]:.0f} maps looked at</text></svg>'
    )

"""Pictures of a map archive: contact sheet, heat map over two axes, HTML page with sliders."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping, Sequence

from falldamage_forge.board import Board
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.infra.progress import ProgressCallback, no_progress
from falldamage_forge.infra.visible_text import escape
from falldamage_forge.render.html_report import page_file, script_json
from falldamage_forge.render.isometric import isometric
from falldamage_forge.render.svg import paint, png

SHEET_COLUMNS = 6
SHEET_SCALE, THUMB_SCALE = 0.42, 0.3
THUMB_COLOURS = 48
INK, PAPER, FAINT = "#2d2a26", "#f4ecdd", "#cbbfa8"
LOW, HIGH = (232, 220, 196), (176, 58, 38)
"""Colours of the worst and the best quality."""
WORST = -2.0
"""Quality at and below which the colour is the palest."""


@dataclass(frozen=True, slots=True)
class ArchiveMap:
    """One map of the archive.

    `quality` is 0 at best and negative otherwise; `traits` are its values on the archive's axes,
    `text` its source.
    """

    name: str
    title: str
    style: str
    quality: float
    traits: Mapping[str, float]
    text: str
    board: Board


def sheet(maps: Sequence[ArchiveMap], progress: ProgressCallback = no_progress) -> bytes:
    """Return a PNG of pictures in rows, each with its title, style and quality.

    Args:
        maps: Maps to draw.
        progress: Called with text, done and total before each map.
    """
    from PIL import Image

    pictures = []
    for done, exhibit in enumerate(maps):
        progress(f"drawing {exhibit.name}", done, len(maps))
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


def heat_map(
    shown: Sequence[ArchiveMap], axes: Mapping[str, tuple[float, ...]], suffix: str
) -> bytes:
    """Return best quality and number of maps over the first two axes, one grid for each style.

    Args:
        shown: Maps of the archive.
        axes: Edges of the intervals by the name of the axis, ascending.
        suffix: `.png` for PNG bytes; any other for SVG.
    """
    text = heat_svg(shown, axes)
    return paint(text, with_fonts=True) if suffix == ".png" else text.encode()


def heat_svg(shown: Sequence[ArchiveMap], axes: Mapping[str, tuple[float, ...]]) -> str:
    """Return the heat map as SVG.

    Args:
        shown: Maps of the archive.
        axes: Borders of the cells by name of the axis.
    """
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
    own: Sequence[ArchiveMap], style: str, at: tuple[int, int], across: Axis, down: Axis
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
    """Return a colour from pale to red: the better the quality, the darker."""
    share = min(max(1 - quality / WORST, 0.0), 1.0)
    r, g, b = (round(a + (z - a) * share) for a, z in zip(LOW, HIGH, strict=True))
    return f"#{r:02x}{g:02x}{b:02x}"


# -- the page ------------------------------------------------------------------------------------

History = Sequence[tuple[int, int, float, float]]


def gallery(
    shown: Sequence[ArchiveMap], history: History, progress: ProgressCallback = no_progress
) -> str:
    """Return one self-contained HTML page: pictures, sliders, sources, history of the search.

    Args:
        shown: Maps of the archive.
        history: (maps evaluated, elites, best quality, mean quality) over the search.
        progress: Called with text, done and total before each map.
    """
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
    page = page_file("atlas.html")
    for key, value in (
        ("css", page_file("atlas.css")),
        ("plots", plots(history)),
        ("maps", script_json(entries)),
        ("script", page_file("atlas.js")),
    ):
        page = page.replace(f"{{{{{key}}}}}", value)
    return page


def _thumb(board: Board) -> bytes:
    """Return a small PNG of few colours."""
    from PIL import Image

    data = png(isometric(board, title="", legend=False), scale=THUMB_SCALE)
    stream = io.BytesIO()
    Image.open(io.BytesIO(data)).convert("RGB").quantize(THUMB_COLOURS).save(
        stream, "PNG", optimize=True
    )
    return stream.getvalue()


def plots(history: History) -> str:
    """Return elites, and best and mean quality, over evaluated maps, as two small SVG plots."""
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

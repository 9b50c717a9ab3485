"""Drawings as SVG text and as PNG bytes; the same drawing gives the same bytes."""

from __future__ import annotations

from collections.abc import Iterable

from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.infra.visible_text import escape
from falldamage_forge.render.display_list import Drawing, PaintedPath, Path
from falldamage_forge.render.image_cache import cached_image


@dataclass(frozen=True)
class BoardPicture:
    """A painted board: PNG, and the heights of its heading and its legend in pixels."""

    png: bytes
    head: int
    foot: int


def svg(drawing: Drawing, *, scale: float = 1.0) -> str:
    """Return a standalone SVG document; shapes of one `group` become a `<g>` of that class.

    Args:
        drawing: Shapes in painting order.
        scale: Output pixels for each of the drawing's.
    """
    width, height = drawing.width, drawing.height
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_number(width * scale)}" '
        f'height="{_number(height * scale)}" viewBox="0 0 {_number(width)} {_number(height)}" '
        'role="img" stroke-linejoin="round" stroke-linecap="round">'
    ]
    if drawing.title:
        parts.append(f"<title>{escape(drawing.title)}</title>")
    if drawing.background:
        parts.append(f'<rect width="100%" height="100%" fill="{drawing.background}"/>')
    group = ""
    for shape in drawing.shapes:
        if shape.group != group:
            parts.append(("</g>" if group else "") + _open(shape.group))
            group = shape.group
        parts.append(_element(shape))
    parts.append("</g></svg>" if group else "</svg>")
    return "\n".join(part for part in parts if part) + "\n"


def _open(group: str) -> str:
    return f'<g class="{escape(group)}">' if group else ""


def _element(shape: PaintedPath) -> str:
    data = path_data(shape.paths, shape.closed)
    look = f' fill="{shape.fill}"' if shape.fill else ' fill="none"'
    if shape.stroke:
        look += f' stroke="{shape.stroke}" stroke-width="{shape.width:.3g}"'
    if shape.dash:
        look += f' stroke-dasharray="{_number(shape.dash)}"'
    if shape.opacity < 1:
        # Opacity of fill and stroke is far cheaper to paint than that of a whole element.
        kind = "fill" if shape.fill else "stroke"
        look += f' {kind}-opacity="{shape.opacity:.3g}"'
    return f'<path d="{data}"{look}/>'


def path_data(paths: Iterable[Path], closed: bool = True) -> str:
    """Return paths as the data of an SVG path.

    Args:
        paths: Points (x, y) of each path, in pixels.
        closed: True to join the last point of each with its first.
    """
    end = "Z" if closed else ""
    return "".join([f"M{_points(path)}{end}" for path in paths])


def _points(path: Path) -> str:
    """Return points as `_number` writes them, all at once: a page has 90,000."""
    text = " ".join([f"{x:.1f},{y:.1f}" for x, y in path]) + " "
    return (
        text.replace(".0,", ",").replace(".0 ", " ").replace("-0,", "0,").replace("-0 ", "0 ")[:-1]
    )


def _number(value: float) -> str:
    text = f"{value:.1f}".rstrip("0").rstrip(".")
    return "0" if text in {"-0", ""} else text


def png(drawing: Drawing, *, scale: float = 1.0) -> bytes:
    """Return PNG bytes, `scale` pixels for each of the drawing's.

    Args:
        drawing: Shapes with their size.
        scale: Pixels of the picture for each of the drawing's.
    """
    text = svg(drawing, scale=scale)
    return cached_image("png", [text.encode()], lambda: paint(text))


def paint(text: str, *, with_fonts: bool = False) -> bytes:
    """Return SVG text as PNG bytes; the system's fonts are read only for texts that need them.

    Args:
        text: SVG text.
        with_fonts: True if the text needs fonts of the system.
    """
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=text, skip_system_fonts=not with_fonts))


def smaller(data: bytes, width: int, *, foot: int = 0) -> bytes:
    """Return a PNG at a smaller width in pixels, with the same proportions.

    Args:
        data: Bytes of the PNG.
        width: Width of the result; the mean of the pixels below becomes one.
        foot: Rows of pixels to cut off at the bottom.
    """
    import io

    from PIL import Image

    whole = Image.open(io.BytesIO(data))
    box = (0, 0, whole.width, whole.height - foot)
    high = round(box[3] * width / whole.width)
    stream = io.BytesIO()
    whole.resize((width, high), Image.Resampling.BOX, box).save(stream, "PNG")
    return stream.getvalue()


def png_small(drawing: Drawing, *, scale: float = 1.0, bare: bool = False) -> bytes:
    """Return PNG bytes of 256 colours without transparency: a third of the size.

    Args:
        drawing: Shapes with their size.
        scale: Pixels of the picture for each of the drawing's.
        bare: True to cut off the heading.
    """
    head = round(drawing.head * scale) if bare else 0
    return few_colours(png(drawing, scale=scale), head)


def few_colours(data: bytes, head: int = 0) -> bytes:
    """Return a PNG in 256 colours without transparency.

    Args:
        data: Bytes of a PNG.
        head: Rows of pixels to cut off at the top.
    """
    return cached_image("few colours", [data, b"%d" % head], lambda: _few_colours(data, head))


def _few_colours(data: bytes, head: int) -> bytes:
    import io

    from PIL import Image

    whole = Image.open(io.BytesIO(data)).convert("RGB")
    whole = whole.crop((0, head, whole.width, whole.height))
    # Of the methods tried this keeps every colour nearest to its own. A ninth of the pixels, and
    # rounds until few of them move, give the same colours in a seventh of the time.
    method, settled = Image.Quantize.MAXCOVERAGE, 333
    sample = whole.resize((-(-whole.width // 3), -(-whole.height // 3)), Image.Resampling.NEAREST)
    palette = sample.quantize(256, method=method, dither=Image.Dither.NONE, kmeans=settled)
    few = whole.quantize(palette=palette, dither=Image.Dither.NONE)
    stream = io.BytesIO()
    few.save(stream, "PNG")
    return stream.getvalue()

"""Display list: a drawing as plain shapes in painting order, before it becomes SVG, PNG or PDF."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import field, replace

from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.render.stroke_font import text_strokes, text_width

Point = tuple[float, float]
Path = tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class PaintedPath:
    """One or more paths with one look. x runs right and y down, in pixels.

    `width` and `dash` are in pixels, `opacity` is from 0 to 1. `group` names a layer that can be
    switched as a whole; empty for the rest.
    """

    paths: tuple[Path, ...]
    fill: str | None = None
    stroke: str | None = None
    width: float = 1.0
    opacity: float = 1.0
    closed: bool = True
    group: str = ""
    dash: float = 0.0

    def moved(self, dx: float, dy: float, scale: float = 1.0) -> PaintedPath:
        """Return the shape scaled, then shifted.

        Args:
            dx: Shift to the right, in pixels.
            dy: Shift downwards, in pixels.
            scale: Factor of the size.
        """
        paths = tuple(
            tuple((x * scale + dx, y * scale + dy) for x, y in path) for path in self.paths
        )
        return replace(self, paths=paths, width=self.width * scale, dash=self.dash * scale)


@dataclass(frozen=True, slots=True)
class Drawing:
    """A finished picture: size in pixels, background colour (None is transparent) and shapes.

    `head` and `foot` are the heights in pixels of a heading at the top and a legend at the bottom,
    which can be cut off the painted picture.
    """

    width: float
    height: float
    shapes: tuple[PaintedPath, ...]
    background: str | None = None
    title: str = ""
    head: int = 0
    foot: int = 0

    def bounds(self) -> tuple[float, float, float, float]:
        """Return least x and y, greatest x and y of all shapes; zeros for an empty drawing."""
        points = [point for shape in self.shapes for path in shape.paths for point in path]
        if not points:
            return 0.0, 0.0, 0.0, 0.0
        xs, ys = [x for x, _ in points], [y for _, y in points]
        return min(xs), min(ys), max(xs), max(ys)


@dataclass
class Pen:
    """Collects shapes in painting order, each in the pen's `group`."""

    shapes: list[PaintedPath] = field(default_factory=list)
    group: str = ""

    def fill(self, points: Iterable[Point], colour: str, opacity: float = 1.0) -> None:
        """Add a filled polygon.

        Args:
            points: Corners (x, y) in pixels.
            colour: Colour as `#rrggbb`.
            opacity: 0 clear to 1 opaque.
        """
        self.shapes.append(
            PaintedPath((tuple(points),), fill=colour, opacity=opacity, group=self.group)
        )

    def face(self, points: Iterable[Point], colour: str) -> None:
        """Add a filled polygon with a hairline of its colour, which closes seams.

        Args:
            points: Corners (x, y) in pixels.
            colour: Colour as `#rrggbb`.
        """
        path = tuple(points)
        self.shapes.append(PaintedPath((path,), colour, colour, 0.6, group=self.group))

    def line(
        self,
        points: Iterable[Point],
        colour: str,
        width: float = 1.0,
        opacity: float = 1.0,
        *,
        closed: bool = False,
        dash: float = 0.0,
    ) -> None:
        """Add a stroke through points; `width` and `dash` in pixels.

        Args:
            points: Points (x, y) in pixels.
            colour: Colour as `#rrggbb`.
            width: Width of the stroke in pixels.
            opacity: 0 clear to 1 opaque.
            closed: True to join the last point with the first.
            dash: Length of a dash in pixels; 0: no dashes.
        """
        self.shapes.append(
            PaintedPath((tuple(points),), None, colour, width, opacity, closed, self.group, dash)
        )

    def lines(
        self, paths: Iterable[Sequence[Point]], colour: str, width: float, opacity: float
    ) -> None:
        """Add several strokes of one look as one shape.

        Args:
            paths: Points (x, y) of each stroke, in pixels.
            colour: Colour as `#rrggbb`.
            width: Width of the strokes in pixels.
            opacity: 0 clear to 1 opaque.
        """
        strokes = tuple(map(tuple, paths))
        if strokes:
            self.shapes.append(
                PaintedPath(strokes, None, colour, width, opacity, False, self.group)
            )

    def text(
        self,
        text: str,
        at: Point,
        size: float,
        colour: str,
        *,
        anchor: float = 0.0,
        weight: float = 0.13,
        opacity: float = 1.0,
        plane: Callable[[Point], Point] | None = None,
    ) -> None:
        """Add text with its baseline at a point.

        Args:
            text: Text in the stroke font.
            at: Point in pixels, or in units of `plane`.
            size: Height of a capital, in the same unit.
            colour: Colour of the strokes.
            anchor: 0 starts at the point, 0.5 centres, 1 ends there.
            weight: Width of strokes as a share of `size`; in pixels with a `plane`.
            opacity: From 0 to 1.
            plane: Function from the plane's units to pixels; None for text in pixels.
        """
        shift = at[0] - anchor * text_width(text, size)
        strokes = text_strokes(text, size)
        moved = [[(x + shift, y + at[1]) for x, y in stroke] for stroke in strokes]
        width = weight * size
        if plane is not None:
            moved = [[plane(point) for point in stroke] for stroke in moved]
            width = weight
        if moved:
            paths = tuple(map(tuple, moved))
            self.shapes.append(PaintedPath(paths, None, colour, width, opacity, False, self.group))

    def add(
        self, shapes: Sequence[PaintedPath], dx: float = 0, dy: float = 0, scale: float = 1
    ) -> None:
        """Add other shapes, scaled and shifted.

        Args:
            shapes: Shapes to add.
            dx: Shift to the right, in pixels.
            dy: Shift downwards, in pixels.
            scale: Factor of the size.
        """
        self.shapes += (shape.moved(dx, dy, scale) for shape in shapes)


def rectangle(x: float, y: float, width: float, height: float) -> Path:
    """Return the corners of a rectangle clockwise from the top left.

    Args:
        x: Left edge, in pixels.
        y: Upper edge, in pixels.
        width: Width in pixels.
        height: Height in pixels.
    """
    return (x, y), (x + width, y), (x + width, y + height), (x, y + height)

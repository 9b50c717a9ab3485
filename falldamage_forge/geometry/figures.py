"""Figures of units: flat outlines with relief in front, printed lying, on two springing legs.

The words of a piece's `body`, `raised` and `cut` are shapes in mm (`presets/pieces/figures.toml`);
the same outline is the figure, the card's silhouette and the report's mark.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from falldamage_forge.geometry import dial
from falldamage_forge.geometry.csg import GeometryError, Solid, subtract, translate, union
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.loft import RELIEF, extrude
from falldamage_forge.geometry.piece_style import SurfaceFinish
from falldamage_forge.geometry.terrain_features import on_tile
from falldamage_forge.pieces.piece import Piece

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

    Shape = Callable[[list[float]], BaseGeometry]

LEAST_MM = 1.4
"""Nothing of an outline or of its raised areas is narrower."""
GAP_MM = 0.6
"""Narrower gaps are closed."""
RAISED_MM, CUT_MM = 0.72, 0.48
"""Height of raised areas, and depth of strokes in both faces."""
RIM_MM, STROKE_MM = 0.9, 0.6
"""Strokes end so far inside the outline, and are nowhere narrower."""
GROUND = ((-7.3, 0.0), (7.3, 0.0), (6.6, 3.0), (5.9, 5.4), (-5.9, 5.4), (-6.6, 3.0))
"""Ground at every figure's feet; its legs spring in it."""
GROOVE_MM = 0.9
"""Width of the slit beside a leg."""


def _points(values: list[float]) -> list[tuple[float, float]]:
    return list(zip(values[::2], values[1::2], strict=True))


def _poly(values: list[float]) -> BaseGeometry:
    import shapely

    return shapely.make_valid(shapely.Polygon(_points(values)))


def _line(values: list[float]) -> BaseGeometry:
    import shapely

    return shapely.LineString(_points(values[1:])).buffer(values[0] / 2, quad_segs=8)


def _disc(values: list[float]) -> BaseGeometry:
    import shapely

    radius, x, y = values
    return shapely.Point(x, y).buffer(radius, quad_segs=10)


def _robe(values: list[float]) -> BaseGeometry:
    """Return a clothed body: half widths of hem, waist and shoulders, and its height."""
    hem, waist, shoulder, tall = values
    half = [
        (hem, 0.0),
        (waist, tall * 0.55),
        (shoulder, tall * 0.86),
        (shoulder - 1.6, tall),
    ]
    points = [*half, *((-x, y) for x, y in reversed(half))]
    return _poly([value for point in points for value in point])


SHAPES: Mapping[str, Shape] = {"poly": _poly, "line": _line, "disc": _disc, "robe": _robe}
"""Shapes of a figure's words, from their numbers."""


def drawn(words: str) -> BaseGeometry:
    """Return the area of the shapes that lines of words draw, each on those before it.

    Args:
        words: Lines such as `both line 2 0,9 2,5`; lengths in mm.

    Raises:
        GeometryError: If a line is not a shape.
    """
    import shapely
    from shapely import affinity

    area: BaseGeometry = shapely.Polygon()
    for line in filter(None, map(str.strip, words.splitlines())):
        *prefixes, kind = [word for word in line.replace(",", " ").split() if word[0].isalpha()]
        values = line.replace(",", " ").split()[len(prefixes) + 1 :]
        try:
            shape = SHAPES[kind]([float(value) for value in values])
        except (KeyError, ValueError, IndexError, shapely.GEOSException):
            raise GeometryError(f"no shape of a figure: `{line}`") from None
        if "both" in prefixes:
            shape = shapely.union(shape, affinity.scale(shape, -1.0, 1.0, origin=(0, 0)))
        area = area.difference(shape) if "not" in prefixes else area.union(shape)
    return area


def _printable(area: BaseGeometry, least_mm: float = LEAST_MM) -> BaseGeometry:
    """Return the area with narrow gaps closed and narrow features removed."""
    half, gap = least_mm / 2, GAP_MM / 2
    closed = area.buffer(gap, quad_segs=4).buffer(-gap, quad_segs=4)
    return closed.buffer(-half, quad_segs=4).buffer(half, quad_segs=4).simplify(0.02)


@lru_cache(maxsize=64)
def silhouette(piece: Piece) -> BaseGeometry:
    """Return the outline of a figure over its stand, in mm; y is up from the stand's top."""
    ground = _poly([value for point in GROUND for value in point])
    return _printable(drawn(str(piece["body"])).union(ground))


def raised(piece: Piece) -> BaseGeometry:
    """Return the areas that stand out in front of a figure."""
    return _printable(drawn(str(piece["raised"])).intersection(silhouette(piece).buffer(-0.1)))


def strokes(piece: Piece) -> BaseGeometry:
    """Return the strokes that are cut into both faces of a figure."""
    inside = silhouette(piece).difference(_slits()).buffer(-RIM_MM)
    return _printable(drawn(str(piece["cut"])).intersection(inside), STROKE_MM)


def _edges(piece: Piece) -> BaseGeometry:
    """Return the strokes with those round raised areas, which draw them on the back."""
    import shapely

    inside = silhouette(piece).difference(_slits()).buffer(-RIM_MM)
    rings = [part.exterior for part in shapely.get_parts(raised(piece))]
    edge = shapely.union_all(rings).buffer(STROKE_MM / 2 + 0.1).intersection(inside)
    return _printable(edge.union(strokes(piece)), STROKE_MM)


def _legs(fit: DesignParameters) -> BaseGeometry:
    """Return the two legs with their barbs; y = 0 is the stand's top."""
    foot, ledge = dial.LEG_FOOT_MM - dial.TOP_MM, dial.LEDGE_MM - dial.TOP_MM
    half, tip = dial.HALF_MM, dial.barb_mm(fit)
    inner = half - dial.LEG_MM
    # The barb's tip is as steep towards the table as towards the ledge that it passes under.
    middle = (foot + ledge - 0.06) / 2
    edge = [
        (inner, 1.0),
        (inner, foot),
        (half + 0.1, foot),
        (tip, middle - 0.06),
        (tip, middle + 0.06),
        (half + 0.12, ledge - 0.06),
        (half, ledge + 0.1),
        (half, 1.0),
    ]
    return drawn("both poly " + " ".join(f"{x:.4f},{y:.4f}" for x, y in edge))


def _slits() -> BaseGeometry:
    """Return the slits that make the legs longer than they stand out."""
    inner = dial.HALF_MM - dial.LEG_MM
    low, high = inner - GROOVE_MM, dial.SLIT_MM
    return drawn(f"both poly {low},-1 {inner},-1 {inner},{high} {low},{high}")


def figure(piece: Piece, fit: DesignParameters, finish: SurfaceFinish) -> Solid:
    """Return a figure as it stands on a dial, its front to the south.

    Args:
        piece: Piece to draw, with its grid and parameters.
        fit: Design parameters of the printer and grid, in mm.
        finish: Looks of its sides and top.
    """
    slits, front = _slits(), dial.THICK_MM
    outline = silhouette(piece).difference(slits).union(_legs(fit))
    # Two narrower layers on the bed against elephant's foot.
    width, height = RELIEF
    feet = [
        extrude(outline.buffer(-width * share, join_style="mitre"), height * low, height * high)
        for share, low, high in ((1.0, 0.0, 0.6), (0.5, 0.5, 1.1))
    ]
    solids = [*feet, extrude(outline, height, front)]
    tools = []
    if not (patches := raised(piece).difference(slits)).is_empty:
        solids.append(extrude(patches, front - 0.1, front + RAISED_MM))
    if not (lines := strokes(piece)).is_empty:
        tools.append(extrude(lines, front - CUT_MM, front + RAISED_MM + 1.0))
    if not (edges := _edges(piece)).is_empty:
        tools.append(extrude(edges, -1.0, CUT_MM))
    lying = translate(subtract(union(solids), tools), z_mm=-front / 2)
    # (x, y, z) of the bed becomes (x, -z, y): the front looks to the south.
    upright = lying.transform([[1, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, dial.TOP_MM]])
    return on_tile(upright, fit)

"""Silhouettes of units: the outlines of their figures as drawings, and as SVG paths for pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from falldamage_forge.geometry import figures
from falldamage_forge.geometry.csg import rings_of
from falldamage_forge.render.display_list import Drawing, PaintedPath, Path
from falldamage_forge.render.svg import path_data

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

    from falldamage_forge.pieces.catalogue import Catalogue
    from falldamage_forge.pieces.piece import Piece

SCALE = 10.0
"""Units of a drawing for each mm."""
WIDTH, HEIGHT = 25.0 * SCALE, 36.0 * SCALE
"""Size of a drawing: the width of a stand, and room for the tallest figure."""
STRIP_MM, FLAP_MM, MARGIN_MM = (27.0, 98.0), 10.0, 1.5
"""Largest strip of a paper standee, the depth of its flaps, and the paper round a figure."""
FLAP_HALF_MM, BRIDGE_HALF_MM = 11.0, 5.0
"""Half the widths of a flap, and of the paper at the fold above a head."""


def figure_of(title: str, catalogue: Catalogue) -> Piece | None:
    """Return the figure of a card's title; both cards of the Beast have one. None if unknown.

    Args:
        title: Title of the card.
        catalogue: Catalogue with the figures.
    """
    name = title.partition(" (")[0]
    return next((one for one in catalogue.family("unit") if one["title"] == name), None)


def _paths(area: BaseGeometry) -> tuple[Path, ...]:
    """Return the rings of an area in a drawing; holes run the other way round."""
    import shapely

    return tuple(
        tuple((WIDTH / 2 + x * SCALE, HEIGHT - y * SCALE) for x, y in ring)
        for ring in rings_of(shapely.orient_polygons(area))
    )


def silhouette(figure: Piece, colour: str, relief: str) -> Drawing:
    """Return the front of a figure: its outline, its raised areas and its strokes.

    Args:
        figure: Piece of the family `unit`.
        colour: Colour of the outline.
        relief: Colour of the raised areas' edges and of the strokes.
    """
    return Drawing(WIDTH, HEIGHT, _inks(figure, colour, relief), title=str(figure["title"]))


def _inks(
    figure: Piece, colour: str, relief: str, about_mm: float | None = None
) -> tuple[PaintedPath, ...]:
    """Return a figure's front; with `about_mm`, its mirror image above a fold at that height."""
    from shapely import affinity

    def paths(area: BaseGeometry) -> tuple[Path, ...]:
        if about_mm is not None:
            area = affinity.scale(area, 1.0, -1.0, origin=(0.0, about_mm))
        return _paths(area)

    outline = PaintedPath(paths(figures.silhouette(figure)), fill=colour)
    raised = PaintedPath(paths(figures.raised(figure)), stroke=relief, width=SCALE / 2)
    strokes = PaintedPath(paths(figures.strokes(figure)), fill=relief)
    return tuple(shape for shape in (outline, raised, strokes) if shape.paths)


def cut_line(figure: Piece) -> tuple[BaseGeometry, float]:
    """Return the area to cut out for a paper standee, and the height of its fold, in mm.

    It is the same on both sides of the fold, so that front and back lie on each other; a flap at
    each end, below 0 in front, is its foot.
    """
    import shapely
    from shapely import affinity

    outline = figures.silhouette(figure)
    top = outline.bounds[3]
    fold = top + MARGIN_MM
    head = shapely.intersection(outline, shapely.box(-99, top - 3, 99, top)).centroid.x
    bridge = shapely.box(head - BRIDGE_HALF_MM, top, head + BRIDGE_HALF_MM, fold)
    half = shapely.convex_hull(shapely.union(outline, bridge)).buffer(MARGIN_MM)
    standing = shapely.intersection(half, shapely.box(-STRIP_MM[0] / 2, 0, STRIP_MM[0] / 2, fold))
    front = shapely.union(standing, shapely.box(-FLAP_HALF_MM, -FLAP_MM, FLAP_HALF_MM, 0))
    back = affinity.scale(front, 1.0, -1.0, origin=(0.0, fold))
    return shapely.union(front, back), fold


def paper_standee(figure: Piece, colour: str, relief: str, side: str) -> Drawing:
    """Return a strip to cut out, fold at three lines and glue: front, back and two flaps.

    Args:
        figure: Piece of the family `unit`.
        colour: Colour of the outline.
        relief: Colour of the raised areas' edges and of the strokes.
        side: Colour of the side, on the flaps.
    """
    import shapely

    area, fold = cut_line(figure)
    low, high = area.bounds[1], area.bounds[3]
    flaps = [
        shapely.box(-FLAP_HALF_MM, base, FLAP_HALF_MM, base + FLAP_MM) for base in (low, 2 * fold)
    ]
    folds = tuple(
        ((0.0, HEIGHT - at * SCALE), (WIDTH, HEIGHT - at * SCALE)) for at in (0.0, fold, 2 * fold)
    )
    shapes = (
        *(PaintedPath(_paths(flap), fill=side) for flap in flaps),
        *_inks(figure, colour, relief),
        *_inks(figure, colour, relief, fold),
        PaintedPath(folds, stroke="#8a8074", width=2.0, closed=False, dash=8.0),
        PaintedPath(_paths(area), stroke="#2b2620", width=2.0),
    )
    across, down = (STRIP_MM[0] * SCALE - WIDTH) / 2, high * SCALE - HEIGHT
    moved = tuple(shape.moved(across, down) for shape in shapes)
    return Drawing(STRIP_MM[0] * SCALE, (high - low) * SCALE, moved, title=str(figure["title"]))


def silhouette_paths(catalogue: Catalogue) -> dict[str, str]:
    """Return the outline of each figure by card, as the data of an SVG path.

    Paths are in tenths of a mm, y down, on 250 by 360: the middle of the stand's top is at
    (125, 360). Holes run the other way round, so any fill rule leaves them open.
    """
    return {
        str(figure["card"]): path_data(_paths(figures.silhouette(figure)))
        for figure in catalogue.family("unit")
    }

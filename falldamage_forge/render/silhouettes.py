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


def figure_of(title: str, catalogue: Catalogue) -> Piece | None:
    """Return the figure of a card's title; both cards of the Beast have one. None if unknown."""
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
    outline = PaintedPath(_paths(figures.silhouette(figure)), fill=colour)
    raised = PaintedPath(_paths(figures.raised(figure)), stroke=relief, width=SCALE / 2)
    strokes = PaintedPath(_paths(figures.strokes(figure)), fill=relief)
    shapes = tuple(shape for shape in (outline, raised, strokes) if shape.paths)
    return Drawing(WIDTH, HEIGHT, shapes, title=str(figure["title"]))


def silhouette_paths(catalogue: Catalogue) -> dict[str, str]:
    """Return the outline of each figure by card, as the data of an SVG path.

    Paths are in tenths of a mm, y down, on 250 by 360: the middle of the stand's top is at
    (125, 360). Holes run the other way round, so any fill rule leaves them open.
    """
    return {
        str(figure["card"]): path_data(_paths(figures.silhouette(figure)))
        for figure in catalogue.family("unit")
    }

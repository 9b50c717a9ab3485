"""Picture of a model on its joint, with a disc on each top where a unit stands."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from falldamage_forge.geometry.csg import to_mesh, translate
from falldamage_forge.geometry.standing_levels import BASE_MM
from falldamage_forge.lengths import PrintGrid
from falldamage_forge.render.palette import group_colour
from falldamage_forge.render.raster3d.renderer import ColoredMesh, ViewAngle, photograph

if TYPE_CHECKING:
    from falldamage_forge.geometry.mesh import Mesh

SIDE_PX = 760
DISC_MM = 1.2
COLOURS = ("#4f8f5a", "#c9a227", "#c8642d", "#9c2f4b", "#5b4a9c", "#2f6f9c")
"""Colours of discs by their level, from 0."""
MOST_TRIANGLES = 20_000


def model_picture(
    solid: Any, tops: Iterable[tuple[tuple[int, int], float, int]], grid: PrintGrid
) -> bytes:
    """Return a PNG of a part from the south-east.

    Args:
        solid: Solid of the part in the frame of its tiles, in mm.
        tops: (row, col), height in mm and level of each disc.
        grid: Size of tiles and levels.
    """
    from manifold3d import Manifold

    bodies = [_body(to_mesh(lighter(solid)), group_colour("stone"))]
    for cell, height, level in tops:
        disc = Manifold.cylinder(DISC_MM, BASE_MM / 2, BASE_MM / 2, 64)
        x, y = grid.centre_mm(*cell)
        colour = COLOURS[min(level, len(COLOURS) - 1)]
        bodies.append(_body(to_mesh(translate(disc, x, y, height + 0.1)), colour))
    return photograph(bodies, SIDE_PX, SIDE_PX, studio="paper", view=ViewAngle(turn_deg=30.0))


def lighter(solid: Any, most: int = MOST_TRIANGLES) -> Any:
    """Return a solid with few enough triangles for screens, if a tolerance of 1 mm gives them.

    Args:
        solid: Solid in mm.
        most: Greatest number of triangles.
    """
    for tolerance_mm in (0.05, 0.1, 0.2, 0.5, 1.0):
        if solid.num_tri() <= most:
            break
        solid = solid.simplify(tolerance_mm)
    return solid


def _body(mesh: Mesh, colour: str) -> ColoredMesh:
    return ColoredMesh(mesh.vertices[mesh.faces], colour)

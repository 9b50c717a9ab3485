"""Adhesion of a part to the bed: its contact, and the drag at its top that tears it off.

The foot is taken as stiff on an even bond. A force F at height h opens the bond's edge when F h / W
reaches the bond's strength, W being the least section modulus of the contact in any direction.

A part whose foot is a ring or a thin slab is printed with *ears*: discs of one layer at its
corners, held by tabs, which are torn off before it is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from falldamage_forge.geometry.connector_standard import LAYER_MM
from falldamage_forge.geometry.csg import GeometryError, from_mesh, to_mesh, union
from falldamage_forge.geometry.loft import extrude
from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.geometry.mesh_cache import cached_shape
from falldamage_forge.geometry.slicing import LayerSlices, polygons
from falldamage_forge.infra.disk_cache import key_of
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import Issue

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from shapely.geometry.base import BaseGeometry

BOND_MPA = 0.5
"""Bond of PLA to a textured sheet: an assumption, so compare feet with one another."""
LEAST_SHARE = 0.5
"""`prove` refuses a part that bears less than this share of what the tallest block bears."""
TALLEST = "block-1x1x3"
"""The tallest block on one tile; its foot is what others are compared with."""
EAR_MM, APART_MM = 4.0, 0.2
"""Radius of an ear about a part's corner, and its distance from the part."""
TAB_MM, TABS_MM = 0.6, (0.9, 2.7)
"""Width of a tab, and the distances of tabs from a corner."""
ROOTED_MM = 0.3
"""How much farther than the ear's distance a tab reaches to either side of the part's edge."""
DIRECTIONS = 36
"""Number of directions, over half a turn, in which a part is pushed."""


@dataclass(frozen=True, slots=True)
class Foot:
    """The contact of a part with the bed; W is `modulus_mm3`."""

    contact_mm2: float
    patches: int
    modulus_mm3: float
    height_mm: float

    @property
    def tear_n(self) -> float:
        """The drag at the top that tears the part off, in N."""
        return BOND_MPA * self.modulus_mm3 / self.height_mm

    def share_of(self, other: Foot) -> float:
        """How much this foot bears of what another one does."""
        return self.tear_n / other.tear_n

    def issues(self, name: str, tallest: Foot) -> Iterator[Issue]:
        """An issue if a part of that name stands on too little, beside the tallest block's foot.

        Args:
            name: Name of the part.
            tallest: Foot of the tallest block, which is known to hold.
        """
        share = self.share_of(tallest)
        if share < LEAST_SHARE:
            message = (
                f"{name} tears off the bed at {self.tear_n:.1f} N at its top, {share:.0%} of"
                f" what the tallest block bears; {LEAST_SHARE:.0%} is the least"
            )
            yield Issue("FDF427", "error", message)


def foot_of(contact: BaseGeometry, height_mm: float) -> Foot:
    """The foot of a part from what touches the bed (shapely polygons in mm) and its height.

    Args:
        contact: Area that touches the bed, in mm.
        height_mm: Height of the part.
    """
    import shapely

    patches = len(shapely.get_parts(contact))
    return Foot(float(contact.area), patches, least_modulus_mm3(contact), height_mm)


def foot_of_mesh(mesh: Mesh, layer_mm: float = LAYER_MM) -> Foot:
    """The foot of a part in print pose, by the section at its first layer's middle.

    Args:
        mesh: Mesh in print pose, in mm.
        layer_mm: Height of the first layer.
    """
    layers = LayerSlices(from_mesh(mesh), layer_mm)
    return foot_of(polygons(layers.section(0)), layers.top_mm)


@lru_cache(maxsize=64)
def with_ears(mesh: Mesh, layer_mm: float = LAYER_MM) -> Mesh:
    """Return a part in print pose with ears of one layer at the corners of what it stands on.

    A mesh that is not a solid on the bed is returned unchanged; its validation reports it. Results
    are cached on disk, keyed by the mesh.

    Args:
        mesh: Mesh in print pose, in mm.
        layer_mm: Height of the first layer, and of the ears.
    """
    return cached_shape(ears_key(mesh, layer_mm), lambda: make_ears(mesh, layer_mm))


def ears_key(mesh: Mesh, layer_mm: float = LAYER_MM) -> str:
    """Return the key of a part with ears in the mesh cache."""
    return key_of("ears", (repr(layer_mm).encode(), mesh.digest().encode()))


def make_ears(mesh: Mesh, layer_mm: float = LAYER_MM) -> Mesh:
    """Return the result of `with_ears`, made without the cache."""
    try:
        solid = from_mesh(mesh)
    except GeometryError:
        return mesh
    contact = polygons(LayerSlices(solid, layer_mm).section(0))
    if contact.is_empty:
        return mesh
    return to_mesh(union([solid, extrude(ears(contact), 0.0, layer_mm)]))


def ears(contact: BaseGeometry) -> BaseGeometry:
    """Return the outlines of ears and of their tabs, seen from above."""
    import shapely

    low_x, low_y, high_x, high_y = contact.bounds
    corners = [(x, y) for x in (low_x, high_x) for y in (low_y, high_y)]
    discs = shapely.union_all([shapely.Point(corner).buffer(EAR_MM) for corner in corners])
    apart = shapely.box(low_x, low_y, high_x, high_y).buffer(APART_MM, join_style="mitre")
    tabs = []
    for x, y in corners:
        in_x, in_y = (1 if x == low_x else -1), (1 if y == low_y else -1)
        for along in TABS_MM:
            tabs.append(_tab(x, y + in_y * along, TAB_MM / 2, turned=False))
            tabs.append(_tab(x + in_x * along, y, TAB_MM / 2, turned=True))
    return shapely.union_all([discs - apart, *tabs])


def _tab(x: float, y: float, half: float, *, turned: bool) -> BaseGeometry:
    """Return a tab across an edge at a point; an edge along x has it turned."""
    import shapely

    reach = APART_MM + ROOTED_MM
    wide, high = (half, reach) if turned else (reach, half)
    return shapely.box(x - wide, y - high, x + wide, y + high)


def least_modulus_mm3(shape: BaseGeometry) -> float:
    """The least section modulus of an area about an axis through its centroid; 0 for none."""
    import numpy as np
    import shapely

    if shape.is_empty:
        return 0.0
    points = shapely.get_coordinates(shape) - shapely.get_coordinates(shape.centroid)
    angles = np.pi * np.arange(DIRECTIONS) / DIRECTIONS
    ways = np.stack([np.cos(angles), np.sin(angles)])
    second = np.einsum("in,ij,jn->n", ways, _second_moments(shape), ways)
    return float((second / np.abs(points @ ways).max(axis=0)).min())


def _second_moments(shape: BaseGeometry) -> NDArray[np.float64]:
    """The 2x2 matrix of the integrals of x x, x y and y y over an area, about its centroid."""
    import numpy as np
    import shapely

    middle = shapely.get_coordinates(shape.centroid)
    total = np.zeros((2, 2))
    for part in shapely.get_parts(shape):
        for index, ring in enumerate((part.exterior, *part.interiors)):
            a = shapely.get_coordinates(ring)[:-1] - middle
            b = np.roll(a, -1, axis=0)
            cross = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
            pairs = (a + b)[:, :, None] * (a + b)[:, None, :]
            ends = a[:, :, None] * a[:, None, :] + b[:, :, None] * b[:, None, :]
            own = np.einsum("n,nij->ij", cross, pairs + ends) / 24
            total += (-1 if index else 1) * np.sign(cross.sum()) * own
    return total

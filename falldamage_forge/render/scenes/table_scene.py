"""Table scene: the parts of a map at their places, as named instances that share meshes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.pieces.building_order import TIES
from falldamage_forge.render.palette import channels
from falldamage_forge.render.viewer_meshes import (
    TOLERANCE_MM,
    ViewerMesh,
    matrix,
    models_of,
    two_tones,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from falldamage_forge.geometry.mesh import Mesh
    from falldamage_forge.pieces.piece import Placement
    from falldamage_forge.printing.printer import Printer

COARSER_MM = (0.4, 0.6, 0.9)
"""Details that a scene leaves out step by step to stay below a number of triangles."""


@dataclass(frozen=True, slots=True, eq=False)
class PartInstance:
    """One part on the table: its name in the scene, the key of its mesh, and its 4x4 transform.

    `at` takes millimetres of the print pose to millimetres of the table, z up.
    """

    name: str
    key: str
    at: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class TableScene:
    """The parts of a table; x grows east, y north, z up, in mm, centred at the table's middle.

    `models` are the meshes by key, the top's last; a piece of one colour has one. `titles` are the
    plain names. `shift_mm` leads from the grid's coordinates to the scene's.
    """

    title: str
    models: Mapping[str, tuple[ViewerMesh, ...]]
    titles: Mapping[str, str]
    instances: tuple[PartInstance, ...]
    shift_mm: tuple[float, float, float]

    @property
    def triangles(self) -> int:
        """Number of triangles drawn: those of each instance."""
        return sum(len(mesh.faces) for one in self.instances for mesh in self.models[one.key])

    def colours(self) -> list[str]:
        """Return the colours of the parts, `#rrggbb`, sorted."""
        return sorted({mesh.colour for meshes in self.models.values() for mesh in meshes})

    def size_mm(self) -> tuple[float, float, float]:
        """Return the extent of the table east, north and up."""
        low, high = bounds(self.models, self.instances)
        x, y, z = (high - low).tolist()
        return x, y, z


def table_scene(
    title: str,
    placements: Sequence[Placement],
    meshes: Mapping[str, Mesh],
    printer: Printer,
    *,
    tolerance_mm: float = TOLERANCE_MM,
    triangles: int | None = None,
    tops: str = "",
) -> TableScene:
    """Return the scene of placed parts.

    Args:
        title: Title of the map.
        placements: Parts and their positions.
        meshes: Mesh of each piece by key, in print pose.
        printer: Printer whose gaps the meshes have.
        tolerance_mm: Maximum deviation of the meshes drawn.
        triangles: Most triangles drawn: details and the hidden ties are left out. None for no
            limit.
        tops: Key of `tones.PALETTES` for the colours of tops; empty for none.

    Returns:
        The scene; it exceeds `triangles` only if the coarsest meshes do.
    """
    seen = [p for p in placements if triangles is None or p.piece.family not in TIES]
    pieces = {placement.piece.key: placement.piece for placement in seen}
    titles = {key: piece.title for key, piece in pieces.items()}
    instances = _instances(seen, printer)
    for allowed in (tolerance_mm, *(mm for mm in COARSER_MM if mm > tolerance_mm)):
        whole = models_of(pieces, meshes, allowed)
        models = {key: two_tones(model, pieces[key], tops, printer) for key, model in whole.items()}
        low, high = bounds(models, instances)
        east, north = (round(-float(a + b) / 2, 3) for a, b in zip(low[:2], high[:2], strict=True))
        shift = (east, north, -round(float(low[2]), 3))
        moved = tuple(_moved(one, shift) for one in instances)
        scene = TableScene(title, models, titles, moved, shift)
        if triangles is None or scene.triangles <= triangles:
            break
    return scene


def srgb(colour: str) -> tuple[float, float, float]:
    """Return red, green and blue of `#rrggbb`, 0 to 1."""
    red, green, blue = (part / 255 for part in channels(colour))
    return red, green, blue


def linear(colour: str) -> tuple[float, float, float]:
    """Return red, green and blue of `#rrggbb` as linear light, 0 to 1, rounded to 5 digits.

    Source: IEC 61966-2-1, the transfer function of sRGB.
    """
    red, green, blue = (
        round(part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4, 5)
        for part in srgb(colour)
    )
    return red, green, blue


def _instances(placements: Sequence[Placement], printer: Printer) -> list[PartInstance]:
    """Return the instances in the plan's order; parts of one name on one tile are numbered."""
    names = [f"{p.piece.title}, {p.tile}@{p.level}" for p in placements]
    often, seen = Counter(names), Counter[str]()
    instances = []
    for placement, name in zip(placements, names, strict=True):
        seen[name] += 1
        own = f"{name} ({seen[name]})" if often[name] > 1 else name
        instances.append(PartInstance(own, placement.piece.key, matrix(placement, printer)))
    return instances


def _moved(one: PartInstance, shift_mm: tuple[float, float, float]) -> PartInstance:
    import numpy as np

    shift = np.eye(4)
    shift[:3, 3] = shift_mm
    return PartInstance(one.name, one.key, shift @ one.at)


def bounds(
    models: Mapping[str, Sequence[ViewerMesh]], instances: Sequence[PartInstance]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the least and greatest x, y and z of instances, in mm.

    Args:
        models: Meshes by name, in mm.
        instances: Models at their places.
    """
    import numpy as np

    corners = [
        mesh.vertices.astype("f8") @ one.at[:3, :3].T + one.at[:3, 3]
        for one in instances
        for mesh in models[one.key]
    ]
    return np.min([c.min(axis=0) for c in corners], axis=0), np.max(
        [c.max(axis=0) for c in corners], axis=0
    )

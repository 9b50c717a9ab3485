"""Layout to artifacts: plan, meshes, plates, estimates and lists of one build, as bytes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from falldamage_forge import __version__
from falldamage_forge.export.artifacts import Artifact, manifest
from falldamage_forge.export.lists import ListRow, csv_bytes, list_json
from falldamage_forge.export.plates import plate_mesh
from falldamage_forge.export.stl import write_stl
from falldamage_forge.pieces.plan import Plan
from falldamage_forge.pipeline import plan_of
from falldamage_forge.printing.estimate import Shape, grams, plate_minutes, shares
from falldamage_forge.printing.plates import Item, Plate, pack

if TYPE_CHECKING:
    from falldamage_forge.geometry.mesh import Mesh
    from falldamage_forge.lang import Layout
    from falldamage_forge.pieces.catalogue import Catalogue
    from falldamage_forge.printing.printer import Printer

Progress = Callable[[str], None]
FIRST_GROUPS = ("base", "stone", "wood")


@dataclass(frozen=True, slots=True)
class Build:
    """Everything one map turns into before it is written."""

    plan: Plan
    plates: tuple[Plate, ...]
    meshes: dict[str, Mesh]
    shapes: dict[str, Shape]
    rows: tuple[ListRow, ...]


def assemble(
    layout: Layout, catalogue: Catalogue, printer: Printer, progress: Progress = lambda _: None
) -> Build:
    """Plan a legal layout, make each unique piece once, pack the plates, estimate."""
    from falldamage_forge.geometry.build import build
    from falldamage_forge.geometry.measure import measure

    parts = plan_of(layout, catalogue)
    counts, pieces = parts.counts(), parts.pieces()
    meshes, items, shapes = {}, [], {}
    for key, piece in pieces.items():
        progress(f"making {key}")
        meshes[key] = build(piece, printer)
        size = measure(meshes[key])
        width_mm, depth_mm, height_mm = size.size_mm
        items.append(Item(key, width_mm, depth_mm, height_mm, counts[key], piece.group))
        shapes[key] = Shape(size.volume_mm3, size.area_mm2, size.flat_mm2, height_mm)
    progress("packing plates")
    plates = pack(items, printer, FIRST_GROUPS)
    minutes = shares([plate.counts() for plate in plates], shapes)
    rows = tuple(
        ListRow(
            key,
            piece.title,
            piece.group,
            counts[key],
            grams(shapes[key]),
            minutes[key],
            tuple(plate.index for plate in plates if key in plate.counts()),
        )
        for key, piece in pieces.items()
    )
    return Build(parts, plates, meshes, shapes, rows)


def plate_table(build: Build) -> list[dict[str, object]]:
    """What stands on each plate, with its estimates."""
    return [
        {
            "plate": plate.index,
            "name": plate.name,
            "group": plate.group,
            "pieces": plate.counts(),
            "grams": round(sum(grams(build.shapes[s.key]) for s in plate.slots), 1),
            "minutes": round(plate_minutes(plate.counts(), build.shapes), 1),
        }
        for plate in build.plates
    ]


def artifacts(
    build: Build, layout: Layout, printer: Printer, progress: Progress = lambda _: None
) -> tuple[Artifact, ...]:
    """Every file of an export, the manifest last. Each STL is judged as it will be read back."""
    from falldamage_forge.export.verify import verify_stl

    files = []
    for row in build.rows:
        progress(f"writing {row.piece}")
        data = write_stl(build.meshes[row.piece], row.piece)
        verify_stl(data, row.piece, printer)
        files.append(Artifact(f"pieces/{row.piece}_x{row.quantity}.stl", data))
    for plate in build.plates:
        progress(f"writing {plate.name}")
        data = write_stl(plate_mesh(plate, build.meshes), plate.name)
        files.append(Artifact(f"plates/{plate.name}.stl", data))
    files.append(Artifact("pieces.csv", csv_bytes(build.rows)))
    files.append(Artifact("pieces.json", list_json(build.rows, plate_table(build))))
    about = {
        "title": layout.title,
        "tool": f"falldamage-forge {__version__}",
        "printer": printer.name,
        "fit_mm": printer.fit_mm,
        "seam_mm": printer.seam_mm,
    }
    return (*files, manifest(files, about))

"""Layout to artifacts: plan, meshes, plates, estimates and lists of one build, as bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from falldamage_forge import __version__
from falldamage_forge.export.artifacts import Artifact, manifest
from falldamage_forge.export.lists import (
    FIRST_GROUPS,
    ListRow,
    by_group,
    csv_bytes,
    list_json,
)
from falldamage_forge.export.order import order_csv, piece_file
from falldamage_forge.export.outline import outline_boxes
from falldamage_forge.export.plates import plate_mesh
from falldamage_forge.export.stl import write_stl
from falldamage_forge.export.threemf import MAX_PLATES, Stuff, write_plate, write_projects
from falldamage_forge.pieces.plan import Plan
from falldamage_forge.pipeline import owned_by, plan_of
from falldamage_forge.printing.estimate import (
    TERRAIN,
    Figures,
    estimate_plate,
    grams,
    model_of,
    part_seconds,
    split_figures,
)
from falldamage_forge.printing.plates import Item, Plate, pack
from falldamage_forge.printing.process import Shape
from falldamage_forge.printing.schedule import balance

if TYPE_CHECKING:
    from falldamage_forge.geometry.mesh import Mesh
    from falldamage_forge.geometry.style import Style
    from falldamage_forge.lang import Layout
    from falldamage_forge.pieces.catalogue import Catalogue
    from falldamage_forge.pieces.cover import Cover
    from falldamage_forge.pieces.kit import Kit
    from falldamage_forge.pieces.model import Piece
    from falldamage_forge.printing.printer import Printer

Progress = Callable[[str], None]
Minimise = Literal["grams", "hours", "pieces"]
GroupBy = Literal["colour", "stage"]
ESTIMATE = "estimated"

STAGES: Mapping[str, str] = {
    "quadrant": "base",
    "rim": "base",
    "block": "terrain",
    "step": "terrain",
    "battlement": "terrain",
    "arch": "ways",
    "bridge": "ways",
    "ladder": "ways",
}
"""Families by the stage of building they are needed in; all others are needed last."""
STAGE_ORDER = ("base", "terrain", "ways", "rest")


@dataclass(frozen=True, slots=True)
class Wishes:
    """What may be asked of a build.

    `owned` parts need no printing (None: those the map says are owned). `minimise` says what the
    division into blocks should cost least of (None: about the filament). `bond` breaks seams.
    Plates hold one `colour` or one `stage` of building, the base first, for `printers` printers.
    """

    owned: Mapping[str, int] | None = None
    minimise: Minimise | None = None
    bond: bool = False
    group_by: GroupBy = "colour"
    printers: int = 1
    style: Style | None = None


@dataclass(frozen=True, slots=True)
class Build:
    """Everything a map (or a kit of maps) turns into before it is written.

    `counts` are all parts needed, of which `owned` are there; a kit's `plan` is empty. `figures`
    are those of each plate, from `source`; `machines` says which printer takes it, from 1.
    """

    plan: Plan
    counts: Mapping[str, int]
    pieces: Mapping[str, Piece]
    owned: Mapping[str, int]
    plates: tuple[Plate, ...]
    meshes: dict[str, Mesh]
    shapes: dict[str, Shape]
    printer: Printer
    cover: Cover | None = None
    rows: tuple[ListRow, ...] = ()
    figures: tuple[Figures, ...] = ()
    machines: tuple[int, ...] = ()
    source: str = ESTIMATE
    wishes: Wishes = field(default=Wishes())


def assemble(
    layout: Layout,
    catalogue: Catalogue,
    printer: Printer,
    progress: Progress = lambda _: None,
    wishes: Wishes = Wishes(),
) -> Build:
    """Plan a legal layout, make each unique piece once, pack the plates, estimate."""
    if wishes.owned is None:
        wishes = replace(wishes, owned=owned_by(layout))
    progress("dividing columns into blocks")
    costs = block_costs(catalogue.blocks(), printer, wishes.minimise)
    bond = _bond(costs) if wishes.bond else 0.0
    parts = plan_of(layout, catalogue, wishes.owned, costs, bond=bond)
    made = assemble_parts(parts.counts(), parts.pieces(), printer, progress, wishes)
    return replace(made, plan=parts, cover=parts.cover)


def assemble_kit(
    kit: Kit, printer: Printer, progress: Progress = lambda _: None, wishes: Wishes = Wishes()
) -> Build:
    """The same for the parts of a kit."""
    made = assemble_parts(kit.parts, kit.pieces, printer, progress, wishes)
    return replace(made, cover=kit.cover)


def assemble_parts(
    counts: Mapping[str, int],
    pieces: Mapping[str, Piece],
    printer: Printer,
    progress: Progress = lambda _: None,
    wishes: Wishes = Wishes(),
) -> Build:
    """Meshes, plates, estimates and rows of so many parts, of which some are owned."""
    from falldamage_forge.geometry.build import build

    owned = wishes.owned or {}
    meshes, items, shapes = {}, [], {}
    for key, piece in pieces.items():
        progress(f"making {key}")
        meshes[key] = build(piece, printer, wishes.style or "plain")
        shapes[key] = shape_of(piece, meshes[key])
        missing = max(counts[key] - owned.get(key, 0), 0)
        items.append(item_of(piece, meshes[key], missing, wishes.group_by))
    progress("packing plates")
    first = FIRST_GROUPS if wishes.group_by == "colour" else STAGE_ORDER
    plates = pack(items, printer, first)
    made = Build(Plan(()), counts, pieces, owned, plates, meshes, shapes, printer, wishes=wishes)
    return with_figures(made, [estimate_plate(plate, shapes, printer) for plate in plates])


def with_figures(build: Build, figures: Sequence[Figures], source: str = ESTIMATE) -> Build:
    """The build with every figure from one source; rows and printers follow from them."""
    counts = build.counts
    shares = split_figures(build.plates, figures, build.shapes, build.printer)
    rows = [
        ListRow(
            key,
            piece.title,
            piece.group,
            counts[key],
            min(counts[key], build.owned.get(key, 0)),
            shares[key].grams if key in shares else 0.0,
            shares[key].minutes if key in shares else 0.0,
            tuple(plate.index for plate in build.plates if key in plate.counts()),
        )
        for key, piece in build.pieces.items()
    ]
    return replace(
        build,
        rows=tuple(row for own in by_group(rows).values() for row in own),
        figures=tuple(figures),
        machines=balance([each.minutes for each in figures], build.wishes.printers),
        source=source,
    )


def block_costs(
    blocks: Iterable[Piece], printer: Printer, minimise: Minimise | None
) -> dict[str, float] | None:
    """What printing one of each block costs, by key; None leaves it to the planner."""
    from falldamage_forge.geometry.build import build

    if minimise is None:
        return None
    if minimise == "pieces":
        return {block.key: 1.0 for block in blocks}
    shapes = {block.key: shape_of(block, build(block, printer)) for block in blocks}
    model = model_of(printer, TERRAIN)
    if minimise == "grams":
        return {key: grams(shape, model) for key, shape in shapes.items()}
    return {key: part_seconds(shape, model) / 60 for key, shape in shapes.items()}


def _bond(costs: Mapping[str, float] | None) -> float:
    """What a running seam may cost: a tenth of the cheapest block."""
    return 0.1 * min(costs.values()) if costs else 0.5


def shape_of(piece: Piece, mesh: Mesh) -> Shape:
    """What the estimate needs of a mesh in print pose."""
    from falldamage_forge.geometry.measure import measure

    size = measure(mesh)
    return Shape(size.volume_mm3, size.area_mm2, size.flat_mm2, size.size_mm[2], piece.builder)


def item_of(piece: Piece, mesh: Mesh, count: int, group_by: GroupBy) -> Item:
    """So many copies of a piece to pack, by its real mesh, knobs included."""
    (x0, y0, z0), (x1, y1, z1) = mesh.bounds_mm()
    group = piece.group if group_by == "colour" else STAGES.get(piece.family, STAGE_ORDER[-1])
    return Item(piece.key, x1 - x0, y1 - y0, z1 - z0, count, group, outline_boxes(mesh))


def about_plan(build: Build) -> dict[str, object]:
    """How well the columns were divided, and where the figures come from."""
    found = build.cover
    told: dict[str, object] = {"figures": build.source}
    if found is not None:
        told["division"] = {
            "minimise": build.wishes.minimise or "filament",
            "method": found.method,
            "cost": round(found.cost, 1),
            "bound": round(found.bound, 1),
            "gap": round(found.gap, 4),
            "greedy": round(found.greedy_cost, 1),
        }
    return told


def plate_table(build: Build) -> list[dict[str, object]]:
    """What stands on each plate, with its figures."""
    return [
        {
            "plate": plate.index,
            "name": plate.name,
            "group": plate.group,
            "pieces": plate.counts(),
            "grams": round(figures.grams, 1),
            "minutes": round(figures.minutes, 1),
            "printer": machine,
        }
        for plate, figures, machine in zip(build.plates, build.figures, build.machines, strict=True)
    ]


def artifacts(
    build: Build,
    layout: Layout,
    printer: Printer,
    progress: Progress = lambda _: None,
    beside: tuple[Artifact, ...] = (),
) -> tuple[Artifact, ...]:
    """Every file of an export, the manifest last. Each STL is judged as it will be read back.

    `beside` are pictures and pages that go along.
    """
    table = list_json(build.rows, plate_table(build), **about_plan(build))
    files = [
        *_piece_files(build, printer, progress),
        *_plate_files(build, layout.title, printer, progress),
        Artifact("pieces.csv", csv_bytes(build.rows)),
        Artifact("pieces.json", table),
        Artifact("order.csv", order_csv(build.rows, build.meshes)),
        *beside,
    ]
    about = {
        "title": layout.title,
        "tool": f"falldamage-forge {__version__}",
        "printer": printer.name,
        "fit_mm": printer.fit_mm,
        "seam_mm": printer.seam_mm,
    }
    return (*files, manifest(files, about))


def _piece_files(build: Build, printer: Printer, progress: Progress) -> Iterator[Artifact]:
    from falldamage_forge.export.verify import verify_stl

    for row in build.rows:
        if row.quantity:
            progress(f"writing {row.piece}")
            data = write_stl(build.meshes[row.piece], row.piece)
            verify_stl(data, row.piece, printer)
            yield Artifact(piece_file(row), data)


def _plate_files(
    build: Build, title: str, printer: Printer, progress: Progress
) -> Iterator[Artifact]:
    """Each plate as STL and 3MF, and all of them as a slicer's project; each reopened."""
    from falldamage_forge.export.reopen import verify_3mf, verify_plate_stl
    from falldamage_forge.render.palette import group_colour

    groups = {key: piece.group for key, piece in build.pieces.items()}
    stuff = Stuff.of(
        build.meshes, groups, {group: group_colour(group) for group in groups.values()}
    )
    for plate in build.plates:
        progress(f"writing {plate.name}")
        data = write_stl(plate_mesh(plate, build.meshes), plate.name)
        verify_plate_stl(data, plate, build.meshes, printer)
        yield Artifact(f"plates/{plate.name}.stl", data)
        data = write_plate(plate, stuff)
        verify_3mf(data, f"{plate.name}.3mf", [plate], build.meshes)
        yield Artifact(f"plates/{plate.name}.3mf", data)
    progress("writing the project")
    projects = write_projects(title, build.plates, stuff, printer)
    for number, data in enumerate(projects, start=1):
        name = "project.3mf" if len(projects) == 1 else f"project-{number}.3mf"
        own = build.plates[(number - 1) * MAX_PLATES : number * MAX_PLATES]
        verify_3mf(data, name, own, build.meshes)
        yield Artifact(name, data)

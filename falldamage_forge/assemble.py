"""Layout to artifacts: plan, meshes, plates, estimates and lists of one build, as bytes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from falldamage_forge.export.lists import (
    FIRST_GROUPS,
    ListRow,
    by_group,
)
from falldamage_forge.geometry.measure import measure
from falldamage_forge.geometry.sizes import PartSize, size_of
from falldamage_forge.lengths import GRID
from falldamage_forge.pieces.beside import beside
from falldamage_forge.pieces.plan import Plan, plan
from falldamage_forge.pieces.variants import allotted, dressed, shared_out
from falldamage_forge.printing.estimate import (
    Figures,
    estimate_plate,
    grams,
    part_seconds,
    rates_of,
    split_figures,
)
from falldamage_forge.printing.plates import Item, Plate, pack
from falldamage_forge.printing.rates import Shape
from falldamage_forge.printing.schedule import balance
from falldamage_forge.printing.sharing import share
from falldamage_forge.waiting import Progress, quiet

if TYPE_CHECKING:
    from falldamage_forge.geometry.mesh import Mesh
    from falldamage_forge.geometry.style import Style
    from falldamage_forge.lang import Layout
    from falldamage_forge.pieces.catalogue import Catalogue
    from falldamage_forge.pieces.cover import Cover
    from falldamage_forge.pieces.kit import Kit
    from falldamage_forge.pieces.model import Piece
    from falldamage_forge.printing.price import Price
    from falldamage_forge.printing.printer import Printer

Minimise = Literal["grams", "hours", "pieces"]
GroupBy = Literal["colour", "stage"]
ESTIMATE = "estimated"

STAGES: Mapping[str, str] = {
    "quadrant": "base",
    "rim": "base",
    "block": "terrain",
    "step": "terrain",
    "battlement": "terrain",
    "railing": "terrain",
    "arch": "ways",
    "bridge": "ways",
    "ladder": "ways",
}
"""Families by the stage of building they are needed in; all others are needed last."""
STAGE_ORDER = ("base", "terrain", "ways", "rest")


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """What may be asked of a build.

    `owned` parts need no printing (None: those the map says are owned). `minimise` says what the
    division into blocks should cost least of (None: about the filament). `bond` breaks seams.
    Plates hold one `colour` or one `stage` of building, the base first, for `printers` printers;
    groups that need less than `share_g` grams share plates. `price` is that of filament. Pieces
    come in up to so many `variants`, laid so that neighbours differ. `rim` adds a frame with the
    coordinates, as a map's own wish does.
    """

    owned: Mapping[str, int] | None = None
    minimise: Minimise | None = None
    bond: bool = False
    group_by: GroupBy = "colour"
    printers: int = 1
    share_g: float = 0.0
    price: Price | None = None
    style: Style | None = None
    variants: int = 1
    rim: bool = False


@dataclass(frozen=True, slots=True)
class Build:
    """Everything a map (or a kit of maps) turns into before it is written.

    `counts` are all parts needed, of which `owned` are there; a kit's `plan` is empty. `figures`
    are those of each plate, from `source`; `machines` says which printer takes it, from 1. Where
    sizes were known beforehand there are no `meshes`, and no files can be written.
    """

    plan: Plan
    counts: Mapping[str, int]
    pieces: Mapping[str, Piece]
    owned: Mapping[str, int]
    plates: tuple[Plate, ...]
    meshes: dict[str, Mesh]
    sizes: Mapping[str, PartSize]
    shapes: dict[str, Shape]
    printer: Printer
    cover: Cover | None = None
    rows: tuple[ListRow, ...] = ()
    figures: tuple[Figures, ...] = ()
    machines: tuple[int, ...] = ()
    source: str = ESTIMATE
    options: BuildOptions = field(default=BuildOptions())


def plan_of(
    layout: Layout,
    catalogue: Catalogue,
    owned: Mapping[str, int] | None = None,
    costs: Mapping[str, float] | None = None,
    *,
    bond: float = 0.0,
) -> Plan:
    """The plan of a legal layout; `owned` parts are those that the layout says if None."""
    if owned is None:
        owned = catalogue.keyed(layout.owned)
    return plan(layout.board, catalogue, owned, costs, bond=bond)


def planned(
    layout: Layout, catalogue: Catalogue, printer: Printer, options: BuildOptions = BuildOptions()
) -> Plan:
    """The plan that a build prints: divided as the options wish, each part in its look."""
    owned = catalogue.keyed(layout.owned) if options.owned is None else options.owned
    costs = block_costs(catalogue.blocks(), printer, options.minimise)
    bond = _bond(costs) if options.bond else 0.0
    return dressed(plan_of(layout, catalogue, owned, costs, bond=bond), options.variants)


def assemble(
    layout: Layout,
    catalogue: Catalogue,
    printer: Printer,
    progress: Progress = quiet,
    options: BuildOptions = BuildOptions(),
    sizes: Mapping[str, PartSize] | None = None,
) -> Build:
    """Plan a legal layout, make each unique piece once, put it together, pack the plates, estimate.

    With `sizes` by piece nothing is made: plates, lists and figures are those of these.
    ForgeError (FDF433, FDF434) where the parts do not go together.
    """
    if options.owned is None:
        options = replace(options, owned=catalogue.keyed(layout.owned))
    progress("dividing columns into blocks")
    parts = planned(layout, catalogue, printer, options)
    counts, pieces = _with(beside_of(layout, catalogue, options.rim), parts, catalogue, options)
    made = assemble_parts(counts, pieces, printer, progress, options, sizes)
    if sizes is None:
        from falldamage_forge.geometry.assembly import refuse_clashes

        progress("putting it together")
        refuse_clashes(parts.placements, made.meshes, printer)
    return replace(made, plan=parts, cover=parts.cover)


def beside_of(layout: Layout, catalogue: Catalogue, rim: bool = False) -> dict[str, int]:
    """Parts of a layout that stand on no tile: its `extras`, and the rim where it is wished."""
    extras = ((extra.piece, extra.count) for extra in layout.extras)
    return beside(layout.board, catalogue, extras, rim=rim or layout.printing.rim)


def _with(
    more: Mapping[str, int], parts: Plan, catalogue: Catalogue, options: BuildOptions
) -> tuple[dict[str, int], dict[str, Piece]]:
    """Parts and pieces of a plan with what goes along."""
    added, drawn = shared_out(more, {key: catalogue[key] for key in more}, options.variants)
    counts = Counter(parts.counts()) + Counter(added)
    pieces = {**parts.pieces(), **drawn}
    return dict(sorted(counts.items())), dict(sorted(pieces.items()))


def assemble_kit(
    kit: Kit,
    printer: Printer,
    progress: Progress = quiet,
    options: BuildOptions = BuildOptions(),
) -> Build:
    """The same for the parts of a kit."""
    parts, pieces = shared_out(kit.parts, kit.pieces, options.variants)
    made = assemble_parts(parts, pieces, printer, progress, options)
    return replace(made, cover=kit.cover)


def assemble_parts(
    counts: Mapping[str, int],
    pieces: Mapping[str, Piece],
    printer: Printer,
    progress: Progress = quiet,
    options: BuildOptions = BuildOptions(),
    sizes: Mapping[str, PartSize] | None = None,
) -> Build:
    """Meshes, plates, estimates and rows of so many parts, of which some are owned.

    With `sizes` by piece no mesh is made.
    """
    if any(piece.grid != GRID for piece in pieces.values()):
        from falldamage_forge.geometry.scale import refuse_unmade

        refuse_unmade(pieces.values())
    meshes: dict[str, Mesh] = {}
    if sizes is None:
        from falldamage_forge.geometry.build import build_all

        meshes = build_all(pieces, printer, options.style or "plain", progress)
        sizes = {key: size_of(mesh) for key, mesh in meshes.items()}
    owned = allotted(counts, pieces, options.owned or {})
    shapes = {key: _shape(piece.builder, sizes[key]) for key, piece in pieces.items()}
    items = [
        _item(piece, sizes[key], max(counts[key] - owned.get(key, 0), 0), options.group_by)
        for key, piece in pieces.items()
    ]
    if options.share_g:
        weights = {key: grams(shapes[key], rates_of(printer, pieces[key].group)) for key in pieces}
        items = share(items, weights, printer, options.share_g)
    progress("packing plates")
    first = FIRST_GROUPS if options.group_by == "colour" else STAGE_ORDER
    plates = pack(items, printer, first)
    made = Build(
        Plan(()), counts, pieces, owned, plates, meshes, sizes, shapes, printer, options=options
    )
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
        machines=balance(
            [each.minutes + build.printer.start_minutes for each in figures],
            build.options.printers,
        ),
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
    rates = rates_of(printer)
    if minimise == "grams":
        return {key: grams(shape, rates) for key, shape in shapes.items()}
    return {key: part_seconds(shape, rates) / 60 for key, shape in shapes.items()}


def _bond(costs: Mapping[str, float] | None) -> float:
    """What a running seam may cost: a tenth of the cheapest block."""
    return 0.1 * min(costs.values()) if costs else 0.5


def shape_of(piece: Piece, mesh: Mesh) -> Shape:
    """What the estimate needs of a mesh in print pose."""
    return shape_from(mesh, piece.builder)


def shape_from(mesh: Mesh, builder: str) -> Shape:
    """The same of a mesh that is no piece's."""
    return _shape(builder, PartSize(measure(mesh)))


def _shape(builder: str, size: PartSize) -> Shape:
    own = size.measure
    height = own.size_mm[2]
    return Shape(own.volume_mm3, own.area_mm2, own.flat_mm2, height, builder, own.crease_mm)


def item_of(piece: Piece, mesh: Mesh, count: int, group_by: GroupBy) -> Item:
    """So many copies of a piece to pack, by its real mesh, knobs included."""
    return _item(piece, size_of(mesh), count, group_by)


def _item(piece: Piece, size: PartSize, count: int, group_by: GroupBy) -> Item:
    group = piece.group if group_by == "colour" else STAGES.get(piece.family, STAGE_ORDER[-1])
    return Item(piece.key, *size.measure.size_mm, count, group, size.outline)

"""Build pipeline: layout to plan, meshes, plates, estimates and lists of one print job.

Each unique piece is built once. The same layout, printer and options give the same job.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Literal

from falldamage_forge.board.tones import PALETTES
from falldamage_forge.builds.block_costs import Minimise, block_costs, seam_cost
from falldamage_forge.builds.part_features import features_by_key
from falldamage_forge.export.piece_list import ListRow, by_group
from falldamage_forge.geometry.mesh_properties import volume_below_mm3
from falldamage_forge.geometry.part_size import PartSize, size_of
from falldamage_forge.infra.lazy_dataclass import FrozenDict, dataclass
from falldamage_forge.infra.process_pool import copy_workers
from falldamage_forge.infra.progress import ProgressCallback, no_progress
from falldamage_forge.issues import refuse
from falldamage_forge.languages.translator import ENGLISH
from falldamage_forge.lengths import GRID
from falldamage_forge.maps.layout_plan import owned_parts, plan_layout
from falldamage_forge.pieces.bought import magnets_of
from falldamage_forge.pieces.extras import extra_parts
from falldamage_forge.pieces.family_roles import STAGE_ORDER, role_of
from falldamage_forge.pieces.model_keys import model_origin
from falldamage_forge.pieces.plan import PiecePlan
from falldamage_forge.pieces.stock import by_design
from falldamage_forge.pieces.variants import (
    allocate_owned_variants,
    assign_variants,
    distribute_variants,
)
from falldamage_forge.printing.colour_groups import FIRST
from falldamage_forge.printing.estimate import (
    estimate_plate,
    grams,
    rates_of,
    split_figures,
)
from falldamage_forge.printing.estimate_model import PartFeatures, PrintStatistics
from falldamage_forge.printing.filament_plan import (
    at_most_one_ams,
    plate_groups,
    share_filaments,
)
from falldamage_forge.printing.plate_sharing import merge_small_groups
from falldamage_forge.printing.plates import PackItem, Plate, pack
from falldamage_forge.printing.process import MAX_FILAMENTS, SHARED
from falldamage_forge.printing.schedule import assign_printers
from falldamage_forge.printing.tone_change import (
    ChangeBy,
    ToneChange,
    change_of,
    tone_of,
    with_change,
)
from falldamage_forge.printing.unprintable import require_printed

if TYPE_CHECKING:
    from falldamage_forge.export.project_template import ProjectTemplate
    from falldamage_forge.geometry.mesh import Mesh
    from falldamage_forge.geometry.piece_style import PieceStyle
    from falldamage_forge.geometry.ways_in import WaysReport
    from falldamage_forge.lang import Layout
    from falldamage_forge.pieces.catalogue import Catalogue
    from falldamage_forge.pieces.exact_cover import BlockCover
    from falldamage_forge.pieces.map_kit import MapKit
    from falldamage_forge.pieces.piece import Piece
    from falldamage_forge.printing.print_price import Price
    from falldamage_forge.printing.printer import Printer
    from falldamage_forge.printing.process import Process

GroupBy = Literal["colour", "stage"]
Formats = Literal["all", "3mf"]
ESTIMATE = "estimated"

DRAWN_WITH = (
    "falldamage_forge.render.build_sheets",
    "falldamage_forge.render.hand_drawings",
    "reportlab.pdfgen.canvas",
    "PIL.PngImagePlugin",
)
"""Modules that draw a job's pictures, in this process and in workers."""
TOP_SHARE = 0.4
"""Share of a part's level faces that is its top, about; the rest is ceilings and ledges."""


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """Options of a build.

    Attributes:
        owned: Owned parts by piece key, not printed; None uses the map's own stock.
        minimise: Cost that the block cover minimises; None is about the filament.
        bond: True to prefer covers without aligned seams.
        group_by: Property that all parts of one plate share; stages print in `STAGE_ORDER`.
        printers: Number of printers that share the plates.
        share_g: Groups below this weight in grams share plates; 0 for none.
        price: Price of filament; None omits costs.
        style: Relief of the pieces; None is plain.
        variants: Looks of each piece; neighbours get different ones where possible.
        rim: True for a frame with coordinates, even if the map asks for none.
        filaments: Most filaments that parts are printed in; None gives each group its own. With 1
            plates go by stage.
        template: Saved project whose settings the projects of its printer take; None for none.
        tops: Key of `PALETTES` for the colours of tops; empty takes the map's.
        change_by: Means of the change of filament below a coloured top.
        language: Name of the language of the build sheets.
        formats: Formats of parts and plates; `3mf` leaves out STL, and the order list that names
            STL files.
        licensed: True to leave out models of others whose blocks name no licence.
    """

    owned: Mapping[str, int] | None = None
    minimise: Minimise | None = None
    bond: bool = False
    group_by: GroupBy = "colour"
    printers: int = 1
    share_g: float = 0.0
    price: Price | None = None
    style: PieceStyle | None = None
    variants: int = 1
    rim: bool = False
    filaments: int | None = None
    template: ProjectTemplate | None = None
    tops: str = ""
    change_by: ChangeBy = "ams"
    language: str = ENGLISH
    formats: Formats = "all"
    licensed: bool = False


@dataclass(frozen=True, slots=True)
class PrintJob:
    """Parts, plates and estimates of a map or a kit, before they are written.

    Attributes:
        plan: The placements; empty for a kit.
        counts: Parts needed by piece key, owned ones included.
        pieces: The pieces by key.
        owned: Parts needed that are owned, by piece key.
        plates: The bed loads.
        meshes: Meshes in print pose by key; empty if sizes were given, then no file can be written.
        printed: The same with the ears that are torn off.
        sizes: Sizes in mm by key.
        shapes: Input of the estimate by key.
        printer: The printer.
        cover: The cover of the columns by blocks, if there is one.
        rows: The piece list.
        figures: Print statistics of each plate.
        machines: Number of the printer of each plate, from 1.
        source: Source of the statistics: `estimated` or the slicer's name.
        options: The options of the build.
        filaments: Groups that each filament prints, the most used first; empty if none are planned.
        tops_g: Grams of one part in the colour of its top, by key.
        ways: Parts that do not go straight down to their places; None without meshes or a plan.
    """

    plan: PiecePlan
    counts: Mapping[str, int]
    pieces: Mapping[str, Piece]
    owned: Mapping[str, int]
    plates: tuple[Plate, ...]
    meshes: dict[str, Mesh]
    printed: dict[str, Mesh]
    sizes: Mapping[str, PartSize]
    shapes: dict[str, PartFeatures]
    printer: Printer
    cover: BlockCover | None = None
    rows: tuple[ListRow, ...] = ()
    figures: tuple[PrintStatistics, ...] = ()
    machines: tuple[int, ...] = ()
    source: str = ESTIMATE
    options: BuildOptions = field(default=BuildOptions())
    filaments: tuple[tuple[str, ...], ...] = ()
    tops_g: Mapping[str, float] = FrozenDict()
    ways: WaysReport | None = None

    @property
    def magnets(self) -> dict[str, int]:
        """Magnets to buy for the parts that are printed, by the name of their size."""
        return magnets_of(to_print(self.counts, self.owned), self.pieces)


def to_print(counts: Mapping[str, int], owned: Mapping[str, int]) -> dict[str, int]:
    """Return how many parts of each key are printed: those that are not owned."""
    return {key: max(count - owned.get(key, 0), 0) for key, count in counts.items()}


def planned(
    layout: Layout, catalogue: Catalogue, printer: Printer, options: BuildOptions = BuildOptions()
) -> PiecePlan:
    """Return the piece plan of a layout under build options, with variants assigned.

    Args:
        layout: A legal layout.
        catalogue: Pieces of the layout's size.
        printer: The printer whose rates define the costs.
        options: The build's options.
    """
    owned = catalogue.keyed(owned_parts(layout)) if options.owned is None else options.owned
    broken = options.style is not None and options.style.broken
    if broken:
        owned = by_design(owned, catalogue.pieces)
    costs = block_costs(catalogue.blocks(), printer, options.minimise, style_of(options))
    bond = seam_cost(costs) if options.bond else 0.0
    return assign_variants(
        plan_layout(layout, catalogue, owned, costs, bond=bond),
        options.variants,
        broken=broken,
    )


def style_of(options: BuildOptions) -> PieceStyle | Literal["plain"]:
    """Return the style of a build's parts: no tree is dead where crowns have their own colour.

    Args:
        options: The build's options, with the tops of its map.
    """
    if options.style is None:
        return "plain"
    crowned = any(tone.has_crowns for tone in PALETTES.get(options.tops, ()))
    return options.style.in_leaf() if crowned else options.style


def build_map(
    layout: Layout,
    catalogue: Catalogue,
    printer: Printer,
    progress: ProgressCallback = no_progress,
    options: BuildOptions = BuildOptions(),
    sizes: Mapping[str, PartSize] | None = None,
    meshes: bool = True,
) -> PrintJob:
    """Return the print job of a legal layout.

    Args:
        layout: The layout.
        catalogue: Pieces of the layout's size.
        printer: The printer.
        progress: Progress callback.
        options: The build's options.
        sizes: Sizes by piece key; with them no mesh is made, and the job cannot be written.
        meshes: False makes meshes only of parts whose size is unknown; the job cannot be written.

    Raises:
        ForgeError: FDF433 or FDF434 if placed parts share volume or float, FDF440 if one has no
            way in.
    """
    if options.owned is None:
        options = replace(options, owned=catalogue.keyed(owned_parts(layout)))
    options = replace(options, tops=options.tops or layout.printing.tops)
    progress("dividing columns into blocks")
    parts = planned(layout, catalogue, printer, options)
    counts, pieces = _counted(layout, parts, catalogue, options)
    if sizes is None and not meshes:
        from falldamage_forge.geometry.piece_mesh import printed_sizes

        sizes = printed_sizes(pieces, printer, style_of(options), progress)
    made = assemble_parts(counts, pieces, printer, progress, options, sizes)
    if sizes is None:
        from falldamage_forge.geometry.assembly_check import refuse_clashes
        from falldamage_forge.geometry.ways_in import refuse_blocked
        from falldamage_forge.render.build_steps import building_order

        progress("putting it together")
        copy_workers(*DRAWN_WITH)
        refuse_clashes(parts.placements, made.meshes, printer)
        order = building_order(layout.board, parts.placements)
        made = replace(made, ways=refuse_blocked(parts.placements, order, made.meshes, printer))
    return replace(made, plan=parts, cover=parts.cover)


def plan_extras(layout: Layout, catalogue: Catalogue, rim: bool = False) -> dict[str, int]:
    """Return parts that stand on no tile, by piece key: the map's `extras` and its rim.

    Args:
        layout: The layout.
        catalogue: Pieces of the layout's size.
        rim: True for a rim even if the map asks for none.
    """
    extras = ((extra.piece, extra.count) for extra in layout.extras)
    return extra_parts(layout.board, catalogue, extras, rim=rim or layout.printing.rim)


def pieces_of(
    layout: Layout, catalogue: Catalogue, printer: Printer, options: BuildOptions
) -> dict[str, Piece]:
    """Return the pieces of a layout's print job by key; arguments as those of `build_map`.

    Args:
        layout: The map.
        catalogue: Pieces of the map's size.
        printer: The printer.
        options: Options of the build.
    """
    return _counted(layout, planned(layout, catalogue, printer, options), catalogue, options)[1]


def _counted(
    layout: Layout, parts: PiecePlan, catalogue: Catalogue, options: BuildOptions
) -> tuple[dict[str, int], dict[str, Piece]]:
    """Return counts and pieces of a plan together with the layout's extras."""
    more = plan_extras(layout, catalogue, options.rim)
    added, drawn = distribute_variants(
        more, {key: catalogue[key] for key in more}, options.variants
    )
    counts = Counter(parts.counts()) + Counter(added)
    pieces = {**parts.pieces(), **drawn}
    return dict(sorted(counts.items())), dict(sorted(pieces.items()))


def assemble_kit(
    kit: MapKit,
    printer: Printer,
    progress: ProgressCallback = no_progress,
    options: BuildOptions = BuildOptions(),
) -> PrintJob:
    """Return the print job of a kit's parts; its plan is empty.

    Args:
        kit: Parts of the kit, with its pieces.
        printer: The printer.
        progress: Is called with each step.
        options: Options of the build.
    """
    parts, pieces = distribute_variants(kit.parts, kit.pieces, options.variants)
    made = assemble_parts(parts, pieces, printer, progress, options)
    return replace(made, cover=kit.cover)


def assemble_parts(
    counts: Mapping[str, int],
    pieces: Mapping[str, Piece],
    printer: Printer,
    progress: ProgressCallback = no_progress,
    options: BuildOptions = BuildOptions(),
    sizes: Mapping[str, PartSize] | None = None,
) -> PrintJob:
    """Return meshes, plates, estimates and rows of some parts.

    Args:
        counts: Parts by piece key, owned ones included.
        pieces: The pieces by key.
        printer: The printer.
        progress: Progress callback.
        options: The build's options.
        sizes: Sizes by piece key; with them no mesh is made.

    Raises:
        ForgeError: FDF437 or FDF438 if a piece cannot be made in its size, FDF442 if the process
            cannot print it, FDF452 if there are too few filaments.
    """
    if any(piece.grid != GRID for piece in pieces.values()):
        from falldamage_forge.geometry.size_limits import require_printable

        require_printable(pieces.values())
    owned = allocate_owned_variants(counts, pieces, options.owned or {})
    prints = to_print({key: counts[key] for key in pieces}, owned)
    require_printed(pieces, prints, printer)
    meshes: dict[str, Mesh] = {}
    printed: dict[str, Mesh] = {}
    if sizes is None:
        from falldamage_forge.geometry.piece_mesh import as_printed, build_all

        meshes = build_all(pieces, printer, style_of(options), progress)
        printed = {key: as_printed(pieces[key], mesh) for key, mesh in meshes.items()}
        sizes = {key: size_of(mesh) for key, mesh in printed.items()}
    shapes = features_by_key(pieces, sizes, printer)
    each_g = {key: grams(shapes[key], rates_of(printer, pieces[key].group)) for key in pieces}
    filaments = planned_filaments(pieces, prints, each_g, options)
    groups, first = _plate_groups(pieces, filaments, printer.process, options)
    heads = {group: own[0] for own in filaments for group in own}
    changes = {
        key: change_of(piece, options.tops, heads.get(piece.group, piece.group), printer.process)
        for key, piece in pieces.items()
        if prints[key]
    }
    items = [
        replace(
            pack_item(pieces[key], sizes[key], prints[key], groups[key]), change=changes.get(key)
        )
        for key in pieces
    ]
    spools = filament_numbers(pieces, filaments)
    if options.share_g:
        items = merge_small_groups(items, each_g, printer, options.share_g, spools)
    if filaments:
        items = at_most_one_ams(items, spools)
    progress("packing plates")
    plates = pack(items, printer, first, _mixed_groups(items, pieces, spools))
    if filaments and not _by_stage(options):
        plates = tuple(_named_by_contents(plate, pieces) for plate in plates)
    made = PrintJob(
        PiecePlan(()),
        counts,
        pieces,
        owned,
        plates,
        meshes,
        printed,
        sizes,
        shapes,
        printer,
        options=options,
        filaments=filaments,
        tops_g={
            key: min(first_g(change, printer, sizes[key], printed.get(key)), each_g[key])
            for key, change in changes.items()
            if change
        },
    )
    return replace_figures(made, [estimate_plate(plate, shapes, printer) for plate in plates])


def planned_filaments(
    pieces: Mapping[str, Piece],
    prints: Mapping[str, int],
    each_g: Mapping[str, float],
    options: BuildOptions,
) -> tuple[tuple[str, ...], ...]:
    """Return the groups that each filament prints, the most used first; empty without a limit.

    The filaments of tops are not among them, but count.

    Args:
        pieces: The pieces by key.
        prints: Parts to print by key.
        each_g: Filament of one part in grams by key.
        options: The options of the build.

    Raises:
        ForgeError: FDF452 if there are too few filaments.
    """
    tones = {tone_of(piece, options.tops) for key, piece in pieces.items() if prints[key]} - {None}
    if options.filaments is None and not tones:
        return ()
    wanted = MAX_FILAMENTS if options.filaments is None else options.filaments
    if wanted <= len(tones):
        colours = "one colour takes 1" if not tones else f"tops take {len(tones)}, walls another"
        hint = f"`--filaments {len(tones) + 1}` is the least"
        raise refuse("FDF452", f"{wanted} filaments are too few: {colours}", hint)
    weights = dict.fromkeys((piece.group for piece in pieces.values()), 0.0)
    for key, piece in pieces.items():
        weights[piece.group] += each_g[key] * prints[key]
    return share_filaments(weights, wanted - len(tones))


def filament_numbers(
    pieces: Mapping[str, Piece], filaments: Sequence[Sequence[str]]
) -> dict[str, int]:
    """Return the number of the filament of each piece, from 1; none if none are planned.

    Args:
        pieces: Pieces by key.
        filaments: Colour groups of each filament, in the order of the slots.
    """
    numbers = {group: n for n, own in enumerate(filaments, start=1) for group in own}
    return {key: numbers[piece.group] for key, piece in pieces.items() if piece.group in numbers}


def _mixed_groups(
    items: Iterable[PackItem], pieces: Mapping[str, Piece], spools: Mapping[str, int]
) -> set[str]:
    """Return the groups of plates that hold parts of several filaments."""
    used: dict[str, set[str | int]] = {}
    for item in items:
        if item.count and item.change is None:
            spool = spools.get(item.key, pieces[item.key].group)
            used.setdefault(item.group, set()).add(spool)
    return {group for group, own in used.items() if len(own) > 1}


def _by_stage(options: BuildOptions) -> bool:
    """True if plates go by stage: in one colour, their order is all that is left to choose."""
    return options.group_by == "stage" or options.filaments == 1


def _named_by_contents(plate: Plate, pieces: Mapping[str, Piece]) -> Plate:
    """Return a plate named by those groups of its filament that lie on it."""
    held = {pieces[key].group for key in plate.counts()}
    return replace(plate, group=SHARED.join(g for g in plate.group.split(SHARED) if g in held))


def _plate_groups(
    pieces: Mapping[str, Piece],
    filaments: Sequence[Sequence[str]],
    process: Process,
    options: BuildOptions,
) -> tuple[dict[str, str], Sequence[str]]:
    """Return the group of plates of each piece, and the groups whose plates come first."""
    apart = process.own_mode_groups if filaments else ()
    shared = plate_groups(filaments, apart)
    if not _by_stage(options):
        groups = {key: shared.get(piece.group, piece.group) for key, piece in pieces.items()}
        return groups, [*dict.fromkeys(shared.values())] or FIRST
    stages = {key: role_of(piece.family).stage for key, piece in pieces.items()}
    own = {key: piece.group for key, piece in pieces.items() if piece.group in apart}
    return {**stages, **own}, STAGE_ORDER


def replace_figures(
    build: PrintJob, figures: Sequence[PrintStatistics], source: str = ESTIMATE
) -> PrintJob:
    """Return the job with other print statistics; rows and printer assignment follow from them.

    Args:
        build: The print job.
        figures: Statistics of each plate without its change, in the order of the plates.
        source: Their source, such as `PrusaSlicer`.
    """
    counts = build.counts
    figures = [
        with_change(each) if plate.change else each
        for plate, each in zip(build.plates, figures, strict=True)
    ]
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
            build.tops_g.get(key, 0.0) * (counts[key] - min(counts[key], build.owned.get(key, 0))),
            *model_origin(piece),
        )
        for key, piece in build.pieces.items()
    ]
    return replace(
        build,
        rows=tuple(row for own in by_group(rows).values() for row in own),
        figures=tuple(figures),
        machines=assign_printers(
            [each.minutes + build.printer.start_minutes for each in figures],
            build.options.printers,
        ),
        source=source,
    )


def first_g(
    change: ToneChange, printer: Printer, size: PartSize, mesh: Mesh | None = None
) -> float:
    """Return the grams of a part in the colour of its top, whose layers are solid.

    Args:
        change: The change of its plate.
        printer: Its constants.
        size: Size of the part; without a mesh a share of its level faces stands for the top.
        mesh: Mesh in print pose, if there is one.
    """
    volume_mm3 = TOP_SHARE * size.measure.flat_mm2 * change.first_mm
    if mesh is not None:
        volume_mm3 = volume_below_mm3(mesh, change.first_mm)
    return volume_mm3 * rates_of(printer).density_g_cm3 / 1000


def pack_item(piece: Piece, size: PartSize, count: int, group: str) -> PackItem:
    """Return copies of a piece as an item to pack, with the outline of its mesh.

    Args:
        piece: The piece.
        size: Size and outline of its mesh, in mm.
        count: Number of copies.
        group: Colour group; a plate holds one group.
    """
    return PackItem(piece.key, *size.measure.size_mm, count, group, size.outline)

"""Adoption: a model file measured, its scales proposed, its levels found, and its block written."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import refuse
from falldamage_forge.lang.model_block import MAX_TILES, ModelBlock
from falldamage_forge.models.model_scale import fitting_tiles, is_upside_down, proposals
from falldamage_forge.models.placed_model import ModelPose, PlacedModel, placed_model
from falldamage_forge.pieces.model_keys import section_ties, sections
from falldamage_forge.printing.plates import usable_mm

if TYPE_CHECKING:
    from falldamage_forge.geometry.model_overhangs import OverhangSum
    from falldamage_forge.geometry.model_part import ModelPart
    from falldamage_forge.geometry.standing_levels import Stand
    from falldamage_forge.lengths import PrintGrid
    from falldamage_forge.models.model_scale import Proposal
    from falldamage_forge.printing.printer import Printer


@dataclass(frozen=True, slots=True, eq=False)
class Adoption:
    """A model on its joint, as measured.

    Attributes:
        block: The model as a map asks for it, with the levels found.
        part: Its part, without studs.
        shown: Its part as it is printed.
        stands: Of each tile, row by row, the heights at which a base stands, the highest first.
        proposals: Scales under which it covers a few tiles.
        upside_down: True if it probably stands on its head.
        overhang: What of it overhangs farther than is printed without supports.
        digest: SHA-256 of the file.
    """

    block: ModelBlock
    part: ModelPart
    shown: ModelPart
    stands: tuple[tuple[Stand, ...], ...]
    proposals: tuple[Proposal, ...]
    upside_down: bool
    overhang: OverhangSum
    digest: str


def model_name(path: Path) -> str:
    """Return a name of the language for a file."""
    plain = re.sub(r"[^a-z0-9]+", "-", path.stem.lower()).strip("-")
    return plain if re.match("[a-z]", plain) else f"model-{plain}".strip("-")


def adopt(
    path: Path, wished: ModelBlock, tiles: tuple[int, int] | None, printer: Printer, grid: PrintGrid
) -> Adoption:
    """Return a model on its joint, with the levels that its tiles have.

    A model that is larger than the printer's bed is cut into the fewest parts that fit it.

    Args:
        path: The file.
        wished: Name, scale, unit, turn, flip, studs and licence; its levels are measured.
        tiles: (columns, rows) that it covers; None takes those that suit its size.
        printer: Printer that it is to fit.
        grid: Size of a tile and of a level, in mm.

    Raises:
        ForgeError: FDF294 and FDF510 to FDF515 for a file that cannot be adopted, FDF450 if it is
            higher than the printer.
    """
    from falldamage_forge.geometry.model_overhangs import model_overhangs
    from falldamage_forge.geometry.model_part import gap_mm, joined_model
    from falldamage_forge.geometry.piece_mesh import fit_of
    from falldamage_forge.geometry.standing_levels import standing_levels

    fit = fit_of(printer, grid)
    name, gap = path.name, gap_mm(fit)
    free = _free(path, name, wished, gap, grid.pitch_mm)
    size = free.size_mm
    own = free.size_mm if wished.scale == "fit" else _sized(free, wished, grid.pitch_mm)
    known = tuple(proposals(size, grid.pitch_mm, gap, MAX_TILES))
    cols, rows = tiles or _tiles(own, wished.scale, grid.pitch_mm, gap)
    parts = wished.parts if wished.parts != (1, 1) else parts_for((cols, rows), printer, grid)
    pose = ModelPose(
        cols, rows, wished.scale, wished.unit, wished.turn, wished.flip, False, gap, grid.pitch_mm
    )
    part = joined_model(path, name, pose, (), fit, parts)
    _require_height(name, float(part.solid.bounding_box()[5]), printer)
    cells = [(row, col) for row in range(rows) for col in range(cols)]
    stands = tuple(standing_levels(part.solid, cell, grid) for cell in cells)
    tops = tuple(own[0].level if own else -1 for own in stands)
    studs = wished.studs and any(top > 0 for top in tops)
    shown = joined_model(path, name, pose, tops, fit, parts) if studs else part
    overhang = model_overhangs(shown.full)
    supports = wished.supports or bool(overhang.layers)
    block = replace(
        wished, cols=cols, rows=rows, tops=tops, studs=studs, parts=parts, supports=supports
    )
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    upside = is_upside_down(part.placed.points, part.placed.faces)
    return Adoption(block, part, shown, stands, known, upside, overhang, digest)


def parts_for(tiles: tuple[int, int], printer: Printer, grid: PrintGrid) -> tuple[int, int]:
    """Return the fewest columns and rows of parts of a model, each of which lies on a bed.

    Args:
        tiles: Columns and rows of tiles of the model.
        printer: Printer with its bed, in mm.
        grid: Size of a tile, in mm.
    """
    most = tuple(int(side // grid.pitch_mm) for side in usable_mm(printer))
    counts = product(range(1, tiles[0] + 1), range(1, tiles[1] + 1))
    fitting = [each for each in counts if _lies(_largest(tiles, each), most)]
    return min(fitting, key=lambda each: (each[0] * each[1], each), default=tiles)


def _largest(tiles: tuple[int, int], parts: tuple[int, int]) -> tuple[int, ...]:
    return tuple(-(-side // count) for side, count in zip(tiles, parts, strict=True))


def _lies(tiles: tuple[int, ...], most: tuple[int, ...]) -> bool:
    """True if tiles lie on a bed of `most` tiles, turned or not."""
    return all(one <= other for one, other in zip(sorted(tiles), sorted(most), strict=True))


def _require_height(name: str, high_mm: float, printer: Printer) -> None:
    """Refuse a model whose part is higher than the printer (FDF450)."""
    if high_mm > printer.height_mm:
        message = f"`{name}` is {high_mm:.0f} mm high; {printer.title} prints"
        percent = int(100 * printer.height_mm / high_mm)
        hint = f"take a smaller scale, at most {percent} % of this one"
        raise refuse("FDF450", f"{message} {printer.height_mm:.0f} mm", hint)


def _free(path: Path, name: str, wished: ModelBlock, gap: float, pitch: float) -> PlacedModel:
    """Return a model in its own size, even if it fits no tiles."""
    wide = ModelPose(
        10_000, 10_000, "none", wished.unit, wished.turn, wished.flip, False, gap, pitch
    )
    return placed_model(path, name, wide, any_size=True)


def _sized(free: PlacedModel, wished: ModelBlock, pitch: float) -> tuple[float, float, float]:
    from falldamage_forge.models.model_scale import factor_of

    factor = factor_of(wished.scale, free.size_mm, (0.0, 0.0), pitch)
    wide, deep, high = (side * factor for side in free.size_mm)
    return wide, deep, high


def _tiles(
    size: tuple[float, float, float], scale: str, pitch: float, gap: float
) -> tuple[int, int]:
    if scale == "fit":
        return fitting_tiles(size)
    cols, rows = (max(1, -int(-(side + gap - 0.01) // pitch)) for side in size[:2])
    return min(cols, MAX_TILES), min(rows, MAX_TILES)


def report_lines(found: Adoption) -> Iterator[str]:
    """Yield the sentences about an adopted model."""
    placed, block = found.part.placed, found.block
    file = Path(block.path).name
    unit = f"taken for {placed.unit}" if placed.guessed else f"in {placed.unit}"
    yield f"{file}: {placed.kind}, {placed.triangles} triangles, {_mm(placed.file_mm)}, {unit}"
    yield from (f"  {each}" for each in _corrections(found))
    yield "scales that fit:"
    for each in found.proposals:
        yield f"  --scale {each.scale} --tiles {each.cols}x{each.rows}: {_mm(each.size_mm)}"
    yield f"on {block.cols}x{block.rows} tiles: {_mm(placed.size_mm)}"
    if found.part.plinth_mm:
        yield f"  it stands on a plinth of {found.part.plinth_mm:.1f} mm, which holds its joint"
    for number, stands in enumerate(found.stands):
        where = f"row {number // block.cols + 1}, column {number % block.cols + 1}"
        if not stands:
            yield f"  {where}: no base of 25 mm stands there"
        for stand in stands:
            yield f"  {where}: {stand.height_mm:.1f} mm, {_level(stand, block)}"
    yield from (f"  {each}" for each in (*_cut(found), *_supports(found)))


def notes(found: Adoption) -> Iterator[str]:
    """Yield what was changed in an adopted model, and what its user has to mind."""
    yield from _corrections(found)
    yield from _cut(found)
    yield from _supports(found)


def _corrections(found: Adoption) -> Iterator[str]:
    yield from (*found.part.placed.said, *found.part.placed.repair.done)
    if found.upside_down:
        yield "it seems to stand on its head: try `--flip`"


def _cut(found: Adoption) -> Iterator[str]:
    block = found.block
    cut = sections(block.cols, block.rows, block.parts)
    if len(cut) > 1:
        ties = sum(len(section_ties(own, block.rows, block.cols)) for own in cut) // 2
        yield (
            f"it is larger than the printer's bed: {len(cut)} parts, "
            f"joined by {ties} tie{'s' * (ties != 1)}"
        )


def _supports(found: Adoption) -> Iterator[str]:
    over = found.overhang
    if over.layers:
        area, most = f"{over.area_mm2:.0f} mm²", f"{over.worst_mm2:.0f} mm²"
        layers = f"{over.layers} layer{'s' * (over.layers != 1)}"
        yield (
            f"it needs supports: {area} overhang in {layers} from {over.low_mm:.1f} mm up, "
            f"most at {over.worst_mm:.1f} mm: {most}"
        )


def _level(stand: Stand, block: ModelBlock) -> str:
    if block.studs and stand.level > 0:
        return f"level {stand.level} by its stud"
    way = "above" if stand.over_mm >= 0 else "below"
    return f"{abs(stand.over_mm):.1f} mm {way} level {stand.level}"


def _mm(size: tuple[float, float, float]) -> str:
    return " x ".join(f"{side:.1f}" for side in size) + " mm"


def as_table(found: Adoption) -> dict[str, Any]:
    """Return an adopted model as the values of a JSON document."""
    placed, block = found.part.placed, found.block
    return {
        "file": Path(block.path).name,
        "sha256": found.digest,
        "format": placed.kind,
        "triangles": placed.triangles,
        "unit": placed.unit,
        "unit_guessed": placed.guessed,
        "file_mm": [round(side, 2) for side in placed.file_mm],
        "size_mm": [round(side, 2) for side in placed.size_mm],
        "open_edges": placed.repair.open_edges,
        "bodies": placed.repair.bodies,
        "overlap_mm3": round(placed.repair.overlap_mm3, 2),
        "corrections": [*placed.said, *placed.repair.done],
        "upside_down": found.upside_down,
        "overhang": found.overhang._asdict(),
        "plinth_mm": found.part.plinth_mm,
        "tiles": f"{block.cols}x{block.rows}",
        "parts": f"{block.parts[0]}x{block.parts[1]}",
        "scale": block.scale,
        "levels": list(block.tops),
        "stands": [[stand._asdict() for stand in stands] for stands in found.stands],
        "proposals": [each._asdict() for each in found.proposals],
    }

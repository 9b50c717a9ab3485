"""Writer of the parts that come with the package: `python -m falldamage_forge.cli.ship_parts`.

The parts are those of all preset maps with tiles of the usual size, for the default printer in the
default style, with their sizes, and the volumes that near parts of these maps share. Run it after
a change of a source that makes meshes; `tests/geometry/test_shipped_parts.py` fails until then.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from falldamage_forge import presets
from falldamage_forge.cli.map_argument import FORGE
from falldamage_forge.geometry import mesh_cache, shipped_parts
from falldamage_forge.infra import disk_cache
from falldamage_forge.infra.process_pool import Pool
from falldamage_forge.lengths import GRID

if TYPE_CHECKING:
    from falldamage_forge.pieces.piece import Piece, Placement
    from falldamage_forge.printing.printer import Printer

PRINTER, PROCESS = "a1-mini", "standard"
"""Printer and process of a user who chose none."""


def parts_to_ship() -> tuple[tuple[Piece, Printer], ...]:
    """Return the parts of all preset maps, each with its printer, in a fixed order."""
    from falldamage_forge.builds.pipeline import BuildOptions, pieces_of
    from falldamage_forge.cli.build_options import VARIANTS

    style = presets.load_style(presets.DEFAULT_STYLE)
    options = BuildOptions(style=style, variants=VARIANTS)
    found = {}
    for name in presets.map_names():
        map_ = FORGE.load(name)
        printer = FORGE.printer(map_, PRINTER, PROCESS)
        if map_.grid == GRID:  # parts of other sizes would make the package too large
            for piece in pieces_of(map_.layout, FORGE.catalogue(map_), printer, options).values():
                found[repr((piece, printer))] = (piece, printer)
    return tuple(found[key] for key in sorted(found))


def plans_to_ship() -> tuple[tuple[tuple[Placement, ...], Printer], ...]:
    """Return the placements of all preset maps with tiles of the usual size, with the printer."""
    from falldamage_forge.builds.pipeline import BuildOptions, planned
    from falldamage_forge.cli.build_options import VARIANTS

    options = BuildOptions(style=presets.load_style(presets.DEFAULT_STYLE), variants=VARIANTS)
    maps = [map_ for map_ in map(FORGE.load, presets.map_names()) if map_.grid == GRID]
    printers = [FORGE.printer(map_, PRINTER, PROCESS) for map_ in maps]
    return tuple(
        (planned(map_.layout, FORGE.catalogue(map_), printer, options).placements, printer)
        for map_, printer in zip(maps, printers, strict=True)
    )


def main() -> None:
    """Build every part and measure every pair without the cache, and write the file."""
    from falldamage_forge.geometry.assembly_check import SHIPPED_PAIRS, pack_volumes, pair_volumes
    from falldamage_forge.geometry.piece_mesh import entries_of

    style = presets.load_style(presets.DEFAULT_STYLE)
    calls = [partial(entries_of, piece, printer, style) for piece, printer in parts_to_ship()]
    disk_cache.disable()
    pool, entries, volumes = Pool(1), dict[str, bytes](), dict[bytes, Any]()
    try:
        for made in pool.map(calls):
            entries |= made
        for shared in pool.map(partial(pair_volumes, *plan, style) for plan in plans_to_ship()):
            volumes |= shared
    finally:
        pool.close()
    entries[SHIPPED_PAIRS] = pack_volumes(volumes)
    sources, libraries = mesh_cache.sources_version(), mesh_cache.library_versions()
    shipped_parts.FILE.write_bytes(shipped_parts.pack(sources, libraries, entries))


if __name__ == "__main__":
    main()

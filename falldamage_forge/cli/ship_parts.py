"""Writer of the parts that come with the package: `python -m falldamage_forge.cli.ship_parts`.

The parts are those of all preset maps with tiles of the usual size, for the default printer in the
default style, with all that a first build would work out about each: its size, its mesh for
pictures, its height field, and that its files were judged and read back. With them come the volumes
that near parts of these maps share. Run it after a change of a source that makes meshes, or reads
them back; `tests/geometry/test_shipped_parts.py` fails until then.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
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


def entries_to_ship(piece: Piece, printer: Printer) -> dict[str, bytes]:
    """Return all entries of a part in the default style, made without the cache.

    Args:
        piece: A piece of `parts_to_ship`.
        printer: Its printer.

    Raises:
        ForgeError: (FDF410 to FDF418) The part is not printable.
    """
    from falldamage_forge.export.roundtrip import SAME, reading, reading_key
    from falldamage_forge.export.threemf import mesh_segment
    from falldamage_forge.geometry.bed_adhesion import ears_key
    from falldamage_forge.geometry.mesh_cache import (
        cache_key,
        decode_cached_mesh,
        encode_cached_mesh,
    )
    from falldamage_forge.geometry.mesh_validation import SOUND, require_valid_stl, sound_key
    from falldamage_forge.geometry.piece_mesh import entries_of, fit_of
    from falldamage_forge.geometry.simplified_mesh import make_simplified, simplified_key
    from falldamage_forge.geometry.stl import write_stl
    from falldamage_forge.geometry.ways_in import field_entry, field_key
    from falldamage_forge.render.viewer_meshes import SCENE_MM, TOLERANCE_MM

    style, fit = presets.load_style(presets.DEFAULT_STYLE), fit_of(printer)
    entries = entries_of(piece, printer, style)
    mesh = decode_cached_mesh(entries[cache_key(piece, fit, style)])
    assert mesh is not None
    printed = decode_cached_mesh(entries.get(ears_key(mesh), b"")) or mesh
    for tolerance_mm in (TOLERANCE_MM, SCENE_MM):
        slim = make_simplified(mesh, tolerance_mm)
        entries[simplified_key(mesh, tolerance_mm)] = encode_cached_mesh(slim)
    entries[field_key(piece, mesh, fit)] = field_entry(piece, mesh, fit)
    stl, segment = write_stl(printed, piece.key), mesh_segment(printed)
    require_valid_stl(stl, printer, piece.key)
    if reading(segment, printed) != SAME:
        raise AssertionError(f"{piece.key} is not read back as it was written")
    return {
        **entries,
        sound_key(stl, printer): SOUND,
        reading_key(segment, printed): SAME,
    }


def main() -> None:
    """Build every part and measure every pair without the cache, and write the file."""
    from falldamage_forge.geometry.assembly_check import SHIPPED_PAIRS, pack_volumes, pair_volumes

    style = presets.load_style(presets.DEFAULT_STYLE)
    calls = [partial(entries_to_ship, piece, printer) for piece, printer in parts_to_ship()]
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
    # Under its name, by which a worker finds the calls.
    import_module("falldamage_forge.cli.ship_parts").main()

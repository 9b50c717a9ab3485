"""`fdforge cache`: show or clear the disk cache."""

from __future__ import annotations

import click

from falldamage_forge.cli.shared_options import flag
from falldamage_forge.cli.spoken_language import echo


@click.command()
@flag("--clear", help="Remove all entries.")
def command(clear: bool) -> None:
    """Show the size and folder of the cache of meshes and pictures, or clear it.

    A mesh is made again when its piece, its style, the printer's clearances or fdforge itself
    change; a picture when its content changes. The least recently used entries are removed first.
    FDFORGE_CACHE=off or --no-cache disables the cache, FDFORGE_CACHE_DIR moves it,
    FDFORGE_CACHE_MB sets its limit in megabytes.
    """
    from falldamage_forge.infra import disk_cache

    found = disk_cache.clear() if clear else disk_cache.stats()
    megabytes = found.size_bytes / 1e6
    what = "removed" if clear else "kept"
    about = f"{found.entries} meshes and pictures {what}, {megabytes:.1f} MB"
    if not clear:
        about += f" of at most {disk_cache.limit_bytes() / 1e6:g}"
    echo(f"{about}, in {disk_cache.folder()}")
    if not disk_cache.is_enabled():
        echo("the cache is disabled")

"""`fdforge cache`: show or clear the disk cache."""

from __future__ import annotations

from falldamage_forge.cli import option
from falldamage_forge.cli.spoken_language import echo


@option.command
def command(
    clear: bool = option.flag("Remove all entries.", de="Löscht alle Einträge."),
) -> None:
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

"""`fdforge cache`: meshes and pictures kept on disk."""

from __future__ import annotations

import click


@click.command()
@click.option("--clear", is_flag=True, help="Remove them all.")
def command(clear: bool) -> None:
    """Show where meshes and pictures are kept between runs and how many, or remove them.

    A mesh is made again when its piece, its style, the printer's gaps or the forge itself change;
    a picture when what it shows does. What was used longest ago goes when they are too many.
    FDFORGE_CACHE=off or --no-cache goes without; FDFORGE_CACHE_DIR keeps them elsewhere,
    FDFORGE_CACHE_MB says how many megabytes may be kept.
    """
    from falldamage_forge import cache

    found = cache.clear() if clear else cache.kept()
    megabytes = found.size_bytes / 1e6
    what = "removed" if clear else "kept"
    about = f"{found.entries} meshes and pictures {what}, {megabytes:.1f} MB"
    if not clear:
        about += f" of at most {cache.limit_bytes() / 1e6:g}"
    click.echo(f"{about}, in {cache.folder()}")
    if not cache.is_on():
        click.echo("the cache is switched off")

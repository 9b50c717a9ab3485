"""Rewrite a user's file in its own style: byte order mark and line ends stay."""

from __future__ import annotations

from pathlib import Path

from falldamage_forge.issues import refuse


def require_rewritable(path: Path, force: bool) -> None:
    """Raise ForgeError (FDF295) if a file is read-only and the user does not force it.

    Args:
        path: The file.
        force: True to write it all the same.
    """
    from falldamage_forge.infra.atomic_write import is_read_only

    if is_read_only(path) and not force:
        raise refuse("FDF295", f"`{path}` is read-only", "`--force` writes it all the same")


def rewrite(path: Path, text: str, force: bool) -> None:
    """Replace the text of a file; its byte order mark and its line ends stay.

    Args:
        path: The file.
        text: Its new text.
        force: True to write a read-only file, too.

    Raises:
        ForgeError: FDF295 if it is read-only or cannot be written.
    """
    from falldamage_forge.infra.atomic_write import write_file
    from falldamage_forge.infra.source_loader import display_name, read_bytes
    from falldamage_forge.infra.text_style import read_style

    require_rewritable(path, force)
    name = display_name(path)
    _, style = read_style(read_bytes(path, name), name)
    write_file(path, style.encode(text))

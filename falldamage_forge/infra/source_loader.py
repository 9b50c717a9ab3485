"""Source files: maps and their imports, of bounded size, UTF-8, within the map's folder."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path

from falldamage_forge.infra.plain_text import require_plain
from falldamage_forge.infra.user_paths import resolved
from falldamage_forge.issues import ForgeError, refuse

MAX_SOURCE_BYTES = 1_000_000
DOS_END = "\x1a"
"""Ctrl-Z, with which editors of DOS end a file."""


class SourceLoader:
    """Reads sources and records each text in `texts` by the name that issues use."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}

    def read_main(
        self, path: Path, hint: str = "`fdforge presets` lists maps to try"
    ) -> tuple[str, str]:
        """Return name and text of a file that the user names.

        Args:
            path: The file.
            hint: The hint if there is no such file; the usual one is of a map.

        Raises:
            ForgeError: FDF294 if the file cannot be read.
        """
        name = display_name(path)
        text = read_source(path, name, hint)
        self.texts[name] = text
        return name, text

    def importer(self, root: Path) -> Callable[[str, str], tuple[str, str]]:
        """Return the function that reads imports.

        Its arguments are the importing file and the relative path; it returns name and text.

        Args:
            root: Imports outside of this folder are refused (FDF294).
        """
        root = resolved(root)

        def read(importing: str, relative: str) -> tuple[str, str]:
            if Path(relative).is_absolute() or "\\" in relative or "\0" in relative:
                raise _unreadable(relative, "write a path relative to this file, with `/`")
            target = resolved(resolved(Path(importing)).parent / relative)
            if root not in target.parents:
                raise _unreadable(relative, "imports may not leave the folder of the map")
            name = display_name(target)
            text = read_source(target, relative, f"it is looked for beside `{importing}`")
            self.texts[name] = text
            return name, text

        return read


def display_name(path: Path) -> str:
    """Return the path relative to the working directory if it lies below, else as given."""
    try:
        return str(resolved(path).relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def _unreadable(name: str, why: str, hint: str | None = None) -> ForgeError:
    return refuse("FDF294", f"cannot read `{name}`: {why}", hint)


def read_text(path: Path, name: str, hint: str | None = None, most: int = MAX_SOURCE_BYTES) -> str:
    """Return the text of a regular file; every format carries it.

    Args:
        path: The file.
        name: Its name in messages.
        hint: The hint if there is no such file.
        most: Largest size in bytes.

    Raises:
        ForgeError: FDF294 if it is missing, no regular file, too large or not UTF-8; FDF007 if it
            holds a character that no format carries.
    """
    return require_plain(decode_text(read_bytes(path, name, hint, most), name, most=most), name)


def read_source(path: Path, name: str, hint: str | None = None) -> str:
    """Return the text of a map; the language reports what no format carries.

    Args:
        path: The file.
        name: Its name in messages.
        hint: The hint if there is no such file.

    Raises:
        ForgeError: FDF294 if it is missing, no regular file, over 1 MB or not UTF-8.
    """
    return decode_text(read_bytes(path, name, hint), name)


def read_bytes(
    path: Path, name: str, hint: str | None = None, most: int = MAX_SOURCE_BYTES
) -> bytes:
    """Return the content of a regular file.

    Args:
        path: The file.
        name: Its name in messages.
        hint: The hint if there is no such file.
        most: Largest size in bytes.

    Raises:
        ForgeError: FDF294 if it is missing, no regular file or too large.
    """
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise _unreadable(name, "it is not a regular file")
        with path.open("rb") as stream:
            data = stream.read(most + 1)
    except FileNotFoundError:
        raise _unreadable(name, "there is no such file", hint) from None
    except (OSError, ValueError) as error:
        raise _unreadable(name, getattr(error, "strerror", None) or str(error)) from None
    if len(data) > most:
        raise _unreadable(name, f"it is larger than {most // 1000} kB")
    return data


def decode_text(
    data: bytes, name: str, encoding: str = "utf-8", most: int = MAX_SOURCE_BYTES
) -> str:
    """Return the bytes of a source as text, without a byte order mark and a DOS end mark.

    Args:
        data: The file's content.
        name: Its name in messages.
        encoding: Its encoding.
        most: Largest size in bytes.

    Raises:
        ForgeError: FDF294 if it is too large or not in its encoding.
    """
    if len(data) > most:
        raise _unreadable(name, f"it is larger than {most // 1000} kB")
    try:
        return data.decode(encoding).removeprefix("\ufeff").rstrip(DOS_END)
    except UnicodeDecodeError as error:
        line = data.count("\n".encode(encoding), 0, error.start) + 1
        why = f"line {line} is not {encoding.upper()} text"
        raise _unreadable(name, why, "save it as UTF-8") from None

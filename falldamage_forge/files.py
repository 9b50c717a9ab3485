"""Texts from the disk: maps and what they import, bounded, UTF-8, within the map's folder."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path

from falldamage_forge.issues import ForgeError, refuse
from falldamage_forge.paths import resolved

MAX_SOURCE_BYTES = 1_000_000


class Sources:
    """The texts read so far by the name diagnostics call them, and the reader behind `import`."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}

    def read_main(self, path: Path) -> tuple[str, str]:
        """Name and text of a map given on the command line; ForgeError when it cannot be read."""
        name = display_name(path)
        text = read_text(path, name, "`fdforge presets` lists maps to try")
        self.texts[name] = text
        return name, text

    def importer(self, root: Path) -> Callable[[str, str], tuple[str, str]]:
        """A reader for imports relative to the importing file, never outside `root`'s tree."""
        root = resolved(root)

        def read(importing: str, relative: str) -> tuple[str, str]:
            if Path(relative).is_absolute() or "\\" in relative or "\0" in relative:
                raise _unreadable(relative, "write a path relative to this file, with `/`")
            target = resolved(resolved(Path(importing)).parent / relative)
            if root not in target.parents:
                raise _unreadable(relative, "imports may not leave the folder of the map")
            name = display_name(target)
            text = read_text(target, relative, f"it is looked for beside `{importing}`")
            self.texts[name] = text
            return name, text

        return read


def display_name(path: Path) -> str:
    """The path as people would write it: relative to where they stand if it is below."""
    try:
        return str(resolved(path).relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def _unreadable(name: str, why: str, hint: str | None = None) -> ForgeError:
    return refuse("FDF294", f"cannot read `{name}`: {why}", hint)


def read_text(path: Path, name: str, hint: str | None = None) -> str:
    """UTF-8 text of a regular file of bounded size; ForgeError (FDF294) otherwise."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise _unreadable(name, "it is not a regular file")
        if status.st_size > MAX_SOURCE_BYTES:
            raise _unreadable(name, f"it is larger than {MAX_SOURCE_BYTES // 1000} kB")
        with path.open("rb") as stream:
            data = stream.read(MAX_SOURCE_BYTES + 1)
    except FileNotFoundError:
        raise _unreadable(name, "there is no such file", hint) from None
    except (OSError, ValueError) as error:
        raise _unreadable(name, getattr(error, "strerror", None) or str(error)) from None
    return decode_text(data, name)


def decode_text(data: bytes, name: str) -> str:
    """Bytes of a source as text; ForgeError (FDF294) when too long or not UTF-8."""
    if len(data) > MAX_SOURCE_BYTES:
        raise _unreadable(name, f"it is larger than {MAX_SOURCE_BYTES // 1000} kB")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _unreadable(name, f"line {line} is not UTF-8 text", "save it as UTF-8") from None

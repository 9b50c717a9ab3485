"""The file of a studio: saved atomically, never over another program's change."""

from __future__ import annotations

from pathlib import Path

from falldamage_forge.infra.atomic_write import compare_and_swap_file
from falldamage_forge.infra.source_loader import decode_text, display_name, read_source
from falldamage_forge.infra.user_paths import resolved


class MapFile:
    """A file and its last known text. Methods raise ForgeError (FDF294, FDF295)."""

    def __init__(self, path: Path) -> None:
        self.path = resolved(path)
        self.name = display_name(path)
        self.text = read_source(self.path, self.name)
        self._known = self._seen = self.path.read_bytes()
        self._stamp = self._look()

    def _look(self) -> tuple[int, int, int] | None:
        try:
            status = self.path.stat()
        except OSError:
            return None
        return status.st_mtime_ns, status.st_size, status.st_ino

    @property
    def gone(self) -> bool:
        """True if the file does not exist: it was renamed or deleted."""
        return self._look() is None

    def foreign(self) -> str | None:
        """Return the text that another program has written since; None if it is unchanged.

        A deleted file counts as unchanged: the next save creates it.
        """
        stamp = self._look()
        if stamp is None or stamp == self._stamp:
            return None
        self._seen = self.path.read_bytes()
        text = decode_text(self._seen, self.name)
        self._stamp = stamp
        if text != self.text:
            return text
        self._known = self._seen
        return None

    def accept(self) -> None:
        """Take the file's present text as known, so that it may be replaced."""
        self._known, self.text = self._seen, decode_text(self._seen, self.name)

    def save(self, text: str) -> str | None:
        """Write a text atomically, unless another program has written since.

        Returns:
            None if the text was saved, else the other program's text.

        Raises:
            ForgeError: FDF294 or FDF295 if the file cannot be read or written.
        """
        if text == self.text and self.path.exists():
            return self.foreign()
        data = text.encode()
        found = compare_and_swap_file(self.path, data, self._known)
        if found is not None:
            self._seen, self._stamp = found, self._look()
            return decode_text(found, self.name)
        self.text, self._known, self._stamp = text, data, self._look()
        return None

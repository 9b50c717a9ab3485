"""The one file that a studio works on: saved in one step, never over somebody else's change."""

from __future__ import annotations

from pathlib import Path

from falldamage_forge.files import decode_text, display_name, read_text
from falldamage_forge.paths import resolved
from falldamage_forge.staging import swap_file


class MapFile:
    """A file, and the text that it is known to hold. Raises ForgeError (FDF294, FDF295)."""

    def __init__(self, path: Path) -> None:
        self.path = resolved(path)
        self.name = display_name(path)
        self.text = read_text(self.path, self.name)
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
        """Whether no file is there: it was renamed, or removed."""
        return self._look() is None

    def foreign(self) -> str | None:
        """The text that another hand has put there since; None when it is as it was left.

        A file that is gone is no text: the next save makes it again.
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
        """What another hand has put there is known from now on, and may be replaced."""
        self._known, self.text = self._seen, decode_text(self._seen, self.name)

    def save(self, text: str) -> str | None:
        """Put a text there in one step, unless another hand has written: what it wrote is answered.

        ForgeError (FDF294, FDF295) where it cannot be written, or holds no text.
        """
        if text == self.text and self.path.exists():
            return self.foreign()
        data = text.encode()
        found = swap_file(self.path, data, self._known)
        if found is not None:
            self._seen, self._stamp = found, self._look()
            return decode_text(found, self.name)
        self.text, self._known, self._stamp = text, data, self._look()
        return None

"""Encoding, byte order mark and line ends of a text file, so that a changed file keeps them.

Editors on Windows write a byte order mark and CRLF, spreadsheets UTF-16. Callers: commands that
write a user's file again (`edit --write`, `fmt`, `stock add`), and readers of tables.
"""

from __future__ import annotations

import codecs
import re

from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.infra.source_loader import decode_text

_UTF_16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_LINE_END = re.compile(r"\r?\n")


@dataclass(frozen=True, slots=True)
class TextStyle:
    """How a file writes its text.

    Attributes:
        mark: Its byte order mark, or none.
        encoding: Name of its encoding.
        newline: CRLF if all lines end so, else a line feed.
    """

    mark: bytes = b""
    encoding: str = "utf-8"
    newline: str = "\n"

    def encode(self, text: str) -> bytes:
        """Return the bytes of a text in this style; line feeds become `newline`."""
        if self.newline != "\n":
            text = _LINE_END.sub(self.newline, text)
        return self.mark + text.encode(self.encoding)


def read_style(data: bytes, name: str) -> tuple[str, TextStyle]:
    """Return the text of a file, with line feeds where all lines end in CRLF, and its style.

    Args:
        data: The file's content: UTF-8, or UTF-16 with a byte order mark.
        name: Its name in messages.

    Raises:
        ForgeError: FDF294 if it is too large or no text.
    """
    mark, encoding = b"", "utf-8"
    if data.startswith(codecs.BOM_UTF8):
        mark = codecs.BOM_UTF8
    for start, wide in _UTF_16.items():
        if data.startswith(start):
            mark, encoding = start, wide
    text = decode_text(data, name, encoding)
    ends = text.count("\n")
    is_crlf = ends > 0 and text.count("\r\n") == ends
    newline = "\r\n" if is_crlf else "\n"
    return text.replace("\r\n", "\n") if is_crlf else text, TextStyle(mark, encoding, newline)

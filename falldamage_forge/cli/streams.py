"""Standard streams that escape invisible characters.

All output of commands, click and libraries passes through a `VisibleStream`. A terminal still gets
the colours and the progress line of fdforge.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import Any, TextIO, cast

from falldamage_forge.infra.visible_text import visible

_OWN = re.compile(r"(\r?\x1b\[(?:K|[01]|1;3[136]|34|[34]8;2;\d+;\d+;\d+)m?)")
"""Permitted escape sequences of `diagnostics.text_formatter`, `render.terminal` and
`cli.progress_bar`.
"""


class VisibleStream:
    """A text stream whose `write` makes text visible; all else is that of the wrapped stream."""

    def __init__(self, behind: TextIO) -> None:
        self._behind = behind

    def write(self, text: str) -> int:
        """Write visible text; return the length of the given text."""
        own = self._behind.isatty()
        parts = _OWN.split(text) if own else [text]
        self._behind.write("".join(p if n % 2 else visible(p) for n, p in enumerate(parts)))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._behind, name)


@contextmanager
def visible_streams() -> Iterator[None]:
    """Replace standard output and standard error by visible streams."""
    out, err = (cast(TextIO, VisibleStream(stream)) for stream in (sys.stdout, sys.stderr))
    with redirect_stdout(out), redirect_stderr(err):
        yield

"""The one way out of the command line: streams that spell out unseen characters.

Everything that a command, click or a library writes to standard output and standard error passes
through a `VisibleStream`. A terminal still gets the forge's own colours and its progress line.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import Any, TextIO, cast

from falldamage_forge.visible import visible

_OWN = re.compile(r"(\r?\x1b\[(?:K|[01]|1;3[136]|34|[34]8;2;\d+;\d+;\d+)m?)")
"""Sequences of `diagnostics.text`, `render.terminal` and `cli.waiting`; they do no harm."""


class VisibleStream:
    """A text stream whose `write` makes text visible; all else is the stream's behind it."""

    def __init__(self, behind: TextIO) -> None:
        self._behind = behind

    def write(self, text: str) -> int:
        """Write visible text; the length is that of the text given."""
        own = self._behind.isatty()
        parts = _OWN.split(text) if own else [text]
        self._behind.write("".join(p if n % 2 else visible(p) for n, p in enumerate(parts)))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._behind, name)


@contextmanager
def visible_streams() -> Iterator[None]:
    """Let nothing unseen reach standard output or standard error."""
    out, err = (cast(TextIO, VisibleStream(stream)) for stream in (sys.stdout, sys.stderr))
    with redirect_stdout(out), redirect_stderr(err):
        yield

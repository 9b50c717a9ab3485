"""Standard streams that escape invisible characters, and swallow where there is no stream.

All output of commands, click and libraries passes through a `VisibleStream`. A terminal still gets
the colours and the progress line of fdforge. A closed or missing stream, as under cron, a service
or `pythonw`, swallows what is written and reads as empty.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
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
    """Replace standard output and standard error by visible streams, and all missing streams."""
    _reserve_descriptors()
    before = sys.stdin
    out, err = (
        cast(TextIO, VisibleStream(stream if _is_open(stream) else _empty("w")))
        for stream in (sys.stdout, sys.stderr)
    )
    if not _is_open(before):
        sys.stdin = _empty("r")
    try:
        with redirect_stdout(out), redirect_stderr(err):
            yield
    finally:
        sys.stdin = before


def _is_open(stream: TextIO | None) -> bool:
    return stream is not None and not stream.closed


def _empty(mode: str) -> TextIO:
    """Return a stream that swallows, or that is at its end."""
    return cast(TextIO, Path(os.devnull).open(mode, encoding="utf-8"))


def _reserve_descriptors() -> None:
    """Open the null device as each closed standard descriptor.

    Else the next file that is opened gets its number, and a program that is called writes into it.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            # The lowest free number is taken, which is this one.
            os.open(os.devnull, os.O_RDWR)

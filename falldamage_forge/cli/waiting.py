"""A bar with n of m and the time left on a terminal, now and then a plain line elsewhere."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TextIO

from falldamage_forge.visible import visible

BAR = 24
"""Characters of the bar."""
PATIENCE_S = 5.0
"""Where nobody sees a bar a line is told so long after the last."""
SURE_S = 1.0
"""The time left is told after so long: before that it is a guess."""


def time_left(elapsed_s: float, done: int, of: int) -> str:
    """`8 s left`, `3 min left`; empty where it cannot be known yet."""
    if not done or elapsed_s < SURE_S:
        return ""
    left_s = elapsed_s / done * (of - done)
    return f"{left_s:.0f} s left" if left_s < 90 else f"{left_s / 60:.0f} min left"


def bar_line(what: str, done: int, of: int, elapsed_s: float, width: int) -> str:
    """One line of at most `width` characters, such as `[###---] 12 of 47  making …  8 s left`."""
    if not of:
        return what[:width]
    full = BAR * done // of
    left = time_left(elapsed_s, done, of)
    count = f"[{'#' * full}{'-' * (BAR - full)}] {done} of {of}"
    return "  ".join(part for part in (count, left, what) if part)[:width]


def plain_line(what: str, done: int, of: int, elapsed_s: float) -> str:
    """The same for a log, without a bar."""
    count = f"{done} of {of}" if of else ""
    told = ", ".join(part for part in (count, time_left(elapsed_s, done, of)) if part)
    return f"{what} ({told})" if told else what


@dataclass
class Waiting:
    """Tells one person of one thing after another.

    A stage is what has one number of things to do; its time left is its own. Without a `stream`
    it is the error stream as it is then.
    """

    stream: TextIO | None = None
    clock: Callable[[], float] = time.monotonic
    _of: int = -1
    _done: int = 0
    _begun: float = 0.0
    _told: float | None = None
    _shown: bool = field(default=False)

    def tell(self, what: str, done: int = 0, of: int = 0) -> None:
        """Show what is done now; nothing at all ends it."""
        now, what = self.clock(), visible(what)
        done = min(done, of)
        if not what:
            self.clear()
            return
        if of != self._of or done < self._done:
            self._of, self._begun = of, now
        self._done = done
        stream = self.stream or sys.stderr
        if stream.isatty():
            width = shutil.get_terminal_size().columns - 1
            line = bar_line(what, done, of, now - self._begun, width)
            stream.write(f"\r\033[K{line}")
            self._shown = True
        elif self._told is None:
            self._told = now
        elif now - self._told >= PATIENCE_S:
            stream.write(plain_line(what, done, of, now - self._begun) + "\n")
            self._told = now
        stream.flush()

    def clear(self) -> None:
        """Take the line away, so that what follows stands alone."""
        if self._shown:
            stream = self.stream or sys.stderr
            stream.write("\r\033[K")
            stream.flush()
        self._shown, self._of, self._told = False, -1, None


show_progress = Waiting().tell
"""What every command tells while it works, on the error stream; "" when it is done."""

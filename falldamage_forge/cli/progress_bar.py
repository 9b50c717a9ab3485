"""Progress bar on a terminal; elsewhere a plain line now and then."""

from __future__ import annotations

import shutil
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import field
from typing import TextIO

from falldamage_forge.cli.spoken_language import wished_say
from falldamage_forge.cli.stream_abilities import takes_escapes
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.infra.visible_text import visible

BAR = 24
"""Width of the bar in characters."""
PATIENCE_S = 5.0
"""Seconds between plain lines without a terminal."""
BEAT_S = 1.0
"""Seconds without a word on a terminal after which the line is shown again, with the time."""
SURE_S = 1.0
"""Seconds after which the remaining time is shown; before that it is a guess."""


def time_left(elapsed_s: float, done: int, total: int) -> str:
    """Return `8 s left` or `3 min left`; empty if it cannot be estimated.

    Args:
        elapsed_s: Seconds since the step began.
        done: Parts done.
        total: Parts in all.
    """
    if not done or elapsed_s < SURE_S:
        return ""
    left_s = elapsed_s / done * (total - done)
    return f"{left_s:.0f} s left" if left_s < 90 else f"{left_s / 60:.0f} min left"


def progress_parts(what: str, done: int, total: int, elapsed_s: float) -> tuple[str, ...]:
    """Return step, count and time left in the language of this call, without unknown ones.

    Args:
        what: The current step.
        done: Steps finished.
        total: All steps; 0 if unknown.
        elapsed_s: Seconds since the first step.
    """
    count = f"{done} of {total}" if total else ""
    left = time_left(elapsed_s, done, total) if total else ""
    return tuple(map(wished_say(), (what, *filter(None, (count, left)))))


def bar_line(parts: Sequence[str], done: int, total: int, width: int) -> str:
    """Return one line such as `[###---] 12 of 47  8 s left  making …`.

    Args:
        parts: Step, count and time left.
        done: Steps finished.
        total: All steps; 0 for no bar.
        width: Greatest length in characters.
    """
    what, *details = parts
    if not total:
        return what[:width]
    full = BAR * done // total
    bar = f"[{'#' * full}{'-' * (BAR - full)}]"
    return f"{bar} {'  '.join((*details, what))}"[:width]


def plain_line(parts: Sequence[str]) -> str:
    """Return the line for a log, such as `making … (12 of 47, 8 s left)`."""
    what, *details = parts
    return f"{what} ({', '.join(details)})" if details else what


@dataclass
class ProgressBar:
    """Shows the progress of successive stages; each has its own number of steps and time left.

    Without a `stream` it writes to the present standard error. With `beats` a thread shows how long
    the present step takes, so that a terminal is never silent.
    """

    stream: TextIO | None = None
    clock: Callable[[], float] = time.monotonic
    beats: bool = False
    _of: int = -1
    _done: int = 0
    _begun: float = 0.0
    _shown_s: float | None = None
    _shown: bool = field(default=False)
    _line: str = ""
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _quiet: threading.Event | None = None

    def tell(self, what: str, done: int = 0, of: int = 0) -> None:
        """Show a step (a `ProgressCallback`); an empty text ends the bar.

        Args:
            what: Name of the step.
            done: Parts done.
            of: Parts in all; 0 if they are not known.
        """
        from falldamage_forge.infra.interrupts import answer_soon

        now, what = self.clock(), visible(what)
        done = min(done, of)
        if not what:
            self.clear()
            return
        answer_soon()
        if of != self._of or done < self._done:
            self._of, self._begun = of, now
        self._done = done
        parts = progress_parts(what, done, of, now - self._begun)
        stream = self.stream or sys.stderr
        if takes_escapes(stream):
            width = shutil.get_terminal_size().columns - 1
            self._show(bar_line(parts, done, of, width))
        elif self._shown_s is None:
            self._shown_s = now
        elif now - self._shown_s >= PATIENCE_S:
            stream.write(f"{plain_line(parts)}\n")
            self._shown_s = now
        stream.flush()

    def clear(self) -> None:
        """Erase the line, so that other output starts at its beginning."""
        if self._quiet is not None:
            self._quiet.set()
            self._quiet = None
        if self._shown:
            with self._lock:
                self._write("")
        self._shown, self._of, self._shown_s = False, -1, None

    def _show(self, line: str) -> None:
        """Write a line over the last one, and let it beat."""
        with self._lock:
            self._line, self._shown = line, True
            self._shown_s = self.clock()
            self._write(line)
        if self.beats and self._quiet is None:
            self._quiet = threading.Event()
            threading.Thread(target=self._beat, args=(self._quiet,), daemon=True).start()

    def _write(self, line: str) -> None:
        stream = self.stream or sys.stderr
        stream.write(f"\r\033[K{line}")
        stream.flush()

    def _beat(self, quiet: threading.Event) -> None:
        """Show the line again with the seconds of its step whenever nothing else was shown."""
        while not quiet.wait(BEAT_S):
            with self._lock, suppress(OSError, ValueError):
                taken_s = self.clock() - (self._shown_s or 0.0)
                if taken_s >= BEAT_S and not quiet.is_set():
                    width = shutil.get_terminal_size().columns - 1
                    time_text = f"  {taken_s:.0f} s"
                    self._write(f"{self._line[: width - len(time_text)]}{time_text}")


show_progress = ProgressBar(beats=True).tell
"""Progress callback of every command, on standard error; "" ends it."""

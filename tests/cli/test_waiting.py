"""What is told while something takes its time: a bar on a terminal, plain lines elsewhere."""

import io
import re

from hypothesis import given
from hypothesis import strategies as st

from falldamage_forge.cli.progress_bar import (
    PATIENCE_S,
    ProgressBar,
    bar_line,
    progress_parts,
    time_left,
)
from falldamage_forge.cli.spoken_language import wish
from falldamage_forge.infra.progress import track
from falldamage_forge.search.map_elites import SearchConfig, whole_batches


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def told(stream: io.StringIO, seconds: float) -> str:
    """Ten things of which each takes so long, then the end."""
    now = [0.0]
    waiting = ProgressBar(stream, lambda: now[0])
    for _ in track(range(10), "making {}", waiting.tell):
        now[0] += seconds
    waiting.tell("")
    return stream.getvalue()


def test_a_terminal_sees_one_line_that_changes_and_goes() -> None:
    lines = told(Terminal(), 2.0).split("\r\033[K")
    assert lines[1] == "[------------------------] 0 of 10  making 0"
    assert lines[6] == "[############------------] 5 of 10  10 s left  making 5"
    assert lines[-1] == ""
    assert "\n" not in "".join(lines)


def test_a_log_gets_plain_lines_and_only_where_it_takes_long() -> None:
    assert told(io.StringIO(), PATIENCE_S / 20) == ""
    lines = told(io.StringIO(), 2.0).splitlines()
    assert lines == ["making 3 (3 of 10, 14 s left)", "making 6 (6 of 10, 8 s left)",
                     "making 9 (9 of 10, 2 s left)"]  # fmt: skip


@given(st.text(max_size=90), st.integers(0, 500), st.floats(0, 1e5), st.integers(20, 200))
def test_a_line_never_wraps(what: str, done: int, seconds: float, width: int) -> None:
    parts = progress_parts(what, done, 500, seconds)
    assert len(bar_line(parts, done, 500, width)) <= width


def test_progress_speaks_the_chosen_language() -> None:
    stream = Terminal()
    wish("de")
    try:
        ProgressBar(stream).tell("packing plates", 3, 4)
    finally:
        wish("en")
    assert stream.getvalue().endswith("] 3 von 4  packe Platten")


def test_progress_shows_the_time_left_once_known() -> None:
    assert time_left(0.5, 3, 9) == ""
    assert time_left(10, 0, 9) == ""
    assert time_left(10, 5, 10) == "10 s left"
    assert time_left(60, 1, 11) == "10 min left"


@given(st.lists(st.tuples(st.integers(0, 300), st.integers(0, 200), st.floats(0, 50)), max_size=9))
def test_progress_never_passes_its_total_nor_goes_negative(
    stages: list[tuple[int, int, float]],
) -> None:
    """Whatever a command counts, on a terminal and in a log."""
    for stream in (Terminal(), io.StringIO()):
        now = [0.0]
        waiting = ProgressBar(stream, lambda now=now: now[0])
        for done, of, seconds in stages:
            now[0] += seconds
            waiting.tell("making", done, of)
        shown = stream.getvalue()
        assert all(int(done) <= int(of) for done, of in re.findall(r"(\d+) of (\d+)", shown))
        assert not re.search(r"(?<!-)-\d", shown)


@given(st.integers(1, 5000), st.integers(1, 500))
def test_a_search_counts_the_maps_of_its_whole_batches(evaluations: int, batch: int) -> None:
    most = whole_batches(SearchConfig(0, batch, None, evaluations))
    assert evaluations <= most < evaluations + batch
    assert most % batch == 0

"""What every test shares: no deadlines on shared machines, more examples when asked for.

Nobody's own settings, meshes and drafts are read or written: all are kept in a folder of the run.
"""

import atexit
import ctypes
import gc
import os
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import click
import pytest
from hypothesis import settings

from falldamage_forge.cli.spoken_language import wish
from falldamage_forge.issues import Issue
from falldamage_forge.issues.code_tables import codes
from tests import selection
from tests.amount import EXHAUSTIVE
from tests.hanging import pytest_runtest_protocol, pytest_xdist_make_scheduler

__all__ = ["pytest_runtest_protocol", "pytest_xdist_make_scheduler"]
# The same commit gets the same verdict from CI; everybody else's runs look elsewhere each time.
settings.register_profile(
    "default run", deadline=None, max_examples=60, derandomize="CI" in os.environ
)
settings.register_profile("exhaustive", deadline=None, max_examples=2000)
settings.load_profile("exhaustive" if EXHAUSTIVE else "default run")
if EXHAUSTIVE:  # a test that asks everything may take an hour and a half, before it counts as hung
    os.environ.setdefault("PYTEST_TIMEOUT", "5400")

# Workers and commands inherit it, so a mesh is made once a run. Who began it takes it away.
if "FORGE_TEST_HOME" not in os.environ:
    os.environ["FORGE_TEST_HOME"] = tempfile.mkdtemp(prefix="forge-test-")
    atexit.register(shutil.rmtree, os.environ["FORGE_TEST_HOME"], ignore_errors=True)
_HOME = Path(os.environ["FORGE_TEST_HOME"])
_LIBC = ctypes.CDLL(None)
_CONFIG = _HOME / "config" / os.environ.get("PYTEST_XDIST_WORKER", "one")
os.environ["FDFORGE_CONFIG_DIR"] = str(_CONFIG)
os.environ["LC_ALL"] = "C.UTF-8"  # a tester's own language is none of the tests'
os.environ["FDFORGE_CACHE_DIR"] = str(_HOME / "meshes")
os.environ["FDFORGE_HELPERS"] = "0"  # every processor has tests to run
# What one process compiled the next reads, also where the environment would not have it kept.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
os.environ["FDFORGE_DRAFTS_DIR"] = str(_HOME / "drafts")
if not EXHAUSTIVE:
    os.fsync = lambda _: None  # no file of a test has to outlive a power cut; slow disks take long


@pytest.fixture(autouse=True)
def _no_language_is_left() -> None:
    """A test that calls a part of a command would speak as the last call in this process did."""
    wish(None)


@pytest.fixture(autouse=True)
def _no_settings_are_left() -> Iterator[None]:
    """Settings that a test leaves would change what later tests build."""
    yield
    left = _CONFIG.exists()
    shutil.rmtree(_CONFIG, ignore_errors=True)
    assert not left, "give the test its own FDFORGE_CONFIG_DIR"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Offer the runs of `tests/selection.py`."""
    parser.addoption("--run", choices=selection.RUNS, help="cases that run: see tests/selection.py")
    parser.addoption(
        "--write-seconds", action="store_true", help="note what each test takes, for later runs"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Take the short run, unless files or words choose the tests."""
    given = config.option
    if given.run is None:
        named = config.args_source is not pytest.Config.ArgsSource.TESTPATHS
        chosen = named or given.keyword or given.markexpr or "FORGE_ACCEPT" in os.environ
        given.run = "all" if chosen or EXHAUSTIVE else "short"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the cases of other runs out; long files begin first, so that no worker ends alone."""
    seconds = selection.read_seconds()
    smoke, long = (
        {item.nodeid for item in items if item.get_closest_marker(mark)}
        for mark in ("smoke", "long")
    )
    alone = set(map(selection.function_of, long))
    nodeids = [item.nodeid for item in items]
    taken = selection.chosen(nodeids, config.option.run, seconds, alone, smoke)
    left = [item for item in items if item.nodeid not in taken]
    if left:
        items[:] = [item for item in items if item.nodeid in taken]
        config.hook.pytest_deselected(items=left)
    by_file = selection.seconds_by_file(seconds, (item.nodeid for item in items))
    items.sort(key=lambda item: -by_file[item.nodeid.partition("::")[0]])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Keep what each test took if that is asked; name what makes a short run long."""
    taken = Counter[str]()
    for report in chain.from_iterable(terminalreporter.stats.values()):
        if isinstance(report, pytest.TestReport):
            taken[report.nodeid] += report.duration
    if terminalreporter.config.option.write_seconds:
        selection.write_seconds(taken.items())
    elif terminalreporter.config.option.run == "short":
        for function, seconds in selection.unmeasured(taken.items()).items():
            terminalreporter.line(f"{seconds:.1f} s {function}, without a line in seconds.txt")


SHOUTED = re.compile(r"[A-Z]{2}[a-z]|[a-z][A-Z]{2}|\b[A-Z]{2,} [A-Z]{2,}")
"""Capitals in a word that is no acronym, or a sentence in capitals."""


def _check_words(text: str) -> None:
    """No word of ours is shouted; words of the user are in quotes."""
    assert not SHOUTED.search(re.sub(r"`.*`|'.*'", "", text, flags=re.DOTALL)), text


def _check_issue(issue: Issue) -> None:
    """Hold an issue to the rules of all issues: its code has a page, its words are ours."""
    assert issue.code in codes(), issue
    assert issue.severity in ("error", "warning", "info"), issue
    assert isinstance(issue.message, str) and isinstance(issue.hint, str | None), issue
    for text in (issue.message, issue.hint or "", *(note.message for note in issue.notes)):
        _check_words(text)


def _checked_usage(error: click.UsageError, message: str, ctx: Any = None) -> None:
    _check_words(message or "")
    _USAGE(error, message, ctx)


# Every issue and every refusal of words that any test meets is held to them.
Issue.__post_init__ = _check_issue  # type: ignore[attr-defined]
_USAGE, click.UsageError.__init__ = click.UsageError.__init__, _checked_usage  # type: ignore


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """At the end of a file what it freed goes back to the system: a worker grew to 2 GB."""
    if (nextitem is None or nextitem.path != item.path) and hasattr(_LIBC, "malloc_trim"):
        _LIBC.malloc_trim(0)


def pytest_collection_finish() -> None:
    """What was collected stays for good: nobody looks through it again for what may be freed."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)

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
from falldamage_forge.diagnostics.code_registry import codes
from falldamage_forge.issues import Issue
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

LONG = (
    "studio/test_walk", "studio/test_site", "geometry/test_slicer", "search/test_search",
    "studio/test_screens",
    "printing/test_tones", "games/play/test_link_game", "hostile/test_text_out",
    "render/test_commands", "studio/test_friend", "geometry/test_proof",
    "geometry/test_broken_tops", "geometry/test_openings", "geometry/test_finish",
    "geometry/test_pieces_page", "games/play/test_playtest",
    "pieces/test_docs", "studio/test_lossless", "cli/test_pool", "games/play/test_engine",
    "cli/test_build", "studio/test_strokes", "cli/test_refused",
    "hostile/test_paths", "lang/test_all_faults", "studio/test_hands", "geometry/test_sliced",
    "games/play/test_terminal", "render/test_report", "search/test_generate",
    "geometry/test_scale", "games/play/test_core",
    "studio/test_page", "cli/test_cache", "cli/test_write", "geometry/test_joints",
    "games/play/test_goldens", "geometry/test_figures", "geometry/test_nasty", "render/test_scenes",
    "games/play/test_puzzles", "house/test_start_up", "export/test_project_file",
    "render/test_sheets", "studio/test_site_pages", "geometry/test_walkthrough",
    "geometry/test_prove_command", "hostile/test_fuzz", "geometry/test_printers",
    "games/play/test_external_bot", "search/test_faults", "geometry/test_coupon", "cli/test_games",
    "printing/test_filaments", "games/play/test_saved_games", "pieces/test_cover",
    "games/play/test_search_bots", "games/play/test_mirrored", "rules/test_advice",
    "rules/test_reference", "printing/test_estimate", "studio/test_together",
    "geometry/test_assembly", "render/test_gallery", "games/play/test_asked", "lang/test_nesting",
    "rules/test_snapshots", "render/test_publish", "games/play/test_add_to_the_game",
    "lang/test_breaking", "studio/test_content", "games/play/test_worked",
    "games/play/test_verdict", "printing/test_plates", "studio/test_local",
    "games/play/test_game_test", "languages/test_games", "pieces/test_kit",
    "diagnostics/test_hint_cures", "studio/test_server", "studio/test_storage",
    "languages/test_output",
)  # fmt: skip
"""Files that take more than a 250th of a run, the longest first."""
LONG_PART = 250


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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long files begin first, so that none of them is left to one worker at the end."""
    rank = {f"tests/{name}.py": number for number, name in enumerate(LONG)}
    items.sort(key=lambda item: rank.get(item.nodeid.partition("::")[0], len(LONG)))


def pytest_terminal_summary(terminalreporter: "pytest.TerminalReporter") -> None:
    """Name the files of a whole run that have grown long and are not in `LONG`."""
    seconds = Counter[str]()
    for report in chain.from_iterable(terminalreporter.stats.values()):
        if isinstance(report, pytest.TestReport):
            seconds[report.nodeid.partition("::")[0]] += report.duration
    least = seconds.total() / LONG_PART
    known = {f"tests/{name}.py" for name in LONG}
    for name, taken in seconds.most_common() if known <= set(seconds) else ():
        if taken > least and name not in known:
            terminalreporter.write_line(f"{taken:.0f} s in {name}: add it to LONG of conftest.py")


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

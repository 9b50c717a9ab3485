"""A test that hangs fails by its name, and the run goes on to its end.

pytest-timeout raises in the test by a signal. A test that stays in compiled code does not notice
the signal: `faulthandler` then ends its process, and xdist begins another. `Scheduler` gives that
process the other tests of the file: xdist itself repeats the test that hung, and waits without end
for a process to which it has sent no test.
"""

from __future__ import annotations

import faulthandler
import os
from collections.abc import Iterator
from typing import Any

import pytest
from xdist.scheduler import LoadFileScheduling

GRACE_SECONDS = 60.0
"""Seconds after the time limit of a test after which its process ends (default)."""


class Scheduler(LoadFileScheduling):
    """Distribution of files to processes of which some may die."""

    def remove_node(self, node: Any) -> str | None:
        """Return the test at which a process died; its other tests are done by others."""
        workload = self.assigned_work.pop(node)
        left = [name for unit in workload.values() for name, done in unit.items() if not done]
        for scope, unit in workload.items():
            rest = {name: False for name, done in unit.items() if not done and name != left[0]}
            if rest:
                self.workqueue[scope] = rest
        for other in self.assigned_work:
            self._reschedule(other)
        return left[0] if left else None

    def schedule(self) -> None:
        """Give every process a second file, or tell it that the first is the last."""
        super().schedule()
        for node in self.nodes:
            if node in self.registered_collections:
                self._reschedule(node)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Scheduler:
    """Take this scheduler."""
    return Scheduler(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """End the process of a test that the signal does not end."""
    config = item.config
    given = config.getoption("timeout") or os.environ.get("PYTEST_TIMEOUT")
    seconds = float(given or config.getini("timeout") or 0)
    grace = float(os.environ.get("FORGE_TEST_GRACE", GRACE_SECONDS))
    if seconds and "PYTEST_XDIST_WORKER" in os.environ:
        faulthandler.dump_traceback_later(seconds + grace, exit=True)
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()

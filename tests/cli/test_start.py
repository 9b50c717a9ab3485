"""Every command loads in a process that has loaded no other."""

import json
import os

import pytest

from tests.cli.running import fdforge, python

EACH_ALONE = """
import os
from falldamage_forge.cli import COMMANDS, cli
for name in COMMANDS:
    if not os.fork():
        os._exit(0 if cli.get_command(None, name) else 1)
    assert os.wait()[1] == 0, name
print(len(COMMANDS))
"""


@pytest.mark.skipif(os.name != "posix", reason="forks")
def test_every_command_loads_alone() -> None:
    assert int(python("-c", EACH_ALONE)) > 30


def test_answers_as_json_are_json_alone() -> None:
    """A library that writes to the terminal by itself would spoil them: a real process is read."""
    run = fdforge("pieces", "duel", "--format", "json")
    assert json.loads(run.stdout)["figures"], run.stderr

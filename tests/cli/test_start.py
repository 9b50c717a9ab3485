"""Every command loads in a process that has loaded no other."""

import os

import pytest

from tests.cli.running import python

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

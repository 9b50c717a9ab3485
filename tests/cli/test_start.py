"""Every command loads in a process that has loaded no other."""

import os
import subprocess
import sys

import pytest

from tests.cli.running import ROOT

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
    run = subprocess.run(
        [sys.executable, "-c", EACH_ALONE], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (run.returncode, int(run.stdout) > 30) == (0, True), run.stderr

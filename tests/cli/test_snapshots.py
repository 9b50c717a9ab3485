"""What commands print about small maps, as text: see `tests/snapshot.py`."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from functools import partial

import pytest

from tests import snapshot
from tests.cli.running import typed
from tests.snapshot import MAPS, Snapshots

AREA = "cli"
COMMANDS = {
    "units": """
        reach crag.forge --from A1 --chance 1/2 --move 1
        reach yard.forge --from A1
        path crag.forge --unit knight --from A1 --to E5
        path yard.forge --from A1 --to D5
        path yard.forge --from A1 --to D5 --turns 3
        push crag.forge --attacker A4 --target B3 --push B2
        push crag.forge --attacker C5 --target D5 --push R1 --mage
        los crag.forge A1 E5
        los crag.forge D2 I3
        targets crag.forge --unit archer --from B2
        targets crag.forge --unit medic --from A1 --ability throw-potion --friend knight=A2 --aim A2
        targets crag.forge --unit medic --from A1 --ability bandage --friend knight=A2 --aim A2
        targets crag.forge --unit druid --from A1 --ability vines --enemy knight=B1 --aim A2
        targets crag.forge --unit splash-mage --from A1 --ability splash --enemy knight=C1 --aim B1
        targets crag.forge --unit archer --from A1 --ability attack --enemy knight=C1 --aim C1
    """,
    "maps": """
        check crag.forge lopsided.forge yard.forge
        check crag.forge --rules gatefall
        check cut-off.forge --format github
        analyze hall.forge --units
        analyze lopsided.forge
        compare crag.forge
        ask crag.forge
        explain FDF300
        fmt camp.forge --diff
        edit crag.forge raise C3
    """,
    "pictures": """
        show crag.forge
        show crag.forge --hazard
        show crag.forge --turns
        show hall.forge --control
        show cut-off.forge --islands
        show crag.forge --reach knight@A1
        show crag.forge --sight A1
    """,
}
"""Command lines by snapshot, in the folder of the maps."""


def printed(lines: str) -> Iterator[str]:
    """Each command with its exit code and what it prints."""
    for line in filter(None, map(str.strip, lines.splitlines())):
        run = typed(*shlex.split(line), cwd=MAPS)
        yield f"$ fdforge {line}: {run.returncode}"
        for text in (run.stdout, run.stderr):
            yield from (f"  {row}"[:290] for row in text.splitlines())


SNAPSHOTS: Snapshots = {name: partial(printed, lines) for name, lines in COMMANDS.items()}


@pytest.mark.parametrize("name", SNAPSHOTS)
def test_output_is_that_of_the_snapshot(name: str) -> None:
    snapshot.check(f"{AREA}/{name}", SNAPSHOTS[name]())

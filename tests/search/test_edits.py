"""Variants of somebody's own map: the same text whatever the process."""

import pytest

from tests.amount import EXHAUSTIVE
from tests.cli.running import python

PROGRAM = """
import sys
from random import Random
from falldamage_forge import presets
from falldamage_forge.search import adapter
from falldamage_forge.search.mutation import mutate_text
_, kind, name, count = sys.argv
text = presets.path(kind, name).read_text(encoding="utf-8")
board = adapter.board_of(text)
for number in range(int(count)):
    done = mutate_text(text, board, Random(f"1/0/{number}"))
    print(number, repr(done[0]) if done else None)
"""


def variants(kind: str, name: str, seed: int) -> list[str]:
    count = "200" if EXHAUSTIVE else "16"
    return python("-c", PROGRAM, kind, name, count, PYTHONHASHSEED=str(seed)).splitlines()


@pytest.mark.parametrize(
    ("kind", "name"), [("tables", "lion-games"), ("maps", "duel"), ("maps", "ashkeep")]
)
def test_variants_do_not_depend_on_the_hash_seed(kind: str, name: str) -> None:
    one, other = variants(kind, name, 1), variants(kind, name, 2)
    assert one == other
    assert len(set(one)) > 8

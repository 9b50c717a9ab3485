"""Variants of somebody's own map: the same text whatever the process."""

from random import Random

import pytest

from falldamage_forge.search import adapter
from falldamage_forge.search.mutation import mutate_text
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

PIERS = """\
forge 1
title "Piers"
board 10x10
stack B3..I3 height 2
stack B7..I7 height 2
start red at A1..A8
start blue at J1..J8
treasure at B3, I7
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


@pytest.mark.smoke
def test_variants_carry_chests_and_lay_no_bridge_that_the_stock_lacks() -> None:
    board = adapter.board_of(PIERS)
    levels, chests = [c.level for c in board.columns], {x.tile for x in board.treasures}
    draws = [Random(f"1/0/{number}") for number in range(60)]
    free = [done[1] for rng in draws if (done := mutate_text(PIERS, board, rng))]
    after = [{x.tile for x in b.treasures} for b in free if [c.level for c in b.columns] == levels]
    assert any(len(each) == len(chests) and each != chests for each in after)
    assert any(each.decks for each in free)
    for number in range(60):
        done = mutate_text(PIERS, board, Random(f"1/0/{number}"), {})
        assert not (done and done[1].decks)

"""Drawn tactical puzzles, which the strongest bot solves within its turn."""

from __future__ import annotations

import pytest

from falldamage_forge.playtest.bots import BOTS
from tests.amount import EXHAUSTIVE
from tests.games.play.puzzles import FAMILIES, solved

DRAWN = 10 if EXHAUSTIVE else 2
SOLVED = 0.9
TOP = list(BOTS)[-1]
EASY = {"push off a cliff", "push into lava"}
"""Families that need one activation, without a choice between two goods."""


@pytest.mark.parametrize("family", FAMILIES)
def test_strongest_bot_solves_drawn_puzzles(family: str) -> None:
    assert sum(solved(family, TOP, DRAWN)) >= SOLVED * DRAWN


@pytest.mark.parametrize("family", FAMILIES)
def test_puzzles_are_no_gift(family: str) -> None:
    """A bot that draws its moves solves few of them."""
    assert sum(solved(family, "random", 10)) <= 5


@pytest.mark.parametrize("family", sorted(EASY))
def test_careful_bot_solves_the_plain_families(family: str) -> None:
    assert sum(solved(family, "careful", 10)) >= SOLVED * 10

"""Preset maps as layouts, read once."""

from functools import cache

import falldamage_forge as ff
from falldamage_forge import presets
from falldamage_forge.board import Board
from falldamage_forge.lang import Layout

MAPS = presets.names("maps")


@cache
def layout_of(name: str) -> Layout:
    return ff.load(name).layout


def board_of(name: str) -> Board:
    return layout_of(name).board

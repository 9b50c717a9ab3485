"""Preset maps as layouts, read once."""

from functools import cache

from falldamage_forge import presets
from falldamage_forge.board import Board
from falldamage_forge.cli.common import Sources, load_loaded
from falldamage_forge.lang import Layout

MAPS = presets.names("maps")


@cache
def layout_of(name: str) -> Layout:
    return load_loaded(name, Sources()).layout


def board_of(name: str) -> Board:
    return layout_of(name).board

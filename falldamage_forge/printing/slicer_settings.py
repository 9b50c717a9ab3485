"""Settings that PrusaSlicer says it worked with, against those that were meant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

NEUTRAL: Mapping[str, str] = {
    "xy_size_compensation": "0",
    "slice_closing_radius": "0.049",
    "spiral_vase": "0",
    "raft_layers": "0",
    "fuzzy_skin": "none",
    "ironing": "0",
    "resolution": "0",
    "gcode_resolution": "0.0125",
}
"""Settings that change what is laid and that our files leave at the slicer's own values."""
_SETTING = re.compile(r"^; (\w+) = (.*)$", re.MULTILINE)


def told_settings(gcode: str) -> dict[str, str]:
    """The settings that PrusaSlicer writes at the end of its G-code, by key."""
    return dict(_SETTING.findall(gcode))


def differing_settings(meant: Mapping[str, str], used: Mapping[str, str]) -> Iterator[str]:
    """`key: meant X, sliced with Y` for each setting that is not what was meant, in order.

    Args:
        meant: Settings that were meant, by key.
        used: Settings that a slicer says it used, by key.
    """
    for key, value in sorted({**NEUTRAL, **meant}.items()):
        if key in used and _plain(used[key]) != _plain(value):
            yield f"{key}: meant {value}, sliced with {used[key]}"
        elif key in meant and key not in used:
            yield f"{key}: meant {value}, unknown to this slicer"


def _plain(value: str) -> tuple[str, ...]:
    """A setting's values without the ways in which the same number can be written."""
    return tuple(_plain_word(word.strip()) for word in value.split(","))


def _plain_word(word: str) -> str:
    try:
        return f"{float(word):g}"
    except ValueError:
        return word

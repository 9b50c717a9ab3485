"""Engraved strokes leave no sliver between them that a line of the first layer cannot fill."""

import pytest
import shapely
from shapely.geometry.base import BaseGeometry

from falldamage_forge.geometry.engraved_text import (
    GLYPHS,
    NOTCH_MM,
    SIGNS,
    sign_outline,
    text,
)

RADII_MM = (2.4, 3.0, 3.9, 6.0)
"""Half sizes of signs on the parts."""
PEN_MM = NOTCH_MM - 0.06
"""Slimmer than a line by what the round ends of outlines lack."""


def slivers_mm2(strokes: BaseGeometry) -> float:
    """The area round some strokes into which a pen of a line's width does not come."""
    around = shapely.difference(shapely.Point(0, 0).buffer(40), strokes)
    swept = shapely.buffer(shapely.buffer(around, -PEN_MM / 2), PEN_MM / 2)
    return float(shapely.difference(around, swept).area)


@pytest.mark.parametrize("name", SIGNS)
def test_lines_reach_everything_between_the_strokes_of_a_sign(name: str) -> None:
    for radius_mm in RADII_MM:
        assert slivers_mm2(sign_outline(name, radius_mm)) < 0.03, radius_mm


@pytest.mark.parametrize("height_mm", [2.8, 3.2, 4.2])
def test_lines_reach_everything_between_the_strokes_of_letters(height_mm: float) -> None:
    for letter in GLYPHS:
        assert slivers_mm2(text(letter, height_mm)) < 0.03, letter


def test_a_sliver_is_measured() -> None:
    one, two = (shapely.LineString([(x, -2), (0, 2)]).buffer(0.35) for x in (-1, 1))
    assert slivers_mm2(shapely.union(one, two)) > 0.03

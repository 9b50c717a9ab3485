"""Colours stay apart for readers who see fewer of them (matrices of Machado et al. 2009)."""

from itertools import combinations

import pytest

from falldamage_forge.render.palette import DARK, LIGHT, Palette, channels, mix, side_colour, tone

SIGHTS = {
    "full": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.01182, 0.04294, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.3039),
    ),
}


def seen(colour: str, sight: str) -> tuple[float, float, float]:
    """OKLab of a colour as a sight sees it."""
    linear = [
        ((c / 255 + 0.055) / 1.055) ** 2.4 if c > 10 else c / 3294.6 for c in channels(colour)
    ]
    red, green, blue = (
        min(1.0, max(0.0, sum(a * b for a, b in zip(row, linear, strict=True))))
        for row in SIGHTS[sight]
    )
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    middle = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


def apart(one: str, other: str, sight: str) -> float:
    pairs = zip(seen(one, sight), seen(other, sight), strict=True)
    return sum((a - b) ** 2 for a, b in pairs) ** 0.5


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_colours_of_sides_and_marks_are_distinguishable(palette: Palette, sight: str) -> None:
    red, blue = (side_colour(palette, side, 0) for side in ("red", "blue"))
    assert apart(red, blue, sight) > 0.12
    assert apart(palette.water, palette.lava, sight) > 0.08
    # Neighbours on the scale of near to far, and its ends.
    assert all(
        apart(a, b, sight) > 0.05 for a, b in zip(palette.heat, palette.heat[1:], strict=False)
    )
    assert apart(palette.heat[0], palette.heat[-1], sight) > 0.12
    # Who is first: blue, red and grey.
    firsts = (palette.marks[0], palette.marks[1], palette.marks[6])
    assert all(apart(a, b, sight) > 0.07 for a, b in combinations(firsts, 2))


def test_the_measure_can_fail() -> None:
    assert apart("#c04040", "#608030", "deutan") < apart("#c04040", "#608030", "full") / 1.5
    assert apart("#808080", "#828282", "full") < 0.05


def test_tones_and_mixes() -> None:
    assert tone("#804020", 0.5) == "#402010"
    assert mix("#000000", "#ffffff", 0.5) == "#808080"
    assert side_colour(LIGHT, "green", 0) != side_colour(LIGHT, "amber", 1)

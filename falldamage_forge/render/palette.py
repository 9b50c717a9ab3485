"""Colours of all pictures in one table; light and dark.

Sides and overlays use hues that colour-blind readers can distinguish (blue, vermilion, green-blue,
yellow, purple of the Okabe-Ito set, adjusted in lightness). Colour is never the only sign: sides
have letters, levels numbers and lines, water waves, lava cracks.
"""

from __future__ import annotations

from dataclasses import replace

from falldamage_forge.board.tones import top_colours
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.printing.colour_groups import GROUPS


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours as `#rrggbb`. `grounds` are column tops by level, the last one for all above.

    The colours of left and right faces are the top's times `left` and `right`.
    """

    paper: str
    panel: str
    ink: str
    faint: str
    frame_top: str
    frame_left: str
    frame_right: str
    grounds: tuple[str, ...]
    cliffs: tuple[str, ...]
    left: float
    right: float
    edge: str
    gleam: str
    shade: str
    water: str
    wave: str
    lava: str
    crust: str
    glow: str
    wood: str
    wood_dark: str
    deck: str
    leaf: str
    leaf_dark: str
    rock: str
    roof: str
    gold: str
    chest: str
    sides: tuple[tuple[str, str], ...]
    other_sides: tuple[str, ...]
    heat: tuple[str, ...]
    marks: tuple[str, ...]


LIGHT = Palette(
    paper="#f4eddd",
    panel="#fbf7ec",
    ink="#3a332b",
    faint="#8d8272",
    frame_top="#d9c9a8",
    frame_left="#b39a70",
    frame_right="#937b55",
    grounds=("#cfd1a4", "#ddc998", "#e4d3a9", "#ebddbb", "#f2e8cf", "#f7f0de"),
    cliffs=("#c0ad86", "#bda37a", "#c2aa84", "#c8b28f", "#cfbb9b", "#d5c4a8"),
    left=0.97,
    right=0.76,
    edge="#4a3d2c",
    gleam="#fffbe9",
    shade="#2c2440",
    water="#6fb1cf",
    wave="#e3f4fa",
    lava="#e2622b",
    crust="#7a2a17",
    glow="#ffc94d",
    wood="#b98750",
    wood_dark="#7b5330",
    deck="#b98750",
    leaf="#5f8f5a",
    leaf_dark="#3c6844",
    rock="#b5a892",
    roof="#6b7896",
    gold="#f2c230",
    chest="#8c4f2a",
    sides=(("red", "#c8401a"), ("blue", "#1f5fa8")),
    other_sides=("#12805c", "#8a3f8f", "#8a6d00", "#555555"),
    heat=("#0b6fae", "#4f9fc4", "#a9cfc9", "#f0d58a", "#e79a4a", "#c14d1d"),
    marks=("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e6c200", "#56b4e9", "#555555"),
)

DARK = Palette(
    paper="#1d2129",
    panel="#262b35",
    ink="#ece6d8",
    faint="#9aa0aa",
    frame_top="#4a4336",
    frame_left="#39332a",
    frame_right="#2a261f",
    grounds=("#75805c", "#8f805a", "#a08f68", "#b2a27b", "#c4b591", "#d3c7a8"),
    cliffs=("#77694e", "#7a6a4e", "#857557", "#908062", "#9b8c6e", "#a6987b"),
    left=0.88,
    right=0.62,
    edge="#14120f",
    gleam="#fff3cf",
    shade="#06060f",
    water="#2f7391",
    wave="#9fd2e6",
    lava="#dd5a22",
    crust="#58190d",
    glow="#ffd060",
    wood="#9c7042",
    wood_dark="#5d3f25",
    deck="#9c7042",
    leaf="#4c7d4d",
    leaf_dark="#2c5136",
    rock="#8a8174",
    roof="#4d5a78",
    gold="#f5c93c",
    chest="#7d4526",
    sides=(("red", "#f0703f"), ("blue", "#6aa8ee")),
    other_sides=("#3cc298", "#d48bd8", "#d8b53a", "#b5b5b5"),
    heat=("#2f8fd0", "#63b3d6", "#a9cfc9", "#f0d58a", "#eba257", "#e0703f"),
    marks=("#56b4e9", "#ff8a3c", "#29c79a", "#e69fc8", "#f0e442", "#0072b2", "#b5b5b5"),
)

PALETTES = {"light": LIGHT, "dark": DARK}


HIGHER = 0.06
"""Share of white that a coloured top gains with each level."""
DIM = 0.82
"""Lightness of coloured tops on a dark picture."""


def with_tops(palette: Palette, tops: str) -> Palette:
    """Return the palette with the tops of ground, bridges and lava in printed colours.

    Args:
        palette: Colours of a picture.
        tops: Key of `tones.PALETTES`; empty for none.
    """
    dim = DIM if palette is DARK else 1.0
    own = {group: tone(colour, dim) for group, colour in top_colours(tops).items()}
    first, *others = palette.grounds
    if "stone" in own:
        others = [mix(own["stone"], "#ffffff", HIGHER * level) for level in range(len(others))]
    return replace(
        palette,
        grounds=(own.get("base", first), *others),
        deck=own.get("wood", palette.deck),
        crust=own.get("lava", palette.crust),
    )


def side_colour(palette: Palette, side: str, number: int) -> str:
    """Return the colour of a side by its name, or by its number if the name has none.

    Args:
        palette: Colours of the picture.
        side: Name of the side.
        number: Number of the side, from 0.
    """
    named = dict(palette.sides)
    return named.get(side) or palette.other_sides[number % len(palette.other_sides)]


def channels(colour: str) -> tuple[int, int, int]:
    """Return red, green and blue of `#rrggbb`, 0 to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def tone(colour: str, factor: float) -> str:
    """Return the colour made darker (factor below 1) or lighter (above 1).

    Args:
        colour: Colour as `#rrggbb`.
        factor: Factor of the brightness.
    """
    return "#" + "".join(f"{min(255, max(0, round(c * factor))):02x}" for c in channels(colour))


def mix(one: str, other: str, share: float) -> str:
    """Return a colour with a share, from 0 to 1, of another.

    Args:
        one: Colour as `#rrggbb`.
        other: Colour as `#rrggbb`.
        share: Part of the other colour.
    """
    pairs = zip(channels(one), channels(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def group_colour(group: str) -> str:
    """Return the colour of a group of pieces; grey for groups without one."""
    return GROUPS[group].colour if group in GROUPS else LIGHT.rock

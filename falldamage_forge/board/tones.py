"""Tones as data: filaments in which tops and trees begin, so that they need no paint.

Tops lie on the bed. One change of filament at a low height gives them another colour than walls;
one above the trunk gives trees a crown.
"""

from __future__ import annotations

from collections.abc import Mapping

from falldamage_forge.infra.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Tone:
    """A first filament: its name, `#rrggbb`, the groups of pieces that begin with it, and where."""

    name: str
    colour: str
    groups: tuple[str, ...] = ("base", "stone")
    part: str = "tops"

    @property
    def has_crowns(self) -> bool:
        """True if what follows this colour is crowns of leaves."""
        return self.part == "trunks"

    @property
    def title(self) -> str:
        """Name of its filament in plans and projects, unlike those of groups."""
        return f"{self.name} {self.part}"


TONES: Mapping[str, Tone] = {
    tone.name: tone
    for tone in (
        Tone("black", "#3a3a3c"),
        Tone("brown", "#7a5536"),
        Tone("green", "#5f8f45"),
        Tone("grey", "#8f9194"),
        Tone("white", "#f0efe9"),
        Tone("turf", "#6b9440"),
        Tone("snow", "#f4f6f8"),
        Tone("sand", "#d9bd82"),
        Tone("planks", "#c69a63", ("wood",)),
        Tone("crust", "#38302e", ("lava",)),
        Tone("bark", "#6b4c33", ("tree",), "trunks"),
    )
}
PALETTES: Mapping[str, tuple[Tone, ...]] = {
    **{name: (tone,) for name, tone in TONES.items()},
    "desert": (TONES["sand"], TONES["planks"]),
    "forest": (TONES["turf"], TONES["planks"], TONES["bark"]),
    "grass": (TONES["turf"], TONES["planks"]),
    "volcano": (TONES["black"], TONES["crust"]),
    "winter": (TONES["snow"], TONES["planks"]),
}
"""Tones by the word that maps and options use: colours, materials, styles."""


def top_colours(tops: str) -> dict[str, str]:
    """Return `#rrggbb` of tops by group of pieces.

    Args:
        tops: Key of `PALETTES`; empty for none.
    """
    return {group: tone.colour for tone in PALETTES.get(tops, ()) for group in tone.groups}

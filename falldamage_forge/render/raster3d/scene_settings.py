"""Scene settings as data: light, table and exposure of 3D renders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from falldamage_forge.infra.lazy_dataclass import dataclass

Colour = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class SceneSettings:
    """Lights and table; colours are linear, 0 to 1; turns are those of a camera.

    `key` is the lamp, with its position and half its size in degrees; `sky` shines from all sides,
    more from `sky_deg`; `bounce` is light from below. `table` holds its two tones, `planks_mm` the
    width of its boards (0 for plain paper), `fall` the darkening of its corners.
    """

    key: Colour
    key_turn_deg: float
    key_high_deg: float
    key_half_deg: float
    sky: Colour
    sky_deg: float
    sky_lean: float
    bounce: Colour
    table: tuple[Colour, Colour]
    planks_mm: float
    fall: float
    exposure: float


LIGHT = SceneSettings(
    key=(2.55, 2.34, 2.02),
    key_turn_deg=-50.0,
    key_high_deg=43.0,
    key_half_deg=5.0,
    sky=(0.40, 0.45, 0.54),
    sky_deg=-10.0,
    sky_lean=0.35,
    bounce=(0.20, 0.17, 0.13),
    table=((0.36, 0.235, 0.135), (0.255, 0.155, 0.083)),
    planks_mm=96.0,
    fall=0.38,
    exposure=0.84,
)

STUDIOS: Mapping[str, SceneSettings] = {
    "light": LIGHT,
    "paper": replace(
        LIGHT,
        table=((0.66, 0.61, 0.54), (0.66, 0.61, 0.54)),
        planks_mm=0.0,
        fall=0.0,
        exposure=0.78,
    ),
    "dark": SceneSettings(
        key=(2.70, 2.40, 1.98),
        key_turn_deg=-50.0,
        key_high_deg=41.0,
        key_half_deg=4.0,
        sky=(0.30, 0.36, 0.47),
        sky_deg=-10.0,
        sky_lean=0.4,
        bounce=(0.12, 0.08, 0.06),
        table=((0.105, 0.054, 0.029), (0.048, 0.023, 0.012)),
        planks_mm=88.0,
        fall=0.55,
        exposure=0.78,
    ),
}

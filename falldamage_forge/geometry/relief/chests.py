"""Treasure by kind: chest, crate, casket and keg, about the axis from z = 0, printed lid down.

A kind gets wider below its lid by no more than prints; undersides may be flat.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from falldamage_forge.geometry.csg import Solid, revolve, stand_upright, subtract, union
from falldamage_forge.geometry.loft import RELIEF, extrude, loft_profile, prism
from falldamage_forge.geometry.relief.elements import RISE
from falldamage_forge.geometry.relief.groove_solids import v_joint

HIGH_MM, LONG_MM, WIDE_MM = 12.0, 10.0, 7.2
"""Height, greatest half length and half width."""
STRAP_MM, STRAPS_MM, STRAP_AT_MM = 0.6, 2.4, 0.6
"""Thickness and width of straps, and the place of each as a share of the half length."""
BODY_MM = 7.68
"""Height of a chest's body, below its lid."""
STAVES, KEG_MM, BULGE_MM = 20, 7.0, 0.4
"""Number of a keg's staves, its greatest radius, and how much more that is than at the ends."""


def _chest(long: float) -> Solid:
    """Return a chest with a sloping lid and two straps."""
    import shapely

    wide, body, notch = WIDE_MM, BODY_MM, STRAP_MM * RISE
    lid = wide - (HIGH_MM - body) / RISE + 0.8
    seam = [(wide, body - 0.4 - notch), (wide - 0.6, body - 0.4), (wide, body - 0.4 + notch)]
    top = [(wide, body + notch), (lid, HIGH_MM)]
    side, plain = (
        shapely.Polygon([*half, *((-y, z) for y, z in reversed(half))])
        for half in ([(wide, 0.0), *seam, *top], [(wide, 0.0), *top])
    )
    strap = shapely.intersection(
        shapely.buffer(plain, STRAP_MM, join_style="mitre"), shapely.box(-20, 0, 20, HIGH_MM)
    )
    half, at = STRAPS_MM / 2, STRAP_AT_MM * long
    bands = [extrude(strap, x - half, x + half) for x in (-at, at)]
    whole = union([prism(side, -long, long, low=RELIEF, high=RELIEF), *bands])
    return stand_upright(whole, "x")


def _crate(long: float) -> Solid:
    """Return a square crate of boards."""
    import shapely

    half = min(WIDE_MM, long)
    box = prism(shapely.box(-half, -half, half, half), 0.0, HIGH_MM, high=RELIEF)
    rows = [((-half, z), (half, z)) for z in (3.36, 6.24, 9.12)]
    posts = [((u, 0.0), (u, HIGH_MM)) for u in (2.4 - half, half - 2.4)]
    tools = [v_joint(a, b, half) for a, b in (*rows, *posts)]
    return subtract(box, [tool.rotate((0, 0, 90 * k)) for tool in tools for k in range(4)])


def _casket(long: float) -> Solid:
    """Return a casket of stone: a broad lid on a body that stands back from its foot."""
    import shapely

    lid, back, foot = 1.92, 1.2, 0.72
    outline = shapely.box(-long, -WIDE_MM, long, WIDE_MM)
    profile = [(0.0, 0.0), (foot, 0.0), (foot + back * RISE, back), (HIGH_MM - 2 * lid, back)]
    body = loft_profile(outline, profile)
    cover = [(HIGH_MM - 2 * lid, 0.0), (HIGH_MM - lid, 0.0), (HIGH_MM, lid / RISE)]
    return union([body, loft_profile(outline, cover)])


def _keg(long: float) -> Solid:
    """Return a keg that stands upright, with two hoops."""
    middle, hoop = HIGH_MM / 2, 0.45

    def radius(z: float) -> float:
        return KEG_MM - BULGE_MM * ((z - middle) / middle) ** 2 - hoop

    ring: list[tuple[float, float]] = [(0.0, 0.0), (radius(0.0), 0.0)]
    for low in (1.68, HIGH_MM - 3.6):
        high = low + 1.92
        ring += [(radius(low), low), (radius(low) + hoop, low)]
        ring += [(radius(high) + hoop, high - hoop * RISE), (radius(high), high)]
    inset, rim = RELIEF
    ring += [(radius(HIGH_MM - rim), HIGH_MM - rim), (radius(HIGH_MM) - inset, HIGH_MM)]
    return revolve([*ring, (0.0, HIGH_MM)], STAVES)


CHESTS: Mapping[str, Callable[[float], Solid]] = {
    "chest": _chest,
    "crate": _crate,
    "casket": _casket,
    "keg": _keg,
}
"""Functions from the greatest half length to a solid, by the names that styles use."""

"""Roles of families of pieces: in plates, in building, in sheets and in the hand, a row a family.

A family that is missing here, such as the part of an element in a further folder, has the usual
role.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from falldamage_forge.infra.lazy_dataclass import dataclass

GROUND, DECK, HANGING, CAP, STANDING = range(5)
"""Kinds of contact of a part with a tile: what lies lower comes first."""
TOP_MM, THIN_MM = 0.72, 0.48
"""Heights of a first colour: opaque on tops, thin where strokes show the body."""
SHELL_MM, DECK_MM, RING_MM = (4.80, 3.84), (4.80, 0.0), (7.44, 0.0)
"""Heights of joints: a stud with its fins and a skirt with its seat; a deck; a ring of legs."""
SHELL_CORE_MM, RING_CORE_MM, BASE_CORE_MM = (3.36, 1.44), (1.44, 0.0), (1.2, 0.0)
"""Heights within joints of what clicks and of keyholes: a stud and a skirt; legs; a base's studs.

A block's studs have their flares as well, which thick layers would print as overhangs.
"""


@dataclass(frozen=True, slots=True)
class FamilyRole:
    """Role of a family of pieces in a build and in the hand.

    Attributes:
        stage: Stage of a build that prints it: one of `STAGE_ORDER`.
        touch: Kind of its contact with its tiles.
        step: Title of the building step that places it; empty for that of other pieces.
        alone: Title of a step that places no other family of its kind; empty for `step`.
        sheet: Contact sheet that shows it; empty for none.
        grounded: True if it always stands on a floor, which hides the light at its foot.
        first_mm: Greatest height of a first colour in mm; None for pieces of one colour.
        first_share: The same as a share of the piece's height, for pieces that stand upright.
        joints_mm: Heights in mm that joints take at its lower and its upper end, as it lies on the
            bed; its walls between them are plain. None for joints all over, or for low pieces.
        core_mm: Heights within them of what clicks and of keyholes; beyond are slopes and ribs.
            None for a joint that is core all over.
    """

    stage: str = "rest"
    touch: int = STANDING
    step: str = ""
    alone: str = ""
    sheet: str = ""
    grounded: bool = False
    first_mm: float | None = None
    first_share: float | None = None
    joints_mm: tuple[float, float] | None = None
    core_mm: tuple[float, float] | None = None


STAGE_ORDER = ("base", "terrain", "ways", "rest")
"""Stages of a build in their order."""
_POOLS, _TALL = "Water and lava", "Trees and spires, without their ears"
STEPS = (
    *("Base", "Blocks", _POOLS, "Bridges", "Ladders", _TALL),
    *("Other pieces", "Start zones", "Treasure"),
)
"""Titles of building steps, the preferred order first."""
OTHERS = "Other pieces"
"""Title of the step of families without one."""
_BASE = FamilyRole("base", GROUND, "Base", sheet="base", first_mm=TOP_MM)
_ON_TOP = FamilyRole("terrain", sheet="blocks", grounded=True)
_BRIDGE = FamilyRole("ways", DECK, "Bridges", sheet="ways", first_mm=TOP_MM)
_SECTION = FamilyRole(step="Ladders", sheet="ways")
_START = FamilyRole(touch=CAP, step="Start zones", sheet="features")
_MARK = FamilyRole(sheet="marks")
ROLES: Mapping[str, FamilyRole] = {
    "quadrant": replace(_BASE, core_mm=BASE_CORE_MM),
    "tie": _BASE,
    "rim": FamilyRole("base", sheet="base", first_mm=THIN_MM),
    "block": FamilyRole(
        "terrain",
        STANDING,
        "Blocks",
        sheet="blocks",
        first_mm=TOP_MM,
        joints_mm=SHELL_MM,
        core_mm=SHELL_CORE_MM,
    ),
    "step": FamilyRole(
        "terrain",
        sheet="blocks",
        grounded=True,
        first_mm=TOP_MM,
        joints_mm=SHELL_MM,
        core_mm=SHELL_CORE_MM,
    ),
    "battlement": _ON_TOP,
    "railing": _ON_TOP,
    "bridge": _BRIDGE,
    "arch": replace(_BRIDGE, joints_mm=DECK_MM),
    "ladder": FamilyRole("ways", step="Ladders", sheet="ways"),
    **dict.fromkeys(("ladder-low", "ladder-lower", "ladder-middle", "ladder-upper"), _SECTION),
    "spire": FamilyRole(
        step=_TALL,
        alone="Spires, without their ears",
        sheet="features",
        grounded=True,
        joints_mm=RING_MM,
        core_mm=RING_CORE_MM,
    ),
    "tree": FamilyRole(
        step=_TALL,
        alone="Trees, without their ears",
        sheet="features",
        grounded=True,
        first_share=0.29,
        joints_mm=RING_MM,
        core_mm=RING_CORE_MM,
    ),
    "water": FamilyRole("rest", CAP, _POOLS, "Water", "features", first_mm=THIN_MM),
    "lava": FamilyRole("rest", CAP, _POOLS, "Lava", "features", first_mm=THIN_MM),
    "chest": FamilyRole(step="Treasure", sheet="features", grounded=True),
    "start-marker": _START,
    "start-disc": _START,
    "token": FamilyRole(sheet="tokens", first_mm=THIN_MM),
    **dict.fromkeys(("stand", "wheel", "lifter", "tray"), FamilyRole(sheet="tokens")),
    "unit": FamilyRole(sheet="figures"),
    **dict.fromkeys(("counter", "sheet", "carried", "die"), _MARK),
}
"""Role of each family, in the order of the contact sheets.

Ties are hidden; with the first height of quadrants they need no plate of their own. A tree's first
colour ends at its narrowest place, between knoll and crown.
"""
USUAL = FamilyRole()
"""Role of a family that is missing in `ROLES`."""


def role_of(family: str) -> FamilyRole:
    """Return the role of a family of pieces.

    Args:
        family: Name of its table.
    """
    return ROLES.get(family, USUAL)


def touching(kind: int) -> frozenset[str]:
    """Return the families whose contact is of a kind.

    Args:
        kind: `GROUND`, `DECK`, `CAP` or `STANDING`.
    """
    return frozenset(family for family, role in ROLES.items() if role.touch == kind)


def placed_in(step: str) -> frozenset[str]:
    """Return the families that a kind of building step places.

    Args:
        step: One of `STEPS`.
    """
    return frozenset(family for family, role in ROLES.items() if role.step == step)


def by_sheet() -> dict[str, tuple[str, ...]]:
    """Return the families of each contact sheet."""
    sheets = dict.fromkeys(role.sheet for role in ROLES.values() if role.sheet)
    return {sheet: tuple(_shown_on(sheet)) for sheet in sheets}


def _shown_on(sheet: str) -> Iterator[str]:
    return (family for family, role in ROLES.items() if role.sheet == sheet)

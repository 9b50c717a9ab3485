"""Options and fighters of the gang skirmish."""

from __future__ import annotations

from typing import Literal

from falldamage_forge.games.any_angle import INCH_UM, check_sizes
from falldamage_forge.infra.lazy_dataclass import dataclass

YesNo = Literal["no", "yes"]
Natural = Literal["none", "1fails", "6passes", "both"]


@dataclass(frozen=True, slots=True)
class GangSkirmishOptions:
    """Options for sentences with two readings; `docs/gang-skirmish.md` quotes each."""

    metric: Literal["ruler", "octile", "chebyshev"] = "ruler"
    natural: Natural = "none"
    climb: Literal["none"] | int = "none"
    equal_gap: Literal["leap", "free"] = "leap"
    landing: Literal["lip", "centre"] = "lip"
    vertical_total: Literal["leap", "move"] = "leap"
    leap_vertical: Literal["free", "paid"] = "free"
    leap_fall_from: Literal["landing", "takeoff", "higher"] = "landing"
    jump_spot: Literal["centre", "lip"] = "centre"
    kip_shift: Literal["free", "paid"] = "free"
    kip_fail: Literal["falls", "check"] = "falls"
    edges: Literal["one_check", "each"] = "one_check"
    rail_applies: Literal["fall_check_only", "any_check"] = "fall_check_only"
    rail_stops: Literal["tall", "all", "none"] = "tall"
    zero_pins: YesNo = "no"
    off_edge: Literal["centre_past", "any_overhang", "whole_base"] = "centre_past"
    wall_strength: Literal["computed", "travelled"] = "computed"
    in_field: Literal["base_touches", "centre"] = "base_touches"
    heavy_g: Literal["floor_inches", "exact", "whole_action"] = "floor_inches"
    heavy_g_involuntary: Literal["yes", "no"] = "yes"
    pitfall: Literal["lava", "none"] = "lava"
    battlefield_edge: Literal["wall", "out", "reinforcements"] = "wall"
    through: Literal["nobody", "friends"] = "nobody"
    wide: Literal["shifted", "centred"] = "shifted"
    tile_mm: float = 30.0
    rise_mm: float = 30.0

    def __post_init__(self) -> None:
        if isinstance(self.climb, int) and not 1 <= self.climb <= 6:
            raise ValueError("`climb` is `none`, or from 1 to 6 inches of movement an inch")
        check_sizes(self.tile_mm, self.rise_mm)

    @property
    def tile_um(self) -> int:
        """Width of a tile in um, an even number."""
        return 2 * round(self.tile_mm * 500)

    @property
    def level_um(self) -> int:
        """Height of a level in um, an even number."""
        return 2 * round(self.rise_mm * 500)


@dataclass(frozen=True, slots=True)
class Fighter:
    """Values that the rulebook's chapter does not give.

    Attributes:
        move_in: Movement in inches, 1 to 24.
        base_mm: Diameter of the base in mm, 10 to 60.
        initiative: The t of Initiative "t+", 2 to 7 (never).
        strength: Strength, 0 to 20.
        moves: Moves per activation, 1 to 3.
    """

    move_in: int = 5
    base_mm: float = 25.0
    initiative: int = 4
    strength: int = 3
    moves: int = 1

    def __post_init__(self) -> None:
        if not 1 <= self.move_in <= 24:
            raise ValueError("`move_in` is from 1 to 24 inches")
        if not 10 <= self.base_mm <= 60:
            raise ValueError("`base_mm` is from 10 to 60")
        if not 2 <= self.initiative <= 7:
            raise ValueError("`initiative` is from 2 (2+) to 7 (never)")
        if not 0 <= self.strength <= 20:
            raise ValueError("`strength` is from 0 to 20")
        if not 1 <= self.moves <= 3:
            raise ValueError("`moves` is from 1 to 3")

    @property
    def base_um(self) -> int:
        """Diameter of the base in um, an even number."""
        return 2 * round(self.base_mm * 500)

    @property
    def move_um(self) -> int:
        """Movement of one move in um."""
        return self.move_in * INCH_UM

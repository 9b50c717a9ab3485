"""Options and creatures of Falchion's battle phase."""

from __future__ import annotations

from typing import Literal

from falldamage_forge.games.any_angle import check_sizes
from falldamage_forge.infra.lazy_dataclass import dataclass

YesNo = Literal["no", "yes"]
Auto = Literal["attack_block_dodge", "none"]


@dataclass(frozen=True, slots=True)
class FalchionOptions:
    """Options for sentences with two readings; `docs/falchion.md` quotes each."""

    metric: Literal["ruler", "octile"] = "ruler"
    between: Literal["base_edges", "centres"] = "base_edges"
    pool: Literal["yes", "no"] = "yes"
    levels: Literal["flat", "closed"] = "flat"
    size_between: Literal["nearest", "floor"] = "nearest"
    squeeze: YesNo = "no"
    stand_cost: Literal["half_of_one_move", "half_of_turn"] = "half_of_one_move"
    dodge_step: Literal["on_success", "always"] = "on_success"
    dodge_fail: Literal["moves_and_prone", "stays_and_prone"] = "moves_and_prone"
    dodge_bend: YesNo = "no"
    difficult: Literal["water", "none"] = "water"
    difficult_fail: Literal["stop", "prone", "half"] = "stop"
    auto: Auto = "attack_block_dodge"
    surprise: Literal["side", "creature"] = "side"
    surprised_moves: YesNo = "no"
    threat: Literal["difference", "hd"] = "difference"
    cap: Literal["total", "before_reductions"] = "total"
    through: Literal["nobody", "friends"] = "nobody"
    wide: Literal["shifted", "square"] = "shifted"
    tile_mm: float = 30.0

    def __post_init__(self) -> None:
        check_sizes(self.tile_mm)

    @property
    def tile_um(self) -> int:
        """Width of a tile in um, an even number."""
        return 2 * round(self.tile_mm * 500)


@dataclass(frozen=True, slots=True)
class Creature:
    """Values that the rulebook's chapter does not give.

    Attributes:
        move_ft: Battle Movement in feet, 5 to 120.
        base_mm: Diameter of the base in mm, 3 to 180.
        agility: [AGI], -10 to 10.
        difficult_dr: DR of difficult ground, 0 to 40.
        posture: Posture at the start of a turn.
    """

    move_ft: int = 30
    base_mm: float = 25.4
    agility: int = 0
    difficult_dr: int = 12
    posture: Literal["standing", "prone", "crawling"] = "standing"

    def __post_init__(self) -> None:
        if not 5 <= self.move_ft <= 120:
            raise ValueError("`move_ft` is from 5 to 120 feet")
        if not 3 <= self.base_mm <= 180:
            raise ValueError("`base_mm` is from 3 to 180")
        if not -10 <= self.agility <= 10:
            raise ValueError("`agility` is from -10 to 10")
        if not 0 <= self.difficult_dr <= 40:
            raise ValueError("`difficult_dr` is from 0 to 40")

    @property
    def base_um(self) -> int:
        """Diameter of the base in um, an even number."""
        return 2 * round(self.base_mm * 500)

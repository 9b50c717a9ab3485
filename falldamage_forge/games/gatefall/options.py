"""Options and characters of Gatefall."""

from __future__ import annotations

from typing import Literal

from falldamage_forge.infra.lazy_dataclass import dataclass

YesNo = Literal["no", "yes"]
Shuffle = Literal["lazy", "eager"]


@dataclass(frozen=True, slots=True)
class GatefallOptions:
    """Options for sentences with two readings; `docs/gatefall.md` quotes each."""

    full_move: Literal["optional", "exact"] = "optional"
    corners: Literal["free", "no_squeeze"] = "free"
    end_on_ally: YesNo = "no"
    end_check: Literal["each_ap", "last_only"] = "each_ap"
    levels: Literal["flat", "closed"] = "flat"
    range_walls: Literal["ignore", "around"] = "ignore"
    attack_from_base: Literal["yes", "no"] = "yes"
    brog: Literal["horizontal", "vertical"] = "horizontal"
    brog_turn: Literal["never", "snake"] = "never"
    shuffle: Shuffle = "lazy"
    gate: Literal["middle", "none"] | int = "middle"

    def __post_init__(self) -> None:
        if isinstance(self.gate, int) and not 1 <= self.gate <= 50:
            raise ValueError("`gate` is `middle`, `none`, or a row from 1 to 50")


@dataclass(frozen=True, slots=True)
class Character:
    """Values that the rulebook does not give.

    Attributes:
        speed: Speed in squares, 1 to 12.
        reach: Range in squares, 1 to 20.
        squares: Squares that it occupies; 2 for Brog.
    """

    speed: int = 3
    reach: int = 1
    squares: Literal[1, 2] = 1

    def __post_init__(self) -> None:
        if not 1 <= self.speed <= 12:
            raise ValueError("`speed` is from 1 to 12")
        if not 1 <= self.reach <= 20:
            raise ValueError("`reach` is from 1 to 20")

"""Options of Fall Damage: one per sentence of the rulebook with several readings.

The first value of each option is the default. Where the rulebook is silent, the default permits few
moves; `docs/rules.md` names the exceptions.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from falldamage_forge.board.surfaces import TerrainOptions
from falldamage_forge.infra.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class FallDamageOptions:
    """Options of the Fall Damage rulebook; `docs/rules.md` quotes the sentence behind each.

    Heights are in levels. `deck_thickness` and `los_eye` are in levels from 0 to 1.
    """

    headroom: int = 2
    tree_height: int = 2
    spire_height: int = 2
    jump_scope: Literal["step", "turn"] = "step"
    voluntary_fall: Literal["subtract", "threshold"] = "subtract"
    fall_allowance: Literal["per_drop", "per_turn"] = "per_drop"
    lethal_step: Literal["no", "yes"] = "no"
    leap_vertical: Literal["jump", "none_up", "level"] = "jump"
    gap: Literal["strictly_lower", "any_clear"] = "strictly_lower"
    leap_over: Literal["no_unit", "empty", "clear"] = "no_unit"
    leap_pass: Literal["no", "yes"] = "no"
    water_cost: Literal["enter", "leave"] = "enter"
    bridge_cost: Literal["span", "inherit"] = "span"
    ladder_cost: Literal["one", "height"] = "one"
    beast_down: Literal["counts", "free"] = "counts"
    occupancy: Literal["surface", "cell"] = "surface"
    treasure_trigger: Literal["stop", "pass"] = "stop"
    move_split: Literal["no", "around_action"] = "no"
    carry_round: Literal["down", "up"] = "down"
    start: Literal["either", "side", "corner", "list"] = "either"
    push_diag: Literal["column_axis", "attacker_chooses"] = "column_axis"
    push_fall: Literal["immediate", "hover"] = "immediate"
    push_after_fall: Literal["continue", "stop"] = "continue"
    edge: Literal["wall", "void"] = "wall"
    climb_judged: Literal["attack", "tile"] = "attack"
    slide_cost: Literal["free", "counts"] = "free"
    wind_climb: Literal["no", "yes"] = "no"
    mage_bonus: Literal["per_drop", "per_push"] = "per_drop"
    spire_damage: int = 6
    spire_level: Literal["stop", "hit"] = "stop"
    melee_down: Literal["one", "unlimited"] = "one"
    reach_shape: Literal["euclid", "manhattan"] = "euclid"
    reach2: Literal["radius", "line"] = "radius"
    height_bonus: Literal["melee", "all", "literal"] = "melee"
    upward: Literal["dz2", "horizontal2"] = "dz2"
    own_column: Literal["no", "yes"] = "no"
    deck_thickness: float = 0.2
    los_eye: float = 0.5
    los_own: Literal["ignore_support", "strict"] = "ignore_support"
    los_corner: Literal["open", "closed"] = "open"
    stack: Literal["no", "yes"] = "no"
    poison_stack: Literal["yes", "no"] = "yes"
    intimidate_levels: Literal["one", "any"] = "one"
    top_ropes_on: Literal["adjacent", "forbidden"] = "adjacent"
    top_ropes_levels: Literal["one", "any"] = "one"
    top_ropes_damage: Literal["full", "less_jump"] = "full"
    spring_arc: Literal["free", "clear"] = "free"
    spring_lava: Literal["no", "yes"] = "no"
    catch_level: Literal["highest", "nearest", "fall"] = "highest"
    area_push: Literal["outward", "from_attacker", "outward_and_back"] = "outward"
    area_levels: Literal["reach", "melee1"] = "reach"
    cone: Literal["four", "nine", "one"] = "four"

    def __post_init__(self) -> None:
        for name, least, most in (
            ("headroom", 1, 4),
            ("tree_height", 1, 6),
            ("spire_height", 1, 6),
            ("deck_thickness", 0, 1),
            ("los_eye", 0, 1),
            ("spire_damage", 0, 20),
        ):
            if not least <= getattr(self, name) <= most:
                raise ValueError(f"`{name}` is from {least} to {most}")

    @property
    def deck_thickness_exact(self) -> Fraction:
        """Thickness of a deck below its top, in levels, as an exact fraction."""
        return Fraction(str(self.deck_thickness))

    @property
    def los_eye_exact(self) -> Fraction:
        """Height of a unit's eye above its surface, in levels, as an exact fraction."""
        return Fraction(str(self.los_eye))

    @property
    def terrain(self) -> TerrainOptions:
        """The options that change which voxels are solid."""
        return TerrainOptions(self.headroom, self.tree_height, self.spire_height)


DEFAULTS = FallDamageOptions()
"""Every option at its default."""

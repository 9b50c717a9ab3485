"""A ruleset as data: which readings of the rulebook a table plays by.

Every option's first value is the default. Where the text is silent the default is the reading that
adds the fewest moves, so a map that connects under it connects under every permissive one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any, Literal

from falldamage_forge.issues import ForgeError, Issue, SourceSpan
from falldamage_forge.surfaces import TerrainOptions
from falldamage_forge.tables import read_table


@dataclass(frozen=True, slots=True)
class Options:
    """Readings of the Fall Damage rulebook; `docs/rules.md` quotes the sentence behind each."""

    headroom: int = 2
    tree_height: int = 2
    spire_height: int = 2
    jump_scope: Literal["step", "turn"] = "step"
    voluntary_fall: Literal["subtract", "threshold"] = "subtract"
    fall_allowance: Literal["per_drop", "per_turn"] = "per_drop"
    lethal_step: Literal["no", "yes"] = "no"
    leap_vertical: Literal["jump", "none_up", "level"] = "jump"
    gap: Literal["strictly_lower", "any_clear"] = "strictly_lower"
    water_cost: Literal["enter", "leave"] = "enter"
    lava: Literal["forbidden", "deadly"] = "forbidden"
    bridge_cost: Literal["span", "inherit"] = "span"
    ladder_cost: Literal["one", "height"] = "one"
    beast_down: Literal["counts", "free"] = "counts"
    occupancy: Literal["surface", "cell"] = "surface"
    treasure_trigger: Literal["stop", "pass"] = "stop"
    move_split: Literal["no", "around_action"] = "no"
    carry_round: Literal["down", "up"] = "down"
    start: Literal["side", "corner", "list"] = "side"
    push_diag: Literal["column_axis", "attacker_chooses"] = "column_axis"
    push_fall: Literal["immediate", "hover"] = "immediate"
    push_after_fall: Literal["continue", "stop"] = "continue"
    edge: Literal["wall", "void"] = "wall"
    mage_bonus: Literal["per_drop", "per_push"] = "per_drop"
    melee_down: Literal["one", "unlimited"] = "one"
    reach_shape: Literal["euclid", "manhattan"] = "euclid"
    reach2: Literal["radius", "line"] = "radius"
    height_bonus: Literal["melee", "all"] = "melee"
    upward: Literal["dz2", "horizontal2"] = "dz2"
    deck_thickness: float = 0.2
    los_eye: float = 0.5
    los_own: Literal["ignore_support", "strict"] = "ignore_support"
    los_corner: Literal["open", "closed"] = "open"
    stack: Literal["no", "yes"] = "no"
    poison_stack: Literal["yes", "no"] = "yes"
    top_ropes_on: Literal["adjacent", "forbidden"] = "adjacent"
    spring_arc: Literal["free", "clear"] = "free"

    def __post_init__(self) -> None:
        for name, least, most in (
            ("headroom", 1, 4),
            ("tree_height", 1, 6),
            ("spire_height", 1, 6),
            ("deck_thickness", 0, 1),
            ("los_eye", 0, 1),
        ):
            if not least <= getattr(self, name) <= most:
                raise ValueError(f"`{name}` is from {least} to {most}")

    @property
    def deck_thickness_exact(self) -> Fraction:
        """How much of the level under its top a deck hides from sight, in levels, as written."""
        return Fraction(str(self.deck_thickness))

    @property
    def los_eye_exact(self) -> Fraction:
        """How far above its surface a unit sees and is seen, in levels, as written."""
        return Fraction(str(self.los_eye))

    @property
    def terrain(self) -> TerrainOptions:
        """The part that changes what is solid."""
        return TerrainOptions(self.headroom, self.tree_height, self.spire_height)


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One game. `start_tiles` is each side's, `proof_jumps` are the Jumps a map is proved for."""

    name: str
    title: str
    start_tiles: int = 8
    proof_move: int = 3
    proof_jumps: tuple[int, ...] = (1, 2)
    options: Options = Options()


def ruleset_from_table(table: Mapping[str, Any], where: str) -> Ruleset:
    """A ruleset from its TOML table; ForgeError for unknown keys or values."""
    return read_table(Ruleset, table, where)


def _as_number(value: str | int) -> str | int | float:
    """`2` and `0.2` as numbers, words with underscores."""
    if isinstance(value, int):
        return value
    if value.isdecimal() and len(value) < 6:
        return int(value)
    whole, _, part = value.partition(".")
    if whole.isdecimal() and part.isdecimal() and len(value) < 12:
        return float(value)
    return value.replace("-", "_")


def with_options(
    ruleset: Ruleset, options: Iterable[tuple[str, str | int, SourceSpan | None]]
) -> Ruleset:
    """The ruleset under other readings; ForgeError (FDF320) names an unknown option or value.

    Names and values may be written with hyphens or underscores.
    """
    table: dict[str, Any] = {
        item.name: getattr(ruleset.options, item.name) for item in fields(Options)
    }
    faults: list[Issue] = []
    for name, value, span in options:
        changed = {**table, name.replace("-", "_"): _as_number(value)}
        try:
            read_table(Options, changed, "option")
            table = changed
        except ForgeError as error:
            faults += (
                Issue("FDF320", "error", issue.message, span, hint=issue.hint)
                for issue in error.issues
            )
    if faults:
        raise ForgeError(faults)
    return replace(ruleset, options=read_table(Options, table, "option"))

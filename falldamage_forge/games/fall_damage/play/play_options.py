"""Options of play: `G01` to `G50`, and options found in an audit of the rulebook.

The first value of each option is the default; `docs/game.md` quotes the sentence behind each.
Movement, push, reach and sight are options of the ruleset.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import ForgeError, Issue, did_you_mean

T = TypeVar("T")
NoYes = Literal["no", "yes"]


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """Options of play beyond movement, push, reach and sight."""

    side_choice: Literal["random", "winner"] = "random"
    team_duplicates: NoYes = "no"
    shared_cards: Literal["yes", "no"] = "yes"
    draft: Literal["blind", "alternate", "fixed", "sequential"] = "blind"
    placement: Literal["free", "listed"] = "free"
    skeleton_place: Literal["nearest", "choice"] = "nearest"
    turn_size: Literal["up_to_two", "exactly_two"] = "up_to_two"
    pass_: NoYes = "no"
    aura_when: Literal["start", "always"] = "start"
    path_choice: Literal["least_damage", "any"] = "least_damage"
    auto_end: Literal["yes", "no"] = "yes"
    action_of: tuple[str, ...] = ()
    zero_attack: Literal["push_only", "anyone"] = "push_only"
    attack_friends: NoYes = "no"
    melee_is: Literal["reach1", "adjacent", "card_reach1"] = "reach1"
    los_free: tuple[str, ...] = ("archer", "grenade", "spring_trap")
    push_optional: NoYes = "no"
    dead_pushers: NoYes = "no"
    area_terrain: NoYes = "no"
    aura_los: NoYes = "no"
    enter_by: Literal["any", "move"] = "any"
    elixir: Literal["pickup", "action"] = "pickup"
    change_health: Literal["keep_damage", "full", "keep_health"] = "keep_damage"
    standard_piece: int = 1
    vanguard: Literal["round", "own"] = "round"
    counter_when: Literal["before_push", "after_push"] = "before_push"
    counter_chain: NoYes = "no"
    trap_limit: Literal["1", "none"] = "1"
    trap_under_unit: NoYes = "no"
    swap_self: NoYes = "no"
    crumble: Literal["any_action", "own_action"] = "any_action"
    raise_limit: Literal["per_use", "per_game"] = "per_use"
    raise_bodies: Literal["all", "own", "not_skeletons"] = "all"
    raise_where: Literal["body", "adjacent"] = "body"
    top_ropes: Literal["last", "every"] = "last"
    heal_self: NoYes = "no"
    hidden_scope: Literal["tile", "surface"] = "tile"
    double_end: Literal["draw", "actor_wins", "actor_loses"] = "draw"
    at_limit: Literal["unfinished", "units", "health"] = "unfinished"
    win: Literal["elimination", "royal_icon", "bomb"] = "elimination"
    round_start: Literal["as_told", "harm_first"] = "as_told"
    table_order: Literal["rows", "columns"] = "rows"
    potion_skeletons: Literal["enemy", "any"] = "enemy"
    empty_actions: NoYes = "no"
    revive_at: Literal["body", "start", "finder"] = "body"
    knife_push: Literal["no", "own"] = "no"
    health_total: Literal["both", "max_only"] = "both"
    round_limit: int = 20

    def __post_init__(self) -> None:
        if not 1 <= self.round_limit <= 1000:
            raise ValueError("`round_limit` is from 1 to 1000")
        if not 1 <= self.standard_piece <= 3:
            raise ValueError("`standard_piece` is from 1 to 3")


NAMES = (
    "side_choice", "team_duplicates", "shared_cards", "draft", "placement", "skeleton_place",
    "turn_size", "pass", "aura_when", "path_choice", "auto_end", "action_of", "zero_attack",
    "attack_friends", "melee_is", "los_free", "push_optional", "dead_pushers", "area_push",
    "area_terrain", "aura_los", "enter_by", "spire_damage", "elixir", "change_health",
    "standard_piece", "vanguard", "counter_when", "counter_chain", "intimidate_levels",
    "trap_limit", "trap_under_unit", "swap_self", "crumble", "raise_limit", "raise_bodies",
    "raise_where", "top_ropes", "top_ropes_levels", "heal_self", "cone", "hidden_scope",
    "double_end", "at_limit", "win", "round_start", "table_order", "catch_level",
    "potion_skeletons", "empty_actions",
)  # fmt: skip
"""Options `G01` to `G50` of docs/game.md; some belong to the ruleset."""


def changed_options(*tables: Any) -> dict[str, Any]:
    """Return the options that differ from the default, by name.

    Args:
        tables: `FallDamageOptions` or `PlayOptions`, or both.
    """
    changed = {
        item.name.rstrip("_"): getattr(table, item.name)
        for table in tables
        for item in fields(table)
        if getattr(table, item.name) != item.default
    }
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in sorted(changed.items())
    }


def read_options(cls: type[T], start: T, pairs: Mapping[str, Any]) -> T:
    """Return options changed by names and values.

    Args:
        cls: Frozen dataclass of the options.
        start: Options to start from.
        pairs: Words or numbers by option name.

    Raises:
        ForgeError (FDF320): If a name or value is unknown; all issues are reported.
    """
    hints = get_type_hints(cls)
    values: dict[str, Any] = {}
    faults: list[Issue] = []
    for name, value in pairs.items():
        key = canonical_option_name(name)
        key = key if key in hints else f"{key}_"
        if key not in hints:
            hint = did_you_mean(name, [field.rstrip("_") for field in hints])
            faults.append(Issue("FDF320", "error", f"no option `{name}`", hint=hint))
            continue
        try:
            values[key] = _read(hints[key], value)
        except ValueError as error:
            faults.append(Issue("FDF320", "error", f"option `{name}`: {error}"))
    if faults:
        raise ForgeError(faults)
    try:
        return replace(start, **values)  # type: ignore[type-var]
    except ValueError as error:
        raise ForgeError([Issue("FDF320", "error", str(error))]) from None


def parse_play_options(pairs: Mapping[str, Any]) -> PlayOptions:
    """Return the options of play of names and values.

    Raises:
        ForgeError (FDF320): If a name or value is unknown.
    """
    return read_options(PlayOptions, PlayOptions(), pairs)


def canonical_option_name(name: str) -> str:
    """Return the canonical name of an option `G07`, `turn-size` or `turn_size`."""
    key = name.strip().replace("-", "_")
    number = key[1:] if key[:1] in "Gg" else ""
    if len(number) == 2 and number.isdigit() and 1 <= int(number) <= len(NAMES):
        return NAMES[int(number) - 1]
    return key


def field_of(name: str) -> str | None:
    """Return the field of an option of play; None for other names."""
    key = canonical_option_name(name)
    key = "pass_" if key == "pass" else key
    return key if key in {item.name for item in fields(PlayOptions)} else None


CONES = {"1+3": "four", "1+3+5": "nine", "1": "one"}
"""Alternative names of the cone's shapes: its rows of tiles."""


def _number(text: str) -> float:
    whole, _, part = text.partition(".")
    if not whole.isdigit() or (part and not part.isdigit()) or len(text) > 8:
        raise ValueError(f"expected a number, found `{text}`")
    return float(text)


def _read(hint: Any, value: Any) -> Any:
    if hint is float:
        return _number(str(value))
    if hint is int:
        text = str(value)
        if not text.isdigit() or len(text) > 5:
            raise ValueError(f"expected a whole number, found `{value}`")
        return int(text)
    if get_origin(hint) is tuple:
        words = value.split(",") if isinstance(value, str) else value
        return tuple(word.strip().replace("-", "_") for word in words if word.strip())
    text = str(value).strip().replace("-", "_")
    if "four" in get_args(hint):
        text = CONES.get(text, text)
    if text not in get_args(hint):
        raise ValueError(f"`{value}` is none of {', '.join(get_args(hint))}")
    return text

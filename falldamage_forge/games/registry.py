"""Registry of games: the only module that knows all rulesets by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from falldamage_forge.infra.toml_loader import read_table
from falldamage_forge.issues import ForgeError, Issue, did_you_mean
from falldamage_forge.rules.ruleset import Ruleset

Reader = Callable[[Mapping[str, Any], str], Ruleset]


def _fall_damage(table: Mapping[str, Any], where: str) -> Ruleset:
    from falldamage_forge.games.fall_damage.ruleset import FallDamage

    return read_table(FallDamage, table, where)


def _gang_skirmish(table: Mapping[str, Any], where: str) -> Ruleset:
    from falldamage_forge.games.gang_skirmish.ruleset import GangSkirmish

    return read_table(GangSkirmish, table, where)


def _falchion(table: Mapping[str, Any], where: str) -> Ruleset:
    from falldamage_forge.games.falchion.ruleset import Falchion

    return read_table(Falchion, table, where)


def _gatefall(table: Mapping[str, Any], where: str) -> Ruleset:
    from falldamage_forge.games.gatefall.ruleset import Gatefall

    return read_table(Gatefall, table, where)


GAMES: dict[str, Reader] = {
    "fall-damage": _fall_damage,
    "gang-skirmish": _gang_skirmish,
    "falchion": _falchion,
    "gatefall": _gatefall,
}


def read_rules(table: Mapping[str, Any], where: str) -> Ruleset:
    """Return the ruleset of a table, by its `game`.

    Args:
        table: The table.
        where: Name of the file, for messages.

    Raises:
        ForgeError (FDF365): If `game` is missing or unknown.
    """
    rest = dict(table)
    game = rest.pop("game", None)
    if not isinstance(game, str) or game not in GAMES:
        hint = did_you_mean(str(game), GAMES) or f"known: {', '.join(GAMES)}"
        problem = "names no game" if game is None else f"names the unknown game `{game}`"
        raise ForgeError([Issue("FDF365", "error", f"{where} {problem}", hint=hint)])
    return GAMES[game](rest, where)

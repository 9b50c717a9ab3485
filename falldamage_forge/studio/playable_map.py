"""Playable map: board and rules of a session's map, if play mode can play it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from falldamage_forge.issues import refuse
from falldamage_forge.studio.session import Session, map_of
from falldamage_forge.studio.shared_library import forge

if TYPE_CHECKING:
    from falldamage_forge.board import Board
    from falldamage_forge.games.fall_damage.options import FallDamageOptions


def ground_of(session: Session) -> tuple[Board, FallDamageOptions]:
    """Return board and rules of a session's map; ForgeError (FDF366) if it cannot be played."""
    from falldamage_forge.games.fall_damage.ruleset import FallDamage

    checked = forge().check(map_of(session))
    if not checked.ok:
        raise refuse("FDF366", "the map cannot be played yet")
    rules, _ = forge().game(checked.map)
    if not isinstance(rules, FallDamage):
        raise refuse("FDF366", f"the map is for `{rules.name}`; only Fall Damage is played here")
    return checked.map.board, rules.options

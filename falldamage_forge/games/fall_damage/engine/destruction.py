"""Terrain that is damaged until it is gone."""

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.engine.effect_stack import note
from falldamage_forge.games.fall_damage.engine.falls import owe_rests, settle_land
from falldamage_forge.games.fall_damage.engine.terrain_state import (
    changed,
    forget_links,
    mark,
    survey_decks,
)


def destroy(s: State, kind: int, name: int) -> None:
    """A tree, a bridge or a ladder is gone."""
    if kind == C.W_TREE:
        mark(s, name)
        s.feature[name] = 0
        changed(s, name)
    elif kind == C.W_DECK:
        s.deck_alive[name] = 0
        for k in range(s.deck_count[name]):
            mark(s, s.deck_tiles[name * C.DECK_LENGTH + k])
            survey_decks(s, s.deck_tiles[name * C.DECK_LENGTH + k])
            changed(s, s.deck_tiles[name * C.DECK_LENGTH + k])
        for end in range(2):
            tile = s.deck_a[name] if end == 0 else s.deck_b[name]
            mark(s, tile)
            survey_decks(s, tile)
    else:
        s.ladder_alive[name] = 0
        for tile in (s.foot_tile[name], s.head_tile[name]):
            mark(s, tile)
            survey_decks(s, tile)
            forget_links(s, tile)


def pool_of(kind: int) -> int:
    """The damage that a piece of terrain stands."""
    return 6 if kind == C.W_TREE else 5


def wear(s: State, kind: int, name: int, number: int, mage: int, by: int) -> None:
    """Damage on a piece of terrain adds up until it is gone."""
    if kind == C.W_TREE:
        mark(s, name)
        s.scar[name] += number
        if s.scar[name] < pool_of(kind):
            return
        s.scar[name] = 0
    elif kind == C.W_DECK:
        s.deck_scar[name] += number
        if s.deck_scar[name] < pool_of(kind):
            return
        s.deck_scar[name] = 0
    else:
        s.ladder_scar[name] += number
        if s.ladder_scar[name] < pool_of(kind):
            return
        s.ladder_scar[name] = 0
    note(s, C.E_DESTROYED, kind, name, by)
    destroy(s, kind, name)
    owe_rests(s, settle_land(s, mage, by))

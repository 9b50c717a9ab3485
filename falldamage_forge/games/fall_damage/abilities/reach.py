"""What a plain Attack reaches and sees from where a unit stands: surfaces, and terrain."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from falldamage_forge.games.fall_damage.abilities.scene import Scene, Standing
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.engine.destruction import pool_of
from falldamage_forge.games.fall_damage.engine.targeting import (
    aim_at_deck,
    aim_at_feature,
    aim_at_ladder,
    strikes,
)
from falldamage_forge.games.fall_damage.engine.unit_stats import height_number, is_melee, may_attack
from falldamage_forge.games.fall_damage.play.spots import spot_of, surface_of
from falldamage_forge.rules.answers import Target
from falldamage_forge.rules.figures import spot

Piece = tuple[int, str, int | None, int]
"""A spot, what stands there, the damage it stands, and where it is aimed at."""


def in_reach(scene: Scene, doer: Standing) -> tuple[tuple[Target, ...], list[dict[str, Any]]]:
    """The surfaces in reach and sight with the number for height, and the pieces of terrain.

    Who has no Attack of its own, but an ability for its reach, damages no terrain.
    """
    s, numbers = scene.moment(doer)
    i = numbers[doer.at]
    places = [at for at in scene.graph.surfaces if strikes(s, i, spot_of(at))]
    found = tuple(Target(at, _bonus(s, i, spot_of(at))) for at in places)
    pieces = sorted(_pieces(s, i), key=lambda piece: piece[:2]) if may_attack(s, i) else ()
    return found, [_row(s, i, piece) for piece in pieces]


def _bonus(s: State, i: int, at: int) -> int:
    return height_number(s, s.spot[i], at, is_melee(s, i, at))


def _row(s: State, i: int, piece: Piece) -> dict[str, Any]:
    where, kind, pool, aim = piece
    foot = surface_of(where)
    return {
        "kind": kind,
        "tile": str(foot.tile),
        "level": foot.level,
        "pool": pool,
        "aim": spot(surface_of(aim)),
        "bonus": _bonus(s, i, aim),
    }


def _pieces(s: State, i: int) -> Iterator[Piece]:
    """Trees, spires, bridges and ladders that the unit can attack."""
    for tile in s.feature_tiles[: s.n_features]:
        aim, is_tree = aim_at_feature(s, i, tile), s.feature[tile] == C.TREE
        if aim >= 0:
            pool = pool_of(C.W_TREE) if is_tree else None
            yield tile << 4 | s.level[tile], "tree" if is_tree else "spire", pool, aim
    for n in range(s.n_decks):
        aim = aim_at_deck(s, i, n)
        if aim >= 0:
            foot = s.deck_tiles[n * C.DECK_LENGTH] << 4 | s.deck_level[n]
            yield foot, "bridge", pool_of(C.W_DECK), aim
    for n in range(s.n_ladders):
        aim = aim_at_ladder(s, i, n)
        if aim >= 0:
            foot = s.foot_tile[n] << 4 | s.foot_level[n]
            yield foot, "ladder", pool_of(C.W_LADDER), aim

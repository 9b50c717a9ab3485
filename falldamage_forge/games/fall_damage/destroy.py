"""Terrain as a target: trees, bridges, ladders and spires, what they stand, and their end.

Sources: "Trees can be targeted & destroyed. Remove after being dealt 6 damage", "Bridges & Ladders
can be targeted & destroyed. Remove after being dealt 5 damage", "Castle Spires … can be pushed".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Literal

from falldamage_forge.board import Board, Feature, Tile
from falldamage_forge.board.surfaces import Surface, Terrain
from falldamage_forge.games.fall_damage.attack import can_attack, height_bonus
from falldamage_forge.games.fall_damage.falls import with_chests
from falldamage_forge.games.fall_damage.options import Options
from falldamage_forge.games.fall_damage.sight import sees
from falldamage_forge.values import dataclass

Kind = Literal["tree", "bridge", "ladder", "spire"]
POOLS: Mapping[Kind, int] = {"tree": 6, "bridge": 5, "ladder": 5}
"""Damage that removes one; spires are pushed, not shot."""


@dataclass(frozen=True, slots=True, order=True)
class Structure:
    """One tree, bridge, ladder or spire. `tile` and `level` are its foot; a bridge's are those of
    its north or west support's neighbour and its top. `to` is a ladder's top tile.
    """

    tile: Tile
    level: int
    kind: Kind
    to: Tile | None = None

    @property
    def pool(self) -> int | None:
        """Damage it stands, or None."""
        return POOLS.get(self.kind)

    def __str__(self) -> str:
        return f"the {self.kind} at {self.tile}@{self.level}"


@dataclass(frozen=True, slots=True)
class StructureTarget:
    """A structure within reach: where it is aimed at, and the number for height."""

    structure: Structure
    aim: Surface
    bonus: int


def structures(board: Board) -> tuple[Structure, ...]:
    """Everything on a board that can be destroyed or pushed off, sorted."""
    found = [
        Structure(tile, column.level, "tree" if column.feature is Feature.TREE else "spire")
        for tile in board.tiles()
        if (column := board.column(tile)).feature in (Feature.TREE, Feature.SPIRE)
    ]
    found += (Structure(deck.tiles[0], deck.level, "bridge") for deck in board.decks if deck.tiles)
    found += (
        Structure(ladder.foot, ladder.foot_level, "ladder", ladder.top) for ladder in board.ladders
    )
    return tuple(sorted(found))


def structures_at(board: Board, tile: Tile, level: int | None = None) -> tuple[Structure, ...]:
    """What stands on a tile or spans it: at a level, where one is given (a bridge's is its top)."""
    return tuple(
        one
        for one in structures(board)
        if tile in _tiles(board, one) and level in (None, one.level)
    )


def _tiles(board: Board, structure: Structure) -> tuple[Tile, ...]:
    if structure.kind == "bridge":
        return next(
            deck.tiles
            for deck in board.decks
            if deck.tiles and (deck.tiles[0], deck.level) == (structure.tile, structure.level)
        )
    return (structure.tile,)


def _top(terrain: Terrain, structure: Structure) -> int:
    """The highest level at which it can be aimed at."""
    if structure.kind == "bridge":
        return structure.level
    if structure.kind == "ladder":
        tops = [
            ladder.top_level
            for ladder in terrain.board.ladders
            if (ladder.foot, ladder.foot_level, ladder.top)
            == (structure.tile, structure.level, structure.to)
        ]
        return max(tops[0] - 1, structure.level)
    return terrain.top(structure.tile) - 1


def aims(terrain: Terrain, structure: Structure, attacker: Surface) -> tuple[Surface, ...]:
    """Where an attacker aims at it: each tile of a bridge, else the part nearest its own level."""
    level = min(max(attacker.level, structure.level), _top(terrain, structure))
    return tuple(Surface(tile, level) for tile in _tiles(terrain.board, structure))


def structure_targets(
    terrain: Terrain,
    attacker: Surface,
    radius: int,
    options: Options,
    *,
    needs_sight: bool = True,
    taken: frozenset[Surface] = frozenset(),
    fog: frozenset[Tile] = frozenset(),
) -> tuple[StructureTarget, ...]:
    """The structures within reach, height and sight, each at its best aim. `taken` are units."""
    found = []
    for one in structures(terrain.board):
        near = [
            at for at in aims(terrain, one, attacker) if can_attack(attacker, at, radius, options)
        ]
        if needs_sight and near:
            bare = Terrain(removed(terrain.board, one), terrain.options)
            others = frozenset(s for s in taken if one.kind != "ladder" or s.tile != one.tile)
            near = [
                at for at in near
                if sees(bare, attacker, at, options, taken=others, fog=fog).visible
            ]  # fmt: skip
        if near:
            best = max(
                near,
                key=lambda at: (
                    height_bonus(attacker, at, radius, options),
                    -at.tile.row,
                    -at.tile.col,
                ),
            )
            found.append(StructureTarget(one, best, height_bonus(attacker, best, radius, options)))
    return tuple(found)


def struck(
    wear: Mapping[Structure, int], structure: Structure, damage: int
) -> dict[Structure, int]:
    """The damage that each structure has taken, after one more blow."""
    return {**wear, structure: wear.get(structure, 0) + max(damage, 0)}


def is_broken(wear: Mapping[Structure, int], structure: Structure) -> bool:
    """Whether it has taken all it stands."""
    return structure.pool is not None and wear.get(structure, 0) >= structure.pool


def removed(board: Board, structure: Structure) -> Board:
    """The board without it; chests that lay on a bridge come down."""
    if structure.kind in ("tree", "spire"):
        return without_tree(board, structure.tile)
    if structure.kind == "bridge":
        spans = _tiles(board, structure)
        decks = tuple(
            deck for deck in board.decks if (deck.tiles, deck.level) != (spans, structure.level)
        )
        return with_chests(board, replace(board, decks=decks))
    ladders = tuple(
        ladder
        for ladder in board.ladders
        if (ladder.foot, ladder.foot_level, ladder.top)
        != (structure.tile, structure.level, structure.to)
    )
    return replace(board, ladders=ladders)


def without_tree(board: Board, tile: Tile) -> Board:
    """The board after a tree has taken its 6 damage, or a spire was pushed off its tower."""
    bare = [
        replace(board.column(t), feature=None)
        if t == tile and board.column(t).feature in (Feature.TREE, Feature.SPIRE)
        else board.column(t)
        for t in board.tiles()
    ]
    return replace(board, columns=tuple(bare))


def without(board: Board, tile: Tile) -> Board:
    """The board once everything that can be destroyed on or over a tile is gone.

    A ladder belongs to both of its tiles. ValueError when there is nothing.
    """
    gone = [one for one in structures(board) if tile in _tiles(board, one) or one.to == tile]
    if not gone:
        raise ValueError(f"there is no bridge, ladder, tree or spire at {tile}")
    return without_all(board, gone)


def without_all(board: Board, gone: Iterable[Structure]) -> Board:
    """The board without several of them."""
    for one in gone:
        board = removed(board, one)
    return board

"""What cards and treasure change: effective Move, thrown and lifted units, swaps and catches.

Sources: the unit cards, "Treasure" and "Alternate Win Conditions" of the rulebook.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from falldamage_forge.board import Board, Column, Feature, Ground, Tile, make_board
from falldamage_forge.rules.movement import Profile
from falldamage_forge.rules.reach import within
from falldamage_forge.rules.ruleset import Options
from falldamage_forge.surfaces import Surface, SurfaceGraph

SPRING_RISE, SPRING_TILES = 2, 4
SCAFFOLD_LEVELS, PARTITION_LEVELS, PARTITION_TILES = 3, 2, 3


@dataclass(frozen=True, slots=True)
class Modifiers:
    """What changes a unit's Move in one activation.

    `intimidated` counts Shield Bearers next to it; `poison` the round starts suffered; `boots` the
    Thief's Boots carried; `adrenal` the Adrenal Depletions taken; `carry` the Royal Icon or Bomb.
    """

    knight_first: bool = False
    bard: bool = False
    intimidated: int = 0
    poison: int = 0
    boots: int = 0
    adrenal: int = 0
    vines: bool = False
    carry: bool = False


def effective_move(move: int, modifiers: Modifiers, options: Options) -> int:
    """Move after all that adds and takes, at least 0, halved at last for who carries.

    "If measurement is necessary, always round down" settles the half (option `carry_round`).
    """
    if modifiers.vines:
        return 0
    several = modifiers.intimidated if options.stack == "yes" else min(modifiers.intimidated, 1)
    poison = modifiers.poison if options.poison_stack == "yes" else min(modifiers.poison, 1)
    total = move + modifiers.knight_first + modifiers.bard + 2 * modifiers.boots
    total = max(total - several - poison - modifiers.adrenal, 0)
    if not modifiers.carry:
        return total
    return (total + 1) // 2 if options.carry_round == "up" else total // 2


def with_treasure(profile: Profile, *, crampons: int = 0, discorporate: bool = False) -> Profile:
    """The profile with Exotic Crampons (Jump + 1 each), or passing enemies (Discorporate)."""
    return replace(
        profile,
        jump=profile.jump + crampons,
        pass_enemies=profile.pass_enemies or discorporate,
    )


def fall_levels(high_mm: float, low_mm: float, tile_mm: float = 30) -> int:
    """Whole tiles between two heights: "105mm height would be rounded down to 90mm"."""
    return int(abs(high_mm - low_mm) // tile_mm)


# -- thrown --------------------------------------------------------------------------------------


def spring_landings(
    graph: SurfaceGraph,
    trap: Surface,
    options: Options,
    *,
    taken: frozenset[Surface] = frozenset(),
    no_fall: bool = False,
) -> dict[Surface, int]:
    """Where a Spring Trap may throw whoever stands on it, with the damage of each landing.

    "thrown up 2 tiles vertically, and up to 4 tiles away of Tinkerer's choosing, including Fall
    Damage": any free surface at or below the top of the arc; damage is the drop from there.
    """
    apex = trap.level + SPRING_RISE
    found = {}
    for number, surface in enumerate(graph.surfaces):
        rows = surface.tile.row - trap.tile.row
        cols = surface.tile.col - trap.tile.col
        near = (rows, cols) == (0, 0) or within(rows, cols, SPRING_TILES, options)
        if surface.level > apex or not near or surface in taken - {trap}:
            continue
        if not graph.terrain.free(surface.tile, surface.level, apex + 1):
            continue
        if not graph.terrain.free(trap.tile, trap.level, apex + 1):
            continue
        if options.spring_arc == "clear" and not _arc_clear(graph, trap, surface, apex):
            continue
        unhurt = no_fall or graph.water(number)
        found[surface] = 0 if unhurt else apex - surface.level
    return found


def _arc_clear(graph: SurfaceGraph, trap: Surface, landing: Surface, apex: int) -> bool:
    """Whether the flight at the arc's top meets nothing solid over the tiles crossed."""
    from falldamage_forge.rules.sight import crossed

    return all(
        graph.terrain.free(tile, apex, apex + 1) for tile, _, _ in crossed(trap.tile, landing.tile)
    )


# -- lifted --------------------------------------------------------------------------------------


def raised_board(board: Board, tiles: Iterable[Tile], levels: int) -> Board:
    """The board with columns raised by bricks; units on them are lifted with their surface.

    Bricks stand on ground only: ValueError where there is a tree, a spire, lava, or a deck above.
    """
    raised = set(tiles)
    for tile in sorted(raised):
        column = board.column(tile)
        blocked = [
            deck for deck in board.deck_levels.get(tile, ()) if deck <= column.level + levels + 1
        ]
        if column.feature or column.ground is Ground.LAVA or blocked:
            raise ValueError(f"bricks cannot rise at {tile}")
    columns = [
        replace(board.column(tile), level=board.column(tile).level + levels, ground=Ground.GROUND)
        if tile in raised
        else board.column(tile)
        for tile in board.tiles()
    ]
    return replace_columns(board, columns)


def replace_columns(board: Board, columns: Iterable[Column]) -> Board:
    """The board with other columns and all else as it is."""
    return make_board(
        board.rows,
        board.cols,
        columns,
        decks=board.decks,
        ladders=board.ladders,
        treasures=board.treasures,
        starts=board.starts,
    )


def scaffold(board: Board, tile: Tile) -> Board:
    """Brick Mage: "Creates 1x1x3 tower"."""
    return raised_board(board, [tile], SCAFFOLD_LEVELS)


def partition(board: Board, tile: Tile, offset: tuple[int, int]) -> Board:
    """Brick Mage: "Creates 3x1x2 wall", from a tile along an offset."""
    tiles = [tile.step(offset, count) for count in range(PARTITION_TILES)]
    return raised_board(board, [t for t in tiles if t in board], PARTITION_LEVELS)


def crumble_damage(levels: int, *, no_fall: bool = False) -> int:
    """Damage to a unit on bricks that vanish under it: an involuntary fall."""
    return 0 if no_fall else levels


# -- moved without moving ------------------------------------------------------------------------


def catch(
    graph: SurfaceGraph, mage: Surface, target: Surface, taken: frozenset[Surface]
) -> Surface | None:
    """Space Mage: "Teleport enemy equal distance behind you"; None when there is no free surface.

    The highest free surface of the mirrored tile is taken, so that nobody falls.
    """
    tile = Tile(2 * mage.tile.row - target.tile.row, 2 * mage.tile.col - target.tile.col)
    if tile not in graph.board:
        return None
    free = [
        Surface(tile, level)
        for level in graph.terrain.standable(tile)
        if Surface(tile, level) not in taken
    ]
    return max(free, key=lambda surface: surface.level, default=None)


@dataclass(frozen=True, slots=True)
class Dive:
    """Where a dive ends, and the damage to each enemy it hits; no end when it may not be made."""

    end: Surface | None
    hit: dict[Surface, int]


def top_ropes(
    graph: SurfaceGraph,
    take_off: Surface,
    target: Surface,
    enemies: frozenset[Surface],
    options: Options,
) -> Dive:
    """Wrestler: "Dropping off a ledge to a tile on or adjacent to enemies damages them" twice.

    On to an enemy, the Wrestler comes down on the free surface next to it that lies nearest in
    height (option `top_ropes_on`); without one, or where that is forbidden, there is no dive.
    """
    drop = take_off.level - target.level
    if drop <= 0:
        return Dive(None, {})
    end: Surface | None = target
    if target in enemies:
        beside = [
            surface
            for surface in graph.surfaces
            if _apart(surface, target) == 1 and surface not in enemies
        ]
        end = min(beside, key=lambda s: (abs(s.level - target.level), s), default=None)
        if end is None or options.top_ropes_on == "forbidden":
            return Dive(None, {})
    hit = {enemy: 2 * drop for enemy in sorted(enemies) if _apart(enemy, target) <= 1}
    return Dive(end, hit)


def _apart(one: Surface, other: Surface) -> int:
    return abs(one.tile.row - other.tile.row) + abs(one.tile.col - other.tile.col)


def without_tree(board: Board, tile: Tile) -> Board:
    """The board after a tree has taken its 6 damage, or a spire was pushed off its tower."""
    columns = [
        replace(board.column(t), feature=None)
        if t == tile and board.column(t).feature in (Feature.TREE, Feature.SPIRE)
        else board.column(t)
        for t in board.tiles()
    ]
    return replace_columns(board, columns)

"""Changes of a board during play, as words such as `scaffold E5` (`--what-if`).

The engine applies each change to a state of the board. `apply_changes` applies several in order and
reports the falls of units on the board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace

from falldamage_forge.board import DIRECTIONS, WAYS, Board, Ladder, Tile
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.games.fall_damage.ability_queries.ability_context import (
    SOMEBODY,
    Before,
    UnitChange,
    before,
    changes,
)
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine import falls, hypothetical, terrain_changes
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.modifiers import Modifiers
from falldamage_forge.games.fall_damage.engine.push import push_spire
from falldamage_forge.games.fall_damage.engine.unit_stats import number
from falldamage_forge.games.fall_damage.options import DEFAULTS, FallDamageOptions
from falldamage_forge.games.fall_damage.play.game_data import GameData
from falldamage_forge.games.fall_damage.play.surface_number import (
    surface_of,
    tile_name,
    tile_number,
    tile_of,
)
from falldamage_forge.games.fall_damage.unit_cards import PushTarget
from falldamage_forge.infra.lazy_dataclass import dataclass

Words = tuple[str, ...]
Piece = tuple[int, int, Surface]
"""Kind of a terrain target, its tile or number, and the surface of its foot."""


@dataclass(frozen=True)
class WhatIfState:
    """A board after changes, with their effects on the units that stood on it.

    Attributes:
        state: State of the board.
        board: The board.
        falls: Fall of each unit that moved, by its first surface.
        hurt: Damage of each unit, by its first surface.
        notes: Remarks for the user.
    """

    state: StateColumns
    board: Board
    falls: Mapping[Surface, UnitChange] = field(default_factory=dict)
    hurt: Mapping[Surface, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def place(self, first: Surface) -> Surface | None:
        """Return the surface of the unit that stood on `first`; None if it died."""
        fall = self.falls.get(first)
        return fall.end if fall else first


# -- words -----------------------------------------------------------------------------------------


def _place(text: str) -> tuple[Tile, int | None]:
    """Parse `E5` or `E5@2`."""
    name, sign, level = text.partition("@")
    if sign and not (level.isascii() and level.isdigit() and len(level) <= 2):
        raise ValueError(f"`{text}` is not a tile or surface; write E5 or E5@2")
    return Tile.parse(name), int(level) if sign else None


def _is_on(s: StateColumns, tile: Tile) -> bool:
    return 0 <= tile.row < s.rows and 0 <= tile.col < s.cols


def _tile(s: StateColumns, text: str) -> int:
    tile, _ = _place(text)
    if not _is_on(s, tile):
        raise ValueError(f"{tile} is not on the board")
    return tile_number(tile)


def _way(text: str) -> int:
    if text not in WAYS:
        raise ValueError(f"`{text}` is not a direction; write {', '.join(WAYS)}")
    return DIRECTIONS.index(WAYS[text])


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 2):
        raise ValueError(f"`{text}` is not a number of 0 to 99")
    return int(text)


# -- bricks ----------------------------------------------------------------------------------------


def _scaffold(s: StateColumns, words: Words) -> str:
    _lay(s, C.SCAFFOLD, _tile(s, words[0]), -1)
    return ""


def _partition(s: StateColumns, words: Words) -> str:
    tile, way = _tile(s, words[0]), _way(words[1])
    _lay(s, C.PARTITION, tile, way)
    return ""


def _lay(s: StateColumns, ability: int, first: int, way: int) -> None:
    for step in range(number(s, ability, C.A_TILES)):
        tile = tile_of(first) if way < 0 else tile_of(first).step(DIRECTIONS[way], step)
        why = _against_bricks(s, tile)
        if why:
            raise ValueError(f"bricks cannot rise at {tile}: {why}")
    terrain_changes.place_bricks(s, C.NONE, ability, first, way)
    if s.lost:
        raise ValueError(f"there are bricks for {C.MOST_BRICKS} towers and walls")


def _against_bricks(s: StateColumns, tile: Tile) -> str:
    """Return the reason why bricks cannot be placed on a tile; empty if they can."""
    if not _is_on(s, tile):
        return "that is not on the board"
    at = tile_number(tile)
    if terrain_changes.takes_bricks(s, at):
        return ""
    words = (
        (s.feature[at] == C.SPIRE, "a spire stands there"),
        (s.feature[at] == C.TREE, "a tree stands there"),
        (s.bricks[at], "bricks lie there"),
        (s.ladder_foot[at], "a ladder stands there"),
        (s.under_deck[at] or s.deck_end[at], "a bridge rests there or passes over it"),
    )  # fmt: skip
    return next((why for there, why in words if there), "lava carries none")


def _crumble(s: StateColumns, _: Words) -> str:
    """Remove all bricks; their falls count as the mage's."""
    if not terrain_changes.lays_bricks(s, C.NONE):
        raise ValueError("there are no bricks yet; write `scaffold` or `partition` first")
    terrain_changes.remove_bricks(s, C.NONE)
    return ""


# -- destruction -----------------------------------------------------------------------------------


def _pieces(s: StateColumns) -> list[Piece]:
    """Return every tree, spire, bridge and ladder that still exists."""
    found = [
        (C.W_TREE if s.feature[tile] == C.TREE else C.W_SPIRE, tile, tile << 4 | s.level[tile])
        for tile in s.feature_tiles[: s.n_features]
        if s.feature[tile]
    ]
    for n in range(s.n_decks):
        if s.deck_alive[n] and s.deck_count[n]:
            found.append((C.W_DECK, n, s.deck_tiles[n * C.DECK_LENGTH] << 4 | s.deck_level[n]))
    for n in range(s.n_ladders):
        if s.ladder_alive[n]:
            found.append((C.W_LADDER, n, s.foot_tile[n] << 4 | s.foot_level[n]))
    return [(kind, name, surface_of(foot)) for kind, name, foot in found]


def _on(s: StateColumns, piece: Piece, tile: int) -> bool:
    """True if a terrain target stands on a tile, or spans it."""
    kind, n, foot = piece
    if kind == C.W_DECK:
        first = n * C.DECK_LENGTH
        return tile in s.deck_tiles[first : first + s.deck_count[n]]
    return tile_number(foot.tile) == tile


def _destroy(s: StateColumns, pieces: Iterable[Piece]) -> None:
    for kind, name, _ in pieces:
        falls.destroy(s, C.W_TREE if kind == C.W_SPIRE else kind, name)
    falls.settle_land(s, C.NO, C.NONE)


def _without(s: StateColumns, words: Words) -> str:
    """Destroy the targets on a tile; a ladder is on both of its tiles."""
    tile = _tile(s, words[0])
    gone = [
        piece
        for piece in _pieces(s)
        if _on(s, piece, tile) or (piece[0] == C.W_LADDER and s.head_tile[piece[1]] == tile)
    ]
    if not gone:
        raise ValueError(f"there is no bridge, ladder, tree or spire at {tile_of(tile)}")
    _destroy(s, gone)
    return ""


KINDS = {C.W_TREE: "tree", C.W_DECK: "bridge", C.W_LADDER: "ladder"}


def _hit(s: StateColumns, words: Words) -> str:
    """Damage a tree, bridge or ladder; damage adds up."""
    (tile, level), damage = _place(words[0]), _number(words[1])
    found = [
        piece
        for piece in _pieces(s)
        if piece[0] in KINDS and _is_on(s, tile) and _on(s, piece, tile_number(tile))
        and level in (None, piece[2].level)
    ]  # fmt: skip
    if not found:
        raise ValueError(f"there is no bridge, ladder or tree at {words[0]}")
    if len(found) > 1:
        choices = " or ".join(f"{foot} ({KINDS[kind]})" for kind, _, foot in found)
        raise ValueError(f"there are several targets; add the level: {choices}")
    ((kind, name, foot),) = found
    falls.damage_structure(s, kind, name, damage, C.NO, C.NONE)
    if found[0] not in _pieces(s):
        return ""
    scars = {C.W_TREE: s.scar, C.W_DECK: s.deck_scar, C.W_LADDER: s.ladder_scar}
    left = falls.pool_of(s, kind) - scars[kind][name]
    return f"the {KINDS[kind]} at {foot} stands {left} more damage"


def _topple(s: StateColumns, words: Words) -> str:
    """Push a spire; it damages the unit on which it lands."""
    tile, way, tiles = _tile(s, words[0]), _way(words[1]), _number(words[2])
    if tile not in s.feature_tiles[: s.n_features] or s.feature[tile] != C.SPIRE:
        raise ValueError(f"there is no spire at {tile_of(tile)}")
    push_spire(s, tile, way, tiles, C.NONE)
    stays = s.feature[tile] == C.SPIRE
    return f"the spire at {tile_of(tile)} stays: its way is blocked" if stays else ""


# -- Gaia's Gifts ----------------------------------------------------------------------------------


def _eruption(s: StateColumns, words: Words) -> str:
    tiles = [_tile(s, word) for word in words]
    if tiles[0] == tiles[1]:
        raise ValueError("an eruption takes two different tiles")
    for tile in tiles:
        if not terrain_changes.can_become_lava(s, tile):
            raise ValueError(f"lava cannot be placed under what is on {tile_of(tile)}")
    for tile in tiles:
        terrain_changes.turn_into(s, tile, C.FIRE)
    return ""


def dam(s: StateColumns, tile: int, way: int, count: int) -> None:
    """Flood a line of tiles.

    Args:
        s: State columns.
        tile: First tile.
        way: Direction, 0 north to 3 west.
        count: Length in tiles.

    Raises:
        ValueError: If the line is too long or leaves the board.
    """
    most = s.amounts[C.X_DAM]
    if not 1 <= count <= most:
        raise ValueError(f"a dam breaks over 1 to {most} tiles")
    if terrain_changes.run_length(s, tile, way, most) < count:
        raise ValueError(f"{count} tiles from {tile_name(tile)} do not fit on the board")
    terrain_changes.flood_line(s, tile, way, count)


def _dam(s: StateColumns, words: Words) -> str:
    dam(s, _tile(s, words[0]), _way(words[1]), _number(words[2]))
    return ""


def _shift(levels: int) -> Callable[[StateColumns, Words], str]:
    def change(s: StateColumns, words: Words) -> str:
        at = _tile(s, words[0])
        if not 0 <= s.level[at] + levels <= C.MOST_LEVEL:
            raise ValueError(f"{tile_of(at)} cannot go {levels:+d} from level {s.level[at]}")
        if not terrain_changes.can_shift_column(s, at, levels):
            why = "carries or touches something; a bare tile can be shifted"
            raise ValueError(f"{tile_of(at)} {why}")
        terrain_changes.shift_column(s, at, levels)
        return ""

    return change


CHANGES: Mapping[str, tuple[str, Callable[[StateColumns, Words], str]]] = {
    "scaffold": ("E5", _scaffold),
    "partition": ("E5 east", _partition),
    "crumble": ("", _crumble),
    "without": ("E5", _without),
    "hit": ("E5 3", _hit),
    "topple": ("E5 east 2", _topple),
    "eruption": ("E5 F5", _eruption),
    "dam": ("E5 east 4", _dam),
    "raise": ("E5", _shift(1)),
    "lower": ("E5", _shift(-1)),
}
"""Changes by name: an example of the words that follow, and the function that applies the change
and returns a note for the user."""

USAGE = "write " + ", ".join(
    f"`{f'{name} {after}'.strip()}`" for name, (after, _) in CHANGES.items()
)


def apply_changes(
    board: Board,
    texts: Iterable[str],
    content: GameData,
    options: FallDamageOptions = DEFAULTS,
    units: Mapping[Surface, PushTarget] | None = None,
) -> WhatIfState:
    """Apply changes in order, with their effects on units.

    Args:
        board: The map's board.
        texts: Changes, such as `scaffold E5`.
        content: Game data.
        options: Options of the ruleset.
        units: Units by the surface on which they stand before the changes.

    Raises:
        ValueError: If a change is unknown or impossible; the message says why.
    """
    s = hypothetical.board_state(board, options, content)
    for at, victim in (units or {}).items():
        unit = replace(SOMEBODY, no_fall=victim.no_fall)
        has = Modifiers(lead_shoes=victim.no_push, discorporate=victim.no_lava)
        hypothetical.stand(s, content, unit, at, hypothetical.MINE, has)
    was, notes, moved, now = before(s), [], set[int](), board
    for text in texts:
        spots, ladders = s.spot[:], _leading(now)
        notes.append(_changed(s, text))
        moved |= {i for i in range(s.n_units) if s.spot[i] != spots[i]}
        now = hypothetical.board_of(s, board)
        notes += [
            f"the ladder from {ladder.foot} to {ladder.top} leads nowhere any more"
            for ladder in ladders
            if ladder in now.ladders and ladder not in _leading(now)
        ]
    return _told(s, was, moved, now, notes)


def _changed(s: StateColumns, text: str) -> str:
    name, *words = text.split() or [""]
    example, change = CHANGES.get(name, ("", _scaffold))
    if name not in CHANGES or len(words) != len(example.split()):
        raise ValueError(USAGE)
    note = change(s, tuple(words))
    s.n_stack = 0  # triggers on a landing are not part of the change
    return note


def _leading(board: Board) -> list[Ladder]:
    """Return the ladders with a surface at both ends."""
    return [
        ladder
        for ladder in board.ladders
        if ladder.foot_level in board.tops(ladder.foot)
        and ladder.top_level in board.tops(ladder.top)
    ]


def _told(
    s: StateColumns, was: Before, moved: set[int], board: Board, notes: list[str]
) -> WhatIfState:
    found = changes(s, was, range(s.n_units))
    falls = {one.who: one for i, one in enumerate(found) if i in moved or not one.end}
    hurt = {one.who: one.damage for one in found if one.damage}
    return WhatIfState(s, board, falls, hurt, tuple(note for note in notes if note))


def apply_change(board: Board, text: str, content: GameData) -> Board:
    """Return the board after one change such as `scaffold E5`.

    Args:
        board: The board.
        text: The change, such as `scaffold E5`.
        content: Cards, abilities and items of the game.

    Raises:
        ValueError: If the change is unknown or impossible; the message says why.
    """
    return apply_changes(board, [text], content).board

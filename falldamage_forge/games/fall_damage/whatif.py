"""Boards as play changes them: bricks, what is shot away, what treasure does to the ground.

A change is a few words, such as `scaffold E5`. The engine makes it, on a state of the board;
`played` follows several of them, and tells what becomes of who stands there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from falldamage_forge.board import DIRECTIONS, WAYS, Board, Ladder, Tile
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.games.fall_damage.abilities.reading import Before, before, changes
from falldamage_forge.games.fall_damage.abilities.scene import SOMEBODY
from falldamage_forge.games.fall_damage.abilities.treasure import dam
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.engine.destruction import destroy, pool_of, wear
from falldamage_forge.games.fall_damage.engine.falls import settle_land
from falldamage_forge.games.fall_damage.engine.hypothetical import (
    MINE,
    board_of,
    board_state,
    stand,
)
from falldamage_forge.games.fall_damage.engine.modifiers import Modifiers
from falldamage_forge.games.fall_damage.engine.push import push_spire
from falldamage_forge.games.fall_damage.engine.terrain_changes import (
    burnable,
    crumble,
    lay,
    lays_bricks,
    may_shift,
    shift,
    takes_bricks,
    turn_into,
)
from falldamage_forge.games.fall_damage.engine.unit_stats import number
from falldamage_forge.games.fall_damage.falls import Fall
from falldamage_forge.games.fall_damage.options import DEFAULTS, Options
from falldamage_forge.games.fall_damage.play.kit import Kit
from falldamage_forge.games.fall_damage.play.spots import surface_of, tile_number, tile_of
from falldamage_forge.games.fall_damage.push_words import Victim

Words = tuple[str, ...]
Piece = tuple[int, int, Surface]
"""What kind of terrain stands somewhere, its tile or number, and the place of its foot."""


@dataclass(frozen=True)
class Played:
    """A board in play: its state, and where everybody is who was asked about, by the surface that
    one stood on at first.
    """

    state: State
    board: Board
    falls: Mapping[Surface, Fall] = field(default_factory=dict)
    hurt: Mapping[Surface, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def place(self, first: Surface) -> Surface | None:
        """Where the unit is by now that stood on a surface at first; None when it is dead."""
        fall = self.falls.get(first)
        return fall.end if fall else first


# -- words -----------------------------------------------------------------------------------------


def _place(text: str) -> tuple[Tile, int | None]:
    """`E5` or `E5@2`."""
    name, sign, level = text.partition("@")
    if sign and not (level.isascii() and level.isdigit() and len(level) <= 2):
        raise ValueError(f"`{text}` is no place; write E5 or E5@2")
    return Tile.parse(name), int(level) if sign else None


def _is_on(s: State, tile: Tile) -> bool:
    return 0 <= tile.row < s.rows and 0 <= tile.col < s.cols


def _tile(s: State, text: str) -> int:
    tile, _ = _place(text)
    if not _is_on(s, tile):
        raise ValueError(f"{tile} is not on the board")
    return tile_number(tile)


def _way(text: str) -> int:
    if text not in WAYS:
        raise ValueError(f"`{text}` is no direction; say {', '.join(WAYS)}")
    return DIRECTIONS.index(WAYS[text])


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 2):
        raise ValueError(f"`{text}` is not a number of 0 to 99")
    return int(text)


# -- bricks ----------------------------------------------------------------------------------------


def _scaffold(s: State, words: Words) -> str:
    _lay(s, _tile(s, words[0]), -1, 1, number(s, C.SCAFFOLD, C.A_AMOUNT))
    return ""


def _partition(s: State, words: Words) -> str:
    tile, way = _tile(s, words[0]), _way(words[1])
    levels = number(s, C.PARTITION, C.A_AMOUNT)
    _lay(s, tile, way, number(s, C.PARTITION, C.A_TILES), levels)
    return ""


def _lay(s: State, first: int, way: int, count: int, levels: int) -> None:
    for step in range(count):
        tile = tile_of(first) if way < 0 else tile_of(first).step(DIRECTIONS[way], step)
        why = _against_bricks(s, tile)
        if why:
            raise ValueError(f"bricks cannot rise at {tile}: {why}")
    lay(s, C.NONE, first, way, count, levels)
    if s.lost:
        raise ValueError(f"there are bricks for {C.MOST_BRICKS} towers and walls")


def _against_bricks(s: State, tile: Tile) -> str:
    """Why bricks cannot rise on a tile, in words; nothing where they can."""
    if not _is_on(s, tile):
        return "that is not on the board"
    at = tile_number(tile)
    if takes_bricks(s, at):
        return ""
    words = (
        (s.feature[at] == C.SPIRE, "a spire stands there"),
        (s.feature[at] == C.TREE, "a tree stands there"),
        (s.bricks[at], "bricks lie there"),
        (s.ladder_foot[at], "a ladder stands there"),
        (s.under_deck[at] or s.deck_end[at], "a bridge rests there or passes over it"),
    )  # fmt: skip
    return next((why for there, why in words if there), "lava carries none")


def _crumble(s: State, _: Words) -> str:
    """All bricks laid so far go; the falls are the mage's doing."""
    if not lays_bricks(s, C.NONE):
        raise ValueError("no bricks were laid before; say `scaffold` or `partition` first")
    crumble(s, C.NONE)
    return ""


# -- what is destroyed -----------------------------------------------------------------------------


def _pieces(s: State) -> list[Piece]:
    """Every tree, spire, bridge and ladder that still stands."""
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


def _on(s: State, piece: Piece, tile: int) -> bool:
    """Whether a piece stands on a tile, or spans it."""
    kind, n, foot = piece
    if kind == C.W_DECK:
        first = n * C.DECK_LENGTH
        return tile in s.deck_tiles[first : first + s.deck_count[n]]
    return tile_number(foot.tile) == tile


def _destroy(s: State, pieces: Iterable[Piece]) -> None:
    for kind, name, _ in pieces:
        destroy(s, C.W_TREE if kind == C.W_SPIRE else kind, name)
    settle_land(s, C.NO, C.NONE)


def _without(s: State, words: Words) -> str:
    """A ladder belongs to both of its tiles."""
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


def _hit(s: State, words: Words) -> str:
    """Damage to a tree, bridge or ladder, added to what it has taken."""
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
        told = " or ".join(f"{foot} ({KINDS[kind]})" for kind, _, foot in found)
        raise ValueError(f"several things can be hit there: say the level, {told}")
    ((kind, name, foot),) = found
    wear(s, kind, name, damage, C.NO, C.NONE)
    if found[0] not in _pieces(s):
        return ""
    scars = {C.W_TREE: s.scar, C.W_DECK: s.deck_scar, C.W_LADDER: s.ladder_scar}
    left = pool_of(kind) - scars[kind][name]
    return f"the {KINDS[kind]} at {foot} stands {left} more damage"


def _topple(s: State, words: Words) -> str:
    """A spire pushed so many tiles a way; it hurts whom it lands on."""
    tile, way, tiles = _tile(s, words[0]), _way(words[1]), _number(words[2])
    if s.feature[tile] != C.SPIRE:
        raise ValueError(f"there is no spire at {tile_of(tile)}")
    push_spire(s, tile, way, tiles, C.NONE)
    stays = s.feature[tile] == C.SPIRE
    return f"the spire at {tile_of(tile)} stays: its way is blocked" if stays else ""


# -- Gaia's Gifts ----------------------------------------------------------------------------------


def _eruption(s: State, words: Words) -> str:
    tiles = [_tile(s, word) for word in words]
    if tiles[0] == tiles[1]:
        raise ValueError("an eruption takes two different tiles")
    for tile in tiles:
        if not burnable(s, tile):
            raise ValueError(f"lava cannot be placed under what is on {tile_of(tile)}")
    for tile in tiles:
        turn_into(s, tile, C.FIRE)
    return ""


def _dam(s: State, words: Words) -> str:
    dam(s, _tile(s, words[0]), _way(words[1]), _number(words[2]))
    return ""


def _shift(levels: int) -> Callable[[State, Words], str]:
    def change(s: State, words: Words) -> str:
        at = _tile(s, words[0])
        if not 0 <= s.level[at] + levels <= C.MOST_LEVEL:
            raise ValueError(f"{tile_of(at)} cannot go {levels:+d} from level {s.level[at]}")
        if not may_shift(s, at, levels):
            why = "carries or touches something; a bare tile can be shifted"
            raise ValueError(f"{tile_of(at)} {why}")
        shift(s, at, levels)
        return ""

    return change


CHANGES: Mapping[str, tuple[str, Callable[[State, Words], str]]] = {
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
"""By name: an example of the words that follow, and what they do to a state; what is to be told."""

USAGE = "write " + ", ".join(
    f"`{f'{name} {after}'.strip()}`" for name, (after, _) in CHANGES.items()
)


def played(
    board: Board,
    texts: Iterable[str],
    kit: Kit,
    options: Options = DEFAULTS,
    units: Mapping[Surface, Victim] | None = None,
) -> Played:
    """A board after changes in words, in their order, with what becomes of the units on it.

    `units` are by the surface they stand on before. ValueError says what is wrong.
    """
    s = board_state(board, options, kit)
    for at, victim in (units or {}).items():
        unit = replace(SOMEBODY, no_fall=victim.no_fall, health=C.UNLIMITED)
        has = Modifiers(lead_shoes=victim.no_push, discorporate=victim.no_lava)
        stand(s, kit, unit, at, MINE, has)
    was, notes, moved, now = before(s), [], set[int](), board
    for text in texts:
        spots, ladders = s.spot[:], _leading(now)
        notes.append(_changed(s, text))
        moved |= {i for i in range(s.n_units) if s.spot[i] != spots[i]}
        now = board_of(s, board)
        notes += [
            f"the ladder from {ladder.foot} to {ladder.top} leads nowhere any more"
            for ladder in ladders
            if ladder in now.ladders and ladder not in _leading(now)
        ]
    return _told(s, was, moved, now, notes)


def _changed(s: State, text: str) -> str:
    name, *words = text.split() or [""]
    example, change = CHANGES.get(name, ("", _scaffold))
    if name not in CHANGES or len(words) != len(example.split()):
        raise ValueError(USAGE)
    told = change(s, tuple(words))
    s.n_stack = 0  # what lies where somebody came to rest is no part of the question
    return told


def _leading(board: Board) -> list[Ladder]:
    """Ladders with an end to step on to at either side."""
    return [
        ladder
        for ladder in board.ladders
        if ladder.foot_level in board.tops(ladder.foot)
        and ladder.top_level in board.tops(ladder.top)
    ]


def _told(s: State, was: Before, moved: set[int], board: Board, notes: list[str]) -> Played:
    found = changes(s, was, range(s.n_units))
    falls = {
        one.who: Fall(one.end, one.fall) for i, one in enumerate(found) if i in moved or not one.end
    }
    hurt = {one.who: one.damage for one in found if one.damage}
    return Played(s, board, falls, hurt, tuple(note for note in notes if note))


def changed(board: Board, text: str, kit: Kit) -> Board:
    """The board after one change in words, such as `scaffold E5`; ValueError says what is wrong."""
    return played(board, [text], kit).board

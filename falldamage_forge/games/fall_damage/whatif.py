"""Boards as play changes them: bricks, what is shot away, what treasure does to the ground.

A change is a few words, such as `scaffold E5`; `played` follows several of them, adds up the damage
that structures take, and tells what becomes of who stands there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from falldamage_forge.board import WAYS, Board, Tile
from falldamage_forge.board.surfaces import Surface, Terrain
from falldamage_forge.games.fall_damage.abilities.bricks import (
    Laid,
    crumbled,
    dammed,
    erupted,
    laid_between,
    partition,
    scaffold,
    shifted,
)
from falldamage_forge.games.fall_damage.destroy import (
    Structure,
    is_broken,
    removed,
    struck,
    structures_at,
    without,
)
from falldamage_forge.games.fall_damage.falls import Fall, settled
from falldamage_forge.games.fall_damage.options import DEFAULTS, Options
from falldamage_forge.games.fall_damage.push import Victim
from falldamage_forge.games.fall_damage.spire import topple

__all__ = ["CHANGES", "USAGE", "Played", "changed", "played", "without"]


@dataclass(frozen=True)
class Played:
    """A board in play: the damage its structures have taken, the bricks laid, and where everybody
    is who was asked about, by the surface it stood on at first.
    """

    board: Board
    options: Options = DEFAULTS
    wear: Mapping[Structure, int] = field(default_factory=dict)
    laid: tuple[Laid, ...] = ()
    units: Mapping[Surface, Victim] = field(default_factory=dict)
    falls: Mapping[Surface, Fall] = field(default_factory=dict)
    hurt: Mapping[Surface, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def place(self, first: Surface) -> Surface | None:
        """Where the unit is by now that stood on a surface at first; None when it is dead."""
        fall = self.falls.get(first)
        return fall.end if fall else first

    def on(self, board: Board, *, mage: bool = False) -> Played:
        """The same under a changed board: who stood there is lifted or falls."""
        terrain = self.options.terrain
        living = {at: first for first in self.units if (at := self.place(first))}
        victims = {at: self.units[first] for at, first in living.items()}
        moved = settled(Terrain(self.board, terrain), Terrain(board, terrain), victims, mage=mage)
        falls = dict(self.falls)
        for at, fall in moved.items():
            earlier = falls.get(living[at], Fall(at))
            falls[living[at]] = Fall(fall.end, earlier.damage + fall.damage)
        notes = (*self.notes, *_dead_ladders(self.board, board))
        return replace(self, board=board, falls=falls, notes=notes)


def _dead_ladders(before: Board, after: Board) -> list[str]:
    """Ladders that a change leaves without an end to step on to."""
    return [
        f"the ladder from {ladder.foot} to {ladder.top} leads nowhere any more"
        for ladder in after.ladders
        if _ends(before, ladder.foot, ladder.foot_level, ladder.top, ladder.top_level)
        and not _ends(after, ladder.foot, ladder.foot_level, ladder.top, ladder.top_level)
    ]


def _ends(board: Board, foot: Tile, foot_level: int, top: Tile, top_level: int) -> bool:
    return foot_level in board.tops(foot) and top_level in board.tops(top)


Words = tuple[str, ...]


def _tile(text: str) -> tuple[Tile, int | None]:
    """`E5` or `E5@2`."""
    name, sign, level = text.partition("@")
    if sign and not (level.isascii() and level.isdigit() and len(level) <= 2):
        raise ValueError(f"`{text}` is no place; write E5 or E5@2")
    return Tile.parse(name), int(level) if sign else None


def _on_board(state: Played, text: str) -> Tile:
    tile, _ = _tile(text)
    if tile not in state.board:
        raise ValueError(f"{tile} is not on the board")
    return tile


def _way(text: str) -> tuple[int, int]:
    if text not in WAYS:
        raise ValueError(f"`{text}` is no direction; say {', '.join(WAYS)}")
    return WAYS[text]


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 2):
        raise ValueError(f"`{text}` is not a number of 0 to 99")
    return int(text)


def _bricks(state: Played, board: Board) -> Played:
    laid = laid_between(state.board, board)
    return replace(state.on(board), laid=(*state.laid, *laid))


def _scaffold(state: Played, words: Words) -> Played:
    return _bricks(state, scaffold(state.board, _on_board(state, words[0])))


def _partition(state: Played, words: Words) -> Played:
    way = _way(words[1])
    return _bricks(state, partition(state.board, _on_board(state, words[0]), way))


def _crumble(state: Played, _: Words) -> Played:
    """All bricks laid so far go; the falls are the mage's doing."""
    if not state.laid:
        raise ValueError("no bricks were laid before; say `scaffold` or `partition` first")
    bare = crumbled(state.board, reversed(state.laid))
    return replace(state.on(bare, mage=True), laid=())


def _without(state: Played, words: Words) -> Played:
    return state.on(without(state.board, _on_board(state, words[0])))


def _hit(state: Played, words: Words) -> Played:
    """Damage to a tree, bridge or ladder, added to what it has taken."""
    tile, level = _tile(words[0])
    damage = _number(words[1])
    found = [
        one
        for one in (structures_at(state.board, tile, level) if tile in state.board else ())
        if one.pool is not None
    ]
    if not found:
        raise ValueError(f"there is no bridge, ladder or tree at {words[0]}")
    if len(found) > 1:
        told = " or ".join(f"{one.tile}@{one.level} ({one.kind})" for one in found)
        raise ValueError(f"several things can be hit there: say the level, {told}")
    wear = struck(state.wear, found[0], damage)
    state = replace(state, wear=wear)
    if is_broken(wear, found[0]):
        return state.on(removed(state.board, found[0]))
    left = (found[0].pool or 0) - wear[found[0]]
    return replace(state, notes=(*state.notes, f"{found[0]} stands {left} more damage"))


def _topple(state: Played, words: Words) -> Played:
    """A spire pushed so many tiles a way; it hurts whom it lands on."""
    tile, way, tiles = _on_board(state, words[0]), _way(words[1]), _number(words[2])
    if not any(one.kind == "spire" for one in structures_at(state.board, tile)):
        raise ValueError(f"there is no spire at {tile}")
    terrain = Terrain(state.board, state.options.terrain)
    here = {at: first for first in state.units if (at := state.place(first))}
    pushed = topple(terrain, tile, way, tiles, state.options, taken=frozenset(here))
    if not pushed.gone:
        return replace(
            state, notes=(*state.notes, f"the spire at {tile} stays: its way is blocked")
        )
    hurt = dict(state.hurt)
    if pushed.hit:
        first = here[pushed.hit]
        hurt[first] = hurt.get(first, 0) + pushed.damage
    return replace(state.on(without(state.board, tile)), hurt=hurt)


def _eruption(state: Played, words: Words) -> Played:
    tiles = [_on_board(state, word) for word in words]
    if tiles[0] == tiles[1]:
        raise ValueError("an eruption takes two different tiles")
    standing = {at.tile for first in state.units if (at := state.place(first))}
    for tile in tiles:
        if tile in standing:
            raise ValueError(f"lava cannot be placed under the unit on {tile}")
    return state.on(erupted(state.board, tiles))


def _dam(state: Played, words: Words) -> Played:
    tile, way = _on_board(state, words[0]), _way(words[1])
    return state.on(dammed(state.board, tile, way, _number(words[2])))


def _raise(state: Played, words: Words) -> Played:
    return state.on(shifted(state.board, _on_board(state, words[0]), 1))


def _lower(state: Played, words: Words) -> Played:
    return state.on(shifted(state.board, _on_board(state, words[0]), -1))


CHANGES: Mapping[str, tuple[str, Callable[[Played, Words], Played]]] = {
    "scaffold": ("E5", _scaffold),
    "partition": ("E5 east", _partition),
    "crumble": ("", _crumble),
    "without": ("E5", _without),
    "hit": ("E5 3", _hit),
    "topple": ("E5 east 2", _topple),
    "eruption": ("E5 F5", _eruption),
    "dam": ("E5 east 4", _dam),
    "raise": ("E5", _raise),
    "lower": ("E5", _lower),
}
"""By name: an example of the words that follow, and what they do."""

USAGE = "write " + ", ".join(
    f"`{f'{name} {after}'.strip()}`" for name, (after, _) in CHANGES.items()
)


def played(
    board: Board,
    texts: Iterable[str],
    options: Options = DEFAULTS,
    units: Mapping[Surface, Victim] | None = None,
) -> Played:
    """A board after changes in words, in their order, with what becomes of the units on it.

    `units` are by the surface they stand on before. ValueError says what is wrong.
    """
    state = Played(board, options, units=units or {})
    for text in texts:
        name, *words = text.split() or [""]
        example, change = CHANGES.get(name, ("", _scaffold))
        if name not in CHANGES or len(words) != len(example.split()):
            raise ValueError(USAGE)
        state = change(state, tuple(words))
    return state


def changed(board: Board, text: str) -> Board:
    """The board after one change in words, such as `scaffold E5`; ValueError says what is wrong."""
    return played(board, [text]).board

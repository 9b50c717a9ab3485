"""Gatefall as a setting: its table and its model of a board."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from falldamage_forge.board import Board, Tile
from falldamage_forge.board.surfaces import Surface, SurfaceGraph
from falldamage_forge.games.flat import Layer, anchor, layers_of
from falldamage_forge.games.gatefall import points, squares
from falldamage_forge.games.gatefall.gate import base_tiles, bases, gate_of, misfits
from falldamage_forge.games.gatefall.options import Character, Options
from falldamage_forge.issues import Issue
from falldamage_forge.rules.answers import Metric
from falldamage_forge.rules.engine import labels
from falldamage_forge.rules.game import NOBODY, Game, Occupants, Profile, counted
from falldamage_forge.rules.model import Edge, Model, Place, Scale

if TYPE_CHECKING:
    from falldamage_forge.rules.position import Position

SQUARES = Scale("squares")


@dataclass(frozen=True, slots=True)
class DeckClock:
    """A move costs an Action Point; a turn has what its number cards give."""

    deck: tuple[int, ...]
    shuffle: str

    def turns(self, moves: int) -> int:
        """Turns in which so many Action Points are there with a chance of at least one half."""
        return points.likely_turns(moves, self.deck, self.shuffle)

    def strike(self, moves: int, used: int) -> int:
        """The turn in which there is a point for the attack too."""
        del used
        return self.turns(moves + 1)

    def sure(self, moves: int, used: int, turn: int) -> Fraction:
        """Chance that the points for the moves and the attack are there by a turn."""
        del used
        return points.by_turn(moves + 1, self.deck, turn, self.shuffle)[-1]

    def spread(self, moves: int) -> dict[int, Fraction]:
        """Chances of turns, as the cards are drawn."""
        return points.turns_distribution(moves, self.deck, self.shuffle)

    def within(self, turns: int) -> None:
        """The cards decide."""
        del turns

    def after_failing(self, left: int) -> int:
        """Nothing has to be checked."""
        return left - 1

    def spare(self, move: int) -> int:
        """Nothing of a move: an attack is a point of its own."""
        del move
        return 0

    @property
    def move_name(self) -> str:
        """A move costs one."""
        return "Action Point"


@dataclass(frozen=True)
class Gatefall(Game):
    """The ruleset's table. `deck` is the values of a player's number cards."""

    units: Mapping[str, Character]
    options: Options = field(default_factory=Options)
    deck: tuple[int, ...] = (1, 1, 1, 1, 1, 1, 1, 0, 0, 0)

    fittings: ClassVar[Mapping[str, tuple[str, ...]]] = {"gate": (), "base": ()}
    __hash__ = Game.__hash__

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_proof_units()
        points.checked(self.deck)

    @property
    def questions(self) -> Mapping[str, Callable[..., Any]]:
        """Counting, attacks, the Gate, and what a deck gives."""
        from falldamage_forge.games.gatefall.asking import QUESTIONS

        return QUESTIONS

    @property
    def turn_told(self) -> str:
        """What a turn is."""
        return "the Action Points of a hand, told where they are there with a chance of one half"

    def misfits(self, board: Board) -> tuple[Issue, ...]:
        """A Gate that the board does not have, or more than one."""
        return tuple(misfits(board, self.options))

    def model(self, graph: SurfaceGraph, unit: Profile, others: Occupants = NOBODY) -> Model:
        """A character's steps; a move is one Action Point."""
        character: Character = self.profile(unit)
        board = graph.board
        places, edges = Steps(board, character, self.options, others).graph()
        allies = {surface.tile for surface in others.friends}
        shared = frozenset(n for n, place in enumerate(places) if allies.intersection(place.tiles))
        if self.options.end_on_ally == "yes":
            shared = frozenset()
        return Model(
            str(unit),
            places,
            edges,
            character.speed,
            SQUARES,
            DeckClock(self.deck, self.options.shuffle),
            no_stop=shared if self.options.end_check == "each_ap" else frozenset(),
            no_end=shared,
            exact=self.options.full_move == "exact",
            notes=(*_notes(board, self.options), *self.unread(board)),
        )

    def strikes(
        self, graph: SurfaceGraph, unit: Profile, model: Model, enemies: frozenset[Surface]
    ) -> set[int]:
        """Where one can attack an enemy on some tiles, or one who has just left his Base there.

        "Nobody in a Base may be attacked": of starts count the squares beside them.
        """
        board = graph.board
        character: Character = self.profile(unit)
        bases = base_tiles(board)
        free = {tile for place in model.places for tile in place.tiles}
        tiles = {surface.tile for surface in enemies}
        marks = [tuple(tiles - bases)] if tiles - bases else []
        if tiles & bases:
            marks += [
                place.tiles
                for place in model.places
                if not bases.intersection(place.tiles)
                and squares.count_between(place.tiles, tiles & bases) == 1
            ]
        return {
            number
            for number, place in enumerate(model.places)
            if any(
                squares.may_attack(
                    place.tiles, mark, character.reach, bases, self.options, free.__contains__
                )
                for mark in marks
            )
        }

    def measures(self, position: Position) -> Mapping[str, Callable[[], tuple[Metric, ...]]]:
        """Turns from each Base to the Gate and to the other Base, as chances."""
        return {"bases": lambda: self._bases_apart(position)}

    def _bases_apart(self, position: Position) -> tuple[Metric, ...]:
        board, model = position.board, position.model(position.plain)
        gate, homes = gate_of(board, self.options), bases(board)
        found = []
        for side, home in homes.items():
            starts = [n for n, place in enumerate(model.places) if home.issuperset(place.tiles)]
            goals = {"the Gate": gate.tiles} if gate else {}
            goals |= {f"{name}'s Base": there for name, there in homes.items() if name != side}
            for name, tiles in goals.items():
                need = _least_points(model, starts, tiles)
                text = self._tell(need)
                title = f"{side}'s Base to {name}"
                found.append(Metric(title, "info", text, {"action points": need}))
        return tuple(found)

    def _tell(self, need: int | None) -> str:
        if need is None:
            return "no way"
        spread = points.turns_distribution(need, self.deck, self.options.shuffle)
        shares = ", ".join(f"{turns} turns {_percent(share)}" for turns, share in spread.items())
        return f"{need} Action Points: {shares}".replace("1 turns", "1 turn")


def _least_points(model: Model, starts: Iterable[int], tiles: frozenset[Tile]) -> int | None:
    """Fewest moves with which any of the tiles is entered."""
    return next(
        (
            label.moves
            for label in labels(model, starts, chances=False)
            if tiles.intersection(model.places[label.place].tiles)
        ),
        None,
    )


def _percent(share: Fraction) -> str:
    """A chance in percent to one decimal, with the exact fraction."""
    tenths = round(share * 1000)
    return f"{tenths // 10}.{tenths % 10} % ({share})"


@dataclass(frozen=True)
class Steps:
    """The squares and steps of one character."""

    board: Board
    character: Character
    options: Options
    others: Occupants

    @property
    def layers(self) -> tuple[Layer, ...]:
        """Squares one may stand on; lava, trees and spires are walls."""
        return layers_of(self.board, self.options.levels == "closed")

    def graph(self) -> tuple[tuple[Place, ...], tuple[tuple[Edge, ...], ...]]:
        """Places, and the steps that leave each."""
        places: list[Place] = []
        edges: list[tuple[Edge, ...]] = []
        for layer in self.layers:
            walls = {s.tile for s in self.others.enemies if layer.get(s.tile) == s.level}
            open_squares = layer.keys() - walls
            here = list(self._places(layer, open_squares))
            index = {place.tiles: len(places) + n for n, place in enumerate(here)}
            places += here
            edges += [tuple(self._steps(place, open_squares, index)) for place in here]
        return tuple(places), tuple(edges)

    def _places(self, layer: Layer, free: set[Tile]) -> Iterator[Place]:
        """One square, a rigid pair, or a head with its tail."""
        for tile in sorted(free):
            if self.character.squares == 1:
                yield Place(anchor(layer, tile), (anchor(layer, tile),))
                continue
            tail = (0, 1) if self.options.brog == "horizontal" else (1, 0)
            offsets = (tail,) if self.options.brog_turn == "never" else squares.NEIGHBOURS
            for offset in offsets:
                other = tile.step(offset)
                if other in free:
                    spot = "" if offset == tail else f"tail {other}"
                    yield Place(
                        anchor(layer, tile), (anchor(layer, tile), anchor(layer, other)), spot
                    )

    def _steps(
        self, place: Place, free: set[Tile], index: Mapping[tuple[Tile, ...], int]
    ) -> Iterator[Edge]:
        """All squares of a character shift alike; with `snake` the tail goes where the head was."""
        snake = self.character.squares == 2 and self.options.brog_turn == "snake"
        for offset in squares.NEIGHBOURS:
            if self.options.corners == "no_squeeze" and self._squeezes(place, offset, free):
                continue
            head = place.tiles[0].step(offset)
            goal = (head, place.tiles[0]) if snake else tuple(t.step(offset) for t in place.tiles)
            to = index.get(goal)
            if to is not None:
                yield Edge(to, "walk", 1)

    def _squeezes(self, place: Place, offset: tuple[int, int], free: set[Tile]) -> bool:
        """Whether a diagonal step goes between two blocked corners."""
        if 0 in offset:
            return False
        moving = place.tiles if self.options.brog_turn == "never" else place.tiles[:1]
        return any(
            tile.step((offset[0], 0)) not in free and tile.step((0, offset[1])) not in free
            for tile in moving
        )


def _notes(board: Board, options: Options) -> tuple[str, ...]:
    notes = []
    gate = gate_of(board, options)
    if gate is not None:
        notes.append(f"the Gate is {gate.text}")
    for side in dict.fromkeys(square.name for square in board.fitted("base")):
        notes.append(f"{side}'s Base is {counted(bases(board)[side], 'square')} of its own")
    heights = {column.level for column in board.columns} | {deck.level for deck in board.decks}
    if len(heights) > 1 and options.levels == "flat":
        notes.append("heights mean nothing: the text has none")
    if board.ladders:
        notes.append(f"{counted(board.ladders, 'ladder')} without meaning")
    if board.treasures:
        notes.append(f"{counted(board.treasures, 'treasure')} without meaning")
    return tuple(notes)

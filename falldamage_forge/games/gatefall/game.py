"""Gatefall as a setting: its table and its model of a board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from falldamage_forge.board import Board, Tile
from falldamage_forge.games.engine import Clock, Edge, Labels, Model, Place, Scale, search
from falldamage_forge.games.gatefall import points, squares
from falldamage_forge.games.gatefall.options import Character, Options
from falldamage_forge.games.layers import Layer, anchor, layers_of
from falldamage_forge.games.setting import NOBODY, Occupants, Setting, counted
from falldamage_forge.surfaces import Surface

SQUARES = Scale("squares")


@dataclass(frozen=True)
class Gatefall(Setting):
    """The ruleset's table. `deck` is the values of a player's number cards."""

    units: Mapping[str, Character]
    deck: tuple[int, ...] = (1, 1, 1, 1, 1, 1, 1, 0, 0, 0)
    options: Options = field(default_factory=Options)

    def __post_init__(self) -> None:
        self.check_proof_units()
        if not 5 <= len(self.deck) <= 40 or min(self.deck) < 0 or max(self.deck) <= 0:
            raise ValueError("`deck` is 5 to 40 values of 0 or more, one of them above 0")

    @property
    def readings(self) -> Options:
        """The options."""
        return self.options

    @property
    def profiles(self) -> Mapping[str, Character]:
        """The characters."""
        return self.units

    def turns(self, need: int) -> int:
        """Turns in which so many Action Points are there with a chance of at least one half."""
        return points.likely_turns(need, self.deck, self.options.shuffle)

    def model(self, board: Board, unit: str, others: Occupants = NOBODY) -> Model:
        """A character's steps; a move is one Action Point."""
        character: Character = self.profile(unit)
        made = Steps(board, character, self.options, others)
        places, edges = made.graph()
        allies = {surface.tile for surface in others.friends}
        shared = frozenset(n for n, place in enumerate(places) if allies.intersection(place.tiles))
        if self.options.end_on_ally == "yes":
            shared = frozenset()
        bases = _bases(board)
        free = frozenset(tile for layer in made.layers for tile in layer)

        def contact(one: Place, other: Place) -> bool:
            return squares.may_attack(
                one.tiles, other.tiles, character.reach, bases, self.options, free.__contains__
            )

        def targets(starts: Iterable[Surface]) -> Iterable[int]:
            own = {surface.tile for surface in starts}
            return [
                n
                for n, place in enumerate(places)
                if not bases.intersection(place.tiles)
                and squares.count_between(place.tiles, own) == 1
            ]

        return Model(
            unit,
            places,
            edges,
            character.speed,
            SQUARES,
            Clock(self.turns, lambda moves, used: self.turns(moves + 1)),
            contact,
            no_stop=shared if self.options.end_check == "each_ap" else frozenset(),
            no_end=shared,
            exact=self.options.full_move == "exact",
            notes=_notes(board, self.options),
            targets=targets,
        )

    def measures(self, board: Board, unit: str) -> tuple[tuple[str, str], ...]:
        """Turns from each Base to the Gate and to the other Base, as chances."""
        model = self.model(board, unit)
        row = squares.gate_row(board, self.options)
        gate = {Tile(row, col) for col in range(board.cols)} if row is not None else set()
        found = []
        for zone in board.starts:
            at = map(Surface._make, zone.surfaces)
            starts = [model.index[surface] for surface in at if surface in model.index]
            labels = search(model, starts, chances=False)
            goals = {"the Gate": gate} if gate else {}
            for other in board.starts:
                if other.side != zone.side:
                    goals[f"{other.side}'s Base"] = {tile for tile, _ in other.surfaces}
            for name, tiles in goals.items():
                need = _least_moves(model, labels, tiles)
                found.append((f"{zone.side}'s Base to {name}", self._tell(need)))
        return tuple(found)

    def _tell(self, need: int | None) -> str:
        if need is None:
            return "no way"
        spread = points.turns_distribution(need, self.deck, self.options.shuffle)
        shares = ", ".join(f"{turns} turns {_percent(share)}" for turns, share in spread.items())
        return f"{need} Action Points: {shares}".replace("1 turns", "1 turn")


def _least_moves(model: Model, labels: Labels, tiles: set[Tile]) -> int | None:
    """Fewest moves with which any of the tiles is entered."""
    return min(
        (
            label.moves
            for place, here in labels.items()
            if tiles.intersection(model.places[place].tiles)
            for label in here
        ),
        default=None,
    )


def _percent(share: Fraction) -> str:
    """A chance in percent to one decimal, with the exact fraction."""
    tenths = round(share * 1000)
    return f"{tenths // 10}.{tenths % 10} % ({share})"


def _bases(board: Board) -> frozenset[Tile]:
    """The start tiles of every side are its Base."""
    return frozenset(tile for zone in board.starts for tile, _ in zone.surfaces)


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
                yield Edge(to, "step", 1)

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
    row = squares.gate_row(board, options)
    if row is not None:
        notes.append(f"the Gate is row {row + 1}")
    heights = {column.level for column in board.columns} | {deck.level for deck in board.decks}
    if len(heights) > 1 and options.levels == "flat":
        notes.append("heights mean nothing: the text has none")
    if board.ladders:
        notes.append(f"{counted(board.ladders, 'ladder')} without meaning")
    if board.treasures:
        notes.append(f"{counted(board.treasures, 'treasure')} without meaning")
    return tuple(notes)

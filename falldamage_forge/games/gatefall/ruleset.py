"""The Gatefall ruleset: its table and its movement graphs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from falldamage_forge.board import Board, Tile
from falldamage_forge.board.surfaces import Surface, SurfaceGraph
from falldamage_forge.games.flat_layers import Layer, anchor, layers_of
from falldamage_forge.games.gatefall import action_point_odds, square_distance
from falldamage_forge.games.gatefall.gate import base_tiles, bases, gate_of, misfits
from falldamage_forge.games.gatefall.options import Character, GatefallOptions, Shuffle
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import Issue
from falldamage_forge.rules.answers import Metric
from falldamage_forge.rules.movement_graph import CostUnit, Edge, GraphNode, MovementGraph
from falldamage_forge.rules.pathfinding import labels
from falldamage_forge.rules.ruleset import Ruleset, format_count
from falldamage_forge.rules.unit_values import NOBODY, Occupants, Profile

if TYPE_CHECKING:
    from falldamage_forge.rules.position_view import PositionView

SQUARES = CostUnit("squares")


@dataclass(frozen=True, slots=True)
class CardDeckTurn:
    """Turn structure: a move costs an Action Point, and cards give the points of a turn."""

    deck: tuple[int, ...]
    shuffle: Shuffle

    def turns(self, moves: int) -> int:
        """Return the turns in which `moves` points are reached with probability 1/2."""
        return action_point_odds.likely_turns(moves, self.deck, self.shuffle)

    def strike(self, moves: int, used: int) -> int:
        """Return the turn in which there is a point for the attack too.

        Args:
            moves: Moves made so far.
            used: Cost of the last move; not counted here.
        """
        del used
        return self.turns(moves + 1)

    def chance_to_attack_by(self, moves: int, used: int, turn: int) -> Fraction:
        """Return the probability of points for moves and attack by a turn.

        Args:
            moves: Moves before the attack.
            used: Cost of the last move; not counted here.
            turn: Number of the turn, from 1.
        """
        del used
        return action_point_odds.cumulative_distribution(moves + 1, self.deck, turn, self.shuffle)[
            -1
        ]

    def turn_distribution(self, moves: int) -> dict[int, Fraction]:
        """Return the probability of each number of turns."""
        return action_point_odds.turns_distribution(moves, self.deck, self.shuffle)

    def moves_within(self, turns: int) -> None:
        """Return None, because the cards decide the number of moves."""
        del turns

    def after_failing(self, left: int) -> int:
        """Return the moves left after a failed check; Gatefall has no checks."""
        return left - 1

    def attack_reserve(self, move: int) -> int:
        """Return 0: an attack costs a point of its own."""
        del move
        return 0

    @property
    def move_name(self) -> str:
        """Name of the unit of a move."""
        return "Action Point"


@dataclass(frozen=True)
class Gatefall(Ruleset):
    """Ruleset of Gatefall. `deck` holds the values of a player's number cards."""

    units: Mapping[str, Character]
    options: GatefallOptions = field(default_factory=GatefallOptions)
    deck: tuple[int, ...] = (1, 1, 1, 1, 1, 1, 1, 0, 0, 0)

    question_aliases: ClassVar[Mapping[str, str]] = {
        "distance": "count",
        "points-by-total": "totals",
        "odds-by-turn": "by-turn",
    }
    fittings: ClassVar[Mapping[str, tuple[str, ...]]] = {"gate": (), "base": ()}
    __hash__ = Ruleset.__hash__

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_proof_units()
        action_point_odds.check_deck(self.deck)

    @property
    def questions(self) -> Mapping[str, Callable[..., Any]]:
        """Queries: distances, attacks, the Gate, odds of a deck."""
        from falldamage_forge.games.gatefall.queries import QUESTIONS

        return QUESTIONS

    @property
    def turn_text(self) -> str:
        """A turn in words."""
        return "the Action Points of a hand; turns are those reached with a probability of one half"

    def check_options(self, board: Board) -> tuple[Issue, ...]:
        """Return issues of a missing Gate, or of more than one."""
        return tuple(misfits(board, self.options))

    def model(
        self, graph: SurfaceGraph, unit: Profile, others: Occupants = NOBODY
    ) -> MovementGraph:
        """Return the movement graph of a character; a move is one Action Point.

        Args:
            graph: Surfaces of the board and their neighbours.
            unit: Profile of the unit.
            others: Units that stand on the board.
        """
        character: Character = self.profile(unit)
        board = graph.board
        places, edges = SquareSteps(board, character, self.options, others).graph()
        allies = {surface.tile for surface in others.friends}
        shared = frozenset(n for n, place in enumerate(places) if allies.intersection(place.tiles))
        if self.options.end_on_ally == "yes":
            shared = frozenset()
        return MovementGraph(
            str(unit),
            places,
            edges,
            character.speed,
            SQUARES,
            CardDeckTurn(self.deck, self.options.shuffle),
            no_stop=shared if self.options.end_check == "each_ap" else frozenset(),
            no_end=shared,
            exact=self.options.full_move == "exact",
            notes=(*_notes(board, self.options), *self.ignored_fittings(board)),
        )

    def attack_nodes(
        self, graph: SurfaceGraph, unit: Profile, model: MovementGraph, enemies: frozenset[Surface]
    ) -> set[int]:
        """Return the nodes from which an enemy can be attacked.

        An enemy in its Base is attacked on the squares beside the Base.

        Source: "Nobody in a Base may be attacked".

        Args:
            graph: Surfaces of the board and their neighbours.
            unit: Profile of the unit.
            model: Its movement graph.
            enemies: Surfaces of the enemies.
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
                and square_distance.count_between(place.tiles, tiles & bases) == 1
            ]
        return {
            number
            for number, place in enumerate(model.places)
            if any(
                square_distance.may_attack(
                    place.tiles, mark, character.reach, bases, self.options, free.__contains__
                )
                for mark in marks
            )
        }

    def measures(self, position: PositionView) -> Mapping[str, Callable[[], tuple[Metric, ...]]]:
        """Return the metric of turns from each Base to the Gate and to the other Base."""
        return {"bases": lambda: self._bases_apart(position)}

    def _bases_apart(self, position: PositionView) -> tuple[Metric, ...]:
        board, model = position.board, position.model(position.plain)
        gate, homes = gate_of(board, self.options), bases(board)
        found = []
        for side, home in homes.items():
            starts = [n for n, place in enumerate(model.places) if home.issuperset(place.tiles)]
            goals = {"the Gate": gate.tiles} if gate else {}
            goals |= {f"{name}'s Base": there for name, there in homes.items() if name != side}
            for name, tiles in goals.items():
                need = _least_points(model, starts, tiles)
                text = self._format(need)
                title = f"{side}'s Base to {name}"
                found.append(Metric(title, "info", text, {"action points": need}))
        return tuple(found)

    def _format(self, need: int | None) -> str:
        if need is None:
            return "no way"
        spread = action_point_odds.turns_distribution(need, self.deck, self.options.shuffle)
        shares = ", ".join(f"{turns} turns {_percent(share)}" for turns, share in spread.items())
        return f"{need} Action Points: {shares}".replace("1 turns", "1 turn")


def _least_points(
    model: MovementGraph, starts: Iterable[int], tiles: frozenset[Tile]
) -> int | None:
    """Return the fewest moves that enter any of the tiles."""
    return next(
        (
            label.moves
            for label in labels(model, starts, chances=False)
            if tiles.intersection(model.places[label.place].tiles)
        ),
        None,
    )


def _percent(share: Fraction) -> str:
    """Return a probability in percent with one decimal, and as a fraction."""
    tenths = round(share * 1000)
    return f"{tenths // 10}.{tenths % 10} % ({share})"


@dataclass(frozen=True)
class SquareSteps:
    """Squares and steps of one character."""

    board: Board
    character: Character
    options: GatefallOptions
    others: Occupants

    @property
    def layers(self) -> tuple[Layer, ...]:
        """Squares with floor; lava, trees and spires are walls."""
        return layers_of(self.board, self.options.levels == "closed")

    def graph(self) -> tuple[tuple[GraphNode, ...], tuple[tuple[Edge, ...], ...]]:
        """Return the nodes, and the edges that leave each."""
        places: list[GraphNode] = []
        edges: list[tuple[Edge, ...]] = []
        for layer in self.layers:
            walls = {s.tile for s in self.others.enemies if layer.get(s.tile) == s.level}
            open_squares = layer.keys() - walls
            here = list(self._places(layer, open_squares))
            index = {place.tiles: len(places) + n for n, place in enumerate(here)}
            places += here
            edges += [tuple(self._steps(place, open_squares, index)) for place in here]
        return tuple(places), tuple(edges)

    def _places(self, layer: Layer, free: set[Tile]) -> Iterator[GraphNode]:
        """Yield the nodes: one square, a rigid pair, or a head with its tail."""
        for tile in sorted(free):
            if self.character.squares == 1:
                yield GraphNode(anchor(layer, tile), (anchor(layer, tile),))
                continue
            tail = (0, 1) if self.options.brog == "horizontal" else (1, 0)
            offsets = (tail,) if self.options.brog_turn == "never" else square_distance.NEIGHBOURS
            for offset in offsets:
                other = tile.step(offset)
                if other in free:
                    spot = "" if offset == tail else f"tail {other}"
                    yield GraphNode(
                        anchor(layer, tile), (anchor(layer, tile), anchor(layer, other)), spot
                    )

    def _steps(
        self, place: GraphNode, free: set[Tile], index: Mapping[tuple[Tile, ...], int]
    ) -> Iterator[Edge]:
        """Yield the steps of a node; with option `snake` the tail follows the head."""
        snake = self.character.squares == 2 and self.options.brog_turn == "snake"
        for offset in square_distance.NEIGHBOURS:
            if self.options.corners == "no_squeeze" and self._squeezes(place, offset, free):
                continue
            head = place.tiles[0].step(offset)
            goal = (head, place.tiles[0]) if snake else tuple(t.step(offset) for t in place.tiles)
            to = index.get(goal)
            if to is not None:
                yield Edge(to, "walk", 1)

    def _squeezes(self, place: GraphNode, offset: tuple[int, int], free: set[Tile]) -> bool:
        """True if a diagonal step passes between two blocked squares."""
        if 0 in offset:
            return False
        moving = place.tiles if self.options.brog_turn == "never" else place.tiles[:1]
        return any(
            tile.step((offset[0], 0)) not in free and tile.step((0, offset[1])) not in free
            for tile in moving
        )


def _notes(board: Board, options: GatefallOptions) -> tuple[str, ...]:
    notes = []
    gate = gate_of(board, options)
    if gate is not None:
        notes.append(f"the Gate is {gate.text}")
    for side in dict.fromkeys(square.name for square in board.fitted("base")):
        notes.append(f"{side}'s Base is {format_count(bases(board)[side], 'square')} of its own")
    heights = {column.level for column in board.columns} | {deck.level for deck in board.decks}
    if len(heights) > 1 and options.levels == "flat":
        notes.append("heights are ignored: the rulebook has none")
    if board.ladders:
        notes.append(f"{format_count(board.ladders, 'ladder')} ignored")
    if board.treasures:
        notes.append(f"{format_count(board.treasures, 'treasure')} ignored")
    return tuple(notes)

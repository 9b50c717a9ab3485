"""The Falchion ruleset: its table and its movement graphs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from fractions import Fraction
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple

from falldamage_forge.board import Board, Ground, Tile
from falldamage_forge.board.surfaces import Surface, SurfaceGraph
from falldamage_forge.games.any_angle import BaseClearance, SweptCorridor, legs, metric_offsets
from falldamage_forge.games.base_placement import (
    MIDDLE,
    Shift,
    Spots,
    covered_tiles,
    legs_between,
    passing_places,
    spot_text,
    spots_of,
)
from falldamage_forge.games.falchion import formulas
from falldamage_forge.games.falchion.options import Creature, FalchionOptions
from falldamage_forge.games.flat_layers import Layer, anchor, layers_of
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.rules.movement_graph import (
    CostUnit,
    Edge,
    FailureOutcome,
    GraphNode,
    MovementGraph,
)
from falldamage_forge.rules.ruleset import Ruleset, format_count
from falldamage_forge.rules.unit_values import NOBODY, Occupants, Profile

FEET = CostUnit("feet", formulas.FOOT_UM)


@dataclass(frozen=True, slots=True)
class TwoMoveTurn:
    """Turn structure: two moves, or one and an action.

    `pooled_um` is the length of one Move if both moves are one budget, else None.
    """

    pooled_um: int | None = None

    def turns(self, moves: int) -> int:
        """Return the turns in which `moves` moves are made."""
        return moves if self.pooled_um is not None else -(-moves // 2)

    def strike(self, moves: int, used: int) -> int:
        """Return the turn in which a Move is left for the action.

        Args:
            moves: Moves made so far.
            used: Cost of the last move; not counted here.
        """
        if self.pooled_um is not None:
            return max(1, moves + (used > self.pooled_um))
        return moves // 2 + 1

    def chance_to_attack_by(self, moves: int, used: int, turn: int) -> Fraction:
        """Return 1 if an attack is possible by a turn, else 0.

        Args:
            moves: Moves before the attack.
            used: Cost of the last move; not counted here.
            turn: Number of the turn, from 1.
        """
        return Fraction(self.strike(moves, used) <= turn)

    def turn_distribution(self, moves: int) -> dict[int, Fraction]:
        """Return the certain number of turns."""
        return {self.turns(moves): Fraction(1)}

    def moves_within(self, turns: int) -> int:
        """Return the number of moves in `turns` turns."""
        return turns if self.pooled_um is not None else 2 * turns

    def after_failing(self, left: int) -> int:
        """Return the moves left after a failed check, which ends the Move."""
        return left - 1

    def attack_reserve(self, move: int) -> int:
        """Return the part of a move in um that an action needs."""
        return move if self.pooled_um is None else move - self.pooled_um

    @property
    def move_name(self) -> str:
        """Name of the unit of a move; empty if the feet of a turn are one budget."""
        return "" if self.pooled_um is not None else "Move"


@dataclass(frozen=True)
class Falchion(Ruleset):
    """Ruleset of Falchion's battle phase."""

    units: Mapping[str, Creature]
    options: FalchionOptions = field(default_factory=FalchionOptions)

    question_aliases: ClassVar[Mapping[str, str]] = {"surprise-odds": "surprised"}

    __hash__ = Ruleset.__hash__

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_proof_units()

    @property
    def questions(self) -> Mapping[str, Callable[..., Any]]:
        """Queries: distances, turns, checks, Dodge, Grapple, surprise."""
        from falldamage_forge.games.falchion.queries import QUESTIONS

        return QUESTIONS

    @property
    def turn_text(self) -> str:
        """A turn in words."""
        return "two Moves, or one Move and an action"

    def model(
        self, graph: SurfaceGraph, unit: Profile, others: Occupants = NOBODY
    ) -> MovementGraph:
        """Return the movement graph of a creature: straight walks that overlap nothing.

        Args:
            graph: Surfaces of the board and their neighbours.
            unit: Profile of the unit.
            others: Units that stand on the board.
        """
        creature: Creature = self.profile(unit)
        board = graph.board
        places, edges = _walks(board, creature, self.options, others)
        one = _one_move_um(creature)
        start_used = _standing_up_um(creature, self.options) if creature.posture == "prone" else 0
        shared = frozenset(
            n for n, place in enumerate(places) if others.friends.intersection(place.covers)
        )
        return MovementGraph(
            str(unit),
            places,
            edges,
            _budget_um(creature, self.options),
            FEET,
            TwoMoveTurn(one if self.options.pool == "yes" else None),
            no_stop=shared,
            no_end=shared | passing_places(places),
            start_used=start_used,
            start_kind="stand up",
            notes=(*_notes(board, creature, self.options), *self.ignored_fittings(board)),
            lying=frozenset(n for n, place in enumerate(places) if place.spot == PRONE),
        )

    def attack_nodes(
        self, graph: SurfaceGraph, unit: Profile, model: MovementGraph, enemies: frozenset[Surface]
    ) -> set[int]:
        """Return the nodes from which a creature reaches an enemy of its size in melee.

        Args:
            graph: Surfaces of the board and their neighbours.
            unit: Profile of the unit.
            model: Its movement graph.
            enemies: Surfaces of the enemies.
        """
        creature: Creature = self.profile(unit)
        theirs = {model.places[n] for at in enemies for n in model.standing.get(at, ())}
        return {
            number
            for number, place in enumerate(model.places)
            if number not in model.lying
            and any(_melee(creature, self.options, place, other) for other in theirs)
        }


def _one_move_um(creature: Creature) -> int:
    """Return the length of one Move; each foot crawled costs two."""
    return creature.move_ft * formulas.FOOT_UM // (2 if creature.posture == "crawling" else 1)


def _standing_up_um(creature: Creature, options: FalchionOptions) -> int:
    """Return the cost of standing up: "1/2 movement"."""
    halves = 2 if options.stand_cost == "half_of_turn" else 1
    return halves * (_one_move_um(creature) // 2)


def _budget_um(creature: Creature, options: FalchionOptions) -> int:
    """Return the budget of a move: a Move, or with option `pool` both of a turn."""
    return _one_move_um(creature) * (2 if options.pool == "yes" else 1)


def _melee(creature: Creature, options: FalchionOptions, one: GraphNode, other: GraphNode) -> bool:
    """True if a creature on one node reaches a creature of its size on another."""
    slack = 0 if options.between == "centres" else creature.base_um
    reach_um = formulas.MELEE_UM + slack
    (at, level), (its, its_level) = one.anchor, other.anchor
    if options.levels == "closed" and level != its_level:
        return False
    south = (at.row - its.row) * options.tile_um + one.shift[0] - other.shift[0]
    east = (at.col - its.col) * options.tile_um + one.shift[1] - other.shift[1]
    return 0 < south * south + east * east <= reach_um * reach_um


class FloorLayer(NamedTuple):
    """A layer with its clearance, water tiles, water bits and node numbers.

    `down` is the distance from a node's number to that of a creature lying there.
    """

    layer: Layer
    ground: BaseClearance
    water: set[Tile]
    wet: int
    numbers: Mapping[tuple[Tile, Shift], int]
    down: int


def _walks(
    board: Board, creature: Creature, options: FalchionOptions, others: Occupants
) -> tuple[tuple[GraphNode, ...], tuple[tuple[Edge, ...], ...]]:
    walls = others.enemies
    if options.through == "nobody":
        walls = walls | others.friends
    places: list[GraphNode] = []
    edges: list[tuple[Edge, ...]] = []
    for layer in layers_of(board, options.levels == "closed"):
        open_tiles = layer.keys() - {at.tile for at in walls if layer.get(at.tile) == at.level}
        spots = _spots(creature, options, open_tiles)
        here = _places(layer, spots, creature, options)
        index = {(place.anchor.tile, place.shift): len(places) + n for n, place in enumerate(here)}
        places += here
        body = set(board.tiles()) if options.squeeze == "yes" else open_tiles
        ground = BaseClearance(
            board.rows, board.cols, body, open_tiles, beyond=options.squeeze == "yes"
        )
        water = _water(board, layer) if options.difficult == "water" else set()
        down = len(here) if water and options.difficult_fail == "prone" else 0
        floor = FloorLayer(layer, ground, water, ground.bits(water), index, down)
        for place in here:
            ways = _legs(place, spots, ground, creature, options)
            edges.append(tuple(_edges(place, ways, floor, creature, options)))
        if down:
            cost = _standing_up_um(creature, options)
            edges += ((Edge(number, "stand up", cost),) for number in index.values())
            places += (place._replace(spot=PRONE, shift=MIDDLE) for place in here)
    return tuple(places), tuple(edges)


def _spots(creature: Creature, options: FalchionOptions, free: set[Tile]) -> Spots:
    """Return the placements of a base on free tiles; with `square` by its north-west tile."""
    half, tile_um = creature.base_um // 2, options.tile_um
    if options.wide == "square":
        size = formulas.footprint_tiles(creature.base_um, tile_um)
        square = [(row, col) for row in range(size) for col in range(size)]
        return {
            tile: (MIDDLE,)
            for tile in sorted(free)
            if free.issuperset((tile.row + row, tile.col + col) for row, col in square)
        }

    def fits(tile: Tile, shift: Shift) -> bool:
        return options.squeeze == "yes" or free.issuperset(
            (tile.row + row, tile.col + col) for row, col in covered_tiles(shift, half, tile_um)
        )

    return spots_of(sorted(free), half, tile_um, fits)


def _places(
    layer: Layer, spots: Spots, creature: Creature, options: FalchionOptions
) -> list[GraphNode]:
    """Return the nodes of a layer with the tiles that a base covers there."""
    half, tile_um = creature.base_um // 2, options.tile_um
    size = range(formulas.footprint_tiles(creature.base_um, tile_um))
    square = [(row, col) for row in size for col in size]
    found = []
    for tile in sorted(spots):
        for shift in spots[tile]:
            over = square if options.wide == "square" else covered_tiles(shift, half, tile_um)
            tiles = (Tile(tile.row + row, tile.col + col) for row, col in over)
            covers = tuple(anchor(layer, part) for part in tiles if part in layer)
            found.append(GraphNode(anchor(layer, tile), covers, spot_text(shift), shift))
    return found


def _legs(
    place: GraphNode,
    spots: Spots,
    ground: BaseClearance,
    creature: Creature,
    options: FalchionOptions,
) -> Iterator[tuple[Tile, Shift, SweptCorridor]]:
    """Yield the straight legs from a node."""
    half, tile_um = creature.base_um // 2, options.tile_um
    offsets = metric_offsets(options.metric, _budget_um(creature, options), tile_um)
    tile = place.anchor.tile
    if options.wide == "square" or creature.base_um <= tile_um:
        size = formulas.footprint_tiles(creature.base_um, tile_um)
        for goal, leg in legs(tile, offsets, half, size, ground, tile_um):
            if goal in spots:
                yield goal, MIDDLE, leg
    else:
        yield from legs_between(tile, place.shift, spots, offsets, half, tile_um, ground)


def _edges(
    place: GraphNode,
    ways: Iterable[tuple[Tile, Shift, SweptCorridor]],
    floor: FloorLayer,
    creature: Creature,
    options: FalchionOptions,
) -> Iterator[Edge]:
    layer, ground, water, wet, index, down = floor
    for goal, shift, leg in ways:
        to = index[goal, shift]
        near = wet and ground.meets(wet, place.anchor.tile, leg)
        before = _entries(place, leg, water) if near else ()
        if not before:
            yield Edge(to, "walk", leg.cost_um)
            continue
        one = formulas.check_chance(creature.agility, creature.difficult_dr)
        chance = one ** len(before)
        if chance == 0:
            continue
        risk, ends = RISKS[options.difficult_fail], []
        if chance < 1:
            own = index[place.anchor.tile, place.shift]
            for passed, tile in enumerate(before):
                share = one**passed * (1 - one) / (1 - chance)
                number = index.get((tile, place.shift), own)
                at = place.anchor if number == own else anchor(layer, tile)
                ends.append(FailureOutcome(at, number + down, share))
        yield Edge(to, "wade", leg.cost_um, chance=chance, risk=risk, ends=tuple(ends))


PRONE = "prone"
"""Position of a node on which the creature lies."""
RISKS = {
    "stop": "the Move ends before the water",
    "prone": "prone before the water",
    "half": "the rest of the Move is halved",
}


def _entries(place: GraphNode, leg: SweptCorridor, water: set[Tile]) -> tuple[Tile, ...]:
    """Return the last dry tile before each entry of a leg into water.

    A base wider than a tile enters as soon as it covers water, and stops where it began.
    """
    row, col = place.anchor.tile
    if len(place.covers) > 1:
        wades = any((row + r, col + c) in water for r, c in leg.swept)
        return (place.anchor.tile,) if wades and water.isdisjoint(place.tiles) else ()
    wet = [(row + r, col + c) in water for r, c in leg.line]
    if True not in wet:
        return ()
    dry = (step for step, (before, now) in enumerate(pairwise(wet)) if now and not before)
    return tuple(Tile(row + leg.line[step][0], col + leg.line[step][1]) for step in dry)


def _water(board: Board, layer: Layer) -> set[Tile]:
    """Return the tiles of a layer on which a creature stands in water."""
    columns = {tile: board.column(tile) for tile in layer}
    return {
        tile
        for tile, column in columns.items()
        if column.ground is Ground.WATER and column.level == layer[tile]
    }


def _notes(board: Board, creature: Creature, options: FalchionOptions) -> tuple[str, ...]:
    notes = []
    size = formulas.SIZES[formulas.size_of(creature.base_um, options)]
    tiles = formulas.footprint_tiles(creature.base_um, options.tile_um)
    wide = f"{tiles} tile{'s' * (tiles > 1)} wide"
    notes.append(f"size {size}, {f'{tiles}x{tiles} tiles' if options.wide == 'square' else wide}")
    heights = {column.level for column in board.columns} | {deck.level for deck in board.decks}
    if len(heights) > 1 and options.levels == "flat":
        notes.append("heights are ignored: no rule covers climbing or falling")
    if board.ladders:
        notes.append(f"{format_count(board.ladders, 'ladder')} ignored")
    if board.treasures:
        notes.append(f"{format_count(board.treasures, 'treasure')} ignored")
    return tuple(notes)

"""Falchion as a setting: its table and its model of a board."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from falldamage_forge.board import Board, Ground, Tile
from falldamage_forge.board.surfaces import Surface, SurfaceGraph
from falldamage_forge.games.falchion import formulas
from falldamage_forge.games.falchion.options import Creature, Options
from falldamage_forge.games.flat import Layer, anchor, layers_of
from falldamage_forge.games.ruler import Corridor, Field, legs, metric_offsets
from falldamage_forge.games.spots import (
    MIDDLE,
    Shift,
    Spots,
    covered,
    legs_between,
    passing_places,
    spot_text,
    spots_of,
)
from falldamage_forge.rules.game import NOBODY, Game, Occupants, Profile, counted
from falldamage_forge.rules.model import Edge, End, Model, Place, Scale

FEET = Scale("feet", formulas.FOOT_UM)


@dataclass(frozen=True, slots=True)
class TwoMoves:
    """A turn is two moves, or one and an action; `pooled_um` is one Move where both are one."""

    pooled_um: int | None = None

    def turns(self, moves: int) -> int:
        """Turns in which so many moves are made."""
        return moves if self.pooled_um is not None else -(-moves // 2)

    def strike(self, moves: int, used: int) -> int:
        """The turn in which a Move is left for the action."""
        if self.pooled_um is not None:
            return max(1, moves + (used > self.pooled_um))
        return moves // 2 + 1

    def sure(self, moves: int, used: int, turn: int) -> Fraction:
        """Whether one can attack by a turn."""
        return Fraction(self.strike(moves, used) <= turn)

    def spread(self, moves: int) -> dict[int, Fraction]:
        """Turns for sure."""
        return {self.turns(moves): Fraction(1)}

    def within(self, turns: int) -> int:
        """Moves in so many turns."""
        return turns if self.pooled_um is not None else 2 * turns

    def after_failing(self, left: int) -> int:
        """The Move is over, and with `pool` what is left of the turn's feet."""
        return left - 1

    def spare(self, move: int) -> int:
        """The Move that the action takes."""
        return move if self.pooled_um is None else move - self.pooled_um

    @property
    def move_name(self) -> str:
        """With `pool` the feet of a turn are one budget."""
        return "" if self.pooled_um is not None else "Move"


@dataclass(frozen=True)
class Falchion(Game):
    """The ruleset's table."""

    units: Mapping[str, Creature]
    options: Options = field(default_factory=Options)

    __hash__ = Game.__hash__

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_proof_units()

    @property
    def questions(self) -> Mapping[str, Callable[..., Any]]:
        """Distances, turns, checks, Dodge, Grapple, surprise."""
        from falldamage_forge.games.falchion.asking import QUESTIONS

        return QUESTIONS

    @property
    def turn_told(self) -> str:
        """What a turn is."""
        return "two Moves, or one Move and an action"

    def model(self, graph: SurfaceGraph, unit: Profile, others: Occupants = NOBODY) -> Model:
        """A creature's straight walks; its base keeps to its own tiles and hits nothing."""
        creature: Creature = self.profile(unit)
        board = graph.board
        places, edges = _walks(board, creature, self.options, others)
        one = _one_move_um(creature)
        start_used = _standing_up_um(creature, self.options) if creature.posture == "prone" else 0
        shared = frozenset(
            n for n, place in enumerate(places) if others.friends.intersection(place.covers)
        )
        return Model(
            str(unit),
            places,
            edges,
            _budget_um(creature, self.options),
            FEET,
            TwoMoves(one if self.options.pool == "yes" else None),
            no_stop=shared,
            no_end=shared | passing_places(places),
            start_used=start_used,
            start_kind="stand up",
            notes=(*_notes(board, creature, self.options), *self.unread(board)),
            lying=frozenset(n for n, place in enumerate(places) if place.spot == PRONE),
        )

    def strikes(
        self, graph: SurfaceGraph, unit: Profile, model: Model, enemies: frozenset[Surface]
    ) -> set[int]:
        """Where a creature can strike one like it."""
        creature: Creature = self.profile(unit)
        theirs = {model.places[n] for at in enemies for n in model.standing.get(at, ())}
        return {
            number
            for number, place in enumerate(model.places)
            if number not in model.lying
            and any(_melee(creature, self.options, place, other) for other in theirs)
        }


def _one_move_um(creature: Creature) -> int:
    """One Move; each foot crawled costs two."""
    return creature.move_ft * formulas.FOOT_UM // (2 if creature.posture == "crawling" else 1)


def _standing_up_um(creature: Creature, options: Options) -> int:
    """What standing up takes: "1/2 movement"."""
    halves = 2 if options.stand_cost == "half_of_turn" else 1
    return halves * (_one_move_um(creature) // 2)


def _budget_um(creature: Creature, options: Options) -> int:
    """What is spent before a creature is set on a tile: a Move, or with `pool` both of a turn."""
    return _one_move_um(creature) * (2 if options.pool == "yes" else 1)


def _melee(creature: Creature, options: Options, one: Place, other: Place) -> bool:
    """Whether a creature in one place can strike one like it in another."""
    slack = 0 if options.between == "centres" else creature.base_um
    reach_um = formulas.MELEE_UM + slack
    (at, level), (its, its_level) = one.anchor, other.anchor
    if options.levels == "closed" and level != its_level:
        return False
    south = (at.row - its.row) * options.tile_um + one.shift[0] - other.shift[0]
    east = (at.col - its.col) * options.tile_um + one.shift[1] - other.shift[1]
    return 0 < south * south + east * east <= reach_um * reach_um


class Floor(NamedTuple):
    """A layer, its ground, water and that as bits, its places' numbers; one lies `down` further."""

    layer: Layer
    ground: Field
    water: set[Tile]
    wet: int
    numbers: Mapping[tuple[Tile, Shift], int]
    down: int


def _walks(
    board: Board, creature: Creature, options: Options, others: Occupants
) -> tuple[tuple[Place, ...], tuple[tuple[Edge, ...], ...]]:
    walls = others.enemies
    if options.through == "nobody":
        walls = walls | others.friends
    places: list[Place] = []
    edges: list[tuple[Edge, ...]] = []
    for layer in layers_of(board, options.levels == "closed"):
        open_tiles = layer.keys() - {at.tile for at in walls if layer.get(at.tile) == at.level}
        spots = _spots(creature, options, open_tiles)
        here = _places(layer, spots, creature, options)
        index = {(place.anchor.tile, place.shift): len(places) + n for n, place in enumerate(here)}
        places += here
        body = set(board.tiles()) if options.squeeze == "yes" else open_tiles
        ground = Field(board.rows, board.cols, body, open_tiles, beyond=options.squeeze == "yes")
        water = _water(board, layer) if options.difficult == "water" else set()
        down = len(here) if water and options.difficult_fail == "prone" else 0
        floor = Floor(layer, ground, water, ground.bits(water), index, down)
        for place in here:
            ways = _legs(place, spots, ground, creature, options)
            edges.append(tuple(_edges(place, ways, floor, creature, options)))
        if down:
            cost = _standing_up_um(creature, options)
            edges += ((Edge(number, "stand up", cost),) for number in index.values())
            places += (place._replace(spot=PRONE, shift=MIDDLE) for place in here)
    return tuple(places), tuple(edges)


def _spots(creature: Creature, options: Options, free: set[Tile]) -> Spots:
    """Where a base may stand on free tiles; a square of tiles by its north-west one."""
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
            (tile.row + row, tile.col + col) for row, col in covered(shift, half, tile_um)
        )

    return spots_of(sorted(free), half, tile_um, fits)


def _places(layer: Layer, spots: Spots, creature: Creature, options: Options) -> list[Place]:
    """Every place of a layer with what a base covers there."""
    half, tile_um = creature.base_um // 2, options.tile_um
    size = range(formulas.footprint_tiles(creature.base_um, tile_um))
    square = [(row, col) for row in size for col in size]
    found = []
    for tile in sorted(spots):
        for shift in spots[tile]:
            over = square if options.wide == "square" else covered(shift, half, tile_um)
            tiles = (Tile(tile.row + row, tile.col + col) for row, col in over)
            covers = tuple(anchor(layer, part) for part in tiles if part in layer)
            found.append(Place(anchor(layer, tile), covers, spot_text(shift), shift))
    return found


def _legs(
    place: Place, spots: Spots, ground: Field, creature: Creature, options: Options
) -> Iterator[tuple[Tile, Shift, Corridor]]:
    """Straight ways from a place."""
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
    place: Place,
    ways: Iterable[tuple[Tile, Shift, Corridor]],
    floor: Floor,
    creature: Creature,
    options: Options,
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
                ends.append(End(at, number + down, share))
        yield Edge(to, "wade", leg.cost_um, chance=chance, risk=risk, ends=tuple(ends))


PRONE = "prone"
"""The spot of one who lies on a place."""
RISKS = {
    "stop": "the Move ends before the water",
    "prone": "prone before the water",
    "half": "the rest of the Move is halved",
}


def _entries(place: Place, leg: Corridor, water: set[Tile]) -> tuple[Tile, ...]:
    """The last dry tile before each time that a leg goes into water, by the middle of a base.

    One wider than a tile is in the water as soon as any of it is, and stops where it began.
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
    """Tiles of a layer on which one stands in water."""
    columns = {tile: board.column(tile) for tile in layer}
    return {
        tile
        for tile, column in columns.items()
        if column.ground is Ground.WATER and column.level == layer[tile]
    }


def _notes(board: Board, creature: Creature, options: Options) -> tuple[str, ...]:
    notes = []
    size = formulas.SIZES[formulas.size_of(creature.base_um, options)]
    tiles = formulas.footprint_tiles(creature.base_um, options.tile_um)
    wide = f"{tiles} tile{'s' * (tiles > 1)} wide"
    notes.append(f"size {size}, {f'{tiles}x{tiles} tiles' if options.wide == 'square' else wide}")
    heights = {column.level for column in board.columns} | {deck.level for deck in board.decks}
    if len(heights) > 1 and options.levels == "flat":
        notes.append("heights mean nothing: no rule speaks of climbing or falling")
    if board.ladders:
        notes.append(f"{counted(board.ladders, 'ladder')} without meaning")
    if board.treasures:
        notes.append(f"{counted(board.treasures, 'treasure')} without meaning")
    return tuple(notes)

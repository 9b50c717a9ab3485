"""One board under one game: each graph, model and flood is worked out once and shared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from falldamage_forge.board import Board, Tile
from falldamage_forge.board.surfaces import Surface, SurfaceGraph, surface_graph
from falldamage_forge.issues import ForgeError, Issue, refuse
from falldamage_forge.rules import engine, odds
from falldamage_forge.rules.answers import (
    Path,
    Pushed,
    Reach,
    Reached,
    Sight,
    Step,
    Targets,
    Way,
)
from falldamage_forge.rules.engine import Label
from falldamage_forge.rules.game import NOBODY, Game, Occupants, Profile, UnitClass
from falldamage_forge.rules.model import MAX_WAVE_MOVE, Model
from falldamage_forge.rules.waves import bits, mask_of, move_waves

if TYPE_CHECKING:
    from falldamage_forge.rules.questions import Answer

Places = str | Surface
"""`E5`, `E5@2`, or a surface."""


@dataclass
class Memo:
    """What is known of a board under a game, by value: it serves every equal board."""

    graph: SurfaceGraph | None = None
    models: dict[tuple[Profile, Occupants], Model] = field(default_factory=dict)
    floods: dict[tuple[Profile, frozenset[int], bool], frozenset[int]] = field(default_factory=dict)
    layers: dict[Profile, dict[str, list[int]]] = field(default_factory=dict)
    seen: tuple[int, ...] | None = None


class Position:
    """A board ready to be asked under a game's rules.

    Everything is memoised by value, so ask one position as often as you like. Raises ForgeError
    for places and units that are not there (FDF340, FDF341, FDF364, FDF367).
    """

    def __init__(
        self,
        board: Board,
        game: Game,
        memo: Memo | None = None,
        before: Position | None = None,
        changes: tuple[str, ...] = (),
    ) -> None:
        """A board under a game; after `changes` places are read as they were `before` them."""
        self.board, self.game = board, game
        self._memo = memo or Memo()
        self._before, self._changes = before, changes

    # -- what is shared --------------------------------------------------------------------------

    @property
    def graph(self) -> SurfaceGraph:
        """Surfaces of the board and the links between them."""
        if self._memo.graph is None:
            self._memo.graph = surface_graph(self.board, self.game.terrain)
        return self._memo.graph

    @cached_property
    def classes(self) -> tuple[UnitClass, ...]:
        """Units that move alike; the plain one first when it is none of these."""
        return self.game.classes()

    @property
    def plain(self) -> str:
        """The unit that stands for all in measures: the first the map is proved for."""
        return self.game.proof_units[0]

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides that start on the board."""
        return tuple(zone.side for zone in self.board.starts)

    def model(self, unit: Profile, others: Occupants = NOBODY) -> Model:
        """How a unit, by name or profile, moves among others."""
        key = (unit, others)
        if key not in self._memo.models:
            self._memo.models[key] = self.game.model(self.graph, unit, others)
        return self._memo.models[key]

    def zones(self, unit: Profile) -> dict[str, tuple[int, ...]]:
        """Start places of each side on which a unit has room."""
        at = self.model(unit).standing
        return {
            zone.side: tuple(
                dict.fromkeys(
                    n for here in map(Surface._make, zone.surfaces) for n in at.get(here, ())
                )
            )
            for zone in self.board.starts
        }

    def flood(self, unit: Profile, starts: Iterable[int], *, back: bool = False) -> frozenset[int]:
        """Places a unit reaches unhurt from some others, or (`back`) reaches them from."""
        key = (unit, frozenset(starts), back)
        if key not in self._memo.floods:
            self._memo.floods[key] = engine.flood(self.model(unit), key[1], back=back)
        return self._memo.floods[key]

    def layers(self, unit: Profile) -> Mapping[str, list[int]]:
        """For each side sets of places first reached unhurt in turn 0, 1, 2, … from its start."""
        if unit not in self._memo.layers:
            self._memo.layers[unit] = dict(self._make_layers(self.model(unit), self.zones(unit)))
        return self._memo.layers[unit]

    def _make_layers(
        self, model: Model, zones: Mapping[str, tuple[int, ...]]
    ) -> Iterator[tuple[str, list[int]]]:
        waves = move_waves(model, list(zones.values()))
        barred = mask_of(model.no_end)
        for column, side in enumerate(zones):
            turns: list[int] = []
            for moves, mask in enumerate(waves.sets(column)):
                turn = model.clock.turns(moves) if moves else 0
                turns += [0] * (turn + 1 - len(turns))
                turns[turn] |= mask & ~barred if moves else mask
            yield side, turns

    def reached(self, unit: Profile, side: str, turns: int | None = None) -> int:
        """Set of places a unit of a side reaches unhurt within some turns, or ever."""
        total = 0
        for layer in self.layers(unit)[side][: None if turns is None else turns + 1]:
            total |= layer
        return total

    def turns_to(self, unit: Profile, side: str, goals: int) -> int | None:
        """Least turns of a side to any of a set of places; None when it never gets there."""
        for turn, layer in enumerate(self.layers(unit)[side]):
            if layer & goals:
                return turn
        return None

    @property
    def seen(self) -> tuple[int, ...] | None:
        """For each surface the set of surfaces seen from it; None for a game without sight."""
        if self._memo.seen is None:
            self._memo.seen = self.game.seen(self.graph)
        return self._memo.seen

    def tiles(self, unit: Profile, mask: int) -> tuple[Tile, ...]:
        """Tiles of a set of places, sorted."""
        places = self.model(unit).places
        return tuple(sorted({tile for number in bits(mask) for tile in places[number].tiles}))

    def on(self, board: Board) -> Position:
        """The same game on another board."""
        return Position(board, self.game)

    # -- questions -------------------------------------------------------------------------------

    def place(self, where: Places) -> Surface:
        """The surface of `E5` (its column's top, else the lowest) or `E5@2`; FDF340 if none."""
        if isinstance(where, Surface):
            return where
        if self._before is None:
            return self.graph.find(where)
        try:
            was = self._before.graph.find(where)
        except ForgeError:
            return self.graph.find(where)
        now = self.game.what_if(self._before.board, self._changes, was).unit
        if now is None:
            message = f"who stood on {was} is dead after {', '.join(self._changes)}"
            raise ForgeError([Issue("FDF343", "error", message)])
        return now

    def place_tile(self, text: str) -> Tile:
        """The tile of `E5`, whether or not one can stand there; FDF340 if there is none."""
        try:
            tile = Tile.parse(text.strip().upper())
        except ValueError as error:
            raise refuse("FDF340", str(error)) from None
        if tile not in self.board:
            size = f"the board is {self.board.cols}x{self.board.rows}"
            raise refuse("FDF340", f"{tile} is not on the board", size)
        return tile

    def places(self, where: Iterable[Places]) -> frozenset[Surface]:
        """Several places."""
        return frozenset(map(self.place, where))

    def others(self, enemies: Iterable[Places] = (), friends: Iterable[Places] = ()) -> Occupants:
        """Who else stands where: surfaces, places, or what the game writes such as `bard=E5`."""
        sides, cards = [], []
        for friend, texts in ((False, enemies), (True, friends)):
            found = [
                (text, None)
                if isinstance(text, Surface)
                else self.game.standing(self, text, friend)
                for text in texts
            ]
            sides.append(frozenset(at for at, _ in found))
            cards += [card for _, card in found if card is not None]
        return Occupants(sides[0], sides[1], tuple(cards))

    def unit(self, name: str, **changes: Any) -> UnitOn:
        """A unit of the game on this board, with some properties changed."""
        profile: Profile = name
        label = name
        if changes:
            label, profile = self.game.changed(name, changes)
        else:
            self.game.profile(name)
        return UnitOn(self, label, profile)

    def ask(self, question: str, **given: Any) -> Answer:
        """A question of the game by name, such as `ask("shove", start="C3", direction="east")`.

        Arguments are values or the texts one would write. ForgeError (FDF345, FDF340).
        """
        from falldamage_forge.rules import questions

        return questions.ask(self, question, given)

    def reach(self, unit: str, start: Places, **wish: Any) -> Reach:
        """Where a unit gets to; see `UnitOn.reach`."""
        return self.unit(unit).reach(start, **wish)

    def path(self, unit: str, start: Places, goal: Places, **wish: Any) -> Path:
        """The best way of a unit; see `UnitOn.path`."""
        return self.unit(unit).path(start, goal, **wish)

    def push(self, attacker: Places, target: Places, push: str, **wish: Any) -> Pushed:
        """Where a pushed unit ends; `wish` is what the game's own push takes."""
        wish |= {"attacker": self.place(attacker), "target": target, "push": push}
        return self.game.push(self, wish)

    def sees(self, one: Places, other: Places, taken: Iterable[Places] = ()) -> Sight:
        """Whether two units see each other, `taken` being where others stand."""
        return self.game.sees(self, self.place(one), self.place(other), self.places(taken))

    def targets(self, unit: str, start: Places, **wish: Any) -> Targets:
        """What a unit can attack from where it stands."""
        here = self.place(start)
        return self.game.targets(self, unit, here, wish)


class UnitOn:
    """One unit on one board."""

    def __init__(self, position: Position, name: str, profile: Profile) -> None:
        self.position, self.name, self.profile = position, name, profile

    def _start(self, where: Places, others: Occupants) -> tuple[Model, tuple[int, ...]]:
        surface = self.position.place(where)
        profile = self.position.game.amid(self.position, self.profile, surface, others)
        model = self.position.model(profile, replace(others, cards=()))
        if surface not in model.standing:
            near = sorted(str(at) for at in model.index if at.tile == surface.tile)
            hint = f"there is {', '.join(near)}" if near else None
            message = f"{self.name} has no room on {surface}"
            raise ForgeError([Issue("FDF367", "error", message, hint=hint)])
        return model, model.standing[surface]

    def reach(
        self, start: Places, *, others: Occupants = NOBODY, least: Fraction = Fraction(0)
    ) -> Reach:
        """Every surface it gets to with at least a chance of `least`, in order of the board."""
        model, numbers = self._start(start, others)
        now = _ends(
            model, engine.search(model, numbers, least=least, max_moves=_moves(model)), turns=1
        )
        far = _ends(model, engine.search(model, numbers, least=least, max_harm=0))
        rows = []
        for surface in sorted(now.keys() | far.keys()):
            best = min(
                far.get(surface, ()), key=lambda label: engine.rank(model, label), default=None
            )
            front = _front(now.get(surface, ()))
            chance = best.chance if best else max(way.chance for way in front)
            rows.append(Reached(surface, None, chance, front))
            if best is not None:
                rows[-1] = Reached(surface, _turns(model, best), chance, front, *_when(model, best))
        here = model.places[numbers[0]].anchor
        return Reach(self.position.game.name, self.name, here, model.scale, tuple(rows))

    def path(
        self,
        start: Places,
        goal: Places,
        *,
        others: Occupants = NOBODY,
        least: Fraction = Fraction(0),
        any_harm: bool = False,
        turns: int = 0,
    ) -> Path:
        """The way of the least harm, of these of the fewest turns, the likeliest, the cheapest.

        Without `any_harm` only ways that do not hurt count. `turns` asks the chance to be there by
        the end of each of so many turns, whoever fails a check trying again from where he lies.
        """
        model, first = self._start(start, others)
        _, last = self._start(goal, others)
        goals = dict.fromkeys(model.places[number].anchor for number in last)
        label = engine.path(model, first, goals, least=least, any_harm=any_harm)
        way = engine.way(label) if label else []
        begun = way[0].back if way else label
        here = model.places[begun.place if begun else first[0]].anchor
        there = model.places[label.place].anchor if label else next(iter(goals))
        steps = tuple(_steps(model, label)) if label else ()
        game = self.position.game
        opened = game.opened(self.position.board, steps)
        _, acts, when = _when(model, label) if label else (0, 0, {})
        wanted = {n for n, place in enumerate(model.places) if place.anchor in goals}
        return Path(
            game.name,
            self.name,
            here,
            there,
            model.scale,
            label is not None,
            steps,
            opened,
            acts,
            when,
            model.clock.move_name,
            odds.plan_ends(model, label) if label else (),
            odds.odds(model, first, wanted, turns, any_harm=any_harm) if turns else None,
        )


def enemy_starts(position: Position, side: str) -> frozenset[Surface]:
    """Surfaces on which the other sides start; a start where nobody can stand is none."""
    starts = {
        Surface(tile, level)
        for zone in position.board.starts
        if zone.side != side
        for tile, level in zone.surfaces
    }
    return frozenset(starts & position.graph.index.keys())


def _moves(model: Model) -> int:
    """How many moves make one turn, one at least."""
    moves = 1
    while moves < MAX_WAVE_MOVE and model.clock.turns(moves + 1) <= 1:
        moves += 1
    return moves


def _turns(model: Model, label: Label) -> int:
    return model.clock.turns(label.moves) if label.edge is not None or label.moves else 0


def _when(model: Model, label: Label) -> tuple[int, int, dict[int, Fraction]]:
    """Moves of a way, the turn in which one can act on arrival, and the chances of its turns."""
    moves = label.moves if label.edge is not None else 0
    return moves, model.clock.strike(moves, label.used if moves else 0), model.clock.spread(moves)


def _ends(
    model: Model, found: engine.Labels, turns: int | None = None
) -> dict[Surface, list[Label]]:
    """Labels with which a move may end, within some turns, by surface."""
    ends: dict[Surface, list[Label]] = {}
    for place, labels in found.items():
        here = [
            label
            for label in engine.can_end(model, labels)
            if turns is None or _turns(model, label) <= turns
        ]
        if here:
            ends.setdefault(model.places[place].anchor, []).extend(here)
    return ends


def _front(labels: Iterable[Label]) -> tuple[Way, ...]:
    """Cost, harm and chance of the ways that no other beats in all three, by rising cost."""
    kept: list[Way] = []
    for cost, harm, minus in sorted((one.spent, one.harm, -one.chance) for one in labels):
        if not any(way.harm <= harm and way.chance >= -minus for way in kept):
            kept.append(Way(cost, harm, -minus))
    return tuple(kept)


def _steps(model: Model, label: Label) -> Iterator[Step]:
    way = engine.way(label)
    if way and way[0].back is not None and model.start_used:
        here = model.places[way[0].back.place].anchor
        yield Step(1, here, "", model.start_kind, model.start_used, 0, Fraction(1), "", 1)
    for step in way:
        assert step.edge is not None
        assert step.back is not None
        place = model.places[step.place]
        yield Step(
            model.clock.turns(step.moves),
            place.anchor,
            place.spot,
            step.edge.kind,
            step.spent - step.back.spent,
            step.harm - step.back.harm,
            step.edge.chance,
            step.edge.risk,
            step.moves,
        )

"""A unit on a board: its reachable surfaces and its best paths, as answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from falldamage_forge.board.surfaces import Surface
from falldamage_forge.infra import arguments
from falldamage_forge.infra.lazy_dataclass import FrozenDict, dataclass
from falldamage_forge.issues import ForgeError, Issue
from falldamage_forge.rules import pathfinding, success_odds
from falldamage_forge.rules.answers import MoveOption, Path, PathStep, Reach, ReachedSurface
from falldamage_forge.rules.movement_graph import MAX_WAVE_MOVE, MovementGraph
from falldamage_forge.rules.pathfinding import Label
from falldamage_forge.rules.position_view import Places
from falldamage_forge.rules.unit_values import Occupants, Profile

if TYPE_CHECKING:
    from falldamage_forge.rules.query_position import QueryPosition

Chance = Fraction | float | str
"""A probability as a number, exact or not, or as text such as `1/2`."""


@dataclass(frozen=True, slots=True)
class BoardUnit:
    """One unit of a ruleset on one board."""

    position: QueryPosition
    name: str
    profile: Profile

    def _start(self, where: Places, others: Occupants) -> tuple[MovementGraph, tuple[int, ...]]:
        surface = self.position.place(where)
        profile = self.position.game.with_neighbours(self.position, self.profile, surface, others)
        model = self.position.model(profile, replace(others, cards=()))
        if surface not in model.standing:
            near = sorted(str(at) for at in model.index if at.tile == surface.tile)
            hint = f"there is {', '.join(near)}" if near else None
            message = f"{self.name} has no room on {surface}"
            raise ForgeError([Issue("FDF367", "error", message, hint=hint)])
        return model, model.standing[surface]

    def reach(
        self,
        start: Places,
        *,
        enemies: Iterable[Places] = (),
        friends: Iterable[Places] = (),
        chance: Chance = 0,
    ) -> Reach:
        """Return every surface that the unit reaches, in the order of the board.

        Args:
            start: Surface of the unit.
            enemies: Enemies as surfaces or `UNIT=TILE`.
            friends: Friends likewise.
            chance: Least probability of a way, from 0 to 1.

        Raises:
            ForgeError: FDF340 for an unknown surface, FDF367 if the unit has no clearance on the
                start.
        """
        least = arguments.chance("chance", chance)
        model, numbers = self._start(start, self.position.others(enemies, friends))
        now = _ends(
            model,
            pathfinding.pareto_labels(model, numbers, least=least, max_moves=_moves(model)),
            turns=1,
        )
        far = _ends(model, pathfinding.pareto_labels(model, numbers, least=least, max_harm=0))
        rows = []
        for surface in sorted(now.keys() | far.keys()):
            best = min(
                far.get(surface, ()), key=lambda label: pathfinding.rank(model, label), default=None
            )
            front = _front(now.get(surface, ()))
            chance = best.chance if best else max(way.chance for way in front)
            rows.append(ReachedSurface(surface, None, chance, front))
            if best is not None:
                rows[-1] = ReachedSurface(
                    surface, _turns(model, best), chance, front, *_when(model, best)
                )
        here = model.places[numbers[0]].anchor
        return Reach(self.position.game.name, self.name, here, model.scale, tuple(rows))

    def path(
        self,
        start: Places,
        goal: Places,
        *,
        enemies: Iterable[Places] = (),
        friends: Iterable[Places] = (),
        chance: Chance = 0,
        any_damage: bool = False,
        turns: int = 0,
    ) -> Path:
        """Return the best path: least damage, then fewest turns, likeliest, cheapest.

        Args:
            start: Surface of the unit.
            goal: Surface of the goal.
            enemies: Enemies as surfaces or `UNIT=TILE`.
            friends: Friends likewise.
            chance: Least probability of the path, from 0 to 1.
            any_damage: True to allow ways with certain damage.
            turns: 1 to 20 adds the probability to be there by the end of each turn, with failed
                checks tried again. 0 adds nothing.

        Raises:
            ForgeError: FDF340 for an unknown surface, FDF367 if the unit has no clearance on start
                or goal.
        """
        least = arguments.chance("chance", chance)
        any_harm = arguments.flag("any_damage", any_damage)
        turns = arguments.whole("turns", turns, 0, 20)
        others = self.position.others(enemies, friends)
        model, first = self._start(start, others)
        _, last = self._start(goal, others)
        goals = dict.fromkeys(model.places[number].anchor for number in last)
        label = pathfinding.path(model, first, goals, least=least, any_harm=any_harm)
        way = pathfinding.label_path(label) if label else []
        begun = way[0].back if way else label
        here = model.places[begun.place if begun else first[0]].anchor
        there = model.places[label.place].anchor if label else next(iter(goals))
        steps = tuple(_steps(model, label)) if label else ()
        game = self.position.game
        opened = game.treasure_on_path(self.position.board, steps)
        _, acts, when = _when(model, label) if label else (0, 0, FrozenDict())
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
            success_odds.plan_outcomes(model, label) if label else (),
            success_odds.odds(model, first, wanted, turns, any_harm=any_harm) if turns else None,
        )


def _moves(model: MovementGraph) -> int:
    """Return the number of moves in one turn, at least 1."""
    moves = 1
    while moves < MAX_WAVE_MOVE and model.clock.turns(moves + 1) <= 1:
        moves += 1
    return moves


def _turns(model: MovementGraph, label: Label) -> int:
    return model.clock.turns(label.moves) if label.edge is not None or label.moves else 0


def _when(model: MovementGraph, label: Label) -> tuple[int, int, FrozenDict[int, Fraction]]:
    """Return a way's moves, the turn in which the unit can act, and the odds of its turns."""
    moves = label.moves if label.edge is not None else 0
    when = FrozenDict(model.clock.turn_distribution(moves))
    return moves, model.clock.strike(moves, label.used if moves else 0), when


def _ends(
    model: MovementGraph, found: pathfinding.Labels, turns: int | None = None
) -> dict[Surface, list[Label]]:
    """Return by surface the labels with which a move may end, within some turns."""
    ends: dict[Surface, list[Label]] = {}
    for place, labels in found.items():
        here = [
            label
            for label in pathfinding.can_end(model, labels)
            if turns is None or _turns(model, label) <= turns
        ]
        if here:
            ends.setdefault(model.places[place].anchor, []).extend(here)
    return ends


def _front(labels: Iterable[Label]) -> tuple[MoveOption, ...]:
    """Return the Pareto-optimal cost, damage and probability of some labels, by ascending cost."""
    kept: list[MoveOption] = []
    for cost, harm, minus in sorted((label.spent, label.harm, -label.chance) for label in labels):
        if not any(way.harm <= harm and way.chance >= -minus for way in kept):
            kept.append(MoveOption(cost, harm, -minus))
    return tuple(kept)


def _steps(model: MovementGraph, label: Label) -> Iterator[PathStep]:
    way = pathfinding.label_path(label)
    if way and way[0].back is not None and model.start_used:
        here = model.places[way[0].back.place].anchor
        yield PathStep(1, here, "", model.start_kind, model.start_used, 0, Fraction(1), "", 1)
    for step in way:
        assert step.edge is not None
        assert step.back is not None
        place = model.places[step.place]
        yield PathStep(
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

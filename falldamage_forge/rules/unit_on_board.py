"""Where one unit gets to on a board, and its best way there, as answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from falldamage_forge import arguments
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.issues import ForgeError, Issue
from falldamage_forge.rules import engine, odds
from falldamage_forge.rules.answers import Path, Reach, Reached, Step, Way
from falldamage_forge.rules.engine import Label
from falldamage_forge.rules.game import Occupants, Profile
from falldamage_forge.rules.model import MAX_WAVE_MOVE, Model
from falldamage_forge.values import FrozenDict, dataclass

if TYPE_CHECKING:
    from falldamage_forge.rules.position import Position

Places = str | Surface
"""`E5`, `E5@2`, or a surface."""
Chance = Fraction | float | str
"""A chance as a number, exact or not, or as text such as `1/2`."""


@dataclass(frozen=True, slots=True)
class UnitOn:
    """One unit on one board."""

    position: Position
    name: str
    profile: Profile

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
        self,
        start: Places,
        *,
        enemies: Iterable[Places] = (),
        friends: Iterable[Places] = (),
        chance: Chance = 0,
    ) -> Reach:
        """Every surface it gets to, in order of the board.

        Args:
            start: Where it stands.
            enemies: Enemies as places or `UNIT=TILE`.
            friends: Friends likewise.
            chance: Only ways with at least this chance.
        """
        least = arguments.chance("chance", chance)
        model, numbers = self._start(start, self.position.others(enemies, friends))
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
        enemies: Iterable[Places] = (),
        friends: Iterable[Places] = (),
        chance: Chance = 0,
        any_damage: bool = False,
        turns: int = 0,
    ) -> Path:
        """The way of the least damage, of these of the fewest turns, the likeliest, the cheapest.

        Args:
            start: Where it stands.
            goal: Where it wants to go.
            enemies: Enemies as places or `UNIT=TILE`.
            friends: Friends likewise.
            chance: Only ways with at least this chance.
            any_damage: Whether ways that hurt count, too.
            turns: 1 to 20 asks the chance to be there by the end of each of so many turns; a unit
                that fails a check tries again from where it lies. 0 asks nothing.
        """
        least = arguments.chance("chance", chance)
        any_harm = arguments.flag("any_damage", any_damage)
        turns = arguments.whole("turns", turns, 0, 20)
        others = self.position.others(enemies, friends)
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
            odds.plan_ends(model, label) if label else (),
            odds.odds(model, first, wanted, turns, any_harm=any_harm) if turns else None,
        )


def _moves(model: Model) -> int:
    """How many moves make one turn, one at least."""
    moves = 1
    while moves < MAX_WAVE_MOVE and model.clock.turns(moves + 1) <= 1:
        moves += 1
    return moves


def _turns(model: Model, label: Label) -> int:
    return model.clock.turns(label.moves) if label.edge is not None or label.moves else 0


def _when(model: Model, label: Label) -> tuple[int, int, FrozenDict[int, Fraction]]:
    """Moves of a way, the turn in which one can act on arrival, and the chances of its turns."""
    moves = label.moves if label.edge is not None else 0
    when = FrozenDict(model.clock.spread(moves))
    return moves, model.clock.strike(moves, label.used if moves else 0), when


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

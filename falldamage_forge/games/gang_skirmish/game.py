"""Gang skirmish as a setting: its table, its model of a board, its hazards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from falldamage_forge.board import DIRECTIONS, Board
from falldamage_forge.games.engine import Clock, Hazard, Model, Place, Scale
from falldamage_forge.games.gang_skirmish import formulas
from falldamage_forge.games.gang_skirmish.moves import Ways, ways
from falldamage_forge.games.gang_skirmish.options import Fighter, Options
from falldamage_forge.games.gang_skirmish.shove import drop_beside, fall_chances
from falldamage_forge.games.setting import NOBODY, Occupants, Setting, counted
from falldamage_forge.games.walks import INCH_UM, LEVEL_UM

INCHES = Scale("inches", INCH_UM)


@dataclass(frozen=True)
class GangSkirmish(Setting):
    """The ruleset's table. `shove_force` is the Strength of the shove that hazards are told for."""

    units: Mapping[str, Fighter]
    shove_force: int = 3
    options: Options = field(default_factory=Options)

    def __post_init__(self) -> None:
        self.check_proof_units()

    @property
    def readings(self) -> Options:
        """The options."""
        return self.options

    @property
    def profiles(self) -> Mapping[str, Fighter]:
        """The fighters."""
        return self.units

    def model(self, board: Board, unit: str, others: Occupants = NOBODY) -> Model:
        """A fighter's walks, leaps, jumps and Kip Ups."""
        fighter: Fighter = self.profile(unit)
        made = ways(board, fighter, self.options, others)
        shared = frozenset(
            n for n, place in enumerate(made.places) if place.anchor in others.friends
        )
        return Model(
            unit,
            tuple(made.places),
            tuple(map(tuple, made.edges)),
            fighter.move_um,
            INCHES,
            Clock(
                lambda moves: -(-moves // fighter.moves),
                lambda moves, used: -(-moves // fighter.moves),
            ),
            _touch,
            no_stop=shared,
            no_end=shared,
            strain=2 * INCH_UM if self.options.vertical_total == "move" else None,
            hazards=tuple(_hazards(made, self.shove_force)),
            notes=_notes(board, self.options),
        )


def _touch(one: Place, other: Place) -> bool:
    """Whether bases can touch: neighbouring tiles of one level."""
    (a, level), (b, other_level) = one.anchor, other.anchor
    return level == other_level and max(abs(a.row - b.row), abs(a.col - b.col)) == 1


def _hazards(made: Ways, force: int) -> Iterator[Hazard]:
    """Places from which the worst shove, or being forced Prone, may send one down."""
    e_um = made.lip_um
    for number, place in enumerate(made.places):
        if place.spot:
            continue
        drops = {
            side: drop
            for side in DIRECTIONS
            if (drop := drop_beside(made.terrain, place.anchor, side)) is not None
        }
        if not drops:
            continue
        worst = Fraction(0)
        for side in DIRECTIONS:
            falls = fall_chances(
                made.terrain, place.anchor, side, force, made.fighter, made.options
            )
            worst = max(worst, 1 - falls.get(0, Fraction(0)))
        deepest = max(drops.values())
        fall = formulas.fall_inches(deepest * LEVEL_UM)
        near = "within" if formulas.within_edge(e_um) else "farther than"
        text = f"{near} ½'' of an edge, {fall}'' down; a shove of Strength {force} does it"
        yield Hazard(number, deepest, worst, text)


def _notes(board: Board, options: Options) -> tuple[str, ...]:
    notes = []
    if board.ladders and options.climb == "none":
        notes.append(f"{counted(board.ladders, 'ladder')} unused: no rule for climbing is known")
    if board.treasures:
        notes.append(f"{counted(board.treasures, 'treasure')} without meaning")
    return tuple(notes)

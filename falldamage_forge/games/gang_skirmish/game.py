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
from falldamage_forge.games.gang_skirmish.shove import PITFALL, fall_levels
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
            hazards=lambda: _hazards(made, self.shove_force),
            notes=_notes(board, self.options),
        )


def _touch(one: Place, other: Place) -> bool:
    """Whether bases can touch: neighbouring tiles of one level."""
    (a, level), (b, other_level) = one.anchor, other.anchor
    return level == other_level and max(abs(a.row - b.row), abs(a.col - b.col)) == 1


def _hazards(made: Ways, force: int) -> Iterator[Hazard]:
    """Places from which a shove may send one down, with the likeliest direction's chance."""
    for number, place in enumerate(made.places):
        if place.spot:
            continue
        worst, levels, pit = Fraction(0), 0, False
        for side in DIRECTIONS:
            falls = fall_levels(made.terrain, place.anchor, side, force, made.fighter, made.options)
            worst = max(worst, 1 - falls.get(0, Fraction(0)))
            levels, pit = max(levels, *falls), pit or PITFALL in falls
        if worst == 0:
            continue
        down = f"{formulas.fall_inches(levels * LEVEL_UM)}''" if levels else ""
        if pit:
            down = f"{down} or into a Pitfall" if levels else "into a Pitfall"
        text = f"a shove of Strength {force} sends one down {down}"
        yield Hazard(number, levels, worst, text.replace("down into", "into"))


def _notes(board: Board, options: Options) -> tuple[str, ...]:
    notes = []
    if board.ladders and options.climb == "none":
        notes.append(f"{counted(board.ladders, 'ladder')} unused: no rule for climbing is known")
    if board.treasures:
        notes.append(f"{counted(board.treasures, 'treasure')} without meaning")
    return tuple(notes)

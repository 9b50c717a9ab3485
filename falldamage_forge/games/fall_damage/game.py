"""Fall Damage as a game of the engine: its table, its units, its model of a board."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from falldamage_forge.board import Board, Feature, Tile
from falldamage_forge.board.surfaces import Surface, SurfaceGraph, TerrainOptions
from falldamage_forge.games.fall_damage import attack, moves, zones
from falldamage_forge.games.fall_damage.destroy import without_tree
from falldamage_forge.games.fall_damage.moves import Profile
from falldamage_forge.games.fall_damage.options import Options
from falldamage_forge.games.fall_damage.units import Fielded, Unit
from falldamage_forge.issues import ForgeError, Issue, did_you_mean
from falldamage_forge.rules.answers import Metric, Pushed, Sight, Step, Targets
from falldamage_forge.rules.game import (
    NOBODY,
    Game,
    Hazard,
    Occupants,
    Played,
    PushQuestion,
    TargetsQuestion,
    UnitClass,
)
from falldamage_forge.rules.game import Profile as AnyProfile
from falldamage_forge.rules.model import Model
from falldamage_forge.tables import read_table
from falldamage_forge.values import dataclass

if TYPE_CHECKING:
    from falldamage_forge.games.fall_damage.engine.modifiers import Modifiers
    from falldamage_forge.games.fall_damage.play.kit import Kit
    from falldamage_forge.rules.position import Position


@dataclass(frozen=True)
class FallDamage(Game):
    """The ruleset's table. Besides its cards every free profile such as `M3 J1` is a unit."""

    units: Mapping[str, Unit]
    options: Options = field(default_factory=Options)
    start_tiles: int | None = 8
    play: Mapping[str, Any] = field(default_factory=dict)
    """The tables `abilities` and `treasure`: what cards and treasure do, in numbers."""

    code: ClassVar[str] = "FDF341"
    treasure_matters: ClassVar[bool] = True
    everybody: ClassVar[bool] = True
    __hash__ = Game.__hash__

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_proof_units()

    @property
    def terrain(self) -> TerrainOptions:
        """The part of the options that changes what is solid."""
        return self.options.terrain

    @cached_property
    def kit(self) -> Kit:
        """What the game is played with: its cards, abilities and treasure."""
        from falldamage_forge.games.fall_damage.play.kit import kit_of

        return kit_of(self.units, **self.play)

    # -- units -----------------------------------------------------------------------------------

    def card(self, name: str) -> Unit:
        """A unit's card by name; ForgeError (FDF341) with the nearest name when there is none."""
        if name not in self.units:
            hint = did_you_mean(name, self.units) or "`fdforge presets` lists the units"
            raise ForgeError([Issue(self.code, "error", f"no unit called `{name}`", hint=hint)])
        return self.units[name]

    def profile(self, unit: AnyProfile) -> Profile:
        """How a card, a card under effects, a free profile's name or a profile moves."""
        if isinstance(unit, Profile):
            return unit
        if isinstance(unit, Fielded):
            return self._under_effects(unit.unit, unit.effects)
        if isinstance(unit, Unit):
            return unit.profile
        return Profile.parse(str(unit)) or self.card(str(unit)).profile

    def _under_effects(self, unit: Unit, effects: Modifiers) -> Profile:
        from falldamage_forge.games.fall_damage.engine.modifiers import profile_under

        made = profile_under(unit, effects, self.options)
        return replace(made, slow=effects.quicksand, ghost=effects.discorporate)

    def _fielded(self, unit: AnyProfile) -> Fielded:
        """A card, or one made for a free profile, without effects yet."""
        from falldamage_forge.games.fall_damage.abilities.scene import SOMEBODY
        from falldamage_forge.games.fall_damage.engine.modifiers import NONE

        if isinstance(unit, str) and unit in self.units:
            return Fielded(self.units[unit], NONE)
        profile = self.profile(unit)
        changes = {
            key: getattr(profile, key)
            for key in ("move", "jump", "vertical_counts", "no_fall", "pass_enemies")
        }
        health = SOMEBODY.health if profile.health is None else profile.health
        return Fielded(replace(SOMEBODY, health=health, **changes), NONE)

    def changed(self, unit: str, changes: Mapping[str, Any]) -> tuple[str, AnyProfile]:
        """A unit with some of its properties changed (`move`), or under effects (`boots`)."""
        from falldamage_forge.games.fall_damage.asking import effects_of

        known = {item.name for item in fields(Profile)} - {"slow", "ghost"}
        table = {key.replace("-", "_"): value for key, value in changes.items()}
        wanted = {key: value for key, value in table.items() if key in known}
        texts = [
            f"{key}={value}" if value != "" else key
            for key, value in changes.items()
            if key.replace("-", "_") not in known
        ]
        effects = effects_of(self, texts)
        fielded = self._fielded(unit)
        profile = self._under_effects(fielded.unit, effects)
        whole = {"move": profile.move, "jump": profile.jump, **wanted}
        read = read_table(Profile, whole, f"unit `{unit}`")
        made = replace(profile, **{key: getattr(read, key) for key in wanted})
        free = Profile.parse(unit)
        if free is not None:
            made = replace(made, health=free.health)
        label = f"move {made.move} jump {made.jump}" if free else unit
        if not wanted and not free:
            return label, replace(fielded, effects=effects)
        return label, made

    def classes(self) -> tuple[UnitClass, ...]:
        """The proof profiles and the classes of playable cards, by Move and Jump."""
        found: dict[Profile, list[str]] = {}
        for card in self.units.values():
            if card.unit_class != "summoned":
                profile = replace(card.profile, health=None)
                found.setdefault(profile, []).append(card.name)
        order = sorted(found, key=lambda p: (p.move, p.jump, p.vertical_counts, p.no_fall))
        return tuple(UnitClass(p.name, p, tuple(sorted(found[p]))) for p in order)

    def noun(self, unit: str) -> str:
        """`a unit with Jump 1`, or the card's name."""
        profile = Profile.parse(unit)
        return f"a unit with Jump {profile.jump}" if profile else super().noun(unit)

    def nouns(self, units: Sequence[str]) -> str:
        """`a unit with Jump 1 or 2` of free profiles."""
        profiles = [Profile.parse(unit) for unit in units]
        if not units or None in profiles:
            return super().nouns(units)
        jumps = dict.fromkeys(str(profile.jump) for profile in profiles if profile)
        return f"a unit with Jump {' or '.join(jumps)}"

    def told(self, unit: AnyProfile) -> str:
        """`Move 3, Jump 1`."""
        profile = self.profile(unit)
        jump = "any" if profile.jump >= moves.UNLIMITED else str(profile.jump)
        return f"Move {profile.move}, Jump {jump}"

    # -- movement --------------------------------------------------------------------------------

    @property
    def turn_told(self) -> str:
        """What a turn is."""
        return "an activation: one Move of a unit, and its attack"

    def model(self, graph: SurfaceGraph, unit: AnyProfile, others: Occupants = NOBODY) -> Model:
        """Steps, leaps and ladders; a move is an activation."""
        profile = self.profile(unit)
        name = unit if isinstance(unit, str) else profile.name
        made = moves.model(graph, name, profile, self.options, others)
        return replace(made, notes=self.unread(graph.board)) if graph.board.fittings else made

    def strikes(
        self, graph: SurfaceGraph, unit: AnyProfile, model: Model, enemies: frozenset[Surface]
    ) -> set[int]:
        """Where one is in melee with an enemy."""
        del graph, unit
        return {
            number
            for number, place in enumerate(model.places)
            if any(attack.can_attack(place.anchor, at, 1, self.options) for at in enemies)
        }

    def opened(self, board: Board, steps: Sequence[Step]) -> tuple[Surface, ...]:
        """Chests that the way opens: "When a unit occupies the tile that a treasure is on".

        With the option `treasure_trigger` at `stop` an activation has to end there.
        """
        chests = {Surface(chest.tile, chest.level) for chest in board.treasures}
        found: list[Surface] = []
        for number, step in enumerate(steps, 1):
            ends = number == len(steps) or steps[number].turn != step.turn
            stops = ends or self.options.treasure_trigger == "pass"
            if step.surface in chests and step.surface not in found and stops:
                found.append(step.surface)
        return tuple(found)

    def obstacle(
        self,
        graph: SurfaceGraph,
        unit: AnyProfile,
        inside: Iterable[Surface],
        beyond: set[Surface],
    ) -> str | None:
        """The lowest step between what is reached and what is not."""
        jump = self.profile(unit).jump
        best: tuple[int, int, str] | None = None
        for number in sorted(graph.index[at] for at in inside):
            for link in graph.links[number]:
                here, there = graph.surfaces[number], graph.surfaces[link.b]
                if there not in beyond or link.kind != "step":
                    continue
                if link.rise > 0:
                    words = f"{there} rises {link.rise} above {here}; Jump {jump} climbs {jump}"
                else:
                    words = (
                        f"{there} lies {-link.rise} below {here}; Jump {jump} drops {jump} unhurt"
                    )
                candidate = (abs(link.rise), number, words)
                best = min(best, candidate) if best else candidate
        return best[2] if best else None

    # -- boards ----------------------------------------------------------------------------------

    def hazards(self, graph: SurfaceGraph, unit: AnyProfile) -> tuple[Hazard, ...]:
        """Surfaces from which a push may hurt more than a jump of one's own would."""
        jump = self.profile(unit).jump
        found = ((at, moves.drops(graph, at)) for at in graph.surfaces)
        return tuple(Hazard(at, levels) for at, levels in found if levels > jump)

    def worst_falls(self, graph: SurfaceGraph) -> dict[Surface, tuple[int, bool]]:
        """The worst that one tile of push does; the attacker stands beside, level with the unit."""
        from falldamage_forge.games.fall_damage.measures import worst_falls

        return worst_falls(graph, self.options)

    def starts(self, position: Position) -> tuple[Issue, ...]:
        """ "Agree on which sides or corners": whether the zones are what `start` says."""
        return tuple(zones.faults(position.graph, self.options))

    def what_if(self, board: Board, texts: Sequence[str], unit: Surface | None = None) -> Played:
        """The board after bricks are laid, things shot away, ground raised: `scaffold E5`."""
        from falldamage_forge.games.fall_damage.push_words import Victim
        from falldamage_forge.games.fall_damage.whatif import played

        units = {} if unit is None else {unit: Victim()}
        state = played(board, texts, self.kit, self.options, units)
        if unit is None:
            return Played(state.board, notes=state.notes)
        fall = state.falls.get(unit)
        damage = (fall.damage if fall else 0) + state.hurt.get(unit, 0)
        return Played(state.board, state.place(unit), damage, state.notes)

    def seen(self, graph: SurfaceGraph) -> tuple[int, ...]:
        """Lines of sight without units."""
        from falldamage_forge.games.fall_damage.sightmap import visible_sets

        return visible_sets(graph, self.options)

    def wrecks(self, board: Board) -> Iterator[tuple[str, Tile, Board]]:
        """Bridges, ladders and trees, which can be shot away."""
        for deck in board.decks:
            left = tuple(other for other in board.decks if other is not deck)
            yield f"bridge {deck.a} -> {deck.b}", deck.a, replace(board, decks=left)
        for ladder in board.ladders:
            rest = tuple(other for other in board.ladders if other is not ladder)
            name = f"ladder {ladder.foot} -> {ladder.top}"
            yield name, ladder.foot, replace(board, ladders=rest)
        for tile in board.tiles():
            if board.column(tile).feature is Feature.TREE:
                yield f"tree {tile}", tile, without_tree(board, tile)

    def measures(self, position: Position) -> Mapping[str, Callable[[], tuple[Metric, ...]]]:
        """First strikes, push exposure and sight."""
        from falldamage_forge.games.fall_damage.measures import table

        return table(position, self)

    # -- other questions -------------------------------------------------------------------------

    def push(self, position: Position, asked: PushQuestion) -> Pushed:
        """Where a pushed unit ends, or a spire; see `asking.push`."""
        from falldamage_forge.games.fall_damage import asking

        return asking.push(self, position, asked)

    def sees(
        self, position: Position, one: Surface, other: Surface, taken: frozenset[Surface]
    ) -> Sight:
        """Whether the line is open, units in the way and all."""
        from falldamage_forge.games.fall_damage.sight import sees

        return sees(position.graph.terrain, one, other, self.options, taken=taken)

    def targets(self, position: Position, asked: TargetsQuestion) -> Targets:
        """What a card can attack, or use an ability on; see `asking.targets`."""
        from falldamage_forge.games.fall_damage import asking

        return asking.targets(self, position, asked)

    def standing(self, position: Position, text: str, friend: bool) -> tuple[Surface, Any]:
        """Where one stands who is written as `bard=E5` or `E5`."""
        from falldamage_forge.games.fall_damage import asking

        if "=" not in text:
            return position.place(text), None
        one = asking.standing(self, position, text, asking.MINE if friend else asking.THEIRS)
        return one.at, one

    def amid(
        self, position: Position, unit: AnyProfile, start: Surface, others: Occupants
    ) -> AnyProfile:
        """A card under Song and Intimidate of the cards around it."""
        if not others.cards:
            return unit
        from falldamage_forge.games.fall_damage import asking

        fielded = unit if isinstance(unit, Fielded) else self._fielded(unit)
        return asking.under_auras(self, position, fielded, start, others.cards)

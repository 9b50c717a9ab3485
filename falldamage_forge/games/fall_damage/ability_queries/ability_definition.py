"""Ability queries on the engine: list the legal moves of an action, and apply one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal

from falldamage_forge.board import DIRECTION_NAMES, DIRECTIONS, Tile
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.games.fall_damage.ability_queries.ability_context import (
    AbilityContext,
    AbilityOutcome,
    AbilityUse,
    PlacedUnit,
    before,
    changes,
)
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine import legal_moves, notation
from falldamage_forge.games.fall_damage.engine.abilities import act
from falldamage_forge.games.fall_damage.engine.attack import within_area
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.decisions import answer
from falldamage_forge.games.fall_damage.engine.hypothetical import MINE
from falldamage_forge.games.fall_damage.engine.surface_index import apart
from falldamage_forge.games.fall_damage.engine.targeting import cone_holds, in_area
from falldamage_forge.games.fall_damage.engine.transition import resolve_stack
from falldamage_forge.games.fall_damage.engine.treasure import result_row, take_effect
from falldamage_forge.games.fall_damage.engine.unit_stats import has_ability, may_attack, number
from falldamage_forge.games.fall_damage.play.surface_number import (
    spot_of,
    surface_of,
    tile_number,
    tile_of,
)
from falldamage_forge.games.fall_damage.push_result import choose_way
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.rules.ruleset import MissingChoiceError

Need = Literal["aim", "second", "way", "count"]
Aims = Callable[[AbilityContext, PlacedUnit], tuple[Surface, ...]]
Using = Callable[[AbilityContext, PlacedUnit, AbilityUse], AbilityOutcome]
FAR = "out of reach or out of sight"
TILE_MOVES = (C.M_SPRING, C.M_TILE, C.M_RAISE, C.M_SINK)
"""Moves that name a tile, whichever surface on it is chosen; `raise` is here of a tile."""


@dataclass(frozen=True, slots=True)
class AbilityDefinition:
    """One ability: its required choices, its cards or treasure, and its two functions."""

    says: str
    needs: tuple[Need, ...]
    of: tuple[str, ...]
    aims: Aims
    use: Using


def aim_of(use: AbilityUse) -> Surface:
    """Return the aim of a use.

    Raises:
        MissingChoiceError: If it is missing.
    """
    if use.aim is None:
        raise MissingChoiceError("the aim is missing")
    return use.aim


def way_of_use(use: AbilityUse) -> int:
    """Return the direction of a use.

    Raises:
        MissingChoiceError: If it is missing.
    """
    if use.way is None:
        raise MissingChoiceError("the direction is missing: north, east, south or west")
    return DIRECTIONS.index(use.way)


def places_of(s: StateColumns, key: int) -> list[int]:
    """Return the surfaces that a move names; for a tile, all surfaces on it.

    Args:
        s: State of the game; read only.
        key: Number of the move.
    """
    spot = notation.spot_in(key)
    if spot >= 0 and notation.name_in(key) in TILE_MOVES:
        return [spot_of(at) for at in surfaces_on(s, spot >> 4)]
    units = [s.spot[i] for i in (notation.unit_in(key), notation.unit2_in(key)) if i >= 0]
    return units or [spot for spot in (spot,) if spot >= 0]


def aims_among(s: StateColumns, keys: Iterable[int]) -> tuple[Surface, ...]:
    """Return the surfaces that moves name, sorted, each once.

    Args:
        s: State of the game; read only.
        keys: Numbers of the moves.
    """
    return tuple(surface_of(at) for at in sorted({at for key in keys for at in places_of(s, key)}))


def surfaces_on(s: StateColumns, tile: int) -> list[Surface]:
    """Return the surfaces of a tile.

    Args:
        s: State of the game; read only.
        tile: Tile number.
    """
    return [Surface(tile_of(tile), z) for z in range(16) if s.stand[tile] >> z & 1]


@dataclass(frozen=True, slots=True)
class Action:
    """An attack, ability or item that takes a unit's Action, by the engine's numbers.

    Attributes:
        name: Number of the move.
        needs: Choices of a use.
        lent: Ability of another card that the unit has for this; -1 for the move's own.
        whom: Units that the action concerns, of those it names or covers.
        why: Reason that an aim is not legal, for messages.
    """

    name: int
    needs: tuple[Need, ...] = ("aim",)
    lent: int = -1
    whom: Literal["all", "enemies", "nobody"] = "all"
    why: str = FAR

    @property
    def ability(self) -> int:
        """Ability of the move, or the one lent to the unit for it; -1 for none."""
        return self.lent if self.lent >= 0 else C.ABILITY_OF[self.name]

    @property
    def item(self) -> int:
        """Item of the move; 0 for none."""
        return C.ITEM_OF[self.name]

    def listed(
        self, scene: AbilityContext, doer: PlacedUnit
    ) -> tuple[StateColumns, int, list[int]]:
        """Return a state, the unit's index, and every legal move of this action.

        Args:
            scene: Board and units of the query.
            doer: The unit that acts, with its surface.
        """
        s, numbers = scene.moment(doer)
        i = numbers[doer.at]
        s.extra[i], s.extra_card[i], s.items[i] = self.ability, s.card[i], self.item
        wanted = self.name
        if wanted == C.M_ATTACK:
            rooted = doer.modifiers.unmoved and has_ability(s, i, C.ROOTED)
            wanted = C.M_ROOTED if rooted else wanted
            if may_attack(s, i):
                legal_moves.list_blows(s, i, rooted)
        legal_moves.list_items(s, i)
        legal_moves.list_abilities(s, i)
        return s, i, [key for key in s.moves[: s.n_moves] if notation.name_in(key) == wanted]

    def aims(self, scene: AbilityContext, doer: PlacedUnit) -> tuple[Surface, ...]:
        """Return the legal aims; the unit's own surface if the action has none.

        Args:
            scene: Board and units of the query.
            doer: The unit that acts, with its surface.
        """
        s, _, keys = self.listed(scene, doer)
        if "aim" not in self.needs:
            return (doer.at,) if keys else ()
        return aims_among(s, keys)

    def use(self, scene: AbilityContext, doer: PlacedUnit, use: AbilityUse) -> AbilityOutcome:
        """Apply the action and return its outcome.

        Args:
            scene: Board and units of the query.
            doer: The unit that acts, with its surface.
            use: Choices of the use: aim, second, direction, count.

        Raises:
            ValueError: If a choice is missing or not legal; the message says why.
        """
        s, i, keys = self.listed(scene, doer)
        return self.done(s, i, self.chosen(s, keys, doer, use))

    def chosen(self, s: StateColumns, keys: list[int], doer: PlacedUnit, use: AbilityUse) -> int:
        """Return the move that a use describes.

        Args:
            s: State of the game; read only.
            keys: Numbers of the legal moves.
            doer: The unit that acts, with its surface.
            use: Choices of the use: aim, second, direction, count.

        Raises:
            ValueError: If a choice is missing or not legal; the message says why.
        """
        if "second" in self.needs and use.second in (None, aim_of(use)):
            raise MissingChoiceError("this takes two units")
        if "aim" in self.needs:
            wanted = [spot_of(at) for at in (aim_of(use), use.second) if at is not None]
            wanted = wanted[: 2 if "second" in self.needs else 1]
            keys = [key for key in keys if set(places_of(s, key)) == set(wanted)]
            if not keys:
                raise ValueError(f"{use.aim} cannot be aimed at: {self.why}")
        if "way" in self.needs:
            way = way_of_use(use)
            keys = [key for key in keys if notation.way_in(key) == way]
            if not keys:
                raise ValueError(f"there is no room for it {DIRECTION_NAMES[DIRECTIONS[way]]}")
        if len(keys) > 1:
            return faced(keys, doer, use)
        if not keys:
            raise ValueError("this cannot be done here")
        return keys[0]

    def done(self, s: StateColumns, i: int, key: int) -> AbilityOutcome:
        """Apply a move and return its outcome.

        Args:
            s: State of the game; changed.
            i: Index of the unit.
            key: Number of the move.
        """
        was, (met, tiles) = before(s), self.covered(s, i, key)
        act(s, i, key, 0)
        resolve_stack(s)
        return AbilityOutcome(changes(s, was, met), tiles=board_tiles(tiles))

    def covered(self, s: StateColumns, i: int, key: int) -> tuple[list[int], list[int]]:
        """Return the units that a move concerns, the farthest from its aim first, and its tiles.

        Args:
            s: State of the game; read only.
            i: Index of the unit.
            key: Number of the move.
        """
        own, aim, way = s.spot[i], notation.spot_in(key), notation.way_in(key)
        units, tiles = range(s.n_units), land_tiles(s)
        if self.name == C.M_POISON:
            inside = [n for n in units if n != i and cone_holds(s, own, way, s.spot[n])]
            return inside, [at for at in tiles if cone_holds(s, own, way, at << 4 | own & 15)]
        radius = s.item_radius[self.item] if self.item else 0
        radius = number(s, self.ability, C.A_RADIUS) if self.ability >= 0 else radius
        named = [unit for unit in (notation.unit_in(key), notation.unit2_in(key)) if unit >= 0]
        if radius and not named:
            named = [n for n in units if in_area(s, n, aim, radius)]
            named.sort(key=lambda n: -apart(s.spot[n], aim))
        met = [n for n in named if self.whom == "all" or s.side[n] != s.side[i]]
        inside = [at for at in tiles if radius and within_area(s, aim, at << 4, radius)]
        return [] if self.whom == "nobody" else met, inside


def faced(keys: list[int], doer: PlacedUnit, use: AbilityUse) -> int:
    """Return the move with the facing that a use names.

    Args:
        keys: Numbers of moves that differ in their facing only.
        doer: The unit that acts, with its surface.
        use: Choices of the use: aim, second, direction, count.

    Raises:
        ValueError: If the choice is missing or not open.
    """
    ways = [DIRECTIONS[notation.way_in(key)] for key in keys]
    way = choose_way(ways, doer.at, aim_of(use), use.way)
    return keys[ways.index(way)] if way else keys[0]


def board_tiles(tiles: Iterable[int]) -> tuple[Tile, ...]:
    """Return the tiles of tile numbers, sorted."""
    return tuple(sorted(tile_of(tile) for tile in tiles))


def land_tiles(s: StateColumns) -> list[int]:
    """Return every tile's number."""
    return [row << 6 | col for row in range(s.rows) for col in range(s.cols)]


@dataclass(frozen=True, slots=True)
class Result:
    """A treasure result whose finder has to choose, by the engine's table of results.

    Attributes:
        name: Name of the result.
        needs: Choices of a use, in the order in which the engine asks for them.
        why: Reason that a tile is not legal, for messages.
    """

    name: str
    needs: tuple[Need, ...]
    why: str = "{tile} cannot be chosen"

    def asked(
        self, scene: AbilityContext, doer: PlacedUnit, levels: int | None = None
    ) -> StateColumns:
        """Return the state in which the unit has found the result, with its choices listed.

        Args:
            scene: Board and units of the query.
            doer: The unit that acts, with its surface.
            levels: Levels by which a tile shifts; None for those of the game.
        """
        s, numbers = scene.moment(doer)
        if levels is not None:
            s.standard_piece = levels
        names = {result.name: roll for roll, result in scene.content.treasure.items()}
        roll = names[self.name].replace("-", "")
        take_effect(s, numbers[doer.at], result_row(int(roll)))
        resolve_stack(s)
        return s

    def aims(self, scene: AbilityContext, doer: PlacedUnit) -> tuple[Surface, ...]:
        """Return the surfaces on legal tiles; the unit's own surface if there is no choice of one.

        Args:
            scene: Board and units of the query.
            doer: The unit that acts, with its surface.
        """
        if "aim" not in self.needs:
            return (doer.at,)
        s = self.asked(scene, doer)
        return aims_among(s, open_moves(s))

    def use(self, scene: AbilityContext, doer: PlacedUnit, use: AbilityUse) -> AbilityOutcome:
        """Answer each question of the result and return the outcome.

        Args:
            scene: Board and units of the query.
            doer: The unit that acts, with its surface.
            use: Choices of the use: aim, second, direction, count.

        Raises:
            ValueError: If a choice is missing or not legal; the message says why.
        """
        tiles = self.tiles(scene, use)
        ways = [way_of_use(use)] if "way" in self.needs else []
        count = 1 if use.count is None else use.count
        s = self.asked(scene, doer, abs(count))
        was, zones, pushed = before(s), s.n_zones, list[int]()
        for tile in tiles:
            level = s.level[tile_number(tile)]
            keys = [key for key in open_moves(s) if notation.spot_in(key) >> 4 == tile_number(tile)]
            against = C.M_SINK if count > 0 else C.M_RAISE
            keys = [key for key in keys if notation.name_in(key) != against]
            if not keys:
                raise ValueError(self.why.format(tile=tile, count=count, level=level))
            answered(s, keys[0])
        for way in ways:  # there is no question if nobody is left to push
            for key in [key for key in open_moves(s) if notation.way_in(key) == way]:
                pushed += answered(s, key)
        roped = [at for at in land_tiles(s) if s.n_zones > zones and s.rope[at] >> MINE & 1]
        return AbilityOutcome(changes(s, was, pushed), tiles=board_tiles(roped))

    def tiles(self, scene: AbilityContext, use: AbilityUse) -> list[Tile]:
        """Return the tiles that a use chooses.

        Args:
            scene: Board and units of the query.
            use: Choices of the use: aim, second, direction, count.

        Raises:
            MissingChoiceError: If one is missing, or both are the same.
        """
        tiles = [aim_of(use).tile] if "aim" in self.needs else []
        if "second" in self.needs:
            if use.second is None or use.second.tile in tiles:
                title = scene.content.called(self.name).title
                raise MissingChoiceError(f"an {title} takes two different tiles")
            tiles.append(use.second.tile)
        return tiles


def open_moves(s: StateColumns) -> list[int]:
    """Return the legal answers to the question on top of the stack; none if there is none.

    Args:
        s: State of the game; read only.
    """
    return s.moves[: s.n_moves] if s.n_stack else []


def answered(s: StateColumns, key: int) -> list[int]:
    """Answer the question on top of the stack, and return the units that this pushes, in order.

    Args:
        s: State of the game; changed.
        key: Number of the answer.
    """
    s.n_stack -= 1
    answer(s, s.n_stack, key)
    pushed = [s.task_a[n] for n in range(s.n_stack - 1, -1, -1) if s.task[n] == C.PUSH]
    resolve_stack(s)
    return pushed

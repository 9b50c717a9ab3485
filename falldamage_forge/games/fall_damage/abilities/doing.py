"""How an ability is asked of the engine: it lists what may be done, and does it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from falldamage_forge.board import DIRECTION_NAMES, DIRECTIONS, Tile
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.games.fall_damage.abilities.reading import before, changes
from falldamage_forge.games.fall_damage.abilities.scene import Outcome, Scene, Standing, Use
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.abilities import act
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.engine.legal_moves import (
    list_abilities,
    list_blows,
    list_items,
)
from falldamage_forge.games.fall_damage.engine.notation import (
    name_in,
    spot_in,
    unit2_in,
    unit_in,
    way_in,
)
from falldamage_forge.games.fall_damage.engine.transition import run
from falldamage_forge.games.fall_damage.engine.unit_stats import has, may_attack
from falldamage_forge.games.fall_damage.play.spots import spot_of, surface_of, tile_of

Need = Literal["aim", "second", "way", "count"]
Aims = Callable[[Scene, Standing], tuple[Surface, ...]]
Using = Callable[[Scene, Standing, Use], Outcome]
Met = Callable[[State, int, int], list[int]]
"""Of a state, a unit and a move: the units that the action is about, in the order told."""
Tiles = Callable[[State, int, int], Iterable[int]]
FAR = "out of reach or out of sight"


@dataclass(frozen=True, slots=True)
class Skill:
    """One ability: what has to be chosen, whose card or treasure it is, and its two functions."""

    says: str
    needs: tuple[Need, ...]
    of: tuple[str, ...]
    aims: Aims
    use: Using


def aim_of(use: Use) -> Surface:
    """What a use is aimed at; ValueError when that is not said."""
    if use.aim is None:
        raise ValueError("say what it is aimed at")
    return use.aim


def way_of_use(use: Use) -> int:
    """The direction of a use; ValueError when that is not said."""
    if use.way is None:
        raise ValueError("say a way: north, east, south or west")
    return DIRECTIONS.index(use.way)


def places_of(s: State, key: int) -> list[int]:
    """The spots that a move names."""
    units = [s.spot[i] for i in (unit_in(key), unit2_in(key)) if i >= 0]
    return units or [spot for spot in (spot_in(key),) if spot >= 0]


def surfaces_on(s: State, tile: int) -> list[Surface]:
    """Where one can stand on a tile."""
    return [Surface(tile_of(tile), z) for z in range(16) if s.stand[tile] >> z & 1]


def nobody(s: State, i: int, key: int) -> list[int]:
    """Of an action that is about nobody in particular."""
    del s, i, key
    return []


def named(s: State, i: int, key: int) -> list[int]:
    """The units that a move names."""
    del s, i
    return [unit for unit in (unit_in(key), unit2_in(key)) if unit >= 0]


def no_tiles(s: State, i: int, key: int) -> list[int]:
    """Of an action that is about no tiles."""
    del s, i, key
    return []


@dataclass(frozen=True, slots=True)
class Action:
    """What takes a unit's Action: an attack, an ability or an item, by the engine's numbers."""

    name: int
    needs: tuple[Need, ...]
    ability: int = -1
    item: int = 0
    met: Met = named
    tiles: Tiles = no_tiles
    why: str = FAR

    def listed(self, scene: Scene, doer: Standing) -> tuple[State, int, list[int]]:
        """The moment, the unit's number, and every way in which it may be done."""
        s, numbers = scene.moment(doer)
        i = numbers[doer.at]
        s.extra[i], s.extra_card[i], s.items[i] = self.ability, s.card[i], self.item
        wanted = self.name
        if wanted == C.M_ATTACK:
            rooted = doer.modifiers.unmoved and has(s, i, C.ROOTED)
            wanted = C.M_ROOTED if rooted else wanted
            if may_attack(s, i):
                list_blows(s, i, rooted)
        list_items(s, i)
        list_abilities(s, i)
        return s, i, [key for key in s.moves[: s.n_moves] if name_in(key) == wanted]

    def aims(self, scene: Scene, doer: Standing) -> tuple[Surface, ...]:
        """What it may be aimed at; its own place where nothing is aimed at."""
        s, _, keys = self.listed(scene, doer)
        if "aim" not in self.needs:
            return (doer.at,) if keys else ()
        return tuple(surface_of(at) for at in sorted({at for k in keys for at in places_of(s, k)}))

    def use(self, scene: Scene, doer: Standing, use: Use) -> Outcome:
        """Do it."""
        s, i, keys = self.listed(scene, doer)
        return self.done(s, i, self.chosen(s, keys, doer, use))

    def chosen(self, s: State, keys: list[int], doer: Standing, use: Use) -> int:
        """The move that a use is; ValueError when there is none."""
        if "second" in self.needs and use.second in (None, aim_of(use)):
            raise ValueError("this takes two units")
        if "aim" in self.needs:
            wanted = [spot_of(at) for at in (aim_of(use), use.second) if at is not None]
            wanted = wanted[: 2 if "second" in self.needs else 1]
            keys = [key for key in keys if set(places_of(s, key)) == set(wanted)]
            if not keys:
                raise ValueError(f"{use.aim} cannot be aimed at: {self.why}")
        if "way" in self.needs:
            way = way_of_use(use)
            keys = [key for key in keys if way_in(key) == way]
            if not keys:
                raise ValueError(f"there is no room for it {DIRECTION_NAMES[DIRECTIONS[way]]}")
        if len(keys) > 1:
            return faced(keys, doer, use)
        if not keys:
            raise ValueError("this cannot be done here")
        return keys[0]

    def done(self, s: State, i: int, key: int) -> Outcome:
        """What a move does."""
        was, met, tiles = before(s), self.met(s, i, key), self.tiles(s, i, key)
        act(s, i, key, 0)
        run(s)
        return Outcome(changes(s, was, met), tiles=board_tiles(tiles))


def faced(keys: list[int], doer: Standing, use: Use) -> int:
    """Of two ways to face, the one that a use says; ValueError otherwise."""
    ways = [DIRECTIONS[way_in(key)] for key in keys]
    names = " or ".join(sorted(DIRECTION_NAMES[way] for way in ways))
    if use.way is None:
        raise ValueError(f"{use.aim} is on an exact diagonal of {doer.at}: say the way, {names}")
    if use.way not in ways:
        raise ValueError(f"from {doer.at} one faces {names} to attack {use.aim}")
    return keys[ways.index(use.way)]


def board_tiles(tiles: Iterable[int]) -> tuple[Tile, ...]:
    """Tiles by their numbers, sorted."""
    return tuple(sorted(tile_of(tile) for tile in tiles))


def land_tiles(s: State) -> Iterable[int]:
    """Every tile's number."""
    return (row << 6 | col for row in range(s.rows) for col in range(s.cols))

"""What treasure lets one choose: tiles that change, zones, winds."""

from __future__ import annotations

from falldamage_forge.board import Tile
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.games.fall_damage.abilities.doing import (
    Aims,
    Using,
    aim_of,
    board_tiles,
    land_tiles,
    surfaces_on,
    way_of_use,
)
from falldamage_forge.games.fall_damage.abilities.reading import before, changes
from falldamage_forge.games.fall_damage.abilities.scene import Outcome, Scene, Standing, Use
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.engine.decisions import answer
from falldamage_forge.games.fall_damage.engine.effect_stack import owe
from falldamage_forge.games.fall_damage.engine.hypothetical import MINE, THEIRS
from falldamage_forge.games.fall_damage.engine.notation import name_in, spot_in
from falldamage_forge.games.fall_damage.engine.terrain_changes import flood_line, run_length
from falldamage_forge.games.fall_damage.engine.transition import run
from falldamage_forge.games.fall_damage.engine.treasure import blow_wind
from falldamage_forge.games.fall_damage.play.spots import tile_name, tile_number


def asked(scene: Scene, doer: Standing, task: int, amount: int = 0) -> State:
    """The moment at which a finder is asked something; what may be chosen is listed."""
    s, numbers = scene.moment(doer)
    owe(s, task, numbers[doer.at], amount)
    run(s)
    return s


def tiles_asked(s: State, name: int = C.M_TILE) -> dict[int, int]:
    """The tiles that may be chosen, with the moves that choose them."""
    keys = [key for key in s.moves[: s.n_moves] if name_in(key) == name]
    return {spot_in(key) >> 4: key for key in keys}


def choose(s: State, tile: Tile, name: int, why: str) -> None:
    """Answer with a tile; ValueError where it may not be chosen."""
    keys = tiles_asked(s, name)
    if tile_number(tile) not in keys:
        raise ValueError(why)
    s.n_stack -= 1
    answer(s, s.n_stack, keys[tile_number(tile)])
    run(s)


def aims_of(task: int, amount: int = 0) -> Aims:
    """Every surface on the tiles that a finder may choose."""

    def aims(scene: Scene, doer: Standing) -> tuple[Surface, ...]:
        s = asked(scene, doer, task, amount)
        tiles = sorted({spot_in(key) >> 4 for key in s.moves[: s.n_moves]})
        return tuple(at for tile in tiles for at in surfaces_on(s, tile))

    return aims


def own_place(scene: Scene, doer: Standing) -> tuple[Surface, ...]:
    """What starts from the unit itself."""
    del scene
    return (doer.at,)


rope_aims = aims_of(C.ZONE, C.ROPES_ZONE)
lava_aims = aims_of(C.ERUPTION, 2)
dam_aims = aims_of(C.DAM_TILE)
shift_aims = aims_of(C.TECTONIC)


def use_rope(scene: Scene, doer: Standing, use: Use) -> Outcome:
    """Tiles around which friends hold on to a rope."""
    tile = aim_of(use).tile
    s = asked(scene, doer, C.ZONE, C.ROPES_ZONE)
    choose(s, tile, C.M_TILE, f"{tile} cannot be chosen")
    return Outcome(tiles=board_tiles(at for at in land_tiles(s) if s.rope[at] >> MINE & 1))


def gale(name: str) -> Using:
    """A wind over all units of a side."""

    def using(scene: Scene, doer: Standing, use: Use) -> Outcome:
        result = scene.kit.called(name)
        s, _ = scene.moment(doer)
        way, side = way_of_use(use), MINE if result.who == "friends" else THEIRS
        was = before(s)
        blow_wind(s, side, way, result.amount)
        met = [s.task_a[n] for n in range(s.n_stack - 1, -1, -1)]
        run(s)
        return Outcome(changes(s, was, met))

    return using


def use_eruption(scene: Scene, doer: Standing, use: Use) -> Outcome:
    """Two tiles become lava."""
    one = aim_of(use).tile
    if use.second is None or use.second.tile == one:
        raise ValueError("an Eruption takes two different tiles")
    s = asked(scene, doer, C.ERUPTION, scene.kit.called("eruption").amount)
    was = before(s)
    for tile in (one, use.second.tile):
        choose(s, tile, C.M_TILE, f"lava cannot be placed under what is on {tile}")
    return Outcome(changes(s, was))


def use_dam(scene: Scene, doer: Standing, use: Use) -> Outcome:
    """A line of plain ground becomes water."""
    tile, way = tile_number(aim_of(use).tile), way_of_use(use)
    s, _ = scene.moment(doer)
    was = before(s)
    dam(s, tile, way, s.amounts[C.X_DAM] if use.count is None else use.count)
    return Outcome(changes(s, was))


def dam(s: State, tile: int, way: int, count: int) -> None:
    """Flood so many tiles; ValueError for more than there may be, or past the rim."""
    most = s.amounts[C.X_DAM]
    if not 1 <= count <= most:
        raise ValueError(f"a dam breaks over 1 to {most} tiles")
    if run_length(s, tile, way, most) < count:
        raise ValueError(f"{count} tiles from {tile_name(tile)} do not fit on the board")
    flood_line(s, tile, way, count)


def use_shift(scene: Scene, doer: Standing, use: Use) -> Outcome:
    """A tile rises, or sinks."""
    at, count = aim_of(use), 1 if use.count is None else use.count
    s, numbers = scene.moment(doer)
    s.standard_piece = abs(count)
    owe(s, C.TECTONIC, numbers[doer.at])
    run(s)
    was = before(s)
    why = f"{at.tile} cannot go {count:+d} from level {s.level[tile_number(at.tile)]}"
    choose(s, at.tile, C.M_RAISE if count > 0 else C.M_SINK, why)
    return Outcome(changes(s, was))

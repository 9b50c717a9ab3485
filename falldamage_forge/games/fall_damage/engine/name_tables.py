"""Names of the numbers of a map: moves, tasks, cards and words, in both directions."""

from __future__ import annotations

from typing import Any

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine import match_context, notation
from falldamage_forge.games.fall_damage.play.move_value import KINDS as MOVE_KINDS
from falldamage_forge.games.fall_damage.play.move_value import Move
from falldamage_forge.games.fall_damage.play.state_value import EffectZone, MatchContext, Task
from falldamage_forge.games.fall_damage.play.surface_number import parse_tile, tile_name

TASKS: dict[int, tuple[str, str]] = {
    C.JUDGE: ("judge", ""), C.FIRST_TURN: ("first_turn", ""), C.SONGS: ("songs", ""),
    C.CRUMBLING: ("bricks", ""), C.FOUNTAINS: ("fountains", ""), C.MISTS: ("mist", ""),
    C.BITES: ("bites", ""), C.REFRESH: ("refresh", ""), C.BEGIN: ("begin", "ii"),
    C.WALK: ("walk", "im"), C.ACT: ("act", "imb"), C.CRUMBLE: ("crumble", "i"),
    C.COUNTER_BLOW: ("counter", "ii"), C.PUSH_BY: ("push_by", "iiiiibi"),
    C.SWAP_TILES: ("swap_tiles", "iiii"), C.SHOVE_ALL: ("shove", "iiiiii"),
    C.PUSH: ("push", "iiilbii"), C.REST: ("rest", "ib"), C.STILL: ("still", "ii"),
    C.BITE: ("bite", "ii"), C.OPEN: ("open", "i"), C.GAIN: ("gain", "ir"), C.TIRE: ("tire", "ii"),
    C.WEAR: ("wear", "kibi"), C.PUSH_SPIRE: ("push_spire", "iiii"),
    C.TOP_ROPES: ("top_ropes", "iii"), C.START: ("start", ""), C.COIN_MOVE: ("coin_move", "i"),
    C.ROLL: ("roll", "ii"), C.HAND_ON: ("hand_on", "ir"), C.ELIXIR: ("choose_elixir", "i"),
    C.BOX: ("box", "ii"), C.WIND: ("wind", "iii"), C.FREE_MOVE: ("free_move", "ii"),
    C.FREE_COIN: ("free_coin", "i"), C.LAND: ("land", "iiii"), C.ZONE: ("choose_zone", "iz"),
    C.ERUPTION: ("choose_eruption", "ii"), C.DAM_TILE: ("choose_dam_tile", "i"),
    C.DAM_WAY: ("choose_dam_way", "ii"), C.DAM_LENGTH: ("choose_dam_length", "iii"),
    C.TECTONIC: ("choose_tectonic", "i"), C.AID: ("choose_aid", "i"),
    C.BECOME: ("choose_card", "ii"), C.VICTIM: ("choose_victim", "i"),
    C.GLOVES: ("choose_gloves", "i"), C.SATIATE: ("choose_satiate", "i"),
    C.BOTCHED: ("choose_botched", "i"), C.UNHOLY: ("choose_unholy", "i"),
    C.REVIVE: ("revive", "ii"), C.DROP_UNIT: ("drop_unit", "ibi"),
    C.WEAR_AREA: ("wear_area", "iiiiib"), C.TOUCH: ("touch", "ii"),
    C.DRAFT_NEXT: ("draft_next", ""), C.PLACE_NEXT: ("place_next", "f"),
    C.SKELETONS: ("skeletons", "i"), C.SKELETON: ("skeleton", "i"),
    C.SETTLE_ALL: ("settle_all", ""), C.MAY_PUSH: ("may_push", "i"), C.TOSS: ("toss", ""),
    C.CHOOSE_SIDE: ("choose_side", "i"), C.PICK: ("pick", "i"), C.PLACE: ("place", "i"),
    C.STAND_UP: ("stand", "i"),
}  # fmt: skip
"""Name of each task in a state value, and the types of its values: i integer, b boolean, m move,
r roll, l level or none, k kind and name of a terrain target, z zone, f fixed placement."""
NUMBERED = {name: (number, form) for number, (name, form) in TASKS.items()}
PIECES = {C.W_TREE: "tree", C.W_SPIRE: "spire", C.W_DECK: "deck", C.W_LADDER: "ladder"}
TILED = {("act", "spring trap"), ("choice", "tile"), ("choice", "raise"), ("choice", "sink")}


class NameTables:
    """Names of the numbers in one map's columns."""

    def __init__(self, ctx: MatchContext) -> None:
        self.ctx = ctx
        self.words = match_context.words_of(ctx)
        self.cards = match_context.cards_of(ctx.content)
        self.moves: dict[int, Move] = {}
        self.fixed: Any = None
        self.zones: list[EffectZone] = []
        """Zones of other shapes than the rules create, from a conformance case."""

    def move(self, key: int) -> Move:
        """Return the move of a number; results are cached."""
        found = self.moves.get(key)
        if found is None:
            found = self.moves[key] = self._read(key)
        return found

    def _read(self, key: int) -> Move:
        kind, name = MOVE_KINDS[notation.kind_in(key)], C.NAMES[notation.name_in(key)]
        where, second = notation.spot_in(key), notation.spot2_in(key)
        if name == "move" and second >= 0:
            return Move(kind, name, spots=(where,), word=f"hurt {second >> 7} cost {second & 127}")
        units = tuple(unit for unit in (notation.unit_in(key), notation.unit2_in(key)) if unit >= 0)
        tile, spots = -1, tuple(spot for spot in (where, second) if spot >= 0)
        if (kind, name) in TILED:
            if units:
                return Move(kind, name, spots=(where,))
            tile, spots = where >> 4, ()
        return Move(
            kind, name, units, spots, tile, notation.way_in(key), self.words[notation.word_in(key)]
        )

    def key(self, move: Move) -> int:
        """Return the number of a move."""
        kind, name = MOVE_KINDS.index(move.kind), C.NAMES.index(move.name)
        where, second = ((*move.spots, -1) if move.spots else (move.tile << 4, -1))[:2]
        one, two = (*move.units, -1, -1)[:2]
        if move.kind in ("move", "free") and move.word:
            _, harm, _, cost = move.word.split()
            return notation.key_of(kind, name, where, int(harm) << 7 | int(cost))
        if (move.kind, move.name) in TILED and move.spots:
            one, two = -1, 0
        return notation.key_of(
            kind, name, where, second, self.words.index(move.word), one, two, move.way
        )

    # -- tasks -------------------------------------------------------------------------------------

    def row(self, task: Task) -> list[int]:
        """Return a task's kind and values as numbers."""
        number, form = NUMBERED[task[0]]
        values = list(task[1:])
        if task[0] == "wear":
            kind = next(n for n, name in PIECES.items() if name == values[0])
            where = parse_tile(values[1]) if kind == C.W_TREE else int(values[1])
            row = [kind, where, *values[2:]]
        else:
            row = [self._number(letter, v) for letter, v in zip(form, values, strict=False)]
        return [number, *map(int, row), *[0] * (7 - len(row))]

    def _number(self, letter: str, value: Any) -> int:
        if letter == "m":
            return self.key(Move(*value))
        if letter == "r":
            return int(value[0]) * 10 + int(value[2])
        if letter == "l":
            return C.NO_LEVEL if value is None else int(value)
        if letter == "f":
            self.fixed = value
            return int(value is not None)
        if letter == "z":
            return C.ZONE_KINDS.index(value)
        return int(value)

    def task(self, row: list[int]) -> Task:
        """Return the task of a row of numbers."""
        name, form = TASKS[row[0]]
        values: list[Any] = []
        for letter, value in zip(form, row[1:], strict=False):
            if letter == "k":
                kind = PIECES[value]
                values += [kind, tile_name(row[2]) if kind == "tree" else str(row[2])]
            else:
                values.append(self._value(letter, value))
        if name == "wear":
            values = [*values[:2], row[3], bool(row[4]), row[5]]
        return (name, *values)

    def _value(self, letter: str, value: int) -> Any:
        if letter == "b":
            return bool(value)
        if letter == "m":
            return tuple(self.move(value))
        if letter == "r":
            return f"{value // 10}-{value % 10}"
        if letter == "l":
            return None if value == C.NO_LEVEL else value
        if letter == "f":
            return self.fixed if value else None
        if letter == "z":
            return C.ZONE_KINDS[value]
        return value

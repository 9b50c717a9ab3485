"""Conformance cases: play a worked situation on the engine and compare the result.

A table that writes down its disputed cases can check that the engine plays as it does.
`docs/game.md` describes the form.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from falldamage_forge.board import Board, Chest, Column, Deck, Feature, Ladder, Tile, make_board
from falldamage_forge.board import Ground as Kind
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.play import legal_apply
from falldamage_forge.games.fall_damage.play.board_game import split_options
from falldamage_forge.games.fall_damage.play.case_form import problems
from falldamage_forge.games.fall_damage.play.game_data import GameData
from falldamage_forge.games.fall_damage.play.move_value import WAY_NAMES, Move
from falldamage_forge.games.fall_damage.play.serialization import UNPLAYABLE
from falldamage_forge.games.fall_damage.play.state_value import (
    SIDES,
    FallenUnit,
    HiddenItem,
    MatchContext,
    State,
    Unit,
)
from falldamage_forge.games.fall_damage.play.surface_number import spot_at, tile_name
from falldamage_forge.games.fall_damage.play.vocabulary import (
    ACTIONS,
    action_name,
    item_name,
    move_text,
    move_word,
    terrain_name,
)
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import ForgeError, Issue

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CaseResult:
    """Result of one case: its differences from the expected result, or why it is unreadable."""

    name: str
    title: str
    differences: tuple[str, ...]
    issues: tuple[Issue, ...] = ()

    @property
    def agrees(self) -> bool:
        """True if the case was played without a difference."""
        return not self.differences and not self.issues


def conform(document: Json, rules: FallDamageOptions, content: GameData) -> tuple[CaseResult, ...]:
    """Run every example of a document.

    An unreadable example yields its issues (FDF380, FDF320), and the others still run.

    Args:
        document: The document as JSON.
        rules: Options of the ruleset, which an example may change.
        content: Game data.

    Raises:
        ForgeError (FDF380): If the document has no list of examples.
    """
    examples = document.get("examples")
    if not isinstance(examples, list):
        raise ForgeError([_unreadable("the document has no list `examples`")])
    return tuple(
        _verdict(example, number, rules, content) for number, example in enumerate(examples, 1)
    )


def _unreadable(message: str, hint: str = "") -> Issue:
    return Issue("FDF380", "error", message, hint=hint or "`docs/game.md` shows the form")


def _verdict(example: Any, number: int, rules: FallDamageOptions, content: GameData) -> CaseResult:
    given: Json = example if isinstance(example, Mapping) else {}
    named = given.get("id", number)
    name = str(named if isinstance(named, str | int) else number)
    title = str(given.get("title", ""))
    found = problems(example, content)
    issues: tuple[Issue, ...] = tuple(
        _unreadable(f"example {name}, `{place or 'itself'}`: {message}", hint)
        for place, message, hint in found
    )
    differences: tuple[str, ...] = ()
    if not issues:
        try:
            differences = tuple(ConformanceCase(example, rules, content).differences())
        except ForgeError as error:
            issues = tuple(
                replace(issue, message=f"example {name}: {issue.message}") for issue in error.issues
            )
        except UNPLAYABLE:
            hint = "check that its values fit together and fit the rules, one by one"
            issues = (_unreadable(f"example {name} cannot be set up or played", hint),)
    return CaseResult(name, title, differences, issues)


class ConformanceCase:
    """One case during its run: the state, unit ids, and chance outcomes still to come."""

    def __init__(self, example: Json, rules: FallDamageOptions, content: GameData) -> None:
        self.example = example
        self.expect: Json = example.get("expect", {})
        board, wear = board_of(example["map"])
        rules, readings = split_options(example.get("options", {}), rules)
        ctx = MatchContext(board, rules, readings, content)
        self.ids = {entry["id"]: index for index, entry in enumerate(example["units"])}
        self.state = situation(ctx, example, self.ids)
        self.state.scars = tuple(sorted(wear.items()))
        self.chance = list(example.get("chance", ()))
        self.made = len(self.state.units)

    def differences(self) -> list[str]:
        """Return the differences from the expected result, in words."""
        if "perft" in self.expect:
            return self._perft()
        forced = self.example.get("state", {}).get("force_treasure")
        if forced is not None:
            self.state.push_tasks(("open", self.ids[forced]), ("judge",))
        legal_apply.advance_to_first_node(self.state)
        self._outcomes()
        for step in self.example.get("do", ()):
            found = self._do(step)
            if found is not None:
                return [found]
        return [text for key in self.expect for text in self._compare(key, self.expect[key])]

    def _perft(self) -> list[str]:
        legal_apply.advance_to_first_node(self.state)
        wanted = list(self.expect["perft"])
        counted = [legal_apply.perft(self.state, depth) for depth in range(1, len(wanted) + 1)]
        return [] if counted == wanted else [f"perft is {counted}, expected {wanted}"]

    # -- playing -----------------------------------------------------------------------------------

    def _outcomes(self) -> None:
        while not self.state.over and legal_apply.current_player(self.state) < 0 and self.chance:
            outcome = self.chance.pop(0)
            (name, word), *_ = outcome.items()
            move = next(
                (
                    m
                    for m in legal_apply.legal_moves(self.state)
                    if m.name == name and m.word == str(word)
                ),
                None,
            )
            if move is None:
                message = f"`chance`: {_words(outcome)} is no outcome here"
                hint = "remove it, or write the outcomes in the order of their rolls"
                raise ForgeError([_unreadable(message, hint)])
            legal_apply.apply_move_in_place(self.state, move)

    def _do(self, step: Json) -> str | None:
        if "treasure" in step:
            return None
        found = [move for move in legal_apply.legal_moves(self.state) if self._means(move, step)]
        if not found:
            # An activation without legal actions ends by itself; an explicit end is accepted.
            return None if "end" in step else f"{_words(step)} is not legal"
        legal_apply.apply_move_in_place(self.state, found[0])
        self._outcomes()
        return None

    def _means(self, move: Move, step: Json) -> bool:
        """True if a legal move is the one that a step describes."""
        if "unit" in step:
            return move.kind == "unit" and move.units == (self.ids[step["unit"]],)
        if "hand_on" in step:
            to = step["hand_on"]
            return move.kind == "hand" and move.units == (() if to is None else (self.ids[to],))
        if "end" in step or "end_turn" in step:
            return move.kind == ("end" if "end" in step else "end_turn")
        if "move" in step:
            return move.kind in ("move", "free") and move.spots == (spot_at(*step["move"]),)
        if "trap_landing" in step:
            return move.kind == "land" and move.spots == (spot_at(*step["trap_landing"]),)
        if "wind" in step:
            return move.kind == "wind" and WAY_NAMES[move.way] == step["wind"]
        if "action" in step:
            return self._means_action(move, step)
        return str(move) == move_text(step["say"])

    def _means_action(self, move: Move, step: Json) -> bool:
        if move.kind != "act" or move.name != ACTIONS[action_name(step["action"])]:
            return False
        if "terrain" in step:
            named = step["terrain"]
            if isinstance(named, str):
                return move.word == move_word(terrain_name(named))
            tile = tile_name(named[0] << 6 | named[1])
            return move.word.split()[1:] == [tile]
        named = step.get("targets", [step["target"]] if "target" in step else [])
        if {self.ids[unit] for unit in named} != set(move.units):
            return False
        if "at" in step:
            at = step["at"]
            here = move.spots == (spot_at(*at),) if len(at) > 2 else move.tile == at[0] << 6 | at[1]
            if not here and not (move.tile >= 0 and move.tile == spot_at(*at) >> 4):
                return False
        if "bodies" in step and set(move.spots) != {spot_at(*body) for body in step["bodies"]}:
            return False
        return "direction" not in step or WAY_NAMES[move.way] == step["direction"]

    # -- comparing ---------------------------------------------------------------------------------

    def _compare(self, key: str, wanted: Any) -> list[str]:
        state = self.state
        if key in ("legal", "not_legal"):
            return self._compare_legal(wanted, key == "legal")
        if key == "units":
            return [t for name, values in wanted.items() for t in self._compare_unit(name, values)]
        if key == "dead":
            return [f"{unit} lives" for unit in wanted if state.units[self.ids[unit]].alive]
        if key == "levels":
            return [
                f"level of {at} is {level}, expected {value}"
                for at, value in wanted.items()
                if (level := _level(state, at)) != value
            ]
        if key == "bodies":
            return self._compare_bodies(wanted)
        if key == "ladders":
            return self._compare_ladders(wanted)
        if key == "features":
            return [
                f"{at} has {feature}, expected {value}"
                for at, value in wanted.items()
                if (feature := _feature(state, at)) != value
            ]
        found = self._found(key)
        return [] if found == wanted else [f"{key} is {found!r}, expected {wanted!r}"]

    def _found(self, key: str) -> Any:
        state = self.state
        if key in ("to_act", "first"):
            return SIDES[getattr(state, key)]
        if key == "over":
            return state.over
        if key == "winner":
            return state.result if state.result in SIDES else None
        if key == "chests":
            return [_place(spot) for spot in state.chests]
        if key == "decks":
            return [deck.level for deck in state.land.decks if deck]
        if key == "hidden":
            return [
                {"side": SIDES[h.side], "kind": h.kind, "tile": [h.tile >> 6, h.tile & 63]}
                for h in state.hidden
            ]
        if key == "new_units":
            return [
                {"side": SIDES[u.side], "card": u.card, "at": _place(u.spot), "health": u.health}
                for u in state.units[self.made :]
            ]
        return getattr(state, key)

    def _compare_legal(self, wanted: list[Json], expected: bool) -> list[str]:
        moves = legal_apply.legal_moves(self.state)
        say = "is not legal" if expected else "is legal"
        return [
            f"{_words(step)} {say}"
            for step in wanted
            if any(self._means(move, step) for move in moves) is not expected
        ]

    def _compare_unit(self, name: str, values: Json) -> list[str]:
        unit = self.state.units[self.ids[name]]
        found = []
        for key, wanted in values.items():
            own = {"at": _place(unit.spot), "side": SIDES[unit.side]}
            value = own[key] if key in own else getattr(unit, key)
            value = list(value) if isinstance(value, tuple) else value
            if value != self._meant(key, wanted):
                found.append(f"{name}: {key} is {value}, expected {wanted}")
        return found

    def _meant(self, key: str, value: Any) -> Any:
        """Return a unit's value as the engine has it: units by number, items by name."""
        if key == "promo_by":
            return [self.ids[unit] for unit in value]
        return [*map(item_name, value)] if key == "items" else value

    def _compare_bodies(self, wanted: list[Any]) -> list[str]:
        """Compare unused bodies with places, or with the properties given for each."""
        units = self.state.units
        found = sorted(
            ({"at": _place(b.spot), "card": units[b.unit].card, "side": SIDES[units[b.unit].side]}
             for b in self.state.bodies if not b.used),
            key=lambda body: (body["at"], body["card"]),
        )  # fmt: skip
        expected = sorted(
            (dict(body) if isinstance(body, Mapping) else {"at": body} for body in wanted),
            key=lambda body: (body["at"], body.get("card", "")),
        )
        agree = len(found) == len(expected) and all(
            body.items() >= wish.items() for body, wish in zip(found, expected, strict=True)
        )
        return [] if agree else [f"bodies is {found!r}, expected {wanted!r}"]

    def _compare_ladders(self, wanted: list[Json]) -> list[str]:
        """Compare the remaining ladders, in the map's order, with given ends."""
        found = [
            {"foot": [*x.foot, x.foot_level], "top": [*x.top, x.top_level]}
            for x in self.state.land.ladders
            if x
        ]
        agree = len(found) == len(wanted) and all(
            ladder[end][: len(wish[end])] == wish[end]
            for ladder, wish in zip(found, wanted, strict=True)
            for end in ("foot", "top")
        )
        return [] if agree else [f"ladders is {found!r}, expected {wanted!r}"]


def _words(step: Json) -> str:
    return " ".join(f"{key} {value}" for key, value in step.items())


def _place(spot: int) -> list[int]:
    return [spot >> 10, spot >> 4 & 63, spot & 15]


def _tile(at: str) -> int:
    row, col = map(int, at.split(","))
    return row << 6 | col


def _level(state: State, at: str) -> int:
    return state.land.column(_tile(at)).level + state.land.bricks_on(_tile(at))


def _feature(state: State, at: str) -> str | None:
    feature = state.land.column(_tile(at)).feature
    return str(feature) if feature else None


# -- building --------------------------------------------------------------------------------------


def board_of(table: Json) -> tuple[Board, dict[str, int]]:
    """Return the board of an example's map, and the damage on its bridges and ladders."""
    heights = table["heights"]
    kinds = {tuple(at): Kind.LAVA for at in table.get("lava", ())}
    kinds |= {tuple(at): Kind.WATER for at in table.get("water", ())}
    features = {tuple(at): Feature.TREE for at in table.get("trees", ())}
    features |= {tuple(at): Feature.SPIRE for at in table.get("spires", ())}
    columns = [
        Column(level, kinds.get((row, col), Kind.GROUND), features.get((row, col)))
        for row, line in enumerate(heights)
        for col, level in enumerate(line)
    ]
    wear: dict[str, int] = {}
    decks = []
    for number, deck in enumerate(table.get("decks", ())):
        decks.append(Deck.between(Tile(*deck["a"]), Tile(*deck["b"]), deck["level"]))
        if deck.get("damage"):
            wear[f"deck {number}"] = deck["damage"]
    ladders = [_ladder(entry, heights) for entry in table.get("ladders", ())]
    chests = [Chest(Tile(r, c), heights[r][c]) for r, c in table.get("treasures", ())]
    size = (len(heights), len(heights[0]))
    board = make_board(*size, columns, decks=decks, ladders=ladders, treasures=chests)
    return board, wear


def _ladder(entry: Json, heights: list[list[int]]) -> Ladder:
    ends = []
    for name in ("foot", "top"):
        row, col, *level = entry[name]
        ends += [Tile(row, col), level[0] if level else heights[row][col]]
    return Ladder(*ends)


def situation(ctx: MatchContext, example: Json, ids: dict[str, int]) -> State:
    """Return the state of an example.

    Args:
        ctx: Match context of its map.
        example: The example.
        ids: Number of each unit by its id.
    """
    given: Json = example.get("state", {})
    first = SIDES.index(given.get("first", given.get("to_act", "red")))
    state = State(
        ctx,
        land=ctx.land,
        round=given.get("round", 1),
        first=first,
        to_act=SIDES.index(given.get("to_act", SIDES[first])),
        activations_this_round=given.get("activations_this_round", 0),
        phase="choose_unit",
        chests=ctx.chests,
    )
    for index, entry in enumerate(example["units"]):
        state.units.append(_unit(ctx, entry, ids))
        state.place_unit(index, spot_at(*entry["at"]))
    for entry in given.get("hidden", ()):
        row, col = entry["tile"]
        state.hidden = (
            *state.hidden, HiddenItem(SIDES.index(entry["side"]), entry["kind"], row << 6 | col),
        )  # fmt: skip
    for entry in given.get("bodies", ()):
        body = entry if isinstance(entry, Mapping) else {"at": entry}
        state.units.append(Unit(SIDES.index(body.get("side", "red")), body.get("card", "knight")))
        state.bodies = (*state.bodies, FallenUnit(len(state.units) - 1, spot_at(*body["at"])))
    return state


def _unit(ctx: MatchContext, entry: Json, ids: dict[str, int]) -> Unit:
    health = ctx.card(entry["card"]).health
    unit = Unit(SIDES.index(entry["side"]), entry["card"], health=health, max_health=health)
    for key, value in entry.items():
        if key in ("id", "side", "card", "at"):
            continue
        fitting = tuple(value) if isinstance(value, list) else value
        if key == "promo_by":
            fitting = tuple(ids[name] for name in value)
        elif key == "items":
            fitting = tuple(map(item_name, value))
        setattr(unit, key, fitting)
    unit.max_health = max(unit.max_health, unit.health)
    return unit

"""What is asked is what is played: at moments of random games the questions offer what the game
allows, and tell what it does.

Every unit that may act is asked about with its card's abilities, its Attack, and items that are
put into its hands; answers come from places, cards and bricks in words.
FORGE_EXHAUSTIVE=1 asks at 10,000 moments.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from falldamage_forge.board import DIRECTIONS, Board
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.games.fall_damage.ability_queries.ability_context import (
    AbilityContext,
    AbilityOutcome,
    AbilityUse,
    PlacedUnit,
)
from falldamage_forge.games.fall_damage.ability_queries.ability_table import ABILITIES
from falldamage_forge.games.fall_damage.engine.modifiers import Modifiers
from falldamage_forge.games.fall_damage.play import Move, State, legal_moves
from falldamage_forge.games.fall_damage.play.legal_apply import apply_move_in_place
from falldamage_forge.games.fall_damage.play.split_mix import SplitMix64
from falldamage_forge.games.fall_damage.play.surface_number import (
    spot_of,
    surface_of,
    tile_name,
    tile_of,
)
from falldamage_forge.games.fall_damage.queries import in_reach, on_land
from falldamage_forge.presets import load_rules, load_units
from falldamage_forge.rules.position import Position
from tests.amount import EXHAUSTIVE
from tests.games.play.goldens import golden_board, teams_of
from tests.games.play.tables import ctx, new_game, small_board
from tests.rules.test_worked import READINGS as SHOWN

UNITS = load_units()
MOMENTS = 10_000 if EXHAUSTIVE else 200
GROUPS = 8
READINGS = sorted({(key, value) for case in SHOWN for key, value in case["options"].items()})
"""Every reading of reach, push, sight and abilities, by a worked example that shows it."""
ITEMS = {
    "cannon": "cannon", "celestial-cannon": "celestial-cannon", "grenade": "grenade",
    "knife": "knife", "quicksand": "quicksand",
}  # fmt: skip


def boards() -> tuple[Board, ...]:
    """A crowded board and a small one, without chests: what they hold is no part of a question."""
    plain = (golden_board(), small_board(9, 8))
    return tuple(replace(board, treasures=()) for board in plain)


def moments(seed: int) -> Iterator[tuple[State, dict[str, str]]]:
    """States of a random game in which somebody may act, and the readings that were drawn."""
    dice = SplitMix64(seed)
    options = dict(dice.shuffled(READINGS)[:3])
    table = ctx(
        boards()[seed % 2],
        {**options, "empty_actions": "yes", "auto_end": "no", "round_limit": 6,
         "placement": "listed"},
    )  # fmt: skip
    state = new_game(table, teams_of(seed))
    while not state.over:
        moves = legal_moves(state)
        acts = [move for move in moves if move.kind == "act"]
        if acts and state.phase == "activation" and not state.pending and dice.below(3) == 0:
            yield state.copy(), options
        state = state.copy()
        apply_move_in_place(state, dice.choice(acts if acts and dice.below(3) else moves))


def changes_of(state: State) -> list[str]:
    """The words that bring the map's board to where a game has it."""
    start, now, words = state.ctx.land, state.land, []
    for tile in start.tiles():
        if start.column(tile).feature and not now.column(tile).feature:
            words.append(f"without {tile_name(tile)}")
    for old, new in zip((*start.decks, *start.ladders), (*now.decks, *now.ladders), strict=True):
        if old and not new:
            at, level = (old.tiles[0], old.level) if hasattr(old, "tiles") else (
                old.foot, old.foot_level
            )  # fmt: skip
            words.append(f"hit {at}@{level} 9")
    for _, _, tiles, _ in now.bricks:
        if len(tiles) == 1:
            words.append(f"scaffold {tile_name(tiles[0])}")
        else:
            step = (tiles[1] - tiles[0] >> 6, (tiles[1] - tiles[0]) % 64)
            way = {(0, 1): "east", (0, 63): "west", (1, 0): "south", (-1, 0): "north"}[
                (0, step[1]) if step[1] else step
            ]
            words.append(f"partition {tile_name(tiles[0])} {way}")
    return words


def standing(state: State, index: int) -> PlacedUnit:
    """A unit of a game as a question tells of it."""
    unit = state.units[index]
    has = Modifiers(
        bard=unit.song_now, poison=unit.mist_rounds, promo=bool(unit.promo_by),
        vines=unit.vines, attack_plus=unit.attack_plus,
    )  # fmt: skip
    return PlacedUnit(
        surface_of(unit.spot),
        UNITS.get(unit.card) or UNITS["beast-heads"],
        str(unit.side),
        has,
        unit.health,
        unit.song_off,
    )


def aim_of(state: State, move: Move) -> tuple[Surface, ...]:
    """The places that a move of the game names."""
    if move.units:
        return tuple(surface_of(state.units[n].spot) for n in move.units)
    return tuple(surface_of(spot) for spot in move.spots)


def use_of(state: State, move: Move) -> AbilityUse:
    """A move of the game as the words of a question."""
    aims = (*aim_of(state, move), None, None)
    return AbilityUse(aims[0], aims[1], DIRECTIONS[move.way] if move.way >= 0 else None)


class Asked:
    """A moment of a game, and the same in words."""

    def __init__(self, state: State, options: dict[str, str]) -> None:
        self.state, self.index = state, state.active
        state.units[self.index].items = tuple(ITEMS)
        state.legal = None
        game = load_rules("fall-damage").with_options((k, v, None) for k, v in options.items())
        before = Position(state.ctx.board, game)
        words = tuple(changes_of(state))
        board = game.what_if(before.board, words).board if words else before.board
        position = Position(board, game, before=before if words else None, changes=words)
        there = {n: standing(state, n) for n in state.living()}
        self.doer = there[self.index]
        self.scene: AbilityContext = on_land(game, position, *there.values())
        self.moves = [
            m for m in legal_moves(state) if m.kind == "act" and m.name != "attack rooted"
        ]

    def named(self, name: str) -> list[Move]:
        """What the game allows under a name."""
        return [
            move
            for move in self.moves
            if ITEMS.get(move.name, move.name.replace(" ", "-")) == name and not move.word
        ]

    def names(self) -> list[str]:
        """What the unit may be asked about."""
        card = self.state.ctx.card(self.state.units[self.index].card)
        own = [name for name in ABILITIES if name in card.abilities and ABILITIES[name].of]
        return ["attack", *ITEMS.values(), *(name for name in own if name not in IMPLIED)]

    def offered(self, name: str) -> bool:
        """Whether what is offered is what the game allows."""
        aims = set(ABILITIES[name].aims(self.scene, self.doer))
        moves = self.named(name)
        if name == "spring-trap":
            return {at.tile for at in aims} == {tile_of(move.tile) for move in moves}
        if "aim" not in ABILITIES[name].needs:
            return bool(aims) == bool(moves)
        if name == "attack":
            aims &= {one.at for one in self.scene.standing}
        return aims == {at for move in moves for at in aim_of(self.state, move)}

    def terrain(self) -> bool:
        """Whether the terrain that may be attacked is what the game allows."""
        _, pieces = in_reach(self.scene, self.doer)
        told = {(row["aim"]["tile"], row["aim"]["level"]) for row in pieces}
        hit = [
            surface_of(move.spots[0]) for move in self.moves if move.name == "attack" and move.word
        ]
        return told == {(str(at.tile), at.level) for at in hit}

    def told(self, name: str, move: Move) -> tuple[dict[int, int | None], dict[int, int | None]]:
        """Where everybody is after a move, with its health, as answered and as played."""
        found = ABILITIES[name].use(self.scene, self.doer, use_of(self.state, move))
        after = self.state.copy()
        apply_move_in_place(after, move)
        return self._answered(found), {
            n: unit.spot << 8 | unit.health if unit.alive else None
            for n, unit in enumerate(after.units)
        }

    def _answered(self, found: AbilityOutcome) -> dict[int, int | None]:
        changes = {change.who: change for change in found.changes}
        answer: dict[int, int | None] = {}
        for n, unit in enumerate(self.state.units):
            answer[n] = unit.spot << 8 | unit.health if unit.alive else None
            change = changes.get(surface_of(unit.spot)) if unit.alive else None
            if change is not None:
                left = unit.health - change.damage - change.fall + change.heal
                answer[n] = None if change.dead else spot_of(change.end) << 8 | left
        return answer

    @property
    def is_plain(self) -> bool:
        """Whether an action sets off no traps and crumbles no bricks: questions leave them out."""
        own = any(owner == self.index for owner, *_ in self.state.land.bricks)
        return not self.state.hidden and not own


IMPLIED = ("shove", "top-ropes")
"""What no move of its own does: a part of the Attack, and of a Move."""


@pytest.mark.parametrize("group", range(GROUPS))
def test_queries_offer_and_predict_the_moves_of_the_game(group: int) -> None:
    seen: Counter[str] = Counter()
    seed, dice = group, SplitMix64(group)
    while seen["moments"] < MOMENTS // GROUPS:
        for state, options in moments(seed):
            asked = Asked(state, options)
            seen["moments"] += 1
            where = f"seed {seed}, {options}, {asked.doer.unit.name}, {changes_of(state)}"
            assert asked.terrain(), where
            for name in asked.names():
                assert asked.offered(name), f"{name}: {where}"
                moves = asked.named(name) if asked.is_plain and name != "spring-trap" else []
                for move in dice.shuffled(moves)[:2]:
                    answered, played = asked.told(name, move)
                    assert answered == played, f"{move}: {where}"
                    seen[name] += 1
        seed += GROUPS
    assert seen["attack"] and seen["grenade"]

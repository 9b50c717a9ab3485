"""Forecasts as data: their figures are those of the move."""

from collections import Counter
from collections.abc import Iterator

from falldamage_forge.games.fall_damage.engine.codes import CAUSES
from falldamage_forge.games.fall_damage.play.legal_apply import (
    CHANCE,
    apply_move,
    current_player,
    legal_moves,
)
from falldamage_forge.games.fall_damage.play.move_value import Move
from falldamage_forge.games.fall_damage.play.state_value import State
from falldamage_forge.games.fall_damage.play.surface_number import spot_name
from falldamage_forge.playtest.forecast import Forecast, forecast
from tests.games.play.situations import Dice
from tests.games.play.test_terminal import SEEDS, state_at

PARTS = {"strength", "boost", "height"}


def foreseen(kinds: frozenset[str] = frozenset()) -> Iterator[tuple[State, Move, Forecast]]:
    """Moves of situations in which nothing is hidden, with their forecasts."""
    for seed in SEEDS:
        state = state_at(seed)
        state.hidden = ()
        for choice in Dice(seed).sample(legal_moves(state), min(3, len(legal_moves(state)))):
            begun = apply_move(state, choice)
            if begun.over or current_player(begun) == CHANCE:
                continue
            for move in legal_moves(begun)[:60]:
                if not kinds or move.name in kinds:
                    yield begun, move, forecast(begun, move, current_player(begun))


def test_health_of_a_forecast_is_that_after_the_move() -> None:
    seen = Counter[str]()
    for state, move, told in foreseen():
        then = apply_move(state, move)
        for index, unit in enumerate(state.units):
            now = then.units[index]
            left = now.health if now.alive else 0
            if unit.alive:
                assert told.health.get(index, unit.health) == left, str(move)
                seen["dies" if not left else "same" if left == unit.health else "other"] += 1
            else:
                assert index not in told.health
    assert min(seen[name] for name in ("dies", "same", "other")) > 0


def test_losses_of_a_forecast_lead_to_its_health() -> None:
    """A unit that only loses health has its health less the figures, or is out."""
    seen = 0
    for state, move, told in foreseen():
        losses = Counter[int]()
        for effect in told.effects:
            if effect.kind in CAUSES:
                assert int(effect.figure) < 0
                losses[effect.unit] -= int(effect.figure)
            if effect.kind == "pushed":
                assert effect.figure == spot_name(effect.spot)
            assert (effect.kind in PARTS) != bool(effect.words)
        out = {effect.unit for effect in told.effects if effect.kind == "die"}
        for index, lost in losses.items():
            before = state.units[index].health
            if told.health.get(index, before):
                assert told.health.get(index, before) >= before - lost, str(move)
            elif lost >= before:
                assert index in out
                seen += 1
    assert seen


def test_parts_of_an_attack_add_up_to_its_damage() -> None:
    seen = Counter[str]()
    for _, move, told in foreseen(frozenset({"attack", "attack rooted"})):
        parts = [effect for effect in told.effects if effect.kind in PARTS]
        target = move.units[-1] if move.units else -1
        hit = [one for one in told.effects if (one.kind, one.unit) == ("attack", target)]
        if parts:
            dealt = -int(hit[0].figure) if hit else 0
            assert max(sum(int(part.figure) for part in parts), 0) == dealt, str(move)
            assert len(parts) > 1, "one part is the damage itself"
        seen.update(part.kind for part in parts)
    assert seen.keys() == PARTS

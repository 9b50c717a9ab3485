"""Playtest from beginning to end: every bot against itself on every map, and the metrics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from falldamage_forge.board import Board
from falldamage_forge.games.fall_damage.engine.simulator import simulator_of
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.play.game_data import GameData
from falldamage_forge.games.fall_damage.play.play_options import PlayOptions, changed_options
from falldamage_forge.games.fall_damage.play.surface_number import spot_name
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.playtest import game_series
from falldamage_forge.playtest.game_series import GameSeries, Runner
from falldamage_forge.playtest.score_verdict import SIDE, Tally, effect, effect_json, match_json
from falldamage_forge.playtest.selfplay_metrics import judgements, measures, verdicts
from falldamage_forge.rules.side_exchange import exchange_on


@dataclass(frozen=True)
class PlaytestRequest:
    """Input of a playtest.

    Attributes:
        boards: Boards by map name.
        rules: Options of the ruleset by map name.
        readings: Options of play.
        content: Game data.
        bots: Names of the bots, the weakest first.
        games: Games per bot and map.
        seed: Seed of all series.
        teams: Pairs of teams, used in turn; empty: teams are drawn.
        fast: True if compiled kernels may play; the result is the same.
    """

    boards: Mapping[str, Board]
    rules: Mapping[str, FallDamageOptions]
    readings: PlayOptions
    content: GameData
    bots: tuple[str, ...]
    games: int
    seed: int
    teams: tuple[tuple[list[str], list[str]], ...] = ()
    fast: bool = False


@dataclass(frozen=True)
class PlaytestResult:
    """One map's result.

    Attributes:
        result: The result as JSON values.
        replays: Records of chosen games by description.
        scores: Number of blocks by half points of red, for each bot.
    """

    result: dict[str, Any]
    replays: dict[str, dict[str, Any]]
    scores: Mapping[str, Mapping[int, int]]


def run_playtest(
    order: PlaytestRequest,
    runner: Runner,
    *,
    pieces: bool = False,
    versus: bool = False,
    replays: bool = False,
) -> list[PlaytestResult]:
    """Play all series and return the result of each map.

    Args:
        order: Input of the playtest.
        runner: Runner of the chunks.
        pieces: True to play each map again without each bridge and ladder.
        versus: True to play each bot against the previous one.
        replays: True to add records of the shortest, longest and median game.
    """
    series = [_series(order, name, (bot, bot)) for name in order.boards for bot in order.bots]
    tallies = iter(game_series.run_series(series, runner))
    outcomes = []
    for name, board in order.boards.items():
        own = {bot: next(tallies) for bot in order.bots}
        columns = simulator_of(
            game_series.context_of(_series(order, name, (order.bots[0],) * 2))
        ).columns
        spots = columns.surfaces[: columns.n_surfaces]
        bots = {bot: measures(tally, spots) for bot, tally in own.items()}
        exchange = exchange_on(board, handed_cards(order))
        judged = judgements(own, exchange)
        result: dict[str, Any] = {
            "map": name,
            "games": order.games,
            "seed": order.seed,
            "options": changed_options(order.rules[name], order.readings),
            "bots": bots,
            "verdict": judged,
            "exchange": exchange and exchange.json(),
            "verdicts": verdicts(bots, judged, exchange),
        }
        if pieces:
            result["pieces"] = _pieces(order, name, board, own[order.bots[-1]], runner)
        if versus and len(order.bots) > 1:
            result["versus"] = _versus(order, name, runner)
        shown = _shown(order, name, own[order.bots[-1]]) if replays else {}
        scores = {bot: tally.scores(SIDE.key) for bot, tally in own.items()}
        outcomes.append(PlaytestResult(result, shown, scores))
    return outcomes


def handed_cards(order: PlaytestRequest) -> tuple[str, ...]:
    """Return the titles of the cards that take part in a request and that a mirror changes."""
    named = {card for pair in order.teams for team in pair for card in team}
    cards = order.content.cards
    taking_part = (cards[name] for name in order.content.team_cards() if name in named or not named)
    return tuple(card.title for card in taking_part if card.is_handed)


def _series(order: PlaytestRequest, name: str, bots: tuple[str, str]) -> GameSeries:
    return GameSeries(
        order.boards[name], order.rules[name], order.readings, order.content, bots, order.games,
        order.seed, name, order.teams, order.fast,
    )  # fmt: skip


def _versus(order: PlaytestRequest, name: str, runner: Runner) -> dict[str, Any]:
    """Return each bot's score against the previous bot, with its interval over blocks."""
    pairs = list(zip(order.bots[1:], order.bots, strict=False))
    tallies = game_series.run_series([_series(order, name, pair) for pair in pairs], runner)
    return {
        f"{one} against {other}": match_json(one, other, tally)
        for (one, other), tally in zip(pairs, tallies, strict=True)
    }


def _pieces(
    order: PlaytestRequest, name: str, board: Board, before: Tally, runner: Runner
) -> dict[str, dict[str, Any]]:
    """Return for each bridge and ladder its use, and its absence's effect, with the same seeds."""
    bot = order.bots[-1]
    cut: dict[str, Board] = {}
    feet: dict[str, set[str]] = {}
    for number, deck in enumerate(board.decks):
        what = f"bridge {deck.a} -> {deck.b}"
        cut[what] = replace(board, decks=board.decks[:number] + board.decks[number + 1 :])
        feet[what] = {f"{tile}@{deck.level}" for tile in deck.tiles}
    for number, ladder in enumerate(board.ladders):
        what = f"ladder {ladder.foot} -> {ladder.top}"
        cut[what] = replace(board, ladders=board.ladders[:number] + board.ladders[number + 1 :])
        feet[what] = {f"{ladder.top}@{ladder.top_level}"}
    all_series = [replace(_series(order, name, (bot, bot)), board=other) for other in cut.values()]
    visits = {spot_name(spot): n for spot, n in before.spots.get("visits", {}).items()}
    found = {}
    for what, tally in zip(cut, game_series.run_series(all_series, runner), strict=True):
        used = max((visits.get(spot, 0) for spot in sorted(feet[what])), default=0)
        found[what] = {"visits": used, "effect": effect_json(effect(before, tally))}
    return found


def _shown(order: PlaytestRequest, name: str, tally: Tally) -> dict[str, dict[str, Any]]:
    """Return records of the shortest, the longest and the median game of the last bot."""
    decided = [(rounds, number) for number, rounds in tally.games if rounds > 0]
    if not decided:
        return {}
    ordered = sorted(decided)
    chosen = {
        "the shortest game": ordered[0],
        "the longest game": ordered[-1],
        "the most typical game": ordered[len(ordered) // 2],
    }
    bot = order.bots[-1]
    series = _series(order, name, (bot, bot))
    return {what: game_series.record_of(series, number) for what, (_, number) in chosen.items()}


def run_match(
    order: PlaytestRequest, runner: Runner, clock: float = game_series.CLOCK_S
) -> list[dict[str, Any]]:
    """Return the result of the first bot against the second on each map, sides exchanged.

    Args:
        order: Input of the match; its two bots are names or command lines of programs.
        runner: Runner of the chunks.
        clock: Seconds that a program has for a move.
    """
    one, other = order.bots
    series = [replace(_series(order, name, (one, other)), clock=clock) for name in order.boards]
    return [
        {
            "map": name,
            "games": order.games,
            "seed": order.seed,
            "bots": [one, other],
            "score": match_json(one, other, tally),
            "won": tally.counts["a_wins"],
            "lost": tally.counts["decided"] - tally.counts["a_wins"],
            "undecided": tally.counts["games"] - tally.counts["decided"],
            "forfeits": [
                {"game": number, "bot": bot, "reason": reason}
                for number, bot, reason in sorted(tally.forfeits)
            ],
        }
        for name, tally in zip(order.boards, game_series.run_series(series, runner), strict=True)
    ]

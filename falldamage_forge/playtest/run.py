"""A playtest from beginning to end: every bot against itself, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from falldamage_forge.board import Board
from falldamage_forge.games.fall_damage.engine.desk import desk_of
from falldamage_forge.games.fall_damage.options import Options
from falldamage_forge.games.fall_damage.play.kit import Kit
from falldamage_forge.games.fall_damage.play.options import Readings
from falldamage_forge.games.fall_damage.play.spots import spot_name
from falldamage_forge.playtest.measures import judgements, measures, share, verdicts
from falldamage_forge.playtest.series import Runner, Series, arena_of, played, record_of
from falldamage_forge.playtest.tally import Tally


@dataclass(frozen=True)
class Order:
    """What to playtest: maps by name, how many games for each bot, from which seed."""

    boards: Mapping[str, Board]
    rules: Mapping[str, Options]
    readings: Readings
    kit: Kit
    bots: tuple[str, ...]
    games: int
    seed: int
    teams: tuple[tuple[list[str], list[str]], ...] = ()
    fast: bool = False
    """Whether the fast core may play; the result is the same."""


@dataclass(frozen=True)
class Outcome:
    """One map's result as JSON, and the games worth looking at: what they are, and their record."""

    result: dict[str, Any]
    replays: dict[str, dict[str, Any]]


def playtest(
    order: Order,
    runner: Runner,
    *,
    pieces: bool = False,
    versus: bool = False,
    replays: bool = False,
) -> list[Outcome]:
    """Play everything, and measure each map."""
    series = [_series(order, name, (bot, bot)) for name in order.boards for bot in order.bots]
    tallies = iter(played(series, runner))
    outcomes = []
    for name, board in order.boards.items():
        own = {bot: next(tallies) for bot in order.bots}
        columns = desk_of(arena_of(_series(order, name, (order.bots[0],) * 2))).columns
        spots = columns.surfaces[: columns.n_surfaces]
        bots = {bot: measures(tally, spots) for bot, tally in own.items()}
        judged = judgements(own)
        result: dict[str, Any] = {
            "map": name,
            "games": order.games,
            "seed": order.seed,
            "options": _changed(order, name),
            "bots": bots,
            "verdict": judged,
            "verdicts": verdicts(bots, judged),
        }
        if pieces:
            result["pieces"] = _pieces(order, name, board, own[order.bots[-1]], runner)
        if versus and len(order.bots) > 1:
            result["versus"] = _versus(order, name, runner)
        shown = _shown(order, name, own[order.bots[-1]]) if replays else {}
        outcomes.append(Outcome(result, shown))
    return outcomes


def _series(order: Order, name: str, bots: tuple[str, str]) -> Series:
    return Series(
        order.boards[name], order.rules[name], order.readings, order.kit, bots, order.games,
        order.seed, name, order.teams, order.fast,
    )  # fmt: skip


def _changed(order: Order, name: str) -> dict[str, Any]:
    """Readings that differ from the default."""
    from dataclasses import fields

    standard, found = Options(), dict(order.readings.changed())
    for item in fields(Options):
        value = getattr(order.rules[name], item.name)
        if value != getattr(standard, item.name):
            found[item.name] = value
    return dict(sorted(found.items()))


def _versus(order: Order, name: str, runner: Runner) -> dict[str, Any]:
    """Each bot against the one named before it: share of decided games it wins."""
    pairs = list(zip(order.bots[1:], order.bots, strict=False))
    tallies = played([_series(order, name, pair) for pair in pairs], runner)
    return {
        f"{one} against {other}": share(tally.counts["a_wins"], tally.counts["decided"])
        for (one, other), tally in zip(pairs, tallies, strict=True)
    }


def _pieces(
    order: Order, name: str, board: Board, before: Tally, runner: Runner
) -> dict[str, dict[str, Any]]:
    """Each bridge and ladder: how many games use it, and who wins without it, same seeds."""
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
    base = share(before.counts["red"], before.counts["decided"])
    visits = {spot_name(spot): n for spot, n in before.spots.get("visits", {}).items()}
    found = {}
    for what, tally in zip(cut, played(all_series, runner), strict=True):
        now = share(tally.counts["red"], tally.counts["decided"])
        change = (now["share"] or 0.0) - (base["share"] or 0.0)
        used = max((visits.get(spot, 0) for spot in sorted(feet[what])), default=0)
        found[what] = {"visits": used, "red_wins": now, "change": round(change, 4)}
    return found


def _shown(order: Order, name: str, tally: Tally) -> dict[str, dict[str, Any]]:
    """Records of the shortest, the longest and the most typical decided game of the last bot."""
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
    return {what: record_of(series, number) for what, (_, number) in chosen.items()}

"""`expect fair within N%`: by symmetry, by stored games, or by games that bots play now.

A rotation that exchanges the sides proves a map fair. Else bots play until the strongest one's
verdict is established: greedy and careful always, a stronger bot if its games fit in a time. Scores
are cached on disk by board, options and code: a map is played once, and a stricter question
continues the same series. `fdforge playtest` stores its games here, too. `fairness_sentence` is the
statement on sheets of events and at the end of a search.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from time import monotonic

from falldamage_forge import presets
from falldamage_forge.board import Board
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.play.play_options import PlayOptions
from falldamage_forge.games.fall_damage.play.serialization import board_json
from falldamage_forge.games.fall_damage.play.state_value import terrain_state
from falldamage_forge.games.fall_damage.ruleset import FallDamage
from falldamage_forge.infra import disk_cache as disk
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.infra.user_paths import quoted
from falldamage_forge.playtest import score_verdict
from falldamage_forge.playtest.bot_kernels.batch_runner import (
    CORE_BOTS,
    is_compiled,
    is_usual,
)
from falldamage_forge.playtest.game_series import (
    CHUNK,
    GameSeries,
    Runner,
    run_here,
    run_series,
)
from falldamage_forge.playtest.score_verdict import Estimate
from falldamage_forge.rules.answers import Metric, Verdict
from falldamage_forge.rules.expectations import (
    FairnessFinding,
    UnknownExpectation,
    Words,
    fair_percent,
)
from falldamage_forge.rules.position import Position
from falldamage_forge.rules.side_exchange import exchange_of

BOTS = ("greedy", "careful")
"""Bots that always play, the weakest first."""
STRONGER = tuple(bot for bot in CORE_BOTS if bot.startswith("search-"))
"""Bots that play if they have time, the weakest first; the compiled engine is needed."""
SECONDS = 600.0
"""Time for the most games of one bot."""
SENTENCE_S = 120.0
"""Time for the games of one bot for a sentence."""
SEED = 1
NAME = "expected to be fair"
"""Name of the series: the seeds depend on it, not on the name of the map's file."""
ONLY = "only maps of Fall Damage are played"
NOT_PLAYED = "not yet played"
CHECK, PLAYTEST = "check", "playtest"
"""Kinds of stored games: those of `check --play`, which go on, and those of the last playtest."""
Counts = Mapping[str, Mapping[int, int]]
"""Blocks by half points of red, for each bot, the weakest first."""
VERDICTS: Mapping[str, Verdict] = {
    score_verdict.FAIR: "good", score_verdict.FIRST: "bad", score_verdict.SECOND: "bad",
    score_verdict.DISAGREE: "warn",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class PlayedGames:
    """Scores of games that were played, and the day, as `2026-12-05`."""

    counts: Counts
    day: str

    @property
    def weight(self) -> tuple[int, int]:
        """Rank of the strongest bot and number of games: greater proves more."""
        return CORE_BOTS.get([*self.counts, "random"][len(self.counts) - 1], -1), _games(
            self.counts
        )

    def finding(self, within: float) -> FairnessFinding:
        """Return what the games prove.

        Args:
            within: Greatest fair distance of a side's score from one half.
        """
        found = estimates(self.counts)
        holds: bool | None = None
        if score_verdict.outcome_of(found.values(), within) == score_verdict.FAIR:
            holds = True
        elif _is_over(self.counts, within):
            holds = False
        return FairnessFinding(holds, f"{format_found(found, within)}, played on {self.day}")


def known_fairness(position: Position, percent: int) -> FairnessFinding:
    """Return what symmetry and stored games tell of a map's fairness; nothing is played.

    Args:
        position: The map under a ruleset.
        percent: Greatest fair distance of a side's score from 50 %, in percentage points.

    Raises:
        UnknownExpectation: If the map is neither exactly fair nor for Fall Damage.
    """
    if exact := _exact(position):
        return exact
    if played := stored_games(_table(position)):
        return played.finding(percent / 100)
    exchange = exchange_of(position)
    return FairnessFinding(None, f"{exchange.text}; {NOT_PLAYED}" if exchange else NOT_PLAYED)


def played_fairness(
    position: Position, percent: int, day: str,
    on_progress: Callable[[str], object] = lambda _: None, runner: Runner = run_here,
    seconds: float = SECONDS,
) -> FairnessFinding:  # fmt: skip
    """Return a map's fairness; if its symmetry does not prove it, by games that are played now.

    Games are played until the strongest bot finds the map fair or clearly not, or the last of
    `looks`.

    Args:
        position: The map under a ruleset.
        percent: Greatest fair distance of a side's score from 50 %, in percentage points.
        day: The present day, as `2026-12-05`.
        on_progress: Callback for progress lines.
        runner: Runner of the games.
        seconds: Time for the most games of a bot that is stronger than `BOTS`.

    Raises:
        UnknownExpectation: If the map is neither exactly fair nor for Fall Damage.
    """
    if exact := _exact(position):
        return exact
    within = percent / 100
    return blocks(position, within, day, on_progress, runner, seconds).finding(within)


def _exact(position: Position) -> FairnessFinding | None:
    """Return the proof by symmetry; None if there is none but bots play the game."""
    exchange = exchange_of(position)
    if exchange and exchange.is_exact:
        return FairnessFinding(True, exchange.text)
    if not isinstance(position.game, FallDamage):
        raise UnknownExpectation(ONLY)
    return None


def fairness_sentence(
    position: Position, file: str, games: int, bots: tuple[str, ...] = (),
    runner: Runner = run_here, seconds: float = SENTENCE_S,
) -> str:  # fmt: skip
    """Return the statement on a map's fairness: exact, played, or not played.

    Args:
        position: The map under a ruleset.
        file: The map's file or preset, for the command that plays it.
        games: Games of each bot on a map that is not symmetric; 0 plays none.
        bots: Bots that play, the weakest first; empty: the strongest in time, and `BOTS`.
        runner: Runner of the games.
        seconds: Time for the games of a bot that is stronger than `BOTS`.
    """
    exchange = exchange_of(position)
    if exchange and exchange.is_exact:
        return (
            f"Exact: the table is its own image ({exchange.transform}) with the sides exchanged. "
            "Each side has all that the other side has."
        )
    played = _played_sentence(position, file, games, bots, runner, seconds)
    return f"{exchange.text[:1].upper()}{exchange.text[1:]}. {played}" if exchange else played


def _played_sentence(
    position: Position, file: str, games: int, bots: tuple[str, ...], runner: Runner, seconds: float
) -> str:
    """Return the statement on games: played now, stored, or not played."""
    if not isinstance(position.game, FallDamage):
        return f"Not played: {ONLY}."
    if not games:
        played = stored_games(_table(position))
        if played:
            return f"Played on {played.day}: {format_found(estimates(played.counts))}."
        return f"Not played. `fdforge playtest {quoted(file)}` lets bots play it."
    one = series_of(position, BOTS[-1], games)
    bots = bots or bots_in_time(one, games, runner, seconds)
    series = [replace(one, bots=(bot, bot)) for bot in bots]
    tallies = zip(bots, run_series(series, runner), strict=True)
    found = format_found(
        estimates({bot: tally.scores(score_verdict.SIDE.key) for bot, tally in tallies})
    )
    return f"Played: {found}."


def played_metrics(position: Position, promise: Words) -> tuple[Metric, ...]:
    """Return the verdict of the stored games on a map, without playing.

    Args:
        position: The map under any ruleset.
        promise: Words of the map's expectation.

    Returns:
        One metric for lists of them; none if the map was not played or is exactly fair.
    """
    try:
        within = fair_percent(promise[1:]) / 100
    except UnknownExpectation:  # `check` reports it
        return ()
    exchange = exchange_of(position)
    if not isinstance(position.game, FallDamage) or (exchange and exchange.is_exact):
        return ()
    played = stored_games(_table(position))
    if played is None:
        return ()
    outcome = score_verdict.outcome_of(estimates(played.counts).values(), within)
    return (Metric("played", VERDICTS.get(outcome, "info"), played.finding(within).text),)


def effects(
    position: Position, others: Iterable[Board], games: int, runner: Runner
) -> tuple[dict[str, Estimate], list[Estimate]]:
    """Return red's score on a map, and how changes of its board change it, with the same dice.

    Args:
        position: The map under Fall Damage.
        others: The changed boards.
        games: Games of careful on each board.
        runner: Runner of the games.
    """
    own = series_of(position, BOTS[-1], games)
    tallies = run_series([own, *(replace(own, board=board) for board in others)], runner)
    now = {BOTS[-1]: score_verdict.estimate(tallies[0].scores(score_verdict.SIDE.key))}
    return now, [score_verdict.effect(tallies[0], tally) for tally in tallies[1:]]


def series_of(position: Position, bot: str, games: int) -> GameSeries:
    """Return a series of a bot against itself on a map under Fall Damage.

    Args:
        position: The map under Fall Damage.
        bot: Name of the bot.
        games: Number of games.
    """
    rules, readings = position.game.options, PlayOptions()
    return GameSeries(
        position.board, rules, readings, presets.load_kit(), (bot, bot), games, SEED, NAME,
        fast=is_compiled(is_usual(rules, readings)),
    )  # fmt: skip


def format_found(found: Mapping[str, Estimate], within: float = score_verdict.WITHIN) -> str:
    """Return the verdict as a sentence, with the number of games.

    Args:
        found: Estimate by bot.
        within: Greatest distance from an even score that counts as fair.
    """
    text = score_verdict.format_verdict(score_verdict.SIDE, found, within)
    return f"{text}, {min(one.games for one in found.values()):,} games each"


def estimates(counts: Mapping[str, Mapping[int, int]]) -> dict[str, Estimate]:
    """Return the estimate of each bot."""
    return {bot: score_verdict.estimate(scores) for bot, scores in counts.items()}


def bots_in_time(
    series: GameSeries, games: int, runner: Runner, seconds: float,
    tell: Callable[[str], object] = lambda _: None, clock: Callable[[], float] = monotonic,
) -> tuple[str, ...]:  # fmt: skip
    """Return `BOTS` and the stronger ones whose games fit in a time, the weakest first.

    A chunk of each is timed; one of a weak bot comes before, since the first one prepares the map.

    Args:
        series: A series on the map.
        games: Number of games of each bot.
        runner: Runner of the games.
        seconds: Time for these games.
        tell: Callback for a line about each bot.
        clock: Clock in seconds.
    """
    found: tuple[str, ...] = BOTS
    for bot in (BOTS[-1], *STRONGER) if series.fast else ():
        begun = clock()
        run_series([replace(series, bots=(bot, bot), games=CHUNK)], runner)
        taken = (clock() - begun) * games / CHUNK
        if bot in STRONGER:
            fits = taken <= seconds
            tell(
                f"{games:,} games of {bot} take {taken / 60:.0f} min{'' if fits else ': left out'}"
            )
            if not fits:
                break
            found = (*found, bot)
    return found


def blocks(
    position: Position, within: float, day: str, tell: Callable[[str], object], runner: Runner,
    seconds: float,
) -> PlayedGames:  # fmt: skip
    """Return the games of all bots until a verdict, at most to the last of the looks.

    Args:
        position: Map and rules.
        within: Greatest distance from an even score that counts as fair.
        day: Date of the record.
        tell: Takes a line of progress.
        runner: Plays series of games.
        seconds: Time after which no further block begins.
    """
    plan, table = score_verdict.looks(within), _table(position)
    played = _stored(table, CHECK) or PlayedGames({}, day)
    if _is_over(played.counts, within):
        return played
    counts = {bot: dict(scores) for bot, scores in played.counts.items()}
    one = series_of(position, BOTS[0], 0)
    bots = bots_in_time(one, plan[-1], runner, seconds, tell)
    if tuple(counts) != bots:
        counts = {bot: {} for bot in bots}
    tell(f"playing {plan[0]:,} to {plan[-1]:,} games with each of {', '.join(bots)}")
    before = _games(counts)
    for games in (look for look in plan if look > before):
        series = [replace(one, bots=(bot, bot), games=games) for bot in bots]
        for bot, tally in zip(bots, run_series(series, runner, before), strict=True):
            more = Counter(counts[bot]) + tally.scores(score_verdict.SIDE.key)
            counts[bot] = dict(sorted(more.items()))
        store(table, CHECK, PlayedGames(counts, day))
        if _is_over(counts, within):
            break
        before = games
    return PlayedGames(counts, day)


def _games(counts: Counts) -> int:
    return score_verdict.BLOCK * min((sum(each.values()) for each in counts.values()), default=0)


def _is_over(counts: Counts, within: float) -> bool:
    """True if a verdict is established, or the most games are played."""
    most = score_verdict.looks(within)[-1]
    settled = counts and score_verdict.is_settled(estimates(counts).values(), within)
    return bool(settled) or _games(counts) >= most


# -- stored games ----------------------------------------------------------------------------------


def table_of(board: Board, rules: FallDamageOptions, readings: PlayOptions) -> str:
    """Return the digest of a table: board and options, without title and names.

    Args:
        board: The map's board.
        rules: Options of the ruleset.
        readings: Options of play.
    """
    table = [board_json(board, terrain_state(board)), repr((rules, readings))]
    return sha256(json.dumps(table, sort_keys=True).encode()).hexdigest()


def _table(position: Position) -> str:
    return table_of(position.board, position.game.options, PlayOptions())


def store(table: str, kind: str, played: PlayedGames) -> None:
    """Store games in the cache; a later call of the same kind replaces them.

    Args:
        table: Digest of `table_of`.
        kind: CHECK or PLAYTEST.
        played: The games.
    """
    body = json.dumps({"bots": played.counts, "day": played.day})
    disk.put(code_version(), f"{table}-{kind}", body.encode())


def stored_games(table: str) -> PlayedGames | None:
    """Return the stored games on a table that prove the most; None if there are none.

    Args:
        table: Digest of `table_of`.
    """
    found = [played for kind in (CHECK, PLAYTEST) if (played := _stored(table, kind))]
    return max(found, key=lambda played: played.weight, default=None)


def _stored(table: str, kind: str) -> PlayedGames | None:
    stored = disk.get(code_version(), f"{table}-{kind}")
    if stored is None:
        return None
    read = json.loads(stored)
    counts = {bot: {int(at): n for at, n in scores.items()} for bot, scores in read["bots"].items()}
    return PlayedGames(counts, read["day"])


@cache
def code_version() -> str:
    """Return a digest of everything that determines a game: rules, cards, bots."""
    here = Path(__file__).resolve().parents[1]
    folders = (here / "playtest", here / "games" / "fall_damage", here / "board")
    digest = sha256(repr(presets.load_kit()).encode())
    for source in sorted(path for folder in folders for path in folder.rglob("*.py")):
        digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    return f"fair-{digest.hexdigest()[:16]}"

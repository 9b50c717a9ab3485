"""Pairings: round robin on a circle, Swiss rounds by a search without second meetings.

A Swiss round pairs players of like standing; the search is complete, so it finds a round without
second meetings whenever there is one. Tables and sides are spread evenly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from falldamage_forge.event.event_table import Contest, Result
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import refuse

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two players at a table in a round."""

    table: str
    red: str
    blue: str


@dataclass(frozen=True, slots=True)
class Round:
    """A round: its games, and the player who sits out with a point; empty for none."""

    number: int
    games: tuple[Meeting, ...]
    bye: str = ""


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's points, and the sum of the points of all opponents, which breaks ties."""

    player: str
    points: float
    opponents: float
    games: int


def rounds_of(contest: Contest, tables: Sequence[str]) -> tuple[Round, ...]:
    """Return all rounds that are known: every one of a round robin, the next one of a Swiss.

    Args:
        contest: Players and results.
        tables: Names of the tables; at least as many as pairs.

    Raises:
        ForgeError: FDF483 if results are missing, or if no Swiss round remains.
    """
    if contest.system == "round-robin":
        rounds = round_robin(contest.players)
        return _seated(rounds, tables, range(1, len(rounds) + 1), contest.players)
    played: dict[int, list[Result]] = {}
    for result in contest.results:
        played.setdefault(result[0], []).append(result)
    fixed: list[list[Pair]] = []
    for number in range(1, len(played) + 1):
        pairs = [(red, blue) for _, red, blue, _ in played.get(number, ())]
        if len(pairs) != len(contest.players) // 2:
            message = f"round {number} has {len(pairs)} of {len(contest.players) // 2} results"
            raise refuse("FDF483", message, "add the missing games to `results`")
        fixed.append(sorted(pairs))
    given = range(1, len(fixed) + 1)
    if len(fixed) < contest.rounds:
        ranked = [one.player for one in standings(contest)]
        met = {frozenset(pair) for pairs in fixed for pair in pairs}
        pairs_next = swiss_pairs(ranked, met, set(_byes(contest.players, fixed)))
        if pairs_next is None:
            message = f"round {len(fixed) + 1} has no pairing without a second meeting"
            raise refuse("FDF483", message, f"end after {len(fixed)} rounds")
        fixed.append(pairs_next)
    return _seated(fixed, tables, given, contest.players)


def round_robin(players: Sequence[str]) -> list[list[Pair]]:
    """Return rounds of (red, blue) in which each player meets each other once.

    In round r the players of a circle of odd length meet whose numbers add up to r; the one left
    meets the last player of an even number. A player is red against the next half of the circle,
    so each has both sides equally often, but for one game.
    """
    count = len(players)
    circle, last = (players, ()) if count % 2 else (players[:-1], players[-1:])
    size = len(circle)
    rounds = []
    for number in range(size):
        others = ((one, (number - one) % size) for one in range(size))
        pairs = [(circle[a], circle[b]) for a, b in others if 0 < (b - a) % size <= size // 2]
        left = circle[number * (size + 1) // 2 % size]
        pairs += [(name, left) if number % 2 else (left, name) for name in last]
        rounds.append(pairs)
    return rounds


def swiss_pairs(
    ranked: Sequence[str], met: Collection[frozenset[str]], byes: Collection[str]
) -> list[Pair] | None:
    """Return pairs of like standing without a second meeting; None if there are none.

    Args:
        ranked: Players, the best first. Of an odd number the last one without a bye sits out.
        met: Pairs that have met.
        byes: Players who sat out.
    """
    if len(ranked) % 2 == 0:
        return _matched(tuple(ranked), met, set())
    for out in sorted(ranked, key=lambda name: (name in byes, -ranked.index(name))):
        pairs = _matched(tuple(name for name in ranked if name != out), met, set())
        if pairs is not None:
            return pairs
    return None


def _matched(
    left: tuple[str, ...], met: Collection[frozenset[str]], dead: set[tuple[str, ...]]
) -> list[Pair] | None:
    """Pair the first player with the next possible one; `dead` remembers rests without pairs."""
    if not left:
        return []
    if left in dead:
        return None
    first, *others = left
    for other in others:
        if frozenset((first, other)) in met:
            continue
        rest = _matched(tuple(name for name in others if name != other), met, dead)
        if rest is not None:
            return [(first, other), *rest]
    dead.add(left)
    return None


def standings(contest: Contest) -> tuple[Standing, ...]:
    """Return the players by points, then by their opponents' points, then by the draw.

    A player who sat out a round whose results are complete has a point for it.
    """
    points = dict.fromkeys(contest.players, 0.0)
    opponents: dict[str, list[str]] = {name: [] for name in contest.players}
    rounds: dict[int, list[Pair]] = {}
    for number, red, blue, score in contest.results:
        points[red] += score
        points[blue] += 1 - score
        opponents[red].append(blue)
        opponents[blue].append(red)
        rounds.setdefault(number, []).append((red, blue))
    half = len(contest.players) // 2
    for out in _byes(contest.players, [own for own in rounds.values() if len(own) == half]):
        points[out] += contest.system == "swiss"
    found = (
        Standing(name, points[name], sum(points[other] for other in met), len(met))
        for name, met in opponents.items()
    )
    return tuple(sorted(found, key=lambda one: (-one.points, -one.opponents)))


def _byes(players: Sequence[str], rounds: Iterable[Sequence[Pair]]) -> list[str]:
    """Return the player who sits out each round, of an odd number of players."""
    if len(players) % 2 == 0:
        return []
    return [(set(players) - {name for pair in pairs for name in pair}).pop() for pairs in rounds]


def _seated(
    rounds: Sequence[Sequence[Pair]],
    tables: Sequence[str],
    given: Collection[int],
    players: Sequence[str],
) -> tuple[Round, ...]:
    """Return rounds with tables and sides: those that both players had least often so far.

    Args:
        rounds: Pairs of each round.
        tables: Names of the tables.
        given: Rounds whose pairs name red first already.
        players: All players, to name the one who sits out.
    """
    seen: Counter[tuple[str, str]] = Counter()
    balance: Counter[str] = Counter()  # games as red less games as blue
    seated = []
    for number, pairs in enumerate(rounds, start=1):
        free = [*tables[number % len(tables) :], *tables[: number % len(tables)]]
        games = []
        for one, other in sorted(pairs, key=sorted):
            table = min(free, key=lambda name: seen[name, one] + seen[name, other])
            free.remove(table)
            swap = number not in given and balance[one] > balance[other]
            red, blue = (other, one) if swap else (one, other)
            balance[red] += 1
            balance[blue] -= 1
            seen.update([(table, one), (table, other)])
            games.append(Meeting(table, red, blue))
        names = {name for pair in pairs for name in pair}
        out = next((name for name in players if name not in names), "")
        seated.append(Round(number, tuple(games), out))
    return tuple(seated)

"""Games a second, compiled and interpreted, beside libraries of other games in the same run.

Run: python benchmarks/bench_play.py [CHECKOUT] [--rounds 5]

With a checkout it is measured against that one as well.

Both sides play the same games in turns, each in a process of its own. Seconds are the processor's,
as this machine may be shared; a side's figure is the best of its rounds. `same` says whether both
played the same games to the same ends. `compile` is the first compiled game of a process that finds
nothing kept, `start` that of one that finds everything.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from shared import ask_peer, environment, show

HERE = Path(__file__).resolve().parents[1]
WORKER = """
import json, sys, time
from hashlib import sha256
from falldamage_forge import presets
from falldamage_forge.library.forge import Forge
try:
    from falldamage_forge.games.fall_damage.options import FallDamageOptions as Options
    from falldamage_forge.games.fall_damage.play import PlayOptions as Readings
    from falldamage_forge.playtest.game_series import GameSeries as Series, play_chunk as chunk
except ImportError:  # release 0.2 and before
    from falldamage_forge.games.fall_damage.options import Options
    from falldamage_forge.games.fall_damage.play import Readings
    from falldamage_forge.playtest.series import Series, chunk

kit, boards = presets.load_kit(), {}
for line in sys.stdin:
    board, bot, first, count, fast = json.loads(line)
    if board not in boards:
        boards[board] = Forge().load(board).board
    series = Series(
        boards[board], Options(), Readings(), kit, (bot, bot), first + count, 1, board, fast=fast
    )
    begun = time.process_time()
    tally = chunk(series, first, count)
    now = time.process_time()
    ends = sha256(repr(tally.games).encode()).hexdigest()
    print(json.dumps([now - begun, now, ends]), flush=True)
"""
PASSES = """
import json, time
from collections import Counter
from numba.core import event
from falldamage_forge.playtest.bot_kernels.batch_runner import load_kernels

class Passes(event.Listener):
    seconds, open = Counter(), []
    def on_start(self, what):
        name = what.data["name"] if what.kind == "numba:run_pass" else what.kind
        self.open.append([name.split(" [")[0], time.process_time(), 0.0])
    def on_end(self, what):
        name, begun, inside = self.open.pop()
        taken = time.process_time() - begun
        self.seconds[name] += taken - inside
        if self.open:
            self.open[-1][2] += taken

passes, functions, begun = Passes(), set(), time.process_time()
watch = event.install_listener
with watch("numba:run_pass", passes), watch("numba:compile", passes):
    load_kernels(tell=lambda done, of: functions.add(of))
print(json.dumps([max(functions), time.process_time() - begun, passes.seconds]))
"""
BOARDS, BOTS = ("duel", "arena", "ashkeep"), ("random", "greedy", "careful")
COMPILED, INTERPRETED = 400, 12
"""Games a round."""
OPEN_SPIEL = """
import json, random, sys, time
import pyspiel
question = json.load(sys.stdin)
chance = random.Random(1)

def play(game):
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            moves, weights = zip(*state.chance_outcomes())
            state.apply_action(chance.choices(moves, weights)[0])
        else:
            state.apply_action(chance.choice(state.legal_actions()))

speeds = {}
for name in question["games"]:
    game, played, begun = pyspiel.load_game(name), 0, time.process_time()
    while (spent := time.process_time() - begun) < question["seconds"]:
        play(game)
        played += 1
    speeds[name] = played / spent
print(json.dumps(speeds))
"""
PYTHON_CHESS = """
import json, random, sys, time
import chess
question = json.load(sys.stdin)
chance, played, begun = random.Random(1), 0, time.process_time()
while (spent := time.process_time() - begun) < question["seconds"]:
    board = chess.Board()
    while not board.is_game_over(claim_draw=False):
        board.push(chance.choice(list(board.legal_moves)))
    played += 1
print(json.dumps({"chess": played / spent}))
"""
PEERS = (
    ("OpenSpiel", "open_spiel", OPEN_SPIEL, ("chess", "backgammon", "checkers", "connect_four")),
    ("python-chess", "chess", PYTHON_CHESS, ("chess",)),
)
PEER_SECONDS = 3.0
"""Seconds of random games of each game of a peer."""


class Side:
    """A process that plays games of one checkout."""

    def __init__(self, checkout: Path, cache: str = "") -> None:
        environment = {**os.environ, "PYTHONPATH": str(checkout)}
        if cache:
            environment["NUMBA_CACHE_DIR"] = cache
        self.process = subprocess.Popen(
            [sys.executable, "-c", WORKER],
            cwd=checkout, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def play(self, *order: object) -> Any:
        """Play some games: seconds for them, seconds of the process so far, how they ended."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self) -> None:
        """End the process."""
        self.process.communicate()


def speeds(sides: list[Side], rounds: int, fast: bool) -> list[list[str]]:
    """A row for each board and bot: games a second of each side, and what they have in common."""
    rows = []
    games = COMPILED if fast else INTERPRETED
    for board in BOARDS:
        for bot in BOTS:
            best, ends = [float("inf")] * len(sides), []
            for side in sides:
                side.play(board, bot, 0, 4, fast)
            for turn in range(rounds):
                for n, side in enumerate(sides):
                    spent, _, end = side.play(board, bot, games * turn, games, fast)
                    best[n] = min(best[n], spent)
                    ends.append((turn, end))
            same = len(set(ends)) == rounds
            told = [f"{games / spent:,.{0 if fast else 1}f}" for spent in best]
            if len(best) > 1:
                told += [f"{best[1] / best[0]:.2f}", "yes" if same else "no"]
            rows.append([board, bot, *told])
    return rows


def starts(checkouts: list[Path]) -> list[list[str]]:
    """Seconds to the first compiled game of a process, with nothing kept and with everything."""
    rows = [["compile"], ["start"]]
    for checkout in checkouts:
        with tempfile.TemporaryDirectory() as cache:
            for row in rows:
                side = Side(checkout, cache)
                row.append(f"{side.play('duel', 'random', 0, 1, True)[1]:.2f} s")
                side.close()
    return rows


def passes() -> list[list[str]]:
    """Where the seconds of compiling go: numba's passes over every function, and LLVM's share."""
    with tempfile.TemporaryDirectory() as cache:
        told = subprocess.run(
            [sys.executable, "-c", PASSES],
            check=True,
            capture_output=True,
            cwd=HERE,
            env={**os.environ, "NUMBA_CACHE_DIR": cache},
        )
    functions, whole, seconds = json.loads(told.stdout)
    parts = {
        "machine code of each function, by LLVM": seconds.pop("numba:compile"),
        "LLVM's input, written by numba": seconds.pop("native_lowering"),
        "types, by numba": seconds.pop("nopython_type_inference"),
        "other passes of numba": sum(seconds.values()),
    }
    parts["imports, and the link of all"] = whole - sum(parts.values())
    rows = [[f"{functions} functions", f"{whole:.1f} s"]]
    return rows + [[name, f"{taken:.1f} s"] for name, taken in parts.items()]


def peers() -> list[list[str]]:
    """Return a row for each game of another library: random games a second, driven from Python."""
    rows = []
    for title, package, script, games in PEERS:
        python = environment(package, package)
        if isinstance(python, str):
            rows.append([title, "-", python])
            continue
        speeds = ask_peer(python, script, {"games": games, "seconds": PEER_SECONDS})
        rows += [[title, game, f"{speeds[game]:,.0f}"] for game in games]
    return rows


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkout", nargs="?", type=Path, help="what to compare with")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--no-start", action="store_true", help="leave out compiling anew")
    given = parser.parse_args()
    checkouts = [HERE, *([given.checkout.resolve()] if given.checkout else [])]
    sides = [Side(checkout) for checkout in checkouts]
    compared = ["there", "ours of theirs", "same"] if given.checkout else []
    for title, fast in (("Compiled, games a second", True), ("Interpreted", False)):
        show(title, ["board", "bot", "here", *compared], speeds(sides, given.rounds, fast))
    for side in sides:
        side.close()
    show("Random games a second of other libraries", ["library", "game", "games"], peers())
    if not given.no_start:
        show("Seconds to the first compiled game", ["", "here", *compared[:1]], starts(checkouts))
        show("Where compiling goes", ["", "processor"], passes())


if __name__ == "__main__":
    main()

"""Bots of other programs: requests and answers as JSON lines over standard input and output.

`ExternalBot` asks a program, `serve` answers for a bot of `bots.BOTS` and for the engine. A program
that answers nonsense, late or not at all loses its game: `Forfeit` holds the reason. docs/bots.md
describes the protocol.
"""

from __future__ import annotations

import atexit
import json
import os
import queue
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any

from falldamage_forge.games.fall_damage.play import BoardGame, legal_apply
from falldamage_forge.games.fall_damage.play.move_value import Move
from falldamage_forge.games.fall_damage.play.play_options import changed_options
from falldamage_forge.games.fall_damage.play.serialization import from_json, to_json
from falldamage_forge.games.fall_damage.play.split_mix import SplitMix64
from falldamage_forge.games.fall_damage.play.state_value import SIDES, MatchContext, State
from falldamage_forge.games.fall_damage.play.surface_number import spot_name
from falldamage_forge.infra.process_pool import away
from falldamage_forge.issues import ForgeError
from falldamage_forge.playtest.bots import BOTS

PROTOCOL = 1
START_S = 20.0
"""Seconds to start a program and to prepare a map."""
MOST_LINE, MOST_TAIL = 1 << 16, 400
"""Greatest length of an answer, and of the standard error in a log, in characters."""
Request = Mapping[str, Any]


class Forfeit(Exception):
    """A lost game, with the reason and the end of the program's standard error.

    Attributes:
        bot: Command line of the program.
    """

    def __init__(self, bot: str, reason: str) -> None:
        super().__init__(reason)
        self.bot = bot


class ExternalBot:
    """A running program that plays, or that knows the rules.

    Attributes:
        command: Command line of the program.
        clock: Seconds for a move or a position.
    """

    def __init__(self, command: str, clock: float) -> None:
        self.command, self.clock = command, clock
        self.log = tempfile.TemporaryFile()  # noqa: SIM115 - as long as the bot
        self.process: subprocess.Popen[bytes] | None = None
        self.ctx: MatchContext | None = None
        self.refused: tuple[MatchContext, str] | None = None
        atexit.register(self.close)

    def begin(self, ctx: MatchContext) -> None:
        """Start the program on a map, unless it runs there.

        Raises:
            Forfeit: If it does not start or does not answer; the next time on the same map at once.
        """
        if self._runs() and self.ctx is ctx:
            return
        if self.refused is not None and self.refused[0] is ctx:
            raise Forfeit(self.command, self.refused[1])
        game = BoardGame(ctx.board, ctx.content, changed_options(ctx.readings), rules=ctx.rules)
        try:
            self.new(game)
        except Forfeit as lost:
            self.refused = ctx, str(lost)
            raise
        self.ctx = ctx

    def new(self, game: BoardGame) -> None:
        """Send the program a game without its moves; start the program unless it runs.

        Raises:
            Forfeit: If it does not start or does not answer.
        """
        if not self._runs():
            self._start()
        self._ask({"ask": "new", "game": game.record()}, "ready", START_S)

    def _runs(self) -> bool:
        """True if the program runs; its exit status is left for `close`.

        Until then the system gives its number to no other process, so its group can be ended.
        """
        if self.process is None or self.process.returncode is not None:
            return False
        if sys.platform == "win32":
            return self.process.poll() is None
        left = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, self.process.pid, left) is None

    def _start(self) -> None:
        self.close()
        try:
            self.process = subprocess.Popen(
                shlex.split(self.command), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=self.log, **away(),
            )  # fmt: skip
        except (OSError, ValueError, IndexError) as error:
            raise Forfeit(self.command, f"does not start: {error}") from None
        self._ask({"ask": "ready", "protocol": PROTOCOL}, "ready", START_S)

    def move(self, state: State, dice: SplitMix64) -> Move:
        """Return the program's move.

        Args:
            state: Observation of its side.
            dice: Random stream; the program gets a seed from it, and draws nothing.

        Raises:
            Forfeit: If it does not answer in time with a legal move.
        """
        moves = {str(move): move for move in legal_apply.legal_moves(state)}
        request = {
            "ask": "move", "side": SIDES[legal_apply.current_player(state)],
            "state": to_json(state), "legal": list(moves), "seed": dice.state >> 11,
            "clock_ms": round(1000 * self.clock),
        }  # fmt: skip
        said = self._ask(request, "move", self.clock)
        if not isinstance(said, str) or said not in moves:
            raise self._forfeit(f"`{str(said)[:MOST_TAIL]}` is not a legal move")
        return moves[said]

    def position(self, moves: Sequence[str]) -> Any:
        """Return the program's answer about the position after further moves.

        Raises:
            Forfeit: If it does not answer in time with a position.
        """
        return self._ask({"ask": "push", "moves": list(moves)}, "position", self.clock)

    def close(self) -> None:
        """End the program and the processes that it started."""
        process, self.process, self.ctx = self.process, None, None
        if process is not None:
            if sys.platform != "win32" and process.returncode is None:
                # a program that has ended may have left children; an empty group has no process
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)
            process.kill()
            process.wait()

    def _ask(self, request: Request, key: str, seconds: float) -> Any:
        """Return one value of the answer to a request."""
        answers: queue.Queue[bytes] = queue.Queue()
        line = json.dumps(request, separators=(",", ":")).encode() + b"\n"
        threading.Thread(target=self._exchange, args=(line, answers), daemon=True).start()
        try:
            text = answers.get(timeout=seconds)
        except queue.Empty:
            raise self._forfeit(f"no answer to `{request['ask']}` within {seconds:g} s") from None
        if not text:
            raise self._forfeit(f"ended before it answered `{request['ask']}`")
        try:
            return json.loads(text)[key]
        except (ValueError, TypeError, LookupError, RecursionError):
            shown = text[:MOST_TAIL].decode("utf-8", "replace").strip()
            raise self._forfeit(f"the answer has no `{key}`: {shown}") from None

    def _exchange(self, line: bytes, answers: queue.Queue[bytes]) -> None:
        process = self.process
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(line)
            process.stdin.flush()
            answers.put(process.stdout.readline(MOST_LINE))
        except (OSError, ValueError):  # the program has ended, or was ended
            answers.put(b"")

    def _forfeit(self, reason: str) -> Forfeit:
        self.close()
        self.log.seek(max(self.log.seek(0, 2) - MOST_TAIL, 0))
        tail = self.log.read().decode("utf-8", "replace").strip()
        self.log.seek(0)
        self.log.truncate()
        return Forfeit(self.command, f"{reason}; standard error: {tail}" if tail else reason)


@cache
def external_bot(command: str, clock: float, seat: int = 0) -> ExternalBot:
    """Return the program of a command line in this process; it is started by its first game.

    Args:
        command: Command line.
        clock: Seconds for a move.
        seat: 1 for the second player of a program against itself, which is another process.
    """
    return ExternalBot(command, clock)


# -- our side --------------------------------------------------------------------------------------


def position_json(game: BoardGame) -> dict[str, Any]:
    """Return the answer of an engine about a position."""
    return {
        "turn": "over" if game.over else game.turn,
        "result": game.result,
        "legal": [str(move) for move in game.legal_moves],
        "units": [
            {"side": SIDES[unit.side], "card": unit.card, "health": unit.health,
             "at": spot_name(unit.spot) if unit.alive else None}
            for unit in game.state.units
            if unit.card  # it is drafted
        ],
    }  # fmt: skip


def serve(name: str, lines: Iterable[str], write: Callable[[str], object], kit: Any) -> None:
    """Answer requests until the lines end or a request asks to quit, as a bot and as an engine.

    Args:
        name: Name of the bot.
        lines: Requests, one JSON object a line.
        write: Callback for each answer, without a line end.
        kit: Game data.
    """
    game: BoardGame | None = None
    for line in lines:
        try:
            request = json.loads(line)
            ask = request["ask"]
            if ask == "quit":
                return
            if ask == "new":
                game = BoardGame.start_of(request["game"], kit)
            if ask in ("ready", "new"):
                answer: Any = {"ready": name, "protocol": PROTOCOL}
            elif ask == "move" and game is not None:
                state = from_json(game.ctx, request["state"])
                answer = {"move": str(BOTS[name](state, SplitMix64(int(request.get("seed", 0)))))}
            elif ask == "push" and game is not None:
                for move in request["moves"]:
                    game.push(move)
                answer = {"position": position_json(game)}
            else:
                answer = {
                    "error": f"`{ask}` is not expected here; ask ready, new, move, push or quit"
                }
        except ForgeError as error:
            answer = {"error": str(error)}
        except (ValueError, TypeError, LookupError, RecursionError) as error:
            answer = {"error": f"the request is not understood: {error!r}"}
        write(json.dumps(answer, separators=(",", ":")))

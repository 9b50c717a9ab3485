"""From the hand to the board and to the verdict: the session alone, and through the running studio.

Run: python benchmarks/bench_studio.py
Budgets: gesture to board 50 ms; text to verdict 100 ms on 10x10, 250 ms on 20x20; medians. Every
edit leaves a text that was never seen before, so nothing is remembered of it. The ratio is that to
a check of the same text by a library that has just begun, in the same round. Processor time is what
a machine with nothing else to do takes; in a hurry the next edit is sent as soon as the one before
has its answer, at rest when all that follows is done.
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench_growth import source
from shared import milliseconds, show
from websockets.sync.client import ClientConnection, connect

from falldamage_forge import presets
from falldamage_forge.library.forge import Forge
from falldamage_forge.studio import session_stages as stages
from falldamage_forge.studio.session import Session

ROUNDS = 11
MAPS = {
    "duel, 10x10": presets.load_text("maps", "duel.forge"),
    "ashkeep, 10x10": presets.load_text("maps", "ashkeep.forge"),
    "country, 20x20": source(20),
}
TILES = "ABCDEFGHIJ"
BUDGET = {"gesture to board": (50, 50), "text to verdict": (100, 250)}


def raised(text: str) -> list[tuple[str, str]]:
    """Gestures, each with a text that another such gesture makes and in which it can be done."""
    found: list[tuple[str, str]] = []
    before = ""
    for row in range(10, 1, -1):
        for col in TILES:
            words = f"raise {col}{row}"
            after, told = Session(text).gesture(words, "all", brush=False)
            if told["answer"] != "edited":
                continue
            if before:
                again, told = Session(after.text).gesture(before, "all", brush=False)
                if again.revision:
                    found.append((before, f"{after.text}\n# {words}\n"))
            before = words
            if len(found) == ROUNDS:
                return found
    return found


def processor_ms(action: Callable[[], object]) -> float:
    start = time.process_time()
    action()
    return (time.process_time() - start) * 1000


def session_alone(text: str) -> Iterator[tuple[str, float, float]]:
    """(what, processor ms, times a check from the beginning) of each round."""
    stages.verdict(Session(text))
    for words, typed in raised(text):

        def verdict(after: str = typed) -> None:
            stages.board(Session(after))
            stages.verdict(Session(after))

        def gesture(after: str = typed, words: str = words) -> None:
            stages.board(Session(after).gesture(words, "all", brush=False)[0])

        def anew(after: str = typed) -> None:
            forge = Forge()
            forge.check(forge.loads(after))

        times = {
            "text to verdict": processor_ms(verdict),
            "gesture to board": processor_ms(gesture),
        }
        whole = processor_ms(anew)
        yield from ((name, ms, ms / whole) for name, ms in times.items())


@contextmanager
def studio(text: str) -> Iterator[ClientConnection]:
    """A running studio on a file with a text, and a page's line to it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "map.forge"
        path.write_text(text, encoding="utf-8")
        words = [sys.executable, "-m", "falldamage_forge", "studio", str(path), "--no-browser"]
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout
            host, _, token = process.stdout.readline().strip().partition("/#token=")
            address = host.replace("http:", "ws:") + "/live"
            with connect(address, origin=host, max_queue=None) as line:  # type: ignore[arg-type]
                line.send(json.dumps({"v": 1, "type": "hello", "token": token}))
                yield line
            process.terminate()


def told(line: ClientConnection, kind: str, revision: int | None = None) -> dict[str, Any]:
    while True:
        said: dict[str, Any] = json.loads(line.recv(60))
        if said["type"] == kind and revision in (None, said["revision"]):
            return said


def through_the_studio(text: str, last: str) -> Iterator[tuple[str, float]]:
    """(what, ms) of each round; the next edit follows the `last` message on the one before."""
    with studio(text) as line:
        revision = told(line, "state")["revision"]
        told(line, "advice", revision)
        for words, typed in raised(text):
            gesture = {"words": words, "copies": "all", "brush": False}
            for name, stage, said in (
                ("text to verdict", "verdict", {"type": "type", "text": typed}),
                ("gesture to board", "board", {"type": "gesture", **gesture}),
            ):
                said |= {"v": 1, "revision": revision}

                def round_trip(said: dict[str, Any] = said, stage: str = stage) -> None:
                    line.send(json.dumps(said))
                    told(line, stage, said["revision"] + 1)

                yield name, milliseconds(round_trip)
                revision += 1
                if last != stage:
                    told(line, last, revision)


def hasty(text: str, edits: int) -> tuple[int, int]:
    """How many boards and verdicts are told of so many texts typed one after the other at once."""
    with studio(text) as line:
        revision = told(line, "state")["revision"]
        told(line, "verdict", revision)
        for number in range(edits):
            said = {"v": 1, "type": "type", "text": f"{text}\n# {number}\n", "revision": revision}
            line.send(json.dumps(said))
            revision += 1
        counts = {"board": 0, "verdict": 0}
        while True:
            got = json.loads(line.recv(60))
            if got["type"] in counts:
                counts[got["type"]] += 1
            if got["type"] == "verdict" and got["revision"] == revision:
                return counts["board"], counts["verdict"]


def main() -> None:
    rows = []
    middle: Callable[[list[float]], float] = statistics.median
    for title, text in MAPS.items():
        alone = list(session_alone(text))
        hurried, rested = (list(through_the_studio(text, last)) for last in ("verdict", "parts"))
        for name, budgets in BUDGET.items():
            budget = budgets["20x20" in title]
            own = middle([ms for what, ms, _ in alone if what == name])
            share = middle([ratio for what, _, ratio in alone if what == name])
            trips = [
                f"{middle([ms for what, ms in live if what == name]):.0f} ms"
                for live in (rested, hurried)
            ]
            rows.append((title, name, f"{own:.0f} ms", f"{share:.2f}", *trips, f"{budget}"))
    head = (
        "map", "what", "session, processor", "of a new check", "through the studio, at rest",
        "in a hurry", "budget, ms",
    )  # fmt: skip
    show("From the hand to the screen", head, rows)
    boards, verdicts = hasty(MAPS["country, 20x20"], 20)
    show("Twenty texts typed at once", ("boards sent", "verdicts sent"), [(boards, verdicts)])


if __name__ == "__main__":
    main()

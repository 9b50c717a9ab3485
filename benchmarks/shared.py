"""What every benchmark shares: interleaved rounds, Markdown tables, environments for peers."""

import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
DOCS = HERE.parent / "docs"
PEERS = Path(tempfile.gettempdir()) / "forge-peers"
"""Where peers are installed, each into an environment of its own; kept for the next run."""


def milliseconds(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return (time.perf_counter() - start) * 1000


def medians_ms(actions: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Median time of each action; every round runs all of them, so that noise hits all alike."""
    times: dict[str, list[float]] = {name: [] for name in actions}
    for _ in range(rounds):
        for name, action in actions.items():
            times[name].append(milliseconds(action))
    return {name: statistics.median(found) for name, found in times.items()}


def measured_now() -> str:
    """Return the day and the commit of a measurement, as the marks of the pages hold them."""
    command = ["git", "rev-parse", "--short", "HEAD"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=HERE)
    return f"{date.today().isoformat()}, {done.stdout.strip()}"


def put(page: str, name: str, lines: Sequence[str]) -> None:
    """Replace what stands between two marks of a page, and say when and of which commit."""
    text = (DOCS / page).read_text("utf-8")
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    pattern = re.compile(re.escape(begin) + r".*?" + re.escape(end), re.DOTALL)
    assert pattern.search(text), f"no {begin}"
    text = pattern.sub(lambda _: "\n".join([begin, *lines, end]), text)
    before, mark, after = text.partition(begin)
    head, measured, rest = before.rpartition("<!-- measured ")
    assert measured, f"no mark of the day before {begin}"
    rest = re.sub(r"^[\d-]+, \w+", measured_now(), rest)
    (DOCS / page).write_text("".join((head, measured, rest, mark, after)), "utf-8")


def show(title: str, head: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """A Markdown table under a heading."""
    print(f"\n### {title}\n")
    print("| " + " | ".join(head) + " |")
    print("| " + " | ".join("---" for _ in head) + " |")
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |")
    sys.stdout.flush()


def ratios(times: Mapping[str, float], ours: str) -> list[tuple[str, str, str]]:
    """Rows of name, time, and how many times longer than ours."""
    return [
        (name, f"{time_ms:.2f} ms", f"{time_ms / times[ours]:.2f}")
        for name, time_ms in times.items()
    ]


def environment(peer: str, *packages: str) -> Path | str:
    """The Python of an environment with the packages, or why there is none."""
    python = PEERS / peer / "bin" / "python"
    if (PEERS / peer / "ready").exists():
        return python
    commands = (
        [sys.executable, "-m", "venv", str(PEERS / peer)],
        [str(python), "-m", "pip", "install", "-q", *packages],
    )
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=900)
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["it gave no reason"])[-1]
            return f"`pip install {' '.join(packages)}` failed: {last[:120]}"
    (PEERS / peer / "ready").touch()
    return python


def ask_peer(python: Path, script: str, question: object) -> Any:
    """Runs a script in a peer's environment: JSON in on standard input, JSON out."""
    done = subprocess.run(
        [str(python), "-c", script],
        input=json.dumps(question),
        capture_output=True,
        text=True,
        check=True,
        timeout=900,
    )
    return json.loads(done.stdout)

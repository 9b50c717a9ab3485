"""Start-up, time and memory of every command as a process, against what Python does anyway.

Run: python benchmarks/bench_commands.py [ROUNDS]
Rounds are interleaved. Memory is the largest resident set that the system counted for the process.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from shared import show

FORGE = [sys.executable, "-m", "falldamage_forge"]
BASE = "python -c pass"


def commands(folder: Path) -> dict[str, list[str]]:
    stock = folder / "stock.csv"
    stock.write_text("piece,count\nquadrant,4\n", "utf-8")
    words = {
        "--help": [],
        "new": [str(folder / "mine")],
        "check": ["duel"],
        "analyze": ["duel"],
        "reach": ["duel", "--unit", "knight", "--from", "B1"],
        "path": ["duel", "--unit", "knight", "--from", "B1", "--to", "B10"],
        "push": ["duel", "--attacker", "B1", "--target", "C1", "--push", "B2"],
        "los": ["duel", "B1", "B10"],
        "targets": ["duel", "--unit", "archer", "--from", "B1"],
        "fmt": ["--check", str(folder / "kept.forge")],
        "ast": [str(folder / "kept.forge")],
        "expand": ["duel"],
        "explain": ["FDF301"],
        "presets": [],
        "pieces": ["duel"],
        "show": ["duel", "-o", str(folder / "duel.png")],
        "report": ["duel", "-o", str(folder / "duel.html")],
        "sheets": ["duel", "-o", str(folder / "duel.pdf")],
        "cards": ["-o", str(folder / "cards.pdf")],
        "build": ["duel", "-o", str(folder / "duel")],
    }
    table = {
        BASE: [sys.executable, "-c", "pass"],
        "import trimesh": [sys.executable, "-c", "import trimesh"],
    }
    return table | {f"fdforge {name}": [*FORGE, name, *rest] for name, rest in words.items()}


def run(command: list[str]) -> tuple[float, float]:
    """Seconds, and the largest resident set in MB."""
    start = time.perf_counter()
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as child:
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode and child.stderr:
            sys.exit(f"{' '.join(command)}: {child.stderr.read()}")
    return time.perf_counter() - start, usage.ru_maxrss / 1024


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run([*FORGE, "new", str(folder / "kept")], check=True, capture_output=True)
        found: dict[str, list[tuple[float, float]]] = {}
        for number in range(rounds):
            for title, command in commands(folder).items():
                if title == "fdforge new":
                    command[-1] += str(number)
                found.setdefault(title, []).append(run(command))
    seconds = {title: statistics.median(t for t, _ in runs) for title, runs in found.items()}
    rows = [
        (
            f"`{title}`",
            f"{seconds[title]:.2f} s",
            f"{seconds[title] / seconds[BASE]:.1f}",
            f"{seconds[title] / seconds['import trimesh']:.2f}",
            f"{max(memory for _, memory in runs):.0f} MB",
        )
        for title, runs in found.items()
    ]
    head = ("command", "median", "times `python -c pass`", "times `import trimesh`", "peak memory")
    show("commands as processes", head, rows)


if __name__ == "__main__":
    main()

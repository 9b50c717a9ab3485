"""Every command as a process, against what Python does anyway and against the last release.

Run: python benchmarks/bench_commands.py [ROUNDS]
     python benchmarks/bench_commands.py [ROUNDS] --keep VERSION CHECKOUT

The first compares with `last_release.json`; the second measures another checkout, such as that of
a release, and writes that file. Rounds are interleaved. Time is the processor's, so that others on
the machine count less; memory is the largest resident set that the system counted for the process.
"""

import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from shared import show

HERE = Path(__file__).resolve().parent
KEPT = HERE / "last_release.json"
FORGE = [sys.executable, "-m", "falldamage_forge"]
COMPILE = [sys.executable, "-m", "compileall", "-q"]
"""As pip does when it installs; a checkout may lack what an environment forbids to write."""
BASE, UNIT = "python -c pass", "import trimesh"
FROM, TO = ["--unit", "knight", "--from", "B1"], ["--to", "B10"]
GAMES = ["--games", "2", "--bots", "random,greedy", "--engine", "plain"]

EVENT = """\
title = "Cup"
tables = ["duel"]
at_once = 1
printing = { printers = 1, start = 2026-11-25, ready = 2026-12-25 }
"""

COMMANDS: dict[str, list[str]] = {
    "--help": [],
    "new": ["OUT/mine"],
    "generate": ["--seed", "1", "--style", "castle"],
    "search": ["--archive", "OUT/archive", "--seed", "1", "--evaluations", "8", "--batch", "8"],
    "check": ["duel"],
    "build": ["duel", "-o", "OUT/duel"],
    "show": ["duel", "-o", "OUT/duel.png"],
    "report": ["duel", "-o", "OUT/duel.html"],
    "publish": ["duel", "-o", "OUT/published"],
    "export": ["duel", "--to", "glb", "-o", "OUT/duel.glb"],
    "sheets": ["duel", "-o", "OUT/duel.pdf"],
    "guide": ["-o", "OUT/how-to-play.pdf"],
    "cards": ["-o", "OUT/cards.pdf"],
    "analyze": ["duel"],
    "reach": ["duel", *FROM],
    "path": ["duel", *FROM, *TO],
    "push": ["duel", "--attacker", "B1", "--target", "C1", "--push", "B2"],
    "los": ["duel", "B1", "B10"],
    "targets": ["duel", "--unit", "archer", "--from", "B1"],
    "ask": ["crypt"],
    "play": ["--help"],
    "replay": ["OUT/game.json"],
    "bot": ["greedy"],
    "adopt": [str(HERE.parent / "docs/models/ruin.obj"), "-o", "OUT/ruin.png"],
    "playtest": ["duel", *GAMES],
    "conform": ["OUT/cases.json"],
    "compare": ["duel"],
    "pieces": ["duel"],
    "kit": ["duel"],
    "pack": ["duel", "--inside", "345x220x120", "-o", "OUT/packing.pdf"],
    "event": ["OUT/event.toml"],
    "stock": ["show", "--stock", "OUT/stock.csv"],
    "printer": ["list"],
    "slicer": ["-o", "OUT/slicer"],
    "cache": [],
    "coupon": ["-o", "OUT/coupon"],
    "prove": ["block-1x1x1"],
    "studio": ["--help"],
    "edit": ["OUT/kept.forge", "raise D5"],
    "fmt": ["--check", "OUT/kept.forge"],
    "expand": ["duel"],
    "ast": ["OUT/kept.forge"],
    "lsp": [],
    "explain": ["FDF301"],
    "gallery": ["--help"],
    "presets": [],
}
"""What each is given; the gallery takes minutes and some wait for people: those tell their help."""


def table(folder: Path) -> dict[str, list[str]]:
    """What is run, by its name."""
    asked = {
        f"fdforge {name}": [*FORGE, name, *(word.replace("OUT", str(folder)) for word in words)]
        for name, words in COMMANDS.items()
    }
    return {BASE: [sys.executable, "-c", "pass"], UNIT: [sys.executable, "-c", UNIT], **asked}


def prepare(folder: Path, checkout: str) -> None:
    """Compiled code, a map, a stock, a game and a case for those that read one."""
    data = HERE.parent / "tests" / "data"
    subprocess.run([*COMPILE, str(Path(checkout) / "falldamage_forge")], check=True)
    (folder / "here").mkdir()
    subprocess.run([*FORGE, "new", str(folder / "kept")], check=True, capture_output=True)
    (folder / "stock.csv").write_text("piece,count\nquadrant,4\n", "utf-8")
    (folder / "event.toml").write_text(EVENT, "utf-8")
    (folder / "cases.json").write_bytes((data / "game.json").read_bytes())
    bots = ["--red", "random", "--blue", "random", "--draw-teams"]
    played = [*FORGE, "play", "duel", *bots, "--record", str(folder / "game.json")]
    subprocess.run(played, check=True, capture_output=True)


def run(command: list[str], cwd: Path, **env: str) -> tuple[float, float]:
    """Seconds of the processor, and the largest resident set in MB; nan for what is not there."""
    with subprocess.Popen(
        command,
        cwd=cwd,  # neither another checkout nor a file called like a preset is here
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **env},
    ) as child:
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode and not env.get("PYTHONPATH"):
        sys.exit(f"{' '.join(command)}: exit code {child.returncode}")
    if child.returncode:
        return float("nan"), 0.0
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


Measured = dict[str, list[tuple[float, float]]]


def measure(rounds: int, **env: str) -> Measured:
    """Every command so many times, in rounds; the first round of all only warms caches."""
    found: Measured = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare(folder, env.get("PYTHONPATH", str(HERE.parent)))
        for number in range(rounds + 1):
            for title, words in table(folder).items():
                unlike = [word.replace("/mine", f"/mine{number}") for word in words]
                taken = run(unlike, folder / "here", FDFORGE_CACHE_DIR=str(folder / "cache"), **env)
                if number:
                    found.setdefault(title, []).append(taken)
    return found


def seconds_of(found: Measured) -> dict[str, float]:
    return {title: statistics.median(t for t, _ in runs) for title, runs in found.items()}


def keep(version: str, checkout: str, rounds: int) -> None:
    """Measure another checkout and write what of `import trimesh` each of its commands took."""
    seconds = seconds_of(measure(rounds, PYTHONPATH=checkout))
    ratios = {
        title: round(taken / seconds[UNIT], 3)
        for title, taken in seconds.items()
        if not math.isnan(taken)  # a command it has not
    }
    text = json.dumps({"version": version, "of_trimesh": ratios}, indent=1, sort_keys=True)
    KEPT.write_text(f"{text}\n", "utf-8")


def main() -> None:
    words = sys.argv[1:]
    rounds = int(words.pop(0)) if words and words[0].isdigit() else 5
    if words[:1] == ["--keep"]:
        keep(words[1], words[2], rounds)
        return
    found = measure(rounds)
    seconds, last = seconds_of(found), json.loads(KEPT.read_text("utf-8"))
    before = last["of_trimesh"]
    rows = [
        (
            f"`{title}`",
            f"{seconds[title]:.2f} s",
            f"{seconds[title] / seconds[BASE]:.1f}",
            f"{seconds[title] / seconds[UNIT]:.2f}",
            f"{seconds[title] / seconds[UNIT] / before[title]:.2f}" if title in before else "new",
            f"{max(memory for _, memory in runs):.0f} MB",
        )
        for title, runs in found.items()
    ]
    then = f"of {last['version']}, each of its own trimesh"
    head = ("command", "processor", f"times `{BASE}`", f"times `{UNIT}`", then, "peak memory")
    show("commands as processes", head, rows)


if __name__ == "__main__":
    main()

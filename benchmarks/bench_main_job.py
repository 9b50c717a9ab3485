"""Times `check` and `build` as whole processes against what a user's machine does anyway.

Each figure is the median of several runs, interleaved, so that a noisy machine shows in all of
them; the ratios are what counts. Run: python benchmarks/bench_main_job.py [runs]
"""

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

FORGE = [sys.executable, "-m", "falldamage_forge"]


def seconds(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - start


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    folder = Path(tempfile.mkdtemp())
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "import trimesh": [sys.executable, "-c", "import trimesh"],
        "fdforge check duel": [*FORGE, "check", "duel"],
        "fdforge build duel": [*FORGE, "build", "duel", "-o", str(folder / "duel")],
    }
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(runs + 1):
        for name, command in commands.items():
            times[name].append(seconds(command))
    shutil.rmtree(folder)
    base = statistics.median(times["import trimesh"][1:])
    print(f"{'command':22} {'median s':>9} {'x trimesh':>10}")
    for name, figures in times.items():
        median = statistics.median(figures[1:])
        print(f"{name:22} {median:9.3f} {median / base:10.2f}")


if __name__ == "__main__":
    main()

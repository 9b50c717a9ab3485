"""Builds of a designer's day: the first one, one with nothing changed, one after two tiles changed.

Run: python benchmarks/bench_builds.py [ROUNDS]

Each round begins with an empty cache. Time is the processor's, helpers counted, and its share on
the clock says how far two processors share the work. Boards of 20x20 and 30x30 tiles are built
without pictures.
"""

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench_commands import COMPILE, FORGE, HERE, run
from bench_growth import source
from shared import show

from falldamage_forge import presets

UNIT = "import trimesh, scipy.spatial"
CHANGE = "water at E9, F2\n"
"""What the designer adds to `duel`."""
PLAIN = ("--no-pictures", "--formats", "3mf")


def measured(words: list[str], folder: Path) -> tuple[float, float]:
    """Seconds of the processor, and on the clock."""
    begun = time.perf_counter()
    taken, _ = run(words, folder, FDFORGE_CACHE_DIR=str(folder / "cache"))
    return taken, time.perf_counter() - begun


def one_round(folder: Path) -> dict[str, tuple[float, float]]:
    """Every build once, in an empty folder."""
    path, build = folder / "duel.forge", [*FORGE, "build"]
    duel = presets.load_text("maps", "duel.forge")
    path.write_text(duel, "utf-8")
    whole = [*build, str(path), "-o", str(folder / "duel")]
    found = {UNIT: measured([sys.executable, "-c", UNIT], folder)}
    found["`duel`, the first build"] = measured(whole, folder)
    found["`duel`, nothing changed"] = measured(whole, folder)
    path.write_text(duel + CHANGE, "utf-8")
    found["`duel`, two tiles of water added"] = measured(whole, folder)
    for size in (10, 20, 30):
        large = folder / f"{size}.forge"
        large.write_text(source(size), "utf-8")
        words = [*build, str(large), "-o", str(folder / str(size)), *PLAIN]
        found[f"{size}x{size} tiles, plates alone"] = measured(words, folder)
    return found


def main() -> None:
    rounds = int(sys.argv[1]) if sys.argv[1:] else 3
    subprocess.run([*COMPILE, str(HERE.parent / "falldamage_forge")], check=True)
    found = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as name:
            found.append(one_round(Path(name)))
    rows = []
    for title in found[0]:
        seconds = statistics.median(each[title][0] for each in found)
        ratio = statistics.median(each[title][0] / each[UNIT][0] for each in found)
        share = statistics.median(each[title][1] / each[title][0] for each in found)
        name = f"`{title}`" if title == UNIT else title
        rows.append((name, f"{seconds:.2f} s", f"{ratio:.1f}", f"{share:.0%}"))
    head = ("build", "processor", f"times `{UNIT}`", "on the clock")
    show("builds of a day", head, rows)


if __name__ == "__main__":
    main()

"""How work grows with the board's size and with the number of maps.

Run: python benchmarks/bench_growth.py
Boards of 10x10 to 50x50 tiles hold the same country again and again. The exponent is the slope of
time over tiles (or maps) on doubly logarithmic paper: 1 is proportional.
"""

import math
import statistics
from functools import partial

from shared import milliseconds, show

import falldamage_forge as ff
from falldamage_forge import presets
from falldamage_forge.board import Board
from falldamage_forge.games.fall_damage.sight_line import visible_sets
from falldamage_forge.lang import load, parse
from falldamage_forge.lang.lower import load_uncached
from falldamage_forge.library.forge import Forge
from falldamage_forge.metrics.metric_table import analyze
from falldamage_forge.pieces.plan import plan
from falldamage_forge.rules.bitset_bfs import all_pairs_moves
from falldamage_forge.rules.position import Position

SIZES = (10, 20, 30, 40, 50)
CELLS = (
    "1 2 . T . . ~ . 1 .",
    ". 3 . . 1 2 . . . .",
    ". . . ! . 1 . 2^ . .",
    ". 1 1 . . . . 2 1 .",
)


MOST = {"sight between all pairs": 30, "analyze": 30}
"""Largest boards of jobs that grow faster."""


def source(size: int, *, tower: bool = False) -> str:
    """A board with a strip of free tiles along two edges and four rows of country in between.

    With a tower in its corner, which nobody reaches, `check` looks for a remedy.
    """
    rows = []
    for number in range(size):
        inside = 1 < number < size - 2
        cells = CELLS[number % 4].split() if inside else ["."] * 10
        cells = cells * (size // 10)
        rows.append("  " + "  ".join(["3", *cells[1:]] if tower and not number else cells))
    drawn = "\n".join(rows)
    return (
        f'forge 1\ntitle "Country"\nboard {size}x{size}\nmap {{\n{drawn}\n}}\n'
        f"start red at B1..I1\nstart blue at B{size}..I{size}\n"
    )


def exponent(amounts: list[int], times: list[float]) -> float:
    """Least-squares slope of log time over log amount."""
    xs, ys = [math.log(n) for n in amounts], [math.log(t) for t in times]
    mean_x, mean_y = statistics.mean(xs), statistics.mean(ys)
    spread = sum((x - mean_x) ** 2 for x in xs)
    return sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True)) / spread


def sizes() -> None:
    catalogue = presets.load_catalogue()
    game = presets.load_rules("fall-damage")

    def turns(board: Board) -> None:
        all_pairs_moves(Position(board, game).model("M3 J1"))

    jobs = {
        "parse": lambda text, board: parse(text, "x"),
        "load": lambda text, board: load_uncached(text, "x"),
        "check": lambda text, board: Forge().check(ff.loads(text, "x")),
        "check, and a remedy": lambda text, board: Forge().check(
            ff.loads(source(board.rows, tower=True), "x")
        ),
        "analyze": lambda text, board: analyze(Position(board, game)),
        "plan of pieces": lambda text, board: plan(board, catalogue),
        "turns between all pairs": lambda text, board: turns(board),
        "sight between all pairs": lambda text, board: visible_sets(board, game.options),
    }
    rows = []
    for name, job in jobs.items():
        times = []
        for size in SIZES:
            if size > MOST.get(name, size):
                continue
            text = source(size)
            board = load(text, "x").layout.board
            job(text, board)
            rounds = 5 if size < 30 else 2
            times.append(min(milliseconds(partial(job, text, board)) for _ in range(rounds)))
        tiles = [size * size for size in SIZES[: len(times)]]
        shown = [f"{time:.1f} ms" for time in times] + ["-"] * (len(SIZES) - len(times))
        rows.append((name, *shown, f"{exponent(tiles, times):.2f}"))
    head = ("", *(f"{size}x{size}" for size in SIZES), "exponent over tiles")
    show("growth with the board", head, rows)


def maps() -> None:
    texts = [presets.path("maps", name).read_text("utf-8") for name in presets.names("maps")]
    counts, times = [4, 16, 64], []

    def check_all(count: int) -> None:
        for number in range(count):
            Forge().check(ff.loads(texts[number % len(texts)], "x"))

    check_all(4)
    for count in counts:
        times.append(milliseconds(partial(check_all, count)))
    head = ("", *(f"{count} maps" for count in counts), "exponent over maps")
    shown = [f"{time:.0f} ms" for time in times]
    show(
        "growth with the number of maps",
        head,
        [("check", *shown, f"{exponent(counts, times):.2f}")],
    )


if __name__ == "__main__":
    sizes()
    maps()

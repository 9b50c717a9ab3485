"""Times parsing, checking and formatting in process, and how they grow with the number of lines.

Run: python benchmarks/bench_lang.py
"""

import statistics
import time
from collections.abc import Callable

from falldamage_forge.lang import load, parse
from falldamage_forge.lang.format import format_text
from falldamage_forge.lang.parse import grammar


def source(lines: int) -> str:
    letters = "ABCDEFGHIJ"
    body = (
        f"tree at {letters[n % 10]}{n % 9 + 1}, B{n % 10 + 1}"
        if n % 3
        else f"stack {letters[n % 10]}{n % 9 + 1}..J10 height {n % 5}"
        for n in range(lines)
    )
    return "forge 1\n" + "\n".join(body) + "\n"


def median_ms(action: Callable[[], object], runs: int) -> float:
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1000


def main() -> None:
    start = time.perf_counter()
    grammar()
    print(f"grammar, once a process: {(time.perf_counter() - start) * 1000:.0f} ms")
    print(f"{'lines':>7} {'parse ms':>9} {'load ms':>9} {'fmt ms':>9}")
    for lines, runs in ((100, 15), (1_000, 7), (10_000, 3)):
        text = source(lines)
        figures = (
            median_ms(lambda text=text: parse(text, "x"), runs),
            median_ms(lambda text=text: load(text, "x"), runs),
            median_ms(lambda text=text: format_text(text, "x"), runs),
        )
        print(f"{lines:7} " + " ".join(f"{figure:9.1f}" for figure in figures))


if __name__ == "__main__":
    main()

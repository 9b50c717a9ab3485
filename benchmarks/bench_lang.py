"""Times parsing, checking and formatting in process, and how they grow with the number of lines.

Run: python benchmarks/bench_lang.py
"""

import statistics
import time
from collections.abc import Callable

from shared import show

from falldamage_forge.lang import parse
from falldamage_forge.lang.formatter import format_text
from falldamage_forge.lang.lower import load_uncached
from falldamage_forge.lang.parser import grammar
from falldamage_forge.languages.translator import read_language, translator


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


def translation() -> str:
    """Return the time to translate a new text with values, the mean over all sentences."""
    german = read_language("de")
    texts = [one.replace("{", "").replace("}", "") for one in german.sentences if "{" in one]
    ms = median_ms(lambda: [*map(translator(german), texts)], 5)
    return f"{ms / len(texts) * 1000:.0f} us"


def main() -> None:
    start = time.perf_counter()
    grammar()
    once = (time.perf_counter() - start) * 1000
    rows = [("the grammar, once a process", f"{once:.0f} ms", "", "")]
    for lines, runs in ((100, 15), (1_000, 7), (10_000, 3)):
        text = source(lines)
        figures = (
            median_ms(lambda text=text: parse(text, "x"), runs),
            median_ms(lambda text=text: load_uncached(text, "x"), runs),
            median_ms(lambda text=text: format_text(text, "x"), runs),
        )
        rows.append((f"{lines} lines", *(f"{figure:.1f} ms" for figure in figures)))
    show("the language, in process", ("", "parse", "load", "format"), rows)
    show("translation", ("", "each"), [("a text not met before, into German", translation())])


if __name__ == "__main__":
    main()

"""`fdforge generate`: generate a playable map from a seed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from falldamage_forge.cli import option
from falldamage_forge.cli.spoken_language import echo
from falldamage_forge.infra.source_loader import SourceLoader
from falldamage_forge.infra.user_paths import quoted

if TYPE_CHECKING:
    from falldamage_forge.search.constructive import MapRequirements
    from falldamage_forge.search.map_generator import Accept
    from falldamage_forge.search.style_grammar import MapStyle

MAX_SEED = 2**63 - 1


@option.command
def command(
    seed: int = option.whole(0, MAX_SEED, "Random seed.", required=True),
    style_name: str | None = option.text(
        "Map style (default: drawn from the seed).",
        "--style",
        metavar="NAME",
        de="Stil der Karte (Standard: aus dem Startwert ausgelost).",
    ),
    own: Path | None = option.OWN_ONLY,
    output: Path | None = option.output(
        "Output file (default: standard output).", de="Ausgabedatei (Standard: Standardausgabe)."
    ),
    wishes: tuple[str, ...] = option.WISHES,
    part_files: tuple[Path, ...] = option.many(
        "Layout file whose definitions are used as parts; repeatable.",
        "--parts",
        type=option.FILE,
        de="Datei, deren Definitionen als Bausteine dienen; wiederholbar.",
    ),
    size: str = option.text("Columns x rows.", "--board", default="10x10", de="Spalten x Zeilen."),
    symmetry: str | None = option.choice(
        ["rotate-180", "mirror-y"], "Symmetry of the board.", de="Symmetrie des Bretts."
    ),
    levels: str | None = option.text(
        "Level of the highest column, such as 3 or 2-4.",
        metavar="A-B",
        de="Höhe der höchsten Säule, wie 3 oder 2-4.",
    ),
    openness: str | None = option.text(
        "Share of bare tiles in percent, such as 40-60.",
        metavar="A-B",
        de="Anteil blanker Felder in Prozent, wie 40-60.",
    ),
    lava: str | None = option.text(
        "Share of lava tiles in percent, such as 4-8.",
        metavar="A-B",
        de="Anteil von Lavafeldern in Prozent, wie 4-8.",
    ),
    chests: int = option.CHESTS,
    grams: float | None = option.number(
        0, None, "Greatest amount of filament in grams.", de="Größte Menge Filament in Gramm."
    ),
    hours: float | None = option.number(
        0, None, "Greatest print time in hours.", de="Größte Druckzeit in Stunden."
    ),
    sketches: int = option.whole(
        1,
        1000,
        "Number of candidates; the best is repaired and written.",
        "--of",
        default=24,
        de="Zahl der Entwürfe; der beste wird verbessert und geschrieben.",
    ),
) -> None:
    """Generate a playable, fair map as readable text.

    The same seed and options give the same text. With --own the map uses parts of the stock only.
    """
    from falldamage_forge.cli.build_options import read_stock_file
    from falldamage_forge.search.constructive import MapRequirements
    from falldamage_forge.search.genome import StockBudget
    from falldamage_forge.search.map_generator import generate, stock_budget

    cols, rows = board_size(size)
    wish = MapRequirements(
        rows,
        cols,
        symmetry,
        parse_level_range(levels),
        parse_percent_range(openness, "--openness"),
        parse_percent_range(lava, "--lava"),
        chests,
        expects=tuple(expectation_statement(text) for text in wishes),
    )
    sources = SourceLoader()
    owned = None if own is None else read_stock_file(own)
    style = chosen_style(style_name, seed, part_files, sources)
    budget = StockBudget() if owned is None else stock_budget(owned, wish)
    wish, accept = print_limits(wish, grams, hours, owned or {})
    made = generate(seed, style, budget, wish, sketches=sketches, accept=accept)
    if output is None:
        click.echo(made.text, nl=False)
        return
    from falldamage_forge.infra.atomic_write import write_file

    write_file(output, made.text.encode())
    word = quoted(output)
    echo(f"{output} written; try `fdforge show {word}` and `fdforge build {word}`")


def board_size(size: str) -> tuple[int, int]:
    """Return columns and rows of `10x10`; UsageError if that is no size of a board."""
    match = re.fullmatch(r"(\d{1,2})x(\d{1,2})", size)
    if match:
        cols, rows = int(match[1]), int(match[2])
        if all(10 <= n <= 50 and n % 5 == 0 for n in (cols, rows)):
            return cols, rows
    raise click.UsageError(
        f"`{size}` is no board size; both sides are multiples of 5 from 10 to 50"
    )


def parse_level_range(text: str | None) -> tuple[int, int] | None:
    """Return the bounds of `3` or `2-4`; None for None."""
    if text is None:
        return None
    match = re.fullmatch(r"(\d{1,2})(?:-(\d{1,2}))?", text)
    if not match or int(match[1]) > int(match[2] or match[1]):
        raise click.UsageError(f"`{text}` is not a number such as 3, nor two such as 2-4")
    return int(match[1]), int(match[2] or match[1])


def parse_percent_range(text: str | None, option: str) -> tuple[float, float] | None:
    """Return the bounds of `40-60` as fractions of 1; None for None.

    Args:
        text: Value of the option in percent.
        option: Name of the option, for an error.

    Raises:
        click.UsageError: If the text is no range of two percentages.
    """
    band = parse_level_range(text and text.replace("%", ""))
    if band is None:
        return None
    if band[0] == band[1]:
        raise click.UsageError(f"{option} takes two percentages such as {band[0]}-{band[0] + 10}")
    return band[0] / 100, band[1] / 100


def expectation_statement(text: str) -> str:
    """Return a requirement as an `expect` statement."""
    words = text.split()
    if len(words) < 2 or words[0] != "expect":
        raise click.UsageError(
            f'`{text}` is no requirement; write it as in --wish "expect good sight"'
        )
    return " ".join(words)


def chosen_style(
    name: str | None, seed: int, part_files: tuple[Path, ...], sources: SourceLoader
) -> MapStyle:
    """Return the map style, named or drawn from the seed, with the user's own parts.

    Args:
        name: Name of the style; None draws one.
        seed: Random seed.
        part_files: Layouts whose definitions become parts.
        sources: Reads the files.
    """
    from random import Random

    from falldamage_forge.search import adapter
    from falldamage_forge.search.style_grammar import read_parts

    style = adapter.style(name or Random(f"style/{seed}").choice(adapter.styles()))
    for path in part_files:
        file, text = sources.read_main(path)
        style = style.with_parts(read_parts(text, file))
    return style


GRAMS_A_LEVEL = 2.6
"""Least filament of one level of one column in grams, for the usual mix of blocks."""


def print_limits(
    wish: MapRequirements, grams: float | None, hours: float | None, owned: dict[str, int]
) -> tuple[MapRequirements, Accept]:
    """Return the requirements with bounds on terrain, and a function that refuses costly maps.

    Args:
        wish: The requirements.
        grams: Greatest amount of filament; None for no bound.
        hours: Greatest print time; None for no bound.
        owned: Owned parts by piece, which are not printed.
    """
    from dataclasses import replace

    from falldamage_forge.search import adapter

    if grams is None and hours is None:
        return wish, lambda _: ""
    first = wish.cols // 2 - 4
    empty = (
        f"forge 1\nboard {wish.cols}x{wish.rows}\nsymmetry rotate 180 swap red blue\n"
        f"start red at {chr(65 + first)}1..{chr(72 + first)}1\n"
    )
    base_grams, base_hours = adapter.print_estimate(empty, owned)
    hours_a_gram = base_hours / base_grams if base_grams else 0.05
    room = min(
        (grams - base_grams) if grams is not None else float("inf"),
        (hours - base_hours) / hours_a_gram if hours is not None else float("inf"),
    )
    if not owned:
        wish = replace(wish, volume=max(int(room / GRAMS_A_LEVEL), 0))

    def accept(text: str) -> str:
        need_grams, need_hours = adapter.print_estimate(text, owned)
        if grams is not None and need_grams > grams:
            return f"more than {grams:g} g to print"
        if hours is not None and need_hours > hours:
            return f"more than {hours:g} h to print"
        return ""

    return wish, accept

"""`fdforge generate`: a playable map from a seed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from falldamage_forge.files import Sources
from falldamage_forge.paths import quoted

if TYPE_CHECKING:
    from falldamage_forge.search.generate import Accept
    from falldamage_forge.search.grow import Wish
    from falldamage_forge.search.parts import Style

MAX_SEED = 2**63 - 1


@click.command()
@click.option("--seed", type=click.IntRange(0, MAX_SEED), required=True, help="Any number.")
@click.option(
    "--style", "style_name", metavar="NAME", help="Its style; drawn from the seed if not said."
)
@click.option("--own", type=click.Path(path_type=Path), help="CSV of parts: build it from these.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write it there.")
@click.option(
    "--wish", "wishes", multiple=True, metavar="TEXT", help='Such as "expect good sight".'
)
@click.option("--parts", "part_files", multiple=True, type=click.Path(path_type=Path),
              help="Layout whose definitions are parts as well.")  # fmt: skip
@click.option("--board", "size", default="10x10", show_default=True, help="Columns x rows.")
@click.option("--symmetry", type=click.Choice(["rotate-180", "mirror-y"]), help="How it is fair.")
@click.option("--levels", metavar="A-B", help="Level of the highest column, such as 3 or 2-4.")
@click.option("--openness", metavar="A-B", help="Bare tiles in percent, such as 40-60.")
@click.option("--lava", metavar="A-B", help="Tiles of lava in percent, such as 4-8.")
@click.option("--chests", type=click.IntRange(0, 8), default=2, show_default=True, help="How many.")
@click.option("--grams", type=click.FloatRange(min=0), help="What may be printed at most.")
@click.option("--hours", type=click.FloatRange(min=0), help="How long one may print at most.")
@click.option("--of", "sketches", type=click.IntRange(1, 1000), default=24, show_default=True,
              help="Sketches to choose from.")  # fmt: skip
def command(
    seed: int,
    style_name: str | None,
    own: Path | None,
    output: Path | None,
    wishes: tuple[str, ...],
    part_files: tuple[Path, ...],
    size: str,
    symmetry: str | None,
    levels: str | None,
    openness: str | None,
    lava: str | None,
    chests: int,
    grams: float | None,
    hours: float | None,
    sketches: int,
) -> None:
    """Make a map: playable, fair, and built from parts as somebody would have written it.

    The same seed and options give the same text. With --own it can be built from the stock alone.
    """
    from falldamage_forge.cli.build_options import read_own
    from falldamage_forge.search.budget import Budget
    from falldamage_forge.search.generate import generate, stock_budget
    from falldamage_forge.search.grow import Wish

    cols, rows = board_size(size)
    wish = Wish(
        rows,
        cols,
        symmetry,
        whole_band(levels),
        percent_band(openness, "--openness"),
        percent_band(lava, "--lava"),
        chests,
        expects=tuple(expectation(text) for text in wishes),
    )
    sources = Sources()
    owned = None if own is None else read_own(own)
    style = chosen_style(style_name, seed, part_files, sources)
    budget = Budget() if owned is None else stock_budget(owned, wish)
    wish, accept = print_limits(wish, grams, hours, owned or {})
    made = generate(seed, style, budget, wish, sketches=sketches, accept=accept)
    if output is None:
        click.echo(made.text, nl=False)
        return
    from falldamage_forge.staging import write_file

    write_file(output, made.text.encode())
    word = quoted(output)
    click.echo(f"{output} written; try `fdforge show {word}` and `fdforge build {word}`")


def board_size(size: str) -> tuple[int, int]:
    """Columns and rows; UsageError for what is no board, or too small to start on."""
    match = re.fullmatch(r"(\d{1,2})x(\d{1,2})", size)
    if match:
        cols, rows = int(match[1]), int(match[2])
        if all(10 <= n <= 50 and n % 5 == 0 for n in (cols, rows)):
            return cols, rows
    raise click.UsageError(f"`{size}` is no board; both sides are multiples of 5 from 10 to 50")


def whole_band(text: str | None) -> tuple[int, int] | None:
    """`3` or `2-4`."""
    if text is None:
        return None
    match = re.fullmatch(r"(\d{1,2})(?:-(\d{1,2}))?", text)
    if not match or int(match[1]) > int(match[2] or match[1]):
        raise click.UsageError(f"`{text}` is not a number such as 3, nor two such as 2-4")
    return int(match[1]), int(match[2] or match[1])


def percent_band(text: str | None, option: str) -> tuple[float, float] | None:
    """`40-60` as shares."""
    band = whole_band(text and text.replace("%", ""))
    if band is None:
        return None
    if band[0] == band[1]:
        raise click.UsageError(f"{option} takes two percentages such as {band[0]}-{band[0] + 10}")
    return band[0] / 100, band[1] / 100


def expectation(text: str) -> str:
    """A wish as the statement it becomes."""
    words = text.split()
    if len(words) < 2 or words[0] != "expect":
        raise click.UsageError(f'`{text}` is no wish; write it as in --wish "expect good sight"')
    return " ".join(words)


def chosen_style(
    name: str | None, seed: int, part_files: tuple[Path, ...], sources: Sources
) -> Style:
    """The style named or drawn, with the user's own parts."""
    from random import Random

    from falldamage_forge.search import door
    from falldamage_forge.search.parts import read_parts

    style = door.style(name or Random(f"style/{seed}").choice(door.styles()))
    for path in part_files:
        file, text = sources.read_main(path)
        style = style.with_parts(read_parts(text, file))
    return style


GRAMS_A_LEVEL = 2.6
"""What one level of one column weighs at least, in blocks of the usual mix."""


def print_limits(
    wish: Wish, grams: float | None, hours: float | None, owned: dict[str, int]
) -> tuple[Wish, Accept]:
    """The wish with a bound on what is built, and the judge of what printing a text costs."""
    from dataclasses import replace

    from falldamage_forge.search import door

    if grams is None and hours is None:
        return wish, lambda _: ""
    first = wish.cols // 2 - 4
    empty = (
        f"forge 1\nboard {wish.cols}x{wish.rows}\nsymmetry rotate 180 swap red blue\n"
        f"start red at {chr(65 + first)}1..{chr(72 + first)}1\n"
    )
    base_grams, base_hours = door.printing(empty, owned)
    hours_a_gram = base_hours / base_grams if base_grams else 0.05
    room = min(
        (grams - base_grams) if grams is not None else float("inf"),
        (hours - base_hours) / hours_a_gram if hours is not None else float("inf"),
    )
    if not owned:
        wish = replace(wish, volume=max(int(room / GRAMS_A_LEVEL), 0))

    def accept(text: str) -> str:
        need_grams, need_hours = door.printing(text, owned)
        if grams is not None and need_grams > grams:
            return f"more than {grams:g} g to print"
        if hours is not None and need_hours > hours:
            return f"more than {hours:g} h to print"
        return ""

    return wish, accept

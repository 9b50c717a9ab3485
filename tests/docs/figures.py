"""The figures of the pages, each computed by the command that a reader would ask."""

import json
import re
import tempfile
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

from falldamage_forge import presets
from falldamage_forge.export.piece_list import format_minutes
from falldamage_forge.models.triangles import MAX_BYTES, MAX_TRIANGLES
from tests.cli.running import ROOT, typed
from tests.docs.pages import blocks, read

Figure = Callable[[], str]


@cache
def asked(*words: str) -> Any:
    """Return the JSON document of a command."""
    run = typed(*words)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def pieces(*options: str) -> Any:
    """Return the piece list of duel."""
    return asked("pieces", "duel", *options, "--format", "json")


def total(column: int) -> str:
    """Return a sum of the piece list of duel, in the words that a reader sees."""
    rows = (re.split(r" {2,}", line) for line in typed("pieces", "duel").stdout.splitlines())
    return next(row[column] for row in rows if row[0] == "total")


def starts(*options: str) -> float:
    """Return the minutes for starting the plates of duel."""
    return sum(float(plate["start_minutes"]) for plate in pieces(*options)["plates"])


@cache
def coupon() -> tuple[str, str]:
    """Return grams and time of the coupon, as the command reports them."""
    with tempfile.TemporaryDirectory() as folder:
        told = typed("coupon", "-o", str(Path(folder) / "coupon")).stdout
    (found,) = re.findall(r"about (\d+) g and ([^;]+);", told)
    return found[0], found[1]


PLATES = {
    "a quarter of the base, and all ties": ("plate-01-base",),
    "blocks, start markers": ("plate-05-stone",),
    "the other blocks, three quarters of the base": (
        "plate-02-base", "plate-03-base", "plate-04-base", "plate-06-stone",
    ),
    "bridges, ladders, chests, discs of the starts, water": (
        "plate-07-wood", "plate-08-blue", "plate-09-red", "plate-11-water",
    ),
    "trees": ("plate-10-tree",),
}  # fmt: skip
"""The rows of the table of plates of duel: content, and the plates it is on."""


def first_plates() -> str:
    """Return the table of plates in the order of a first print."""
    known = {plate["name"]: plate for plate in pieces()["plates"]}
    assert sorted(known) == sorted(name for names in PLATES.values() for name in names)
    rows = ["| plate | content | filament | time |", "|---|---|---|---|"]
    for content, names in PLATES.items():
        own = [known[name] for name in names]
        grams, minutes = (sum(plate[key] for plate in own) for key in ("grams", "minutes"))
        called = f"`{names[0]}`" if len(names) == 1 else ", ".join(sorted({n[6:8] for n in names}))
        rows.append(f"| {called} | {content} | {grams:.0f} g | {format_minutes(minutes)} |")
    return "\n" + "\n".join(rows) + "\n"


def filaments() -> str:
    """Return the table of plates and changes of duel by number of filaments."""
    rows = ["| duel | plates | changes without an AMS |", "|---|---:|---:|"]
    for words, name in (
        ((), "no `--filaments`"),
        *(((("--filaments", str(n))), f"`--filaments {n}`") for n in (4, 2, 1)),
    ):
        found = pieces(*words)
        groups = [plate["group"] for plate in found["plates"]]
        steps = len(found["steps"]) if words else len(dict.fromkeys(groups))
        rows.append(f"| {name} | {len(groups)} | {steps - 1} |")
    return "\n" + "\n".join(rows) + "\n"


@cache
def event() -> tuple[str, str]:
    """Return the parts of the page's event: for any five tables, and for all ten."""
    page = read(ROOT / "docs" / "run-an-event.md")
    (text,) = [block.text for block in blocks(page) if block.title == "cup.toml"]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "cup.toml"
        # The parts do not depend on games, which take minutes.
        file.write_text(re.sub(r"(?m)^games = .*", "games = 0", text), "utf-8")
        run = typed("event", file)
    assert run.returncode == 0, run.stderr
    pattern = r"(\d+) parts build any \d+ of \d+ tables; all of them need (\d+)"
    (found,) = re.findall(pattern, run.stdout)
    return found


@cache
def holds(process: str) -> dict[str, Any]:
    """Return what `prove` reports of the hold of some parts, by name."""
    keys = (
        "block-1x1x1", "block-1x1x2", "block-1x1x3", "block-2x2x3", "spire", "tree", "water",
        "battlement-1", "railing-1", "railing-tall-1",
    )  # fmt: skip
    found = asked("prove", *keys, "--process", process, "--json")
    return {one["name"]: one for one in found["holds"]}


def lift(*names: str, process: str = "standard") -> str:
    return listed([f"{holds(process)[name]['lift_n']:.0f}" for name in names])


def tip(*names: str, process: str = "standard") -> str:
    return listed([f"{holds(process)[name]['tip_gf']:.0f}" for name in names])


def listed(values: list[str]) -> str:
    """Return values with commas; a single one if all are equal."""
    return values[0] if len(set(values)) == 1 else ", ".join(values)


def strain(*names: str) -> str:
    worst = max(holds("standard")[name]["strain"] for name in names)
    return f"{100 * worst:.1f} %"


def hold_table() -> str:
    """Return the table of forces."""
    four, block = "4 of block-1x1x1", ("block-1x1x1", "block-1x1x2", "block-1x1x3")
    ringed, rails = ("spire", "tree"), ("railing-1", "railing-tall-1")
    rows = [
        ("block 1x1x1, 1x1x2, 1x1x3", lift(*block), f"{tip(*block)} gf", strain(*block)),
        ("four blocks 1x1x1 on one another", lift(four), f"{tip(four)} gf", strain(four)),
        ("block 2x2x3", lift("block-2x2x3"), f"{tip('block-2x2x3')} gf", strain("block-2x2x3")),
        ("spire, tree", lift(*ringed), f"{tip(*ringed)} gf", strain(*ringed)),
        ("battlement, on one side", lift("battlement-1"), f"{tip('battlement-1')} gf",
         strain("battlement-1")),
        ("railing of half an inch, of an inch, on one side", lift(*rails), f"{tip(*rails)} gf",
         strain(*rails)),
        ("water, lava, start", lift("water"), "lies in the groove", strain("water")),
    ]  # fmt: skip
    head = [
        "| on a tile | lifts off at | tips, pulled sideways at its top, at | strain |",
        "|---|---|---|---|",
    ]
    return (
        "\n" + "\n".join((*head, *(f"| {a} | {b} N | {c} | {d} |" for a, b, c, d in rows))) + "\n"
    )


@cache
def tolerance(name: str) -> list[Any]:
    found: list[Any] = asked("prove", name, "--tolerance", "--json")["tolerance"][name]
    return found


def tolerance_table() -> str:
    """Return the shares of printed copies of duel that go together."""
    rows = [
        "| spread | tables that go together and hold | ends of bridges a layer off |",
        "|---|---|---|",
    ]
    rows += [
        f"| ±{one['spread_mm']:.2f} mm | {100 * one['share']:.0f} % | {100 * one['uneven']:.0f} % |"
        for one in tolerance("duel")
    ]
    return "\n" + "\n".join(rows) + "\n"


def tolerance_range(spread_mm: float) -> str:
    """Return the least and the greatest share over the preset maps at a spread."""
    shares = [
        100 * one["share"]
        for name in presets.names("maps")
        for one in tolerance(name)
        if one["spread_mm"] == spread_mm
    ]
    return f"{min(shares):.0f} to {max(shares):.0f} %"


FIGURES: dict[str, Figure] = {
    "coupon.grams": lambda: coupon()[0],
    "coupon.minutes": lambda: coupon()[1].removesuffix(" min"),
    "model.most": lambda: f"{MAX_BYTES // 10**6} MB and {MAX_TRIANGLES // 10**6} million triangles",
    "duel.parts": lambda: total(1),
    "duel.grams": lambda: total(2),
    "duel.time": lambda: total(3),
    "duel.starts": lambda: format_minutes(starts()),
    "duel.plates": lambda: str(len(pieces()["plates"])),
    "duel.first-plates": first_plates,
    "duel.filaments": filaments,
    "plate.start": lambda: format_minutes(pieces()["plates"][0]["start_minutes"]),
    "event.some": lambda: event()[0],
    "event.all": lambda: event()[1],
    "hold.table": hold_table,
    "hold.economy-tower": partial(tip, "block-1x1x3", process="economy"),
    "hold.economy-four": partial(tip, "4 of block-1x1x1", process="economy"),
    "hold.economy-spire": partial(tip, "spire", process="economy"),
    "hold.economy-cap": lambda: f"{holds('economy')['water']['lift_n']:.1f}",
    "tolerance.duel": tolerance_table,
    "tolerance.presets-10": partial(tolerance_range, 0.10),
    "tolerance.presets-15": partial(tolerance_range, 0.15),
}
"""Every figure of a page by its name."""

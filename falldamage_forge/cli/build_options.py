"""Options of commands that plan or print a map: stock, cost, plates, printer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from falldamage_forge.cli import option
from falldamage_forge.cli.map_argument import FORGE
from falldamage_forge.cli.progress_bar import show_progress
from falldamage_forge.cli.spoken_language import spoken_text, wished_language, wished_say
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.pieces.piece import MAX_VARIANTS
from falldamage_forge.printing.process import MAX_FILAMENTS

if TYPE_CHECKING:
    from falldamage_forge.builds.block_costs import Minimise
    from falldamage_forge.builds.pipeline import BuildOptions, GroupBy, PrintJob
    from falldamage_forge.builds.result import BuildResult
    from falldamage_forge.cli.user_config import UserConfig
    from falldamage_forge.export.project_template import ProjectTemplate
    from falldamage_forge.infra.text_style import TextStyle
    from falldamage_forge.library.forge import Checked
    from falldamage_forge.printing.estimate_model import PrintStatistics
    from falldamage_forge.printing.print_price import Price
    from falldamage_forge.printing.tone_change import ChangeBy


SLICER = "PrusaSlicer"


def _without_cache(ctx: click.Context, param: click.Parameter, wished: bool) -> bool:
    """Disable the disk cache before the command reads anything or starts a worker."""
    from falldamage_forge.infra.disk_cache import disable

    if wished and not ctx.resilient_parsing:
        disable()
    return wished


VARIANTS = MAX_VARIANTS
"""Default number of looks of each piece."""
FILAMENTS = option.whole(
    1,
    MAX_FILAMENTS,
    "Number of filaments that you have: like colours share one, and the lists say what to "
    "load when. With 1, plates go by stage.  [default: one for each colour]",
    metavar="N",
    de="Zahl der Filamente, die du hast: ähnliche Farben teilen sich eines, und die "
    "Listen nennen, was wann zu laden ist. Mit 1 gehen Platten nach Bauabschnitt.  "
    "[Standard: eines für jede Farbe]",
)


@dataclass(frozen=True, slots=True)
class PlanWords:
    """Options that change the piece plan; those of `BuildOptions` have its names."""

    own: Path | None = option.OWN
    minimise: Minimise | None = option.choice(
        ("grams", "hours", "pieces"),
        "Cost that the cover by blocks minimises (default: about the filament).",
        de="Kosten, die die Wahl der Blöcke minimiert (Standard: etwa das Filament).",
    )
    bond: bool = option.flag(
        "Avoid aligned seams between blocks, as in a brick bond.",
        de="Vermeidet durchgehende Fugen zwischen Blöcken, wie in einem Mauerverband.",
    )
    variants: int = option.whole(
        *(1, MAX_VARIANTS, "Greatest number of looks of each piece; 1 for one look."),
        default=VARIANTS,
        metavar="N",
    )


@dataclass(frozen=True, slots=True)
class BuildWords(PlanWords):
    """Options of a build."""

    group_by: GroupBy = option.choice(
        ("colour", "stage"),
        "Property that the parts of one plate share: colour, or stage of building, base first.",
        "--plates-by",
        default="colour",
        de="Eigenschaft, die alle Teile einer Platte teilen: Farbe, oder Bauabschnitt, die"
        " Grundplatte zuerst.",
    )
    printers: int = option.whole(
        1,
        100,
        "Number of printers that share the plates.",
        default=1,
        de="Zahl der Drucker, die sich die Platten teilen.",
    )
    style_name: str = option.STYLE
    process_name: str | None = option.PROCESS
    share_g: float = option.number(
        *(0, 1000, "Colours that need less filament than this, in grams, share plates."),
        "--share",
        default=0.0,
        metavar="GRAMS",
    )
    filaments: int | None = FILAMENTS
    tops: str | None = option.TOPS
    change_by: ChangeBy = option.choice(
        ("ams", "pause"),
        "Means of the change in project.3mf: an AMS, or a pause to change the spool.",
        "--change",
        default="ams",
        de="Art des Wechsels in project.3mf: ein AMS, oder eine Pause zum Wechseln der Spule.",
    )
    price_per_kg: float | None = option.PRICE.but(
        "Price of a kilogram of filament; `fdforge printer use` stores a default.",
        type=option.Number(0, 10_000, min_open=True),
        de="Preis eines Kilogramms Filament; `fdforge printer use` speichert einen Standard.",
    )
    per_magnet: float | None = option.text(
        "Price of one magnet, for maps with `print { magnets 6x2 }`; it needs a price of filament.",
        "--magnet-price",
        metavar="MONEY",
        type=option.Number(0, 10_000, min_open=True),
        de="Preis eines Magneten, für Karten mit `print { magnets 6x2 }`; er braucht einen Preis "
        "des Filaments.",
    )
    rim: bool = option.flag(
        "Add a frame with coordinates.", de="Fügt einen Rahmen mit Koordinaten hinzu."
    )
    no_cache: bool = option.flag(
        "Make every mesh without the cache; see `fdforge cache`.",
        is_eager=True,
        callback=_without_cache,
        de="Macht jedes Netz ohne den Cache; siehe `fdforge cache`.",
    )
    slicer: bool = option.flag(
        "Slice each plate with PrusaSlicer and report its grams and minutes.",
        de="Slict jede Platte mit PrusaSlicer und nennt deren Gramm und Minuten.",
    )

    def options(self) -> BuildOptions:
        """Return the options of the library."""
        made = options_of(self, self.style_name, self.price_per_kg)
        return replace(made, tops=self.tops or "", price=self._with_magnets(made.price))

    def _with_magnets(self, price: Price | None) -> Price | None:
        """Return the price of filament with that of a magnet."""
        if self.per_magnet is None:
            return price
        if price is None:
            raise click.UsageError("--magnet-price needs --price")
        return replace(price, per_magnet=self.per_magnet)

    def built(
        self,
        checked: Checked,
        printer_name: str | None,
        options: BuildOptions | None = None,
        *,
        meshes: bool = True,
    ) -> BuildResult:
        """Return the build of a map, with PrusaSlicer's statistics if the user wants them.

        Args:
            checked: Map that can be built.
            printer_name: Name of the printer; None uses the map's or the user's.
            options: Options of the library; None for those of `options`.
            meshes: False for lists alone; see `Forge.assemble`.
        """
        made = FORGE.assemble(
            checked,
            printer_name,
            options or self.options(),
            show_progress,
            self.process_name,
            meshes or self.slicer,
        )
        return made.with_figures(slicer_figures(made.build), SLICER) if self.slicer else made


PLAN, BUILD = option.group(PlanWords), option.group(BuildWords)


def options_of(
    words: PlanWords, style_name: str, price_per_kg: float | None = None
) -> BuildOptions:
    """Return build options with the values of words of the same name, and the user's settings.

    Args:
        words: Options of a command.
        style_name: Piece style.
        price_per_kg: Price of a kilogram of filament; None uses the settings.
    """
    from falldamage_forge.builds.pipeline import BuildOptions
    from falldamage_forge.presets import load_style

    names = {one.name for one in fields(words)} & {one.name for one in fields(BuildOptions)}
    return BuildOptions(
        owned=None if words.own is None else read_stock_file(words.own),
        style=load_style(style_name),
        price=price_of(price_per_kg),
        language=wished_language(),
        **{name: getattr(words, name) for name in names - {"tops"}},
    )


def price_of(per_kg: float | None = None) -> Price | None:
    """Return the price of filament: the one given, or the one in the user's settings, or None."""
    from falldamage_forge.cli.user_config import load_settings
    from falldamage_forge.printing.print_price import Price

    wished = load_settings()
    per_unit = per_kg or wished.price_per_kg
    return Price(per_unit, wished.currency) if per_unit else None


def template_of(settings: UserConfig | None = None) -> ProjectTemplate | None:
    """Return the template in the user's saved project; None if the user has none.

    Args:
        settings: Settings that name printer and project; None reads the stored ones.

    Raises:
        ForgeError: FDF294 if the file cannot be read, FDF464 if it does not fit the printer.
    """
    from falldamage_forge.cli.user_config import load_settings

    settings = settings or load_settings()
    if not settings.project:
        return None
    from falldamage_forge.export.project_template import MAX_TEMPLATE_BYTES, read_template
    from falldamage_forge.infra.source_loader import display_name, read_bytes

    path = Path(settings.project)
    hint = "`fdforge printer use --project FILE` stores another, `printer use NAME` forgets it"
    data = read_bytes(path, display_name(path), hint, MAX_TEMPLATE_BYTES)
    return read_template(data, display_name(path), FORGE.printer(name=settings.printer))


def read_stock_file(path: Path) -> dict[str, int]:
    """Return the parts of a stock file by piece; ForgeError (FDF402, FDF403) if it is not valid."""
    from falldamage_forge.pieces.stock import read_stock
    from falldamage_forge.presets import load_catalogue

    name, text, _ = read_stock_text(path)
    return read_stock(text, name, load_catalogue().every)


def read_stock_text(path: Path) -> tuple[str, str, TextStyle]:
    """Return name, text and style of a stock file, in UTF-8 or UTF-16.

    Args:
        path: The file.

    Raises:
        ForgeError: FDF294 if it cannot be read; the hint says how one is written.
    """
    from falldamage_forge.infra.user_paths import quoted

    return read_table_text(
        path, f"`fdforge stock add PIECE COUNT --stock {quoted(path)}` writes it"
    )


def read_table_text(path: Path, hint: str) -> tuple[str, str, TextStyle]:
    """Return name, text and style of a table that a spreadsheet may have written.

    Args:
        path: The file.
        hint: The hint if there is no such file.

    Raises:
        ForgeError: FDF294 if it cannot be read.
    """
    from falldamage_forge.infra.source_loader import display_name, read_bytes
    from falldamage_forge.infra.text_style import read_style

    name = display_name(path)
    text, style = read_style(read_bytes(path, name, hint), name)
    return name, text, style


def slicer_figures(build: PrintJob) -> list[PrintStatistics]:
    """Return PrusaSlicer's statistics of each plate."""
    from falldamage_forge.printing.prusaslicer import plate_figures

    speed = build.printer.process.first_layer_mm_s
    return [plate_figures(text, speed) for text in gcodes(build)]


def gcodes(build: PrintJob) -> Iterator[str]:
    """Yield PrusaSlicer's G-code of each plate as it is written; equal plates are sliced once."""
    from falldamage_forge import presets
    from falldamage_forge.builds.output_files import plate_contents
    from falldamage_forge.export.threemf import write_plate
    from falldamage_forge.printing.prusaslicer import find_slicer, slice_plate

    find_slicer()
    contents = plate_contents(build)
    known: dict[tuple[bytes, tuple[Path, ...]], str] = {}
    for done, plate in enumerate(build.plates):
        # A change of filament is none of the slicer's: its time is added by the plate.
        data = write_plate(replace(plate, index=0, change=None), contents)
        key = (data, presets.slicer_files(build.printer, plate.group))
        if key not in known:
            show_progress(f"slicing {plate.name}", done, len(build.plates))
            known[key] = slice_plate(data, key[1])
        yield known[key]


def echo_notes(build: PrintJob) -> None:
    """Print the lines of `build_notes`."""
    for line in build_notes(build):
        click.echo(line)


def build_notes(build: PrintJob) -> Iterator[str]:
    """Yield lines in the language of this call on cover, solid plates and filaments, if any."""
    from falldamage_forge.builds.output_files import filament_plan, pause_notes
    from falldamage_forge.export.filament_list import filament_text
    from falldamage_forge.export.piece_list import model_notes
    from falldamage_forge.export.shopping_list import shopping_notes
    from falldamage_forge.printing.supports import supported_keys

    if note := cover_note(build):
        yield spoken_text(note)
    if left := idle_broken_blocks(build):
        yield spoken_text(f"blocks of the stock with broken tops that fit nowhere here: {left}")
    process = build.printer.process
    solid = [
        str(plate.index) for plate in build.plates if process.way(plate.group) == process.solid
    ]
    if solid:
        yield spoken_text(f"print solid, with infill of 100 %: plate {', '.join(solid)}")
    if keys := sorted(supported_keys(build.pieces)):
        yield spoken_text(f"printed with supports, and nothing else: {', '.join(keys)}")
    yield from model_notes(build.rows)
    yield from map(spoken_text, shopping_notes(build.magnets, build.options.price))
    yield from map(spoken_text, pause_notes(build))
    if plan := filament_plan(build):
        yield f"\n{filament_text(plan, wished_say())}"
    if build.options.change_by == "ams" and any(plate.change for plate in build.plates):
        yield spoken_text(
            "project.3mf changes filament with an AMS; `--change pause` does without one"
        )


def echo_list(build: PrintJob, form: str, **about: object) -> bool:
    """Print the piece list in a format for programs or pages; False for a table.

    Args:
        build: The job.
        form: `csv`, `json` or `markdown`; `table` prints nothing.
        about: Further keys of the JSON document.
    """
    from falldamage_forge.builds.output_files import plan_notes, plate_table
    from falldamage_forge.export import piece_list
    from falldamage_forge.export.shopping_list import shopping_notes

    rows, price = build.rows, build.options.price
    if form == "csv":
        click.echo(piece_list.csv_bytes(rows, price), nl=False)
    elif form == "json":
        data = piece_list.list_json(rows, plate_table(build), price, **about, **plan_notes(build))
        click.echo(data, nl=False)
    elif form == "markdown":
        click.echo(piece_list.markdown_table(rows, price))
        for line in shopping_notes(build.magnets, price):
            click.echo(f"\n{line}")
    return form != "table"


def piece_table(build: PrintJob) -> str:
    """Return the piece list as a table for a terminal."""
    from falldamage_forge.export.piece_list import text_table

    return text_table(build.rows, build.options.price, wished_say())


def idle_broken_blocks(build: PrintJob) -> int:
    """Return the number of owned blocks with broken tops for which the map has no place."""
    from falldamage_forge.pieces.stock import has_broken_top

    return sum(
        max(count - build.counts.get(key, 0), 0)
        for key, count in build.owned.items()
        if has_broken_top(key)
    )


def cover_note(build: PrintJob) -> str:
    """Return a line on the quality of the block cover; empty if it is proved optimal."""
    found = build.cover
    if found is None or found.proved:
        return ""
    if found.method == "greedy":
        return "blocks chosen greedily: the board is too large for the exact search"
    return "search for blocks stopped early: a division that prints less may exist"

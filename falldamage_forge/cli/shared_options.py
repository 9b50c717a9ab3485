"""Options and arguments that several commands share, each defined once."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from falldamage_forge.tones import PALETTES

if TYPE_CHECKING:
    from falldamage_forge.infra.atomic_write import Kind

Command = TypeVar("Command", bound=Callable[..., Any])


def complete_map_name(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return the preset maps and the user's files that begin with the typed text.

    Bash completes either files or given words, so files are words here if a preset begins alike.
    A folder ends in `/`; hidden files are left out.
    """
    from falldamage_forge import presets

    found = [name for name in presets.map_names() if name.startswith(incomplete)]
    if not found:
        return [CompletionItem(incomplete, type="file")]
    return [CompletionItem(word) for word in (*found, *_files_like(incomplete))]


def _files_like(begun: str) -> list[str]:
    """Return the files and folders here whose names begin with a text without `/`."""
    try:
        here = [path for path in Path().iterdir() if path.name.startswith(begun)]
    except OSError:
        return []
    shown = (path for path in here if not path.name.startswith("."))
    return sorted(f"{path.name}/" if path.is_dir() else path.name for path in shown)


class Number(click.FloatRange):
    """A number with a decimal point, in a range; a comma is refused with the right form."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the number; click.BadParameter for another text, or one out of range."""
        if isinstance(value, str) and re.fullmatch(r"[+-]?\d{1,12},\d{1,12}", value, re.ASCII):
            self.fail(f"write {value.replace(',', '.')}, with a point", param, ctx)
        return float(super().convert(value, param, ctx))


def option_group(*options: Callable[[Any], Any]) -> Callable[[Command], Command]:
    """Return a decorator that adds several options and arguments to a command, in this order."""

    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


FILE = click.Path(path_type=Path)
FOLDER = click.Path(path_type=Path, file_okay=False)

any_map_argument = partial(click.argument, shell_complete=complete_map_name)
"""Argument that is a map, or may be one."""
maps_argument = partial(any_map_argument, nargs=-1)
map_option = partial(click.option, metavar="MAP", shell_complete=complete_map_name)
map_argument = any_map_argument("map_name", metavar="MAP")

flag = partial(click.option, is_flag=True)
file_option = partial(click.option, type=FILE)


class WriteOption(click.Option):
    """An option that names where the command writes: tried before the command works.

    Attributes:
        writes: What is written there.
    """

    def __init__(self, *words: Any, writes: Kind = "file", **more: Any) -> None:
        super().__init__(*words, **more)
        self.writes = writes

    def process_value(self, ctx: click.Context, value: Any) -> Any:
        """Return the path; ForgeError (FDF295) if it cannot be written."""
        path = super().process_value(ctx, value)
        if isinstance(path, Path) and not ctx.resilient_parsing:
            output_path(path, path, self.writes)
        return path


def output_path(path: Path | None, default: Path, writes: Kind = "file") -> Path:
    """Return the path to write to, after trying it.

    Args:
        path: The path of the option, or None.
        default: The path to use without one.
        writes: What is written there.

    Raises:
        ForgeError: FDF295 if it cannot be written.
    """
    from falldamage_forge.infra.atomic_write import check_writable

    check_writable(path or default, writes)
    return path or default


write_option = partial(file_option, cls=WriteOption)
output_option = partial(write_option, "-o", "--output")
output_folder_option = partial(output_option, writes="folder")
rules_option = partial(click.option, "--rules", "--ruleset", "rules", metavar="NAME")
json_option = flag("--json", "as_json", help="Print one JSON document.")
_stock_option = partial(file_option, "--own", "--stock", "own")
own_option = _stock_option(
    help="Stock file of owned parts, a CSV with piece,count (default: the map's inventory).",
)
own_only_option = _stock_option(help="Stock file, a CSV with piece,count; only its parts are used.")
repeated_option = partial(click.option, multiple=True)
wish_option = repeated_option(
    "--wish",
    "--require",
    "wishes",
    metavar="TEXT",
    help='Requirement, such as "expect good sight"; repeatable.',
)
chests_option = click.option(
    "--chests", type=click.IntRange(0, 8), default=2, help="Number of chests."
)
tops_option = click.option(
    "--tops",
    type=click.Choice([*PALETTES]),
    help="Colour of tops, printed with one change of filament.  [default: the map's]",
)
printer_option = click.option(
    "--printer",
    "printer_name",
    help="Printer name, or printer file.  [default: the map's, yours, or a1-mini]",
)
process_option = click.option(
    "--process",
    "process_name",
    help="Process: walls and layers; see `fdforge presets`.  [default: yours, or standard]",
)
paper_option = click.option(
    "--paper", type=click.Choice(["a4", "letter"]), default="a4", help="Paper size."
)
seed_option = click.option("--seed", type=click.IntRange(0), default=1, help="Random seed.")
format_option = partial(click.option, "--format", "form", help="Output format.")

"""What every command shares: reading maps, printing issues, leaving with the right exit code."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from falldamage_forge.issues import ForgeError, Issue, SourceSpan, did_you_mean, has_errors

if TYPE_CHECKING:
    from falldamage_forge.games.setting import Setting
    from falldamage_forge.lang import Layout, Loaded
    from falldamage_forge.pipeline import Checked
    from falldamage_forge.printing.printer import Printer
    from falldamage_forge.rules.ruleset import Ruleset

MAX_SOURCE_BYTES = 1_000_000


class Sources:
    """The texts read so far by the name diagnostics call them, and the reader behind `import`."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}

    def read_main(self, path: Path) -> tuple[str, str]:
        """Name and text of a map given on the command line; ForgeError when it cannot be read."""
        name = _display(path)
        text = read_text(path, name)
        self.texts[name] = text
        return name, text

    def importer(self, root: Path) -> Callable[[str, str], tuple[str, str]]:
        """A reader for imports relative to the importing file, never outside `root`'s tree."""
        root = root.resolve()

        def read(importing: str, relative: str) -> tuple[str, str]:
            if Path(relative).is_absolute() or "\\" in relative or "\0" in relative:
                raise _unreadable(relative, "write a path relative to this file, with `/`")
            target = (Path(importing).resolve().parent / relative).resolve()
            if root not in target.parents:
                raise _unreadable(relative, "imports may not leave the folder of the map")
            name = _display(target)
            text = read_text(target, relative)
            self.texts[name] = text
            return name, text

        return read


def _display(path: Path) -> str:
    """The path as people would write it: relative to where they stand if it is below."""
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def refuse(code: str, message: str, hint: str | None = None) -> ForgeError:
    """A single error without a place, ready to raise."""
    return ForgeError([Issue(code, "error", message, hint=hint)])


def _unreadable(name: str, why: str, hint: str | None = None) -> ForgeError:
    return refuse("FDF294", f"cannot read `{name}`: {why}", hint)


def read_text(path: Path, name: str) -> str:
    """UTF-8 text of a regular file of bounded size; ForgeError (FDF294) otherwise."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise _unreadable(name, "it is not a regular file")
        if status.st_size > MAX_SOURCE_BYTES:
            raise _unreadable(name, f"it is larger than {MAX_SOURCE_BYTES // 1000} kB")
        with path.open("rb") as stream:
            data = stream.read(MAX_SOURCE_BYTES + 1)
    except FileNotFoundError:
        raise _unreadable(
            name, "there is no such file", "`fdforge presets` lists maps to try"
        ) from None
    except (OSError, ValueError) as error:
        raise _unreadable(name, getattr(error, "strerror", None) or str(error)) from None
    return decode_text(data, name)


def decode_text(data: bytes, name: str) -> str:
    """Bytes of a source as text; ForgeError (FDF294) when too long or not UTF-8."""
    if len(data) > MAX_SOURCE_BYTES:
        raise _unreadable(name, f"it is larger than {MAX_SOURCE_BYTES // 1000} kB")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _unreadable(name, f"line {line} is not UTF-8 text", "save it as UTF-8") from None


def map_path(name_or_path: str) -> Path:
    """The file of a map: a path if there is one or it looks like one, else a preset's name."""
    path = Path(name_or_path)
    if path.suffix == ".forge" or path.exists() or os.sep in name_or_path:
        return path
    from falldamage_forge import presets

    return presets.path("maps", name_or_path)


def load_loaded(name_or_path: str, sources: Sources) -> Loaded:
    """Parse and lower a map; text issues are in the result, unreadable files raise ForgeError."""
    from falldamage_forge.lang import load

    path = map_path(name_or_path)
    name, text = sources.read_main(path)
    return load(text, name, sources.importer(path.parent))


def check_map(name_or_path: str, sources: Sources, rules: str | None = None) -> Checked:
    """Load and check a map with the presets it names, under its own rules or named ones.

    What a map expects and allows is said of its own rules, and is left out under others.
    """
    from falldamage_forge import presets
    from falldamage_forge.pipeline import check

    loaded = load_loaded(name_or_path, sources)
    ruleset, unknown = ruleset_of(loaded.layout, rules)
    if rules is not None and rules != loaded.layout.rules:
        loaded = replace(loaded, layout=replace(loaded.layout, expects=(), allows=()))
    catalogue = presets.load_catalogue()
    checked = check(loaded, catalogue, ruleset, presets.load_units)
    return replace(checked, issues=(*unknown, *_unknown_names(loaded.layout), *checked.issues))


def ruleset_of(
    layout: Layout, name: str | None = None
) -> tuple[Ruleset | Setting, tuple[Issue, ...]]:
    """The rules a map names under its own options, and what is wrong with those.

    Another `name` than the map's is taken with that ruleset's own options: the map's are not for
    it. ForgeError when there is no such ruleset.
    """
    from falldamage_forge import presets

    if name is not None and name != layout.rules:
        return presets.load_rules(name), ()
    try:
        rules = presets.load_rules(layout.rules)
    except ForgeError as error:
        issues = tuple(replace(issue, span=layout.rules_source) for issue in error.issues)
        return presets.load_ruleset(), issues
    try:
        return read_under(rules, ((o.name, o.value, o.source) for o in layout.options)), ()
    except ForgeError as error:
        return rules, error.issues


def read_under(
    rules: Ruleset | Setting, pairs: Iterable[tuple[str, str | int, SourceSpan | None]]
) -> Ruleset | Setting:
    """Any game's rules under other readings; ForgeError (FDF320) names an unknown one."""
    from falldamage_forge.rules.ruleset import Ruleset, with_options

    return with_options(rules, pairs) if isinstance(rules, Ruleset) else rules.under(pairs)


def fall_damage_of(layout: Layout) -> tuple[Ruleset, tuple[Issue, ...]]:
    """Like `ruleset_of` for what only Fall Damage has; other games' maps get its defaults."""
    from falldamage_forge import presets
    from falldamage_forge.rules.ruleset import Ruleset

    rules, issues = ruleset_of(layout)
    return (rules, issues) if isinstance(rules, Ruleset) else (presets.load_ruleset(), issues)


def _unknown_names(layout: Layout) -> tuple[Issue, ...]:
    """A printer or pieces that the map names and nobody knows."""
    from falldamage_forge import presets

    issues: list[Issue] = []
    catalogue = presets.load_catalogue()
    for owned in layout.inventory:
        if owned.piece not in catalogue.pieces:
            hint = did_you_mean(owned.piece, catalogue.pieces)
            message = f"no piece called `{owned.piece}`"
            issues.append(Issue("FDF400", "error", message, owned.source, hint=hint))
    if layout.printing.printer is not None:
        try:
            presets.load_printer(layout.printing.printer)
        except ForgeError as error:
            issues += (replace(issue, span=layout.printing.source) for issue in error.issues)
    return tuple(issues)


def echo_issues(issues: Iterable[Issue], sources: Sources, *, err: bool = True) -> None:
    """Print issues in the pretty form, coloured on a terminal."""
    from falldamage_forge.diagnostics.text import render_text

    stream = sys.stderr if err else sys.stdout
    colour = stream.isatty() and "NO_COLOR" not in os.environ
    text = render_text(tuple(issues), sources.texts, colour=colour)
    if text:
        click.echo(text, err=err, color=colour)


def fail(issues: Iterable[Issue], sources: Sources) -> None:
    """Print issues and exit 1."""
    echo_issues(issues, sources)
    sys.exit(1)


def stop_on_errors(issues: tuple[Issue, ...], sources: Sources) -> None:
    """Print issues; exit 1 if any of them is an error."""
    echo_issues(issues, sources)
    if has_errors(issues):
        sys.exit(1)


def print_failure(error: ForgeError) -> None:
    """The last resort of `main`: issues that no command caught."""
    echo_issues(error.issues, Sources())


def show_progress(what: str) -> None:
    """One changing line, on a terminal only."""
    if sys.stderr.isatty():
        click.echo(f"\r\033[K{what}", nl=False, err=True)


def printer_called(name_or_path: str) -> Printer:
    """A printer by the name of a preset, or by the path of a file of one's own."""
    from falldamage_forge import presets
    from falldamage_forge.printing.printer import printer_from_table
    from falldamage_forge.tables import parse_toml

    path = Path(name_or_path)
    if path.suffix != ".toml" and os.sep not in name_or_path:
        return presets.load_printer(name_or_path)
    name = _display(path)
    table = presets.with_estimate(parse_toml(read_text(path, name), name))
    return printer_from_table(table, path.stem, name)


def printer_of(layout: Layout, name: str | None) -> Printer:
    """The printer of the command line, of the map, or the A1 mini, with the map's own fits."""
    wished = layout.printing
    printer = printer_called(name or wished.printer or "a1-mini")
    return replace(
        printer,
        fit_mm=printer.fit_mm if wished.fit_mm is None else wished.fit_mm,
        seam_mm=printer.seam_mm if wished.seam_mm is None else wished.seam_mm,
    )

"""`fdforge new`: create a map from a playable template."""

from __future__ import annotations

import re
from pathlib import Path

import click

from falldamage_forge import presets
from falldamage_forge.cli import option
from falldamage_forge.cli.spoken_language import echo
from falldamage_forge.infra.user_paths import quoted
from falldamage_forge.issues import ForgeError, refuse
from falldamage_forge.lang.new_map_template import TEMPLATE


@option.command
def command(
    name: str = option.argument(),
    rules: str | None = option.RULES.but(
        "Ruleset of another game; adds a table for your own units.",
        de="Regelwerk eines anderen Spiels; fügt eine Tabelle für eigene Einheiten hinzu.",
    ),
    source: Path | None = option.FROM.but(
        "Heights of a picture, CSV, .vox, .tmx, .tmj, .uvtt, .dd2vtt or STL landscape.",
        de="Höhen eines Bildes, einer CSV-, .vox-, .tmx-, .tmj-, .uvtt- oder .dd2vtt-Datei"
        " oder einer STL-Landschaft.",
    ),
    board: str = option.text(
        "With --from: size in tiles.",
        metavar="CxR",
        default="10x10",
        de="Mit --from: Größe in Feldern.",
    ),
    levels: int = option.whole(
        1, 12, "With --from: highest level.", default=3, de="Mit --from: größte Höhe."
    ),
) -> None:
    """Write NAME.forge, a small playable map to edit. Never overwrites a file.

    With --rules also write NAME.toml, the ruleset's table with units to edit: `--rules NAME.toml`.
    With --from the map has the heights of a file, with starts, and ladders between its terraces.
    """
    path = Path(name if name.endswith(".forge") else f"{name}.forge")
    table = path.with_suffix(".toml")
    title = re.sub(r"[^\w ]+", " ", path.stem.replace("-", " ").replace("_", " ")).strip().title()
    title = title or "A new table"
    if source is not None:
        _from_heights(path, source, board, levels, title, rules)
        return
    if rules is None or rules == presets.DEFAULT_RULES:
        _write(path, TEMPLATE.format(title=title))
        word = quoted(path)
        echo(f"{path} written; try `fdforge check {word}` and `fdforge build {word}`")
        return
    own = presets.path("rulesets", rules).read_text("utf-8")
    text = presets.path("templates", rules).read_text("utf-8")
    if path.exists():
        raise _there(path)
    _write(table, own)
    _write(path, text.format(title=title, map=path.name, table=table.name))
    words = f"analyze {quoted(path)} --rules {quoted(_as_file(table))}"
    echo(f"{path} and {table} written; try `fdforge {words}`")


def _from_heights(
    path: Path, source: Path, board: str, levels: int, title: str, rules: str | None
) -> None:
    """Write a map with the heights of a file, once its text has no error."""
    from falldamage_forge.board import BOARD_STEP, MAX_BOARD
    from falldamage_forge.cli.map_argument import FORGE, stop_on_errors
    from falldamage_forge.infra.source_loader import display_name, read_bytes
    from falldamage_forge.models.height_file import MAX_BYTES, height_grid
    from falldamage_forge.models.height_levels import map_text

    sizes = re.fullmatch("([0-9]{1,2})x([0-9]{1,2})", board)
    cols, rows = (int(sizes[1]), int(sizes[2])) if sizes else (0, 0)
    if min(cols, rows) < BOARD_STEP or max(cols, rows) > MAX_BOARD or cols % 5 or rows % 5:
        raise click.UsageError("--board is columns x rows, multiples of 5 up to 50: 15x10")
    if rules is not None:
        raise click.UsageError("--from makes a map of Fall Damage; change its `rules` afterwards")
    name = display_name(source)
    data = read_bytes(source, name, "write the path of a file", MAX_BYTES)
    text = map_text(height_grid(data, name), title, cols, rows, levels)
    checked = FORGE.check(FORGE.loads(text, path.name))
    stop_on_errors(checked.map.issues, checked.map.texts)
    _write(path, text)
    verdict = "playable" if checked.ok else "not playable yet"
    echo(f"{path} written: {verdict}; try `fdforge check {quoted(path)}`")


def _as_file(path: Path) -> str:
    """Return a path that cannot be mistaken for the name of a preset."""
    return str(path) if path.parent.name else f"./{path}"


def _write(path: Path, text: str) -> None:
    from falldamage_forge.infra.atomic_write import create_file

    if not create_file(path, text.encode()):
        raise _there(path)


def _there(path: Path) -> ForgeError:
    return refuse("FDF295", f"`{path}` is there already", "choose another name")

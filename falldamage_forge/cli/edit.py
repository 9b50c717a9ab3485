"""`fdforge edit`: gestures on a map as the smallest edits of its text."""

from __future__ import annotations

import difflib
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from falldamage_forge.cli import complete
from falldamage_forge.cli.common import stop_on_errors

if TYPE_CHECKING:
    from falldamage_forge.lang.edit import Answer, Edited
    from falldamage_forge.lang.edit.engine import Copies


@click.command()
@click.argument("map_name", metavar="MAP", shell_complete=complete.maps)
@click.argument("gesture", nargs=-1, required=True, metavar="GESTURE...")
@click.option("--write", is_flag=True, help="Write the file instead of printing what would change.")
@click.option(
    "--copies",
    type=click.Choice(["ask", "all", "here"]),
    default="ask",
    show_default=True,
    help="What becomes of a piece that is placed more than once.",
)
@click.option(
    "--brush/--no-brush",
    default=True,
    help="Do it to the images under an expected symmetry too (a written one always counts).",
)
@click.option("--json", "as_json", is_flag=True, help="Print text, edits and undo for machines.")
def command(
    map_name: str,
    gesture: tuple[str, ...],
    write: bool,
    copies: Copies,
    brush: bool,
    as_json: bool,
) -> None:
    """Change MAP by a GESTURE such as `raise D4..E5`, and print the change of its text.

    \b
    raise AREA [by N]         lower AREA [by N]        paint AREA level N
    tree|spire|lava|water|step|treasure AREA           battlement AREA [sides north …]
    railing|obstruction|pitfall|gate AREA …            field heavy-g AREA, base SIDE AREA
    clear railing|tree|… AREA                          move railing|… TILE to TILE
    bridge A B [level N] [arch]                        ladder FOOT TOP
    start SIDE AREA           erase AREA               move|copy AREA to TILE [rotate 90] …
    rotate AREA 90            mirror AREA x            stamp NAME at TILE [rotate 90] …
    move treasure A to B      symmetry rotate 180 [swap red blue], symmetry off
    rename OLD NEW
    """
    from falldamage_forge.called import map_path
    from falldamage_forge.files import Sources
    from falldamage_forge.issues import refuse
    from falldamage_forge.lang import load
    from falldamage_forge.lang.edit import Edited, Question, Refused, as_table, edit, gesture_of
    from falldamage_forge.lang.edit.gestures import Impossible
    from falldamage_forge.lang.facts import Extent

    path = map_path(map_name)
    if write and path != Path(map_name):
        raise click.UsageError(
            f"`{map_name}` comes with the forge; `fdforge new` makes one to edit"
        )
    sources = Sources()
    name, text = sources.read_main(path)
    read = sources.importer(path.parent)
    loaded = load(text, name, read)
    stop_on_errors(loaded.issues, sources.texts)
    board = loaded.layout.board
    words = " ".join(gesture)
    try:
        wanted = gesture_of(words, Extent(board.rows, board.cols))
    except Impossible as error:
        raise click.UsageError(str(error)) from None
    answer: Answer = edit(text, wanted, name, read, copies=copies, brush=brush, label=words)
    if as_json:
        click.echo(json.dumps(as_table(answer), indent=2))
        sys.exit(0 if isinstance(answer, Edited) else 1)
    if isinstance(answer, Refused):
        place = f" ({answer.source.file}:{answer.source.line})" if answer.source else ""
        raise refuse("FDF011", f"`{words}` cannot be done: {answer.why}{place}")
    if isinstance(answer, Question):
        _ask(answer.message, (("all", answer.all), ("here", answer.here)), text, name)
        sys.exit(1)
    if not write:
        click.echo(_diff(text, answer.text, name), nl=False)
    elif answer.edits:
        from falldamage_forge.staging import write_file

        write_file(path, answer.text.encode())
        click.echo(f"{name}: {words}")


def _ask(
    message: str, choices: tuple[tuple[str, Edited | None], ...], text: str, name: str
) -> None:
    """The ways there are, each with the option that takes it and what it changes."""
    click.echo(message, err=True)
    for word, done in choices:
        if done is not None:
            click.echo(f"\n--copies {word}:", err=True)
            click.echo(_diff(text, done.text, name), nl=False, err=True)


def _diff(before: str, after: str, name: str) -> str:
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    return "".join(difflib.unified_diff(old, new, name, f"{name} (edited)"))

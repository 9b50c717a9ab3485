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
from falldamage_forge.issues import ForgeError, refuse

if TYPE_CHECKING:
    from falldamage_forge.lang.edit import Edited, Refused
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
@click.option("--anyway", is_flag=True, help="Do it even where it breaks the map.")
@click.option("--json", "as_json", is_flag=True, help="Print text, edits and undo for machines.")
def command(
    map_name: str,
    gesture: tuple[str, ...],
    write: bool,
    copies: Copies,
    brush: bool,
    anyway: bool,
    as_json: bool,
) -> None:
    """Change MAP by a GESTURE such as `raise D4..E5`, and print the change of its text.

    A gesture after which the table could not be built any more is refused with what `check` would
    say of it; whether it can be played yet does not count.

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
    from falldamage_forge.edits import gesture as do
    from falldamage_forge.forge import Forge
    from falldamage_forge.lang.edit import Edited, Question, Refused, as_table
    from falldamage_forge.lang.edit.gestures import Impossible

    path = map_path(map_name)
    if write and path != Path(map_name):
        raise click.UsageError(
            f"`{map_name}` comes with the forge; `fdforge new` makes one to edit"
        )
    forge = Forge()
    map_ = forge.load(path)
    stop_on_errors(map_.issues, map_.texts)
    text, name, words = map_.text, map_.name, " ".join(gesture)
    try:
        answer = do(forge, map_, words, copies, brush, anyway=anyway)
    except Impossible as error:
        raise click.UsageError(str(error)) from None
    if as_json:
        click.echo(json.dumps(as_table(answer), indent=2))
        sys.exit(0 if isinstance(answer, Edited) else 1)
    if isinstance(answer, Refused):
        raise _refusal(words, answer)
    if isinstance(answer, Question):
        _ask(answer.message, (("all", answer.all), ("here", answer.here)), text, name)
        sys.exit(1)
    if not write:
        click.echo(_diff(text, answer.text, name), nl=False)
    elif answer.edits:
        from falldamage_forge.staging import write_file

        write_file(path, answer.text.encode())
        click.echo(f"{name}: {words}")


def _refusal(words: str, answer: Refused) -> ForgeError:
    """Why a gesture is not done, in the words of `check` where it would break the map."""
    place = f" ({answer.source.file}:{answer.source.line})" if answer.source else ""
    if not answer.issues:
        return refuse("FDF011", f"`{words}` cannot be done: {answer.why}{place}")
    first = answer.issues[0]
    hint = f"{first.hint}; `--anyway` does it all the same" if first.hint else None
    why = f"{answer.why} ({first.code})"
    return refuse("FDF011", f"`{words}` would break the map: {why}", hint)


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

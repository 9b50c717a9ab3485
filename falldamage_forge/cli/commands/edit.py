"""`fdforge edit`: apply a gesture to a map as the smallest edit of its text."""

from __future__ import annotations

import difflib
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from falldamage_forge.cli import option
from falldamage_forge.cli.map_argument import stop_on_errors
from falldamage_forge.cli.rewriting import require_rewritable, rewrite
from falldamage_forge.cli.spoken_language import echo
from falldamage_forge.issues import ForgeError, refuse

if TYPE_CHECKING:
    from falldamage_forge.lang.edit import EditRefused, EditResult
    from falldamage_forge.lang.edit.edit_synthesis import Copies


@option.command
def command(
    map_name: str = option.MAP,
    gesture: tuple[str, ...] = option.argument("GESTURE...", nargs=-1, required=True),
    write: bool = option.flag(
        "Write the file instead of printing the change.",
        de="Schreibt die Datei, statt die Änderung zu zeigen.",
    ),
    copies: Copies = option.choice(
        ["ask", "all", "here"],
        "Effect on a piece that is placed more than once.",
        default="ask",
        de="Wirkung auf ein Teil, das mehrmals gesetzt ist.",
    ),
    brush: bool = option.text(
        "Apply the gesture to the images under an expected symmetry, too (a declared symmetry "
        "always applies).",
        "--brush/--no-brush",
        default=True,
        de="Wendet die Geste auch auf die Bilder unter einer erwarteten Symmetrie an (eine"
        " deklarierte gilt immer).",
    ),
    force: bool = option.FORCE,
    anyway: bool = option.flag(
        "Apply the gesture even if the map becomes illegal.",
        de="Wendet die Geste auch an, wenn die Karte ungültig wird.",
    ),
    as_json: bool = option.JSON.but(
        "Print text, edits and undo as JSON.",
        de="Schreibt Text, Änderungen und Rücknahme als JSON.",
    ),
) -> None:
    """Change MAP by a GESTURE such as `raise D4..E5`, and print the change of its text.

    A gesture that makes the board illegal is refused with the issues of `check`; playability does
    not matter yet.

    \b
    raise AREA [by N]         lower AREA [by N]        paint AREA level N
    tree|spire|lava|water|step|treasure AREA           battlement AREA [sides north …]
    railing|obstruction|pitfall|gate AREA …            field heavy-g AREA, base SIDE AREA
    clear railing|tree|… AREA                          move railing|… TILE to TILE
    bridge A B [level N] [arch]                        ladder FOOT TOP
    start SIDE AREA           erase AREA               move|copy AREA to TILE [rotate 90] …
    rotate AREA 90            mirror AREA x            stamp NAME at TILE [rotate 90] …
    move treasure A to B      symmetry rotate 180 [swap red blue], symmetry off
    erase one TILE [toward TILE]                       rename OLD NEW
    """
    from falldamage_forge.lang.edit import AmbiguousEdit, EditRefused, EditResult, as_table
    from falldamage_forge.lang.edit.gestures import InvalidGesture
    from falldamage_forge.library.forge import Forge
    from falldamage_forge.library.map_edits import gesture as do
    from falldamage_forge.maps.resolve import resolve_map_path

    path = resolve_map_path(map_name)
    if write and path != Path(map_name):
        raise click.UsageError(
            f"`{map_name}` comes with the forge; `fdforge new` makes one to edit"
        )
    if write:
        require_rewritable(path, force)
    forge = Forge()
    map_ = forge.load(path)
    stop_on_errors(map_.issues, map_.texts)
    text, name, words = map_.text, map_.name, " ".join(gesture)
    try:
        answer = do(forge, map_, words, copies, brush, anyway=anyway)
    except InvalidGesture as error:
        raise click.UsageError(str(error)) from None
    if as_json:
        click.echo(json.dumps(as_table(answer), indent=2))
        sys.exit(0 if isinstance(answer, EditResult) else 1)
    if isinstance(answer, EditRefused):
        raise _refusal(words, answer)
    if isinstance(answer, AmbiguousEdit):
        _ask(answer.message, (("all", answer.all), ("here", answer.here)), text, name)
        sys.exit(1)
    if not write:
        click.echo(_diff(text, answer.text, name), nl=False)
    elif answer.edits:
        rewrite(path, answer.text, force)
        echo(f"{name}: {words}")


def _refusal(words: str, answer: EditRefused) -> ForgeError:
    """Return the error for a refused gesture, with the issues of `check` if it breaks the map."""
    place = f" ({answer.source.file}:{answer.source.line})" if answer.source else ""
    if not answer.issues:
        return refuse("FDF011", f"`{words}` cannot be done: {answer.why}{place}")
    first = answer.issues[0]
    hint = f"{first.hint}; `--anyway` does it all the same" if first.hint else None
    why = f"{answer.why} ({first.code})"
    return refuse("FDF011", f"`{words}` would break the map: {why}", hint)


def _ask(
    message: str, choices: tuple[tuple[str, EditResult | None], ...], text: str, name: str
) -> None:
    """Print the possible edits, each with its option and its change."""
    click.echo(message, err=True)
    for word, done in choices:
        if done is not None:
            echo(f"\n--copies {word}:", err=True)
            click.echo(_diff(text, done.text, name), nl=False, err=True)


def _diff(before: str, after: str, name: str) -> str:
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    return "".join(difflib.unified_diff(old, new, name, f"{name} (edited)"))

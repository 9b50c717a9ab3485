"""`fdforge ask`: the questions of a game by name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from falldamage_forge.cli import play

if TYPE_CHECKING:
    from falldamage_forge.rules.position import Position
    from falldamage_forge.rules.questions import Argument, Question


@click.command()
@play.asks
@click.argument("question", required=False)
@click.argument("given", nargs=-1, metavar="[NAME=VALUE]...")
def command(
    position: Position, question: str | None, given: tuple[str, ...], as_json: bool, map_: object
) -> None:
    """Answer a QUESTION of the rules of MAP, or list the questions when none is named.

    Lengths are written `30mm`, `1/2in`; places `E5` or `E5@2`; several with commas.
    """
    del map_
    from falldamage_forge.rules.questions import ask, questions_of, told_lines

    if question is None:
        known = questions_of(position)
        if not known:
            raise position.game.silent("questions by name")
        if as_json:
            play.echo_json(list(map(_row, known.values())))
        else:
            _list(position, known.values())
        return
    answer = ask(position, question, play.pairs(given, "it as"))
    if as_json:
        play.echo_json(answer.json())
        return
    for line in told_lines(answer):
        click.echo(line)


def _list(position: Position, known: Iterable[Question]) -> None:
    click.echo(f"questions of {position.game.title}:")
    for question in known:
        click.echo(" ".join([question.name, *map(_shown, question.arguments)]))
        click.echo(f"    {question.text}")


def _shown(argument: Argument) -> str:
    from falldamage_forge.rules.questions import example

    text = f"{argument.name}={example(argument.hint)}"
    return text if argument.needed and argument.name != "unit" else f"[{text}]"


def _row(question: Question) -> dict[str, object]:
    from falldamage_forge.rules.questions import example

    takes = {argument.name: example(argument.hint) for argument in question.arguments}
    needs = [argument.name for argument in question.arguments if argument.needed]
    return {"question": question.name, "takes": takes, "needs": needs, "text": question.text}

"""`fdforge ask`: answer a ruleset's queries by name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from falldamage_forge.cli import option, query_options
from falldamage_forge.cli.spoken_language import echo

if TYPE_CHECKING:
    from falldamage_forge.rules.position import Position
    from falldamage_forge.rules.query_registry import Query, QueryArgument, QueryResult


@query_options.command
def command(
    asked: query_options.Question = query_options.QUESTION,
    question: str | None = option.argument(required=False),
    given: tuple[str, ...] = option.argument("[NAME=VALUE]...", nargs=-1),
) -> None:
    """Answer a QUESTION about the rules of MAP, or list the questions if none is given.

    Lengths are written `30mm`, `1/2in`, places `E5` or `E5@2`, lists with commas.
    """
    from falldamage_forge.rules.query_registry import format_result, questions_of, run_query

    position = asked.position()
    if question is None:
        known = questions_of(position)
        if not known:
            raise position.game.not_in_rules_error("questions by name")
        if asked.as_json:
            query_options.echo_json(list(map(_row, known.values())))
        else:
            _list(position, known.values())
        return
    answer = run_query(position, question, query_options.parse_key_values(given, "it as"))
    if asked.as_json:
        query_options.echo_json(answer.json())
        return
    if not _tell_as_command(position, answer):
        for line in format_result(answer):
            echo(line)


def _tell_as_command(position: Position, answer: QueryResult) -> bool:
    """Print the answer of a question that is a command too; False if it is none."""
    from falldamage_forge.cli.commands import los, path, push, reach, targets
    from falldamage_forge.rules.answers import Path, PushResult, Reach, Sight, Targets

    match answer.value:
        case Reach():
            reach.tell(answer.value)
        case Path():
            path.tell(answer.value)
        case Targets():
            targets.tell(answer.value)
        case PushResult():
            push.tell(position, str(answer.given["target"]), answer.value)
        case Sight():
            viewer, target = (str(answer.given[name]) for name in ("viewer", "target"))
            los.tell(position.place(viewer), position.place(target), answer.value)
        case _:
            return False
    return True


def _list(position: Position, known: Iterable[Query]) -> None:
    echo(f"questions of {position.game.title}:")
    aliases = {name: alias for alias, name in position.game.question_aliases.items()}
    for question in known:
        echo(" ".join([question.name, *map(_shown, question.arguments)]))
        alias = aliases.get(question.name)
        echo(f"    {question.text}" + (f" Alias: {alias}." if alias else ""))


def _shown(argument: QueryArgument) -> str:
    from falldamage_forge.rules.query_registry import example

    text = f"{argument.name}={example(argument.hint)}"
    return text if argument.needed and not argument.is_plain_unit else f"[{text}]"


def _row(question: Query) -> dict[str, object]:
    from falldamage_forge.rules.query_registry import example

    takes = {argument.name: example(argument.hint) for argument in question.arguments}
    needs = [argument.name for argument in question.arguments if argument.needed]
    return {"question": question.name, "takes": takes, "needs": needs, "text": question.text}

"""`fdforge explain`: explain an issue code."""

from __future__ import annotations

import click

from falldamage_forge.cli import option
from falldamage_forge.cli.spoken_language import echo


@option.command
def command(
    code: str | None = option.argument(required=False),
) -> None:
    """Explain the cause and correction of CODE (such as FDF101); without CODE list all codes."""
    from falldamage_forge.cli.spoken_language import wished_language, wished_say
    from falldamage_forge.diagnostics.code_registry import codes_in, explain
    from falldamage_forge.issues import did_you_mean, refuse
    from falldamage_forge.issues.code_tables import codes

    if code is None:
        say = wished_say()
        for entry in codes_in(wished_language()).values():
            echo(f"{entry.code}  {say(entry.severity):<7}  {entry.title}")
        return
    page = explain(code, wished_language())
    if page is None:
        raise refuse("FDF298", f"no code `{code}`", did_you_mean(code.upper(), codes()))
    click.echo(page)

"""`fdforge explain`: explain an issue code."""

from __future__ import annotations

import click


@click.command()
@click.argument("code", required=False)
def command(code: str | None) -> None:
    """Explain the cause and correction of CODE (such as FDF101); without CODE list all codes."""
    from falldamage_forge.diagnostics.code_registry import codes, explain
    from falldamage_forge.issues import did_you_mean, refuse

    if code is None:
        for entry in codes().values():
            click.echo(f"{entry.code}  {entry.severity:<7}  {entry.title}")
        return
    page = explain(code)
    if page is None:
        raise refuse("FDF298", f"no code `{code}`", did_you_mean(code.upper(), codes()))
    click.echo(page)

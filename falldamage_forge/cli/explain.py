"""`fdforge explain`: why a code is raised and how to mend it."""

from __future__ import annotations

import click


@click.command()
@click.argument("code", required=False)
def command(code: str | None) -> None:
    """Tell why CODE (such as FDF101) is raised and how to mend it; without CODE, list them all."""
    from falldamage_forge.diagnostics.catalogue import codes, explain
    from falldamage_forge.issues import did_you_mean, refuse

    if code is None:
        for entry in codes().values():
            click.echo(f"{entry.code}  {entry.severity:<7}  {entry.title}")
        return
    page = explain(code)
    if page is None:
        raise refuse("FDF298", f"no code `{code}`", did_you_mean(code.upper(), codes()))
    click.echo(page)

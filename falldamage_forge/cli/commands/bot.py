"""`fdforge bot`: play for another program, by JSON lines."""

from __future__ import annotations

import sys

import click

from falldamage_forge.cli import option
from falldamage_forge.playtest.bot_names import BOT_NAMES


@option.command
def command(
    name: str = option.argument("NAME", type=click.Choice(BOT_NAMES)),
) -> None:
    """Answer for the bot NAME: read requests as JSON lines, and print one answer for each.

    docs/bots.md describes the requests. The command ends with the input.
    """
    from falldamage_forge import presets
    from falldamage_forge.playtest.external_bot import serve

    serve(name, sys.stdin, click.echo, presets.load_kit())

"""`fdforge guide`: write the pages that explain how to play."""

from __future__ import annotations

import json
from pathlib import Path

from falldamage_forge.cli import option
from falldamage_forge.cli.map_argument import FORGE
from falldamage_forge.cli.spoken_language import echo, wished_language


@option.command
def command(
    output: Path = option.output("Output file, a PDF.", default=Path("how-to-play.pdf")),
    paper: str = option.PAPER,
) -> None:
    """Write how to play: four pages of rules with worked examples, and a page on your first game.

    The game is by Jasper Wentworth (FallDamage.fun); the text and the pictures are our own.
    """
    from falldamage_forge import presets
    from falldamage_forge.infra.atomic_write import write_file
    from falldamage_forge.render.how_to_play import guide, how_to_play

    situations = json.loads(presets.load_text("play", "situations.json"))["examples"]
    titles = {name: unit.title for name, unit in presets.load_units().items()}
    board = FORGE.load(guide().first.map).board
    pages = how_to_play(situations, presets.load_kit(), board, titles, paper, wished_language())
    write_file(output, pages)
    echo(f"{output}")

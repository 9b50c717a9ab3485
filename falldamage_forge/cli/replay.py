"""`fdforge replay`: a recorded game again, step by step or as a page."""

from __future__ import annotations

from pathlib import Path

import click

from falldamage_forge.cli.table import read_json


@click.command()
@click.argument("record", metavar="RECORD", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE.html",
    help="Write one offline page that plays the game.",
)
@click.option("--json", "as_json", is_flag=True, help="Print every step as JSON.")
@click.option("--check", is_flag=True, help="Only tell whether every move of it holds.")
def command(record: Path, output: Path | None, as_json: bool, check: bool) -> None:  # fmt: skip
    """Step through the game of RECORD: each move, what happened, and how it ended.

    A record that does not hold is told with its first wrong entry, exit code 1.
    """
    import json

    from falldamage_forge import presets
    from falldamage_forge.games.fall_damage.play import Game
    from falldamage_forge.playtest.replay import frames, replay_page
    from falldamage_forge.staging import write_file

    kit, document = presets.load_kit(), read_json(record, "FDF384")
    game = Game.from_record(document, kit)
    if check:
        click.echo(f"{len(game.moves)} moves hold; result: {game.result or 'not over'}")
        return
    if output is not None:
        write_file(output, replay_page(document, kit).encode())
        return
    shown = frames(document, kit)
    if as_json:
        steps = [{key: f[key] for key in ("round", "side", "move", "events")} for f in shown]
        result = {"moves": len(game.moves), "result": game.result, "steps": steps}
        click.echo(json.dumps(result, indent=2))
        return
    for number, frame in enumerate(shown):
        click.echo(f"{number:4}  round {frame['round']:2}  {frame['move']}")
        for event in frame["events"]:
            click.echo(f"{'':16}{event}")
    click.echo(f"result: {game.result or 'not over'}")

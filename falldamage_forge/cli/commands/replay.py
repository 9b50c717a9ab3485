"""`fdforge replay`: show or verify a recorded game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from falldamage_forge.cli import option
from falldamage_forge.cli.game_input import read_json
from falldamage_forge.cli.spoken_language import echo

if TYPE_CHECKING:
    from falldamage_forge.games.fall_damage.play import BoardGame


@option.command
def command(
    record: Path = option.argument("RECORD", type=option.FILE),
    output: Path | None = option.output(
        "Offline page that replays the game.",
        metavar="FILE.html",
        de="Seite, die das Spiel offline nachspielt.",
    ),
    as_json: bool = option.JSON.but(
        "Print every step as JSON.", de="Schreibt jeden Schritt als JSON."
    ),
    check: bool = option.flag(
        "Verify every move and print only the verdict.",
        de="Prüft jeden Zug und nennt nur das Urteil.",
    ),
) -> None:
    """Print the game of RECORD in steps: each move, its events, and the result.

    A record that does not replay is reported with its first wrong entry and exit code 1.
    """
    import json

    from falldamage_forge import presets
    from falldamage_forge.games.fall_damage.play import BoardGame
    from falldamage_forge.infra.atomic_write import write_file
    from falldamage_forge.playtest.playtest_page import frames, replay_page

    kit, document = presets.load_kit(), read_json(record, "FDF384")
    game = BoardGame.from_record(document, kit)
    if check:
        echo(f"{len(game.moves)} moves hold; result: {game.result or 'not over'}")
        _tell_undos(game)
        return
    if output is not None:
        from falldamage_forge.render.silhouettes import silhouette_paths

        outlines = silhouette_paths(presets.load_catalogue())
        write_file(output, replay_page(document, kit, outlines).encode())
        return
    shown = frames(document, kit)
    if as_json:
        steps = [{key: f[key] for key in ("round", "side", "move", "events")} for f in shown]
        undos = [undo._asdict() for undo in game.undos]
        result = {
            "moves": len(game.moves), "undos": undos, "result": game.result, "steps": steps,
        }  # fmt: skip
        click.echo(json.dumps(result, indent=2))
        return
    for number, frame in enumerate(shown):
        echo(f"{number:4}  round {frame['round']:2}  {frame['move']}")
        for event in frame["events"]:
            echo(f"{'':16}{event}")
    _tell_undos(game)
    echo(f"result: {game.result or 'not over'}")


def _tell_undos(game: BoardGame) -> None:
    """Print the number of undos, if there are any."""
    if game.undos:
        moves = sum(undo.moves for undo in game.undos)
        echo(f"undos: {len(game.undos)}, moves taken back: {moves}")

"""What the commands that play share: a map's board under rules, options by name, records."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from falldamage_forge.board import Board
    from falldamage_forge.games.fall_damage.options import Options

option_option = click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE",
    help="A reading of the rules: `edge=void`, `turn-size=exactly-two`, `G07=exactly_two`.",
)  # fmt: skip


def pairs_of(texts: Iterable[str]) -> dict[str, str]:
    """Options by name from `NAME=VALUE` texts."""
    found = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign:
            raise click.UsageError(f"write --option NAME=VALUE, not `{text}`")
        found[name.strip()] = value.strip()
    return found


def open_board(map_name: str) -> tuple[Board, Options]:
    """A map's board and the options of its rules; exits 1 on errors, refuses other games' maps."""
    from falldamage_forge.cli.common import FORGE, checked_map
    from falldamage_forge.games.fall_damage.game import FallDamage
    from falldamage_forge.issues import refuse

    map_ = checked_map(map_name).map
    rules, _ = FORGE.game(map_)
    if not isinstance(rules, FallDamage):
        message = f"the map is for `{rules.name}`; only Fall Damage is played here"
        raise refuse("FDF366", message, "`fdforge compare` and `analyze` speak of every game")
    return map_.board, rules.options


def read_json(file: Path, code: str) -> dict[str, Any]:
    """The object of a JSON file; ForgeError with the code when it is none."""
    from falldamage_forge.files import read_text
    from falldamage_forge.issues import refuse

    try:
        found = json.loads(read_text(file, str(file)))
    except (ValueError, RecursionError) as error:
        raise refuse(code, f"`{file}` is not valid JSON: {error}") from None
    if not isinstance(found, dict):
        raise refuse(code, f"`{file}` holds no JSON object")
    return found

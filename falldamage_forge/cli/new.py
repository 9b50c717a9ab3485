"""`fdforge new`: a map of one's own from a template that is already playable."""

from __future__ import annotations

import re
from pathlib import Path

import click

from falldamage_forge.cli.common import refuse

TEMPLATE = """\
forge 1
title "{title}"
players 2
board 10x10

# One cell per tile: `.` is bare board, a digit the column's level.
# After it: T tree, ^ spire, ! lava, ~ water, $ treasure.
map {{
     | A  B  C  D  E  F  G  H  I  J
   1 | .  .  .  .  .  .  .  .  .  .
   2 | .  .  .  .  .  .  .  .  .  .
   3 | .  .  1  1  .  .  .  .  T  .
   4 | .  .  1  2  .  .  .  .  .  .
   5 | .  .  .  2$ .  .  .  .  .  .
   6 | .  .  .  .  .  .  2$ .  .  .
   7 | .  .  .  .  .  .  2  1  .  .
   8 | .  T  .  .  .  .  1  1  .  .
   9 | .  .  .  .  .  .  .  .  .  .
  10 | .  .  .  .  .  .  .  .  .  .
}}
bridge D4 -> G4 level 2
bridge D7 -> G7 level 2
stack G4, D7 height 2
ladder H4 -> G4
ladder C7 -> D7
start red at B1..I1
start blue at B10..I10

expect reachable treasure
"""


@click.command()
@click.argument("name")
def command(name: str) -> None:
    """Write NAME.forge, a small playable map to change as you like. Never overwrites a file."""
    path = Path(name if name.endswith(".forge") else f"{name}.forge")
    title = re.sub(r"[^\w ]+", " ", path.stem.replace("-", " ").replace("_", " ")).strip().title()
    try:
        with path.open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(TEMPLATE.format(title=title or "A new table"))
    except FileExistsError:
        raise refuse("FDF295", f"`{path}` is there already", "choose another name") from None
    except OSError as error:
        raise refuse("FDF295", f"cannot write `{path}`: {error.strerror}", None) from None
    click.echo(f"{path} written; try `fdforge check {path}` and `fdforge build {path}`")

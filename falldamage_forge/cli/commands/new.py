"""`fdforge new`: create a map from a playable template."""

from __future__ import annotations

import re
from pathlib import Path

from falldamage_forge import presets
from falldamage_forge.cli import option
from falldamage_forge.cli.spoken_language import echo
from falldamage_forge.infra.user_paths import quoted
from falldamage_forge.issues import ForgeError, refuse
from falldamage_forge.lang.new_map_template import TEMPLATE


@option.command
def command(
    name: str = option.argument(),
    rules: str | None = option.RULES.but(
        "Ruleset of another game; adds a table for your own units."
    ),
) -> None:
    """Write NAME.forge, a small playable map to edit. Never overwrites a file.

    With --rules also write NAME.toml, the ruleset's table with units to edit: `--rules NAME.toml`.
    """
    path = Path(name if name.endswith(".forge") else f"{name}.forge")
    table = path.with_suffix(".toml")
    title = re.sub(r"[^\w ]+", " ", path.stem.replace("-", " ").replace("_", " ")).strip().title()
    title = title or "A new table"
    if rules is None or rules == presets.DEFAULT_RULES:
        _write(path, TEMPLATE.format(title=title))
        word = quoted(path)
        echo(f"{path} written; try `fdforge check {word}` and `fdforge build {word}`")
        return
    own = presets.path("rulesets", rules).read_text("utf-8")
    text = presets.path("templates", rules).read_text("utf-8")
    if path.exists():
        raise _there(path)
    _write(table, own)
    _write(path, text.format(title=title, map=path.name, table=table.name))
    words = f"analyze {quoted(path)} --rules {quoted(_as_file(table))}"
    echo(f"{path} and {table} written; try `fdforge {words}`")


def _as_file(path: Path) -> str:
    """Return a path that cannot be mistaken for the name of a preset."""
    return str(path) if path.parent.name else f"./{path}"


def _write(path: Path, text: str) -> None:
    from falldamage_forge.infra.atomic_write import create_file

    if not create_file(path, text.encode()):
        raise _there(path)


def _there(path: Path) -> ForgeError:
    return refuse("FDF295", f"`{path}` is there already", "choose another name")

"""One way to ask every command, and where in it a text or a path of the user's stands.

Families of tests put something else in the place of one word: a path that cannot be read, a map
that is refused, a text that steers a terminal.
"""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import click

from falldamage_forge.cli import COMMANDS
from tests.cli.running import SMALL

EVENT = """\
title = "Cup"
tables = ["{table}"]
at_once = 1

[printing]
printers = 2
start = 2026-11-25
ready = 2026-12-05
"""
"""The file of a small event."""

TETRAHEDRON = """\
v 0 0 0
v 20 0 0
v 0 20 0
v 0 0 20
f 1 3 2
f 1 2 4
f 1 4 3
f 2 3 4
"""
"""The file of a small model."""
ASKED = {
    "new": "new {out}",
    "generate": "generate --seed 1 --style arena --of 1 -o {out}.forge",
    "search": "search --archive {out} --evaluations 0",
    "search show": "search show --archive {folder}",
    "search merge": "search merge {folder} --archive {out}",
    "check": "check {map}",
    "build": "build {map} --no-pictures -o {out}-build",
    "show": "show {map}",
    "report": "report {map} -o {out}.html",
    "publish": "publish --help",
    "adopt": "adopt {model}",
    "export": "export {map} --to glb -o {out}.glb",
    "sheets": "sheets {map} -o {out}.pdf",
    "guide": "guide -o {out}.pdf",
    "cards": "cards knight --standees -o {out}.pdf",
    "analyze": "analyze {map}",
    "reach": "reach {map} --unit knight --from B1",
    "path": "path {map} --unit knight --from B1 --to E5",
    "push": "push {map} --attacker A5 --target B5 --push 2",
    "los": "los {map} A1 B2",
    "targets": "targets {map} --unit archer --from B1",
    "ask": "ask {map}",
    "play": "play {map} --red greedy --blue greedy --seed 1 --perft 1",
    "replay": "replay {record}",
    "bot": "bot greedy",
    "playtest": "playtest {map} --games 1 --workers 1 --bots random,greedy",
    "conform": "conform {cases}",
    "compare": "compare {map}",
    "pieces": "pieces {map}",
    "kit": "kit {map}",
    "pack": "pack {map} --inside 300x300x200 -o {out}.pdf",
    "event": "event {event}",
    "stock add": "stock add tree 3 --stock {stock}",
    "stock show": "stock show --stock {stock}",
    "printer list": "printer list",
    "printer use": "printer use a1-mini",
    "slicer": "slicer --printer a1-mini -o {out}-slicer",
    "cache": "cache",
    "coupon": "coupon -o {out}-coupon",
    "prove": "prove tree",
    "studio": "studio {map} --port {busy}",
    "edit": "edit {map} erase D4",
    "fmt": "fmt {map}",
    "expand": "expand {map}",
    "ast": "ast {map}",
    "lsp": "lsp --help",
    "explain": "explain FDF344",
    "gallery": "gallery --help",
    "presets": "presets",
}
"""A command that answers, by name; `gallery` and `publish` draw for minutes, `lsp` waits."""

MAPS = sorted(name for name, words in ASKED.items() if "{map}" in words)


def words_of(name: str, **places: object) -> list[str]:
    """The words of a command, each place filled; a place that is not given stays as it is."""
    return [
        word.format_map({**dict.fromkeys(PLACES, word), **places}) for word in ASKED[name].split()
    ]


PLACES = ("map", "out", "folder", "stock", "record", "cases", "event", "busy", "model")


def command_of(name: str) -> click.Command:
    """The command object by its name, `stock add` for one in a group."""
    first, *rest = name.split()
    command: click.Command = import_module(f"falldamage_forge.cli.commands.{first}").command
    for word in rest:
        assert isinstance(command, click.Group)
        command = command.commands[word]
    return command


def leaves() -> Iterator[str]:
    """The names of all commands; of a group those in it, and itself where it does something."""
    for name in COMMANDS:
        command = command_of(name)
        if isinstance(command, click.Group):
            yield from (f"{name} {inner}" for inner in command.commands)
        if not isinstance(command, click.Group) or command.invoke_without_command:
            yield name


def free_words(name: str) -> Iterator[str]:
    """Options of a command that take any text or path."""
    for param in command_of(name).params:
        open_type = isinstance(param.type, click.Path) or param.type is click.STRING
        if isinstance(param, click.Option) and open_type:
            yield param.opts[-1]


def files(folder: Path) -> dict[str, object]:
    """What the places of the commands stand for, written into a folder."""
    (folder / "m.forge").write_text(SMALL.format(tower="D4"))
    (folder / "stock.csv").write_text("piece,count\ntree,3\n")
    (folder / "empty").mkdir()
    (folder / "model.obj").write_text(TETRAHEDRON)
    (folder / "record.json").write_text("{}")
    (folder / "cases.json").write_text('{"examples": []}')
    (folder / "event.toml").write_text(EVENT.format(table="m.forge"))
    return {
        "map": folder / "m.forge",
        "model": folder / "model.obj",
        "out": folder / "out",
        "folder": folder / "empty",
        "stock": folder / "stock.csv",
        "record": folder / "record.json",
        "cases": folder / "cases.json",
        "event": folder / "event.toml",
    }

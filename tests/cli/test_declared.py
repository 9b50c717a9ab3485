"""Options and columns of reports are declared once; parameters, help, tables and JSON follow."""

from __future__ import annotations

import ast
import csv
import io
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from falldamage_forge.cli import COMMANDS, option
from falldamage_forge.export import piece_list
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.infra.report_table import ReportColumn, left_columns, row_json, text_lines
from tests.cli.running import ROOT
from tests.hostile.asked import command_of, leaves

CLI = ROOT / "falldamage_forge" / "cli"
NAMES = st.from_regex(r"[a-z]{2,5}(_[a-z]{2,5})?", fullmatch=True)


@dataclass(frozen=True, slots=True)
class Look:
    """A value of declared fields."""

    dark: bool = option.flag("Dark background.")
    zoom: float = option.number(0, 4, "Scale.", default=1.0)


@dataclass(frozen=True, slots=True)
class FullLook(Look):
    """The same with one field more."""

    side: str | None = option.choice(("left", "right"), "Side.", "--from")


def shown(function: Any, *words: str) -> Any:
    """What a command prints as JSON."""
    run = CliRunner().invoke(option.command(function), words)
    assert run.exit_code == 0, run.output
    return json.loads(run.output)


def test_command_gets_values_of_parameters_dicts_and_dataclasses() -> None:
    def command(
        first: str = option.argument("FIRST"),
        look: FullLook = option.group(FullLook),
        more: dict[str, Any] = option.table(any_damage=option.flag("All."), tile=option.many("T.")),
    ) -> None:
        """Print all."""
        click.echo(json.dumps([first, look.dark, look.zoom, look.side, more]))

    assert shown(command, "a") == ["a", False, 1.0, None, {"any_damage": False, "tile": []}]
    words = ("b", "--dark", "--zoom", "2", "--from", "left", "--any-damage", "--tile", "E5")
    assert shown(command, *words) == ["b", True, 2.0, "left", {"any_damage": True, "tile": ["E5"]}]
    made: click.Command = option.command(command)
    assert [param.name for param in made.params] == [
        "first", "dark", "zoom", "side", "any_damage", "tile",
    ]  # fmt: skip
    assert made.help == "Print all."


def test_group_makes_its_value_by_a_function() -> None:
    wide = option.group(lambda low, high: high - low, low=option.whole(0, 9, "L."), high=SEVEN)

    def command(width: int = wide) -> None:
        click.echo(str(width))

    assert shown(command, "--low", "3") == 4


SEVEN = option.whole(0, None, "H.", default=7)


@given(st.lists(NAMES, unique=True, min_size=1, max_size=4))
def test_word_of_an_option_is_its_name_with_hyphens(names: list[str]) -> None:
    group = option.table(**{name: option.text("Text.") for name in names})
    params = list(group.params("all"))
    assert [param.opts for param in params] == [[f"--{n.replace('_', '-')}"] for n in names]
    values = dict.fromkeys(names, "x") | {"other": "y"}
    assert group.take("all", values) == dict.fromkeys(names, "x")
    assert values == {"other": "y"}


def test_declaration_with_another_help_leaves_the_first() -> None:
    first = option.text("First.", "--a", "--b", metavar="NAME")
    (one,), (two,) = first.params("name"), first.but("Second.", default="x").params("name")
    assert (one.opts, one.metavar, one.help) == (["--a", "--b"], "NAME", "First.")
    assert (two.opts, two.metavar, two.help, two.default) == (
        *(["--a", "--b"], "NAME"),
        *("Second.", "x"),
    )
    (path,) = option.file("File.").written("folder").params("out")
    assert isinstance(path, option.WriteOption)
    assert (path.writes, path.type) == ("folder", option.FILE)


def undeclared(file: Path) -> Iterator[str]:
    """Options that a module declares by decorators of click."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Attribute) and ast.unparse(node) in (
            *("click.option", "click.argument", "click.Option", "click.Argument"),
        ):
            yield f"{file.name}:{node.lineno}"


def test_every_option_of_a_command_is_declared_as_the_default_of_its_parameter() -> None:
    files = [file for file in CLI.rglob("*.py") if file.name not in ("option.py", "__init__.py")]
    assert len(files) > len(COMMANDS)
    assert [place for file in files for place in undeclared(file)] == []


WRITTEN = frozenset(("text", "flag", "many", "whole", "number", "choice", "file", "written"))
HELP_AT = {"whole": 2, "number": 2, "choice": 1}
"""Where the help stands among the arguments of a declaration; of the others it is the first."""


def declared(tree: ast.Module) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Options that a module declares: the help of each, and all that it says beside the help.

    An option is said by its words, or else by the name that the declaration is given.
    """
    for node in ast.walk(tree):
        named: list[tuple[str, ast.expr | None]] = []
        if isinstance(node, ast.FunctionDef):
            last = [one.arg for one in node.args.args][-len(node.args.defaults) or 99 :]
            named = [*zip(last, node.args.defaults, strict=True)]
        elif isinstance(node, ast.AnnAssign | ast.Assign):
            target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
            named = [(ast.unparse(target), node.value)]
        elif isinstance(node, ast.Call):
            named = [(keyword.arg or "", keyword.value) for keyword in node.keywords]
        for name, value in named:
            kind = ast.unparse(value.func).rpartition(".")[2] if isinstance(value, ast.Call) else ""
            if isinstance(value, ast.Call) and kind in WRITTEN:
                at = HELP_AT.get(kind, 0)
                words = [ast.unparse(one) for one in value.args]
                rest = (*words[:at], *(words[at + 1 :] or [name.lower()]))
                keys = {key.arg: ast.unparse(key.value) for key in value.keywords}
                more = tuple(f"{key}={text}" for key, text in sorted(keys.items(), key=str))
                yield "".join(words[at : at + 1]), (kind, *rest, *more)


def twice(modules: Mapping[str, str]) -> list[str]:
    """Options that modules declare a second time: with the same help, or the same but for it.

    All that a flag has is its help: flags of one word may be different options.
    """
    found, seen = [], set[object]()
    for module, text in modules.items():
        for help_, rest in declared(ast.parse(text)):
            said = {(rest, help_)} if rest[0] == "flag" else {rest}
            found += [f"{module}: {' '.join(rest)}"] if said & seen else []
            seen |= said
    return found


def test_no_option_is_declared_twice() -> None:
    files = [file for file in CLI.rglob("*.py") if file.name != "__init__.py"]
    assert twice({file.name: file.read_text("utf-8") for file in files}) == []


def test_an_option_declared_twice_is_found() -> None:
    one = 'def f(start=option.text("Start.", "--from", metavar="TILE")): ...\n'
    assert twice({"a": one, "b": one.replace("Start.", "First.")}) == [
        "b: text '--from' metavar='TILE'"
    ]
    dark = 'DARK = flag("Dark.")\n'
    assert twice({"a": dark, "b": dark}) == ["b: flag dark"]
    assert twice({"a": dark, "b": dark.replace("Dark.", "Night."), "c": one}) == []


@pytest.mark.parametrize("name", sorted(leaves()))
def test_names_of_options_are_unique_in_a_command(name: str) -> None:
    params = command_of(name).params
    assert len({param.name for param in params}) == len(params)
    words = [word for param in params for word in (*param.opts, *param.secondary_opts)]
    assert len(set(words)) == len(words)


# -- columns of reports ----------------------------------------------------------------------------

TABLE = (
    ReportColumn("key", "piece", value="name", left=True),
    ReportColumn("mm", "width", ".1f", 3, "size.mm"),
    ReportColumn(title="half", spec="{:.2f} mm".format, value=lambda row: row.size.mm / 2),
    ReportColumn("codes", value=lambda row: [row.name.upper()]),
)


class Row:
    """A row with a nested value."""

    def __init__(self, name: str, mm: float) -> None:
        self.name, self.size, self.mm = name, self, mm


@given(st.text(), st.floats(-1e6, 1e6))
def test_table_and_json_follow_from_the_columns(name: str, mm: float) -> None:
    row = Row(name, mm)
    assert row_json(TABLE, row) == {"key": name, "mm": round(mm, 3), "codes": [name.upper()]}
    assert text_lines(TABLE, [row]) == [
        ("piece", "width", "half"),
        (name, f"{mm:.1f}", f"{mm / 2:.2f} mm"),
    ]
    assert left_columns(TABLE) == [0]


def test_csv_and_json_of_a_piece_list_have_the_same_columns() -> None:
    row = piece_list.ListRow("tree", "=Tree", "wood", 3, 1, 4.444, 7.77, (1, 2))
    (cells,) = csv.DictReader(io.StringIO(piece_list.csv_bytes([row]).decode()))
    (entry,) = json.loads(piece_list.list_json([row], []))["pieces"]
    assert list(cells) == list(entry) == [column.key for column in piece_list.COLUMNS]
    assert float(cells["grams_each"]) == entry["grams_each"] == 2.22
    assert (cells["plates"], entry["plates"]) == ("1 2", [1, 2])
    assert (cells["title"], entry["title"]) == ("'=Tree", "=Tree")

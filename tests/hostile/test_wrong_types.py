"""Each reader of user files, with each wrong type at each key: an error in the user's words.

A table or document that is right is changed at one place at a time. The reader takes it, or refuses
it with issues; no text of them is an exception of Python.
"""

import copy
import json
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from falldamage_forge import presets
from falldamage_forge.cli.commands.stock import parts_of_export
from falldamage_forge.cli.user_config import UserConfig
from falldamage_forge.event.event_table import EventTable
from falldamage_forge.event.pairings import rounds_of, standings
from falldamage_forge.export.project_template import SETTINGS, read_template, template_settings
from falldamage_forge.games.fall_damage.unit_cards import units_from_tables
from falldamage_forge.games.fall_damage.whole_game import read_teams
from falldamage_forge.geometry.piece_style import style_from_table
from falldamage_forge.infra.presets_folder import rows
from falldamage_forge.infra.toml_loader import parse_toml, read_table
from falldamage_forge.issues import ForgeError
from falldamage_forge.pieces.catalogue import catalogue_from_tables
from falldamage_forge.pieces.map_kit import KitTable
from falldamage_forge.playtest.saved_tallies import read_saved, saved_json
from falldamage_forge.printing.printer import printer_from_table
from falldamage_forge.search.archive import Archive, index_text, read_index
from tests.amount import some
from tests.export.saved_project import PRINTER, saved, saved_settings
from tests.hostile.asked import EVENT
from tests.hostile.readers import CONTEST, PIECES

Table = dict[str, Any]
Reader = Callable[[Table], object]
WRONG = (None, True, 7, -1, 10**30, 1.5, float("nan"), "", "x", [], [1], [None, [{}]], {}, {"a": 1})
PYTHON = re.compile(
    r"Error\(|Exception|Traceback|NoneType|tuple\.index|object has no|unexpected keyword|"
    r"unhashable|<class|<built-in|not subscriptable|not iterable|list index|dict\[|"
    r"must be (str|int|real|bytes)|not supported between|could not convert|invalid literal|"
    r"positional argument|0x[0-9a-f]{6}"
)
MOST = 1500
"""Places and values that are tried of one reader."""


def preset(kind: str, name: str) -> Table:
    return rows(presets.path(kind, name).read_text("utf-8"), name)


def kit(table: Table) -> object:
    found = read_table(KitTable, table, "own.toml")
    return read_teams(found.teams, presets.load_kit(), "own.toml")


def event(table: Table) -> object:
    found = read_table(EventTable, table, "event.toml")
    if found.contest is None:
        return found
    return standings(found.contest), rounds_of(found.contest, found.tables)


def export(table: Table) -> object:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "pieces.json").write_text(json.dumps(table))
        return parts_of_export(Path(folder), PIECES)


def project(table: Table) -> object:
    data = json.dumps(table).encode()
    template = read_template(saved(None, **{SETTINGS: data}), "x.3mf", PRINTER)
    return template_settings(template, ["#FF0000", "#00FF00"], 2, {})


EVENT_TEXT = EVENT.format(table='duel", "arena').replace("at_once = 1", "at_once = 2")
READERS: Mapping[str, tuple[Reader, Table]] = {
    "printer": (
        lambda table: printer_from_table(table, "own", "own.toml"),
        presets.with_estimate(preset("printers", "a1-mini")),
    ),
    "style": (lambda table: style_from_table(table, "own"), preset("styles", "stone")),
    **{
        f"ruleset {name}": (
            lambda table: presets.rules_from_table(table, "own.toml"),
            preset("rulesets", name),
        )
        for name in presets.names("rulesets")
    },
    **{
        f"units {name}": (
            lambda table: units_from_tables({"own": table}, "units"),
            preset("units", name),
        )
        for name in presets.names("units")
    },
    **{
        f"pieces {name}": (
            lambda table: catalogue_from_tables({"own": table}, "pieces"),
            preset("pieces", name),
        )
        for name in presets.names("pieces")
    },
    **{f"set {name}": (kit, preset("sets", name)) for name in presets.names("sets")},
    "event": (event, parse_toml(EVENT_TEXT + CONTEST.decode(), "event.toml")),
    "settings": (
        lambda table: read_table(UserConfig, table, "settings.toml"),
        {"printer": "a1-mini", "process": "standard", "price_per_kg": 20.0, "currency": "EUR",
         "project": "x.3mf", "language": "de"},
    ),
    "export": (export, {"plates": [{"plate": 1, "name": "a", "pieces": {"tree": 2}}]}),
    "project": (project, saved_settings()),
    "archive": (
        lambda table: read_index(json.dumps(table), {}, "index.json"),
        json.loads(index_text(Archive({"seed": 1}, history=[(1, 2, 0.5, 0.5)]))),
    ),
    "tallies": (
        lambda table: read_saved(table, "games.json"),
        {**saved_json({}), "series": [{"of": {"a": 1}, "chunks": []}]},
    ),
}  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of each value inside a document, its own first."""
    yield path
    inner = value.items() if isinstance(value, dict) else ()
    inner = enumerate(value) if isinstance(value, list) else inner
    for key, each in inner:
        yield from places(each, (*path, key))


def refusal(read: Reader, table: Table) -> str:
    """The text of a reader's issues; empty if it takes the document."""
    try:
        read(table)
    except ForgeError as error:
        return "\n".join(f"{issue.message} {issue.hint or ''}" for issue in error.issues)
    return ""


def changed(table: Table, path: tuple[Any, ...], value: Any) -> Table:
    """A copy of a document with another value at a path."""
    after = copy.deepcopy(table)
    here: Any = after
    for key in path[:-1]:
        here = here[key]
    here[path[-1]] = value
    return after


@pytest.mark.parametrize("name", READERS)
def test_wrong_type_at_any_key_is_told_in_the_users_words(name: str) -> None:
    read, table = READERS[name]
    read(copy.deepcopy(table))
    tried = [(path, value) for path in places(table) if path for value in WRONG]
    refused = 0
    for path, value in some(tried, MOST):
        try:
            told = refusal(read, changed(table, path, value))
        except Exception as error:
            raise AssertionError((path, value, repr(error))) from error
        assert not PYTHON.search(told), (path, value, told)
        refused += bool(told)
    assert refused


@pytest.mark.parametrize("name", READERS)
def test_key_that_is_missing_is_told_in_the_users_words(name: str) -> None:
    read, table = READERS[name]
    for path in some([path for path in places(table) if path], MOST // 4):
        after = copy.deepcopy(table)
        here: Any = after
        for key in path[:-1]:
            here = here[key]
        del here[path[-1]]
        assert not PYTHON.search(refusal(read, after)), path

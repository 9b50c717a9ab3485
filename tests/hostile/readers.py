"""Everything that reads what others wrote, each as bytes in and nothing or a ForgeError out."""

import contextlib
import io
import json
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from falldamage_forge import presets
from falldamage_forge.cli.commands.stock import parts_of_export
from falldamage_forge.event.event_table import EventTable
from falldamage_forge.event.pairings import rounds_of, standings
from falldamage_forge.export.project_template import SETTINGS, read_template, template_settings
from falldamage_forge.export.roundtrip import read_3mf
from falldamage_forge.export.threemf import MODEL
from falldamage_forge.games.fall_damage.push_result import Push
from falldamage_forge.games.fall_damage.unit_cards import units_from_tables
from falldamage_forge.games.registry import read_rules
from falldamage_forge.geometry.piece_style import style_from_table
from falldamage_forge.geometry.stl import read_stl
from falldamage_forge.infra import presets_folder
from falldamage_forge.infra.source_loader import decode_text
from falldamage_forge.infra.toml_loader import parse_toml, read_table
from falldamage_forge.issues import ForgeError
from falldamage_forge.lang import load
from falldamage_forge.lang.formatter import format_text
from falldamage_forge.pieces.catalogue import catalogue_from_tables
from falldamage_forge.pieces.stock import read_stock
from falldamage_forge.printing.printer import printer_from_table
from tests.export.saved_project import PRINTER, saved, saved_settings
from tests.hostile.asked import EVENT

Reader = Callable[[bytes], object]
GESTURE_MAP = """\
forge 1
define t {
  stack A1..B1 height 2
}
place t at D4
place t at G7
stack B2..C3 height 1
"""
PIECES = tuple(presets.load_catalogue().pieces)


def read_map(data: bytes) -> object:
    """A map that imports itself and a neighbour: the neighbour is the text again, cut in half."""
    text = decode_text(data, "x.forge")

    def importer(importing: str, relative: str) -> tuple[str, str]:
        return relative, text[: len(text) // 2] if relative != "x.forge" else text

    return load(text, "x.forge", importer)


def read_for_format(data: bytes) -> object:
    return format_text(decode_text(data, "x.forge"), "x.forge")


def read_toml(data: bytes) -> object:
    """One table, offered to every kind of preset."""
    table = parse_toml(decode_text(data, "x.toml"), "x.toml")
    kinds: tuple[Callable[[], object], ...] = (
        lambda: printer_from_table(table, "x", "x.toml"),
        lambda: style_from_table(table, "x"),
        lambda: read_rules(table, "x"),
        lambda: units_from_tables({"x": table}, "units"),
        lambda: catalogue_from_tables({"x": table}, "pieces"),
        lambda: read_event(table),
    )
    for kind in kinds:
        with contextlib.suppress(ForgeError):
            kind()
    return table


def read_event(table: Mapping[str, Any]) -> object:
    """An event, its rounds and the standings."""
    event = read_table(EventTable, table, "x")
    if event.contest is None:
        return event
    return standings(event.contest), rounds_of(event.contest, event.tables)


CONTEST = b"""
[contest]
players = ["Ann", "Bob", "Cy", "Di"]
rounds = 3
results = [[1, "Ann", "Bob", 1], [1, "Cy", "Di", 0.5]]
"""


def read_push(data: bytes) -> object:
    try:
        return Push.parse(data.decode("utf-8", "replace"))
    except ValueError as error:
        raise ForgeError([]) from error


def read_gesture(data: bytes) -> object:
    """Words of a gesture; then the gesture, on a small map."""
    from falldamage_forge.lang.edit import edit, parse_gesture
    from falldamage_forge.lang.edit.gestures import InvalidGesture
    from falldamage_forge.lang.facts import Extent

    try:
        gesture = parse_gesture(data.decode("utf-8", "replace"), Extent(10, 10))
    except InvalidGesture as error:
        raise ForgeError([]) from error
    return edit(GESTURE_MAP, gesture, "x.forge")


def read_said(data: bytes) -> object:
    """A message of the studio's page, and what the session does with it."""
    from falldamage_forge.studio.message_handlers import CHANGES, QUESTIONS, handle_message
    from falldamage_forge.studio.protocol import BadMessage, read_message
    from falldamage_forge.studio.session import Session

    try:
        said = read_message(data.decode("utf-8", "replace"))
    except BadMessage as error:
        raise ForgeError([]) from error
    if said["type"] in CHANGES or said["type"] in QUESTIONS:
        return handle_message(Session(GESTURE_MAP), said)
    return said


def _said() -> list[bytes]:
    """A message of each type, its fields as a page fills them."""
    from falldamage_forge.studio.protocol import CHOICES, FIELDS, VERSION

    plain = {int: 0, str: "D4", list: [], bool: True, dict: {}, float: 0.5}
    messages = []
    for kind, fields in FIELDS.items():
        given = {name: CHOICES.get(name, (plain[of],))[0] for name, of in fields.items()}
        messages.append(json.dumps({"v": VERSION, "type": kind, **given}).encode())
    return messages


def _files(kind: str, pattern: str) -> list[bytes]:
    return [path.read_bytes() for path in sorted((presets_folder.root() / kind).glob(pattern))]


def read_export(data: bytes) -> object:
    """The piece list of an export, as `stock add` reads it."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "pieces.json").write_bytes(data)
        return parts_of_export(Path(folder), PIECES)


def read_saved(data: bytes) -> object:
    """The settings of a saved project, as a template for three colours and two plates."""
    template = read_template(saved(None, **{SETTINGS: data}), "x.3mf", PRINTER)
    return template_settings(template, ["#FF0000", "#00FF00", "#0000FF"], 2, {})


def _package(method: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    model = (
        '<model unit="millimeter"><resources><object id="2" name="a"><mesh><vertices>'
        '<vertex x="0" y="0" z="0"/><vertex x="1" y="0" z="0"/><vertex x="0" y="1" z="0"/>'
        '</vertices><triangles><triangle v1="0" v2="1" v3="2"/></triangles></mesh></object>'
        '</resources><build><item objectid="2" transform="1 0 0 0 1 0 0 0 1 0 0 0"/></build>'
        "</model>"
    )
    with zipfile.ZipFile(stream, "w", method) as package:
        package.writestr(zipfile.ZipInfo(MODEL, (1980, 1, 1, 0, 0, 0)), model, method)
    return stream.getvalue()


def _triangle() -> bytes:
    import numpy as np

    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], "<f4").tobytes()
    return b"x".ljust(80) + (2).to_bytes(4, "little") + (bytes(12) + corners + bytes(2)) * 2


READERS: Mapping[str, tuple[Reader, list[bytes]]] = {
    "map": (read_map, [*_files("maps", "*.forge"), b'import "y.forge" as y\nplace y.a at A1\n']),
    "format": (read_for_format, _files("maps", "*.forge")),
    "toml": (
        read_toml,
        [
            data
            for kind in ("printers", "styles", "rulesets", "units", "pieces")
            for data in _files(kind, "*.toml")
        ]
        + [
            EVENT.format(table='duel", "arena').replace("at_once = 1", "at_once = 2").encode()
            + CONTEST
        ],
    ),
    "stl": (lambda data: read_stl(data, "x.stl"), [_triangle()]),
    "stock": (
        lambda data: read_stock(decode_text(data, "stock.csv"), "stock.csv", PIECES),
        [b"piece,count\nblock-1x1x1,12\nquadrant,4\n", b'piece;owned\n"tree";3\n=1+1;2\n'],
    ),
    "3mf": (lambda data: read_3mf(data, "x.3mf"), [_package(), _package(zipfile.ZIP_STORED)]),
    "template": (read_saved, [json.dumps(saved_settings()).encode()]),
    "export": (read_export, [b'{"plates": [{"plate": 1, "name": "a", "pieces": {"tree": 2}}]}']),
    "said": (read_said, _said()),
    "push": (read_push, [b"B2", b"F1", b"L03"]),
    "gesture": (
        read_gesture,
        [
            b"raise D4..E5, row 3 except A3 by 2 with bridges",
            b"move A1..C3 to G7",
            b"stamp t at C3 rotate 90 mirror x raise +1 as u",
            b"symmetry rotate 180 swap red blue",
            b"battlement D4 sides north west",
            b"bridge B4@2 -> E4 level 2 arch",
            b"start red at B1..I1",
            b"rename t keep",
        ],
    ),
}

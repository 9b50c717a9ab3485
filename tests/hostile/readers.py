"""Everything that reads what others wrote, each as bytes in and nothing or a ForgeError out."""

import contextlib
import io
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

from falldamage_forge import presets
from falldamage_forge.cli.common import decode_text
from falldamage_forge.cli.stock import parts_of_export
from falldamage_forge.export.reopen import read_3mf
from falldamage_forge.export.stl import read_stl
from falldamage_forge.export.threemf import MODEL
from falldamage_forge.games.registry import read_rules
from falldamage_forge.geometry.style import style_from_table
from falldamage_forge.issues import ForgeError
from falldamage_forge.lang import load
from falldamage_forge.lang.format import format_text
from falldamage_forge.pieces.catalogue import catalogue_from_tables
from falldamage_forge.pieces.stock import read_stock
from falldamage_forge.printing.printer import printer_from_table
from falldamage_forge.rules.push import Push
from falldamage_forge.rules.units import units_from_tables
from falldamage_forge.tables import parse_toml

Reader = Callable[[bytes], object]
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
    )
    for kind in kinds:
        with contextlib.suppress(ForgeError):
            kind()
    return table


def read_push(data: bytes) -> object:
    try:
        return Push.parse(data.decode("utf-8", "replace"))
    except ValueError as error:
        raise ForgeError([]) from error


def _files(kind: str, pattern: str) -> list[bytes]:
    return [path.read_bytes() for path in sorted((presets.root() / kind).glob(pattern))]


def read_export(data: bytes) -> object:
    """The piece list of an export, as `stock add` reads it."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "pieces.json").write_bytes(data)
        return parts_of_export(Path(folder), PIECES)


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
        ],
    ),
    "stl": (lambda data: read_stl(data, "x.stl"), [_triangle()]),
    "stock": (
        lambda data: read_stock(decode_text(data, "stock.csv"), "stock.csv", PIECES),
        [b"piece,count\nblock-1x1x1,12\nquadrant,4\n", b'piece;owned\n"tree";3\n=1+1;2\n'],
    ),
    "3mf": (lambda data: read_3mf(data, "x.3mf"), [_package(), _package(zipfile.ZIP_STORED)]),
    "export": (read_export, [b'{"plates": [{"plate": 1, "name": "a", "pieces": {"tree": 2}}]}']),
    "push": (read_push, [b"B2", b"F1", b"L03"]),
}

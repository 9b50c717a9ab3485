"""Model block: the settings of `model NAME "FILE" { … }`, with their values, checks and text.

`levels` has a block of its own, one row of tiles a line; its value is the rows, joined by `/`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from falldamage_forge.board import MAX_LEVEL, StandingModel, Tile
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import Issue, SourceSpan, did_you_mean
from falldamage_forge.lang import ast
from falldamage_forge.lang.block_scanner import LineNode

SCALES = ("fit", "28/32", "1in", "none")
UNITS = ("mm", "cm", "inch", "m")
POSES = ("upright", "upside-down", "on-front", "on-back")
SUPPORTS = "supports"
FLAGS = ("studs", "flip")
KEYS = ("tiles", "scale", "unit", "turn", "flip", "levels", "studs", "parts", "print", "license")
"""Keys of a block, in the order in which `fdforge adopt` writes them."""
MAX_TILES = 9
"""Most tiles of a model's side."""
NONE = "."
_WORDS = re.compile(r'"[^"]*"|[^\s"]+')
_SCALE = re.compile(r"(?:fit|none|1in|28/32|[1-9][0-9]{0,3}(?:\.[0-9]{1,2})?%)")


@dataclass(frozen=True, slots=True)
class ModelBlock:
    """A model of others, as a map asks for it.

    Attributes:
        name: Name on the board.
        path: Path of the file, relative to the source that holds the block.
        beside: That source.
        rows: Rows of tiles that it covers.
        cols: Columns of tiles.
        scale: `fit`, `28/32`, `1in`, `none` or a percentage such as `50%`.
        unit: Unit of the file's numbers; empty to guess it.
        turn: Clockwise turn in degrees, seen from above.
        flip: True to turn it upside down first.
        tops: Level of each tile's top above the ground, row by row; -1 where no unit stands.
        studs: True if tops are studs.
        parts: Columns and rows of parts that it is printed in.
        pose: How it lies on the printer's bed.
        supports: True if the slicer supports it.
        license: Licence of the file; empty if the block names none.
    """

    name: str
    path: str
    beside: str = ""
    rows: int = 1
    cols: int = 1
    scale: str = "fit"
    unit: str = ""
    turn: int = 0
    flip: bool = False
    tops: tuple[int, ...] = (-1,)
    studs: bool = False
    parts: tuple[int, int] = (1, 1)
    pose: str = "upright"
    supports: bool = False
    license: str = ""
    source: SourceSpan | None = field(default=None, compare=False)

    @property
    def standing(self) -> StandingModel:
        """The model as a board has it, in the coordinates of its block."""
        tiles = tuple(Tile(row, col) for row in range(self.rows) for col in range(self.cols))
        tops = tuple((top, self.studs and top >= 0) for top in self.tops)
        return StandingModel(self.name, tiles, tops)


class Entry(NamedTuple):
    """One setting of a line: its column from 0, key, value, and what is wrong with the line."""

    at: int
    key: str
    value: str
    wrong: str = ""


def entries(node: LineNode) -> tuple[Entry, ...]:
    """Return the settings of one line of a model's block, and of the `levels` that it opens.

    Args:
        node: The line; its block is that of `levels`.
    """
    words = list(_WORDS.finditer(node.head))
    found: list[Entry] = []
    while words:
        word = words.pop(0)
        at, key = word.start(), word[0]
        if key == "levels":
            rows = [" ".join(line.head.split()) for line in node.body or () if line.head]
            nested = any(line.body is not None for line in node.body or ())
            wrong = node.body is None or bool(words) or nested
            text = "write `levels { 2 3 }`, a row of tiles a line" if wrong else ""
            return (*found, Entry(at, key, "/".join(rows), text))
        if key in FLAGS:
            found.append(Entry(at, key, ""))
        elif key == "print":
            own = []
            while words and words[0][0] in (*POSES, SUPPORTS):
                own.append(words.pop(0)[0])
            own += [] if own or not words else [words.pop(0)[0]]
            found.append(Entry(at, key, " ".join(own)))
        elif not words:
            return (*found, Entry(at, key, "", f"`{key[:20]}` has no value"))
        else:
            value = words.pop(0)[0].strip('"')
            if key == "scale" and words and words[0][0] == "%":
                value += words.pop(0)[0]
            found.append(Entry(at, key, value))
    if node.body is not None:
        found.append(Entry(0, "levels", "", "only `levels` has a block of its own"))
    return tuple(found)


def value_of(key: str, text: str) -> dict[str, Any]:
    """Return the fields of a `ModelBlock` that a setting gives.

    Args:
        key: One of `KEYS`.
        text: Its value as written.

    Raises:
        ValueError: A sentence for the user if the value is none of that key.
    """
    if key in ("tiles", "parts"):
        size = re.fullmatch(f"([1-{MAX_TILES}])x([1-{MAX_TILES}])", text)
        if size is None:
            most = f"{MAX_TILES}x{MAX_TILES}"
            raise ValueError(f"`{text[:20]}` is no size: write columns x rows, at most {most}")
        cols, rows = int(size[1]), int(size[2])
        return {"cols": cols, "rows": rows} if key == "tiles" else {"parts": (cols, rows)}
    if key == "scale":
        if not _SCALE.fullmatch(text):
            raise ValueError(f"`{text[:20]}` is no scale: {', '.join(SCALES)}, or such as 50%")
        return {"scale": text}
    if key == "turn":
        if text not in ("0", "90", "180", "270"):
            raise ValueError(f"cannot turn by `{text[:20]}`: write 90, 180 or 270")
        return {"turn": int(text)}
    if key == "unit":
        if text not in UNITS:
            raise ValueError(f"`{text[:20]}` is no unit: {', '.join(UNITS)}")
        return {"unit": text}
    if key == "levels":
        return {"tops": tuple(map(_top, text.replace("/", " ").split()))}
    if key == "print":
        words = text.split()
        poses = [word for word in words if word in POSES]
        if not words or len(poses) > 1 or {*words} - {*POSES, SUPPORTS}:
            raise ValueError(f"`print` takes one of {', '.join(POSES)}, and `supports`")
        return {"pose": (*poses, "upright")[0], "supports": SUPPORTS in words}
    return {"license": text} if key == "license" else {key: True}


def _top(cell: str) -> int:
    if cell == NONE:
        return -1
    if not re.fullmatch("[0-9]{1,2}", cell) or int(cell) > MAX_LEVEL:
        raise ValueError(
            f"`{cell[:20]}` is no level: 0 to {MAX_LEVEL}, or `.` where no unit stands"
        )
    return int(cell)


def problems(settings: Iterable[ast.Setting]) -> Iterator[Issue]:
    """Yield the issues of a block's settings: unknown keys (FDF210) and wrong values (FDF211)."""
    fields: dict[str, Any] = {}
    last: SourceSpan | None = None
    cut: SourceSpan | None = None
    for setting in settings:
        if setting.key not in KEYS:
            hint = did_you_mean(setting.key, KEYS) or f"known: {', '.join(KEYS)}"
            message = f"`model` has no setting `{setting.key[:20]}`"
            yield Issue("FDF210", "error", message, setting.span, hint=hint)
            continue
        try:
            fields |= value_of(setting.key, setting.value)
        except ValueError as error:
            yield Issue("FDF211", "error", str(error), setting.span)
            return
        last = setting.span if setting.key in ("levels", "tiles") else last
        cut = setting.span if setting.key == "parts" else cut
    cols, rows = fields.get("cols", 1), fields.get("rows", 1)
    along, down = fields.get("parts", (1, 1))
    if along > cols or down > rows:
        message = f"a model of {cols}x{rows} tiles is cut into at most {cols}x{rows} parts"
        yield Issue("FDF211", "error", message, cut)
    count = len(fields.get("tops", (-1,) * cols * rows))
    if count != cols * rows:
        message = f"`levels` has {count} tiles, and `tiles {cols}x{rows}` has {cols * rows}"
        yield Issue("FDF211", "error", message, last)


def model_of(block: ast.ModelBlock, name: str, beside: str) -> ModelBlock:
    """Return the model of a statement; wrong values are left out.

    Args:
        block: The statement.
        name: The model's name on the board.
        beside: Name of the source that holds it.
    """
    fields: dict[str, Any] = {}
    for setting in block.settings:
        if setting.key in KEYS:
            try:
                fields |= value_of(setting.key, setting.value)
            except ValueError:
                continue
    count = fields.get("cols", 1) * fields.get("rows", 1)
    if len(fields.get("tops", ())) != count:
        fields["tops"] = (-1,) * count
    along, down = fields.get("parts", (1, 1))
    if along > fields.get("cols", 1) or down > fields.get("rows", 1):
        del fields["parts"]
    return ModelBlock(name, block.path, beside, source=block.span, **fields)


def entry_text(key: str, value: str) -> str:
    """Return a setting as the formatter writes it on one line."""
    if key == "levels":
        return f"levels {{ {value.replace('/', '  ')} }}"
    if key == "license":
        return f'license "{value}"'
    return f"{key} {value}".strip()


def levels_text(model: ModelBlock) -> str:
    """Return the tops of a model as the value of `levels`."""
    cells = [NONE if top < 0 else str(top) for top in model.tops]
    rows = (cells[at : at + model.cols] for at in range(0, len(cells), model.cols))
    return "/".join(" ".join(row) for row in rows)


def settings_of(model: ModelBlock) -> Mapping[str, str]:
    """Return the settings of a model that differ from the defaults, as written, in order."""
    pose = "" if model.pose == "upright" and not model.supports else model.pose
    values = {
        "tiles": f"{model.cols}x{model.rows}",
        "scale": model.scale,
        "unit": model.unit,
        "turn": str(model.turn) if model.turn else "",
        "flip": "flip" if model.flip else "",
        "levels": levels_text(model),
        "studs": "studs" if model.studs else "",
        "parts": "" if model.parts == (1, 1) else f"{model.parts[0]}x{model.parts[1]}",
        "print": f"{pose}{f' {SUPPORTS}' * model.supports}".strip(),
        "license": model.license,
    }
    return {key: "" if key in FLAGS else value for key, value in values.items() if value}


def block_lines(model: ModelBlock, path: str) -> Iterator[str]:
    """Yield the lines of a model's block in the formatter's style.

    Args:
        model: The model.
        path: Path of its file, relative to the map.
    """
    yield f'model {model.name} "{path}" {{'
    for key, value in settings_of(model).items():
        rows = value.split("/")
        if key == "levels" and len(rows) > 1:
            yield "  levels {"
            yield from (f"    {row}" for row in rows)
            yield "  }"
        else:
            yield f"  {entry_text(key, value)}"
    yield "}"


def stays_inside(path: str) -> bool:
    """True if a path leads to a file below the folder of its source."""
    parts = PurePosixPath(path).parts
    plain = "\\" not in path and "\0" not in path and ":" not in path
    return bool(parts) and plain and not path.startswith("/") and ".." not in parts

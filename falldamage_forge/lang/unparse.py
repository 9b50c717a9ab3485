"""Unparse: AST statements back to source text in the formatter's style."""

from __future__ import annotations

from falldamage_forge.board import column_name
from falldamage_forge.elements import ELEMENTS
from falldamage_forge.lang import ast
from falldamage_forge.lang.ast_builder import FLAGS
from falldamage_forge.lang.fitting_syntax import head_of, length_text, tail_of


def head_text(statement: ast.Statement) -> str:
    """Return a statement's line without its block.

    Raises:
        TypeError: If the statement's class has no text.
    """
    match statement:
        case ast.Header(key=key, value=value):
            return f'{key} "{value}"' if key in ("title", "author", "license") else f"{key} {value}"
        case ast.Settings(kind=kind, name=name):
            return f"{kind} {name}".strip()
        case ast.ModelBlock(name=name, path=path):
            return f'model {name} "{path}"'
        case ast.Units():
            return "units"
        case ast.Map():
            return "map"
        case ast.Stack(area=area, height=height, length_um=length):
            high = height if length is None else length_text(length)
            return f"stack {area_text(area)} height {high}"
        case ast.Span(kind=kind, a=a, b=b):
            element = ELEMENTS[kind]
            level = f" level {statement.level}" if element.level else ""
            flag = f" {element.flag}" if statement.flagged else ""
            return f"{kind} {spot_text(a)} -> {spot_text(b)}{level}{flag}"
        case ast.Put(kind=kind, name=name, area=area, sides=sides, length_um=length):
            return f"{head_of(kind, name)} at {area_text(area)}{tail_of(kind, name, sides, length)}"
        case ast.Define(name=name):
            return f"define {name}"
        case ast.Import(path=path, alias=alias):
            return f'import "{path}" as {alias}'
        case ast.Place():
            return _place(statement)
        case ast.TransformBlock(transform=transform, swap=swap):
            return _transform(transform) + _swap(swap)
        case ast.Symmetry(transform=transform, swap=swap):
            return f"symmetry {_transform(transform)}{_swap(swap)}"
        case ast.Expect(words=words):
            return f"expect {' '.join(words)}"
        case ast.Broken(text=text):
            return text
        case ast.Allow(code=code, reason=reason):
            return f'allow {code} "{reason}"'
    raise TypeError(f"no text for {type(statement).__name__}")


def _place(place: ast.Place) -> str:
    words = [f"place {place.name} at {place.at}", *map(_transform, place.transforms)]
    if place.raised:
        words.append(f"raise {place.raised:+d}")
    if place.alias:
        words.append(f"as {place.alias}")
    return " ".join(words)


def _transform(transform: ast.Transform) -> str:
    return f"{transform.kind} {transform.axis or transform.amount}"


def _swap(swap: tuple[str, str] | None) -> str:
    return f" swap {swap[0]} {swap[1]}" if swap else ""


def spot_text(spot: ast.Spot) -> str:
    """Return `E5` or `E5@2`."""
    return str(spot.tile) + ("" if spot.level is None else f"@{spot.level}")


def area_text(area: ast.Area) -> str:
    """Return `A1..C3, row 4 except B2`."""
    text = ", ".join(map(_item, area.items))
    return text + (f" except {', '.join(map(_item, area.excepts))}" if area.excepts else "")


def _item(item: ast.Item) -> str:
    match item.kind:
        case "row":
            return f"row {item.index + 1}"
        case "col":
            return f"col {column_name(item.index)}"
        case "all":
            return "all"
        case "ring":
            return f"ring {item.a}..{item.b}"
    level = "" if item.level is None else f"@{item.level}"
    return f"{item.a}{level}" + ("" if item.a == item.b else f"..{item.b}")


def unit_text(unit: ast.OwnUnit) -> str:
    """Return a unit's line in a `units` block, without its own block."""
    return f"{unit.name} like {unit.like}" if unit.like else unit.name


def setting_text(kind: str, setting: ast.Setting) -> str:
    """Return `headroom 2`, a flag such as `rim`, or `K = 2 spire` of a legend.

    Args:
        kind: Kind of the block, such as `legend`.
        setting: Key and value.
    """
    value = setting.value
    if not value and setting.key in FLAGS.get(kind, ()):
        return setting.key
    if kind == "legend":
        return f"{setting.key} = {value}"
    return f"{setting.key} {value_text(value)}"


def value_text(value: str) -> str:
    """Return `2`, `"Old Guard"`, or `bomb, shove` of a list."""
    return f'"{value}"' if " " in value or not value else value.replace(",", ", ")


def row_texts(block: ast.Map) -> tuple[str, tuple[str, ...]]:
    """Return the header line (empty without one) and the rows of a map, in aligned columns."""
    width = max((len(cell.text) for row in block.rows for cell in row.cells), default=1)
    width = max(width, 2, *(len(cell.text) for cell in block.header), 2)
    labelled = bool(block.header) or any(row.label is not None for row in block.rows)
    digits = max((len(str(row.label)) for row in block.rows if row.label), default=0)
    digits = max(digits, 2)

    def line(label: int | None, cells: tuple[ast.Cell, ...]) -> str:
        text = " ".join(cell.text.ljust(width) for cell in cells).rstrip()
        if label is None:  # a bar without a label would make a header of it
            return " " * (digits + 3) + text if labelled else text
        return f"{label:>{digits}} | {text}"

    header = ""
    if block.header:
        header = " " * digits + f" | {line(None, block.header).strip()}"
    return header, tuple(line(row.label, row.cells) for row in block.rows)

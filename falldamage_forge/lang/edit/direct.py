"""Gestures that are statements themselves: stamps, symmetry on and off, new names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from falldamage_forge.board import Tile, column_name
from falldamage_forge.issues import SourceSpan
from falldamage_forge.lang import ast
from falldamage_forge.lang.edit.gestures import Impossible
from falldamage_forge.lang.edit.index import Index
from falldamage_forge.lang.edit.orbit import Image, images
from falldamage_forge.lang.edit.statements import slot
from falldamage_forge.lang.edit.text import Patch
from falldamage_forge.lang.edit.things import Thing, Things, moved, standing
from falldamage_forge.lang.facts import Extent, mover, turned
from falldamage_forge.lang.write import head_text


@dataclass(frozen=True, slots=True)
class Stamp:
    """A definition placed on the board."""

    name: str
    at: Tile
    turns: tuple[ast.Transform, ...] = ()
    raised: int = 0
    alias: str = ""

    def written(self, index: Index, text: str) -> str:
        """The text with the `place` in it."""
        patch = Patch(text)
        nowhere = SourceSpan("", 1, 1, 1, 1)
        place = ast.Place(
            nowhere, self.name, nowhere, self.at, nowhere, self.turns, self.raised, self.alias
        )
        line, indent = slot(index, patch, "place")
        patch.insert(line, indent + head_text(place))
        return patch.result()


@dataclass(frozen=True, slots=True)
class Rename:
    """A definition, an import or a side by another name, wherever it is said."""

    old: str
    new: str

    def renamed(self, thing: Thing) -> Thing:
        """A thing on the board after the change: a side's start bears its name."""
        same = thing.kind != "start" or thing.name != self.old
        return thing if same else thing._replace(name=self.new)

    def written(self, index: Index, text: str) -> str:
        """The text with the new name. Impossible where nothing is called by the old one."""
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_-]*", self.new):
            raise Impossible(f"`{self.new}` is not a name")
        patch = Patch(text)
        known = set()
        for written in index.written.values():
            statement = written.statement
            known |= set(_names(statement))
            if written.cell is None:
                head = patch.source(statement.span)
                for start, end in self._places(statement, head):
                    span = statement.span
                    at = SourceSpan(
                        span.file, span.line, span.col + start, span.line, span.col + end
                    )
                    patch.replace(at, self.new)
        if self.old not in known:
            raise Impossible(f"nothing here is called `{self.old}`")
        if self.new in known:
            raise Impossible(f"something is called `{self.new}` already")
        return patch.result()

    def _places(self, statement: ast.Statement, head: str) -> Iterator[tuple[int, int]]:
        """Where the old name stands in a statement's head."""
        old = re.escape(self.old)
        match statement:
            case ast.Define() | ast.Start():
                pattern = rf"^\w+\s+({old})(?![\w-])"
            case ast.Place():
                pattern = rf"^place\s+({old})(?![\w-])"
            case ast.Import():
                pattern = rf"\bas\s+({old})$"
            case ast.TransformBlock() | ast.Symmetry():
                pattern = rf"(?<=\s)({old})(?![\w-])"
                head = re.sub(r"^(.*?)(\bswap\b|$)", lambda m: " " * len(m[0]), head, count=1)
            case _:
                return
        for found in re.finditer(pattern, head):
            yield found.span(1)


def _names(statement: ast.Statement) -> tuple[str, ...]:
    """What a statement gives a name to."""
    match statement:
        case ast.Define(name=name) | ast.Import(alias=name) | ast.Start(side=name):
            return (name,)
        case ast.TransformBlock(swap=swap) | ast.Symmetry(swap=swap) if swap:
            return swap
    return ()


@dataclass(frozen=True, slots=True)
class Symmetrise:
    """The whole board made symmetric: its north-western part and that part's images."""

    transform: ast.Transform
    swap: tuple[str, str] | None = None

    def meant(self, things: Things, box: Extent) -> Things:
        """The board as it will be. Impossible for a quarter turn of what is not square."""
        if turned(box, self.transform) != box:
            raise Impossible(f"{self.transform.name} needs a square board")
        through = images((Image(mover(box, self.transform), self.swap),))
        kept = {x for x in things if _first(x, through)}
        return frozenset(moved(x, one.move, one.swap) for x in kept for one in through)

    def written(self, index: Index, text: str) -> str:
        """The text with the `symmetry` in it."""
        patch = Patch(text)
        statement = ast.Symmetry(SourceSpan("", 1, 1, 1, 1), self.transform, self.swap)
        line, indent = slot(index, patch, "symmetry")
        patch.insert(line, indent + head_text(statement))
        return patch.result()


def _first(thing: Thing, through: tuple[Image, ...]) -> bool:
    """Whether a thing lies in the part that is kept: no image of its tiles comes before them."""
    tiles = sorted(standing(thing))
    return all(tiles <= sorted(map(one.move, standing(thing))) for one in through)


@dataclass(frozen=True, slots=True)
class Unsymmetrise:
    """The board as it is, written out without its `symmetry` statements."""

    def written(self, index: Index, text: str) -> str:
        """The text without them, a half map drawn whole with bare cells."""
        patch = Patch(text)
        found = [x for x in index.top() if isinstance(x, ast.Symmetry)]
        if not found:
            raise Impossible("the map has no `symmetry`")
        for statement in found:
            patch.remove(statement.span)
        for block in index.top():
            if isinstance(block, ast.Map) and block.rows:
                _complete(patch, block, index.box)
        return patch.result()


def _complete(patch: Patch, block: ast.Map, box: Extent) -> None:
    """Bare cells for the rows and columns that a half map leaves to its symmetry."""
    wide = len(block.rows[-1].cells)
    step = 3
    if wide > 1:
        first, second = block.rows[-1].cells[:2]
        step = max(2, second.span.col - first.span.col)
    for row in block.rows:
        more = "".join(".".rjust(step) for _ in range(box.cols - len(row.cells)))
        if more:
            end = row.cells[-1].span
            patch.replace(end, patch.source(end) + more)
    if block.header and box.cols > len(block.header):
        names = (column_name(col) for col in range(len(block.header), box.cols))
        end = block.header[-1].span
        patch.replace(end, patch.source(end) + "".join(name.rjust(step) for name in names))
    last = block.rows[-1]
    line = patch.lines[last.span.line - 1]
    indent = line[: len(line) - len(line.lstrip())]
    for number in range(len(block.rows) + 1, box.rows + 1):
        cells = ".".ljust(step) * (box.cols - 1) + "."
        if last.label is None:
            text = indent + cells
        else:
            bar = line.index("|")
            lead = line[bar + 1 : last.cells[0].span.col - 1]
            text = f"{number:>{len(line[:bar].rstrip())}}".ljust(bar) + "|" + lead + cells
        patch.insert(last.span.line, text)


Direct = Stamp | Rename | Symmetrise | Unsymmetrise

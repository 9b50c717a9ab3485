"""Refactorings: gestures that write statements (stamp, rename, symmetry on and off)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from falldamage_forge.board import Tile, column_name
from falldamage_forge.elements import ELEMENTS
from falldamage_forge.elements.element import Thing
from falldamage_forge.elements.things import Things
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import SourceSpan
from falldamage_forge.lang import ast
from falldamage_forge.lang.edit.board_elements import element_tiles, is_start, move_element
from falldamage_forge.lang.edit.gestures import InvalidGesture
from falldamage_forge.lang.edit.source_index import SourceIndex
from falldamage_forge.lang.edit.statement_insertion import insertion_point
from falldamage_forge.lang.edit.symmetry_images import SymmetryImage, generate_group
from falldamage_forge.lang.edit.text_edits import Patch
from falldamage_forge.lang.facts import Extent, tile_transform, transformed_extent
from falldamage_forge.lang.unparse import head_text


@dataclass(frozen=True, slots=True)
class StampEdit:
    """Place a definition on the board.

    Attributes:
        name: Name of the definition.
        at: North-western tile of the placement.
        turns: Transforms of the definition.
        raised: Levels to add.
        alias: Name of the placement; empty for none.
    """

    name: str
    at: Tile
    turns: tuple[ast.Transform, ...] = ()
    raised: int = 0
    alias: str = ""

    def written(self, index: SourceIndex, text: str) -> str:
        """Return the text with the `place` statement.

        Args:
            index: Statements of the text with their places.
            text: The text before the edit.
        """
        patch = Patch(text)
        nowhere = SourceSpan("", 1, 1, 1, 1)
        place = ast.Place(
            nowhere, self.name, nowhere, self.at, nowhere, self.turns, self.raised, self.alias
        )
        line, indent = insertion_point(index, patch, "place")
        patch.insert(line, indent + head_text(place))
        return patch.result()


@dataclass(frozen=True, slots=True)
class Rename:
    """Rename a definition, an import or a side, in all statements."""

    old: str
    new: str

    def renamed(self, thing: Thing) -> Thing:
        """Return an element after the renaming; start zones have the name of their side."""
        same = not is_start(thing) or thing.name != self.old
        return thing if same else thing._replace(name=self.new)

    def written(self, index: SourceIndex, text: str) -> str:
        """Return the text with the new name.

        Args:
            index: Statements of the text with their places.
            text: The text before the edit.

        Raises:
            InvalidGesture: If the old name is unknown, or the new one is taken or no name.
        """
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_-]*", self.new):
            raise InvalidGesture(f"`{self.new}` is not a name")
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
            raise InvalidGesture(f"nothing here is called `{self.old}`")
        if self.new in known:
            raise InvalidGesture(f"something is called `{self.new}` already")
        return patch.result()

    def _places(self, statement: ast.Statement, head: str) -> Iterator[tuple[int, int]]:
        """Yield the start and end of the old name in a statement's head."""
        old = re.escape(self.old)
        match statement:
            case ast.Define():
                pattern = rf"^\w+\s+({old})(?![\w-])"
            case ast.Put(kind=kind) if _is_start(kind):
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
        for match in re.finditer(pattern, head):
            yield match.span(1)


def _is_start(kind: str) -> bool:
    """True if the name of an element's statement is that of a start zone."""
    return ELEMENTS[kind].field == "starts"


def _names(statement: ast.Statement) -> tuple[str, ...]:
    """Return the names that a statement defines."""
    match statement:
        case ast.Define(name=name) | ast.Import(alias=name):
            return (name,)
        case ast.Put(kind=kind, name=name) if _is_start(kind):
            return (name,)
        case ast.TransformBlock(swap=swap) | ast.Symmetry(swap=swap) if swap:
            return swap
    return ()


@dataclass(frozen=True, slots=True)
class Symmetrise:
    """Make the whole board symmetric: keep its north-western part and add the images.

    Attributes:
        transform: The transform.
        swap: Two sides that change places in the images; None for none.
    """

    transform: ast.Transform
    swap: tuple[str, str] | None = None

    def meant(self, things: Things, box: Extent) -> Things:
        """Return the elements of the symmetric board.

        Args:
            things: Elements of the board before the edit.
            box: Extent of the board.

        Raises:
            InvalidGesture: For a quarter turn of a board that is not square.
        """
        if transformed_extent(box, self.transform) != box:
            raise InvalidGesture(f"{self.transform.name} needs a square board")
        through = generate_group((SymmetryImage(tile_transform(box, self.transform), self.swap),))
        kept = {x for x in things if _first(x, through)}
        return frozenset(move_element(x, image.move, image.swap) for x in kept for image in through)

    def written(self, index: SourceIndex, text: str) -> str:
        """Return the text with the `symmetry` statement.

        Args:
            index: Statements of the text with their places.
            text: The text before the edit.
        """
        patch = Patch(text)
        statement = ast.Symmetry(SourceSpan("", 1, 1, 1, 1), self.transform, self.swap)
        line, indent = insertion_point(index, patch, "symmetry")
        patch.insert(line, indent + head_text(statement))
        return patch.result()


def _first(thing: Thing, through: tuple[SymmetryImage, ...]) -> bool:
    """True if an element lies in the part that is kept: no image of its tiles sorts before them."""
    tiles = sorted(element_tiles(thing))
    return all(tiles <= sorted(map(image.move, element_tiles(thing))) for image in through)


@dataclass(frozen=True, slots=True)
class Unsymmetrise:
    """Write out the board without its `symmetry` statements."""

    def written(self, index: SourceIndex, text: str) -> str:
        """Return the text without `symmetry` statements, with a half map completed by bare cells.

        Args:
            index: Statements of the text with their places.
            text: The text before the edit.

        Raises:
            InvalidGesture: If the map has no `symmetry`.
        """
        patch = Patch(text)
        symmetries = [x for x in index.top() if isinstance(x, ast.Symmetry)]
        if not symmetries:
            raise InvalidGesture("the map has no `symmetry`")
        for statement in symmetries:
            patch.remove(statement.span)
        for block in index.top():
            if isinstance(block, ast.Map) and block.rows:
                _complete(patch, block, index.box)
        return patch.result()


def _complete(patch: Patch, block: ast.Map, box: Extent) -> None:
    """Add bare cells for the rows and columns that a half map leaves to its symmetry."""
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


Direct = StampEdit | Rename | Symmetrise | Unsymmetrise

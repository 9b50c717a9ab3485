"""Expansion: statements to facts, with areas, definitions, imports, placements and transforms.

Bounds on facts, imports and nesting keep every source finite (`ExpansionLimit`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import field, replace
from pathlib import PurePath
from typing import TYPE_CHECKING

from falldamage_forge.board import MAX_BOARD, MAX_LEVEL, WAYS, Tile
from falldamage_forge.elements import BLOCK, ELEMENTS, step
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import ForgeError, Issue, Note, SourceSpan, did_you_mean
from falldamage_forge.lang import ast
from falldamage_forge.lang.facts import (
    ExpansionStep,
    Extent,
    Fact,
    images,
    tile_transform,
    transform_fact,
    transformed_extent,
)
from falldamage_forge.lang.fitting_syntax import length_text
from falldamage_forge.lang.map_block import Meaning, map_facts, read_legend
from falldamage_forge.lang.parser import parse
from falldamage_forge.lang.tainted_tiles import (
    USUAL_PIECE,
    doubted,
    everything,
    first_tile,
    left_open,
    named,
    region,
)
from falldamage_forge.lang.unparse import head_text

if TYPE_CHECKING:
    from falldamage_forge.lang.model_block import ModelBlock

MAX_FACTS = 100_000
USUAL_RISE_UM = 30_000
"""Default height of a level in micrometres."""
MAX_IMPORTS = 64
MAX_NESTING = 32

AREAS = ast.Stack | ast.Put
"""Statements with an area."""

Read = Callable[[str, str], tuple[str, str]]
"""Function that reads an import: (importing file, path) to (canonical name, text)."""


Trail = tuple[tuple[str, str], ...]
"""(file, name) of the definitions around a body, to detect cycles."""


Piece = ast.Define | ast.ModelBlock
"""A definition or a model; `place` puts it on the board."""


@dataclass(slots=True)
class Scope:
    """The names of one file.

    Attributes:
        file: Canonical name of the file.
        pieces: Definitions and models of others by name.
        imports: Scopes of imported files by alias.
        legend: Meanings of the legend's glyphs.
        doubtful: Names of definitions and imports with syntax errors.
    """

    file: str
    pieces: dict[str, Piece] = field(default_factory=dict)
    imports: dict[str, Scope] = field(default_factory=dict)
    legend: dict[str, Meaning] = field(default_factory=dict)
    doubtful: set[str] = field(default_factory=set)

    @property
    def definitions(self) -> dict[str, ast.Define]:
        """The pieces that are definitions."""
        return {name: x for name, x in self.pieces.items() if isinstance(x, ast.Define)}


class ExpansionLimit(Exception):
    """The expansion passed a bound; its issue is already reported."""


class Expander:
    """Expands one document and its imports, and collects issues."""

    def __init__(self, read: Read | None) -> None:
        """Create an expander; `read` reads imports, None forbids them."""
        self.read = read
        self.issues: list[Issue] = []
        self.scopes: dict[str, Scope] = {}
        self.done: dict[tuple[str, str], tuple[tuple[Fact, ...], Extent]] = {}
        self.count = 0
        self.rise_um = USUAL_RISE_UM
        self.board: tuple[Extent, Extent] = (Extent(10, 10), Extent(10, 10))
        """Extent of the board, and the one that the text asks for, which may be too large."""
        self.models: dict[str, ModelBlock] = {}

    def error(
        self,
        code: str,
        message: str,
        span: SourceSpan | None,
        hint: str | None = None,
        notes: tuple[Note, ...] = (),
    ) -> None:
        """Append an error.

        Args:
            code: Code of the issue, such as `FDF207`.
            message: The defect, in the user's words.
            span: Place in the source; None for the whole file.
            hint: What to write instead; None for no hint.
            notes: Further places that explain the error.
        """
        self.issues.append(Issue(code, "error", message, span, hint=hint, notes=notes))

    # -- names -----------------------------------------------------------------------------------

    def scope(self, document: ast.Document, trail: tuple[str, ...] = ()) -> Scope:
        """Return the names that a document defines and imports.

        Args:
            document: AST of the file.
            trail: Files whose imports led here, to detect cycles.
        """
        scope = self.scopes[document.file] = Scope(document.file)
        for statement in document.statements:
            if isinstance(statement, ast.Define | ast.ModelBlock):
                first = scope.pieces.setdefault(statement.name, statement)
                if first is not statement:
                    note = Note(first.span, f"`{statement.name}` is defined here first")
                    message = f"`{statement.name}` is defined twice"
                    self.error("FDF203", message, statement.span, "rename one of them", (note,))
                    scope.doubtful.add(statement.name)
            elif isinstance(statement, ast.Settings) and statement.kind == "legend":
                scope.legend |= read_legend(statement, self.issues)
            elif isinstance(statement, ast.Import):
                self._import(statement, scope, (*trail, document.file))
            elif isinstance(statement, ast.Broken) and statement.word in ("define", "import"):
                self._half_named(statement, scope)
        return scope

    def _half_named(self, broken: ast.Broken, scope: Scope) -> None:
        """Add the names that a broken `define` or `import` may give."""
        names = re.findall(r"[A-Za-z_][\w-]*", broken.text.partition(" ")[2])
        scope.doubtful.update(names)
        if broken.word == "define" and names and broken.body:
            whole = ast.Define(broken.span, broken.span, names[0], broken.body)
            scope.pieces.setdefault(names[0], whole)

    def _import(self, statement: ast.Import, scope: Scope, trail: tuple[str, ...]) -> None:
        if statement.alias in scope.imports:
            message = f"two imports are called `{statement.alias}`"
            self.error("FDF203", message, statement.span, "rename one of them")
            return
        scope.doubtful.add(statement.alias)
        if self.read is None or len(self.scopes) > MAX_IMPORTS or len(trail) > MAX_NESTING:
            message = f"cannot import `{statement.path}`: too many imports, or none allowed here"
            self.error("FDF204", message, statement.span)
            return
        try:
            name, text = self.read(scope.file, statement.path)
        except ForgeError as error:
            cause = error.issues[0]
            message = f"import failed: {cause.message}"
            self.error("FDF204", message, statement.span, cause.hint)
            return
        if name in trail:
            message = f"`{statement.path}` imports itself"
            hint = " -> ".join((*trail[trail.index(name) :], name))
            self.error("FDF205", message, statement.span, hint)
            return
        if name not in self.scopes:
            document, issues = parse(text, name)
            self.issues += issues
            self.scope(document, trail)
        scope.imports[statement.alias] = self.scopes[name]

    def _find(self, place: ast.Place, scope: Scope) -> tuple[Scope, Piece] | None:
        alias, dot, name = place.name.rpartition(".")
        home = scope
        if dot:
            if alias not in scope.imports and alias in scope.doubtful:
                return None
            if alias not in scope.imports:
                hint = did_you_mean(alias, scope.imports)
                hint = hint or 'write `import "FILE" as NAME` first'
                message = f"nothing is imported as `{alias}`"
                self.error("FDF201", message, place.name_span, hint)
                return None
            home = scope.imports[alias]
        if name in home.pieces:
            return home, home.pieces[name]
        if name in home.doubtful:
            return None
        near_name = did_you_mean(name, home.pieces)
        notes = tuple(
            Note(piece.span, f"`{near}` is defined here")
            for near, piece in home.pieces.items()
            if near_name and f"`{near}`" in near_name
        )
        message = f"no piece called `{name}`"
        self.error(
            "FDF202", message, place.name_span, near_name or "write a `define` for it", notes
        )
        return None

    # -- facts -----------------------------------------------------------------------------------

    def piece(self, scope: Scope, piece: Piece, trail: Trail) -> tuple[tuple[Fact, ...], Extent]:
        """Return the facts and the extent of a definition or of a model, in its own coordinates.

        Args:
            scope: Scope of its name.
            piece: The definition or model.
            trail: (file, name) of the definitions that led here.

        Raises:
            ExpansionLimit: If a definition contains itself or is too large.
        """
        if isinstance(piece, ast.Define):
            return self.definition(scope, piece, trail)
        return self._model(scope, piece)

    def _model(self, scope: Scope, block: ast.ModelBlock) -> tuple[tuple[Fact, ...], Extent]:
        """Return the fact and the extent of a model; its block is recorded."""
        from falldamage_forge.lang.model_block import model_of

        main = next(iter(self.scopes))
        name = block.name if scope.file == main else f"{PurePath(scope.file).stem}.{block.name}"
        self.models[name] = model = model_of(block, name, scope.file)
        x = model.standing
        fact = Fact(BLOCK, (*x.tiles, *x.aims), (None,), name, block.span, tops=x.tops)
        return (fact,), Extent(model.rows, model.cols)

    def definition(
        self, scope: Scope, define: ast.Define, trail: Trail
    ) -> tuple[tuple[Fact, ...], Extent]:
        """Return the facts and the extent of a definition, in its own coordinates.

        Args:
            scope: Scope of the definition.
            define: The definition.
            trail: (file, name) of the definitions that led here, to detect cycles.

        Raises:
            ExpansionLimit: If the definition contains itself or is too large.
        """
        key = (scope.file, define.name)
        if key in self.done:
            return self.done[key]
        if key in trail or len(trail) > MAX_NESTING:
            names = " -> ".join(name for _, name in (*trail, key))
            hint = f"break the cycle {names}"
            self.error("FDF206", f"`{define.name}` contains itself", define.span, hint)
            raise ExpansionLimit
        box = self._extent(define.body, scope, (*trail, key))
        facts = self.body(define.body, box, scope, (*trail, key), background=False)
        self.done[key] = facts, box
        return facts, box

    def _extent(self, statements: tuple[ast.Statement, ...], scope: Scope, trail: Trail) -> Extent:
        rows = cols = 1
        for statement in ast.flat(statements):
            for row, col in self._corners(statement, scope, trail):
                rows, cols = max(rows, row + 1), max(cols, col + 1)
        if max(rows, cols) > MAX_BOARD:
            message = f"a piece may be {MAX_BOARD} tiles wide; this one reaches {cols}x{rows}"
            self.error("FDF100", message, statements[0].span)
            raise ExpansionLimit
        return Extent(rows, cols)

    def _corners(
        self, statement: ast.Statement, scope: Scope, trail: Trail
    ) -> Iterator[tuple[int, int]]:
        """Yield the south-eastern corners of the tiles that a statement uses, without its body."""
        if isinstance(statement, ast.Map):
            yield (
                len(statement.rows) - 1,
                max((len(r.cells) for r in statement.rows), default=1) - 1,
            )
        elif isinstance(statement, ast.Span):
            yield from (statement.a.tile, statement.b.tile)
        elif isinstance(statement, AREAS):
            for item in statement.area.items:
                if item.kind in ("box", "ring"):
                    yield max(item.a.row, item.b.row), max(item.a.col, item.b.col)
        elif isinstance(statement, ast.Broken):
            yield from named(statement.text, Extent(MAX_BOARD, MAX_BOARD))
        elif isinstance(statement, ast.Place):
            target = self._find(statement, scope)
            if target:
                box = self.piece(*target, trail)[1]
                for transform in statement.transforms:
                    box = transformed_extent(box, transform)
                yield statement.at.row + box.rows - 1, statement.at.col + box.cols - 1
                return

    def body(
        self,
        statements: tuple[ast.Statement, ...],
        box: Extent,
        scope: Scope,
        trail: Trail = (),
        *,
        background: bool,
    ) -> tuple[Fact, ...]:
        """Return the facts of a body, in the coordinates of its extent.

        Args:
            statements: Statements of the body.
            box: Extent of the body.
            scope: Scope of the names.
            trail: (file, name) of the definitions that led here.
            background: True if bare map cells set level 0 weakly.

        Raises:
            ExpansionLimit: If the layout expands to too many facts.
        """
        facts: list[Fact] = []
        for statement in statements:
            before = len(self.issues)
            new = tuple(self._facts(statement, box, scope, trail, background))
            new += tuple(left_open(statement, box, self.issues[before:]))
            self.count += len(new)
            facts += new
            if self.count > MAX_FACTS:
                message = f"the layout expands to more than {MAX_FACTS} facts"
                self.error("FDF207", message, statement.span, "place fewer pieces in one another")
                raise ExpansionLimit
        return tuple(facts)

    def _facts(
        self, statement: ast.Statement, box: Extent, scope: Scope, trail: Trail, background: bool
    ) -> Iterator[Fact]:
        span = statement.span
        match statement:
            case ast.Map():
                yield from map_facts(statement, scope.legend, self.issues, background=background)
            case ast.Stack(area=area):
                height, half = self._stacked(statement)
                self._level(height, span)
                for tile, _ in self.tiles(area, box):
                    yield Fact("level", (tile,), (height,), span=span)
                    if half:
                        yield Fact(*step.thing(tile)[:3], span=span)
            case ast.Span(kind=kind, a=a, b=b):
                element = ELEMENTS[kind]
                levels: tuple[int | None, ...] = (a.level, b.level)
                if element.level:
                    self._level(statement.level, span)
                    levels = (statement.level,)
                name = element.flag if statement.flagged else ""
                yield Fact(element.fact, (a.tile, b.tile), levels, name, span)
            case ast.Put():
                yield from self._put(statement, box)
            case ast.TransformBlock(transform=transform, swap=swap, body=inner):
                own = self.body(inner, box, scope, trail, background=background)
                yield from own
                if self._square(transform, box, span):
                    move = tile_transform(box, transform)
                    via = ExpansionStep("block", head_text(statement), span)
                    yield from (transform_fact(fact, move, swap=swap, via=via) for fact in own)
                else:
                    yield everything(box, statement)
            case ast.Place():
                yield from self._placed(statement, scope, trail)
            case ast.Broken():
                yield from self._half_read(statement, box, scope, trail)

    def _put(self, put: ast.Put, box: Extent) -> Iterator[Fact]:
        """Yield the facts of an element on tiles."""
        element = ELEMENTS[put.kind]
        name = put.kind if element.valued else put.name
        length = element.usual_um if put.length_um is None else put.length_um
        sides = [WAYS[side] for side in put.sides or WAYS] if element.edged else []
        for tile, level in self.tiles(put.area, box):
            beyond = tuple(map(tile.step, sides))
            levels = (level,) if element.levelled else ()
            for own in [(far,) for far in beyond] if element.split else [beyond]:
                yield Fact(element.fact, (tile, *own), levels, name, put.span, length_um=length)

    def _half_read(
        self, broken: ast.Broken, box: Extent, scope: Scope, trail: Trail
    ) -> Iterator[Fact]:
        if broken.word == "place":
            yield self._unknown(scope, "", first_tile(broken.text), box, broken)
        elif broken.word != "define":
            yield from doubted(broken, box)
            yield from self.body(broken.body, box, scope, trail, background=False)

    def _unknown(
        self, scope: Scope, name: str, at: Tile | None, box: Extent, statement: ast.Statement
    ) -> Fact:
        """Return tainted tiles for an unknown piece, in the size of its nearest namesake."""
        if at is None:
            return everything(box, statement)
        own = scope.definitions
        near = did_you_mean(name, own) or ""
        sizes = [self._size(own[known], scope) for known in own if f"`{known}`" in near]
        sizes = sizes or [self._size(define, scope) for define in own.values()]
        tiles = region(at, max(sizes, default=USUAL_PIECE), 1)
        return Fact("tainted", tiles, span=statement.span)

    def _size(self, define: ast.Define, scope: Scope) -> int:
        """Return the greater dimension of a definition, without its placements."""
        own = (part for part in ast.flat(define.body) if not isinstance(part, ast.Place))
        corners = (corner for part in own for corner in self._corners(part, scope, ()))
        return max((max(corner) + 1 for corner in corners), default=1)

    def _placed(self, place: ast.Place, scope: Scope, trail: Trail) -> Iterator[Fact]:
        target = self._find(place, scope)
        if target is None:
            yield self._unknown(scope, place.name, place.at, Extent(1, 1), place)
            return
        facts, box = self.piece(*target, trail)
        if target[1].name in target[0].doubtful:
            facts += (everything(box, place),)
        for transform in place.transforms:
            move = tile_transform(box, transform)
            facts, box = (
                tuple(transform_fact(fact, move) for fact in facts),
                transformed_extent(box, transform),
            )
        at = place.at
        via = ExpansionStep("place", f"place {place.name} at {at}", place.span, place.raised)
        for fact in facts:
            whole = fact.kind == "tainted"  # tainted in the piece, not on the whole board
            yield transform_fact(
                replace(fact, name="") if whole else fact,
                lambda tile: Tile(tile.row + at.row, tile.col + at.col),
                raised=place.raised,
                via=via,
            )

    def apply_symmetry(
        self, facts: tuple[Fact, ...], box: Extent, statements: tuple[ast.Statement, ...]
    ) -> tuple[Fact, ...]:
        """Return the facts under every `symmetry` of the board.

        Args:
            facts: Facts of the statements.
            box: Extent of the board.
            statements: Statements of the board; only `symmetry` counts.
        """
        for statement in statements:
            if isinstance(statement, ast.Symmetry):
                if self._square(statement.transform, box, statement.span):
                    via = ExpansionStep("symmetry", head_text(statement), statement.span)
                    facts = images(facts, box, statement.transform, statement.swap, via)
                else:
                    facts += (everything(box, statement),)
                if len(facts) > 4 * MAX_FACTS:
                    self.error("FDF207", "too many symmetries", statement.span)
                    raise ExpansionLimit
        return facts

    # -- areas -----------------------------------------------------------------------------------

    def _square(self, transform: ast.Transform, box: Extent, span: SourceSpan) -> bool:
        if transformed_extent(box, transform) == box:
            return True
        message = f"{transform.name} needs a square, and this is {box.cols}x{box.rows}"
        self.error("FDF105", message, span, "use rotate 180, or a mirror")
        return False

    def _stacked(self, stack: ast.Stack) -> tuple[int, bool]:
        """Return the whole levels of a stack, and True for a half level on top (else FDF109)."""
        if stack.length_um is None:
            return stack.height, False
        halves = round(2 * stack.length_um / self.rise_um)
        if abs(halves * self.rise_um - 2 * stack.length_um) > 2:
            levels = length_text(self.rise_um)
            message = f"no half level of {levels} ends at {length_text(stack.length_um)}"
            hint = f"write halves of {levels}, or `rise` in the `print` block"
            self.error("FDF109", message, stack.span, hint)
        return halves // 2, bool(halves % 2)

    def _level(self, level: int, span: SourceSpan) -> None:
        if level > MAX_LEVEL:
            message = f"level {level} is too high; {MAX_LEVEL} is the highest"
            self.error("FDF106", message, span)

    def tiles(self, area: ast.Area, box: Extent) -> tuple[tuple[Tile, int | None], ...]:
        """Return the tiles of an area with their written level, each once, in order.

        Args:
            area: Area as written.
            box: Extent in which rows, columns and `all` are resolved.
        """
        left_out = {tile for item in area.excepts for tile, _ in self._item(item, box)}
        spots = (spot for item in area.items for spot in self._item(item, box))
        return tuple(dict.fromkeys(spot for spot in spots if spot[0] not in left_out))

    def _item(self, item: ast.Item, box: Extent) -> Iterator[tuple[Tile, int | None]]:
        whole = (Tile(0, 0), Tile(box.rows - 1, box.cols - 1))
        a, b = whole
        if item.kind in ("box", "ring"):
            a = Tile(min(item.a.row, item.b.row), min(item.a.col, item.b.col))
            b = Tile(max(item.a.row, item.b.row), max(item.a.col, item.b.col))
        elif item.kind == "row":
            a, b = Tile(item.index, a.col), Tile(item.index, b.col)
        elif item.kind == "col":
            a, b = Tile(a.row, item.index), Tile(b.row, item.index)
        if b not in box:
            # Of a board that was refused, the size that is asked for counts.
            seen = self.board[1] if box == self.board[0] else box
            if b not in seen:
                what = str(b) if item.kind in ("box", "ring") else f"{item.kind} there"
                message = f"{what} is off the board of {seen.cols}x{seen.rows} tiles"
                hint = f"the last tile is {Tile(seen.rows - 1, seen.cols - 1)}"
                self.issues.append(Issue("FDF100", "error", message, item.span, hint=hint))
            return
        for row in range(a.row, b.row + 1):
            for col in range(a.col, b.col + 1):
                edge = row in (a.row, b.row) or col in (a.col, b.col)
                if item.kind != "ring" or edge:
                    yield Tile(row, col), item.level

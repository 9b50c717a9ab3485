"""AST builder: lark's parse tree of one statement, with its block, to an AST node."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from falldamage_forge.board import MAX_BOARD, MAX_LEVEL, Tile, column_index
from falldamage_forge.elements import ELEMENTS
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.infra.look_alikes import look_alike_hint
from falldamage_forge.infra.visible_text import clipped
from falldamage_forge.issues import Issue, SourceSpan
from falldamage_forge.lang import ast
from falldamage_forge.lang.fitting_syntax import length_text, length_um

if TYPE_CHECKING:
    from lark import Token, Tree

    from falldamage_forge.lang.block_scanner import LineNode

MAX_NUMBER = 999
MOST_SHOWN = 12
"""Most characters of a number in a message."""
OWN_UNIT = re.compile(r"([A-Za-z_][\w-]*)(?:\s+like\s+([A-Za-z_][\w-]*))?", re.ASCII)
"""Head of a line in a `units` block."""
MAX_ROW = 10 * MAX_BOARD
"""Most characters of a map row after its label."""
FLAGS: Mapping[str, tuple[str, ...]] = {"print": ("rim", "blocks")}
"""Keys without a value, by block."""
FREE_BLOCKS: Mapping[str, Any] = {
    "print_block": "print",
    **{kind: kind for kind in ("inventory", "extras", "legend")},
}
"""Blocks of settings without a name, by the grammar's alias."""
ASSIGNED = re.compile(r'(?P<text>"[^"]*")|(?<=[\w-])\s*(?P<sign>=|:=?)\s*(?=\S)')
COMMAS = re.compile(r'(?P<text>"[^"]*")|\s*[,;](?:\s+|$)')
"""A sign between a key and its value, and after a value; texts in quotes stay."""
WORDS = r'"[^"]*"|[^\s"]+'
LISTED = r'"[^"]*"|[^\s"]+?(?:\s*,\s*[^\s",]*)*(?=[\s"]|$)'
"""Words of a block's line, and the same with lists."""
LENGTHS = ("height", "radius")
MOST_STACKED_UM = 720_000
"""Greatest height of a stack in micrometres: the highest level at the greatest rise."""


@dataclass(slots=True)
class IssueCollector:
    """Collects the issues of one file."""

    file: str
    issues: list[Issue]

    def span(self, line: int, col: int, width: int) -> SourceSpan:
        """Return a span within one line; line and column count from 1.

        Args:
            line: Line, from 1.
            col: Column, from 1.
            width: Characters; at least 1 is marked.
        """
        return SourceSpan(self.file, line, col, line, col + max(width, 1))

    def add(
        self, code: str, message: str, line: int, col: int, width: int, hint: str | None = None
    ) -> None:
        """Append an error at a span within one line.

        Args:
            code: Code of the issue, such as `FDF207`.
            message: The defect, in the user's words.
            line: Line, from 1.
            col: Column, from 1.
            width: Characters to mark.
            hint: What to write instead; None for no hint.
        """
        self.issues.append(Issue(code, "error", message, self.span(line, col, width), hint=hint))

    def add_at(
        self, node: LineNode, code: str, message: str, hint: str | None = None, word: str = ""
    ) -> None:
        """Append an error at the head of a line, or at the word with which it begins.

        Args:
            node: The line.
            code: Code of the issue, such as `FDF207`.
            message: The defect, in the user's words.
            hint: What to write instead; None for no hint.
            word: Word to mark; default: the whole head.
        """
        self.add(code, message, node.line, node.col, len(word or node.head), hint)


def split_pairs(kind: str, text: str) -> tuple[list[tuple[int, str, str]], bool]:
    """Split a block's line into settings.

    Args:
        kind: Kind of the block; a value in a `unit` may be a list, returned as `bomb,shove`.
        text: The line.

    Returns:
        (offset, key, value) of each pair or flag, and True if the whole line was read.
    """
    pattern = LISTED if kind == "unit" else WORDS
    words = iter(re.finditer(pattern, text))
    pairs = []
    for key in words:
        if key[0] in FLAGS.get(kind, ()):
            pairs.append((key.start(), key[0], ""))
            continue
        value = next(words, None)
        if value is None:
            return pairs, False
        plain = value[0]
        if kind == "unit" and not plain.startswith('"'):
            plain = re.sub(r"\s*,\s*", ",", plain)
            if "" in plain.split(","):
                return pairs, False
        pairs.append((key.start(), key[0], plain.strip('"')))
    return pairs, True


def _plain(digits: str) -> str:
    """A number without leading zeros."""
    return digits.lstrip("0") or "0"


class StatementBuilder:
    """Builds the node of one statement; `build` dispatches on the grammar's alias."""

    def __init__(self, node: LineNode, collector: IssueCollector) -> None:
        """Build the statement at `node`; its errors go to `collector`."""
        self.node = node
        self.collector = collector
        self.span = collector.span(node.line, node.col, len(node.head))
        end = (node.end_line, node.end_col) if node.end_line else self.span_end()
        self.whole = SourceSpan(collector.file, node.line, node.col, *end)

    def build(self, tree: Tree[Token], body: Any) -> ast.Statement | None:
        """Return the statement of a parse tree.

        Args:
            tree: Lark's parse tree of the head.
            body: Statements or lines of the block; None without one.

        Returns:
            None after an error without a usable statement.
        """
        kind, children = str(tree.data).rstrip("_"), tree.children
        if kind in ("title", "author", "license"):
            return ast.Header(self.span, kind, str(children[0])[1:-1])  # type: ignore[arg-type]
        if kind in ("forge", "players", "board"):
            value = "x".join(map(_plain, str(children[0]).split("x")))
            return ast.Header(self.span, kind, value)  # type: ignore[arg-type]
        if kind in FREE_BLOCKS:
            return self._settings(FREE_BLOCKS[kind], "", body)
        form, _, word = kind.partition("__")
        if form == "put":
            return self._put(word, children)
        if form == "span":
            return self._span(word, children)
        if form == "block":
            return self._model(children, body)
        method: Any = getattr(self, f"_{form}")
        result: ast.Statement | None = method(children, body)
        return result

    # -- places ----------------------------------------------------------------------------------

    def span_end(self) -> tuple[int, int]:
        """Return the line and column after the head."""
        return self.span.end_line, self.span.end_col

    def _place_of(self, token: Token) -> SourceSpan:
        start = self.node.col + (token.start_pos or 0)
        return self.collector.span(self.node.line, start, len(token))

    def _place_of_tree(self, tree: Tree[Token]) -> SourceSpan:
        """Return the span from the first to the last character, keywords included."""
        start, end = tree.meta.start_pos, tree.meta.end_pos
        return self.collector.span(self.node.line, self.node.col + start, end - start)

    def _refuse(
        self, token: Token, message: str, hint: str | None = None, code: str = "FDF006"
    ) -> None:
        """Append an error at a token."""
        span = self._place_of(token)
        self.collector.add(code, message, span.line, span.col, len(token), hint)

    # -- terminals -------------------------------------------------------------------------------

    def _number(self, token: Token, least: int = 0, most: int = MAX_NUMBER) -> int:
        """Return an integer, clamped to its range after an error (FDF006)."""
        digits = str(token)
        value = int(digits) if len(digits) <= 4 else MAX_NUMBER + 1
        if least <= value <= most:
            return value
        shown = clipped(digits, MOST_SHOWN)
        self._refuse(token, f"{shown} is out of range; {least} to {most} is allowed here")
        return max(least, min(value, most))

    def _level(self, token: Token) -> int:
        """Return a level; the expansion judges numbers of up to three digits."""
        digits = str(token)
        if len(digits.lstrip("0")) <= len(str(MAX_NUMBER)):
            return int(digits)
        message = f"level {clipped(digits, MOST_SHOWN)} is too high; {MAX_LEVEL} is the highest"
        self._refuse(token, message, code="FDF106")
        return MAX_LEVEL

    def _rise(self, token: Token) -> int:
        """Return levels to add, with their sign; the board judges numbers of up to three digits."""
        sign, digits = str(token)[0], str(token)[1:].lstrip("0") or "0"
        if len(digits) <= len(str(MAX_NUMBER)):
            return int(sign + digits)
        message = f"`raise {sign}{clipped(digits, MOST_SHOWN)}` is out of range"
        hint = f"a level is 0 to {MAX_LEVEL}: write at most `raise {sign}{MAX_LEVEL}`"
        self._refuse(token, message, hint, code="FDF106")
        return 0

    def _spot(self, tree: Tree[Token]) -> ast.Spot:
        tile, *level = tree.children
        return ast.Spot(
            Tile.parse(str(tile)),
            self._level(level[0]) if level else None,  # type: ignore[arg-type]
            self._place_of_tree(tree),
        )

    def _area(self, tree: Tree[Token]) -> ast.Area:
        items, excepts = [], []
        for child in tree.children:
            if child is None:
                continue
            if child.data == "except_":  # type: ignore[union-attr]
                excepts = [self._item(item) for item in child.children]  # type: ignore[union-attr]
            else:
                items.append(self._item(child))
        return ast.Area(tuple(items), tuple(excepts), self._place_of_tree(tree))

    def _item(self, tree: Any) -> ast.Item:
        kind, span = str(tree.data), self._place_of_tree(tree)
        if kind in ("single", "box"):
            spot = self._spot(tree.children[0])
            last = Tile.parse(str(tree.children[1])) if kind == "box" else spot.tile
            return ast.Item("box", span, spot.tile, last, spot.level)
        if kind == "ring":
            a, b = tree.children
            return ast.Item("ring", span, Tile.parse(str(a)), Tile.parse(str(b)))
        if kind == "row":
            return ast.Item("row", span, index=self._number(tree.children[0], 1) - 1)
        if kind == "col":
            return ast.Item("col", span, index=column_index(str(tree.children[0])))
        return ast.Item("all", span)

    def _transform(self, tree: Tree[Token]) -> ast.Transform | None:
        """Return `rotate 90|180|270` or `mirror x|y`; None after an error (FDF006)."""
        token: Any = tree.children[0]
        if tree.data == "mirror":
            return ast.Transform("mirror", axis=str(token))
        return self._rotation(token)

    def _rotation(self, token: Any) -> ast.Transform | None:
        if str(token) in ("90", "180", "270"):
            return ast.Transform("rotate", amount=int(token))
        self._refuse(token, f"cannot rotate by {str(token)[:9]} degrees", "write 90, 180 or 270")
        return None

    @staticmethod
    def _swap(children: list[Any]) -> tuple[str, str] | None:
        for child in children:
            if getattr(child, "data", "") == "swap":
                return str(child.children[0]), str(child.children[1])
        return None

    # -- statements ------------------------------------------------------------------------------

    def _settings(self, kind: Any, name: str, body: Any) -> ast.Settings:
        pairs = tuple(self._pairs(kind, body or ()))
        return ast.Settings(self.span, self.whole, kind, name, pairs)

    def _pairs(self, kind: str, nodes: tuple[LineNode, ...]) -> list[ast.Setting]:
        """Return the settings of a block; a legend has one `glyph = meaning` on a line."""
        settings = []
        for node in nodes:
            if kind == "legend":
                entry = re.fullmatch(r"(\S)\s*=\s*(\S.*)", node.head)
                if entry:
                    span = self.collector.span(node.line, node.col, len(node.head))
                    settings.append(ast.Setting(entry[1], " ".join(entry[2].split()), span))
                    continue
                if node.head:
                    glyph, _, meaning = node.head.partition(" ")
                    shown = f"write `{glyph} = {meaning.strip()}`" if len(glyph) == 1 else None
                    self._bad_pair(node, "a glyph, `=` and what it means", shown)
                    if len(glyph) == 1:
                        span = self.collector.span(node.line, node.col, len(node.head))
                        settings.append(ast.Setting(glyph, "", span))
                continue
            line = self._without_sign(node)
            pairs, whole = split_pairs(kind, line.head)
            for at, key, value in pairs:
                span = self.collector.span(node.line, node.col + at, len(key))
                settings.append(ast.Setting(key, value, span))
            if not whole or node.body is not None:
                self._bad_pair(node, "pairs of a key and a value")
        return settings

    def _without_sign(self, node: LineNode) -> LineNode:
        """Return a line of pairs without `=`, `:` and commas, which are reported (FDF001)."""
        signs = [found["sign"] for found in ASSIGNED.finditer(node.head) if found["sign"]]
        if not signs:
            return node
        plain = node.head
        for pattern in (ASSIGNED, COMMAS):
            plain = pattern.sub(lambda found: found["text"] or " ", plain).strip()
        hint = f"write `{self.node.head} {{ {plain} }}`, without `{signs[0]}`"
        self._bad_pair(node, "a key, a blank and its value", hint)
        return replace(node, head=plain)

    def _bad_pair(self, node: LineNode, wanted: str, hint: str | None = None) -> None:
        hint = look_alike_hint(node.head, node.col) or hint
        self.collector.add_at(node, "FDF001", f"expected {wanted}", hint)

    def _rules(self, children: list[Any], body: Any) -> ast.Settings:
        return self._settings("rules", str(children[0]), body)

    def _units(self, children: list[Any], body: Any) -> ast.Units:
        units = (self._own_unit(node) for node in body or () if node.head)
        return ast.Units(self.span, self.whole, tuple(unit for unit in units if unit))

    def _own_unit(self, node: LineNode) -> ast.OwnUnit | None:
        """Return `NAME [like UNIT] { KEY VALUE … }`; None after an error (FDF001)."""
        head = OWN_UNIT.fullmatch(node.head)
        if head is None:
            word = re.match(r"[A-Za-z_][\w-]*", node.head)
            hint = f"write `{word[0]} {{ … }}`" if word else None
            self._bad_pair(node, "a unit's name, `like` and another's if it is, and a block", hint)
            return None
        builder = StatementBuilder(node, self.collector)
        pairs = tuple(builder._pairs("unit", node.body or ()))
        return ast.OwnUnit(builder.span, head[1], head[2] or "", pairs)

    def _model(self, children: list[Any], body: Any) -> ast.ModelBlock:
        """Return a model; FDF001, FDF210 and FDF211 report wrong lines and settings."""
        from falldamage_forge.lang.model_block import entries, problems

        settings = []
        for node in body or ():
            for entry in entries(node) if node.head or node.body is not None else ():
                span = self.collector.span(node.line, node.col + entry.at, len(entry.key))
                if entry.wrong:
                    self._bad_pair(node, "pairs of a key and a value", entry.wrong)
                else:
                    settings.append(ast.Setting(entry.key, entry.value, span))
        self.collector.issues += problems(settings)
        name, path = children
        place = self._place_of(path)
        return ast.ModelBlock(
            self.span, self.whole, str(name), str(path)[1:-1], place, tuple(settings)
        )

    def _map_block(self, children: list[Any], body: Any) -> ast.Map:
        header: tuple[ast.Cell, ...] = ()
        rows: list[ast.Row] = []
        for node in body or ():
            if not node.head:
                continue
            label, bar, rest = node.head.rpartition("|")
            offset = node.col + len(node.head) - len(rest)
            if len(rest) > MAX_ROW or len(rows) >= MAX_BOARD:
                message = f"a map has at most {MAX_BOARD} rows of {MAX_BOARD} cells"
                self.collector.add_at(node, "FDF102", message)
                break
            cells = tuple(
                ast.Cell(
                    cell[0], self.collector.span(node.line, offset + cell.start(), len(cell[0]))
                )
                for cell in re.finditer(r"\S+", rest)
            )
            span = self.collector.span(node.line, node.col, len(node.head))
            label = label.strip()
            letters = all(cell.text.isalpha() and cell.text.isupper() for cell in cells)
            if not cells:
                hint = "write a cell for each column, or take the line away"
                self.collector.add_at(node, "FDF102", "this row has no cells", hint)
            elif bar and not label and not rows and not header and letters:
                header = cells
            elif label and not re.fullmatch(r"[1-9][0-9]{0,2}", label):
                message = f"`{label[:20]}` is not a row's number"
                self.collector.add_at(node, "FDF104", message, word=label)
            else:
                rows.append(ast.Row(int(label) if label else None, cells, span))
            if node.body is not None:
                self._bad_pair(node, "a row of cells without braces")
        return ast.Map(self.span, self.whole, header, tuple(rows))

    def _column(self, children: list[Any], body: Any) -> ast.Stack:
        area, token = self._area(children[0]), children[1]
        if token.type != "LENGTH":
            return ast.Stack(self.span, area, self._level(token))
        return ast.Stack(self.span, area, 0, self._length(token, MOST_STACKED_UM))

    def _span(self, word: str, children: list[Any]) -> ast.Span:
        a, b, *rest = children
        level = self._level(rest.pop(0)) if ELEMENTS[word].level else 0
        flagged = any(token is not None for token in rest)
        return ast.Span(self.span, word, self._spot(a), self._spot(b), level, flagged)

    def _put(self, word: str, children: list[Any]) -> ast.Put:
        """Return the statement of an element on tiles, with what follows them."""
        element = ELEMENTS[word]
        name, area, *rest = children if element.wants_name else ("", *children)
        tail = {str(part.data): part.children for part in rest if part is not None}
        sides: Any = tuple(map(str, tail.get("sides", ())))
        most = element.most_um
        length = next((self._length(tail[key][0], most) for key in LENGTHS if key in tail), None)
        name = str(tail["cover"][0]) if "cover" in tail else str(name)
        return ast.Put(self.span, word, self._area(area), name, sides, length)

    def _length(self, token: Token, most: int) -> int | None:
        """Return a length in micrometres; None after an error (FDF006)."""
        length = length_um(str(token))
        if length is not None and 0 < length <= most:
            return length
        shown = clipped(str(token), MOST_SHOWN)
        self._refuse(token, f"{shown} is out of range; at most {length_text(most)} is allowed here")
        return None

    def _define(self, children: list[Any], body: Any) -> ast.Define:
        return ast.Define(self.span, self.whole, str(children[0]), body or ())

    def _import(self, children: list[Any], body: Any) -> ast.Import:
        return ast.Import(self.span, str(children[0])[1:-1], str(children[1]))

    def _place(self, children: list[Any], body: Any) -> ast.Place:
        name, at, *modifiers = children
        transforms, raised, alias = [], 0, ""
        for modifier in modifiers:
            if modifier.data == "raise_":
                raised += self._rise(modifier.children[0])
            elif modifier.data == "alias":
                alias = str(modifier.children[0])
            else:
                transform = self._transform(modifier)
                if transform is None:
                    return None  # type: ignore[return-value]
                transforms.append(transform)
        return ast.Place(
            self.span,
            str(name),
            self._place_of(name),
            Tile.parse(str(at)),
            self._place_of(at),
            tuple(transforms),
            raised,
            alias,
        )

    def _mirror_block(self, children: list[Any], body: Any) -> ast.TransformBlock:
        transform = ast.Transform("mirror", axis=str(children[0]))
        return ast.TransformBlock(
            self.span, self.whole, transform, self._swap(children), body or ()
        )

    def _rotate_block(self, children: list[Any], body: Any) -> ast.TransformBlock | None:
        transform = self._rotation(children[0])
        if transform is None:
            return None
        return ast.TransformBlock(
            self.span, self.whole, transform, self._swap(children), body or ()
        )

    def _symmetry(self, children: list[Any], body: Any) -> ast.Symmetry | None:
        transform = self._transform(children[0])
        if transform is None:
            return None
        return ast.Symmetry(self.span, transform, self._swap(children))

    def _expect(self, children: list[Any], body: Any) -> ast.Expect:
        return ast.Expect(self.span, tuple(map(str, children)))

    def _allow(self, children: list[Any], body: Any) -> ast.Allow:
        return ast.Allow(self.span, str(children[0]), str(children[1])[1:-1])

"""Candidate edits: the texts that may describe a changed board, one for each way of writing it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import field
from functools import partial

from falldamage_forge.board import MAX_BOARD, Tile
from falldamage_forge.elements import ELEMENTS, KINDS
from falldamage_forge.elements.element import Element, Thing
from falldamage_forge.elements.things import Things
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import SourceSpan
from falldamage_forge.lang import ast
from falldamage_forge.lang.edit.area_rewrite import (
    AreaTile,
    Mark,
    cell_text,
    cover_with_rectangles,
    rewrite_area,
)
from falldamage_forge.lang.edit.board_elements import Delta, move_element
from falldamage_forge.lang.edit.source_index import SourceIndex, SourceRef, levels_raised
from falldamage_forge.lang.edit.statement_insertion import (
    COLUMN,
    AreaStatement,
    insertion_point,
    same_statement,
    statement_head,
    statement_text,
)
from falldamage_forge.lang.edit.symmetry_images import SymmetryImage
from falldamage_forge.lang.edit.text_edits import OverlappingEdits, Patch
from falldamage_forge.lang.facts import Extent, Fact
from falldamage_forge.lang.map_block import GLYPHS

MARKS = frozenset(kind for kind, _ in GLYPHS.values())
"""Kinds that a map cell can hold besides its level."""


CHOICES: Mapping[str, tuple[str, ...]] = {
    "cells": ("into the map", "beside it"),
    "join": ("join", "new"),
    "whole": ("height", "split"),
    "local": ("at the source", "on the board"),
    "once": ("asked", "first", "last", "all"),
}
"""Choices between ways to write a change; the first option is tried first.

`cells`: into the board's map, even if its cell is empty. `join`: into an equal statement for other
tiles. `whole`: a stack's height if all of it changes. `local`: beside the source, in its own
coordinates. `once`: of elements that a symmetry makes equal, the requested ones, the first, the
last, or all.
"""


class RewriteStrategy:
    """One way to write a change: some choices fixed, the others recorded at their first option."""

    def __init__(self, fixed: Mapping[str, str]) -> None:
        """Fix some choices, by name."""
        self.fixed = fixed
        self.asked: dict[str, str] = {}

    def __call__(self, name: str) -> str:
        """Return the option of a choice."""
        return self.asked.setdefault(name, self.fixed.get(name, CHOICES[name][0]))

    def first(self, name: str) -> bool:
        """True if a choice has its first option."""
        return self(name) == CHOICES[name][0]

    def others(self) -> Iterator[Mapping[str, str]]:
        """Yield the fixed choices of the strategies that branch off from this one."""
        before: dict[str, str] = {}
        for name, chosen in self.asked.items():
            if name not in self.fixed:
                yield from ({**before, name: other} for other in CHOICES[name] if other != chosen)
            before[name] = chosen


class CannotRewrite(Exception):
    """This strategy cannot write the change: the source is elsewhere or cannot express it."""


def candidates(
    index: SourceIndex, text: str, delta: Delta, through: tuple[SymmetryImage, ...], asked: Things
) -> tuple[str, ...]:
    """Return every different text that a strategy gives; the caller checks their boards.

    Args:
        index: The loaded map.
        text: Its source.
        delta: The change, images included.
        through: Symmetry images of the change.
        asked: Elements that the user asked for, without images.
    """
    texts: dict[str, None] = {}
    waiting: list[Mapping[str, str]] = [{} if len(through) > 1 else {"once": "all"}]
    while waiting:
        way = RewriteStrategy(waiting.pop(0))
        with suppress(CannotRewrite, OverlappingEdits):
            texts[_Writer(index, Patch(text), way, through, asked).write(delta)] = None
        waiting += ({**way.fixed, **other} for other in way.others())
    texts.pop(text, None)
    return tuple(texts)


def _new_levels(delta: Delta) -> dict[Tile, int]:
    """Return the levels of changed columns; 0 for those that become bare."""
    levels = {x.tiles[0]: x.levels[0] for x in delta.new if x.kind == "level"}
    return dict.fromkeys((x.tiles[0] for x in delta.gone if x.kind == "level"), 0) | levels


def _is_mark(element: Element) -> bool:
    """True if an element is put on tiles, one thing a tile; levels and sides are written alone."""
    return element.form == "put" and not element.split


def _drawn(written: SourceRef) -> bool:
    """True if a map cell is not empty, so that a level belongs there."""
    return written.cell is not None and not written.cell.text.startswith("_")


@dataclass(slots=True)
class _Area:
    """The changes of one statement's area."""

    statement: AreaStatement
    drops: set[Tile] = field(default_factory=set)
    adds: list[AreaTile] = field(default_factory=list)


@dataclass(slots=True)
class _Cell:
    """The changes of one map cell."""

    written: SourceRef
    level: int | None = None
    off: set[Mark] = field(default_factory=set)
    on: list[Mark] = field(default_factory=list)


@dataclass(slots=True)
class _Writer:
    """Writes one change with one strategy."""

    index: SourceIndex
    patch: Patch
    way: RewriteStrategy
    through: tuple[SymmetryImage, ...]
    asked: Things
    areas: dict[SourceSpan, _Area] = field(default_factory=dict)
    cells: dict[SourceSpan, _Cell] = field(default_factory=dict)
    wanted: dict[tuple[str, str], list[AreaTile]] = field(default_factory=dict)
    beside: dict[tuple[SourceSpan, int], set[AreaTile]] = field(default_factory=dict)
    heights: dict[SourceSpan, dict[Tile, int]] = field(default_factory=dict)

    def write(self, delta: Delta) -> str:
        """Return the text with the change.

        Raises:
            CannotRewrite: If the strategy cannot write it.
            OverlappingEdits: If two edits overlap.
        """
        self._levels(delta)
        self._marks(delta)
        for kind, element in KINDS.items():
            if element.form == "span":
                self._spans(kind, delta)
            elif element.split:
                self._edges(kind, delta)
        self._finish()
        return self.patch.result()

    # -- where things are written ----------------------------------------------------------------

    def _owners(self, thing: Thing) -> Iterator[tuple[Fact, SourceRef]]:
        for fact in self.index.facts.get(thing, ()):
            written = self.index.of(fact)
            if written is None:
                raise CannotRewrite
            yield fact, written

    def _cell(self, written: SourceRef) -> _Cell:
        assert written.cell is not None
        return self.cells.setdefault(written.cell.span, _Cell(written))

    def _area(self, statement: ast.Statement) -> _Area:
        if not isinstance(statement, AreaStatement):
            raise CannotRewrite
        return self.areas.setdefault(statement.span, _Area(statement))

    def _chosen(self, new: Iterable[Thing]) -> Iterator[Thing]:
        """Yield new elements, of symmetric ones as many as the strategy writes."""
        wanted = sorted(new)
        once = self.way("once") if wanted else "all"
        if once == "all":
            yield from wanted
            return
        pool = set(wanted)
        for thing in wanted:
            alike = {move_element(thing, image.move, image.swap) for image in self.through} & pool
            if once == "asked":
                alike = (alike & self.asked) or {min(alike)}
            else:
                alike = {min(alike) if once == "first" else max(alike)}
            if thing in alike:
                yield thing

    # -- columns ---------------------------------------------------------------------------------

    def _levels(self, delta: Delta) -> None:
        before = {x.tiles[0]: x for x in delta.gone if x.kind == "level"}
        new = (x for x in delta.new if x.kind == "level")
        chosen = {x.tiles[0] for x in self._chosen(new)}
        for tile, target in sorted(_new_levels(delta).items()):
            written_there = False
            for fact, written in self._owners(before[tile]) if tile in before else ():
                written_there = (
                    self._relevel(fact, written, target - levels_raised(fact)) or written_there
                )
            if written_there or not target or tile not in chosen:
                continue
            cell = self.index.cells.get(tile)
            if cell and (_drawn(cell) or self.way.first("cells")):
                self._cell(cell).level = target
            else:
                self.wanted.setdefault((COLUMN, str(target)), []).append(AreaTile(tile))

    def _relevel(self, fact: Fact, written: SourceRef, target: int) -> bool:
        """Change one statement of a level; return True if it also writes the new level."""
        if target < 0:
            raise CannotRewrite
        tile = fact.source[0]
        if written.cell:
            self._cell(written).level = target
            return True
        if not isinstance(written.statement, ast.Stack):
            raise CannotRewrite
        if self.way.first("whole"):
            if written.statement.length_um is not None:
                raise CannotRewrite
            self.heights.setdefault(written.statement.span, {})[tile] = target
            self._area(written.statement)
            return True
        self._area(written.statement).drops.add(tile)
        if target and self.way.first("local"):
            self.beside.setdefault((written.statement.span, target), set()).add(AreaTile(tile))
            return True
        return False

    # -- what stands on them ---------------------------------------------------------------------

    def _marks(self, delta: Delta) -> None:
        gone, new = ({x for x in some if _is_mark(KINDS[x.kind])} for some in delta)
        levels = _new_levels(delta)
        for thing in sorted(gone):
            for fact, written in self._owners(thing):
                top = levels.get(thing.tiles[0], self._level(thing.tiles[0]))
                follows = thing._replace(levels=(top,)) if thing.levels else thing
                if fact.levels == (None,) and follows in new:
                    new.discard(follows)
                    continue
                self._unmark(fact, written)
        for thing in self._chosen(new):
            self._mark(thing, levels)

    def _level(self, tile: Tile) -> int:
        return self.index.loaded.layout.board.column(tile).level

    def _unmark(self, fact: Fact, written: SourceRef) -> None:
        if written.cell:
            self._cell(written).off.add((fact.kind, fact.name))
        else:
            self._area(written.statement).drops.add(fact.source[0])

    def _mark(self, thing: Thing, levels: dict[Tile, int]) -> None:
        tile = thing.tiles[0]
        top = levels.get(tile, self._level(tile))
        level = thing.levels[0] if thing.levels and thing.levels[0] != top else None
        cell = self._home(tile)
        if cell and thing.kind in MARKS and level is None and self.way.first("cells"):
            self._cell(cell).on.append((thing.kind, thing.name))
            return
        self.wanted.setdefault(statement_head(thing), []).append(AreaTile(tile, level))

    def _home(self, tile: Tile) -> SourceRef | None:
        """Return the cell of a tile's level: in a placed map if `local`, else the board's."""
        board = self.index.cells.get(tile)
        levelled = Thing("level", (tile,), (self._level(tile),))
        for fact in self.index.facts.get(levelled, ()):
            own = self.index.of(fact)
            if own and own.cell and own != board and self.way.first("local"):
                return own
        return board

    # -- ways between them -----------------------------------------------------------------------

    def _spans(self, kind: str, delta: Delta) -> None:
        tops = _new_levels(delta)
        relevel = partial(self._relevel_span, tops)
        for thing in self._chosen(self._changed(kind, delta, relevel)):
            word = KINDS[kind].word
            self._insert(word, self._span_text(word, thing, tops))

    def _span_text(self, word: str, thing: Thing, tops: Mapping[Tile, int]) -> str:
        """Return the statement of a new thing with two ends."""
        if ELEMENTS[word].level:
            a, b = map(AreaTile, thing.tiles)
            tail = f" level {thing.levels[0]}" + (f" {thing.name}" if thing.name else "")
        else:
            tail = ""
            a, b = (
                AreaTile(tile, None if level == tops.get(tile, self._level(tile)) else level)
                for tile, level in zip(thing.tiles, thing.levels, strict=True)
            )
        return f"{word} {a} -> {b}{tail}"

    def _changed(
        self, kind: str, delta: Delta, relevel: Callable[[Fact, SourceRef, Thing], None]
    ) -> set[Thing]:
        """Remove or relevel the elements of a kind that are gone; return those that are new."""
        new = {x for x in delta.new if x.kind == kind}
        for thing in sorted(x for x in delta.gone if x.kind == kind):
            after = next((x for x in sorted(new) if x.tiles == thing.tiles), None)
            new.discard(after or thing)
            for fact, written in self._owners(thing):
                if after is None:
                    self.patch.remove(written.statement.span)
                else:
                    relevel(fact, written, after)
        return new

    def _relevel_span(
        self, tops: Mapping[Tile, int], fact: Fact, written: SourceRef, after: Thing
    ) -> None:
        statement = written.statement
        if not isinstance(statement, ast.Span):
            raise CannotRewrite
        element = ELEMENTS[statement.kind]
        if element.level:
            level = after.levels[0] - levels_raised(fact)
            line = re.sub(r"\blevel\s+[0-9]+", f"level {level}", self.patch.source(statement.span))
            line = re.sub(rf"\s+{element.flag}$", "", line)
            line += f" {after.name}" if after.name else ""
            self.patch.replace(statement.span, line)
            return
        for spot, given, tile, level in zip(
            (statement.a, statement.b), fact.levels, after.tiles, after.levels, strict=True
        ):
            if given is not None and given != level:
                follows = level == tops.get(tile, self._level(tile))
                shown = AreaTile(spot.tile, None if follows else level - levels_raised(fact))
                self.patch.replace(spot.span, str(shown))

    def _edges(self, kind: str, delta: Delta) -> None:
        """Write all sides of each changed tile, for elements of which each side is a thing."""
        changed = [x for x in (*delta.gone, *delta.new) if x.kind == kind]
        now = {x for x in self.index.facts if x.kind == kind}
        after = (now - delta.gone) | {x for x in delta.new if x.kind == kind}
        chosen = {x.tiles[0] for x in self._chosen(changed)}
        for tile in sorted({x.tiles[0] for x in changed}):
            for thing in sorted(x for x in now if x.tiles[0] == tile):
                for fact, written in self._owners(thing):
                    self._area(written.statement).drops.add(fact.source[0])
            sides = {x.tiles[1] for x in after if x.tiles[0] == tile}
            if sides and (tile in chosen or any(x.tiles[0] == tile for x in now)):
                whole = Thing(kind, (tile, *sorted(sides)))
                self.wanted.setdefault(statement_head(whole), []).append(AreaTile(tile))

    # -- writing it ------------------------------------------------------------------------------

    def _finish(self) -> None:
        for span, heights in self.heights.items():
            self._reheight(span, heights)
        for (word, name), spots in self.wanted.items():
            same = same_statement(self.index, word, name)
            if same is not None and self.way.first("join"):
                self._area(same).adds += spots
            else:
                self._insert(word, statement_text(word, name, cover_with_rectangles(spots)))
        for (span, height), local in self.beside.items():
            self._insert_beside(
                span, statement_text(COLUMN, str(height), cover_with_rectangles(local))
            )
        for change in self.areas.values():
            self._rewrite(change)
        for cell in self.cells.values():
            written = cell.written
            assert written.cell is not None
            text = cell_text(
                written.cell,
                self.index.legend,
                written.background,
                cell.level,
                cell.off,
                cell.on,
            )
            self.patch.replace(written.cell.span, text, pad=True)

    def _reheight(self, span: SourceSpan, heights: dict[Tile, int]) -> None:
        """Change the height of a stack whose tiles all change to one level."""
        statement = self.areas[span].statement
        assert isinstance(statement, ast.Stack)
        tiles = {fact.source[0] for fact in self._facts(span)}
        if tiles != heights.keys() or len(set(heights.values())) != 1:
            raise CannotRewrite
        height = next(iter(heights.values()))
        head = self.patch.source(span)
        if height:
            self.patch.replace(span, re.sub(r"[0-9]+$", str(height), head))
        else:
            self.areas[span].drops |= tiles

    def _box_of(self, span: SourceSpan) -> Extent:
        """Return the extent of `row 4` or `all`; a definition has the largest extent."""
        inside = not self.index.written[span.line, span.col].background
        return Extent(MAX_BOARD, MAX_BOARD) if inside else self.index.box

    def _rewrite(self, change: _Area) -> None:
        statement = change.statement
        if not change.drops and not change.adds:
            return
        box = self._box_of(statement.span)
        text = rewrite_area(self.patch, statement.area, box, change.drops, change.adds)
        if text is None:
            self.patch.remove(statement.span)
            return
        plain = self._plain(statement.span, change)  # only where it is far simpler
        self.patch.replace(statement.area.span, plain if 2 * len(plain) < len(text) + 4 else text)

    def _plain(self, span: SourceSpan, change: _Area) -> str:
        """Return the area in rectangles and tiles, without its old form."""
        spots = {AreaTile(fact.source[0], *fact.levels[:1]) for fact in self._facts(span)}
        if change.statement.span and isinstance(change.statement, ast.Stack):
            spots = {AreaTile(spot.tile) for spot in spots}
        kept = {spot for spot in spots if spot.tile not in change.drops}
        return cover_with_rectangles({*kept, *change.adds})

    def _facts(self, span: SourceSpan) -> Iterator[Fact]:
        """Yield the facts of a statement."""
        for group in self.index.facts.values():
            yield from (fact for fact in group if fact.span == span)

    def _insert(self, word: str, text: str) -> None:
        line, indent = insertion_point(self.index, self.patch, word)
        self.patch.insert(line, indent + text)

    def _insert_beside(self, span: SourceSpan, text: str) -> None:
        """Insert a statement below another one, in the same block and with its indentation."""
        parents = self.index.written[span.line, span.col].parents
        if any(parent.whole.end_line == span.line for parent in parents):
            raise CannotRewrite
        line = self.patch.lines[span.line - 1]
        self.patch.insert(span.line, line[: len(line) - len(line.lstrip())] + text)

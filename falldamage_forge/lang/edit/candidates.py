"""Texts that may say what a board should be: each way of writing a change, from a few choices."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from falldamage_forge.board import DIRECTION_NAMES, DIRECTIONS, MAX_BOARD, Tile
from falldamage_forge.board.fittings import FITTINGS
from falldamage_forge.issues import SourceSpan
from falldamage_forge.lang import ast
from falldamage_forge.lang.edit.areas import Mark, Spot, cell_text, compact, rewritten
from falldamage_forge.lang.edit.index import Index, Written, raised
from falldamage_forge.lang.edit.orbit import Image
from falldamage_forge.lang.edit.statements import (
    AREAS,
    AreaStatement,
    said,
    same_statement,
    slot,
    words_of,
)
from falldamage_forge.lang.edit.text import Overlap, Patch
from falldamage_forge.lang.edit.things import Delta, Thing, Things, moved
from falldamage_forge.lang.facts import Extent, Fact

MARKS = ("ground", "feature", "treasure")
"""Kinds that a map's cell can hold beside its level."""


CHOICES: Mapping[str, tuple[str, ...]] = {
    "cells": ("into the map", "beside it"),
    "join": ("join", "new"),
    "whole": ("height", "split"),
    "local": ("at the source", "on the board"),
    "once": ("asked", "first", "last", "all"),
}
"""How to write a change, where there is a choice; the first is tried first.

`cells`: into the board's map even where its cell says nothing yet. `join`: into statements that say
the same of other tiles. `whole`: a stack's height where all of it changes. `local`: beside the
source, in its own coordinates. `once`: of things that a symmetry makes alike, those that were asked
for, the first, the last, or all.
"""


class Way:
    """One way of writing a change: some choices fixed, the others taken first and remembered."""

    def __init__(self, fixed: Mapping[str, str]) -> None:
        self.fixed = fixed
        self.asked: dict[str, str] = {}

    def __call__(self, name: str) -> str:
        """What is chosen."""
        return self.asked.setdefault(name, self.fixed.get(name, CHOICES[name][0]))

    def first(self, name: str) -> bool:
        """Whether the first of two possibilities is chosen."""
        return self(name) == CHOICES[name][0]

    def others(self) -> Iterator[Mapping[str, str]]:
        """The choices of the ways that branch off where this one chose freely."""
        before: dict[str, str] = {}
        for name, chosen in self.asked.items():
            if name not in self.fixed:
                yield from ({**before, name: other} for other in CHOICES[name] if other != chosen)
            before[name] = chosen


class Stuck(Exception):
    """This way does not lead there: the source is elsewhere or cannot say it."""


def candidates(
    index: Index, text: str, delta: Delta, through: tuple[Image, ...], asked: Things
) -> tuple[str, ...]:
    """Every different text that a way of writing the change gives; none of them is proved yet.

    `through` are the images under which it is done, and `asked` is what was asked for itself.
    """
    found: dict[str, None] = {}
    waiting: list[Mapping[str, str]] = [{} if len(through) > 1 else {"once": "all"}]
    while waiting:
        way = Way(waiting.pop(0))
        with suppress(Stuck, Overlap):
            found[_Writer(index, Patch(text), way, through, asked).write(delta)] = None
        waiting += ({**way.fixed, **other} for other in way.others())
    found.pop(text, None)
    return tuple(found)


def _drawn(written: Written) -> bool:
    """Whether a map's cell says anything: a level belongs there and nowhere else."""
    return written.cell is not None and not written.cell.text.startswith("_")


@dataclass(slots=True)
class _Area:
    """What changes in the area of one statement."""

    statement: AreaStatement
    drops: set[Tile] = field(default_factory=set)
    adds: list[Spot] = field(default_factory=list)


@dataclass(slots=True)
class _Cell:
    """What changes in one cell of a map."""

    written: Written
    level: int | None = None
    off: set[Mark] = field(default_factory=set)
    on: list[Mark] = field(default_factory=list)


@dataclass(slots=True)
class _Writer:
    """Writes one change in one way."""

    index: Index
    patch: Patch
    way: Way
    through: tuple[Image, ...]
    asked: Things
    areas: dict[SourceSpan, _Area] = field(default_factory=dict)
    cells: dict[SourceSpan, _Cell] = field(default_factory=dict)
    wanted: dict[tuple[str, str], list[Spot]] = field(default_factory=dict)
    beside: dict[tuple[SourceSpan, int], set[Spot]] = field(default_factory=dict)
    heights: dict[SourceSpan, dict[Tile, int]] = field(default_factory=dict)

    def write(self, delta: Delta) -> str:
        """The text with the change in it. Raises Stuck or Overlap."""
        self._levels(delta)
        self._marks(delta)
        self._decks(delta)
        self._ladders(delta)
        self._battlements(delta)
        self._finish()
        return self.patch.result()

    # -- where things are written ----------------------------------------------------------------

    def _owners(self, thing: Thing) -> Iterator[tuple[Fact, Written]]:
        for fact in self.index.facts.get(thing, ()):
            written = self.index.of(fact)
            if written is None:
                raise Stuck
            yield fact, written

    def _cell(self, written: Written) -> _Cell:
        assert written.cell is not None
        return self.cells.setdefault(written.cell.span, _Cell(written))

    def _area(self, statement: ast.Statement) -> _Area:
        if not isinstance(statement, AREAS):
            raise Stuck
        return self.areas.setdefault(statement.span, _Area(statement))

    def _chosen(self, new: Iterable[Thing]) -> Iterator[Thing]:
        """New things, of those that a symmetry makes alike as many as the way says."""
        wanted = sorted(new)
        once = self.way("once") if wanted else "all"
        if once == "all":
            yield from wanted
            return
        pool = set(wanted)
        for thing in wanted:
            alike = {moved(thing, one.move, one.swap) for one in self.through} & pool
            if once == "asked":
                alike = (alike & self.asked) or {min(alike)}
            else:
                alike = {min(alike) if once == "first" else max(alike)}
            if thing in alike:
                yield thing

    # -- columns ---------------------------------------------------------------------------------

    def _levels(self, delta: Delta) -> None:
        after = {x.tiles[0]: x.levels[0] for x in delta.new if x.kind == "level"}
        before = {x.tiles[0]: x for x in delta.gone if x.kind == "level"}
        new = (x for x in delta.new if x.kind == "level")
        chosen = {x.tiles[0] for x in self._chosen(new)}
        for tile in {**before, **after}:
            target = after.get(tile, 0)
            said = False
            for fact, written in self._owners(before[tile]) if tile in before else ():
                said = self._relevel(fact, written, target - raised(fact)) or said
            if said or not target or tile not in chosen:
                continue
            cell = self.index.cells.get(tile)
            if cell and (_drawn(cell) or self.way.first("cells")):
                self._cell(cell).level = target
            else:
                self.wanted.setdefault(("stack", str(target)), []).append(Spot(tile))

    def _relevel(self, fact: Fact, written: Written, target: int) -> bool:
        """Change one saying of a level; whether the new level is said as well."""
        if target < 0:
            raise Stuck
        tile = fact.source[0]
        if written.cell:
            self._cell(written).level = target
            return True
        if not isinstance(written.statement, ast.Stack):
            raise Stuck
        if self.way.first("whole"):
            if written.statement.length_um is not None:
                raise Stuck
            self.heights.setdefault(written.statement.span, {})[tile] = target
            self._area(written.statement)
            return True
        self._area(written.statement).drops.add(tile)
        if target and self.way.first("local"):
            self.beside.setdefault((written.statement.span, target), set()).add(Spot(tile))
            return True
        return False

    # -- what stands on them ---------------------------------------------------------------------

    def _marks(self, delta: Delta) -> None:
        kinds = (*MARKS, "start", "step", *FITTINGS)
        gone = {x for x in delta.gone if x.kind in kinds}
        new = {x for x in delta.new if x.kind in kinds}
        levels = {x.tiles[0]: x.levels[0] for x in delta.new if x.kind == "level"}
        flat = {x.tiles[0] for x in delta.gone if x.kind == "level"} - levels.keys()
        levels |= dict.fromkeys(flat, 0)
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

    def _unmark(self, fact: Fact, written: Written) -> None:
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
        self.wanted.setdefault(words_of(thing), []).append(Spot(tile, level))

    def _home(self, tile: Tile) -> Written | None:
        """The cell that says a tile's level: of a placed map if `local`, else of the board's."""
        board = self.index.cells.get(tile)
        levelled = Thing("level", (tile,), (self._level(tile),))
        for fact in self.index.facts.get(levelled, ()):
            own = self.index.of(fact)
            if own and own.cell and own != board and self.way.first("local"):
                return own
        return board

    # -- ways between them -----------------------------------------------------------------------

    def _decks(self, delta: Delta) -> None:
        new = {x for x in delta.new if x.kind == "deck"}
        for thing in sorted(x for x in delta.gone if x.kind == "deck"):
            after = next((x for x in sorted(new) if x.tiles == thing.tiles), None)
            new.discard(after or thing)
            for fact, written in self._owners(thing):
                if after is None:
                    self.patch.remove(written.statement.span)
                    continue
                head = self.patch.source(written.statement.span)
                level = after.levels[0] - raised(fact)
                said = re.sub(r"\blevel\s+[0-9]+", f"level {level}", head)
                said = re.sub(r"\s+arch$", "", said) + (" arch" if after.name else "")
                self.patch.replace(written.statement.span, said)
        for thing in self._chosen(new):
            a, b = thing.tiles
            arch = " arch" if thing.name else ""
            self._insert("bridge", f"bridge {a} -> {b} level {thing.levels[0]}{arch}")

    def _ladders(self, delta: Delta) -> None:
        new = {x for x in delta.new if x.kind == "ladder"}
        tops = {x.tiles[0]: x.levels[0] for x in delta.new if x.kind == "level"}
        flat = {x.tiles[0] for x in delta.gone if x.kind == "level"} - tops.keys()
        tops |= dict.fromkeys(flat, 0)
        for thing in sorted(x for x in delta.gone if x.kind == "ladder"):
            after = next((x for x in sorted(new) if x.tiles == thing.tiles), None)
            new.discard(after or thing)
            for fact, written in self._owners(thing):
                if after is None:
                    self.patch.remove(written.statement.span)
                else:
                    self._relevel_ladder(fact, written, after, tops)
        for thing in self._chosen(new):
            foot, top = (
                Spot(tile, None if level == tops.get(tile, self._level(tile)) else level)
                for tile, level in zip(thing.tiles, thing.levels, strict=True)
            )
            self._insert("ladder", f"ladder {foot} -> {top}")

    def _relevel_ladder(
        self, fact: Fact, written: Written, after: Thing, tops: dict[Tile, int]
    ) -> None:
        statement = written.statement
        if not isinstance(statement, ast.LadderStatement):
            raise Stuck
        for spot, given, tile, level in zip(
            (statement.foot, statement.top), fact.levels, after.tiles, after.levels, strict=True
        ):
            if given is not None and given != level:
                follows = level == tops.get(tile, self._level(tile))
                shown = Spot(spot.tile, None if follows else level - raised(fact))
                self.patch.replace(spot.span, str(shown))

    def _battlements(self, delta: Delta) -> None:
        kinds = [x for x in (*delta.gone, *delta.new) if x.kind == "battlement"]
        now = {x for x in self.index.facts if x.kind == "battlement"}
        after = (now - delta.gone) | {x for x in delta.new if x.kind == "battlement"}
        chosen = {x.tiles[0] for x in self._chosen(kinds)}
        for tile in sorted({x.tiles[0] for x in kinds}):
            for thing in sorted(x for x in now if x.tiles[0] == tile):
                for fact, written in self._owners(thing):
                    self._area(written.statement).drops.add(fact.source[0])
            sides = {x.tiles[1] for x in after if x.tiles[0] == tile}
            if sides and (tile in chosen or any(x.tiles[0] == tile for x in now)):
                names = [DIRECTION_NAMES[d] for d in DIRECTIONS if tile.step(d) in sides]
                words = "" if len(names) == 4 else " ".join(names)
                self.wanted.setdefault(("battlement", words), []).append(Spot(tile))

    # -- writing it ------------------------------------------------------------------------------

    def _finish(self) -> None:
        for span, heights in self.heights.items():
            self._reheight(span, heights)
        for (word, name), spots in self.wanted.items():
            same = same_statement(self.index, word, name)
            if same is not None and self.way.first("join"):
                self._area(same).adds += spots
            else:
                self._insert(word, said(word, name, compact(spots)))
        for (span, height), local in self.beside.items():
            self._insert_beside(span, said("stack", str(height), compact(local)))
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
        """A stack whose tiles all change to one level says another height."""
        statement = self.areas[span].statement
        assert isinstance(statement, ast.Stack)
        tiles = {fact.source[0] for fact in self._facts(span)}
        if tiles != heights.keys() or len(set(heights.values())) != 1:
            raise Stuck
        height = next(iter(heights.values()))
        head = self.patch.source(span)
        if height:
            self.patch.replace(span, re.sub(r"[0-9]+$", str(height), head))
        else:
            self.areas[span].drops |= tiles

    def _box_of(self, span: SourceSpan) -> Extent:
        """What `row 4` or `all` of a statement may reach; a definition's extent is left open."""
        inside = not self.index.written[span.line, span.col].background
        return Extent(MAX_BOARD, MAX_BOARD) if inside else self.index.box

    def _rewrite(self, change: _Area) -> None:
        statement = change.statement
        if not change.drops and not change.adds:
            return
        box = self._box_of(statement.span)
        text = rewritten(self.patch, statement.area, box, change.drops, change.adds)
        if text is None:
            self.patch.remove(statement.span)
            return
        plain = self._plain(statement.span, change)  # only where it is far simpler
        self.patch.replace(statement.area.span, plain if 2 * len(plain) < len(text) + 4 else text)

    def _plain(self, span: SourceSpan, change: _Area) -> str:
        """The area written anew: rectangles and tiles."""
        spots = {Spot(fact.source[0], *fact.levels[:1]) for fact in self._facts(span)}
        if change.statement.span and isinstance(change.statement, ast.Stack):
            spots = {Spot(spot.tile) for spot in spots}
        kept = {spot for spot in spots if spot.tile not in change.drops}
        return compact({*kept, *change.adds})

    def _facts(self, span: SourceSpan) -> Iterator[Fact]:
        """What a statement says."""
        for group in self.index.facts.values():
            yield from (fact for fact in group if fact.span == span)

    def _insert(self, word: str, text: str) -> None:
        line, indent = slot(self.index, self.patch, word)
        self.patch.insert(line, indent + text)

    def _insert_beside(self, span: SourceSpan, text: str) -> None:
        """A statement below another one, in the same block and with its indentation."""
        parents = self.index.written[span.line, span.col].parents
        if any(parent.whole.end_line == span.line for parent in parents):
            raise Stuck
        line = self.patch.lines[span.line - 1]
        self.patch.insert(span.line, line[: len(line) - len(line.lstrip())] + text)

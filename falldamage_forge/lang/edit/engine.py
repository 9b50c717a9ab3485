"""From a gesture to the smallest text edit: candidates are made, loaded, compared, never trusted.

The text that comes out gives exactly the board that the gesture means, without a new error; where
there is none, what else would change is told, what would break, or where the source is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Literal

from falldamage_forge.board import Tile
from falldamage_forge.issues import SourceSpan, has_errors
from falldamage_forge.lang import ast
from falldamage_forge.lang.edit.answers import (
    Answer,
    Edited,
    Judge,
    Question,
    Refused,
    buildable,
    judged,
)
from falldamage_forge.lang.edit.candidates import candidates
from falldamage_forge.lang.edit.direct import Direct, Rename, Stamp, Symmetrise
from falldamage_forge.lang.edit.echo import echoed
from falldamage_forge.lang.edit.fit import Gesture
from falldamage_forge.lang.edit.gestures import Impossible, Transfer
from falldamage_forge.lang.edit.index import Index, index_of
from falldamage_forge.lang.edit.orbit import Image, expected, images, overrun, spread, written
from falldamage_forge.lang.edit.text import between, cost, inverse
from falldamage_forge.lang.edit.things import (
    FOLLOW,
    Delta,
    Things,
    changed,
    standing,
    things_of,
)
from falldamage_forge.lang.facts import Kind, mover
from falldamage_forge.lang.layout import Layout, Loaded
from falldamage_forge.lang.lower import load
from falldamage_forge.lang.unroll import Read

Copies = Literal["ask", "all", "here"]
ROUNDS = 6
"""A gesture that needs more steps than this is refused."""


@dataclass(frozen=True, slots=True)
class Editor:
    """A text that gestures are done to. `read` reads imports, as for `load`."""

    text: str
    file: str
    read: Read | None = None

    def load(self, text: str) -> Loaded:
        """Another text in the place of this one."""
        return load(text, self.file, self.read)

    def done(self, text: str, loaded: Loaded, label: str = "") -> Edited:
        """The answer that a text is."""
        edits = between(self.text, text)
        return Edited(text, edits, inverse(self.text, edits), loaded, label)


def edit(
    text: str,
    gesture: Gesture | Direct,
    file: str = "map.forge",
    read: Read | None = None,
    *,
    copies: Copies = "ask",
    brush: bool = True,
    label: str = "",
    judge: Judge | None = buildable,
) -> Answer:
    """Do a gesture to a text.

    With `brush` it is done to the images under an expected symmetry as well; those under a written
    `symmetry` always change together. `copies` says what becomes of a piece that is placed more
    than once. What `judge` finds wrong afterwards and not before refuses the gesture; without a
    judge it is done all the same.
    """
    editor = Editor(text, file, read)
    loaded = editor.load(text)
    if has_errors(loaded.issues):
        first = next(issue for issue in loaded.issues if issue.severity == "error")
        return Refused("the text has a fault that must be mended first", first.span)
    answer = _answer(editor, loaded, gesture, copies, brush, label)
    return answer if judge is None else judged(answer, loaded, judge)


def _answer(
    editor: Editor,
    loaded: Loaded,
    gesture: Gesture | Direct,
    copies: Copies,
    brush: bool,
    label: str,
) -> Answer:
    """What the text becomes, whether or not it can be built then."""
    index = index_of(loaded)
    things = things_of(loaded.layout.board)
    try:
        if isinstance(gesture, Direct):
            return _directly(editor, index, things, gesture, label, brush)
        delta = gesture.delta(things, index.box)
    except Impossible as error:
        return Refused(str(error))
    if not delta:
        return editor.done(editor.text, loaded, label)
    outside = next((t for x in delta.new for t in standing(x) if t not in index.box), None)
    if outside is not None:
        return Refused(f"{outside} is off the board")
    made = images(written(loaded.document, index.box))
    source = gesture.source() if isinstance(gesture, Transfer) else frozenset[Tile]()
    for through in _orbits(index, delta, brush):
        wanted = spread(delta, through)
        over = overrun(things, delta, wanted, source)
        if over:
            return Refused(_over(over, brush and through != made))
        meant = changed(things, wanted)
        found = repair(editor, index, things, meant, made, asked=delta.new)
        if found is not None:
            return editor.done(*found, label)
    return _copied(editor, index, things, delta, copies, label)


def _over(tiles: tuple[Tile, ...], brushed: bool) -> str:
    """Why a gesture whose images fall on `tiles` is refused."""
    names = ", ".join(map(str, tiles[:4])) + (" …" if len(tiles) > 4 else "")
    mend = "; without keeping the symmetry it can be done" if brushed else ""
    return f"its image under the map's symmetry would overwrite {names}{mend}"


def _directly(
    editor: Editor, index: Index, things: Things, gesture: Direct, label: str, brush: bool
) -> Answer:
    """A gesture that is a statement: written, and where its board is known, repaired to it."""
    meant: Things | None = things
    text = editor.text
    if isinstance(gesture, Symmetrise):
        meant = gesture.meant(things, index.box)
        through = images(written(index.loaded.document, index.box))
        done = (text, index.loaded)
        if meant != things:
            found = repair(editor, index, things, meant, through)
            if found is None:
                return Refused(f"the board cannot be made symmetric under {gesture.transform.name}")
            done = found
        text, index = done[0], index_of(done[1])
    elif isinstance(gesture, Stamp):
        meant = None
    elif isinstance(gesture, Rename):
        meant = frozenset(gesture.renamed(thing) for thing in things)
    after = gesture.written(index, text)
    loaded = editor.load(after)
    if has_errors(loaded.issues):
        fault = next(issue for issue in loaded.issues if issue.severity == "error")
        return Refused(fault.message, fault.span)
    if meant is not None and things_of(loaded.layout.board) != meant:
        start = index_of(loaded)
        here = things_of(loaded.layout.board)
        through = images(written(loaded.document, start.box))
        found = repair(editor, start, here, meant, through, after)
        if found is None:
            return Refused("no edit of this text says it")
        after, loaded = found
    if brush and isinstance(gesture, Stamp):
        after, loaded = echoed(editor, index.loaded, after, loaded, gesture)
    return editor.done(after, loaded, label)


def _orbits(index: Index, delta: Delta, brush: bool) -> list[tuple[Image, ...]]:
    """Under what a gesture is done as well, the most wanted first."""
    layout, box = index.loaded.layout, index.box
    must = written(index.loaded.document, box)
    may = expected(layout, box) if brush else ()
    blocks = tuple(_blocks(index, delta))
    return [images(one) for one in dict.fromkeys(((*must, *may, *blocks), (*must, *may)))]


def _blocks(index: Index, delta: Delta) -> Iterable[Image]:
    """The transform blocks outside definitions in which something that changes is written."""
    seen: set[SourceSpan] = set()
    for thing in delta.gone:
        for fact in index.facts.get(thing, ()):
            source = index.of(fact)
            if source is None or not source.background:
                continue
            for parent in source.parents:
                if isinstance(parent, ast.TransformBlock) and parent.span not in seen:
                    seen.add(parent.span)
                    yield Image(mover(index.box, parent.transform), parent.swap)


def repair(
    editor: Editor,
    index: Index,
    things: Things,
    meant: Things,
    made: tuple[Image, ...],
    text: str | None = None,
    asked: Things = frozenset(),
) -> tuple[str, Loaded] | None:
    """The smallest text found whose board is the meant one; None where no way leads there.

    `made` are the images that the map's own `symmetry` makes of whatever is written.
    """
    text = editor.text if text is None else text
    for _ in range(ROUNDS):
        best: tuple[int, tuple[int, int], str, Loaded] | None = None
        delta = Delta(things - meant, meant - things)
        tried = candidates(index, text, delta, made, asked)
        for size, candidate in _by_cost(editor, tried):
            loaded = editor.load(candidate)
            if has_errors(loaded.issues) or not _same_beside(index.loaded.layout, loaded.layout):
                continue
            left = len(things_of(loaded.layout.board) ^ meant)
            if left == 0:
                return candidate, loaded
            if best is None or left < best[0]:
                best = left, size, candidate, loaded
        if best is None or best[0] >= len(things ^ meant):
            return None
        text, index = best[2], index_of(best[3])
        things = things_of(best[3].layout.board)
    return None


def _by_cost(editor: Editor, texts: Iterable[str]) -> list[tuple[tuple[int, int], str]]:
    """Texts with what it costs to get there, the cheapest first, else in the given order."""
    return sorted(((cost(editor.text, one), one) for one in texts), key=lambda pair: pair[0])


def _same_beside(before: Layout, after: Layout) -> bool:
    """Whether all that a map says beside its board is the same."""
    return replace(after, board=before.board) == before


def _copied(
    editor: Editor,
    index: Index,
    things: Things,
    delta: Delta,
    copies: Copies,
    label: str,
) -> Answer:
    """What can be done to a tile that comes out of a piece which is placed more than once."""
    through = images(written(index.loaded.document, index.box))
    wide = _everywhere(editor, index, things, delta, through)
    here = _variant(editor, index, things, delta, through)
    everywhere = editor.done(*wide, label) if wide else None
    single = editor.done(*here, label) if here else None
    wished = {"all": everywhere, "here": single, "ask": None}[copies]
    if wished is not None:
        return wished
    if everywhere is None and single is None:
        return _refused(index, delta)
    also = _others(things, delta, everywhere) if everywhere else ""
    message = f"this stands in a piece that is placed more than once; changed there, {also} too"
    return Question(message if also else "this changes more than was asked for", everywhere, single)


def _others(things: Things, delta: Delta, done: Edited) -> str:
    """The tiles that change beside those that were meant."""
    meant = {tile for x in (*delta.gone, *delta.new) for tile in x.tiles}
    others = sorted({x.tiles[0] for x in things ^ things_of(done.board)} - meant)
    names = ", ".join(map(str, others[:6])) + (" …" if len(others) > 6 else "")
    return f"{names} change{'s' if len(others) == 1 else ''}" if others else ""


def _everywhere(
    editor: Editor,
    index: Index,
    things: Things,
    delta: Delta,
    through: tuple[Image, ...],
) -> tuple[str, Loaded] | None:
    """An edit at the source that does what was asked, whatever its other copies become."""
    wanted = spread(delta, through)
    tried = candidates(index, editor.text, wanted, through, delta.new)
    for _, candidate in _by_cost(editor, tried):
        loaded = editor.load(candidate)
        if has_errors(loaded.issues) or not _same_beside(index.loaded.layout, loaded.layout):
            continue
        after = things_of(loaded.layout.board)
        kinds = {x.kind for x in (*delta.gone, *delta.new)}
        if delta.new <= after and not delta.gone & after and _only(things ^ after, kinds):
            return candidate, loaded
    return None


def _only(differences: Things, kinds: Collection[Kind]) -> bool:
    """Whether nothing of another kind has changed, but for what stands on changed columns."""
    follows = FOLLOW if "level" in kinds else ()
    return all(x.kind in (*kinds, *follows) for x in differences)


def _variant(
    editor: Editor,
    index: Index,
    things: Things,
    delta: Delta,
    through: tuple[Image, ...],
) -> tuple[str, Loaded] | None:
    """A copy of the definition under a name of its own for this place, and the change in it."""
    meant = changed(things, spread(delta, through))
    for text in _split(editor, index, delta):
        loaded = editor.load(text)
        if has_errors(loaded.issues):
            continue
        found = repair(editor, index_of(loaded), things, meant, through, text)
        if found is not None:
            return found
    return None


def _split(editor: Editor, index: Index, delta: Delta) -> Iterable[str]:
    """Texts in which one `place` has a definition of its own."""
    document = index.loaded.document
    names = {item.name for item in document.statements if isinstance(item, ast.Define)}
    seen: set[SourceSpan] = set()
    for place, tile in _places(index, delta):
        define = next(
            (d for d in document.statements if isinstance(d, ast.Define) and d.name == place.name),
            None,
        )
        if define is None or place.span in seen:
            continue
        seen.add(place.span)
        name = f"{define.name}-{str(tile).lower()}"
        while name in names:
            name += "-b"
        lines = editor.text.split("\n")
        row, span = place.span.line - 1, place.name_span
        lines[row] = lines[row][: span.col - 1] + name + lines[row][span.end_col - 1 :]
        copy = lines[define.whole.line - 1 : define.whole.end_line]
        head = rf"\bdefine(\s+){define.name}\b"
        copy[0] = re.sub(head, rf"define\g<1>{name}", copy[0], count=1)
        at = define.whole.end_line
        yield "\n".join([*lines[:at], *copy, *lines[at:]])


def _places(index: Index, delta: Delta) -> Iterable[tuple[ast.Place, Tile]]:
    """The outermost placements behind what changes, and on what tiles it lies."""
    by_span = {x.statement.span: x.statement for x in index.written.values()}
    tiles = {tile for x in (*delta.gone, *delta.new) for tile in x.tiles}
    for thing, facts in sorted(index.facts.items()):
        if thing not in delta.gone and not tiles.intersection(thing.tiles):
            continue
        for fact in facts:
            via = next((via for via in reversed(fact.chain) if via.kind == "place"), None)
            place = by_span.get(via.span) if via else None
            if isinstance(place, ast.Place):
                yield place, place.at


def _refused(index: Index, delta: Delta) -> Refused:
    """Where the source of what cannot be changed is."""
    for thing in sorted(delta.gone):
        for fact in index.facts.get(thing, ()):
            if fact.span and fact.span.file != index.loaded.document.file:
                return Refused(f"{thing.tiles[0]} comes out of {fact.span.file}", fact.span)
            if fact.chain:
                via = fact.chain[-1]
                return Refused(f"{thing.tiles[0]} comes out of `{via.text}`", fact.span)
    return Refused("no edit of this text says it")

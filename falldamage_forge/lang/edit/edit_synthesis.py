"""Edit synthesis: from a gesture to the smallest text edit, by trying candidate texts.

Each candidate is loaded, and its board compared with the intended one. The result has exactly that
board and no new error. Otherwise the answer is a question or a refusal with its reason.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Literal

from falldamage_forge.board import Tile
from falldamage_forge.elements import FOLLOW
from falldamage_forge.elements.things import Things, things_of
from falldamage_forge.issues import Issue, SourceSpan
from falldamage_forge.lang import ast
from falldamage_forge.lang.edit.board_elements import Delta, apply_delta, element_tiles
from falldamage_forge.lang.edit.candidate_edits import candidates
from falldamage_forge.lang.edit.edit_result import (
    AmbiguousEdit,
    Answer,
    EditRefused,
    EditResult,
    Judge,
    buildable,
    judged,
)
from falldamage_forge.lang.edit.fitting_gestures import Gesture
from falldamage_forge.lang.edit.gestures import InvalidGesture, Transfer
from falldamage_forge.lang.edit.loaded_text import Editor, LoadedText
from falldamage_forge.lang.edit.mirror_stamps import add_mirrored_stamps
from falldamage_forge.lang.edit.refactorings import Direct, Rename, StampEdit, Symmetrise
from falldamage_forge.lang.edit.source_index import SourceIndex
from falldamage_forge.lang.edit.symmetry_images import (
    SymmetryImage,
    expected_symmetries,
    generate_group,
    overrun,
    with_images,
    written_symmetries,
)
from falldamage_forge.lang.edit.text_edits import edit_cost
from falldamage_forge.lang.expansion import Read
from falldamage_forge.lang.facts import tile_transform
from falldamage_forge.lang.layout import Layout

Copies = Literal["ask", "all", "here"]
ROUNDS = 6
"""Most rounds of candidates for one gesture."""


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
    """Do a gesture on a source text.

    Args:
        text: Source text.
        gesture: The gesture.
        file: Name of the file, for source spans.
        read: Function that reads imports, as for `load`.
        copies: For a piece placed more than once: `ask`, change `all` copies, or a variant `here`.
        brush: True to apply it to the images under an expected symmetry, too. Images under a
            written `symmetry` always change.
        label: Label of the result.
        judge: Function that returns the issues of a map; new errors refuse the gesture. None
            accepts every result.
    """
    editor = Editor(text, file, read)
    draft = editor.load(text)
    if error := _error(draft):
        return EditRefused("the text has an error; correct it first", error.span)
    answer = _answer(editor, draft, gesture, copies, brush, label)
    return answer if judge is None else judged(answer, draft.loaded, judge)


def _error(draft: LoadedText) -> Issue | None:
    """Return the first error of a text; None if it has none."""
    return next((issue for issue in draft.loaded.issues if issue.severity == "error"), None)


def _answer(
    editor: Editor,
    draft: LoadedText,
    gesture: Gesture | Direct,
    copies: Copies,
    brush: bool,
    label: str,
) -> Answer:
    """Return the result of a gesture, without checking that it can be built."""
    box = draft.index.box
    try:
        if isinstance(gesture, Direct):
            return _directly(editor, draft, gesture, label, brush)
        delta = gesture.delta(draft.things, box)
    except InvalidGesture as error:
        return EditRefused(str(error))
    if not delta:
        return editor.done(draft, label)
    off = (t for x in delta.new for t in element_tiles(x) if t not in box)
    outside = min(off, default=None)
    if outside is not None:
        return EditRefused(f"{outside} is off the board")
    source = gesture.source() if isinstance(gesture, Transfer) else frozenset[Tile]()
    for through in _orbits(draft, delta, brush):
        wanted = with_images(delta, through)
        over = overrun(draft.things, delta, wanted, source)
        if over:
            return EditRefused(_over(over, brush and through != draft.written))
        meant = apply_delta(draft.things, wanted)
        best = find_smallest_edit(editor, draft, meant, draft.written, asked=delta.new)
        if best is not None:
            return editor.done(best, label)
    return _copied(editor, draft, delta, copies, label)


def _over(tiles: tuple[Tile, ...], brushed: bool) -> str:
    """Return why a gesture is refused whose images fall on some tiles."""
    names = ", ".join(map(str, tiles[:4])) + (" …" if len(tiles) > 4 else "")
    remedy = "; without keeping the symmetry it can be done" if brushed else ""
    return f"its image under the map's symmetry would overwrite {names}{remedy}"


def _directly(
    editor: Editor, draft: LoadedText, gesture: Direct, label: str, brush: bool
) -> Answer:
    """Return the result of a gesture that is a statement, with the intended board restored."""
    before, meant = draft, draft.things
    if isinstance(gesture, Symmetrise):
        meant = gesture.meant(draft.things, draft.index.box)
        if meant != draft.things:
            repaired = find_smallest_edit(editor, draft, meant, draft.written)
            if repaired is None:
                return EditRefused(
                    f"the board cannot be made symmetric under {gesture.transform.name}"
                )
            before = repaired
    elif isinstance(gesture, Rename):
        meant = frozenset(gesture.renamed(thing) for thing in draft.things)
    after = editor.load(gesture.written(before.index, before.text))
    if error := _error(after):
        return EditRefused(error.message, error.span)
    if isinstance(gesture, StampEdit):
        if brush:
            after = add_mirrored_stamps(editor, before.loaded, after, gesture)
    elif after.things != meant:
        restored = find_smallest_edit(editor, after, meant, after.written)
        if restored is None:
            return EditRefused("no edit of this text gives that board")
        after = restored
    return editor.done(after, label)


def _orbits(draft: LoadedText, delta: Delta, brush: bool) -> list[tuple[SymmetryImage, ...]]:
    """Return the sets of images under which to do a gesture, the preferred first."""
    layout, box = draft.loaded.layout, draft.index.box
    must = written_symmetries(draft.loaded.document, box)
    may = expected_symmetries(layout, box) if brush else ()
    blocks = tuple(_blocks(draft.index, delta))
    return [
        generate_group(images) for images in dict.fromkeys(((*must, *may, *blocks), (*must, *may)))
    ]


def _blocks(index: SourceIndex, delta: Delta) -> Iterable[SymmetryImage]:
    """Yield the images of transform blocks, outside definitions, that contain a changed element."""
    seen: set[SourceSpan] = set()
    for thing in sorted(delta.gone, key=str):
        for fact in index.facts.get(thing, ()):
            source = index.of(fact)
            if source is None or not source.background:
                continue
            for parent in source.parents:
                if isinstance(parent, ast.TransformBlock) and parent.span not in seen:
                    seen.add(parent.span)
                    yield SymmetryImage(tile_transform(index.box, parent.transform), parent.swap)


def find_smallest_edit(
    editor: Editor,
    draft: LoadedText,
    meant: Things,
    made: tuple[SymmetryImage, ...],
    asked: Things = frozenset(),
) -> LoadedText | None:
    """Return the smallest edit found that gives the intended board.

    Args:
        editor: The source to edit.
        draft: Text to start from.
        meant: Elements of the intended board.
        made: Images that the map's own `symmetry` makes of every statement.
        asked: Elements that the user asked for, without images.

    Returns:
        None if no candidate leads there.
    """
    for _ in range(ROUNDS):
        best, missed = None, len(draft.things ^ meant)
        delta = Delta(draft.things - meant, meant - draft.things)
        for tried in _tried(editor, draft, delta, made, asked):
            left = len(tried.things ^ meant)
            if left == 0:
                return tried
            if left < missed:
                best, missed = tried, left
        if best is None:
            return None
        draft = best
    return None


def _tried(
    editor: Editor,
    draft: LoadedText,
    delta: Delta,
    through: tuple[SymmetryImage, ...],
    asked: Things,
) -> Iterable[LoadedText]:
    """Yield the texts without errors that may describe a change, the smallest edit first."""
    texts = candidates(draft.index, draft.text, delta, through, asked)
    for text in sorted(texts, key=lambda text: edit_cost(editor.text, text)):
        tried = editor.load(text)
        if _error(tried) is None and _same_beside(draft.loaded.layout, tried.loaded.layout):
            yield tried


def _same_beside(before: Layout, after: Layout) -> bool:
    """True if two layouts differ at most in their boards."""
    return replace(after, board=before.board) == before


def _copied(editor: Editor, draft: LoadedText, delta: Delta, copies: Copies, label: str) -> Answer:
    """Return the answer for a tile of a piece that is placed more than once."""
    wide, here = _everywhere(editor, draft, delta), _variant(editor, draft, delta)
    everywhere = editor.done(wide, label) if wide else None
    single = editor.done(here, label) if here else None
    wished = {"all": everywhere, "here": single, "ask": None}[copies]
    if wished is not None:
        return wished
    if everywhere is None and single is None:
        return _refused(draft.index, delta)
    also = _others(draft.things, delta, everywhere) if everywhere else ""
    message = f"this stands in a piece that is placed more than once; changed there, {also} too"
    return AmbiguousEdit(
        message if also else "this changes more than was asked for", everywhere, single
    )


def _others(things: Things, delta: Delta, done: EditResult) -> str:
    """Return a phrase for the tiles that change besides the intended ones."""
    meant = {tile for x in (*delta.gone, *delta.new) for tile in x.tiles}
    others = sorted({x.tiles[0] for x in things ^ things_of(done.board)} - meant)
    names = ", ".join(map(str, others[:6])) + (" …" if len(others) > 6 else "")
    return f"{names} change{'s' if len(others) == 1 else ''}" if others else ""


def _everywhere(editor: Editor, draft: LoadedText, delta: Delta) -> LoadedText | None:
    """Return an edit at the source that does the gesture, with any effect on other copies."""
    kinds = {x.kind for x in (*delta.gone, *delta.new)}
    wanted = with_images(delta, draft.written)
    for tried in _tried(editor, draft, wanted, draft.written, delta.new):
        after = tried.things
        if delta.new <= after and not delta.gone & after and _only(draft.things ^ after, kinds):
            return tried
    return None


def _only(differences: Things, kinds: Collection[str]) -> bool:
    """True if only elements of some kinds changed, and those that stand on changed columns."""
    follows = FOLLOW if "level" in kinds else ()
    return all(x.kind in (*kinds, *follows) for x in differences)


def _variant(editor: Editor, draft: LoadedText, delta: Delta) -> LoadedText | None:
    """Return a text with a copy of the definition for this place and the change in it."""
    meant = apply_delta(draft.things, with_images(delta, draft.written))
    for text in _split(draft, delta):
        split = editor.load(text)
        if _error(split) is None:
            best = find_smallest_edit(editor, split, meant, draft.written)
            if best is not None:
                return best
    return None


def _split(draft: LoadedText, delta: Delta) -> Iterable[str]:
    """Yield texts in which one `place` has its own definition."""
    document = draft.loaded.document
    names = {item.name for item in document.statements if isinstance(item, ast.Define)}
    seen: set[SourceSpan] = set()
    for place, tile in _places(draft.index, delta):
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
        lines = draft.text.split("\n")
        row, span = place.span.line - 1, place.name_span
        lines[row] = lines[row][: span.col - 1] + name + lines[row][span.end_col - 1 :]
        copy = lines[define.whole.line - 1 : define.whole.end_line]
        head = rf"\bdefine(\s+){define.name}\b"
        copy[0] = re.sub(head, rf"define\g<1>{name}", copy[0], count=1)
        at = define.whole.end_line
        yield "\n".join([*lines[:at], *copy, *lines[at:]])


def _places(index: SourceIndex, delta: Delta) -> Iterable[tuple[ast.Place, Tile]]:
    """Yield the outermost placements of changed elements, with their tiles."""
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


def _refused(index: SourceIndex, delta: Delta) -> EditRefused:
    """Return the refusal with the source of the elements that cannot be changed."""
    for thing in sorted(delta.gone):
        for fact in index.facts.get(thing, ()):
            if fact.span and fact.span.file != index.loaded.document.file:
                return EditRefused(f"{thing.tiles[0]} comes out of {fact.span.file}", fact.span)
            if fact.chain:
                via = fact.chain[-1]
                return EditRefused(f"{thing.tiles[0]} comes out of `{via.text}`", fact.span)
    return EditRefused("no edit of this text gives that board")

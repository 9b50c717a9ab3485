"""Source text of a genome: names, definitions, one half under a symmetry, comments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random

from falldamage_forge.board import Tile
from falldamage_forge.search.genome import MapBuilder, PartPlacement
from falldamage_forge.search.mutable_board import MutableBoard
from falldamage_forge.search.ornaments import NONE, Ornaments
from falldamage_forge.search.style_grammar import FEATURES, GROUND, GROUNDS, LAVA

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def map_source(
    draft: MapBuilder,
    seed: int | str,
    expects: Iterable[str] = (),
    made: str = "Made by `fdforge generate`",
    ornaments: Ornaments = NONE,
) -> str:
    """Return the source text of a map, in the formatter's style.

    Args:
        draft: Builder with the finished map.
        seed: Seed, which also chooses the title.
        expects: Expectations to write.
        made: Origin, for the comment at the head.
        ornaments: Arches, battlements and steps of the map.
    """
    grammar, sketch = draft.style.grammar, draft.sketch
    rng = Random(f"title/{grammar.name}/{seed}")
    lines = ["forge 1", f'title "{rng.choice(grammar.first)} {rng.choice(grammar.last).title()}"']
    if (sketch.rows, sketch.cols) != (10, 10):
        lines.append(f"board {sketch.cols}x{sketch.rows}")
    lines += ["", *_about(draft, f"{made}: style {grammar.name}, seed {seed}.")]
    for name in dict.fromkeys(stamp.part for stamp in _stamps(draft)):
        lines += draft.style.parts[name].lines
    lines += [f"symmetry {sketch.symmetry.replace('-', ' ')} swap red blue", ""]
    lines += _middle(draft)
    lines += [*_places(draft), *_rest(draft, ornaments)]
    lines += ornaments.lines(sketch.cols)
    first = sketch.cols // 2 - 4
    red = f"{Tile(0, first)}..{Tile(0, first + 7)}"
    lines += ["", f"start red at {red}", "", f"expect symmetric {sketch.symmetry}"]
    if sketch.chests:
        lines.append("expect reachable treasure")
    lines += [each for each in dict.fromkeys(expects) if each not in lines]
    return "\n".join(_single_blanks(lines)) + "\n"


def _stamps(draft: MapBuilder) -> tuple[PartPlacement, ...]:
    heart = draft.sketch.heart
    return (*((heart,) if heart else ()), *draft.sketch.stamps)


def _single_blanks(lines: list[str]) -> Iterable[str]:
    for before, line in zip(["", *lines], lines, strict=False):
        if line or before:
            yield line


def _about(draft: MapBuilder, whence: str) -> list[str]:
    """Return the comment at the head: the style, the parts, the origin."""
    grammar, sketch = draft.style.grammar, draft.sketch
    counts = Counter(stamp.part for stamp in sketch.stamps)
    each = _listed([_counted(count, name) for name, count in counts.items()])
    middle = f"the {_words(sketch.heart.part)} in the middle" if sketch.heart else ""
    summary = "; ".join(text for text in (f"{each} a side" if each else "", middle) if text)
    head = f"# {grammar.about}"
    lines = [head]
    if summary:
        lines += _wrapped(f"{summary[0].upper()}{summary[1:]}.")
    lines.append(f"# {whence}")
    lines.append("")
    return lines


def _wrapped(text: str, width: int = 92) -> list[str]:
    lines, line = [], "#"
    for word in text.split():
        if len(line) + len(word) + 1 > width:
            lines.append(line)
            line = "#"
        line += f" {word}"
    return [*lines, line]


def _words(name: str) -> str:
    return name.replace("-", " ")


def _counted(count: int, name: str) -> str:
    words = _words(name)
    if count == 1:
        return f"{'an' if words[0] in 'aeiou' else 'a'} {words}"
    plural = words + ("es" if words.endswith(("ch", "s", "x")) else "s")
    if words.endswith("y") and words[-2] not in "aeiou":
        plural = words[:-1] + "ies"
    if words.endswith("lf"):
        plural = words[:-1] + "ves"
    number = NUMBERS[count] if count < len(NUMBERS) else str(count)
    return f"{number} {f'flights of {words}' if words == 'steps' else plural}"


def _listed(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names)


def _place(stamp: PartPlacement) -> str:
    text = f"place {stamp.part} at {Tile(stamp.row, stamp.col)}"
    if stamp.mirrored:
        text += " mirror x"
    return text + (f" rotate {90 * stamp.turns}" if stamp.turns else "")


def _middle(draft: MapBuilder) -> list[str]:
    heart = draft.sketch.heart
    return [f"{_place(heart)}  # the middle, its own image"] if heart else []


def _places(draft: MapBuilder) -> list[str]:
    """Return `place` statements by part, from north to south."""
    order = list(dict.fromkeys(stamp.part for stamp in draft.sketch.stamps))
    stamps = sorted(draft.sketch.stamps, key=lambda s: (order.index(s.part), s.row, s.col))
    return [_place(stamp) for stamp in stamps]


def _rest(draft: MapBuilder, ornaments: Ornaments) -> list[str]:
    """Return the statements of steps, bridges, ladders, features and chests, with comments."""
    sketch, canvas = draft.sketch, draft.canvas
    cols = sketch.cols

    def tile(number: int) -> str:
        return str(Tile(*divmod(number, cols)))

    lines = []
    for level in sorted({level for _, level in sketch.steps}):
        at = areas([t for t, each in sketch.steps if each == level], cols)
        why = "a step up" if level == 1 else "a foothold"
        lines.append(f"stack {at} height {level}  # {why}")
    for bridge in sketch.bridges:
        over = _under(canvas, canvas.between(bridge.a, bridge.b), bridge.level)
        line = f"bridge {tile(bridge.a)} -> {tile(bridge.b)} level {bridge.level}"
        line += " arch" * ((bridge.a, bridge.b) in ornaments.arches)
        lines.append(f"{line}  # {over}" if over else line)
    for foot, top in sketch.ladders:
        lines.append(f"ladder {tile(foot)} -> {tile(top)}")
    for kind in (*FEATURES, *GROUNDS):
        tiles = [at for each, at in sketch.things if each == kind]
        if tiles:
            lines.append(f"{kind} at {areas(tiles, cols)}")
    decks = {at for deck in canvas.decks for at in deck.tiles}
    chests = [f"{tile(at)}@{level}" if at in decks else tile(at) for at, level in sketch.chests]
    if chests:
        lines.append(f"treasure at {', '.join(chests)}")
    return lines


def _under(canvas: MutableBoard, tiles: tuple[int, ...], level: int) -> str:
    if any(canvas.ground[at] == LAVA for at in tiles):
        return "over the fire"
    if any(canvas.ground[at] != GROUND for at in tiles):
        return "over the water"
    return "a high road" if level >= 3 else ""


def areas(tiles: Iterable[int], cols: int) -> str:
    """Return tiles as rectangles, row by row: `C3, D3..F3`.

    Args:
        tiles: Tile numbers.
        cols: Columns of the board.
    """
    left = set(tiles)
    found = []
    while left:
        row, col = divmod(min(left), cols)
        last = col
        while last + 1 < cols and row * cols + last + 1 in left:
            last += 1
        low = row
        while all((low + 1) * cols + each in left for each in range(col, last + 1)):
            low += 1
        left -= {r * cols + c for r in range(row, low + 1) for c in range(col, last + 1)}
        one, other = Tile(row, col), Tile(low, last)
        found.append(str(one) if one == other else f"{one}..{other}")
    return ", ".join(found)

"""Gesture parser: `raise D4..E5 by 1`, `move A1..C3 to G7`, `symmetry rotate 180 swap red blue`.

Areas, tiles and transforms have the syntax of the language and are read by its parser.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from falldamage_forge.board import WAYS, Tile
from falldamage_forge.board.coordinates import parse_place
from falldamage_forge.elements import ELEMENTS, FITTINGS
from falldamage_forge.elements.element import Element
from falldamage_forge.issues import did_you_mean
from falldamage_forge.lang import ast
from falldamage_forge.lang.edit import fitting_gestures, gestures, refactorings
from falldamage_forge.lang.edit.fitting_gestures import Gesture
from falldamage_forge.lang.edit.gestures import InvalidGesture
from falldamage_forge.lang.edit.refactorings import Direct
from falldamage_forge.lang.expansion import Expander
from falldamage_forge.lang.facts import Extent
from falldamage_forge.lang.parser import parse


def _usage(element: Element) -> str:
    """Return how an element's gesture is written."""
    if element.usage is not None:
        return element.usage
    form = element.statement.replace(" at ", " ").replace(" -> ", " ")
    return form.replace("SIDE …", "north east …")


_FORMS = {word: _usage(x) for word, x in ELEMENTS.items() if x.form in ("put", "span")}
_LAST = [word for word, x in ELEMENTS.items() if x.form == "span" or x.depth is None]
USAGE = {
    "raise": "raise AREA [by N] [with bridges]",
    "lower": "lower AREA [by N] [with bridges]",
    "paint": "paint AREA level N",
    **{word: form for word, form in _FORMS.items() if form and word not in _LAST},
    "clear": "clear railing|obstruction|field|pitfall|gate|base|tree|… AREA",
    **{word: _FORMS[word] for word in _LAST if word in _FORMS},
    "replace": "replace level N|tree|lava|… with level N|tree|lava|… [in AREA]",
    "erase": "erase AREA, or erase one TILE [toward TILE]",
    "move": "move AREA to TILE [rotate N] [mirror x|y], or move treasure|railing|… TILE to TILE",
    "copy": "copy AREA to TILE [rotate N] [mirror x|y]",
    "rotate": "rotate AREA 90|180|270",
    "mirror": "mirror AREA x|y",
    "stamp": "stamp NAME at TILE [rotate N] [mirror x|y] [raise +N] [as NAME]",
    "symmetry": "symmetry rotate N|mirror x|y [swap SIDE SIDE], or symmetry off",
    "rename": "rename OLD NEW",
}


USUAL = next(word for word, x in ELEMENTS.items() if x.valued and x.usage)
"""The element whose form also says that of all without one of their own."""


def parse_gesture(words: str, box: Extent) -> Gesture | Direct:
    """Return the gesture of a text.

    Args:
        words: Text of the gesture; `USAGE` lists the forms.
        box: Extent of the board.

    Raises:
        InvalidGesture: If the text is no gesture; the message says what to write.
    """
    word, _, rest = words.strip().partition(" ")
    reader = _READERS.get(word)
    if reader is None:
        hint = did_you_mean(word, USAGE) or f"known: {', '.join(USAGE)}"
        raise InvalidGesture(f"no gesture `{word}`; {hint}")
    gesture: Gesture | Direct | None = reader(word, rest.strip(), box)
    if gesture is None:
        raise InvalidGesture(
            f"cannot read `{words.strip()}`; write: {USAGE.get(word) or USAGE[USUAL]}"
        )
    return gesture


def _statement(line: str) -> ast.Statement | None:
    """Return the statement of one line, or None."""
    if "\n" in line or "{" in line or "}" in line:
        return None
    document, issues = parse(f"forge 1\n{line}\n", "gesture")
    return None if issues or len(document.statements) != 2 else document.statements[1]


def _spots(area: str, box: Extent) -> tuple[tuple[Tile, int | None], ...] | None:
    """Return the tiles of an area with their written levels; None if the text is no area."""
    statement = _statement(f"treasure at {area}")
    if not isinstance(statement, ast.Put):
        return None
    return _area_tiles(statement.area, box)


def _area_tiles(area: ast.Area, box: Extent) -> tuple[tuple[Tile, int | None], ...]:
    expander = Expander(None)
    spots = expander.tiles(area, box)
    if expander.issues:
        raise InvalidGesture(expander.issues[0].message)
    return spots


def _tiles(area: str, box: Extent) -> tuple[Tile, ...] | None:
    spots = _spots(area, box)
    return None if spots is None else tuple(dict.fromkeys(tile for tile, _ in spots))


def _raise(word: str, rest: str, box: Extent) -> Gesture | None:
    match = re.fullmatch(r"(.+?)(?:\s+by\s+([0-9]{1,2}))?(\s+with\s+bridges?)?", rest)
    tiles = _tiles(match[1], box) if match else None
    if match is None or not tiles:
        return None
    by = int(match[2] or 1)
    return gestures.Raise(tiles, by if word == "raise" else -by, bool(match[3]))


def _paint(word: str, rest: str, box: Extent) -> Gesture | None:
    match = re.fullmatch(r"(.+?)\s+(?:level\s+|height\s+)?([0-9]{1,2})", rest)
    tiles = _tiles(match[1], box) if match else None
    return gestures.Paint(tiles, int(match[2])) if match and tiles else None


def _put(word: str, rest: str, box: Extent) -> Gesture | None:
    tiles = _tiles(rest.removeprefix("at "), box)
    return gestures.PutFeature(word, tiles) if tiles else None


def _treasure(word: str, rest: str, box: Extent) -> Gesture | None:
    spots = _spots(rest.removeprefix("at "), box)
    return gestures.PutChest(*spots[0]) if spots and len(spots) == 1 else None


def _edges(word: str, rest: str, box: Extent) -> Gesture | None:
    put = _put_statement(f"{word} at {rest.removeprefix('at ')}")
    if put is None:
        return None
    tiles = tuple(tile for tile, _ in _area_tiles(put.area, box))
    sides = tuple(WAYS[side] for side in WAYS if side in (put.sides or WAYS))
    return gestures.PutBattlement(tiles, sides, word)


def _put_statement(line: str) -> ast.Put | None:
    statement = _statement(line)
    return statement if isinstance(statement, ast.Put) else None


def _fitting(word: str, rest: str, box: Extent) -> Gesture | None:
    """Return the gesture of a fitting, with or without its `at`."""
    words = rest.split(" at ", 1) if " at " in rest else [rest.removeprefix("at ")]
    if len(words) == 1 and ELEMENTS[word].wants_name:
        words = rest.split(" ", 1)
    name = words[0] if len(words) == 2 else ""
    put = _put_statement(f"{word} {name} at {words[-1]}".replace("  ", " "))
    if put is None:
        return None
    spots = _area_tiles(put.area, box)
    known, length = ELEMENTS[word], put.length_um
    sides = tuple(WAYS[s] for s in WAYS if s in (put.sides or WAYS)) if known.edged else ()
    length = known.usual_um if length is None else length
    return fitting_gestures.PutFitting(word, spots, put.name, sides, length)


def _clear(word: str, rest: str, box: Extent) -> Gesture | None:
    what, _, area = rest.partition(" ")
    if what not in fitting_gestures.CLEARED:
        hint = (
            did_you_mean(what, fitting_gestures.CLEARED)
            or f"known: {', '.join(fitting_gestures.CLEARED)}"
        )
        raise InvalidGesture(f"nothing called `{what}` to clear; {hint}")
    tiles = _tiles(area.removeprefix("at "), box)
    return fitting_gestures.ClearKind(what, tiles) if tiles else None


_ON_TOP = frozenset(word for word, x in ELEMENTS.items() if x.form == "put" and x.on_top)
"""Elements of which a tile has one."""


def _replace(word: str, rest: str, box: Extent) -> Gesture | None:
    match = re.fullmatch(r"(level \d{1,2}|[\w-]+) with (level \d{1,2}|[\w-]+)(?: in (.+))?", rest)
    if match is None:
        return None
    old, new = (
        int(what.removeprefix("level ")) if what.startswith("level ") else what
        for what in match.groups()[:2]
    )
    for what in (old, new):
        if isinstance(what, str) and what not in _ON_TOP:
            hint = did_you_mean(what, _ON_TOP) or f"known: {', '.join(sorted(_ON_TOP))}"
            raise InvalidGesture(f"nothing called `{what}` to replace; {hint}")
    if type(old) is not type(new):
        return None
    tiles = _tiles(match[3], box) if match[3] else tuple(box.tiles())
    return fitting_gestures.Replace(old, new, tiles) if tiles else None


def _places(words: str) -> list[tuple[Tile, int | None]] | None:
    """Return tiles such as `E5` or `E5@2`, with or without an arrow between them."""
    try:
        return [parse_place(word) for word in words.replace("->", " ").split()]
    except ValueError:
        return None


def _levelled(word: str, rest: str, box: Extent) -> Gesture | None:
    match = re.fullmatch(r"(.+?)(?:\s+level\s+([0-9]{1,2}))?(\s+arch)?", rest)
    ends = _places(match[1]) if match else None
    if match is None or ends is None or len(ends) != 2:
        return None
    (a, level), (b, _) = ends
    return gestures.LayBridge(a, b, int(match[2]) if match[2] else level, bool(match[3]))


def _leaning(word: str, rest: str, box: Extent) -> Gesture | None:
    ends = _places(rest)
    if ends is None or len(ends) != 2:
        return None
    (foot, low), (top, high) = ends
    return gestures.LeanLadder(foot, top, low, high, word)


def _start(word: str, rest: str, box: Extent) -> Gesture | None:
    forms = (f"{word} {rest}", f"{word} {rest.replace(' ', ' at ', 1)}")
    put = next(filter(None, map(_put_statement, forms)), None)
    if put is None:
        return None
    expander = Expander(None)
    tiles = tuple(tile for tile, _ in expander.tiles(put.area, box))
    return gestures.SetStart(put.name, tiles) if not expander.issues else None


def _erase(word: str, rest: str, box: Extent) -> Gesture | None:
    if rest.startswith("one "):
        ends = _places(rest.removeprefix("one ").replace(" toward ", " "))
        if ends is None or len(ends) not in (1, 2) or not all(tile in box for tile, _ in ends):
            return None
        return fitting_gestures.EraseOne(*ends[0], ends[1][0] if len(ends) == 2 else None)
    spots = _spots(rest, box)
    if not spots:
        return None
    tiles = tuple(dict.fromkeys(tile for tile, level in spots if level is None))
    return gestures.Erase(tiles, tuple((t, level) for t, level in spots if level is not None))


def _rectangle(text: str) -> tuple[Tile, Tile] | None:
    """Return the corners of `A1..C3`, or of one tile."""
    corners = _places(text.replace("..", " "))
    if not corners or len(corners) > 2 or any(level is not None for _, level in corners):
        return None
    return corners[0][0], corners[-1][0]


def _move(word: str, rest: str, box: Extent) -> Gesture | None:
    area, _, to = rest.partition(" to ")
    what, _, tile = area.partition(" ")
    if word == "move" and what in _CARRIED:
        ends = _places(f"{tile} {to}")
        if not ends or len(ends) != 2:
            return None
        at, there = ends[0][0], ends[1][0]
        if what in FITTINGS:
            return fitting_gestures.CarryFitting(what, at, there)
        return gestures.CarryChest(at, there)
    corners, target = _rectangle(area), _statement(f"place part at {to}")
    if corners is None or not isinstance(target, ast.Place) or target.raised or target.alias:
        return None
    return gestures.Transfer(*corners, target.at, word == "copy", target.transforms)


def _turn(word: str, rest: str, box: Extent) -> Gesture | None:
    area, _, amount = rest.rpartition(" ")
    corners = _rectangle(area)
    statement = _statement(f"symmetry {word} {amount}")
    if corners is None or not isinstance(statement, ast.Symmetry):
        return None
    at = Tile(min(c.row for c in corners), min(c.col for c in corners))
    return gestures.Transfer(*corners, at, keep=False, turns=(statement.transform,))


def _stamp(word: str, rest: str, box: Extent) -> Direct | None:
    place = _statement(f"place {rest}")
    if not isinstance(place, ast.Place):
        return None
    return refactorings.StampEdit(place.name, place.at, place.transforms, place.raised, place.alias)


def _symmetry(word: str, rest: str, box: Extent) -> Direct | None:
    if rest == "off":
        return refactorings.Unsymmetrise()
    statement = _statement(f"symmetry {rest}")
    if not isinstance(statement, ast.Symmetry):
        return None
    return refactorings.Symmetrise(statement.transform, statement.swap)


def _rename(word: str, rest: str, box: Extent) -> Direct | None:
    names = rest.split()
    return refactorings.Rename(*names) if len(names) == 2 else None


_CARRIED = frozenset(
    word for word, x in ELEMENTS.items() if x.form == "put" and x.levelled and x.depth is not None
)
"""Elements that `move` carries by their word."""


def _reader(element: Element) -> Callable[[str, str, Extent], Any]:
    """Return the reader of an element's gesture."""
    if element.form == "span":
        return _levelled if element.level else _leaning
    if element.split:
        return _edges
    if element.field == "fittings":
        return _fitting
    if element.on_top:
        return _put
    return _treasure if element.depth is not None else _start


_READERS: dict[str, Callable[[str, str, Extent], Any]] = {
    "raise": _raise,
    "lower": _raise,
    "paint": _paint,
    **{word: _reader(x) for word, x in ELEMENTS.items() if x.form in ("put", "span")},
    "clear": _clear,
    "replace": _replace,
    "erase": _erase,
    "move": _move,
    "copy": _move,
    "rotate": _turn,
    "mirror": _turn,
    "stamp": _stamp,
    "symmetry": _symmetry,
    "rename": _rename,
}

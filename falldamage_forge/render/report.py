"""One HTML page about one map: pictures, 3D view, verdicts, lists and source, nothing fetched."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

from falldamage_forge.board import Board
from falldamage_forge.folding import following
from falldamage_forge.issues import Issue
from falldamage_forge.lengths import GRID, Grid
from falldamage_forge.printing.price import Price
from falldamage_forge.render.isometric import isometric
from falldamage_forge.render.overlay import Overlay
from falldamage_forge.render.palette import LIGHT
from falldamage_forge.render.svg import png_small, svg
from falldamage_forge.render.topdown import topdown
from falldamage_forge.rules.answers import Metric
from falldamage_forge.visible import escape, visible_in

MAX_DRAWN = 400
"""Boards of more tiles get their map as an image, so that the page stays small."""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"


@dataclass(frozen=True, slots=True)
class PieceRow:
    """One line of the piece list; grams and minutes are of all copies."""

    piece: str
    title: str
    quantity: int
    grams: float
    minutes: float
    plates: str = ""


@dataclass(frozen=True, slots=True)
class PlateRow:
    """One line of the plates."""

    name: str
    parts: int
    grams: float
    minutes: float


@dataclass(frozen=True)
class ReportData:
    """Everything a report says, as plain values; what is left empty is left out of the page.

    `photo` is a JPEG of the finished board, `scene` what `models.scene` makes. `notes` are
    sentences under the verdict, `measures` those of `analyze`. With a `price` lists have costs;
    `start` says what the start of each plate takes.
    """

    title: str
    board: Board
    author: str = ""
    issues: tuple[Issue, ...] = ()
    notes: tuple[str, ...] = ()
    measures: tuple[Metric, ...] = ()
    overlays: tuple[Overlay, ...] = ()
    rows: tuple[PieceRow, ...] = ()
    plates: tuple[PlateRow, ...] = ()
    printer: str = ""
    price: Price | None = None
    start: str = ""
    scene: dict[str, Any] = field(default_factory=dict)
    photo: bytes = b""
    source: str = ""
    source_name: str = ""
    grid: Grid = GRID


def report(data: ReportData) -> str:
    """The page as HTML text."""
    scripts = ""
    if data.scene:
        # In a script element only `<` could end the data early.
        scene = json.dumps(visible_in(data.scene), separators=(",", ":"), sort_keys=True).replace(
            "<", "\\u003c"
        )
        scripts = (
            f'<script type="application/json" id="scene">{scene}</script>\n'
            f"<script>\n{_file('viewer.js')}</script>\n"
        )
    title = escape(data.title or "A map without a title")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(_POLICY)}">\n'
        f'<link rel="icon" href="data:,">\n<title>{title}</title>\n'
        f"<style>\n{_file('report.css')}{_overlay_css(data.overlays)}</style>\n</head>\n<body>\n"
        f"{_header(data, title)}<main>\n{''.join(_sections(data, title))}</main>\n"
        "<footer class=faint>Made by FallDamage Forge. This page needs no network.</footer>\n"
        f"{scripts}</body>\n</html>\n"
    )


@cache
def _file(name: str) -> str:
    return (resources.files(__package__) / "page" / name).read_text(encoding="utf-8")


def _header(data: ReportData, title: str) -> str:
    board = data.board
    author = f" by {escape(data.author)}" if data.author else ""
    errors = sum(issue.severity == "error" for issue in data.issues)
    look, words = ("bad", "Not playable") if errors else ("good", "Legal and playable")
    if any(overlay.pins for overlay in data.overlays):
        words = "Cannot be built"
    return (
        f"<header>\n<h1>{title}</h1>\n<p class=faint>{board.cols} × {board.rows} tiles, "
        f"{board.highest} levels{author}</p>\n<p class='verdict {look}'>{words}</p>\n</header>\n"
    )


def _photo(data: ReportData, title: str) -> str:
    if not data.photo:
        return ""
    image = base64.b64encode(data.photo).decode()
    alt = f"The board {title} as it is printed"
    return f'<div class=frame><img alt="{alt}" src="data:image/jpeg;base64,{image}"></div>\n'


def _sections(data: ReportData, title: str) -> Iterable[str]:
    pins = [overlay for overlay in data.overlays if overlay.pins]
    wide = _tile_px(data.board)
    picture = isometric(data.board, title="", overlays=pins, tile_px=wide, grid=data.grid)
    image = base64.b64encode(png_small(picture)).decode()
    alt = f"The board {title} drawn from the south-east"
    yield _section(
        "picture",
        "The board",
        f'{_photo(data, title)}<div class=frame><img alt="{alt}" '
        f'src="data:image/png;base64,{image}"></div>',
    )
    if data.overlays or data.board.rows * data.board.cols <= MAX_DRAWN:
        yield _section("map", "Map and overlays", _map(data, title))
    if data.scene:
        yield _section("turn", "Turn it", _viewer(title))
    yield _section("verdict", "Verdict", _verdict(data))
    if data.measures:
        yield _section("plays", "How it plays", _measures(data.measures))
    if data.rows:
        yield _section("pieces", "Pieces to print", _piece_table(data.rows, data.price))
    if data.plates:
        on = f" on {data.printer}" if data.printer else ""
        yield _section("plates", f"Plates{on}", _plates(data))
    if data.source:
        name = escape(data.source_name or "map.forge")
        body = f"<pre tabindex=0>{escape(data.source)}</pre>"
        yield _section("source", "Source", f"<details><summary>{name}</summary>{body}</details>")


def _tile_px(board: Board) -> float:
    """Pixels a tile, so that a picture is about a thousand pixels wide."""
    return min(64.0, 1280.0 / (board.rows + board.cols))


def _section(key: str, heading: str, body: str) -> str:
    return (
        f'<section id="{key}" aria-labelledby="h-{key}">\n'
        f'<h2 id="h-{key}">{escape(heading)}</h2>\n{body}\n</section>\n'
    )


def _overlay_css(overlays: Sequence[Overlay]) -> str:
    """Overlays are switched by the page's own radio buttons, without any script."""
    return "".join(
        f"body:has(#o-{key}:checked) .map svg g.overlay-{key} {{ display: inline; }}\n"
        f"body:has(#o-{key}:checked) #k-{key} {{ display: flex; }}\n"
        for key in (escape(overlay.key) for overlay in overlays)
    )


def _map(data: ReportData, title: str) -> str:
    size, grid = 56.0, data.grid
    drawing = topdown(data.board, overlays=data.overlays, legend=False, tile_px=size, grid=grid)
    if data.board.rows * data.board.cols > MAX_DRAWN:
        size = 1200 / data.board.cols
        drawing = topdown(data.board, legend=False, tile_px=size, grid=grid)
        image = base64.b64encode(png_small(drawing)).decode()
        picture = f'<img alt="Map of {title} from above" src="data:image/png;base64,{image}">'
    else:
        picture = svg(drawing).replace("<svg ", f'<svg aria-label="Map of {title} from above" ', 1)
    choices = [("none", "none", "none"), *((o.key, o.key, o.title) for o in data.overlays)]
    radios = "".join(
        f'<label title="{escape(words)}"><input type=radio name=overlay id="o-{escape(key)}" '
        f'value="{escape(key)}"{" checked" if key == "none" else ""}> {escape(name)}</label>'
        for key, name, words in choices
    )
    keys = "".join(_key(overlay) for overlay in data.overlays)
    switch = f"<fieldset><legend>Overlay</legend>{radios}</fieldset>\n" if data.overlays else ""
    return f"{switch}<div class='map frame'>{picture}</div>\n{keys}"


def _key(overlay: Overlay) -> str:
    items = "".join(
        f'<li><i style="background:{overlay.colour(LIGHT, tint)}"></i>{escape(words)}</li>'
        for tint, words in overlay.legend
    )
    title = f"<li><b>{escape(overlay.title)}</b></li>"
    return f'<ul class=key id="k-{escape(overlay.key)}">{title}{items}</ul>\n'


def _viewer(title: str) -> str:
    buttons = "".join(
        f'<button type=button data-act="{act}" aria-label="{words}">{sign}</button>'
        for act, words, sign in (
            ("ArrowLeft", "turn left", "←"),
            ("ArrowRight", "turn right", "→"),
            ("ArrowUp", "look from higher", "↑"),
            ("ArrowDown", "look from lower", "↓"),
            ("+", "nearer", "+"),
            ("-", "farther", "−"),
            ("Home", "as at first", "reset"),
        )
    )
    return (
        f'<div class=frame><canvas id=view tabindex=0 role=img aria-label="{title} in 3D: '
        'arrow keys turn it, plus and minus change the distance, Home resets"></canvas>\n'
        f"<div class=buttons id=view-buttons>{buttons}</div>\n"
        "<p class=faint id=view-note>Drag, or use the arrow keys, plus, minus and Home. "
        "These are the parts as they are printed; the overlay chosen above lies on them.</p></div>"
    )


def _verdict(data: ReportData) -> str:
    notes = "".join(f"<p>{escape(note)}</p>" for note in data.notes)
    if not data.issues:
        return notes + "<p class=good>No faults were found.</p>"
    looks = {"error": "bad", "warning": "warn", "info": "faint"}
    items = "".join(
        f"<li><span class={looks[issue.severity]}>{issue.severity} {escape(issue.code)}</span> "
        f"{escape(issue.message)}"
        + (f" <span class=faint>({more} more follow from it)</span>" if more else "")
        + (f"<br><span class=faint>{escape(issue.hint)}</span>" if issue.hint else "")
        + "</li>"
        for issue in data.issues
        for more in (following(issue),)
    )
    return f"{notes}<ul class=issues>{items}</ul>"


def _measures(measures: Sequence[Metric]) -> str:
    looks = {"good": "good", "warn": "warn", "bad": "bad", "info": "faint"}
    items = "".join(
        f"<li><span class={looks[one.verdict]}>{one.verdict}</span> <b>{escape(one.name)}</b>: "
        f"{escape(one.text)}{_places(one)}</li>"
        for one in measures
    )
    return f"<ul class=issues>{items}</ul>"


MOST_PLACES = 12


def _places(measure: Metric) -> str:
    """The tiles a verdict that is not good speaks of."""
    if measure.verdict == "good" or not measure.tiles:
        return ""
    names = ", ".join(map(str, measure.tiles[:MOST_PLACES]))
    more = len(measure.tiles) - MOST_PLACES
    return f"<br><span class=faint>{names}{f' and {more} more' if more > 0 else ''}</span>"


def _piece_table(rows: Sequence[PieceRow], price: Price | None) -> str:
    def line(words: Sequence[str], quantity: int, weight: str, own: Sequence[PieceRow]) -> Line:
        cost, time = _cost(own, price), hours(sum(row.minutes for row in own))
        return (*words, str(quantity), weight, *cost, time)

    head = ("piece", "", "quantity", "g", *_cost_head(price), "time", "plates")
    body = [
        (*line((row.piece, row.title), row.quantity, f"{row.grams:.1f}", (row,)), row.plates)
        for row in rows
    ]
    parts, grams = sum(row.quantity for row in rows), sum(row.grams for row in rows)
    foot = (*line(("all", ""), parts, f"{grams:.0f}", rows), "")
    return _table(head, body, foot, "the piece list")


def _plates(data: ReportData) -> str:
    note = f"<p class=faint>{escape(data.start.capitalize())}.</p>" if data.start else ""
    return f"{_plate_table(data.plates, data.price)}{note}"


def _plate_table(rows: Sequence[PlateRow], price: Price | None) -> str:
    def line(name: str, own: Sequence[PlateRow]) -> Line:
        parts, grams = sum(row.parts for row in own), sum(row.grams for row in own)
        time = hours(sum(row.minutes for row in own))
        return (name, str(parts), f"{grams:.0f}", *_cost(own, price), time)

    head = ("plate", "parts", "g", *_cost_head(price), "time")
    return _table(head, [line(row.name, (row,)) for row in rows], line("all", rows), "the plates")


Line = tuple[str, ...]


def _cost_head(price: Price | None) -> Line:
    return ("cost",) if price else ()


def _cost(rows: Sequence[PieceRow] | Sequence[PlateRow], price: Price | None) -> Line:
    """What the filament of rows costs; nothing without a price."""
    return (price.text(sum(row.grams for row in rows)),) if price else ()


def _table(
    head: Sequence[str], body: Sequence[Sequence[str]], foot: Sequence[str], name: str
) -> str:
    numbers = {"quantity", "g", "cost", "time", "parts"}
    looks = [" class=n" if word in numbers else "" for word in head]

    def line(cells: Sequence[str], tag: str) -> str:
        filled = zip(cells, looks, strict=True)
        return "<tr>" + "".join(f"<{tag}{look}>{escape(c)}</{tag}>" for c, look in filled) + "</tr>"

    return (
        f'<div class=scroll tabindex=0 role=region aria-label="{name}"><table>\n'
        f"<thead>{line(head, 'th')}</thead>\n<tbody>\n"
        + "\n".join(line(cells, "td") for cells in body)
        + f"\n</tbody>\n<tfoot>{line(foot, 'td')}</tfoot>\n</table></div>"
    )


def hours(minutes: float) -> str:
    """`1 h 05 min` of a number of minutes."""
    whole = round(minutes)
    return f"{whole // 60} h {whole % 60:02d} min" if whole >= 60 else f"{whole} min"

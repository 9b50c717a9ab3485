"""HTML report of one map: pictures, 3D view, verdict, lists and source, in one file.

The page loads nothing from elsewhere; its content security policy forbids it.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import field
from functools import cache, partial
from importlib import resources
from typing import Any
from urllib.parse import quote

from falldamage_forge.board import Board
from falldamage_forge.diagnostics.issue_folding import following
from falldamage_forge.export.filament_list import change_note, filament_rows, step_rows
from falldamage_forge.export.piece_list import ListRow, format_minutes
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.infra.visible_text import escape, unescape, visible_in
from falldamage_forge.issues import Issue
from falldamage_forge.languages.translator import ENGLISH, Say, spoken
from falldamage_forge.lengths import GRID, PrintGrid
from falldamage_forge.printing.filament_plan import FilamentPlan
from falldamage_forge.printing.print_price import Price
from falldamage_forge.render.isometric import TILE_PX, isometric
from falldamage_forge.render.isometric_models import SeenModel
from falldamage_forge.render.legend import size_words
from falldamage_forge.render.overlay import Overlay
from falldamage_forge.render.palette import LIGHT
from falldamage_forge.render.svg import BoardPicture, few_colours, png_small, svg
from falldamage_forge.render.topdown import topdown
from falldamage_forge.rules.answers import Metric

LARGEST = 20
"""Rows and columns of a board up to which its picture has the usual size, about 1000 pixels."""
MAX_DRAWN = 400
"""Boards of more tiles get their map as an image, to limit the page's size."""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"

_TEXT = re.compile(
    r"<(script|style|pre|h1|title)\b.*?</\1>|<td translate=no>[^<]*"
    r"|(?<=>)(?::? )?(?P<words>[^<>\s][^<>]*)"
    r'|\b(?:aria-label|alt|title)="(?P<label>[^"]+)"',
    re.DOTALL,
)
"""Parts of a page: those that stay, texts, and labels."""
_PHONE_SIGN = "data:image/svg+xml," + quote(
    '<svg xmlns="http://www.w3.org/2000/svg" width="128" height="22">'
    '<rect width="128" height="22" rx="4" fill="#3a332b"/><text x="64" y="15" fill="#fbf7ec" '
    'font-family="sans-serif" font-size="12" text-anchor="middle">iPhone and iPad</text></svg>'
)


@dataclass(frozen=True, slots=True)
class PlateRow:
    """One line of the plates; `quantity` counts its parts."""

    name: str
    quantity: int
    grams: float
    minutes: float


@dataclass(frozen=True)
class ReportData:
    """Content of a report, as plain values; empty fields are omitted from the page.

    `photo` is a JPEG of the finished board, `scene` the result of `viewer_meshes.scene`. `notes`
    are sentences under the verdict, `measures` the metrics of `analyze`. With a `price` lists have
    costs; `start` is a sentence on the start time of each plate, `filaments` the plan of spools,
    `tops` the key of the colours of tops, `drawn` the models of others,
    `picture` the board if it is painted already. `phone` names the scenes
    beside the page, `<phone>.glb` and `<phone>.usdz`, that a phone shows on a real table.
    """

    title: str
    board: Board
    author: str = ""
    issues: tuple[Issue, ...] = ()
    notes: tuple[str, ...] = ()
    measures: tuple[Metric, ...] = ()
    overlays: tuple[Overlay, ...] = ()
    rows: tuple[ListRow, ...] = ()
    plates: tuple[PlateRow, ...] = ()
    filaments: FilamentPlan | None = None
    tops: str = ""
    printer: str = ""
    price: Price | None = None
    start: str = ""
    scene: dict[str, Any] = field(default_factory=dict)
    phone: str = ""
    photo: bytes = b""
    source: str = ""
    source_name: str = ""
    grid: PrintGrid = GRID
    drawn: tuple[SeenModel, ...] = ()
    picture: BoardPicture | None = None


def report(data: ReportData, language: str = ENGLISH) -> str:
    """Return the page as HTML text, in a language by its name.

    Args:
        data: Everything that the page shows.
        language: Language of the page: `en` or `de`.
    """
    say, scripts = spoken(language), ""
    if data.scene:
        scripts = (
            f'<script type="application/json" id="scene">{script_json(data.scene)}</script>\n'
            f"<script>\n{page_file('viewer.js')}</script>\n"
        )
    title = escape(data.title or "A map without a title")
    page = (
        f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(_POLICY)}">\n'
        f'<link rel="icon" href="data:,">\n<title>{title}</title>\n'
        f"<style>\n{page_file('report.css')}{_overlay_css(data.overlays)}</style>\n</head>\n<body>\n"
        f"{_header(data, title)}<main>\n{''.join(_sections(data, title, say))}</main>\n"
        "<footer class=faint>Made by FallDamage Forge. This page needs no network.</footer>\n"
        f"{scripts}</body>\n</html>\n"
    )
    return page if language == ENGLISH else spoken_page(page, say)


def spoken_page(page: str, say: Say) -> str:
    """Return a page with its texts translated, but for sources, titles of maps, and keys.

    Args:
        page: HTML text in English.
        say: Translates each text.
    """

    def shown(found: re.Match[str]) -> str:
        if found.lastgroup is None:
            return found[0]
        words = found[found.lastgroup]
        head, _, tail = found[0].rpartition(words)
        return f"{head}{escape(say(unescape(words)))}{tail}"

    return _TEXT.sub(shown, page)


def script_json(value: Any) -> str:
    """Return plain data as JSON for a script element, where only `<` could end it early."""
    text = json.dumps(visible_in(value), separators=(",", ":"), sort_keys=True)
    return text.replace("<", "\\u003c")


@cache
def page_file(name: str) -> str:
    """Return the text of a file that pages include."""
    return (resources.files(__package__) / "page" / name).read_text(encoding="utf-8")


def _header(data: ReportData, title: str) -> str:
    board = data.board
    author = f" by {escape(data.author)}" if data.author else ""
    errors = sum(issue.severity == "error" for issue in data.issues)
    look, words = ("bad", "Not playable") if errors else ("good", "Legal and playable")
    if any(overlay.pins for overlay in data.overlays):
        words = "Cannot be built"
    return (
        f"<header>\n<h1>{title}</h1>\n<p class=faint>{size_words(board)}{author}</p>\n"
        f"<p class='verdict {look}'>{words}</p>\n</header>\n"
    )


def _photo(data: ReportData, title: str) -> str:
    if not data.photo:
        return ""
    image = base64.b64encode(data.photo).decode()
    alt = f"The board {title} as it is printed"
    return f'<div class=frame><img alt="{alt}" src="data:image/jpeg;base64,{image}"></div>\n'


def _sections(data: ReportData, title: str, say: Say) -> Iterable[str]:
    image = base64.b64encode(_board(data, say)).decode()
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
        yield _section("turn", "Turn it", _viewer(title, data.phone))
    yield _section("verdict", "Verdict", _verdict(data))
    if data.measures:
        yield _section("plays", "How it plays", _measures(data.measures))
    if data.rows:
        yield _section("pieces", "Pieces to print", _piece_table(data.rows, data.price))
    if data.plates:
        on = f" on {data.printer}" if data.printer else ""
        yield _section("plates", f"Plates{on}", _plates(data))
    if data.filaments is not None:
        yield _section("filaments", "Filaments", _filaments(data.filaments, say))
    if data.source:
        name = escape(data.source_name or "map.forge")
        body = f"<pre tabindex=0>{escape(data.source)}</pre>"
        yield _section("source", "Source", f"<details><summary>{name}</summary>{body}</details>")


def _board(data: ReportData, say: Say) -> bytes:
    """Return the PNG of the board with the overlays that have pins, without its heading."""
    pins = [overlay for overlay in data.overlays if overlay.pins]
    shrink = LARGEST / (data.board.rows + data.board.cols)
    if data.picture is not None and not pins and shrink >= 1:
        return few_colours(data.picture.png, data.picture.head)
    drawing = isometric(
        data.board,
        title=data.title,
        overlays=pins,
        tile_px=TILE_PX * min(1.0, shrink),
        grid=data.grid,
        tops=data.tops,
        say=say,
        models=data.drawn,
    )
    return png_small(drawing, bare=True)


def _section(key: str, heading: str, body: str) -> str:
    return (
        f'<section id="{key}" aria-labelledby="h-{key}">\n'
        f'<h2 id="h-{key}">{escape(heading)}</h2>\n{body}\n</section>\n'
    )


def _overlay_css(overlays: Sequence[Overlay]) -> str:
    """Return CSS that switches overlays by radio buttons, without a script."""
    return "".join(
        f"body:has(#o-{key}:checked) .map svg g.overlay-{key} {{ display: inline; }}\n"
        f"body:has(#o-{key}:checked) #k-{key} {{ display: flex; }}\n"
        for key in (escape(overlay.key) for overlay in overlays)
    )


def _map(data: ReportData, title: str) -> str:
    size, grid = 56.0, data.grid
    draw = partial(topdown, data.board, legend=False, grid=grid, models=data.drawn)
    drawing = draw(overlays=data.overlays, tile_px=size)
    if data.board.rows * data.board.cols > MAX_DRAWN:
        size = 1200 / data.board.cols
        drawing = draw(tile_px=size)
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


def _viewer(title: str, phone: str) -> str:
    buttons = "".join(
        f'<button type=button data-act="{act}" aria-label="{words}">{sign}</button>'
        for act, words, sign in (
            ("ArrowLeft", "turn left", "←"),
            ("ArrowRight", "turn right", "→"),
            ("ArrowUp", "look from higher", "↑"),
            ("ArrowDown", "look from lower", "↓"),
            ("+", "nearer", "+"),
            ("-", "farther", "−"),
            ("Back", "look from the back", "back"),
            ("Top", "look from above", "above"),
            ("Home", "reset the view", "reset"),
        )
    )
    return (
        f'<div class=frame><canvas id=view tabindex=0 role=img aria-label="{title} in 3D: '
        'arrow keys turn it, plus and minus change the distance, Home resets"></canvas>\n'
        f"<div class=buttons id=view-buttons>{buttons}</div>\n"
        "<p class=faint id=view-note>Drag, or use the arrow keys, plus, minus and Home. "
        "These are the parts as they are printed; the overlay chosen above lies on them.</p></div>"
        f"{_phone(phone)}"
    )


def _phone(name: str) -> str:
    """Return the links that put the table on a real one; the page shows them where it is served."""
    if not name:
        return ""
    # An iPhone opens its viewer for a link that holds a picture and nothing else.
    return (
        "<p id=phone hidden>On your own table, true to size: "
        f'<a rel=ar href="{quote(name)}.usdz"><img alt="iPhone and iPad" src="{_PHONE_SIGN}"></a> '
        f'<a id=phone-glb href="{quote(name)}.glb">Android</a></p>'
    )


def _verdict(data: ReportData) -> str:
    notes = "".join(f"<p>{escape(note)}</p>" for note in data.notes)
    if not data.issues:
        return notes + "<p class=good>No issues were found.</p>"
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
    """Return the tiles of a metric that is not good."""
    if measure.verdict == "good" or not measure.tiles:
        return ""
    names = ", ".join(map(str, measure.tiles[:MOST_PLACES]))
    more = len(measure.tiles) - MOST_PLACES
    return f"<br><span class=faint>{names}{f' and {more} more' if more > 0 else ''}</span>"


Line = tuple[str, ...]


def _cost_head(price: Price | None) -> Line:
    return ("cost",) if price else ()


def _sums(
    rows: Sequence[ListRow] | Sequence[PlateRow], price: Price | None, digits: int = 0
) -> Line:
    """Return quantity, grams, cost (only with a price) and time of some rows."""
    grams = sum(row.grams for row in rows)
    cost = (price.text(grams),) if price else ()
    time = format_minutes(sum(row.minutes for row in rows))
    return (str(sum(row.quantity for row in rows)), f"{grams:.{digits}f}", *cost, time)


def _piece_table(rows: Sequence[ListRow], price: Price | None) -> str:
    head = ("piece", "name", "quantity", "g", *_cost_head(price), "time", "plates")
    body = [
        (row.piece, row.title, *_sums((row,), price, 1), " ".join(map(str, row.plates)))
        for row in rows
    ]
    return _table(head, body, ("all", "", *_sums(rows, price), ""), "the piece list")


def _plates(data: ReportData) -> str:
    rows, price = data.plates, data.price
    head = ("plate", "parts", "g", *_cost_head(price), "time")
    body = [(row.name, *_sums((row,), price)) for row in rows]
    note = f"<p class=faint>{escape(data.start.capitalize())}.</p>" if data.start else ""
    return _table(head, body, ("all", *_sums(rows, price)), "the plates") + note


def _filaments(plan: FilamentPlan, say: Say) -> str:
    head, *rows = filament_rows(plan, say)
    order, *steps = step_rows(plan)
    note = f"<p class=faint>Changes: {escape(change_note(plan))}.</p>"
    return _table(head, rows, (), "the filaments") + _table(order, steps, (), "the order") + note


def _table(
    head: Sequence[str], body: Sequence[Sequence[str]], foot: Sequence[str], name: str
) -> str:
    numbers = {"quantity", "g", "cost", "time", "parts"}
    names = {"piece", "plate"}
    looks = [
        " class=n" if word in numbers else " translate=no" if word in names else "" for word in head
    ]

    def line(cells: Sequence[str], tag: str) -> str:
        filled = zip(cells, looks, strict=True)
        return "<tr>" + "".join(f"<{tag}{look}>{escape(c)}</{tag}>" for c, look in filled) + "</tr>"

    return (
        f'<div class=scroll tabindex=0 role=region aria-label="{name}"><table>\n'
        f"<thead>{line(head, 'th')}</thead>\n<tbody>\n"
        + "\n".join(line(cells, "td") for cells in body)
        + f"\n</tbody>\n<tfoot>{line(foot, 'td') if foot else ''}</tfoot>\n</table></div>"
    )

"""Sheets of an event as PDF: the print calendar, a sheet for each table, rounds and standings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from falldamage_forge.board import Board
from falldamage_forge.event.event_table import Contest
from falldamage_forge.event.pairings import Round, standings
from falldamage_forge.event.print_calendar import PlannedPlate, days_of, grams_by_group
from falldamage_forge.export.piece_list import Say, format_minutes
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.lengths import PrintGrid
from falldamage_forge.pieces.piece import Piece
from falldamage_forge.printing.print_price import Price
from falldamage_forge.render.packing_sheets import PackingPages
from falldamage_forge.render.pdf_pages import FAINT, INK, MARGIN_PT, PdfPages
from falldamage_forge.render.qr_code import qr_code
from falldamage_forge.render.topdown import topdown

_LINE_PT = 15.0
_QR_PT = 90.0


@dataclass(frozen=True, slots=True)
class TableSheet:
    """A table on its sheet: the map, its parts, the statement on fairness, and its address."""

    title: str
    board: Board
    grid: PrintGrid
    counts: Mapping[str, int]
    fairness: str
    address: str = ""


def calendar_sheets(
    title: str,
    planned: Sequence[PlannedPlate],
    price: Price | None,
    size: str = "a4",
    say: Say = str,
) -> bytes:
    """Return the calendar of the plates by day, and the filament by colour group.

    Args:
        title: Title of the event.
        planned: Plates in order of their starts.
        price: Price of filament; None omits the cost.
        size: `a4` or `letter`.
        say: Translates each text.
    """
    pages = _Pages(PdfPages(size, f"{title}: print calendar", say), title)
    pages.page("Print calendar")
    widths = (60, 60, 220, 90, 60)
    for day, plates in days_of(planned).items():
        pages.line(day, bold=True, keep=3)
        pages.row(("start", "printer", "plate", "ends", "spool"), widths, colour=FAINT)
        for one in plates:
            ends = f"{one.end:%H:%M}" + f" on {one.end:%d %b}" * (
                one.end.date() != one.start.date()
            )
            spool = str(one.spool) if one.spool else say("any")
            words = f"{one.job.name} ({format_minutes(one.job.minutes)}, {one.job.grams:.0f} g)"
            pages.row(
                (f"{one.start:%H:%M}", str(one.printer), words, ends, spool), widths, verbatim=True
            )
        pages.y += _LINE_PT / 2
    pages.line("Filament", bold=True, keep=4)
    grams = grams_by_group(one.job for one in planned)
    for group, each in grams.items():
        cost = (price.text(each),) if price else ()
        pages.row((group, f"{each:.0f} g", *cost), (90, 70, 90))
    whole = sum(grams.values())
    cost = (price.text(whole),) if price else ()
    pages.row(("in all", f"{whole:.0f} g", *cost), (90, 70, 90), bold=True)
    return pages.paper.finish()


def table_sheets(
    title: str,
    tables: Sequence[TableSheet],
    pieces: Mapping[str, Piece],
    pictures: Mapping[str, bytes],
    size: str = "a4",
    say: Say = str,
) -> bytes:
    """Return two or more pages for each table: the map with its starts, and its parts to tick off.

    Args:
        title: Title of the event.
        tables: The tables.
        pieces: Pieces by key.
        pictures: Picture of each piece by key.
        size: `a4` or `letter`.
        say: Translates each text.
    """
    paper = PdfPages(size, f"{title}: tables", say)
    for table in tables:
        pages = _Pages(paper, f"{title}: {table.title}")
        pages.page(table.title)
        wide = paper.width_pt - 2 * MARGIN_PT
        drawing = topdown(table.board, grid=table.grid, say=say)
        high = paper.height_pt - pages.y - MARGIN_PT - _QR_PT - 20
        pages.y += paper.drawing(drawing, MARGIN_PT, pages.y, wide, high) + 26
        room = wide - (_QR_PT + 20) * bool(table.address)
        top = pages.y
        pages.line("Fairness", bold=True)
        for words in paper.wrap(table.fairness, 10, room):
            pages.line(words)
        if table.address:
            pages.line(table.address, colour=FAINT)
            left = paper.width_pt - MARGIN_PT - _QR_PT
            paper.drawing(qr_code(table.address), left, top - 12, _QR_PT, _QR_PT)
        lists = PackingPages(paper, f"{title}: {table.title}", pieces, pictures)
        lists.return_list(f"Parts of {table.title}", table.counts)
    return paper.finish()


def round_sheets(
    title: str,
    contest: Contest,
    rounds: Sequence[Round],
    size: str = "a4",
    say: Say = str,
) -> bytes:
    """Return the pairings with room for the scores, empty sheets for later rounds, and standings.

    Args:
        title: Title of the event.
        contest: Players and results.
        rounds: The known rounds.
        size: `a4` or `letter`.
        say: Translates each text.
    """
    pages = _Pages(PdfPages(size, f"{title}: rounds", say), title)
    pages.page("Rounds")
    widths = (150, 130, 50, 130, 50)
    scores = {(number, red, blue): points for number, red, blue, points in contest.results}
    last = contest.rounds if contest.system == "swiss" else len(rounds)
    for number in range(1, max(last, len(rounds)) + 1):
        known = rounds[number - 1] if number <= len(rounds) else None
        pairs = len(contest.players) // 2
        pages.line(f"Round {number}", bold=True, keep=pairs + 3)
        pages.row(("table", "red", "points", "blue", "points"), widths, colour=FAINT)
        for game in known.games if known else ():
            points = scores.get((number, game.red, game.blue))
            red, blue = ("___",) * 2 if points is None else (f"{points:g}", f"{1 - points:g}")
            pages.row((game.table, game.red, red, game.blue, blue), widths, verbatim=True)
        for _ in range(0 if known else pairs):
            pages.row(("_" * 20, "_" * 18, "___", "_" * 18, "___"), widths, colour=FAINT)
        if known and known.bye:
            pages.line(f"{known.bye} sits out" + ", 1 point" * (contest.system == "swiss"))
        pages.y += _LINE_PT
    columns = (40, 180, 60, 120)
    pages.page("Standings")
    pages.row(("", "player", "points", "points of opponents"), columns, colour=FAINT)
    for place, one in enumerate(standings(contest), start=1):
        figures = (f"{one.points:g}", f"{one.opponents:g}") if contest.results else ("___", "___")
        pages.row((str(place), one.player, *figures), columns, verbatim=True)
    return pages.paper.finish()


class _Pages:
    """Pages that are written line by line; a new one begins at the foot."""

    def __init__(self, paper: PdfPages, footer: str) -> None:
        self.paper, self.footer = paper, footer
        self.heading, self.y = "", 0.0

    def page(self, heading: str) -> None:
        self.heading = heading
        self.paper.new_page(self.footer)
        size = self.paper.fitted(heading, 18, self.paper.width_pt - 2 * MARGIN_PT, bold=True)
        self.paper.text(heading, MARGIN_PT, 66, size, bold=True)
        self.y = 94.0

    def line(self, text: str, *, bold: bool = False, colour: str = INK, keep: int = 1) -> None:
        self.row((text,), (0,), bold=bold, colour=colour, keep=keep)

    def row(
        self,
        cells: Sequence[str],
        widths: Sequence[float],
        *,
        bold: bool = False,
        colour: str = INK,
        keep: int = 1,
        verbatim: bool = False,
    ) -> None:
        """Write cells side by side, on a new page unless `keep` lines fit below."""
        if self.y + keep * _LINE_PT > self.paper.height_pt - MARGIN_PT:
            self.page(self.heading)
        x = MARGIN_PT
        for cell, width in zip(cells, widths, strict=False):
            room = width - 4 if width else self.paper.width_pt - MARGIN_PT - x
            size = self.paper.fitted(cell, 10, room, bold=bold)
            self.paper.text(cell, x, self.y, size, bold=bold, colour=colour, verbatim=verbatim)
            x += width
        self.y += _LINE_PT

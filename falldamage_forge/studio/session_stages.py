"""Stages after an edit of a session: board, verdict, metrics, pieces, advice.

Each is a pure function of name, folder, text and settings, so that a worker process can run and
cancel it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from falldamage_forge.issues import ForgeError, has_errors
from falldamage_forge.studio.message_tables import board_table, each, issues_table, metric_table
from falldamage_forge.studio.protocol import message
from falldamage_forge.studio.session import Session, map_of
from falldamage_forge.studio.shared_library import forge

if TYPE_CHECKING:
    from falldamage_forge.issues import Issue
    from falldamage_forge.lang.quick_fixes import Trial
    from falldamage_forge.library.forge import Map
    from falldamage_forge.rules.answers import Metric

MOST_JUDGED_TILES = 800
"""Tiles that whole checks of tried fixes cover at most: eight checks of a board of 10x10 tiles."""


def board(session: Session) -> dict[str, Any]:
    """Return the first stage: the board, and the issues of the text.

    `whole` is false if parts of the text could not be parsed, so that the board is incomplete.
    """
    map_ = map_of(session)
    return message(
        "board",
        revision=session.revision,
        title=map_.title,
        whole=not has_errors(map_.issues),
        board=board_table(map_.board),
        issues=issues_table(map_.issues, session.text, session.name, _trial(session)),
    )


def verdict(session: Session) -> dict[str, Any]:
    """Return the second stage: every issue, playable or not, buildable or not."""
    map_ = map_of(session)
    issues, playable, buildable = _judged(map_)
    most = MOST_JUDGED_TILES // (map_.board.rows * map_.board.cols)
    return message(
        "verdict",
        revision=session.revision,
        playable=playable,
        buildable=buildable,
        issues=issues_table(issues, session.text, session.name, _trial(session, most)),
    )


def _judged(map_: Map) -> tuple[tuple[Issue, ...], bool, bool]:
    """Return the issues of a map, and whether it is playable and buildable."""
    try:
        checked = forge().check(map_)
    except ForgeError as error:
        return tuple(error.issues), False, False
    return checked.issues, checked.ok, checked.buildable


def _trial(session: Session, most: int = 0) -> Trial:
    """Return how fixes of a session's text are tried, `most` of them by a whole check."""
    from falldamage_forge.lang.quick_fixes import Trial
    from falldamage_forge.library.map_edits import become

    def changed(text: str) -> Map:
        return forge().loads(text, session.name, session.root)

    return Trial(
        lambda text: each(_built(changed(text)) if most else changed(text).issues),
        lambda text: each(_judged(changed(text))[0]),
        most,
        partial(become, map_of(session)),
    )


def _built(map_: Map) -> tuple[Issue, ...]:
    """Return the issues of a map that keep it from being built."""
    try:
        return forge().check_legality(map_)
    except ForgeError as error:
        return tuple(error.issues)


def measures(session: Session) -> dict[str, Any]:
    """Return the third stage: metrics; none for a map that cannot be played."""
    map_ = map_of(session)
    found: list[dict[str, Any]] = []
    leads: list[dict[str, Any]] = []
    if forge().check(map_).ok:
        analysis = forge().analyze(map_)
        found = [metric_table(metric) for metric in (*analysis.metrics, *_played(map_))]
        leads = [{**lead.json(), "told": lead.told} for lead in analysis.leads]
    return message("measures", revision=session.revision, measures=found, leads=leads)


def _played(map_: Map) -> tuple[Metric, ...]:
    """Return the verdict of bots on a map that promises to be fair, from the cache."""
    if not map_.layout.fair_promise:
        return ()
    from falldamage_forge.playtest.fairness_check import played_metrics

    return played_metrics(forge().analysis(map_), map_.layout.fair_promise)


def advice(session: Session) -> dict[str, Any]:
    """Return the last stage: small edits that make the map fairer; none for a fair map.

    Edits are [start, end, new text] in characters of the text.
    """
    map_ = map_of(session)
    found = forge().suggest(map_) if forge().check(map_).ok else ()
    remedies = [
        {
            "gestures": list(one.gestures),
            "changes": [change.told for change in one.changes],
            "edits": [list(edit) for edit in one.edits],
            "fair": one.fair,
        }
        for one in found
    ]
    return message("advice", revision=session.revision, remedies=remedies)


def pieces(session: Session) -> dict[str, Any]:
    """Return the fourth stage: estimated parts, plates and cost; none for an illegal map."""
    from falldamage_forge.builds.output_files import any_filament_plan
    from falldamage_forge.export.filament_list import plan_lines
    from falldamage_forge.printing.print_price import Price
    from falldamage_forge.render.palette import group_colour

    wished = session.settings
    checked = forge().check(map_of(session))
    if not checked.buildable:
        none: dict[str, Any] = {"pieces": [], "plates": [], "filaments": [], "totals": None}
        return message("pieces", revision=session.revision, **none)
    built = forge().assemble(
        checked, wished.printer or None, wished.options(), process=wished.process or None
    )
    rows = [
        {
            "key": row.piece,
            "title": row.title,
            "group": row.group,
            "count": row.quantity,
            "owned": row.owned,
            "grams": round(row.grams, 1),
            "minutes": round(row.minutes),
        }
        for row in built.rows
    ]
    grams = sum(figures.grams for figures in built.build.figures)
    totals = {
        "pieces": sum(row.quantity for row in built.rows),
        "owned": sum(row.owned for row in built.rows),
        "plates": len(built.plates),
        "grams": round(grams),
        "hours": round(sum(figures.minutes for figures in built.build.figures) / 60, 1),
        "money": Price(wished.price, wished.currency).text(grams),
        "price": f"{wished.price:g} {wished.currency}",
        "printer": built.printer.title,
        "bed": list(built.printer.bed_mm),
    }
    plates = [
        {
            "name": plate.name,
            "group": plate.group,
            "colour": group_colour(plate.group),
            "grams": round(figures.grams, 1),
            "minutes": round(figures.minutes),
            "slots": [[slot.key, *(_rounded(box) for box in slot.boxes())] for slot in plate.slots],
        }
        for plate, figures in zip(built.plates, built.build.figures, strict=True)
    ]
    spools = plan_lines(any_filament_plan(built.build))
    told = {"pieces": rows, "plates": plates, "filaments": spools, "totals": totals}
    return message("pieces", revision=session.revision, **told)


def _rounded(box: tuple[float, ...]) -> list[float]:
    return [round(value, 1) for value in box]


STAGES: dict[str, Callable[[Session], dict[str, Any]]] = {
    "board": board,
    "verdict": verdict,
    "measures": measures,
    "pieces": pieces,
    "advice": advice,
}
"""Stages after an edit, in this order."""
LATE = ("measures", "pieces", "advice")
"""Stages that wait for a pause of input."""

"""One map being designed: its text, what was done to it, and what it means, in stages.

Nothing here reads or writes the map's file: whoever holds the session does. Each stage is a
function of name, folder and text, so that a worker can do it and be stopped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from falldamage_forge.diagnostics.formats import span_table
from falldamage_forge.issues import ForgeError, has_errors
from falldamage_forge.studio.merge import merged
from falldamage_forge.studio.protocol import (
    board_table,
    issues_table,
    message,
    metric_table,
)
from falldamage_forge.studio.settings import Settings
from falldamage_forge.waiting import quiet

if TYPE_CHECKING:
    from falldamage_forge.bundle import Built
    from falldamage_forge.forge import Forge, Map
    from falldamage_forge.lang.edit.engine import Copies
    from falldamage_forge.studio.play import Match
    from falldamage_forge.waiting import Progress as Steps

TOGETHER = "together with what is on disk"
"""The name of the step that brings in what another hand has written."""
MAX_STEPS = 500
"""Steps that can be undone; older ones are forgotten."""


@dataclass(frozen=True, slots=True)
class Step:
    """A text that was left, and the name of what led away from it (or back to it)."""

    text: str
    label: str


@dataclass(frozen=True, slots=True)
class Session:
    """A map's text with its history. `name` is what issues call it; imports are below `root`."""

    text: str
    name: str = "map.forge"
    root: Path | None = None
    past: tuple[Step, ...] = ()
    future: tuple[Step, ...] = ()
    revision: int = 0
    settings: Settings = field(default=Settings())
    match: Match | None = None

    def wrote(self, text: str, label: str) -> Session:
        """After a change; one that changes nothing is no step."""
        if text == self.text:
            return self
        past = (*self.past, Step(self.text, label))[-MAX_STEPS:]
        return replace(self, text=text, past=past, future=(), revision=self.revision + 1)

    def joined(self, base: str, text: str) -> tuple[Session, str | None]:
        """After a text typed on an older one, `base`, and what it could not be merged with.

        What was typed is a step of its own, so that undo takes out what came from elsewhere.
        """
        now = plain_ends(self.text)
        if text in (base, now):
            return self, None
        typed = self.wrote(text, "typing")
        both = text if now == base else merged(base, text, now)
        return (typed, now) if both is None else (typed.wrote(both, TOGETHER), None)

    def undone(self) -> Session:
        """One step back."""
        if not self.past:
            return self
        step = self.past[-1]
        future = (*self.future, Step(self.text, step.label))
        return replace(
            self, text=step.text, past=self.past[:-1], future=future, revision=self.revision + 1
        )

    def redone(self) -> Session:
        """One step forth."""
        if not self.future:
            return self
        step = self.future[-1]
        past = (*self.past, Step(self.text, step.label))
        return replace(
            self, text=step.text, past=past, future=self.future[:-1], revision=self.revision + 1
        )

    def gesture(
        self, words: str, copies: Copies = "ask", brush: bool = True
    ) -> tuple[Session, dict[str, Any]]:
        """After a gesture such as `raise D4`, and its answer: edited, question or refused."""
        from falldamage_forge.edits import gesture
        from falldamage_forge.lang.edit import Edited, Refused, as_table
        from falldamage_forge.lang.edit.gestures import Impossible
        from falldamage_forge.studio.stamps import with_part

        text, plain = with_part(self.text, words)
        try:
            answer = gesture(forge(), map_of(replace(self, text=text)), plain, copies, brush)
        except (Impossible, ForgeError) as error:
            refused = as_table(Refused(str(error)))
            return self, message("answer", words=words, **refused)
        table = as_table(answer)
        for way in (table, table.get("all"), table.get("here")):
            if way:
                way.pop("text", None)  # the state that follows has it
        after = self.wrote(answer.text, words) if isinstance(answer, Edited) else self
        return after, message("answer", words=words, **table)

    def preview(self, words: str, brush: bool = True) -> dict[str, Any]:
        """What a gesture would do: the tiles that would change, [row, col, level].

        Or `why` it cannot be done, and the tiles where it would break the map.
        """
        from falldamage_forge.board import Tile
        from falldamage_forge.studio.protocol import changed_tiles

        after, answer = self.gesture(words, "all", brush)
        if answer["answer"] != "edited":
            board = map_of(self).board
            found = (Tile.parse(name) for name in answer.get("tiles", ()))
            tiles = [[*at, board.column(at).level] for at in dict.fromkeys(found) if at in board]
            return message("preview", words=words, why=answer["message"], tiles=tiles)
        tiles = changed_tiles(map_of(self).board, map_of(after).board)
        return message("preview", words=words, why=None, tiles=tiles)

    def state(self) -> dict[str, Any]:
        """Text and history as a message."""
        return message(
            "state",
            revision=self.revision,
            name=self.name,
            text=self.text,
            undo=self.past[-1].label if self.past else None,
            redo=self.future[-1].label if self.future else None,
        )


def plain_ends(text: str) -> str:
    """The text with the line ends that a page gives it."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


@cache
def forge() -> Forge:
    """The memory of this process; equal boards are worked out once."""
    from falldamage_forge.forge import Forge

    return Forge()


def map_of(session: Session) -> Map:
    """The session's text, read."""
    return forge().loads(session.text, session.name, session.root)


def board(session: Session) -> dict[str, Any]:
    """First stage: the board, and what is wrong with the text itself.

    `whole` tells whether the text could be understood; else what stands there is not all of it.
    """
    map_ = map_of(session)
    return message(
        "board",
        revision=session.revision,
        title=map_.title,
        whole=not has_errors(map_.issues),
        board=board_table(map_.board),
        issues=issues_table(map_.issues, session.text, session.name),
    )


def verdict(session: Session) -> dict[str, Any]:
    """Second stage: every issue, whether it can be played, whether it can be built."""
    try:
        checked = forge().check(map_of(session))
    except ForgeError as error:
        return _verdict(
            session,
            issues_table(error.issues, session.text, session.name),
            playable=False,
            buildable=False,
        )
    return _verdict(
        session,
        issues_table(checked.issues, session.text, session.name),
        checked.ok,
        checked.buildable,
    )


def _verdict(
    session: Session, issues: list[dict[str, Any]], playable: bool, buildable: bool
) -> dict[str, Any]:
    return message(
        "verdict",
        revision=session.revision,
        playable=playable,
        buildable=buildable,
        issues=issues,
    )


def measures(session: Session) -> dict[str, Any]:
    """Third stage: how the map plays; nothing where it does not."""
    map_ = map_of(session)
    found: list[dict[str, Any]] = []
    leads: list[dict[str, Any]] = []
    if forge().check(map_).ok:
        analysis = forge().analyze(map_)
        found = [metric_table(metric) for metric in analysis.metrics]
        leads = [{**lead.json(), "told": lead.told} for lead in analysis.leads]
    return message("measures", revision=session.revision, measures=found, leads=leads)


def advice(session: Session) -> dict[str, Any]:
    """Last stage: small edits that were tried and make the map fairer, none where it is fair.

    Edits are [start, end, new text], in characters of the text.
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
    """Fourth stage: the parts, plates, grams, hours and money, estimated; nothing if faulty."""
    from falldamage_forge.printing.price import Price

    wished = session.settings
    checked = forge().check(map_of(session))
    if not checked.buildable:
        return message("pieces", revision=session.revision, pieces=[], plates=[], totals=None)
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
            "grams": round(figures.grams, 1),
            "minutes": round(figures.minutes),
            "slots": [[slot.key, *(_rounded(box) for box in slot.boxes())] for slot in plate.slots],
        }
        for plate, figures in zip(built.plates, built.build.figures, strict=True)
    ]
    told = {"pieces": rows, "plates": plates, "totals": totals}
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
"""What follows an edit, in this order."""
LATE = ("measures", "pieces", "advice")
"""Stages that wait until hands rest."""


def written(session: Session, tile: str) -> dict[str, Any]:
    """Where the text says something of a tile; in other files, too."""
    from falldamage_forge.board.grid import parse_place
    from falldamage_forge.lang.edit import spans_of

    try:
        at, _ = parse_place(tile)
    except ValueError:
        return message("written", tile=tile, places=[])
    places = [span_table(span) for span in spans_of(map_of(session).loaded, at)]
    return message("written", tile=tile, places=places)


def tiles(session: Session, line: int) -> dict[str, Any]:
    """The tiles that a line of the text speaks of."""
    from falldamage_forge.lang.edit import tiles_at

    found = tiles_at(map_of(session).loaded, line)
    return message("tiles", line=line, tiles=[str(tile) for tile in found])


def picture(name: str) -> str:
    """A preset map drawn small, as SVG."""
    from falldamage_forge.render.isometric import isometric
    from falldamage_forge.render.svg import svg

    map_ = forge().load(name)
    return svg(isometric(map_.board, grid=map_.grid))


Progress = Callable[[str, float], None]
"""What is done now, and about which share of all is done."""


def export(session: Session, progress: Progress) -> bytes:
    """Everything that `build` writes as one zip; the same map gives the same bytes.

    ForgeError with all its issues when the map is not legal and playable.
    """
    import io
    import zipfile

    tell = counted(session, progress)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for artifact in built_of(session, tell).artifacts(progress=tell):
            entry = zipfile.ZipInfo(artifact.path)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, artifact.data)
    return out.getvalue()


def sheets(session: Session, progress: Progress) -> bytes:
    """The build sheets alone, as a PDF to print; ForgeError as `export`."""
    from falldamage_forge.render.photo.board import page_photo
    from falldamage_forge.render.sheets import sheets as drawn
    from falldamage_forge.render.sheets import thumbs

    tell = counted(session, progress)
    built = built_of(session, tell)
    build, layout = built.build, built.checked.layout
    tell("drawing the board")
    photo = page_photo(build.plan.placements, build.meshes, built.printer)
    tell("drawing the pieces")
    pictures = thumbs(build.plan.pieces(), build.meshes)
    title = layout.title or "A map"
    return drawn(title, layout.board, build.plan.placements, pictures, photo=photo)


def counted(session: Session, progress: Progress) -> Steps:
    """A teller of steps that knows about how many there will be."""
    kinds = len(forge().plan(map_of(session)).pieces())
    total = 2.4 * kinds + 10  # each piece is made and written; plates are fewer
    steps = 0

    def tell(what: str, done: int = 0, of: int = 0) -> None:
        nonlocal steps
        steps += 1
        told = f"{what} ({done} of {of})" if of else what
        progress(told, round(min(0.99, steps / total), 3))

    return tell


def built_of(session: Session, tell: Steps = quiet) -> Built:
    """The session's map built under its settings; ForgeError when it is not legal and playable."""
    wished = session.settings
    return forge().build(
        map_of(session),
        wished.printer or None,
        wished.options(),
        tell,
        wished.process or None,
    )


DOWNLOADS: dict[str, tuple[Callable[[Session, Progress], bytes], str]] = {
    "zip": (export, "application/zip"),
    "sheets": (sheets, "application/pdf"),
}
"""What can be made to be handed over, and its media type."""

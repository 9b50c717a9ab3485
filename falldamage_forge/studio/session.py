"""Session: a map's text with undo history, and its stages: board, verdict, metrics, pieces, advice.

Nothing here reads or writes the map's file; the session's owner does. Each stage is a pure function
of name, folder and text, so that a worker process can run and cancel it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from falldamage_forge.diagnostics.machine_formatters import span_json
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.infra.progress import no_progress
from falldamage_forge.issues import ForgeError, has_errors
from falldamage_forge.languages.translator import ENGLISH
from falldamage_forge.studio.protocol import (
    board_table,
    issues_table,
    message,
    metric_table,
)
from falldamage_forge.studio.session_settings import SessionSettings
from falldamage_forge.studio.three_way_merge import merge_texts

if TYPE_CHECKING:
    from falldamage_forge.builds.result import BuildResult
    from falldamage_forge.forge import Forge, Map
    from falldamage_forge.infra.progress import ProgressCallback as Steps
    from falldamage_forge.lang.edit.edit_synthesis import Copies
    from falldamage_forge.rules.answers import Metric
    from falldamage_forge.studio.play_mode import PlayMatch

TOGETHER = "together with what is on disk"
"""Label of the step that merges another program's change."""
LEVELLING = ("raise ", "lower ", "paint ")
"""Gestures for levels: their preview does not list changed columns as removed."""
MAX_STEPS = 500
"""Greatest number of undo steps; older ones are dropped."""


@dataclass(frozen=True, slots=True)
class UndoEntry:
    """An earlier (or later) text, and the label of the step from it (or to it)."""

    text: str
    label: str


@dataclass(frozen=True, slots=True)
class Session:
    """A map's text with its history.

    `name` is its file name in issues; imports are below `root`; `revision` counts changes;
    `language` is that of downloads.
    """

    text: str
    name: str = "map.forge"
    root: Path | None = None
    past: tuple[UndoEntry, ...] = ()
    future: tuple[UndoEntry, ...] = ()
    revision: int = 0
    settings: SessionSettings = field(default=SessionSettings())
    match: PlayMatch | None = None
    language: str = ENGLISH

    def with_text(self, text: str, label: str) -> Session:
        """Return the session after an edit; an unchanged text is no step."""
        if text == self.text:
            return self
        past = (*self.past, UndoEntry(self.text, label))[-MAX_STEPS:]
        return replace(self, text=text, past=past, future=(), revision=self.revision + 1)

    def joined(self, base: str, text: str) -> tuple[Session, str | None]:
        """Return the session after a text typed on an older one.

        The typed change is a step of its own, so that undo removes the other changes first.

        Args:
            base: The older text.
            text: The typed text.

        Returns:
            The session, and the text that could not be merged, else None.
        """
        now = plain_ends(self.text)
        if text in (base, now):
            return self, None
        typed = self.with_text(text, "typing")
        both = text if now == base else merge_texts(base, text, now)
        return (typed, now) if both is None else (typed.with_text(both, TOGETHER), None)

    def undo(self) -> Session:
        """Return the session one step back."""
        return self._stepped("past", "future")

    def redo(self) -> Session:
        """Return the session one step forward."""
        return self._stepped("future", "past")

    def _stepped(self, source: str, target: str) -> Session:
        """Return the session with the text of a history's last step; the other history grows."""
        history: tuple[UndoEntry, ...] = getattr(self, source)
        if not history:
            return self
        *rest, step = history
        grown = (*getattr(self, target), UndoEntry(self.text, step.label))
        moved: dict[str, Any] = {source: tuple(rest), target: grown}
        return replace(self, text=step.text, revision=self.revision + 1, **moved)

    def gesture(
        self, words: str, copies: Copies = "ask", brush: bool = True
    ) -> tuple[Session, dict[str, Any]]:
        """Apply a gesture such as `raise D4`.

        Args:
            words: The gesture.
            copies: Statements to change where terrain is placed several times.
            brush: True to apply it to images under an expected symmetry.

        Returns:
            The session, and the answer: edited, question or refused.
        """
        from falldamage_forge.lang.edit import EditRefused, EditResult, as_table
        from falldamage_forge.lang.edit.gestures import InvalidGesture
        from falldamage_forge.map_edits import gesture
        from falldamage_forge.studio.stamp_library import define_stamped_part

        text, plain = define_stamped_part(self.text, words)
        try:
            answer = gesture(forge(), map_of(replace(self, text=text)), plain, copies, brush)
        except (InvalidGesture, ForgeError) as error:
            refused = as_table(EditRefused(str(error)))
            return self, message("answer", words=words, **refused)
        table = as_table(answer)
        for way in (table, table.get("all"), table.get("here")):
            if way:
                way.pop("text", None)  # the state that follows has it
        after = self.with_text(answer.text, words) if isinstance(answer, EditResult) else self
        return after, message("answer", words=words, **table)

    def preview(self, words: str, brush: bool = True) -> dict[str, Any]:
        """Return the tiles and lines that a gesture would change as a message.

        Tiles are [row, col, level after, before], lines [`-` or `+`, line], removed elements
        [name, tiles].

        If it cannot be applied, `why`, the tiles where it would break the map, and as `near` the
        nearest legal gesture, if there is one.
        """
        from falldamage_forge.board import Tile
        from falldamage_forge.studio.nearest_act import nearest_act
        from falldamage_forge.studio.protocol import (
            changed_lines,
            changed_tiles,
            removed_things,
        )

        after, answer = self.gesture(words, "all", brush)
        if answer["answer"] != "edited":
            board = map_of(self).board
            found = (Tile.parse(name) for name in answer.get("tiles", ()))
            at_fault = [at for at in dict.fromkeys(found) if at in board]
            tiles = [[*at, *[board.column(at).level] * 2] for at in at_fault]
            near = nearest_act(self, words, brush)
            said = {"why": answer["message"], "near": near, "tiles": tiles}
            return message("preview", words=words, **said, lines=[], removed=[])
        boards = map_of(self).board, map_of(after).board
        columns = not words.startswith(LEVELLING)
        return message(
            "preview",
            words=words,
            why=None,
            near=None,
            tiles=changed_tiles(*boards),
            lines=changed_lines(self.text, after.text),
            removed=removed_things(*boards, columns=columns),
        )

    def state(self) -> dict[str, Any]:
        """Return text and history as a message."""
        return message(
            "state",
            revision=self.revision,
            name=self.name,
            text=self.text,
            undo=self.past[-1].label if self.past else None,
            redo=self.future[-1].label if self.future else None,
        )


def plain_ends(text: str) -> str:
    """Return the text with the line ends of a page."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


@cache
def forge() -> Forge:
    """Return the library instance of this process; results of equal boards are cached."""
    from falldamage_forge.forge import Forge

    return Forge()


def map_of(session: Session) -> Map:
    """Return the parsed map of the session's text."""
    return forge().loads(session.text, session.name, session.root)


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
        issues=issues_table(map_.issues, session.text, session.name),
    )


def verdict(session: Session) -> dict[str, Any]:
    """Return the second stage: every issue, playable or not, buildable or not."""
    try:
        checked = forge().check(map_of(session))
        issues, playable, buildable = checked.issues, checked.ok, checked.buildable
    except ForgeError as error:
        issues, playable, buildable = error.issues, False, False
    return message(
        "verdict",
        revision=session.revision,
        playable=playable,
        buildable=buildable,
        issues=issues_table(issues, session.text, session.name),
    )


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


def source_locations(session: Session, tile: str) -> dict[str, Any]:
    """Return the places of the text that describe a tile, other files included."""
    from falldamage_forge.board.coordinates import parse_place
    from falldamage_forge.lang.edit import spans_of

    try:
        at, _ = parse_place(tile)
    except ValueError:
        return message("written", tile=tile, places=[])
    places = [span_json(span) for span in spans_of(map_of(session).loaded, at)]
    return message("written", tile=tile, places=places)


def tiles(session: Session, line: int) -> dict[str, Any]:
    """Return the tiles that a line of the text describes."""
    from falldamage_forge.lang.edit import tiles_at

    found = tiles_at(map_of(session).loaded, line)
    return message("tiles", line=line, tiles=[str(tile) for tile in found])


def picture(name: str) -> str:
    """Return a small drawing of a preset map as SVG."""
    from falldamage_forge.render.isometric import isometric
    from falldamage_forge.render.svg import svg

    map_ = forge().load(name)
    return svg(isometric(map_.board, grid=map_.grid, tops=map_.layout.printing.tops))


@cache
def preset_card(name: str) -> dict[str, Any]:
    """Return the facts that the gallery shows of a preset map."""
    map_ = forge().load(name)
    return {
        "title": map_.title,
        "rows": map_.board.rows,
        "cols": map_.board.cols,
        "game": forge().game(map_)[0].title,
        "pieces": len(forge().plan(map_).placements),
    }


@cache
def outlines() -> dict[str, str]:
    """Return the outline of each unit's figure by card; see `silhouette_paths`."""
    from falldamage_forge import presets
    from falldamage_forge.render.silhouettes import silhouette_paths

    return silhouette_paths(presets.load_catalogue())


Progress = Callable[[str, float], None]
"""Receives the current step, and the finished share of all steps."""


def export(session: Session, progress: Progress) -> bytes:
    """Return the files of `build` as a zip; the same map gives the same bytes.

    Args:
        session: The session.
        progress: Progress callback.

    Raises:
        ForgeError: All issues of the map if it is not legal and playable.
    """
    import io
    import zipfile

    tell = progress_counter(session, progress)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for artifact in built_of(session, tell).artifacts(progress=tell):
            entry = zipfile.ZipInfo(artifact.path)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, artifact.data)
        for name, text in session.settings.files().items():
            archive.writestr(zipfile.ZipInfo(name), text)
    return out.getvalue()


def sheets(session: Session, progress: Progress) -> bytes:
    """Return the build sheets as a PDF; ForgeError as `export`."""
    from falldamage_forge.render.build_sheets import sheets as drawn
    from falldamage_forge.render.build_sheets import thumbs
    from falldamage_forge.render.raster3d.board_scene import page_photo

    tell = progress_counter(session, progress)
    built = built_of(session, tell)
    build, layout = built.build, built.checked.layout
    tell("drawing the board")
    tops = build.options.tops
    photo = page_photo(build.plan.placements, build.meshes, built.printer, tops)
    tell("drawing the pieces")
    pictures = thumbs(build.plan.pieces(), build.meshes)
    return drawn(
        layout.title or "A map",
        layout.board,
        build.plan.placements,
        pictures,
        photo=photo,
        tops=tops,
        language=session.language,
    )


def progress_counter(session: Session, progress: Progress) -> Steps:
    """Return a progress callback that estimates the share of finished steps."""
    kinds = len(forge().plan(map_of(session)).pieces())
    total = 2.4 * kinds + 10  # each piece is made and written; plates are fewer
    steps = 0

    def tell(what: str, done: int = 0, of: int = 0) -> None:
        nonlocal steps
        steps += 1
        told = f"{what} ({done} of {of})" if of else what
        progress(told, round(min(0.99, steps / total), 3))

    return tell


def built_of(session: Session, on_step: Steps = no_progress) -> BuildResult:
    """Return the build of the session's map under its settings; ForgeError as `export`."""
    wished = session.settings
    return forge().build(
        map_of(session),
        wished.printer or None,
        replace(wished.options(), language=session.language),
        on_step,
        wished.process or None,
    )


DOWNLOADS: dict[str, tuple[Callable[[Session, Progress], bytes], str]] = {
    "zip": (export, "application/zip"),
    "sheets": (sheets, "application/pdf"),
}
"""Downloads by name, with their media types."""

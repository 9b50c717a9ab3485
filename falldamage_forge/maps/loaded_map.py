"""Parsed maps and the results of their checks: the values that `Forge` takes and returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from falldamage_forge import presets
from falldamage_forge.board.tones import PALETTES
from falldamage_forge.diagnostics.issue_folding import fold, unfolded
from falldamage_forge.infra import arguments
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import Issue, has_errors

if TYPE_CHECKING:
    from falldamage_forge.board import Board
    from falldamage_forge.lang import Layout, LoadResult
    from falldamage_forge.lengths import PrintGrid
    from falldamage_forge.rules.position import Position


@dataclass(frozen=True)
class Map:
    """A parsed source. Parsing never fails: errors are in `issues`.

    Attributes:
        name: The file's name in issues.
        loaded: Layout, facts and issues.
        texts: Sources read, by the names that issues use.
        root: Folder that imports may not leave; None without imports.
    """

    name: str
    loaded: LoadResult = field(repr=False)
    texts: Mapping[str, str] = field(repr=False, compare=False)
    root: Path | None = field(default=None, repr=False, compare=False)

    @property
    def layout(self) -> Layout:
        """Return the layout: board, title, rules, print settings and stock."""
        return self.loaded.layout

    @property
    def board(self) -> Board:
        """Return the board."""
        return self.layout.board

    @property
    def title(self) -> str:
        """Return the map's title, or its name if it has none."""
        return self.layout.title or Path(self.name).stem

    @property
    def issues(self) -> tuple[Issue, ...]:
        """Return the issues of the text itself."""
        return fold(self.loaded.issues)

    @property
    def grid(self) -> PrintGrid:
        """Return the size of tiles and levels in mm."""
        return self.layout.printing.grid

    @property
    def text(self) -> str:
        """Return the source."""
        return self.texts.get(self.name, "")

    def on(self, board: Board) -> Map:
        """Return the same map with another board."""
        from falldamage_forge.board import Board

        arguments.instance("board", board, Board, "map.board")
        return replace(self, loaded=replace(self.loaded, layout=replace(self.layout, board=board)))

    def with_tops(self, tops: str | None) -> Map:
        """Return the same map with tops in another colour; None keeps the map's.

        Args:
            tops: Key of `tones.PALETTES`; empty for plain tops.

        Raises:
            ForgeError: FDF346 if there is no such key.
        """
        if tops is None:
            return self
        arguments.one_of("tops", tops, ("", *PALETTES))
        layout = replace(self.layout, printing=replace(self.layout.printing, tops=tops))
        return replace(self, loaded=replace(self.loaded, layout=layout))

    def _repr_svg_(self) -> str:
        from falldamage_forge.render.isometric import isometric
        from falldamage_forge.render.svg import svg

        tops = self.layout.printing.tops
        return svg(isometric(self.board, title=self.title, grid=self.grid, tops=tops))


@dataclass(frozen=True)
class CheckResult:
    """The result of `check`: the map, its analysis, and the causes among its issues."""

    map: Map
    position: Position = field(repr=False)
    issues: tuple[Issue, ...]

    @property
    def every(self) -> tuple[Issue, ...]:
        """Return every issue, followers behind their cause."""
        return tuple(issue for issue, _ in unfolded(self.issues))

    @property
    def layout(self) -> Layout:
        """Return the map's layout."""
        return self.map.layout

    @property
    def ok(self) -> bool:
        """True if the map has no error: it can be built and played."""
        return not has_errors(self.issues)

    @property
    def judged(self) -> bool:
        """True if play was checked; this needs a certain board that can be built."""
        from falldamage_forge.maps.checks import is_judged

        return is_judged(self.map.loaded, self.every)

    @property
    def buildable(self) -> bool:
        """True if the board can be built, playable or not."""
        from falldamage_forge.maps.checks import check_printability

        faults = (i for i in self.issues if i.severity == "error" and not is_play_issue(i))
        return not (any(faults) or check_printability(self.layout, presets.load_catalogue()))

    def _repr_html_(self) -> str:
        from falldamage_forge.infra.visible_text import escape

        rows = "".join(f"<li><code>{i.code}</code> {escape(i.message)}</li>" for i in self.issues)
        verdict = "playable" if self.ok else "not playable"
        return f"<p>{escape(self.map.title)}: {verdict}</p><ul>{rows}</ul>"


Checked = CheckResult


def is_play_issue(issue: Issue) -> bool:
    """True if an issue is about play on a board that can be built (codes 300 to 399)."""
    return "FDF300" <= issue.code < "FDF400"


def a_map(value: object) -> Map:
    """Return the value if it is a `Map`; ForgeError (FDF346) otherwise."""
    return arguments.instance("map", value, Map, "ff.load(name)")

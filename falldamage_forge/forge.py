"""The library: maps in, answers out. Every door (commands, language server, pages) asks here.

Nothing here prints, exits or keeps a context. What depends on the values of board and rules alone
(surfaces, models, floods) is worked out once per board, for as long as a `Forge` remembers it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from falldamage_forge import arguments, presets
from falldamage_forge.called import game_of, map_path, named, printer_called, unknown_names
from falldamage_forge.files import Sources
from falldamage_forge.folding import fold, unfolded
from falldamage_forge.issues import ForgeError, Issue, has_errors, refuse
from falldamage_forge.values import dataclass
from falldamage_forge.waiting import Progress, quiet

if TYPE_CHECKING:
    from falldamage_forge.advice import Remedy
    from falldamage_forge.assemble import BuildOptions
    from falldamage_forge.board import Board
    from falldamage_forge.bundle import Built
    from falldamage_forge.checks import Judge
    from falldamage_forge.lang import Layout, Loaded
    from falldamage_forge.lengths import Grid
    from falldamage_forge.pieces.catalogue import Catalogue
    from falldamage_forge.pieces.plan import Plan
    from falldamage_forge.printing.printer import Printer
    from falldamage_forge.rules.answers import Analysis, Survey
    from falldamage_forge.rules.game import Game
    from falldamage_forge.rules.position import Memo, Position

Options = Mapping[str, str | int | float]
"""Readings of the rules by name, such as `{"gap": "any-clear"}`."""


@dataclass(frozen=True)
class Map:
    """A source as far as it could be understood. Text is never refused: `issues` tell its faults.

    `texts` are the sources read, by the names that issues call them; imports are below `root`.
    """

    name: str
    loaded: Loaded = field(repr=False)
    texts: Mapping[str, str] = field(repr=False, compare=False)
    root: Path | None = field(default=None, repr=False, compare=False)

    @property
    def layout(self) -> Layout:
        """Board, title, rules, print and stock."""
        return self.loaded.layout

    @property
    def board(self) -> Board:
        """The table."""
        return self.layout.board

    @property
    def title(self) -> str:
        """The map's title, or its name."""
        return self.layout.title or Path(self.name).stem

    @property
    def issues(self) -> tuple[Issue, ...]:
        """What is wrong with the text itself."""
        return fold(self.loaded.issues)

    @property
    def grid(self) -> Grid:
        """The size of its tiles and levels, printed or not."""
        return self.layout.printing.grid

    @property
    def text(self) -> str:
        """The source."""
        return self.texts.get(self.name, "")

    def on(self, board: Board) -> Map:
        """The same map with another board."""
        from falldamage_forge.board import Board

        arguments.instance("board", board, Board, "map.board")
        return replace(self, loaded=replace(self.loaded, layout=replace(self.layout, board=board)))

    def _repr_svg_(self) -> str:
        from falldamage_forge.render.isometric import isometric
        from falldamage_forge.render.svg import svg

        return svg(isometric(self.board, title=self.title, grid=self.grid))


@dataclass(frozen=True)
class Checked:
    """What `check` found: the map, the position it was judged in, and the causes among issues."""

    map: Map
    position: Position = field(repr=False)
    issues: tuple[Issue, ...]

    @property
    def every(self) -> tuple[Issue, ...]:
        """Every issue, what follows from one behind it."""
        return tuple(issue for issue, _ in unfolded(self.issues))

    @property
    def layout(self) -> Layout:
        """The map's layout."""
        return self.map.layout

    @property
    def ok(self) -> bool:
        """Whether nothing stands against building it."""
        return not has_errors(self.issues)

    @property
    def judged(self) -> bool:
        """Whether play was judged: not before the board is certain and can be built."""
        from falldamage_forge.checks import is_judged

        return is_judged(self.map.loaded, self.every)

    @property
    def buildable(self) -> bool:
        """Whether the table can be built, playable or not."""
        from falldamage_forge.checks import unprinted

        faults = (i for i in self.issues if i.severity == "error" and not is_of_play(i))
        return not (any(faults) or unprinted(self.layout, presets.load_catalogue()))

    def _repr_html_(self) -> str:
        from falldamage_forge.visible import escape

        rows = "".join(f"<li><code>{i.code}</code> {escape(i.message)}</li>" for i in self.issues)
        verdict = "playable" if self.ok else "not playable"
        return f"<p>{escape(self.map.title)}: {verdict}</p><ul>{rows}</ul>"


def is_of_play(issue: Issue) -> bool:
    """Whether an issue is about playing a table that can be built (codes 300 to 399)."""
    return "FDF300" <= issue.code < "FDF400"


Usual = tuple[str, str]
"""The printer and the process that are meant where none is named."""


class Forge:
    """Loads, checks, asks and builds maps with the presets that come along."""

    def __init__(
        self, remember: int = 64, usual: Callable[[], Usual] = lambda: ("a1-mini", "standard")
    ) -> None:
        """Keep what was worked out for the last `remember` boards.

        `usual` is asked for printer and process where neither the caller nor the map names one.
        """
        self._remember = arguments.whole("remember", remember, 1, 1_000_000)
        self._usual = usual
        self._memos: OrderedDict[tuple[Board, Game], Memo] = OrderedDict()

    # -- maps ------------------------------------------------------------------------------------

    def load(self, path: str | Path) -> Map:
        """The map of a file, or of a preset's name.

        ForgeError (FDF293, FDF294) when there is no readable file; never for what it says.
        """
        sources = Sources()
        file = map_path(str(arguments.path("path", path)))
        name, text = sources.read_main(file)
        return _map(name, text, file.parent, sources)

    def loads(self, text: str, name: str = "map.forge", root: Path | None = None) -> Map:
        """The map of a text; imports are read relative to `root`, else refused as issues."""
        sources = Sources()
        sources.texts[arguments.text("name", name)] = arguments.text("text", text)
        return _map(name, text, arguments.optional(arguments.path, "root", root), sources)

    # -- rules -----------------------------------------------------------------------------------

    def game(
        self, map: Map, rules: str | None = None, options: Options | None = None
    ) -> tuple[Game, tuple[Issue, ...]]:
        """The game of a map under its own options, or another by name; and what is wrong with it.

        `rules` is a ruleset's name or the file of one's own. Another game is taken with its own
        options and units: the map's are not for it. ForgeError when there is no such ruleset
        (FDF293) or option (FDF320) among those asked for here.
        """
        layout = a_map(map).layout
        arguments.optional(arguments.text, "rules", rules)
        given = arguments.table("options", options)
        return game_of(layout, rules, {name: _reading(name, given[name]) for name in given})

    def position(
        self,
        map: Map,
        rules: str | None = None,
        options: Options | None = None,
        what_if: Iterable[str] = (),
    ) -> Position:
        """A map's board ready to be asked, after changes such as `scaffold E5`.

        Raises:
            ForgeError: With every error of the map's text and of its readings; FDF342 for a change
                that cannot be.
        """
        from falldamage_forge.rules.position import Position

        game, issues = self.game(map, rules, options)
        faults = (*map.issues, *issues)
        if has_errors(faults):
            raise ForgeError(faults)
        before = self.on(map.board, game)
        changes = arguments.texts("what_if", what_if)
        if not changes:
            return before
        try:
            board = game.what_if(map.board, changes).board
        except ValueError as error:
            raise refuse("FDF342", f"`{'`, `'.join(changes)}`: {error}") from None
        return Position(board, game, before=before, changes=changes)

    def on(self, board: Board, game: Game) -> Position:
        """A board under a game, with all that is known of that board already."""
        from falldamage_forge.board import Board
        from falldamage_forge.rules.game import Game
        from falldamage_forge.rules.position import Memo, Position

        arguments.instance("board", board, Board, "ff.load(name).board")
        if not isinstance(game, Game):
            raise arguments.wrong("game", game, "a game", "write ff.position(map).game")
        key = (board, game)
        memo = self._memos.setdefault(key, Memo())
        self._memos.move_to_end(key)
        while len(self._memos) > self._remember:
            self._memos.popitem(last=False)
        return Position(board, game, memo)

    def check(
        self,
        map: Map,
        rules: str | None = None,
        options: Options | None = None,
        judge: Judge | None = None,
    ) -> Checked:
        """Every issue of a map: text, legality, play, fairness, and what it promises.

        `expect fair within N%` is asked of a judge (`playtest.fair.judge`), as it takes minutes;
        without one nothing is said of it.
        """
        from falldamage_forge.checks import check_loaded

        game, unknown = self.game(map, rules, options)
        position = self.on(map.board, game)
        own = rules in (None, map.layout.rules)
        beside, catalogue = (*unknown, *unknown_names(map.layout)), presets.load_catalogue()
        found = check_loaded(map.loaded, catalogue, position, own, judge, beside)
        return Checked(map, position, fold(named(map.name, found)))

    def legal(self, map: Map) -> tuple[Issue, ...]:
        """What keeps the table from being built, playable or not."""
        from falldamage_forge.board.legality import check_legality
        from falldamage_forge.checks import limits_of, told

        game, unknown = self.game(map)
        limits = limits_of(presets.load_catalogue(), self.on(map.board, game))
        found = check_legality(map.board, limits)
        return fold(named(map.name, (*map.loaded.issues, *unknown, *told(map.loaded, found))))

    def analyze(
        self,
        map: Map,
        rules: str | None = None,
        options: Options | None = None,
        what_if: Iterable[str] = (),
        progress: Progress = quiet,
    ) -> Analysis:
        """All measures of a map, with verdicts."""
        from falldamage_forge.measures.table import analyze

        return analyze(self.position(map, rules, options, what_if), map.layout.title, progress)

    def suggest(
        self,
        map: Map,
        rules: str | None = None,
        options: Options | None = None,
        most: int = 3,
        progress: Progress = quiet,
    ) -> tuple[Remedy, ...]:
        """Small edits of a map's text that make it fairer, each tried and measured again.

        None where no side is too far ahead, or nothing tried helps.
        """
        return self.advise(map, self.position(map, rules, options), most, progress)

    def advise(
        self, map: Map, position: Position, most: int = 3, progress: Progress = quiet
    ) -> tuple[Remedy, ...]:
        """The same for a position of that map."""
        from falldamage_forge.advice import suggest
        from falldamage_forge.rules.position import Position

        a_map(map)
        arguments.instance("position", position, Position, "ff.position(map)")
        arguments.whole("most", most, 1, 100)
        read = Sources().importer(map.root) if map.root is not None else no_imports
        catalogue = presets.load_catalogue()
        return suggest(map.text, map.name, read, position, catalogue, most, progress)

    def compare(self, map: Map) -> tuple[Survey, ...]:
        """A map under every ruleset, each with its plain unit; its options hold for its own."""
        from falldamage_forge.measures.survey import survey

        found = []
        for name in presets.names("rulesets"):
            position = self.position(map, name)
            found.append(survey(position, position.plain, position.plain, chances=True))
        return tuple(found)

    # -- things ----------------------------------------------------------------------------------

    def plan(self, map: Map, owned: Mapping[str, int] | None = None) -> Plan:
        """The parts of a legal map and where each goes; `owned` instead of the map's inventory."""
        from falldamage_forge.assemble import plan_of

        catalogue = self.catalogue(map)
        return plan_of(map.layout, catalogue, _owned(owned))

    def catalogue(self, map: Map) -> Catalogue:
        """The pieces of a map's size; ForgeError (FDF437, FDF438) where its own cannot be made."""
        from falldamage_forge.checks import refuse_size

        refuse_size(a_map(map).layout, presets.load_catalogue())
        return presets.load_catalogue(map.grid)

    def printer(
        self, map: Map | None = None, name: str | None = None, process: str | None = None
    ) -> Printer:
        """The printer asked for, of the map, or the usual one, with the map's own fits.

        It is set up for the process asked for, or for the usual one.
        """
        wished = a_map(map).layout.printing if map is not None else None
        for word, value in (("name", name), ("process", process)):
            arguments.optional(arguments.text, word, value)
        name = name or (wished.printer if wished else None)
        usual = self._usual() if name is None or process is None else ("", "")
        printer = replace(
            printer_called(name or usual[0]), process=presets.load_process(process or usual[1])
        )
        if wished is None:
            return printer
        return replace(
            printer,
            fit_mm=printer.fit_mm if wished.fit_mm is None else wished.fit_mm,
            seam_mm=printer.seam_mm if wished.seam_mm is None else wished.seam_mm,
        )

    def build(
        self,
        map: Map,
        printer: str | None = None,
        options: BuildOptions | None = None,
        progress: Progress = quiet,
        process: str | None = None,
    ) -> Built:
        """Plan, meshes, plates and figures of a map, ready to be written.

        ForgeError with all its issues when the map is not legal and playable.
        """
        checked = self.check(map)
        if not checked.ok:
            raise ForgeError(checked.issues)
        return self.assemble(checked, printer, options, progress, process)

    def assemble(
        self,
        checked: Checked,
        printer: str | None = None,
        options: BuildOptions | None = None,
        progress: Progress = quiet,
        process: str | None = None,
    ) -> Built:
        """The same for a map that can be built, playable or not."""
        from falldamage_forge.assemble import BuildOptions, assemble
        from falldamage_forge.bundle import Built

        arguments.instance("checked", checked, Checked, "ff.check(map)")
        arguments.optional(
            arguments.instance, "options", options, BuildOptions, "ff.BuildOptions()"
        )
        catalogue = self.catalogue(checked.map)
        machine = self.printer(checked.map, printer, process)
        style = (options and options.style) or presets.load_style(presets.DEFAULT_STYLE)
        options = replace(options or BuildOptions(), style=style)
        sizes = presets.baked_sizes(style.name, catalogue.grid)
        made = assemble(checked.layout, catalogue, machine, progress, options, sizes)
        return Built(checked, made, machine)


def a_map(value: object) -> Map:
    """A map, where one is asked for; its name or text is none (FDF346)."""
    return arguments.instance("map", value, Map, "ff.load(name)")


def _owned(owned: object) -> dict[str, int] | None:
    """Owned parts by piece; None means those of the map's own inventory."""
    if owned is None:
        return None
    counts = arguments.table("owned", owned)
    return {key: arguments.whole(key, counts[key], 0, 1_000_000) for key in counts}


def _reading(name: str, value: object) -> str | int | float:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise arguments.wrong(name, value, "a word or a number")
    return value


def _map(name: str, text: str, root: Path | None, sources: Sources) -> Map:
    from falldamage_forge.lang import load

    importer = sources.importer(root) if root is not None else no_imports
    return Map(name, load(text, name, importer), sources.texts, root)


def no_imports(importing: str, relative: str) -> tuple[str, str]:
    """The importer of a text that stands in no folder: everything is refused (FDF294)."""
    del importing
    raise refuse("FDF294", f"cannot read `{relative}`: this text stands in no folder")

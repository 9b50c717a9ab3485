"""The library's facade: maps in, answers out. Commands, language server and studio call it.

Nothing here prints, exits or keeps global state. Results that depend only on board and ruleset
(surfaces, movement graphs, reachable sets) are cached per board, for the last boards of a `Forge`.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from falldamage_forge import presets
from falldamage_forge.diagnostics.issue_folding import fold
from falldamage_forge.infra import arguments
from falldamage_forge.infra.progress import ProgressCallback, no_progress
from falldamage_forge.infra.source_loader import SourceLoader
from falldamage_forge.issues import ForgeError, Issue, has_errors, refuse
from falldamage_forge.maps.loaded_map import Checked, CheckResult, Map, a_map, is_play_issue
from falldamage_forge.maps.resolve import (
    game_of,
    named,
    resolve_map_path,
    resolve_printer,
    unknown_names,
)

if TYPE_CHECKING:
    from falldamage_forge.board import Board
    from falldamage_forge.builds.pipeline import BuildOptions
    from falldamage_forge.builds.result import BuildResult
    from falldamage_forge.library.suggestions.local_search import Suggestion
    from falldamage_forge.maps.checks import Judge
    from falldamage_forge.pieces.catalogue import Catalogue
    from falldamage_forge.pieces.plan import PiecePlan
    from falldamage_forge.printing.printer import Printer
    from falldamage_forge.rules.answers import MapMetrics, Survey
    from falldamage_forge.rules.position import Position, PositionCache
    from falldamage_forge.rules.ruleset import Ruleset

__all__ = ["CheckResult", "Checked", "Forge", "Map", "Options", "is_play_issue", "reject_imports"]

Options = Mapping[str, str | int | float]
"""Options of a ruleset by name, such as `{"gap": "any-clear"}`."""


Usual = tuple[str, str]
"""Returns the names of the user's default printer and process."""


class Forge:
    """Loads, checks, analyses and builds maps, with cached results."""

    def __init__(
        self, remember: int = 64, usual: Callable[[], Usual] = lambda: ("a1-mini", "standard")
    ) -> None:
        """Create a library instance.

        Args:
            remember: Number of boards whose results stay cached.
            usual: Returns default printer and process, for maps and calls that name none.
        """
        self._remember = arguments.whole("remember", remember, 1, 1_000_000)
        self._usual = usual
        self._memos: OrderedDict[tuple[Board, Ruleset], PositionCache] = OrderedDict()

    # -- maps ------------------------------------------------------------------------------------

    def load(self, path: str | Path) -> Map:
        """Return the map of a file or preset.

        Args:
            path: A path, or the name of a preset map.

        Raises:
            ForgeError: FDF293, FDF294 if there is no readable file; errors in the text are issues.
        """
        sources = SourceLoader()
        file = resolve_map_path(str(arguments.path("path", path)))
        name, text = sources.read_main(file)
        return _map(name, text, file.parent, sources)

    def loads(self, text: str, name: str = "map.forge", root: Path | None = None) -> Map:
        """Return the map of a text.

        Args:
            text: The source.
            name: The file's name in issues.
            root: Folder of imports; None refuses imports as issues.
        """
        sources = SourceLoader()
        sources.texts[arguments.text("name", name)] = arguments.text("text", text)
        return _map(name, text, arguments.optional(arguments.path, "root", root), sources)

    # -- rules -----------------------------------------------------------------------------------

    def game(
        self, map: Map, rules: str | None = None, options: Options | None = None
    ) -> tuple[Ruleset, tuple[Issue, ...]]:
        """Return the ruleset of a map and the issues of its rules.

        Args:
            map: The map.
            rules: Name or file of another ruleset; the map's options and units are then ignored.
            options: Options of the ruleset; they override the map's.

        Raises:
            ForgeError: FDF293 for an unknown ruleset, FDF320 for an unknown option, if given here.
        """
        layout = a_map(map).layout
        arguments.optional(arguments.text, "rules", rules)
        given = arguments.table("options", options)
        return game_of(layout, rules, {name: _reading(name, given[name]) for name in given})

    def analysis(
        self,
        map: Map,
        rules: str | None = None,
        options: Options | None = None,
        what_if: Iterable[str] = (),
    ) -> Position:
        """Return the analysis of a map's board: paths, reach, lines of sight, metrics.

        Args:
            map: The map.
            rules: Name or file of another ruleset.
            options: Options of the ruleset.
            what_if: Changes of the board, such as `scaffold E5`.

        Raises:
            ForgeError: All errors of the map's text and rules; FDF342 for a change that does not
                apply.
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

    position = analysis

    def on(self, board: Board, game: Ruleset) -> Position:
        """Return the analysis of a board under a ruleset, with the results cached for both.

        Args:
            board: The board.
            game: The rules of a game.

        Raises:
            ForgeError: FDF346 if an argument has another type.
        """
        from falldamage_forge.board import Board
        from falldamage_forge.rules.position import Position, PositionCache
        from falldamage_forge.rules.ruleset import Ruleset

        arguments.instance("board", board, Board, "ff.load(name).board")
        if not isinstance(game, Ruleset):
            raise arguments.wrong("game", game, "a game", "write ff.analysis(map).game")
        key = (board, game)
        memo = self._memos.setdefault(key, PositionCache())
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
    ) -> CheckResult:
        """Return every issue of a map: text, legality, play, fairness, expectations.

        Args:
            map: The map.
            rules: Name or file of another ruleset.
            options: Options of the ruleset.
            judge: Answers `expect fair within N%`: `playtest.fairness_check.known_fairness` from
                symmetry and stored games, `played_fairness` by games, which take minutes; None
                skips this expectation.
        """
        from falldamage_forge.maps.checks import check_loaded

        game, unknown = self.game(map, rules, options)
        position = self.on(map.board, game)
        own = rules in (None, map.layout.rules)
        beside = (*unknown, *unknown_names(map.loaded), *_model_issues(map))
        catalogue = presets.load_catalogue()
        found = check_loaded(map.loaded, catalogue, position, own, judge, beside)
        return CheckResult(map, position, fold(named(map.name, found)))

    def check_legality(self, map: Map) -> tuple[Issue, ...]:
        """Return the issues that keep the board from being built, playable or not."""
        from falldamage_forge.elements import legality
        from falldamage_forge.maps.checks import build_limits, judge_of, map_issues_to_source
        from falldamage_forge.remedies.tried_hints import with_remedies

        game, unknown = self.game(map)
        position = self.on(map.board, game)
        limits = build_limits(presets.load_catalogue(), position)
        found = legality.check_legality(map.board, limits)
        judge = judge_of(position, limits, map.layout.players)
        found = with_remedies(found, position, limits, judge)
        return fold(
            named(
                map.name, (*map.loaded.issues, *unknown, *map_issues_to_source(map.loaded, found))
            )
        )

    legal = check_legality

    def analyze(
        self,
        map: Map,
        rules: str | None = None,
        options: Options | None = None,
        what_if: Iterable[str] = (),
        progress: ProgressCallback = no_progress,
    ) -> MapMetrics:
        """Return all metrics of a map with their verdicts.

        Args:
            map: The map.
            rules: Name or file of another ruleset.
            options: Options of the ruleset.
            what_if: Changes of the board, such as `scaffold E5`.
            progress: Progress callback.
        """
        from falldamage_forge.metrics.metric_table import analyze

        return analyze(self.analysis(map, rules, options, what_if), map.layout.title, progress)

    def suggest(
        self,
        map: Map,
        rules: str | None = None,
        options: Options | None = None,
        most: int = 3,
        progress: ProgressCallback = no_progress,
    ) -> tuple[Suggestion, ...]:
        """Return small edits of a map's text that make it fairer, each applied and measured.

        Args:
            map: The map.
            rules: Name or file of another ruleset.
            options: Options of the ruleset.
            most: Greatest number of suggestions.
            progress: Progress callback.

        Returns:
            The best suggestions first; empty if the map is fair or no edit helps.
        """
        return self.advise(map, self.analysis(map, rules, options), most, progress)

    def advise(
        self, map: Map, position: Position, most: int = 3, progress: ProgressCallback = no_progress
    ) -> tuple[Suggestion, ...]:
        """Return the suggestions of `suggest` for an analysis of the map.

        Args:
            map: The map.
            position: Its analysis.
            most: Greatest number of suggestions.
            progress: Progress callback.
        """
        from falldamage_forge.library.suggestions.local_search import suggest
        from falldamage_forge.rules.position import Position

        a_map(map)
        arguments.instance("position", position, Position, "ff.analysis(map)")
        arguments.whole("most", most, 1, 100)
        read = SourceLoader().importer(map.root) if map.root is not None else reject_imports
        catalogue = presets.load_catalogue()
        return suggest(map.text, map.name, read, position, catalogue, most, progress)

    def compare(self, map: Map) -> tuple[Survey, ...]:
        """Return metrics of a map under every ruleset, each with its plain unit.

        The map's own options apply to its own ruleset.
        """
        from falldamage_forge.metrics.unit_survey import survey

        found = []
        for name in presets.names("rulesets"):
            position = self.analysis(map, name)
            found.append(survey(position, position.plain, position.plain, chances=True))
        return tuple(found)

    # -- things ----------------------------------------------------------------------------------

    def plan(self, map: Map, owned: Mapping[str, int] | None = None) -> PiecePlan:
        """Return the piece plan of a legal map.

        Args:
            map: The map.
            owned: Owned parts by piece key; None uses the map's stock.
        """
        from falldamage_forge.maps.layout_plan import plan_layout

        catalogue = self.catalogue(map)
        return plan_layout(map.layout, catalogue, _owned(owned))

    def catalogue(self, map: Map, *, licensed: bool = False) -> Catalogue:
        """Return the pieces of a map's size, with those of its models.

        Args:
            map: The map.
            licensed: True to leave out models whose blocks name no licence.

        Raises:
            ForgeError: FDF437 or FDF438 if they cannot be printed, FDF208 for a missing model.
        """
        from falldamage_forge.maps.checks import require_printable_size

        require_printable_size(a_map(map).layout, presets.load_catalogue())
        catalogue = presets.load_catalogue(map.grid, map.layout.printing.held)
        if not map.layout.models:
            return catalogue
        from falldamage_forge.builds.model_pieces import with_models

        models = map.layout.models
        return with_models(catalogue, (x for x in models if x.license or not licensed))

    def printer(
        self, map: Map | None = None, name: str | None = None, process: str | None = None
    ) -> Printer:
        """Return a printer, set up for a process and with the map's own fits.

        Args:
            map: The map whose printer and fits count; None for none.
            name: Name or file of the printer; None uses the map's or the user's default.
            process: Name of the process; None uses the user's default.
        """
        wished = a_map(map).layout.printing if map is not None else None
        for word, value in (("name", name), ("process", process)):
            arguments.optional(arguments.text, word, value)
        name = name or (wished.printer if wished else None)
        usual = self._usual() if name is None or process is None else ("", "")
        printer = presets.set_up(resolve_printer(name or usual[0]), process or usual[1])
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
        progress: ProgressCallback = no_progress,
        process: str | None = None,
    ) -> BuildResult:
        """Return the build of a map: plan, meshes, plates and statistics, ready to be written.

        Args:
            map: The map.
            printer: Name or file of the printer; None uses the map's or the user's default.
            options: The build's options.
            progress: Progress callback.
            process: Name of the process; None uses the user's default.

        Raises:
            ForgeError: All issues of the map if it is not legal and playable.
        """
        checked = self.check(map)
        if not checked.ok:
            raise ForgeError(checked.issues)
        return self.assemble(checked, printer, options, progress, process)

    def assemble(
        self,
        checked: CheckResult,
        printer: str | None = None,
        options: BuildOptions | None = None,
        progress: ProgressCallback = no_progress,
        process: str | None = None,
        meshes: bool = True,
    ) -> BuildResult:
        """Return the build of a map that can be built, playable or not.

        Args:
            checked: Result of `check`.
            printer: Name or file of the printer; None uses the map's or the user's default.
            options: The build's options.
            progress: Progress callback.
            process: Name of the process; None uses the user's default.
            meshes: False for lists alone: only parts of unknown size are made, none are tried
                together, and the build cannot be written.
        """
        from falldamage_forge.board.tones import PALETTES
        from falldamage_forge.builds.pipeline import BuildOptions, Formats, build_map
        from falldamage_forge.builds.result import BuildResult
        from falldamage_forge.printing.process import MAX_FILAMENTS
        from falldamage_forge.printing.tone_change import ChangeBy

        arguments.instance("checked", checked, CheckResult, "ff.check(map)")
        arguments.optional(
            arguments.instance, "options", options, BuildOptions, "ff.BuildOptions()"
        )
        catalogue = self.catalogue(checked.map, licensed=bool(options and options.licensed))
        machine = self.printer(checked.map, printer, process)
        style = (options and options.style) or presets.load_style(presets.DEFAULT_STYLE)
        options = replace(options or BuildOptions(), style=style)
        arguments.one_of("tops", options.tops, ("", *PALETTES))
        arguments.one_of("change_by", options.change_by, get_args(ChangeBy))
        arguments.one_of("formats", options.formats, get_args(Formats))
        arguments.optional(arguments.whole, "filaments", options.filaments, 1, MAX_FILAMENTS)
        sizes = presets.baked_sizes(style.name, catalogue.grid, catalogue.magnets)
        # The share of a part below its coloured top is measured on its mesh.
        whole = meshes or bool(options.tops or checked.layout.printing.tops)
        made = build_map(checked.layout, catalogue, machine, progress, options, sizes, whole)
        return BuildResult(checked, made, machine)


def _model_issues(map: Map) -> tuple[Issue, ...]:
    """Return the issues of models without a file; of a text without a folder none."""
    if not map.layout.models or map.root is None:
        return ()
    from falldamage_forge.builds.model_pieces import file_issues

    return tuple(file_issues(map.layout.models))


def _owned(owned: object) -> dict[str, int] | None:
    """Return owned parts by piece; None for the map's own stock."""
    if owned is None:
        return None
    counts = arguments.table("owned", owned)
    return {key: arguments.whole(key, counts[key], 0, 1_000_000) for key in counts}


def _reading(name: str, value: object) -> str | int | float:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise arguments.wrong(name, value, "a word or a number")
    return value


def _map(name: str, text: str, root: Path | None, sources: SourceLoader) -> Map:
    from falldamage_forge.lang import load

    importer = sources.importer(root) if root is not None else reject_imports
    return Map(name, load(text, name, importer), sources.texts, root)


def reject_imports(importing: str, relative: str) -> tuple[str, str]:
    """Refuse an import (FDF294): the importer of texts without a folder.

    Args:
        importing: Name of the text that imports.
        relative: Path of the import, as written.
    """
    raise refuse("FDF294", f"cannot read `{relative}`: this text stands in no folder")

"""The library's arguments: wrong values are refused with their names, defaults are the map's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import falldamage_forge as ff
from falldamage_forge import presets
from falldamage_forge.board import Tile
from falldamage_forge.infra import arguments, presets_folder
from falldamage_forge.issues import ForgeError, tile_name
from falldamage_forge.lang.edit import EditRefused
from falldamage_forge.lengths import GRID, LAYER_MM, PrintGrid, print_grid, round_to_layers_mm
from falldamage_forge.library.forge import Forge
from falldamage_forge.library.map_edits import gesture
from falldamage_forge.maps.checks import build_limits, check_printability
from falldamage_forge.maps.resolve import resolve_map_path, resolve_printer, resolve_ruleset
from tests.cli.running import SMALL

FORGE = Forge()
TEXT = SMALL.format(tower="D4")
MAP = ff.loads(TEXT, "small.forge")
POSITION = ff.analysis(MAP)


def refusal(call: Callable[[], object]) -> ff.Issue:
    """The one issue of the ForgeError that a call raises."""
    with pytest.raises(ForgeError) as refused:
        call()
    (issue,) = refused.value.issues
    return issue


@pytest.mark.parametrize(
    ("call", "name", "wanted"),
    [
        (lambda: Forge(0), "remember", "a whole number from 1 to 1000000"),
        (lambda: FORGE.load(b"duel"), "path", "a path"),
        (lambda: FORGE.loads(1), "text", "a text"),
        (lambda: FORGE.loads("", 1), "name", "a text"),
        (lambda: FORGE.loads("", root=1), "root", "a path"),
        (lambda: FORGE.game("duel"), "map", "a `Map`"),
        (lambda: FORGE.game(MAP, 1), "rules", "a text"),
        (lambda: FORGE.game(MAP, options=[1]), "options", "a table of names and values"),
        (lambda: FORGE.game(MAP, options={"gap": True}), "gap", "a word or a number"),
        (lambda: FORGE.analysis(MAP, what_if=[1]), "what_if", "a text"),
        (lambda: FORGE.on("duel", POSITION.game), "board", "a `Board`"),
        (lambda: FORGE.on(MAP.board, "fall-damage"), "game", "a game"),
        (lambda: MAP.on("duel"), "board", "a `Board`"),
        (lambda: FORGE.suggest(MAP, most=0), "most", "a whole number from 1 to 100"),
        (lambda: FORGE.suggest(MAP, most=101), "most", "a whole number from 1 to 100"),
        (lambda: FORGE.advise(MAP, MAP), "position", "a `Position`"),
        (lambda: FORGE.advise("duel", POSITION), "map", "a `Map`"),
        (lambda: FORGE.plan(MAP, {"rim": -1}), "rim", "a whole number from 0 to 1000000"),
        (lambda: FORGE.plan("duel"), "map", "a `Map`"),
        (lambda: FORGE.printer("duel"), "map", "a `Map`"),
        (lambda: FORGE.printer(name=1), "name", "a text"),
        (lambda: FORGE.printer(process=1), "process", "a text"),
        (lambda: FORGE.assemble(MAP), "checked", "a `CheckResult`"),
        (lambda: FORGE.assemble(ff.check(MAP), options={}), "options", "a `BuildOptions`"),
        (lambda: ff.Game(MAP, ["fast"]), "options", "a table of names and values"),
        (lambda: ff.Game(MAP, seed=-1), "seed", "a whole number from 0 to 18446744073709551615"),
        (lambda: ff.Game(MAP, seed=2**64), "seed", "a whole number from 0"),
        (lambda: ff.Game(MAP, teams=["knight"]), "teams", "two lists, red's and blue's"),
        (lambda: ff.Game(MAP, teams="ab"), "teams", "two lists, red's and blue's"),
        (lambda: ff.Game(MAP, places=([1], [])), "places", "a text"),
        (lambda: arguments.flag("quick", 1), "quick", "True or False"),
        (lambda: arguments.chance("odds", "1/0"), "odds", "a chance such as 1/2 or 0.75"),
        (lambda: arguments.chance("odds", 1.5), "odds", "a chance from 0 to 1"),
        (lambda: arguments.several("list", {}), "list", "a list"),
        (lambda: arguments.places("to", [1], Tile), "to", "a list of places such as E5 or E5@2"),
    ],
)  # fmt: skip
def test_wrong_argument_is_refused_with_its_name_and_what_it_takes(
    call: Callable[[], object], name: str, wanted: str
) -> None:
    issue = refusal(call)
    assert (issue.code, issue.severity) == ("FDF346", "error")
    assert issue.message.startswith(f"`{name}` is {wanted}")
    assert (
        not wanted.startswith("a `")
        or (issue.hint or "").startswith("write ff.")
        or "map." in (issue.hint or "")
    )


def test_wrong_value_is_shown_and_cut() -> None:
    assert refusal(lambda: arguments.text("t", 7)).message == "`t` is a text, not 7"
    long = refusal(lambda: arguments.flag("t", "x" * 70)).message
    assert long == f"`t` is True or False, not `{'x' * 59}…"
    assert refusal(lambda: arguments.flag("t", "x" * 58)).message.endswith(f"`{'x' * 58}`")
    near = refusal(lambda: arguments.one_of("t", "tow", ("tower", "keep")))
    assert (near.message, near.hint) == (
        "`t` is one of tower, keep, not `tow`",
        "did you mean `tower`?",
    )


# -- names of presets and files ------------------------------------------------------------------


def test_name_is_a_preset_and_a_path_is_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    preset = presets_folder.root() / "maps" / "duel.forge"
    assert resolve_map_path("duel") == preset
    for path in ("duel.forge", "a/duel", "a\\duel"):
        assert resolve_map_path(path) == Path(path)
    (tmp_path / "duel").mkdir()
    (tmp_path / "mine").mkdir()
    assert resolve_map_path("duel") == preset
    assert resolve_map_path("mine") == Path("mine")
    (tmp_path / "crypt").write_text("")
    assert resolve_map_path("crypt") == Path("crypt")


@pytest.mark.parametrize(
    ("read", "kind", "name"),
    [(resolve_map_path, "maps", "duel"), (resolve_ruleset, "rulesets", "falchion"),
     (resolve_printer, "printers", "a1-mini"), (presets.load_style, "styles", "stone"),
     (presets.load_process, "processes", "standard"), (presets.load_set, "sets", "")],
)  # fmt: skip
def test_unknown_name_is_refused_with_the_nearest_or_all(
    read: Callable[[str], Any], kind: str, name: str
) -> None:
    far = refusal(lambda: read("zzzzzzzz"))
    assert far.code == "FDF293"
    assert far.message == f"no preset called `zzzzzzzz` in {kind}"
    known = presets.map_names() if kind == "maps" else presets.names(kind)
    assert far.hint == f"known: {', '.join(known)}"
    if name:
        assert refusal(lambda: read(f"{name}x")).hint == f"did you mean `{name}`?"
        assert list(presets.names(kind)) == sorted(presets.names(kind))


def test_files_of_rules_and_printers_are_read_like_presets(tmp_path: Path) -> None:
    for kind, read, name in (
        ("rulesets", resolve_ruleset, "falchion"), ("printers", resolve_printer, "a1-mini"),
    ):  # fmt: skip
        own = tmp_path / "mine.toml"
        own.write_text(presets.path(kind, name).read_text("utf-8"), "utf-8")
        found, preset = read(str(own)), read(name)
        assert found.title == preset.title


def test_printer_without_slicer_settings_is_refused() -> None:
    printer = replace(presets.load_printer("a1-mini"), settings="", name="nowhere")
    issue = refusal(lambda: presets.slicer_files(printer))
    assert (issue.code, issue.message) == (
        "FDF471",
        "there are no slicer settings called `nowhere`",
    )


# -- defaults ------------------------------------------------------------------------------------


def test_printer_is_that_of_the_call_the_map_or_the_user() -> None:
    printers = [name for name in presets.names("printers") if name != "a1-mini"]
    forge = Forge(usual=lambda: (printers[0], "standard"))
    map_ = ff.loads(f"{TEXT}print {{\n  printer {printers[1]}\n  fit 0.2mm\n  seam 0.3mm\n}}\n")
    assert forge.printer().name == printers[0]
    assert forge.printer(MAP).name == printers[0]
    assert forge.printer(map_).name == printers[1]
    assert forge.printer(map_, "a1-mini").name == "a1-mini"
    own = forge.printer(map_)
    assert (own.fit_mm, own.seam_mm) == (0.2, 0.3)
    plain = resolve_printer(printers[0])
    assert (forge.printer(MAP).fit_mm, forge.printer(MAP).seam_mm) == (plain.fit_mm, plain.seam_mm)
    for process in presets.names("processes"):
        assert forge.printer(MAP, process=process).process.name == process
    assert forge.printer(MAP).process.name == "standard"


def test_map_without_a_title_is_called_after_its_file() -> None:
    assert MAP.title == "small"
    assert ff.loads(f'{TEXT}title "Small"\n', "x.forge").title == "Small"


def test_limits_are_those_of_the_catalogue_and_of_the_higher_feature() -> None:
    catalogue = presets.load_catalogue()
    limits = build_limits(catalogue, POSITION)
    assert (limits.max_span, limits.max_rise) == (catalogue.max_span, catalogue.max_rise)
    low, high = (
        build_limits(catalogue, ff.analysis(MAP, options={"tree-height": n, "spire-height": n}))
        for n in (1, 5)
    )
    assert (low.tree_height, low.spire_height) == (
        catalogue["tree"].levels,
        catalogue["spire"].levels,
    )
    assert (high.tree_height, high.spire_height) == (5, 5)


def test_raising_a_support_offers_to_take_the_bridge_along() -> None:
    text = f"{TEXT}stack B5, E5 height 2\nbridge B5 -> E5 level 2\n"
    text = text.replace("symmetry rotate 180 swap red blue\n", "") + "start blue at B10..I10\n"
    map_ = ff.loads(text)
    alone = gesture(FORGE, map_, "raise B5")
    assert isinstance(alone, EditRefused)
    assert {issue.hint for issue in alone.issues} == {
        "`raise B5 with bridges` takes the bridge along"
    }
    assert not isinstance(gesture(FORGE, map_, "raise B5", anyway=True), EditRefused)
    assert not isinstance(gesture(FORGE, map_, "raise G6"), EditRefused)


def test_legality_has_the_issues_of_the_text_of_names_and_of_the_board() -> None:
    map_ = ff.loads(f"{TEXT}spire at A5\nstak B5\nextras {{\n  towr 1\n}}\n", "small.forge")
    found = {issue.code for issue in FORGE.check_legality(map_)}
    assert found == {"FDF002", "FDF143"}
    assert FORGE.check_legality(MAP) == ()
    assert {issue.code for issue in FORGE.check(map_).every} >= {*found, "FDF400"}


@pytest.mark.parametrize(
    ("rules", "code"),
    [("rules fall-damag\n", "FDF293"), ("rules fall-damage { gap widely }\n", "FDF320"),
     ("units { runner like knight { move_inn 3 } }\n", "FDF369")],
)  # fmt: skip
def test_play_is_not_checked_under_rules_that_are_unknown(rules: str, code: str) -> None:
    """A wall and a loose bridge: only what holds under any rules is reported."""
    text = TEXT.replace("C5", "row 5") + "stack C7 height 1\nbridge C7 -> F7 level 1\n"
    found = ff.check(ff.loads(text + rules))
    assert {"FDF132", code} <= {issue.code for issue in found.every}
    wall = TEXT.replace("C5 height 1", "row 5 height 9")
    assert "FDF300" in {issue.code for issue in ff.check(ff.loads(wall)).every}
    legal = ff.check(ff.loads(wall + rules))
    assert code in {issue.code for issue in legal.every}
    assert not legal.judged and not {"FDF300", "FDF301"} & {issue.code for issue in legal.every}


def test_assembly_asks_for_stored_sizes_of_its_style_grid_and_magnets(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[tuple[object, ...]] = []

    def baked(*what: object) -> None:
        asked.append(what)
        raise KeyError

    monkeypatch.setattr(presets, "baked_sizes", baked)
    for options in (None, ff.BuildOptions(style=presets.load_style("rock"))):
        with pytest.raises(KeyError):
            FORGE.assemble(ff.check(MAP), options=options)
    assert asked == [("stone", GRID, ""), ("rock", GRID, "")]


def test_name_of_a_tile_in_issues_is_that_of_the_tile() -> None:
    for tile in (Tile(0, 0), Tile(9, 25), Tile(49, 26), Tile(4, 52)):
        assert tile_name(tile) == str(tile)


# -- lengths -------------------------------------------------------------------------------------


def test_levels_are_whole_layers() -> None:
    for rise in (12.7, 20.0, 25.4, 30.0, 30.1):
        nearest, above = round_to_layers_mm(rise), round_to_layers_mm(rise, up=True)
        assert abs(nearest - rise) <= LAYER_MM / 2 + 1e-6
        assert -1e-6 <= above - rise < LAYER_MM
        assert print_grid(rise_mm=rise) == PrintGrid(GRID.pitch_mm, nearest)
        for height in (nearest, above):
            assert (height / LAYER_MM) == pytest.approx(round(height / LAYER_MM))
    assert round_to_layers_mm(LAYER_MM * 7, up=True) == pytest.approx(LAYER_MM * 7)
    assert print_grid(40.0) == PrintGrid(40.0, 30.0)
    assert print_grid() == GRID


@pytest.mark.parametrize(("tile_mm", "index"), [(29.6, 1), (29.7, 0), (30.0, 0)])
def test_ties_of_small_tiles_keep_out_of_the_corner(tile_mm: float, index: int) -> None:
    assert PrintGrid(tile_mm).tie_tile == index


def test_size_that_cannot_be_printed_is_a_warning_and_stops_a_build() -> None:
    catalogue = presets.load_catalogue()
    for size, code in (("tile 20mm", "FDF437"), ("rise 12.7mm", "FDF438")):
        map_ = ff.loads(f"{TEXT}step at G5\nprint {{\n  {size}\n}}\n")
        found = check_printability(map_.layout, catalogue)
        assert {(issue.code, issue.severity) for issue in found} == {(code, "warning")}
        assert all(issue.hint and issue.span and issue.span.line == 9 for issue in found)
        assert not ff.check(map_).buildable
        assert refusal(lambda map_=map_: FORGE.catalogue(map_)).severity == "error"
    assert check_printability(MAP.layout, catalogue) == ()
    assert ff.check(MAP).buildable

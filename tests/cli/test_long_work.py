"""Commands that search, slice, watch or play for minutes, with the long work put aside."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import pytest

from falldamage_forge.cli import game_input, sliced_proof, tolerance_table
from falldamage_forge.cli.commands import check, export, pieces, playtest, prove, search
from falldamage_forge.issues import ForgeError, Issue, refuse
from falldamage_forge.playtest import playtest_page
from falldamage_forge.playtest.bot_kernels import batch_runner
from falldamage_forge.presets import load_printer
from falldamage_forge.printing.estimate_model import PrintStatistics
from falldamage_forge.search import adapter, archive_folder, diverse_subset, map_elites
from falldamage_forge.search.archive import Archive, Elite
from falldamage_forge.search.map_elites import SearchConfig
from tests.cli.running import small_map, typed

Made: Any = SimpleNamespace
TRAITS = {"verticality": 0.5, "openness": 0.3, "ways": 4.0, "cost": 60.0}
SETUP = Made(styles=("castle",), wish=Made(expects=(), chests=4), owned=None, origin="", games=0)


def elite(quality: float, ways: float = 4.0) -> Elite:
    return Elite(quality, {**TRAITS, "ways": ways}, "castle", None, f"forge 1\n# {quality}\n")


def archive(*elites: Elite, evaluations: int = 0) -> Archive:
    made = Archive(evaluations=evaluations)
    for each in elites:
        made.add(each)
    return made


# -- search --------------------------------------------------------------------------------------


def searched(
    folder: Path, monkeypatch: pytest.MonkeyPatch, *after: Archive, error: Exception | None = None
) -> list[tuple[object, ...]]:
    """Run a search whose batches give these archives; returns its progress."""
    shown: list[tuple[object, ...]] = []

    def run_search(begun: Archive, *given: object) -> Iterator[Archive]:
        assert given[:3] == (setup, executor, plan)
        for one in after:
            one.about = begun.about
            yield one
        if error is not None:
            raise error

    executor: Any = object()
    plan = SearchConfig(7, 64, evaluations=100)
    style = adapter.style("castle")
    setup: Any = Made(**{**vars(SETUP), "styles": (style,)})
    monkeypatch.setattr(map_elites, "run_search", run_search)
    monkeypatch.setattr(search, "show_progress", lambda *words: shown.append(words))
    search._run(folder, setup, executor, plan)
    return shown


def test_search_keeps_its_archive_and_prints_its_standing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "my search"
    first = archive(evaluations=64)
    last = archive(elite(-0.5), elite(-1.5, ways=9.0), evaluations=128)
    last.refused = {"too flat": 3, "no way": 5, "a": 1, "b": 1, "c": 1, "d": 1}
    shown = searched(folder, monkeypatch, first, last)
    standing = capsys.readouterr().out.splitlines()
    share = f"{last.coverage(1):.1%}"
    assert standing == [
        f"128 maps looked at, 2 kept ({share} of the cells), best -0.50, mean -1.00",
        "  refused 5: no way", "  refused 3: too flat",
        "  refused 1: a", "  refused 1: b", "  refused 1: c",
        f"{folder}: 2 maps; try `fdforge search show --archive '{folder}'`",
    ]  # fmt: skip
    assert [words[1:] for words in shown] == [(0, 128), (64, 128), (128, 128), ()]
    told = str(shown[1][0])
    assert told.startswith("64 maps looked at, none kept, ") and told.endswith(" maps/s")
    kept = archive_folder.load(folder)
    assert (kept.evaluations, kept.elites) == (128, last.elites)
    again = Made(**{**vars(SETUP), "styles": (adapter.style("arena"),)})
    with pytest.raises(ForgeError, match="was searched with other styles"):
        search._run(folder, again, Made(), SearchConfig(7, 64, evaluations=100))


@pytest.mark.parametrize(("evaluations", "games"), [(20, 160), (None, 8_000)])
def test_search_by_play_compiles_the_engine_for_all_its_games(
    evaluations: int | None, games: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[object, ...]] = []
    monkeypatch.setattr(playtest, "load_engine", lambda *given: asked.append(given))
    search._load_players(Made(games=8, game=adapter.game()), evaluations)
    assert asked == [("auto", True, games)]


def test_search_that_fails_keeps_what_it_found_and_leaves_no_empty_archive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    no = refuse("FDF504", "no worker answers")
    with pytest.raises(ForgeError, match="no worker answers"):
        searched(tmp_path / "none", monkeypatch, error=no)
    assert not (tmp_path / "none").exists()
    with pytest.raises(ForgeError, match="no worker answers"):
        searched(tmp_path / "some", monkeypatch, archive(elite(-1.0), evaluations=64), error=no)
    assert archive_folder.load(tmp_path / "some").evaluations == 64


def test_picks_are_numbered_files_of_the_maps_that_differ(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    full = archive(elite(-1.0), elite(-2.0, ways=9.0), elite(-0.5, ways=1.0))
    ranked = full.ranked()
    chosen = [index for index, each in enumerate(ranked) if each.quality != -0.5]
    monkeypatch.setattr(adapter, "board_of", lambda text: text)
    monkeypatch.setattr(diverse_subset, "smallest_distance", lambda boards: len("".join(boards)))

    def pick(elites: object, boards: object, count: int) -> list[int]:
        assert (elites, boards) == (ranked, [each.text for each in ranked])
        return chosen[:count]

    monkeypatch.setattr(diverse_subset, "pick_diverse", pick)
    paths = search._pick(full, 2, tmp_path)
    assert paths == [tmp_path / "01-castle.forge", tmp_path / "02-castle.forge"]
    assert [path.read_text() for path in paths] == [ranked[index].text for index in chosen]
    best = sorted((each.quality for each in ranked), reverse=True)[:2]
    here = sum(len(ranked[index].text) for index in chosen)
    there = sum(len(each.text) for each in ranked if each.quality in best)
    *lines, last = capsys.readouterr().out.splitlines()
    assert lines == [
        f"{path}: {search._told(ranked[index])}" for path, index in zip(paths, chosen, strict=True)
    ]
    assert last == f"the two most alike are {here:.2f} apart; of the best ones {there:.2f}"
    search._pick(full, 1, tmp_path)
    assert len(capsys.readouterr().out.splitlines()) == 1, "one map is like no other"


def test_own_map_that_cannot_be_varied_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "m.forge"
    rows = "start red at B1..I1\nstart blue at B10..I10\n"
    path.write_text(f"forge 1\n{rows}")
    text, game = search._own_map(str(path))
    assert (text, game.name) == (path.read_text(), "fall-damage")
    for more, code in (("rules gatefall\n", "FDF504"), ("bridge C5 -> E5 level 3\n", "FDF1")):
        path.write_text(f"forge 1\n{rows}{more}")
        with pytest.raises(ForgeError) as refused:
            search._own_map(str(path))
        assert all(issue.severity == "error" for issue in refused.value.issues)
        assert refused.value.issues[0].code.startswith(code)
    digests = {search._digest("a", None, 8), search._digest("a", {"tree": 1}, 8),
               search._digest("b", None, 8)}  # fmt: skip
    assert len(digests) == 3
    assert search._digest({"a": 1, "b": 2}) == search._digest({"b": 2, "a": 1})


# -- playtests -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("engine", "games", "numba", "compiled", "fast"),
    [("plain", 1000, True, True, False), ("fast", 1, True, False, True),
     ("auto", 125, True, False, True), ("auto", 124, True, False, False),
     ("auto", 125, False, False, False), ("auto", 1, False, True, True)],
)  # fmt: skip
def test_engine_is_compiled_only_where_that_saves_time(
    engine: str,
    games: int,
    numba: bool,
    compiled: bool,
    fast: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two bots on four maps: 125 games each are a thousand."""
    loaded: list[bool] = []
    ahead: list[bool] = []

    def load_kernels(usual: bool, progress: Any) -> None:
        progress(1, 2)
        loaded.append(usual)

    shown: list[tuple[object, ...]] = []
    monkeypatch.setattr(playtest, "show_progress", lambda *words: shown.append(words))
    monkeypatch.setattr(playtest, "find_spec", lambda name: (numba and name == "numba") or None)
    monkeypatch.setattr(batch_runner, "is_usual", lambda rules, readings: rules == "usual")
    monkeypatch.setattr(batch_runner, "is_compiled", lambda usual: compiled and usual)
    monkeypatch.setattr(batch_runner, "load_kernels", load_kernels)
    monkeypatch.setattr(playtest, "compile_ahead", lambda: ahead.append(True))
    order: Any = Made(
        rules={"a": "usual"}, readings={}, games=games, bots=("greedy", "careful"), boards="abcd"
    )
    assert playtest.is_fast(engine, order) is fast
    assert loaded == [True] * fast and shown == [("compiling", 1, 2)] * fast
    assert ahead == [True] * (engine == "auto" and not fast)
    other: Any = Made(**{**vars(order), "rules": {"a": "usual", "b": "own"}})
    assert playtest.is_fast("fast", other) and loaded[-1] is False


def test_page_of_a_playtest_links_its_replays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playtest_page, "replay_page", lambda record, kit, _: f"{record} {kit}")
    monkeypatch.setattr(playtest_page, "page", lambda results, links: f"{results} {links}")
    result = {"map": "duel"}
    order: Any = Made(content="kit", boards={"duel": "board"})
    outcome: Any = Made(result=result, replays={"a game of greedy bots": "moves"})
    playtest._write(tmp_path / "out.html", order, [outcome])
    assert (tmp_path / "out-duel-greedy.html").read_text() == "moves kit"
    links = {"duel: a game of greedy bots": "out-duel-greedy.html"}
    assert (tmp_path / "out.html").read_text() == f"{[('board', result)]} {links}"


def test_progress_of_a_playtest_counts_its_series(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[tuple[object, ...]] = []
    monkeypatch.setattr(game_input, "show_progress", lambda *words: shown.append(words))
    runner: Any = iter
    work: Any = ["a", "b"]
    assert list(game_input.with_progress(runner)(work)) == work
    assert shown == [("playing", done, 2) for done in (0, 1, 2)]


# -- proofs and slices ---------------------------------------------------------------------------


def test_tolerances_are_a_table_or_json(capsys: pytest.CaptureFixture[str]) -> None:
    printer = load_printer("a1-mini")
    rows: Any = [
        Made(spread_mm=0.05, share=1.0, uneven=0.0, failures={}, first=""),
        Made(
            spread_mm=0.1,
            share=0.98765,
            uneven=0.04123,
            failures={"a tie sticks": 0.012345},
            first="a tie",
        ),
    ]
    tolerance_table.echo_tolerances({"duel": rows}, printer, None, False)
    assert capsys.readouterr().out.splitlines() == [
        f"duel, {printer.title}: fit {printer.fit_mm:g}, click {printer.click_mm:g} mm",
        "spread    go together and hold  bridges a layer off  fails first",
        f"±0.05 mm  {'100.0%':>20}  {'0.0%':>19}  nothing",
        f"±0.10 mm  {'98.8%':>20}  {'4.1%':>19}  a tie",
    ]
    tolerance_table.echo_tolerances({"duel": rows}, printer, None, True)
    first = {"spread_mm": 0.05, "share": 1.0, "uneven": 0.0, "failures": {}}
    failures = {"a tie sticks": 0.0123}
    second = {"spread_mm": 0.1, "share": 0.9877, "uneven": 0.0412, "failures": failures}
    assert json.loads(capsys.readouterr().out) == {
        "printer": "a1-mini", "tolerance": {"duel": [first, second]},
    }  # fmt: skip


def test_maps_and_pieces_of_a_proof_have_one_size() -> None:
    catalogue: Any = Made(
        grid=1, magnets="", on=lambda grid: Made(holding=lambda size: (grid, size))
    )
    placed: Any = [Made(piece=Made(grid=2, magnets="6x2"))]
    assert prove._of_one_size(catalogue, placed, False) == (2, "6x2")
    for grid, magnets in ((1, "6x2"), (2, "")):
        catalogue.grid, catalogue.magnets = grid, magnets
        with pytest.raises(click.UsageError, match="name pieces and maps of one size"):
            prove._of_one_size(catalogue, placed, True)
    catalogue.grid, catalogue.magnets = 2, "6x2"
    assert prove._of_one_size(catalogue, placed, True) == (2, "6x2")


def sliced(faults: int) -> Any:
    areas, widths = {"lost": 1.0, "added": 2.0, "void": 3.0}, {"bridge": 4.0}
    return Made(
        name="block", layers=9, area_mm2=areas.__getitem__, offset_mm=0.5, solid_share=0.975,
        widest_mm=widths.__getitem__, issues=lambda: iter(range(faults)),
        foot=Made(contact_mm2=120.4, modulus_mm3=7.0, share_of=lambda tallest: tallest),
    )  # fmt: skip


def test_sliced_parts_and_joints_are_rows_of_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    report = [Made(joint=Made(name="a on b"), issues=lambda n=n: iter(range(n))) for n in (0, 1)]
    fit = Made(play_mm=(0.1, None, 0.25, 1.0), catch_mm=0.3, click_mm=0.125)
    joints = [(each, fit) for each in report]
    tallest: Any = 0.4
    sliced_proof.echo_sliced(Made(parts=[sliced(0), sliced(1)], joints=joints), tallest)
    row = "block           9   1.0    2.0    3.0  +0.500     4.0   120        7    40%  97.5%"
    joint = "a on b       0.10  free  0.25  1.00   0.30  0.125"
    head = "layers  lost  added  voids  offset  bridge  foot  least W   tear   laid  verdict"
    assert capsys.readouterr().out.splitlines() == [
        "", f"as sliced  {head}",
        f"{row}  as drawn", f"{row}  FAULTY",
        "", "as sliced  play n    e     s     w   catch  click  verdict",
        f"{joint}  fits and holds", f"{joint}  FAULTY",
    ]  # fmt: skip
    sliced_proof.echo_sliced(Made(parts=[], joints=[]), tallest)
    assert capsys.readouterr().out.splitlines() == ["", f"as sliced  {head}"]


def test_issues_of_sliced_joints_say_so() -> None:
    part: Any = Made(issues=lambda: iter([Issue("FDF476", "error", "thin")]))
    joint: Any = Made(issues=lambda: iter([Issue("FDF430", "error", "clash")]))
    found = sliced_proof.SlicedProof([part], [(joint, Made())]).issues()
    assert [(each.code, each.severity, each.message) for each in found] == [
        ("FDF476", "error", "thin"), ("FDF430", "error", "as sliced, clash"),
    ]  # fmt: skip


def test_features_of_all_plates_are_added_up(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plates = {"one": {"wall": PrintStatistics(10.004, 60.04), "skirt": PrintStatistics(1.0, 1.0)},
              "two": {"wall": PrintStatistics(5.0, 30.0)}}  # fmt: skip
    build: Any = Made(options=Made(price=None))

    def gcodes(given: object) -> Iterator[str]:
        assert given is build
        return iter(plates)

    monkeypatch.setattr(pieces, "gcodes", gcodes)
    monkeypatch.setattr("falldamage_forge.printing.prusaslicer.read_features", plates.get)
    pieces._echo_features(build, "json")
    assert json.loads(capsys.readouterr().out) == [
        {"feature": "wall", "grams": 15.0, "minutes": 90.0},
        {"feature": "skirt", "grams": 1.0, "minutes": 1.0},
    ]
    pieces._echo_features(build, "table")
    rows = capsys.readouterr().out.splitlines()
    assert [row.split()[0] for row in rows[:-1]] == ["feature", "wall", "skirt", "total"]
    assert rows[-1] == "filament and time: PrusaSlicer"
    for form in ("csv", "markdown"):
        with pytest.raises(click.UsageError, match="comes as a table or as json"):
            pieces._echo_features(build, form)


def test_part_is_sliced_once_with_its_own_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    from falldamage_forge import presets
    from falldamage_forge.export import threemf
    from falldamage_forge.printing import layer_ranges, prusaslicer, slicer_settings

    printer = replace(load_printer("a1-mini"), bed_mm=(1.0, 2.0))
    calls: list[tuple[object, ...]] = []

    def slice_file(*given: object) -> str:
        calls.append(given)
        return "gcode"

    part: Any = Made(from_gcode=lambda *given: given)
    monkeypatch.setattr(prusaslicer, "find_slicer", lambda why: calls.append((why,)))
    monkeypatch.setattr(prusaslicer, "slice_file", slice_file)
    built: list[tuple[object, ...]] = []
    mesh = Made(bounds_mm=lambda: ((0, 0, 1), (1, 1, 4)))
    monkeypatch.setattr(sliced_proof, "build", lambda *given: built.append(given) or mesh)
    monkeypatch.setattr(sliced_proof, "SlicedPart", part)
    monkeypatch.setattr(threemf, "write_part", lambda *given: given)
    monkeypatch.setattr(layer_ranges, "layer_ranges", lambda *given: given)
    monkeypatch.setattr(presets, "slicer_files", lambda printer, group: ("files", printer, group))
    monkeypatch.setattr(presets, "slicer_settings", lambda printer, group: (printer, group))
    monkeypatch.setattr(slicer_settings, "told_settings", lambda gcode: f"told {gcode}")
    monkeypatch.setattr(slicer_settings, "differing_settings", lambda *given: iter(given))
    style: Any = "style"
    slicer = sliced_proof.PartSlicer(printer, style, ("--scale",))
    piece: Any = Made(key="tree", group="wood")
    found, other = slicer.sliced(piece)
    meant, ranges = (printer, "wood"), (piece, 3, printer.process)
    assert found == (mesh, "gcode", meant, (1.0, 2.0), ranges)  # type: ignore[comparison-overlap]
    assert built == [(piece, printer, style)]
    assert list(other) == [meant, "told gcode"]
    assert slicer.sliced(piece)[0] is found
    files = ("files", printer, "wood")
    part_file = ("tree", mesh, ranges)
    assert calls == [("--sliced",), (part_file, ".3mf", files, printer, ("--scale",))]


# -- other programs ------------------------------------------------------------------------------


def test_phones_are_warned_of_scenes_that_are_too_large(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from falldamage_forge.render.scenes import obj, usdz

    most = usdz.MOST_TRIANGLES
    monkeypatch.setattr(usdz, "write_usdz", lambda scene: scene)
    for triangles, warned in ((most, 0), (most + 1, 1)):
        scene = Made(triangles=triangles)

        def draw(*given: object, scene: Any = scene) -> Any:
            assert given == ("parts", most)
            return scene

        source: Any = Made(parts=lambda: "parts", scene=draw)
        assert export._usdz(source) == {".usdz": scene}
        told = f"warning: {triangles} triangles; phones show at most {most}\n"
        assert capsys.readouterr().err == told * warned
    monkeypatch.setattr(obj, "write_obj", lambda scene, name: f"{scene} {name}")
    monkeypatch.setattr(obj, "write_mtl", lambda scene: f"mtl {scene}")
    painted: Any = Made(parts=lambda: "parts", scene=lambda parts: f"of {parts}", stem="x")
    assert export._obj(painted) == {".obj": b"of parts x.mtl", ".mtl": b"mtl of parts"}


def test_watch_checks_again_after_changes_of_sources_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched: list[object] = []
    here, other = small_map(tmp_path / "m.forge"), str(tmp_path / "notes.txt")

    def watch(*folders: Path, raise_interrupt: bool) -> Iterator[set[tuple[int, str]]]:
        watched.append((folders, raise_interrupt))
        yield {(1, other)}
        yield {(1, other), (2, str(here))}

    monkeypatch.setitem(sys.modules, "watchfiles", Made(watch=watch))
    run = typed("check", here, "--watch")
    once = typed("check", here).stdout
    assert run.stdout == f"{once}\n{once}"
    assert watched == [((tmp_path.resolve(),), False)]
    twice = typed("check", here, here, "--watch", "--format", "json", "--rules", "gatefall")
    assert len(watched) == 2 and twice.stdout.count("\n\n") == 1
    calls: list[str] = []
    check._watch((str(here),), lambda: calls.append("checked"))
    assert calls == ["checked", "checked"]

"""Searching: one archive whoever judges, whatever dies; picks that differ; variants; pictures."""

import json
import os
import signal
from collections import Counter
from copy import deepcopy
from dataclasses import asdict
from functools import cache
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falldamage_forge import presets
from falldamage_forge.issues import ForgeError
from falldamage_forge.search import adapter
from falldamage_forge.search.archive import (
    AXES,
    Archive,
    Elite,
    archive_cell,
    index_text,
    read_index,
    read_sketch,
)
from falldamage_forge.search.constructive import MapRequirements
from falldamage_forge.search.diverse_subset import (
    distance,
    feature_planes,
    pick_diverse,
    smallest_distance,
)
from falldamage_forge.search.genome import decode_genome
from falldamage_forge.search.map_generator import stock_budget
from tests.amount import EXHAUSTIVE
from tests.cli.running import typed
from tests.search.drafts import ELITES, starter

pytest.importorskip("numba")
from falldamage_forge.search.evaluate import EvaluationSetup
from falldamage_forge.search.map_elites import (
    Executor,
    SearchConfig,
    merge_results,
    plan_batch,
    run_search,
    split_chunks,
)

PLAN = SearchConfig(3, 16, 5, minutes=60)


@cache
def setup() -> EvaluationSetup:
    styles = adapter.style("castle"), adapter.style("arena")
    return EvaluationSetup(styles, MapRequirements(), starter(), adapter.game(), "test")


@cache
def archives() -> list[Archive]:
    """The archive after each of four batches of one process."""
    executor = Executor(setup())
    found = run_search(Archive({"seed": 3}), setup(), executor, PLAN)
    return [deepcopy(archive) for archive in islice(found, 4)]


def searched(batches: int) -> Archive:
    """The archive after so many batches of one process."""
    return archives()[batches - 1]


def killing(executor: Executor, kill: object, batches: int = 3) -> Archive:
    """The archive after so many batches, of which the second loses a worker."""
    archive = Archive({"seed": 3})
    try:
        for number in range(batches):
            answers = executor.evaluate(
                split_chunks(plan_batch(archive, setup(), 3, 16), 5, archive)
            )
            if number == 1:
                kill()  # type: ignore[operator]
            archive = merge_results(archive, reversed(list(answers)), 16)
    finally:
        executor.close()
    return archive


def test_every_elite_is_proved_and_buildable() -> None:
    archive = searched(3)
    assert len(archive.elites) > 8
    budget = stock_budget(starter(), MapRequirements())
    for elite in archive.ranked()[::4]:
        assert adapter.check(elite.text).issues == ()
        assert adapter.missing_parts(elite.text, starter()) == {}
        assert elite.sketch is not None
        again = decode_genome(elite.sketch, adapter.style(elite.style), budget)
        assert again.canvas.board() == adapter.board_of(elite.text)


@given(ELITES, st.integers(0, 99))
def test_parents_are_of_the_style_and_some_candidates_have_none(
    elites: list[Elite], seed: int
) -> None:
    archive = Archive()
    for elite in elites:
        archive.add(elite)
    castles = EvaluationSetup((adapter.style("castle"),), MapRequirements(), None, adapter.game())
    children = plan_batch(archive, castles, seed, 99)
    parents = [elite.sketch for elite in archive.ranked() if elite.style == "castle"]
    drawn = [child.parent for child in children if child.parent is not None]
    assert all(genome in parents for genome in drawn)
    assert 0 < len(drawn) < 99 if parents else not drawn
    assert len({child.seed for child in children}) == 99


def test_result_does_not_depend_on_chunk_size() -> None:
    plan = SearchConfig(3, 16, 7, minutes=60)
    told: list[int] = []
    other = next(run_search(Archive({"seed": 3}), setup(), Executor(setup()), plan, told.append))
    assert told == [7, 14, 16]
    assert index_text(other) == index_text(searched(1))


def test_result_does_not_depend_on_killed_workers() -> None:
    executor = Executor(setup(), 2)

    def kill() -> None:
        executor.pool.helpers[0].close()

    assert index_text(killing(executor, kill)) == index_text(searched(3))


@pytest.mark.skipif(not EXHAUSTIVE, reason="starts a cluster of three processes")
def test_a_cluster_gives_the_same_archive_though_a_worker_dies() -> None:
    distributed = pytest.importorskip("distributed")
    from falldamage_forge.search.map_elites import DaskExecutor

    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as local:
        executor = DaskExecutor(setup(), local.scheduler_address)
        assert executor.size == 2

        def kill() -> None:
            os.kill(next(iter(local.workers.values())).process.pid, signal.SIGKILL)

        assert index_text(killing(executor, kill)) == index_text(searched(3))


def test_unreachable_cluster_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    from falldamage_forge.infra import dask_cluster
    from falldamage_forge.search import map_elites

    monkeypatch.setattr(dask_cluster, "CONNECT_S", 0.2)
    with pytest.raises(ForgeError) as caught:
        map_elites.DaskExecutor(setup(), "tcp://127.0.0.1:9")
    assert caught.value.issues[0].code == "FDF505"


# -- the archive ---------------------------------------------------------------------------------


@given(ELITES, ELITES)
def test_merging_keeps_the_best_of_each_cell_whatever_comes_first(
    some: list[Elite], more: list[Elite]
) -> None:
    one, other, both = Archive(), Archive(), Archive()
    for each in some:
        one.add(each)
    for each in more:
        other.add(each)
    for each in (*some, *more):
        both.add(each)
    one.merge(other)
    best = {cell: each.quality for cell, each in both.elites.items()}
    assert {cell: each.quality for cell, each in one.elites.items()} == best
    assert all(cell == each.cell for cell, each in one.elites.items())


@given(ELITES)
def test_index_round_trips_through_its_file(some: list[Elite]) -> None:
    archive = Archive({"seed": 1}, batches=2, evaluations=9, refused={"late": 1})
    for each in some:
        archive.add(each)
    archive.note()
    texts = {each.name: each.text for each in archive.ranked()}
    if archive.elites:
        assert read_index(index_text(archive), texts, "index") == archive


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"version": 1}', '{"version": 2}', "[" * 100_000]
)
def test_invalid_index_is_refused(text: str) -> None:
    with pytest.raises(ForgeError) as caught:
        read_index(text, {}, "index.json")
    assert caught.value.issues[0].code == "FDF504"


def test_sketch_round_trips_through_text() -> None:
    sketch = searched(1).ranked()[0].sketch
    assert sketch is not None
    assert read_sketch(json.loads(json.dumps(asdict(sketch)))) == sketch


def test_quality_of_elites_neither_ties_nor_reaches_its_top() -> None:
    found = sorted(elite.quality for elite in searched(3).ranked())
    assert found[-1] < 0 and len(set(found)) == len(found)


def test_cells_are_intervals() -> None:
    low = dict.fromkeys(AXES, -1.0)
    assert archive_cell("castle", low) == ("castle", 0, 0, 0, 0)
    edges = {axis: each[0] for axis, each in AXES.items()}
    assert archive_cell("castle", edges) == ("castle", 1, 1, 1, 1)


# -- picks ---------------------------------------------------------------------------------------


def test_distance_of_a_board_to_its_images_is_zero() -> None:
    from falldamage_forge.board.symmetry import transform_board

    boards = [adapter.board_of(presets.path("maps", n).read_text()) for n in ("duel", "canyon")]
    for board in boards:
        for way in ("rotate-180", "mirror-x", "mirror-y"):
            assert distance(
                feature_planes(board), feature_planes(transform_board(board, way))
            ) == pytest.approx(0)
    assert distance(*map(feature_planes, boards)) > 0.3


def test_picks_are_of_every_style_and_differ_more_than_the_best() -> None:
    elites = searched(4).ranked()
    boards = [adapter.board_of(each.text) for each in elites]
    best = sorted(range(len(elites)), key=lambda n: -elites[n].quality)
    for count in (1, 4, 7):
        chosen = pick_diverse(elites, boards, count)
        assert len(set(chosen)) == count
        styles = Counter(elites[n].style for n in chosen)
        assert len(styles) == min(count, 2)
        if count > 1:
            assert smallest_distance([boards[n] for n in chosen]) >= smallest_distance(
                [boards[n] for n in best[:count]]
            )
    assert pick_diverse([], [], 3) == []
    assert sorted(pick_diverse(elites[:3], boards[:3], 9)) == [0, 1, 2]


# -- variants of one's own map, and games by bots -------------------------------------------------


def test_variants_are_the_authors_text_with_a_few_lines_changed() -> None:
    text = presets.path("maps", "canyon").read_text(encoding="utf-8")
    setup = EvaluationSetup((), MapRequirements(), None, adapter.game(), "own", text)
    archive = next(run_search(Archive(), setup, Executor(setup), SearchConfig(1, 10, minutes=60)))
    assert archive.elites
    said = set(text.splitlines())
    for elite in archive.ranked():
        assert elite.style == "own"
        assert adapter.check(elite.text).ok
        lines = elite.text.splitlines()
        assert len(said & set(lines)) >= 0.6 * len(said)
        assert elite.text != text
    texts = {each.name: each.text for each in archive.ranked()}
    assert read_index(index_text(archive), texts, "index") == archive


def test_bot_games_lower_the_quality_of_dull_maps() -> None:
    elite = max(searched(3).ranked(), key=lambda each: each.quality)
    from falldamage_forge.search.evaluate import liveliness

    board, rules = adapter.board_of(elite.text), adapter.game().options
    lively = liveliness(board, rules, 4)
    assert -5 <= lively < 0
    assert liveliness(board, rules, 4) == lively


# -- the command ---------------------------------------------------------------------------------

SEARCH = ("search", "--style", "arena", "--seed", 5, "--batch", 6)


def test_search_is_continued_shown_picked_and_merged(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    first = typed(*SEARCH, "--archive", one, "--evaluations", 6)
    assert first.returncode == 0, first.stderr
    again = typed(*SEARCH, "--archive", one, "--evaluations", 6)
    assert "12 maps looked at" in again.stdout
    whole = typed(*SEARCH, "--archive", other, "--evaluations", 12)
    assert whole.returncode == 0
    assert (one / "index.json").read_bytes() == (other / "index.json").read_bytes()
    differs = typed("search", "--archive", one, "--seed", 6, "--evaluations", 6)
    assert differs.returncode == 1
    assert "FDF504" in differs.stderr

    pictures = [tmp_path / name for name in ("sheet.png", "heat.svg", "gallery.html")]
    words = ("--sheet", pictures[0], "--heat", pictures[1], "--gallery", pictures[2])
    shown = typed("search", "show", "--archive", one, "--most", 2, *words)
    assert shown.returncode == 0, shown.stderr
    assert all(path.stat().st_size > 1000 for path in pictures)
    page = pictures[2].read_text(encoding="utf-8")
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")

    picked = typed("search", "--archive", one, "--k", 2, "-o", tmp_path / "picks")
    assert picked.returncode == 0, picked.stderr
    maps = sorted((tmp_path / "picks").glob("*.forge"))
    assert len(maps) == 2
    assert "playable (0 errors, 0 warnings)" in typed("check", maps[0]).stdout
    merged = typed("search", "merge", other, "--archive", tmp_path / "both")
    assert merged.returncode == 0, merged.stderr

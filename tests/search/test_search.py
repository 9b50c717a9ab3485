"""Searching: one archive whoever judges, whatever dies; picks that differ; variants; pictures."""

import json
import os
import signal
from collections import Counter
from dataclasses import asdict
from functools import cache
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given

from falldamage_forge import presets
from falldamage_forge.issues import ForgeError
from falldamage_forge.playtest import cluster
from falldamage_forge.search import door
from falldamage_forge.search.archive import (
    AXES,
    Archive,
    Elite,
    cell_of,
    index_text,
    read_index,
    read_sketch,
)
from falldamage_forge.search.generate import stock_budget
from falldamage_forge.search.grow import Wish
from falldamage_forge.search.pick import apart, distance, pick, planes
from falldamage_forge.search.sketch import redraw
from tests.amount import EXHAUSTIVE
from tests.cli.running import typed
from tests.search.drafts import ELITES, starter

pytest.importorskip("numba")
from falldamage_forge.search.crew import Alone, Crew, Processes
from falldamage_forge.search.evolve import Plan, folded, plan_batch, search, split
from falldamage_forge.search.judge import Setup

PLAN = Plan(3, 16, 5, minutes=60)


@cache
def setup() -> Setup:
    styles = door.style("castle"), door.style("arena")
    return Setup(styles, Wish(), starter(), door.game(), "test")


@cache
def searched(batches: int) -> Archive:
    """The archive after so many batches of one process."""
    crew = Alone(setup())
    return next(islice(search(Archive({"seed": 3}), setup(), crew, PLAN), batches - 1, None))


def killing(crew: Crew, kill: object, batches: int = 3) -> Archive:
    """The archive after so many batches, of which the second loses a worker."""
    archive = Archive({"seed": 3})
    try:
        for number in range(batches):
            answers = crew.judge(split(plan_batch(archive, setup(), 3, 16), 5, archive))
            if number == 1:
                kill()  # type: ignore[operator]
            archive = folded(archive, reversed(list(answers)), 16)
    finally:
        crew.close()
    return archive


def test_every_elite_is_proved_and_buildable() -> None:
    archive = searched(3)
    assert len(archive.elites) > 8
    budget = stock_budget(starter(), Wish())
    for elite in archive.ranked()[::4]:
        assert door.check(elite.text).issues == ()
        assert door.missing(elite.text, starter()) == {}
        assert elite.sketch is not None
        again = redraw(elite.sketch, door.style(elite.style), budget)
        assert again.canvas.board() == door.board_of(elite.text)


def test_chunks_of_another_size_change_nothing() -> None:
    plan = Plan(3, 16, 16, minutes=60)
    other = next(search(Archive({"seed": 3}), setup(), Alone(setup()), plan))
    assert index_text(other) == index_text(searched(1))


def test_a_process_that_is_killed_changes_nothing() -> None:
    crew = Processes(setup(), 2)

    def kill() -> None:
        os.kill(next(iter(crew.pool._processes or {1: None})), signal.SIGKILL)

    assert index_text(killing(crew, kill)) == index_text(searched(3))


@pytest.mark.skipif(not EXHAUSTIVE, reason="starts a cluster of three processes")
def test_a_cluster_gives_the_same_archive_though_a_worker_dies() -> None:
    distributed = pytest.importorskip("distributed")
    from falldamage_forge.search.crew import Cluster

    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as local:
        crew = Cluster(setup(), local.scheduler_address)
        assert crew.size == 2

        def kill() -> None:
            os.kill(next(iter(local.workers.values())).process.pid, signal.SIGKILL)

        assert index_text(killing(crew, kill)) == index_text(searched(3))


def test_an_address_where_nobody_answers_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    from falldamage_forge.search import crew

    monkeypatch.setattr(cluster, "CONNECT_S", 0.2)
    with pytest.raises(ForgeError) as caught:
        crew.Cluster(setup(), "tcp://127.0.0.1:9")
    assert caught.value.issues[0].code == "FDF505"


# -- the archive ---------------------------------------------------------------------------------


@given(ELITES, ELITES)
def test_merging_keeps_the_best_of_each_cell_whatever_comes_first(
    some: list[Elite], more: list[Elite]
) -> None:
    one, other, both = Archive(), Archive(), Archive()
    for each in some:
        one.offer(each)
    for each in more:
        other.offer(each)
    for each in (*some, *more):
        both.offer(each)
    one.merge(other)
    best = {cell: each.quality for cell, each in both.elites.items()}
    assert {cell: each.quality for cell, each in one.elites.items()} == best
    assert all(cell == each.cell for cell, each in one.elites.items())


@given(ELITES)
def test_an_index_is_read_as_it_was_written(some: list[Elite]) -> None:
    archive = Archive({"seed": 1}, batches=2, evaluations=9, refused={"late": 1})
    for each in some:
        archive.offer(each)
    archive.note()
    texts = {each.name: each.text for each in archive.ranked()}
    if archive.elites:
        assert read_index(index_text(archive), texts, "index") == archive


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"version": 2}', "[" * 100_000])
def test_a_faulty_index_is_told(text: str) -> None:
    with pytest.raises(ForgeError) as caught:
        read_index(text, {}, "index.json")
    assert caught.value.issues[0].code == "FDF504"


def test_a_sketch_is_read_as_it_was_written() -> None:
    sketch = searched(1).ranked()[0].sketch
    assert sketch is not None
    assert read_sketch(json.loads(json.dumps(asdict(sketch)))) == sketch


def test_cells_are_intervals() -> None:
    low = dict.fromkeys(AXES, -1.0)
    assert cell_of("castle", low) == ("castle", 0, 0, 0, 0)
    edges = {axis: each[0] for axis, each in AXES.items()}
    assert cell_of("castle", edges) == ("castle", 1, 1, 1, 1)


# -- picks ---------------------------------------------------------------------------------------


def test_a_board_is_no_distance_from_its_images() -> None:
    from falldamage_forge.board.symmetry import image

    boards = [door.board_of(presets.path("maps", n).read_text()) for n in ("duel", "canyon")]
    for board in boards:
        for way in ("rotate-180", "mirror-x", "mirror-y"):
            assert distance(planes(board), planes(image(board, way))) == pytest.approx(0)
    assert distance(*map(planes, boards)) > 0.3


def test_picks_are_of_every_style_and_differ_more_than_the_best() -> None:
    elites = searched(4).ranked()
    boards = [door.board_of(each.text) for each in elites]
    best = sorted(range(len(elites)), key=lambda n: -elites[n].quality)
    for count in (1, 4, 7):
        chosen = pick(elites, boards, count)
        assert len(set(chosen)) == count
        styles = Counter(elites[n].style for n in chosen)
        assert len(styles) == min(count, 2)
        if count > 1:
            assert apart([boards[n] for n in chosen]) >= apart([boards[n] for n in best[:count]])
    assert pick([], [], 3) == []
    assert sorted(pick(elites[:3], boards[:3], 9)) == [0, 1, 2]


# -- variants of one's own map, and games by bots -------------------------------------------------


def test_variants_are_the_authors_text_with_a_few_lines_changed() -> None:
    text = presets.path("maps", "canyon").read_text(encoding="utf-8")
    setup = Setup((), Wish(), None, door.game(), "own", text)
    archive = next(search(Archive(), setup, Alone(setup), Plan(1, 10, minutes=60)))
    assert archive.elites
    said = set(text.splitlines())
    for elite in archive.ranked():
        assert elite.style == "own"
        assert door.check(elite.text).ok
        lines = elite.text.splitlines()
        assert len(said & set(lines)) >= 0.6 * len(said)
        assert elite.text != text
    texts = {each.name: each.text for each in archive.ranked()}
    assert read_index(index_text(archive), texts, "index") == archive


def test_games_by_bots_lower_the_quality_of_what_is_dull() -> None:
    elite = max(searched(3).ranked(), key=lambda each: each.quality)
    from falldamage_forge.search.play import liveliness

    board, rules = door.board_of(elite.text), door.game().options
    lively = liveliness(board, rules, 4)
    assert -4 <= lively <= 0
    assert liveliness(board, rules, 4) == lively


# -- the command ---------------------------------------------------------------------------------

SEARCH = ("search", "--style", "arena", "--seed", 5, "--batch", 6)


def test_a_search_goes_on_and_is_shown_picked_and_merged(tmp_path: Path) -> None:
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

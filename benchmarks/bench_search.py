"""Search: what the evaluation of a map takes, compiled and not, and batches by processes.

Run: python benchmarks/bench_search.py
Seconds of the processor are counted, as this machine may be shared.
"""

import os
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median

from shared import show

from falldamage_forge.board import Board
from falldamage_forge.rules.bitset_bfs import mask_of
from falldamage_forge.rules.position import Position
from falldamage_forge.search import adapter
from falldamage_forge.search.archive import Archive
from falldamage_forge.search.board_survey import Surveyed, load_kernel, survey_of
from falldamage_forge.search.constructive import MapRequirements, construct_genome
from falldamage_forge.search.evaluate import EvaluationSetup, behavior_descriptor, is_connected
from falldamage_forge.search.genome import StockBudget
from falldamage_forge.search.map_elites import (
    Executor,
    merge_results,
    plan_batch,
    split_chunks,
)
from falldamage_forge.search.map_generator import repair_map
from falldamage_forge.search.mutable_board import MutableBoard
from falldamage_forge.search.walkability import compute_reachability

MAPS, INTERPRETED, ROUNDS = 200, 20, 5
BATCH, CHUNK, BATCHES = 256, 16, 3


def canvases(count: int) -> list[MutableBoard]:
    """Playable maps of all styles."""
    found: list[MutableBoard] = []
    seed = 0
    while len(found) < count:
        for name in adapter.styles():
            mended = repair_map(
                construct_genome(
                    adapter.style(name), Random(f"{name}/{seed}"), StockBudget(), MapRequirements()
                )
            )
            if mended is not None:
                found.append(mended[0].canvas)
        seed += 1
    return found[:count]


def seconds(action: Callable[[], object]) -> float:
    """Seconds of the processor, the least of a few."""
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        action()
        times.append(time.process_time() - start)
    return min(times)


def figures() -> None:
    """The parts of an evaluation, with the engine's functions compiled and interpreted."""
    game = adapter.game()
    units = (*game.proof_units, *(group.profile for group in game.classes()))
    maps = canvases(MAPS)
    boards = [canvas.board() for canvas in maps]

    def compiled(board: Board) -> Surveyed:
        return survey_of(board.rows, board.cols, game.options).position(board, game, units)

    def interpreted(board: Board) -> Surveyed:
        position = Position(board, game)
        links = {unit: tuple(map(mask_of, position.model(unit).successors)) for unit in units}
        return Surveyed(position, links)

    def judge(found: Surveyed) -> None:
        is_connected(found)
        behavior_descriptor(found.position, game.options)

    def each(what: Callable[[], object], count: int) -> float:
        return seconds(what) / count

    few = boards[:INTERPRETED]
    before = each(lambda: [compute_reachability(canvas) for canvas in maps], MAPS)
    slow = each(lambda: [judge(interpreted(board)) for board in few], INTERPRETED)
    load_kernel()
    rows = (
        ("links for a repair, interpreted", before),
        ("the same, compiled", each(lambda: [compute_reachability(c) for c in maps], MAPS)),
        ("connections and figures, interpreted", slow),
        ("the same, compiled", each(lambda: [judge(compiled(board)) for board in boards], MAPS)),
    )
    table = [(name, f"{1e3 * s:.2f} ms", f"{1 / s:,.0f}") for name, s in rows]
    show("parts of an evaluation, on one core", ("", "a map", "maps a second"), table)


def used_s(pid: int) -> float:
    """Seconds of the processor that a process has had."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def batch_of(crew: Executor, archive: Archive) -> tuple[float, float, Archive]:
    """One batch: wall, the seconds of the busiest process, and what came of it."""
    before = {pid: used_s(pid) for pid in (each._process.pid for each in crew.pool.helpers)}
    own, start = time.process_time(), time.perf_counter()
    chunks = split_chunks(plan_batch(archive, crew.setup, 1, BATCH), CHUNK, archive)  # type: ignore[attr-defined]
    after = merge_results(archive, list(crew.evaluate(chunks)), BATCH)
    wall, own = time.perf_counter() - start, time.process_time() - own
    return wall, max((own, *(used_s(pid) - was for pid, was in before.items()))), after


def workers() -> None:
    """The second batch of a search, again and again, by one process and by two.

    On a machine that others use, walls tell how busy they are. So a batch is said to take what the
    busiest process has of the processor: what it would on a quiet machine.
    """
    styles = tuple(map(adapter.style, adapter.styles()))
    setup = EvaluationSetup(styles, MapRequirements(), None, adapter.game(), "benchmark")
    crews: dict[str, Executor] = {
        "1 process": Executor(setup),
        "2 processes": Executor(setup, 2),
    }
    first = batch_of(crews["1 process"], Archive())[2]
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in crews}
    for number in range(BATCHES + 1):
        for name, crew in crews.items():
            took = batch_of(crew, first)[:2]
            if number:  # the first round compiles and makes ready
                times[name].append(took)
    rows, single = [], 0.0
    for name, crew in crews.items():
        crew.close()
        wall, needs = map(median, zip(*times[name], strict=True))
        count = int(name[0]) if name[0].isdigit() else 1
        single = single or needs
        rows.append(
            (
                name, f"{wall:.2f} s", f"{needs:.2f} s",
                f"{BATCH / needs:.0f}", f"{single / needs / count:.0%}",
            )
        )  # fmt: skip
    head = (
        "processes",
        "wall",
        "busiest process",
        "maps a second",
        "efficiency",
    )
    show(f"a batch of {BATCH} maps, in seconds of the processor", head, rows)


def main() -> None:
    figures()
    workers()


if __name__ == "__main__":
    main()

"""Batches of maps: checks and turns of nine classes, batched, one by one, and by peers in a loop.

Run: python benchmarks/bench_bulk.py
All sides get the same maps in one run. The peers answer an easier question: least Move from both
starts for every class, on graphs made ready for them, without the ends of turns and without proofs.
Seconds of the processor are counted for our own side, as this machine may be shared.
"""

import os
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median

from shared import ask_peer, environment, show

from falldamage_forge.rules.movement_graph import MovementGraph
from falldamage_forge.rules.position import Position
from falldamage_forge.search import adapter
from falldamage_forge.search.archive import Archive
from falldamage_forge.search.batch_engine import BatchEngine, pack
from falldamage_forge.search.constructive import MapRequirements, construct_genome
from falldamage_forge.search.evaluate import EvaluationSetup
from falldamage_forge.search.genome import StockBudget
from falldamage_forge.search.map_elites import (
    Executor,
    merge_results,
    plan_batch,
    split_chunks,
)
from falldamage_forge.search.map_generator import repair_map
from falldamage_forge.search.mutable_board import MutableBoard

MAPS, PEER_MAPS, ROUNDS = 400, 40, 5
BATCH, CHUNK, BATCHES = 256, 16, 3
COMMON = """
import json, sys, time
maps = json.load(sys.stdin)
def least(action, rounds=3):
    times = []
    for _ in range(rounds):
        start = time.process_time()
        action()
        times.append(time.process_time() - start)
    return min(times)
"""
PEERS = {
    "networkx": COMMON
    + """
import networkx
ready = []
for size, edges, zones in maps:
    graph = networkx.DiGraph()
    graph.add_nodes_from(range(size))
    graph.add_weighted_edges_from(edges)
    ready.append((graph, zones))
print(json.dumps(least(lambda: [
    networkx.multi_source_dijkstra_path_length(graph, set(zone))
    for graph, zones in ready for zone in zones
])))
""",
    "rustworkx": COMMON
    + """
import rustworkx
ready = []
for size, edges, zones in maps:
    graph = rustworkx.PyDiGraph()
    graph.add_nodes_from(range(size + len(zones)))
    graph.add_edges_from([tuple(edge) for edge in edges])
    for number, zone in enumerate(zones):
        graph.add_edges_from([(size + number, at, 0) for at in zone])
    ready.append((graph, [size + number for number in range(len(zones))]))
print(json.dumps(least(lambda: [
    rustworkx.dijkstra_shortest_path_lengths(graph, start, float)
    for graph, starts in ready for start in starts
])))
""",
    "scipy": COMMON
    + """
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra
ready = []
for size, edges, zones in maps:
    rows, cols, costs = zip(*edges)
    ready.append((csr_matrix((costs, (rows, cols)), shape=(size, size)), zones))
print(json.dumps(least(lambda: [
    dijkstra(matrix, indices=zone, min_only=True) for matrix, zones in ready for zone in zones
])))
""",
}


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


def edges_of(model: MovementGraph) -> list[tuple[int, int, int]]:
    best: dict[tuple[int, int], int] = {}
    for at, out in enumerate(model.edges):
        for edge in out:
            if not edge.harm:
                best[at, edge.to] = min(edge.cost, best.get((at, edge.to), edge.cost))
    return [(a, b, cost) for (a, b), cost in best.items()]


def bulk(maps: list[MutableBoard]) -> None:
    game = adapter.game()
    profiles = [game.profile(group.profile) for group in game.classes()]
    engine = BatchEngine(game, profiles)
    batch = pack([canvas.board() for canvas in maps])
    boards = [canvas.board() for canvas in maps[:PEER_MAPS]]

    def single() -> None:
        for board in boards:
            position = Position(board, game)
            for profile in profiles:
                position.layers(profile)
            for unit in game.proof_units:
                for zone in position.zones(unit).values():
                    position.flood(unit, zone)
                    position.flood(unit, zone, back=True)

    engine.run(batch)
    engine.run(batch, turns=False)
    engine.measure(batch)
    ours = seconds(lambda: engine.run(batch)) / len(maps)
    rows = [
        ("checks and turns of nine classes, batched", ours),
        (
            "checks and classes, batched",
            seconds(lambda: engine.run(batch, turns=False)) / len(maps),
        ),
        ("proofs and all measures, in bulk", seconds(lambda: engine.measure(batch)) / len(maps)),
        (
            "packing, from canvases",
            seconds(lambda: pack([canvas.board() for canvas in maps])) / len(maps),
        ),
        ("proofs and turns, one by one", seconds(single) / len(boards)),
    ]
    question = []
    for board in boards:
        position = Position(board, game)
        for profile in profiles:
            zones = list(position.zones(profile).values())
            model = position.model(profile)
            question.append((len(model.edges), edges_of(model), zones))
    table = [(name, f"{1e6 * s:.1f} µs", f"{1 / s:,.0f}", f"{s / ours:.1f}") for name, s in rows]
    for peer, script in PEERS.items():
        python = environment(peer, peer)
        if isinstance(python, str):
            table.append((f"{peer}, in a loop", "-", python, "-"))
            continue
        took = ask_peer(python, script, question) / len(boards)
        told = f"{1e6 * took:.1f} µs", f"{1 / took:,.0f}", f"{took / ours:.1f}"
        table.append((f"{peer}, in a loop", *told))
    show("maps a second on one core", ("", "a map", "maps a second", "times ours"), table)


def used_s(pid: int) -> float:
    """Seconds of the processor that a process has had."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def batch_of(crew: Executor, archive: Archive) -> tuple[float, float, float, Archive]:
    """One batch: wall, the leader's seconds, those of the busiest worker, and what came of it."""
    pool = getattr(crew, "pool", None)
    before = {pid: used_s(pid) for pid in (pool._processes if pool else ())}
    own, start = time.process_time(), time.perf_counter()
    chunks = split_chunks(plan_batch(archive, crew.setup, 1, BATCH), CHUNK, archive)  # type: ignore[attr-defined]
    after = merge_results(archive, list(crew.evaluate(chunks)), BATCH)
    wall, own = time.perf_counter() - start, time.process_time() - own
    return wall, own, max((used_s(p) - before[p] for p in before), default=0.0), after


def workers() -> None:
    """The second batch of a search, again and again, by one process and by two.

    On a machine that others use, walls tell how busy they are. So a batch is said to take what the
    leader and then the busiest worker have of the processor: what it would on a quiet machine.
    """
    styles = tuple(map(adapter.style, adapter.styles()))
    setup = EvaluationSetup(styles, MapRequirements(), None, adapter.game(), "benchmark")
    crews: dict[str, Executor] = {
        "1 process": Executor(setup),
        "2 processes": Executor(setup, 2),
    }
    first = batch_of(crews["1 process"], Archive())[3]
    times: dict[str, list[tuple[float, float, float]]] = {name: [] for name in crews}
    for number in range(BATCHES + 1):
        for name, crew in crews.items():
            took = batch_of(crew, first)[:3]
            if number:  # the first round compiles and makes ready
                times[name].append(took)
    rows, single = [], 0.0
    for name, crew in crews.items():
        crew.close()
        wall = median(w for w, _, _ in times[name])
        own = median(o for _, o, _ in times[name])
        needs = median(o + b for _, o, b in times[name])
        count = int(name[0]) if name[0].isdigit() else 1
        single = single or needs
        rows.append(
            (
                name, f"{wall:.2f} s", f"{1000 * own:.0f} ms", f"{needs:.2f} s",
                f"{BATCH / needs:.0f}", f"{single / needs / count:.0%}",
            )
        )  # fmt: skip
    head = (
        "processes",
        "wall",
        "leader",
        "leader and busiest worker",
        "maps a second",
        "efficiency",
    )
    show(f"a batch of {BATCH} maps, in seconds of the processor", head, rows)


def main() -> None:
    bulk(canvases(MAPS))
    workers()


if __name__ == "__main__":
    main()

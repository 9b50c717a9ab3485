"""Times the rules: all-pairs turns of every card against networkx and scipy, sight, and `analyze`.

Run: python benchmarks/bench_rules.py [MAP]
All figures come from one run, rounds interleaved; ratios are what counts. networkx and scipy solve
an easier question (least Move, no turn ends), card by card, since they know no movement classes.
"""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from falldamage_forge.lang import load
from falldamage_forge.presets import load_ruleset, load_units, path
from falldamage_forge.rules.bitset import all_turns, relaxation
from falldamage_forge.rules.classes import movement_classes
from falldamage_forge.rules.movement import MoveGraph, move_graph
from falldamage_forge.rules.ruleset import Options
from falldamage_forge.rules.sight import sees
from falldamage_forge.rules.sightmap import visible_sets
from falldamage_forge.surfaces import SurfaceGraph, surface_graph

ROUNDS = 5


def timed(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return (time.perf_counter() - start) * 1000


def networkx_graphs(moves: list[MoveGraph]) -> list[Any]:
    import networkx

    graphs = []
    for one in moves:
        graph = networkx.DiGraph()
        graph.add_nodes_from(range(len(one.edges)))
        for at, out in enumerate(one.edges):
            for edge in out:
                if edge.damage == 0:
                    graph.add_edge(at, edge.to, weight=edge.cost)
        graphs.append(graph)
    return graphs


def networkx_solve(graphs: list[Any]) -> object:
    import networkx

    return [dict(networkx.all_pairs_dijkstra_path_length(graph)) for graph in graphs]


def scipy_matrices(moves: list[MoveGraph]) -> list[Any]:
    from scipy.sparse import csr_matrix

    matrices = []
    for one in moves:
        entries = {
            (at, edge.to): edge.cost
            for at, out in enumerate(one.edges)
            for edge in out
            if edge.damage == 0
        }
        rows, cols = zip(*entries, strict=True)
        size = len(one.edges)
        matrices.append(csr_matrix((list(entries.values()), (rows, cols)), shape=(size, size)))
    return matrices


def scipy_solve(matrices: list[Any]) -> object:
    from scipy.sparse.csgraph import dijkstra

    return [dijkstra(matrix) for matrix in matrices]


def naive_sight(graph: SurfaceGraph) -> list[list[bool]]:
    rules = Options()
    return [
        [sees(graph.terrain, a, b, rules).visible for b in graph.surfaces] for a in graph.surfaces
    ]


def show(title: str, times: dict[str, list[float]], base: str) -> None:
    print(f"\n{title}")
    for name, found in times.items():
        middle = statistics.median(found)
        ratio = statistics.median(times[base]) / middle
        print(f"  {name:42} {middle:9.2f} ms   {ratio:8.1f} x faster than {base}")


def main() -> None:
    name = sys.argv[1] if len(sys.argv) > 1 else "ashkeep"
    board = load(path("maps", name).read_text("utf-8"), name).layout.board
    rules = load_ruleset("fall-damage").options
    cards = [unit for unit in load_units().values() if unit.unit_class != "summoned"]
    graph = surface_graph(board, rules.terrain)
    classes = movement_classes(cards)
    per_card = [move_graph(graph, card.profile, rules) for card in cards]
    per_class = [move_graph(graph, group.profile, rules) for group in classes]
    print(f"{name}: {len(graph.surfaces)} surfaces, {len(cards)} cards, {len(classes)} classes")
    ready = [relaxation(moves, len(moves.edges)) for moves in per_class]
    starts = [(number,) for number in range(len(graph.surfaces))]
    graphs, matrices = networkx_graphs(per_card), scipy_matrices(per_card)
    actions: dict[str, Callable[[], object]] = {
        "ours": lambda: [one.run(starts) for one in ready],
        "networkx": lambda: networkx_solve(graphs),
        "scipy": lambda: scipy_solve(matrices),
        "ours, made ready too": lambda: [all_turns(moves) for moves in per_class],
        "networkx, made ready too": lambda: networkx_solve(networkx_graphs(per_card)),
        "scipy, made ready too": lambda: scipy_solve(scipy_matrices(per_card)),
    }
    times: dict[str, list[float]] = {key: [] for key in actions}
    for _ in range(ROUNDS):
        for key, action in actions.items():
            times[key].append(timed(action))
    show("turns between all pairs of surfaces, all cards", times, "networkx")
    sight = {
        "whole numbers, a table of crossings": lambda: visible_sets(graph, rules),
        "line by line in fractions": lambda: naive_sight(graph),
    }
    seen: dict[str, list[float]] = {key: [] for key in sight}
    for _ in range(3):
        for key, action in sight.items():
            seen[key].append(timed(action))
    show("sight between all pairs of surfaces", seen, "line by line in fractions")
    runs = []
    for _ in range(7):
        command = [sys.executable, "-m", "falldamage_forge", "analyze", name]
        start = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        runs.append(time.perf_counter() - start)
    print(
        f"\n`fdforge analyze {name}`: median {statistics.median(runs):.2f} s, "
        f"least {min(runs):.2f} s"
    )


if __name__ == "__main__":
    main()

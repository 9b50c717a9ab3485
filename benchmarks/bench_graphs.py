"""Turns and reach on the preset maps against networkx, rustworkx and scipy, and sight.

Run: python benchmarks/bench_graphs.py [MAP …]
The peers answer an easier question: least Move between all pairs, card by card, without the ends of
turns. Both sides have their graphs ready before the clock runs; the last rows build them too.
"""

import sys
from collections.abc import Callable
from statistics import median

from shared import ask_peer, environment, medians_ms, milliseconds, show

from falldamage_forge import presets
from falldamage_forge.board.surfaces import surface_graph
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.sight_line import has_line_of_sight, visible_sets
from falldamage_forge.lang import load
from falldamage_forge.rules.bitset_bfs import all_pairs_moves, to_bitset_graph
from falldamage_forge.rules.movement_graph import MovementGraph
from falldamage_forge.rules.position import Position

ROUNDS = 5
COMMON = """
import json, sys, time
graphs = json.load(sys.stdin)
def least(action, rounds=5):
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        action()
        times.append((time.perf_counter() - start) * 1000)
    return min(times)
"""
PEERS = {
    "networkx": COMMON
    + """
import networkx
def build():
    found = []
    for size, edges in graphs:
        graph = networkx.DiGraph()
        graph.add_nodes_from(range(size))
        graph.add_weighted_edges_from(edges)
        found.append(graph)
    return found
ready = build()
solve = lambda made: [dict(networkx.all_pairs_dijkstra_path_length(graph)) for graph in made]
print(json.dumps([least(lambda: solve(ready)), least(lambda: solve(build()))]))
""",
    "rustworkx": COMMON
    + """
import rustworkx
def build():
    found = []
    for size, edges in graphs:
        graph = rustworkx.PyDiGraph()
        graph.add_nodes_from(range(size))
        graph.add_edges_from([tuple(edge) for edge in edges])
        found.append(graph)
    return found
ready = build()
solve = lambda made: [
    dict(rustworkx.all_pairs_dijkstra_path_lengths(graph, float)) for graph in made
]
print(json.dumps([least(lambda: solve(ready)), least(lambda: solve(build()))]))
""",
    "scipy": COMMON
    + """
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra
def build():
    found = []
    for size, edges in graphs:
        rows, cols, costs = zip(*edges)
        found.append(csr_matrix((costs, (rows, cols)), shape=(size, size)))
    return found
ready = build()
solve = lambda made: [dijkstra(matrix) for matrix in made]
print(json.dumps([least(lambda: solve(ready)), least(lambda: solve(build()))]))
""",
}


def as_edges(moves: MovementGraph) -> tuple[int, list[tuple[int, int, int]]]:
    best: dict[tuple[int, int], int] = {}
    for at, out in enumerate(moves.edges):
        for edge in out:
            if edge.harm == 0:
                pair = (at, edge.to)
                best[pair] = min(edge.cost, best.get(pair, edge.cost))
    return len(moves.edges), [(a, b, cost) for (a, b), cost in best.items()]


def turns(name: str) -> None:
    board = load(presets.path("maps", name).read_text("utf-8"), name).layout.board
    game = presets.load_rules("fall-damage")
    cards = [unit for unit in presets.load_units().values() if unit.unit_class != "summoned"]
    position = Position(board, game)
    graph = position.graph
    question = [as_edges(position.model(card.name)) for card in cards]
    per_class = [position.model(group.profile) for group in position.classes]
    ready = [to_bitset_graph(moves, len(moves.edges)) for moves in per_class]
    starts = [(number,) for number in range(len(graph.surfaces))]
    actions: tuple[Callable[[], object], ...] = (
        lambda: [one.run(starts) for one in ready],
        lambda: [all_pairs_moves(moves) for moves in per_class],
    )
    rows: list[tuple[object, ...]] = []
    for peer, script in PEERS.items():
        python = environment(peer, peer)
        if isinstance(python, str):
            rows.append((peer, "-", python, "-"))
            continue
        turns_taken = []
        for _ in range(ROUNDS):
            ours = [min(milliseconds(action) for _ in range(5)) for action in actions]
            turns_taken.append((*ours, *ask_peer(python, script, question)))
        solve, build, peer_solve, peer_build = map(median, zip(*turns_taken, strict=True))
        ratio, whole = (median(t[2 + n] / t[n] for t in turns_taken) for n in (0, 1))
        shown = f"{solve:.2f} / {build:.2f} ms", f"{peer_solve:.1f} / {peer_build:.1f} ms"
        rows.append((peer, *shown, f"{ratio:.1f}", f"{whole:.1f}"))
    title = f"all-pairs turns of {len(cards)} cards on {name}, {len(graph.surfaces)} surfaces"
    head = ("peer", "ours, solve / with building", "the peer's", "times ours", "with building")
    show(title, head, rows)


def sight(name: str) -> None:
    board = load(presets.path("maps", name).read_text("utf-8"), name).layout.board
    rules = FallDamageOptions()
    graph = surface_graph(board, rules.terrain)
    spots = graph.surfaces
    times = medians_ms(
        {
            "a table of crossings": lambda: visible_sets(graph.board, rules),
            "line by line": lambda: [
                [has_line_of_sight(graph.terrain, a, b, rules).visible for b in spots]
                for a in spots
            ],
        },
        3,
    )
    least = times["a table of crossings"]
    rows = [(way, f"{ms:.1f} ms", f"{ms / least:.1f}") for way, ms in times.items()]
    show(f"sight between all {len(spots)} surfaces of {name}", ("", "time", "times ours"), rows)


def main() -> None:
    for name in sys.argv[1:] or ("ashkeep", "canyon"):
        turns(name)
        sight(name)


if __name__ == "__main__":
    main()

"""Minimum vertex cut between two sets of surfaces (Menger, augmenting paths), and cut vertices."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

from falldamage_forge.rules.bitset_bfs import bits


def min_vertex_cut(links: Sequence[Sequence[int]], first: int, second: int) -> tuple[int, ...]:
    """Return a minimum vertex cut that separates two node sets; it may contain their nodes.

    Every node is split into an in and an out half with a capacity of 1 between them. The cut is the
    border of the reachable part of the residual graph.

    Args:
        links: Successors of each node; node i is row i.
        first: Bit set of the first set. The cut nearest to it is returned.
        second: Bit set of the second set.

    Returns:
        Numbers of the cut's nodes, ascending; empty if no path joins the sets.

    Source: Menger 1927; Ford and Fulkerson 1956.
    """
    count = len(links)
    source, sink = 2 * count, 2 * count + 1
    capacity: list[dict[int, int]] = [{} for _ in range(2 * count + 2)]

    def join(a: int, b: int, room: int) -> None:
        capacity[a][b] = room
        capacity[b].setdefault(a, 0)

    endless = count + 1
    for number, out in enumerate(links):
        join(2 * number, 2 * number + 1, 1)
        for to in out:
            join(2 * number + 1, 2 * to, endless)
    for number in bits(first):
        join(source, 2 * number, endless)
    for number in bits(second):
        join(2 * number + 1, sink, endless)
    while (came := _search(capacity, source))[sink] is not None:
        at = sink
        while at != source:
            before = came[at]
            assert before is not None
            capacity[before][at] -= 1
            capacity[at][before] += 1
            at = before
    came = _search(capacity, source)
    return tuple(
        number
        for number in range(count)
        if _found(came, 2 * number, source) and not _found(came, 2 * number + 1, source)
    )


def _found(came: list[int | None], vertex: int, source: int) -> bool:
    return vertex == source or came[vertex] is not None


def _search(capacity: Sequence[dict[int, int]], source: int) -> list[int | None]:
    """Return breadth-first predecessors over edges with residual capacity."""
    came: list[int | None] = [None] * len(capacity)
    queue = deque([source])
    while queue:
        at = queue.popleft()
        for to, room in capacity[at].items():
            if room > 0 and came[to] is None and to != source:
                came[to] = at
                queue.append(to)
    return came


def articulation_points(links: Sequence[Iterable[int]]) -> tuple[int, ...]:
    """Return the nodes whose removal disconnects a component, ascending.

    Args:
        links: Successors of each node; edges count in both directions.

    Source: Tarjan 1972.
    """
    neighbours: list[set[int]] = [set() for _ in links]
    for at, ahead in enumerate(links):
        for to in ahead:
            neighbours[at].add(to)
            neighbours[to].add(at)
    order = [-1] * len(links)
    low = [0] * len(links)
    points: set[int] = set()
    count = 0
    for root in range(len(links)):
        if order[root] >= 0:
            continue
        order[root] = low[root] = count
        count += 1
        children = 0
        stack = [(root, root, iter(sorted(neighbours[root])))]
        while stack:
            at, parent, ahead_of = stack[-1]
            to = next(ahead_of, -1)
            if to < 0:
                stack.pop()
                if parent != at:
                    low[parent] = min(low[parent], low[at])
                    if parent == root:
                        children += 1
                    elif low[at] >= order[parent]:
                        points.add(parent)
            elif order[to] < 0:
                order[to] = low[to] = count
                count += 1
                stack.append((to, at, iter(sorted(neighbours[to]))))
            elif to != parent:
                low[at] = min(low[at], order[to])
        if children > 1:
            points.add(root)
    return tuple(sorted(points))

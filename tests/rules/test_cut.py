"""Least cuts and articulation points of any graph, against networkx."""

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from falldamage_forge.metrics.min_vertex_cut import articulation_points, min_vertex_cut
from falldamage_forge.rules.bitset_bfs import bits

Links = tuple[tuple[int, ...], ...]


@st.composite
def graphs(draw: st.DrawFn) -> Links:
    """Directed graphs of 2 to 12 vertices, without loops, as the vertices ahead of each."""
    count = draw(st.integers(2, 12))
    pairs = st.tuples(st.integers(0, count - 1), st.integers(0, count - 1))
    edges = {(a, b) for a, b in draw(st.frozensets(pairs, max_size=4 * count)) if a != b}
    return tuple(tuple(sorted(b for a, b in edges if a == at)) for at in range(count))


@given(graphs(), st.data())
def test_a_cut_is_the_nearest_of_the_least(links: Links, data: st.DataObject) -> None:
    first, second = (data.draw(st.integers(1, 2 ** len(links) - 1)) for _ in range(2))
    # networkx tells the cut nearest to the sink: asked the other way round, it is the same one.
    graph = nx.DiGraph((to, at) for at, ahead in enumerate(links) for to in ahead)
    graph.add_nodes_from(range(len(links)))
    graph.add_edges_from((number, "sink") for number in bits(first))
    graph.add_edges_from(("source", number) for number in bits(second))
    theirs = nx.minimum_node_cut(graph, "source", "sink")
    assert min_vertex_cut(links, first, second) == tuple(sorted(theirs))


@given(graphs())
def test_articulation_points_part_what_held_together(links: Links) -> None:
    graph = nx.Graph((at, to) for at, ahead in enumerate(links) for to in ahead)
    assert articulation_points(links) == tuple(sorted(nx.articulation_points(graph)))

"""Edges of a triangle mesh: merged corners, open edges, winding, components, and loops of holes.

All functions are pure and vectorised; two million triangles take seconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Points = NDArray[np.float64]
    Faces = NDArray[np.int64]

GRID_BITS = 20
"""Corners this fraction of the mesh's size apart, as a power of two, are one."""


def merged(points: Points, faces: Faces, bits: int = GRID_BITS) -> tuple[Points, Faces]:
    """Return a mesh whose coinciding corners are one, without flat and repeated triangles.

    Args:
        points: Corners of shape (n, 3).
        faces: Indices of shape (m, 3).
        bits: Corners nearer than the mesh's size by 2 to this power are one, at most 20.
    """
    import numpy as np

    low = points.min(axis=0)
    step = max(float((points.max(axis=0) - low).max()), 1e-12) / 2**bits
    cells = np.rint((points - low) / step).astype(np.int64)
    keys = (cells[:, 0] << 42) | (cells[:, 1] << 21) | cells[:, 2]
    _, first, number = np.unique(keys, return_index=True, return_inverse=True)
    faces = number[faces].reshape(-1, 3)
    a, b, c = faces.T
    faces = faces[(a != b) & (b != c) & (c != a)]
    turned = np.take_along_axis(faces, (faces.argmin(axis=1)[:, None] + np.arange(3)) % 3, axis=1)
    pair = np.unique(turned[:, 0] * len(first) + turned[:, 1], return_inverse=True)[1]
    _, kept = np.unique(pair * len(first) + turned[:, 2], return_index=True)
    faces = faces[np.sort(kept)]
    used, faces = np.unique(faces, return_inverse=True)
    return points[first[used]], faces.reshape(-1, 3)


class Edges(NamedTuple):
    """Edges of a mesh.

    Attributes:
        ends: Indices of the corners of each half edge, (3m, 2); row 3i + k is of triangle i.
        number: Number of the edge of each half edge, (3m,).
        corners: Indices of the two corners of each edge, the lesser first, (e, 2), sorted.
        uses: Number of half edges of each edge, (e,).
        turn: Half edges that run from the lower to the higher index less the others, (e,).
    """

    ends: NDArray[np.int64]
    number: NDArray[np.int64]
    corners: NDArray[np.int64]
    uses: NDArray[np.int64]
    turn: NDArray[np.int64]

    @property
    def closed(self) -> bool:
        """True if each edge joins two triangles."""
        return bool((self.uses == 2).all())

    @property
    def facing(self) -> bool:
        """True if the triangles of a closed mesh all face outward, or all inward."""
        return self.closed and not self.turn.any()

    @property
    def open(self) -> NDArray[np.int64]:
        """Half edges without a partner, (k, 2)."""
        found: NDArray[np.int64] = self.ends[self.uses[self.number] == 1]
        return found

    @property
    def unbalanced(self) -> NDArray[np.int64]:
        """Half edges of edges that do not cancel out, (k, 2)."""
        found: NDArray[np.int64] = self.ends[self.turn[self.number] != 0]
        return found

    @property
    def twisted(self) -> bool:
        """True if two triangles at an edge wind against each other."""
        return bool(((self.uses == 2) & (self.turn != 0)).any())


def edges_of(faces: NDArray[np.integer[Any]]) -> Edges:
    """Return the edges of a mesh; `faces` holds indices of shape (m, 3)."""
    import numpy as np

    ends = np.stack((faces, np.roll(faces, -1, axis=1)), axis=2).reshape(-1, 2).astype(np.int64)
    start, end = ends.T
    most = int(faces.max(initial=0)) + 1
    keys = np.minimum(start, end) * most + np.maximum(start, end)
    order = np.argsort(keys)
    ranked = keys[order]
    new = np.diff(ranked, prepend=-1) > 0
    first = np.flatnonzero(new)
    number = np.empty(len(keys), np.int64)
    number[order] = np.cumsum(new) - 1
    turn = np.add.reduceat(np.sign(end - start)[order], first)
    corners = np.stack(np.divmod(ranked[first], most), axis=1)
    return Edges(ends, number, corners, np.diff(first, append=len(keys)), turn)


def component_numbers(faces: Faces, corners: int) -> NDArray[np.int64]:
    """Return the number of the component of each triangle; components share corners.

    Args:
        faces: Indices of shape (m, 3).
        corners: Number of corners.
    """
    import numpy as np

    labels = np.arange(corners)
    while True:
        least = labels[faces].min(axis=1)
        new = labels.copy()
        np.minimum.at(new, faces.ravel(), np.repeat(least, 3))
        new = new[new]
        if (new == labels).all():
            break
        labels = new
    return np.unique(labels[faces[:, 0]], return_inverse=True)[1]


def wound_alike(points: Points, faces: Faces) -> Faces:
    """Return triangles that wind alike over shared edges, each component outwards.

    Args:
        points: Corners of shape (n, 3).
        faces: Indices of shape (m, 3).
    """
    import numpy as np

    edges = edges_of(faces)
    order = np.argsort(edges.number, kind="stable")
    pairs = order[(edges.uses[edges.number] == 2)[order]].reshape(-1, 2)
    one, other = pairs[:, 0] // 3, pairs[:, 1] // 3
    against = edges.ends[pairs[:, 0], 0] == edges.ends[pairs[:, 1], 0]
    near = np.concatenate((one, other))
    sort = np.argsort(near, kind="stable")
    far = np.concatenate((other, one))[sort]
    turns = np.concatenate((against, against))[sort]
    starts = np.searchsorted(near[sort], np.arange(len(faces) + 1))
    flip = np.full(len(faces), -1, np.int8)
    number = np.zeros(len(faces), np.int64)
    count = 0
    for seed in range(len(faces)):
        if flip[seed] >= 0:
            continue
        flip[seed], number[seed] = 0, count
        front = np.array([seed])
        while len(front):
            spans = starts[front + 1] - starts[front]
            at = np.repeat(starts[front] - np.cumsum(spans) + spans, spans) + np.arange(spans.sum())
            new, value = far[at], flip[np.repeat(front, spans)] ^ turns[at]
            fresh = flip[new] < 0
            flip[new[fresh]], number[new[fresh]] = value[fresh], count
            front = np.unique(new[fresh])
        count += 1
    faces = np.where((flip == 1)[:, None], faces[:, ::-1], faces)
    volumes = np.bincount(number, weights=signed_volumes(points, faces), minlength=count)
    return np.where((volumes < 0)[number][:, None], faces[:, ::-1], faces)


def signed_volumes(points: Points, faces: Faces) -> NDArray[np.float64]:
    """Return the signed volume of the tetrahedron of each triangle and the middle.

    Args:
        points: Corners of shape (n, 3).
        faces: Indices of shape (m, 3).
    """
    import numpy as np

    middle = points.mean(axis=0)
    a, b, c = (points[faces[:, k]] - middle for k in range(3))
    volumes: NDArray[np.float64] = np.einsum("ij,ij->i", a, np.cross(b, c)) / 6
    return volumes


def areas(points: Points, faces: Faces) -> NDArray[np.float64]:
    """Return the area of each triangle.

    Args:
        points: Corners of shape (n, 3).
        faces: Indices of shape (m, 3).
    """
    import numpy as np

    a, b, c = (points[faces[:, k]] for k in range(3))
    crossed: NDArray[np.float64] = np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2
    return crossed


def loops(open_edges: NDArray[np.int64]) -> Iterator[list[int]]:
    """Yield the corners of each closed loop of open edges, in the order that fills the hole.

    Args:
        open_edges: Half edges without a partner, (k, 2).
    """
    after: dict[int, list[int]] = {}
    for start, end in open_edges.tolist():
        after.setdefault(end, []).append(start)
    for first in list(after):
        while after.get(first):
            loop, at = [first], after[first].pop()
            seen = {first: 0}
            while at != first:
                if at in seen:  # a loop that touches itself: cut the inner one off
                    cut = seen[at]
                    yield loop[cut:]
                    for corner in loop[cut + 1 :]:
                        del seen[corner]
                    del loop[cut + 1 :]
                else:
                    seen[at] = len(loop)
                    loop.append(at)
                if not after.get(at):
                    break
                at = after[at].pop()
            else:
                yield loop

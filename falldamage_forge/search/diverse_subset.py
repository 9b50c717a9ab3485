"""Selection of diverse maps: a distance between boards, and a good subset of k."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from falldamage_forge.board import Board, Feature, Ground
from falldamage_forge.search.archive import Elite

if TYPE_CHECKING:
    from numpy.typing import NDArray

WEIGHTS = (0.5, 0.6, 0.6, 0.8, 0.8, 0.7)
"""Weights of level, trees, spires, water, lava and decks."""
SPREAD = 0.3
"""Weight of a distance against fitness."""
FAR = 3.0
"""Upper bound of a distance."""
ROUNDS = 40
BETTER = 1e-9


def feature_planes(board: Board) -> NDArray[Any]:
    """Return a board as feature planes, shape (12, rows, cols).

    Six planes hold levels, four kinds of top and decks; the other six are these blurred over 3 x 3
    tiles, so that a small shift is a small distance.
    """
    import numpy as np

    grid = np.zeros((6, board.rows, board.cols))
    for tile in board.tiles():
        column = board.column(tile)
        grid[0, tile.row, tile.col] = column.level
        grid[1, tile.row, tile.col] = column.feature is Feature.TREE
        grid[2, tile.row, tile.col] = column.feature is Feature.SPIRE
        grid[3, tile.row, tile.col] = column.ground is Ground.WATER
        grid[4, tile.row, tile.col] = column.ground is Ground.LAVA
    for tile, levels in board.deck_levels.items():
        grid[5, tile.row, tile.col] = len(levels)
    grid *= np.array(WEIGHTS)[:, None, None]
    padded = np.pad(grid, ((0, 0), (1, 1), (1, 1)))
    blurred = sum(
        padded[:, y : y + board.rows, x : x + board.cols] for y in range(3) for x in range(3)
    )
    return np.concatenate([grid, blurred / 9])


def distance(first: NDArray[Any], second: NDArray[Any]) -> float:
    """Return the mean difference per tile, the least over mirrors and the half turn.

    Args:
        first: Feature planes of a board.
        second: Feature planes of another board; another size has distance 9.
    """
    import numpy as np

    if first.shape != second.shape:
        return 9.0
    ways = (second, second[:, ::-1], second[:, :, ::-1], second[:, ::-1, ::-1])
    return float(min(np.abs(first - way).sum() for way in ways) / first[0].size)


def smallest_distance(boards: Sequence[Board]) -> float:
    """Return the distance of the two most similar boards."""
    layers = [feature_planes(board) for board in boards]
    return min(distance(a, b) for n, a in enumerate(layers) for b in layers[:n])


class DistanceMatrix:
    """Distances between boards, computed by row on demand."""

    def __init__(self, layers: Sequence[NDArray[Any]]) -> None:
        import numpy as np

        self.layers = layers
        self.rows: dict[int, NDArray[Any]] = {}
        alike = len({each.shape for each in layers}) == 1
        self.stacked = np.stack(layers) if alike else None

    def row(self, number: int) -> NDArray[Any]:
        """Return the distance of every board from one, shape (boards,)."""
        import numpy as np

        if number not in self.rows:
            one = self.layers[number]
            if self.stacked is None:
                found = np.array([distance(one, other) for other in self.layers])
            else:
                ways = (one, one[:, ::-1], one[:, :, ::-1], one[:, ::-1, ::-1])
                sums = [np.abs(self.stacked - way).sum(axis=(1, 2, 3)) for way in ways]
                found = np.min(sums, axis=0) / one[0].size
            self.rows[number] = found
        return self.rows[number]

    def nearest(self, taken: Sequence[int]) -> NDArray[Any]:
        """Return the distance of every board from the nearest of `taken`; at most `FAR`."""
        import numpy as np

        far = np.full(len(self.layers), FAR)
        near: NDArray[Any] = np.min([far, *(self.row(number) for number in taken)], axis=0)
        return near


def pick_diverse(elites: Sequence[Elite], boards: Sequence[Board], count: int) -> list[int]:
    """Return the indices of good maps that differ.

    Greedy selection by fitness and distance, a style again only after all others; then exchanges of
    one map while the subset improves and no style is lost.

    Args:
        elites: The maps.
        boards: Their boards.
        count: Size of the subset.
    """
    if not elites:
        return []
    field = DistanceMatrix([feature_planes(board) for board in boards])
    styles = [elite.style for elite in elites]
    taken: list[int] = []
    most = 1
    while len(taken) < min(count, len(elites)):
        used = Counter(styles[n] for n in taken)
        free = [n for n in range(len(elites)) if n not in taken and used[styles[n]] < most]
        if not free:
            most += 1
            continue
        near = field.nearest(taken)
        taken.append(max(free, key=lambda n: (elites[n].quality + SPREAD * near[n], -n)))
    for _ in range(ROUNDS):
        better = _exchange(taken, [elite.quality for elite in elites], styles, field)
        if better is None:
            break
        taken = better
    return taken


def _exchange(
    taken: list[int], quality: Sequence[float], styles: Sequence[str], field: DistanceMatrix
) -> list[int] | None:
    """Return the best subset after an exchange of one map; None if none is better.

    The value of a subset is its mean fitness, the least distance, and the mean distance to the
    nearest.
    """
    import numpy as np

    used = Counter(styles[n] for n in taken)
    best, found = _worth(taken, quality, field) + BETTER, None
    for place, old in enumerate(taken):
        rest = [n for n in taken if n != old]
        # Distance of each of the rest to the nearest other; an added map can only lessen it.
        among = [min((field.row(n)[m] for m in rest if m != n), default=FAR) for n in rest]
        away = np.array([field.row(n) for n in rest]).reshape(len(rest), len(quality))
        nearest = away.min(axis=0, initial=FAR)
        each = np.minimum(np.array(among)[:, None], away)
        apart = np.minimum(nearest, each.min(axis=0, initial=FAR))
        mean = (each.sum(axis=0) + nearest) / len(taken)
        goods = (sum(quality[n] for n in rest) + np.array(quality)) / len(taken)
        worth = goods + SPREAD * (apart + mean)
        for new in np.argsort(-worth, kind="stable").tolist():
            if worth[new] <= best:
                break
            fresh = styles[new] == styles[old] or not used[styles[new]]
            if new in taken or not (fresh or used[styles[old]] > 1):
                continue
            best, found = float(worth[new]), [*taken[:place], new, *taken[place + 1 :]]
            break
    return found


def _worth(taken: Sequence[int], quality: Sequence[float], field: DistanceMatrix) -> float:
    """Return the value of a subset; see `_exchange`."""
    near = [min((field.row(n)[m] for m in taken if m != n), default=FAR) for n in taken]
    near = [min(each, FAR) for each in near]
    mean = sum(quality[n] for n in taken) / len(taken)
    return float(mean + SPREAD * (min(near) + sum(near) / len(near)))

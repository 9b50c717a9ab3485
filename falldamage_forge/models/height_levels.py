"""Height levels: a grid of heights as a map, with starts, and ladders between its terraces."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from falldamage_forge.issues import tile_name
from falldamage_forge.models.height_file import HeightGrid

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

START_TILES = 8
MAX_CLIMB = 5
"""Most levels of a ladder."""
Cell = tuple[int, int]


def levels_on(
    grid: HeightGrid, cols: int, rows: int, most: int
) -> tuple[NDArray[np.int64], NDArray[np.str_]]:
    """Return the level and the ground of each tile of a board.

    Args:
        grid: Heights of others.
        cols: Columns of the board.
        rows: Rows of the board.
        most: Highest level; heights that are levels already are only cut there.
    """
    import numpy as np

    high, wide = grid.heights.shape
    means = np.zeros((rows, cols))
    grounds = np.full((rows, cols), "", dtype="<U1")
    for row in range(rows):
        top, low = row * high // rows, max((row + 1) * high // rows, row * high // rows + 1)
        for col in range(cols):
            left = col * wide // cols
            right = max((col + 1) * wide // cols, left + 1)
            means[row, col] = grid.heights[top:low, left:right].mean()
            if grid.grounds is not None:
                signs, counts = np.unique(grid.grounds[top:low, left:right], return_counts=True)
                grounds[row, col] = signs[int(counts.argmax())]
    if grid.levels:
        return np.clip(np.rint(means), 0, most).astype(np.int64), grounds
    least, span = means.min(), max(float(np.ptp(means)), 1e-12)
    levels = np.minimum(((means - least) / span * (most + 1)).astype(np.int64), most)
    return np.where(grounds == "", levels, 0), grounds


def start_cells(cols: int, rows: int) -> tuple[list[Cell], list[Cell]]:
    """Return the start tiles of two sides: at the middle of the north and of the south.

    Args:
        cols: Columns of the board.
        rows: Rows of the board.
    """
    wide = min(cols, START_TILES)
    left = (cols - wide) // 2
    north = [(at // wide, left + at % wide) for at in range(START_TILES)]
    return north, [(rows - 1 - row, cols - 1 - col) for row, col in north]


def ladders(levels: NDArray[np.int64], blocked: set[Cell]) -> Iterator[tuple[Cell, Cell]]:
    """Yield the foot and the top of ladders that join all terraces, the lowest ones first.

    Args:
        levels: Level of each tile.
        blocked: Tiles where no unit stands.
    """
    rows, cols = levels.shape
    home: dict[Cell, Cell] = {}

    def root(cell: Cell) -> Cell:
        while home.setdefault(cell, cell) != cell:
            cell = home[cell]
        return cell

    steps = []
    for row in range(rows):
        for col in range(cols):
            for near in ((row, col + 1), (row + 1, col)):
                inside = near[0] < rows and near[1] < cols
                if inside and (row, col) not in blocked and near not in blocked:
                    rise = int(levels[near] - levels[row, col])
                    foot, top = ((row, col), near) if rise > 0 else (near, (row, col))
                    steps.append((abs(rise), foot, top))
    for rise, foot, top in sorted(steps):
        if root(foot) != root(top) and rise <= MAX_CLIMB:
            home[root(foot)] = root(top)
            if rise > 1:
                yield foot, top


def map_text(grid: HeightGrid, title: str, cols: int, rows: int, most: int) -> str:
    """Return the source of a map with the heights of others.

    Args:
        grid: Heights of others.
        title: Title of the map.
        cols: Columns of the board, a multiple of 5.
        rows: Rows of the board.
        most: Highest level.
    """
    levels, grounds = levels_on(grid, cols, rows, most)
    north, south = start_cells(cols, rows)
    for cell in (*north, *south):
        grounds[cell] = ""
    blocked = {(r, c) for r in range(rows) for c in range(cols) if grounds[r, c] == "!"}
    lines = ["forge 1", f'title "{title}"', f"board {cols}x{rows}", "", "map {"]
    for row in range(rows):
        row_cells = (f"{levels[row, col] or ''}{grounds[row, col]}" or "." for col in range(cols))
        lines.append(f"  {' '.join(cell.ljust(3) for cell in row_cells)}".rstrip())
    lines.append("}")
    lines += [
        f"ladder {tile_name(foot)} -> {tile_name(top)}" for foot, top in ladders(levels, blocked)
    ]
    for side, cells in (("red", north), ("blue", south)):
        lines.append(f"start {side} at {', '.join(map(tile_name, sorted(cells)))}")
    return "\n".join(lines) + "\n"

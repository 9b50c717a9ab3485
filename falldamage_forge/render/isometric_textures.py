"""Textures of an isometric picture: flagstones in their grooves, turf, courses, level marks.

They are drawn where the printed parts have them: a groove between any two tiles, five courses a
level, and at each level a shadow joint under a plain band.
"""

from __future__ import annotations

from collections.abc import Iterator

from falldamage_forge.board import Tile
from falldamage_forge.render.display_list import Point
from falldamage_forge.render.isometric_projection import Spot
from falldamage_forge.render.paint_context import PaintContext, noise
from falldamage_forge.render.palette import tone

GROOVE = 0.045
"""Half the groove between two tiles, in tiles."""
CHAMFER = 0.035
SLIT_AT, SLITS = 0.2, (0.085, 0.125)
"""Distance of slits from the middle of a side, and their reach from it on base and blocks."""
COURSES = (0.0, 0.22, 0.40, 0.62, 0.78)
"""Lower edges of the courses of a level, in levels."""
STONE = 0.46
"""Approximate length of a stone in tiles."""
BAND = (-0.075, -0.045, 0.06)
"""Heights from a level: foot of the shadow joint, foot and head of the plain band above it."""
FLAGS: tuple[tuple[tuple[Point, ...], ...], ...] = (
    (((0.0, 0.58), (0.46, 0.54), (1.0, 0.60)), ((0.46, 0.54), (0.52, 0.0))),
    (((0.36, 0.0), (0.40, 0.5), (0.34, 1.0)), ((0.40, 0.5), (1.0, 0.44))),
    (((0.0, 0.34), (0.6, 0.38), (0.64, 1.0)), ((0.6, 0.38), (0.66, 0.0))),
    (((0.0, 0.66), (0.5, 0.62), (1.0, 0.36)), ((0.5, 0.62), (0.56, 1.0))),
)
"""Joints of flagstones on a tile, (row, col) from 0 to 1 within its grooves."""


def stone(sketch: PaintContext, tile: Tile, colour: str) -> None:
    """Draw the raised stone of a tile's top, with its lit and its shaded rim."""
    row, col = tile
    level = sketch.board.column(tile).level
    low, high, cut = GROOVE, 1 - GROOVE, GROOVE + CHAMFER
    corners = [(cut, low), (1 - cut, low), (high, cut), (high, 1 - cut)]
    corners += [(1 - cut, high), (cut, high), (low, 1 - cut), (low, cut)]
    path = sketch.at.path([(row + r, col + c, level) for r, c in corners])
    sketch.pen.fill(path, colour)
    sketch.pen.line((*path[6:], *path[:2]), sketch.palette.gleam, 1.1, 0.55)
    sketch.pen.line(path[2:6], sketch.palette.edge, 1.0, 0.34)


def joints(sketch: PaintContext, tile: Tile) -> None:
    """Draw the slits for bridges and ladders: two at each side, longer on blocks."""
    row, col = tile
    level = sketch.board.column(tile).level
    deep = SLITS[1] if level else SLITS[0]
    slits = []
    for along in (0.5 - SLIT_AT, 0.5 + SLIT_AT):
        for one, two in ((GROOVE, deep), (1 - deep, 1 - GROOVE)):
            slits.append([(row + one, col + along, level), (row + two, col + along, level)])
            slits.append([(row + along, col + one, level), (row + along, col + two, level)])
    paths = [sketch.at.path(slit) for slit in slits]
    sketch.pen.lines(paths, sketch.palette.edge, 1.3, 0.34)


def flags(sketch: PaintContext, tile: Tile) -> None:
    """Draw joints of paving in the stone of a tile; neighbours differ."""
    row, col = tile
    level = sketch.board.column(tile).level
    pick = FLAGS[int(noise(row, col, level, 21) * len(FLAGS)) % len(FLAGS)]
    turns = int(noise(col, row, 22) * 4) % 4
    inner = 1 - 2 * GROOVE

    def spot(point: Point) -> Spot:
        r, c = point
        for _ in range(turns):
            r, c = c, 1 - r
        return (row + GROOVE + inner * r, col + GROOVE + inner * c, level)

    paths = [sketch.at.path([spot(point) for point in line]) for line in pick]
    sketch.pen.lines(paths, sketch.palette.edge, 1.1, 0.30)


def turf(sketch: PaintContext, tile: Tile, colour: str) -> None:
    """Draw a few tufts of grass on bare ground."""
    row, col = tile
    blades = []
    for tuft in range(3):
        r = row + 0.2 + 0.6 * noise(row, col, tuft, 1)
        c = col + 0.16 + 0.62 * noise(row, col, tuft, 2)
        for lean in (-0.035, 0.0, 0.04):
            blades.append(sketch.at.path([(r, c + lean * 0.6, 0.0), (r - 0.05, c + lean * 1.9, 0)]))
    sketch.pen.lines(blades, tone(colour, 0.72), 1.1, 0.6)


def courses(sketch: PaintContext, tile: Tile, level: int, *, south: bool) -> None:
    """Draw joints of the stones of one level of a wall; they continue along the wall's tiles."""
    lying = [[(0.0, foot), (1.0, foot)] for foot in COURSES[1:]]
    lying += [[(along, foot), (along, head)] for along, foot, head in _ends(tile, level, south)]
    paths = [
        sketch.at.path([_on_wall(tile, level, point, south=south) for point in joint])
        for joint in lying
    ]
    sketch.pen.lines(paths, sketch.palette.edge, 0.9, 0.20)


def _ends(tile: Tile, level: int, south: bool) -> Iterator[tuple[float, float, float]]:
    """Yield upright joints of a level: position along the tile, lower and upper height."""
    first, line = (tile.col, tile.row) if south else (tile.row, tile.col)
    for number, foot in enumerate(COURSES):
        head = (*COURSES, 1.0)[number + 1]
        shift = STONE * noise(line, level, number, south, 31)
        place = -(-(first - shift) // STONE)
        while (along := place * STONE + shift - first) < 1.0:
            if 0.03 < along < 0.97:
                yield along, foot, head
            place += 1


def level_mark(sketch: PaintContext, tile: Tile, level: int, *, south: bool) -> None:
    """Draw the mark of a level on a wall: a shadow joint, and a plain band above it."""
    foot, middle, head = BAND

    def strip(low: float, high: float) -> tuple[Point, ...]:
        corners = [(0.0, low), (1.0, low), (1.0, high), (0.0, high)]
        return sketch.at.path([_on_wall(tile, level, point, south=south) for point in corners])

    palette, pen = sketch.palette, sketch.pen
    pen.fill(strip(foot, middle), palette.edge, 0.40)
    pen.fill(strip(middle, head), palette.gleam, 0.16)
    pen.line(strip(head, head)[:2], palette.edge, 0.8, 0.28)


def _on_wall(tile: Tile, level: int, point: Point, *, south: bool) -> Spot:
    """Return a point of a wall: along its tile, which runs east or north, and up from a level."""
    along, up = point
    if south:
        return (tile.row + 1, tile.col + along, level + up)
    return (tile.row + along, tile.col + 1, level + up)

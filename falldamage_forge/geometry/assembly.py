"""A whole table put together: no two parts share room, and every part rests on what is below.

Parts rest on one another or on the table. A part is held when, lowered a little, it presses on
something that is held itself; a deck must do so at both its ends.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from falldamage_forge import cache
from falldamage_forge.board import Tile
from falldamage_forge.geometry.build import fit_of, placement_transform, play_transform
from falldamage_forge.geometry.fits import Fit
from falldamage_forge.geometry.joints import OVERLAP_MM3, connectors_of, overlap_mm3
from falldamage_forge.geometry.kept import LIBRARIES
from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.geometry.solids import GeometryError, Solid, from_mesh, made
from falldamage_forge.geometry.sound import refuse_unsound
from falldamage_forge.geometry.standard import STANDARD
from falldamage_forge.geometry.stl import write_stl
from falldamage_forge.issues import ForgeError, Issue
from falldamage_forge.pieces.model import Placement
from falldamage_forge.printing.printer import Printer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]

DROP_MM = 0.3
"""So far a part is lowered to see what it rests on: blades lie a hair above their ledges."""
ABOVE_MM = 3.0
"""What begins and ends so much higher than another part is carried by it, and never carries it."""
SOLIDS = 64
"""So many parts are solids at once; a large map's would fill the memory."""
LIFTS_MM = (0.0, -DROP_MM, DROP_MM)
Shared = tuple[float, float, float]
"""Volumes that two parts share in mm³ as they stand, and with the second lowered and lifted."""


@dataclass(frozen=True, slots=True)
class AssemblyProof:
    """What was found of a table's parts. `clashes` are pairs of indices with mm³ they share.

    `floating` are the indices of parts that nothing holds, and of decks that lack the hold of an
    end. Indices count the placements.
    """

    placements: tuple[Placement, ...]
    pairs: int
    clashes: tuple[tuple[int, int, float], ...]
    floating: tuple[int, ...]

    def issues(self) -> Iterator[Issue]:
        """Why the table cannot be built as planned; nothing if it can."""
        for one, other, volume in self.clashes:
            a, b = self.placements[one], self.placements[other]
            tiles = ((a.tile.row, a.tile.col), (b.tile.row, b.tile.col))
            message = f"{_named(a)} and {_named(b)} share {volume:.2f} mm³"
            yield Issue("FDF433", "error", message, tiles=tiles)
        for index in self.floating:
            part = self.placements[index]
            tile = (part.tile.row, part.tile.col)
            what = "an end of " if _ends(part) else ""
            yield Issue("FDF434", "error", f"nothing holds {what}{_named(part)}", tiles=(tile,))


def _named(placement: Placement) -> str:
    return f"{placement.piece.key} at {placement.tile}, level {placement.level}"


def refuse_clashes(
    placements: Sequence[Placement], meshes: Mapping[str, Mesh], printer: Printer
) -> None:
    """ForgeError (FDF433, FDF434) with all faults of a table, or of a mesh that causes them."""
    try:
        issues = tuple(prove_assembly(placements, meshes, printer).issues())
    except GeometryError:
        _refuse_unsound(placements, meshes, printer)
        raise
    if issues:
        _refuse_unsound(placements, meshes, printer)
        raise ForgeError(issues)


def _refuse_unsound(
    placements: Sequence[Placement], meshes: Mapping[str, Mesh], printer: Printer
) -> None:
    """ForgeError where a mesh is no sound solid: then the table's faults follow from that."""
    for key in sorted({placement.piece.key for placement in placements}):
        refuse_unsound(write_stl(meshes[key], key), printer, key)


def prove_assembly(
    placements: Sequence[Placement], meshes: Mapping[str, Mesh], printer: Printer
) -> AssemblyProof:
    """Stand all parts of a plan on the table, as the meshes that are written, and look.

    The same table of the same meshes is looked at once: what was found is kept on disk.

    Args:
        placements: the parts, and where they stand.
        meshes: what is printed of each piece, by key, in print pose.
        printer: whose gaps they were made with.
    """
    fit = fit_of(printer)
    room = Path(__file__).resolve().parent
    stands = [_stands(placement, fit) for placement in placements]
    told = [[p.piece.key, p.piece.builder, p.quarter_turns, p.tiles()] for p in placements]
    sums = {key: _sum(meshes[key]) for key in sorted({p.piece.key for p in placements})}
    content = (json.dumps([told, sums]).encode(), *(matrix.tobytes() for matrix in stands))

    def look() -> bytes:
        pairs, clashes, floating = _looked(placements, stands, meshes, sums)
        return json.dumps([pairs, clashes, floating]).encode()

    found = json.loads(cache.remembered(room, LIBRARIES, "assembly", content, look))
    clashes = tuple((one, other, volume) for one, other, volume in found[1])
    return AssemblyProof(tuple(placements), found[0], clashes, tuple(found[2]))


def _looked(
    placements: Sequence[Placement],
    stands: Sequence[Matrix],
    meshes: Mapping[str, Mesh],
    sums: Mapping[str, str],
) -> tuple[int, list[tuple[int, int, float]], list[int]]:
    """How many pairs are near, which share how much room, and what nothing holds."""
    keys = [placement.piece.key for placement in placements]
    boxes = _boxes(keys, stands, meshes)
    pairs = list(_near(boxes))
    shares = _measured(pairs, keys, stands, boxes, meshes, sums)
    under: list[set[int]] = [set() for _ in placements]
    clashes = []
    for (one, other), (seated, lowered, lifted) in zip(pairs, shares, strict=True):
        if seated >= OVERLAP_MM3:
            clashes.append((one, other, seated))
        if lowered > seated + OVERLAP_MM3:
            under[other].add(one)
        if lifted > seated + OVERLAP_MM3:
            under[one].add(other)
    held = _held(_on_table(boxes), [_needs(placements, *each) for each in enumerate(under)])
    return len(pairs), clashes, [n for n in range(len(placements)) if n not in held]


def _stands(placement: Placement, fit: Fit) -> Matrix:
    """4x4: from print pose to the board."""
    matrix: Matrix = placement_transform(placement) @ play_transform(placement.piece, fit)
    return matrix


def _sum(mesh: Mesh) -> str:
    """A digest of a mesh: parts of equal ones meet alike."""
    digest = hashlib.sha256(mesh.vertices.tobytes())
    digest.update(mesh.faces.tobytes())
    return digest.hexdigest()


def _boxes(
    keys: Sequence[str], stands: Sequence[Matrix], meshes: Mapping[str, Mesh]
) -> NDArray[np.float64]:
    """(n, 6): least and greatest x, y, z of each part where it stands, for turns by quarters."""
    import numpy as np

    own = {key: np.array(meshes[key].bounds_mm()) for key in set(keys)}
    corners = np.array([own[key] for key in keys])
    matrices = np.array(stands)
    ends = np.einsum("nij,nkj->nki", matrices[:, :3, :3], corners) + matrices[:, None, :3, 3]
    return np.concatenate([ends.min(axis=1), ends.max(axis=1)], axis=1)


def _near(sides: NDArray[np.float64]) -> Iterator[tuple[int, int]]:
    """Pairs whose boxes overlap, or would if one of them were lowered, each once."""
    import numpy as np

    for index in range(len(sides)):
        low, high = sides[index, :3], sides[index, 3:]
        rest = sides[index + 1 :]
        flat = ((rest[:, :2] < high[:2]) & (rest[:, 3:5] > low[:2])).all(axis=1)
        near = flat & (rest[:, 2] < high[2] + DROP_MM) & (rest[:, 5] > low[2] - DROP_MM)
        for other in np.flatnonzero(near):
            yield index, index + 1 + int(other)


def _measured(
    pairs: Sequence[tuple[int, int]],
    keys: Sequence[str],
    stands: Sequence[Matrix],
    boxes: NDArray[np.float64],
    meshes: Mapping[str, Mesh],
    sums: Mapping[str, str],
) -> list[Shared]:
    """What each pair shares; measured once for each way in which two parts can lie."""
    import numpy as np

    @lru_cache(maxsize=SOLIDS)
    def solid(key: str) -> Solid:
        return made(from_mesh(meshes[key]))

    back: list[Matrix] = [np.linalg.inv(matrix).astype(np.float64) for matrix in stands]
    asked: dict[Meeting, tuple[int, int]] = {}
    ways: list[Meeting] = []
    for one, other in pairs:
        pose = np.round(back[one] @ stands[other], 4) + 0.0
        carried = bool((boxes[other, [2, 5]] > boxes[one, [2, 5]] + ABOVE_MM).all())
        way = (sums[keys[one]], sums[keys[other]], pose.tobytes(), carried)
        asked.setdefault(way, (one, other))
        ways.append(way)
    # In the order of the parts, so that few of them are solids at a time.
    for way, (one, other) in sorted(asked.items(), key=lambda item: item[0]):
        if way not in _KNOWN:
            a, b = solid(keys[one]), solid(keys[other])
            lifts = LIFTS_MM[:2] if way[3] else LIFTS_MM
            volumes = [_shared(a, b, back[one], stands[other], lift) for lift in lifts]
            _KNOWN[way] = (volumes[0], volumes[1], volumes[-1] if len(lifts) == 3 else 0.0)
    found = [_KNOWN[way] for way in ways]
    while len(_KNOWN) > MOST_KNOWN:
        del _KNOWN[next(iter(_KNOWN))]
    return found


def _shared(a: Solid, b: Solid, back: Matrix, there: Matrix, lift_mm: float) -> float:
    """Volume that a part shares with another that is lifted; in the print pose of the first.

    A lift of the second is a drop of the first.
    """
    lifted = there.copy()
    lifted[2, 3] += lift_mm
    return overlap_mm3(a, b.transform((back @ lifted)[:3].tolist()))


Meeting = tuple[str, str, bytes, bool]
"""Digests of two meshes, where the second lies seen from the first, and whether it is above it."""
MOST_KNOWN = 20_000
_KNOWN: dict[Meeting, Shared] = {}
"""What was measured in this process, the oldest first."""


def _on_table(boxes: NDArray[np.float64]) -> set[int]:
    """Parts that touch the table on which the base lies, once they are lowered."""
    return {n for n, box in enumerate(boxes) if box[2] - DROP_MM <= -STANDARD.base_mm}


def _ends(placement: Placement) -> tuple[Tile, ...]:
    """The two tiles that a deck hangs between; none for other parts."""
    if connectors_of(placement.piece).enters != "blades":
        return ()
    tiles = placement.tiles()
    first, last = tiles[0], tiles[-1]
    row, col = (0, 1) if placement.quarter_turns % 2 == 0 else (1, 0)
    return Tile(first.row - row, first.col - col), Tile(last.row + row, last.col + col)


def _needs(placements: Sequence[Placement], index: int, under: set[int]) -> list[set[int]]:
    """Sets of parts of each of which one must be held, so that a part is: a deck has two."""
    ends = _ends(placements[index])
    if not ends:
        return [under]
    return [{each for each in under if end in placements[each].tiles()} for end in ends]


def _held(rests: set[int], needs: Sequence[list[set[int]]]) -> set[int]:
    """Everything held by the table, directly or over other parts."""
    found: set[int] = set()
    more = rests
    while more:
        found |= more
        more = {
            index
            for index, groups in enumerate(needs)
            if index not in found and all(group & found for group in groups)
        }
    return found

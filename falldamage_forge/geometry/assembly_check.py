"""Assembly check of a whole board: no two parts intersect, and every part is supported.

Support is found by lowering parts: part B rests on part A if B, lowered by `DROP_MM`, intersects A.
A part is held if the table or a held part supports it; a deck needs that at both of its ends. Pairs
are preselected by bounding boxes, and equal pairs are measured once. Results are cached on disk,
those of pairs by the digests of both meshes and their relative pose; the pairs of the preset maps
come with the package. `build` refuses to write what fails; `fdforge prove` reports it.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from falldamage_forge.board import Tile
from falldamage_forge.geometry import shipped_parts
from falldamage_forge.geometry.connector_standard import STANDARD
from falldamage_forge.geometry.csg import GeometryError, Solid, force_evaluation, from_mesh
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.joint_check import OVERLAP_MM3, connectors_of, overlap_mm3
from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.geometry.mesh_cache import LIBRARIES, cache_version, sources_version
from falldamage_forge.geometry.mesh_validation import require_valid_stl
from falldamage_forge.geometry.piece_mesh import build, fit_of, placement_transform, play_transform
from falldamage_forge.geometry.stl import write_stl
from falldamage_forge.infra import disk_cache
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import ForgeError, Issue
from falldamage_forge.pieces.building_order import end_tiles
from falldamage_forge.pieces.piece import Placement
from falldamage_forge.printing.printer import Printer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from falldamage_forge.geometry.piece_style import PieceStyle

    Matrix = NDArray[np.float64]

DROP_MM = 0.3
"""Distance that a part is lowered to find its supports; blades lie slightly above their ledges."""
ABOVE_MM = 3.0
"""A part whose bottom and top are this much higher than another's never supports that part."""
SOLIDS = 64
"""Solids in memory at a time."""
LIFTS_MM = (0.0, -DROP_MM, DROP_MM)
Shared = tuple[float, float, float]
"""Shared volume of two parts in mm³: as placed, with the second lowered, with it lifted."""


@dataclass(frozen=True, slots=True)
class AssemblyReport:
    """Result of an assembly check.

    `pairs` counts the pairs measured. `clashes` are pairs of indices with the mm³ they share.
    `floating` are the indices of unsupported parts, and of decks with an unsupported end. Indices
    count the placements.
    """

    placements: tuple[Placement, ...]
    pairs: int
    clashes: tuple[tuple[int, int, float], ...]
    floating: tuple[int, ...]

    def issues(self) -> Iterator[Issue]:
        """Yield an issue for each clash and each unsupported part."""
        for one, other, volume in self.clashes:
            a, b = self.placements[one], self.placements[other]
            tiles = ((a.tile.row, a.tile.col), (b.tile.row, b.tile.col))
            message = f"{a.described} and {b.described} share {volume:.2f} mm³"
            yield Issue("FDF433", "error", message, tiles=tiles)
        for index in self.floating:
            part = self.placements[index]
            tile = (part.tile.row, part.tile.col)
            what = "an end of " if _ends(part) else ""
            yield Issue("FDF434", "error", f"nothing holds {what}{part.described}", tiles=(tile,))


def refuse_clashes(
    placements: Sequence[Placement], meshes: Mapping[str, Mesh], printer: Printer
) -> None:
    """Raise an error if parts of a board intersect or float.

    Args:
        placements: Parts and their positions.
        meshes: Mesh of each piece by key, in print pose.
        printer: Printer whose gaps the meshes have.

    Raises:
        ForgeError: (FDF433, FDF434) Lists every clash and unsupported part; or the issues of the
            first mesh that is not a valid solid, if one is.
    """
    try:
        issues = tuple(check_assembly(placements, meshes, printer).issues())
    except GeometryError:
        _refuse_unsound(placements, meshes, printer)
        raise
    if issues:
        _refuse_unsound(placements, meshes, printer)
        raise ForgeError(issues)


def _refuse_unsound(
    placements: Sequence[Placement], meshes: Mapping[str, Mesh], printer: Printer
) -> None:
    """Raise ForgeError for a mesh that is not a valid solid: it explains the other issues."""
    for key in sorted({placement.piece.key for placement in placements}):
        require_valid_stl(write_stl(meshes[key], key), printer, key)


def check_assembly(
    placements: Sequence[Placement], meshes: Mapping[str, Mesh], printer: Printer
) -> AssemblyReport:
    """Check all parts of a plan at their places, as the meshes that are written.

    The result is cached on disk, keyed by the meshes and their transforms.

    Args:
        placements: Parts and their positions.
        meshes: Mesh of each piece by key, in print pose.
        printer: Printer whose gaps the meshes have.
    """
    fit = fit_of(printer)
    package = Path(__file__).resolve().parent
    transforms = [_stands(placement, fit) for placement in placements]
    described = [[p.piece.key, p.piece.builder, p.quarter_turns, p.tiles()] for p in placements]
    sums = {key: meshes[key].digest() for key in sorted({p.piece.key for p in placements})}
    content = (json.dumps([described, sums]).encode(), *(matrix.tobytes() for matrix in transforms))

    def measure() -> bytes:
        pairs, clashes, floating = _looked(placements, transforms, meshes, sums)
        return json.dumps([pairs, clashes, floating]).encode()

    result = json.loads(disk_cache.get_or_compute(package, LIBRARIES, "assembly", content, measure))
    clashes = tuple((one, other, volume) for one, other, volume in result[1])
    return AssemblyReport(tuple(placements), result[0], clashes, tuple(result[2]))


def _looked(
    placements: Sequence[Placement],
    stands: Sequence[Matrix],
    meshes: Mapping[str, Mesh],
    sums: Mapping[str, str],
) -> tuple[int, list[tuple[int, int, float]], list[int]]:
    """Return the number of near pairs, the clashes, and the indices of unsupported parts."""
    keys = [placement.piece.key for placement in placements]
    boxes = _boxes(keys, stands, meshes)
    pairs, _, shares = _met(keys, stands, boxes, meshes, sums)
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


def _met(
    keys: Sequence[str],
    stands: Sequence[Matrix],
    boxes: NDArray[np.float64],
    meshes: Mapping[str, Mesh],
    sums: Mapping[str, str],
) -> tuple[list[tuple[int, int]], list[Meeting], list[Shared]]:
    """Return the near pairs of placed parts, how each meets, and the volumes that it shares."""
    pairs = list(_near(boxes))
    meetings = _meetings(pairs, keys, stands, boxes, sums)
    return pairs, meetings, _measured(pairs, meetings, keys, stands, meshes)


def _stands(placement: Placement, fit: DesignParameters) -> Matrix:
    """Return the 4x4 transform from print pose to the board."""
    matrix: Matrix = placement_transform(placement) @ play_transform(placement.piece, fit)
    return matrix


def _boxes(
    keys: Sequence[str], stands: Sequence[Matrix], meshes: Mapping[str, Mesh]
) -> NDArray[np.float64]:
    """Return the box of each placed part, shape (n, 6): least x, y, z, then greatest x, y, z."""
    import numpy as np

    own = {key: np.array(meshes[key].bounds_mm()) for key in set(keys)}
    corners = np.array([own[key] for key in keys])
    matrices = np.array(stands)
    ends = np.einsum("nij,nkj->nki", matrices[:, :3, :3], corners) + matrices[:, None, :3, 3]
    return np.concatenate([ends.min(axis=1), ends.max(axis=1)], axis=1)


def _near(sides: NDArray[np.float64]) -> Iterator[tuple[int, int]]:
    """Yield each pair whose boxes overlap, or would overlap if one were lowered by `DROP_MM`."""
    import numpy as np

    for index in range(len(sides)):
        low, high = sides[index, :3], sides[index, 3:]
        rest = sides[index + 1 :]
        flat = ((rest[:, :2] < high[:2]) & (rest[:, 3:5] > low[:2])).all(axis=1)
        near = flat & (rest[:, 2] < high[2] + DROP_MM) & (rest[:, 5] > low[2] - DROP_MM)
        for other in np.flatnonzero(near):
            yield index, index + 1 + int(other)


def _meetings(
    pairs: Sequence[tuple[int, int]],
    keys: Sequence[str],
    stands: Sequence[Matrix],
    boxes: NDArray[np.float64],
    sums: Mapping[str, str],
) -> list[Meeting]:
    """Return how each pair meets."""
    import numpy as np

    back: list[Matrix] = [np.linalg.inv(matrix).astype(np.float64) for matrix in stands]
    meetings: list[Meeting] = []
    for one, other in pairs:
        pose = np.round(back[one] @ stands[other], 4) + 0.0
        carried = bool((boxes[other, [2, 5]] > boxes[one, [2, 5]] + ABOVE_MM).all())
        meetings.append((sums[keys[one]], sums[keys[other]], pose.tobytes(), carried))
    return meetings


def _measured(
    pairs: Sequence[tuple[int, int]],
    meetings: Sequence[Meeting],
    keys: Sequence[str],
    stands: Sequence[Matrix],
    meshes: Mapping[str, Mesh],
) -> list[Shared]:
    """Return the volumes that each pair shares; equal relative poses are measured once."""
    import numpy as np

    @lru_cache(maxsize=SOLIDS)
    def solid(key: str) -> Solid:
        return force_evaluation(from_mesh(meshes[key]))

    first_pair: dict[Meeting, tuple[int, int]] = {}
    for meeting, pair in zip(meetings, pairs, strict=True):
        first_pair.setdefault(meeting, pair)
    shipped = shipped_volumes()
    # In the order of the parts, so that few of them are solids at a time.
    for meeting, (one, other) in sorted(first_pair.items(), key=lambda item: item[0]):
        if meeting not in _KNOWN:

            def measure(one: int = one, other: int = other, above: bool = meeting[3]) -> Shared:
                a, b = solid(keys[one]), solid(keys[other])
                back: Matrix = np.linalg.inv(stands[one]).astype(np.float64)
                lifts = LIFTS_MM[:2] if above else LIFTS_MM
                volumes = [_shared(a, b, back, stands[other], lift) for lift in lifts]
                return (volumes[0], volumes[1], volumes[-1] if len(lifts) == 3 else 0.0)

            found = shipped.get(_digest(meeting)) if shipped else None
            _KNOWN[meeting] = found or _stored(meeting, measure)
    volumes_by_pair = [_KNOWN[meeting] for meeting in meetings]
    while len(_KNOWN) > MOST_KNOWN:
        del _KNOWN[next(iter(_KNOWN))]
    return volumes_by_pair


def pair_volumes(
    placements: Sequence[Placement], printer: Printer, style: PieceStyle
) -> dict[bytes, Shared]:
    """Return the volumes that near parts of a plan share, by the digest of their meeting.

    Args:
        placements: Parts and their positions.
        printer: Printer whose gaps the parts have.
        style: Looks of the parts.
    """
    pieces = {one.piece.key: one.piece for one in placements}
    meshes = {key: build(piece, printer, style) for key, piece in pieces.items()}
    transforms = [_stands(placement, fit_of(printer)) for placement in placements]
    sums = {key: mesh.digest() for key, mesh in meshes.items()}
    keys = [placement.piece.key for placement in placements]
    boxes = _boxes(keys, transforms, meshes)
    _, meetings, shares = _met(keys, transforms, boxes, meshes, sums)
    return {_digest(one): shared for one, shared in zip(meetings, shares, strict=True)}


def pack_volumes(volumes: Mapping[bytes, Shared]) -> bytes:
    """Return the shipped entry of `pair_volumes`: digests with their volumes, in their order."""
    return b"".join(key + _VOLUMES.pack(*volumes[key]) for key in sorted(volumes))


@cache
def _unpacked(sources: str) -> Mapping[bytes, Shared]:
    """Return the pairs that these sources shipped."""
    body = shipped_parts.entry(sources, SHIPPED_PAIRS) or b""
    each = _DIGEST_BYTES + _VOLUMES.size
    found = {}
    for at in range(0, len(body), each):
        seated, lowered, lifted = _VOLUMES.unpack_from(body, at + _DIGEST_BYTES)
        found[body[at : at + _DIGEST_BYTES]] = (seated, lowered, lifted)
    return found


def shipped_volumes() -> Mapping[bytes, Shared]:
    """Return the pairs that came with the package; none if the cache is off."""
    if cache_version() is None or not disk_cache.is_enabled():
        return {}
    return _unpacked(sources_version())


def _digest(meeting: Meeting) -> bytes:
    """Return the digest of a meeting."""
    one, other, pose, above = meeting
    return hashlib.sha256(b"".join((one.encode(), other.encode(), pose, bytes([above])))).digest()


def _stored(meeting: Meeting, measure: Callable[[], Shared]) -> Shared:
    """Return the volumes of a pair from the disk cache; measure and store them on a miss."""
    package = Path(__file__).resolve().parent
    one, other, pose, above = meeting
    content = (one.encode(), other.encode(), pose, bytes([above]))

    def packed() -> bytes:
        return _VOLUMES.pack(*measure())

    found = disk_cache.get_or_compute(package, LIBRARIES, "meeting", content, packed)
    if len(found) != _VOLUMES.size:
        return measure()
    seated, lowered, lifted = _VOLUMES.unpack(found)
    return seated, lowered, lifted


def _shared(a: Solid, b: Solid, back: Matrix, there: Matrix, lift_mm: float) -> float:
    """Return the volume that a part shares with another that is lifted by `lift_mm`.

    The volume is measured in the print pose of the first. To lift the second is to drop the first.
    """
    lifted = there.copy()
    lifted[2, 3] += lift_mm
    return overlap_mm3(a, b.transform((back @ lifted)[:3].tolist()))


Meeting = tuple[str, str, bytes, bool]
"""Digests of two meshes, pose of the second relative to the first, true if it lies above."""
_VOLUMES = struct.Struct("<3d")
_DIGEST_BYTES = 32
SHIPPED_PAIRS = "pairs"
"""Key of the shipped entry with the volumes of the preset maps' pairs."""
MOST_KNOWN = 20_000
_KNOWN: dict[Meeting, Shared] = {}
"""Memo of measured volumes, the oldest first."""


def _on_table(boxes: NDArray[np.float64]) -> set[int]:
    """Return the parts that touch the table below the baseplate once they are lowered."""
    return {n for n, box in enumerate(boxes) if box[2] - DROP_MM <= -STANDARD.base_mm}


def _ends(placement: Placement) -> tuple[Tile, ...]:
    """Return the two tiles that support a deck; none for other parts."""
    if connectors_of(placement.piece).enters != "blades":
        return ()
    return end_tiles(placement)


def _needs(placements: Sequence[Placement], index: int, under: set[int]) -> list[set[int]]:
    """Return sets of parts, at least one of each of which must be held; a deck has two sets."""
    ends = _ends(placements[index])
    if not ends:
        return [under]
    return [{each for each in under if end in placements[each].tiles()} for end in ends]


def _held(rests: set[int], needs: Sequence[list[set[int]]]) -> set[int]:
    """Return the parts that the table supports, directly or through other parts."""
    held: set[int] = set()
    added = rests
    while added:
        held |= added
        added = {
            index
            for index, groups in enumerate(needs)
            if index not in held and all(group & held for group in groups)
        }
    return held

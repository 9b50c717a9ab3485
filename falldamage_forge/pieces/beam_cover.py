"""Exact cover of columns by blocks without a solver: beam search with a dual bound.

Subgradient steps find voxel prices such that no block costs less than its voxels are worth. The sum
of all prices is then a lower bound on every cover, and each block is charged what it costs beyond
its voxels' prices. The search fills voxels in a fixed order, keeps the least charged cover of each
filled set, and at each voxel at most `width` covers. The answer is optimal if no cover was dropped.
Whole numbers and a fixed order make the answer the same on every machine.

`exact_cover` calls it where HiGHS is not installed, for example in a browser.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from falldamage_forge.board import Tile
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.pieces.block_candidates import BlockCandidates

ROUNDS = 120
"""Rounds of the subgradient method."""
WIDTHS = (40, 1200)
"""Beam widths, tried in order: the first finds a good cover, the second often proves it."""


@dataclass(frozen=True, slots=True)
class BeamCover:
    """Result of a beam search.

    `taken` holds indices of candidates, `bound` a lower bound on the weight of every cover;
    `proved` is true if no cover weighs less.
    """

    taken: tuple[int, ...]
    bound: float
    proved: bool


def beam_search_cover(
    spots: BlockCandidates, weights: Sequence[int], widths: Sequence[int] = WIDTHS
) -> BeamCover | None:
    """Return the lightest cover that the search finds.

    Args:
        spots: Block candidates and the voxels that each fills.
        weights: Weight of each candidate, one per entry of `spots.laid`.
        widths: Beam widths to try in order; the search stops at the first that proves its answer.

    Returns:
        The cover with its lower bound; None if no cover was found.
    """
    prices = _prices(spots, weights)
    bound = sum(prices)
    charges = [
        max(0.0, weight - sum(prices[voxel] for voxel in voxels))
        for weight, voxels in zip(weights, spots.voxels, strict=True)
    ]
    best: tuple[int, ...] | None = None
    room, proved = float("inf"), False
    for width in widths:
        cover, charge, complete = _sweep(spots, charges, room, width)
        if cover is not None:
            best, room = cover, charge
        if complete:
            proved = True
            break
    if best is None:
        return None
    return BeamCover(best, sum(weights[n] for n in best) if proved else bound, proved)


def _prices(spots: BlockCandidates, weights: Sequence[int]) -> list[float]:
    """Return the price of each voxel such that no candidate's voxels cost more than its weight.

    Voxels that several cheap candidates fill become cheaper, voxels that none fills become dearer
    (subgradient of the relaxed cover). Steps shrink; the best prices are returned.
    """
    count = len(spots.numbers)
    share = [float("inf")] * count
    for weight, voxels in zip(weights, spots.voxels, strict=True):
        for voxel in voxels:
            share[voxel] = min(share[voxel], weight / len(voxels))
    prices, best, most = share[:], share[:], sum(share)
    step = 0.25 * most / max(1, count)
    for _ in range(ROUNDS):
        needs = [1] * count
        for weight, voxels in zip(weights, spots.voxels, strict=True):
            if weight < sum([prices[voxel] for voxel in voxels]):
                for voxel in voxels:
                    needs[voxel] -= 1
        prices = [price + step * need for price, need in zip(prices, needs, strict=True)]
        sound = _sound(spots, weights, prices)
        if sum(sound) > most:
            best, most = sound, sum(sound)
        step *= 0.97
    return best


def _sound(spots: BlockCandidates, weights: Sequence[int], prices: Sequence[float]) -> list[float]:
    """Lower prices until no candidate is worth more than its weight, then raise them again."""
    sound = list(prices)
    room = [float("inf")] * len(sound)
    for weight, voxels in zip(weights, spots.voxels, strict=True):
        over = sum([sound[voxel] for voxel in voxels]) - weight
        if over > 0:
            for voxel in voxels:
                sound[voxel] -= over / len(voxels)
    for weight, voxels in zip(weights, spots.voxels, strict=True):
        left = (weight - sum([sound[voxel] for voxel in voxels])) / len(voxels)
        for voxel in voxels:
            room[voxel] = min(room[voxel], left)
    return [price + more for price, more in zip(sound, room, strict=True)]


def _sweep(
    spots: BlockCandidates, charges: Sequence[float], room: float, width: int
) -> tuple[tuple[int, ...] | None, float, bool]:
    """Return the least charged cover below `room`, its charge, and true if no cover was dropped.

    A result without a cover and without a dropped cover proves that none exists.
    """
    order = sorted(spots.numbers, key=_along(spots))
    bit = {spots.numbers[position]: 1 << number for number, position in enumerate(order)}
    starting: list[list[tuple[float, int, int]]] = [[] for _ in order]
    for number, voxels in enumerate(spots.voxels):
        if charges[number] < room:
            mask = sum(bit[voxel] for voxel in voxels)
            first = (mask & -mask).bit_length() - 1
            starting[first].append((charges[number], mask, number))
    # Covers by what they fill: charge, last spot, and what they filled before it.
    layers: list[dict[int, tuple[float, int, int]]] = [{} for _ in range(len(order) + 1)]
    layers[0][0] = (0.0, -1, 0)
    full, complete = (1 << len(order)) - 1, True
    for position, starts in enumerate(starting):
        covers = sorted(layers[position].items(), key=lambda item: (item[1][0], item[0]))
        complete = complete and len(covers) <= width
        survivors = dict(covers[:width])
        layers[position] = survivors
        for filled, (charge, _, _) in survivors.items():
            for extra, mask, number in starts:
                if filled & mask or charge + extra >= room - 1e-6:
                    continue
                filled_after = filled | mask
                layer = layers[(~filled_after & (filled_after + 1)).bit_length() - 1]
                before = layer.get(filled_after)
                if before is None or charge + extra < before[0]:
                    layer[filled_after] = (charge + extra, number, filled)
    if full not in layers[-1]:
        return None, room, complete
    return _walked(layers, full), layers[-1][full][0], complete


def _walked(layers: Sequence[dict[int, tuple[float, int, int]]], full: int) -> tuple[int, ...]:
    """Return the candidates that led to a full cover, sorted."""
    taken, filled = [], full
    while filled:
        _, number, filled = layers[(~filled & (filled + 1)).bit_length() - 1][filled]
        taken.append(number)
    return tuple(sorted(taken))


def _along(spots: BlockCandidates) -> Callable[[tuple[Tile, int]], tuple[int, int, int]]:
    """Return a sort key that runs along the longer side, so that few half-filled voxels remain."""
    tiles = [tile for tile, _ in spots.numbers]
    deep = max(tile.row for tile in tiles) - min(tile.row for tile in tiles)
    wide = max(tile.col for tile in tiles) - min(tile.col for tile in tiles)
    if deep >= wide:
        return lambda place: (place[0].row, place[0].col, place[1])
    return lambda place: (place[0].col, place[0].row, place[1])

"""Columns to blocks at the least cost without a solver: our own search, which says what it proved.

Prices of voxels are looked for such that no block costs less than what it fills is worth: then all
voxels together are a bound on every cover, and each block taken is charged what it costs beyond.
Voxels are filled one after the other in a fixed order; of covers that fill the same voxels only the
least charged is kept, and of all that are left at a voxel so many of the least charged. Where none
had to be dropped the answer is proved. Whole numbers and one order make it the same everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from falldamage_forge.board import Tile
from falldamage_forge.pieces.spots import Spots

ROUNDS = 120
"""Rounds of mending the prices."""
WIDTHS = (40, 1200)
"""How many covers are kept at a voxel: to find a good one, then to prove it the least."""


@dataclass(frozen=True, slots=True)
class Filled:
    """Which of the spots are taken, what no cover costs less than, and whether that was proved."""

    taken: tuple[int, ...]
    bound: float
    proved: bool


def fill(spots: Spots, weights: Sequence[int], widths: Sequence[int] = WIDTHS) -> Filled | None:
    """The least cover found of spots that weigh so much; None when no cover is found."""
    prices = _prices(spots, weights)
    bound = sum(prices)
    charges = [
        max(0.0, weight - sum(prices[voxel] for voxel in voxels))
        for weight, voxels in zip(weights, spots.voxels, strict=True)
    ]
    best: tuple[int, ...] | None = None
    room, proved = float("inf"), False
    for width in widths:
        found, charge, whole = _sweep(spots, charges, room, width)
        if found is not None:
            best, room = found, charge
        if whole:
            proved = True
            break
    if best is None:
        return None
    return Filled(best, sum(weights[n] for n in best) if proved else bound, proved)


def _prices(spots: Spots, weights: Sequence[int]) -> list[float]:
    """What each voxel is worth, no spot's voxels together more than the spot weighs.

    Voxels that too many good spots fill become cheaper, those that none fills dearer (the
    subgradient of the relaxed cover), with steps that become smaller; the best prices are kept.
    """
    count = len(spots.numbers)
    share = [float("inf")] * count
    for weight, voxels in zip(weights, spots.voxels, strict=True):
        for voxel in voxels:
            share[voxel] = min(share[voxel], weight / len(voxels))
    prices, best, most = share[:], share[:], sum(share)
    step = 0.25 * most / max(1, count)
    for _ in range(ROUNDS):
        wanted = [1] * count
        for weight, voxels in zip(weights, spots.voxels, strict=True):
            if weight < sum([prices[voxel] for voxel in voxels]):
                for voxel in voxels:
                    wanted[voxel] -= 1
        prices = [price + step * want for price, want in zip(prices, wanted, strict=True)]
        sound = _sound(spots, weights, prices)
        if sum(sound) > most:
            best, most = sound, sum(sound)
        step *= 0.97
    return best


def _sound(spots: Spots, weights: Sequence[int], prices: Sequence[float]) -> list[float]:
    """The prices lowered until no spot is worth more than it weighs, then raised where they can."""
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
    spots: Spots, charges: Sequence[float], room: float, width: int
) -> tuple[tuple[int, ...] | None, float, bool]:
    """The least charged cover below `room`, its charge, and whether nothing had to be dropped.

    Nothing found and nothing dropped proves that there is none.
    """
    order = sorted(spots.numbers, key=_along(spots))
    bit = {spots.numbers[place]: 1 << number for number, place in enumerate(order)}
    starting: list[list[tuple[float, int, int]]] = [[] for _ in order]
    for number, voxels in enumerate(spots.voxels):
        if charges[number] < room:
            mask = sum(bit[voxel] for voxel in voxels)
            first = (mask & -mask).bit_length() - 1
            starting[first].append((charges[number], mask, number))
    # Covers by what they fill: charge, last spot, and what they filled before it.
    layers: list[dict[int, tuple[float, int, int]]] = [{} for _ in range(len(order) + 1)]
    layers[0][0] = (0.0, -1, 0)
    full, whole = (1 << len(order)) - 1, True
    for place, starts in enumerate(starting):
        covers = sorted(layers[place].items(), key=lambda item: (item[1][0], item[0]))
        whole = whole and len(covers) <= width
        kept = dict(covers[:width])
        layers[place] = kept
        for filled, (charge, _, _) in kept.items():
            for more, mask, number in starts:
                if filled & mask or charge + more >= room - 1e-6:
                    continue
                now = filled | mask
                layer = layers[(~now & (now + 1)).bit_length() - 1]
                before = layer.get(now)
                if before is None or charge + more < before[0]:
                    layer[now] = (charge + more, number, filled)
    if full not in layers[-1]:
        return None, room, whole
    return _walked(layers, full), layers[-1][full][0], whole


def _walked(layers: Sequence[dict[int, tuple[float, int, int]]], full: int) -> tuple[int, ...]:
    """The spots that led to a full cover, in the order of the spots."""
    taken, filled = [], full
    while filled:
        _, number, filled = layers[(~filled & (filled + 1)).bit_length() - 1][filled]
        taken.append(number)
    return tuple(sorted(taken))


def _along(spots: Spots) -> Callable[[tuple[Tile, int]], tuple[int, int, int]]:
    """Voxels sorted along the longer side, so that few half-filled ones lie at the edge."""
    tiles = [tile for tile, _ in spots.numbers]
    deep = max(tile.row for tile in tiles) - min(tile.row for tile in tiles)
    wide = max(tile.col for tile in tiles) - min(tile.col for tile in tiles)
    if deep >= wide:
        return lambda place: (place[0].row, place[0].col, place[1])
    return lambda place: (place[0].col, place[0].row, place[1])

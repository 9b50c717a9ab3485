"""Variants: pieces that mate alike and look different, spread so that neighbours differ.

Plans, stocks and covers know the design alone, its variant 0. What is made and listed is dressed:
each part as the variant that it is printed in.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from string import ascii_lowercase

from falldamage_forge.board import DIRECTIONS, Tile
from falldamage_forge.pieces.model import Piece, Placement
from falldamage_forge.pieces.plan import Plan

ALL = 8
"""More variants than any piece has."""
GROUNDED: Mapping[str, int] = {"block": 3}
"""The variant of a family that stands on the base alone, since it has doors."""


def variant(piece: Piece, number: int) -> Piece:
    """One of a piece's variants; number 0 is the piece itself. ValueError beyond its last one."""
    if not 0 <= number < piece.variants:
        raise ValueError(f"{piece.key} has no variant {number}")
    if number == piece.variant:
        return piece
    letter = ascii_lowercase[number]
    title = f"{piece.title}, variant {letter.upper()}"
    return replace(piece, key=f"{piece.key}-{letter}", title=title, variant=number)


def variants_of(piece: Piece, most: int = ALL) -> tuple[Piece, ...]:
    """A piece in all its variants, or the first `most` of them."""
    return tuple(variant(piece, number) for number in range(min(piece.variants, max(most, 1))))


def dressed(plan: Plan, most: int = ALL) -> Plan:
    """The plan with a variant for each placement, other than those that touch it where that can be.

    Chosen by tile, level and design alone: the same plan is dressed alike wherever it is.
    """
    shown: dict[tuple[str, Tile], list[tuple[int, int]]] = {}
    used: Counter[tuple[str, int]] = Counter()
    placements = []
    for placement in plan.placements:
        piece = placement.piece
        number = _choice(placement, most, shown, used)
        used[piece.key, number] += 1
        for tile in _tiles(placement):
            shown.setdefault((piece.family, tile), []).append((placement.level, number))
        placements.append(replace(placement, piece=variant(piece, number)))
    return replace(plan, placements=tuple(placements))


def _tiles(placement: Placement) -> tuple[Tile, ...]:
    return placement.tiles() or (placement.tile,)


def _choice(
    placement: Placement,
    most: int,
    shown: Mapping[tuple[str, Tile], list[tuple[int, int]]],
    used: Counter[tuple[str, int]],
) -> int:
    """The variant of one placement: the least used of those that no neighbour shows."""
    piece = placement.piece
    numbers = list(range(min(piece.variants, max(most, 1))))
    if len(numbers) == 1:
        return 0
    if placement.level > 0 and GROUNDED.get(piece.family) in numbers:
        numbers.remove(GROUNDED[piece.family])
    beside = {
        number
        for tile in _tiles(placement)
        for row, col in (*DIRECTIONS, (0, 0))
        for _, number in shown.get((piece.family, Tile(tile.row + row, tile.col + col)), [])
    }
    free = [number for number in numbers if number not in beside] or numbers
    chance = random.Random(f"{piece.key} {placement.tile} {placement.level}")
    order = {number: (used[piece.key, number], chance.random()) for number in free}
    return min(free, key=order.__getitem__)


def shared_out(
    counts: Mapping[str, int], pieces: Mapping[str, Piece], most: int = ALL
) -> tuple[dict[str, int], dict[str, Piece]]:
    """Parts of a kit spread evenly over the variants of their pieces."""
    found, drawn = {}, {}
    for key, count in counts.items():
        own = variants_of(pieces[key], most)
        for number, piece in enumerate(own):
            share = count // len(own) + (number < count % len(own))
            if share or (number == 0 and not count):
                found[piece.key], drawn[piece.key] = share, piece
    return dict(sorted(found.items())), dict(sorted(drawn.items()))


def allotted(
    counts: Mapping[str, int], pieces: Mapping[str, Piece], owned: Mapping[str, int]
) -> dict[str, int]:
    """How many parts of each variant are owned, where `owned` counts parts of designs.

    What the first variant leaves of a design stands in for the others, in their order.
    """
    found = dict(owned)
    left = {key: max(count - counts.get(key, 0), 0) for key, count in owned.items()}
    for key, piece in pieces.items():
        if piece.variant:
            here = min(max(counts[key] - found.get(key, 0), 0), left.get(design(piece), 0))
            if here:
                left[design(piece)] -= here
                found[key] = found.get(key, 0) + here
    return found


def design(piece: Piece) -> str:
    """The key of a piece without its variant."""
    return piece.key.rpartition("-")[0] if piece.variant else piece.key


def designs(counts: Mapping[str, int], pieces: Iterable[Piece]) -> dict[str, int]:
    """Parts by design, all variants together."""
    found: Counter[str] = Counter()
    for piece in pieces:
        found[design(piece)] += counts.get(piece.key, 0)
    return dict(sorted(found.items()))

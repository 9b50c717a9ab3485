"""Variants: pieces that mate alike and look different, spread so that neighbours differ.

Plans, stocks and covers use the design alone, its variant 0. Builds and lists use the variant in
which each part is printed.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from string import ascii_lowercase

from falldamage_forge.board import DIRECTIONS, Ground, Tile
from falldamage_forge.pieces.building_order import LADDERS
from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.pieces.lost_corners import BoardTops, broken_choices, whole_variants
from falldamage_forge.pieces.piece import MAX_VARIANTS, Piece, Placement
from falldamage_forge.pieces.plan import PiecePlan

GROUNDED: Mapping[str, int] = {"block": 3}
"""Variant by family that only stands on the base, because it has doors."""

FLOWS = frozenset(ground for ground in Ground if ground is not Ground.GROUND)
"""Families whose variants have banks towards other ground, and may flow over a tile's edge."""
BANKS: tuple[tuple[int, ...], ...] = ((), (0,), (0, 1), (1, 3), (0, 1, 3), (0, 1, 2, 3))
"""Sides with a bank, by variant of an unturned piece: 0 is north, then clockwise.

The variants after these have the same banks, and no groove on their other sides.
"""


def variant(piece: Piece, number: int) -> Piece:
    """Return one variant of a piece; 0 is the piece itself.

    Args:
        piece: Piece without a variant.
        number: Number of the variant.

    Raises:
        ValueError: If the piece has no variant of that number.
    """
    if not 0 <= number < piece.variants:
        raise ValueError(f"{piece.key} has no variant {number}")
    if number == piece.variant:
        return piece
    letter = ascii_lowercase[number]
    title = f"{piece.title}, variant {letter.upper()}"
    return replace(piece, key=f"{piece.key}-{letter}", title=title, variant=number)


def design_of(piece: Piece) -> Piece:
    """Return the design of a variant: its variant 0."""
    letter = ascii_lowercase[piece.variant]
    if not piece.variant:
        return piece
    title = piece.title.removesuffix(f", variant {letter.upper()}")
    return replace(piece, key=piece.key.removesuffix(f"-{letter}"), title=title, variant=0)


def banks_of(piece: Piece) -> tuple[int, ...]:
    """Return the sides of an unturned piece of water or lava that have a bank."""
    return BANKS[piece.variant % len(BANKS)]


def open_sides(piece: Piece) -> tuple[int, ...]:
    """Return the sides of an unturned piece that have no groove: only things without a foot fit."""
    if piece.variant < len(BANKS) or piece.family not in FLOWS:
        return ()
    return tuple(side for side in range(4) if side not in banks_of(piece))


def variants_of(piece: Piece, limit: int = MAX_VARIANTS) -> tuple[Piece, ...]:
    """Return a piece in all its variants, at most the first `limit`.

    Args:
        piece: Piece without a variant.
        limit: Greatest number of variants.
    """
    return tuple(variant(piece, number) for number in range(min(piece.variants, max(limit, 1))))


def part_named(name: str, catalogue: Catalogue) -> Piece | None:
    """Return the design with a name, or the variant with a key; None if there is none.

    Args:
        name: Name of a design, or key of a variant.
        catalogue: Catalogue of all pieces.
    """
    if name in catalogue:
        return catalogue[name]
    parts = (part for piece in catalogue.pieces.values() for part in variants_of(piece))
    return next((part for part in parts if part.key == name), None)


def assign_variants(
    plan: PiecePlan, most: int = MAX_VARIANTS, *, broken: bool = False
) -> PiecePlan:
    """Return the plan with a variant for each placement, different from its neighbours if possible.

    The choice depends on tile, level and design alone, so the same plan always gets the same
    variants.

    Args:
        plan: Plan of designs.
        most: Largest number of variants to use of a piece.
        broken: True for a style of ruins, whose tops are broken where they carry nothing.
    """
    tops = BoardTops.of(plan.placements)
    neighbours: dict[tuple[str, Tile], list[tuple[int, int]]] = {}
    used: Counter[tuple[str, int]] = Counter()
    placements = []
    ground, grooved = _ground(plan), _grooved(plan)
    for placement in plan.placements:
        piece = placement.piece
        if piece.family in FLOWS:
            placements.append(_banked(placement, ground, grooved, most))
            continue
        breaks = broken_choices(placement, tops, most) if broken else []
        numbers = sorted({number for number, _ in breaks}) or _whole(placement, most)
        number = _choice(placement, numbers, neighbours, used)
        turns = [turn for found, turn in breaks if found == number] or [placement.quarter_turns]
        used[piece.key, number] += 1
        for tile in _tiles(placement):
            neighbours.setdefault((piece.family, tile), []).append((placement.level, number))
        chance = random.Random(f"turn {piece.key} {placement.tile}")
        placements.append(
            replace(placement, piece=variant(piece, number), quarter_turns=chance.choice(turns))
        )
    return replace(plan, placements=tuple(placements))


def _ground(plan: PiecePlan) -> dict[Tile, tuple[str, int]]:
    """Return family and level of the water or lava on each tile; elsewhere those of the base."""
    grounds = sorted(plan.placements, key=lambda placement: placement.piece.family in FLOWS)
    return {
        tile: (placement.piece.family, placement.level)
        for placement in grounds
        if placement.piece.family in (*FLOWS, "quadrant")
        for tile in placement.tiles()
    }


def _grooved(plan: PiecePlan) -> set[tuple[Tile, int, int]]:
    """Return (tile, level, side) of the edges that need a groove for what stands or hangs there.

    A ladder's foot and head enter one edge each, a start marker stands on all four.
    """
    edges = set()
    for placement in plan.placements:
        (row, col), level, turns = placement.tile, placement.level, placement.quarter_turns
        if placement.piece.family in LADDERS:
            across = DIRECTIONS[turns]
            head = Tile(row + across[0], col + across[1])
            edges |= {(placement.tile, level, turns)}
            edges |= {(head, level + placement.piece.levels, (turns + 2) % 4)}
        elif placement.piece.builder == "cap" and placement.raised_mm:
            edges |= {(placement.tile, level, side) for side in range(4)}
    return edges


def _banked(
    placement: Placement,
    ground: Mapping[Tile, tuple[str, int]],
    grooved: Collection[tuple[Tile, int, int]],
    most: int,
) -> Placement:
    """Return water or lava, turned, with banks on as many sides as possible of those that need one.

    It flows on without a bank into its like on the same level, and off the table; also without a
    groove, if nothing on it needs one there.
    """
    tile, own = placement.tile, (placement.piece.family, placement.level)
    beside = [Tile(tile.row + row, tile.col + col) for row, col in DIRECTIONS]
    needed = {side for side, near in enumerate(beside) if ground.get(near, own) != own}
    closed = {side for side in range(4) if (tile, placement.level, side) in grooved} | needed
    chance = random.Random(f"{placement.piece.key} {tile} {placement.level}")

    def turned(sides: Iterable[int], turns: int) -> set[int]:
        return {(side + turns) % 4 for side in sides}

    piece, turns = max(
        (
            (piece, turns)
            for piece in variants_of(placement.piece, most)
            for turns in range(4)
            if turned(banks_of(piece), turns) <= needed
            and not turned(open_sides(piece), turns) & closed
        ),
        key=lambda found: (
            len(banks_of(found[0])),
            len(open_sides(found[0])),
            chance.random(),
        ),
    )
    return replace(placement, piece=piece, quarter_turns=turns)


def _tiles(placement: Placement) -> tuple[Tile, ...]:
    return placement.tiles() or (placement.tile,)


def _whole(placement: Placement, most: int) -> list[int]:
    """Return the variants with whole tops that a placement may have."""
    numbers = list(range(min(whole_variants(placement.piece), max(most, 1))))
    if placement.level > 0 and GROUNDED.get(placement.piece.family) in numbers:
        numbers.remove(GROUNDED[placement.piece.family])
    return numbers


def _choice(
    placement: Placement,
    numbers: Sequence[int],
    shown: Mapping[tuple[str, Tile], list[tuple[int, int]]],
    used: Counter[tuple[str, int]],
) -> int:
    """Return the variant of one placement: the least used of those that no neighbour shows."""
    piece = placement.piece
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


def distribute_variants(
    counts: Mapping[str, int], pieces: Mapping[str, Piece], most: int = MAX_VARIANTS
) -> tuple[dict[str, int], dict[str, Piece]]:
    """Return counts and pieces of a kit, spread evenly over the variants of each piece.

    Water and lava have no banks in a kit, whose maps need them elsewhere, and all their grooves;
    its tops are whole.

    Args:
        counts: Parts by key of the design.
        pieces: Designs by key.
        most: Largest number of variants to use of a piece.

    Returns:
        Parts by key of the variant, and the variants by key.
    """
    shares, drawn = {}, {}
    for key, count in counts.items():
        whole = 1 if pieces[key].family in FLOWS else whole_variants(pieces[key])
        variants = variants_of(pieces[key], min(whole, most))
        for number, piece in enumerate(variants):
            share = count // len(variants) + (number < count % len(variants))
            if share or (number == 0 and not count):
                shares[piece.key], drawn[piece.key] = share, piece
    return dict(sorted(shares.items())), dict(sorted(drawn.items()))


def allocate_owned_variants(
    counts: Mapping[str, int], pieces: Mapping[str, Piece], owned: Mapping[str, int]
) -> dict[str, int]:
    """Return the number of owned parts of each variant.

    Parts of a design that its first variant does not need replace the other variants, in their
    order.

    Args:
        counts: Parts needed by key of the variant.
        pieces: Variants by key.
        owned: Parts at hand by key of the design, or of the variant they are.
    """
    allocated = dict(owned)
    surplus = {key: max(count - counts.get(key, 0), 0) for key, count in owned.items()}
    for key, piece in pieces.items():
        if piece.variant:
            used = min(max(counts[key] - allocated.get(key, 0), 0), surplus.get(design(piece), 0))
            if used:
                surplus[design(piece)] -= used
                allocated[key] = allocated.get(key, 0) + used
    return allocated


def design(piece: Piece) -> str:
    """Return the key of a piece without its variant."""
    return piece.key.rpartition("-")[0] if piece.variant else piece.key


def designs(counts: Mapping[str, int], pieces: Iterable[Piece]) -> dict[str, int]:
    """Return parts by design, all variants together.

    Args:
        counts: Number of parts by key.
        pieces: Pieces with these keys.
    """
    totals: Counter[str] = Counter()
    for piece in pieces:
        totals[design(piece)] += counts.get(piece.key, 0)
    return dict(sorted(totals.items()))

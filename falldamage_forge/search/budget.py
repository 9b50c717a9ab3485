"""A stock as a budget: which blocks could make up what is built so far, counted exactly.

A bill is a multiset of owned blocks that fills a part's columns. Parts share no column, so bills
add; the budget holds every sum of bills that the stock still covers, and a part may be laid as long
as one is left. This is enough to build the map, though not needed: blocks that would reach over two
parts are never thought of.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.pieces.model import Piece
from falldamage_forge.pieces.spots import orientations

Heights = tuple[tuple[int, int, int], ...]
"""(row, col, level) of columns."""

BITS = 8
MOST = (1 << (BITS - 1)) - 1
"""More parts of one block than any board takes."""
MAX_BILLS = 64
MAX_SUMS = 600
MAX_STATES = 20_000


@dataclass
class Blocks:
    """The owned blocks as digits of one number, and the bills found so far."""

    pieces: tuple[Piece, ...]
    limit: int
    high: int
    known: dict[Heights, tuple[int, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, owned: Mapping[str, int], blocks: Iterable[Piece]) -> Blocks:
        """Those blocks of which any is owned, the largest first."""
        have = sorted(
            (block for block in blocks if owned.get(block.key, 0) > 0),
            key=lambda block: (-len(block.footprint) * block.levels, block.key),
        )
        limit = sum(min(owned[b.key], MOST) << BITS * n for n, b in enumerate(have))
        high = sum(1 << BITS * n + BITS - 1 for n in range(len(have)))
        return cls(tuple(have), limit, high)

    def enough(self, counts: int) -> bool:
        """Whether no digit is larger than the stock's; a sum of two that were is told too."""
        return not (((self.limit | self.high) - counts) & self.high) ^ self.high

    def bills(self, heights: Heights) -> tuple[int, ...]:
        """Multisets of owned blocks that fill columns, at most `MAX_BILLS`; none if there is none.

        Blocks are turned at will and none is handed, so that a part needs one answer only.
        """
        if heights not in self.known:
            self.known[heights] = self._search(heights)
        return self.known[heights]

    def _search(self, heights: Heights) -> tuple[int, ...]:
        voxels = sorted((up, row, col) for row, col, level in heights for up in range(level))
        number = {voxel: n for n, voxel in enumerate(voxels)}
        uses = [self._uses(voxel, number) for voxel in voxels]
        states: dict[int, set[int]] = {(1 << len(voxels)) - 1: {0}}
        done = 0
        # Voxels are filled in order, so that a state is what is left after the first empty one.
        for _ in voxels:
            following: dict[int, set[int]] = {}
            for left, sums in states.items():
                if not left:
                    following.setdefault(0, set()).update(sums)
                    continue
                for block, mask in uses[(left & -left).bit_length() - 1]:
                    if mask & left == mask:
                        more = {total for one in sums if self.enough(total := one + block)}
                        if more:
                            following.setdefault(left ^ mask, set()).update(more)
            states = {left: _kept(sums) for left, sums in following.items()}
            done += len(states)
            if done > MAX_STATES:
                return ()
        return tuple(sorted(states.get(0, ())))

    def _uses(
        self, voxel: tuple[int, int, int], number: Mapping[tuple[int, int, int], int]
    ) -> list[tuple[int, int]]:
        """(digit, voxels filled) of every block whose first voxel in order is this one."""
        up, row, col = voxel
        found = []
        for place, block in enumerate(self.pieces):
            for _, footprint in orientations(block.footprint):
                y, x = footprint[0]
                filled = [
                    number.get((up + level, row + r - y, col + c - x))
                    for level in range(block.levels)
                    for r, c in footprint
                ]
                mask = 0
                for each in filled:
                    if each is None:
                        break
                    mask |= 1 << each
                else:
                    found.append((1 << BITS * place, mask))
        return found


def _kept(sums: set[int]) -> set[int]:
    """The sums worth going on with: large blocks are the low digits, small ones are dear."""
    return sums if len(sums) <= MAX_BILLS else set(sorted(sums)[:MAX_BILLS])


@dataclass(frozen=True)
class Budget:
    """What is left of a stock: sums of blocks so far, and things that are no blocks, by key.

    Without `blocks` everything is to be had.
    """

    blocks: Blocks | None = None
    sums: frozenset[int] = frozenset((0,))
    things: Mapping[str, int] = field(default_factory=dict)
    needs: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    def build(self, heights: Heights, copies: int) -> Budget | None:
        """After filling columns so many times; None when the stock does not cover it."""
        if self.blocks is None or not heights:
            return self
        bills = self.blocks.bills(heights)
        sums: Iterable[int] = self.sums
        enough = self.blocks.enough
        for _ in range(copies):
            sums = {total for one in sums for bill in bills if enough(total := one + bill)}
        kept = sorted(sums)[:MAX_SUMS]
        return replace(self, sums=frozenset(kept)) if kept else None

    def use(self, wanted: Mapping[str, int]) -> Budget | None:
        """After taking things such as `tree` or `bridge-2`; None when there are too few."""
        if self.blocks is None or not wanted:
            return self
        things = dict(self.things)
        for key, count in wanted.items():
            for need, each in {key: 1, **self.needs.get(key, {})}.items():
                things[need] = things.get(need, 0) - count * each
                if things[need] < 0:
                    return None
        return replace(self, things=things)

    def has(self, key: str, count: int = 1) -> bool:
        """Whether so many of a thing are left."""
        return self.use({key: count}) is not None


def budget_of(owned: Mapping[str, int], catalogue: Catalogue) -> Budget:
    """The budget of a stock."""
    blocks = catalogue.blocks()
    names = {block.key for block in blocks}
    return Budget(
        Blocks.of(owned, blocks),
        frozenset((0,)),
        {key: count for key, count in owned.items() if key not in names},
        catalogue.needs,
    )

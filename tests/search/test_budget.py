"""Stocks as budgets: bills against the exact program."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from falldamage_forge.board import Tile
from falldamage_forge.pieces.cover import cover, to_print
from falldamage_forge.presets import load_catalogue
from falldamage_forge.search.budget import BITS, Blocks, budget_of

CATALOGUE = load_catalogue()
KEYS = sorted(block.key for block in CATALOGUE.blocks())
STOCKS = st.dictionaries(st.sampled_from(KEYS), st.integers(1, 6), max_size=6)
ISLES = st.dictionaries(
    st.tuples(st.integers(0, 2), st.integers(0, 2)), st.integers(1, 3), min_size=1, max_size=6
)


def heights(isle: dict[tuple[int, int], int]) -> tuple[tuple[int, int, int], ...]:
    return tuple(sorted((*place, level) for place, level in isle.items()))


@settings(max_examples=60)
@given(STOCKS, ISLES)
def test_there_is_a_bill_where_the_program_finds_blocks(
    owned: dict[str, int], isle: dict[tuple[int, int], int]
) -> None:
    bills = Blocks.of(owned, CATALOGUE.blocks()).bills(heights(isle))
    columns = {Tile(*place): level for place, level in isle.items()}
    found = cover([columns], CATALOGUE.blocks(), dict.fromkeys(KEYS, 1.0), owned)
    assert bool(bills) == (not to_print(found.boards, owned))


@given(STOCKS, ISLES)
def test_a_bill_fills_the_columns_out_of_the_stock(
    owned: dict[str, int], isle: dict[tuple[int, int], int]
) -> None:
    blocks = Blocks.of(owned, CATALOGUE.blocks())
    for bill in blocks.bills(heights(isle)):
        counts = [bill >> BITS * n & (1 << BITS) - 1 for n in range(len(blocks.pieces))]
        volume = sum(
            count * len(block.footprint) * block.levels
            for count, block in zip(counts, blocks.pieces, strict=True)
        )
        assert volume == sum(isle.values())
        assert all(
            count <= owned[block.key] for count, block in zip(counts, blocks.pieces, strict=True)
        )


def test_things_bring_what_they_need() -> None:
    owned = {"tree": 2, "spire": 2, "dowel": 3}
    needs = {"tree": {"dowel": 1}, "spire": {"dowel": 1}}
    budget = replace(budget_of(owned, CATALOGUE), needs=needs)
    after = budget.use({"tree": 2})
    assert after is not None
    assert after.has("spire", 1)
    assert not after.has("spire", 2)
    assert budget.build((), 1) is budget

"""Stocks as budgets: bills against the exact program."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from falldamage_forge.board import Tile
from falldamage_forge.pieces.exact_cover import missing_parts, solve_cover
from falldamage_forge.presets import load_catalogue
from falldamage_forge.search.genome import BITS, BlockCounts, budget_of

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
def test_budget_exists_where_the_exact_cover_does(
    owned: dict[str, int], isle: dict[tuple[int, int], int]
) -> None:
    bills = BlockCounts.of(owned, CATALOGUE.blocks()).bills(heights(isle))
    columns = {Tile(*place): level for place, level in isle.items()}
    found = solve_cover([columns], CATALOGUE.blocks(), dict.fromkeys(KEYS, 1.0), owned)
    assert bool(bills) == (not missing_parts(found.boards, owned))


@given(STOCKS, ISLES)
def test_budget_covers_columns_with_the_stock(
    owned: dict[str, int], isle: dict[tuple[int, int], int]
) -> None:
    blocks = BlockCounts.of(owned, CATALOGUE.blocks())
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


def test_elements_count_their_supporting_parts() -> None:
    owned = {"tree": 2, "spire": 2, "dowel": 3}
    needs = {"tree": {"dowel": 1}, "spire": {"dowel": 1}}
    budget = replace(budget_of(owned, CATALOGUE), needs=needs)
    after = budget.use({"tree": 2})
    assert after is not None
    assert after.has("spire", 1)
    assert not after.has("spire", 2)
    assert budget.build((), 1) is budget

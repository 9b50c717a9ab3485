"""The order of building: what is below comes first, with as few changes of kind as can be."""

import random
from itertools import pairwise, permutations

import pytest

from falldamage_forge import presets
from falldamage_forge.board import Tile
from falldamage_forge.issues import ForgeError
from falldamage_forge.library.forge import Forge
from falldamage_forge.pieces import building_order
from falldamage_forge.pieces.building_order import fewest_stages, hand_groups, prerequisites
from falldamage_forge.pieces.piece import Placement
from tests.amount import some
from tests.buildable import ONE_ORDER
from tests.nasty import nasty

FORGE = Forge()
CATALOGUE = presets.load_catalogue()
TEXTS = {**ONE_ORDER, **{f"nasty {seed}": nasty(seed).text for seed in some(range(300), 12)}}


def placements_of(text: str) -> tuple[Placement, ...]:
    return FORGE.plan(FORGE.loads(text)).placements


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_group_needs_every_lower_part_of_its_column(text: str) -> None:
    """Parts that cover one tile are placed from below: their bottoms, deck's ones below its top."""
    parts = placements_of(text)
    groups = hand_groups(parts)
    before = prerequisites(parts, groups)
    number = {index: n for n, group in enumerate(groups) for index in group}
    assert sorted(number) == list(range(len(parts))), "each part is in one group"

    def bottom_mm(part: Placement) -> float:
        hangs = part.piece.family in ("bridge", "arch")
        return part.piece.grid.height_mm(part.level) + part.raised_mm - hangs

    columns: dict[Tile, list[int]] = {}
    for index, part in enumerate(parts):
        for tile in part.tiles():
            columns.setdefault(tile, []).append(index)
    seen = 0
    for column in columns.values():
        for low in column:
            for high in column:
                if bottom_mm(parts[low]) < bottom_mm(parts[high]) and number[low] != number[high]:
                    assert number[low] in before[number[high]], (parts[low], parts[high])
                    seen += 1
    assert seen


def _shortest(kinds: list[int], before: list[frozenset[int]]) -> int:
    """Fewest stages, by trying every sequence of kinds from short to long."""
    longest = len(kinds)
    reached: set[frozenset[int]] = {frozenset()}
    for count in range(longest + 1):
        if frozenset(range(len(kinds))) in reached:
            return count
        reached = {_closed(done, kind, kinds, before) for done in reached for kind in set(kinds)}
    raise AssertionError


def _closed(
    done: frozenset[int], kind: int, kinds: list[int], before: list[frozenset[int]]
) -> frozenset[int]:
    new = {n for n in range(len(kinds)) if kinds[n] == kind and before[n] <= done} - done
    return _closed(done | new, kind, kinds, before) if new else done


def drawn(seed: int) -> tuple[list[int], list[frozenset[int]]]:
    """Return kinds and what each group needs, at random and without a circle."""
    dice = random.Random(seed)
    count = dice.randint(1, 12)
    kinds = [dice.randrange(4) for _ in range(count)]
    names = dice.sample(range(count), count)
    before: list[frozenset[int]] = [frozenset()] * count
    for place, number in enumerate(names):
        before[number] = frozenset(one for one in names[:place] if dice.random() < 0.25)
    return kinds, before


@pytest.mark.parametrize("seed", range(200))
def test_stages_are_a_topological_order_with_fewest_changes_of_kind(seed: int) -> None:
    kinds, before = drawn(seed)
    stages = fewest_stages(kinds, before)
    done: set[int] = set()
    for kind, numbers in stages:
        assert numbers and {kinds[number] for number in numbers} == {kind}
        left = set(numbers)
        while left:
            ready = {number for number in left if before[number] <= done}
            assert ready, "a stage needs nothing that comes later"
            done |= ready
            left -= ready
    assert done == set(range(len(kinds)))
    assert all(one != other for (one, _), (other, _) in pairwise(stages))
    assert len(stages) == _shortest(kinds, before)
    assert stages == fewest_stages(kinds, before)


def test_kinds_without_needs_come_in_their_own_order() -> None:
    for kinds in permutations(range(4)):
        stages = fewest_stages(kinds, [frozenset()] * 4)
        assert [kind for kind, _ in stages] == [0, 1, 2, 3]


@pytest.mark.parametrize("seed", range(40))
def test_tired_search_still_returns_a_topological_order(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building_order, "MAX_LOOKS", 1)
    kinds, before = drawn(seed)
    done: set[int] = set()
    for kind, numbers in fewest_stages(kinds, before):
        done = set(_closed(frozenset(done), kind, kinds, before))
        assert set(numbers) <= done
    assert done == set(range(len(kinds)))


def test_parts_that_need_one_another_are_refused() -> None:
    with pytest.raises(ForgeError) as refused:
        fewest_stages([0, 1], [frozenset({1}), frozenset({0})])
    assert [issue.code for issue in refused.value.issues] == ["FDF440"]


def test_sections_of_a_ladder_and_a_marker_with_its_disc_are_joined_in_the_hand() -> None:
    text = "board 5x5\nstack C3 height 12\nladder C4 -> C3\nstart red at A1, B1\n"
    parts = placements_of(text)
    joined = [[parts[n].piece.family for n in group] for group in hand_groups(parts)]
    assert ["ladder-lower", "ladder-middle", "ladder-upper"] in joined
    assert joined.count(["start-marker", "start-disc"]) == 2
    assert ["quadrant"] in joined

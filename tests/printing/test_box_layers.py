"""Parts in a box: none overlaps another, none sticks out, and every part is packed or listed."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from falldamage_forge.issues import ForgeError
from falldamage_forge.printing.box_layers import GAP_MM, PackedBox, Sides, pack_box, require_fit

EPS = 1e-6
sides = st.tuples(*[st.floats(2, 90).map(lambda mm: round(mm, 2))] * 3)
kits = st.dictionaries(
    st.sampled_from("abcdefgh"), st.tuples(sides, st.integers(1, 9)), min_size=1, max_size=6
)
boxes = st.tuples(st.integers(20, 200), st.integers(20, 200), st.integers(5, 120))


def boxes_of(packed: PackedBox) -> list[tuple[str, tuple[float, ...], tuple[float, ...]]]:
    """Key, least and greatest corner of each stack in the box."""
    return [
        (
            stack.key,
            (stack.x_mm, stack.y_mm, layer.bottom_mm),
            (
                stack.x_mm + stack.width_mm,
                stack.y_mm + stack.depth_mm,
                layer.bottom_mm + stack.height_mm,
            ),
        )
        for layer in packed.layers
        for stack in layer.stacks
    ]


def judge(packed: PackedBox, counts: dict[str, int], sizes: dict[str, Sides]) -> None:
    """Assert that a packing is right, without any code of the packer."""
    placed = sum((layer.counts() for layer in packed.layers), Counter[str]())
    assert placed + Counter(packed.left) + Counter(packed.too_long) == Counter(counts)
    for _, low, high in boxes_of(packed):
        assert min(low) >= -EPS
        assert all(h <= side + EPS for h, side in zip(high, packed.inside_mm, strict=True))
    for (_, low, high), (_, low2, high2) in combinations(boxes_of(packed), 2):
        apart = (max(a - d, c - b) for a, b, c, d in zip(low, high, low2, high2, strict=True))
        assert max(apart) >= GAP_MM - EPS, "a gap of 1 mm on one axis at least"
    for layer in packed.layers:
        for stack in layer.stacks:
            one = (stack.width_mm, stack.depth_mm, stack.height_mm / stack.count)
            assert sorted(one) == pytest.approx(sorted(sizes[stack.key]))


@settings(max_examples=60, deadline=None)
@given(kits, boxes)
def test_parts_in_a_box_lie_inside_apart_and_complete(
    kit: dict[str, tuple[Sides, int]], inside: Sides
) -> None:
    counts = {key: count for key, (_, count) in kit.items()}
    sizes = {key: size for key, (size, _) in kit.items()}
    packed = pack_box(counts, sizes, inside)
    judge(packed, counts, sizes)
    if packed.left or packed.too_long:
        with pytest.raises(ForgeError) as caught:
            require_fit(packed)
        assert {issue.code for issue in caught.value.issues} == {"FDF480"}
    else:
        require_fit(packed)


@settings(max_examples=25, deadline=None)
@given(kits, boxes)
def test_height_of_the_hint_holds_the_parts(
    kit: dict[str, tuple[Sides, int]], inside: Sides
) -> None:
    counts = {key: count for key, (_, count) in kit.items()}
    sizes = {key: size for key, (size, _) in kit.items()}
    packed = pack_box(counts, sizes, inside)
    if packed.left:  # the same parts, as high as the hint says
        higher = (*inside[:2], packed.needed_mm)
        assert not pack_box(counts, sizes, higher).left


def test_a_part_too_large_for_the_floor_is_named_apart() -> None:
    packed = pack_box({"rod": 2, "cube": 3}, {"rod": (200, 60, 5), "cube": (9, 9, 9)}, (50, 50, 50))
    assert packed.too_long == {"rod": 2}
    assert not packed.left


def test_a_plate_stands_upright_if_it_cannot_lie() -> None:
    packed = pack_box({"plate": 3}, {"plate": (100, 80, 5)}, (20, 85, 120))
    assert not packed.left
    assert not packed.too_long

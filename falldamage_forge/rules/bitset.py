"""Turns between all pairs of one map, with sets of surfaces as bits of whole numbers.

The semantics are those of `movement.least_turns`, for all starts at once and without any library.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from falldamage_forge.rules.movement import MoveGraph


def bits(mask: int) -> Iterator[int]:
    """Numbers of the bits that are set, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def mask_of(numbers: Iterable[int]) -> int:
    """The set of some surface numbers."""
    mask = 0
    for number in numbers:
        mask |= 1 << number
    return mask


def one_turn_masks(moves: MoveGraph) -> list[int]:
    """For each surface the set where one activation without damage can end, itself included."""
    if moves.options.jump_scope == "turn" or moves.options.fall_allowance == "per_turn":
        raise ValueError("a Jump that is a budget of the turn needs least_turns")
    count = len(moves.edges)
    free = ~mask_of(moves.no_stop)
    edges = [[(edge.cost, edge.to) for edge in out if edge.damage == 0] for out in moves.edges]
    exact = [[1 << number for number in range(count)]]
    total = list(exact[0])
    for cost in range(1, moves.profile.move + 1):
        layer = [0] * count
        for number, out in enumerate(edges):
            mask = 0
            for step, to in out:
                if step <= cost:
                    mask |= exact[cost - step][to]
            layer[number] = mask
            total[number] |= mask
        exact.append(layer)
    return [mask & free | 1 << number for number, mask in enumerate(total)]


def turn_layers(masks: list[int], start: int) -> list[int]:
    """Sets of surfaces first reached in turn 0, 1, 2, … from the set `start`."""
    layers, seen = [start], start
    while layers[-1]:
        wider = seen
        for number in bits(layers[-1]):
            wider |= masks[number]
        layers.append(wider & ~seen)
        seen = wider
    return layers[:-1]


def all_turns(moves: MoveGraph) -> list[list[int]]:
    """For each surface its layers: `all_turns(m)[i][t]` is the set first reached in turn t."""
    masks = one_turn_masks(moves)
    return [turn_layers(masks, 1 << number) for number in range(len(masks))]


def as_turns(layers: list[int]) -> dict[int, int]:
    """Layers as the dictionary that `least_turns` gives."""
    return {number: turn for turn, mask in enumerate(layers) for number in bits(mask)}

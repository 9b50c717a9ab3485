"""Parts in a box of any size: layers of stacks of like parts, each lying on its largest side.

The packer of plates fills the layers, with stacks as high as a layer may be. Several heights and
orders are tried; the packing that needs the least height wins. `fdforge pack` and
`fdforge event` call it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import ForgeError, Issue
from falldamage_forge.printing.packing import (
    ORDERS,
    SCORES,
    Order,
    PackPart,
    Rect,
    Score,
    pack_first_fit,
)
from falldamage_forge.printing.plates import UNIT

GAP_MM = 1.0
"""Play between stacks, and between layers, in mm."""
LAYERS_MM = (8.0, 16.0, 32.0, 40.0, 48.0, 64.0)
"""Heights of layers that are tried, in mm; a layer is at least as high as its highest part."""

Sides = tuple[float, float, float]
"""Width, depth and height in mm."""


@dataclass(frozen=True, slots=True)
class Stack:
    """Like parts on top of each other; (x, y) is the lower left corner in the box, in mm."""

    key: str
    count: int
    width_mm: float
    depth_mm: float
    height_mm: float
    x_mm: float = 0.0
    y_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class BoxLayer:
    """Stacks side by side; `bottom_mm` is the height of their lower side in the box."""

    bottom_mm: float
    stacks: tuple[Stack, ...]

    @property
    def height_mm(self) -> float:
        """Height of the highest stack in mm."""
        return max(stack.height_mm for stack in self.stacks)

    def counts(self) -> Counter[str]:
        """Return parts by key."""
        counts: Counter[str] = Counter()
        for stack in self.stacks:
            counts[stack.key] += stack.count
        return counts


@dataclass(frozen=True, slots=True)
class PackedBox:
    """A box with its layers, the lowest first.

    Attributes:
        inside_mm: Width, depth and height of the inside.
        layers: The layers that the box holds.
        left: Parts by key for which the box is too low.
        too_long: Parts by key that are too long for the floor in every orientation.
        needed_mm: Least height found for all parts except `too_long`.
    """

    inside_mm: Sides
    layers: tuple[BoxLayer, ...]
    left: Mapping[str, int]
    too_long: Mapping[str, int]
    needed_mm: float


def pack_box(counts: Mapping[str, int], sizes: Mapping[str, Sides], inside_mm: Sides) -> PackedBox:
    """Return parts packed into a box.

    Args:
        counts: Parts by key.
        sizes: Sides of each part in mm, in any order.
        inside_mm: Width, depth and height of the inside.
    """
    wanted = sorted(key for key, count in counts.items() if count)
    flat = {key: _lying(sizes[key], inside_mm[:2]) for key in wanted}
    too_long = {key: counts[key] for key, sides in flat.items() if sides is None}
    lying = {key: sides for key, sides in flat.items() if sides is not None}
    tallest = max((sides[2] for sides in lying.values()), default=0.0)
    heights = dict.fromkeys(max(tallest, high) for high in LAYERS_MM)
    tries = [
        _piled(_layers(stacks, inside_mm, score, order), inside_mm, too_long)
        for stacks in (_stacks_of(counts, lying, high) for high in heights)
        for score in SCORES
        for order in ORDERS[:2]
    ]
    best = min(tries, key=lambda box: (sum(box.left.values()), box.needed_mm, len(box.layers)))
    return replace(best, needed_mm=min(box.needed_mm for box in tries))


def require_fit(box: PackedBox) -> None:
    """Check that a box holds all parts.

    Raises:
        ForgeError: FDF480 with the parts that are left over, and the box that holds them.
    """
    size = "{:g} x {:g} x {:g} mm".format(*box.inside_mm)
    issues = []
    if box.too_long:
        message = f"no layer of a box of {size} has room for {_listed(box.too_long)}"
        issues.append(Issue("FDF480", "error", message, hint="use a longer or wider box"))
    if box.left:
        message = f"a box of {size} is full: {_listed(box.left)} remain"
        width, depth, _ = box.inside_mm
        hint = f"a box of {width:g} x {depth:g} x {math.ceil(box.needed_mm)} mm holds them"
        issues.append(Issue("FDF480", "error", message, hint=hint))
    if issues:
        raise ForgeError(issues)


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {key}" for key, count in counts.items())


def _lying(sides: Sides, floor_mm: Sequence[float]) -> Sides | None:
    """Return width, depth and height in the lowest orientation that fits; None if none does."""
    room = sorted(floor_mm)
    low, middle, long = sorted(sides)
    for deep, wide, high in ((middle, long, low), (low, long, middle), (low, middle, long)):
        if deep <= room[0] and wide <= room[1]:
            return wide, deep, high
    return None


def _stacks_of(
    counts: Mapping[str, int], lying: Mapping[str, Sides], high_mm: float
) -> list[Stack]:
    """Return all parts in as few stacks as the height allows; those of one key are about equal."""
    stacks = []
    for key, (wide, deep, high) in lying.items():
        most = max(int((high_mm + 1e-6) // high), 1)
        piles = math.ceil(counts[key] / most)
        for number in range(piles):
            each = counts[key] // piles + (number < counts[key] % piles)
            stacks.append(Stack(key, each, wide, deep, each * high))
    return stacks


def _piled(
    layers: Sequence[tuple[Stack, ...]], inside_mm: Sides, too_long: Mapping[str, int]
) -> PackedBox:
    """Return layers on top of each other, as far as there is room; most volume lies lowest."""
    kept: list[BoxLayer] = []
    left: Counter[str] = Counter()
    z = needed = 0.0
    for own in sorted(layers, key=lambda own: -sum(_volume(stack) for stack in own)):
        layer = BoxLayer(z, own)
        needed += layer.height_mm + GAP_MM
        if z + layer.height_mm <= inside_mm[2] + 1e-6:
            kept.append(layer)
            z += layer.height_mm + GAP_MM
        else:
            left += layer.counts()
    needed = max(needed - GAP_MM, 0.0)
    return PackedBox(inside_mm, tuple(kept), dict(sorted(left.items())), too_long, needed)


def _volume(stack: Stack) -> float:
    return stack.width_mm * stack.depth_mm * stack.height_mm


def _layers(
    stacks: Sequence[Stack], inside_mm: Sides, score: Score, order: Order
) -> list[tuple[Stack, ...]]:
    """Return stacks side by side on layers, high stacks first."""
    known = {f"{stack.key} {stack.count}": stack for stack in stacks}
    parts = [_part(stack) for stack in stacks]
    parts.sort(key=lambda part: (-part.tall, order(part), part.key))
    # A part's gap lies at its right and its back, so the floor is one gap larger too.
    floor = (_floor_units(inside_mm[0]), _floor_units(inside_mm[1]))
    return [
        tuple(
            _placed(known[laid.part.key], laid.pose.turns, laid.x / UNIT, laid.y / UNIT)
            for laid in sorted(bed.laid, key=lambda one: (one.y, one.x))
        )
        for bed in pack_first_fit(parts, floor, score)
    ]


def _part(stack: Stack) -> PackPart:
    wide, deep = _units(stack.width_mm), _units(stack.depth_mm)
    name, tall = f"{stack.key} {stack.count}", round(stack.height_mm * UNIT)
    return PackPart(name, wide, deep, (Rect(0, 0, wide, deep),), tall)


def _units(length_mm: float) -> int:
    return math.ceil(round((length_mm + GAP_MM) * UNIT, 4))


def _floor_units(side_mm: float) -> int:
    return math.floor(round((side_mm + GAP_MM) * UNIT, 4))


def _placed(stack: Stack, turns: int, x_mm: float, y_mm: float) -> Stack:
    wide, deep = stack.width_mm, stack.depth_mm
    sides = (deep, wide) if turns % 2 else (wide, deep)
    return Stack(stack.key, stack.count, *sides, stack.height_mm, x_mm, y_mm)

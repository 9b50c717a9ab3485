"""Layout of build sheets: which steps share a page, and how high their maps grow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from falldamage_forge.board import Tile
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.render.build_steps import BuildStep
from falldamage_forge.render.display_list import Drawing
from falldamage_forge.render.isometric_models import FAMILY, SeenModel

GAP_PT = 14.0
"""Gap below a step, which the last one of a page does without."""


@dataclass(frozen=True, slots=True)
class StepBlock:
    """A step with its lettered map, which may be from `least_pt` to `most_pt` high.

    `beside_pt` is the height of all else: heading, gaps and list. `models` stand after the step.
    """

    heading: str
    step: BuildStep
    letters: Mapping[str, str]
    plan: Drawing
    least_pt: float
    most_pt: float
    beside_pt: float
    models: Sequence[SeenModel] = ()


def with_models(
    parts: Iterable[BuildStep], models: Sequence[SeenModel]
) -> Iterator[tuple[BuildStep, tuple[SeenModel, ...]]]:
    """Yield each step with the models that stand after it.

    Args:
        parts: The steps.
        models: The models of the finished board.
    """
    stood: set[Tile] = set()
    for step in parts:
        for placement in step.placements:
            if placement.piece.family == FAMILY:
                stood.update(placement.tiles())
        yield step, tuple(model for model in models if stood.issuperset(model.faces))


def least_pt(blocks: Sequence[StepBlock]) -> float:
    """Return the least height of the first step."""
    return blocks[0].least_pt + blocks[0].beside_pt - GAP_PT if blocks else 0.0


def place_pt(lines: int) -> float:
    """Return the height of a piece in a step's list, from the lines of its places."""
    return 12.0 * lines + max(16.0, 30.0 - 12.0 * lines)


def fitting(blocks: list[StepBlock], room_pt: float) -> list[StepBlock]:
    """Return the first steps that fit a height with their least maps: one at least.

    Args:
        blocks: Steps that are still to be placed.
        room_pt: Height of the page, in points.
    """
    count, used = 0, 0.0
    for block in blocks:
        used += block.least_pt + block.beside_pt
        if count and used > room_pt:
            break
        count += 1
    return blocks[:count]


def grown(blocks: Sequence[StepBlock], room_pt: float) -> list[float]:
    """Return the heights of maps that share what is left of a height, none above its most.

    Args:
        blocks: Steps of one page.
        room_pt: Height of the page, in points.
    """
    left = room_pt - sum(block.least_pt + block.beside_pt for block in blocks)
    heights = [block.least_pt for block in blocks]
    order = sorted(range(len(blocks)), key=lambda n: blocks[n].most_pt - blocks[n].least_pt)
    for done, number in enumerate(order):
        share = max(left, 0.0) / (len(blocks) - done)
        grown = min(share, blocks[number].most_pt - blocks[number].least_pt)
        heights[number] += grown
        left -= grown
    return heights

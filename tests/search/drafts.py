"""Sketches, stocks and elites that the tests of search share."""

import json
import os
from functools import cache
from pathlib import Path
from random import Random

from hypothesis import strategies as st

from falldamage_forge import presets
from falldamage_forge.infra.atomic_write import write_file
from falldamage_forge.library.forge import Forge
from falldamage_forge.pieces.map_kit import kit_for
from falldamage_forge.search import adapter
from falldamage_forge.search.archive import AXES, Archive, Elite
from falldamage_forge.search.constructive import MapRequirements, construct_genome
from falldamage_forge.search.genome import MapBuilder, MapGenome, StockBudget

STYLES = adapter.styles()


@cache
def starter() -> dict[str, int]:
    """The parts of the starter set, worked out once a run: the exact search takes seconds."""
    kept = Path(os.environ["FORGE_TEST_HOME"]) / "starter.json"
    if not kept.exists():
        wanted = presets.load_set("starter")
        boards = [Forge().load(each).board for each in wanted.maps]
        catalogue, together, extras = presets.load_catalogue(), wanted.together, wanted.extras
        kit = kit_for(boards, catalogue, together=together, extras=extras)
        write_file(kept, json.dumps(dict(kit.parts)).encode())
    found: dict[str, int] = json.loads(kept.read_bytes())
    return found


def unwalked(
    style: str,
    seed: int,
    budget: StockBudget = StockBudget(),
    wish: MapRequirements = MapRequirements(),
) -> MapBuilder:
    """A sketch as it grew, before anybody asked who gets where."""
    return construct_genome(adapter.style(style), Random(f"{style}/{seed}"), budget, wish)


def elite(style: str, traits: dict[str, float], quality: float) -> Elite:
    """Something for an archive; its text is no map."""
    rounded = {axis: round(value, 6) for axis, value in traits.items()}
    sketch = None if style == "own" else MapGenome(style, 10, 10, "rotate-180")
    return Elite(round(quality, 6), rounded, style, sketch, f"{style} {rounded} {quality:.6f}")


TRAITS = st.fixed_dictionaries(
    {axis: st.floats(0, 2 * edges[-1], allow_nan=False) for axis, edges in AXES.items()}
)
ELITES = st.lists(
    st.builds(elite, st.sampled_from(["castle", "own"]), TRAITS, st.floats(-5, 1)), max_size=12
)


def made_up(count: int, quality: float) -> Archive:
    """An archive of so many maps in cells of their own."""
    archive = Archive({"seed": 1}, batches=count, evaluations=9 * count)
    for number in range(count):
        traits = dict.fromkeys(AXES, 0.0) | {"ways": (2.0, 3.0, 5.0, 7.0)[number % 4]}
        traits["verticality"] = 0.4 + 0.2 * (number // 4)
        archive.add(elite("castle", traits, quality))
    archive.note()
    return archive

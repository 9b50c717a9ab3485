"""The ten tournament tables: what is claimed of them, worked out from their texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from falldamage_forge.measures.arrival import contact
from falldamage_forge.measures.balance import certificate, control
from falldamage_forge.measures.terrain import choke_points
from falldamage_forge.rules.position import Position
from falldamage_forge.search import door
from falldamage_forge.search.pick import distance, planes

KIT = "tournament"
"""The set that builds all of them at the same time."""
SEARCH = (
    "fdforge search --archive tables --own presets/tables/stock.csv --seed 2026 --evaluations 4096"
)


@dataclass(frozen=True)
class Claims:
    """What is said of one table. `nearest` is how far the table most like it is."""

    name: str
    title: str
    symmetry: str
    contact: int
    reach: float
    ways: int
    openness: float
    verticality: float
    nearest: float


def claims(texts: Mapping[str, str]) -> tuple[Claims, ...]:
    """The claims of some tables by name, in order of their names."""
    game = door.game()
    checked = {name: door.check(text, f"{name}.forge") for name, text in sorted(texts.items())}
    layers = {name: planes(each.layout.board) for name, each in checked.items()}
    found = []
    for name, each in checked.items():
        position = Position(each.layout.board, game)
        count = len(position.graph.surfaces)
        (fair,), (meet,), (cut,) = control(position), contact(position), choke_points(position)
        reach = [each / count for each in fair.values["reach after 3"].values()]
        seen = sum(mask.bit_count() for mask in position.seen or ())
        found.append(
            Claims(
                name,
                each.layout.title,
                certificate(position) or "none",
                min(turn for turn in meet.values.values() if turn is not None),
                min(reach),
                cut.values["cut"],
                seen / (count * (count - 1)),
                sum(surface.level for surface in position.graph.surfaces) / count,
                min(distance(layers[name], layers[other]) for other in layers if other != name),
            )
        )
    return tuple(found)


HEAD = f"""# Ten tables for a tournament

The set `{KIT}` builds all ten at the same time. One stock, `presets/tables/stock.csv` (what the set
`starter` held when they were found), builds each of them, one after another, and nothing else need
be printed. Each is its own image with the sides exchanged, so that neither side has anything the
other has not; on each everybody gets everywhere and back without damage. `fdforge gallery` writes
this page anew, and a test proves what it says.

They were found, and are printed together, by these commands; searching needs numba, in a clone
`pip install '.[search]'`.

```sh
{SEARCH}
fdforge search --archive tables --k 10
fdforge kit {KIT} -o exports/{KIT}
```

`fdforge check lion-games`, `fdforge build lion-games`: they are presets.

| table | fair by | contact | reached in 3 turns | ways | seen | mean level | nearest |
| --- | --- | --- | --- | --- | --- | --- | --- |
"""


def page(every: Iterable[Claims]) -> str:
    """The Markdown page of the tables; pictures are `pictures/tables/<name>.png` beside it."""
    every = tuple(every)
    rows = [
        f"| [{c.title}](#{c.name}) | {c.symmetry} | turn {c.contact} | {c.reach:.0%} "
        f"| {c.ways} | {c.openness:.0%} | {c.verticality:.2f} | {c.nearest:.2f} |"
        for c in every
    ]
    shown = [
        f"\n## {c.title}\n\n"
        f"![{c.title}, drawn from the south-east](pictures/tables/{c.name}.png)\n\n"
        f"```sh\nfdforge build {c.name}\n```\n"
        for c in every
    ]
    words = """

*Ways* are the surfaces that part the sides when they are blocked, *seen* the share of pairs of
surfaces that see each other, *nearest* how far the most similar of the other tables is (levels,
water, lava, trees, spires and decks, tile by tile, at the least over all mirrors). In the archive
that they come from a map and its nearest variant are 0.24 apart, the two most similar of the ten
best 0.48, two maps at random 0.75.
"""
    return HEAD + "\n".join(rows) + words + "".join(shown)

"""The ten tournament tables: their properties, computed from their texts, and their page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.metrics.fairness import control
from falldamage_forge.metrics.reachability import contact
from falldamage_forge.metrics.terrain_metrics import choke_points
from falldamage_forge.rules.position import Position
from falldamage_forge.search import adapter
from falldamage_forge.search.diverse_subset import distance, feature_planes

KIT = "tournament"
"""Name of the set that builds all tables at the same time."""
SEARCH = (
    "fdforge search --archive tables --own presets/tables/stock.csv --seed 2026 --evaluations 4096"
)


@dataclass(frozen=True)
class TableClaims:
    """Properties of one table; `nearest` is the distance of the most similar table."""

    name: str
    title: str
    symmetry: str
    contact: int
    reach: float
    ways: int
    openness: float
    verticality: float
    nearest: float


def claims(texts: Mapping[str, str]) -> tuple[TableClaims, ...]:
    """Return the properties of tables, in the order of their names.

    Args:
        texts: Texts by name.
    """
    game = adapter.game()
    checked = {name: adapter.check(text, f"{name}.forge") for name, text in sorted(texts.items())}
    layers = {name: feature_planes(each.layout.board) for name, each in checked.items()}
    found = []
    for name, each in checked.items():
        position = Position(each.layout.board, game)
        count = len(position.graph.surfaces)
        (fair,), (meet,), (cut,) = control(position), contact(position), choke_points(position)
        reach = [each / count for each in fair.values["reach after 3"].values()]
        seen = sum(mask.bit_count() for mask in position.seen or ())
        found.append(
            TableClaims(
                name,
                each.layout.title,
                (fair.values["exchange"] or {"transform": "none"})["transform"],
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

The set `{KIT}` builds all ten tables at the same time. The stock `presets/tables/stock.csv` (an
earlier set `starter`) builds each of them, one after another. Each table is its own image with the
sides exchanged. A half turn is exactly fair. A mirror is fair but for Bandit and Samurai, which
push to one side. [Bots](playtest.md#results) of every strength find no advantage. Each of these
bots ends at least five games of six. All units reach every surface and return without damage.
`fdforge gallery` writes this page, and a test verifies it.

An earlier version of `fdforge search` found the tables with the first two commands; the middle of
Ember Ward was then lowered by hand. The quality of a map has changed since, so the same seed can
give other maps. The last command prints the tables together. A search needs numba, in a clone
`pip install '.[search]'`.

```sh
{SEARCH}
fdforge search --archive tables --k 10
fdforge kit {KIT} -o exports/{KIT}
```

The tables are presets: `fdforge check lion-games`, `fdforge build lion-games`.

| table | symmetry | contact | reached in 3 turns | choke points | seen | mean level | nearest |
| --- | --- | --- | --- | --- | --- | --- | --- |
"""


def page(every: Iterable[TableClaims]) -> str:
    """Return the Markdown page of the tables; its pictures are `pictures/tables/<name>.png`."""
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

*Choke points* are the surfaces that separate the sides when they are blocked. “Seen” is the share
of pairs of surfaces that see each other. “Nearest” is the distance to the most similar of the other
tables (levels, water, lava, trees, spires and decks, tile by tile, the least over all mirrors). In
that archive a map and its nearest variant are 0.24 apart, the two most similar of the ten best
0.48, two random maps 0.75.
"""
    return HEAD + "\n".join(rows) + words + "".join(shown)

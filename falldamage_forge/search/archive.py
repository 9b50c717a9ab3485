"""The archive: for every cell of what maps can be like, the best map found; values, no files."""

from __future__ import annotations

import hashlib
import json
import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from falldamage_forge.issues import ForgeError, Issue
from falldamage_forge.search.sketch import Bridge, Sketch, Stamp

VERSION = 1
BETTER = 1e-9
"""By how much a map must be better to take another's cell; the first one stays otherwise."""

AXES: Mapping[str, tuple[float, ...]] = {
    "verticality": (0.45, 0.65, 0.85),
    "openness": (0.28, 0.33, 0.4),
    "ways": (3, 4, 6),
    "cost": (55, 75, 110),
}
"""Edges between cells: mean level of a surface, share of pairs that see each other, surfaces that
part the sides, levels of columns to fill with blocks. The style is an axis of its own."""

Cell = tuple[str, int, int, int, int]
"""Style, and the number of the interval on each axis."""


@dataclass(frozen=True, slots=True)
class Elite:
    """A map of the archive: what it is like, how good, its text, and what its children come of.

    That is the sketch it was drawn from; a variant of somebody's own map has none, it is its text.
    """

    quality: float
    traits: Mapping[str, float]
    style: str
    sketch: Sketch | None
    text: str

    @property
    def cell(self) -> Cell:
        """Where it belongs."""
        return cell_of(self.style, self.traits)

    @property
    def name(self) -> str:
        """Its file's name without the ending: cell, and a digest of the text."""
        style, *numbers = self.cell
        digest = hashlib.sha256(self.text.encode()).hexdigest()[:8]
        return f"{style}-{''.join(map(str, numbers))}-{digest}"


def cell_of(style: str, traits: Mapping[str, float]) -> Cell:
    """The cell of a map with these traits."""
    places = [bisect_right(edges, traits[axis]) for axis, edges in AXES.items()]
    return (style, places[0], places[1], places[2], places[3])


MAP_NAME = re.compile(r".+-\d{4,}-[0-9a-f]{8}\.forge")
"""File names of elites; other files in an archive's folder are somebody's own."""


@dataclass
class Archive:
    """Elites by cell, and how they came: batches done, maps looked at, why others were refused.

    `about` is what a run was asked for; runs of other seeds or stocks are archives of their own.
    """

    about: dict[str, Any] = field(default_factory=dict)
    elites: dict[Cell, Elite] = field(default_factory=dict)
    batches: int = 0
    evaluations: int = 0
    refused: dict[str, int] = field(default_factory=dict)
    history: list[tuple[int, int, float, float]] = field(default_factory=list)

    def offer(self, elite: Elite) -> bool:
        """Take a map into its cell if it is the best so far."""
        there = self.elites.get(elite.cell)
        if there is not None and elite.quality <= there.quality + BETTER:
            return False
        self.elites[elite.cell] = elite
        return True

    def ranked(self) -> list[Elite]:
        """All elites in the order of their cells, so that draws by number are the same anywhere."""
        return [self.elites[cell] for cell in sorted(self.elites)]

    @property
    def best(self) -> float:
        """The best quality; minus infinity in an empty archive."""
        return max((elite.quality for elite in self.elites.values()), default=float("-inf"))

    @property
    def mean(self) -> float:
        """The mean quality."""
        return sum(e.quality for e in self.elites.values()) / max(len(self.elites), 1)

    def coverage(self, styles: int) -> float:
        """Share of the cells of so many styles that hold a map."""
        cells = styles
        for edges in AXES.values():
            cells *= len(edges) + 1
        return len(self.elites) / max(cells, 1)

    def copy(self) -> Archive:
        """One that can be changed without changing this."""
        elites, refused = dict(self.elites), dict(self.refused)
        return replace(self, elites=elites, refused=refused, history=self.history[:])

    def note(self) -> None:
        """Remember how things stand after a batch: (maps looked at, elites, best, mean)."""
        state = (self.evaluations, len(self.elites), round(self.best, 4), round(self.mean, 4))
        self.history.append(state)

    def merge(self, other: Archive) -> int:
        """Take over what is better in another archive; how many maps."""
        taken = sum(self.offer(elite) for elite in other.ranked())
        self.evaluations += other.evaluations
        for why, count in sorted(other.refused.items()):
            self.refused[why] = self.refused.get(why, 0) + count
        self.note()
        return taken


# -- as JSON -------------------------------------------------------------------------------------


def index_text(archive: Archive) -> str:
    """The index of an archive's folder: all but the texts, which are files."""
    elites = {}
    for elite in archive.ranked():
        entry: dict[str, Any] = {
            "quality": round(elite.quality, 6),
            "traits": {axis: round(value, 6) for axis, value in elite.traits.items()},
            "style": elite.style,
        }
        if elite.sketch is not None:
            sketch = asdict(elite.sketch)
            entry["sketch"] = {key: value for key, value in sketch.items() if value}
        elites[elite.name] = entry
    table = {
        "version": VERSION,
        "about": archive.about,
        "batches": archive.batches,
        "evaluations": archive.evaluations,
        "refused": dict(sorted(archive.refused.items())),
        "history": archive.history,
        "elites": elites,
    }
    return json.dumps(table, indent=1, sort_keys=True) + "\n"


def read_index(text: str, texts: Mapping[str, str], where: str) -> Archive:
    """The archive of an index and its maps' texts by name; ForgeError (FDF504) names a fault."""
    try:
        table = json.loads(text)
        if table["version"] != VERSION:
            raise ValueError(f"it is of version {table['version']}")
        archive = Archive(
            dict(table["about"]),
            batches=int(table["batches"]),
            evaluations=int(table["evaluations"]),
            refused={str(why): int(n) for why, n in table["refused"].items()},
            history=[(int(a), int(b), float(c), float(d)) for a, b, c, d in table["history"]],
        )
        for name, entry in sorted(table["elites"].items()):
            traits = {axis: float(entry["traits"][axis]) for axis in AXES}
            sketch = read_sketch(entry["sketch"]) if "sketch" in entry else None
            quality, style = float(entry["quality"]), str(entry["style"])
            elite = Elite(quality, traits, style, sketch, texts[name])
            if elite.name != name:
                raise ValueError(f"{name}.forge is not the map that the index knows")
            archive.elites[elite.cell] = elite
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        why = f"it lacks {error}" if isinstance(error, KeyError) else str(error)
        message = f"`{where}` is not an archive of `fdforge search`: {why}"
        hint = "search into another folder, or take the faulty files away"
        raise ForgeError([Issue("FDF504", "error", message, hint=hint)]) from None
    return archive


def read_sketch(table: Mapping[str, Any]) -> Sketch:
    """A sketch out of its table; what is empty may be left out."""

    def pairs(name: str) -> tuple[Any, ...]:
        return tuple((a, b) for a, b in table.get(name, ()))

    heart = table.get("heart")
    return Sketch(
        table["style"],
        int(table["rows"]),
        int(table["cols"]),
        table["symmetry"],
        Stamp(*heart) if heart else None,
        tuple(Stamp(*each) for each in table.get("stamps", ())),
        tuple(Bridge(*each) for each in table.get("bridges", ())),
        pairs("steps"),
        pairs("ladders"),
        pairs("things"),
        pairs("chests"),
    )

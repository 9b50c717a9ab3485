"""MAP-Elites archive: the best map found of each behaviour cell; values, without file access."""

from __future__ import annotations

import hashlib
import json
import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import asdict, field, replace
from typing import Any

from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.infra.malformed import MALFORMED, WrongDocument, malformed_reason
from falldamage_forge.infra.plain_text import parse_json
from falldamage_forge.issues import ForgeError, Issue
from falldamage_forge.search.genome import BridgeGene, MapGenome, PartPlacement

VERSION = 2
"""Version of the index and of the fitness: qualities of two versions are not comparable."""
BETTER = 1e-9
"""Least improvement of the fitness that replaces an elite."""

AXES: Mapping[str, tuple[float, ...]] = {
    "verticality": (0.45, 0.65, 0.85),
    "openness": (0.28, 0.33, 0.4),
    "ways": (3, 4, 6),
    "cost": (55, 75, 110),
}
"""Edges between cells: mean level of a surface, share of pairs that see each other, size of the
minimum vertex cut between the sides, levels of columns to fill with blocks. The style is an axis
too."""

Cell = tuple[str, int, int, int, int]
"""Style, and the number of the interval on each axis."""


@dataclass(frozen=True, slots=True)
class Elite:
    """A map of the archive.

    Attributes:
        quality: Fitness; 0 is best and never reached.
        traits: Behaviour descriptor, by axis.
        style: Name of the style.
        sketch: Genome; None for a variant of a user's map, which is mutated as text.
        text: The map's text.
    """

    quality: float
    traits: Mapping[str, float]
    style: str
    sketch: MapGenome | None
    text: str

    @property
    def cell(self) -> Cell:
        """Cell of the archive."""
        return archive_cell(self.style, self.traits)

    @property
    def name(self) -> str:
        """Name of its file without suffix: the cell and a digest of the text."""
        style, *numbers = self.cell
        digest = hashlib.sha256(self.text.encode()).hexdigest()[:8]
        return f"{style}-{''.join(map(str, numbers))}-{digest}"

    @property
    def title(self) -> str:
        """Title of the map's text, or the name."""
        line = next((line for line in self.text.splitlines() if line.startswith("title ")), "")
        return line.split('"')[1] if line.count('"') > 1 else self.name


def archive_cell(style: str, traits: Mapping[str, float]) -> Cell:
    """Return the cell of a behaviour descriptor.

    Args:
        style: Name of the style.
        traits: Behaviour descriptor, by axis.
    """
    places = [bisect_right(edges, traits[axis]) for axis, edges in AXES.items()]
    return (style, places[0], places[1], places[2], places[3])


MAP_NAME = re.compile(r".+-\d{4,}-[0-9a-f]{8}\.forge")
"""File names of elites; other files in an archive's folder belong to the user."""


@dataclass
class Archive:
    """Elites by cell, and the history of the search.

    Attributes:
        about: Input of the search; other seeds or stocks are other archives.
        elites: Elites by cell.
        batches: Number of finished batches.
        evaluations: Number of evaluated maps.
        refused: Number of rejected maps, by reason.
        history: After each batch: evaluations, elites, best and mean fitness.
    """

    about: dict[str, Any] = field(default_factory=dict)
    elites: dict[Cell, Elite] = field(default_factory=dict)
    batches: int = 0
    evaluations: int = 0
    refused: dict[str, int] = field(default_factory=dict)
    history: list[tuple[int, int, float, float]] = field(default_factory=list)

    def add(self, elite: Elite) -> bool:
        """Add a map if it is the best of its cell; return whether it was added."""
        there = self.elites.get(elite.cell)
        if there is not None and elite.quality <= there.quality + BETTER:
            return False
        self.elites[elite.cell] = elite
        return True

    def ranked(self) -> list[Elite]:
        """Return all elites in the order of their cells, so that random draws are reproducible."""
        return [self.elites[cell] for cell in sorted(self.elites)]

    @property
    def best(self) -> float:
        """Best fitness; minus infinity if the archive is empty."""
        return max((elite.quality for elite in self.elites.values()), default=float("-inf"))

    @property
    def mean(self) -> float:
        """Mean fitness."""
        return sum(e.quality for e in self.elites.values()) / max(len(self.elites), 1)

    def coverage(self, styles: int) -> float:
        """Return the share of cells that hold a map.

        Args:
            styles: Number of styles searched.
        """
        cells = styles
        for edges in AXES.values():
            cells *= len(edges) + 1
        return len(self.elites) / max(cells, 1)

    def standing(self, styles: int) -> str:
        """Return in a sentence how many maps it has, and how good they are.

        Args:
            styles: Number of styles searched; 0 for the variants of one map.
        """
        if not self.elites:
            return f"{self.evaluations} maps looked at, none kept"
        return (
            f"{self.evaluations} maps looked at, {len(self.elites)} kept "
            f"({self.coverage(max(styles, 1)):.1%} of the cells), "
            f"best {self.best:.2f}, mean {self.mean:.2f}"
        )

    def copy(self) -> Archive:
        """Return an independent copy."""
        elites, refused = dict(self.elites), dict(self.refused)
        return replace(self, elites=elites, refused=refused, history=self.history[:])

    def note(self) -> None:
        """Append the archive's state after a batch to the history."""
        state = (self.evaluations, len(self.elites), round(self.best, 4), round(self.mean, 4))
        self.history.append(state)

    def merge(self, other: Archive) -> int:
        """Add the better elites of another archive; return their number."""
        taken = sum(self.add(elite) for elite in other.ranked())
        self.evaluations += other.evaluations
        for why, count in sorted(other.refused.items()):
            self.refused[why] = self.refused.get(why, 0) + count
        self.note()
        return taken


# -- as JSON ---------------------------------------------------------------------------------------


def index_text(archive: Archive) -> str:
    """Return the index of an archive's folder as JSON, without the maps' texts."""
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
    """Return the archive of an index.

    Args:
        text: The index.
        texts: Texts of the maps, by name.
        where: Name of the file, for messages.

    Raises:
        ForgeError (FDF504): If the index is malformed or a map is missing.
    """
    try:
        table = parse_json(text, where)
        if table["version"] != VERSION:
            raise WrongDocument(f"it is of version {table['version']}")
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
                raise WrongDocument(f"{name}.forge is not the map that the index knows")
            archive.elites[elite.cell] = elite
    except MALFORMED as error:
        why = malformed_reason(error)
        message = f"`{where}` is not an archive of `fdforge search`: {why}"
        hint = "search into another folder, or take the faulty files away"
        raise ForgeError([Issue("FDF504", "error", message, hint=hint)]) from None
    return archive


def read_sketch(table: Mapping[str, Any]) -> MapGenome:
    """Return the genome of a JSON table; empty values may be missing."""

    def pairs(name: str) -> tuple[Any, ...]:
        return tuple((a, b) for a, b in table.get(name, ()))

    heart = table.get("heart")
    return MapGenome(
        table["style"],
        int(table["rows"]),
        int(table["cols"]),
        table["symmetry"],
        PartPlacement(*heart) if heart else None,
        tuple(PartPlacement(*each) for each in table.get("stamps", ())),
        tuple(BridgeGene(*each) for each in table.get("bridges", ())),
        pairs("steps"),
        pairs("ladders"),
        pairs("things"),
        pairs("chests"),
    )

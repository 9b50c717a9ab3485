"""Everything that may stand on one tile and come to it over its edges, two by two and by threes.

A tile takes one thing on it and one thing over each of its four edges. Which two exclude each other
is a table of reasons, not of solids; the proof is that all others share no room.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from falldamage_forge.board import Tile
from falldamage_forge.geometry.build import standing
from falldamage_forge.geometry.fits import Fit
from falldamage_forge.geometry.joints import COMPASS, OVERLAP_MM3, overlap_mm3
from falldamage_forge.geometry.solids import Solid, made, union
from falldamage_forge.geometry.standard import STANDARD
from falldamage_forge.geometry.style import PLAIN, Style
from falldamage_forge.geometry.tiles import SIDES
from falldamage_forge.lengths import Grid
from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.pieces.model import Placement
from falldamage_forge.pieces.variants import variants_of

HERE = Tile(2, 2)
LEVEL = 1


@dataclass(frozen=True, slots=True)
class Thing:
    """A placement about the tile. `side` is the edge it comes over; -1 for what stands on it.

    `closed` are the sides of a battlement; `kind` is what the reasons speak of.
    """

    name: str
    kind: str
    placement: Placement
    side: int = -1
    closed: tuple[int, ...] = ()


STANDING = (
    *(("water", "cap"), ("lava", "cap"), ("spire", "spire"), ("tree", "tree")),
    *(("chest", "chest"), ("step", "step")),
)
"""Pieces that stand on a tile, and what the reasons call them."""


def things_on(catalogue: Catalogue) -> Iterator[Thing]:
    """What stands on the tile, in all its looks and at every quarter turn that differs."""
    for key, kind in STANDING:
        for piece in variants_of(catalogue[key]):
            yield Thing(piece.key, kind, Placement(piece, HERE, LEVEL))
    for piece in (*catalogue.family("battlement"), *catalogue.family("railing")):
        sides = ["nesw".index(letter) for letter in str(piece["sides"])]
        for turn in range(1 if len(sides) == 4 else 4):
            closed = tuple((side + turn) % 4 for side in sides)
            name = f"{piece.key} turned {turn}"
            yield Thing(name, "battlement", Placement(piece, HERE, LEVEL, turn), closed=closed)


def things_over(catalogue: Catalogue) -> Iterator[Thing]:
    """What comes over each edge: a bridge, a ladder to this top or from it, a wall.

    Ladders from it are as tall as what stands on a tile.
    """
    ladder, tall, low = (catalogue[f"ladder-{end}"] for end in ("1", "2", "2-low"))
    for side, (row, col) in enumerate(SIDES):
        beside, over = HERE.step((row, col)), COMPASS[side]
        bridge = Placement(catalogue.bridge(1), beside, LEVEL, (side + 1) % 2)
        yield Thing(f"bridge {over}", "bridge", bridge, side)
        head = Placement(ladder, beside, LEVEL - 1, (side + 2) % 4)
        yield Thing(f"ladder up from {over}", "head", head, side)
        yield Thing(f"ladder up to {over}", "foot", Placement(tall, HERE, LEVEL, side), side)
        yield Thing(f"low ladder up to {over}", "low foot", Placement(low, HERE, LEVEL, side), side)
        wall = Placement(catalogue["block-1x1x1"], beside, LEVEL)
        yield Thing(f"wall {over}", "wall", wall, side)


def why_not(a: Thing, b: Thing) -> str | None:
    """Why two things cannot be at one tile together; None when they can."""
    if a.side < 0 and b.side < 0:
        within = {a.kind, b.kind} == {"chest", "battlement"}
        return None if within else "one thing stands on a tile"
    if a.side >= 0 and b.side >= 0:
        return _why_not_over(a, b)
    on, over = (a, b) if a.side < 0 else (b, a)
    feet = over.kind in ("foot", "low foot")
    if on.kind == "step" and over.kind != "wall":
        return "a step fills its tile up to half a level"
    if feet and on.kind == "spire":
        return "a ladder's foot needs the edge that the legs of a spire spread over"
    if feet and over.side in on.closed:
        return "a ladder stands where the battlement is"
    if feet and on.kind == "caps":
        return "no ladder is short enough for two caps"
    if over.kind == "foot" and on.kind == "cap":
        return "on a cap stands a ladder that is as much shorter"
    if over.kind == "low foot" and on.kind != "cap":
        return "a low ladder stands on a cap"
    if over.kind in ("bridge", "head") and over.side in on.closed:
        return "nobody walks through a battlement"
    return None


def _why_not_over(a: Thing, b: Thing) -> str | None:
    kinds = {a.kind, b.kind}
    if a.side != b.side:
        if kinds == {"foot", "low foot"}:
            return "there is a cap on the tile or there is none"
        return None
    return (
        None
        if kinds <= {"foot", "low foot", "wall"} and "wall" in kinds
        else ("one thing comes over an edge")
    )


@dataclass(frozen=True, slots=True)
class Around:
    """What was found: how many twos and threes share no room, and which do, with mm³."""

    pairs: int
    triples: int
    excluded: int
    clashes: tuple[tuple[str, float], ...]


def prove_around(catalogue: Catalogue, fit: Fit, style: Style = PLAIN) -> Around:
    """Every two things about one tile that no reason keeps apart.

    Three share no room where no two of them do, so triples are counted and need no solids.
    """
    things = [*things_on(catalogue), *things_over(catalogue)]
    capped = Placement(catalogue["start-red"], HERE, LEVEL, raised_mm=STANDARD.cap_mm)
    things.append(Thing("start on water", "caps", capped))
    solids = [made(_seen(thing, fit, style)) for thing in things]
    together = [
        pair
        for pair in combinations(range(len(things)), 2)
        if why_not(things[pair[0]], things[pair[1]]) is None
    ]
    clashes = [
        (f"{things[a].name} and {things[b].name}", overlap_mm3(solids[a], solids[b]))
        for a, b in together
    ]
    allowed = set(together)
    triples = sum(
        1 for a, b, c in combinations(range(len(things)), 3) if {(a, b), (a, c), (b, c)} <= allowed
    )
    every = len(things) * (len(things) - 1) // 2
    found = tuple(clash for clash in clashes if clash[1] >= OVERLAP_MM3)
    return Around(len(together), triples, every - len(together), found)


def _seen(thing: Thing, fit: Fit, style: Style) -> Solid:
    return _near(standing(thing.placement, fit, style), thing.placement.piece.grid)


def _near(solid: Solid, grid: Grid) -> Solid:
    """What of a solid lies near the tile's top: all that can meet there."""
    from manifold3d import Manifold

    x, y = grid.centre_mm(*HERE)
    reach, low = grid.pitch_mm / 2 + 10.0, grid.height_mm(LEVEL) - 8.0
    box = Manifold.cube((2 * reach, 2 * reach, 2 * grid.rise_mm + 12.0))
    return solid ^ box.translate((x - reach, y - reach, low))


def together_mm3(things: list[Thing], fit: Fit, style: Style = PLAIN) -> float:
    """The room that things share, taken all at once: their volumes less that of their union."""
    solids = [_seen(thing, fit, style) for thing in things]
    return float(sum(solid.volume() for solid in solids) - union(solids).volume())

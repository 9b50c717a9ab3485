"""Connection of the sides: start zones that do not reach each other, and the barrier between."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from falldamage_forge.board import Board, StartZone, Tile
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import Issue, Note, SourceSpan
from falldamage_forge.rules.barriers import wall_between
from falldamage_forge.rules.movement_graph import MovementGraph
from falldamage_forge.rules.position import Position
from falldamage_forge.rules.unit_values import Profile

MARGIN = 3
"""Tiles by which an edge through unsettled tiles may be longer than the edges of the board."""


@dataclass(frozen=True, slots=True)
class Proof:
    """Start nodes and reachable nodes of one unit, by side.

    Attributes:
        unit: Name of the unit.
        profile: Its profile.
        model: Its movement graph.
        zones: Start nodes by side.
        reach: Nodes reached without damage by side.
    """

    unit: str
    profile: Profile
    model: MovementGraph
    zones: dict[str, tuple[int, ...]]
    reach: dict[str, frozenset[int]]

    @property
    def starts(self) -> frozenset[int]:
        """Start nodes of all sides."""
        return frozenset().union(*self.zones.values())

    @property
    def reached(self) -> frozenset[int]:
        """Nodes that a side reaches."""
        return frozenset().union(*self.reach.values())

    def surfaces(self, places: frozenset[int]) -> frozenset[Surface]:
        """Return the surfaces that a unit covers on some nodes."""
        return frozenset(at for place in places for at in self.model.places[place].covers)


def proof_of(position: Position, unit: str, profile: Profile) -> Proof:
    """Return the start nodes and reachable nodes of a unit.

    Args:
        position: Position on the board.
        unit: Name of the proof unit.
        profile: Its profile.
    """
    zones = position.zones(profile)
    reach = {side: position.flood(profile, places) for side, places in zones.items()}
    return Proof(unit, profile, position.model(profile), zones, reach)


def zone_of(board: Board, side: str) -> StartZone:
    """Return the start zone of a side; the side must have one.

    Args:
        board: Board with start zones.
        side: Name of the side.
    """
    return next(zone for zone in board.starts if zone.side == side)


def sides_apart(position: Position, proofs: Sequence[Proof]) -> Iterator[Issue]:
    """Yield an issue for each pair of sides whose start nodes do not reach each other.

    Units with the same gaps share an issue, as do both directions of a gap.

    Args:
        position: Position on the board.
        proofs: Proofs of all proof units of the rules.
    """
    proofs_by_gaps: dict[tuple[tuple[str, str], ...], list[Proof]] = {}
    for proof in proofs:
        pairs = tuple((gap.side, gap.other) for gap in _gaps(position, proof))
        if pairs:
            proofs_by_gaps.setdefault(pairs, []).append(proof)
    for sharing in proofs_by_gaps.values():
        gaps = {(gap.side, gap.other): gap for gap in _gaps(position, sharing[-1])}
        for (side, other), gap in gaps.items():
            if side < other or (other, side) not in gaps:
                back = (other, side) in gaps
                yield _apart(position, sharing, gap, back)


@dataclass(frozen=True, slots=True)
class SideGap:
    """Start nodes of a side that do not reach a start node of another side.

    Attributes:
        side: The side that is stuck.
        other: The side that it does not reach.
        stuck: Start nodes of `side` that do not reach all of `other`.
        goal: First start node of `other` that is not reached.
    """

    side: str
    other: str
    stuck: tuple[int, ...]
    goal: int


def _gaps(position: Position, proof: Proof) -> Iterator[SideGap]:
    if all_meet(position, proof):
        return
    for side, places in proof.zones.items():
        for other, goals in proof.zones.items():
            stuck = tuple(
                place
                for place in places
                if other != side and not position.flood(proof.profile, (place,)).issuperset(goals)
            )
            if stuck:
                reached = position.flood(proof.profile, stuck[:1])
                yield SideGap(
                    side, other, stuck, next(goal for goal in goals if goal not in reached)
                )


@dataclass(frozen=True, slots=True)
class ApartSides:
    """The parts of a board that a gap separates.

    Attributes:
        inside: Surfaces that the side that is stuck reaches.
        beyond: Surfaces from which its goal is reached.
        lone_starts: (side, surface) of the start that alone is cut off; empty for several.
    """

    inside: frozenset[Surface]
    beyond: frozenset[Surface]
    lone_starts: tuple[tuple[str, Surface], ...]


def gap_between_sides(position: Position) -> ApartSides | None:
    """Return the first gap between the sides, of the last proof unit with one; None without."""
    for unit in reversed(position.game.proof_units):
        proof = proof_of(position, unit, unit)
        for gap in _gaps(position, proof):
            places = proof.model.places
            inside = position.flood(unit, gap.stuck[:1])
            beyond = position.flood(unit, (gap.goal,), back=True)
            return ApartSides(
                frozenset(places[n].anchor for n in inside),
                frozenset(places[n].anchor for n in beyond),
                tuple(_lone_starts(position, proof)),
            )
    return None


def _lone_starts(position: Position, proof: Proof) -> Iterator[tuple[str, Surface]]:
    """Yield the start that does not meet the others, if all others meet."""
    for side, places in proof.zones.items():
        for place in places:
            others = proof.starts - {place}
            first = sorted(others)[:1]
            back = position.flood(proof.profile, first, back=True)
            if position.flood(proof.profile, first) >= others and back >= others:
                yield side, proof.model.places[place].anchor


def _apart(position: Position, sharing: Sequence[Proof], gap: SideGap, back: bool) -> Issue:
    """Return the issue for a gap, at the barrier if one is found, else at the start zone."""
    proof, places = sharing[-1], sharing[-1].model.places
    here, there = (places[n].anchor for n in (gap.stuck[0], gap.goal))
    inside = position.flood(proof.profile, gap.stuck[:1])
    beyond = position.flood(proof.profile, (gap.goal,), back=True)
    parts = (frozenset(places[n].anchor.tile for n in part) for part in (inside, beyond))
    wall = wall_between(position.board, *parts)
    units = position.game.nouns([proof.unit for proof in sharing])
    name = position.game.name
    message = (
        f"{units} cannot get from {gap.side}'s start {here.tile} "
        f"to {gap.other}'s start {there.tile}{' or back' if back else ''} without damage"
    )
    stuck = tuple(places[place].anchor.tile for place in gap.stuck)
    start = zone_of(position.board, gap.side).source
    at_wall = wall is not None and wall.source is not None
    notes = (Note(start, f"{gap.side} starts here"),) if at_wall and start else ()
    return Issue(
        "FDF300",
        "error",
        f"{wall.words}: {message}" if at_wall and wall and wall.words else message,
        wall.source if at_wall and wall else start,
        wall.tiles if at_wall and wall else stuck,
        obstacle_between(position, proof, inside, beyond)
        or (
            None
            if at_wall
            else f"`fdforge reach MAP --rules {name} --from {here.tile}` lists what it reaches"
        ),
        (*notes, *built_here(position.board, there, "it cannot get here")),
    )


def all_meet(position: Position, proof: Proof) -> bool:
    """True if all start nodes of a unit reach each other.

    Args:
        position: Position on the board.
        proof: Proof of one unit.
    """
    starts = sorted(proof.starts)
    if not starts:
        return True
    there = position.flood(proof.profile, starts[:1])
    back = position.flood(proof.profile, starts[:1], back=True)
    return there.issuperset(starts) and back.issuperset(starts)


def cut_off_starts(position: Position, proof: Proof) -> Iterator[tuple[str, int, int]]:
    """Yield the side, its start node and the start node that a unit does not reach from it.

    Args:
        position: The board under its rules.
        proof: The unit with its start nodes.
    """
    for side, places in proof.zones.items():
        for place in places:
            for goal in sorted(proof.starts - position.flood(proof.profile, (place,))):
                yield side, place, goal


def check_apart(position: Position, unsettled: Collection[Tile]) -> tuple[Issue, ...]:
    """Return the gaps between sides (FDF300) that hold for any terrain on the unsettled tiles.

    A gap holds if the reachable set of the start, or the set that reaches the goal, stays away from
    these tiles.

    Args:
        position: The board under its rules.
        unsettled: Tiles whose terrain is not known because of earlier errors.
    """
    proofs = tuple(proof_of(position, unit, unit) for unit in position.game.proof_units)
    sure = [proof for proof in proofs if _settled(position, proof, unsettled)]
    return tuple(sides_apart(position, sure))


def _settled(position: Position, proof: Proof, unsettled: Collection[Tile]) -> bool:
    """True if no gap of a unit depends on unsettled tiles."""
    anchors = [place.anchor.tile for place in proof.model.places]
    longest = max(
        (_far(anchors[n], anchors[e.to]) for n, es in enumerate(proof.model.edges) for e in es),
        default=1,
    )
    near = {
        n
        for n, at in enumerate(anchors)
        if any(_far(at, tile) <= longest + MARGIN for tile in unsettled)
    }
    for gap in _gaps(position, proof):
        inside = position.flood(proof.profile, gap.stuck[:1])
        beyond = position.flood(proof.profile, (gap.goal,), back=True)
        if near & inside and near & beyond:
            return False
    return True


def _far(a: Tile, b: Tile) -> int:
    return max(abs(a.row - b.row), abs(a.col - b.col))


def obstacle_between(
    position: Position, proof: Proof, inside: frozenset[int], beyond: frozenset[int]
) -> str | None:
    """Return the obstacle between two sets of nodes, in the ruleset's words, or None.

    Args:
        position: Position on the board.
        proof: Proof of one unit.
        inside: Numbers of the nodes on this side.
        beyond: Numbers of the nodes on the other.
    """
    places = proof.model.places
    return position.game.obstacle(
        position.graph,
        proof.profile,
        {places[n].anchor for n in inside},
        {places[n].anchor for n in beyond},
    )


def source_of(board: Board, region: tuple[Surface, ...]) -> SourceSpan | None:
    """Return the statement that built a region: its deck's or its column's; None without one.

    Args:
        board: Board with the places of its statements.
        region: Surfaces that belong together.
    """
    for tile, level in region:
        for deck in board.decks:
            if deck.level == level and tile in deck.tiles and deck.source:
                return deck.source
        column = board.column(tile)
        if column.source:
            return column.source
    return None


def built_here(board: Board, surface: Surface, message: str) -> tuple[Note, ...]:
    """Return a note at the statement that built a surface, if there is one.

    Args:
        board: Board with the places of its statements.
        surface: Tile and level.
        message: Text of the note.
    """
    source = source_of(board, (surface,))
    return (Note(source, message),) if source else ()

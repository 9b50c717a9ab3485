"""Board builder: facts to one immutable Board, with issues for contradictions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from falldamage_forge.board import MAX_LEVEL, Board, Column, Feature, Ground, Tile, make_board
from falldamage_forge.elements import BLOCK, KINDS
from falldamage_forge.elements.element import SINGLE
from falldamage_forge.elements.things import lists_of
from falldamage_forge.issues import Issue, SourceSpan, notes_at
from falldamage_forge.lang.facts import ExpansionStep, Extent, Fact, occupied_tiles

EXPAND = "`fdforge expand` shows the map with all copies written out"


def drop_off_board(
    facts: Iterable[Fact], box: Extent, issues: list[Issue], asked: Extent
) -> Iterator[Fact]:
    """Yield the facts whose tiles are on the board and whose levels exist.

    Args:
        facts: Facts after expansion.
        box: Extent of the board.
        issues: Gets FDF100 and FDF106, once for each statement or `place`.
        asked: Extent that the text asks for. Tiles that lie on it are off the board only because it
            was refused, and are dropped without an issue.
    """
    reported: set[tuple[str, SourceSpan | None]] = set()

    def report(code: str, message: str, fact: Fact, hint: str | None) -> None:
        place = fact.placed or fact.span
        if (code, place) not in reported:
            reported.add((code, place))
            note = notes_at((fact.placed and fact.span, "it comes from here"))
            issues.append(Issue(code, "error", message, place, _seen(fact, box), hint, note))

    for fact in facts:
        where = occupied_tiles(fact.kind, fact.tiles)
        off = [tile for tile in where if tile not in box]
        high = [n for n in fact.levels if n is not None and not 0 <= n <= MAX_LEVEL]
        raised = sum(via.raised for via in fact.chain)
        if off and not fact.weak:
            beyond = [tile for tile in off if tile not in asked]
            if beyond:
                name = str(beyond[0]) if min(beyond[0]) >= 0 else "a tile north or west of A1"
                message = f"{name} is off the board of {asked.cols}x{asked.rows} tiles"
                last = Tile(asked.rows - 1, asked.cols - 1)
                report("FDF100", message, fact, f"the last tile is {last}")
        elif high:
            message = f"level {high[0]} is out of range; 0 to {MAX_LEVEL} can be built"
            hint = f"`raise` adds {raised:+d} to it" if raised else None
            if raised or fact.kind not in ("level", "deck"):  # else the expansion reported it
                report("FDF106", message, fact, hint)
        elif not off:
            yield fact


def _seen(fact: Fact, box: Extent) -> tuple[Tile, ...]:
    return tuple(tile for tile in fact.tiles if tile in box)


def build_board(facts: Iterable[Fact], box: Extent, issues: list[Issue]) -> Board:
    """Return the board that the facts describe.

    Args:
        facts: Facts on the board.
        box: Extent of the board.
        issues: Gets FDF101 for contradictions, of which the first fact is used, and FDF108 for
            start zones that meet an image.
    """
    kinds: dict[str, list[Fact]] = {}
    for fact in facts:
        kinds.setdefault(fact.kind, []).append(fact)

    def of(kind: str) -> list[Fact]:
        return kinds.get(kind, [])

    levels, grounds, features = (_settle(of(k), issues) for k in ("level", "ground", "feature"))
    columns = _columns(levels, grounds, features, box)
    if BLOCK in kinds:
        from falldamage_forge.lang.model_tiles import stand_models

        kinds[BLOCK], columns = stand_models(of(BLOCK), columns, issues)

    def known(fact: Fact) -> Fact:
        if None not in fact.levels:
            return fact
        levels = zip(fact.tiles, fact.levels, strict=False)
        return replace(
            fact, levels=tuple(columns[at].level if n is None else n for at, n in levels)
        )

    kinds["start"] = _one_start_each(of("start"), issues)
    placed = {kind: list(map(known, of(kind))) for kind in KINDS if kind not in SINGLE}
    return make_board(box.rows, box.cols, columns.values(), **lists_of(placed))


def _columns(
    levels: dict[Tile, Fact], grounds: dict[Tile, Fact], features: dict[Tile, Fact], box: Extent
) -> dict[Tile, Column]:
    def column(tile: Tile) -> Column:
        level, ground, feature = levels.get(tile), grounds.get(tile), features.get(tile)
        source = next((fact.span for fact in (feature, ground, level) if fact), None)
        return Column(
            (level.levels[0] or 0) if level else 0,
            Ground(ground.name) if ground else Ground.GROUND,
            Feature(feature.name) if feature else None,
            source,
        )

    return {tile: column(tile) for tile in box.tiles()}


# -- contradictions ------------------------------------------------------------------------------


def _settle(facts: Iterable[Fact], issues: list[Issue]) -> dict[Tile, Fact]:
    """Return one fact for each tile; report facts that differ, once for each pair of statements."""
    settled: dict[Tile, Fact] = {}
    clashes: dict[frozenset[SourceSpan | None], tuple[Fact, Fact, dict[Tile, None]]] = {}
    for fact in facts:
        tile = fact.tiles[0]
        second = settled.get(tile)
        if second is None or (second.weak and not fact.weak):
            settled[tile] = fact
        elif not fact.weak and fact_text(second) != fact_text(fact):
            places = frozenset((_place(second), _place(fact)))
            clashes.setdefault(places, (second, fact, {}))[2][tile] = None
    for first, second, tiles in clashes.values():
        issues.append(_clash(tuple(tiles), first, second))
    return settled


def fact_text(fact: Fact) -> str:
    """Return what a fact of level, ground or feature says about its tile."""
    return f"level {fact.levels[0]}" if fact.kind == "level" else fact.name


def _place(fact: Fact) -> SourceSpan | None:
    return fact.placed or fact.span


def _clash(tiles: tuple[Tile, ...], first: Fact, second: Fact) -> Issue:
    """Return the issue for two contradicting facts, at the one that is no image."""
    tile = tiles[0]
    here, other = (first, second) if second.copied and not first.copied else (second, first)
    hint = "keep one of them; `_` in a map leaves a tile open"
    if not other.copied:
        message = f"{tile} is {fact_text(here)} here and {fact_text(other)} elsewhere"
        notes = notes_at((_place(other), f"{tile} is {fact_text(other)} here"))
        return Issue("FDF101", "error", message, _place(here), tiles, hint, notes)
    via = other.copied
    origin = other.source[0]
    message = f"{tile} is {fact_text(here)} here and {fact_text(other)} by `{via.text}`"
    where = (via.span, f"this makes {tile} {fact_text(other)}")
    notes = notes_at(
        where, (_place(other), f"{origin} is {fact_text(other)} here, and {tile} its image")
    )
    hint = f"make both the same, or take one of them out; {EXPAND}"
    return Issue("FDF101", "error", message, _place(here), tiles, hint, notes)


def _one_start_each(facts: list[Fact], issues: list[Issue]) -> list[Fact]:
    """Return the start facts without images that contradict written ones; report those.

    An image contradicts where another side starts, or where it adds to a side written elsewhere.
    """
    written = [fact for fact in facts if not fact.copied]
    owner = {fact.tiles[0]: fact for fact in written}
    sides = {fact.name: fact for fact in written}
    own = {(fact.span, fact.source[0]): fact.name for fact in written}
    spoilt: dict[SourceSpan, Fact] = {}
    for fact in facts:
        via = fact.copied
        if via is None or via.span in spoilt:
            continue
        here = owner.get(fact.tiles[0])
        swapped = own.get((fact.span, fact.source[0]), fact.name) != fact.name
        if (here and here.name != fact.name) or (here is None and swapped and fact.name in sides):
            spoilt[via.span] = fact
            issues.append(_two_starts(via, fact, here or sides[fact.name], sides))
    return [fact for fact in facts if not (fact.copied and fact.copied.span in spoilt)]


def _two_starts(via: ExpansionStep, image: Fact, other: Fact, sides: dict[str, Fact]) -> Issue:
    tile = image.tiles[0]
    if other.name == image.name:
        message = f"{image.name} starts where it is written and where `{via.text}` puts it"
        hint = "write the start of one side only: the other is made"
    else:
        message = f"`{via.text}` lets {image.name} start on {tile}, where {other.name} does"
        two = " ".join([*sides][:2])
        hint = f"write the start of one side only, with `symmetry rotate 180 swap {two}`"
    notes = notes_at((image.span, f"{image.name} is written here"))
    if other.span != image.span:
        notes += notes_at((other.span, f"{other.name} is written here"))
    return Issue("FDF108", "error", message, via.span, (tile,), hint, notes)

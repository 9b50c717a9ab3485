"""Is a map playable under another game? The same questions `check` asks for Fall Damage."""

from __future__ import annotations

from collections.abc import Iterator

from falldamage_forge.board import Board, StartZone
from falldamage_forge.games.engine import Model, connected, sources
from falldamage_forge.games.setting import Setting
from falldamage_forge.games.survey import zones_of
from falldamage_forge.issues import Issue, SourceSpan, did_you_mean
from falldamage_forge.rules.symmetry import OPERATORS, differences
from falldamage_forge.surfaces import Surface


def check_game(board: Board, setting: Setting) -> tuple[Issue, ...]:
    """Errors for starts without room (FDF361), sides cut off (FDF360); warnings for the rest.

    FDF362 warns of surfaces nobody reaches, FDF363 of treasure nobody reaches.
    """
    issues: list[Issue] = []
    models = [setting.model(board, unit) for unit in setting.proof_units]
    for model in models:
        issues += _starts(board, setting, model)
        issues += _sides(board, setting, model)
    if not issues:
        issues += _islands(board, setting, models[0])
    return tuple(issues)


def _starts(board: Board, setting: Setting, model: Model) -> Iterator[Issue]:
    """Every start tile has room for every unit the map is proved for."""
    for zone in board.starts:
        tight = [tile for tile, level in zone.surfaces if Surface(tile, level) not in model.index]
        if tight:
            names = ", ".join(map(str, tight))
            yield Issue(
                "FDF361",
                "error",
                f"no room for {model.unit} of {setting.name} on {zone.side}'s start {names}",
                zone.source,
                tuple(tight),
                "a base may touch nothing higher; move the start, or what stands beside it",
            )


def _sides(board: Board, setting: Setting, model: Model) -> Iterator[Issue]:
    """Every start place reaches every start place of the other sides."""
    zones = zones_of(board, model)
    if _all_meet(model, [number for numbers in zones.values() for number in numbers]):
        return
    for side, numbers in zones.items():
        for other, goals in zones.items():
            if other == side:
                continue
            for number in numbers:
                missing = sorted(set(goals) - connected(model, (number,)))
                if missing:
                    here, there = model.places[number].anchor, model.places[missing[0]].anchor
                    yield Issue(
                        "FDF360",
                        "error",
                        f"{model.unit} of {setting.name} cannot get from {side}'s start "
                        f"{here.tile} to {other}'s start {there.tile}",
                        _zone(board, side).source,
                        (here.tile, there.tile),
                        f"`fdforge reach MAP --rules {setting.name} --from {here.tile}` "
                        "lists what it does reach",
                    )
                    break


def _all_meet(model: Model, places: list[int]) -> bool:
    """Whether every place reaches every other: there and back from one of them."""
    if not places:
        return True
    first = places[:1]
    return connected(model, first).issuperset(places) and sources(model, first).issuperset(places)


def _zone(board: Board, side: str) -> StartZone:
    return next(zone for zone in board.starts if zone.side == side)


def _islands(board: Board, setting: Setting, model: Model) -> Iterator[Issue]:
    """Surfaces with room that no start ever reaches, and treasure among them."""
    unit = model.unit
    starts = [place for zone in zones_of(board, model).values() for place in zone]
    reached = {at for place in connected(model, starts) for at in model.places[place].covers}
    fit = {at for place in model.places for at in place.covers}
    lost = sorted(fit - reached)
    if lost and starts:
        shown = ", ".join(map(str, lost[:6])) + (
            f" and {len(lost) - 6} more" if len(lost) > 6 else ""
        )
        source = board.column(lost[0].tile).source
        message = f"no {unit} of {setting.name} ever reaches {shown}"
        yield Issue("FDF362", "warning", message, source, tuple(at.tile for at in lost))
    for chest in board.treasures:
        if starts and Surface(chest.tile, chest.level) not in reached:
            message = f"no {unit} of {setting.name} ever reaches the treasure at {chest.tile}"
            yield Issue("FDF363", "warning", message, chest.source, (chest.tile,))


def expect_game(
    words: tuple[str, ...], board: Board, setting: Setting, source: SourceSpan | None
) -> tuple[Issue, ...]:
    """One `expect` statement of a map under another game: FDF331 where it fails, FDF330 unknown."""
    codes = {
        ("connected",): ("FDF360", "FDF361"),
        ("no", "islands"): ("FDF362",),
        ("reachable", "treasure"): ("FDF363",),
    }
    shown = " ".join(words)
    if words in codes:
        broken = [issue for issue in check_game(board, setting) if issue.code in codes[words]]
        if not broken:
            return ()
        message = f"expected {shown}, but {broken[0].message}"
        return (Issue("FDF331", "error", message, source, broken[0].tiles),)
    if len(words) == 2 and words[0] == "symmetric" and words[1] in OPERATORS:
        tiles = differences(board, words[1])
        if not tiles:
            return ()
        message = f"expected {shown}, but {tiles[0]} differs from its image"
        return (Issue("FDF331", "error", message, source, tiles),)
    known = [" ".join(key) for key in codes]
    hint = did_you_mean(shown, known) or f"{setting.name} knows {', '.join(known)} and symmetric"
    message = f"nobody knows how to expect `{shown}`"
    return (Issue("FDF330", "error", message, source, (), hint),)

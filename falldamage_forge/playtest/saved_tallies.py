"""Saved tallies: a runner that continues a run, and the JSON of the chunks that ended.

A chunk is known by everything that decides its games: the version, the map, the options, the bots,
the teams and the seed. Chunks of other runs in the same file are kept, and are not used.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, get_args, get_origin, get_type_hints

from falldamage_forge.games.fall_damage.play.play_options import changed_options
from falldamage_forge.games.fall_damage.play.serialization import board_digest, board_json
from falldamage_forge.infra.malformed import MALFORMED, WrongDocument, malformed_reason
from falldamage_forge.infra.version import FORGE_VERSION
from falldamage_forge.issues import refuse
from falldamage_forge.playtest.bots import BOTS
from falldamage_forge.playtest.game_series import GameSeries, Runner, context_of
from falldamage_forge.playtest.score_verdict import Tally

VERSION = 6
Chunks = dict[tuple[str, int, int], Tally]
"""Tallies by series, as JSON text, first game and number of games."""


def series_key(series: GameSeries) -> str:
    """Return everything that decides the games of a series, except their number, as JSON text."""
    table: dict[str, Any] = {
        "version": FORGE_VERSION,
        "name": series.name,
        "map": board_digest(board_json(series.board, context_of(series).land)),
        "options": changed_options(series.rules, series.readings),
        "bots": series.bots,
        "seed": series.seed,
        "teams": series.teams,
    }
    if not set(series.bots) <= set(BOTS):
        table["clock"] = series.clock
    return json.dumps(table, sort_keys=True)


def resumed(runner: Runner, saved: Chunks, note: Callable[[], object]) -> Runner:
    """Return a runner that plays only chunks that are not saved, and saves each of them.

    Args:
        runner: Runner of the other chunks.
        saved: Tallies so far; it is added to.
        note: Callback after each addition.
    """

    def run(work: list[tuple[GameSeries, int, int]]) -> Iterator[Tally]:
        names = {
            id(series): series_key(series) for series in {id(s): s for s, _, _ in work}.values()
        }
        keys = [(names[id(series)], first, count) for series, first, count in work]
        missing = {key: piece for key, piece in zip(keys, work, strict=True) if key not in saved}
        fresh = iter(runner(list(missing.values())))
        for key in keys:
            if key not in saved:
                saved[key] = next(fresh)
                note()
            yield saved[key]

    return run


def saved_json(saved: Chunks) -> dict[str, Any]:
    """Return saved tallies as a JSON object."""
    series: dict[str, list[Any]] = {}
    for (name, first, count), tally in saved.items():
        chunk = {field: _pairs(value) for field, value in vars(tally).items()}
        series.setdefault(name, []).append([first, count, chunk])
    games = [{"of": json.loads(name), "chunks": chunks} for name, chunks in series.items()]
    return {"playtest": VERSION, "series": games}


def read_saved(table: Mapping[str, Any], where: str) -> Chunks:
    """Return the tallies of a JSON object.

    Args:
        table: The object.
        where: Name of the file, for messages.

    Raises:
        ForgeError (FDF388): If it is malformed.
    """
    saved: Chunks = {}
    kinds = get_type_hints(Tally)
    try:
        if table["playtest"] != VERSION:
            raise WrongDocument(f"it is of version {table['playtest']}")
        for series in table["series"]:
            name = json.dumps(dict(series["of"]), sort_keys=True)
            for first, count, chunk in series["chunks"]:
                values = {field: _typed(kinds[field], chunk[field]) for field in kinds}
                saved[name, _typed(int, first), _typed(int, count)] = Tally(**values)
    except MALFORMED as error:
        why = malformed_reason(error)
        message = f"`{where}` holds no games of a playtest: {why}"
        raise refuse("FDF388", message, "name another file; a new one is written") from None
    return saved


def _pairs(value: Any) -> Any:
    """Return a value with dicts as lists of pairs, since JSON has no numbers as keys."""
    if isinstance(value, Mapping):
        return [[key, _pairs(item)] for key, item in value.items()]
    return [_pairs(item) for item in value] if isinstance(value, list | tuple) else value


def _typed(kind: Any, value: Any) -> Any:
    """Return a value of `_pairs` in its type; ValueError if it has another form."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin is None:
        if type(value) is not kind:
            raise ValueError(f"{value!r} is not of type {kind.__name__}")
        return value
    if not isinstance(value, list):
        raise ValueError(f"{value!r} is no list")
    if origin is list:
        return [_typed(parts[0], item) for item in value]
    if origin is tuple:
        each = parts[:1] * len(value) if parts[-1] is Ellipsis else parts
        return tuple(_typed(part, item) for part, item in zip(each, value, strict=True))
    first, second = (*parts, int)[:2]
    return origin({_typed(first, key): _typed(second, item) for key, item in value})

"""HTML pages of a playtest and of a recorded game, each one offline file.

The page of a playtest has verdicts, metrics, heat maps, lengths and cards. The page of a game
replays it: a 3D board, a slider, the events of each move. It holds the game as a list of frames;
its script draws them on a canvas, without a library and without the network.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from falldamage_forge.board import Board, Tile, column_name
from falldamage_forge.board import Ground as Kind
from falldamage_forge.games.fall_damage.play import BoardGame, GameData, legal_moves
from falldamage_forge.games.fall_damage.play.death import death_in
from falldamage_forge.games.fall_damage.play.legal_apply import apply_move_in_place
from falldamage_forge.games.fall_damage.play.state_value import SIDES, State
from falldamage_forge.games.fall_damage.play.surface_number import spot_name
from falldamage_forge.infra.visible_text import escape, visible_in
from falldamage_forge.playtest.selfplay_metrics import OWN_DEATHS
from falldamage_forge.presets import load_text


def frames(record: Mapping[str, Any], content: GameData) -> list[dict[str, Any]]:
    """Return the frames after each move: units, terrain, chests, and events in words.

    An undo is an event of the frame to which the players returned, or of the last frame.

    Args:
        record: Record of the game.
        content: Game data.

    Raises:
        ForgeError (FDF384): If the record is malformed.
    """
    game = BoardGame.start_of(record, content)
    state = game.state.copy()
    found = [_frame(state, "the game begins", [])]
    for entry in record["moves"]:
        text = entry["move"] if isinstance(entry, Mapping) else str(entry)
        move = next((m for m in legal_moves(state) if str(m) == text), None)
        if move is None:
            game.push(text)
            break
        active = state.active
        state.log = []
        apply_move_in_place(state, move)
        told = (describe_event(state, n) for n in range(len(state.log)))
        events = [words for words in told if words]
        found.append(_frame(state, _said(state, active, move, text), events))
    for undo in game.undos:
        words = "1 move is" if undo.moves == 1 else f"{undo.moves} moves are"
        found[min(undo.at, len(found) - 1)]["events"].append(f"{words} taken back here")
    return found


def _said(state: State, active: int, move: Any, text: str) -> str:
    """Return a move in words: the unit, then the notation."""
    index = move.units[0] if move.kind == "unit" else active
    if index < 0 or index >= len(state.units):
        return text
    unit = state.units[index]
    return f"{SIDES[unit.side]} {unit.card} {index}: {text}"


def describe_event(state: State, n: int) -> str:
    """Return event number `n` of a state's log in words; empty for events that are not shown.

    Args:
        state: State with its log.
        n: Number of the event, from 0.
    """
    log = state.log or []
    event = log[n]
    kind = event[0]
    if kind == "harm":
        return f"{_name(state, event[1])} loses {event[2]} ({event[3]}) at {spot_name(event[5])}"
    if kind == "die":
        return f"{_name(state, event[1])} {death_in(log, n).words}"
    if kind == "chest":
        return f"{_name(state, event[1])} opens the chest at {spot_name(event[2])}"
    if kind == "treasure":
        return f"{_name(state, event[1])} finds {event[2]}"
    if kind == "destroyed":
        return f"{event[1]} is destroyed"
    if kind == "over":
        return f"the game is over: {event[1]}"
    return ""


def _name(state: State, index: int) -> str:
    unit = state.units[index]
    return f"{SIDES[unit.side]} {unit.card} {index}"


def _frame(state: State, move: str, events: list[str]) -> dict[str, Any]:
    land = state.land
    columns = []
    for at, column in enumerate(land.columns):
        tile = at // land.cols << 6 | at % land.cols
        kind = {Kind.WATER: "w", Kind.LAVA: "l"}.get(column.ground, "g")
        bricks = land.bricks_on(tile)
        feature = str(column.feature)[0] if column.feature else ""
        columns.append([column.level, "b" if bricks else kind, feature, bricks])
    return {
        "round": state.round,
        "side": SIDES[state.to_act],
        "move": move,
        "events": events,
        "columns": columns,
        "decks": [[t.row, t.col, d.level] for d in land.decks if d for t in d.tiles],
        "ladders": [
            [x.foot.row, x.foot.col, x.foot_level, x.top.row, x.top.col, x.top_level]
            for x in land.ladders
            if x
        ],
        "chests": [[s >> 10, s >> 4 & 63, s & 15] for s in state.chests],
        "units": [
            [u.spot >> 10, u.spot >> 4 & 63, u.spot & 15, u.side, u.card, u.health, u.max_health, i]
            for i, u in enumerate(state.units)
            if u.alive
        ],
        "bodies": [
            [b.spot >> 10, b.spot >> 4 & 63, b.spot & 15] for b in state.bodies if not b.used
        ],
        "active": state.active,
        "result": state.result,
    }


def _thin(all_frames: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return frames without the values that are equal to the previous frame's."""
    kept: dict[str, Any] = {}
    thin = []
    for frame in all_frames:
        thin.append({key: value for key, value in frame.items() if kept.get(key, ...) != value})
        kept.update(frame)
    return thin


def replay_page(
    record: Mapping[str, Any], content: GameData, outlines: Mapping[str, str] | None = None
) -> str:
    """Return the replay page of a record.

    Args:
        record: Recorded game.
        content: Cards of the game.
        outlines: SVG path of each card's figure, on 250 by 360 units; cards without one have discs.

    Raises:
        ForgeError (FDF384): If the record is malformed.
    """
    shown = frames(record, content)
    columns = record["board"]["columns"]
    cards = {unit[4] for frame in shown for unit in frame["units"]}
    figures = {card: path for card, path in (outlines or {}).items() if card in cards}
    data = {
        "rows": len(columns),
        "cols": len(columns[0]),
        "figures": figures,
        "frames": _thin(shown),
    }
    text = json.dumps(visible_in(data), separators=(",", ":")).replace("</", "<\\/")
    result = str(shown[-1]["result"] or "not over")
    page = load_text("play", "replay.html")
    return page.replace("@RESULT@", escape(result)).replace("@DATA@", text)


CELL = 26
KINDS = {
    "visits": "where units stood",
    "deaths": "where units died",
    "falls": "where falls ended",
    "treasure": "where chests were opened",
}
ROWS = {
    "red_wins": "red wins, of decided games",
    "first_mover_wins": "the first mover wins",
    "undecided": "undecided at the round limit",
    "rounds": "rounds of decided games",
    "comebacks": "the side that lost the first unit wins",
    "fall_kills": "kills by falls",
    "lava_kills": "kills by lava",
    "treasure_opened": "chests opened",
    "treasure_wins": "the side that opened more wins",
    "treasure_red": "chests opened by red",
    "hot_spots": "deaths on the hottest tenth",
    "first_damage": "round of the first damage",
    "strikes": "activations that strike",
    "from_above": "damage dealt from above",
    "higher_wins": "the side that stands higher in round 3 wins",
    "finished": "far ahead: won within five more rounds",
    "finished_unpoisoned": "the same, where poison does not hold the side ahead",
    "idle": "activations without a move or an action",
    "back_and_forth": "activations that only walk back",
    "empty_shots": "attacks on trees, ladders and empty bridges",
    "own_deaths": "deaths in the unit's own activation",
}
STYLE = """
:root { color-scheme: light dark } * { box-sizing: border-box }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem;
  color: #222; background: #fff }
svg { max-width: 100% } h1 { overflow-wrap: anywhere } li { padding: .2rem 0 }
table { border-collapse: collapse; margin: 1rem 0 } td, th { padding: .2rem .7rem; text-align: left;
  border-bottom: 1px solid #ddd } td + td { font-variant-numeric: tabular-nums }
figure { display: inline-block; margin: .5rem 1rem .5rem 0 } figcaption { color: #555 }
.small { color: #555; font-size: .9em }
@media (prefers-color-scheme: dark) { body { background: #1b1b1d; color: #ddd }
  td, th { border-color: #444 } figcaption, .small { color: #aaa } }
"""


def page(results: Sequence[tuple[Board, Mapping[str, Any]]], links: Mapping[str, str]) -> str:
    """Return the page of one map or several.

    Args:
        results: Board and result of each map.
        links: Addresses of replays, by description.
    """
    parts = [part for board, result in results for part in _map(board, result)]
    if links:
        items = [
            f'<li><a href="{escape(to)}">{escape(what)}</a></li>' for what, to in links.items()
        ]
        parts += ["<h2>Replays</h2>", f"<ul>{''.join(items)}</ul>"]
    title = ", ".join(str(result["map"]) for _, result in results)
    return (
        '<!doctype html>\n<html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link rel="icon" href="data:,">'
        f"<title>Playtest: {escape(title)}</title><style>{STYLE}</style>\n<main>\n"
        + "\n".join(parts)
        + "\n</main>\n</html>\n"
    )


def _map(board: Board, result: Mapping[str, Any]) -> list[str]:
    bots = result["bots"]
    parts = [
        f"<h1>{escape(str(result['map']))}</h1>",
        f'<p class="small">{result["games"]} games a bot against itself, seed {result["seed"]}, '
        f"readings that differ from the default: {_options(result['options'])}. "
        "Intervals of measures are exact, at 95 %; those of verdicts hold for any number of games, "
        "at 98 %.</p>",
        "<ul>" + "".join(f"<li>{escape(line)}</li>" for line in result["verdicts"]) + "</ul>",
        _table(bots),
    ]
    for name, bot in bots.items():
        parts.append(f"<h2>{escape(name)}</h2>")
        parts += [_heat(board, bot["maps"][kind], words) for kind, words in KINDS.items()]
        parts += [_lengths(bot["rounds"]["histogram"]), _cards(bot["cards"])]
        parts.append(_own_deaths(bot["habits"]))
        dead = bot["dead_zones"]
        spots = ", ".join(dead["spots"]) or "none"
        parts.append(f"<p>Surfaces hardly ever visited ({dead['count']}): {escape(spots)}.</p>")
    if "pieces" in result:
        parts.append(_pieces(result["pieces"]))
    return parts


def _options(options: Mapping[str, Any]) -> str:
    return escape(", ".join(f"{name} {value}" for name, value in options.items()) or "none")


def format_measure(measure: Mapping[str, Any]) -> str:
    """Return `49.9 % (47.7 to 52.1)`, or a mean with its interval.

    Args:
        measure: A share or a mean of `selfplay_metrics`.
    """
    if not measure["n"]:
        return "none"
    if "share" in measure:
        share, low, high = (100 * measure[name] for name in ("share", "low", "high"))
        return f"{share:.1f} % ({low:.1f} to {high:.1f})"
    return f"{measure['mean']:.2f} ({measure['low']:.2f} to {measure['high']:.2f})"


def _table(bots: Mapping[str, Any]) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in bots)
    body = "".join(
        f"<tr><td>{words}</td>"
        + "".join(f"<td>{format_measure(bot[key])}</td>" for bot in bots.values())
        + "</tr>"
        for key, words in ROWS.items()
    )
    return f"<table><tr><th>measure</th>{head}</tr>{body}</table>"


def _heat(board: Board, counts: Mapping[str, int], words: str) -> str:
    """Return the board from above, each surface darker with more events.

    A tile with several surfaces is divided into strips, the highest first.
    """
    by_tile: dict[Tile, list[tuple[int, int]]] = {}
    for spot, count in counts.items():
        name, _, level = spot.partition("@")
        by_tile.setdefault(Tile.parse(name), []).append((int(level), count))
    most = max(counts.values(), default=0) or 1
    cells = []
    for tile in board.tiles():
        x, y = (tile.col + 1) * CELL, (tile.row + 1) * CELL
        column, surfaces = board.column(tile), sorted(by_tile.get(tile, []), reverse=True)
        title = ", ".join(f"{tile}@{level}: {count}" for level, count in surfaces) or f"{tile}: 0"
        ground = {"water": "#9cc4e8", "lava": "#e8a08c"}.get(str(column.ground), "#f2efe6")
        cells.append(
            f'<g><title>{title}</title><rect x="{x}" y="{y}" width="{CELL}" '
            f'height="{CELL}" fill="{ground}" stroke="#999" stroke-width=".5"/>'
            f"{_strips(x, y, [count / most for _, count in surfaces])}"
            f'<text x="{x + 3}" y="{y + 10}" font-size="8" fill="#333">'
            f"{column.level or ''}</text></g>"
        )
    names = [
        f'<text x="{(col + 1.5) * CELL}" y="{CELL - 6}" text-anchor="middle">{column_name(col)}'
        "</text>"
        for col in range(board.cols)
    ] + [
        f'<text x="{CELL - 6}" y="{(row + 1.65) * CELL}" text-anchor="end">{row + 1}</text>'
        for row in range(board.rows)
    ]
    width, height = (board.cols + 1) * CELL + 2, (board.rows + 1) * CELL + 2
    return (
        f'<figure><svg width="{width}" height="{height}" role="img" aria-label="{words}" '
        f'font-size="10" fill="currentColor">{"".join(cells)}{"".join(names)}</svg>'
        f"<figcaption>{words}</figcaption></figure>"
    )


def _strips(x: int, y: int, heats: Sequence[float]) -> str:
    """Return a tile's heat, one strip per surface."""
    tall = CELL / max(len(heats), 1)
    return "".join(
        f'<rect x="{x}" y="{round(y + at * tall, 1)}" width="{CELL}" height="{round(tall, 1)}" '
        f'fill="#b3261e" fill-opacity="{round(heat, 3)}"/>'
        for at, heat in enumerate(heats)
    )


def _lengths(histogram: Mapping[str, int]) -> str:
    """Return a bar chart of the rounds in which games were decided; empty if none was."""
    if not histogram:
        return ""
    most = max(histogram.values(), default=0) or 1
    bars = []
    for at, (rounds, count) in enumerate(histogram.items()):
        tall = round(90 * count / most, 1)
        bars.append(
            f'<g><title>{count} games over in round {rounds}</title><rect x="{at * 18 + 4}" '
            f'y="{94 - tall}" width="14" height="{tall}" fill="#4a6fa5"/>'
            f'<text x="{at * 18 + 11}" y="106" text-anchor="middle">{rounds}</text></g>'
        )
    width = len(histogram) * 18 + 12
    return (
        f'<figure><svg width="{width}" height="112" font-size="10" fill="currentColor" role="img" '
        f'aria-label="rounds">{"".join(bars)}</svg><figcaption>rounds until decided</figcaption>'
        "</figure>"
    )


def _cards(cards: Mapping[str, Any]) -> str:
    """Return the score of the team that alone has a card: the best and the worst three."""
    known = [(name, m) for name, m in cards.items() if m["n"]]
    if not known:
        return ""
    order = sorted(known, key=lambda pair: (-pair[1]["share"], pair[0]))
    rows = order if len(order) <= 6 else [*order[:3], *order[-3:]]
    body = "".join(
        f"<tr><td>{escape(name)}</td><td>{format_measure(m)}</td><td>{m['p']}</td></tr>"
        for name, m in rows
    )
    return (
        "<table><tr><th>card, when one team alone has it</th><th>score</th>"
        f"<th>p (Holm)</th></tr>{body}</table>"
    )


def _own_deaths(habits: Mapping[str, Mapping[str, int]]) -> str:
    """Return the deaths in the unit's own activation, by card and cause, the most first."""
    found = sorted(
        (-count, card, name)
        for card, counts in habits.items()
        for name, count in counts.items()
        if name in OWN_DEATHS
    )
    if not found:
        return ""
    body = "".join(
        f"<tr><td>{escape(card)}</td><td>{escape(name)}</td><td>{-count}</td></tr>"
        for count, card, name in found
    )
    return (
        "<table><tr><th>card that dies in its own activation</th><th>cause</th>"
        f"<th>deaths</th></tr>{body}</table>"
    )


def _pieces(pieces: Mapping[str, Any]) -> str:
    body = "".join(
        f"<tr><td>{escape(name)}</td><td>{entry['visits']}</td>"
        f"<td>{escape(entry['effect']['text'])}</td></tr>"
        for name, entry in pieces.items()
    )
    return (
        "<h2>Without a bridge or a ladder</h2><table><tr><th>piece</th><th>games in which "
        f"a unit stood on it</th><th>without it</th></tr>{body}</table>"
    )

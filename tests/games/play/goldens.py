"""Golden games: short random games on a crowded board, kept move by move in `tests/data`.

`python -m tests.games.play.goldens` draws them again, until they hold everything and notice every
number. A record is moves alone; `tests/snapshots/play` tells what came of some of them.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from typing import Any

from falldamage_forge.board import (
    Board,
    Chest,
    Column,
    Deck,
    Feature,
    Ground,
    Ladder,
    StartZone,
    Tile,
    make_board,
)
from falldamage_forge.games.fall_damage.play import BoardGame, legal_moves
from falldamage_forge.games.fall_damage.play.game_data import CLASSES, GameData
from falldamage_forge.games.fall_damage.play.legal_apply import apply_move_in_place
from falldamage_forge.games.fall_damage.play.serialization import board_json, state_hash
from falldamage_forge.games.fall_damage.play.split_mix import SplitMix64
from falldamage_forge.games.fall_damage.play.state_value import terrain_state
from falldamage_forge.games.fall_damage.unit_cards import UNLIMITED
from falldamage_forge.issues import ForgeError
from tests.games.play.tables import KIT

FILE = Path(__file__).resolve().parents[2] / "data/golden_games.json"
ROUNDS = 5

HEIGHTS = """
. . . . . . . .
. 2 1 . . 3 2 .
. 3 2 . . 1 2 .
. . 1 . . . . .
. . . . . 1 . .
. 2 1 . . 2 3 .
. 2 3 . . 1 2 .
. . . . . . . .
"""


def golden_board() -> Board:
    """Everything the rules know, on 64 tiles, and a chest on every fourth of them."""
    rows = [line.split() for line in HEIGHTS.strip().splitlines()]
    columns = [Column(0 if cell == "." else int(cell)) for row in rows for cell in row]
    for tile, column in {
        (3, 3): Column(0, Ground.WATER),
        (4, 4): Column(0, Ground.LAVA),
        (3, 0): Column(0, feature=Feature.TREE),
        (4, 7): Column(0, feature=Feature.TREE),
        (2, 1): Column(3, feature=Feature.SPIRE),
        (5, 6): Column(3, feature=Feature.SPIRE),
    }.items():
        columns[tile[0] * 8 + tile[1]] = column
    decks = [Deck.between(Tile(1, 1), Tile(1, 6), 2), Deck.between(Tile(6, 1), Tile(6, 6), 2)]
    columns[1 * 8 + 5] = columns[1 * 8 + 2] = columns[6 * 8 + 2] = columns[6 * 8 + 5] = Column(0)
    ladders = [Ladder(Tile(5, 0), 0, Tile(5, 1), 2), Ladder(Tile(2, 7), 0, Tile(2, 6), 2)]
    chests = [Tile(r, c) for r in range(1, 7) for c in range(8) if (r + c) % 3 == 0]
    plain = make_board(8, 8, columns, decks=decks, ladders=ladders)
    zones = [
        StartZone(side, tuple((Tile(row, col), 0) for col in range(8)))
        for side, row in (("red", 0), ("blue", 7))
    ]
    return make_board(
        8,
        8,
        columns,
        decks=decks,
        ladders=ladders,
        treasures=[
            Chest(tile, plain.column(tile).level)
            for tile in chests
            if plain.column(tile).feature is None and plain.column(tile).ground is Ground.GROUND
        ],
        starts=zones,
    )


def teams_of(seed: int) -> tuple[list[str], list[str]]:
    """Two teams by the rules, drawn from a seed."""
    dice = SplitMix64(seed)
    teams = []
    for _ in range(2):
        team = []
        for unit_class in CLASSES:
            cards = [name for name in KIT.team_cards() if KIT.cards[name].unit_class == unit_class]
            team += dice.shuffled(cards)[: KIT.numbers.class_cards]
        teams.append(team)
    return teams[0], teams[1]


def play(seed: int, content: GameData = KIT) -> tuple[BoardGame, Counter[str]]:
    """A random game that likes to act, and what occurred in it."""
    game = BoardGame(
        golden_board(),
        content,
        {"placement": "listed", "round_limit": ROUNDS},
        teams=teams_of(seed),
    )
    dice, seen = SplitMix64(seed + 1), Counter[str]()
    while not game.over:
        moves = game.legal_moves
        acting = [move for move in moves if move.kind == "act"]
        move = dice.choice(acting if acting and dice.below(3) else moves)
        game.state.log = []
        state = game.state.copy()
        state.log = []
        apply_move_in_place(state, move)
        for event in state.log or ():
            seen[str(event[0])] += 1
            if event[0] in ("treasure", "ability", "item"):
                seen[f"{event[0]} {event[2]}"] += 1
            if event[0] == "harm":
                seen[f"harm by {event[3]}"] += 1
        game.push(move)
    for unit in game.state.units:
        seen[f"card {unit.card}"] += 1
    return game, seen


def wanted(content: GameData = KIT) -> set[str]:
    """What has to occur in some golden."""
    found = {f"treasure {result.name}" for result in content.treasure.values()}
    found |= {
        f"ability {name}" for name, table in content.abilities.items() if table.uses == "action"
    }
    found |= {f"item {t.name}" for t in content.treasure.values() if t.effect == "item"}
    found |= {f"card {name}" for name in (*content.team_cards(), "skeleton", "werewolf")}
    found |= {"counter", "attack_terrain", "destroyed", "spire", "thrown", "sprung", "harm by dive"}
    return found | {"revived", "pushed", "bricks", "wind"}


def make() -> list[dict[str, Any]]:
    """Games that together hold everything wanted and notice every number, first come."""
    left, kept, missed = wanted(), [], []
    for seed in range(4000):
        game, seen = play(seed)
        if left & set(seen):
            left -= set(seen)
            kept.append(game.record())
        if not left:
            break
    assert not left, f"in no game: {sorted(left)}"
    for name, card, content in mutants():
        if name in UNSEEN or any(notices(record, card, content) for record in kept):
            continue
        more = (play(seed)[0].record() for seed in range(5000, 5120))
        found = next((record for record in more if notices(record, card, content)), None)
        if found is None:
            missed.append(name)
        else:
            kept.append(found)
    assert not missed, f"no golden notices {missed}"
    return kept


UNSEEN = {
    "medic attack": "a Medic never attacks; only a sacrifice would tell",
    "space-mage mage": "neither Swap nor Catch makes anybody fall",
    "apothecary reach": "both its abilities say their own reach; only a botched swap would tell",
}
"""Numbers that no golden need notice, and why."""


def mutants() -> Iterator[tuple[str, str, GameData]]:
    """Kits with one number changed, or one ability forgotten; and the card it belongs to."""
    for name, card in KIT.cards.items():
        for stat in ("move", "jump", "health", "attack", "reach", "push"):
            value = getattr(card, stat)
            unlimited = value >= UNLIMITED
            if unlimited or (stat == "push" and card.letter in ("", "F")):
                continue
            if stat == "reach" and not card.own_reach:
                continue
            changed = replace(card, **{stat: value + 1})
            yield f"{name} {stat}", name, replace(KIT, cards={**KIT.cards, name: changed})
        for ability in card.abilities:
            kept = tuple(other for other in card.abilities if other != ability)
            changed = replace(card, abilities=kept)
            yield f"{name} {ability}", name, replace(KIT, cards={**KIT.cards, name: changed})
    for name, table in KIT.abilities.items():
        for item in fields(table):
            value = getattr(table, item.name)
            if isinstance(value, int) and value > 0:
                abilities = {**KIT.abilities, name: replace(table, **{item.name: value + 1})}
                yield f"{name}.{item.name}", "", replace(KIT, abilities=abilities)
    for roll, result in KIT.treasure.items():
        for item in fields(result):
            value = getattr(result, item.name)
            if isinstance(value, int) and value > 0:
                treasure = {**KIT.treasure, roll: replace(result, **{item.name: value + 1})}
                yield f"{result.name}.{item.name}", "", replace(KIT, treasure=treasure)


def notices(record: Mapping[str, Any], card: str, content: GameData) -> bool:
    """Whether a golden plays otherwise with another kit; one without the card cannot."""
    if card in KIT.team_cards() and not any(card in team for team in record["teams"]):
        return False
    try:
        return steps(record, content) != usual_steps(json.dumps(record))
    except (ForgeError, ValueError, KeyError):
        return True


def steps(record: Mapping[str, Any], content: GameData) -> list[tuple[int, str]]:
    """Every step's number of legal moves and hash; ForgeError where the record does not hold."""
    states = BoardGame.from_record(record, content)._states
    return [(len(legal_moves(state)), state_hash(state)) for state in states]


@cache
def usual_steps(record: str) -> list[tuple[int, str]]:
    """The steps of a record as the game is."""
    return steps(json.loads(record), KIT)


def goldens() -> Iterator[dict[str, Any]]:
    """The kept records, with their board."""
    board = golden_board()
    table = board_json(board, terrain_state(board))
    for record in json.loads(FILE.read_text("utf-8")):
        yield {**record, "board": table}


def write() -> None:
    records = [{k: v for k, v in record.items() if k != "board"} for record in make()]
    lines = ",\n".join(json.dumps(record) for record in records)
    FILE.write_text(f"[\n{lines}\n]\n", "utf-8")


if __name__ == "__main__":
    write()

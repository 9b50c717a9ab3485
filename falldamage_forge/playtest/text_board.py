"""Text output of a game: the board, the units, and a card."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from falldamage_forge.board import Feature, column_name
from falldamage_forge.board import Ground as Kind
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine import unit_stats
from falldamage_forge.games.fall_damage.engine.simulator import simulator_of
from falldamage_forge.games.fall_damage.play.game_data import BEAST, CardForm, GameData
from falldamage_forge.games.fall_damage.play.state_value import SIDES, State
from falldamage_forge.games.fall_damage.play.surface_number import spot_name, tile_of
from falldamage_forge.games.fall_damage.unit_cards import UNLIMITED, Ability
from falldamage_forge.games.fall_damage.unit_cards import UnitCard as Printed

GLYPHS = {Kind.WATER: "~", Kind.LAVA: "!", Kind.GROUND: ""}
LEGEND = (
    "`r2@1`: red's unit 2 on level 1 · a number: the level, `.` is 0 · `~` water · `!` lava · "
    "`#` bricks · `T` tree · `S` spire · `$` chest · `=3` bridge on level 3"
)


def board_text(state: State) -> list[str]:
    """Return the board row by row, in the glyphs of LEGEND.

    A unit is its side, its number, `@` and its level; the tile's own level is omitted if a unit
    shows it.
    """
    land = state.land
    rows = [["", *(column_name(col) for col in range(land.cols))]]
    for row in range(land.rows):
        rows.append([str(row + 1), *(cell(state, row << 6 | col) for col in range(land.cols))])
    widths = [max(len(line[col]) for line in rows) for col in range(land.cols + 1)]
    return [
        "  ".join(text.rjust(width) for text, width in zip(line, widths, strict=True))
        for line in rows
    ]


def cell(state: State, tile: int) -> str:
    """Return the text of a tile: ground, level, feature, chest, bridges, units from low to high.

    Args:
        state: State of a game.
        tile: Number of the tile.
    """
    land, column = state.land, state.land.column(tile)
    bricks = land.bricks_on(tile)
    level = column.level + bricks
    here = sorted((spot, i) for spot, i in state.occupied.items() if spot >> 4 == tile)
    units = [f"{SIDES[state.units[i].side][0]}{i}@{spot & 15}" for spot, i in here]
    text = "#" if bricks else GLYPHS[column.ground]
    if all(spot & 15 != level for spot, _ in here):
        text += str(level or ".")
    if column.feature:
        text += "T" if column.feature is Feature.TREE else "S"
    text += "$" * any(chest >> 4 == tile for chest in state.chests)
    over = (deck.level for deck in land.decks if deck and tile_of(tile) in deck.tiles)
    return text + "".join(f"={deck}" for deck in sorted(over)) + "".join(units)


def roster(state: State, say: Callable[[str], str] = str) -> list[str]:
    """Return a line per living unit, with its health, surface and statuses.

    Args:
        state: The state.
        say: Translates sides and statuses.
    """
    found = []
    for index, unit in enumerate(state.units):
        if not unit.alive:
            continue
        marks = [
            name for name in ("vines", "syringe", "thorns", "lead_shoes") if getattr(unit, name)
        ]
        marks += list(unit.items) + (["acted"] if unit.activated else [])
        found.append(
            f"{say(SIDES[unit.side]):4} {index:2} {unit.card:13} {unit.health}/{unit.max_health} "
            f"{spot_name(unit.spot)} {' '.join(map(say, marks))}".rstrip()
        )
    return found


def card_lines(content: GameData, units: Mapping[str, Printed], name: str) -> list[str]:
    """Return a card as printed: values, and each ability with its text.

    Args:
        content: Game data.
        units: Unit cards with the texts of their abilities.
        name: Name of the card.
    """
    card = content.cards[name]
    values = (card.move, card.jump, card.health, card.attack, card.reach, _push(card))
    return [f"{card.title} ({card.unit_class})", _values(values), *_abilities(units, name)]


def unit_lines(state: State, units: Mapping[str, Printed], index: int) -> list[str]:
    """Return a unit with its current values and its items.

    Args:
        state: The state.
        units: Unit cards with the texts of their abilities.
        index: Index of the unit.
    """
    content, unit = state.ctx.content, state.units[index]
    card = content.cards[unit.card]
    where = f"at {spot_name(unit.spot)}" if unit.alive else "not on the board"
    sim = simulator_of(state.ctx)
    sim.take(state)
    s = sim.columns
    tiles = unit_stats.tiles_of(s, index)
    plus = {"M": unit.move_plus, "J": unit.jump_plus, "A": unit.attack_plus, "H": 0}
    move, jump, health, attack = (
        min(unit_stats.printed_stat(s, index, stat) + plus[name], UNLIMITED)
        for name, stat in (("M", C.M), ("J", C.J), ("H", C.H), ("A", C.A))
    )
    push = card.letter and (card.letter if card.letter == "F" else f"{card.letter}{tiles}")
    values = (move, jump, health, attack, unit_stats.reach_of(s, index), push)
    items = [f"  item {name}: {content.called(name).text}" for name in unit.items]
    return [
        f"{SIDES[unit.side]} {index}: {card.title} ({card.unit_class}), {where}, "
        f"health {unit.health} of {unit.max_health}",
        _values(values), *_abilities(units, unit.card), *items,
    ]  # fmt: skip


def _push(card: CardForm) -> str:
    return card.letter if card.letter in ("", "F") else f"{card.letter}{card.push}"


def _values(values: tuple[Any, ...]) -> str:
    names = ("Move", "Jump", "Health", "Attack", "Reach", "Push")
    texts = ["any" if value == UNLIMITED else str(value) or "none" for value in values]
    return "  " + " · ".join(f"{name} {text}" for name, text in zip(names, texts, strict=True))


def abilities_of(units: Mapping[str, Printed], name: str) -> list[Ability]:
    """Return the abilities of a card; the Beast's are on two.

    Args:
        units: Unit cards with the texts of their abilities.
        name: Name of the card.
    """
    forms = (f"{BEAST}-heads", f"{BEAST}-tails") if name == BEAST else (name,)
    return list(dict.fromkeys(able for form in forms for able in units[form].abilities))


def _abilities(units: Mapping[str, Printed], name: str) -> list[str]:
    return [f"  {able.name}: {able.text}" for able in abilities_of(units, name)]

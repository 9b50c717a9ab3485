"""Vocabulary: the names of actions, items and terrain, the same for queries and conformance cases.

Names are the keys of `presets/play` and the words of the map language. Other spellings that earlier
versions had are aliases: they are read, and never written.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.play.game_data import GameData

ITEM_ALIASES = {"assassins-knife": "knife", "quicksand-urn": "quicksand"}
"""Printed titles of items, by which earlier versions asked for them."""
KEPT_EFFECTS = ("item", "elixir")
"""Effects of treasure that units carry as items."""
ACTIONS: Mapping[str, str] = {
    name.replace(" ", "-"): name
    for n, name in enumerate(C.NAMES)
    if name in ("attack", "attack rooted") or C.ABILITY_OF[n] >= 0 or C.ITEM_OF[n]
}
"""Words of moves by the action's name: its Attack, abilities, items."""
DECK = "deck"
"""Word of a bridge in the notation of moves."""
TERRAIN = ("bridge", "ladder", "tree", "spire")
"""Terrain that can be attacked or pushed, as the map language calls it."""


def item_name(text: str) -> str:
    """Return the name of an item, from its name or an alias."""
    return ITEM_ALIASES.get(text, text)


def action_name(text: str) -> str:
    """Return the name of an action, from its name, its word in a move, or an alias."""
    return item_name(text.replace(" ", "-"))


def items_of(content: GameData) -> tuple[str, ...]:
    """Return the names of the items that units carry."""
    return tuple(r.name for r in content.treasure.values() if r.effect in KEPT_EFFECTS)


def terrain_names(bridges: int, ladders: int, features: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names of the terrain targets of a map.

    Args:
        bridges: Number of bridges.
        ladders: Number of ladders.
        features: `tree` or `spire`, by the name of its tile.
    """
    return (
        *(f"bridge {n}" for n in range(bridges)),
        *(f"ladder {n}" for n in range(ladders)),
        *(f"{kind} {tile}" for tile, kind in features.items()),
    )


def terrain_name(text: str) -> str:
    """Return the name of a terrain target, from its name or its word in a move (`deck 0`)."""
    kind, _, rest = text.partition(" ")
    return f"bridge {rest}" if kind == DECK else text


def move_word(name: str) -> str:
    """Return the word of a move for a terrain target's name."""
    kind, _, rest = name.partition(" ")
    return f"{DECK} {rest}" if kind == "bridge" else name


def move_text(text: str) -> str:
    """Return a move's notation, in which a bridge may be written `bridge` or `deck`."""
    return " ".join(DECK if word == "bridge" else word for word in text.split())


def names_table(content: GameData) -> str:
    """Return the table of names in `docs/game.md`, as Markdown."""

    def row(what: str, names: Collection[str]) -> str:
        return f"| {what} | {', '.join(f'`{name}`' for name in names)} |"

    abilities = [name for name in ACTIONS if name in content.abilities]
    lines = (
        "| kind | names |",
        "|---|---|",
        row("terrain, before a number or tile", TERRAIN),
        row("actions", [n for n in ACTIONS if n not in abilities and n not in items_of(content)]),
        row("actions that are abilities", abilities),
        row("items", items_of(content)),
        row("hidden items", C.HIDDEN_KINDS),
        row(
            "other abilities (`used`, `extra_ability`)",
            sorted(content.abilities.keys() - ACTIONS.keys()),
        ),
    )
    return "\n".join(lines)

"""Numbers of the Fall Damage rulebook stand in `presets/`, and no function writes one out."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.match_context import fill_kit, fill_results
from falldamage_forge.games.fall_damage.play.game_data import GameData, game_data
from falldamage_forge.infra.toml_loader import slug
from falldamage_forge.presets import load_kit, load_play, load_units

ROOM = Path(__file__).resolve().parents[2] / "falldamage_forge/games/fall_damage"
OF_MEMORY = {"codes", "columns", "empty_state", "jit", "linking", "notation", "records",
             "name_tables"}  # fmt: skip
"""Modules of memory, words and lines that know no number of the rulebook."""
OF_ANSWERS = {"map_metrics", "options"}
"""Modules whose numbers are the project's own: verdicts, and what an option may be."""
SOURCES = sorted(
    path
    for path in (*ROOM.glob("*.py"), *ROOM.glob("engine/*.py"), *ROOM.glob("abilities/*.py"))
    if path.stem not in OF_MEMORY | OF_ANSWERS
)
GRID = {2, 4, 9, 16}
"""Sides, ways, tiles around and levels that are counted through by `range`."""
BITS = (ast.LShift, ast.RShift, ast.BitAnd, ast.BitOr)
HURTS = {"deal_damage", "heal"}
ALLOWED = {
    "a way, a side or a place in memory by its number": (
        "blow_wind", "resolve_area_attack", "cone_holds", "fill_tiles", "fill_ways",
        "forget_links", "front",
        "check_victory", "limits", "list_crossings", "list_items", "list_ways", "other_front",
        "shove_all", "slide", "take_effect", "use_item", "push_direction",
        "_take_unit", "_unit",
    ),
    "a state of a unit: it moved, and may not move again": ("act", "walk"),
    "a mirrored place is twice as far": ("behind",),
    "a die and a table of 6 by 6": (
        "answer", "choices_of", "list_question", "result_row", "fill_results",
    ),
    "a move names two bodies at most": ("list_raises",),
    "half, rounded as an option or the rulebook says": ("halve_if_carrying", "revive"),
    "the reach, and the levels up, that an option is named for": (
        "in_reach", "too_high", "within",
    ),
    "two surfaces are a pair": ("seen_one_by_one",),
    "a diagonal is two tiles away": ("melee_near",),
    "a tile and its centre: half a tile, twice a distance": ("crossed_offsets", "_inside"),
    "two below each entry of a heap": ("pop_label",),
    "two sides": ("check_start_zones",),
    "a slowed step costs two": ("take_step",),
    "how long a number may be written": ("apply", "parse", "_number", "_place"),
}  # fmt: skip


def numbers(tree: ast.Module) -> Iterator[tuple[str, float, int]]:
    """Every number that a function writes out: the function, the number, the line."""
    above = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or type(node.value) not in (int, float):
            continue
        chain: list[ast.AST] = [node]
        while chain[-1] in above:
            chain.append(above[chain[-1]])
        names = [one.name for one in chain if isinstance(one, ast.FunctionDef)]
        parents = [one for one in chain[1:] if not isinstance(one, ast.UnaryOp)]
        if names and not _is_bookkeeping(node.value, chain, parents[0]):
            yield names[0], float(node.value), node.lineno


def _is_bookkeeping(value: float, chain: list[ast.AST], parent: ast.AST) -> bool:
    """Whether a number only counts, steps, or says where something stands in memory."""
    called = (
        ast.unparse(parent.func).rpartition(".")[2] if isinstance(parent, ast.Call) else ""
    )  # fmt: skip
    if value in (0, 1):
        return called not in HURTS
    if isinstance(parent, ast.BinOp) and isinstance(parent.op, BITS):
        return True
    if any(isinstance(one, ast.Subscript | ast.arguments) for one in chain):
        return True
    if called == "lru_cache" or isinstance(parent, ast.keyword):
        return True
    if called in ("range", "min") and (value in GRID or value in (15, 64)):
        return True
    in_count = any(
        isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id == "range"
        for one in chain
    )
    return (in_count and value in GRID) or value in (16, 63)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_no_function_writes_a_number_of_the_rulebook(path: Path) -> None:
    known = {name for names in ALLOWED.values() for name in names}
    found = [
        f"{path.name}:{line}: {name} has {value:g}"
        for name, value, line in numbers(ast.parse(path.read_text("utf-8")))
        if name not in known
    ]
    assert not found


def test_each_exception_is_still_needed() -> None:
    found = {
        name for path in SOURCES for name, *_ in numbers(ast.parse(path.read_text("utf-8")))
    }  # fmt: skip
    assert {name for names in ALLOWED.values() for name in names} <= found


def test_a_planted_number_is_found() -> None:
    planted = (
        "def pool_of(kind):\n    return 6 if kind else 5\ndef act(s):\n    deal_damage(s, 0, 1)\n"
    )
    assert [row[:2] for row in numbers(ast.parse(planted))] == [
        ("pool_of", 6), ("pool_of", 5), ("act", 0), ("act", 1),
    ]  # fmt: skip


# -- the tables ------------------------------------------------------------------------------------

SMALL = {name: length if length < 2_000 else 1 for name, length in StateColumns.lengths.items()}
TABLES = load_play()


def columns_of(kit: GameData) -> dict[str, Any]:
    """What the engine knows of a kit."""
    s = StateColumns(SMALL)
    fill_kit(s, kit)
    fill_results(s, kit)
    return vars(s)


def places() -> Iterator[tuple[str, str, str]]:
    """Every number of `presets/play`: its file, its table, its key."""
    for file, table in TABLES.items():
        for name, entry in table.items():
            if isinstance(entry, int):
                yield file, "", name
            elif name != "categories":
                yield from ((file, name, key) for key, v in entry.items() if isinstance(v, int))


@pytest.mark.parametrize("place", list(places()), ids=".".join)
def test_every_number_reaches_the_engine(place: tuple[str, str, str]) -> None:
    file, name, key = place
    changed: dict[str, Any] = {one: dict(table) for one, table in TABLES.items()}
    if name:
        changed[file][name] = {**changed[file][name], key: changed[file][name][key] + 1}
    else:
        changed[file][key] += 1
    assert columns_of(game_data(load_units(), **changed)) != columns_of(load_kit())


def test_cards_and_abilities_have_the_same_numbers() -> None:
    """What a card tells of its ability for questions about a map is what is played."""
    known, bound = load_kit().abilities, 0
    for unit in load_units().values():
        for ability in unit.abilities:
            played = known.get(slug(ability.name))
            for told in (ability.move_bonus, ability.attack_bonus):
                if told:
                    assert played is not None and abs(told) == played.amount, ability
                    bound += 1
            if ability.blast:
                assert played is not None and ability.blast == played.radius, ability
                bound += 1
    assert bound >= 5

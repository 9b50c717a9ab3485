"""What a ruleset still lacks, step by step of "Add a ruleset" in CONTRIBUTING.md."""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path

from falldamage_forge.games.registry import Reader
from falldamage_forge.issues import ForgeError
from falldamage_forge.lang import load
from falldamage_forge.rules.playability import check_play
from falldamage_forge.rules.position import Position
from falldamage_forge.rules.ruleset import Ruleset
from falldamage_forge.rules.setup_check import check_setup

CASES = 25


def missing(root: Path, name: str, games: Mapping[str, Reader]) -> list[str]:
    """The steps skipped for a ruleset of a project folder; nothing when it is complete."""
    table = root / "presets" / "rulesets" / f"{name}.toml"
    if not table.exists():
        return [f"4: no {table.name}"]
    rest = tomllib.loads(table.read_text("utf-8"))
    game = rest.pop("game", None)
    if game not in games:
        return [f"3: `{game}` is not registered"]
    if "cards" in rest:  # Fall Damage's cards, cases and pages have rooms and tests of their own
        return []
    try:
        made = games[game](rest, name)
    except ForgeError as error:
        return [f"4: {error}"]
    return [*_cases(root, name), *_docs(root, name, made), *_maps(root, name, made)]


def _cases(root: Path, name: str) -> list[str]:
    stem = name.replace("-", "_")
    data = root / "tests" / "data" / f"{stem}_cases.json"
    if not data.exists():
        return [f"5: no {data.name}"]
    found = []
    cases = json.loads(data.read_text("utf-8"))
    if len(cases) < CASES or any(not case.get("sentence") for case in cases):
        found.append(f"5: {len(cases)} worked examples, {CASES} are wanted, each with a sentence")
    test = root / "tests" / "games" / f"test_{stem}.py"
    if not test.exists() or f'load("{stem}")' not in test.read_text("utf-8"):
        found.append(f"5: {test.name} does not run them")
    return found


def _docs(root: Path, name: str, game: Ruleset) -> list[str]:
    page = root / "docs" / f"{name}.md"
    text = page.read_text("utf-8") if page.exists() else ""
    return [
        f"6: {page.name} has no row for `{item.name}`"
        for item in fields(game.options)
        if f"| `{item.name}` | `{getattr(type(game.options)(), item.name)}`" not in text
    ] or ([] if text else [f"6: no {page.name}"])


def _maps(root: Path, name: str, game: Ruleset) -> list[str]:
    for path in sorted((root / "presets" / "maps").glob("*.forge")):
        layout = load(path.read_text("utf-8"), path.name).layout
        if layout.rules == name:
            under = game.with_options((o.name, o.value, None) for o in layout.options)
            position = Position(layout.board, under)
            issues = (*check_setup(position, layout.players), *check_play(position))
            return [f"7: {path.name}: {issue}" for issue in issues]
    return ["7: no preset map names it"]

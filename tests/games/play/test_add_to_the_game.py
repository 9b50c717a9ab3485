"""CONTRIBUTING's "Add to Fall Damage", walked as it stands; every step left out is told."""

from __future__ import annotations

import inspect
import json
import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from falldamage_forge.games.fall_damage.engine import codes as C
from tests.cli.running import ROOT, run
from tests.games.play.tables import WHOLE as KIT


class Step(NamedTuple):
    """A change of one file: each text there is exchanged for another, or written at its end."""

    file: str
    changes: tuple[tuple[str, str], ...]


class Walk(NamedTuple):
    """The steps of one walk, and the situation that must agree after them."""

    steps: tuple[Step, ...]
    situation: dict[str, Any]


def step_of(block: str) -> Step:
    """A block of CONTRIBUTING: `+++ file`, then changed lines; ` ...` stands for those between."""
    head, *lines = block.split("\n")
    changes = []
    for part in re.split(r"^ \.\.\.$", "\n".join(lines), flags=re.M):
        kept = [line for line in part.split("\n") if line]
        old = "".join(f"{line[1:]}\n" for line in kept if line[0] != "+")
        new = "".join(f"{line[1:]}\n" for line in kept if line[0] != "-")
        if old != new:
            changes.append((old, new))
    return Step(head.removeprefix("+++ "), tuple(changes))


def walks() -> dict[str, Walk]:
    """The walks of CONTRIBUTING by their headings."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    section = text.partition("## Add to Fall Damage\n")[2].partition("\n## ")[0]
    found = {}
    for part in section.split("\n### ")[1:]:
        blocks = re.findall(r"^   ```(\w+)\n(.*?)^   ```$", part, re.M | re.S)
        told = [(kind, re.sub(r"^   ", "", body, flags=re.M).rstrip("\n")) for kind, body in blocks]
        steps = tuple(step_of(body) for kind, body in told if kind == "diff")
        (situation,) = [json.loads(body) for kind, body in told if kind == "json"]
        found[part.partition("\n")[0]] = Walk(steps, situation)
    return found


WALKS = walks()
LEFT_OUT = [
    (name, n, k)
    for name, walk in WALKS.items()
    for n, step in enumerate(walk.steps)
    for k in range(len(step.changes))
]


def forgotten() -> list[str]:
    """Marks of a plain unit that a fresh one has from the unit before."""
    from falldamage_forge.games.fall_damage.engine.columns import StateColumns
    from falldamage_forge.games.fall_damage.engine.revival import blank_unit
    from falldamage_forge.games.fall_damage.engine.simulator import NUMBERS, SWITCHES

    s = StateColumns()
    for name in (*NUMBERS, *SWITCHES):
        getattr(s, name)[0] = 77
    blank_unit(s, 0, 0, 0)
    return [name for name in (*NUMBERS, *SWITCHES) if getattr(s, name)[0] == 77]


def unsaid() -> list[str]:
    """Texts of cards and of treasure that the German tables lack; names of tips are not printed."""
    from falldamage_forge import presets
    from falldamage_forge.languages.translator import read_language

    units, finds = presets.load_units().values(), presets.load_kit().treasure.values()
    texts = [text for find in finds for text in (find.title, find.text)]
    for unit in units:
        texts += [unit.title, *(ability.text for ability in unit.abilities)]
        texts += [ability.name for ability in unit.abilities if not ability.tip]
    return [text for text in texts if text not in read_language("de").sentences]


def taken(root: Path, walk: Walk, without: tuple[int, int] | None = None) -> str:
    """What `conform` says of the walk's situation after its steps, one of them left out.

    Before it stands what `forgotten` and `unsaid` find.
    """
    for name in ("falldamage_forge", "presets"):
        shutil.copytree(ROOT / name, root / name)
    for n, step in enumerate(walk.steps):
        file = root / step.file
        text = file.read_text("utf-8") if file.exists() else ""
        for k, (old, new) in enumerate(step.changes):
            assert not old or text.count(old) == 1, f"{step.file} has not one `{old}`"
            if (n, k) != without:
                text = text.replace(old, new) if old else text + new
        if text:
            file.write_text(text, "utf-8")
    cases = root / "cases.json"
    cases.write_text(json.dumps({"examples": [walk.situation]}), "utf-8")
    script = f"from __future__ import annotations\n{inspect.getsource(forgotten)}\n"
    script += f"{inspect.getsource(unsaid)}\n{TELL}"
    command = [sys.executable, "-c", script, "conform", str(cases)]
    return run(command, cwd=root, env={**os.environ, "PYTHONPATH": str(root)}).stdout


TELL = """
from falldamage_forge.cli import main
print(*forgotten(), *unsaid(), end="")
main()
"""


def test_contributing_has_steps_for_each_kind_of_addition() -> None:
    assert list(WALKS) == ["A card", "An ability", "A treasure", "A mark"]
    assert len(LEFT_OUT) == 19


@pytest.mark.parametrize("name", WALKS)
def test_all_steps_make_it_part_of_the_game(tmp_path: Path, name: str) -> None:
    assert taken(tmp_path, WALKS[name]) == "1 of 1 agree\n"


@pytest.mark.parametrize(("name", "step", "change"), LEFT_OUT)
def test_missing_step_is_reported_by_its_name(
    tmp_path: Path, name: str, step: int, change: int
) -> None:
    assert taken(tmp_path, WALKS[name], (step, change)) != "1 of 1 agree\n"


# -- what is there already is complete -------------------------------------------------------------


def unplayed(content: Any, examples: list[dict[str, Any]]) -> set[str]:
    """Cards that stand in no situation, and abilities that no card in one has."""
    standing = {unit["card"] for example in examples for unit in example["units"]}
    cards = {name: card for name, card in content.cards.items() if card.unit_class != "summoned"}
    shown = {name for card in standing for name in content.cards[card].abilities}
    return {*(cards.keys() - standing), *(content.abilities.keys() - shown)}


EXAMPLES = json.loads((ROOT / "tests/data/game.json").read_text("utf-8"))["examples"]


def test_every_card_and_ability_stands_in_a_situation() -> None:
    assert unplayed(KIT, EXAMPLES) == set()
    without = [e for e in EXAMPLES if all(unit["card"] != "druid" for unit in e["units"])]
    assert "druid" in unplayed(KIT, without)


def test_abilities_and_effects_are_those_of_the_presets() -> None:
    assert set(C.ABILITIES) == set(KIT.abilities)
    assert set(C.ITEM_NAMES) >= {r.name for r in KIT.treasure.values() if r.effect == "item"}
    assert len({r.roll for r in KIT.treasure.values()}) == 36


def test_every_mark_is_a_column_that_new_units_reset() -> None:
    assert forgotten() == []

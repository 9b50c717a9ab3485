"""Filament plan as rows for people, on a terminal and on pages, and as JSON."""

from __future__ import annotations

import math

from falldamage_forge.export.piece_list import Line, Say, columns, format_ranges
from falldamage_forge.printing.colour_groups import words_of
from falldamage_forge.printing.filament_plan import (
    AMS_SLOTS,
    FilamentPlan,
    FilamentStep,
    changes_by_hand,
)
from falldamage_forge.printing.tone_change import COST


def filament_json(plan: FilamentPlan) -> dict[str, object]:
    """Return the filaments of a plan and its steps as JSON values."""
    price = plan.price
    filaments = [
        {
            "filament": one.number,
            "groups": list(one.groups),
            "colour": one.colour,
            "grams": round(one.grams, 1),
            **({"cost": round(price.of(one.grams), 2)} if price else {}),
        }
        for one in plan.filaments
    ]
    steps = [
        {
            "plates": list(step.plates),
            "filaments": list(step.filaments),
            "in_turn": step.in_turn,
            "load": [
                {"slot": load.slot, "filament": load.filament, "instead_of": load.instead_of}
                for load in step.loads
            ],
        }
        for step in plan.steps
    ]
    return {"filaments": filaments, "steps": steps, "purges": plan.purges}


def filament_rows(plan: FilamentPlan, say: Say = str) -> list[Line]:
    """Return head and rows of the filaments, with their cost if the plan has a price.

    `say` translates the names of groups.

    Args:
        plan: Filaments and what each prints.
        say: Translates the names of groups.
    """
    price = plan.price
    rows: list[Line] = [("filament", "prints", "colour", "g", *(("cost",) if price else ()))]
    for one in plan.filaments:
        words = ", ".join(say(words_of(group)) for group in one.groups)
        cost = (price.text(one.grams),) if price else ()
        rows.append((str(one.number), words, one.colour, f"{one.grams:.0f}", *cost))
    return rows


def step_rows(plan: FilamentPlan) -> list[Line]:
    """Return head and rows of the steps: plates, their filaments, and the slots to load."""
    return [
        ("plates", "filament", "into slot of the AMS"),
        *((format_ranges(step.plates), _used(step), _loads(step)) for step in plan.steps),
    ]


def _used(step: FilamentStep) -> str:
    return (", then " if step.in_turn else " ").join(map(str, step.filaments))


def _loads(step: FilamentStep) -> str:
    return ", ".join(
        f"{load.filament} into {load.slot}"
        + (f" instead of {load.instead_of}" if load.instead_of else "")
        for load in step.loads
    )


def change_note(plan: FilamentPlan) -> str:
    """Return the number of changes of spools, without and with an AMS, and of purges, as text."""
    spools = changes_by_hand(plan.steps)
    reloads = sum(load.instead_of > 0 for step in plan.steps for load in step.loads)
    without = f"{spools} change{'s' * (spools != 1)} of spool without an AMS"
    if spools is None:
        without = "plates of several filaments need an AMS"
    words = f"{without}; {reloads} with an AMS of {AMS_SLOTS} slots"
    if not plan.purges:
        return words
    waste_g = math.ceil(plan.purges * COST.grams)
    return f"{words}; {plan.purges} during prints, which purge at most {waste_g} g"


def plan_lines(plan: FilamentPlan) -> list[str]:
    """Return the plan as a plain list: a line for each filament and each step, and the changes."""
    (_, *filaments), (_, *steps) = filament_rows(plan), step_rows(plan)
    lines = [
        f"filament {number}: {', '.join((words, f'{grams} g', *cost))}"
        for number, words, _, grams, *cost in filaments
    ]
    lines += [
        f"plates {plates}: filament {used}" + (f"; put {loads}" if loads else "")
        for plates, used, loads in steps
    ]
    return [*lines, change_note(plan)]


def filament_text(plan: FilamentPlan, say: Say = str) -> str:
    """Return the plan for a terminal: filaments, steps and changes; `say` translates its texts.

    Args:
        plan: Filaments, steps and changes.
        say: Translates each text.
    """
    filaments, steps = (
        columns([tuple(map(say, line)) for line in lines], left=(0, 1, 2))
        for lines in (filament_rows(plan, say), step_rows(plan))
    )
    return f"{filaments}\n\n{steps}\n{say(change_note(plan))}"

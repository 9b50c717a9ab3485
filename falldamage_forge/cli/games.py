"""What `reach`, `path` and `analyze` say under the rules of another game."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from falldamage_forge.board import Tile
from falldamage_forge.cli import play
from falldamage_forge.cli.common import refuse

if TYPE_CHECKING:
    from falldamage_forge.games.engine import Label, Model
    from falldamage_forge.games.setting import Occupants, Setting
    from falldamage_forge.games.survey import Survey
    from falldamage_forge.lang import Layout
    from falldamage_forge.rules.ruleset import Ruleset
    from falldamage_forge.surfaces import Surface

Wish = tuple[str | None, int | None, int | None]
"""`--unit`, `--move`, `--jump`."""
Others = tuple[tuple[str, ...], tuple[str, ...]]
"""`--enemy`s and `--friend`s."""

chance_option = click.option(
    "--chance", metavar="P", help="Only ways with at least this chance, such as 1/2 or 0.75."
)


def _setting(rules: Ruleset | Setting, chance: str | None) -> Setting | None:
    """The setting of another game, or None for Fall Damage, which knows no chance."""
    from falldamage_forge.rules.ruleset import Ruleset

    if not isinstance(rules, Ruleset):
        return rules
    if chance is not None:
        raise click.UsageError("--chance is for games with checks; nothing in Fall Damage is one")
    return None


def _least(chance: str | None) -> Fraction:
    try:
        least = Fraction(chance or "0")
    except (ValueError, ZeroDivisionError):
        raise click.UsageError(f"--chance is a number such as 1/2, not `{chance}`") from None
    if not 0 <= least <= 1:
        raise click.UsageError("--chance is from 0 to 1")
    return least


def _model(layout: Layout, setting: Setting, wish: Wish, others: Others) -> Model:
    unit, move, jump = wish
    if move is not None or jump is not None:
        raise click.UsageError("--move and --jump are Fall Damage's; name a --unit")
    return setting.model(
        layout.board, unit or setting.proof_units[0], _occupants(layout, setting, unit, others)
    )


def _occupants(layout: Layout, setting: Setting, unit: str | None, others: Others) -> Occupants:
    from falldamage_forge.games.setting import Occupants

    if not any(others):
        return Occupants()
    plain = setting.model(layout.board, setting.proof_units[0])
    enemies, friends = (
        frozenset(_surface(layout, plain, text) for text in side) for side in others
    )
    return Occupants(enemies, friends)


def _surface(layout: Layout, model: Model, text: str) -> Surface:
    """The surface of `E5` (its column's top, else the highest there is) or `E5@2`."""
    from falldamage_forge.surfaces import Surface

    name, _, level = text.partition("@")
    try:
        tile = Tile.parse(name)
        wanted = int(level) if level else None
    except ValueError:
        raise refuse("FDF340", f"`{text}` is no place", "write E5, or E5@2") from None
    if tile not in layout.board:
        raise refuse("FDF340", f"{name} is not on the board")
    if wanted is None:
        known = [at.level for at in model.index if at.tile == tile]
        column = layout.board.column(tile).level
        wanted = column if column in known or not known else max(known)
    return Surface(tile, wanted)


def _place(layout: Layout, model: Model, text: str) -> int:
    """The place of a text; FDF367 when the unit has no room there."""
    surface = _surface(layout, model, text)
    if surface not in model.index:
        near = sorted(str(at) for at in model.index if at.tile == surface.tile)
        hint = f"there is {', '.join(near)}" if near else None
        raise refuse("FDF367", f"{model.unit} has no room on {surface}", hint)
    return model.index[surface]


def reach(
    layout: Layout,
    rules: Ruleset | Setting,
    wish: Wish,
    start: str,
    chance: str | None,
    others: Others,
    as_json: bool,
) -> bool:
    """Print what a unit of another game reaches; False for Fall Damage, which has its own way."""
    from falldamage_forge.games.engine import reach as reached

    setting = _setting(rules, chance)
    if setting is None:
        return False
    model = _model(layout, setting, wish, others)
    number = _place(layout, model, start)
    found = reached(model, number, _least(chance))
    here = model.places[number].anchor
    if as_json:
        rows = [
            {
                **play.spot(row.surface),
                "turns": row.turns,
                "chance": str(row.chance),
                "one_turn": [{**_cost(model, cost), "chance": str(p)} for cost, p in row.now],
            }
            for row in found
        ]
        head = {"rules": setting.name, "unit": model.unit, "from": play.spot(here)}
        play.echo_json({**head, "measure": model.scale.name, "surfaces": rows})
        return True
    click.echo(f"{model.unit} of {setting.title} from {here}")
    play.echo_table(
        ("surface", "turns", "chance", f"one turn ({model.scale.name}, chance)"),
        (
            (
                row.surface,
                row.turns,
                row.chance,
                "  ".join(f"{model.scale.tell(cost)}, {p}" for cost, p in row.now) or "-",
            )
            for row in found
        ),
    )
    return True


def _cost(model: Model, cost: int) -> dict[str, Any]:
    """A cost exactly, as a fraction of the game's measure, and as it is told."""
    return {"cost": str(Fraction(cost, model.scale.per)), "told": model.scale.tell(cost)}


def path(
    layout: Layout,
    rules: Ruleset | Setting,
    wish: Wish,
    ends: tuple[str, str],
    chance: str | None,
    others: Others,
    as_json: bool,
) -> None:
    """Print the quickest way under another game and leave; come back for Fall Damage."""
    from falldamage_forge.games.engine import path as quickest
    from falldamage_forge.games.engine import spent

    setting = _setting(rules, chance)
    if setting is None:
        return
    model = _model(layout, setting, wish, others)
    first, last = (_place(layout, model, text) for text in ends)
    here, there = model.places[first].anchor, model.places[last].anchor
    label = quickest(model, (first,), (there,), _least(chance))
    steps = _steps(model, label)
    if as_json:
        play.echo_json(
            {
                "rules": setting.name,
                "unit": model.unit,
                "from": play.spot(here),
                "to": play.spot(there),
                "found": label is not None,
                **({} if label is None else _cost(model, spent(model, label))),
                "turns": None if label is None else model.clock.turns(label.moves),
                "chance": None if label is None else str(label.chance),
                "steps": steps,
            }
        )
    elif label is None:
        click.echo(f"{model.unit} of {setting.title} finds no way from {here} to {there}")
    else:
        click.echo(
            f"{model.unit} of {setting.title} from {here} to {there}: "
            f"turns {model.clock.turns(label.moves)}, "
            f"{model.scale.tell(spent(model, label))} {model.scale.name}, chance {label.chance}"
        )
        _echo_steps(model, steps)
    sys.exit(0 if label is not None else 1)


def _steps(model: Model, label: Label | None) -> list[dict[str, Any]]:
    """The steps of a way as JSON."""
    from falldamage_forge.games.engine import way

    return [
        {
            "turn": model.clock.turns(step.moves),
            **play.spot(model.places[step.place].anchor),
            "spot": model.places[step.place].spot,
            "kind": step.edge.kind,
            **_cost(model, step.edge.cost),
            "chance": str(step.edge.chance),
            "risk": step.edge.risk,
        }
        for step in (way(label) if label else ())
        if step.edge
    ]


def _echo_steps(model: Model, steps: list[dict[str, Any]]) -> None:
    """The steps of a way as a table."""
    play.echo_table(
        ("turn", "to", "spot", "kind", model.scale.name, "chance", "else"),
        (
            (
                step["turn"],
                f"{step['tile']}@{step['level']}",
                step["spot"] or "middle",
                step["kind"],
                step["told"],
                step["chance"],
                step["risk"],
            )
            for step in steps
        ),
    )


def survey_json(survey: Survey) -> dict[str, Any]:
    """The figures of a board under one game."""
    return {
        "rules": survey.rules,
        "title": survey.title,
        "unit": survey.unit,
        "surfaces": survey.surfaces,
        "reached": survey.reached,
        "coverage_percent": survey.coverage,
        "turns_to_contact": {
            contact.side: {"first": contact.first, "last": contact.last}
            for contact in survey.contacts
        },
        "falls": {
            "deepest_levels": survey.deepest,
            "places": [
                {
                    "surface": str(drop.surface),
                    "levels": drop.levels,
                    "chance": None if drop.chance is None else str(drop.chance),
                    "text": drop.text,
                }
                for drop in survey.drops
            ],
        },
        "no_room": [str(at) for at in survey.unfit],
        "cut_off": [str(at) for at in survey.cut_off],
        "notes": list(survey.notes),
    }


def _dangers(survey: Survey) -> dict[str, list[Surface]]:
    """Surfaces by what threatens there, the likeliest fall first."""
    found: dict[str, list[Surface]] = {}
    for drop in sorted(survey.drops, key=lambda drop: (-(drop.chance or 0), drop.surface)):
        found.setdefault(f"chance {drop.chance}, {drop.text}", []).append(drop.surface)
    return found


def some(places: Iterable[object], most: int = 8) -> str:
    """The first few of many."""
    listed = tuple(map(str, places))
    if not listed:
        return "none"
    more = f" and {len(listed) - most} more" if len(listed) > most else ""
    return ", ".join(listed[:most]) + more


def contact_text(survey: Survey) -> str:
    """Turns to contact of every side: the first unit, and the last."""
    return "; ".join(
        f"{contact.side} {contact.first or 'never'} to {contact.last or 'never'}"
        for contact in survey.contacts
    )


def analyze(layout: Layout, rules: Ruleset | Setting, as_json: bool) -> bool:
    """Print the figures of a board under another game; False for Fall Damage."""
    from falldamage_forge.games.survey import survey_model

    setting = _setting(rules, None)
    if setting is None:
        return False
    units = [survey_model(layout.board, setting, unit) for unit in setting.profiles]
    extra = setting.measures(layout.board, setting.proof_units[0])
    if as_json:
        play.echo_json(
            {
                "title": layout.title,
                "rules": setting.name,
                "units": [survey_json(survey) for survey in units],
                "measures": dict(extra),
            }
        )
        return True
    for survey in units:
        click.echo(f"{survey.unit} of {survey.title}")
        click.echo(f"  reached: {survey.reached} of {survey.surfaces} ({survey.coverage} %)")
        click.echo(f"  turns to contact: {contact_text(survey)}")
        click.echo(
            f"  may fall from: {len(survey.drops)} surfaces, {survey.deepest} levels at most: "
            f"{some(drop.surface for drop in survey.drops)}"
        )
        for text, places in _dangers(survey).items():
            click.echo(f"    {text}: {some(places)}")
        click.echo(f"  no room on: {some(survey.unfit)}")
        click.echo(f"  never reached: {some(survey.cut_off)}")
        for note in survey.notes:
            click.echo(f"  note: {note}")
    for name, text in extra:
        click.echo(f"{name}: {text}")
    return True

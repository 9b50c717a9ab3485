"""Ways, verdicts, pushes, sights and aims on small maps, as text: see `tests/snapshot.py`."""

from collections.abc import Iterator, Mapping
from functools import cache, partial
from itertools import product
from typing import Any

import pytest

import falldamage_forge as ff
from falldamage_forge.board import WAYS
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.games.fall_damage.ability_queries.ability_table import ABILITIES
from tests import snapshot
from tests.rules.test_readings import READINGS
from tests.snapshot import Snapshots, asked, issue_line, small, text, told

AREA = "rules"
UNITS = {
    "crag": ("knight", "archer", "assassin", "beast-heads", "wrestler", "skeleton"),
    "yard": ("ganger", "scout", "brute"),
    "hall": ("drifter", "imp", "troll", "prone-drifter"),
    "camp": ("fighter", "archer", "brog"),
}
STARTS = {"crag": ("A3", "D2@3"), "yard": ("B1", "B3"), "hall": ("B1",), "camp": ("C2",)}
OTHERS = {
    "crag": {"enemies": ["B4", "E3"], "friends": ["B2"]},
    "yard": {"enemies": ["C1", "D2"], "friends": ["A2"]},
    "hall": {"enemies": ["D2"], "friends": ["A1"]},
    "camp": {"enemies": ["D6"], "friends": ["C3"]},
}


@cache
def position(name: str) -> ff.Position:
    return ff.position(small(name))


def reached(name: str, units: tuple[str, ...]) -> Iterator[str]:
    """Turns to each surface, alone and among others, and the cheapest ends of one turn."""
    p = position(name)
    for start, unit in product(STARTS[name], units):
        among = asked(p.unit(unit).reach, start, **OTHERS[name])["surfaces"]
        later = {(row["tile"], row["level"]): row["turns"] for row in among}
        for row in asked(p.unit(unit).reach, start)["surfaces"]:
            late = later.get((row["tile"], row["level"]), "never")
            facts = [f"turns {row['turns']}"]
            facts += [f"chance {row['chance']}"] if row["chance"] != "1" else []
            facts += [f"among others {late}"] if late != row["turns"] else []
            ends = (f"{cost:.6g} for {harm} damage" for cost, harm in row["one_turn"])
            costs = " or ".join(ends).replace(" for 0 damage", "")
            facts += [f"cost {costs}"] if costs else []
            yield f"{unit} from {start}, surface {row['tile']}@{row['level']}: {', '.join(facts)}"


def walked(name: str) -> Iterator[str]:
    """The quickest way to some places, step by step, with any damage and among others."""
    p = position(name)
    for unit, start in product(UNITS[name], STARTS[name][:1]):
        for goal in p.graph.surfaces[3::5]:
            found = asked(p.unit(unit).path, start, goal, **OTHERS[name], any_damage=True, turns=2)
            subject = f"{unit} from {start} to {goal}"
            if isinstance(found, str) or not found["found"]:
                yield f"{subject}: {found if isinstance(found, str) else 'no way'}"
                continue
            steps = " ".join(
                f"{step['turn']}:{step['kind']} {step['tile']}@{step['level']}{step['spot']}"
                + (f" damage {step['damage']}" if step["damage"] else "")
                + (f" chance {step['chance']}" if step["chance"] != "1" else "")
                for step in found["steps"]
            )
            keys = ("told", "damage", "turns", "moves", "chance")
            yield f"{subject}: {', '.join(f'{key} {found[key]}' for key in keys)}"
            yield f"{subject}, steps: {steps}"
            yield from ways_to_end(subject, found["ends"])


def ways_to_end(subject: str, ends: list[dict[str, Any]]) -> Iterator[str]:
    for end in ends if len(ends) > 1 else ():
        facts = [key for key in ("there", "lies") if end[key]]
        facts += [f"{key} {end[key]}" for key in ("hits", "fallen") if end[key]]
        yield f"{subject}, ends on {text(end['at'])}: {', '.join((*facts, end['chance']))}"


def judged(map_: ff.Map, options: Mapping[str, str] | None = None) -> Iterator[str]:
    """Issues, verdicts and figures of a map; figures of single cards are left out."""
    p = ff.position(map_, options=options)
    yield from sorted(
        f"issue {issue_line(issue)}" for issue in ff.check(map_, options=options).every
    )
    found = ff.analyze(map_, options=options).json()
    cards = {*p.game.units, *found["classes"]} - {p.plain}
    for metric in found["metrics"]:
        name = f"metric {metric['name']}"
        yield f"{name}: {metric['verdict']}, tiles {text(metric['tiles'])}"
        values = {
            key: [one for one in value if one not in cards] if key == "cut_off" else flat(value)
            for key, value in metric["values"].items()
            if key not in cards
        }
        if metric["name"] != "first strike":
            yield from told(name, values)
    for lead in found["leads"]:
        keys = ("side", "figure", "fair", "measure", "unfair", "tiles")
        yield f"lead {lead['what']}: {', '.join(f'{key} {text(lead[key])}' for key in keys)}"
    plain, *_ = (one for one in found["units"] if one["unit"] == p.plain)
    words = ("rules", "title", "turn", "unit", "notes", "falls")
    yield from told(f"unit {p.plain}", {k: v for k, v in plain.items() if k not in words})
    for fall in plain["falls"]["places"]:
        chance = f", chance {fall['chance']}" if fall["chance"] else ""
        yield f"fall from {fall['surface']}: levels {fall['levels']}{chance}"


def flat(value: Any) -> Any:
    """A height's figures with its turns among them."""
    if isinstance(value, dict) and "turns" in value:
        return {**value["turns"], **{k: v for k, v in value.items() if k != "turns"}}
    return value


WILD = {"gap": "any_clear", "push_fall": "hover", "edge": "void"}


def judged_twice(name: str) -> Iterator[str]:
    """The verdict of a map, and the lines that are others under wild readings."""
    usual = list(judged(small(name)))
    yield from usual
    yield from (f"wild: {line}" for line in judged(small(name), WILD) if line not in usual)


PUSHES: list[dict[str, Any]] = [
    {}, {"mage": True, "occupied": ["D4@2", "E2", "B1"]}, {"unit": "beast-heads"},
    {"effects": ["boots"]}, {"way": "east", "unit": "knight", "effects": ["song", "promo"]},
]  # fmt: skip


def away(one: Surface, other: Surface) -> int:
    return abs(one.tile.row - other.tile.row) + abs(one.tile.col - other.tile.col)


def pushed() -> Iterator[str]:
    """A push of each kind onto some surfaces of the crag: where one ends, hurt or dead."""
    p = position("crag")
    spots = p.graph.surfaces
    for number, target in enumerate(spots):
        near = [at for at in spots if away(at, target) == 1]
        attacker = near[number % len(near)]
        push = ("B2", "F1", "L3", "R1", "B4")[number % 5]
        for wish in (PUSHES[0], PUSHES[1 + number % 4]):
            kind = " ".join(f"{key}={text(value)}" for key, value in wish.items())
            found = asked(p.push, attacker, target, push, **wish)
            subject = f"{push} {kind}".strip()
            yield from told(f"{subject} from {attacker} onto {target}", found)


def seen() -> Iterator[str]:
    """Sight between surfaces of the crag; and whom three units may attack."""
    p = position("crag")
    spots = p.graph.surfaces
    for one, other in zip(spots[::2], spots[9::2], strict=False):
        found = asked(p.sees, one, other, spots[::6])
        yield f"{one} sees {other}: {text(found['visible'])} {text(found['blocked_by'])}"
    for unit, at in product(("archer", "bard", "splash-mage", "knight"), spots[4::9]):
        rows = asked(p.targets, unit, at, occupied=spots[::4])["targets"]
        named = (f"{row['tile']}@{row['level']} {row['bonus']:+d}" for row in rows)
        yield f"{unit} on {at} may attack: {' '.join(named)}".replace(" +0", "")


STANDING = {
    "enemies": ("bard=E4@2", "knight=D3", "B3"),
    "friends": ("medic=D5", "wrestler=E2"),
}


def aimed(name: str, unit: str) -> Iterator[str]:
    """Whom an ability may aim at among units on the crag, and what each aim does."""
    p = position("crag")
    wish: dict[str, Any] = {"ability": name, "occupied": ["F2"], **STANDING}
    here = asked(p.targets, unit, "D4@2", **wish)
    if isinstance(here, str):
        yield f"{unit} on D4@2 without a way: {here}"
        for way in WAYS:
            yield from outcome(way, asked(p.targets, unit, "D4@2", **wish, way=way))
        return
    able = [text(row) for row in here["targets"]]
    yield f"{unit} on D4@2 may aim at: {text(able)}"
    yield "aim, way, count, effects, second aim: what it does"
    spots = [str(spot) for spot in p.graph.surfaces]
    for number, aim in enumerate(sorted({*able[:: 1 + len(able) // 15], *spots[::7]})):
        more = {
            "aim": aim, "second": spots[(number * 5 + 2) % len(spots)],
            "way": tuple(WAYS)[number % 4], "count": 1 + number % 3,
            "effects": [["boots"], ["song"], []][number % 3],
        }  # fmt: skip
        found = asked(p.targets, unit, "D4@2", **wish, **more)
        yield from outcome(", ".join(map(text, more.values())), found)


USED = {
    "fighters": {"attack": "knight", "shove": "shield-bearer"},
    "rangers": {"bomb": "tinkerer", "spring-trap": "tinkerer"},
    "casters": {
        "splash": "splash-mage", "swap": "space-mage", "catch": "space-mage",
        "scaffold": "brick-mage", "partition": "brick-mage", "vines": "druid",
    },
    "specialists": {
        "promo": "wrestler", "top-ropes": "wrestler", "throw-potion": "medic", "bandage": "medic",
        "poison-mist": "apothecary", "syringe": "apothecary",
    },
    "items": dict.fromkeys(("grenade", "cannon", "celestial-cannon", "knife",
                            "quicksand", "climbing-rope"), "knight"),
    "events": dict.fromkeys(("southern-wind", "northern-wind", "eruption", "dam-break",
                             "tectonic-shift"), "knight"),
}  # fmt: skip
"""Abilities and who uses them, a file for each kind of card."""


def used(abilities: Mapping[str, str]) -> Iterator[str]:
    """Some abilities, one after the other."""
    for name, unit in abilities.items():
        yield from (f"{name}: {line}" for line in aimed(name, unit))


def outcome(subject: str, found: Any) -> Iterator[str]:
    """Units that an ability moves, hurts, heals or changes; and which tiles."""
    if isinstance(found, str):
        yield f"{subject}: {found}"
        return
    made = found["outcome"]
    areas = [f"{key} {text(made[key])}" for key in ("tiles", "places") if made[key]]
    yield f"{subject}: {', '.join(areas) or 'done'}"
    for unit in made["units"]:
        facts = [f"{key} {text(item)}" for key, item in unit.items() if item and key != "from"]
        yield f"{subject}, {text(unit['from'])}: {', '.join(facts)}"


def facts(p: ff.Position) -> Iterator[tuple[str, Any]]:
    """Answers that a reading of movement or height may change, by name."""
    spots = p.graph.surfaces
    starts = ("A3", "G4") if p.board.treasures else ("B2", "B3", "I4@1")
    for unit, start in product(("archer", "beast-heads", "M3 J1"), starts):
        for row in asked(p.unit(unit).reach, start, friends=spots[6:7])["surfaces"]:
            place = f"{unit} from {start} to {row['tile']}@{row['level']}"
            yield f"{place}, turns", row["turns"]
            yield f"{place}, cost and damage", [list(end) for end in row["one_turn"]]
    for one, other in zip(spots, spots[7:], strict=False):
        yield f"{one} sees {other}", asked(p.sees, one, other)["visible"]
    for one, other in product(spots, spots):
        if away(one, other) == 1:
            found = asked(p.push, one, other, "B2")
            yield f"B2 from {one} onto {other}", [found["end"], found["damage"], found["dead"]]
    for at in spots[::4]:
        rows = asked(p.targets, "bard", at)["targets"]
        yield f"bard on {at} may attack", [f"{text(row)} {row['bonus']:+d}" for row in rows]


def read_as() -> Iterator[str]:
    """By reading: how many answers on two maps it changes, and some of them."""
    for name in ("crag", "den"):
        usual = dict(facts(position(name)))
        for key, value in READINGS:
            now = dict(facts(ff.position(small(name), options={key: value})))
            changed = [at for at in {**usual, **now} if usual.get(at) != now.get(at)]
            yield f"{name}, {key}={value}: {len(changed)} of {len(usual)} answers differ"
            for at in changed[:: 1 + len(changed) // 3]:
                before, after = (text(some.get(at, "no such")) for some in (usual, now))
                if len(before) + len(after) < 100:
                    yield f"{name}, {key}={value}: {at} {before}, now {after}"


WRONG = ("", "Z9", "A1@9", "A0")


def refused() -> Iterator[str]:
    """The codes with which places, units and questions that do not exist are refused."""
    for name in UNITS:
        p = position(name)
        for wrong in WRONG:
            answers = {
                "reach": asked(p.reach, p.plain, wrong), "sees": asked(p.sees, "B1", wrong),
                "push": asked(p.push, "B1", wrong, "B2"), "unit": asked(p.unit, wrong),
                "targets": asked(p.targets, p.plain, wrong), "ask": asked(p.ask, wrong),
            }  # fmt: skip
            yield from (f"{name}, {key} `{wrong}`: {text(found)}" for key, found in answers.items())


TWICE = ("bridges", "cut-off", "flat", "lopsided", "near", "traps", "treasure")
MAPS = ("duel", "ashkeep", "arena", "gantries", "crypt", "gatehouse")
SNAPSHOTS: Snapshots = {
    **{f"reach-crag-{unit}": partial(reached, "crag", (unit,)) for unit in UNITS["crag"]},
    **{f"reach-{name}": partial(reached, name, UNITS[name]) for name in ("yard", "hall", "camp")},
    **{f"path-{name}": partial(walked, name) for name in UNITS},
    **{f"verdict-{name}": lambda name=name: judged(small(name)) for name in UNITS},  # type: ignore[misc]
    **{f"verdict-{name}": lambda name=name: judged(ff.load(name)) for name in MAPS},  # type: ignore[misc]
    **{f"verdict-{name}": partial(judged_twice, name) for name in TWICE},
    **{f"abilities-{group}": partial(used, names) for group, names in USED.items()},
    "pushes": pushed,
    "sights": seen,
    "readings": read_as,
    "refusals": refused,
}


@pytest.mark.parametrize("name", SNAPSHOTS)
def test_answers_are_those_of_the_snapshot(name: str) -> None:
    snapshot.check(f"{AREA}/{name}", SNAPSHOTS[name]())


def test_every_ability_is_in_one_snapshot() -> None:
    assert sorted(name for names in USED.values() for name in names) == sorted(ABILITIES)

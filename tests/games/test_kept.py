"""Every game on boards, readings, units and words drawn by a seed: all that is said is as kept."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import fields
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from falldamage_forge.board import WAYS, Board
from falldamage_forge.checks import Facts
from falldamage_forge.games.fall_damage.abilities import ABILITIES
from falldamage_forge.games.fall_damage.abilities.scene import Scene, Standing, Use, as_table
from falldamage_forge.games.fall_damage.engine.modifiers import (
    EFFECTS,
    Modifiers,
    unit_under,
    victim_under,
)
from falldamage_forge.games.fall_damage.game import FallDamage
from falldamage_forge.games.fall_damage.whatif import CHANGES, played
from falldamage_forge.games.registry import read_rules
from falldamage_forge.games.ruler import corridor, metric_cost_um, metric_offsets
from falldamage_forge.games.spots import covered, leg_between, shifts, spot_text
from falldamage_forge.issues import ForgeError, SourceSpan
from falldamage_forge.measures.table import analyze
from falldamage_forge.presets import load_rules, path
from falldamage_forge.rules.expect import evaluate
from falldamage_forge.rules.own import Wished, listed, properties, with_units
from falldamage_forge.rules.position import Position
from falldamage_forge.rules.proofs import check_play
from falldamage_forge.rules.questions import questions_of, told_lines
from falldamage_forge.rules.setup import check_setup
from tests.games.drawing import Dice, drawn, ill_set, some, word
from tests.kept import is_kept, row, said

OTHERS = ("gang-skirmish", "falchion", "gatefall")
ASKED = [(rules, name) for rules in OTHERS for name in load_rules(rules).questions]
WAYS_OF = {"gang-skirmish": 16, "falchion": 12, "gatefall": 10, "fall-damage": 40}
BOARDS_OF = {"gang-skirmish": 6, "falchion": 6, "gatefall": 6, "fall-damage": 14}

CARDS = ("bard", "shield-bearer", "knight", "medic")
METRICS = ("ruler", "octile", "chebyshev")
MOVING = ("boots", "carry", "crampons", "quicksand", "quicksand", "discorporate", "discorporate",
          "adrenal", "song", "vanguard", "mist", "vines", "intimidate")  # fmt: skip
"""Effects that change how one moves."""


def effect(dice: Dice, p: Position, names: Sequence[str] = tuple(EFFECTS)) -> str:
    """A word such as `boots=2`."""
    name = dice.choice(names)
    tile = str(dice.choice(list(p.board.tiles())))
    takes = {"": "", "count": str(dice.randint(1, 2)), "tile": tile}[EFFECTS[name].takes]
    return f"{name}={takes}" if takes else name


def changes_of(dice: Dice, p: Position) -> dict[str, Any]:
    """What is changed of a unit: some of its properties, and effects."""
    if p.game.name != "fall-damage":
        return some(dice, type(next(iter(p.game.units.values()))), 3)
    texts = [effect(dice, p, MOVING) for _ in range(dice.randrange(4))]
    found = {name: text for name, _, text in (text.partition("=") for text in texts)}
    return found | ({"move": dice.randint(0, 4)} if dice.random() < 0.3 else {})


def seeds(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    return [(rules, seed) for rules, count in counts.items() for seed in range(count)]


@pytest.mark.parametrize(("rules", "seed"), seeds(WAYS_OF))
def test_drawn_ways_are_as_kept(rules: str, seed: int) -> None:
    """Some units, changed or not, from some places to others, among others."""
    dice = Dice(seed)
    p = drawn(dice, rules)
    spots = p.graph.surfaces
    found: list[Any] = [list(map(str, spots))]
    for number in range(4):
        name = dice.choice(list(p.game.units))
        changes = changes_of(dice, p) if number else {}
        start, *there = dice.sample(spots, 6)
        texts = [f"{dice.choice(CARDS)}={at}" if rules == "fall-damage" else at for at in there]
        others = {"enemies": texts[:2], "friends": texts[2:3]}
        unit = p.unit(name, **changes)
        found += [p.game.told(unit.profile), said(unit.reach, start, **others)]
        if isinstance(found[-1], dict):
            reach = unit.reach(start, **others)
            found += [reach.turns(), reach._repr_html_()]
        for goal in there[2:]:
            wish: dict[str, Any] = {"any_damage": dice.random() < 0.5, "turns": dice.randint(1, 3)}
            wish["chance"] = Fraction(dice.choice((0, 0, 1, 2)), 3)
            found.append(said(unit.path, start, goal, **others, **wish))
        found += [[hazard.json() for hazard in p.game.hazards(p.graph, name)]]
        found.append(said(p.targets, name, start))
    assert is_kept(f"drawn ways {rules} {seed}", found)


@pytest.mark.parametrize(("rules", "seed"), seeds(BOARDS_OF))
def test_drawn_boards_are_judged_as_kept(rules: str, seed: int) -> None:
    """All measures of a board; proofs, set-up and what does not fit the readings of some more."""
    dice = Dice(seed + 100)
    p = drawn(dice, rules)
    found: list[Any] = [analyze(p, "x").json(), analyze(p, "x")._repr_html_()]
    found += [p.game.worst_falls(p.graph), p.game.nouns(list(p.game.units)[:3])]
    found += [p.tiles(p.plain, p.reached(p.plain, side, 2)) for side in p.sides]
    for _ in range(6):
        p = drawn(dice, rules)
        issues = (*check_play(p), *check_setup(p, dice.randint(0, 6)), *p.game.misfits(p.board))
        found += [list(map(row, issues)), p.model(p.plain).notes]
        ill = p.on(ill_set(dice, p.board))
        found += [list(map(row, (*check_setup(ill, dice.randint(1, 3)), *p.game.starts(ill))))]
    assert is_kept(f"drawn boards {rules} {seed}", found)


@pytest.mark.parametrize("tile_um", [25_400, 30_000])
@pytest.mark.parametrize("radius_um", [5_000, 12_500, 15_000, 20_000, 31_000])
def test_legs_are_as_kept(radius_um: int, tile_um: int) -> None:
    """Spots of a base on a tile, what it covers there, and legs between spots."""
    spots = [spot for group in shifts(radius_um, tile_um) for spot in group]
    found: list[Any] = [shifts(radius_um, tile_um), list(map(spot_text, spots))]
    found += [covered(spot, radius_um, tile_um) for spot in spots]
    for offset in product(range(-1, 3), range(-2, 2)):
        legs = [leg_between(offset, spots[0], spot, radius_um, tile_um) for spot in spots]
        found += [corridor(*offset, radius_um, 2, tile_um), *legs]
        found += [metric_cost_um(name, leg, tile_um) for name in METRICS for leg in legs]
    found += [metric_offsets(name, 3 * tile_um, tile_um) for name in METRICS]
    assert is_kept(f"legs {radius_um} {tile_um}", found)


def broken(dice: Dice, table: dict[str, Any]) -> None:
    """A ruleset's table with one thing wrong somewhere."""
    key = dice.choice(list(table))
    if isinstance(table[key], dict) and table[key] and dice.random() < 0.7:
        broken(dice, table[key])
    elif dice.random() < 0.5:
        table[key] = dice.choice((-1, 0, 7, 1e9, "x", "none", [], ["x"], [1, 2], {}, True))
    elif dice.random() < 0.5:
        del table[key]
    else:
        table[f"{key}s"] = table[key]


@pytest.mark.parametrize("rules", [*OTHERS, "fall-damage"])
def test_broken_rulesets_are_refused_as_kept(rules: str) -> None:
    dice, found = Dice(len(rules)), []
    text = Path(path("rulesets", rules)).read_text("utf-8")
    for _ in range(60):
        table = tomllib.loads(text)
        table.pop("cards", None)
        broken(dice, table)
        found.append(said(lambda t=table: str(read_rules(t, "x.toml"))))
    assert is_kept(f"broken {rules}", found)


@pytest.mark.parametrize(("rules", "name"), ASKED)
def test_whatever_is_asked_by_name_is_as_kept(rules: str, name: str) -> None:
    """Each question with words of each type, of crowded boards, under some readings."""
    found: list[Any] = []
    dice = Dice(len(name))
    for number in range(80 if rules == "gatefall" else 24):
        if number % 4 == 0:
            p = drawn(dice, rules)
        asked = questions_of(p)[name]
        given = {
            argument.name: word(dice, p, argument.hint)
            for argument in asked.arguments
            if dice.random() < (0.96 if argument.needed else 0.6)
        }
        if dice.random() < 0.06:
            given[dice.choice(("xyzzy", "unt", "strat"))] = "1"
        found += [given, said(p.ask, name, **given)]
        if isinstance(found[-1], dict):
            found.append(list(told_lines(p.ask(name, **given))))
    assert is_kept(f"drawn {rules} {name}", found)


WORDS = ("reachable", "connected", "no", "symmetric", "good", "fair", "treasure", "islands",
         "traps", "within", "3%", "0%", "51%", "7", "peace", "rotate-180", "mirror", "contact",
         "control", "sight", "high-ground")  # fmt: skip
TRIED = (
    "reachable treasure",
    "connected",
    "no islands",
    "no traps",
    "symmetric rotate-180",
    "symmetric mirror-columns",
    "good contact",
    "good treasure",
    "good control",
    "good sight",
    "fair within 3%",
    "fair within 50%",
    "fair within 51%",
    "fair within 0%",
    "fair within 2",
)


@pytest.mark.parametrize("rules", [*OTHERS, "fall-damage"])
def test_expectations_are_judged_as_kept(rules: str) -> None:
    """What boards may promise, and words that promise nothing."""
    dice, found = Dice(7), []
    span = SourceSpan("x.forge", 3, 1, 3, 9)
    for _ in range(6):
        p = drawn(dice, rules)
        facts = Facts(p, lambda _, percent: f"red is {percent} ahead" if percent < 5 else None)
        asked = [tuple(dice.sample(WORDS, dice.randint(0, 3))) for _ in range(6)]
        for words in (*asked, *(tuple(text.split()) for text in TRIED)):
            issues = evaluate(words, facts, span)
            found.append([words, [[*row(issue), str(issue.span)] for issue in issues]])
    assert is_kept(f"expected {rules}", found)


@pytest.mark.parametrize("rules", [*OTHERS, "fall-damage"])
def test_own_units_are_read_as_kept(rules: str) -> None:
    """Units like others or not, with some properties, lists among them, right and wrong."""
    game, dice, found = load_rules(rules), Dice(11), []
    names, keys = list(game.units), [*properties(game), *properties(game), "name", "no-such"]
    lists = {key: [*words, "no-such"] for key, words in listed(game).items()}
    for number in range(60):
        pairs = []
        for place, key in enumerate(dice.sample(keys, dice.randint(0, min(3, len(keys))))):
            slot = key.replace("-", "_")
            like_one = getattr(game.units[dice.choice(names)], slot, "x")
            value = {True: "yes", False: "no"}.get(like_one, like_one)
            if slot in lists:
                value = dice.choice((",".join(dice.sample(lists[slot], 2)), "none", "no-such"))
            if dice.random() < 0.1:
                value = dice.choice(("yes", 2, 300, "B2", "x,x"))
            pairs.append((key, value, SourceSpan("x.forge", number + 1, place + 1, 9, 9)))
        name = dice.choice(("own", "own-one", "own_two", "own_two", names[0]))
        like = dice.choice((*names, *names, "", "nobdy"))
        wished = Wished(name, like, pairs, SourceSpan("x.forge", number + 1, 1, 9, 9))
        try:
            made = with_units(game, [wished, Wished("last", name, ())])
            found.append([str(made.units.get(one)) for one in (name, "last")])
        except ForgeError as error:
            found.append([[*row(issue), str(issue.span)] for issue in error.issues])
    assert is_kept(
        f"own {rules}", [properties(game), {k: list(v) for k, v in lists.items()}, found]
    )


# -- Fall Damage -----------------------------------------------------------------------------------


def modifiers(dice: Dice) -> Modifiers:
    """Some of all that changes a unit."""
    known = {item.name: item.type for item in fields(Modifiers)}
    names = [name for name, kind in known.items() if kind in ("bool", "int")]
    chosen = dice.sample(names, dice.choice((0, 0, 1, 3)))
    return Modifiers(**{n: True if known[n] == "bool" else dice.randint(1, 2) for n in chosen})


def scene_of(dice: Dice, p: Position) -> Scene:
    """Seven units anywhere, some hurt, some under effects."""
    cards = list(p.game.units.values())
    there = [
        Standing(at, dice.choice(cards), dice.choice(("mine", "theirs")), modifiers(dice),
                 dice.choice((None, None, 1, 3)), dice.random() < 0.3)
        for at in dice.sample(p.graph.surfaces, 7)
    ]  # fmt: skip
    assert isinstance(p.game, FallDamage)
    return Scene(p.graph, p.game.kit, p.game.options, tuple(there))


def shown(board: Board | None) -> list[str] | None:
    """What of a board play can change."""
    return board and [str(x) for x in (*board.columns, *board.decks, *board.ladders)]


@pytest.mark.parametrize("name", ABILITIES)
def test_drawn_scenes_are_as_kept(name: str) -> None:
    """Whom an ability may aim at among many units under effects, and what some uses do."""
    dice, found = Dice(len(name)), []
    skill = ABILITIES[name]
    for _ in range(10):
        scene = scene_of(dice, drawn(dice, "fall-damage"))
        for doer in scene.standing[:3]:
            found.append(str(unit_under(doer.unit, doer.modifiers, scene.options)))
            aims = list(skill.aims(scene, doer))
            found.append(list(map(str, aims)))
            for _ in range(3):
                use = Use(
                    dice.choice(aims or [doer.at]) if dice.random() < 0.8 else doer.at,
                    dice.choice((None, *dice.sample(scene.graph.surfaces, 4))),
                    dice.choice(list(WAYS.values())),
                    dice.choice((None, -1, 1, 2, 4)),
                )  # fmt: skip
                try:
                    outcome = skill.use(scene, doer, use)
                    found += [as_table(outcome), shown(outcome.board)]
                except ValueError as error:
                    found.append(str(error))
    assert is_kept(f"drawn scenes {name}", found)


@pytest.mark.parametrize("seed", range(24))
def test_drawn_pushes_and_sights_are_as_kept(seed: int) -> None:
    dice, found = Dice(seed + 200), []
    p = drawn(dice, "fall-damage")
    for _ in range(40):
        one, other, *taken = dice.sample(p.graph.surfaces, 6)
        wish: dict[str, Any] = {"occupied": taken, "mage": dice.random() < 0.3}
        if dice.random() < 0.4:
            wish |= {"unit": dice.choice(list(p.game.units)), "effects": [effect(dice, p)]}
        if dice.random() < 0.4:
            wish["way"] = dice.choice(list(WAYS))
        push = f"{dice.choice('BRL')}{dice.randint(0, 4)}"
        near = dice.choice([at for at in p.graph.surfaces if at != other])
        found += [said(p.push, a, other, push, **wish) for a in (one, near)]
        found.append(said(p.sees, one, other, taken))
    for name in dice.sample(list(p.game.units), 6):
        here = dice.choice(p.graph.surfaces)
        found.append(said(p.targets, name, here, occupied=dice.sample(p.graph.surfaces, 3)))
    one, other = dice.sample(p.graph.surfaces, 2)
    for wish in (
        {"unit": "nobdy"},
        {"effects": ["bots"]},
        {"effects": ["rope"]},
        {"way": "east"},
    ):
        found += [said(p.push, one, other, push, **wish) for push in ("B2", "X2", "B", "F1", "R0")]
    for name in ("bom", "bomb", "swap", "top-ropes", "partition"):
        for wish in ({}, {"aim": other}, {"aim": "Z9"}, {"effects": ["bots"]}, {"second": other}):
            found.append(said(p.targets, "knight", one, ability=name, **wish))
    assert is_kept(f"drawn pushes {seed}", found)


def change(dice: Dice, p: Position) -> str:
    """A change in words, such as `dam E5 east 4`."""
    name = dice.choice(list(CHANGES))
    tiles = list(p.board.tiles())
    words = []
    for kind in CHANGES[name][0].split():
        if kind in WAYS:
            words.append(dice.choice(list(WAYS)))
        elif kind.isdigit():
            words.append(str(dice.randint(1, 7)))
        else:
            things = [deck.a for deck in p.board.decks] + [one.foot for one in p.board.ladders]
            things += [tile for tile in tiles if p.board.column(tile).feature]
            tile = dice.choice(things if things and dice.random() < 0.6 else tiles)
            level = f"@{dice.randint(0, 3)}" if name == "hit" and dice.random() < 0.4 else ""
            words.append(f"{tile}{level}")
    if words and dice.random() < 0.15:
        words[dice.randrange(len(words))] = dice.choice(
            ("A1@12", "A1@123", "A1@x", "@1", "Z9", "up", "100", "99", "-1", "²", "A1 A2")
        )
    return " ".join((name, *words))


@pytest.mark.parametrize("seed", range(12))
def test_drawn_changes_are_as_kept(seed: int) -> None:
    """The board, who falls and who is hurt, after one to four changes in words."""
    dice, found = Dice(seed + 300), []
    for number in range(30):
        if number % 6 == 0:
            p = drawn(dice, "fall-damage")
            assert isinstance(p.game, FallDamage)
        texts = [change(dice, p) for _ in range(dice.randint(1, 4))]
        units = {
            one.at: victim_under(one.unit, one.modifiers, one.at)
            for one in scene_of(dice, p).standing
        }
        try:
            state = played(p.board, texts, p.game.kit, p.game.options, units)
        except ValueError as error:
            found += [texts, str(error)]
            continue
        now = Position(state.board, p.game, before=p, changes=tuple(texts))
        for at in units:
            told = p.game.what_if(p.board, texts, at)
            found += [str(told.unit), told.damage, told.notes, str(said(now.place, str(at)))]
        falls = {str(at): fall for at, fall in state.falls.items()}
        hurt = {str(at): harm for at, harm in state.hurt.items()}
        found += [texts, shown(state.board), falls, hurt, state.notes]
        found += [state.state.n_bricks, sum(state.state.scar), state.state.deck_scar]
    assert is_kept(f"drawn changes {seed}", found)

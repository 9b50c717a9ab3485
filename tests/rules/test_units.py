"""The cards: every value of the rulebook, typed a second time."""

import pytest

from falldamage_forge.games.fall_damage.unit_cards import (
    UNLIMITED,
    MovementProfile,
    units_from_tables,
)
from falldamage_forge.issues import ForgeError
from falldamage_forge.presets import load_rules, load_units

CARDS = """
knight         3 1 8 3 1 B1    bandit       4 1 5 5 1 L1    samurai     5 1 6 4 1 R1
shield-bearer  3 1 9 1 1 B1    spearman     4 1 6 3 2 B2    archer      4 2 6 3 4 B1
arbalist       3 2 6 4 4 B1    gunner       3 1 6 5 3 B2    tinkerer    3 1 6 0 3 -
splash-mage    3 1 5 0 3 B2    force-mage   3 1 5 0 4 B3    space-mage  3 1 5 0 4 -
brick-mage     3 2 5 0 4 -     druid        3 2 5 0 3 -     necromancer 3 1 4 1 1 B1
assassin       4 * 5 4 1 F1    beast-heads  5 * 8 5 1 B2    beast-tails 2 * 8 5 1 B2
wrestler       3 2 6 2 1 B2    bard         3 2 7 0 4 -     medic       5 1 6 0 3 -
apothecary     5 1 6 0 1 -
""".split()


def test_all_twenty_two_profiles_have_the_values_of_their_cards() -> None:
    units = load_units()
    rows = [CARDS[n : n + 7] for n in range(0, len(CARDS), 7)]
    assert len(rows) == 22
    for name, move, jump, health, attack, reach, push in rows:
        unit = units[name]
        shown = [unit.move, "*" if unit.jump >= UNLIMITED else unit.jump, unit.health, unit.attack]
        shown += [unit.reach, unit.push or "-"]
        assert list(map(str, shown)) == [move, jump, health, attack, reach, push], name
        assert unit.abilities, f"{name} has no ability"
    cards = {unit.name for unit in units.values() if unit.unit_class != "summoned"}
    assert cards == {row[0] for row in rows}


def test_special_cases_are_data() -> None:
    units = load_units()
    flagged = {
        flag: {name for name, unit in units.items() if getattr(unit, flag)}
        for flag in ("mage", "vertical_counts", "no_fall", "no_push", "pass_enemies")
    }
    assert flagged == {
        "mage": {"splash-mage", "force-mage", "space-mage", "brick-mage"},
        "vertical_counts": {"beast-heads", "beast-tails"},
        "no_fall": {"wrestler"},
        "no_push": {"shield-bearer"},
        "pass_enemies": {"assassin"},
    }
    assert [name for name, unit in units.items() if not unit.needs_sight] == ["archer"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"push": "X1"}, "letter of B, R, L, F"),
        ({"helth": 3}, "unknown key `helth`"),
        ({"push": "B"}, "letter of B, R, L, F"),
        ({"push": "Bx"}, "found 'Bx'"),
        ({"move": -1}, "`move` is at least 0"),
        ({"jump": -1}, "`jump` is at least 0"),
        ({"health": 0}, "`health` is at least 1"),
        ({"attack": -1}, "`attack` is at least 0"),
        ({"reach": -1}, "`reach` is at least 0"),
        ({"unit_class": "figher"}, "one of fighter"),
    ],
)
def test_invalid_card_is_reported(change: dict[str, object], says: str) -> None:
    card = {"title": "T", "unit_class": "fighter", "move": 1, "health": 1, "attack": 1, "reach": 1}
    assert units_from_tables({"own": {"t": card}}, "units")["t"].jump == UNLIMITED
    with pytest.raises(ForgeError, match=says):
        units_from_tables({"own": {"t": {**card, **change}}}, "units")


def test_every_error_of_every_unit_file_is_reported() -> None:
    card = {"title": "T", "unit_class": "fighter", "move": 0, "health": 1, "attack": 0, "reach": 0}
    tables = {"b": {"one": card, "two": {**card, "jump": -2}}, "a": {"one": card, "three": 5}}
    with pytest.raises(ForgeError) as caught:
        units_from_tables(tables, "units")  # type: ignore[arg-type]
    told = [issue.message for issue in caught.value.issues]
    assert told == [
        "units/a.toml: three: expected a table",
        "units/b.toml: one: there are two units `one`",
        "units/b.toml: two: `jump` is at least 0",
    ]
    assert {issue.code for issue in caught.value.issues} == {"FDF291"}
    found = units_from_tables({"a": {"one": card}, "b": {"two": card}}, "units")
    assert [*found] == ["one", "two"]
    assert found["one"].profile == MovementProfile(0, UNLIMITED, health=1)


def test_unknown_option_is_reported_and_the_others_hold() -> None:
    wrong = [("hedroom", 2, None), ("edge", "cliff", None), ("headroom", 9, None)]
    with pytest.raises(ForgeError) as caught:
        load_rules("fall-damage").with_options(wrong)
    told = [(issue.code, issue.message, issue.hint) for issue in caught.value.issues]
    assert [code for code, _, _ in told] == ["FDF320"] * 3
    assert "unknown key `hedroom`" in told[0][1]
    assert told[0][2] == "did you mean `headroom`?"
    assert "should be one of wall, void" in told[1][1]
    assert "`headroom` is from 1 to 4" in told[2][1]
    right = [("los-eye", "0.75", None), ("deck_thickness", "1", None), ("push-fall", "hover", None)]
    options = load_rules("fall-damage").with_options(right).options
    assert (options.los_eye, options.deck_thickness, options.push_fall) == (0.75, 1, "hover")

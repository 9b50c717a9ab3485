"""Helpers of commands: each reads or prints one thing, whatever command calls it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import pytest

import falldamage_forge as ff
from falldamage_forge import presets
from falldamage_forge.cli import (
    build_options,
    game_input,
    map_argument,
    overlay_options,
    query_options,
    stock_options,
    user_config,
)
from falldamage_forge.cli.commands import (
    analyze,
    check,
    compare,
    coupon,
    edit,
    generate,
    kit,
    path,
    playtest,
    search,
    show,
    stock,
    targets,
)
from falldamage_forge.issues import ForgeError
from falldamage_forge.lang.edit import EditRefused
from falldamage_forge.pieces.map_kit import KitTable
from falldamage_forge.playtest.playtest_page import ROWS
from falldamage_forge.presets import load_catalogue, load_printer
from falldamage_forge.render import rule_overlays
from falldamage_forge.rules.answer_columns import format_turn_chances
from falldamage_forge.search import adapter
from falldamage_forge.search.archive import AXES, Archive, Elite
from falldamage_forge.search.constructive import MapRequirements
from tests.cli.running import SMALL
from tests.printing.test_job import job

MAP = ff.loads(SMALL.format(tower="D4"), "small.forge")


def usage(call: Callable[[], object]) -> str:
    """The message of the UsageError that a call raises."""
    with pytest.raises(click.UsageError) as refused:
        call()
    return refused.value.message


def refusal(call: Callable[[], object]) -> tuple[str, str, str | None]:
    """Code, message and hint of the ForgeError that a call raises."""
    with pytest.raises(ForgeError) as refused:
        call()
    (issue,) = refused.value.issues
    assert issue.severity == "error"
    return issue.code, issue.message, issue.hint


# -- words and numbers ---------------------------------------------------------------------------


def test_option_with_a_value_is_read_and_without_one_refused() -> None:
    for read in (
        lambda texts: query_options.parse_key_values(texts, "--option"),
        game_input.parse_options,
    ):
        assert read(("edge=void", " a = b=c ")) == {"edge": "void", "a": "b=c"}
        assert read(()) == {}
        assert usage(lambda read=read: read(("edge",))) == "write --option NAME=VALUE, not `edge`"
    assert query_options.parse_key_values(["song"], "--with", bare=True) == {"song": ""}


def test_first_places_and_the_number_of_the_others() -> None:
    assert query_options.format_first([]) == "none"
    assert query_options.format_first("abcdefgh") == "a, b, c, d, e, f, g, h"
    assert query_options.format_first("abcdefghij") == "a, b, c, d, e, f, g, h and 2 more"
    assert query_options.format_first("abc", 1) == "a and 2 more"


def test_turns_have_their_chance_unless_it_is_sure() -> None:
    half = Fraction(1, 2)
    assert format_turn_chances({1: half, 2: half}) == "1 turn 1/2, 2 turns 1/2"
    assert format_turn_chances({3: Fraction(1)}) == "3 turns"
    assert (compare._percent(Fraction(3, 8)), compare._percent(Fraction(1))) == ("3/8 (38 %)", "1")


def test_columns_of_a_table_are_aligned(capsys: pytest.CaptureFixture[str]) -> None:
    query_options.echo_table([("turn", "to"), (1, "B9"), (12, "a long name"), ("never", "")])
    assert capsys.readouterr().out.splitlines() == [
        "turn   to", "1      B9", "12     a long name", "never",
    ]  # fmt: skip
    query_options.echo_json({"title": "Höhe"})
    assert capsys.readouterr().out == '{\n  "title": "Höhe"\n}\n'


@pytest.mark.parametrize(("text", "size"), [("10x10", (10, 10)), ("50x15", (50, 15))])
def test_size_of_a_board_is_columns_by_rows(text: str, size: tuple[int, int]) -> None:
    assert generate.board_size(text) == size


@pytest.mark.parametrize("text", ["", "10", "5x10", "10x5", "55x10", "10x55", "11x10", "10x10x10"])
def test_other_sizes_are_refused_with_those_that_are_possible(text: str) -> None:
    assert usage(lambda: generate.board_size(text)) == (
        f"`{text}` is no board size; both sides are multiples of 5 from 10 to 50"
    )


def test_ranges_are_numbers_or_percentages() -> None:
    assert generate.parse_level_range(None) is generate.parse_percent_range(None, "--lava") is None
    assert generate.parse_level_range("3") == (3, 3)
    assert generate.parse_level_range("2-4") == (2, 4)
    assert generate.parse_percent_range("40-60", "--lava") == (0.4, 0.6)
    assert generate.parse_percent_range("0%-5%", "--lava") == (0.0, 0.05)
    for text in ("4-2", "x", "1-", "100"):
        assert usage(lambda text=text: generate.parse_level_range(text)) == (
            f"`{text}` is not a number such as 3, nor two such as 2-4"
        )
    told = usage(lambda: generate.parse_percent_range("40", "--lava"))
    assert told == "--lava takes two percentages such as 40-50"


def test_requirement_is_an_expect_statement() -> None:
    assert generate.expectation_statement(" expect  good   sight") == "expect good sight"
    for text in ("expect", "good sight", ""):
        assert usage(lambda text=text: generate.expectation_statement(text)) == (
            f'`{text}` is no requirement; write it as in --wish "expect good sight"'
        )


def test_bounds_of_a_print_limit_the_terrain_and_refuse_what_is_above(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A base of 100 g prints in 10 hours, each further statement takes 26 g."""
    seen: list[str] = []

    def estimate(text: str, owned: dict[str, int]) -> tuple[float, float]:
        seen.append(text)
        grams = 100.0 + 26 * (text.count("\n") - 4)
        return grams, grams / 10

    monkeypatch.setattr(adapter, "print_estimate", estimate)
    wish = MapRequirements(cols=15, rows=10)
    free, accept = generate.print_limits(wish, None, None, {})
    assert (free, accept("anything"), seen) == (wish, "", [])
    for grams, hours, volume, why in (
        (153, None, 20, "more than 153 g to print"),
        (None, 15.3, 20, "more than 15.3 h to print"),
        (153, 12.7, 10, "more than 12.7 h to print"),
        (100, None, 0, "more than 100 g to print"),
    ):
        bound, accept = generate.print_limits(wish, grams, hours, {})
        assert bound.volume == volume
        assert accept("\n" * (4 + volume // 10)) == ""
        assert accept("\n" * (5 + volume // 10)) == why
    assert generate.print_limits(wish, 90, None, {})[0].volume == 0
    assert generate.print_limits(wish, 152, None, {"tree": 1})[0] == wish, (
        "a stock has its own bound"
    )
    layout = ff.loads(seen[0] + "start blue at D10..K10\n").layout
    assert (layout.board.cols, layout.board.rows) == (15, 10)
    assert len(layout.board.starts[1].surfaces) == 8


@pytest.mark.parametrize(
    ("output", "view", "asked", "near", "told"),
    [
        ("x.gif", "iso", "", None, "write to a file that ends in .png or .svg"),
        ("x.svg", "printed", "", None, "write to a file that ends in .png or .jpg"),
        ("x.svg", "iso", "turns hazard", None, "one overlay at a time: --turns, --hazard"),
        ("x.png", "printed", "turns", None, "--view printed is for files (-o) without an overlay"),
        (None, "printed", "", None, "--view printed is for files (-o) without an overlay"),
        ("x.png", "iso", "", "D4", "--near is for --view printed"),
    ],
)
def test_picture_that_cannot_be_drawn_is_refused(
    output: str | None, view: str, asked: str, near: str | None, told: str
) -> None:
    look: Any = SimpleNamespace(view=view, near=near)
    names: Any = SimpleNamespace(names=tuple(asked.split()))
    path = None if output is None else Path(output)
    assert usage(lambda: show._check_usage(path, look, names)) == told
    for fine in (Path("X.PNG"), Path("x.svg"), None):
        one: Any = SimpleNamespace(view="iso", near=None)
        show._check_usage(fine, one, SimpleNamespace(names=("turns",)))  # type: ignore[arg-type]


# -- settings and lists --------------------------------------------------------------------------


def test_settings_are_read_as_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(user_config.FOLDER, str(tmp_path))
    assert user_config.load_settings() == user_config.UserConfig()
    assert build_options.price_of() is None
    own = user_config.UserConfig("mk4", "fine", 23.5, "CHF")
    path = user_config.save_settings(own)
    assert path == user_config.settings_path() == tmp_path / "settings.toml"
    assert user_config.load_settings() == own
    priced = build_options.price_of()
    assert priced is not None and (priced.per_kg, priced.currency) == (23.5, "CHF")
    given = build_options.price_of(9.0)
    assert given is not None and (given.per_kg, given.currency) == (9.0, "CHF")
    user_config.save_settings(user_config.UserConfig())
    assert path.read_text() == "# Written by `fdforge printer use`.\n"


@pytest.mark.parametrize(
    ("words", "why"),
    [({"price_per_kg": 0.0}, "from 0 to 10000"), ({"price_per_kg": 10_001.0}, "from 0 to 10000"),
     ({"currency": "EURO"}, "three letters, like EUR"), ({"currency": "E1R"}, "three letters")],
)  # fmt: skip
def test_wrong_price_or_currency_is_refused(words: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        user_config.UserConfig(**words)
    assert user_config.UserConfig(price_per_kg=10_000.0).currency == "EUR"


def test_name_that_toml_cannot_hold_is_refused() -> None:
    for name in ("it's", "a\nb"):
        code, message, hint = refusal(lambda name=name: user_config._toml(name))
        assert (code, hint) == ("FDF295", "choose another name")
        assert message == f"`{name}` cannot be stored in the settings"


def test_file_that_is_no_json_object_is_refused_with_its_code(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    file.write_text('{"a": 1}')
    assert game_input.read_json(file, "FDF385") == {"a": 1}
    file.write_text("[1]")
    assert refusal(lambda: game_input.read_json(file, "FDF385"))[:2] == (
        "FDF385",
        f"`{file}` holds no JSON object",
    )
    for text in ("{", "[" * 100_000):
        file.write_text(text)
        code, message, _ = refusal(lambda: game_input.read_json(file, "FDF384"))
        assert code == "FDF384" and message.startswith(f"`{file}` is not valid JSON: ")


def test_teams_are_pairs_of_lists_of_known_cards(tmp_path: Path) -> None:
    file, cards = tmp_path / "teams.json", {"knight": 0, "archer": 0}

    def teams(value: object) -> object:
        file.write_text(json.dumps({"teams": value}))
        return playtest._teams(file, cards)

    pair = [["knight"], ["archer", "knight"]]
    assert teams([pair]) == ((["knight"], ["archer", "knight"]),)
    for value in ([], "x", None):
        assert refusal(lambda value=value: teams(value)) == (
            "FDF385", f"`{file}` holds no teams", 'write {"teams": [[[…], […]]]}',
        )  # fmt: skip
    for value in ([["knight", "archer"]], [[["knight"]]], ["ab"]):
        assert refusal(lambda value=value: teams(value))[1] == (
            f"`{file}`: a pair of teams is two lists of cards"
        )
    wrong = refusal(lambda: teams([[["knight", "x"], ["y"]]]))
    assert wrong[1] == f"`{file}`: no card called x, y"


@pytest.mark.parametrize(
    ("bots", "why"),
    [("greedy", "name at least two bots"), ("greedy,greedy", "name at least two bots"),
     ("rollout,search-1", "name at least two bots"),
     ("greedy,gready", "no bot called `gready`; did you mean `greedy`?"),
     ("greedy,zz", "no bot called `zz`; known: ")],
)  # fmt: skip
def test_bots_of_a_playtest_are_two_known_ones(bots: str, why: str) -> None:
    assert usage(lambda: playtest._order((), 4, 0, bots, None, ())).startswith(why)


def test_order_of_a_playtest_has_its_maps_bots_and_options() -> None:
    order = playtest._order(
        ("duel",), 8, 3, " rollout , cautious,", None, ("turn-size=exactly-two",)
    )
    assert (tuple(order.boards), order.bots) == (("duel",), ("careful", "search-1"))
    assert (order.games, order.seed, order.teams) == (8, 3, ())


def test_list_of_a_kit_is_read_whole(tmp_path: Path) -> None:
    code, message, hint = refusal(lambda: stock_options.owned_parts(None, tmp_path))
    assert (code, hint) == ("FDF294", f"write one there: fdforge kit starter -o {tmp_path}")
    assert message == f"`{tmp_path}` holds no kit: there is no pieces.csv in it"
    table = tmp_path / "pieces.csv"
    table.write_text("piece,count\ntree,3\n")
    code, message, _ = refusal(lambda: stock_options.owned_parts(None, tmp_path))
    assert code == "FDF402" and message.endswith("it has no column `required`")
    table.write_text("piece,required,owned\ntree,3,1\ntree-b,2,0\n")
    assert stock_options.owned_parts(None, tmp_path) == {"tree": 5}
    assert stock_options.owned_parts(None, None) is None
    assert usage(lambda: stock_options.owned_parts(table, tmp_path)).startswith("--own or --kit")


PLATES = [
    {"plate": 1, "name": "plate-01", "pieces": {"tree": 2, "tree-b": 1}},
    {"plate": 2, "name": "plate-02", "pieces": {"tree": 4}},
]


def test_stock_takes_one_plate_of_an_export_or_all(tmp_path: Path) -> None:
    known, folder = load_catalogue().every, tmp_path / "duel"
    (folder / "plates").mkdir(parents=True)
    (folder / "pieces.json").write_text(json.dumps({"plates": PLATES}))

    def parts(path: Path) -> list[tuple[str, int, str]]:
        found = stock.parts_of_export(path, known)
        assert all(re.fullmatch(r".+ \([0-9a-f]{8}\)", each.source) for each in found)
        return [(each.piece, each.count, each.source[:-11]) for each in found]

    one, two = ("tree", 3, "plate-01 of duel"), ("tree", 4, "plate-02 of duel")
    assert parts(folder) == [one, two]
    assert parts(folder / "plate-01") == parts(folder / "plates" / "plate-01.stl") == [one]
    assert parts(folder / "plate-02") == [two]
    assert refusal(lambda: parts(folder / "plate-03")) == (
        "FDF404",
        f"`{folder / 'plate-03'}`: there is no such plate",
        "name a plate, as in `exports/duel/plate-03`, or a piece and a count",
    )
    assert "there is no `" in refusal(lambda: parts(tmp_path))[1]


@pytest.mark.parametrize(
    "plates",
    [1, [1], [{}], [{**PLATES[1], "plate": "1"}], [{**PLATES[1], "name": 1}],
     [{**PLATES[1], "pieces": {"tree": 0}}], [{**PLATES[1], "pieces": {"tree": 100_000}}],
     [{**PLATES[1], "pieces": {"tree": "1"}}], [{**PLATES[1], "pieces": ["tree"]}]],
    ids=str,
)  # fmt: skip
def test_list_that_is_none_of_an_export_is_refused(plates: object, tmp_path: Path) -> None:
    (tmp_path / "pieces.json").write_text(json.dumps({"plates": plates}))
    code, message, _ = refusal(lambda: stock.parts_of_export(tmp_path, load_catalogue().every))
    assert code == "FDF404" and message.endswith("is no piece list of an export")


def test_piece_that_the_catalogue_lacks_is_refused(tmp_path: Path) -> None:
    (tmp_path / "pieces.json").write_text(
        json.dumps({"plates": [{**PLATES[1], "pieces": {"tree": 1, "oak": 1}}]})
    )
    assert refusal(lambda: stock.parts_of_export(tmp_path, load_catalogue().every))[1] == (
        f"`{tmp_path}` holds `oak`, which is not in the catalogue"
    )


def test_maps_of_a_kit_have_one_size() -> None:
    one, same, other = (
        stock_options.FORGE.loads(
            f'{SMALL.format(tower="D4")}title "{title}"\nprint {{\n  tile {size}mm\n}}\n'
        )
        for title, size in (("One", 30), ("Same", 30), ("Other", 40))
    )
    assert kit._one_size([one, same]).grid == one.grid
    assert refusal(lambda: kit._one_size([one, same, other])) == (
        "FDF437", "One is of 30 x 30 mm and Other is of 40 x 30 mm",
        "a kit is of one size: make one for each",
    )  # fmt: skip


def test_printer_file_keeps_all_but_its_gaps() -> None:
    printer = load_printer("a1-mini")
    text = "# mine\ntitle = 'Mine'\nfit_mm = 0.1 # tight\n[estimate]\n"
    gaps = {"fit_mm": 0.2, "seam_mm": 0.25}
    changed = coupon._with_gaps(text, printer, gaps)
    assert "# mine\n" in changed and "[estimate]\n" in changed
    assert changed.count("fit_mm = 0.2\n") == changed.count("seam_mm = 0.25\n") == 1
    assert changed.index("seam_mm") < changed.index("[estimate]")
    assert coupon._with_gaps(changed, printer, gaps) == changed


# -- searches ------------------------------------------------------------------------------------


def test_archive_of_other_settings_is_refused() -> None:
    archive = Archive()
    search._same_run(archive, {"seed": 1, "batch": 64}, Path("a"))
    assert archive.about == {"seed": 1, "batch": 64}
    search._same_run(archive, {"seed": 2, "batch": 64}, Path("a"))
    assert archive.about["seed"] == 2, "an empty archive takes any settings"
    archive.evaluations = 1
    search._same_run(archive, {"seed": 2, "batch": 64}, Path("a"))
    code, message, hint = refusal(
        lambda: search._same_run(archive, {"seed": 3, "batch": 64, "games": 8}, Path("a"))
    )
    assert (code, message) == ("FDF504", "`a` was searched with other games, seed")
    assert hint == "say the same options again, or choose another --archive"


def test_found_map_is_called_by_its_title() -> None:
    traits = {axis: AXES[axis][0] for axis in AXES}
    for text, title in (('forge 1\ntitle "Old Mill"\n', "Old Mill"), ("forge 1\n", "")):
        elite = Elite(0.5, traits, "keep", None, text)
        assert elite.title == (title or elite.name)
        assert search._told(elite).startswith(f"{elite.title}, quality 0.50, mean level ")


@pytest.mark.parametrize(("unfair", "told"), [(False, "no side is too far ahead"),
    (True, "no small change that was tried makes it fairer without making something worse")],
)  # fmt: skip
def test_map_without_remedies_says_why(
    unfair: bool, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    analyze._tell_remedies(MAP, (), unfair)
    assert capsys.readouterr().out == f"{told}\n"


def test_remedies_are_printed_with_the_command_that_writes_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    one: Any = SimpleNamespace(
        changes=(SimpleNamespace(told="reach 3 to 1"), SimpleNamespace(told="control 2 to 0")),
        gestures=("raise D4", "lower E5"), fair=True, lines=lambda text: [("+", text[:7])],
    )  # fmt: skip
    analyze._tell_remedies(MAP, (one, SimpleNamespace(**{**vars(one), "fair": False})), True)
    first = [
        "", "1. raise D4, then lower E5: reach 3 to 1; control 2 to 0 (then all is fair)",
        "   + forge 1", "   fdforge edit small.forge raise D4 --write",
        "   fdforge edit small.forge lower E5 --write",
    ]  # fmt: skip
    second = [
        line.replace("1. ", "2. ").replace("then all is fair", "fairer, not yet fair")
        for line in first
    ]
    assert capsys.readouterr().out.splitlines() == [*first, *second]
    analyze._tell_remedies(MAP, (one,), True, ["red's score changes"])
    assert capsys.readouterr().out.splitlines() == [
        *first[:2],
        "   red's score changes",
        *first[2:],
    ]


# -- answers in words ----------------------------------------------------------------------------


def printed(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().out.splitlines()


def test_ends_of_a_path_are_told_with_their_chance(capsys: pytest.CaptureFixture[str]) -> None:
    def end(chance: str, at: str | None, **more: Any) -> Any:
        usual = {"there": False, "lies": False, "fallen": 0, "hits": 0}
        return SimpleNamespace(chance=Fraction(chance), at=at, **{**usual, **more})

    first = (end("3/4", "E5@2", there=True), end("1/4", "E5@0", lies=True, fallen=2, hits=1))
    later = (end("15/16", "E5@2", there=True), end("1/16", None, hits=2))
    odds = SimpleNamespace(by_turn=(Fraction(3, 4), Fraction(15, 16)), ends=later)
    found: Any = SimpleNamespace(ends=first, odds=odds, scale=SimpleNamespace(name="levels"))
    path._tell_odds(found)
    assert printed(capsys) == [
        "one try:",
        "  3/4  there, on E5@2",
        "  1/4  on E5@0, lying, fallen 2 levels, 1 hit",
        "there by turn 1: 3/4, 2: 15/16",
        "after turn 2, trying again:",
        "  15/16  there, on E5@2",
        "  1/16  out of the game, 2 hits",
    ]
    sure: Any = SimpleNamespace(**{**vars(found), "ends": first[:1]})
    sure.odds = SimpleNamespace(by_turn=(Fraction(1),), ends=later[:1])
    path._tell_odds(sure)
    assert printed(capsys) == ["there by turn 1: 1"]
    path._tell_odds(SimpleNamespace(odds=None))  # type: ignore[arg-type]
    assert printed(capsys) == []


@pytest.mark.parametrize(("count", "told"), [(0, "0 Moves"), (1, "1 Move"), (2, "2 Moves")])
def test_count_has_its_noun(count: int, told: str) -> None:
    assert path.format_count(count, "Move") == check._count(count, "Move") == told


def contact(side: str, first: int | None, last: int | None, *chances: str) -> Any:
    chance, *later = map(Fraction, chances) if chances else (None,)
    return SimpleNamespace(side=side, first=first, last=last, chance=chance, later=tuple(later))


def test_first_contact_of_each_side_is_told() -> None:
    one: Any = SimpleNamespace(contacts=[contact("red", 2, 4), contact("blue", None, None)])
    assert analyze.contact_text(one) == "red 2 to 4; blue never to never"
    other: Any = SimpleNamespace(
        contacts=[contact("red", 1, 3, "1/2", "3/4", "7/8"), contact("blue", 2, 2, "1")]
    )
    assert list(compare._contacts([one, other])) == [
        ("turn of red's first attack", 2, 1),
        ("  with a chance of", "-", "1/2 (50 %)"),
        ("  and 1 turn later", "-", "3/4 (75 %)"),
        ("  and 2 turns later", "-", "7/8 (88 %)"),
        ("turn of red's last to attack", 4, 3),
        ("turn of blue's first attack", "never", 2),
        ("  with a chance of", "-", "1"),
        ("turn of blue's last to attack", "never", 2),
    ]


def test_survey_of_a_unit_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    drops = [
        SimpleNamespace(surface="B2@1", chance=Fraction(1, 4), text="1 hit"),
        SimpleNamespace(surface="B3@1", chance=Fraction(1, 2), text="2 hits"),
        SimpleNamespace(surface="B4@1", chance=None, text=""),
    ]
    survey: Any = SimpleNamespace(
        unit="knight", reached=8, surfaces=10, coverage=80, contacts=[contact("red", 1, 2)],
        drops=drops, deepest=3, unfit=(), cut_off=("C3@2",), notes=("a note",),
    )  # fmt: skip
    analyze._tell(survey, ("knight", "archer"))
    assert printed(capsys) == [
        "knight: knight, archer",
        "  reached: 8 of 10 (80 %)",
        "  turns to contact: red 1 to 2",
        "  may fall from: 3 surfaces, 3 levels at most: B2@1, B3@1, B4@1",
        "    chance 1/2, 2 hits: B3@1",
        "    chance 1/4, 1 hit: B2@1",
        "  no room on: none",
        "  never reached: C3@2",
        "  note: a note",
    ]
    analyze._tell(survey, ("knight",))
    assert printed(capsys)[0] == "knight"
    leads: Any = [
        SimpleNamespace(side="red", text="12 to 4", told="reach"),
        SimpleNamespace(side="", text="even", told="control"),
    ]
    analyze._tell_leads(leads)
    assert printed(capsys) == ["red is ahead: red 12 to 4; reach", "even; control"]


def test_result_of_a_playtest_is_a_table_of_its_bots(capsys: pytest.CaptureFixture[str]) -> None:
    share = {"share": 0.5, "low": 0.25, "high": 0.75, "n": 8}
    bots = {name: dict.fromkeys(ROWS, share) for name in ("greedy", "careful")}
    playtest._print({
        "map": "duel", "games": 8, "seed": 3, "bots": bots, "verdicts": ["open"],
        "pieces": {"bridge": {"effect": {"text": "red's score"}}},
        "versus": {"a against b": {"text": "a scores as b does"}},
    })  # fmt: skip
    head, names, *rows = printed(capsys)
    wide = max(map(len, ROWS.values()))
    assert head == "duel: 8 games a bot, seed 3"
    shown = "50.0 % (25.0 to 75.0)"
    assert names == f"{'':{wide}}  {'greedy':{len(shown)}}  careful"
    assert rows[: len(ROWS)] == [f"{words:{wide}}  {shown}  {shown}" for words in ROWS.values()]
    assert rows[len(ROWS) :] == [
        "- open", "- without bridge: red's score", "- a scores as b does",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("method", "proved", "note"),
    [
        ("exact", True, ""),
        ("exact", False, "search for blocks stopped early: a division that prints less may exist"),
        ("greedy", False, "blocks chosen greedily: the board is too large for the exact search"),
    ],
)
def test_cover_that_is_not_proved_is_noted(method: str, proved: bool, note: str) -> None:
    cover = SimpleNamespace(method=method, proved=proved)
    build: Any = SimpleNamespace(cover=cover)
    assert build_options.cover_note(build) == note
    assert build_options.cover_note(SimpleNamespace(cover=None)) == ""  # type: ignore[arg-type]


def test_wanted_kit_is_a_set_or_the_named_maps(tmp_path: Path) -> None:
    name = presets.names("sets")[0]
    assert kit._wanted((name,), False) == presets.load_set(name)
    two = kit._wanted(("duel", "crypt"), True)
    assert (two.title, two.maps, two.together) == ("Kit for duel, crypt", ("duel", "crypt"), True)
    (tmp_path / "own.toml").write_text("title = 'Own'\nmaps = ['duel', 'a.forge']\n")
    own = kit._wanted((str(tmp_path / "own.toml"),), False)
    assert own.maps[1] == str(tmp_path / "a.forge")


def test_map_that_checks_refuse_is_noted_with_its_codes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    walls = MAP.text.replace("C5 height 1", "row 5 height 9")
    faulty = ff.loads(f"{walls}spire at A7\nspire at A8\n", "my map.forge")
    codes = {issue.code for issue in map_argument.refusal(faulty)}
    note = capsys.readouterr().err
    assert note.startswith("note: `fdforge check 'my map.forge'` refuses this map: FDF143 (")
    assert all(code in note for code in codes)
    map_argument.refusal(faulty, "gatefall")
    assert "check 'my map.forge' --rules gatefall`" in capsys.readouterr().err
    assert map_argument.refusal(MAP) == () and not capsys.readouterr().err


@pytest.mark.parametrize(
    ("reach", "told"),
    [(None, ("", "")), ("E5", ("", "E5")), ("E5@2", ("", "E5@2")), ("knight@E5", ("knight", "E5")),
     ("knight@E5@2", ("knight", "E5@2"))],
)  # fmt: skip
def test_overlay_of_a_unit_is_read_with_its_place(reach: str | None, told: tuple[str, str]) -> None:
    assert overlay_options._unit_at(reach) == told


def test_overlays_asked_for_are_those_of_the_rules() -> None:
    position, asked = ff.analysis(MAP), ("turns", "control", "hazard", "islands")
    found = overlay_options.requested_overlays(
        MAP, overlay_options.OverlayRequest(asked, reach="knight@B1", sight="D4", move=2)
    )
    assert [overlay.key for overlay in found] == [*asked, "reach", "sight"]
    assert found[2] == rule_overlays.hazard(position)
    assert found[4].title == "Knight from B1 in one turn"
    assert found[5] == rule_overlays.sight(position, position.place("D4"))
    plain = position.unit(position.plain, move=2).profile
    assert found[0] == rule_overlays.turns(position, plain)


def test_outcome_of_an_ability_is_told_unit_by_unit(capsys: pytest.CaptureFixture[str]) -> None:
    def row(start: str, end: str, **more: Any) -> dict[str, Any]:
        here, there = ({"tile": name, "level": 1} if name else None for name in (start, end))
        usual = {"dead": False, "damage": 2, "fall": 1, "gains": [], "heal": 0}
        usual |= {"cause": None, "at": None}
        return {"from": here, "end": there, **usual, **more}

    lava = {"dead": True, "cause": "lava", "at": {"tile": "C2", "level": 0}}
    units = [row("A1", "B1", gains=["mist", "song"], heal=3), row("C1", "", **lava)]
    spot = {"tile": "D1", "level": 0, "damage": 4, "cause": None}
    outcome = {
        "units": units, "places": [spot, spot | {"cause": "fall"}],
        "notes": ["a note"], "tiles": ["E1"],
    }  # fmt: skip
    extra = {"outcome": outcome, "ability": "swap"}
    targets._tell_outcome(SimpleNamespace(unit="mage", start="A2@0", extra=extra))  # type: ignore[arg-type]
    assert printed(capsys) == [
        "mage on A2@0 uses swap",
        "  who stands on A1@1 ends on B1@1, 2 damage, 1 fall damage, heals 3, gains mist, song",
        "  who stands on C1@1 dies in lava on C2@0, 2 damage, 1 fall damage",
        "  may be put on D1@0, 4 damage",
        "  may be put on D1@0, 4 damage, dies of the fall on D1@0",
        "  a note",
        "  tile E1",
    ]


def test_gesture_that_is_refused_says_where_and_how_it_is_done_all_the_same() -> None:
    span = ff.check(ff.loads("forge 2", "x.forge")).issues[0].span
    no = EditRefused("no tower", span)
    assert refusal(lambda: raise_(edit._refusal("raise C3", no))) == (
        "FDF011", "`raise C3` cannot be done: no tower (x.forge:1)", None,
    )  # fmt: skip
    broken = EditRefused("it falls", None, (ff.Issue("FDF132", "error", "x", hint="raise D3"),))
    assert refusal(lambda: raise_(edit._refusal("raise C3", broken))) == (
        "FDF011", "`raise C3` would break the map: it falls (FDF132)",
        "raise D3; `--anyway` does it all the same",
    )  # fmt: skip


def raise_(error: Exception) -> None:
    raise error


@pytest.mark.parametrize(("together", "how"), [(False, "one at a time"), (True, "all at once")])
def test_kit_is_told_with_the_parts_of_each_map(
    together: bool, how: str, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = KitTable("Two", ("a", "b"), together)
    plans: Any = [SimpleNamespace(counts=lambda n=n: {"tree": n, "rim": 1}) for n in (2, 3)]
    build = job()
    kit._tell(build, wanted, SimpleNamespace(plans=plans), "table")  # type: ignore[arg-type]
    head, empty, *rows = printed(capsys)
    assert (head, empty) == (f"Two: builds {how} a (3 parts), b (4 parts)", "")
    assert any(row.startswith(f"{len(build.plates)} plates; filament and time") for row in rows)
    kit._tell(build, wanted, SimpleNamespace(plans=plans), "json")  # type: ignore[arg-type]
    told = json.loads(capsys.readouterr().out)
    assert told["maps"] == [{"map": "a", "parts": 3}, {"map": "b", "parts": 4}]
    assert (told["title"], told["together"]) == ("Two", together)
    for form, first in (("csv", "piece,"), ("markdown", "|")):
        kit._tell(build, wanted, SimpleNamespace(plans=plans), form)  # type: ignore[arg-type]
        assert capsys.readouterr().out.startswith(first)

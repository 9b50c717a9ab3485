"""The game at the terminal: what the board says, which words are understood, what is forecast."""

from __future__ import annotations

import re
from copy import copy
from functools import cache, partial
from itertools import chain
from pathlib import Path

import click
import pytest

from falldamage_forge.cli.play_console import MOST_SHOWN, WORDS, PlayConsole
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.name_tables import TASKS
from falldamage_forge.games.fall_damage.play import BoardGame, State, legal_moves
from falldamage_forge.games.fall_damage.play.legal_apply import (
    CHANCE,
    advance_to_first_node,
    apply_move,
    current_player,
    node_kind,
)
from falldamage_forge.games.fall_damage.play.serialization import state_hash
from falldamage_forge.games.fall_damage.play.state_value import SIDES, HiddenItem
from falldamage_forge.games.fall_damage.play.surface_number import spot_at, spot_name
from falldamage_forge.playtest import bots
from falldamage_forge.playtest.forecast import forecast
from falldamage_forge.playtest.text_board import (
    board_text,
    card_lines,
    cell,
    roster,
    unit_lines,
)
from falldamage_forge.presets import load_units
from tests.amount import EXHAUSTIVE
from tests.games.play.columns import surfaces
from tests.games.play.goldens import teams_of
from tests.games.play.situations import Dice, after, one_of_each, situation, standing, table_of
from tests.games.play.tables import KIT, ctx, new_game, preset
from tests.games.play.test_engine import values

READINGS = values()
SEEDS = range(400 if EXHAUSTIVE else 25)


def state_at(seed: int) -> State:
    dice = Dice(seed)
    return situation(dice, table_of(dice, READINGS))


# -- the board -------------------------------------------------------------------------------------

CELL = re.compile(
    r"(?P<ground>[~!#]?)(?P<level>\d+|\.)?(?P<feature>[TS]?)(?P<chest>\$?)"
    r"(?P<decks>(?:=\d+)*)(?P<units>(?:[rb]\d+@\d+)*)"
)


@pytest.mark.parametrize("seed", SEEDS)
def test_cells_of_the_board_parse_back_to_units_and_levels(seed: int) -> None:
    state = state_at(seed)
    land, lines = state.land, board_text(state)
    assert len(lines) == land.rows + 1
    found = {}
    for row, line in enumerate(lines[1:]):
        cells = line.split()
        assert cells[0] == str(row + 1) and len(cells) == land.cols + 1
        for col, text in enumerate(cells[1:]):
            tile = row << 6 | col
            match = CELL.fullmatch(text)
            assert match and text == cell(state, tile)
            units = re.findall(r"([rb])(\d+)@(\d+)", match["units"])
            levels = {int(level) for _, _, level in units}
            for side, number, level in units:
                assert int(number) not in found
                found[int(number)] = (side, spot_at(row, col, int(level)))
            height = land.column(tile).level + land.bricks_on(tile)
            told = match["level"]
            assert height in levels if told is None else int(told.replace(".", "0")) == height
            assert bool(match["chest"]) == any(spot >> 4 == tile for spot in state.chests)
            assert bool(match["decks"]) == land.under_deck(tile)
    assert found == {i: (SIDES[u.side][0], u.spot) for i, u in enumerate(state.units) if u.alive}


# -- words -----------------------------------------------------------------------------------------


def setups() -> list[State]:
    """States before the first round under readings that ask something there."""
    found = []
    for draft in ("sequential", "blind"):
        options = {"side_choice": "winner", "draft": draft, "skeleton_place": "choice"}
        state, dice = new_game(ctx(preset("duel"), options)), Dice(5)
        while state.phase == "setup":
            found.append(state)
            moves = legal_moves(state)
            raising = [move for move in moves if str(move).endswith("necromancer")]
            state = after(state, (raising or [dice.choice(moves)])[0])
    return found


def played(seed: int) -> list[State]:
    """States of a situation and of what each chest of it may hold."""
    dice, state = Dice(seed), state_at(seed)
    opened = state.copy()
    opened.push_tasks(("open", dice.choice(standing(state))))
    opened.legal = None
    advance_to_first_node(opened)
    firsts = [after(opened, dice.choice(legal_moves(opened))) for _ in range(9)]
    found = []
    for one in [
        state,
        *(after(first, dice.choice(legal_moves(first))) for first in firsts if legal_moves(first)),
    ]:
        for _ in range(6):
            if one.over:
                break
            found.append(one)
            one = after(one, dice.choice(legal_moves(one)))  # noqa: PLW2901
    return found


@cache
def nodes() -> dict[str, State]:
    """A state of each kind in which a side decides."""
    found: dict[str, State] = {}
    for state in chain(setups(), chain.from_iterable(map(played, range(60)))):
        if current_player(state) != CHANCE:
            found.setdefault(node_kind(state), state)
        if not EXHAUSTIVE and found.keys() >= KINDS:
            break
    return found


@cache
def unplayed() -> BoardGame:
    return BoardGame(preset("duel"), KIT, teams=teams_of(1))


def table(state: State, folder: Path) -> PlayConsole:
    """A table at which both sides are played by hand."""
    game = copy(unplayed())
    game._states, game._moves, game._rolls = [state.copy()], [], [0]
    return PlayConsole(game, {"red": None, "blue": None}, str(folder / "my game"))


QUESTIONS = {name for number, (name, _) in TASKS.items() if number >= C.QUESTIONS}
CHANCES = {"toss", "roll", "box", "free_coin", "coin_move"}
KINDS = {*QUESTIONS, "unit", "step"} - CHANCES
FORMS = {
    "forecast MOVE": ("forecast 1", "forecast {move}", "forecast"),
    "look [UNIT]": ("look", "look 0", "look r0", "look knight", "look Brick Mage", "card 0"),
    "save [FILE]": ("save", "save {file}"),
    "record [FILE]": ("record", "record {file}"),
}
"""How each word is written; the others stand alone."""


def test_every_kind_of_decision_is_among_the_nodes() -> None:
    assert set(nodes()) == KINDS


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_word_of_the_help_is_a_command(
    kind: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bots, "hint", partial(bots.hint, seconds=0.1))
    state = nodes()[kind]
    table(state, tmp_path).obey("help")
    listed = capsys.readouterr().out
    assert all(word.form in listed and word.text in listed for word in WORDS.values())
    move = str(legal_moves(state)[-1])
    for name, word in WORDS.items():
        for form in FORMS.get(word.form, (name,)):
            text = form.format(move=move, file=tmp_path / "a.json")
            assert table(state, tmp_path).obey(text) == (name not in ("quit", "exit")), text
            said = capsys.readouterr().out
            assert "not legal" not in said and "neither" not in said, (text, said)
            assert said or name in ("quit", "exit"), text
    saved = {path.name for path in tmp_path.iterdir()}
    assert saved == {"my game-saved.json", "my game-record.json", "a.json"}
    for number, one in enumerate(legal_moves(state)[:3], 1):
        for text in (str(number), str(one), f"  {one}".replace(" ", "  ").strip()):
            sitting = table(state, tmp_path)
            assert sitting.obey(text) and sitting.game.moves == (one,)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_no_move_starts_with_a_command_word(kind: str) -> None:
    words = {word.form.partition(" ")[0] for word in WORDS.values()}
    assert not {str(move).partition(" ")[0] for move in legal_moves(nodes()[kind])} & words


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("sav", "did you mean `save`?"), ("forcast 1", "did you mean `forecast`?"),
        ("0", "there are moves 1 to"), ("99999999999", "there are moves 1 to"),
        ("forecast 999", "there are moves 1 to"), ("forecast", "write its number"),
        ("card drago", "no unit or card `drago`"), ("card 99", "no unit or card `99`"),
        ("card kniht", "did you mean `knight`?"), ("unit 99", "not legal"), ("²", "not legal"),
    ],
)  # fmt: skip
def test_unknown_word_is_answered_with_a_hint(
    text: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sitting = table(nodes()["unit"], tmp_path)
    assert sitting.obey(text)
    assert told in capsys.readouterr().out and not sitting.game.moves


def test_word_look_shows_every_card() -> None:
    units = load_units()
    for name, card in KIT.cards.items():
        text = "\n".join(card_lines(KIT, units, name))
        assert card.title in text and f"Health {card.health}" in text
        assert f"Attack {card.attack} " in text


@pytest.mark.parametrize("seed", range(3))
def test_word_look_finds_a_unit_by_its_number_side_or_place(
    seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sitting, units = table(state_at(seed), tmp_path), load_units()
    state = sitting.seen
    for index, unit in enumerate(state.units):
        if not (unit.alive and unit.card):
            continue
        place = spot_name(unit.spot)
        for text in (index, f"{SIDES[unit.side][0]}{index}", place, place.swapcase().upper()):
            assert sitting.obey(f"look {text}")
            told = capsys.readouterr().out
            assert told.splitlines() == unit_lines(state, units, index), text


def test_units_of_an_empty_board_are_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state = setups()[0]
    assert not roster(state)
    for word in ("units", "board"):
        table(state, tmp_path).obey(word)
        assert capsys.readouterr().out.splitlines()[-1] == "no unit stands on the board yet"


def at_keyboard(sitting: PlayConsole, monkeypatch: pytest.MonkeyPatch, *lines: str) -> list[str]:
    """Play with these lines; returns those that nobody read."""
    left = list(lines)

    def prompt(text: str, **words: object) -> str:
        assert (text, words["default"]) == ("move", "")
        if not left:
            raise click.Abort
        return left.pop(0)

    monkeypatch.setattr(click, "prompt", prompt)
    sitting.play()
    return left


def test_lines_of_the_keyboard_are_obeyed_until_the_user_leaves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    state = nodes()["unit"]
    shown = "\n".join([*board_text(state), *roster(state)])
    for leave in ((), ("quit", "moves"), ("exit", "moves")):
        sitting = table(state, tmp_path)
        left = at_keyboard(sitting, monkeypatch, "help", " units ", *leave)
        assert left == list(leave[1:]) and not sitting.game.moves
        out = capsys.readouterr().out
        assert out.startswith(shown), "the board is drawn before the moves"
        assert out.count(f"round {state.round}, {sitting.game.turn}") == 1, "moves are listed once"
    sitting = table(state, tmp_path)
    assert not at_keyboard(sitting, monkeypatch, "1")
    assert len(sitting.game.moves) == 1


def test_long_list_of_moves_says_how_many_are_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for state in nodes().values():
        moves = legal_moves(state)
        table(state, tmp_path).obey("moves")
        head, *rows = capsys.readouterr().out.splitlines()
        assert head.startswith(f"round {state.round}, ") and head.endswith(":")
        more = len(moves) - MOST_SHOWN
        if more > 0:
            *rows, last = rows
            assert last == f"  … and {more} more; a number up to {len(moves)} takes one"
        for number, (move, row) in enumerate(zip(moves, rows, strict=False), 1):
            assert row.startswith(f"  {number:3}  {move}")
        assert len(rows) == min(len(moves), MOST_SHOWN)


# -- forecasts -------------------------------------------------------------------------------------

LOSS = re.compile(r"(?:red|blue) \S+ (\d+) loses (\d+)")


@pytest.mark.parametrize("seed", SEEDS)
def test_forecast_equals_the_result_of_the_move(seed: int) -> None:
    """Losses and deaths of one decision, where nothing is hidden."""
    dice, state = Dice(seed), state_at(seed)
    state.hidden = ()
    for choice in one_of_each(dice, state, 3):
        begun = apply_move(state, choice)
        if begun.over or current_player(begun) == CHANCE:
            continue
        side, before = current_player(begun), state_hash(begun)
        for move in one_of_each(dice, begun, 12):
            told = forecast(begun, move, side).words
            assert state_hash(begun) == before
            then = apply_move(begun, move)
            deaths = sum(" dies" in line for line in told)
            assert deaths == len(begun.living()) - len(then.living()) + sum(
                " rises " in line or " is revived" in line for line in told
            )
            losses = dict.fromkeys(range(len(then.units)), 0)
            for line in told:
                if match := LOSS.match(line):
                    losses[int(match[1])] += int(match[2])
            for index in then.living():
                if index < len(begun.units) and begun.units[index].alive:
                    fell = begun.units[index].health - then.units[index].health
                    assert fell <= losses[index], (str(move), told)
                    if not losses[index]:
                        assert fell <= 0


@pytest.mark.parametrize("seed", SEEDS)
def test_forecast_reveals_no_hidden_item(seed: int) -> None:
    dice, state = Dice(seed), state_at(seed)
    for choice in one_of_each(dice, state, 2):
        begun = apply_move(state, choice)
        if begun.over or current_player(begun) == CHANCE:
            continue
        side = current_player(begun)
        bare, trapped = begun.copy(), begun.copy()
        bare.hidden = ()
        trapped.hidden = tuple(
            HiddenItem(1 - side, "spring", spot >> 4) for spot in surfaces(begun)
        )
        for move in one_of_each(dice, bare, 8):
            assert forecast(trapped, move, side) == forecast(bare, move, side)

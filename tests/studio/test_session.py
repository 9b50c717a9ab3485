"""The session: history, gestures, stages; and the messages that it takes."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import falldamage_forge as ff
from falldamage_forge.board import Column, Tile
from falldamage_forge.presets import load_text
from falldamage_forge.studio import session_stages as stages
from falldamage_forge.studio.board_overlays import compute_overlay, units
from falldamage_forge.studio.earlier_states import compare, history
from falldamage_forge.studio.language_features import complete, format_session, hover_text
from falldamage_forge.studio.protocol import MAX_MESSAGE, OVERLAYS, BadMessage, read_message
from falldamage_forge.studio.session import Session, map_of
from falldamage_forge.studio.stamp_library import defines, stamps
from falldamage_forge.studio.three_way_merge import merge_texts

TEXT = """forge 1
board 5x5
stack C3 height 1
"""


@given(st.lists(st.sampled_from(["a", "b", "c", "undo", "redo"]), max_size=30))
def test_undo_and_redo_walk_along_the_texts_that_were_written(steps: list[str]) -> None:
    session, texts, at = Session("start"), ["start"], 0
    for step in steps:
        if step == "undo":
            session, at = session.undo(), max(0, at - 1)
        elif step == "redo":
            session, at = session.redo(), min(len(texts) - 1, at + 1)
        elif step != session.text:
            session = session.with_text(step, f"write {step}")
            texts, at = [*texts[: at + 1], step], at + 1
        assert session.text == texts[at]
        assert bool(session.past) == (at > 0)
        assert bool(session.future) == (at < len(texts) - 1)


@given(st.integers(0, 6), st.integers(0, 6), st.integers(-9, 9))
def test_a_state_of_the_history_is_reached_by_its_steps(written: int, undone: int, by: int) -> None:
    session = Session(TEXT)
    for level in range(2, written + 2):
        session = session.with_text(TEXT.replace("height 1", f"height {level}"), f"{level}")
    session = session.stepped(-undone)
    states = {one["by"]: one for one in history(session)["states"]}
    assert list(states) == list(range(len(session.future), -len(session.past) - 1, -1))
    reached = session.stepped(by)
    here = max(-len(session.past), min(by, len(session.future)))
    assert states[here]["cells"][2][2][0] == map_of(reached).board.column(Tile(2, 2)).level
    assert states[here]["label"] == (reached.past[-1].label if reached.past else "")
    told = compare(session, by, session.text)
    differs = map_of(session).board != map_of(reached).board
    assert len(told["tiles"]) == told["lines"] == differs


def test_a_gesture_is_one_step_with_its_words_as_label() -> None:
    after, answer = Session(TEXT).gesture("raise C3")
    assert answer["answer"] == "edited"
    assert after.text == TEXT.replace("height 1", "height 2")
    assert after.state()["undo"] == "raise C3"
    assert after.undo().text == TEXT
    assert after.undo().state()["redo"] == "raise C3"


@pytest.mark.parametrize("words", ["", "fly C3", "raise Z9", "raise C3\nforge 2"])
def test_a_gesture_that_cannot_be_leaves_everything(words: str) -> None:
    before = Session(TEXT)
    after, answer = before.gesture(words)
    assert after is before
    assert answer["answer"] == "refused"
    assert answer["message"]


def test_stages_tell_the_same_revision_and_are_json() -> None:
    session = Session(TEXT).with_text(TEXT + "tree at A1\n", "typing")
    for stage in ("board", "verdict", "measures"):
        told = json.loads(json.dumps(stages.STAGES[stage](session)))
        assert (told["v"], told["type"], told["revision"]) == (1, stage, 1)
    board = stages.board(session)["board"]
    assert board["columns"][12] == [1, "ground", None]
    assert board["columns"][0] == [0, "ground", "tree"]


def test_a_faulty_text_is_told_and_never_raises() -> None:
    session = Session("forge 1\nboard 5x5\nstak C3\n")
    told = stages.board(session)
    assert not told["whole"]
    assert told["issues"][0]["code"].startswith("FDF")
    assert not stages.verdict(session)["playable"]
    assert stages.measures(session)["measures"] == []
    assert stages.pieces(session)["totals"] is None


def test_turns_are_those_of_the_library() -> None:
    duel = ff.load("duel")
    told = compute_overlay(Session(duel.text), "farther", "B10")
    position = ff.position(duel)
    turns = position.unit(position.plain).reach("B10").turns()
    places = {(row, col, level): text for row, col, level, _, text in told["marks"]}
    wanted = {place: str(count) for place, count in turns.items() if count is not None}
    assert {f"{Tile(*key[:2])}@{key[2]}": text for key, text in places.items()} == wanted
    assert "why" in compute_overlay(Session(duel.text), "farther", "Z9")


@pytest.mark.parametrize("kind", OVERLAYS)
def test_overlays_lie_on_surfaces_of_the_board(kind: str) -> None:
    ashkeep = ff.load("ashkeep")
    session = Session(ashkeep.text)
    tile = "C5" if kind == "loss" else "B5"
    told = json.loads(json.dumps(compute_overlay(session, kind, tile, "G6", "knight")))
    assert told["title"]
    board = ashkeep.board
    surfaces = {(*at.tile, at.level) for at in ff.position(ashkeep).graph.surfaces}
    for row, col, level, colour, _ in told["marks"]:
        assert (row, col) in board
        assert colour.startswith("#")
        assert (row, col, level) in surfaces or kind in ("push", "loss")
    assert "why" in compute_overlay(Session("forge 1\nrules nothing\n"), kind, "B10")


def test_a_path_is_that_of_the_library_and_told_where_there_is_none() -> None:
    ashkeep = ff.load("ashkeep")
    told = compute_overlay(Session(ashkeep.text), "path", "B10", "E4")
    found = ff.position(ashkeep).path("M3 J1", "B10", "E4")
    assert len(told["arrows"]) == len(found.steps)
    assert f"turn {found.turns}" in told["title"]
    assert compute_overlay(Session(ashkeep.text), "path", "B10")["why"] == "choose the other end"


def test_units_are_those_of_the_maps_game() -> None:
    assert "knight" in units(Session(ff.load("duel").text))["names"]
    assert "brog" in units(Session(ff.load("gatehouse").text))["names"]
    assert units(Session("forge 1\nrules nothing\n"))["names"] == []


def test_formatting_is_one_step_and_leaves_what_cannot_be_read() -> None:
    after, told = format_session(Session("forge 1\nboard   5x5\n"))
    assert (after.text, told) == ("forge 1\nboard 5x5\n", None)
    assert after.undo().text == "forge 1\nboard   5x5\n"
    broken = Session("forge 1\nstack {\n")
    after, told = format_session(broken)
    assert after is broken
    assert told is not None


def test_words_are_completed_and_explained() -> None:
    told = complete("forge 1\nboard 5x5\nsta", 2, 3)
    assert [word for word, *_ in told["words"]] == ["stack", "start"]
    assert told["typed"] == 3
    tiles = complete("forge 1\nboard 5x5\ntree at A1..B", 2, 14)
    assert {word for word, *_ in tiles["words"]} >= {"B1", "B5"}
    assert complete("", 9, 9)["words"]
    said = hover_text(Session(TEXT), 2, 7)
    assert (said["form"], said["text"]) == ("C3", "column of level 1")


def test_a_part_of_the_library_comes_with_its_definition() -> None:
    after, told = Session(TEXT).gesture("stamp castle.turret at A1")
    assert told["answer"] == "edited"
    assert after.text.count("define turret {") == 1
    assert after.text.endswith(TEXT.partition("5x5\n")[2])
    again, _ = after.gesture("stamp castle.turret at D1")
    assert again.text.count("define turret {") == 1
    assert again.text.count("place turret") == 2
    assert after.undo().text == TEXT
    assert Session(TEXT).gesture("stamp castle.nothing at A1")[1]["answer"] == "refused"


def test_every_stamp_of_the_library_has_a_picture() -> None:
    own = "define pillar {\n  stack A1 height 2\n}\n"
    found = stamps(TEXT + own)["stamps"]
    assert found[0] == {
        "name": "pillar",
        "book": "",
        "cells": [[[2, "ground", None]]],
        "model": False,
    }
    names = {(one["book"], one["name"]) for one in found}
    assert {("castle", name) for name in defines(load_text("parts", "castle.forge"))} <= names


@pytest.mark.parametrize(
    "data",
    [
        "",
        "[]",
        "null",
        "[" * 100_000,
        '{"v": 2, "type": "undo"}',
        '{"v": 1, "type": "fly"}',
        '{"v": 1, "type": ["undo"]}',
        '{"v": 1, "type": "type", "text": 3, "revision": 0}',
        '{"v": 1, "type": "type", "text": "", "revision": true}',
        '{"v": 1, "type": "type", "text": "\\ud800", "revision": 0}',
        '{"v": 1, "type": "foreign", "keep": "all"}',
        '{"v": 1, "type": "undo", "number": "1"}',
        '{"v": 1, "type": "undo", "number": true}',
        " " * (MAX_MESSAGE + 1),
    ],
)
def test_what_is_no_message_is_refused(data: str) -> None:
    with pytest.raises(BadMessage):
        read_message(data)


def test_who_said_a_bad_change_is_told_which() -> None:
    with pytest.raises(BadMessage) as caught:
        read_message('{"v": 1, "type": "type", "text": 3, "revision": 0, "number": 7}')
    assert caught.value.told()["number"] == 7


@given(st.text(max_size=200))
def test_any_text_is_refused_in_words(data: str) -> None:
    with pytest.raises(BadMessage, match="."):
        read_message(data)


@pytest.mark.parametrize("turn", ["rotate-180", "mirror-x", "mirror-y", "rotate-90"])
@pytest.mark.parametrize(
    "words", ["stamp castle.turret at B2", "stamp castle.bastion at A3 rotate 90"]
)
def test_a_stamp_keeps_the_symmetry_that_the_map_expects(turn: str, words: str) -> None:
    from falldamage_forge.board.symmetry import asymmetric_tiles

    before = Session(f"forge 1\nboard 10x10\nexpect symmetric {turn}\n")
    after, told = before.gesture(words)
    assert told["answer"] == "edited"
    board = ff.loads(after.text).board
    assert not asymmetric_tiles(board, turn)
    assert after.text.count("\nplace ") == (4 if turn == "rotate-90" else 2)
    alone, _ = before.gesture(words, brush=False)
    assert alone.text.count("\nplace ") == 1


def test_the_other_side_gets_the_image_of_a_zone() -> None:
    before = Session("forge 1\nboard 10x10\nexpect symmetric rotate-180\n")
    after, _ = before.gesture("start blue B10..I10")
    zones = {
        zone.side: {str(t) for t, _ in zone.surfaces} for zone in ff.loads(after.text).board.starts
    }
    assert zones["blue"] == {f"{col}10" for col in "BCDEFGHI"}
    assert zones["red"] == {f"{col}1" for col in "BCDEFGHI"}


LINES = st.lists(st.sampled_from(["a", "b", "c", ""]), max_size=6).map("\n".join)


@given(LINES, LINES, LINES)
def test_what_was_typed_on_an_older_text_is_merged_or_asked_about_and_always_in_undo(
    base: str, text: str, now: str
) -> None:
    before = Session(now)
    after, against = before.joined(base, text)
    if text in (base, now):
        assert (after, against) == (before, None)
        return
    assert {now, text} <= {after.text, *(step.text for step in after.past)}
    both = merge_texts(base, text, now)
    assert (after.text, against) == ((text, now) if both is None else (both, None))


def test_windows_line_ends_are_no_change_of_every_line() -> None:
    after, against = Session("a\r\nb\r\nc\r\nd\r\n").joined("a\nb\nc\nd\n", "a\nb\nc\nx\n")
    assert (after.text, against) == ("a\nb\nc\nx\n", None)


@pytest.mark.parametrize(
    ("words", "near"),
    [
        ("bridge E9 F7", "bridge E9 E7"),
        ("ladder D6 H7", "ladder E6 D6"),
        ("ladder D7 D6", "ladder D6 D7"),
        ("bridge A1 J10", None),
        ("spire A1", None),
        ("bridge", None),
    ],
)
def test_refused_act_names_the_nearest_legal_one(words: str, near: str | None) -> None:
    session = Session(load_text("maps", "ashkeep.forge"))
    told = session.preview(words)
    assert told["why"]
    assert told["near"] == near
    assert near is None or session.preview(near)["why"] is None


def removed(words: str) -> dict[str, str]:
    session = Session(load_text("maps", "ashkeep.forge"))
    told = session.preview(words)
    assert told["why"] is None, told["why"]
    return {name: " ".join(map(str, tiles)) for name, tiles in told["removed"]}


def test_preview_lists_what_a_gesture_removes() -> None:
    """Elements that only move up or down with their column are not removed."""
    map_ = map_of(Session(load_text("maps", "ashkeep.forge")))
    tree = next(t for t in map_.board.tiles() if str(map_.board.column(t).feature) == "tree")
    assert removed(f"raise {tree}") == {}
    assert str(tree) in removed(f"erase one {tree}")["tree"]
    bare = next(t for t in map_.board.tiles() if map_.board.column(t) == Column())
    assert str(tree) in removed(f"copy {bare} to {tree}")["tree"]
    assert removed(f"copy {tree} to {bare}") == {}
    high = next(t for t in map_.board.tiles() if map_.board.column(t).level == 1)
    assert str(high) in removed(f"erase {high}")["column"]
    assert removed(f"lower {high}").get("column") is None


@pytest.mark.parametrize("words", ["raise A1", "tree A10", "bridge E9 E7", "erase D6"])
def test_preview_shows_the_lines_and_levels_of_the_edit(words: str) -> None:
    session = Session(load_text("maps", "ashkeep.forge"))
    told, (after, _) = session.preview(words), session.gesture(words, "all")
    old, new = session.text.splitlines(), after.text.splitlines()
    assert told["lines"]
    for sign, line in told["lines"]:
        more, fewer = (new, old) if sign == "+" else (old, new)
        assert more.count(line) > fewer.count(line)
    boards = [map_of(one).board for one in (after, session)]
    decks = (deck for board in boards for deck in board.decks)
    over = {tile: deck.level for deck in decks for tile in deck.tiles}
    for row, col, *levels in told["tiles"]:
        columns = [board.column(Tile(row, col)).level for board in boards]
        assert levels in (columns, [over.get(Tile(row, col))] * 2)

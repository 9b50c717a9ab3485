"""Gestures: the edited text gives the board that is meant, undo the same bytes, the rest stays."""

import difflib
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from falldamage_forge import presets
from falldamage_forge.board import DIRECTIONS, Board, Tile
from falldamage_forge.elements.element import Thing
from falldamage_forge.elements.things import things_of
from falldamage_forge.issues import has_errors
from falldamage_forge.lang import load
from falldamage_forge.lang.ast import Transform
from falldamage_forge.lang.edit import (
    AmbiguousEdit,
    Answer,
    CarryFitting,
    ClearKind,
    EditRefused,
    EditResult,
    Erase,
    Gesture,
    LayBridge,
    LeanLadder,
    Paint,
    PutBattlement,
    PutChest,
    PutFeature,
    PutFitting,
    Raise,
    Replace,
    SetStart,
    TextEdit,
    Transfer,
    apply_edits,
    edit,
    parse_gesture,
    spans_of,
    tiles_at,
)
from falldamage_forge.lang.edit.gestures import InvalidGesture
from falldamage_forge.lang.facts import Extent
from tests.amount import EXHAUSTIVE
from tests.cli.running import typed
from tests.lang.mapped import maps
from tests.lang.programs import programs

BOX = Extent(10, 10)
EDGED = ("battlement", "railing")
MANY = settings(
    max_examples=3_000 if EXHAUSTIVE else 60,
    deadline=None,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)

places = st.builds(Tile, st.integers(0, 9), st.integers(0, 9))
groups = st.lists(places, min_size=1, max_size=4, unique=True).map(tuple)
spots = groups.map(lambda tiles: tuple((tile, None) for tile in tiles))
covers = st.sampled_from(["", "full"])
turns = st.sampled_from(
    [Transform("rotate", 90), Transform("rotate", 180), Transform("mirror", axis="x")]
)


def _rectangle(at: Tile, rows: int, cols: int) -> tuple[Tile, Tile]:
    return at, Tile(min(at.row + rows, 9), min(at.col + cols, 9))


rectangles = st.builds(_rectangle, places, st.integers(0, 2), st.integers(0, 2))
gestures: st.SearchStrategy[Gesture] = st.one_of(
    st.builds(Raise, groups, st.sampled_from([1, 1, 2, -1]), st.booleans()),
    st.builds(Paint, groups, st.integers(0, 4)),
    st.builds(PutFeature, st.sampled_from(["tree", "spire", "lava", "water", "step"]), groups),
    st.builds(PutBattlement, groups, st.sampled_from([DIRECTIONS[:1], DIRECTIONS])),
    st.builds(LayBridge, places, places, st.integers(1, 3), st.booleans()),
    st.builds(LeanLadder, places, places),
    st.builds(PutChest, places),
    st.builds(SetStart, st.just("red"), st.lists(places, min_size=8, max_size=8, unique=True)),
    st.builds(Erase, groups),
    st.builds(
        PutFitting,
        st.just("railing"),
        spots,
        covers,
        st.sampled_from([DIRECTIONS[:1], DIRECTIONS]),
        st.sampled_from([12_700, 25_400]),
    ),
    st.builds(PutFitting, st.sampled_from(["pitfall", "gate"]), spots),
    st.builds(
        PutFitting, st.just("obstruction"), spots, length_um=st.sampled_from([25_400, 30_000])
    ),
    st.builds(PutFitting, st.just("base"), spots, st.sampled_from(["red", "blue"])),
    st.builds(CarryFitting, st.sampled_from(["railing", "gate"]), places, places),
    st.builds(Replace, st.just("tree"), st.sampled_from(["water", "lava", "step"]), groups),
    st.builds(Replace, st.integers(0, 2), st.integers(0, 3), groups),
    st.builds(ClearKind, st.sampled_from(["tree", "railing", "step", "base"]), groups),
    st.builds(
        lambda corners, to, keep, turn: Transfer(*corners, to, keep, turn),
        rectangles,
        places,
        st.booleans(),
        st.lists(turns, max_size=1).map(tuple),
    ),
)


def board(text: str) -> Board:
    loaded = load(text, "map.forge")
    assert not has_errors(loaded.issues), "\n".join(map(str, loaded.issues))
    return loaded.layout.board


def comments(text: str) -> list[str]:
    return [line.partition("#")[2] for line in text.splitlines() if "#" in line]


def prove(text: str, answer: EditResult) -> None:
    """What holds of every edit."""
    assert apply_edits(text, answer.edits) == answer.text
    assert apply_edits(answer.text, answer.undo) == text
    assert things_of(board(answer.text)) == things_of(answer.board)
    kept = difflib.SequenceMatcher(None, text.split("\n"), answer.text.split("\n"), autojunk=False)
    untouched = sum(size for _, _, size in kept.get_matching_blocks())
    touched = sum(text[edit.start : edit.end].count("\n") + 1 for edit in answer.edits)
    assert untouched >= len(text.split("\n")) - touched
    assert sorted(comments(answer.text)) >= sorted(comments(text))[:0]
    assert set(comments(text)) <= set(comments(answer.text))


@MANY
@given(maps(), gestures)
def test_an_edited_text_gives_the_board_that_the_gesture_means(text: str, gesture: Gesture) -> None:
    loaded = load(text, "map.forge")
    assume(not has_errors(loaded.issues))
    before = things_of(loaded.layout.board)
    answer = edit(text, gesture, "map.forge", brush=False, copies="here", judge=None)
    if not isinstance(answer, EditResult):
        assert isinstance(answer, EditRefused | AmbiguousEdit)
        return
    prove(text, answer)
    after = things_of(answer.board)
    try:
        delta = gesture.delta(before, BOX)
    except InvalidGesture:
        pytest.fail("what means nothing was done")
    assert delta.new <= after
    assert not delta.gone & after
    if "mirror y {" not in text and "symmetry" not in text:
        assert after == (before - delta.gone) | delta.new


@MANY
@given(maps(plain=True), gestures)
def test_without_pieces_and_blocks_every_possible_gesture_is_done(
    text: str, gesture: Gesture
) -> None:
    """Where nothing is placed or mirrored there is always an edit, unless the map then lies."""
    loaded = load(text, "map.forge")
    assume(not has_errors(loaded.issues))
    try:
        delta = gesture.delta(things_of(loaded.layout.board), BOX)
    except InvalidGesture:
        return
    on_board = all(tile in BOX for x in delta.new if x.kind not in EDGED for tile in x.tiles)
    assume(on_board)
    answer = edit(text, gesture, "map.forge", judge=None)
    assert isinstance(answer, EditResult), f"{answer}\n{gesture}\n{text}"
    prove(text, answer)


@MANY
@example("forge 1\nunits { captain like ganger { moves 2 } }\n", PutFeature("tree", (Tile(0, 0),)))
@given(programs, gestures)
def test_edit_answers_any_text_and_gesture(text: str, gesture: Gesture) -> None:
    answer = edit(text, gesture, "x", copies="all")
    assert isinstance(answer, EditResult | AmbiguousEdit | EditRefused)
    if isinstance(answer, EditResult):
        assert apply_edits(answer.text, answer.undo) == text


@MANY
@given(maps(), st.lists(gestures, min_size=2, max_size=4))
def test_undoing_all_gestures_gives_the_same_bytes(text: str, many: list[Gesture]) -> None:
    assume(not has_errors(load(text, "map.forge").issues))
    now, history = text, []
    for gesture in many:
        answer = edit(now, gesture, "map.forge", copies="all")
        if isinstance(answer, EditResult):
            history.append(answer.undo)
            now = answer.text
    for undo in reversed(history):
        now = apply_edits(now, undo)
    assert now == text


@pytest.mark.parametrize("name", presets.names("maps"))
def test_every_tile_of_the_presets_rises_by_one_line(name: str) -> None:
    """By default one of each that rise together; each with FORGE_EXHAUSTIVE."""
    text = presets.path("maps", name).read_text("utf-8")
    before, risen = board(text), set[Tile]()
    for tile in before.tiles():
        if tile in risen and not EXHAUSTIVE:
            continue
        answer = edit(text, Raise((tile,)), "map.forge", copies="all", judge=None)
        assert isinstance(answer, EditResult), (name, tile, answer)
        old, new = text.split("\n"), answer.text.split("\n")
        added = [line for line in difflib.ndiff(old, new) if line.startswith("+")]
        assert len(added) <= 2, (name, tile, added)
        assert answer.board.column(tile).level == before.column(tile).level + 1
        risen |= {at for at in before.tiles() if answer.board.column(at) != before.column(at)}


def done(text: str, words: str, **how: object) -> str:
    how = {"judge": None, **how}
    answer = edit("forge 1\n" + text, parse_gesture(words, BOX), "m", **how)  # type: ignore[arg-type]
    assert isinstance(answer, EditResult), answer
    return answer.text.removeprefix("forge 1\n")


MAP = "map {\n" + "  . . . . . . . . . .\n" * 10 + "}\n"
LINE = "stack A1..B1 height 2\n"
TOWER = "define t {\n  map {\n    1  2\n    _  3T\n  }\n}\n"


@pytest.mark.parametrize(
    ("before", "words", "after"),
    [
        ("", "raise D4", "stack D4 height 1\n"),
        ("stack D4 height 1  # keep\n", "raise D4", "stack D4 height 2  # keep\n"),
        ("stack D4..E5 height 1\n", "lower D4", "stack D4..E5 except D4 height 1\n"),
        ("stack D4, F6 height 1\n", "lower D4", "stack F6 height 1\n"),
        ("stack D4, F6 height 1\n", "raise D4..F6", None),
        ("stack D4..E5 height 1\n", "raise D4..E5 by 2", "stack D4..E5 height 3\n"),
        ("stack row 4 except D4 height 2\n", "paint D4 level 2", "stack row 4 height 2\n"),
        (MAP, "raise A1", MAP.replace(". .", "1 .", 1)),
        ("tree at C3 # fir\n", "tree D3", "tree at C3, D3 # fir\n"),
        ("tree at C3\n", "lava C3", "lava at C3\n"),
        ("stack D4 height 1\ntreasure at D4@1\n", "raise D4", None),
        ("treasure at D4\n", "move treasure D4 to F5", "treasure at F5\n"),
        ("stack D4 height 1\ntreasure at D4\n", "raise D4", "stack D4 height 2\ntreasure at D4\n"),
        ("stack B4, E4 height 2\n", "bridge B4 E4", None),
        (
            "stack B4, E4 height 2\nbridge B4 -> E4 level 2\n",
            "raise B4 with bridges",
            "stack B4, E4 height 3\nbridge B4 -> E4 level 3\n",
        ),
        ("bridge B4 -> E4 level 2\n", "bridge B4 E4 level 3", None),
        ("bridge B4 -> E4 level 2\n", "bridge B4 E4 level 2 arch", None),
        ("ladder D5 -> D4  # up\nstack D4 height 1\n", "erase D5", "# up\nstack D4 height 1\n"),
        ("symmetry rotate 180\nstack D4 height 1\n", "raise G7", None),
        ("stack A1..B1 height 2\n", "copy A1..B1 to D4", "stack A1..B1, D4..E4 height 2\n"),
        ("stack A1..B1 height 2\n", "move A1..B1 to D4", "stack D4..E4 height 2\n"),
        ("stack A1..B1 height 2\n", "rotate A1..B1 90", "stack A1..A2 height 2\n"),
        (LINE, "copy A1..B1 to D4 rotate 90", LINE.replace("B1", "B1, D4..D5")),
        ("tree at A1\n", "move A1..B1 to D4 mirror x", "tree at E4\n"),
        ("tree at A1\n", "copy A1..B1 to D4 rotate 90 mirror y", "tree at A1, D5\n"),
        ("start red at B1..I1\n", "start red A1..H1", "start red at A1..H1\n"),
        ("battlement at D4\nstack D4 height 1\n", "battlement D4 sides north", None),
        ("railing at D4 sides east\n", "railing E4 sides east", "railing at D4, E4 sides east\n"),
        ("railing at D4\n", "railing at D4 sides north height 1in cover full", None),
        ("railing at D4 sides east\n", "railing E4 sides west height 1in", None),
        ("obstruction at B2\n", "move obstruction B2 to C3", "obstruction at C3\n"),
        ("railing at D4 sides east\n", "move railing D4 to E6", "railing at E6 sides east\n"),
        ("railing at D4 sides east\n", "rotate D4 90", "railing at D4 sides south\n"),
        ("railing at D4 sides east\n", "mirror D4 x", "railing at D4 sides west\n"),
        ("gate at row 3\n", "clear gate A3..H3", "gate at I3..J3\n"),
        ("tree at B2\npitfall at B2\n", "clear tree B2", "pitfall at B2\n"),
        ("tree at B2, D2\n", "replace tree with water", "water at B2, D2\n"),
        ("stack B2, D2 height 1\n", "replace level 1 with level 2", "stack B2, D2 height 2\n"),
        ("base red at A1\n", "base blue A1", "base blue at A1\n"),
        ("field heavy-g at C3\n", "field heavy-g D4 radius 3in", None),
        ("stack D4 height 2\n", "pitfall at A1", None),
        (TOWER + "place t at C3\n", "raise C3", TOWER.replace("1  2", "2  2") + "place t at C3\n"),
        (TOWER + "place t at C3\n", "erase D4", TOWER.replace("3T", ".") + "place t at C3\n"),
        (TOWER, "stamp t at C3 rotate 90", TOWER + "place t at C3 rotate 90\n"),
        (TOWER + "place t at C3\n", "rename t keep", None),
        ("start red at B1..I1\n", "rename red crimson", "start crimson at B1..I1\n"),
    ],
)
def test_the_edit_is_what_a_person_would_write(before: str, words: str, after: str | None) -> None:
    found = done(before, words)
    if after is not None:
        assert found == after
    else:
        assert len(found.splitlines()) <= len(before.splitlines()) + 1


def test_a_symmetry_goes_on_and_off_and_the_board_stays() -> None:
    half = "map {\n" + "  1 . . 2^ . . . . . .\n" * 2 + "  . . . . . . . . . .\n" * 3 + "}\n"
    text = "symmetry rotate 180 swap red blue\n" + half + "start red at B3..I3\nladder B2 -> A2\n"
    flat = done(text, "symmetry off")
    assert "symmetry" not in flat
    assert things_of(board("forge 1\n" + flat)) == things_of(board("forge 1\n" + text))
    again = done(flat, "symmetry rotate 180 swap red blue")
    assert "symmetry rotate 180 swap red blue\n" in again
    assert things_of(board("forge 1\n" + again)) == things_of(board("forge 1\n" + text))
    lone = done("stack B2 height 3\n", "symmetry mirror x")
    assert board("forge 1\n" + lone).column(Tile(1, 8)).level == 3


def test_an_expected_symmetry_is_kept_by_the_brush() -> None:
    text = "stack D4, G7 height 1\nexpect symmetric rotate-180\n"
    assert done(text, "raise D4").startswith("stack D4, G7 height 2\n")
    alone = done(text, "raise D4", brush=False)
    assert board("forge 1\n" + alone).column(Tile(6, 6)).level == 1


def test_gesture_on_a_copy_changes_one_or_all_copies() -> None:
    text = "forge 1\n" + TOWER + "place t at C3\nplace t at F6\n"
    answer = edit(text, Raise((Tile(2, 2),)), "m")
    assert isinstance(answer, AmbiguousEdit)
    assert "F6 changes too" in answer.message
    levels: Callable[[EditResult | None], tuple[int, int]] = lambda one: (  # noqa: E731
        (one.board.column(Tile(2, 2)).level, one.board.column(Tile(5, 5)).level) if one else (0, 0)
    )
    assert (levels(answer.all), levels(answer.here)) == ((2, 2), (2, 1))
    assert answer.here is not None
    assert "place t-c3 at C3\nplace t at F6\n" in answer.here.text


def test_edit_of_imported_tile_is_refused_with_its_file() -> None:
    towers = "forge 1\ndefine t {\n  stack A1 height 2\n}\n"
    text = 'forge 1\nimport "t.forge" as lib\nplace lib.t at D4\n'
    answer: Answer = edit(text, Raise((Tile(3, 3),)), "m", lambda _, path: (path, towers))
    assert isinstance(answer, EditRefused)
    assert (answer.source.file, answer.source.line) == ("t.forge", 3) if answer.source else False


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("lower D4", "D4 is bare board already"),
        ("clear railing D4", "no railing there"),
        ("replace lava with tree", "no tile there has lava"),
        ("replace level 7 with level 2 in A1", "no tile there has level 7"),
        ("move gate A2 to B3", "no gate on A2"),
        ("raise D4 by 13", "D4 cannot rise above level 12"),
        ("move A1..C3 to J9", "no room"),
        ("bridge B4 E4", "level 0 cannot be built"),
        ("symmetry off", "no `symmetry`"),
        ("move treasure A2 to B3", "no treasure on A2"),
        ("rename t u", "called `t`"),
        ("stamp t at D4", "no piece called `t`"),
    ],
)
def test_impossible_gesture_is_refused_with_a_reason(words: str, why: str) -> None:
    answer = edit("forge 1\n", parse_gesture(words, BOX), "m")
    assert isinstance(answer, EditRefused)
    assert why in answer.why


@pytest.mark.parametrize(
    "words",
    [
        *("lift D4", "raise", "raise K4", "move D4", "tree at D4 {", "x"),
        *("replace tree", "replace tree with level 2", "replace rock with tree"),
        *("clear rail D4", "clear gate", "field D4", "railing D4 height 9", "gate K4", "base D4"),
    ],
)
def test_unknown_gesture_is_reported(words: str) -> None:
    with pytest.raises(InvalidGesture):
        parse_gesture(words, BOX)


def test_edit_refuses_a_source_with_errors() -> None:
    answer = edit("forge 1\nstak D4 height 1\n", Raise((Tile(0, 0),)), "m")
    assert isinstance(answer, EditRefused)
    assert answer.source is not None
    assert answer.source.line == 2


def test_line_ends_stay() -> None:
    text = "forge 1\r\nstack D4 height 1\r\n"
    answer = edit(text, parse_gesture("ladder D5 D4", BOX), "m")
    assert isinstance(answer, EditResult)
    assert answer.text == "forge 1\r\nstack D4 height 1\r\nladder D5 -> D4\r\n"


def test_the_command_prints_asks_and_writes(tmp_path: Path) -> None:
    source = tmp_path / "m.forge"
    source.write_text("forge 1\n" + TOWER + "place t at C3\nplace t at F6\n")
    before = source.read_text()
    shown = typed("edit", source, "raise", "A1")
    assert (shown.returncode, "+stack A1 height 1" in shown.stdout) == (0, True)
    asked = typed("edit", source, "raise", "C3")
    assert (asked.returncode, "--copies here" in asked.stderr) == (1, True)
    assert typed("edit", source, "lower", "A1").returncode == 1
    assert typed("edit", source, "lift", "A1").returncode == 2
    assert source.read_text() == before
    assert typed("edit", source, "raise", "C3", "--copies", "all", "--write").returncode == 0
    assert "2  2" in source.read_text()
    assert typed("edit", "duel", "raise", "A1", "--write").returncode == 2


def test_a_tile_knows_its_text_and_the_text_its_tiles() -> None:
    text = f"forge 1\n{TOWER}place t at C3\nstack A1..B1 height 1\nsymmetry rotate 180\n"
    loaded = load(text, "m")
    assert [(span.line, span.col) for span in spans_of(loaded, Tile(2, 3))] == [(4, 8), (8, 1)]
    assert (10, 1) in [(span.line, span.col) for span in spans_of(loaded, Tile(7, 7))]
    assert [str(tile) for tile in tiles_at(loaded, 4, 8)] == ["D3", "G8"]
    assert [str(tile) for tile in tiles_at(loaded, 9)] == ["A1", "B1", "I10", "J10"]
    assert tiles_at(loaded, 1) == ()


def test_answers_as_values(tmp_path: Path) -> None:
    source = tmp_path / "m.forge"
    source.write_text("forge 1\nstack D4 height 1\n")
    run = typed("edit", source, "raise", "D4", "--json")
    table = json.loads(run.stdout)
    assert (table["answer"], table["label"]) == ("edited", "raise D4")
    assert (
        apply_edits(source.read_text(), [TextEdit(*one) for one in table["edits"]]) == table["text"]
    )
    refused = typed("edit", source, "lower", "A1", "--json")
    assert (refused.returncode, json.loads(refused.stdout)["answer"]) == (1, "refused")


def test_edit_index_has_the_elements_of_the_board() -> None:
    found = things_of(board("forge 1\nstack B4, E4 height 2\nbridge E4 -> B4 level 2\n"))
    assert Thing("deck", (Tile(3, 1), Tile(3, 4)), (2,)) in found
    assert len(found) == 3

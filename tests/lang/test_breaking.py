"""Gestures that would break a map: each is refused with what `check` says of it, none is done."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from falldamage_forge import presets
from falldamage_forge.board import Tile
from falldamage_forge.board.coordinates import parse_place
from falldamage_forge.diagnostics.issue_folding import unfolded
from falldamage_forge.elements.things import things_of
from falldamage_forge.issues import Issue, has_errors
from falldamage_forge.lang.edit import (
    USAGE,
    AmbiguousEdit,
    EditRefused,
    EditResult,
    Transfer,
    as_table,
    parse_gesture,
)
from falldamage_forge.lang.edit.board_elements import apply_delta, element_tiles
from falldamage_forge.lang.edit.edit_result import USUAL
from falldamage_forge.lang.edit.gestures import InvalidGesture
from falldamage_forge.lang.facts import Extent
from falldamage_forge.library.forge import Forge, Map, is_play_issue
from falldamage_forge.library.map_edits import UNFINISHED, gesture
from falldamage_forge.maps.checks import build_limits
from falldamage_forge.rules.position import Position
from falldamage_forge.rules.setup_check import check_setup
from tests.amount import EXHAUSTIVE
from tests.cli.running import typed
from tests.lang.mapped import maps

FORGE = Forge()
MANY = settings(
    max_examples=8_000 if EXHAUSTIVE else 80,
    deadline=None,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)
# Most hands work where something stands already: the corners of what `maps` draws.
columns = st.one_of(st.sampled_from("ADGABCHI"), st.sampled_from("ABCDEFGHIJ"))
rows = st.one_of(st.sampled_from([1, 4, 7, 2, 5]), st.integers(1, 10))
tiles = st.builds(lambda col, row: f"{col}{row}", columns, rows)
spots = st.one_of(tiles, tiles, st.builds(lambda t, n: f"{t}@{n}", tiles, st.integers(0, 3)))
boxes = st.builds(lambda a, b: f"{a}..{b}", tiles, tiles)
areas = st.one_of(tiles, tiles, st.builds(lambda a, b: f"{a}, {b}", tiles, tiles), boxes)
counts = st.sampled_from(["", " by 2"])
sides = st.sampled_from(["", " sides north", " sides east west"])
turns = st.sampled_from(["", " rotate 90", " mirror x"])
spans = st.builds(
    lambda col, row, far, down: (
        f"{col}{row} {col}{row + far}" if down else f"{col}{row} {chr(ord(col) + far)}{row}"
    ),
    st.sampled_from("ADG"),
    st.sampled_from([1, 4, 7]),
    st.integers(1, 3),
    st.booleans(),
)
ends = st.one_of(spans, st.builds(lambda a, b: f"{a} {b}", spots, tiles))
WORDS: dict[str, st.SearchStrategy[str]] = {
    "raise": st.builds(lambda a, n: f"raise {a}{n}", areas, counts),
    "lower": st.builds(lambda a, n: f"lower {a}{n}", areas, counts),
    "paint": st.builds(lambda a, n: f"paint {a} level {n}", areas, st.integers(0, 4)),
    "tree": st.builds(
        lambda w, a: f"{w} {a}",
        st.sampled_from(["tree", "spire", "lava", "water", "step"]),
        areas,
    )
    | st.builds(lambda s: f"treasure {s}", spots),
    "battlement": st.builds(lambda a, s: f"battlement {a}{s}", areas, sides),
    "railing": st.builds(lambda a, s: f"railing {a}{s}", areas, sides),
    "obstruction": areas.map(lambda a: f"obstruction {a}"),
    "field": areas.map(lambda a: f"field heavy-g {a}"),
    "pitfall": areas.map(lambda a: f"pitfall {a}"),
    "gate": areas.map(lambda a: f"gate {a}"),
    "base": areas.map(lambda a: f"base red {a}"),
    "clear": st.builds(
        lambda w, a: f"clear {w} {a}", st.sampled_from(["tree", "railing", "pitfall"]), boxes
    ),
    "replace": st.builds(
        lambda w, a: f"replace {w}{a}",
        st.sampled_from(["tree with lava", "level 1 with level 2", "water with tree"]),
        st.sampled_from(["", " in A1..E5"]),
    ),
    "bridge": st.builds(
        lambda e, n, a: f"bridge {e}{n}{a}",
        ends,
        st.sampled_from(["", " level 2"]),
        st.sampled_from(["", " arch"]),
    ),
    "ladder": ends.map(lambda e: f"ladder {e}"),
    "start": st.builds(lambda s, a: f"start {s} {a}", st.sampled_from(["red", "blue"]), boxes),
    "erase": st.one_of(areas, spots).map(lambda a: f"erase {a}")
    | st.one_of(spots, st.builds(lambda a, b: f"{a} toward {b}", spots, tiles)).map(
        lambda a: f"erase one {a}"
    ),
    "move": st.builds(lambda a, t, x: f"move {a} to {t}{x}", boxes, tiles, turns)
    | st.builds(lambda a, b: f"move treasure {a} to {b}", tiles, tiles),
    "copy": st.builds(lambda a, t, x: f"copy {a} to {t}{x}", boxes, tiles, turns),
    "rotate": boxes.map(lambda a: f"rotate {a} 90"),
    "mirror": boxes.map(lambda a: f"mirror {a} x"),
    "stamp": st.builds(
        lambda n, t, x: f"stamp {n} at {t}{x}", st.sampled_from(["tower", "keep"]), tiles, turns
    ),
    "symmetry": st.sampled_from(["symmetry rotate 180", "symmetry mirror x", "symmetry off"]),
    "rename": st.sampled_from(["rename tower turret", "rename keep hold"]),
}
GAMES = ("fall-damage", "gang-skirmish")
STARTS = "start red at A3, C3\nstart blue at J8\n"


@st.composite
def drawn(draw: st.DrawFn) -> str:
    """A map of a game, with or without starts, a symmetry, or the wish for one."""
    text = draw(maps())
    lines = [f"forge 1\nrules {draw(st.sampled_from(GAMES))}"]
    lines += ["expect symmetric rotate-180"] if draw(st.booleans()) else []
    text = text.replace("forge 1", "\n".join(lines), 1)
    return text + (STARTS if draw(st.booleans()) else "")


def faults(map_: Map) -> tuple[Issue, ...]:
    """What `check` finds wrong with a table, but for what one in the making lacks.

    By default without the questions of play that it asks as well, which take longer.
    """
    game, strange = FORGE.game(map_)
    folded = FORGE.check(map_).issues if EXHAUSTIVE else FORGE.legal(map_)
    issues = tuple(issue for issue, _ in unfolded(folded))
    if not EXHAUSTIVE:
        issues += check_setup(Position(map_.board, game), map_.layout.players)
    played = {issue.code for issue in issues if is_play_issue(issue)} - {x.code for x in strange}
    left_out = played | UNFINISHED
    return tuple(x for x in issues if x.severity == "error" and x.code not in left_out)


def after(map_: Map, done: EditResult) -> Map:
    return replace(FORGE.loads(done.text, map_.name), root=map_.root)


def sound(map_: Map, done: EditResult) -> None:
    """A gesture that was done brought no error that `check` tells."""
    left = {issue.code for issue in faults(map_)}
    new = [issue for issue in faults(after(map_, done)) if issue.code not in left]
    assert not new, f"{done.label}: {new[0]}\n{done.text}"


def test_every_gesture_has_words_here() -> None:
    assert set(WORDS) == set(USAGE)


@pytest.mark.parametrize("kind", sorted(WORDS))
def test_gesture_that_breaks_the_map_is_refused_with_the_errors_of_check(kind: str) -> None:
    few = settings(MANY, max_examples=3_000 if EXHAUSTIVE else 25)
    few(given(drawn(), WORDS[kind], st.booleans())(_done_or_refused))()


def _done_or_refused(text: str, words: str, brush: bool) -> None:
    map_ = FORGE.loads(text)
    assume(not has_errors(map_.issues))
    try:
        answer = gesture(FORGE, map_, words, brush=brush)
    except InvalidGesture:
        return
    event(type(answer).__name__)
    if isinstance(answer, EditResult):
        sound(map_, answer)
    elif isinstance(answer, AmbiguousEdit):
        for way in filter(None, (answer.all, answer.here)):
            sound(map_, way)
    elif answer.issues:
        forced = gesture(FORGE, map_, words, brush=brush, anyway=True)
        ways = (forced,) if isinstance(forced, EditResult) else (forced.all, forced.here)  # type: ignore[union-attr]
        told = {issue.code for way in ways if way for issue in faults(after(map_, way))}
        assert {issue.code for issue in answer.issues} <= told, (words, map_.text)
        assert as_table(answer)["code"] == answer.issues[0].code
    else:
        assert answer.why
        # What is refused without an error of the table could not be done otherwise either.
        assert isinstance(gesture(FORGE, map_, words, brush=brush, anyway=True), EditRefused)


TABLE = """forge 1
stack C3 height 2
stack F3 height 1
stack H3, H6 height 2
bridge H3 -> H6 level 2
start red at B1..I1
start blue at B10..I10
"""


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("ladder A5 A5", "FDF136"),
        ("ladder A5 H8", "FDF136"),
        ("ladder C3 C4", "FDF138"),
        ("ladder A5@1 A6", "FDF137"),
        ("bridge C3 F3", "FDF132"),
        ("bridge H3 H6 level 3", "FDF132"),
        ("bridge H3 C5 level 2", "FDF130"),
        ("raise H3", "FDF132"),
        ("tree H6", "FDF133"),
        ("raise H4 by 2", "FDF134"),
        ("spire A5", "FDF143"),
        ("battlement A5", "FDF145"),
        ("battlement H3", "FDF146"),
        ("step H3", "FDF147"),
        ("lava B1", "FDF152"),
        ("treasure A5@3", "FDF154"),
        ("railing C3", "FDF372"),
    ],
)
def test_edit_refuses_errors_in_command_and_library(words: str, code: str, tmp_path: Path) -> None:
    map_ = FORGE.loads(TABLE)
    answer = gesture(FORGE, map_, words)
    assert isinstance(answer, EditRefused)
    assert answer.issues[0].code == code
    forced = gesture(FORGE, map_, words, anyway=True)
    assert isinstance(forced, EditResult)
    told = {issue.message for issue in FORGE.check(after(map_, forced)).every}
    assert answer.issues[0].message in told
    source = tmp_path / "m.forge"
    source.write_text(TABLE)
    run = typed("edit", source, *words.split(), "--write")
    assert (run.returncode, source.read_text()) == (1, TABLE)
    assert answer.issues[0].message in run.stderr
    assert f"({code})" in run.stderr
    assert typed("edit", source, *words.split(), "--write", "--anyway").returncode == 0
    assert source.read_text() == forced.text


def test_gestures_can_correct_an_unbuildable_map_step_by_step() -> None:
    loose = TABLE.replace("H3, H6 height 2", "H3, H6 height 1")
    step = gesture(FORGE, FORGE.loads(loose), "raise H3")
    assert isinstance(step, EditResult)
    worse = gesture(FORGE, FORGE.loads(loose), "spire A5")
    assert isinstance(worse, EditRefused)
    assert [issue.code for issue in worse.issues] == ["FDF143"]
    mended = gesture(FORGE, FORGE.loads(step.text), "raise H6")
    assert isinstance(mended, EditResult)
    assert not has_errors(FORGE.legal(FORGE.loads(mended.text)))


def test_gesture_may_leave_a_map_buildable_but_unplayable() -> None:
    for words in ("start red A1..B1", "raise C3 by 2", "treasure C3"):
        assert isinstance(gesture(FORGE, FORGE.loads(TABLE), words), EditResult)


def test_buildable_uses_the_default_limits() -> None:
    position = FORGE.position(FORGE.load("duel"))
    assert build_limits(presets.load_catalogue(), position) == USUAL


def test_refused_raise_under_a_bridge_hints_with_bridges() -> None:
    answer = gesture(FORGE, FORGE.loads(TABLE), "raise H3")
    assert isinstance(answer, EditRefused)
    assert answer.issues[0].hint == "`raise H3 with bridges` takes the bridge along"
    assert isinstance(gesture(FORGE, FORGE.loads(TABLE), "raise H3 with bridges"), EditResult)


@pytest.mark.parametrize("words", ["erase H4", "erase H4@2", "erase H5@2"])
def test_a_bridge_is_erased_where_it_passes_with_what_stands_on_it(words: str) -> None:
    laden = TABLE + "treasure at H4@2\nstack G4 height 5\nladder H4@2 -> G4\nstack H5 height 1\n"
    answer = gesture(FORGE, FORGE.loads(laden), words)
    assert isinstance(answer, EditResult)
    board = answer.board
    assert (board.decks, board.ladders, board.treasures) == ((), (), ())
    low = gesture(FORGE, FORGE.loads(laden), "erase H5@1")
    assert isinstance(low, EditResult)
    assert len(low.board.decks) == 1
    assert low.board.column(Tile(4, 7)).level == 0


LADEN = (
    "stack C3 height 2\nladder C4 -> C3\nbattlement at C3 sides north west\n"
    "treasure at C3\nbridge C3 -> C6 level 2\nstack C6 height 2\ntree at C6\n"
)


@pytest.mark.parametrize(
    ("words", "kinds"),
    [
        ("erase one C3", ["treasure"]),
        ("erase one C3@2", ["treasure"]),
        ("erase one C3 toward C4", ["ladder"]),
        ("erase one C3 toward B3", ["battlement"]),
        ("erase one C3 toward D3", ["treasure"]),
        ("erase one C5@2", ["deck"]),
        ("erase one C6", ["feature"]),
        ("erase one C4", ["ladder"]),
    ],
)
def test_erase_one_takes_what_is_named(words: str, kinds: list[str]) -> None:
    map_ = FORGE.loads("forge 1\nboard 10x10\n" + LADEN)
    answer = gesture(FORGE, map_, words, anyway=True)
    assert isinstance(answer, EditResult)
    before, after = things_of(map_.board), things_of(answer.board)
    assert [x.kind for x in before - after] == kinds
    assert after < before


@pytest.mark.parametrize("tile", ["C3", "C5@2", "C6", "C4"])
def test_erase_one_again_and_again_ends_at_bare_board(tile: str) -> None:
    map_ = FORGE.loads("forge 1\nboard 10x10\nstart red at C4\n" + LADEN)
    sizes = [len(things_of(map_.board))]
    for _ in range(12):
        answer = gesture(FORGE, map_, f"erase one {tile}", anyway=True)
        if isinstance(answer, EditRefused):
            break
        assert isinstance(answer, EditResult)
        map_ = FORGE.loads(answer.text)
        sizes.append(len(things_of(map_.board)))
    assert isinstance(answer, EditRefused)
    assert "there is nothing" in answer.why
    assert sizes == sorted(set(sizes), reverse=True)
    at = parse_place(tile)[0]
    assert {x.kind for x in things_of(map_.board) if at in element_tiles(x)} <= {"start"}


@MANY
@given(drawn(), WORDS["copy"])
def test_a_copy_leaves_what_it_was_made_of(text: str, words: str) -> None:
    """Also where the map's symmetry makes an image of it, which could come to lie there."""
    map_ = FORGE.loads(text.replace("\n", "\nexpect symmetric rotate-180\n", 1))
    assume(not has_errors(map_.issues))
    box = Extent(map_.board.rows, map_.board.cols)
    wanted = parse_gesture(words, box)
    assert isinstance(wanted, Transfer)
    answer = gesture(FORGE, map_, words, anyway=True)
    if not isinstance(answer, EditResult):
        return
    before = things_of(map_.board)
    delta = wanted.delta(before, box)
    own = wanted.source()
    kept = {x for x in apply_delta(before, delta) if own.intersection(element_tiles(x))}
    now = {x for x in things_of(answer.board) if own.intersection(element_tiles(x))}
    assert now == kept


def test_a_copy_whose_image_would_fall_on_it_says_so() -> None:
    map_ = FORGE.loads("forge 1\nstack A1, J10 height 2\nexpect symmetric rotate-180\n")
    answer = gesture(FORGE, map_, "copy A1..B1 to I10")
    assert isinstance(answer, EditRefused)
    assert "overwrite A1" in answer.why
    alone = gesture(FORGE, map_, "copy A1..B1 to I10", brush=False)
    assert isinstance(alone, EditResult)
    assert alone.board.column(Tile(9, 8)).level == 2

"""Corners of the language: imports that fail, legends, names, half maps written out, comments."""

from __future__ import annotations

import pytest

from falldamage_forge.board import Board
from falldamage_forge.elements.things import things_of
from falldamage_forge.issues import ForgeError, Issue, has_errors
from falldamage_forge.lang import load
from falldamage_forge.lang.edit import EditRefused, EditResult, edit, parse_gesture
from falldamage_forge.lang.facts import Extent
from falldamage_forge.lang.flatten import flatten
from falldamage_forge.lang.formatter import format_text
from falldamage_forge.lang.language_service import definition_at, describe_tile, word_at

TOWER = "define tower {\n  stack A1 height 2\n}\n"


def codes(text: str, files: dict[str, str] | None = None) -> list[str]:
    def read(_: str, relative: str) -> tuple[str, str]:
        if relative not in (files or {}):
            raise ForgeError([Issue("FDF003", "error", "no such file")])
        return relative, (files or {})[relative]

    return [issue.code for issue in load(text, "x.forge", read if files else None).issues]


IMPORT = 'forge 1\nimport "y.forge" as y\n'


@pytest.mark.parametrize(
    ("text", "files", "wanted"),
    [
        (IMPORT + "place y.tower at A1\n", {"y.forge": "forge 1\n" + TOWER}, []),
        (IMPORT + 'import "y.forge" as y\n', {"y.forge": "forge 1\n"}, ["FDF203"]),
        (IMPORT, None, ["FDF204"]),
        (IMPORT, {"z.forge": ""}, ["FDF204"]),
        (IMPORT, {"y.forge": 'forge 1\nimport "x.forge" as x\n', "x.forge": IMPORT}, ["FDF205"]),
        ("forge 1\nplace y.tower at A1\n", None, ["FDF201"]),
    ],
)
def test_import_is_read_once_or_reported(
    text: str, files: dict[str, str] | None, wanted: list[str]
) -> None:
    assert codes(text, files) == wanted


def test_one_file_under_two_names_is_the_same_tower() -> None:
    text = IMPORT + 'import "y.forge" as z\nplace y.tower at A1\nplace z.tower at C1\n'
    files = {"y.forge": "forge 1\n" + TOWER}
    board = load(text, "x.forge", lambda _, name: (name, files[name])).layout.board
    assert [column.level for column in board.columns[:3]] == [2, 0, 2]


@pytest.mark.parametrize("entry", ["K = 2 spyre", "K = castle", "T = 3", "3 = tree"])
def test_unknown_legend_word_is_reported(entry: str) -> None:
    assert codes(f"forge 1\nlegend {{ {entry} }}\n") == ["FDF103"]


def test_parser_stops_after_max_issues() -> None:
    found = codes("forge 1\n" + "nonsense here\n" * 5000)
    assert found[-1] == "FDF008" and len(found) == 501


NAMED = """\
forge 1
import "y.forge" as keep
define tower {
  stack A1 height 2
}
place tower at C3
place keep.gate at E5
start red at B1..I1
start blue at B10..I10
symmetry rotate 180 swap red blue
"""


def test_a_name_is_found_where_it_is_defined() -> None:
    lines = NAMED.splitlines()
    for word, line in (("tower", 2), ("keep.gate", 1)):
        row = next(n for n, text in enumerate(lines) if text.startswith(f"place {word}"))
        col = lines[row].index(word) + 1
        assert word_at(NAMED, row, col) == (word, lines[row].index(word), col - 1 + len(word))
        found = definition_at(NAMED, "x.forge", row, col)
        assert found is not None and found.line == line + 1
    assert definition_at(NAMED, "x.forge", 0, 1) is None
    assert word_at(NAMED, 999, 0) == ("", 0, 0)


def test_a_tile_is_described_by_what_stands_on_it() -> None:
    text = "forge 1\nmap {\n  | A B C\n1 | 2T ~ .\n2 | ! ^ 1\n}\n"
    board = load(text, "x.forge").layout.board
    told = {name: describe_tile(board, name) for name in ("A1", "B1", "C1", "A2", "B2", "C2")}
    assert told["A1"] is not None and "level 2" in told["A1"] and "tree" in told["A1"]
    assert told["B1"] is not None and "water" in told["B1"]
    assert told["C1"] == "C1: bare board"
    assert told["A2"] is not None and "lava" in told["A2"]
    assert told["B2"] is not None and "spire" in told["B2"]
    assert describe_tile(board, "Z99") is None and describe_tile(board, "?") is None


def done(text: str, words: str) -> str | EditRefused:
    answer = edit(text, parse_gesture(words, Extent(10, 10)), "x.forge")
    if isinstance(answer, EditResult):
        return answer.text
    assert isinstance(answer, EditRefused)
    return answer


def board_of(text: str) -> Board:
    loaded = load(text, "x.forge")
    assert not has_errors(loaded.issues)
    return loaded.layout.board


PLAIN = NAMED.replace('import "y.forge" as keep\n', "").replace("place keep.gate at E5\n", "")
SIDES = "forge 1\nstart red at B1..I1\nsymmetry rotate 180 swap red blue\n" + TOWER


@pytest.mark.parametrize(
    ("text", "words", "wanted"),
    [
        (PLAIN, "rename tower keep", 2), (PLAIN, "rename red green", 2),
        (SIDES, "rename blue green", 1),
    ],
)  # fmt: skip
def test_a_name_changes_wherever_it_stands(text: str, words: str, wanted: int) -> None:
    _, old, new = words.split()
    after = done(text, words)
    assert (
        isinstance(after, str) and old not in after.split() and after.split().count(new) == wanted
    )
    assert done(after, f"rename {new} {old}") == text
    before, now = things_of(board_of(text)), things_of(board_of(after))
    assert {x._replace(name="") for x in before} == {x._replace(name="") for x in now}


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("rename tower 3x", "not a name"), ("rename castle keep", "nothing here is called"),
        ("rename tower red", "something is called"),
    ],
)  # fmt: skip
def test_a_name_that_cannot_change_is_refused(words: str, why: str) -> None:
    refused = done(PLAIN, words)
    assert isinstance(refused, EditRefused) and why in refused.why


def half(rows: int, cols: int, labels: bool) -> str:
    """A board of ten by ten, so many rows and columns of it drawn and the rest left to a mirror."""
    cells = [[str((3 * row + col) % 4) for col in range(cols)] for row in range(rows)]
    drawn = [
        ("  " if not labels else f"  {n + 1:>2} | ") + " ".join(c) for n, c in enumerate(cells)
    ]
    head = ["     | " + " ".join("ABCDEFGHIJ"[:cols])] if labels else []
    axis = "y" if rows < 10 else "x"
    rest = ["}", f"symmetry mirror {axis}"]
    return "\n".join(["forge 1", "board 10x10", "map {", *head, *drawn, *rest]) + "\n"


@pytest.mark.parametrize("labels", [True, False])
@pytest.mark.parametrize(("rows", "cols"), [(5, 10), (10, 5), (10, 1)])
def test_a_half_map_is_written_out_whole(rows: int, cols: int, labels: bool) -> None:
    text = half(rows, cols, labels)
    after = done(text, "symmetry off")
    assert isinstance(after, str) and "symmetry" not in after
    assert board_of(after) == board_of(text)
    assert isinstance(done(after, "symmetry off"), EditRefused)


def test_a_quarter_turn_wants_a_square() -> None:
    text = "forge 1\nboard 10x20\nstack A1 height 2\n"
    refused = edit(text, parse_gesture("symmetry rotate 90", Extent(20, 10)), "x.forge")
    assert isinstance(refused, EditRefused) and "square" in refused.why


SAID = """\
forge 1
players 4
board 10x10
rules fall-damage { edge void }
units {
  # of this table
  captain like knight { move 5 }

  scout { move 4 }  # runs
}
inventory { block-1x1x1 12 }
stack A1 height 3
allow FDF301 "as it is"
start red at B1..I1
start blue at B10..I10
"""


def test_flatten_keeps_everything_besides_the_board() -> None:
    first = load(SAID, "x.forge")
    again = load(flatten(first.layout), "x.forge")
    for key in ("players", "options", "units", "inventory", "board", "allows"):
        mine, other = getattr(first.layout, key), getattr(again.layout, key)
        if key in ("options", "units", "inventory", "allows"):
            assert len(mine) == len(other)
        else:
            assert mine == other


@pytest.mark.parametrize(
    "text",
    [SAID, "forge 1\nrules fall-damage {\n  # why\n\n  edge void  # a cliff\n}\n",
     "forge 1\nlegend {\n  # signs\n  K = 2 spire\n  L = 1\n}\n"],
)  # fmt: skip
def test_comments_stay_where_they_are(text: str) -> None:
    formatted = format_text(text, "x.forge")
    assert format_text(formatted, "x.forge") == formatted
    kept = [row.partition("#")[2].strip() for row in formatted.splitlines() if "#" in row]
    assert kept == [row.partition("#")[2].strip() for row in text.splitlines() if "#" in row]

"""What sources mean: statements, areas, definitions, symmetry, imports, and faults with places."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falldamage_forge.board import (
    EAST,
    NORTH,
    SOUTH,
    Battlement,
    Board,
    Deck,
    Feature,
    Ground,
    HalfStep,
    Ladder,
    Tile,
)
from falldamage_forge.infra.source_loader import SourceLoader
from falldamage_forge.issues import ForgeError, Issue
from falldamage_forge.lang import load
from falldamage_forge.lang.ast import Transform
from falldamage_forge.lang.facts import Extent, tile_transform, transformed_extent
from falldamage_forge.lang.flatten import flatten
from falldamage_forge.lang.lower import SIZES_MM
from falldamage_forge.lengths import GAPS_MM

STARTS = "start red at B1..I1\nstart blue at B10..I10\n"


def board(text: str) -> Board:
    loaded = load(f"forge 1\n{text}\n{STARTS}", "x.forge")
    assert loaded.issues == (), "\n".join(map(str, loaded.issues))
    return loaded.layout.board


def faults(text: str) -> list[Issue]:
    return list(load(f"forge 1\n{text}\n", "x.forge").issues)


def levels(table: Board) -> dict[str, int]:
    return {str(tile): level for tile in table.tiles() if (level := table.column(tile).level)}


@pytest.mark.parametrize(
    ("area", "tiles"),
    [
        ("D4", "D4"),
        ("D4..E5", "D4 E4 D5 E5"),
        ("E5..D4", "D4 E4 D5 E5"),
        ("D4, F4", "D4 F4"),
        ("ring D4..F6", "D4 E4 F4 D5 F5 D6 E6 F6"),
        ("ring D4..F6 except D4..F4", "D5 F5 D6 E6 F6"),
        ("row 4 except A4..H4", "I4 J4"),
        ("col c except C1..C8", "C9 C10"),
        ("all except A1..J9, A10..I10", "J10"),
    ],
)
def test_areas(area: str, tiles: str) -> None:
    assert set(levels(board(f"stack {area} height 2"))) == set(tiles.split())


def test_every_statement_reaches_the_board() -> None:
    table = board(
        """
        title "All"
        stack B5, E5 height 2
        bridge E5 -> B5 level 2
        ladder B6 -> B5
        spire at E5
        tree at G7
        lava at ring G2..I4 except H2
        water at A8..B8
        treasure at C5@2, C5
        """
    )
    assert table.decks == (Deck(Tile(4, 1), Tile(4, 4), 2),)
    assert table.ladders == (Ladder(Tile(5, 1), 0, Tile(4, 1), 2),)
    assert table.column(Tile.parse("E5")).feature is Feature.SPIRE
    assert table.column(Tile.parse("G7")).feature is Feature.TREE
    assert sum(table.column(tile).ground is Ground.LAVA for tile in table.tiles()) == 7
    assert sum(table.column(tile).ground is Ground.WATER for tile in table.tiles()) == 2
    assert [(str(c.tile), c.level) for c in table.treasures] == [("C5", 0), ("C5", 2)]


def test_steps_battlements_arches_and_lists_reach_the_layout() -> None:
    text = (
        "forge 1\nstack B5, E5 height 2\nbridge B5 -> E5 level 2 arch\nstep at B7\n"
        "battlement at E5 sides north\nbattlement at E5 sides south\n"
        "extras { hidden-item 4 }\nprint { rim }\n"
    )
    loaded = load(text + STARTS, "x")
    assert loaded.issues == ()
    table = loaded.layout.board
    assert table.decks == (Deck(Tile(4, 1), Tile(4, 4), 2, arch=True),)
    assert table.steps == (HalfStep(Tile(6, 1)),)
    assert table.battlements == (Battlement(Tile(4, 4), (NORTH, SOUTH)),)
    assert [(extra.piece, extra.count) for extra in loaded.layout.extras] == [("hidden-item", 4)]
    assert loaded.layout.printing.rim
    flat = flatten(loaded.layout)
    assert load(flat, "x").layout.board == table
    assert {"extras { hidden-item 4 }", "print { rim }"} <= set(flat.splitlines())


@pytest.mark.parametrize(
    ("turn", "tile", "side"),
    [("rotate 90", "J2", EAST), ("rotate 180", "I10", SOUTH), ("mirror x", "I1", NORTH)],
)
def test_a_battlement_turns_with_its_side(turn: str, tile: str, side: tuple[int, int]) -> None:
    body = "stack B1 height 1\n battlement at B1 sides north\n stack J10 height 1"
    table = board(f"define a {{\n {body}\n}}\nplace a at A1 {turn}")
    assert table.battlements == (Battlement(Tile.parse(tile), (side,)),)


def test_names_may_be_keywords() -> None:
    table = board(
        "define end {\n stack A1 height 1\n}\ndefine map {\n place end at A1\n}\nplace map at C3"
    )
    assert levels(table) == {"C3": 1}


TOWER = """
define tower {
  map {
    2  3
    _  1
  }
  ladder A2 -> A1
}
"""


@pytest.mark.parametrize(
    ("modifiers", "expected", "ladder"),
    [
        ("", {"C3": 2, "D3": 3, "D4": 1}, ("C4", 0, "C3", 2)),
        ("rotate 90", {"D3": 2, "D4": 3, "C4": 1}, ("C3", 0, "D3", 2)),
        ("rotate 180", {"D4": 2, "C4": 3, "C3": 1}, ("D3", 0, "D4", 2)),
        ("rotate 270", {"C4": 2, "C3": 3, "D3": 1}, ("D4", 0, "C4", 2)),
        ("mirror x", {"D3": 2, "C3": 3, "C4": 1}, ("D4", 0, "D3", 2)),
        ("mirror y", {"C4": 2, "D4": 3, "D3": 1}, ("C3", 0, "C4", 2)),
        ("raise +1 as keep", {"C3": 3, "D3": 4, "D4": 2}, ("C4", 0, "C3", 3)),
    ],
)
def test_a_placed_piece_turns_with_all_that_is_in_it(
    modifiers: str, expected: dict[str, int], ladder: tuple[str, int, str, int]
) -> None:
    table = board(f"{TOWER}place tower at C3 {modifiers}")
    assert levels(table) == expected
    (found,) = table.ladders
    assert (str(found.foot), found.foot_level, str(found.top), found.top_level) == ladder


transforms = st.sampled_from(
    [Transform("rotate", 90), Transform("rotate", 180), Transform("rotate", 270)]
    + [Transform("mirror", axis="x"), Transform("mirror", axis="y")]
)


@given(transforms, st.integers(1, 9), st.integers(1, 9))
def test_a_transform_is_one_to_one_on_its_box(transform: Transform, rows: int, cols: int) -> None:
    box = Extent(rows, cols)
    move = tile_transform(box, transform)
    tiles = [Tile(row, col) for row in range(rows) for col in range(cols)]
    images = [move(tile) for tile in tiles]
    assert len(set(images)) == len(tiles)
    assert all(image in transformed_extent(box, transform) for image in images)


BODY = """
stack B3..C4 height 2
stack C4 height 2
ladder D4 -> C4
bridge C3 -> F3 level 2
stack F3 height 2
tree at A5
treasure at B3
"""


@pytest.mark.parametrize("operator", ["rotate 180", "mirror x", "mirror y", "rotate 90"])
def test_a_symmetric_board_is_its_own_image(operator: str) -> None:
    swap = "" if operator == "rotate 90" else " swap red blue"
    text = f"forge 1\nsymmetry {operator}{swap}\n{BODY.replace('bridge C3 -> F3 level 2', '')}"
    loaded = load(text, "x.forge")
    assert loaded.issues == ()
    table = loaded.layout.board
    kind, amount = operator.split()
    transform = (
        Transform("rotate", int(amount)) if kind == "rotate" else Transform("mirror", axis=amount)
    )
    move = tile_transform(Extent(10, 10), transform)
    assert all(table.column(move(tile)) == table.column(tile) for tile in table.tiles())
    assert {(move(x.foot), move(x.top)) for x in table.ladders} == {
        (x.foot, x.top) for x in table.ladders
    }
    assert {move(chest.tile) for chest in table.treasures} == {c.tile for c in table.treasures}


def test_a_transform_block_is_the_body_and_its_image_with_sides_swapped() -> None:
    loaded = load("forge 1\nmirror y swap red blue {\n start red at B1..I1\n tree at A1\n}", "x")
    table = loaded.layout.board
    assert [(zone.side, {str(t) for t, _ in zone.surfaces} >= {"B1"}) for zone in table.starts] == [
        ("blue", False),
        ("red", True),
    ]
    assert table.column(Tile.parse("A10")).feature is Feature.TREE


def test_contradicting_facts_show_both_source_spans() -> None:
    (issue,) = faults("stack D4 height 1\nstack C4..E4 height 2")
    assert (issue.code, issue.span and issue.span.line) == ("FDF101", 3)
    assert issue.notes[0].span.line == 2
    assert "D4 is level 2 here and level 1" in issue.message


def test_equal_facts_do_not_contradict() -> None:
    assert levels(board("stack D4 height 2\nstack D4..D5 height 2")) == {"D4": 2, "D5": 2}


@pytest.mark.parametrize(
    ("text", "code", "line", "col", "hint"),
    [
        ("stak D4 height 1", "FDF002", 2, 1, "did you mean `stack`?"),
        ("stack D4 hight 1", "FDF001", 2, 10, "did you mean `height`?"),
        ("stack D4 height", "FDF001", 2, 16, None),
        ("ladder D5 > D4", "FDF001", 2, 11, None),
        ("tree at K4", "FDF100", 2, 9, "the last tile is J10"),
        (
            "place towr at B2\ndefine tower {\n tree at A1\n}",
            "FDF202",
            2,
            7,
            "did you mean `tower`?",
        ),
        ("print { fitt 1mm }", "FDF210", 2, 9, "did you mean `fit`?"),
        ("map {\n . .\n}", "FDF102", 2, 1, "write a row of cells for every row of the board"),
        ('title "x', "FDF004", 2, 7, 'add a `"`'),
        ("board 7x7", "FDF105", 2, 1, "both numbers are multiples of 5 from 5 to 50"),
    ],
)
def test_error_has_code_source_span_and_hint(
    text: str, code: str, line: int, col: int, hint: str | None
) -> None:
    (issue,) = faults(text)
    assert issue.span is not None
    assert (issue.code, issue.span.line, issue.span.col) == (code, line, col)
    if hint:
        assert issue.hint == hint


@pytest.mark.parametrize(("cols", "rows"), [(12, 10), (60, 60), (55, 100)])
def test_a_board_of_a_wrong_size_is_one_error(cols: int, rows: int) -> None:
    """What lies on the board that is asked for is not off it, too."""
    text = (
        f"board {cols}x{rows}\nstack D4..E5, A{rows} height 2\nbridge D4 -> D9 level 2\n"
        f"ladder F5 -> E5\nstart red at B1..I1\nstart blue at row {rows}\n"
    )
    assert [issue.code for issue in faults(text)] == ["FDF105"]
    placed = f"place wood at A{rows}\ndefine wood {{\n tree at A1, A2\n}}\n"
    for more in (f"tree at A{rows + 1}\n", placed):
        (_, beyond) = faults(text.replace(f", A{rows}", "") + more)
        assert beyond.code == "FDF100" and f"board of {cols}x{rows} tiles" in beyond.message


def test_imports_keep_their_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "towers.forge").write_text(
        "forge 1\n\ndefine keep {\n  stack A1 height 13\n}\n"
    )
    (tmp_path / "main.forge").write_text(
        'forge 1\nimport "lib/towers.forge" as t\nplace t.keep at D4\n'
    )
    sources = SourceLoader()
    name, text = sources.read_main(tmp_path / "main.forge")
    issues = load(text, name, sources.importer(tmp_path)).issues
    assert [(i.code, Path(i.span.file).name, i.span.line) for i in issues if i.span][0] == (
        "FDF106",
        "towers.forge",
        4,
    )


@pytest.mark.parametrize(
    "path", ["../secret.forge", "/etc/passwd", "lib\\\\x.forge", "link.forge", "."]
)
def test_imports_never_leave_the_folder(path: str, tmp_path: Path) -> None:
    (tmp_path / "secret.forge").write_text("forge 1\n")
    home = tmp_path / "home"
    home.mkdir()
    (home / "link.forge").symlink_to(tmp_path / "secret.forge")
    (home / "main.forge").write_text(f'forge 1\nimport "{path}" as t\n')
    sources = SourceLoader()
    name, text = sources.read_main(home / "main.forge")
    (issue,) = load(text, name, sources.importer(home)).issues
    assert issue.code == "FDF204"
    assert issue.span is not None and issue.span.line == 2


def test_load_caches_sources_without_imports_only() -> None:
    alone = "forge 1\nboard 5x5\nstack C3 height 1\n"
    assert load(alone, "x") is load(alone, "x")
    assert load(alone, "y").document.file == "y"
    parts = iter(["define t {\n  stack A1 height 1\n}\n", "define t {\n  stack A1 height 2\n}\n"])
    text = 'forge 1\nboard 5x5\nimport "p.forge" as p\nplace p.t at C3\n'

    def read(_: str, path: str) -> tuple[str, str]:
        return path, f"forge 1\n{next(parts)}"

    heights = [load(text, "x", read).layout.board.column(Tile(2, 2)).level for _ in range(2)]
    assert heights == [1, 2]


def test_import_cycle_is_reported(tmp_path: Path) -> None:
    for one, other in (("a", "b"), ("b", "a")):
        (tmp_path / f"{one}.forge").write_text(f'forge 1\nimport "{other}.forge" as x\n')
    sources = SourceLoader()
    name, text = sources.read_main(tmp_path / "a.forge")
    assert [i.code for i in load(text, name, sources.importer(tmp_path)).issues] == ["FDF205"]


def test_text_beyond_any_bound_is_refused_quickly() -> None:
    assert faults("x" * 1_100_000)[0].code == "FDF008"
    assert faults("tree at " + "A1, " * 900 + "A1")[0].code == "FDF008"


alphabet = st.sampled_from(
    ["stack", "tree", "at", "D4", "..", "{", "}", "\n", '"', "map", "1", "^", ",", "define", "a",
     "place", "#", "rotate", "90", "->", "@", "\x00", "é", "mirror", "x", "|", "height", "except"]
)  # fmt: skip


@given(st.lists(alphabet, max_size=40).map(" ".join))
def test_any_text_gives_issues_and_never_an_exception(text: str) -> None:
    load(text, "x")
    load(f"forge 1\n{text}", "x")


@given(st.text(max_size=200))
def test_any_unicode_gives_issues_and_never_an_exception(text: str) -> None:
    load(f"forge 1\n{text}", "x")


def test_repeated_symmetry_statement_changes_nothing() -> None:
    text = "forge 1\nstack A1..C2 height 1\ntree at B4\n"
    for statements in (["symmetry rotate 180"], ["symmetry rotate 90", "symmetry mirror x"]):
        once, often = (load(text + "\n".join(statements * n) + "\n", "x") for n in (1, 40))
        assert often.layout.board == once.layout.board
        assert not often.issues


LENGTHS_MM = {key: GAPS_MM.get(f"{key}_mm", SIZES_MM) for key in ("fit", "seam", "tile", "rise")}


@given(st.sampled_from(sorted(LENGTHS_MM)), st.floats(0.0, 1.0))
def test_a_length_of_the_print_is_the_one_that_is_written(key: str, share: float) -> None:
    low, high = LENGTHS_MM[key]
    written = round(low + share * (high - low), 2)
    printing = load(f"forge 1\nprint {{ {key} {written}mm }}\n{STARTS}", "x.forge").layout.printing
    told = {name: getattr(printing, f"{name}_mm") for name in LENGTHS_MM}
    assert told == dict.fromkeys(LENGTHS_MM) | {key: pytest.approx(written)}


def unread(ask: Callable[[], object]) -> str:
    with pytest.raises(ForgeError) as caught:
        ask()
    (issue,) = caught.value.issues
    assert issue.code == "FDF294"
    return issue.message


def test_a_source_that_cannot_be_read_is_named_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "big.forge").write_bytes(b"#" * 1_000_001)
    (tmp_path / "latin.forge").write_bytes(b"forge 1\n# \xe4\n")
    loader, reasons = SourceLoader(), {
        "folder": "it is not a regular file",
        "big.forge": "it is larger than 1000 kB",
        "latin.forge": "line 2 is not UTF-8 text",
        "missing.forge": "there is no such file",
    }  # fmt: skip
    for name, why in reasons.items():
        told = unread(lambda name=name: loader.read_main(tmp_path / name))
        assert told == f"cannot read `{tmp_path / name}`: {why}"
    read, here = loader.importer(tmp_path), str(tmp_path / "map.forge")
    for name in (f"{tmp_path}/x.forge", "a\\b.forge", "nul\0.forge"):
        assert "write a path relative to this file" in unread(lambda name=name: read(here, name))
    assert "may not leave the folder" in unread(lambda: read(here, "../x.forge"))
    for name, why in reasons.items():
        assert unread(lambda name=name: read(here, name)) == f"cannot read `{name}`: {why}"
    assert loader.texts == {}

"""Statements that only some games know: read, written, turned, edited, and told of."""

import pytest

from falldamage_forge.board import DIRECTIONS, Board, Fitting, Tile
from falldamage_forge.board.symmetry import OPERATORS, transform_board
from falldamage_forge.elements import FITTINGS
from falldamage_forge.games.registry import GAMES
from falldamage_forge.lang.edit import Raise, Transfer, edit
from falldamage_forge.lang.fitting_syntax import length_text, length_um
from falldamage_forge.lang.flatten import flatten
from falldamage_forge.lang.formatter import format_text
from falldamage_forge.lang.language_service import describe_tile, reference
from falldamage_forge.lang.lower import load
from falldamage_forge.library.forge import Forge
from falldamage_forge.presets import load_rules

NORTH, EAST, SOUTH, WEST = DIRECTIONS
FORGE = Forge()
ALL = """\
stack D4..E5 height 2
railing at D4..E4 sides north
railing at E5 sides east south height 1in cover full
obstruction at B8, C8 height 30mm
field heavy-g at H8 radius 3in
pitfall at C2..D2
gate at row 6
base red at A1..B2
"""


def board_of(body: str) -> Board:
    loaded = load(f"forge 1\n{body}", "x")
    assert not loaded.issues, "\n".join(map(str, loaded.issues))
    return loaded.layout.board


def t(name: str) -> Tile:
    return Tile.parse(name)


def test_each_fitting_reaches_the_board_with_its_properties() -> None:
    board = board_of(ALL)
    assert {fitting.kind for fitting in board.fittings} == FITTINGS.keys()
    assert Fitting("railing", t("D4"), 2, (NORTH,), "", 12_700) in board.fittings
    assert Fitting("railing", t("E5"), 2, (EAST, SOUTH), "full", 25_400) in board.fittings
    assert board.fitted("field") == (Fitting("field", t("H8"), 0, (), "heavy-g", 76_200),)
    assert board.obstructions_um == {t("B8"): 30_000, t("C8"): 30_000}
    assert board.pits == {(t("C2"), 0), (t("D2"), 0)}
    assert len(board.fitted("gate")) == 10
    assert {fitting.name for fitting in board.fitted("base")} == {"red"}


def test_a_railing_all_round_and_one_on_a_bridge() -> None:
    board = board_of("stack B2, D2 height 2\nbridge B2 -> D2 level 2\nrailing at B2, C2@2\n")
    assert [(x.tile, x.level, x.sides) for x in board.fittings] == [
        (t("B2"), 2, DIRECTIONS),
        (t("C2"), 2, DIRECTIONS),
    ]


def test_flattened_and_formatted_source_has_the_same_board() -> None:
    loaded = load(f"forge 1\n{ALL}symmetry rotate 180 swap red blue\n", "x")
    assert load(flatten(loaded.layout), "x").layout.board == loaded.layout.board
    text = format_text(f"forge 1\n{ALL}", "x")
    assert text == f"forge 1\n{ALL}"


@pytest.mark.parametrize("operator", OPERATORS)
def test_a_symmetry_of_the_text_is_one_of_the_board(operator: str) -> None:
    """What `symmetry` makes of a text is its own image on the board, sides and names swapped."""
    kind, _, amount = operator.partition("-")
    body = ALL.replace("gate at row 6\n", "")
    board = board_of(f"{body}symmetry {kind} {amount} swap red blue\n")
    around = board
    for _ in range(2 if amount in ("90", "270") else 1):
        around = transform_board(around, operator)
    swapped = {"red": "blue", "blue": "red"}
    assert {(x.tile, x.kind, x.sides) for x in around.fittings} == {
        (x.tile, x.kind, x.sides) for x in board.fittings
    }
    if amount not in ("90", "270"):
        named = {(x.tile, swapped.get(x.name, x.name)) for x in around.fittings}
        assert named == {(x.tile, x.name) for x in board.fittings}


def test_fitting_moves_with_place_rotate_and_raise() -> None:
    define = "define rig {\n stack A1..B1 height 1\n railing at B1 sides east height 2in\n}\n"
    board = board_of(f"{define}place rig at C3 rotate 90 raise +1\n")
    assert board.fittings == (Fitting("railing", t("C4"), 2, (SOUTH,), "", 50_800),)


@pytest.mark.parametrize(
    ("body", "gesture", "after"),
    [
        ("stack D4 height 1\nrailing at D4 sides east\n", Raise((Tile(3, 3),)), "D4 2 east"),
        (
            "stack D4 height 1\nrailing at D4 sides east height 1in\n",
            Transfer(Tile(3, 3), Tile(3, 3), Tile(6, 6), keep=False),
            "G7 1 east",
        ),
        (
            "stack D4 height 1\nrailing at D4 sides north east\n",
            Transfer(Tile(3, 3), Tile(3, 3), Tile(6, 6), keep=True),
            "D4 1 north east, G7 1 north east",
        ),
    ],
    ids=["raise", "move", "copy"],
)
def test_gestures_take_a_railing_along(body: str, gesture: object, after: str) -> None:
    text = f"forge 1\nrules gang-skirmish\n{body}"
    edited = edit(text, gesture)  # type: ignore[arg-type]
    names = dict(zip(DIRECTIONS, ("north", "east", "south", "west"), strict=True))
    found = [
        f"{x.tile} {x.level} {' '.join(names[side] for side in x.sides)}"
        for x in edited.board.fittings  # type: ignore[union-attr]
    ]
    assert ", ".join(found) == after


@pytest.mark.parametrize(
    ("text", "um"), [("1/2in", 12_700), ("0.5in", 12_700), ("2.5in", 63_500), ("3cm", 30_000)]
)
def test_lengths_are_read_and_written_back(text: str, um: int) -> None:
    assert length_um(text) == um
    assert length_um(length_text(um)) == um
    assert length_um("5") is length_um("in") is length_um("1//2in") is None


@pytest.mark.parametrize(
    ("body", "code", "told"),
    [
        ("pitfall at D4\nstack D4 height 2\n", "FDF160", "it is a tower of level 2"),
        ("pitfall at D4@2\n", "FDF160", "there is nothing at level 2"),
        ("railing at D4 height 1.2.3in\n", "FDF006", "at most 4in"),
        ("obstruction at D4\nwater at D4\n", "FDF160", "it is water"),
        ("obstruction at D4@1\n", "FDF160", "write D4@0"),
        ("railing at D4@3\nstack D4 height 2\n", "FDF160", "write D4@2"),
        ("obstruction at D4\npitfall at D4\n", "FDF160", "it is a pit"),
        (
            "railing at D4 sides east height 1in\nrailing at E4 sides west\n",
            "FDF161",
            "west side of E4",
        ),
        ("railing at D4 height 5in\n", "FDF006", "at most 4in"),
        ("field heavy-g at D4 radius 0in\n", "FDF006", "at most 12in"),
        ("field heavyg at D4\n", "FDF372", "did you mean `heavy-g`?"),
        ("gate at row 5\n", "FDF372", "`gatefall` knows it"),
        ("railing at D4 sides nort\n", "FDF001", "did you mean `north`?"),
        ("railing D4\n", "FDF001", "write `railing at D4`"),
        ("handrail at D4\n", "FDF002", "did you mean `railing`?"),
    ],
)
def test_impossible_fitting_gives_one_issue(body: str, code: str, told: str) -> None:
    text = f"forge 1\nrules gang-skirmish\n{body}start red at B1..I1\nstart blue at B10..I10\n"
    issues = [x for x in FORGE.check(FORGE.loads(text)).issues if x.severity == "error"]
    assert [issue.code for issue in issues] == [code]
    assert told in f"{issues[0].message}; {issues[0].hint}"


@pytest.mark.parametrize("rules", GAMES)
def test_fittings_unknown_to_a_ruleset_are_reported(rules: str) -> None:
    """Under a map's own game what is unknown is an error; asked about with `--rules` it is told."""
    game = load_rules(rules)
    starts = "start red at B1..I1\nstart blue at B10..I10\n"
    for word, kind in FITTINGS.items():
        name = f" {'heavy-g' if kind.named == 'field' else 'red'}" if kind.named else ""
        head = word if kind.named in ("", "cover") else f"{word}{name}"
        text = f"forge 1\nrules {rules}\n{head} at D4\n{starts}"
        codes = [issue.code for issue in FORGE.check(FORGE.loads(text)).issues]
        assert ("FDF372" in codes) is (word not in game.fittings)
        others = [other for other in GAMES if word in load_rules(other).fittings]
        assert others, "every fitting is known to some game"
        own = FORGE.loads(f"forge 1\nrules {others[0]}\n{head} at D4\n{starts}")
        notes = FORGE.position(own, rules).model(game.proof_units[0]).notes
        note = f"1 {word} ignored"
        assert (note in notes) is (word not in game.fittings)


def test_a_tile_is_described_with_its_fittings() -> None:
    board = board_of(ALL)
    assert describe_tile(board, "E5") == (
        "E5: column of level 2, railing to east, south, height 1in, cover full"
    )
    assert "field heavy-g, radius 3in" in (describe_tile(board, "H8") or "")
    assert FITTINGS.keys() <= reference().keys()

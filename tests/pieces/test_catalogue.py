"""The catalogue: data in, pieces out, and every fault in the data told."""

import pytest

from falldamage_forge import presets
from falldamage_forge.board import MAX_LEVEL
from falldamage_forge.issues import ForgeError
from falldamage_forge.pieces.catalogue import SHAPES, Catalogue, catalogue_from_tables
from falldamage_forge.pieces.piece import Piece


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return presets.load_catalogue()


def test_catalogue_has_every_piece_the_plan_uses(catalogue: Catalogue) -> None:
    assert catalogue.max_span == 4
    assert catalogue.max_rise == MAX_LEVEL
    for span in range(1, catalogue.max_span + 1):
        assert catalogue.bridge(span).footprint == tuple((0, col) for col in range(span))
    for rise in range(1, catalogue.max_rise + 1):
        for low in (False, True):
            sections = catalogue.ladders(rise, low=low)
            assert sum(section.levels for section in sections) == rise
            assert (len(sections) == 1) == (rise <= 5)
            assert [section["part"] for section in sections] in (
                ["whole"],
                ["lower", *["middle"] * (len(sections) - 2), "upper"],
            )
            assert sections[0]["low"] is low
    for piece in (catalogue["water"], catalogue["lava"], catalogue["spire"], catalogue["tree"]):
        assert piece.footprint == ((0, 0),)
    assert len(catalogue.quadrant.footprint) == 25
    assert catalogue.chest.key == "chest"
    assert catalogue.start_marker("red").key == "start-red"


def test_blocks_come_in_every_asked_shape_and_height(catalogue: Catalogue) -> None:
    found = {(block.footprint, block.levels) for block in catalogue.blocks()}
    rectangles = [(1, 1), (2, 1), (3, 1), (2, 2), (3, 3)]
    shapes = {
        tuple((row, col) for row in range(depth) for col in range(width))
        for width, depth in rectangles
    } | {((0, 0), (1, 0), (1, 1))}
    assert found == {(shape, levels) for shape in shapes for levels in (1, 2, 3)}


def test_block_key_states_width_depth_and_levels(catalogue: Catalogue) -> None:
    block = catalogue["block-3x1x2"]
    assert block.footprint == ((0, 0), (0, 1), (0, 2))
    assert block.levels == 2
    assert (block["width"], block["depth"]) == (3, 1)


def test_keys_are_unique_names_of_files(catalogue: Catalogue) -> None:
    reserved = {"con", "prn", "aux", "nul"}
    for key, piece in catalogue.pieces.items():
        assert piece.key == key == key.lower()
        assert key not in reserved
        assert all(letter.isascii() and (letter.isalnum() or letter == "-") for letter in key)
    assert sum(map(len, catalogue.families.values())) == len(catalogue.pieces)


def test_companions_are_printed_with_their_piece() -> None:
    wall = {"title": "W", "key": "w", "builder": "block", "needs": {"pin": 2}}
    pin = {"title": "P", "key": "pin", "builder": "token", "shape": "none"}
    own = catalogue_from_tables({"file": {"w": wall, "pin": pin}}, "pieces")
    assert own.companions(own["w"]) == ((own["pin"], 2),)
    assert own.companions(own["pin"]) == ()


def test_unknown_key_error_names_nearest(catalogue: Catalogue) -> None:
    with pytest.raises(ForgeError) as caught:
        catalogue["block-1x1x11"]
    assert caught.value.issues[0].code == "FDF400"
    assert "block-1x1x1" in (caught.value.issues[0].hint or "")


def read(**families: object) -> Catalogue:
    return catalogue_from_tables({"file": families}, "pieces")


WALL = {"title": "Wall {width}", "key": "wall-{width}", "builder": "block", "shape": "rectangle"}


def test_sizes_expand_in_every_combination() -> None:
    sizes = [{"width": [1, 2], "depth": 1, "levels": [1, 2]}, {"width": 9, "depth": 9, "levels": 1}]
    made = read(wall={**WALL, "key": "wall-{width}x{levels}", "sizes": sizes})
    assert list(made.pieces) == ["wall-1x1", "wall-1x2", "wall-2x1", "wall-2x2", "wall-9x1"]
    assert made["wall-2x1"] == Piece(
        "wall-2x1",
        "wall",
        "Wall 2",
        "block",
        (("depth", 1), ("levels", 1), ("width", 2)),
        ((0, 0), (0, 1)),
        levels=1,
    )


@pytest.mark.parametrize(
    ("family", "message"),
    [
        ({**WALL, "shape": "rectangel"}, "no shape called `rectangel`; did you mean `rectangle`?"),
        ({**WALL, "sizes": [{"width": 1}]}, "lacks 'depth'"),
        ({**WALL, "sizes": [{"width": 0, "depth": 1}]}, "from 1 to 50"),
        ({**WALL, "sizes": [{"width": True, "depth": 1}]}, "from 1 to 50"),
        ({**WALL, "sizes": [{"width": 1, "depth": {}}]}, "should be a number or a text"),
        ({**WALL, "key": "Wall {width}", "sizes": [{"width": 1, "depth": 1}]}, "cannot be a key"),
        ({**WALL, "key": "{colour}", "sizes": [{"width": 1, "depth": 1}]}, "lacks 'colour'"),
        ({**WALL, "key": "wall", "sizes": [{"width": [1, 2], "depth": 1}]}, "two pieces called"),
        ({**WALL, "sizes": [{"width": 1, "depth": 1}], "needs": {"peg": 1}}, "unknown piece `peg`"),
        ({**WALL, "pose": "sideways"}, "should be one of upright, upside-down, on-front"),
        ({**WALL, "buidler": "block"}, "unknown key `buidler`"),
        (3, "expected a table"),
    ],
)
def test_invalid_family_raises_error(family: object, message: str) -> None:
    with pytest.raises(ForgeError) as caught:
        read(wall=family)
    assert message in "\n".join(issue.message for issue in caught.value.issues)


def test_errors_of_all_tables_are_listed_together() -> None:
    with pytest.raises(ForgeError) as caught:
        read(one={**WALL, "shape": "disc"}, two=3, three={**WALL, "sizes": [{"width": 1}]})
    assert len(caught.value.issues) == 3


def test_every_shape_is_used(catalogue: Catalogue) -> None:
    """A shape nobody names would be dead code; a new one needs a family that shows it."""
    used = {
        table["shape"]
        for name in presets.names("pieces")
        for table in presets._table("pieces", name).values()
        if "shape" in table
    }
    assert set(SHAPES) == used | {"tile"}

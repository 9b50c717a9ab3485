"""The parts that a page shows stand where the printed ones do."""

import json

import numpy as np
import pytest

import falldamage_forge as ff
from falldamage_forge.geometry.piece_mesh import placement_transform
from falldamage_forge.studio.part_instances import digest, parts, placements
from falldamage_forge.studio.session import Session
from falldamage_forge.studio.session_settings import SessionSettings

TURNS = ((1, 0), (0, -1), (-1, 0), (0, 1))


@pytest.mark.parametrize("name", ["ashkeep", "gantries", "gatehouse"])
def test_places_are_those_of_the_plan(name: str) -> None:
    session = Session(ff.load(name).text)
    told = json.loads(json.dumps(parts(session)))
    assert told["style"] == "stone"
    wanted = sorted(
        (one.piece.key, *np.round(placement_transform(one)[:3].ravel(), 2))
        for one in placements(session)
    )
    found = []
    for part in told["parts"]:
        for x, y, z, turns, tiles in part["places"]:
            c, s = TURNS[turns]
            found.append((part["key"], *np.round([c, -s, 0, x, s, c, 0, y, 0, 0, 1, z], 2)))
            assert tiles
    assert np.allclose([row[1:] for row in sorted(found)], [row[1:] for row in wanted])
    assert [row[0] for row in sorted(found)] == [row[0] for row in wanted]


def test_a_map_that_cannot_be_built_has_no_parts() -> None:
    assert parts(Session("forge 1\nboard 5x5\nstak C3\n"))["parts"] == []


def test_a_digest_tells_pieces_printers_and_styles_apart() -> None:
    from falldamage_forge import presets

    one, other = (presets.load_printer(name) for name in ("a1-mini", "ender-3"))
    block, chest = (presets.load_catalogue()[key] for key in ("block-1x1x1", "chest"))
    asked = [(block, one, "stone"), (block, one, "plain"), (chest, one, "stone")]
    asked += [(block, other, "stone")] if other.fit_mm != one.fit_mm else []
    assert len({digest(*each) for each in asked}) == len(asked)


@pytest.mark.parametrize(
    "values",
    [{"style": "velvet"}, {"price": 0}, {"price": "20"}, {"variants": 1.5}, {"root": "/"}],
)
def test_settings_that_cannot_be_are_refused_in_words(values: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        SessionSettings().changed(values)


def test_settings_say_the_command_that_builds_the_same() -> None:
    told = (
        SessionSettings()
        .changed({"style": "rock", "printer": "mk4", "price": 25})
        .command("a b.forge")
    )
    assert told == ("fdforge build 'a b.forge' --style rock --variants 1 --printer mk4 --price 25")

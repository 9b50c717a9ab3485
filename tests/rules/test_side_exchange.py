"""Fairness by symmetry: a rotation proves it, a mirror only without units that have hands."""

from __future__ import annotations

from pathlib import Path

import pytest

from falldamage_forge import presets
from falldamage_forge.board import Board
from falldamage_forge.board.coordinates import transform_tile
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.board.symmetry import OPERATORS, REFLECTIONS, transform_board
from falldamage_forge.library.forge import Forge
from falldamage_forge.playtest.fairness_check import fairness_sentence, known_fairness
from falldamage_forge.playtest.runner import PlaytestRequest, handed_cards
from falldamage_forge.rules.position import Position
from falldamage_forge.rules.side_exchange import SideExchange, exchange_of
from tests.cli.running import typed
from tests.games.play.tables import KIT

FORGE = Forge()
MIRRORED = """forge 1
lava at E3..E8
stack D2, D9 height 2
start red at B1..I1
start blue at B10..I10
expect symmetric mirror-y
expect fair within 3%
"""
"""Its own image in a mirror that exchanges the sides, and under no rotation."""
TURNED = (
    MIRRORED.replace("D2, D9", "D2, G9")
    .replace("E3..E8", "E3..E8, F3..F8")
    .replace("symmetric mirror-y", "symmetric rotate-180")
)
PUSHES = sorted({card.push for card in presets.load_units().values() if card.push})


def position_of(text: str) -> Position:
    map_ = FORGE.loads(text)
    assert not map_.issues
    return FORGE.analysis(map_)


def results(board: Board, push: str) -> dict[tuple[Surface, Surface], tuple[object, ...]]:
    """End, damage and death of a push from each surface onto each neighbour."""
    position = Position(board, position_of(MIRRORED).game)
    surfaces = position.graph.surfaces
    found = {}
    for one in surfaces:
        for other in surfaces:
            gap = abs(one.tile.row - other.tile.row) + abs(one.tile.col - other.tile.col)
            if gap == 1 and one.level == other.level:
                result = position.push(one, other, push)
                found[one, other] = (result.end, result.damage, result.dead)
    return found


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize("push", PUSHES)
def test_pushes_of_an_image_are_images_unless_a_mirror_turns_a_hand(
    push: str, operator: str
) -> None:
    """A card is handed exactly if a mirror changes some push of it."""
    board = position_of(MIRRORED.replace("D9", "G8")).board
    to = transform_tile(operator, board.rows, board.cols)

    def image(at: object) -> object:
        return Surface(to(at.tile), at.level) if isinstance(at, Surface) else at

    expected = {
        (image(one), image(other)): tuple(map(image, result))
        for (one, other), result in results(board, push).items()
    }
    handed = [card.is_handed for card in presets.load_units().values() if card.push == push]
    turned = operator in REFLECTIONS and all(handed)
    assert all(handed) == any(handed)
    assert (results(transform_board(board, operator), push) == expected) != turned


def test_hands_are_those_of_the_cards_that_push_sideways() -> None:
    assert exchange_of(position_of(MIRRORED)) == SideExchange("mirror-y", ("Bandit", "Samurai"))
    assert exchange_of(position_of(TURNED)) == SideExchange("rotate-180")
    lopsided = position_of(MIRRORED.replace("D2, D9", "D2").replace("expect symmetric", "# "))
    assert exchange_of(lopsided) is None


@pytest.mark.parametrize(
    ("names", "hands"),
    [
        ((), ("Bandit", "Samurai")),
        (("knight", "samurai"), ("Samurai",)),
        (("knight", "shield-bearer"), ()),
    ],
)
def test_only_cards_that_take_part_have_hands(
    names: tuple[str, ...], hands: tuple[str, ...]
) -> None:
    teams = (([*names], [*names]),) if names else ()
    order = PlaytestRequest({}, {}, None, KIT, (), 4, 1, teams)  # type: ignore[arg-type]
    assert handed_cards(order) == hands


def test_mirror_is_told_as_alike_and_never_as_exact() -> None:
    """Metric, expectation, sheet, and the lines and JSON of a playtest speak of the hands."""
    position = position_of(MIRRORED)
    words = "alike but for the hands of Bandit and Samurai: mirror-y exchanges the sides"
    control = {m.name: m for m in FORGE.analyze(FORGE.loads(MIRRORED)).metrics}["control"]
    assert words in control.text and control.values["certificate"] is None
    known = known_fairness(position, 3)
    assert known.holds is None
    sentence = fairness_sentence(position, "a.forge", 0)
    assert sentence.startswith(f"A{words[1:]}. ")
    for text in (control.text, known.text, sentence):
        assert "xact" not in text


@pytest.mark.parametrize("exact", [True, False])
def test_playtest_tells_what_the_symmetry_proves(tmp_path: Path, exact: bool) -> None:
    """However few games there are: a half turn is fair, a mirror is not."""
    file = tmp_path / "own.forge"
    file.write_text(TURNED if exact else MIRRORED, "utf-8")
    said = typed("playtest", file, "--games", "4").stdout
    assert ("side: exactly fair: rotate-180 exchanges the sides" in said) == exact
    assert ("symmetry: alike but for the hands of Bandit and Samurai" in said) != exact
    assert ("side: too few games to tell" in said) != exact

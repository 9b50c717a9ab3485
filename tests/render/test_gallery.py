"""The gallery and the golden pictures.

Golden pictures are compared by their pixels, so that another PNG writer does not matter. To accept
new ones, run the tests with FORGE_ACCEPT=1 and look at every picture that changed.
"""

import io
import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from falldamage_forge.board import Tile
from falldamage_forge.cli.commands.gallery import PHOTO_SCALE, exhibits
from falldamage_forge.render import rule_overlays
from falldamage_forge.render.gallery_page import GalleryMap, page, picture, story_of
from falldamage_forge.render.isometric import isometric
from falldamage_forge.render.raster3d.board_scene import SIZE_PX
from falldamage_forge.render.svg import png_small
from falldamage_forge.render.topdown import topdown
from tests.amount import some
from tests.render.boards import preset
from tests.rules.asking import position

DOCS = Path(__file__).resolve().parents[2] / "docs"
GOLDEN = Path(__file__).parent / "golden"
SHOWN = exhibits()
ACCEPT = os.environ.get("FORGE_ACCEPT") == "1"
LIMIT = 0.0005
"""The share of pixels that may differ visibly, for other rounding of edges."""


def difference(one: bytes, two: bytes) -> float:
    """The share of pixels of which any channel differs by more than a tenth; 1 for other sizes."""
    first, second = (Image.open(io.BytesIO(data)).convert("RGB") for data in (one, two))
    if first.size != second.size:
        return 1.0
    bands = ImageChops.difference(first, second).split()
    worst = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
    return sum(worst.histogram()[26:]) / (first.width * first.height)


def check(path: Path, fresh: bytes) -> None:
    if ACCEPT:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(fresh)
    assert path.exists(), f"no golden {path.name}; FORGE_ACCEPT=1 makes it"
    share = difference(path.read_bytes(), fresh)
    assert share <= LIMIT, (
        f"{path.name}: {share:.2%} of the pixels differ; look, then FORGE_ACCEPT=1"
    )


@pytest.mark.parametrize("exhibit", SHOWN if ACCEPT else some(SHOWN, 6), ids=lambda one: one.name)
def test_the_gallery_shows_the_presets_as_they_are(exhibit: GalleryMap) -> None:
    fresh = picture(exhibit)
    assert len(fresh) <= 150_000
    check(DOCS / "pictures" / f"{exhibit.name}.png", fresh)


def test_the_page_is_what_the_command_writes() -> None:
    if ACCEPT:
        (DOCS / "gallery.md").write_text(page(SHOWN), encoding="utf-8")
    text = (DOCS / "gallery.md").read_text(encoding="utf-8")
    assert text == page(SHOWN), "run `fdforge gallery`"
    named = set(re.findall(r"pictures/([a-z0-9-]+)\.png", text))
    assert named == {exhibit.name for exhibit in SHOWN}
    others = "".join(
        path.read_text("utf-8") for path in DOCS.glob("*.md") if path.stem != "gallery"
    )
    shown = named | set(re.findall(r"pictures/([a-z0-9-]+)\.png", others))
    assert shown == {path.stem for path in (DOCS / "pictures").glob("*.png")}
    photos = set(re.findall(r"pictures/([a-z0-9-]+)\.jpg", text))
    assert photos == named
    readme = DOCS.parent.joinpath("README.md").read_text("utf-8")
    kept = {path.stem for path in (DOCS / "pictures").glob("*.jpg")}
    elsewhere = re.findall(r"docs/pictures/([a-z0-9-]+)\.jpg", readme)
    elsewhere += re.findall(r"pictures/([a-z0-9-]+)\.jpg", others)
    assert kept == photos | set(elsewhere)
    for path in (DOCS / "pictures" / f"{name}.jpg" for name in photos):
        assert Image.open(path).size == tuple(round(PHOTO_SCALE * side) for side in SIZE_PX)
        assert path.stat().st_size < 400_000


def _duel():
    return position(preset("duel").board)


GOLDENS: dict[str, Callable[[], bytes]] = {
    "iso-dark": lambda: png_small(isometric(preset("canyon").board, theme="dark"), scale=0.7),
    "top-light": lambda: png_small(topdown(preset("canyon").board, title="Canyon"), scale=0.8),
    "top-dark": lambda: png_small(topdown(preset("ashkeep").board, theme="dark"), scale=0.8),
    "control": lambda: png_small(
        isometric(preset("duel").board, overlays=[rule_overlays.control(_duel())]),
        scale=0.7,
    ),
    "hazard": lambda: png_small(
        topdown(preset("duel").board, overlays=[rule_overlays.hazard(_duel())]),
        scale=0.8,
    ),
}


@pytest.mark.parametrize("name", GOLDENS)
def test_golden_pictures(name: str) -> None:
    check(GOLDEN / f"{name}.png", GOLDENS[name]())


def test_no_golden_is_left_over() -> None:
    assert {path.stem for path in GOLDEN.glob("*.png")} == set(GOLDENS)


def test_the_comparison_can_fail() -> None:
    exhibit = next(shown for shown in SHOWN if shown.name == "duel")
    board = exhibit.board
    columns = list(board.columns)
    number = Tile(8, 3).row * board.cols + 3
    columns[number] = replace(columns[number], level=columns[number].level + 1)
    changed = replace(exhibit, board=replace(board, columns=tuple(columns)))
    golden = (DOCS / "pictures" / "duel.png").read_bytes()
    assert difference(golden, picture(changed)) > LIMIT
    assert difference(golden, golden) == 0
    small = io.BytesIO()
    Image.new("RGB", (3, 3)).save(small, "PNG")
    assert difference(golden, small.getvalue()) == 1


def test_the_story_is_the_first_comment() -> None:
    assert story_of("forge 1\n\n# One.\n# Two.\nmap\n# Not this.\n") == "One. Two."
    assert story_of("forge 1\n") == ""

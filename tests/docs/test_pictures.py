"""Pictures of the docs show what the program is now, by the record of what each was made from."""

import io
import re

import pytest
from PIL import Image, ImageChops, ImageStat

from falldamage_forge import presets
from falldamage_forge.cli.commands.gallery import COVER, PHOTO_SCALE
from falldamage_forge.cli.map_argument import FORGE
from falldamage_forge.cli.stock_options import printed_parts
from falldamage_forge.presets import DEFAULT_STYLE
from falldamage_forge.render.raster3d.board_scene import board_photo
from tests.amount import some
from tests.cli.running import ROOT
from tests.docs.pages import PAGES
from tests.docs.pictures import COMMAND, FOLDER, digest, pictures, recorded

NAMES = sorted(pictures())
PHOTOS = ["duel.jpg", "cover.jpg"]
PHOTOS += [f"{name}.jpg" for name in presets.names("maps") if name != "duel"]
LIMIT = 1.0
"""Greatest mean difference of a photograph's levels, of 255."""


def test_every_picture_is_recorded_and_shown() -> None:
    there = {
        path.relative_to(FOLDER).as_posix()
        for path in FOLDER.rglob("*")
        if path.suffix in (".png", ".jpg")
    }
    text = "\n".join(page.read_text("utf-8") for page in PAGES)
    shown = set(re.findall(r"pictures/([\w/-]+\.(?:png|jpg))\)", text))
    assert there == set(NAMES) == recorded().keys() == shown


@pytest.mark.parametrize("name", NAMES)
def test_picture_was_written_by_its_command(name: str) -> None:
    kept = recorded()[name][1]
    assert kept == digest((FOLDER / name).read_bytes()), f"run `{COMMAND} {name}`"


@pytest.mark.parametrize("name", NAMES)
def test_picture_is_not_older_than_what_it_shows(name: str) -> None:
    shows = digest(pictures()[name]().encode())
    path = (FOLDER / name).relative_to(ROOT)
    assert recorded()[name][0] == shows, f"{path} is old: run `{COMMAND} {name}`, and look at it"


@pytest.mark.parametrize(
    "name", some(["duel.jpg", *(one for one in PHOTOS if one != "duel.jpg")], 1)
)
def test_photograph_shows_the_parts_as_they_are(name: str) -> None:
    of, style, tops = COVER if name == "cover.jpg" else (name[:-4], DEFAULT_STYLE, "")
    parts = printed_parts(FORGE.load(of), style_name=style)
    shot = (parts.plan.placements, parts.meshes, parts.printer)
    now = Image.open(io.BytesIO(board_photo(*shot, scale=PHOTO_SCALE, form="jpeg", tops=tops)))
    kept = Image.open(FOLDER / name)
    assert kept.size == now.size
    apart = ImageChops.difference(now.convert("RGB"), kept.convert("RGB")).convert("L")
    assert ImageStat.Stat(apart).mean[0] < LIMIT, f"run `{COMMAND} {name}`, and look at it"


def test_changed_map_makes_its_pictures_old(monkeypatch: pytest.MonkeyPatch) -> None:
    before = {name: pictures()[name]() for name in ("duel.png", "duel.jpg", "studio.jpg")}
    own = FORGE.load("duel").text.replace("ladder E4 -> D4", "ladder E4 -> F4")
    changed = FORGE.loads(own, "duel.forge")
    monkeypatch.setattr("tests.docs.pictures.FORGE.load", lambda name: changed)
    assert pictures()["duel.png"]() != before["duel.png"]
    assert pictures()["duel.jpg"]() != before["duel.jpg"]
    assert pictures()["studio.jpg"]() == before["studio.jpg"]

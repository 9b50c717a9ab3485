"""A shop's folder: pictures of the right sizes, a true text, and everything in one zip."""

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from PIL import Image

import falldamage_forge as ff
from falldamage_forge.cli import cli
from falldamage_forge.export.shop_page import LICENSES, SHOPS, license_lines
from falldamage_forge.render import shop_pictures
from falldamage_forge.render.palette import group_colour
from falldamage_forge.render.raster3d.renderer import ColoredMesh
from tests.cli.running import SMALL as RUNNING_SMALL
from tests.cli.running import typed
from tests.render.test_photo import SLAB, box

pytestmark = pytest.mark.long  # they share a published folder

SMALL = RUNNING_SMALL.format(tower="D4").replace(
    "board 10x10", 'title "Small"\nauthor "A. Player"\nlicense "CC-BY-4.0"\nboard 10x10'
)


LITTLE = {"1x1": (60, 60), "4x3": (80, 60), "16x9": (96, 54)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("shop")
    (place / "small.forge").write_text(SMALL, "utf-8")
    photo = Image.new("RGB", (60, 40), "red")
    photo.save(place / "mine.png")
    words = ["publish", str(place / "small.forge"), "-o", str(place / "page")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shop_pictures, "COVERS", LITTLE)
        patch.setattr(shop_pictures, "SIDE_PX", (80, 60))
        patch.setattr(shop_pictures, "TURN_PX", (64, 48))
        patch.setattr(shop_pictures, "FRAMES", 3)
        run = CliRunner().invoke(cli, [*words, "--photo", str(place / "mine.png")])
    assert run.exit_code == 0, run.output
    assert "license" not in run.output and "photograph" not in run.output
    return place / "page"


def test_covers_have_their_ratio_and_sides_differ(folder: Path) -> None:
    for ratio, size in LITTLE.items():
        assert Image.open(folder / f"cover-{ratio}.jpg").size == size
    for ratio, (wide, high) in shop_pictures.COVERS.items():
        assert f"{wide * 9 // high}" == {"1x1": "9", "4x3": "12", "16x9": "16"}[ratio]
    sides = {(folder / f"side-{name}.jpg").read_bytes() for name in shop_pictures.SIDES}
    assert len(sides) == len(shop_pictures.SIDES)


def test_the_turning_pictures_turn_without_end(folder: Path) -> None:
    for name in ("turn.gif", "turn.webp"):
        picture = Image.open(folder / name)
        assert (picture.size, picture.n_frames, picture.info["loop"]) == ((64, 48), 3, 0)


def test_the_zip_holds_every_file_of_the_folder(folder: Path) -> None:
    files = {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}
    with zipfile.ZipFile(folder / "small.zip") as package:
        assert package.testzip() is None
        assert set(package.namelist()) == files - {"small.zip"}
        for name in package.namelist():
            if name != "manifest.json":
                assert package.read(name) == (folder / name).read_bytes()
    assert {"files/project.3mf", "files/build.pdf", "files/small.forge"} <= files
    assert Image.open(folder / "photos" / "photo.jpg").format == "JPEG"


def test_the_text_tells_the_figures_of_the_build(folder: Path) -> None:
    text = (folder / "page.md").read_text("utf-8")
    built = ff.build(ff.load(folder.parent / "small.forge"))
    assert f"{sum(row.quantity for row in built.rows)} parts on {len(built.plates)} plates" in text
    assert "# Small by A. Player" in text
    for shop in SHOPS:
        assert f"- {shop}: Creative Commons - Attribution\n" in text


def test_the_report_leads_phones_to_the_scenes_beside_it(folder: Path) -> None:
    page = (folder / "files" / "report.html").read_text("utf-8")
    for end in ("glb", "usdz"):
        assert f'href="small.{end}"' in page and (folder / "files" / f"small.{end}").is_file()


@pytest.mark.parametrize("name", [*LICENSES, "", "MIT"])
def test_each_license_has_a_line_for_each_shop(name: str) -> None:
    lines = license_lines(name)
    offered = LICENSES.get(name, {})
    assert sum("does not offer" in line for line in lines) == (
        len(SHOPS) - len(offered) if name else 0
    )


def test_the_table_turns_about_its_middle_and_keeps_its_size() -> None:
    tower = ColoredMesh(box((40, 40, 2), (60, 60, 40)), "#ff0000")
    first, half = shop_pictures.frames([SLAB, tower], 2)
    a, b = (np.asarray(Image.open(io.BytesIO(data)).convert("RGB"), int) for data in (first, half))
    assert np.abs(a - b).mean() < 2


def _share(picture: Image.Image, tone: str) -> float:
    """Share of a picture's pixels that are nearly the tone of `tone`, in any light, and vivid."""
    hue, vivid, light = np.asarray(picture.convert("RGB").convert("HSV"), int).transpose(2, 0, 1)
    wanted = int(Image.new("RGB", (1, 1), tone).convert("HSV").getpixel((0, 0))[0])  # type: ignore[index]
    off = np.abs((hue - wanted + 128) % 256 - 128)
    return float(((off < 12) & (vivid > 110) & (light > 70)).mean())


@pytest.fixture(scope="module")
def turn() -> shop_pictures.Turn:
    """Seven pictures of a grey table; all but the first one show eight discs of each side."""
    stones = ColoredMesh(box((0, 0, 0), (100, 100, 4)), "#b5ab9a")
    wall = ColoredMesh(box((20, 40, 4), (80, 60, 40)), "#8f8778")
    discs = [
        ColoredMesh(box((10 * col + 2, y, 4), (10 * col + 8, y + 6, 5)), colour)
        for col in range(1, 9)
        for y, colour in ((2, group_colour("blue")), (92, group_colour("red")))
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shop_pictures, "TURN_PX", (320, 240))
        bare = shop_pictures.frames([stones, wall], 1)
        return shop_pictures.turning([*bare, *shop_pictures.frames([stones, wall, *discs], 6)])


@pytest.mark.parametrize("side", ["red", "blue"])
def test_a_side_keeps_its_colour_in_every_frame_of_the_gif(
    turn: shop_pictures.Turn, side: str
) -> None:
    gif, webp = Image.open(io.BytesIO(turn.gif)), Image.open(io.BytesIO(turn.webp))
    seen = 0
    for number in range(webp.n_frames):
        gif.seek(number)
        webp.seek(number)
        there = _share(webp, group_colour(side))
        if there > 0.0005:
            seen += 1
            assert _share(gif, group_colour(side)) > 0.5 * there, f"frame {number}"
    assert seen >= 3, f"{side} is hardly seen at all"


@pytest.mark.parametrize("content", [b"", b"no picture", b"\x89PNG\r\n\x1a\n"])
def test_a_photograph_that_is_none_is_refused_before_the_work(
    content: bytes, tmp_path: Path
) -> None:
    (tmp_path / "mine.png").write_bytes(content)
    run = typed("publish", "duel", "-o", "page", "--photo", "mine.png", cwd=tmp_path)
    assert run.returncode == 1
    assert "mine.png" in run.stderr and "Traceback" not in run.stderr
    assert not (tmp_path / "page").exists()

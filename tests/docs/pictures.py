"""Every picture of `docs/`, and the screens' contact sheets: one command writes them all.

`python -m tests.docs.pictures` makes all anew, `python -m tests.docs.pictures studio.jpg` one;
those of the studio need Chromium. `made-from.json` beside the pictures keeps two digests of each:
of what it shows, and of its own bytes. What it shows is cheap to compute without the picture:

- a drawing: its shapes;
- a photograph, and a sheet of pieces: the placed pieces, the style, the printer, the tops. The
  meshes are left out: `test_pictures.py` and `tests/geometry/test_pieces_page.py` draw some anew;
- the studio's page: the map. `tests/studio/test_screens.py` compares the page with small pictures.
"""

import hashlib
import io
import json
import os
import subprocess
import sys
import tempfile
import tomllib
from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from PIL import Image

from falldamage_forge import presets
from falldamage_forge.cli import cli
from falldamage_forge.cli.commands import gallery
from falldamage_forge.library.forge import Forge
from falldamage_forge.presets import DEFAULT_STYLE
from falldamage_forge.render import contact_sheets
from falldamage_forge.render.isometric import isometric
from falldamage_forge.render.svg import svg
from tests.cli.running import ROOT
from tests.models.gallery import GALLERY, saved
from tests.studio.screens import SIZES, reach, studio, turns
from tests.studio.test_page import Page
from tests.studio.written import desk, pages

FOLDER = ROOT / "docs" / "pictures"
SHEETS = ROOT / "tests" / "studio" / "pictures"
RECORD = FOLDER / "made-from.json"
COMMAND = "python -m tests.docs.pictures"
FORGE = Forge()
PRINTER = "a1-mini"
SHOWN_MAP = "ashkeep"
"""Map of the studio's picture."""
ADOPTED = {
    "adopted.png": ("docs/models/ruin.obj",),
    "adopted-studs.png": ("docs/models/ruin.obj", "--studs"),
    "cut-model.png": ("docs/models/castle.obj", "--tiles", "7x3", "--studs"),
}
"""Words of `fdforge adopt` that draw a model on its joint: its file, then options."""
OWN_MODELS = "own-models.jpg"
"""Contact sheet of `tests/models/gallery.py`."""
SHEET_PX = {"desk": (200, 6), "small": (200, 6), "phone": (110, 11)}
"""Width of a screen on its contact sheet in pixels, and screens in a row."""
RUNS = (
    "tests/studio/test_first_minute.py::test_three_moves_lead_to_an_own_table_and_a_game",
    "tests/studio/test_everyone.py",
    "tests/studio/test_walk.py",
)
"""Tests that use the page as a person does, and leave a picture of each step."""
RUNS_S = 1800
"""Seconds that they may take together."""
RUN_PX, RUN_COLUMNS = 300, 8
"""Width of a picture of a run in pixels, half of it for a phone, and pictures in a row."""


def _text(kind: str, name: str) -> str:
    return presets.path(kind, name).read_text("utf-8")


# -- what a picture shows ------------------------------------------------------------------------


def _printer() -> str:
    """The printer's table without its rates and its other nozzles, which no picture shows."""
    table = tomllib.loads(_text("printers", PRINTER))
    return repr({key: value for key, value in table.items() if key not in ("estimate", "nozzles")})


def _drawing(kind: str, name: str) -> str:
    map_ = FORGE.load(name)
    grid = {"grid": map_.grid} if kind == "tables" else {}
    return svg(isometric(map_.board, title=map_.title, **grid))


def _photo(name: str, style: str = DEFAULT_STYLE, tops: str = "") -> str:
    placements = FORGE.plan(FORGE.load(name)).placements
    scale = str(gallery.PHOTO_SCALE)
    parts = (_text("styles", style), _printer(), tops, scale, repr(placements))
    return "\n".join(parts)


def _pieces(name: str) -> str:
    catalogue = presets.load_catalogue()
    families = contact_sheets.SHEETS.get(name)
    shown = [
        repr(piece)
        for key, piece in sorted(catalogue.pieces.items())
        if families is None or piece.family in families
    ]
    styles = [_text("styles", style) for style in gallery.STYLES]
    return "\n".join([_printer(), *styles, *shown])


def _adopted(words: tuple[str, ...]) -> str:
    return "\n".join([*words[1:], (ROOT / words[0]).read_text("utf-8")])


def pictures() -> Mapping[str, Callable[[], str]]:
    """Return what each picture of the folder shows, as a text, by the picture's path."""
    maps, tables = presets.names("maps"), presets.names("tables")
    return {
        **{f"{name}.png": partial(_drawing, "maps", name) for name in maps},
        **{f"{name}.jpg": partial(_photo, name) for name in maps},
        "cover.jpg": partial(_photo, *gallery.COVER),
        **{f"tables/{name}.png": partial(_drawing, "tables", name) for name in tables},
        **{f"pieces/{name}.png": partial(_pieces, name) for name in contact_sheets.names()},
        "studio.jpg": partial(_text, "maps", SHOWN_MAP),
        **{name: partial(_adopted, words) for name, words in ADOPTED.items()},
        OWN_MODELS: (ROOT / "tests" / "models" / "gallery.py").read_text,
    }


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def recorded() -> dict[str, list[str]]:
    """Return the two digests of each picture, of what it shows and of its bytes."""
    found: dict[str, list[str]] = json.loads(RECORD.read_text("utf-8"))
    return found


# -- making --------------------------------------------------------------------------------------


def studio_picture() -> bytes:
    """Return the studio with a map, its printed table, and the preview of a bridge."""
    with studio() as page:
        url = page.studio.url.replace("/#", "/?quality=high#")
        page.browser.open("about:blank", "true")
        page.browser.narrow(1280, 800)
        page.browser.open(url, "window.studio && studio.view.frames > 0")
        return _bridge(page)


def _bridge(page: Page) -> bytes:
    text = json.dumps(_text("maps", SHOWN_MAP))
    page.browser.run(f"studio.app.editor.put({text})")
    page.wait(
        "studio.app.sync.idle && studio.state.whole && studio.view.board?.cols === 10"
        " && document.querySelector('#totals dd')?.textContent"
        " && document.querySelectorAll('#measures li').length > 3"
    )
    page.browser.run(
        "(() => { studio.view.timed = 0; const on = document.querySelector('#printed');"
        " if (!on.checked) on.click(); })()"
    )
    page.wait("studio.view.mixed && studio.view.drawnTiles.size === 0", seconds=600)
    page.browser.run("studio.view.home()")
    page.choose("bridge")
    page.click(8, 4, 2)
    page.mouse("mouseMoved", page.resting(lambda: page.spot(6, 4, 2)))
    page.wait("studio.state.ghost?.known && !studio.state.ghost.why && !studio.view.waiting")
    return _jpeg(Image.open(io.BytesIO(page.browser.screenshot())), 90)


def _jpeg(picture: Image.Image, quality: int) -> bytes:
    stream = io.BytesIO()
    picture.convert("RGB").save(stream, "JPEG", quality=quality, optimize=True)
    return stream.getvalue()


def screens() -> dict[str, bytes]:
    """Return the contact sheet of each size: every screen and page, in both themes by turns."""
    taken: dict[str, list[Image.Image]] = {size: [] for size in SIZES}
    with studio() as page:
        for look in turns():
            if look.size in SIZES:
                reach(page, look)
                taken[look.size].append(_taken(page.browser.screenshot(), SHEET_PX[look.size][0]))
    with desk() as reader:
        for look in pages():
            reader.reach(look)
            taken[look.size].append(_taken(reader.browser.screenshot(), SHEET_PX[look.size][0]))
    return {f"sheet-{size}.jpg": _sheet(shots, SHEET_PX[size][1]) for size, shots in taken.items()}


def runs() -> dict[str, bytes]:
    """Return the contact sheet of each run of a person: by fingers, by keys, at the site."""
    taken = defaultdict[str, list[Image.Image]](list)
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-k", "not de-", *RUNS]
        env = {**os.environ, "FORGE_SHOW": folder}
        subprocess.run(words, check=True, cwd=ROOT, env=env, timeout=RUNS_S)
        for path in sorted(Path(folder).iterdir()):
            run = path.stem.partition("-")[2].replace(" ", "-")
            wide = RUN_PX if "desk" in run or "small" in run else RUN_PX // 2
            taken[run].append(_taken(path.read_bytes(), wide))
    return {f"run-{run}.jpg": _sheet(shots, RUN_COLUMNS) for run, shots in taken.items()}


def _taken(picture: bytes, wide: int) -> Image.Image:
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    return image.resize((wide, wide * image.height // image.width), Image.Resampling.LANCZOS)


def _sheet(shots: list[Image.Image], columns: int) -> bytes:
    wide, high = shots[0].width + 4, shots[0].height + 4
    whole = Image.new("RGB", (wide * columns, high * -(-len(shots) // columns)), "#777777")
    for number, shot in enumerate(shots):
        whole.paste(shot, (number % columns * wide + 2, number // columns * high + 2))
    return _jpeg(whole, 70)


def _own_models() -> bytes:
    """Return each model of the gallery on its joint, five in a row."""
    side = 240
    whole = Image.new("RGB", (side * 5, side * -(-len(GALLERY) // 5)), "#ffffff")
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, shown) in enumerate(GALLERY.items()):
            drawn = Path(folder, f"{name}.png")
            words = [
                "adopt",
                str(saved(name, Path(folder), coarse=True)),
                *shown.words,
                "-o",
                str(drawn),
            ]
            cli.main(words, standalone_mode=False)
            image = Image.open(drawn).convert("RGB").resize((side, side), Image.Resampling.LANCZOS)
            whole.paste(image, (number % 5 * side, number // 5 * side))
    return _jpeg(whole, 80)


def record(names: list[str]) -> None:
    """Keep what pictures show now, and their bytes; those that are gone are forgotten."""
    known, shows = recorded() if RECORD.exists() else {}, pictures()
    for name in names:
        known[name] = [digest(shows[name]().encode()), digest((FOLDER / name).read_bytes())]
    rows = [f'"{name}": {json.dumps(known[name])}' for name in sorted(known) if name in shows]
    RECORD.write_text("{\n" + ",\n".join(rows) + "\n}\n", "utf-8")


def main(names: list[str]) -> None:
    """Write pictures, all without names, and the record."""
    wanted = names or [*pictures(), "screens", "runs"]
    for name in [name for name in wanted if name in ADOPTED]:
        file, *options = ADOPTED[name]
        words = ["adopt", str(ROOT / file), *options, "-o", str(FOLDER / name)]
        cli.main(words, standalone_mode=False)
    if drawn := [
        x for x in wanted if x not in ("studio.jpg", "screens", "runs", OWN_MODELS, *ADOPTED)
    ]:
        with tempfile.TemporaryDirectory() as folder:
            for page in (ROOT / "docs").glob("*.md"):
                (Path(folder) / page.name).write_bytes(page.read_bytes())
            cli.main(["gallery", "-o", folder], standalone_mode=False)
            for name in drawn:
                (FOLDER / name).write_bytes((Path(folder) / "pictures" / name).read_bytes())
            if not names:
                for name in ("gallery.md", "pieces.md", "tables.md"):
                    (ROOT / "docs" / name).write_bytes((Path(folder) / name).read_bytes())
    if OWN_MODELS in wanted:
        (FOLDER / OWN_MODELS).write_bytes(_own_models())
    if "studio.jpg" in wanted:
        (FOLDER / "studio.jpg").write_bytes(studio_picture())
    for name, sheets in (("screens", screens), ("runs", runs)):
        if name in wanted:
            for file, data in sheets().items():
                (SHEETS / file).write_bytes(data)
    record([name for name in wanted if name not in ("screens", "runs")])


if __name__ == "__main__":
    main(sys.argv[1:])

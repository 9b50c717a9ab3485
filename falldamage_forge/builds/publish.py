"""Folder for a shop's page: pictures, text, every file of the build, and one zip of them."""

from __future__ import annotations

import io
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from falldamage_forge.builds.model_pieces import model_facts
from falldamage_forge.export.piece_list import format_minutes
from falldamage_forge.export.shop_page import PHOTO_NOTE, ShopFacts, shop_page
from falldamage_forge.infra.artifacts import Artifact, manifest
from falldamage_forge.infra.process_pool import submit
from falldamage_forge.infra.progress import ProgressCallback, no_progress
from falldamage_forge.infra.version import FORGE_VERSION
from falldamage_forge.printing.supports import supported_keys
from falldamage_forge.render import shop_pictures
from falldamage_forge.render.scenes.glb import write_glb
from falldamage_forge.render.scenes.table_scene import table_scene
from falldamage_forge.render.scenes.usdz import MOST_TRIANGLES, write_usdz
from falldamage_forge.render.viewer_meshes import bodies, models_of

if TYPE_CHECKING:
    from falldamage_forge.builds.result import BuildResult


PACKED = (".3mf", ".gif", ".jpg", ".mp4", ".pdf", ".png", ".usdz", ".webp")
"""Ends of the names of files that deflating would not make smaller."""


def published(
    built: BuildResult,
    name: str,
    cards: bytes,
    photo: bytes | None = None,
    progress: ProgressCallback = no_progress,
) -> tuple[Artifact, ...]:
    """Return every file of the folder, the zip of all others and the manifest last.

    Args:
        built: The build.
        name: Name of the map and of the zip, a safe file name.
        cards: PDF of the unit cards; empty for games without cards.
        photo: JPEG of a real print; None leaves a place for it.
        progress: Progress callback.
    """
    files = [*_pictures(built, progress)]
    progress("writing the files of the build")
    made = built.artifacts(progress=progress, phone=name)
    files += [Artifact(f"files/{one.path}", one.data) for one in (*made, *_scenes(built, name))]
    files.append(Artifact(f"files/{name}.forge", built.checked.map.text.encode()))
    if cards:
        files.append(Artifact("files/cards.pdf", cards))
    files.append(Artifact("page.md", shop_page(_facts(built, photo is not None)).encode()))
    if photo is None:
        files.append(Artifact("photos/PUT-ONE-HERE.txt", PHOTO_NOTE.encode()))
    else:
        files.append(Artifact("photos/photo.jpg", photo))
    about = {"title": built.checked.layout.title, "tool": f"falldamage-forge {FORGE_VERSION}"}
    listed = manifest(files, about)
    progress("writing the zip")
    files.append(Artifact(f"{name}.zip", _zipped((*files, listed))))
    return (*files, manifest(files, about))


def _scenes(built: BuildResult, name: str) -> Iterator[Artifact]:
    """Yield the printed table for phones, beside the report that links to it."""
    placements, meshes = built.build.plan.placements, built.build.meshes
    title = built.checked.layout.title
    scene = table_scene(
        title,
        placements,
        meshes,
        built.printer,
        triangles=MOST_TRIANGLES,
        tops=built.build.options.tops,
    )
    yield Artifact(f"{name}.glb", write_glb(scene))
    yield Artifact(f"{name}.usdz", write_usdz(scene))


def _zipped(files: Iterable[Artifact]) -> bytes:
    """Return a zip of files; those that are packed already are stored."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as package:
        for one in files:
            entry = zipfile.ZipInfo(one.path)  # dated 1980: the same bytes on every day
            entry.compress_type = (
                zipfile.ZIP_STORED if one.path.endswith(PACKED) else zipfile.ZIP_DEFLATED
            )
            entry.external_attr = 0o644 << 16
            package.writestr(entry, one.data)
    return stream.getvalue()


def _pictures(built: BuildResult, progress: ProgressCallback) -> Iterator[Artifact]:
    build, map_ = built.build, built.checked.map
    pieces = build.plan.pieces()
    models = models_of(pieces, build.meshes, shop_pictures.DETAIL_MM)
    parts = bodies(models, build.plan.placements, built.printer, build.options.tops)
    progress("taking covers")
    tasks = {
        f"cover-{ratio}.jpg": submit(partial(shop_pictures.cover, parts, size))
        for ratio, size in shop_pictures.COVERS.items()
    }
    tasks |= {
        f"side-{name}.jpg": submit(partial(shop_pictures.side, parts, turn))
        for name, turn in shop_pictures.SIDES.items()
    }
    peopled = [*parts, *shop_pictures.figures(map_.board, map_.grid)]
    tasks["figures-for-size.jpg"] = submit(partial(shop_pictures.side, peopled, 30.0))
    for path, task in tasks.items():
        yield Artifact(path, task.result())
    pictures = []
    turned = shop_pictures.frames(parts, shop_pictures.FRAMES)
    for number, picture in enumerate(turned, start=1):
        progress(f"taking turn {number} of {shop_pictures.FRAMES}")
        pictures.append(picture)
    turn = shop_pictures.turning(pictures)
    yield Artifact("turn.gif", turn.gif)
    yield Artifact("turn.webp", turn.webp)
    film = _film(pictures)
    if film is not None:
        yield Artifact("turn.mp4", film)


def _film(pictures: list[bytes]) -> bytes | None:
    """Return an MP4 of pictures by ffmpeg; None without ffmpeg, or if it fails."""
    ffmpeg = shutil.which("ffmpeg")
    if ffmpeg is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        for number, picture in enumerate(pictures):
            (Path(folder) / f"{number:03d}.png").write_bytes(picture)
        rate = str(1000 // shop_pictures.FRAME_MS)
        words = [ffmpeg, "-v", "error", "-framerate", rate, "-i", f"{folder}/%03d.png"]
        words += ["-pix_fmt", "yuv420p", "-fflags", "+bitexact", f"{folder}/turn.mp4"]
        done = subprocess.run(words, check=False, capture_output=True, stdin=subprocess.DEVNULL)
        made = Path(folder) / "turn.mp4"
        return made.read_bytes() if done.returncode == 0 and made.exists() else None


def _facts(built: BuildResult, photo: bool) -> ShopFacts:
    build, layout, game = built.build, built.checked.layout, built.checked.position.game
    minutes = sum(figures.minutes for figures in build.figures)
    minutes += len(build.plates) * built.printer.start_minutes
    grams = sum(figures.grams for figures in build.figures)
    price = build.options.price
    return ShopFacts(
        layout.title or "A map",
        layout.author,
        layout.license,
        game.title,
        f"{layout.board.cols}x{layout.board.rows}",
        sum(row.quantity for row in build.rows),
        len(build.plates),
        grams,
        format_minutes(minutes),
        built.printer.label,
        price.text(grams) if price else "",
        tuple(sorted({group for plate in build.plates for group in plate.group.split("+")})),
        photo,
        model_facts(layout.models),
        tuple(sorted(supported_keys(build.pieces))),
    )

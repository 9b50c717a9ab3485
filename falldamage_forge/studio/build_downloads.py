"""Downloads of a studio: files of `fdforge build` as a zip, and the build sheets as a PDF."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import partial
from typing import TYPE_CHECKING

from falldamage_forge.infra.progress import no_progress
from falldamage_forge.studio.session import Session, map_of
from falldamage_forge.studio.shared_library import forge

if TYPE_CHECKING:
    from falldamage_forge.builds.result import BuildResult
    from falldamage_forge.infra.progress import ProgressCallback as Steps

Progress = Callable[[str, float], None]
"""Receives the current step, and the finished share of all steps."""


ZIP = "application/zip"
WHOLE = ("*",)
"""Patterns of all files of an export."""


def export(session: Session, progress: Progress, wanted: tuple[str, ...] = WHOLE) -> bytes:
    """Return files of `build` as a zip; the same map gives the same bytes.

    Args:
        session: The session.
        progress: Progress callback.
        wanted: Patterns of the paths of the files. Pictures are made for the whole export only.

    Raises:
        ForgeError: All issues of the map if it is not legal and playable.
    """
    import io
    import zipfile

    tell = progress_counter(session, progress)
    out = io.BytesIO()
    files = built_of(session, tell).artifacts(pictures=wanted == WHOLE, progress=tell)
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for artifact in files:
            if any(fnmatchcase(artifact.path, pattern) for pattern in wanted):
                entry = zipfile.ZipInfo(artifact.path)
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, artifact.data)
        for name, text in session.settings.files().items() if wanted == WHOLE else ():
            archive.writestr(zipfile.ZipInfo(name), text)
    return out.getvalue()


def sheets(session: Session, progress: Progress) -> bytes:
    """Return the build sheets as a PDF; ForgeError as `export`.

    Args:
        session: Session of the map.
        progress: Takes the finished share, 0 to 1.
    """
    from falldamage_forge.render.build_sheets import first_looks, thumbs
    from falldamage_forge.render.build_sheets import sheets as drawn
    from falldamage_forge.render.isometric_models import seen_models
    from falldamage_forge.render.raster3d.board_scene import page_photo

    tell = progress_counter(session, progress)
    built = built_of(session, tell)
    build, layout = built.build, built.checked.layout
    tell("drawing the board")
    tops = build.options.tops
    photo = page_photo(build.plan.placements, build.meshes, built.printer, tops)
    tell("drawing the pieces")
    pictures = thumbs(first_looks(build.plan.pieces()), build.meshes)
    return drawn(
        layout.title or "A map",
        layout.board,
        build.plan.placements,
        pictures,
        photo=photo,
        tops=tops,
        language=session.language,
        ways=build.ways.words() if build.ways else {},
        models=seen_models(build.plan.placements, build.meshes, built.printer),
    )


def progress_counter(session: Session, progress: Progress) -> Steps:
    """Return a progress callback that estimates the share of finished steps.

    Args:
        session: Session of the map.
        progress: Takes the finished share, 0 to 1.
    """
    kinds = len(forge().plan(map_of(session)).pieces())
    total = 2.4 * kinds + 10  # each piece is made and written; plates are fewer
    steps = 0

    def tell(what: str, done: int = 0, of: int = 0) -> None:
        nonlocal steps
        steps += 1
        told = f"{what} ({done} of {of})" if of else what
        progress(told, round(min(0.99, steps / total), 3))

    return tell


def built_of(session: Session, on_step: Steps = no_progress) -> BuildResult:
    """Return the build of the session's map under its settings; ForgeError as `export`.

    Args:
        session: Session of the map.
        on_step: Takes each step of the build.
    """
    wished = session.settings
    return forge().build(
        map_of(session),
        wished.printer or None,
        replace(wished.options(), language=session.language),
        on_step,
        wished.process or None,
    )


DOWNLOADS: dict[str, tuple[Callable[[Session, Progress], bytes], str]] = {
    "zip": (export, ZIP),
    "plates": (partial(export, wanted=("plates/*",)), ZIP),
    "project": (partial(export, wanted=("project*.3mf", "settings/*")), ZIP),
    "sheets": (sheets, "application/pdf"),
}
"""Downloads by name, with their media types."""

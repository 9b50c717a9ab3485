"""What `build` lays beside the STL files: pictures, the report and the build sheets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from falldamage_forge.cli.common import show_progress

if TYPE_CHECKING:
    from falldamage_forge.assemble import Build
    from falldamage_forge.export.artifacts import Artifact
    from falldamage_forge.issues import Issue
    from falldamage_forge.lang import Layout
    from falldamage_forge.printing.printer import Printer


def picture_artifacts(
    layout: Layout,
    issues: tuple[Issue, ...],
    build: Build,
    printer: Printer,
    source: tuple[str, str],
) -> tuple[Artifact, ...]:
    """`board.png`, `map.png`, `report.html`, `build.pdf`; `source` is the map's name and text."""
    from falldamage_forge.cli.report import report_data
    from falldamage_forge.export.artifacts import Artifact
    from falldamage_forge.render.isometric import isometric
    from falldamage_forge.render.report import report
    from falldamage_forge.render.sheets import sheets, thumbs
    from falldamage_forge.render.svg import png
    from falldamage_forge.render.topdown import topdown

    board, title = layout.board, layout.title
    show_progress("drawing the board")
    files = [
        Artifact("board.png", png(isometric(board, title=title))),
        Artifact("map.png", png(topdown(board, title=title))),
    ]
    show_progress("writing the report")
    data = report_data(layout, issues, build, printer, source)
    files.append(Artifact("report.html", report(data).encode()))
    show_progress("writing the build sheets")
    pictures = thumbs(build.plan.pieces(), build.meshes)
    pdf = sheets(title or "A map", board, build.plan.placements, pictures)
    files.append(Artifact("build.pdf", pdf))
    return tuple(files)

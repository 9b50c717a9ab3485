"""Downloads of a page without a server: the files of a build, written from the site's meshes.

`Download` lists the meshes that it needs; `page/site/worker.js` loads them, and `write` makes the
file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

from falldamage_forge.languages.translator import spoken
from falldamage_forge.studio.build_downloads import built_of
from falldamage_forge.studio.protocol import message

if TYPE_CHECKING:
    from falldamage_forge.builds.result import BuildResult
    from falldamage_forge.export.piece_list import ListRow
    from falldamage_forge.export.zip_writer import Content
    from falldamage_forge.geometry.mesh import Mesh
    from falldamage_forge.studio.session import Session

NAME = "map.forge"
SHEETS = "build.html"
MISSING = "missing.txt"
LACKS = {
    "board.png": "a page does not load the renderer of photographs",
    "map.png": "a page does not load the renderer of pictures",
    "report.html": "its pictures need the same renderers",
    "hands.pdf": "a page writes no PDF: `fdforge build` draws how parts go together",
    "build.pdf": f"a page writes no PDF: {SHEETS} has the same steps",
    "plates/*.stl": "plates/*.3mf hold the same parts at the same places",
    "project*.3mf": "a project is made for one slicer; open the files of plates/ in any",
    "settings/*": "a page does not load the profiles of slicers",
    "manifest.json": "it lists the files of `fdforge build`",
}
"""Files of `fdforge build` that the zip of a page lacks, as patterns, and the reason of each."""
DIVIDED, DRAWN = 0.1, 0.2
"""Finished shares after the division into blocks, and after the build sheets."""


class Download:
    """A download that is being made; `write` sets its `data`."""

    def __init__(self, session: Session, kind: str) -> None:
        """Start a download of `zip`, of `plates`, or of `sheets`, the build sheets alone."""
        self.session, self.kind = session, kind
        self.name = SHEETS if kind == "sheets" else ""
        self.media_type = "text/html" if kind == "sheets" else "application/zip"
        self.data = b""

    def plan(self) -> Iterator[dict[str, Any]]:
        """Divide the map, draw its sheets, then yield the addresses of the meshes.

        Raises:
            ForgeError: All issues of the map if it is not legal and playable.
        """
        yield self._progress("dividing columns into blocks", DIVIDED)
        self.built = built_of(self.session)
        if self.kind != "plates":
            yield self._progress("writing the build sheets", DRAWN)
            self.sheets = _sheets(self.built)
        rows = self.built.rows if self.kind != "sheets" else ()
        self.printed = [row for row in rows if row.quantity]
        needed = [self._address(row) for row in self.printed]
        yield message("files", of=self.kind, meshes=needed)

    def write(self, meshes: Mapping[str, bytes]) -> Iterator[dict[str, Any]]:
        """Yield the progress of writing the file; `data` has it at the end.

        Args:
            meshes: Encoded meshes by the addresses of `plan`.
        """
        from falldamage_forge.builds.output_files import plate_contents
        from falldamage_forge.export.mesh_codec import decode_mesh
        from falldamage_forge.export.print_service_order import piece_file
        from falldamage_forge.export.threemf import write_plate
        from falldamage_forge.export.zip_writer import CompressedSegment, write_zip
        from falldamage_forge.geometry.stl import write_plain_stl

        if self.kind == "sheets":
            self.data = self.sheets.encode()
            return
        build = self.built.build
        whole = self.kind == "zip"
        files: dict[str, Content] = {
            name: (CompressedSegment(text),)
            for name, text in sorted(self._texts().items() if whole else ())
        }
        read = {}
        steps = len(self.printed) + len(build.plates)
        for done, row in enumerate(self.printed):
            yield self._written(row.piece, done / steps)
            mesh = read[row.piece] = decode_mesh(meshes[self._address(row)])
            if whole:
                files[piece_file(row)] = (CompressedSegment(write_plain_stl(mesh, row.piece)),)
        # Plates ask a mesh for its numbers and its bounds only.
        contents = plate_contents(build, cast("dict[str, Mesh]", read))
        for done, plate in enumerate(build.plates, start=len(self.printed)):
            yield self._written(plate.name, done / steps)
            files[f"plates/{plate.name}.3mf"] = write_plate(plate, contents)
        self.data = write_zip(files)

    def _address(self, row: ListRow) -> str:
        return f"stl/{self.session.settings.style}/{row.piece}"

    def _progress(self, what: str, share: float) -> dict[str, Any]:
        return message("progress", of=self.kind, what=what, share=share)

    def _written(self, what: str, share: float) -> dict[str, Any]:
        return self._progress(f"writing {what}", DRAWN + (1 - DRAWN) * share)

    def _texts(self) -> dict[str, str]:
        """Return the texts of the zip by name."""
        from falldamage_forge.builds.output_files import plan_notes, plate_table
        from falldamage_forge.export.piece_list import csv_bytes, list_json
        from falldamage_forge.export.print_service_order import order_csv

        session, build, rows = self.session, self.built.build, self.built.rows
        price = build.options.price
        listed = list_json(rows, plate_table(build), price, **plan_notes(build))
        return {
            NAME: session.text,
            SHEETS: self.sheets,
            "README.txt": _spoken_lines(_about(self.built), session.language),
            MISSING: _spoken_lines(_missing(), session.language),
            "pieces.csv": csv_bytes(rows, price).decode(),
            "pieces.json": listed.decode(),
            "order.csv": order_csv(rows, build.sizes).decode(),
            **session.settings.files(),
        }


def _sheets(built: BuildResult) -> str:
    from falldamage_forge.render.build_sheets import sheets
    from falldamage_forge.render.html_pages import HtmlPages

    layout = built.checked.layout
    build, title = built.build, layout.title or "A map"
    placements, tops = build.plan.placements, build.options.tops
    language = build.options.language
    page = sheets(title, layout.board, placements, {}, kind=HtmlPages, tops=tops, language=language)
    return page.decode()


def _spoken_lines(lines: Iterable[str], language: str) -> str:
    """Return the text of a file, its lines in a language."""
    return "".join(f"{line}\r\n" for line in map(spoken(language), lines))


def _missing() -> Iterator[str]:
    """Yield the lines that list the missing files."""
    yield f"`fdforge build {NAME}` writes these files too:"
    yield ""
    yield from (f"{name}: {reason}" for name, reason in LACKS.items())


def _about(built: BuildResult) -> tuple[str, ...]:
    """Return the lines of the zip's readme: what each file is for."""
    printer, cover = built.printer, built.build.cover
    proved = "no other needs less" if cover and cover.proved else "another may need a little less"
    return (
        built.checked.map.title,
        "",
        "pieces/NAME_xN.stl: print each so many times as it lies there; units are millimetres.",
        "plates/NAME.3mf: the same parts where they lie on the bed, plate by plate.",
        f"{SHEETS}: open it in a browser and print it; it tells step by step what goes where.",
        "pieces.csv, pieces.json, order.csv: what there is of everything.",
        f"{MISSING}: files that `fdforge build` writes too, and why they are not here.",
        f"Columns are divided into blocks by a search of ours: {proved}.",
        f"Figures are estimates for {printer.title}. The files have the gaps this page was made "
        f"with; `fdforge build {NAME}` makes them for any printer, with plates and projects.",
    )

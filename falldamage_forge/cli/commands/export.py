"""`fdforge export`: write the table for viewers, phones, painters and virtual tables."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from falldamage_forge.cli import option
from falldamage_forge.cli.map_argument import FORGE, file_stem, legal_map
from falldamage_forge.cli.progress_bar import show_progress
from falldamage_forge.cli.spoken_language import echo, echo_named, wished_say
from falldamage_forge.cli.stock_options import OWNED, owned_parts, printed_parts
from falldamage_forge.infra.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from falldamage_forge.cli.stock_options import PrintedParts
    from falldamage_forge.games.fall_damage.unit_cards import UnitCard
    from falldamage_forge.library.forge import Map
    from falldamage_forge.render.scenes.table_scene import TableScene
    from falldamage_forge.render.scenes.tabletop_simulator import Figure

Files = dict[str, bytes]
"""Content by the suffix of the file's name."""


@dataclass(frozen=True, slots=True)
class Export:
    """A format.

    Attributes:
        files: Makes its files.
        readers: Programs that read it.
        note: What it is for, or cannot tell.
        de: The note in German.
    """

    files: Callable[[ExportSource], Files]
    readers: str
    note: str
    de: str


@dataclass(frozen=True, slots=True)
class ExportSource:
    """Input of all formats: the map, its options, and the path without suffix."""

    map: Map
    owned: dict[str, int] | None
    style_name: str
    stem: str

    def parts(self) -> PrintedParts:
        """Return the plan and the meshes of the map."""
        return printed_parts(self.map, self.owned, self.style_name)

    def scene(self, parts: PrintedParts, triangles: int | None = None) -> TableScene:
        """Return the scene of parts, with at most `triangles` triangles if that can be.

        Args:
            parts: Planned parts with their meshes.
            triangles: Greatest number of triangles; None for all.
        """
        from falldamage_forge.render.scenes.table_scene import table_scene

        show_progress("writing the scene")
        placements = parts.plan.placements
        return table_scene(
            self.map.layout.title,
            placements,
            parts.meshes,
            parts.printer,
            triangles=triangles,
            tops=self.map.layout.printing.tops,
        )


def _glb(source: ExportSource) -> Files:
    from falldamage_forge.render.scenes.glb import write_glb

    return {".glb": write_glb(source.scene(source.parts()))}


def _usdz(source: ExportSource) -> Files:
    from falldamage_forge.render.scenes.usdz import MOST_TRIANGLES, write_usdz

    scene = source.scene(source.parts(), MOST_TRIANGLES)
    if scene.triangles > MOST_TRIANGLES:
        echo(
            f"warning: {scene.triangles} triangles; phones show at most {MOST_TRIANGLES}", err=True
        )
    return {".usdz": write_usdz(scene)}


def _obj(source: ExportSource) -> Files:
    from falldamage_forge.render.scenes.obj import write_mtl, write_obj

    scene = source.scene(source.parts())
    text = write_obj(scene, f"{source.stem}.mtl")
    return {".obj": text.encode(), ".mtl": write_mtl(scene).encode()}


def _tts(source: ExportSource) -> Files:
    from falldamage_forge.render.printed_cards import summary
    from falldamage_forge.render.rich_text import plain_text
    from falldamage_forge.render.scenes.tabletop_simulator import write_tts

    parts = source.parts()
    topics = summary() if _cards(source.map) else ()
    say = wished_say()
    cards = ([say(topic.title), *map(plain_text, map(say, topic.lines))] for topic in topics)
    rules = "\n\n".join(map("\n".join, cards))
    data = write_tts(
        source.scene(parts),
        parts.plan.placements,
        source.map.board,
        source.map.grid,
        _figures(source.map),
        rules,
    )
    return {".json": data}


def _uvtt(source: ExportSource) -> Files:
    from falldamage_forge.render.scenes.universal_vtt import write_uvtt

    return {".uvtt": write_uvtt(source.map.board, source.map.grid)}


def _figures(map_: Map) -> list[Figure]:
    """Return a figure of each card for each side; nameless ones for games without cards."""
    from falldamage_forge.render.palette import LIGHT, side_colour
    from falldamage_forge.render.printed_cards import card_text
    from falldamage_forge.render.scenes.tabletop_simulator import Figure

    cards, say = _cards(map_), wished_say()
    figures = []
    for number, zone in enumerate(reversed(map_.board.starts)):
        colour = side_colour(LIGHT, zone.side, number)
        texts = [(say(unit.title), card_text(unit, say)) for unit in cards]
        texts = texts or [(f"Figure {place + 1}", "") for place in range(len(zone.surfaces))]
        figures += [Figure(zone.side, colour, title, text) for title, text in texts]
    return figures


def _cards(map_: Map) -> list[UnitCard]:
    """Return the cards of the map's game; none for a game of other units."""
    from falldamage_forge.games.fall_damage.unit_cards import UnitCard

    game, _ = FORGE.game(map_)
    return [unit for unit in game.units.values() if isinstance(unit, UnitCard)]


EXPORTS = {
    "glb": Export(
        _glb,
        "glTF",
        "glTF for viewers, phones and Blender; true to size",
        de="glTF für Betrachter, Telefone und Blender; maßgetreu",
    ),
    "usdz": Export(
        _usdz,
        "iPhone and iPad",
        "for iPhone and iPad; true to size",
        de="für iPhone und iPad; maßgetreu",
    ),
    "obj": Export(
        _obj,
        "painters",
        "millimetres, z up, with its materials beside it",
        de="Millimeter, z nach oben, mit den Materialien daneben",
    ),
    "tts": Export(
        _tts,
        "Tabletop Simulator",
        "a save for Tabletop Simulator, of its built-in blocks; put it into its folder Saves. "
        "It fits the schema of public saves, and is not yet seen in the game",
        de="ein Spielstand für Tabletop Simulator, aus dessen eigenen Blöcken; lege ihn in den "
        "Ordner Saves. Er hat die Form öffentlicher Spielstände und ist im Spiel noch nicht "
        "erprobt",
    ),
    "uvtt": Export(
        _uvtt,
        "flat virtual tables",
        "the plan with its grid, for Foundry, Fantasy Grounds or Roll20. The format has no "
        "heights: levels are printed on the tiles, and walls are left out",
        de="der Plan mit seinem Raster, für Foundry, Fantasy Grounds oder Roll20. Das Format hat"
        " keine Höhen: sie stehen auf den Feldern, und Wände fehlen",
    ),
}
REFUSED = {
    "step": "a STEP file of meshes has one face for each triangle, and no program can edit it; "
    "share the map's text, or the STL files of `fdforge build`",
}
"""Formats that are not written, with the reason."""


def _format(ctx: click.Context, param: click.Parameter, value: str) -> str:
    """Return the name of a format in lower case; refuse formats that are not written."""
    name = value.lower().lstrip(".")
    if name in REFUSED:
        raise click.BadParameter(f"{name} is not written: {REFUSED[name]}", ctx, param)
    if name not in EXPORTS:
        known = ", ".join(EXPORTS)
        raise click.BadParameter(f"`{value}` is no format; there are {known}", ctx, param)
    return name


HELP = f"""Write MAP as it is printed, for other programs: viewers, phones, virtual tables.

Formats: {", ".join(f"{name} ({export.readers})" for name, export in EXPORTS.items())}. Parts are
coloured by their filaments and named by their tile.
"""


@partial(option.command, help=HELP)
def command(
    map_name: str = option.MAP,
    form: str = option.text(
        "Format of the file.",
        "--to",
        required=True,
        callback=_format,
        metavar=f"[{'|'.join(EXPORTS)}]",
        de="Format der Datei.",
    ),
    output: Path | None = option.output(
        "Output file.  [default: MAP.FORMAT; tts: TS_Save_MAP.json]",
        de="Ausgabedatei.  [Standard: MAP.FORMAT; tts: TS_Save_MAP.json]",
    ),
    style_name: str = option.STYLE.but("Style of the surfaces.", de="Stil der Oberflächen."),
    tops: str | None = option.TOPS,
    owned: dict[str, Any] = OWNED,
) -> None:
    """Write the files of a map in a format."""
    from falldamage_forge.infra.atomic_write import write_file

    name = file_stem(map_name)
    default = Path(f"TS_Save_{name}.json" if form == "tts" else f"{name}.{form}")
    target = option.output_path(output, default)
    map_ = legal_map(map_name).with_tops(tops)
    source = ExportSource(map_, owned_parts(**owned), style_name, target.stem)
    files = EXPORTS[form].files(source)
    show_progress("")
    for number, (suffix, data) in enumerate(files.items()):
        path = target if number == 0 else target.with_suffix(suffix)
        write_file(path, data)
        echo(f"{path} ({len(data) / 1000:.0f} kB)")
    echo_named(form, EXPORTS[form].note, de=EXPORTS[form].de)

"""`fdforge adopt`: put a model of others on the joint, and write its block."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from falldamage_forge.cli import option
from falldamage_forge.cli.map_argument import FORGE, stop_on_errors
from falldamage_forge.cli.spoken_language import echo
from falldamage_forge.infra.user_paths import resolved
from falldamage_forge.issues import refuse
from falldamage_forge.lang.model_block import MAX_TILES, UNITS
from falldamage_forge.lengths import GRID, PrintGrid

if TYPE_CHECKING:
    from falldamage_forge.builds.adoption import Adoption
    from falldamage_forge.library.forge import Map

_TILES = re.compile("([1-9])x([1-9])")


@option.command
def command(
    file: Path = option.argument("FILE", type=option.FILE),
    words: tuple[str, ...] = option.argument("[at TILE]", nargs=-1),
    tiles: str | None = option.text(
        "Tiles that it covers, columns x rows (default: those that suit it).",
        metavar="CxR",
        de="Felder, die es bedeckt, Spalten x Reihen (Standard: die passenden).",
    ),
    scale: str = option.text(
        "Scale: fit, 28/32, 1in, none, or such as 50%.",
        metavar="SCALE",
        default="fit",
        de="Maßstab: fit, 28/32, 1in, none, oder etwa 50%.",
    ),
    unit: str | None = option.choice(
        UNITS,
        "Unit of the file's numbers (default: guessed).",
        de="Einheit der Zahlen der Datei (Standard: geschätzt).",
    ),
    turn: str = option.choice(
        ("0", "90", "180", "270"),
        "Clockwise turn in degrees, seen from above.",
        default="0",
        de="Drehung im Uhrzeigersinn in Grad, von oben gesehen.",
    ),
    flip: bool = option.flag("Turn it upside down.", de="Stelle es auf den Kopf."),
    studs: bool = option.flag(
        "Give tops the stone on which bridges and ladders hold.",
        de="Gib ebenen Flächen den Stein, auf dem Brücken und Leitern halten.",
    ),
    name: str | None = option.text(
        "Name in the map (default: the file's).",
        metavar="NAME",
        de="Name in der Karte (Standard: der der Datei).",
    ),
    license: str = option.text(
        "Licence of the file, such as CC-BY-4.0.",
        metavar="TEXT",
        default="",
        de="Lizenz der Datei, etwa CC-BY-4.0.",
    ),
    output: Path | None = option.output(
        "Picture of it on its joint: a .png.", de="Bild von ihm auf seiner Verbindung: ein .png."
    ),
    map_name: str | None = option.MAP_OPTION.but(
        "Map that gets the block, and with --at the model.",
        de="Karte, die den Block bekommt, und mit --at das Modell.",
    ),
    at: str | None = option.text(
        "With --map: tile of its north-west corner.",
        metavar="TILE",
        de="Mit --map: Feld seiner Nordwestecke.",
    ),
    as_json: bool = option.JSON,
) -> None:
    """Measure FILE, a model of others, and write the block with which a map uses it.

    FILE is an STL, OBJ, PLY, 3MF or GLB of at most 200 MB and 2 million triangles. The command
    repairs it, lists the scales that fit, and finds the height at which a base of 25 mm stands on
    each of its tiles. `--map MAP at TILE` puts the model into a map.
    """
    from falldamage_forge.builds.adoption import adopt, as_table, model_name, report_lines
    from falldamage_forge.lang.model_block import ModelBlock, block_lines, value_of

    try:
        value_of("scale", scale)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    size = _TILES.fullmatch(tiles) if tiles else None
    if tiles and (size is None or max(int(size[1]), int(size[2])) > MAX_TILES):
        raise click.UsageError(f"--tiles is columns x rows, at most {MAX_TILES}x{MAX_TILES}: 2x1")
    if words:
        if len(words) != 2 or words[0] != "at" or at:
            raise click.UsageError(f"after FILE only `at TILE` may stand, not `{' '.join(words)}`")
        at = words[1]
    if at and not map_name:
        raise click.UsageError("--at needs --map")
    if output is not None and output.suffix.lower() != ".png":
        raise click.UsageError("write the picture to a file that ends in .png")
    wished = ModelBlock(
        name or model_name(file),
        str(file),
        scale=scale,
        unit=unit or "",
        turn=int(turn),
        flip=flip,
        studs=studs,
        license=license,
    )
    map_ = FORGE.load(map_name) if map_name else None
    grid = map_.grid if map_ else GRID
    wanted = (int(size[1]), int(size[2])) if size else None
    found = adopt(file, wished, wanted, FORGE.printer(map_), grid)
    if output is not None:
        _draw(found, output, grid)
    lines = list(block_lines(found.block, file.name))
    if as_json:
        click.echo(json.dumps({**as_table(found), "block": "\n".join(lines)}, indent=2))
    else:
        for line in report_lines(found):
            echo(line, err=True)
    if map_ is not None:
        _put(map_, file, found, at)
    elif not as_json:
        click.echo("\n".join(lines))


def _draw(found: Adoption, output: Path, grid: PrintGrid) -> None:
    """Write the picture of a model on its joint, with its levels as discs."""
    from falldamage_forge.infra.atomic_write import write_file
    from falldamage_forge.render.model_picture import model_picture

    block = found.block
    tops = []
    for number, stands in enumerate(found.stands):
        if stands:
            stand = stands[0]
            by_stud = block.studs and stand.level > 0
            height = grid.height_mm(stand.level) if by_stud else stand.height_mm
            tops.append((divmod(number, block.cols), height, stand.level))
    write_file(output, model_picture(found.shown.solid, tops, grid))
    echo(f"{output}", err=True)


def _put(map_: Map, file: Path, found: Adoption, at: str | None) -> None:
    """Write the model's block, and its `place`, into a map beside the file."""
    from falldamage_forge.cli.rewriting import rewrite
    from falldamage_forge.infra.user_paths import quoted
    from falldamage_forge.lang.edit.model_insertion import with_model

    path = Path(map_.name)
    folder, target = resolved(path).parent, resolved(file)
    if folder not in target.parents:
        hint = f"copy it beside the map: `cp {quoted(file)} {quoted(folder)}`"
        raise refuse("FDF208", f"`{file}` is not in the folder of the map", hint)
    inside = target.relative_to(folder).as_posix()
    text = with_model(map_.text, found.block, inside, at)
    after = FORGE.loads(text, map_.name, folder)
    stop_on_errors(after.issues, after.texts)
    rewrite(path, text, force=False)
    echo(f"{map_.name}: model `{found.block.name}` added", err=True)

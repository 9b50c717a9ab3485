"""`fdforge publish`: write the folder of a shop's page about a map."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from falldamage_forge.cli import option
from falldamage_forge.cli.build_options import BUILD, BuildWords
from falldamage_forge.cli.map_argument import checked_map, file_stem
from falldamage_forge.cli.progress_bar import show_progress
from falldamage_forge.cli.spoken_language import echo
from falldamage_forge.issues import refuse

MAX_PHOTO_BYTES = 20_000_000


@option.command
def command(
    map_name: str = option.MAP,
    output: Path | None = option.output(
        "Output folder.  [default: exports/<map>-publish]", writes="folder"
    ),
    photo: Path | None = option.file(
        "Photograph of your printed table, JPEG or PNG; shops ask for one.",
        de="Foto deines gedruckten Spieltischs, JPEG oder PNG; Shops verlangen eines.",
    ),
    printer_name: str | None = option.PRINTER,
    given: BuildWords = BUILD,
) -> None:
    """Write everything that a shop's page about MAP needs.

    The folder holds covers in three ratios, pictures from four sides, a turning picture, a text
    with figures, tags and license, the files of `fdforge build`, cards, and one zip of all. A
    model of others is left out unless its block names a license; page.md says what a buyer has to
    get.
    """
    from falldamage_forge.builds.publish import published
    from falldamage_forge.infra.atomic_write import check_target, write_folder

    name = file_stem(map_name)
    target = option.output_path(output, Path("exports") / f"{name}-publish", "folder")
    checked = checked_map(map_name)
    check_target(target)
    picture = _photo(photo) if photo is not None else None
    built = given.built(checked, printer_name, replace(given.options(), licensed=True))
    files = published(built, name, _cards(checked.position.game.units), picture, show_progress)
    write_folder(target, files)
    show_progress("")
    total = sum(len(one.data) for one in files) / 1_000_000
    echo(f"{len(files)} files in {target} ({total:.0f} MB); page.md is the text of the page")
    if not checked.layout.license:
        echo('note: the map names no license; write `license "CC-BY-4.0"` into it', err=True)
    for model in checked.layout.models:
        if not model.license:
            echo(f"note: model `{model.name}` names no licence, so it is left out", err=True)
    if picture is None:
        echo("note: shops ask for a photograph of a real print; add it with --photo", err=True)


def _photo(path: Path) -> bytes:
    """Return a photograph as JPEG, turned upright and without the camera's notes."""
    import io

    from PIL import Image, ImageOps, UnidentifiedImageError

    try:
        if path.stat().st_size > MAX_PHOTO_BYTES:
            raise refuse("FDF294", f"`{path}` is larger than 20 MB", "choose a smaller picture")
        picture = ImageOps.exif_transpose(Image.open(path)).convert("RGB")
    except (UnidentifiedImageError, Image.DecompressionBombError, ValueError):
        raise refuse("FDF294", f"`{path}` is no picture", "choose a JPEG or PNG") from None
    except OSError as error:
        why = error.strerror or "the picture is not complete"
        raise refuse("FDF294", f"cannot read `{path}`: {why}", "choose a JPEG or PNG") from None
    stream = io.BytesIO()
    picture.save(stream, "JPEG", quality=90)
    return stream.getvalue()


def _cards(units: Any) -> bytes:
    """Return the PDF of a game's unit cards; nothing for units without cards."""
    from falldamage_forge.games.fall_damage.unit_cards import UnitCard
    from falldamage_forge.presets import load_catalogue, load_kit
    from falldamage_forge.render.printed_cards import cards

    deck = [unit for unit in units.values() if isinstance(unit, UnitCard)]
    return cards(deck, "a4", load_catalogue(), load_kit()) if deck else b""

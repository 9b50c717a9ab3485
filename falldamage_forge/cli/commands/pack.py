"""`fdforge pack`: put a kit into a box, and write the sheets to pack it."""

from __future__ import annotations

from pathlib import Path

import click

from falldamage_forge.cli import option
from falldamage_forge.cli.progress_bar import show_progress
from falldamage_forge.cli.spoken_language import echo, wished_say
from falldamage_forge.lengths import parse_box_mm


def _inside(ctx: click.Context, param: click.Parameter, value: str) -> tuple[float, float, float]:
    try:
        return parse_box_mm(value)
    except ValueError as error:
        raise click.BadParameter(str(error), ctx, param) from None


@option.command
def command(
    names: tuple[str, ...] = option.maps("[MAP|SET]...", required=True),
    inside: tuple[float, float, float] = option.text(
        "Inside of the box: width x depth x height, such as 345x220x80 in mm.",
        required=True,
        callback=_inside,
        metavar="LENGTHS",
        de="Innenmaß des Kastens: Breite x Tiefe x Höhe, wie 345x220x80 in mm.",
    ),
    together: bool = option.TOGETHER,
    output: Path = option.output("Output file, a PDF.", default=Path("packing.pdf")),
    paper: str = option.PAPER,
) -> None:
    """Pack the parts of a SET, or of several MAPs, into a box, and write the sheets to do it.

    The sheets show each layer of the box from above, and hold labels for bags and a list to tick
    off. Exits 1 if parts are left over; the message names them and a box that holds them.
    """
    from falldamage_forge.cli.commands.kit import named_kit
    from falldamage_forge.geometry.mesh_properties import measure
    from falldamage_forge.geometry.piece_mesh import build_all
    from falldamage_forge.infra.atomic_write import write_file
    from falldamage_forge.presets import DEFAULT_STYLE, load_style
    from falldamage_forge.printing.box_layers import pack_box, require_fit
    from falldamage_forge.render.build_sheets import thumbs
    from falldamage_forge.render.packing_sheets import packing_sheets

    title, kit, printer = named_kit(names, together)
    meshes = build_all(kit.pieces, printer, load_style(DEFAULT_STYLE), show_progress)
    show_progress("packing the box")
    sizes = {key: measure(mesh).size_mm for key, mesh in meshes.items()}
    packed = pack_box(kit.parts, sizes, inside)
    require_fit(packed)
    show_progress("drawing the parts")
    pictures = thumbs(kit.pieces, meshes)
    data = packing_sheets(title, packed, kit.parts, kit.pieces, pictures, paper, wished_say())
    write_file(output, data)
    show_progress("")
    count, layers = sum(kit.parts.values()), len(packed.layers)
    echo(
        f"{title}: {count} part{'s' * (count != 1)} in {layers} layer{'s' * (layers != 1)}, "
        f"{packed.needed_mm:.0f} of {inside[2]:g} mm high"
    )
    for number, layer in enumerate(packed.layers, start=1):
        parts = ", ".join(f"{n} {key}" for key, n in sorted(layer.counts().items()))
        echo(f"  {number}  {layer.height_mm:.0f} mm: {parts}")
    echo(f"{output}")

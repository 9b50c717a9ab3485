"""The parts of a map as they are printed: which ones one has, how they look."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from falldamage_forge.cli.common import FORGE
from falldamage_forge.cli.waiting import show_progress
from falldamage_forge.issues import refuse
from falldamage_forge.presets import DEFAULT_STYLE

if TYPE_CHECKING:
    from falldamage_forge.forge import Map
    from falldamage_forge.geometry.mesh import Mesh
    from falldamage_forge.pieces.plan import Plan
    from falldamage_forge.printing.printer import Printer

Command = TypeVar("Command", bound=Callable[..., Any])
KIT_LIST = "pieces.csv"


def own_options(command: Command) -> Command:
    """`--own` and `--kit` as a decorator; the command gets them for `owned_of`."""
    kit = click.option(
        "--kit",
        type=click.Path(path_type=Path, file_okay=False),
        help="Folder that `fdforge kit -o` wrote: build from its parts.",
    )
    own = click.option(
        "--own",
        type=click.Path(path_type=Path),
        help="CSV of parts you own (piece,count); in place of the map's inventory.",
    )
    return own(kit(command))


def owned_of(own: Path | None, kit: Path | None) -> dict[str, int] | None:
    """The parts that the options tell of; None without any. ForgeError for a file not to trust."""
    from falldamage_forge.cli.build_options import read_own

    if own is not None and kit is not None:
        raise click.UsageError("--own or --kit, not both: a kit's list can be a stock as well")
    if kit is not None:
        return _kit_parts(kit)
    return None if own is None else read_own(own)


def _kit_parts(kit: Path) -> dict[str, int]:
    """The parts of a kit: those its list requires, printed anew or owned before."""
    import csv

    from falldamage_forge.files import Sources
    from falldamage_forge.pieces.stock import design_of, read_stock
    from falldamage_forge.presets import load_catalogue

    path = kit / KIT_LIST
    if not path.is_file():
        hint = f"write one there: fdforge kit starter -o {kit}"
        raise refuse("FDF294", f"`{kit}` holds no kit: there is no {KIT_LIST} in it", hint)
    name, text = Sources().read_main(path)
    rows = csv.DictReader(text.splitlines())
    if not {"piece", "required"} <= set(rows.fieldnames or ()):
        raise refuse("FDF402", f"{name} is not the list of a kit: it has no column `required`")
    known = load_catalogue().every
    lines = [f"{design_of(row['piece'], known)},{row['required']}" for row in rows]
    return read_stock("\n".join(["piece,count", *lines]), name, known)


@dataclass(frozen=True, slots=True)
class Parts:
    """What stands on the table: the plan and the mesh of each piece in print pose."""

    plan: Plan
    meshes: Mapping[str, Mesh]
    printer: Printer


def parts_of(
    map_: Map, owned: Mapping[str, int] | None = None, style_name: str = DEFAULT_STYLE
) -> Parts:
    """The parts of a legal map, from owned ones first, in a style."""
    from falldamage_forge.geometry.build import build
    from falldamage_forge.pieces.variants import dressed
    from falldamage_forge.presets import load_style

    printer, style = FORGE.printer(map_), load_style(style_name)
    plan = dressed(FORGE.plan(map_, owned))
    meshes = {}
    for key, piece in plan.pieces().items():
        show_progress(f"making {key}")
        meshes[key] = build(piece, printer, style)
    return Parts(plan, meshes, printer)

"""Options `--own` and `--kit`, and the printed parts of a map."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from falldamage_forge.cli import option
from falldamage_forge.cli.map_argument import FORGE, echo_issues
from falldamage_forge.cli.progress_bar import show_progress
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import refuse
from falldamage_forge.presets import DEFAULT_STYLE

if TYPE_CHECKING:
    from falldamage_forge.board import Board
    from falldamage_forge.geometry.mesh import Mesh
    from falldamage_forge.library.forge import Map
    from falldamage_forge.pieces.plan import PiecePlan
    from falldamage_forge.printing.printer import Printer

KIT_LIST = "pieces.csv"
OWNED = option.table(
    own=option.OWN,
    kit=option.text(
        "Folder written by `fdforge kit -o`; its parts are used.",
        type=option.FOLDER,
        de="Ordner, den `fdforge kit -o` schrieb; seine Teile werden genutzt.",
    ),
)
"""Options `--own` and `--kit`, the keywords of `owned_parts`."""


def owned_parts(own: Path | None, kit: Path | None) -> dict[str, int] | None:
    """Return the owned parts by piece; None without options.

    Args:
        own: Stock file (CSV); None if the option is not given.
        kit: Folder of a kit, which holds its list; None if the option is not given.

    Raises:
        ForgeError: FDF294, FDF402 or FDF403 if the file is not valid.
    """
    from falldamage_forge.cli.build_options import read_stock_file

    if own is not None and kit is not None:
        raise click.UsageError("--own or --kit, not both: a kit's list can be a stock as well")
    if kit is not None:
        return _kit_parts(kit)
    return None if own is None else read_stock_file(own)


def _kit_parts(kit: Path) -> dict[str, int]:
    """Return the parts of a kit by piece: all that its list requires, owned ones included."""
    from falldamage_forge.cli.build_options import read_table_text
    from falldamage_forge.pieces.stock import design_of, read_stock, table_rows
    from falldamage_forge.presets import load_catalogue

    path = kit / KIT_LIST
    hint = f"write one there: fdforge kit starter -o {kit}"
    if not path.is_file():
        raise refuse("FDF294", f"`{kit}` holds no kit: there is no {KIT_LIST} in it", hint)
    name, text, _ = read_table_text(path, hint)
    rows = table_rows(text, name)
    _, header = next(rows, (1, []))
    if not {"piece", "required"} <= set(header):
        raise refuse("FDF402", f"{name} is not the list of a kit: it has no column `required`")
    known = load_catalogue().every
    found = (dict(zip(header, cells, strict=False)) for _, cells in rows)
    lines = [
        f"{design_of(row['piece'], known)},{row['required']}" for row in found if "required" in row
    ]
    return read_stock("\n".join(["piece,count", *lines]), name, known)


@dataclass(frozen=True, slots=True)
class PrintedParts:
    """The parts of a map: its plan and the mesh of each piece in print pose."""

    plan: PiecePlan
    meshes: Mapping[str, Mesh]
    printer: Printer


def ways_of(board: Board, parts: PrintedParts) -> dict[int, str]:
    """Return words on the ways of parts that do not go straight down; print them as issues.

    Args:
        board: Board of the parts.
        parts: Its parts.
    """
    from falldamage_forge.geometry.ways_in import find_ways
    from falldamage_forge.render.build_steps import building_order

    placed = parts.plan.placements
    found = find_ways(placed, building_order(board, placed), parts.meshes, parts.printer)
    echo_issues(found.issues(), {})
    return found.words()


def printed_parts(
    map_: Map, owned: Mapping[str, int] | None = None, style_name: str = DEFAULT_STYLE
) -> PrintedParts:
    """Return the printed parts of a legal map.

    Args:
        map_: The map.
        owned: Owned parts by piece, used first; None uses the map's stock.
        style_name: Piece style.
    """
    from falldamage_forge.geometry.piece_mesh import build
    from falldamage_forge.pieces.variants import assign_variants
    from falldamage_forge.presets import load_style

    printer, style = FORGE.printer(map_), load_style(style_name)
    plan = assign_variants(FORGE.plan(map_, owned), broken=style.broken)
    meshes = {}
    for key, piece in plan.pieces().items():
        show_progress(f"making {key}")
        meshes[key] = build(piece, printer, style)
    return PrintedParts(plan, meshes, printer)

"""Pieces of a map's models: each with its file, the file's digest, and its pose."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from falldamage_forge.export.shop_page import ModelFacts
from falldamage_forge.infra.source_loader import read_bytes
from falldamage_forge.infra.user_paths import resolved
from falldamage_forge.issues import ForgeError, Issue
from falldamage_forge.lang.model_block import ModelBlock, stays_inside
from falldamage_forge.models.triangles import MAX_BYTES
from falldamage_forge.pieces.model_keys import (
    SEAM_TIE,
    model_key,
    model_placements,
    sections,
)
from falldamage_forge.pieces.piece import Piece, Value

if TYPE_CHECKING:
    from falldamage_forge.board import Board
    from falldamage_forge.lengths import PrintGrid
    from falldamage_forge.pieces.catalogue import Catalogue
    from falldamage_forge.printing.printer import Printer
    from falldamage_forge.render.isometric_models import SeenModel

FAMILY = BUILDER = "model"
TIE = Piece(SEAM_TIE, SEAM_TIE, "Tie, joins two parts of a model from below", SEAM_TIE, (), ())


def path_of(model: ModelBlock) -> Path:
    """Return the path of a model's file, beside the source that holds its block.

    Raises:
        ForgeError: FDF208 if the path leaves the folder of that source.
    """
    if not stays_inside(model.path):
        raise ForgeError([_missing(model, "its path leaves the folder of the map")])
    folder = resolved(Path(model.beside)).parent
    path = resolved(folder / model.path)
    if folder not in path.parents:
        raise ForgeError([_missing(model, "its path leaves the folder of the map")])
    return path


def has_file(model: ModelBlock) -> bool:
    """True if a model's file lies beside its map."""
    try:
        return path_of(model).is_file()
    except ForgeError:
        return False


def file_issues(models: Iterable[ModelBlock]) -> Iterator[Issue]:
    """Yield an issue for each model without a file beside its map (FDF208)."""
    for model in models:
        try:
            found = path_of(model).is_file()
        except ForgeError as error:
            yield from error.issues
            continue
        if not found:
            yield _missing(model, "there is no such file")


def _missing(model: ModelBlock, why: str) -> Issue:
    message = f"the model `{model.name}` has no file `{model.path[:80]}`: {why}"
    hint = "write a path beside the map, with `/`; who has the map needs the file too"
    return Issue("FDF208", "error", message, model.source, hint=hint)


def with_models(catalogue: Catalogue, models: Iterable[ModelBlock]) -> Catalogue:
    """Return a catalogue with the pieces of some models.

    Args:
        catalogue: Pieces of the map's size.
        models: The map's models.

    Raises:
        ForgeError: FDF208 or FDF511 if a file cannot be read.
    """
    return added(catalogue, models, catalogue.grid)


def added(
    catalogue: Catalogue, models: Iterable[ModelBlock], grid: PrintGrid, *, whole: bool = False
) -> Catalogue:
    """Return a catalogue with the pieces of some models in a size of their own.

    Args:
        catalogue: Pieces.
        models: The models.
        grid: Size of a tile and of a level for the models.
        whole: True for a piece of each model, even if it is printed in several.

    Raises:
        ForgeError: FDF208 or FDF511 if a file cannot be read.
    """
    own = {piece.key: piece for model in models for piece in pieces_of_model(model, whole=whole)}
    if not own:
        return catalogue
    sized = {piece.key: piece.on(grid) for piece in own.values()}
    return replace(catalogue, pieces={**catalogue.pieces, **sized})


def copy_files(models: Iterable[ModelBlock], folder: Path) -> None:
    """Copy the files of models into another folder of maps, at the paths that their blocks name.

    Args:
        models: The models.
        folder: The folder.

    Raises:
        ForgeError: FDF208 or FDF294 if a file cannot be read, FDF295 if one cannot be written.
    """
    from falldamage_forge.infra.atomic_write import write_file

    for model in models:
        target = folder / model.path
        if not target.is_file() or _digest(target, model.path, _stamp(target)) != digest_of(model):
            data = read_bytes(path_of(model), model.path, most=MAX_BYTES)
            target.parent.mkdir(parents=True, exist_ok=True)
            write_file(target, data)


def drawn_models(board: Board, catalogue: Catalogue, printer: Printer) -> tuple[SeenModel, ...]:
    """Return the models of a board as they are drawn: their parts with fewer triangles.

    Args:
        board: Legal board.
        catalogue: Catalogue with the pieces of the map's models.
        printer: Printer whose joints they have.
    """
    from falldamage_forge.geometry.piece_mesh import build_all
    from falldamage_forge.render.isometric_models import seen_models

    placed = tuple(model_placements(board, catalogue))
    pieces = {one.piece.key: one.piece for one in placed}
    return seen_models(placed, build_all(pieces, printer), printer)


def model_facts(models: Iterable[ModelBlock]) -> tuple[ModelFacts, ...]:
    """Return file, digest and licence of each model."""
    return tuple(ModelFacts(model.path, digest_of(model), model.license) for model in models)


def digest_of(model: ModelBlock) -> str:
    """Return the SHA-256 of a model's file.

    Raises:
        ForgeError: FDF208 or FDF294 if it cannot be read.
    """
    path = path_of(model)
    try:
        return _digest(path, model.path, _stamp(path))
    except ForgeError as error:
        raise ForgeError([replace(error.issues[0], span=model.source)]) from None


def _stamp(path: Path) -> tuple[int, ...]:
    """Return what changes when a file does; empty for none, which reading then reports."""
    try:
        status = path.stat()
    except OSError:
        return ()
    return status.st_mtime_ns, status.st_size, status.st_ino


@lru_cache(maxsize=64)
def _digest(path: Path, name: str, stamp: tuple[int, ...]) -> str:
    """Return the SHA-256 of a file, read once for each `stamp`."""
    return hashlib.sha256(read_bytes(path, name, most=MAX_BYTES)).hexdigest()


def pieces_of_model(model: ModelBlock, *, whole: bool = False) -> Iterator[Piece]:
    """Yield the pieces of a model and of its mirror image, and the tie of their parts.

    Args:
        model: The model.
        whole: True for the model as it stands, in one piece, even if it is printed in several.
    """
    parts = f"{model.parts[0]}x{model.parts[1]}"
    for mirrored in (False, True):
        params = _params(model, mirrored=mirrored)
        what = f"Model {model.name}, {Path(model.path).name}{', mirrored' if mirrored else ''}"
        cut = sections(model.cols, model.rows, model.parts, mirrored=mirrored)
        if len(cut) == 1 or whole:
            if len(cut) > 1:
                params["parts"] = parts
            own = sections(model.cols, model.rows, (1, 1))[0].cells
            high = max(0, *model.tops)
            yield _piece(model_key(model.name, mirrored=mirrored), what, params, own, high, model)
            continue
        tops = _tops(model, mirrored=mirrored)
        for number, section in enumerate(cut, start=1):
            key = model_key(model.name, mirrored=mirrored, part=number)
            high = max(0, *(tops[row * model.cols + col] for row, col in section.cells))
            yield _piece(
                key,
                f"{what}, part {number} of {len(cut)}",
                params | {"parts": parts, "section": number},
                section.own_cells,
                high,
                model,
            )
    if model.parts != (1, 1) and not whole:
        yield TIE


def _piece(
    key: str,
    title: str,
    params: Mapping[str, Value],
    cells: tuple[tuple[int, int], ...],
    levels: int,
    model: ModelBlock,
) -> Piece:
    own = tuple(sorted(params.items()))
    return Piece(key, FAMILY, title, BUILDER, own, cells, levels, model.pose)  # type: ignore[arg-type]


def _params(model: ModelBlock, *, mirrored: bool) -> dict[str, Value]:
    """Return what a model's shape depends on."""
    return {
        "file": str(path_of(model)),
        "sha256": digest_of(model),
        "cols": model.cols,
        "rows": model.rows,
        "scale": model.scale,
        "unit": model.unit,
        "turn": model.turn,
        "flip": model.flip,
        "mirrored": mirrored,
        "tops": ",".join(map(str, _tops(model, mirrored=mirrored))),
        "studs": model.studs,
        "supports": model.supports,
        "license": model.license,
    }


def _tops(model: ModelBlock, *, mirrored: bool) -> tuple[int, ...]:
    """Return the tops of a model row by row; those of its mirror image from the east."""
    rows = [model.tops[at : at + model.cols] for at in range(0, len(model.tops), model.cols)]
    return tuple(top for row in rows for top in (reversed(row) if mirrored else row))

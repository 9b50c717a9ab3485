"""Parts that a process leaves out, because the lines of its nozzle are too wide for them.

A process names designs in `left-out`, by what slicing of the whole catalogue says
(`benchmarks/bench_catalogue.py`). Builds and lists refuse them by name before anything is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from falldamage_forge.issues import ForgeError, Issue
from falldamage_forge.pieces.variants import design

if TYPE_CHECKING:
    from falldamage_forge.pieces.piece import Piece
    from falldamage_forge.printing.printer import Printer
    from falldamage_forge.printing.process import Process

CODE = "FDF442"
HINT = "print them with a nozzle of 0.4 mm by `--process standard`, and name them with `--own`"


def is_left_out(piece: Piece, process: Process) -> bool:
    """True if a process cannot print a piece.

    Args:
        piece: Piece of any variant and size.
        process: Process that names the designs it leaves out.
    """
    name = design(piece).partition("@")[0]
    return any(fnmatchcase(name, pattern) for pattern in process.left_out)


def left_out(pieces: Iterable[Piece], printer: Printer) -> Issue | None:
    """Return the issue that names the pieces which a printer's process cannot print, if any.

    Args:
        pieces: Pieces to print.
        printer: Printer with its nozzle and process.
    """
    process = printer.process
    names = sorted({design(piece) for piece in pieces if is_left_out(piece, process)})
    if not names:
        return None
    listed = ", ".join(f"`{name}`" for name in names)
    message = (
        f"process `{process.name}` with a nozzle of {printer.nozzle_mm:g} mm cannot print {listed}"
    )
    return Issue(CODE, "error", message, hint=HINT)


def require_printed(
    pieces: Mapping[str, Piece], prints: Mapping[str, int], printer: Printer
) -> None:
    """Raise an error if a part is to be printed that the printer's process leaves out.

    Args:
        pieces: Pieces by key.
        prints: Number of parts to print by key.
        printer: Printer with its nozzle and process.

    Raises:
        ForgeError: FDF442 with the names of all such parts.
    """
    if not printer.process.left_out:
        return
    issue = left_out((pieces[key] for key, count in prints.items() if count), printer)
    if issue is not None:
        raise ForgeError([issue])

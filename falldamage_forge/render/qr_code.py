"""QR codes (ISO/IEC 18004): a text as dark modules, for paper and for the studio."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from falldamage_forge.render.display_list import Drawing, PaintedPath, rectangle

QUIET = 4
"""Modules without ink round a code; the standard asks for four."""


def qr_code(text: str, least: str = "m") -> Drawing:
    """Return a text as a QR code with its quiet zone, one pixel a module.

    The code has the least size for the text, and the strongest correction that this size allows.

    Args:
        text: Text of the code.
        least: Least level of correction, `l`, `m`, `q` or `h`; `m` bears a crease of paper.

    Raises:
        ValueError: The text is longer than a code can hold (2,953 bytes at level `l`).
    """
    import segno

    rows = segno.make_qr(text, error=least).matrix
    side = len(rows) + 2 * QUIET
    dark = tuple(
        rectangle(QUIET + first, QUIET + y, length, 1)
        for y, row in enumerate(rows)
        for first, length in _runs(row)
    )
    return Drawing(side, side, (PaintedPath(dark, fill="#000000"),))


def _runs(row: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield the first module and the length of each dark run of a row."""
    first = 0
    for dark, run in groupby(row, key=bool):
        length = len(list(run))
        if dark:
            yield first, length
        first += length

"""QR codes (ISO/IEC 18004): a text as dark modules, for paper and for the studio."""

from __future__ import annotations

from falldamage_forge.render.display_list import Drawing, PaintedPath, rectangle

QUIET = 4
"""Modules without ink round a code; the standard asks for four."""


def qr_code(text: str) -> Drawing:
    """Return a text as a QR code with its quiet zone, one pixel a module.

    The code has the least size for the text, and the strongest correction that this size allows.

    Raises:
        ValueError: The text is longer than a code can hold (2,953 bytes).
    """
    import segno

    rows = segno.make_qr(text, error="l").matrix
    side = len(rows) + 2 * QUIET
    dark = tuple(
        rectangle(QUIET + first, QUIET + y, length, 1)
        for y, row in enumerate(rows)
        for first, length in _runs(row)
    )
    return Drawing(side, side, (PaintedPath(dark, fill="#000000"),))


def _runs(row: bytearray | tuple[int, ...]) -> list[tuple[int, int]]:
    """Return the first module and the length of each dark run of a row."""
    found: list[tuple[int, int]] = []
    for x, dark in enumerate(row):
        if not dark:
            continue
        first, length = found[-1] if found else (x, 0)
        if found and first + length == x:
            found[-1] = (first, length + 1)
        else:
            found.append((x, 1))
    return found

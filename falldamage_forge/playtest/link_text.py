"""Compression of a link's text: deflate with a preset dictionary.

Games repeat their lines and those of other games, so the dictionary holds usual moves.

Source: RFC 1951.
"""

from __future__ import annotations

import zlib

SAMPLE = b"""\
["@duel ",20,"\0",[[40,"\0"],[40,"\0"]],"unit 2
move D4@3
attack 10
unit 13
move G7@3
end
unit 4
move G3@2
end
unit 10
move D7@2
attack 2
unit 3
move E4@1
scaffold E5
throw 11
unit 17
move H3@1
attack 4
end
unit 8
move D9@1
end
unit 9
move C8@1
splash C5
unit 7
move I4@0
end
unit 6
move I3@0
end
unit 15
move J8@0
end
unit 12
move F6@0
attack 5
unit 5
end
unit 16
end
unit 14
move B9@0
end
unit 11
move A2@0
attack 1
unit 1
move F5@0
attack 14
=\0 spring trap D5@0
unit 0
bomb D6
end
unit 2
land B5@2
raise 3
end turn
total
promo
ability """
"""Text that both ends know before they read; another text is another version of the link."""
MOST_BYTES = 1_000_000
"""Greatest size of a text in bytes."""


def compressed(text: bytes) -> bytes:
    """Return a text in fewer bytes."""
    press = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zdict=SAMPLE)
    return press.compress(text) + press.flush()


def expanded(data: bytes, known: bytes = SAMPLE) -> bytes:
    """Return a text of at most MOST_BYTES.

    Args:
        data: The compressed text.
        known: Text that its writer knew.

    Raises:
        ValueError: If the data is not exactly one compressed text.
    """
    opened = zlib.decompressobj(-15, known)
    try:
        text = opened.decompress(data, MOST_BYTES)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if not opened.eof or opened.unused_data:
        raise ValueError("its body is cut")
    return text

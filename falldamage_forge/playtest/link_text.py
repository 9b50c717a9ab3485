"""Compression of a link's text: prediction by partial matching, and asymmetric numeral systems.

Each byte is predicted from its line so far and the kind of the line before, then from shorter
contexts; an escape leads to the next one. Games repeat their lines and those of other games, so the
model begins with `SAMPLE`. All arithmetic is in integers: each machine decodes the same text.

Source: J. Cleary, I. Witten, "Data compression using adaptive coding and partial string matching"
(1984), escapes by method C; J. Duda, "Asymmetric numeral systems" (2009), without renormalisation.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

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
"""Text that each model has read; another text is another version of the link."""
MOST_BYTES = 60_000
"""Greatest size of a text in bytes."""
MOST_CODED = 16_000
"""Greatest size of a compressed text in bytes."""
KIND = 4
"""Bytes of the line before that predict a line: enough for the kind of a move."""
LINE, END, ESCAPE = 10, 256, 257
Choose = Callable[[dict[int, int], int], int]
"""Returns a symbol of a table of weights, or `ESCAPE`, whose weight is the second argument."""


class _Model:
    """Counts of the symbols that followed each context."""

    def __init__(self) -> None:
        self.counts: dict[tuple[int, bytes], dict[int, int]] = {}
        self.last, self.line = b"", b""

    def copy(self) -> _Model:
        twin = _Model()
        twin.counts = {key: found.copy() for key, found in self.counts.items()}
        twin.last, twin.line = self.last, self.line
        return twin

    def step(self, choose: Choose) -> int:
        """Return the next symbol, and learn it.

        Args:
            choose: Returns one of several symbols.
        """
        line, counts = self.line, self.counts
        keys = (3, b"%b\n%b" % (self.last[:KIND], line)), (2, line), (1, line[-1:]), (0, b"")
        tables = [counts.setdefault(key, {}) for key in keys]
        seen, found = set[int](), ESCAPE
        for table in tables:
            known = {s: n for s, n in table.items() if s not in seen} if seen else table
            if known:
                found = choose(known, len(known))
                if found != ESCAPE:
                    break
                seen.update(known)
        else:
            found = choose({symbol: 1 for symbol in range(ESCAPE) if symbol not in seen}, 0)
        for table in tables:
            table[found] = table.get(found, 0) + 1
        self.line += bytes([found % END])
        if found == LINE:
            self.last, self.line = self.line, b""
        return found


@cache
def _begun() -> _Model:
    model = _Model()
    for byte in SAMPLE:
        model.step(_wanted(byte, []))
    return model


def _wanted(symbol: int, steps: list[tuple[int, int, int]]) -> Choose:
    """Return a choice of a symbol, which records (start, weight, sum) of each step."""

    def choose(known: dict[int, int], escape: int) -> int:
        ahead = sum(known.values())
        if symbol not in known:
            steps.append((ahead, escape, ahead + escape))
            return ESCAPE
        start = 0
        for one, weight in known.items():
            if one == symbol:
                break
            start += weight
        steps.append((start, known[symbol], ahead + escape))
        return symbol

    return choose


def compressed(text: bytes) -> bytes:
    """Return a text of at most MOST_BYTES in fewer bytes."""
    model, steps = _begun().copy(), list[tuple[int, int, int]]()
    for symbol in (*text, END):
        model.step(_wanted(symbol, steps))
    number = 1
    for at, weight, total in reversed(steps):
        number = number // weight * total + at + number % weight
    return number.to_bytes((number.bit_length() + 7) // 8, "big")


def expanded(data: bytes) -> bytes:
    """Return the text of `compressed`; ValueError for any other data."""
    if len(data) > MOST_CODED:
        raise ValueError("it is too long")
    number, text, model = int.from_bytes(data, "big"), bytearray(), _begun().copy()

    def choose(known: dict[int, int], escape: int) -> int:
        nonlocal number
        number, rest = divmod(number, sum(known.values()) + escape)
        for symbol, weight in known.items():
            if rest < weight:
                number = number * weight + rest
                return symbol
            rest -= weight
        number = number * escape + rest
        return ESCAPE

    while (symbol := model.step(choose)) != END:
        text.append(symbol)
        if len(text) > MOST_BYTES or not number:
            raise ValueError("it has no end")
    if number != 1 or data[:1] == b"\0":
        raise ValueError("it is not in its shortest form")
    return bytes(text)

"""Plates onto several printers, so that all are done as early as may be."""

from __future__ import annotations

from collections.abc import Sequence


def balance(minutes: Sequence[float], printers: int) -> tuple[int, ...]:
    """The printer of each plate, counted from 1: the longest plate first, to the least busy one.

    Then plates are moved or swapped while that ends the last printer's work earlier. At most a
    third longer than the best that could be; equal times give the printers in order.
    """
    busy = [0.0] * max(printers, 1)
    chosen = [0] * len(minutes)
    for plate in sorted(range(len(minutes)), key=lambda number: (-minutes[number], number)):
        chosen[plate] = min(range(len(busy)), key=lambda printer: (busy[printer], printer))
        busy[chosen[plate]] += minutes[plate]
    while _improve(minutes, chosen, busy):
        pass
    return tuple(printer + 1 for printer in chosen)


def _improve(minutes: Sequence[float], chosen: list[int], busy: list[float]) -> bool:
    """One move or swap off the busiest printer that leaves both below it; False if none does."""
    last = max(range(len(busy)), key=lambda printer: (busy[printer], -printer))
    for plate, printer in enumerate(chosen):
        if printer != last:
            continue
        for other in range(len(busy)):
            swaps = [n for n, owner in enumerate(chosen) if owner == other]
            for swap in (None, *swaps):
                gain = minutes[plate] - (minutes[swap] if swap is not None else 0.0)
                if other == last or gain <= 1e-6 or busy[other] + gain >= busy[last] - 1e-6:
                    continue
                busy[last] -= gain
                busy[other] += gain
                chosen[plate] = other
                if swap is not None:
                    chosen[swap] = last
                return True
    return False

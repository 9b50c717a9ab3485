"""Schedule of plates on several printers that finishes early."""

from __future__ import annotations

from collections.abc import Sequence


def assign_printers(minutes: Sequence[float], printers: int) -> tuple[int, ...]:
    """Return the printer of each plate, counted from 1.

    The longest plate goes first, to the least busy printer. Then plates are moved or swapped while
    that shortens the makespan. Ties give the printers in order.

    Args:
        minutes: Time of each plate.
        printers: Number of printers.

    Source: R. Graham, "Bounds on multiprocessing timing anomalies": LPT is at most 4/3 of the
    optimum.
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
    """Move or swap one plate off the busiest printer; False if no move shortens the makespan."""
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

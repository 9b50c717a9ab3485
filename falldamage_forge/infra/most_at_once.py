"""The most of each thing that several lists need of which only some are in use at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def most_at_once(needs: Sequence[Mapping[str, int]], at_once: int) -> dict[str, int]:
    """Return the counts that serve any `at_once` of several lists together, sorted by name.

    The lists that need most of a thing can be in use together, so its count is the sum of its
    `at_once` largest counts: exactly the maximum over all choices of lists.

    Args:
        needs: Count by name of each list.
        at_once: Number of lists in use at the same time.
    """
    names = sorted({name for own in needs for name in own})
    return {
        name: sum(sorted((own.get(name, 0) for own in needs), reverse=True)[:at_once])
        for name in names
    }

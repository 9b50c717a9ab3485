"""Malformed documents: why a reader of JSON gave up, in the user's words."""

from __future__ import annotations

MALFORMED = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""Exceptions of a document that lacks keys, or whose values are of other kinds."""


class WrongDocument(ValueError):
    """A document that a reader refuses; the message is in the user's words."""


def malformed_reason(error: Exception) -> str:
    """Return why a document is not valid, without Python's own words for it.

    Args:
        error: An exception of `MALFORMED`.
    """
    if isinstance(error, WrongDocument):
        return str(error)
    if isinstance(error, KeyError) and error.args:
        return f"it lacks {error.args[0]!r}"
    return "a value is of another kind"

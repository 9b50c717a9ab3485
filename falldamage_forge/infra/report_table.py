"""Tables of reports: each column is declared once, for people and for JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import Any, NamedTuple


class ReportColumn(NamedTuple):
    """A column of a table.

    Attributes:
        key: Name in JSON, by default the row's attribute as well; empty for people alone.
        title: Head for people; empty for JSON alone.
        spec: Format of the value for people, as of `format`, or a function that returns its text.
        digits: Decimals of the value in JSON; None for the value as it is.
        value: Returns the value of a row, or its attribute; None for that of the key.
        left: True for cells that are flush left.
    """

    key: str = ""
    title: str = ""
    spec: str | Callable[[Any], str] = ""
    digits: int | None = None
    value: Callable[[Any], Any] | str | None = None
    left: bool = False

    def of(self, row: Any) -> Any:
        """Return the value of a row."""
        value = self.value or self.key
        return attrgetter(value)(row) if isinstance(value, str) else value(row)

    def text(self, row: Any) -> str:
        """Return the cell of a row."""
        value = self.of(row)
        return self.spec(value) if callable(self.spec) else format(value, self.spec)

    def json(self, row: Any) -> Any:
        """Return the value of a row as JSON."""
        value = self.of(row)
        return value if self.digits is None else round(value, self.digits)


Table = tuple[ReportColumn, ...]


def row_json(table: Iterable[ReportColumn], row: Any) -> dict[str, Any]:
    """Return a row as a JSON object.

    Args:
        table: Columns of the report; those without a key are left out.
        row: A value with the columns' attributes.
    """
    return {column.key: column.json(row) for column in table if column.key}


def text_lines(table: Iterable[ReportColumn], rows: Iterable[Any]) -> list[tuple[str, ...]]:
    """Return the head of a table for people, and a line of cells for each row.

    Args:
        table: Columns of the report; those without a title are left out.
        rows: Values with the columns' attributes.
    """
    shown = [column for column in table if column.title]
    head = tuple(column.title for column in shown)
    return [head, *(tuple(column.text(row) for column in shown) for row in rows)]


def left_columns(table: Iterable[ReportColumn]) -> list[int]:
    """Return the numbers of the columns for people that are flush left."""
    shown = [column for column in table if column.title]
    return [number for number, column in enumerate(shown) if column.left]

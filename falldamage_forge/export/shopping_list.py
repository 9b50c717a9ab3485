"""Shopping list: what a build needs and no printer prints, which are the magnets of its base."""

from __future__ import annotations

from collections.abc import Mapping

from falldamage_forge.export.piece_list import csv_table
from falldamage_forge.pieces.bought import magnet_piece
from falldamage_forge.printing.print_price import Price

SHOPPING = "shopping.csv"
"""Name of the list in an export."""
COLUMNS = ("item", "title", "quantity")


def shopping_notes(magnets: Mapping[str, int], price: Price | None) -> list[str]:
    """Return a sentence for each size of magnets.

    Args:
        magnets: Number of magnets by the name of their size.
        price: Price of one, if it is known.
    """
    return [
        f"to buy: {count} disc magnets {name}, diameter x height in mm{_cost(count, price)}"
        for name, count in magnets.items()
    ]


def _cost(count: int, price: Price | None) -> str:
    if price is None or not price.per_magnet:
        return ""
    return f", {price.written(count * price.per_magnet)}"


def shopping_json(magnets: Mapping[str, int], price: Price | None) -> list[dict[str, object]]:
    """Return the list as JSON values; cost and currency only where a price is known.

    Args:
        magnets: Number of magnets by the name of their size.
        price: Price of one, if it is known.
    """
    items: list[dict[str, object]] = []
    for name, count in magnets.items():
        piece = magnet_piece(name)
        item: dict[str, object] = {"item": piece.key, "title": piece.title, "quantity": count}
        if price is not None and price.per_magnet:
            cost = round(count * price.per_magnet, 2)
            item |= {"cost": cost, "currency": price.currency}
        items.append(item)
    return items


def shopping_csv(magnets: Mapping[str, int], price: Price | None) -> bytes:
    """Return the list as CSV, a line for each size of magnets.

    Args:
        magnets: Number of magnets by the name of their size.
        price: Price of one, if it is known.
    """
    items = shopping_json(magnets, price)
    head = (*COLUMNS, *(("cost", "currency") if items and "cost" in items[0] else ()))
    rows = [tuple(_cell(item[key]) for key in head) for item in items]
    return csv_table(head, rows)


def _cell(value: object) -> str:
    return f"{value:.2f}" if isinstance(value, float) else str(value)

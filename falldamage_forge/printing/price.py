"""Filament in money."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Price:
    """What a kilogram of filament costs, in a currency's three letters."""

    per_kg: float
    currency: str = "EUR"

    def of(self, grams: float) -> float:
        """What so much filament costs."""
        return self.per_kg * grams / 1000

    def text(self, grams: float) -> str:
        """`4.51 EUR`."""
        return f"{self.of(grams):.2f} {self.currency}"

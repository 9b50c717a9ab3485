"""Price of filament."""

from __future__ import annotations

from falldamage_forge.infra.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Price:
    """Price of a kilogram of filament; `currency` is a three-letter code."""

    per_kg: float
    currency: str = "EUR"

    def of(self, grams: float) -> float:
        """Return the price of a mass in grams."""
        return self.per_kg * grams / 1000

    def text(self, grams: float) -> str:
        """Return the price of a mass in grams as text: `4.51 EUR`."""
        return f"{self.of(grams):.2f} {self.currency}"

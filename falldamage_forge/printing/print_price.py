"""Price of filament and of parts that are bought."""

from __future__ import annotations

from falldamage_forge.infra.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Price:
    """Price of a kilogram of filament, and of a magnet; `currency` is a three-letter code.

    `per_magnet` is 0 if it is unknown.
    """

    per_kg: float
    currency: str = "EUR"
    per_magnet: float = 0.0

    def of(self, grams: float) -> float:
        """Return the price of a mass in grams."""
        return self.per_kg * grams / 1000

    def text(self, grams: float) -> str:
        """Return the price of a mass in grams as text: `4.51 EUR`."""
        return self.written(self.of(grams))

    def written(self, money: float) -> str:
        """Return an amount of money as text: `4.51 EUR`."""
        return f"{money:.2f} {self.currency}"

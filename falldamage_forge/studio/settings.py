"""What a session is told besides the text: how pieces look, who prints them, what that costs."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from falldamage_forge import presets

if TYPE_CHECKING:
    from falldamage_forge.assemble import BuildOptions

MAX_PRICE = 10_000.0
MAX_VARIANTS = 8


@dataclass(frozen=True, slots=True)
class Settings:
    """Choices of the page. No printer or process are the map's own, or the usual ones.

    `price` is that of a kilogram of filament in `currency`; pieces come in up to `variants` looks.
    """

    style: str = presets.DEFAULT_STYLE
    printer: str = ""
    process: str = ""
    price: float = 20.0
    currency: str = "EUR"
    variants: int = 1

    def changed(self, values: Mapping[str, Any]) -> Settings:
        """After some values are set anew; ValueError, in words, for one that cannot be."""
        known = choices()
        for name, value in values.items():
            if name in known and value not in known[name]:
                raise ValueError(f"there is no {name} `{value}`")
            if name == "price" and not _within(value, 0.01, MAX_PRICE):
                raise ValueError(f"a price is a number above 0, at most {MAX_PRICE:.0f}")
            if name == "variants" and (
                type(value) is not int or not _within(value, 1, MAX_VARIANTS)
            ):
                raise ValueError(f"`variants` is a whole number from 1 to {MAX_VARIANTS}")
            if name not in self.__dataclass_fields__:
                raise ValueError(f"there is no setting `{name}`")
        return replace(self, **values)

    def options(self) -> BuildOptions:
        """The same as options of a build."""
        from falldamage_forge.assemble import BuildOptions
        from falldamage_forge.printing.price import Price

        price = Price(self.price, self.currency)
        return BuildOptions(
            style=presets.load_style(self.style), price=price, variants=self.variants
        )

    def command(self, name: str) -> str:
        """The command that builds the same of a file."""
        words = ["fdforge", "build", name, "--style", self.style, "--variants", str(self.variants)]
        words += ["--printer", self.printer] if self.printer else []
        words += ["--process", self.process] if self.process else []
        return shlex.join([*words, "--price", f"{self.price:g}"])

    def table(self) -> dict[str, Any]:
        """As plain values."""
        return asdict(self)


def choices() -> dict[str, tuple[str, ...]]:
    """What the settings that are names can be."""
    return {
        "style": presets.names("styles"),
        "printer": ("", *presets.names("printers")),
        "process": ("", *presets.names("processes")),
        "currency": ("EUR", "USD", "GBP", "CHF", "SEK", "PLN", "CAD", "AUD", "JPY"),
    }


def _within(value: object, least: float, most: float) -> bool:
    return type(value) in (int, float) and least <= value <= most  # type: ignore[operator]

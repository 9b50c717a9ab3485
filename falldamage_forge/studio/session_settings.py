"""Settings of a session beside its text: style, colours, printer, price of filament, stock."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from falldamage_forge import presets
from falldamage_forge.board.tones import PALETTES
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.pieces.piece import MAX_VARIANTS
from falldamage_forge.pieces.stock import MAX_COUNT, StockEntry, read_stock, write_entries
from falldamage_forge.printing.process import MAX_FILAMENTS
from falldamage_forge.studio.protocol import check_text

if TYPE_CHECKING:
    from falldamage_forge.builds.pipeline import BuildOptions

MAX_PRICE = 10_000.0
WHOLE: Mapping[str, tuple[int, int]] = {
    "variants": (1, MAX_VARIANTS),
    "filaments": (0, MAX_FILAMENTS),
}
"""Least and greatest value of the settings that are whole numbers."""
STOCK_FILE = "stock.csv"
"""Name of the stock in messages, commands and downloads."""


@dataclass(frozen=True, slots=True)
class SessionSettings:
    """Settings chosen on the page. Empty printer or process: the map's own, or the default.

    `price` is that of a kilogram of filament in `currency`; pieces have up to `variants` looks.
    Empty `tops` are those of the map; 0 `filaments` are one for each colour. `stock` is a stock
    file with one line a piece; if it is empty, the map's inventory counts.
    """

    style: str = presets.DEFAULT_STYLE
    printer: str = ""
    process: str = ""
    price: float = 20.0
    currency: str = "EUR"
    variants: int = 1
    tops: str = ""
    filaments: int = 0
    stock: str = ""

    def changed(self, values: Mapping[str, Any]) -> SessionSettings:
        """Return the settings with other values.

        Raises:
            ForgeError: (FDF400, FDF402, FDF403) If the stock is not valid.
            ValueError: With a sentence, if another value is not valid.
        """
        known = choices()
        for name, value in values.items():
            if name in known and value not in known[name]:
                raise ValueError(f"there is no {name} `{value}`")
            if name == "price" and not _within(value, 0.01, MAX_PRICE):
                raise ValueError(f"a price is a number above 0, at most {MAX_PRICE:.0f}")
            if name in WHOLE and (type(value) is not int or not _within(value, *WHOLE[name])):
                least, most = WHOLE[name]
                raise ValueError(f"`{name}` is a whole number from {least} to {most}")
            if name not in self.__dataclass_fields__:
                raise ValueError(f"there is no setting `{name}`")
        stock = {"stock": _summed(values["stock"])} if "stock" in values else {}
        return replace(self, **{**values, **stock})

    def owned(self) -> dict[str, int] | None:
        """Return the parts of the stock by piece key; None without a stock."""
        return _read(self.stock) if self.stock else None

    def files(self) -> dict[str, str]:
        """Return the files that `command` reads beside the map, by name."""
        return {STOCK_FILE: self.stock} if self.stock else {}

    def options(self) -> BuildOptions:
        """Return the settings as options of a build."""
        from falldamage_forge.builds.pipeline import BuildOptions
        from falldamage_forge.printing.print_price import Price

        price = Price(self.price, self.currency)
        return BuildOptions(
            owned=self.owned(),
            style=presets.load_style(self.style),
            price=price,
            variants=self.variants,
            tops=self.tops,
            filaments=self.filaments or None,
        )

    def command(self, name: str) -> str:
        """Return the command that builds a file with these settings."""
        words = ["fdforge", "build", name, "--style", self.style, "--variants", str(self.variants)]
        words += ["--printer", self.printer] if self.printer else []
        words += ["--process", self.process] if self.process else []
        words += ["--tops", self.tops] if self.tops else []
        words += ["--filaments", str(self.filaments)] if self.filaments else []
        words += ["--own", STOCK_FILE] if self.stock else []
        return shlex.join([*words, "--price", f"{self.price:g}"])

    def table(self) -> dict[str, Any]:
        """Return the settings as JSON values."""
        return asdict(self)


def choices() -> dict[str, tuple[str, ...]]:
    """Return the choices of the settings that are names."""
    return {
        "style": presets.names("styles"),
        "printer": ("", *presets.names("printers")),
        "process": ("", *presets.names("processes")),
        "tops": ("", *PALETTES),
        "currency": ("EUR", "USD", "GBP", "CHF", "SEK", "PLN", "CAD", "AUD", "JPY"),
    }


def _within(value: object, least: float, most: float) -> bool:
    return type(value) in (int, float) and least <= value <= most  # type: ignore[operator]


def _read(stock: str) -> dict[str, int]:
    return read_stock(stock, STOCK_FILE, presets.load_catalogue().every)


def _summed(stock: object) -> str:
    """Return a stock file with the sums of another one, so that its history is not sent around."""
    text = check_text("stock", stock)
    owned = _read(text) if text else {}
    counts = (StockEntry(piece, min(count, MAX_COUNT)) for piece, count in owned.items())
    return write_entries(tuple(counts)) if text else ""

"""Filament and time of a print, whoever counts them: the estimate, a slicer, a tone's change."""

from __future__ import annotations

from falldamage_forge.infra.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class PrintStatistics:
    """Filament in grams and time in minutes of a print."""

    grams: float
    minutes: float

"""The library instance that all sessions of this process share."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from falldamage_forge.library.forge import Forge


@cache
def forge() -> Forge:
    """Return the library instance of this process; results of equal boards are cached."""
    from falldamage_forge.library.forge import Forge

    return Forge()

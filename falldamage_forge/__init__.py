"""FallDamage Forge: from a text layout to a printed, playable table.

>>> import falldamage_forge as ff
>>> duel = ff.load("duel")
>>> ff.check(duel).ok
True
>>> ff.position(duel).unit("knight").reach("B10").turns()["B9@0"]
1

Everything is imported when it is first used. `docs/library.md` is the tour.
"""

from __future__ import annotations

TYPE_CHECKING = False  # so that typing, too, is imported by who needs it

__version__ = "0.2.0.dev0"

if TYPE_CHECKING:
    from typing import Any

    from falldamage_forge import presets
    from falldamage_forge.assemble import BuildOptions
    from falldamage_forge.forge import Checked, Forge, Map
    from falldamage_forge.issues import ForgeError, Issue
    from falldamage_forge.rules.position import Position
    from falldamage_forge.tabletop import Game

    _forge = Forge()
    load = _forge.load
    loads = _forge.loads
    check = _forge.check
    position = _forge.position
    analyze = _forge.analyze
    compare = _forge.compare
    plan = _forge.plan
    build = _forge.build
    suggest = _forge.suggest

__all__ = [
    "BuildOptions",
    "Checked",
    "Forge",
    "ForgeError",
    "Game",
    "Issue",
    "Map",
    "Position",
    "analyze",
    "build",
    "check",
    "compare",
    "load",
    "loads",
    "plan",
    "position",
    "presets",
    "suggest",
]

_ROOMS = {
    "Checked": "forge",
    "Forge": "forge",
    "ForgeError": "issues",
    "Game": "tabletop",
    "Issue": "issues",
    "Map": "forge",
    "Position": "rules.position",
    "BuildOptions": "assemble",
}
_QUESTIONS = (
    "analyze", "build", "check", "compare", "load", "loads", "plan", "position", "suggest",
)  # fmt: skip


def __getattr__(name: str) -> Any:
    """A name of the library, imported now; questions are those of one shared `Forge`."""
    from importlib import import_module

    if name in _ROOMS:
        value = getattr(import_module(f"{__name__}.{_ROOMS[name]}"), name)
    elif name in _QUESTIONS:
        if "_forge" not in globals():
            globals()["_forge"] = import_module(f"{__name__}.forge").Forge()
        value = getattr(globals()["_forge"], name)
    elif name == "presets":
        return import_module(f"{__name__}.presets")
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names."""
    return [*__all__, "__version__"]

"""FallDamage Forge: a text layout becomes printed, playable tabletop terrain.

>>> import falldamage_forge as ff
>>> duel = ff.load("duel")
>>> ff.check(duel).ok
True
>>> ff.analysis(duel).unit("knight").reach("B10").turns()["B9@0"]
1

Names are imported at first use. `docs/library.md` is the introduction.
"""

from __future__ import annotations

from falldamage_forge.infra.version import FORGE_VERSION

__version__ = FORGE_VERSION
TYPE_CHECKING = False  # `typing` itself is imported only by type checkers


if TYPE_CHECKING:
    from typing import Any

    from falldamage_forge import presets
    from falldamage_forge.builds.pipeline import BuildOptions
    from falldamage_forge.issues import ForgeError, Issue
    from falldamage_forge.library.conformance_run import game_test
    from falldamage_forge.library.forge import Checked, CheckResult, Forge, Map
    from falldamage_forge.library.map_game import Game
    from falldamage_forge.rules.position import Analysis, Position

    _forge = Forge()
    load = _forge.load
    loads = _forge.loads
    check = _forge.check
    analysis = _forge.analysis
    position = analysis
    analyze = _forge.analyze
    compare = _forge.compare
    plan = _forge.plan
    build = _forge.build
    suggest = _forge.suggest

__all__ = [
    "Analysis",
    "BuildOptions",
    "CheckResult",
    "Checked",
    "Forge",
    "ForgeError",
    "Game",
    "Issue",
    "Map",
    "Position",
    "analysis",
    "analyze",
    "build",
    "check",
    "compare",
    "game_test",
    "load",
    "loads",
    "plan",
    "position",
    "presets",
    "suggest",
]

_ELSEWHERE = {
    "CheckResult": "library.forge",
    "Checked": "library.forge",
    "Forge": "library.forge",
    "ForgeError": "issues",
    "Game": "library.map_game",
    "Issue": "issues",
    "Map": "library.forge",
    "Analysis": "rules.position",
    "Position": "rules.position",
    "BuildOptions": "builds.pipeline",
    "game_test": "library.conformance_run",
}
_FUNCTIONS = (
    "analysis", "analyze", "build", "check", "compare", "load", "loads", "plan", "position",
    "suggest",
)  # fmt: skip


def __getattr__(name: str) -> Any:
    """Import a public name at first use; functions are methods of one shared `Forge`."""
    from importlib import import_module

    if name in _ELSEWHERE:
        value = getattr(import_module(f"{__name__}.{_ELSEWHERE[name]}"), name)
    elif name in _FUNCTIONS:
        if "_forge" not in globals():
            globals()["_forge"] = import_module(f"{__name__}.library.forge").Forge()
        value = getattr(globals()["_forge"], name)
    elif name == "presets":
        return import_module(f"{__name__}.presets")
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return the public names."""
    return [*__all__, "__version__"]

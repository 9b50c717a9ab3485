"""The table of Fall Damage as a value: units, options and parameters of the rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cached_property
from typing import Any, ClassVar

from falldamage_forge.board.surfaces import TerrainOptions
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.play.game_data import GameData, game_data
from falldamage_forge.games.fall_damage.unit_cards import UnitCard
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import ForgeError, Issue, did_you_mean
from falldamage_forge.rules.ruleset import Ruleset


@dataclass(frozen=True)
class FallDamageTable(Ruleset):
    """Units, options and parameters of Fall Damage, for the queries; `FallDamage` answers them."""

    units: Mapping[str, UnitCard]
    options: FallDamageOptions = field(default_factory=FallDamageOptions)
    start_tiles: int | None = 8
    play: Mapping[str, Any] = field(default_factory=dict)
    """The tables `abilities`, `treasure` and `numbers`: parameters of the rules."""

    code: ClassVar[str] = "FDF341"
    treasure_matters: ClassVar[bool] = True
    everybody: ClassVar[bool] = True
    __hash__ = Ruleset.__hash__

    @property
    def terrain(self) -> TerrainOptions:
        """The options that change which voxels are solid."""
        return self.options.terrain

    @cached_property
    def content(self) -> GameData:
        """Game data: cards, abilities and treasure."""
        return game_data(self.units, **self.play)

    def card(self, name: str) -> UnitCard:
        """Return a unit card by name.

        Raises:
            ForgeError (FDF341): If there is none; the hint names the nearest.
        """
        if name not in self.units:
            hint = did_you_mean(name, self.units) or "`fdforge presets` lists the units"
            raise ForgeError([Issue(self.code, "error", f"no unit called `{name}`", hint=hint)])
        return self.units[name]

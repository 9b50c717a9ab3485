"""`ff.Game(map)`: the game of Fall Damage on a map, with the cards that come along."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from falldamage_forge import arguments, presets
from falldamage_forge.games.fall_damage.game import FallDamage
from falldamage_forge.games.fall_damage.play import game as playing
from falldamage_forge.issues import refuse

if TYPE_CHECKING:
    from falldamage_forge.forge import Map
    from falldamage_forge.games.fall_damage.play.kit import Kit


class Game(playing.Game):
    """A game on a map, under its own rules changed by `options`.

    `teams` are card names for red and blue, `places` their surfaces; what is not given is drafted
    and placed by moves. ForgeError (FDF366) for another game's map.
    """

    def __init__(
        self,
        map_: Map,
        options: Mapping[str, Any] | None = None,
        *,
        teams: tuple[Sequence[str], Sequence[str]] | None = None,
        places: tuple[Sequence[str], Sequence[str]] | None = None,
        seed: int = 0,
    ) -> None:
        from falldamage_forge.forge import Forge

        rules, _ = Forge().game(map_)
        arguments.table("options", options)
        arguments.whole("seed", seed, 0, 2**64 - 1)
        for name, sides in (("teams", teams), ("places", places)):
            if sides is not None:
                _two_sides(name, sides)
        if not isinstance(rules, FallDamage):
            message = f"the map is for `{rules.name}`; only Fall Damage is played here"
            raise refuse("FDF366", message)
        super().__init__(
            map_.board, presets.load_kit(), options,
            rules=rules.options, teams=teams, places=places, seed=seed,
        )  # fmt: skip

    @classmethod
    def from_record(cls, record: Mapping[str, Any], kit: Kit | None = None) -> playing.Game:
        """The game of a record, every move of it checked; ForgeError (FDF384) otherwise."""
        return playing.Game.from_record(record, kit or presets.load_kit())


def _two_sides(name: str, sides: object) -> None:
    """Refuse what is not a list of texts for red and one for blue."""
    both = arguments.several(name, sides)
    if isinstance(sides, str) or len(both) != 2:
        raise arguments.wrong(name, sides, "two lists, red's and blue's")
    for side in both:
        arguments.texts(name, side)

"""`ff.Game(map)`: the game of Fall Damage on a map, with the preset cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from falldamage_forge import presets
from falldamage_forge.games.fall_damage.play import board_game as playing
from falldamage_forge.games.fall_damage.ruleset import FallDamage
from falldamage_forge.infra import arguments
from falldamage_forge.issues import refuse

if TYPE_CHECKING:
    from typing import Self

    from falldamage_forge.games.fall_damage.play.game_data import GameData
    from falldamage_forge.library.forge import Map


class Game(playing.BoardGame):
    """A game on a map, under its own rules changed by `options`.

    `teams` are lists of card names for red and blue, `places` their surfaces. Missing ones are
    chosen by moves of the game (draft, placement).

    Raises:
        ForgeError: FDF366 for a map of another game.
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
        from falldamage_forge.library.forge import Forge

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
    def from_record(cls, record: Mapping[str, Any], kit: GameData | None = None) -> Self:
        """Return the game of a record after replaying it.

        Args:
            record: The JSON object of a record.
            kit: Cards, abilities and treasure; None uses the presets.

        Raises:
            ForgeError: FDF384 if a move or state does not match the record.
        """
        return super().from_record(record, kit or presets.load_kit())

    @classmethod
    def start_of(cls, record: Mapping[str, Any], kit: GameData | None = None) -> Self:
        """Return the game of a record before its first move; `replay` makes the moves.

        Args:
            record: The JSON object of a record.
            kit: Cards, abilities and treasure; None uses the presets.

        Raises:
            ForgeError: FDF384 if the record is malformed.
        """
        return super().start_of(record, kit or presets.load_kit())


def _two_sides(name: str, sides: object) -> None:
    """Raise FDF346 unless the value is a list of texts for each of the two sides."""
    both = arguments.several(name, sides)
    if isinstance(sides, str) or len(both) != 2:
        raise arguments.wrong(name, sides, "two lists, red's and blue's")
    for side in both:
        arguments.texts(name, side)

"""`fdforge los`: compute a line of sight."""

from __future__ import annotations

from typing import TYPE_CHECKING

from falldamage_forge.cli import option, query_options
from falldamage_forge.cli.spoken_language import echo

if TYPE_CHECKING:
    from falldamage_forge.board.surfaces import Surface
    from falldamage_forge.rules.answers import Sight


@query_options.command
def command(
    asked: query_options.Question = query_options.QUESTION,
    viewer: str = option.argument("A1[@L]"),
    target: str = option.argument("B2[@L]"),
    occupied: tuple[str, ...] = query_options.OCCUPIED,
) -> None:
    """Compute the line of sight between two surfaces of MAP, and the tiles that block it."""
    position = asked.position()
    one, other = position.place(viewer), position.place(target)
    asked.answer(position.sees(one, other, occupied), tell, one, other)


def tell(one: Surface, other: Surface, found: Sight) -> None:
    """Print a line of sight between two surfaces.

    Args:
        one: First surface.
        other: Second surface.
        found: The line between them.
    """
    if found:
        echo(f"{one} and {other} see each other")
    else:
        echo(f"{one} and {other} do not see each other: {found.blocked_by} blocks the line")

"""`fdforge push`: compute the result of a push."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from falldamage_forge.cli import option, query_options
from falldamage_forge.cli.spoken_language import echo

if TYPE_CHECKING:
    from falldamage_forge.rules.answers import PushResult
    from falldamage_forge.rules.position import Position


@query_options.command
def command(
    asked: query_options.Question = query_options.QUESTION,
    attacker: str = option.text("Surface of the attacker.", required=True, metavar="TILE"),
    target: str = option.text(
        "Surface of the pushed unit.",
        required=True,
        metavar="TILE",
        de="Fläche der gestoßenen Einheit.",
    ),
    text: str = option.text(
        "Letter and tiles: B, R, L or F.",
        "--push",
        required=True,
        metavar="B2",
        de="Buchstabe und Felder: B, R, L oder F.",
    ),
    more: dict[str, Any] = option.table(
        unit=option.text(
            "Card of the pushed unit.", metavar="VICTIM", de="Karte der gestoßenen Einheit."
        ),
        mage=option.flag(
            "The attacker is a mage: falls cost 2 more health.",
            de="Der Angreifer ist ein Magier: Stürze kosten 2 Leben mehr.",
        ),
        way=query_options.WAY.but(
            "Facing, on an exact diagonal.", de="Blickrichtung, auf einer genauen Diagonale."
        ),
        effects=query_options.EFFECTS.but(
            "Effect on the pushed unit, such as `rope=E5` or `lead-shoes`; repeatable.",
            de="Wirkung auf die gestoßene Einheit, wie `rope=E5` oder `lead-shoes`; wiederholbar.",
        ),
        occupied=query_options.OCCUPIED,
    ),
) -> None:
    """Compute where a pushed unit on MAP ends, its damage, and whether it survives.

    A death names its cause and its place.
    """
    position = asked.position()
    asked.answer(position.push(attacker, target, text, **more), tell, position, target)


def tell(position: Position, target: str, found: PushResult) -> None:
    """Print the result of a push of the unit or spire on `target`.

    Args:
        position: Board and rules of the push.
        target: Surface of the unit or spire, as the call names it.
        found: The result of the push.
    """
    from falldamage_forge.games.fall_damage.play.death import death_words

    if found.extra.get("spire"):
        _tell_spire(target, found)
        return
    where = death_words(found.cause, found.at) if found.cause else f"ends on {found.end}"
    echo(f"the unit on {position.place(target)} {where}, {found.damage} fall damage")
    if found.path:
        echo("by " + " -> ".join(map(str, found.path)))


def _tell_spire(target: str, found: PushResult) -> None:
    if not found.extra["gone"]:
        echo(f"the spire on {target} stays")
        return
    hit = found.extra["hit"]
    text = f", and hits who stands on {hit['tile']} for {found.damage} damage" if hit else ""
    echo(f"the spire on {target} is gone{text}; its tower can be stood on")

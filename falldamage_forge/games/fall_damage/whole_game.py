"""The whole game: all pieces that two players need beside their table, from the game's own data.

Cards, abilities and treasure say what they put on the table. As many units stand at once as a draft
allows; of the cards that a side may draft, those count that need most of a piece.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from falldamage_forge.board import Board, Feature
from falldamage_forge.games.fall_damage.play.game_data import CLASSES, GameData
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.infra.most_at_once import most_at_once
from falldamage_forge.issues import ForgeError, Issue, did_you_mean

ALL = "all"
"""A team of this one word has a figure of every card."""
Teams = Mapping[str, Sequence[str]]
"""Cards by side."""


@dataclass(frozen=True, slots=True)
class PieceNames:
    """Names of pieces that depend on a card, a class or a side, and the sign of each side."""

    figure: str
    stand: str
    red: str
    blue: str

    def sign(self, side: str) -> str:
        """Return the sign of a side."""
        return self.red if side == "red" else self.blue


@dataclass(frozen=True, slots=True)
class Things:
    """Parts by piece that a game needs: the game itself, each unit, each tree and each spire."""

    game: Mapping[str, int]
    unit: Mapping[str, int]
    tree: Mapping[str, int]
    spire: Mapping[str, int]
    names: PieceNames


def read_teams(teams: Teams, kit: GameData, where: str = "") -> dict[str, tuple[str, ...]]:
    """Return the cards of each side, `all` written out.

    Args:
        teams: Cards by side.
        kit: Cards and numbers of the game.
        where: File of the teams for messages; empty for none.

    Raises:
        ForgeError: FDF341 for unknown cards, FDF387 for a team that no draft allows.
    """
    known = kit.team_cards()
    issues: list[Issue] = []
    for side, team in teams.items():
        if tuple(team) != (ALL,):
            issues += _faults(f"{where}: {side}" if where else side, team, kit)
    if issues:
        raise ForgeError(issues)
    return {side: known if tuple(team) == (ALL,) else tuple(team) for side, team in teams.items()}


def _faults(side: str, team: Sequence[str], kit: GameData) -> Iterable[Issue]:
    known = kit.team_cards()
    unknown = [card for card in team if card not in known]
    for card in unknown:
        hint = did_you_mean(card, known) or f"cards: {', '.join(known)}"
        yield Issue("FDF341", "error", f"{side}: no card called `{card}`", hint=hint)
    if unknown:
        return
    wanted = kit.numbers.class_cards
    for card, count in Counter(team).items():
        if count > 1:
            yield Issue(
                "FDF387", "error", f"{side} has `{card}` {count} times; a card is drafted once"
            )
    by_class = Counter(kit.cards[card].unit_class for card in team)
    for name in CLASSES:
        if by_class[name] != wanted:
            own = ", ".join(card for card in known if kit.cards[card].unit_class == name)
            message = f"{side} has {by_class[name]} of {name}s; a team has {wanted} of each class"
            yield Issue("FDF387", "error", message, hint=f"{name}s: {own}")


def pieces_of_game(teams: Teams, board: Board, kit: GameData, things: Things) -> dict[str, int]:
    """Return all parts that two players need beside a board, by piece.

    Each chest of the board may hold another treasure.

    Args:
        teams: Cards of each side: those that play, or those that are drafted from.
        board: Gives chests, trees and spires.
        kit: Cards, abilities and treasure.
        things: What else a game needs.
    """
    needed: Counter[str] = Counter()
    for side, team in teams.items():
        needed += _of_side(side, team, kit, things)
    results = [result.pieces for result in kit.treasure.values()]
    needed += Counter(most_at_once(results, len(board.treasures)))
    features = Counter(
        column.feature
        for tile, column in zip(board.tiles(), board.columns, strict=True)
        if tile not in board.fixed
    )
    for feature, own in ((Feature.TREE, things.tree), (Feature.SPIRE, things.spire)):
        needed += _times(own, features[feature])
    return dict(sorted({**needed, **things.game}.items()))


def _of_side(side: str, team: Sequence[str], kit: GameData, things: Things) -> Counter[str]:
    """Return figures, and stands and marks of the units that are on the table at once."""
    names, sign = things.names, things.names.sign(side)
    needed = Counter(names.figure.format(card=card) for card in team)
    for unit_class in CLASSES:
        cards = [kit.cards[card] for card in team if kit.cards[card].unit_class == unit_class]
        count = min(len(cards), kit.numbers.class_cards)
        needed += _times(things.unit, count)
        needed[names.stand.format(side=sign, unit_class=unit_class)] += count
        own = [_of_abilities(card.abilities, kit, sign) for card in cards]
        needed += Counter(most_at_once(own, count))
    return needed


def _of_abilities(abilities: Iterable[str], kit: GameData, sign: str) -> Counter[str]:
    needed: Counter[str] = Counter()
    for name in abilities:
        for piece, count in kit.abilities[name].pieces.items():
            needed[piece.format(side=sign)] += count
    return needed


def _times(pieces: Mapping[str, int], count: int) -> Counter[str]:
    return Counter({piece: each * count for piece, each in pieces.items()})

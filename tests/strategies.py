"""Generated values that several rooms' tests share."""

from hypothesis import strategies as st

from falldamage_forge.board import (
    Board,
    Chest,
    Column,
    Deck,
    Feature,
    Ground,
    Ladder,
    StartZone,
    Tile,
    make_board,
)

RED = StartZone("red", tuple((Tile(0, col), 0) for col in range(1, 9)))
BLUE = StartZone("blue", tuple((Tile(9, col), 0) for col in range(1, 9)))


@st.composite
def boards(draw: st.DrawFn, rows: int = 10, cols: int = 10, highest: int = 5) -> Board:
    """Buildable boards with columns, features, decks where supports allow, and ladders."""
    levels = draw(st.lists(st.integers(0, highest), min_size=rows * cols, max_size=rows * cols))
    extras = draw(
        st.dictionaries(
            st.integers(0, rows * cols - 1),
            st.sampled_from(["tree", "spire", "water", "lava", "treasure"]),
            max_size=12,
        )
    )
    columns = []
    for number, level in enumerate(levels):
        extra = extras.get(number)
        edge_row = number // cols in (0, rows - 1)
        if edge_row:
            columns.append(Column(0))
        elif extra in ("water", "lava"):
            columns.append(Column(level, Ground(extra)))
        elif extra in ("tree", "spire"):
            columns.append(Column(level, feature=Feature(extra)))
        else:
            columns.append(Column(level))
    plain = make_board(rows, cols, columns)
    decks = [deck for deck in _possible_decks(plain) if draw(st.booleans())][:4]
    ladders = [ladder for ladder in _possible_ladders(plain, decks) if draw(st.booleans())][:4]
    chests = [
        Chest(Tile(*divmod(n, cols)), levels[n] if 0 < n // cols < rows - 1 else 0)
        for n, extra in extras.items()
        if extra == "treasure"
    ]
    return make_board(
        rows, cols, columns, decks=decks, ladders=ladders, treasures=chests, starts=(RED, BLUE)
    )


def _plain(column: Column) -> bool:
    return column.feature is None and column.ground is Ground.GROUND


def _possible_decks(board: Board) -> list[Deck]:
    found = []
    used: set[Tile] = set()
    for tile in board.tiles():
        level = board.column(tile).level
        for offset in ((0, 1), (1, 0)):
            for span in range(1, 5):
                end = tile.step(offset, span + 1)
                between = [tile.step(offset, n) for n in range(1, span + 1)]
                if (
                    end in board
                    and level > 0
                    and board.column(end).level == level
                    and _plain(board.column(tile))
                    and _plain(board.column(end))
                    and all(
                        board.column(t).level < level - 1
                        and board.column(t).feature is None
                        and t not in used
                        for t in between
                    )
                ):
                    used.update(between)
                    found.append(Deck.between(tile, end, level))
                    break
    return found


def _possible_ladders(board: Board, decks: list[Deck]) -> list[Ladder]:
    under = {tile for deck in decks for tile in deck.tiles}
    found = []
    for foot in board.tiles():
        for top in board.neighbours(foot):
            low, high = board.column(foot), board.column(top)
            if (
                2 <= high.level - low.level <= 5
                and low.feature is None
                and low.ground is not Ground.LAVA
                and foot not in under
            ):
                found.append(Ladder(foot, low.level, top, high.level))
                break
    return found

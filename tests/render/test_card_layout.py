"""Layout of cards: cut marks, backs behind fronts, band, figure, boxes, size of letters."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import shapely

from falldamage_forge import presets
from falldamage_forge.render import printed_cards as room
from falldamage_forge.render.display_list import Drawing
from falldamage_forge.render.pdf_pages import INK, PdfPages
from falldamage_forge.render.printed_cards import (
    CARD_PT,
    COLOURS,
    LARGEST_PT,
    PAPER,
    SLIP_PT,
    SMALLEST_PT,
    PrintedCard,
    cards,
    deck,
)
from falldamage_forge.render.silhouettes import WIDTH

UNITS = presets.load_units()


class Seen(PdfPages):
    """Pages that note their lines and boxes."""

    def __init__(self, size: str = "a4") -> None:
        super().__init__(size, "x")
        self.strokes: list[shapely.LineString] = []
        self.boxes: list[shapely.Polygon] = []
        self.new_page("")

    def line(self, x1: float, y1: float, x2: float, y2: float, *look: object) -> None:
        self.strokes.append(shapely.LineString([(x1, y1), (x2, y2)]))

    def box(self, x: float, y: float, width: float, height: float, *look: object) -> None:
        self.boxes.append(shapely.box(x, y, x + width, y + height))


@pytest.mark.parametrize("each", [CARD_PT, SLIP_PT])
@pytest.mark.parametrize("size", ["a4", "letter"])
def test_cut_marks_end_beside_every_edge_and_are_on_no_card(
    size: str, each: tuple[float, float]
) -> None:
    """A cut from a mark to that across goes along the edges of cards."""
    paper = Seen(size)
    (page,) = list(room._pages(paper, each, range(_count(paper, each))))
    whole = [shapely.box(x, y, x + each[0], y + each[1]) for (x, y), _ in page]
    paper.strokes.clear()
    room._cut_marks(paper, each)
    sheet = shapely.box(0, 0, paper.width_pt, paper.height_pt)
    assert all(sheet.contains(mark) for mark in paper.strokes)
    assert min(mark.distance(card) for mark in paper.strokes for card in whole) > 1
    columns = {round(x, 6) for card in whole for x in card.bounds[::2]}
    rows = {round(y, 6) for card in whole for y in card.bounds[1::2]}
    ends = [mark.bounds for mark in paper.strokes]
    upright = [round(x, 6) for x, _, other, _ in ends if x == other]
    flat = [round(y, 6) for _, y, _, other in ends if y == other]
    assert sorted(upright) == sorted([*columns, *columns])
    assert sorted(flat) == sorted([*rows, *rows])
    middle = shapely.union_all(whole).centroid
    for along, count in ((0, len(columns)), (1, len(rows))):
        marks = [mark for mark in ends if mark[along] == mark[along + 2]]
        side = [mark[1 - along] < middle.coords[0][1 - along] for mark in marks]
        assert side.count(True) == side.count(False) == count


def _count(paper: PdfPages, each: tuple[float, float]) -> int:
    _, across, down = room._grid(paper, each)
    return across * down


@contextmanager
def painted(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[list[tuple[str, float, float, str]]]]:
    """Pages, each with (front or back, x, y, title) of its cards."""
    found: list[list[tuple[str, float, float, str]]] = []
    new_page, back = PdfPages.new_page, room._back

    def begun(self: PdfPages, title: str) -> None:
        found.append([])
        new_page(self, title)

    def backed(paper: PdfPages, card: PrintedCard, x: float, y: float) -> None:
        found[-1].append(("back", x, y, card.kind))
        back(paper, card, x, y)

    frame = room._frame

    def framed(
        paper: PdfPages, title: str, kind: str, x: float, y: float, spare: float = 0.0
    ) -> None:
        found[-1].append(("front", x, y, kind))
        frame(paper, title, kind, x, y, spare)

    monkeypatch.setattr(PdfPages, "new_page", begun)
    monkeypatch.setattr(room, "_back", backed)
    monkeypatch.setattr(room, "_frame", framed)
    yield found


@pytest.mark.parametrize("size", ["a4", "letter"])
def test_back_of_each_card_lies_behind_its_front(
    size: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Turned over along the long edge, the page is mirrored from left to right."""
    with painted(monkeypatch) as found:
        cards(list(UNITS.values()), size, game=presets.load_kit())
    wide = PdfPages(size, "x").width_pt
    pages = [page for page in found if page]
    assert len(pages) > 4
    for front, back in zip(pages[::2], pages[1::2], strict=True):
        assert ({kind for kind, *_ in front}, {kind for kind, *_ in back}) == ({"front"}, {"back"})
        behind = {(round(wide - x - CARD_PT[0], 6), round(y, 6), kind) for _, x, y, kind in back}
        assert behind == {(round(x, 6), round(y, 6), kind) for _, x, y, kind in front}


@pytest.mark.parametrize("name", ["knight", "archer", "druid"])
def test_band_and_figure_of_a_card_have_its_colour_and_lie_on_it(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The band along the upper edge has its title; the figure stands below the rules."""
    unit, fills, drawn = UNITS[name], list[tuple[Any, ...]](), list[tuple[Any, ...]]()
    drawing = PdfPages.drawing

    def noted(self: PdfPages, picture: Drawing, *place: float) -> float:
        drawn.append((picture, shapely.box(*place[:2], place[0] + place[2], place[1] + place[3])))
        return drawing(self, picture, *place)

    monkeypatch.setattr(PdfPages, "fill", lambda _, *told: fills.append(told))
    monkeypatch.setattr(PdfPages, "drawing", noted)
    (card, *_) = deck([unit], presets.load_catalogue())
    x, y = 30.0, 40.0
    card.paint(Seen(), x, y)
    ((left, top, wide, high, colour),) = fills
    assert colour == COLOURS[unit.unit_class]
    whole = shapely.box(x, y, x + CARD_PT[0], y + CARD_PT[1])
    band = shapely.box(left, top, left + wide, top + high)
    assert whole.contains(band) and band.centroid.x == pytest.approx(whole.centroid.x)
    assert band.bounds[1] - y == pytest.approx(band.bounds[0] - x), "as far from each edge"
    assert all(whole.contains(place) for _, place in drawn)
    assert band.contains(drawn[0][1]), "its sign"
    ((figure, place),) = [each for each in drawn if each[0].width == WIDTH]
    assert not place.intersects(band)
    inks = {shape.fill for shape in figure.shapes} | {shape.stroke for shape in figure.shapes}
    assert colour in inks and inks <= {colour, PAPER, None}


@pytest.mark.parametrize("name", ["knight", "necromancer", "shield-bearer"])
def test_card_has_a_box_for_each_point_of_health(name: str) -> None:
    """Side by side on the card, none on another, right of the sign."""
    paper, unit = Seen(), UNITS[name]
    room._health(paper, unit, 9.0, 200.0)
    assert len(paper.boxes) == unit.health
    card = shapely.box(9.0, 200.0, CARD_PT[0] - 9.0, 210.0)
    sign = shapely.box(9.0, 200.0, 19.0, 210.0)
    for one, other in zip(paper.boxes, [sign, *paper.boxes], strict=False):
        assert card.covers(one) and one.distance(other) > 1 and one.area > 60
        assert one.bounds[1::2] == (200.0, 210.0)


def test_text_of_a_card_has_the_largest_letters_that_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    """More room, larger letters, between the bounds; the text ends inside its room."""
    sizes: list[float] = []
    write = room.rich_text.write

    def seen(paper: PdfPages, lines: object, x: float, y: float, size: float, *rest: str) -> float:
        sizes.append(size)
        return write(paper, lines, x, y, size, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(room.rich_text, "write", seen)
    texts = [("Its attack needs no line of sight, and it takes no fall damage. " * 3, INK)] * 3
    chosen = []
    for high in (20.0, 100.0, 130.0, 160.0, 190.0, 1000.0):
        sizes.clear()
        end = room._paragraphs(Seen(), texts, 9.0, 0.0, high)
        (size,) = set(sizes)
        chosen.append(size)
        assert size == SMALLEST_PT or end - 0.45 * size <= high + 0.01
    assert (chosen[0], chosen[-1]) == (SMALLEST_PT, LARGEST_PT)
    assert chosen == sorted(chosen) and len(set(chosen)) > 3

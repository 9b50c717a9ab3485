"""Sheets to put a kit away: layers of a box from above, labels for bags, and a list to tick off."""

from __future__ import annotations

from collections.abc import Mapping

from falldamage_forge.board import column_name
from falldamage_forge.export.piece_list import group_rank
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.languages.translator import Say
from falldamage_forge.pieces.piece import Piece
from falldamage_forge.printing.box_layers import BoxLayer, PackedBox
from falldamage_forge.printing.colour_groups import words_of
from falldamage_forge.render.palette import group_colour
from falldamage_forge.render.pdf_pages import FAINT, MARGIN_PT, PdfPages

_ROW_PT = 26.0
_LABEL_PT = 16.0
_TICKS_PT = (78.0, 28.0)
"""Distance of the boxes `out` and `returned` from the right margin."""


@dataclass(frozen=True, slots=True)
class PackingPages:
    """Writes lists of parts and layers of a box on pages.

    Attributes:
        paper: The pages.
        footer: Line at the foot of each page.
        pieces: Pieces by key.
        pictures: Picture of each piece by key; a missing one leaves its place empty.
    """

    paper: PdfPages
    footer: str
    pieces: Mapping[str, Piece]
    pictures: Mapping[str, bytes]

    def layers(self, packed: PackedBox) -> None:
        """Draw each layer of a box to scale, seen from above, on a page of its own."""
        for number, layer in enumerate(packed.layers, start=1):
            self._layer(packed, layer, f"Layer {number} of {len(packed.layers)}, from the bottom")

    def _layer(self, packed: PackedBox, layer: BoxLayer, heading: str) -> None:
        paper, (wide_mm, deep_mm, _) = self.paper, packed.inside_mm
        counts = dict(sorted(layer.counts().items()))
        letters = {key: column_name(number) for number, key in enumerate(counts)}
        y = self._page(heading)
        words = f"{sum(counts.values())} parts, {layer.height_mm:.0f} mm high, seen from above"
        paper.text(words, MARGIN_PT, y - 12, 10, colour=FAINT)
        scale = min((paper.width_pt - 2 * MARGIN_PT) / wide_mm, 380 / deep_mm)
        paper.box(MARGIN_PT, y, wide_mm * scale, deep_mm * scale)
        for stack in layer.stacks:
            wide, deep = stack.width_mm * scale, stack.depth_mm * scale
            left = MARGIN_PT + stack.x_mm * scale
            top = y + (deep_mm - stack.y_mm) * scale - deep
            paper.fill(left, top, wide, deep, group_colour(self.pieces[stack.key].group))
            paper.box(left, top, wide, deep)
            size = max(5.0, min(11.0, deep * 0.7, wide * 0.3))
            sign = f"{letters[stack.key]} {stack.count}"
            tab = paper.width(sign, size, bold=True) + 3
            middle = (left + wide / 2, top + deep / 2)
            paper.fill(middle[0] - tab / 2, middle[1] - size * 0.6, tab, size * 1.2, "#ffffff")
            paper.text(sign, middle[0], middle[1] + size * 0.36, size, bold=True, anchor=0.5)
        y += deep_mm * scale + 30
        listed = list(counts.items())
        for row in (listed[at : at + 2] for at in range(0, len(listed), 2)):
            y = self._room(y, heading)
            for column, (key, count) in enumerate(row):
                x = MARGIN_PT + column * (paper.width_pt / 2 - MARGIN_PT)
                paper.text(letters[key], x, y, 11, bold=True)
                self._part(x + 22, y, key, count)
            y += _ROW_PT

    def labels(self, counts: Mapping[str, int]) -> None:
        """Draw a label for each bag, two in a row; a bag holds the parts of one colour group."""
        groups: dict[str, list[str]] = {}
        for key in sorted(counts, key=lambda key: (group_rank(self.pieces[key].group), key)):
            groups.setdefault(self.pieces[key].group, []).append(key)
        paper = self.paper
        wide = (paper.width_pt - 2 * MARGIN_PT) / 2
        y = self._page("Bag labels: cut along the dashes")
        bags = list(groups.items())
        for row in (bags[at : at + 2] for at in range(0, len(bags), 2)):
            high = 44 + _LABEL_PT * max(len(keys) for _, keys in row)
            if y + high > paper.height_pt - MARGIN_PT:
                y = self._page("Bag labels, continued")
            for column, (group, keys) in enumerate(row):
                x = MARGIN_PT + column * wide
                paper.box(x, y, wide, high, dash=True)
                paper.fill(x + 8, y + 10, 14, 14, group_colour(group))
                name = paper.say(words_of(group))
                amount = paper.say(f"{sum(counts[key] for key in keys)} parts")
                title = f"{name[:1].upper()}{name[1:]}: {amount}"
                paper.text(title, x + 28, y + 21, 12, bold=True, verbatim=True)
                for number, key in enumerate(keys):
                    words = f"{counts[key]} x {key}"
                    paper.text(words, x + 28, y + 40 + number * _LABEL_PT, 9, verbatim=True)
            y += high

    def return_list(self, heading: str, counts: Mapping[str, int]) -> None:
        """Draw a list of all parts with boxes to tick off: handed out, and back.

        Args:
            heading: Title of the list.
            counts: Number of parts by name.
        """
        y = self._ticked_page(heading)
        for key in sorted(counts, key=lambda key: (group_rank(self.pieces[key].group), key)):
            if y > self.paper.height_pt - MARGIN_PT - _ROW_PT:
                y = self._ticked_page(f"{heading}, continued")
            self._part(MARGIN_PT, y, key, counts[key])
            for right in _TICKS_PT:
                self.paper.box(self.paper.width_pt - MARGIN_PT - right, y - 9, 12, 12)
            y += _ROW_PT
        words = f"{sum(counts.values())} parts"
        self.paper.text(words, MARGIN_PT, self._room(y, heading), 11, bold=True)

    def _ticked_page(self, heading: str) -> float:
        y = self._page(heading)
        for right, word in zip(_TICKS_PT, ("out", "returned"), strict=True):
            x = self.paper.width_pt - MARGIN_PT - right + 6
            self.paper.text(word, x, y - 14, 9, colour=FAINT, anchor=0.5)
        return y + 10

    def _part(self, x: float, y: float, key: str, count: int) -> None:
        """Draw a line of a list: picture, count, key and title of a piece."""
        paper = self.paper
        if key in self.pictures:
            paper.image(self.pictures[key], x, y - 16, 24, 24)
        words = f"{count} x {key}"
        paper.text(words, x + 30, y, 10, bold=True, verbatim=True)
        room = paper.width_pt / 2 - MARGIN_PT - 60
        paper.text(paper.wrap(self.pieces[key].title, 7, room)[0], x + 30, y + 9, 7, colour=FAINT)

    def _page(self, heading: str) -> float:
        self.paper.new_page(self.footer)
        size = self.paper.fitted(heading, 18, self.paper.width_pt - 2 * MARGIN_PT, bold=True)
        self.paper.text(heading, MARGIN_PT, 66, size, bold=True)
        return 94.0

    def _room(self, y: float, heading: str) -> float:
        """Return y, or the top of a new page if no row fits below it."""
        full = y > self.paper.height_pt - MARGIN_PT - _ROW_PT
        return self._page(f"{heading}, continued") + 10 if full else y


def packing_sheets(
    title: str,
    packed: PackedBox,
    counts: Mapping[str, int],
    pieces: Mapping[str, Piece],
    pictures: Mapping[str, bytes],
    size: str = "a4",
    say: Say = str,
) -> bytes:
    """Return a PDF with the layers of a box, labels for bags, and a list to tick off.

    Args:
        title: Title of the kit.
        packed: The box.
        counts: Parts by key.
        pieces: Pieces by key.
        pictures: Picture of each piece by key.
        size: `a4` or `letter`.
        say: Translates each text.
    """
    box = "{:g} x {:g} x {:g} mm".format(*packed.inside_mm)
    paper = PdfPages(size, f"{title}: how to pack it", say)
    pages = PackingPages(paper, f"{title}, in a box of {box}", pieces, pictures)
    pages.layers(packed)
    pages.labels(counts)
    pages.return_list("Return list", counts)
    return paper.finish()

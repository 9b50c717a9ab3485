"""Drawings by layer and colour, and words of pages, as text: see `tests/snapshot.py`."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import partial

import pytest

import falldamage_forge as ff
from falldamage_forge.builds.result import report_context_of_illegal
from falldamage_forge.export.piece_list import ListRow
from falldamage_forge.printing.print_price import Price
from falldamage_forge.render import rule_overlays
from falldamage_forge.render.display_list import Drawing, PaintedPath
from falldamage_forge.render.html_report import PlateRow, ReportData, report
from falldamage_forge.render.icons import ICONS, icon
from falldamage_forge.render.isometric import isometric
from falldamage_forge.render.terminal import terminal
from falldamage_forge.render.topdown import topdown
from tests import snapshot
from tests.snapshot import Snapshots, small

AREA = "render"


def layers(drawing: Drawing) -> Iterator[str]:
    """Each layer and colour: its shapes, when they are painted, and the sums of what they say."""
    yield f"{drawing.width:g} x {drawing.height:g} on {drawing.background}, `{drawing.title}`"
    alike: dict[tuple[str, str, str], list[tuple[int, PaintedPath]]] = defaultdict(list)
    for number, shape in enumerate(drawing.shapes):
        alike[shape.group, str(shape.fill), str(shape.stroke)].append((number, shape))
    for (group, fill, stroke), shapes in alike.items():
        points = [point for _, shape in shapes for path in shape.paths for point in path]
        x, y = (sum(point[axis] for point in points) for axis in (0, 1))
        looks = [(shape.width, shape.opacity, shape.dash, shape.closed) for _, shape in shapes]
        sums = " ".join(f"{sum(each):.5g}" for each in zip(*looks, strict=True))
        yield (
            f"{group or 'base'} {fill} {stroke}: {len(shapes)} painted at "
            f"{sum(number for number, _ in shapes)}, {len(points)} points of {x:.5g} {y:.5g}, "
            f"looks {sums}"
        )


def drawn(name: str, theme: str, flat: bool) -> Iterator[str]:
    """A map with its legend and two overlays."""
    map_ = small(name)
    position = ff.analysis(map_)
    overlays = (rule_overlays.hazard(position), rule_overlays.turns(position, position.plain))
    if flat:
        return layers(topdown(map_.board, title=map_.title, theme=theme, overlays=overlays))
    return layers(isometric(map_.board, title=map_.title, theme=theme, overlays=overlays))


def icons() -> Iterator[str]:
    """Every icon in black on white."""
    for name in ICONS:
        for line in list(layers(icon(name, "#000000")))[1:]:
            yield f"{name}: {line}"


def words() -> Iterator[str]:
    """The visible words of the page of an illegal map, and its picture in a terminal."""
    map_ = ff.loads(
        small("yard").text.replace("B3 -> E3 level 3", "B3 -> E3 level 2"), "yard.forge"
    )
    page = report(report_context_of_illegal(ff.check(map_)))
    bare = re.sub(r"(?s)<(style|script|svg)\b.*?</\1>|<[^>]*>", "\n", page)
    yield from (line for line in map(str.strip, bare.splitlines()) if line)
    yield from terminal(map_.board).splitlines()


def page() -> Iterator[str]:
    """The elements of a report with a verdict, metrics, parts, plates and costs."""
    map_ = small("camp")
    checked = ff.check(map_)
    rows = (
        ListRow("block-1x1x1", "Block", "stone", 3, 1, 24.44, 61.0, (1, 2)),
        ListRow("tree", "Tree", "tree", 1, 0, 9.06, 30.0, (2,)),
    )
    plates = (PlateRow("plate-01", 1, 12.2, 30.5), PlateRow("plate-02", 2, 21.3, 60.5))
    notes = ("A note.",)
    data = ReportData(
        title=map_.title,
        board=map_.board,
        author="A. Player",
        issues=checked.issues,
        notes=notes,
        measures=ff.analyze(map_).metrics,
        overlays=(rule_overlays.hazard(checked.position),),
        rows=rows,
        plates=plates,
        printer="a printer",
        price=Price(20.0),
        start="starting a plate takes 5 min more",
    )
    text = re.sub(r"(?s)<(style|script|svg)\b.*?</\1>|base64,[^\"]*", "", report(data))
    for tag, words in re.findall(r"<([^/][^>]*)>([^<]*)", text):
        yield f"{tag}: {' '.join(words.split())}"[:290]


SNAPSHOTS: Snapshots = {
    "page": page,
    "yard": partial(drawn, "yard", "light", False),
    "yard-flat": partial(drawn, "yard", "dark", True),
    "hall": partial(drawn, "hall", "dark", False),
    "bridges-flat": partial(drawn, "bridges", "light", True),
    "icons": icons,
    "words": words,
}


@pytest.mark.parametrize("name", SNAPSHOTS)
def test_drawing_is_that_of_the_snapshot(name: str) -> None:
    snapshot.check(f"{AREA}/{name}", SNAPSHOTS[name]())

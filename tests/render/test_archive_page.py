"""Pictures of an archive of maps: the sheet, the heat map, and the page."""

from __future__ import annotations

import base64
import io
import json
import re
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from PIL import Image

from falldamage_forge.board import Board, Column, make_board
from falldamage_forge.render import archive_page
from falldamage_forge.render.archive_page import (
    CELL_PX,
    GAP_PX,
    SHEET_COLUMNS,
    SHEET_SCALE,
    ArchiveMap,
    colour,
    gallery,
    heat_map,
    heat_svg,
    plots,
    sheet,
)
from falldamage_forge.render.isometric import isometric
from falldamage_forge.render.svg import png

AXES = {"mean level": (0.5, 1.0), "sight & <more>": (0.25,), "cost": (9.0,)}
STEP = CELL_PX + GAP_PX


def board(size: int = 1) -> Board:
    return make_board(1, size, [Column(0)] * size)


def shown(style: str, level: float, sight: float, quality: float, size: int = 1) -> ArchiveMap:
    traits = dict(zip(AXES, (level, sight, 1 / 3), strict=True))
    name = f"{style}-{level:g}-{sight:g}"
    return ArchiveMap(name, f"Map {name}", style, quality, traits, f"</script> {name}", board(size))


MAPS = [
    shown("keep", 0.49, 0.0, -1.0),
    shown("keep", 0.5, 0.0, -2.0),
    shown("keep", 0.99, 0.2, -0.5),
    shown("keep", 1.0, 0.25, -4.0),
    *(shown(style, 0.0, 1.0, -3.0) for style in ("arena", "mill", "village", "west")),
]


def elements(text: str, tag: str) -> list[ET.Element]:
    return list(ET.fromstring(text).iter(f"{{http://www.w3.org/2000/svg}}{tag}"))


def number(element: ET.Element, name: str) -> float:
    return float(element.attrib[name])


def test_each_style_has_a_grid_of_its_best_maps_by_two_axes() -> None:
    text = heat_svg(MAPS, AXES)
    paper, *cells = elements(text, "rect")
    words = [(each.text, each) for each in elements(text, "text")]
    heads = [each for _, each in words if each.get("font-size") == "15"]
    assert [each.text for each in heads] == ["arena", "keep", "mill", "village", "west"]
    assert paper.attrib["width"] == "100%"
    tables: dict[str, dict[tuple[int, int], tuple[str, list[str | None]]]] = {}
    for index, head in enumerate(heads):
        own = cells[6 * index : 6 * index + 6]
        left, top = number(head, "x"), number(head, "y") + 14
        tables[str(head.text)] = table = {}
        for cell in own:
            x, y = number(cell, "x"), number(cell, "y")
            inside = [
                told for told, each in words
                if "x" in each.attrib and 0 < number(each, "x") - x < CELL_PX
                and 0 < number(each, "y") - y < CELL_PX
            ]  # fmt: skip
            table[round((y - top) / STEP), round((x - left) / STEP)] = cell.attrib["fill"], inside
        assert sorted(table) == [(row, col) for row in range(2) for col in range(3)]
        assert number(head, "x") - number(heads[0], "x") == index % 4 * (3 * STEP + 90)
        assert number(head, "y") - number(heads[0], "y") == index // 4 * (2 * STEP + 90)
    filled = {place: told for place, told in tables["keep"].items() if told[1]}
    assert filled == {
        (0, 0): (colour(-1.0), ["-1.00", "1 map"]),
        (0, 1): (colour(-0.5), ["-0.50", "2 maps"]),
        (1, 2): (colour(-4.0), ["-4.00", "1 map"]),
    }
    assert all(told == ("none", []) for at, told in tables["keep"].items() if at not in filled)
    assert tables["arena"][1, 0] == (colour(-3.0), ["-3.00", "1 map"])


def test_heat_map_names_its_axes_and_edges_within_its_picture() -> None:
    text = heat_svg(MAPS[:4], AXES)
    (root,) = ET.fromstring(text).iter("{http://www.w3.org/2000/svg}svg")
    _, *cells = elements(text, "rect")
    places = {}
    for each in elements(text, "text"):
        if "x" in each.attrib:
            x, y = number(each, "x"), number(each, "y")
            assert 0 < x < number(root, "width") and 0 < y < number(root, "height")
            places[each.text] = x, y
        else:
            assert each.text == "sight & <more> →"
    left, top = number(cells[0], "x"), number(cells[0], "y")
    below = top + 2 * STEP
    assert places["0.5"] == (left + STEP - 12, below + 12)
    assert places["1"] == (left + 2 * STEP - 12, below + 12)
    assert places["0.25"] == (left - 32, top + STEP + 3)
    assert places["mean level →"] == (left, below + 26)
    assert heat_map(MAPS, AXES, ".svg").decode() == heat_svg(MAPS, AXES)
    assert heat_map(MAPS, AXES, ".png").startswith(b"\x89PNG")
    assert not elements(heat_svg((), AXES), "text")


def test_better_maps_are_darker() -> None:
    tones = [colour(archive_page.WORST * share) for share in (2.0, 1.0, 0.75, 0.5, 0.25, 0.0)]
    assert tones[0] == tones[1] == "#{:02x}{:02x}{:02x}".format(*archive_page.LOW)
    assert tones[-1] == "#{:02x}{:02x}{:02x}".format(*archive_page.HIGH)
    sums = [sum(bytes.fromhex(tone[1:])) for tone in tones[1:]]
    assert all(a > b for a, b in pairwise(sums))


def test_plots_run_from_the_least_to_the_greatest_value() -> None:
    history = [(64, 3, -2.0, -4.0), (128, 5, -1.0, -3.0), (256, 11, -0.5, -2.5)]
    assert plots(history[:1]) == ""
    drawn = [f"{part}</svg>" for part in plots(history).split("</svg>")[:-1]]
    told = [re.findall(r"<text[^>]*>([^<]*)", part) for part in drawn]
    looked = "0 to 256 maps looked at"
    assert told == [["maps kept: 3 to 11", looked], ["best and mean quality: -4 to -0.5", looked]]
    lines = [re.findall(r'points="([^"]*)"', part) for part in drawn]
    assert lines[0] == ["95.0,120.0 180.0,97.5 350.0,30.0"]
    assert [line.split()[0] for line in lines[1]] == ["95.0,68.6", "95.0,120.0"]
    assert [line.split()[-1] for line in lines[1]] == ["350.0,30.0", "350.0,81.4"]
    flat = plots([(1, 4, -1.0, -1.0), (2, 4, -1.0, -1.0)])
    assert re.findall(r'points="([^"]*)"', flat)[0] == "180.0,120.0 350.0,120.0"


def test_page_holds_every_map_with_its_picture_and_text() -> None:
    steps: list[tuple[Any, ...]] = []
    two = [MAPS[3], MAPS[4]]
    page = gallery(two, [(1, 1, -1.0, -1.0), (2, 2, -1.0, -2.0)], lambda *step: steps.append(step))
    assert steps == [(f"drawing {each.name}", done, 2) for done, each in enumerate(two)]
    assert page.count('class="plot"') == 2 and "{{" not in page
    start = page.index('[{"name"')
    entries, _ = json.JSONDecoder().raw_decode(page[start:].replace("\\u003c", "<"))
    for entry, each in zip(entries, two, strict=True):
        picture = Image.open(io.BytesIO(base64.b64decode(entry.pop("picture"))))
        assert len(picture.getcolors() or ()) <= archive_page.THUMB_COLOURS
        assert entry == {
            "name": each.name, "title": each.title, "style": each.style, "text": each.text,
            "quality": each.quality,
            "traits": {axis: round(value, 3) for axis, value in each.traits.items()},
        }  # fmt: skip
    assert page.count("</script>") == page.count("<script"), "a map's text ends no script"


@pytest.mark.parametrize("count", [0, 1, SHEET_COLUMNS, SHEET_COLUMNS + 2])
def test_sheet_has_its_pictures_in_rows(count: int) -> None:
    steps: list[tuple[Any, ...]] = []
    maps = [shown("keep", 0.1 * place, 0.0, -1.0, 1 + place % 2) for place in range(count)]
    whole = Image.open(io.BytesIO(sheet(maps, lambda *step: steps.append(step))))
    assert steps == [(f"drawing {each.name}", done, count) for done, each in enumerate(maps)]
    if not maps:
        assert whole.size == (1, 1)
        return
    pictures = []
    for each in maps:
        title = f"{each.title}, keep, -1.00"
        data = png(isometric(each.board, title=title, legend=False), scale=SHEET_SCALE)
        pictures.append(Image.open(io.BytesIO(data)).convert("RGB"))
    wide, high = max(one.width for one in pictures), max(one.height for one in pictures)
    columns = min(count, SHEET_COLUMNS)
    assert whole.size == (wide * columns, high * -(-count // SHEET_COLUMNS))
    for place, one in enumerate(pictures):
        x, y = place % SHEET_COLUMNS * wide, place // SHEET_COLUMNS * high
        assert whole.crop((x, y, x + one.width, y + one.height)).tobytes() == one.tobytes()

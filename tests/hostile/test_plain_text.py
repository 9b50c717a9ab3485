"""One door for text: what no format carries is refused with its place, all else can be written."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import falldamage_forge as ff
from falldamage_forge.export.roundtrip import read_3mf
from falldamage_forge.infra.atomic_write import safe_name
from falldamage_forge.infra.plain_text import parse_json, require_plain
from falldamage_forge.infra.toml_loader import parse_toml
from falldamage_forge.infra.visible_text import escape, visible
from falldamage_forge.issues import ForgeError
from falldamage_forge.render.build_sheets import sheets
from falldamage_forge.render.html_pages import HtmlPages
from falldamage_forge.render.isometric import isometric
from falldamage_forge.render.svg import svg
from tests.cli.running import typed
from tests.hostile.asked import EVENT, files, words_of

XML_CHARACTERS = [
    *range(0x20, 0xD800), *range(0xE000, 0xFFFE), *range(0x10000, 0x110000), 0x9, 0xA, 0xD,
]  # fmt: skip
"""Source: XML 1.0, production 2, `Char`."""
FORBIDDEN = [
    0x0, 0x1, 0x8, 0xB, 0x1B, 0x1F, 0x7F, 0x85, 0x9F, 0x202E, 0x2028, 0xD800, 0xDFFF, 0xFDD0,
    0xFDEF, 0xFEFF, 0xFFFE, 0xFFFF, 0x1FFFE, 0x1FFFF, 0xFFFFF, 0x10FFFE, 0x10FFFF,
]  # fmt: skip
"""One of each kind: controls, marks of direction, surrogates, noncharacters (Unicode, 23.7)."""
MAP = 'forge 1\ntitle "{}"\nstart red at B1..I1\nstart blue at B10..I10\n'


def is_accepted(text: str) -> bool:
    """True if the reader of files takes the text."""
    try:
        require_plain(text, "a")
    except ForgeError:
        return False
    return True


def test_every_character_that_is_accepted_is_one_of_xml() -> None:
    accepted = {number for number in range(0x110000) if is_accepted(f"a{chr(number)}\n")}
    assert accepted <= set(XML_CHARACTERS)
    assert not accepted & set(FORBIDDEN)
    assert len(accepted) > 1_111_000, "letters, signs and emoji of all planes are taken"


@pytest.mark.parametrize("number", FORBIDDEN)
def test_map_refuses_what_no_format_carries_at_its_place(number: int) -> None:
    text = MAP.format(f"ab{chr(number)}c")
    (issue,) = ff.loads(text).issues
    assert issue.code == "FDF007" and f"U+{number:04X}" in issue.message
    assert issue.span and (issue.span.line, issue.span.col) == (2, 10)
    assert issue.hint


@pytest.mark.parametrize("number", FORBIDDEN)
@pytest.mark.parametrize("form", ["raw", "escaped"])
@pytest.mark.parametrize("language", ["toml", "json"])
def test_table_refuses_what_no_format_carries_at_its_place(
    language: str, form: str, number: int
) -> None:
    """As it is, or as an escape of TOML or JSON, in a value and in a key."""
    letter = chr(number)
    if form == "escaped" and language == "json":
        letter = json.dumps(letter)[1:-1]
    elif form == "escaped":
        letter = f"\\U{number:08X}"
    quoted = f'"x\\\\u0000 {letter}"'
    source = f'{{\n "a": {quoted}}}' if language == "json" else f"\na = {quoted}"
    for text in (source, source.replace('"a"', quoted).replace("a =", f"{quoted} =")):
        with pytest.raises(ForgeError) as caught:
            (parse_json if language == "json" else parse_toml)(text, "own")
        (issue,) = caught.value.issues
        if language == "toml" and form == "escaped" and 0xD800 <= number < 0xE000:
            assert issue.code == "FDF290", "TOML has no such escape"
            continue
        assert issue.code == "FDF007" and f"U+{number:04X}" in issue.message
        assert issue.span and issue.span.file == "own" and issue.span.line == 2
        assert text.split("\n")[1][issue.span.col - 1 :].startswith(letter)


@pytest.mark.parametrize(
    "text", ['{"a": "\\\\u0000 \\ud83d\\ude00 \\n"}', '{"a": "\\\\\\\\ufffe"}']
)
def test_escapes_of_text_are_taken(text: str) -> None:
    assert parse_json(text, "a") == json.loads(text)


READ = {
    "stock": "stock show --stock {stock}",
    "record": "replay {record}",
    "cases": "conform {cases}",
    "event": "event {event}",
}
"""A command that reads a file, by the place of `asked.files`."""


@pytest.mark.parametrize("place", READ)
@pytest.mark.parametrize("number", [0x1B, 0xFFFE, 0x10FFFF])
def test_commands_refuse_files_with_line_and_column(
    place: str, number: int, tmp_path: Path
) -> None:
    own = files(tmp_path)
    file = Path(str(own[place]))
    file.write_text(f"{file.read_text('utf-8')}\n ab{chr(number)}", "utf-8")
    line = file.read_text("utf-8").count("\n") + 1
    run = typed(*READ[place].format_map(own).split(), cwd=tmp_path)
    assert run.returncode == 1
    assert f"U+{number:04X}" in run.stderr and f":{line}:4" in run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.parametrize("key", ["title", "tables"])
@pytest.mark.parametrize("number", [0x1B, 0xFFFE, 0x10FFFF])
def test_names_written_as_escapes_are_refused(key: str, number: int, tmp_path: Path) -> None:
    own = files(tmp_path)
    text = EVENT.format(table="m.forge").replace(f"{key} = ", f"{key} = ", 1)
    escape_ = f"\\U{number:08X}"
    text = (
        text.replace('"Cup"', f'"{escape_}"')
        if key == "title"
        else text.replace('"m.forge"', f'"m{escape_}.forge"')
    )
    Path(str(own["event"])).write_text(text, "utf-8")
    run = typed("event", own["event"], cwd=tmp_path)
    assert run.returncode == 1 and f"U+{number:04X}" in run.stderr


TITLES = st.text(max_size=30).filter(lambda text: '"' not in text and "\n" not in text)


@given(TITLES)
@example("\ufffe")
@example("\U0001fffe\ud800")
@example("<&'>]]> \u200d👩\u200d👧")
def test_title_that_a_map_accepts_is_written_by_every_exporter(title: str) -> None:
    """XML parses, JSON reads back, PDF is written; a title that is not accepted has a place."""
    map_ = ff.loads(MAP.format(title))
    if any(issue.severity == "error" for issue in map_.issues):
        assert all(issue.span for issue in map_.issues)
        return
    name, board = map_.title, map_.board
    assert visible(name) == name
    assert json.loads(json.dumps(name).encode()) == name
    assert ET.fromstring(f"<a b='{escape(name)}'>{escape(name)}</a>").text == name
    assert ET.fromstring(svg(isometric(board, title=name))) is not None
    assert sheets(name, board, (), {}).startswith(b"%PDF")
    paper = HtmlPages("a4", name)
    paper.new_page(name)
    paper.text(name, 10, 10, 8)
    assert paper.finish().decode("utf-8")
    assert safe_name(name).encode()


def test_title_that_a_map_accepts_is_written_by_commands(tmp_path: Path) -> None:
    title = "<&'>]]> 👩\u200d👧 Ωδός \\\\N{DIGIT}"
    own = files(tmp_path)
    file = Path(str(own["map"]))
    file.write_text(file.read_text("utf-8").replace("forge 1\n", f'forge 1\ntitle "{title}"\n'))
    for name in ("build", "report", "export", "sheets", "pack", "show"):
        run = typed(*words_of(name, **own), cwd=tmp_path)
        assert run.returncode == 0, (name, run.stderr)
    for path in tmp_path.rglob("*.svg"):
        ET.fromstring(path.read_text("utf-8"))
    for path in tmp_path.rglob("*.json"):
        json.loads(path.read_text("utf-8"))
    for path in tmp_path.rglob("*.3mf"):
        read_3mf(path.read_bytes(), path.name)

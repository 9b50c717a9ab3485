"""Characters that look like others: named with their place, wherever a map or a tile is written."""

import unicodedata

import pytest

import falldamage_forge as ff
from falldamage_forge.board.coordinates import parse_place
from falldamage_forge.infra.look_alikes import look_alike_hint, plain_form
from falldamage_forge.infra.source_loader import decode_text
from falldamage_forge.lang.quick_fixes import statements

MAP = """\
forge 1
stack D4 height 2
ladder D5 -> D4
treasure at C3
start red at B1..I1
start blue at B10..I10
"""
OTHERS = "".join(filter(plain_form, map(chr, range(0x80, 0x1_0000))))
"""Every look-alike of the plane that keyboards write."""
BY_PLAIN = {
    plain: [c for c in OTHERS if plain_form(c) == plain] for plain in set(map(plain_form, OTHERS))
}


def test_letters_and_digits_have_look_alikes_of_several_scripts() -> None:
    """A full-width form for each, and Cyrillic and Greek ones for the letters that have them."""
    for number in range(0x21, 0x7F):
        assert chr(0xFF01 + number - 0x21) in BY_PLAIN[chr(number)]
    scripts = {
        plain: {unicodedata.name(c).split()[0] for c in BY_PLAIN[plain]} for plain in BY_PLAIN
    }
    for letter in "ABEHIKMOPTXYacopsxyij":
        assert "CYRILLIC" in scripts[letter] or "GREEK" in scripts[letter], letter
    assert {"ARABIC-INDIC", "DEVANAGARI", "FULLWIDTH"} <= scripts["4"]


PLACES = [
    (row, col)
    for row, line in enumerate(MAP.splitlines())
    if row
    for col, character in enumerate(line)
    if character in BY_PLAIN and character.isalnum()
]


@pytest.mark.parametrize(("row", "col"), PLACES)
def test_look_alike_in_a_map_is_named_with_its_place_and_its_cure(row: int, col: int) -> None:
    lines = MAP.splitlines()
    for other in BY_PLAIN[lines[row][col]][:12]:
        wrong = lines[row][:col] + other + lines[row][col + 1 :]
        text = "\n".join((*lines[:row], wrong, *lines[row + 1 :]))
        found = [one for one in ff.check(ff.loads(text)).every if one.span]
        told = [one for one in found if one.span and one.span.line == row + 1]
        said = f"character {col + 1} is `{other}` (U+{ord(other):04X}, "
        hints = [one.hint for one in told if one.hint and said in one.hint]
        assert hints, (wrong, told)
        assert unicodedata.name(other).lower() in hints[0]
        assert statements(hints[0]) == [lines[row]]


def test_place_of_a_command_names_its_look_alike() -> None:
    with pytest.raises(ValueError, match=r"character 1 is `.` \(U.0412, cyrillic .+\), not `B`"):
        parse_place("\u04124@2")


@pytest.mark.parametrize(
    "text", ["D4", 'title "\u0412\u0435\u0447\u0435\u0440"', "\u00e9", "", '"\u0412']
)
def test_text_without_a_look_alike_outside_of_quotes_has_no_hint(text: str) -> None:
    assert look_alike_hint(text) is None


@pytest.mark.parametrize("end", ["\x1a", "\r\n\x1a", "\x1a" * 40])
def test_end_mark_of_a_dos_file_is_read(end: str) -> None:
    text = MAP.replace("\n", "\r\n")
    assert decode_text((text + end).encode(), "x").rstrip() == text.rstrip()
    assert "\x1a" in decode_text(b"a\x1ab", "x"), "one inside is no end"

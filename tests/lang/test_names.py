"""Names of a file: every use is found where it stands, and a new name changes nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falldamage_forge import presets
from falldamage_forge.lang.names import folds, name_uses, outline, refusal_of, uses_at
from falldamage_forge.lang.parser import parse

TEXT = """\
forge 1
# Two lines
# of a note
title "tower"
import "towers.forge" as towers
model ruin "ruin.stl" {
  tiles 2x1
}
define tower {
  stack A1 height 2
  place hut at B2  # hut
}
define hut { stack A1 height 1 }
units {
  captain like knight { health 9 }
  boss like captain { health 10 }
}
inventory { ruin 2 }
mirror x swap red blue {
  place tower at C3
  place towers.tower at D4
}
place ruin at E5
start red at B1..I1
expect reachable for captain
"""
USES = {"tower": 2, "hut": 2, "towers": 2, "ruin": 3, "captain": 3, "boss": 1}


def test_uses_are_the_words_of_the_text() -> None:
    lines = TEXT.splitlines()
    found: dict[str, int] = {}
    for use in name_uses(TEXT, "m"):
        assert lines[use.span.line - 1][use.span.col - 1 : use.span.end_col - 1] == use.name
        found[use.name] = found.get(use.name, 0) + 1
    assert found == USES
    assert sum(use.defines for use in name_uses(TEXT, "m")) == len(USES)


def test_new_name_changes_nothing_else() -> None:
    """The text with a new name has the statements of the old one with that name."""
    for use in name_uses(TEXT, "m"):
        same = uses_at(TEXT, "m", use.span.line - 1, use.span.col)
        lines = TEXT.splitlines()
        for one in sorted(same, key=lambda one: -one.span.col):
            row = lines[one.span.line - 1]
            first, last = one.span.col - 1, one.span.end_col - 1
            lines[one.span.line - 1] = f"{row[:first]}zzz{row[last:]}"
        text = "\n".join(lines) + "\n"
        document, issues = parse(text, "m")
        assert not issues
        assert "zzz" in str(document.statements)
        before = len(name_uses(TEXT, "m"))
        assert len(name_uses(text, "m")) == before
        assert len(uses_at(text, "m", use.span.line - 1, use.span.col)) == len(same)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ((8, 8), "keep", ""), ((8, 8), "hut", "line 13"), ((8, 8), "ruin", "line 6"),
        ((8, 8), "towers", ""), ((8, 8), "9", "no name"), ((14, 3), "boss", "line 16"),
    ],
)  # fmt: skip
def test_name_that_is_taken_is_refused(old: tuple[int, int], new: str, said: str) -> None:
    why = refusal_of(TEXT, "m", uses_at(TEXT, "m", *old), new)
    assert said in why if said else not why


@pytest.mark.parametrize("name", presets.names("maps"))
def test_presets_have_an_outline_and_folds(name: str) -> None:
    """Each fold of a preset is a block or a comment of more than one line, and none cross."""
    text = presets.load_text("maps", f"{name}.forge")
    lines = text.splitlines()
    assert outline(text, name)
    before = (0, 0)
    for first, last, comment in folds(text, name):
        assert 0 <= first < last < len(lines)
        rows = lines[first : last + 1]
        assert all(row.lstrip().startswith("#") for row in rows) if comment else "{" in rows[0]
        assert first > before[1] or last <= before[1] or before == (0, 0)
        before = (first, last)


@given(st.text(alphabet='abdefilmnoprstuw {}"#.\n1A>-', max_size=200))
def test_any_text_has_names(text: str) -> None:
    for use in name_uses(text, "m"):
        assert use.span.line <= len(text.splitlines())
    outline(text, "m")
    folds(text, "m")

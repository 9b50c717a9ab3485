"""Two hands on one text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falldamage_forge.studio.three_way_merge import MAX_LINES, merge_texts

TEXTS = st.lists(st.sampled_from(["a", "b", "c", ""]), max_size=8).map("\n".join)


@given(TEXTS, TEXTS)
def test_who_changed_nothing_takes_what_the_other_wrote(base: str, other: str) -> None:
    assert merge_texts(base, base, other) == merge_texts(base, other, base) == other
    assert merge_texts(base, other, other) == other


@given(TEXTS, TEXTS, TEXTS)
def test_no_hand_comes_first(base: str, mine: str, theirs: str) -> None:
    assert merge_texts(base, mine, theirs) == merge_texts(base, theirs, mine)


@given(st.integers(0, 30), st.integers(0, 30), st.sampled_from(["\n", "\r\n"]))
def test_changes_of_lines_apart_are_both_kept(one: int, other: int, end: str) -> None:
    lines = [f"line {number}" for number in range(31)]

    def text(**changed: str) -> str:
        return "".join(changed.get(f"l{n}", line) + end for n, line in enumerate(lines))

    mine, theirs = text(**{f"l{one}": "mine"}), text(**{f"l{other}": "theirs"})
    both = merge_texts(text(), mine, theirs)
    if abs(one - other) > 1:
        assert both == text(**{f"l{one}": "mine", f"l{other}": "theirs"})
    else:
        assert both is None


@pytest.mark.parametrize(
    ("mine", "theirs", "both"),
    [
        ("0\na\nb\n", "a\nb\n1\n", "0\na\nb\n1\n"),
        ("a\nx\nb\n", "a\ny\nb\n", None),
        ("b\n", "a\nc\n", None),
        ("", "a\nb\nc\n", None),
    ],
)
def test_inserted_and_deleted_lines(mine: str, theirs: str, both: str | None) -> None:
    assert merge_texts("a\nb\n", mine, theirs) == both


def test_texts_that_have_little_in_common_are_asked_about() -> None:
    lines = [f"{number}\n" for number in range(MAX_LINES + 2)]
    assert merge_texts("".join(lines), "".join(reversed(lines)), "".join(lines) + "x\n") is None

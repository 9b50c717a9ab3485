"""Compression of links: each text comes back, and nothing else is read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falldamage_forge.playtest import link_code, link_text
from falldamage_forge.playtest.link_text import compressed, expanded

JSON = st.recursive(
    st.none() | st.integers() | st.text() | st.binary(min_size=16, max_size=16).map(link_code.word),
    lambda inner: st.lists(inner, max_size=5),
    max_leaves=20,
)


@given(st.binary(max_size=300))
def test_each_text_comes_back(text: bytes) -> None:
    assert expanded(compressed(text)) == text


@given(JSON)
def test_each_value_comes_back_and_is_packed_in_one_way(value: object) -> None:
    code = link_code.pack(bytes(16), value)
    assert link_code.unpack(code) == (bytes(16), value)
    assert code.startswith(f"{link_code.VERSION}-")


@given(st.binary(max_size=200))
def test_other_data_is_a_value_error_or_some_text(data: bytes) -> None:
    try:
        text = expanded(data)
    except ValueError:
        return
    assert expanded(compressed(text)) == text


PARTS = st.sampled_from(["\0", "\n", "\\n", '"', "-", "A" * 21, "A" * 22, "B" * 22, " ", "é"])


@given(st.lists(st.binary(min_size=16, max_size=16), max_size=3), st.lists(PARTS, max_size=8))
def test_body_is_refused_or_has_the_words_that_its_text_is_packed_to(
    words: list[bytes], parts: list[str]
) -> None:
    lines = compressed("".join(parts).encode())
    body = b"".join([len(words).to_bytes(2, "big"), *words, lines])
    try:
        text = link_code._unpressed(body)
    except ValueError:
        return
    again = link_code._pressed(text)
    assert link_code._unpressed(again) == text
    head = 2 + 16 * len(words)
    assert again[:head] == body[:head]


def test_text_of_lines_of_a_game_is_packed_by_the_sample() -> None:
    text = b"unit 4\nmove D7@2\nattack 10\nend\n"
    assert len(compressed(text)) < len(text) / 2
    with pytest.raises(ValueError, match="distance|cut"):
        expanded(compressed(text), b"")


def test_data_that_never_ends_is_refused() -> None:
    endless = compressed(bytes(link_text.MOST_BYTES + 1))
    assert len(endless) < 2_000
    for data in (b"", endless, compressed(b"end")[:-1], compressed(b"end") + b"\0"):
        with pytest.raises(ValueError, match="cut"):
            expanded(data)

"""Compression of links: each text comes back, and nothing else is read."""

import random

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
    assert code.startswith("2-")


@given(st.binary(max_size=200))
def test_other_data_is_a_value_error_or_its_own_text(data: bytes) -> None:
    try:
        text = expanded(data)
    except ValueError:
        return
    assert compressed(text) == data


PARTS = st.sampled_from(["\0", "\n", "\\n", '"', "-", "A" * 21, "A" * 22, "B" * 22, " ", "é"])


@given(st.lists(st.binary(min_size=16, max_size=16), max_size=3), st.lists(PARTS, max_size=8))
def test_body_is_refused_or_is_what_its_text_is_packed_to(
    words: list[bytes], parts: list[str]
) -> None:
    lines = compressed("".join(parts).encode())
    body = b"".join([len(words).to_bytes(2, "big"), *words, lines])
    try:
        text = link_code._unpressed(body)
    except ValueError:
        return
    assert link_code._pressed(text) == body


def test_what_is_too_large_is_deflated() -> None:
    for text in (b"x" * (link_text.MOST_BYTES + 1), random.Random(1).randbytes(40_000)):
        value = [text.decode("latin-1")]
        code = link_code.pack(bytes(16), value)
        assert code.startswith("1-")
        assert link_code.unpack(code) == (bytes(16), value)


def test_data_that_never_ends_is_refused() -> None:
    with pytest.raises(ValueError, match="too long"):
        expanded(b"\xff" * (link_text.MOST_CODED + 1))
    for data in (b"", b"\0", b"\0" + compressed(b"end")):
        with pytest.raises(ValueError, match="end|shortest"):
            expanded(data)

"""Zips put together from stretches are read by Python's own reader, byte for byte."""

import io
import zipfile
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falldamage_forge.export import zip_writer as made
from falldamage_forge.export.zip_writer import (
    CompressedSegment,
    Content,
    KeptSegment,
    joined_checksum,
    write_zip,
)

texts = st.text(max_size=200) | st.text("ab", min_size=1000, max_size=3000)
stretches = st.lists(texts.map(CompressedSegment), max_size=4).map(tuple)
names = st.text(st.characters(codec="utf-8", categories=["L", "N"]), min_size=1, max_size=20)


@given(st.dictionaries(names, st.binary(max_size=300) | stretches, max_size=6))
def test_zip_members_round_trip(members: dict[str, Content]) -> None:
    with zipfile.ZipFile(io.BytesIO(write_zip(members))) as package:
        assert package.testzip() is None
        assert package.namelist() == list(members)
        for name, content in members.items():
            whole = content if isinstance(content, bytes) else b"".join(p.data for p in content)
            assert package.read(name) == whole


def test_segment_is_deflated_once() -> None:
    shared = CompressedSegment("<vertex/>\n" * 10_000)
    one, two = (write_zip({"a": (CompressedSegment(text), shared)}) for text in ("one", "two"))
    assert shared.deflated in one and shared.deflated in two
    assert len(one) < len(shared.data) / 50


@given(st.lists(texts.map(CompressedSegment), min_size=1, max_size=4))
def test_kept_segments_make_the_same_zip_without_their_content(
    segments: list[CompressedSegment],
) -> None:
    def refuse() -> bytes:
        raise AssertionError("the content was made")

    kept = tuple(KeptSegment(each.kept(), refuse) for each in segments)
    assert write_zip({"a": kept}) == write_zip({"a": tuple(segments)})
    assert [each.digest for each in kept] == [each.digest for each in segments]


@given(st.binary(max_size=300), st.binary(max_size=300))
def test_checksums_of_stretches_join(one: bytes, other: bytes) -> None:
    joined = joined_checksum(zlib.crc32(one), zlib.crc32(other), len(other))
    assert joined == zlib.crc32(one + other)


def test_member_too_large_raises_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(made, "MOST_BYTES", 100)
    with pytest.raises(ValueError, match="`b` is too large"):
        write_zip({"a": b"1" * 90, "b": b"1" * 101})

"""Zips put together from stretches are read by Python's own reader, byte for byte."""

import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falldamage_forge.export import zipped as made
from falldamage_forge.export.zipped import Content, Stretch, zipped

texts = st.text(max_size=200) | st.text("ab", min_size=1000, max_size=3000)
stretches = st.lists(texts.map(Stretch), max_size=4).map(tuple)
names = st.text(st.characters(codec="utf-8", categories=["L", "N"]), min_size=1, max_size=20)


@given(st.dictionaries(names, st.binary(max_size=300) | stretches, max_size=6))
def test_every_member_is_read_as_it_was(members: dict[str, Content]) -> None:
    with zipfile.ZipFile(io.BytesIO(zipped(members))) as package:
        assert package.testzip() is None
        assert package.namelist() == list(members)
        for name, content in members.items():
            whole = content if isinstance(content, bytes) else b"".join(p.data for p in content)
            assert package.read(name) == whole


def test_a_stretch_is_deflated_once_and_shrinks() -> None:
    shared = Stretch("<vertex/>\n" * 10_000)
    one, two = (zipped({"a": (Stretch(text), shared)}) for text in ("one", "two"))
    assert shared.deflated in one and shared.deflated in two
    assert len(one) < len(shared.data) / 50


def test_what_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(made, "MOST_BYTES", 100)
    with pytest.raises(ValueError, match="`b` is too large"):
        zipped({"a": b"1" * 90, "b": b"1" * 101})

"""Mutated inputs for every reader: diagnostics only, within 2 s and 512 MB.

FORGE_EXHAUSTIVE=1 tries a million; `python -m tests.hostile.fuzz` any number.
"""

import contextlib
import random

import pytest

from falldamage_forge.issues import ForgeError
from tests.amount import EXHAUSTIVE
from tests.cli.running import python
from tests.hostile import fuzz, guided
from tests.hostile.readers import READERS

COUNTS = {
    "map": 150_000,
    "format": 50_000,
    "toml": 150_000,
    "stl": 200_000,
    "3mf": 150_000,
    "template": 50_000,
    "stock": 150_000,
    "export": 50_000,
    "push": 100_000,
    "gesture": 50_000,
    "said": 50_000,
}
SHARE = 1 if EXHAUSTIVE else 200


def test_a_million_are_asked_for() -> None:
    assert COUNTS.keys() == READERS.keys()
    assert sum(COUNTS.values()) >= 1_000_000


@pytest.mark.parametrize("reader", READERS)
def test_nothing_but_diagnostics_comes_out(reader: str) -> None:
    python("-m", "tests.hostile.fuzz", reader, COUNTS[reader] // SHARE)


@pytest.mark.parametrize("reader", READERS)
def test_what_was_found_by_guidance_is_still_answered(reader: str) -> None:
    """Inputs that a guided run kept, each of which reaches code that no other does."""
    read, _ = READERS[reader]
    for data in guided.kept(reader):
        with contextlib.suppress(ForgeError):
            read(data)


def test_the_harness_would_notice(monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(data: bytes) -> None:
        if len(data) > 2:
            raise KeyError(data)
        raise ForgeError([])

    def hang(data: bytes) -> None:
        while data:
            pass

    monkeypatch.setattr(fuzz, "SECONDS", 0.05)
    monkeypatch.setitem(fuzz.READERS, "crash", (crash, [b"ab"]))  # type: ignore[arg-type]
    assert "KeyError" in (fuzz.run("crash", 50, 0) or "")
    monkeypatch.setitem(fuzz.READERS, "hang", (hang, [b""]))  # type: ignore[arg-type]
    assert "longer than" in (fuzz.run("hang", 50, 0) or "")


FINDS = {
    "map": [
        b"forge 1\nstack A1..J10 height 1\n" + b"symmetry rotate 180 swap red blue\n" * 60,
        b"forge 1\nstack A1..J10 height 1\n" + b"symmetry rotate 90\nsymmetry mirror x\n" * 30,
    ],
    "format": [b"forge 1\nmap {\n | \n | \n | A B\n 1 | . .\n}\n", b"forge 1\nmap {\n1 |\n}\n"],
    "toml": [b"a = " + b"9" * 5000, b"a = " + b"[" * 5000, b"bed_mm = [inf, nan]\n"],
}
"""What got through once, each kept."""


@pytest.mark.parametrize("reader", FINDS)
def test_what_got_through_once_is_told(reader: str) -> None:
    for data in FINDS[reader]:
        with contextlib.suppress(ForgeError):
            READERS[reader][0](data)


def test_the_same_seed_gives_the_same_input() -> None:
    for _, seeds in READERS.values():
        assert fuzz.mutate(random.Random(3), seeds) == fuzz.mutate(random.Random(3), seeds)

"""Every snapshot belongs to a test, is short, and says what a change of it means."""

from importlib import import_module
from pathlib import Path

import pytest

from tests import snapshot

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted(path.relative_to(ROOT) for path in ROOT.glob("tests/**/test_snapshots.py"))
FILES = sorted(snapshot.FOLDER.glob("*/*.txt"))


def test_every_snapshot_file_is_that_of_a_test() -> None:
    named = set()
    for path in MODULES:
        if path.parent.name != "house":
            module = import_module(".".join(path.with_suffix("").parts))
            named |= {f"{module.AREA}/{name}" for name in module.SNAPSHOTS}
    assert named == {path.relative_to(snapshot.FOLDER).with_suffix("").as_posix() for path in FILES}


def test_snapshots_are_short_texts() -> None:
    for path in FILES:
        lines = path.read_text("utf-8").splitlines()
        assert 0 < len(lines) <= snapshot.MOST_LINES, (path.name, len(lines))
        assert max(map(len, lines)) <= snapshot.MOST_COLUMNS, path.name


def test_a_difference_is_told_line_by_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(snapshot, "FOLDER", tmp_path)
    monkeypatch.setenv("FORGE_ACCEPT", "1")
    snapshot.check("area/name", ["surface E5@2: turns 3", "surface E6@0: turns 1"])
    monkeypatch.delenv("FORGE_ACCEPT")
    with pytest.raises(AssertionError) as failed:
        snapshot.check("area/name", ["surface E5@2: turns 4", "surface E6@0: turns 1"])
    assert "-surface E5@2: turns 3\n+surface E5@2: turns 4\n" in str(failed.value)
    with pytest.raises(AssertionError, match=r"\+surface A1@0"):
        snapshot.check("area/another", ["surface A1@0: turns 0"])

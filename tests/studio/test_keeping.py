"""Where a text is kept: two writers, full disks and kills lose nothing."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from falldamage_forge.infra.atomic_write import compare_and_swap_file
from falldamage_forge.issues import refuse
from falldamage_forge.studio import address, draft_files
from falldamage_forge.studio.autosave import Autosave
from falldamage_forge.studio.map_file import MapFile
from falldamage_forge.studio.session import Session

LINES = [f"# line {number}\n" for number in range(9)]
TEXT = "".join(LINES)


@pytest.fixture(autouse=True)
def own_drafts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(draft_files.FOLDER, str(tmp_path / "drafts"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "mine.forge"
    found.write_text(TEXT, "utf-8")
    return found


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """No file can be written until the patch is undone."""

    def full(*_: object) -> None:
        raise refuse("FDF295", "cannot write: No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("falldamage_forge.studio.map_file.compare_and_swap_file", full)
        yield patch


def with_line(text: str, number: int, words: str) -> str:
    rows = text.splitlines(keepends=True)
    rows[number] = f"{words}\n"
    return "".join(rows)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 3)), max_size=8))
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_two_studios_on_one_file_keep_what_both_write(
    path: Path, steps: list[tuple[bool, int]]
) -> None:
    """The first writes even lines of the upper half, the second of the lower one."""
    path.write_text(TEXT, "utf-8")
    studios = [Autosave(MapFile(path)), Autosave(MapFile(path))]
    sessions = [Session(TEXT), Session(TEXT)]
    wanted = dict(enumerate(LINES))
    for count, (second, place) in enumerate(steps):
        line = place + 5 * second
        words = f"# {count} by {second}"
        wanted[line] = f"{words}\n"
        text = with_line(sessions[second].text, line, words)
        kept = studios[second].save(sessions[second].with_text(text, "typing"))
        assert kept.foreign is None
        assert studios[second].saved
        sessions[second] = kept.session
    assert path.read_text("utf-8") == "".join(wanted.values())
    for keeper, session in zip(studios, sessions, strict=True):
        assert keeper.poll_file(session).session.text == "".join(wanted.values())


@pytest.mark.parametrize("choice", ["mine", "theirs"])
def test_changes_of_one_line_are_asked_about_and_nothing_is_lost(path: Path, choice: str) -> None:
    keeper = Autosave(MapFile(path))
    mine, theirs = with_line(TEXT, 4, "mine"), with_line(TEXT, 4, "theirs")
    path.write_text(theirs, "utf-8")
    kept = keeper.save(Session(TEXT).with_text(mine, "typing"))
    assert (kept.foreign, kept.session.text, keeper.saved) == (theirs, mine, False)
    assert path.read_text("utf-8") == theirs
    assert draft_files.read_draft(keeper.draft) == mine
    after = keeper.resolve_conflict(kept.session, choice)
    assert path.read_text("utf-8") == after.session.text == (mine if choice == "mine" else theirs)
    assert keeper.saved
    assert choice == "mine" or after.session.undo().text == mine


def test_on_a_full_disk_the_text_is_a_draft_and_saved_when_there_is_room(
    path: Path, full_disk: pytest.MonkeyPatch
) -> None:
    keeper = Autosave(MapFile(path))
    session = keeper.save(Session(TEXT).with_text("new\n", "typing")).session
    assert (keeper.saved, path.read_text("utf-8")) == (False, TEXT)
    assert "No space left" in str(keeper.why)
    assert draft_files.read_draft(keeper.draft) == "new\n"
    full_disk.undo()
    keeper.poll_file(session)
    assert (keeper.saved, keeper.why, path.read_text("utf-8")) == (True, None, "new\n")
    assert draft_files.read_draft(keeper.draft) is None


def test_where_not_even_a_draft_can_be_kept_it_is_told_and_nothing_stops(
    path: Path, full_disk: pytest.MonkeyPatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    (path.parent / "blocked").write_text("no folder", "utf-8")
    monkeypatch.setenv(draft_files.FOLDER, str(path.parent / "blocked"))
    keeper = Autosave(MapFile(path))
    assert keeper.save(Session(TEXT).with_text("new\n", "typing")).session.text == "new\n"
    assert not keeper.saved
    assert keeper.why


def test_what_was_never_saved_outlives_the_next_session_of_its_file(path: Path) -> None:
    draft_files.save_draft(draft_files.id_for(path), "lost\n")
    keeper = Autosave(MapFile(path))
    assert keeper.left
    session = keeper.save(Session(TEXT).with_text("new\n", "typing")).session
    assert path.read_text("utf-8") == "new\n"
    (draft,) = draft_files.drafts(except_id=keeper.draft)
    opened = keeper.open_draft(session, draft.id)
    assert (opened.text, opened.undo().text) == ("lost\n", "new\n")


def test_marks_rights_and_links_of_a_file_stay(tmp_path: Path) -> None:
    real = tmp_path / "real.forge"
    real.write_bytes(b"\xef\xbb\xbfforge 1\r\n")
    real.chmod(0o600)
    link = tmp_path / "link.forge"
    link.symlink_to(real)
    keeper = Autosave(MapFile(link))
    kept = keeper.save(Session("forge 1\r\n").with_text("forge 1\r\n#\r\n", "typing"))
    assert (kept.foreign, kept.came, keeper.saved) == (None, "", True)
    assert real.read_bytes() == b"forge 1\r\n#\r\n"
    assert real.stat().st_mode & 0o777 == 0o600
    assert link.is_symlink()


def test_a_file_is_replaced_only_where_it_holds_what_is_known(tmp_path: Path) -> None:
    path = tmp_path / "file"
    assert compare_and_swap_file(path, b"one", b"") is None
    assert compare_and_swap_file(path, b"two", b"one") is None
    assert compare_and_swap_file(path, b"three", b"one") == b"two"
    assert path.read_bytes() == b"two"
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_without_exchange_a_file_is_looked_at_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("falldamage_forge.infra.atomic_write._exchange_at_once", lambda *_: False)
    test_a_file_is_replaced_only_where_it_holds_what_is_known(tmp_path)


def test_drafts_are_listed_newest_first_and_not_without_end() -> None:
    for number in range(draft_files.MOST + 3):
        draft_files.save_draft(f"draft-{number}", f'forge 1\ntitle "Table {number}"\n')
        os.utime(draft_files.folder() / f"draft-{number}.forge", ns=(0, number * 10**9))
    draft_files.save_draft("last", "no title")
    found = draft_files.drafts()
    assert len(found) == draft_files.MOST
    assert (found[0].title, found[0].lines) == ("last", 1)
    assert found[1].title == f"Table {draft_files.MOST + 2}"
    assert draft_files.drafts(except_id="last") == found[1:]


@pytest.mark.parametrize("name", ["../mine", "a/b", "", "A", ".", "x" * 90])
def test_a_draft_is_no_path(name: str, path: Path) -> None:
    assert draft_files.read_draft(name) is None
    draft_files.delete_draft(name)
    assert path.exists()


def test_a_file_that_is_gone_is_told_and_kept_as_a_draft_until_it_is_back(path: Path) -> None:
    keeper, session = Autosave(MapFile(path)), Session(TEXT)
    aside = path.rename(path.with_name("aside.forge"))
    for _ in range(2):
        assert keeper.poll_file(session).session is session
        assert (keeper.saved, keeper.kept) == (False, True)
        assert "renamed" in str(keeper.why)
        assert not path.exists()
    assert draft_files.read_draft(keeper.draft) == TEXT
    aside.rename(path)
    keeper.poll_file(session)
    assert (keeper.saved, keeper.why, draft_files.read_draft(keeper.draft)) == (True, None, None)
    path.unlink()
    keeper.save(session.with_text("new\n", "typing"))
    assert (keeper.saved, path.read_text("utf-8")) == (True, "new\n")


def test_a_draft_that_could_not_be_kept_is_told_until_one_can(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper = Autosave(None)
    (path.parent / "blocked").write_text("no folder", "utf-8")
    with monkeypatch.context() as patch:
        patch.setenv(draft_files.FOLDER, str(path.parent / "blocked"))
        keeper.save(Session("one\n"))
        assert (keeper.saved, keeper.kept) == (False, False)
        assert keeper.why
    keeper.save(Session("two\n"))
    assert (keeper.saved, keeper.kept, keeper.why) == (True, True, None)


def test_an_address_is_kept_for_its_owner_and_a_while() -> None:
    assert address.kept("mine") is None
    own = address.fresh(8123)
    address.keep("mine", own)
    path = draft_files.folder() / "mine.address"
    assert address.kept("mine") == own
    if os.name == "posix":
        assert path.stat().st_mode & 0o777 == 0o600
        path.chmod(0o644)
        assert address.kept("mine") is None
        path.chmod(0o600)
    os.utime(path, (0, 0))
    assert address.kept("mine") is None


@pytest.mark.parametrize(
    "data",
    ["", "[]", "{}", '{"port": 1, "token": "short"}', '{"port": true, "token": "%s"}' % ("x" * 32)],
)
def test_what_is_no_address_is_none(data: str) -> None:
    address.keep("mine", address.fresh(8123))
    (draft_files.folder() / "mine.address").write_text(data, "utf-8")
    assert address.kept("mine") is None

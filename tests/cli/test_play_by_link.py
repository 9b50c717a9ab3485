"""Two people play a game by links at two terminals, to its end."""

import json
import re
from pathlib import Path

import click
import pytest

from falldamage_forge import presets
from falldamage_forge.cli.link_console import LinkConsole, open_match
from falldamage_forge.games.fall_damage.play import BoardGame
from falldamage_forge.issues import ForgeError
from tests.cli.running import typed

MOST_LINKS = 40
SITE = "https://example.org/forge/studio.html"
SHORT = ("end turn", "end", "stay")
"""Moves that bring the end of the game nearer."""


class Keyboard:
    """Moves that end the game soon, and at most one link for each run."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.console: LinkConsole | None = None
        self.lines: list[str] = []
        monkeypatch.setattr(click, "prompt", lambda what, **_: self.answer(what))

    def answer(self, what: str) -> str:
        if self.lines:
            return self.lines.pop()
        if what == "link":
            raise click.Abort
        assert self.console is not None
        legal = [str(move) for move in self.console.game.legal_moves]
        return next((text for text in SHORT if text in legal), "1")

    def run(self, link: str | None, file: Path, *options: str) -> LinkConsole:
        self.console = LinkConsole(open_match(link, file, options), file)
        self.console.play()
        return self.console


def sent(printed: str) -> str:
    """The last link of some output."""
    return str(re.findall(r"^\S*#game=\S+$", printed, re.MULTILINE)[-1])


@pytest.fixture
def keyboard(monkeypatch: pytest.MonkeyPatch) -> Keyboard:
    return Keyboard(monkeypatch)


def test_two_terminals_play_to_the_end_and_write_one_record(
    keyboard: Keyboard, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [tmp_path / "red.json", tmp_path / "blue.json"]
    keyboard.run("duel", files[0], "round-limit=1")
    link = sent(capsys.readouterr().out).replace("#", f"{SITE}#")
    over = [False, False]
    for turn in range(MOST_LINKS):
        side = 1 - turn % 2
        if turn % 3:  # as an argument, or at the prompt
            console = keyboard.run(link, files[side])
        else:
            keyboard.lines = [link]
            console = keyboard.run(None if files[side].exists() else link, files[side])
        link, over[side] = sent(capsys.readouterr().out), console.is_over
        if all(over):
            break
    assert all(over)
    assert files[0].stat().st_mode & 0o077 == 0, "others do not read the secret"
    records = []
    for file in files:
        run = typed("play", "--link", file, "--record", file.with_suffix(".record"))
        assert "the game is over after" in run.stdout
        records.append(json.loads(file.with_suffix(".record").read_text("utf-8")))
    assert records[0] == records[1]
    assert BoardGame.from_record(records[0], presets.load_kit()).over


def test_words_wait_for_the_game_and_links_are_read(
    keyboard: Keyboard, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    red, blue = tmp_path / "red.json", tmp_path / "blue.json"
    console = keyboard.run("duel", red)
    invitation = sent(capsys.readouterr().out)
    keyboard.run(invitation, blue)
    answer = sent(capsys.readouterr().out)
    assert console.obey("1") and "you do not decide now" in capsys.readouterr().out
    assert console.obey(answer[:-1]) and "the link is refused" in capsys.readouterr().out
    assert console.obey(answer) and console.begun
    assert console.obey(answer) and "nothing new" in capsys.readouterr().out
    assert console.obey("undo")
    assert re.search("taken back|do not decide", capsys.readouterr().out)
    assert console.obey("board") and console.obey("help")
    assert "A B C D" in " ".join(capsys.readouterr().out.split())
    assert not console.obey("quit")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--link", "{at}/new.json"), 2, "name a MAP, or a friend's link"),
        (("duel", "--link", "{at}/new.json", "--blue", "careful"), 2, "--link goes with"),
        (("duel", "--link", "{at}/new.json", "--option", "edge=void"), 2, "round_limit"),
        (("duel", "--link", "{at}/new.json", "--option", "round_limit=99"), 1, "from 1 to 20"),
        (("--link", "{at}/other.json"), 1, "other.json"),
        (("--link", "{at}/bots.json"), 1, "is not a game by link"),
        (("1-" + 22 * "A" + "-x", "--link", "{at}/new.json"), 1, "the link is refused"),
    ],
)
def test_wrong_use_is_refused(words: tuple[str, ...], code: int, said: str, tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text("[]")
    (tmp_path / "bots.json").write_text(
        json.dumps({"text": "forge 1", "red": "hand", "blue": "hand", "seed": 1, "moves": []})
    )
    run = typed("play", *(word.format(at=tmp_path) for word in words))
    assert (run.returncode, said in run.stderr) == (code, True), run.stderr
    assert not (tmp_path / "new.json").exists()


def test_a_file_is_not_begun_again(keyboard: Keyboard, tmp_path: Path) -> None:
    keyboard.run("duel", tmp_path / "red.json")
    with pytest.raises(ForgeError, match="has a game by link already"):
        keyboard.run("arena", tmp_path / "red.json")

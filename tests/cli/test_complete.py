"""What the Tab key offers."""

import pytest
from click.shell_completion import ShellComplete

from falldamage_forge.cli import cli


@pytest.mark.parametrize(
    ("words", "begun", "offered"),
    [
        ([], "anal", [("plain", "analyze")]),
        (["build"], "due", [("plain", "duel")]),
        (["kit", "duel"], "ash", [("plain", "ashkeep")]),
        (["check"], "maps/my", [("file", "maps/my")]),
        (["analyze", "duel"], "--su", [("plain", "--suggest")]),
    ],
)
def test_commands_options_maps_and_files(
    words: list[str], begun: str, offered: list[tuple[str, str]]
) -> None:
    found = ShellComplete(cli, {}, "fdforge", "_FDFORGE_COMPLETE").get_completions(words, begun)
    assert [(item.type, item.value) for item in found] == offered

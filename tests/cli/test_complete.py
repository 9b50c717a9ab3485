"""What the Tab key offers."""

from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

from falldamage_forge import presets
from falldamage_forge.cli import COMMANDS, cli


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


@pytest.mark.parametrize("begun", ["m", "", "lion", "d", "marketplace"])
@pytest.mark.parametrize("command", ["build", "kit"])
def test_presets_never_hide_the_files_of_the_folder(
    command: str, begun: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    own = ["mine.forge", "duel-2.forge", "lion.forge", "marketplace.forge", "zoo.toml"]
    for name in own:
        Path(name).touch()
    Path("drafts").mkdir()
    complete = ShellComplete(cli, {}, "fdforge", "_FDFORGE_COMPLETE").get_completions
    found = {item.value for item in complete([command], begun) if item.type == "plain"}
    wanted = {name for name in (*presets.map_names(), *own, "drafts/") if name.startswith(begun)}
    assert found == wanted


@pytest.mark.parametrize("command", COMMANDS)
def test_every_argument_that_is_a_map_offers_maps(command: str) -> None:
    context = click.Context(cli)
    found = cli.get_command(context, command)
    assert found is not None
    commands = found.commands.values() if isinstance(found, click.Group) else [found]
    for param in (param for each in commands for param in each.params):
        if "MAP" in (param.metavar or ""):
            offered = [item.value for item in param.shell_complete(context, "lion")]
            assert offered == ["lion-games"], (command, param.name)


@pytest.mark.parametrize("name", presets.map_names())
def test_a_slip_in_the_name_of_a_map_or_table_is_told(name: str) -> None:
    from falldamage_forge.issues import ForgeError
    from falldamage_forge.maps.resolve import resolve_map_path

    assert resolve_map_path(name).is_file()
    with pytest.raises(ForgeError) as told:
        resolve_map_path(name[:-1])
    assert told.value.issues[0].hint == f"did you mean `{name}`?"
    with pytest.raises(ForgeError) as told:
        resolve_map_path("qqqq")
    assert name in str(told.value.issues[0].hint)

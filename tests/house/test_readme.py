"""The README is run, not trusted."""

import re
from pathlib import Path

import pytest

import falldamage_forge as ff
from tests.cli.running import ROOT

README = (ROOT / "README.md").read_text("utf-8")


def fenced(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", README, re.DOTALL)


@pytest.mark.parametrize("text", fenced("forge"))
def test_every_layout_is_playable(text: str) -> None:
    checked = ff.check(ff.loads(text, "README.md"))
    assert checked.ok, "\n".join(map(str, checked.issues))


def test_the_ci_script_runs_the_readmes_own_commands() -> None:
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    for name in ("main-job", "test-command"):
        assert f"<!-- {name} -->\n```sh\n" in README
        assert f"readme_line {name}" in script


def test_nothing_names_this_machine() -> None:
    words = ("/work" + "/", "/root" + "/", "shared" + "/")
    for path in ROOT.rglob("*"):
        hidden = any(
            part.startswith(".") and part != ".ci" for part in path.relative_to(ROOT).parts
        )
        if hidden or not path.is_file() or path.suffix not in {".py", ".toml", ".md", ".forge", ""}:
            continue
        if path.is_relative_to(ROOT / "exports") or "node_modules" in path.parts:
            continue
        text = path.read_text("utf-8", errors="ignore")
        assert not any(word in text for word in words), path


def test_presets_named_in_the_readme_are_there() -> None:
    assert Path(ROOT / "presets" / "maps" / "ashkeep.forge").exists()

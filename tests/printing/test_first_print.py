"""The page on the first print: the answers of the coupon are stored, and nothing is overwritten."""

import re
import shlex
from pathlib import Path

from tests.cli.running import ROOT, typed

PAGE = (ROOT / "docs" / "first-print.md").read_text("utf-8")


def test_the_coupon_and_the_answer_are_kept(tmp_path: Path) -> None:
    lines = re.findall(r"^\$ fdforge (.*)$", PAGE, re.MULTILINE)
    own = {"FDFORGE_CONFIG_DIR": str(tmp_path / "settings")}
    said = [typed(*shlex.split(line), cwd=tmp_path, **own) for line in lines[:-1]]
    assert all(run.returncode == 0 for run in said), [run.stderr for run in said]
    assert (tmp_path / "exports" / "coupon" / "coupon.3mf").exists()
    assert "my-printer.toml" in (tmp_path / "settings" / "settings.toml").read_text()
    assert "--replace" in typed(*shlex.split(lines[2]), cwd=tmp_path, **own).stderr

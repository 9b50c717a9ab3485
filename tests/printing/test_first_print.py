"""The page on the first print: its commands run, its figures are about right."""

import re
import shlex
from pathlib import Path

import pytest

import falldamage_forge as ff
from tests.cli.running import ROOT, typed

PAGE = (ROOT / "docs" / "first-print.md").read_text("utf-8")


def minutes(text: str) -> int:
    hours, rest = re.fullmatch(r"(?:(\d+) h )?(\d+) min", text.strip()).groups()  # type: ignore[union-attr]
    return 60 * int(hours or 0) + int(rest)


def test_the_coupon_and_the_answer_are_kept(tmp_path: Path) -> None:
    lines = re.findall(r"^\$ fdforge (.*)$", PAGE, re.MULTILINE)
    assert lines[-1] == "build duel"
    own = {"FDFORGE_CONFIG_DIR": str(tmp_path / "settings")}
    said = [typed(*shlex.split(line), cwd=tmp_path, **own) for line in lines[:-1]]
    assert all(run.returncode == 0 for run in said), [run.stderr for run in said]
    grams, time = re.findall(r"about (\d+) g and ([^;]+);", said[1].stdout)[0]
    told = re.findall(r"## 2\. Print the coupon: about (\d+) g, (.*)", PAGE)[0]
    assert (grams, time.strip()) == (told[0], told[1].strip()), "the page tells another coupon"
    assert (tmp_path / "exports" / "coupon" / "coupon.3mf").exists()
    assert "my-printer.toml" in (tmp_path / "settings" / "settings.toml").read_text()
    assert "--replace" in typed(*shlex.split(lines[2]), cwd=tmp_path, **own).stderr


def test_the_plates_are_what_the_page_says() -> None:
    built = ff.build(ff.load("duel"))
    figures = {
        plate.name: figure for plate, figure in zip(built.plates, built.build.figures, strict=True)
    }
    rows = re.findall(r"\| `(plate-[\w-]+)` \| [^|]+ \| (\d+) g \| ([^|]+) \|", PAGE)
    assert len(rows) == 3
    for name, grams, time in rows:
        assert figures[name].grams == pytest.approx(int(grams), rel=0.2), name
        assert figures[name].minutes == pytest.approx(minutes(time), rel=0.2), name
    table = PAGE.partition("## 5.")[0].partition("## 4.")[2]
    whole = sum(map(int, re.findall(r"\| (\d+) g \|", table)))
    assert sum(figure.grams for figure in figures.values()) == pytest.approx(whole, rel=0.1)
    assert "twelve plates" in PAGE and len(figures) == 12

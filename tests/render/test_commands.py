"""The picture commands, run in this process: what they write, what they refuse."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from falldamage_forge.assemble import assemble
from falldamage_forge.cli import cli
from falldamage_forge.cli.pictures import picture_artifacts
from falldamage_forge.issues import ForgeError
from falldamage_forge.presets import load_catalogue, load_printer
from tests.render.boards import preset

CUT_OFF = """forge 1
title "Cut off"
stack A5..J5 height 3
start red at B1..I1
start blue at B10..I10
"""


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, list(words))


@pytest.mark.parametrize("command", ["report", "sheets", "show"])
def test_a_broken_map_leaves_no_file(command: str, tmp_path: Path) -> None:
    broken, out = tmp_path / "broken.forge", tmp_path / "out.png"
    broken.write_text("forge 1\nbridge A1 -> Z\n", encoding="utf-8")
    result = run(command, str(broken), "-o", str(out))
    assert result.exit_code == 1
    assert not out.exists()
    with_name = run(command, "no-such-map", "-o", str(out))
    assert isinstance(with_name.exception, ForgeError)


def test_an_unplayable_map_is_shown_with_its_faults(tmp_path: Path) -> None:
    source, out = tmp_path / "cut.forge", tmp_path / "cut.html"
    source.write_text(CUT_OFF, encoding="utf-8")
    result = run("report", str(source), "-o", str(out))
    assert result.exit_code == 1
    text = out.read_text(encoding="utf-8")
    assert "Not playable" in text
    assert "FDF300" in text
    assert run("show", str(source)).exit_code == 0


def test_sheets_for_letter_paper(tmp_path: Path) -> None:
    out = tmp_path / "duel.pdf"
    assert run("sheets", "duel", "--paper", "letter", "-o", str(out)).exit_code == 0
    data = out.read_bytes()
    assert data.startswith(b"%PDF")
    assert b"612" in data
    assert b"/Image" in data


def test_the_printed_view_is_a_png_only(tmp_path: Path) -> None:
    for words in (("-o", str(tmp_path / "a.svg")), (), ("-o", str(tmp_path / "a.png"), "--turns")):
        assert run("show", "duel", "--view", "printed", *words).exit_code == 2
    out = tmp_path / "a.png"
    assert run("show", "duel", "--view", "printed", "--scale", "0.2", "-o", str(out)).exit_code == 0
    assert out.read_bytes().startswith(b"\x89PNG")


def test_what_a_build_adds() -> None:
    layout, printer = preset("duel"), load_printer("a1-mini")
    build = assemble(layout, load_catalogue(), printer)
    files = picture_artifacts(layout, (), build, printer, ("d", "forge 1"))
    begins = {"board.png": b"\x89PNG", "map.png": b"\x89PNG", "report.html": b"<!doctype html>"}
    begins["build.pdf"] = b"%PDF"
    assert [file.path for file in files] == list(begins)
    assert all(file.data.startswith(begins[file.path]) for file in files)

"""The picture commands, run in this process: what they write, what they refuse."""

import csv
from pathlib import Path

from click.testing import CliRunner, Result

import falldamage_forge as ff
from falldamage_forge.builds.pictures import BegunSheets, begin_pictures
from falldamage_forge.builds.result import picture_files
from falldamage_forge.cli import cli
from falldamage_forge.cli.stock_options import owned_parts
from falldamage_forge.infra.artifacts import Artifact
from falldamage_forge.infra.process_pool import PoolFuture
from falldamage_forge.issues import ForgeError
from tests.cli.running import small_map

CUT_OFF = """forge 1
title "Cut off"
stack A5..J5 height 3
start red at B1..I1
start blue at B10..I10
"""


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, list(words))


def test_a_broken_map_has_no_sheets(tmp_path: Path) -> None:
    broken, out = tmp_path / "broken.forge", tmp_path / "out.png"
    broken.write_text("forge 1\nbridge A1 -> Z\n", encoding="utf-8")
    result = run("sheets", str(broken), "-o", str(out))
    assert result.exit_code == 1
    assert not out.exists()
    for command in ("report", "sheets", "show"):
        assert isinstance(run(command, "no-such-map", "-o", str(out)).exception, ForgeError)
        assert not out.exists()


def test_unplayable_map_is_drawn_with_issues(tmp_path: Path) -> None:
    source, out = tmp_path / "cut.forge", tmp_path / "cut.html"
    source.write_text(CUT_OFF, encoding="utf-8")
    result = run("report", str(source), "-o", str(out))
    assert result.exit_code == 1
    text = out.read_text(encoding="utf-8")
    assert "Not playable" in text
    assert "FDF300" in text
    assert run("show", str(source)).exit_code == 0


def test_sheets_for_letter_paper(tmp_path: Path) -> None:
    out, small = tmp_path / "small.pdf", str(small_map(tmp_path / "small.forge"))
    assert run("sheets", small, "--paper", "letter", "-o", str(out)).exit_code == 0
    data = out.read_bytes()
    assert data.startswith(b"%PDF")
    assert b"612" in data
    assert b"/Image" in data


def test_the_printed_view_is_a_png_only(tmp_path: Path) -> None:
    small = str(small_map(tmp_path / "small.forge"))
    for words in (("-o", str(tmp_path / "a.svg")), (), ("-o", str(tmp_path / "a.png"), "--turns")):
        assert run("show", small, "--view", "printed", *words).exit_code == 2
    out = tmp_path / "a.png"
    assert run("show", small, "--view", "printed", "--scale", "0.2", "-o", str(out)).exit_code == 0
    assert out.read_bytes().startswith(b"\x89PNG")


def test_a_camera_shows_the_printed_parts_from_its_side(tmp_path: Path) -> None:
    small, pictures = str(small_map(tmp_path / "small.forge")), set()
    for words in (["--from", "north-west"], ["--top"], ["--turn", "90"], ["--from", "east"]):
        out = tmp_path / "a.png"
        assert run("show", small, *words, "--scale", "0.2", "-o", str(out)).exit_code == 0
        pictures.add(out.read_bytes())
        assert run("show", small, "--view", "iso", *words, "-o", str(out)).exit_code == 2
    assert len(pictures) == 4


def test_build_adds_pictures_and_sheets(tmp_path: Path) -> None:
    small = ff.load(small_map(tmp_path / "small.forge"))
    built = ff.Forge().assemble(ff.check(small))
    files = picture_files(built, begin_pictures(built.checked, built.build, built.printer))
    begins = {"board.png": b"\x89PNG", "map.png": b"\x89PNG", "report.html": b"<!doctype html>"}
    begins |= {"build.pdf": b"%PDF", "hands.pdf": b"%PDF"}
    assert [file.path for file in files] == list(begins)
    assert all(file.data.startswith(begins[file.path]) for file in files)


def test_sheets_begin_between_two_files_once_both_photographs_are_taken() -> None:
    photo, back = PoolFuture(lambda: b"before"), PoolFuture(lambda: b"behind")
    drawn: list[tuple[bytes, bytes]] = []

    def draw(photo: bytes, back: bytes) -> bytes:
        drawn.append((photo, back))
        return b"sheets"

    sheets = BegunSheets(draw, photo, back)
    files = [Artifact(name, b"") for name in "abc"]
    beside = sheets.begun_beside(files)
    assert next(beside) is files[0]
    photo.result()
    assert next(beside) is files[1] and not back.has_ended
    back.result()
    begun = sheets.begin
    assert next(beside) is files[2] and begun() is begun() and not drawn
    assert list(beside) == [] and sheets.result() == b"sheets" == sheets.result()
    assert drawn == [(b"before", b"behind")]


def test_a_kit_has_sheets_for_each_map_and_they_fit_its_parts(tmp_path: Path) -> None:
    kit = tmp_path / "kit"
    maps = [str(small_map(tmp_path / f"{tower}.forge", tower)) for tower in ("D4", "C3")]
    assert run("kit", *maps, "-o", str(kit)).exit_code == 0
    there = owned_parts(None, kit)
    rows = csv.DictReader((kit / "pieces.csv").read_text(encoding="utf-8").splitlines())
    assert sum(there.values()) == sum(int(row["required"]) for row in rows)
    for name in maps:
        assert (kit / f"build-{Path(name).stem}.pdf").read_bytes().startswith(b"%PDF")
        assert run("sheets", name, "--kit", str(kit), "-o", f"{name}.pdf").exit_code == 0
        assert Path(f"{name}.pdf").read_bytes().startswith(b"%PDF")
        parts = ff.Forge().plan(ff.load(name), there)
        assert all(count <= there[key] for key, count in parts.counts().items())


def test_invalid_kit_or_stock_raises_error(tmp_path: Path) -> None:
    empty = run("show", "duel", "-o", str(tmp_path / "a.png"), "--kit", str(tmp_path))
    assert isinstance(empty.exception, ForgeError)
    assert "holds no kit" in str(empty.exception)
    (tmp_path / "pieces.csv").write_text("piece,count\ntree,1\n", encoding="utf-8")
    other = run("report", "duel", "-o", str(tmp_path / "a.html"), "--kit", str(tmp_path))
    assert "required" in str(other.exception)
    both = ("--own", str(tmp_path / "pieces.csv"), "--kit", str(tmp_path))
    assert run("sheets", "duel", *both).exit_code == 2


def test_near_is_for_the_printed_view_and_for_a_tile_of_the_board(tmp_path: Path) -> None:
    out, small = tmp_path / "near.jpg", str(small_map(tmp_path / "small.forge"))
    words = ("show", small, "--view", "printed", "--scale", "0.2", "-o", str(out))
    assert run(*words, "--near", "D4").exit_code == 0
    assert out.read_bytes().startswith(b"\xff\xd8")
    assert run(*words, "--near", "Z99").exit_code == 2
    assert run("show", "duel", "-o", str(tmp_path / "a.png"), "--near", "D4").exit_code == 2

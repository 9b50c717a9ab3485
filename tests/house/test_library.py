"""The library is what its page says, cheap to import, typed, and knows no door."""

import doctest
from pathlib import Path

import pytest

import falldamage_forge as ff
from falldamage_forge.cli import COMMANDS
from falldamage_forge.forge import Forge
from tests.cli.running import ROOT, python

PAGES = ("docs/library.md", "README.md")


@pytest.mark.parametrize("page", PAGES)
def test_the_examples_of_the_pages_run(page: str) -> None:
    found = doctest.testfile(str(ROOT / page), module_relative=False, encoding="utf-8")
    assert found.failed == 0
    assert page != "docs/library.md" or found.attempted > 20


def test_the_module_shows_itself() -> None:
    assert doctest.testmod(ff).failed == 0
    assert {*ff.__all__} <= {*dir(ff)}
    for name in ff.__all__:
        assert getattr(ff, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = ff.nothing
    assert Path(ff.__file__).with_name("py.typed").exists()


def imported(code: str) -> set[str]:
    """Top rooms and libraries that a fresh process has after some code."""
    told = python("-c", f"{code}\nimport sys\nprint(*sys.modules)")
    return {name.partition(".")[0] for name in told.split()}


HEAVY = {"numpy", "shapely", "manifold3d", "trimesh", "scipy", "networkx", "highspy", "lark"}


def test_bare_import_brings_nothing() -> None:
    assert not imported("import falldamage_forge") & (HEAVY | {"click"})


def test_asking_brings_no_geometry_and_no_click() -> None:
    code = "import falldamage_forge as ff; ff.position(ff.load('duel')).unit('knight').reach('B10')"
    assert not imported(code) & ((HEAVY - {"lark"}) | {"click"})


def test_text_is_never_refused() -> None:
    for text in ("", "forge", "forge 1\n}", "\0", 'forge 1\nimport "x" as y\n', "stack" * 1000):
        assert isinstance(ff.check(ff.loads(text)).ok, bool)


def test_a_forge_remembers_by_value() -> None:
    forge = Forge(remember=1)
    one = forge.position(forge.load("duel"))
    graph = one.graph
    text = forge.load("duel").text
    again = forge.position(forge.loads("# a comment\n" + text, "duel.forge"))
    assert again.graph is graph
    assert again.board.starts[0].source != one.board.starts[0].source
    forge.position(forge.load("ashkeep"))
    assert forge.position(forge.load("duel")).graph is not graph


def test_maps_and_verdicts_show_themselves_in_notebooks() -> None:
    duel = ff.load("duel")
    assert duel._repr_svg_().startswith("<svg")
    assert "playable" in ff.check(duel)._repr_html_()
    found = ff.position(duel).unit("knight").reach("B10")
    assert found._repr_html_().count("<tr>") > 50


def test_every_command_is_told_on_a_page() -> None:
    text = "".join(
        path.read_text("utf-8") for path in (ROOT / "README.md", *(ROOT / "docs").glob("*.md"))
    )
    untold = [name for name in COMMANDS if f"fdforge {name}" not in text]
    assert not untold

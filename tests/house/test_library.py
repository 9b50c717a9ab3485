"""The library is what its page says, cheap to import, typed, and knows no door."""

import doctest
from pathlib import Path

import pytest

import falldamage_forge as ff
from falldamage_forge import presets
from falldamage_forge.cli import COMMANDS
from falldamage_forge.issues import ForgeError, Issue
from falldamage_forge.library.forge import Forge
from falldamage_forge.maps.checks import COMPARE, apply_suppressions
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


BARE = "forge 1\nstart red at B1..I1\nstart blue at B10..I10\n"


@pytest.mark.parametrize("size", ["", "print {\n  tile 40mm\n}\n"])
def test_expected_count_of_a_piece_is_compared_with_the_plan(size: str) -> None:
    trees = f"{BARE}tree at D4\ntree at E6\ntree at G7\n{size}"
    wanted = {f"tree {sign} {n}": holds(3, n) for sign, holds in COMPARE.items() for n in (2, 3, 4)}
    expects = "".join(f"expect {words}\n" for words in wanted)
    found = ff.check(ff.loads(f"{trees}expect tre = 3\n{expects}")).every
    told = {
        (each.code, each.severity, each.message.partition(" (")[0])
        for each in found
        if "tre" in each.message
    }
    assert told == {("FDF400", "error", "no piece called `tre`")} | {
        ("FDF331", "error", f"expected {words}, but the map needs 3")
        for words, holds in wanted.items()
        if not holds
    }


def test_allow_takes_back_its_own_warning_and_nothing_else() -> None:
    layout = ff.loads(f'{BARE}allow FDF310 "meant"\nallow FDF311 "meant"\n').layout
    issues = (
        Issue("FDF310", "warning", "words"),
        Issue("FDF312", "warning", "words"),
        Issue("FDF311", "error", "words"),
        Issue("FDF300", "error", "words"),
        Issue("FDF310", "info", "words"),
    )
    *kept, unused = apply_suppressions(layout, issues)
    assert kept == [each for each in issues if each.code != "FDF310"]
    assert (unused.code, unused.severity) == ("FDF299", "warning")
    assert unused.message == "`allow FDF311` cannot take back an error"
    bare = ff.loads(BARE).layout
    assert apply_suppressions(bare, issues) == issues
    without = tuple(each for each in issues if each.code != "FDF311")
    assert apply_suppressions(layout, without)[-1].message == (
        "`allow FDF311` takes back nothing; no such warning is raised"
    )
    assert len(apply_suppressions(layout, without, whole=False)) == 2


def test_options_reach_every_answer() -> None:
    duel, forge = ff.load("duel"), Forge()
    options = {"gap": "any-clear"}
    game = forge.game(duel, options=options)[0]
    assert game != forge.game(duel)[0]
    assert forge.check(duel, options=options).position.game == game
    assert forge.analysis(duel, options=options).game == game
    assert forge.check(duel).position.game == forge.analysis(duel).game == forge.game(duel)[0]


def test_build_hands_its_words_on_and_refuses_what_check_refuses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given: list[tuple[object, ...]] = []
    monkeypatch.setattr(Forge, "assemble", lambda self, *words: given.append(words))
    forge, options = Forge(), ff.BuildOptions(rim=True)
    duel, progress = ff.load("duel"), lambda *words: None
    forge.build(duel, "mk4", options, progress, "fine")
    assert given == [(forge.check(duel), "mk4", options, progress, "fine")]
    cut = ff.loads(f"{BARE}stack row 5 height 3\n")
    with pytest.raises(ForgeError) as refused:
        forge.build(cut)
    assert refused.value.issues == forge.check(cut).issues and len(given) == 1


def test_every_name_of_a_preset_has_its_file() -> None:
    tables = presets.names("tables")
    for kind in ("maps", "tables", "rulesets", "printers", "sets"):
        for name in presets.names(kind):
            assert presets.path(kind, name).is_file()
    paths = [presets.path("maps", name) for name in tables]
    assert paths == [presets.path("tables", name) for name in tables] != []


def test_wrong_stock_is_refused_by_its_name() -> None:
    for owned, name in ((["tree"], "owned"), ({3: 1}, "owned"), ({"tree": -1}, "tree")):
        with pytest.raises((TypeError, ValueError, ForgeError), match=f"`{name}`"):
            ff.plan(ff.load("duel"), owned=owned)  # type: ignore[arg-type]


def test_maps_and_verdicts_show_themselves_in_notebooks() -> None:
    duel = ff.load("duel")
    assert duel._repr_svg_().startswith("<svg")
    assert ff.check(duel)._repr_html_() == f"<p>{duel.title}: playable</p><ul></ul>"
    cut = ff.check(ff.loads(f"{BARE}stack row 5 height 3\n", "cut.forge"))
    page = cut._repr_html_()
    assert page.startswith("<p>cut: not playable</p>")
    assert page.count("<li>") == len(cut.issues) > 0
    assert all(f"<code>{issue.code}</code>" in page for issue in cut.issues)
    found = ff.position(duel).unit("knight").reach("B10")
    assert found._repr_html_().count("<tr>") > 50


def test_every_command_is_told_on_a_page() -> None:
    text = "".join(
        path.read_text("utf-8") for path in (ROOT / "README.md", *(ROOT / "docs").glob("*.md"))
    )
    untold = [name for name in COMMANDS if f"fdforge {name}" not in text]
    assert not untold

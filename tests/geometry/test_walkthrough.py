"""CONTRIBUTING's "Add a piece" and "Add a printer", walked; every step that is skipped is found.

The code, tables and settings are read from the page itself.
"""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from falldamage_forge import presets
from falldamage_forge.builds.model_pieces import BUILDER as MODEL
from falldamage_forge.geometry import joint_check, terrain_features
from falldamage_forge.geometry.csg import GeometryError
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.piece_mesh import BUILDERS, Builder, build
from falldamage_forge.geometry.printability import check_printability
from falldamage_forge.infra import presets_folder
from falldamage_forge.infra.toml_loader import parse_toml
from falldamage_forge.issues import ForgeError
from falldamage_forge.pieces.bought import MAGNET
from falldamage_forge.pieces.catalogue import Catalogue, catalogue_from_tables
from falldamage_forge.pieces.element_parts import BUILDER as BOXES
from falldamage_forge.pieces.model_keys import SEAM_TIE
from falldamage_forge.printing.printer import Printer
from falldamage_forge.render import contact_sheets
from tests.cli.running import ROOT

from . import test_build, test_joints, test_pieces_page, test_printers
from .conftest import stl_bytes

PAGE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")


def chapter(title: str) -> str:
    return PAGE.split(f"## {title}\n")[1].split("\n## ")[0]


def code(title: str, kind: str) -> list[str]:
    """The fenced blocks of a chapter, their indentation under a numbered step taken away."""
    found = re.findall(rf"(?ms)^   ```{kind}\n(.*?)^   ```", chapter(title))
    return [dedent(block) for block in found]


BUILDER, ENTRY = code("Add a piece", "python")
(TABLE,) = code("Add a piece", "toml")


def catalogue_with(table: str) -> Catalogue:
    tables = {name: presets._table("pieces", name) for name in presets.names("pieces")}
    return catalogue_from_tables({**tables, "more": parse_toml(table, "more.toml")}, "pieces")


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Steps 1 and 2: the builder stands in its module and in the registry."""
    space = dict(vars(terrain_features))
    exec(BUILDER, space)
    monkeypatch.setattr(terrain_features, "pillar", space["pillar"], raising=False)
    entry = eval(ENTRY, {"Builder": Builder, "terrain_features": terrain_features})
    monkeypatch.setitem(BUILDERS, "pillar", entry["pillar"])  # type: ignore[arg-type]
    return


@pytest.mark.usefixtures("written")
def test_piece_added_by_guide_prints_in_every_style(printer: Printer) -> None:
    more = catalogue_with(TABLE)
    assert {"pillar-12", "pillar-24"} < set(more.pieces)
    assert {piece.builder for piece in more.pieces.values()} == set(BUILDERS) - {
        BOXES,
        MODEL,
        SEAM_TIE,
        MAGNET,
    }
    for piece in more.family("pillar"):
        for name in presets.names("styles"):
            mesh = build(piece, printer, presets.load_style(name))
            assert not check_printability(stl_bytes(mesh), printer, piece.key).issues


def test_without_the_builder_nothing_is_built(printer: Printer) -> None:
    more = catalogue_with(TABLE.replace("pillar-", "unbuilt-"))
    with pytest.raises(GeometryError, match="no builder called `pillar`"):
        build(more["unbuilt-12"], printer)
    assert {piece.builder for piece in more.pieces.values()} != set(BUILDERS) - {
        BOXES,
        MODEL,
        SEAM_TIE,
        MAGNET,
    }


@pytest.mark.usefixtures("written")
def test_builder_without_table_is_reported_unused(catalogue: Catalogue) -> None:
    with pytest.raises(AssertionError):
        test_build.test_every_builder_is_registered_and_used(catalogue)


def test_invalid_table_raises_error() -> None:
    for wrong in (
        TABLE.replace("builder =", "bilder ="),
        TABLE.replace('shape = "none"', 'shape = "nun"'),
        TABLE.replace("pillar-{height}", "block-1x1x1"),
    ):
        with pytest.raises(ForgeError):
            catalogue_with(wrong)


@pytest.mark.usefixtures("written")
def test_declared_connectors_give_checked_joints(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    more = catalogue_with(TABLE)
    assert test_joints.unproved(more, joint_check.joints(more, DesignParameters())) == {
        "pillar-12",
        "pillar-24",
    }
    (entry,) = re.findall(r'`(\{"pillar": Connectors.*?\})`', chapter("Add a piece"))
    said = eval(entry, {"Connectors": joint_check.Connectors})
    monkeypatch.setitem(joint_check.CONNECTORS, "pillar", said["pillar"])  # type: ignore[arg-type]
    assert not test_joints.unproved(more, joint_check.joints(more, DesignParameters()))
    standing = {"pillar": joint_check.Connectors("legs")}
    monkeypatch.setitem(joint_check.CONNECTORS, "pillar", standing["pillar"])  # type: ignore[arg-type]
    own = [
        joint
        for joint in joint_check.joints(more, DesignParameters())
        if joint.b.piece.family == "pillar"
    ]
    assert own, "joints that are said are proved"
    codes = {
        issue.code
        for one in own
        for issue in joint_check.check_joint(one, DesignParameters()).issues()
    }
    assert codes == {"FDF432", "FDF435"}, "and this pillar has no legs"


@pytest.mark.usefixtures("written")
def test_page_is_stale_without_sheet_or_pictures(
    printer: Printer, monkeypatch: pytest.MonkeyPatch
) -> None:
    more = catalogue_with(TABLE)
    with pytest.raises(AssertionError):
        test_pieces_page.test_every_family_is_on_a_sheet_and_every_sheet_on_the_page(more)
    shown = {**contact_sheets.SHEETS, "features": (*contact_sheets.SHEETS["features"], "pillar")}
    monkeypatch.setattr(contact_sheets, "SHEETS", shown)
    test_pieces_page.test_every_family_is_on_a_sheet_and_every_sheet_on_the_page(more)
    with pytest.raises(AssertionError, match="fdforge gallery"):
        test_pieces_page.test_the_table_is_of_the_catalogue_as_it_is(more, printer)


@pytest.mark.usefixtures("written")
def test_printability_check_rejects_careless_builder(printer: Printer) -> None:
    """Without the relief, and stood on a thin foot, the same pillar does not pass."""
    space = dict(vars(terrain_features))
    exec(BUILDER.replace(", high=RELIEF", ""), space)
    BUILDERS["pillar"] = Builder(space["pillar"], BUILDERS["pillar"].bed)  # type: ignore[index]
    bare = catalogue_with(TABLE.replace("pillar-", "bare-"))["bare-12"]
    mesh = build(bare, printer)
    assert {i.code for i in check_printability(stl_bytes(mesh), printer).issues} == {"FDF426"}
    thin = BUILDER.replace(
        'return on_tile(prism(drum, 0.0, float(piece["height"]), high=RELIEF), fit)',
        "foot = prism(shapely.box(-4, -4, 4, 4), -3.0, 0.1, low=RELIEF)\n"
        "    return on_tile(union([foot, prism(drum, 0.0, 12.0)]), fit)",
    )
    exec(thin, space)
    upright = catalogue_with(TABLE.replace("upside-down", "upright").replace("pillar-", "up-"))
    BUILDERS["pillar"] = Builder(space["pillar"], lambda piece, fit: -3.0)  # type: ignore[index]
    found = check_printability(stl_bytes(build(upright["up-12"], printer)), printer)
    assert "FDF421" in {issue.code for issue in found.issues}


NAME = "example-300"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the presets that may be added to."""
    copy = tmp_path / "presets"
    for kind in ("printers", "slicer", "pieces"):
        shutil.copytree(presets_folder.root() / kind, copy / kind)
    for module in (presets, presets_folder):
        monkeypatch.setattr(module, "root", lambda: copy)
    yield copy
    presets._table.cache_clear()
    presets.load_printer.cache_clear()


def add_printer(folder: Path) -> None:
    (table,) = code("Add a printer", "toml")
    (folder / "printers" / f"{NAME}.toml").write_text(table, encoding="utf-8")


def add_settings(folder: Path) -> None:
    (lines,) = code("Add a printer", "ini")
    text = (folder / "slicer" / "a1-mini.ini").read_text("utf-8")
    for line in lines.strip().splitlines():
        text, count = re.subn(rf"(?m)^{line.split(' = ')[0]} = .*$", line, text)
        assert count == 1
    (folder / "slicer" / f"{NAME}.ini").write_text(text, encoding="utf-8")


def test_printer_added_by_guide_fits_every_piece(folder: Path, catalogue: Catalogue) -> None:
    add_printer(folder)
    add_settings(folder)
    assert NAME in presets.names("printers")
    test_printers.test_the_largest_pieces_fit_inside_the_margins(NAME, catalogue)
    test_printers.test_slicer_settings_have_the_bed_of_their_printer(NAME)


def test_a_printer_without_its_table_or_its_settings_is_found(folder: Path) -> None:
    check = test_printers.test_slicer_settings_have_the_bed_of_their_printer
    with pytest.raises(ForgeError, match="no preset called"):
        check(NAME)
    add_printer(folder)
    with pytest.raises(FileNotFoundError):
        check(NAME)
    shutil.copy(folder / "slicer" / "a1-mini.ini", folder / "slicer" / f"{NAME}.ini")
    with pytest.raises(AssertionError):
        check(NAME)
    add_settings(folder)
    check(NAME)


def test_commands_in_chapters_exist() -> None:
    from falldamage_forge.cli import COMMANDS

    for title in ("Add a piece", "Add a printer"):
        named = re.findall(r"`fdforge ([a-z]+)", chapter(title))
        assert len(named) >= 2
        assert set(named) <= set(COMMANDS)
        steps = re.findall(r"(?m)^(\d)\. ", chapter(title))
        assert steps == [str(number + 1) for number in range(len(steps))]
        for path in re.findall(r"`((?:falldamage_forge|presets|tests)/[\w./-]+)`", chapter(title)):
            assert "NAME" in path or (ROOT / path).exists(), path

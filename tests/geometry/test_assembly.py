"""A table put together: the preset maps stand; a clash and a floating part are found."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import falldamage_forge as ff
from falldamage_forge import presets
from falldamage_forge.board import Tile
from falldamage_forge.builds.pipeline import BuildOptions, planned
from falldamage_forge.cli.commands import prove
from falldamage_forge.elements import legality
from falldamage_forge.geometry import assembly_check
from falldamage_forge.geometry.assembly_check import AssemblyReport, check_assembly
from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.geometry.piece_mesh import build
from falldamage_forge.issues import ForgeError
from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.pieces.piece import Placement
from tests.amount import EXHAUSTIVE
from tests.cli import running
from tests.cli.running import small_map, typed

MAPS = presets.names("maps") if EXHAUSTIVE else ("duel",)
PRINTER, STYLE = presets.load_printer("a1-mini"), presets.load_style("plain")


def proved(placements: Sequence[Placement]) -> AssemblyReport:
    """What is found of parts as they are printed."""
    pieces = {placement.piece.key: placement.piece for placement in placements}
    meshes = {key: build(piece, PRINTER, STYLE) for key, piece in pieces.items()}
    return check_assembly(placements, meshes, PRINTER)


@pytest.mark.parametrize("name", MAPS)
def test_preset_maps_pass_assembly_check(name: str) -> None:
    map_ = ff.load(name)
    options = BuildOptions(variants=4)
    found = proved(planned(map_.layout, presets.load_catalogue(), PRINTER, options).placements)
    assert not list(found.issues())
    assert found.pairs >= len(found.placements) - 1
    assert any(placement.piece.variant for placement in found.placements)


def _tower(catalogue: Catalogue) -> list[Placement]:
    """A block on a base, a block on that, and a bridge to another tower."""
    block, tall = catalogue["block-1x1x1"], catalogue["block-1x1x2"]
    return [
        Placement(catalogue.quadrant, Tile(0, 0), 0),
        Placement(block, Tile(1, 0), 0),
        Placement(block, Tile(1, 0), 1, 1),
        Placement(tall, Tile(1, 2), 0),
        Placement(catalogue.bridge(1), Tile(1, 1), 2),
        Placement(catalogue.start_marker("red"), Tile(1, 0), 2),
    ]


def test_tower_passes_assembly_check(catalogue: Catalogue) -> None:
    assert not list(proved(_tower(catalogue)).issues())


def test_two_parts_in_one_place_are_found(catalogue: Catalogue) -> None:
    parts = _tower(catalogue)
    parts[3] = replace(parts[3], tile=Tile(1, 1))
    found = proved(parts)
    assert [pair[:2] for pair in found.clashes] == [(3, 4)]
    issues = list(found.issues())
    # The bridge lost its eastern support to the clash.
    assert [issue.code for issue in issues] == ["FDF433", "FDF434"]
    assert set(issues[0].tiles) == {(1, 1)}
    double = proved([*_tower(catalogue), _tower(catalogue)[1]])
    assert {issue.code for issue in double.issues()} == {"FDF433"}


def test_unsupported_part_and_its_load_are_floating(catalogue: Catalogue) -> None:
    parts = _tower(catalogue)
    without = [parts[0], *parts[2:3], *parts[5:]]
    found = proved(without)
    assert found.floating == (1, 2)
    assert {issue.code for issue in found.issues()} == {"FDF434"}
    assert proved([parts[0], parts[4]]).floating == (1,)
    # A part sunk into what carries it is a clash.
    sunk = [parts[0], replace(parts[1], level=0), replace(parts[2], level=0)]
    assert proved(sunk).clashes


@pytest.mark.parametrize("turned", [0, 1], ids=["west to east", "north to south"])
@pytest.mark.parametrize("family", ["bridge", "arch"])
def test_a_deck_that_lacks_one_support_is_found(
    family: str, turned: int, catalogue: Catalogue
) -> None:
    def at(along: int) -> Tile:
        return Tile(along, 1) if turned else Tile(1, along)

    block, deck = catalogue["block-1x1x1"], catalogue[f"{family}-2"]
    ends = [Placement(block, at(0), 0), Placement(block, at(3), 0)]
    parts = [Placement(catalogue.quadrant, Tile(0, 0), 0), Placement(deck, at(1), 1, turned)]
    assert not list(proved([*parts, *ends]).issues())
    for one in ends:
        found = proved([*parts, one])
        (issue,) = found.issues()
        assert found.floating == (1,)
        assert issue.code == "FDF434"
        assert issue.message.startswith(f"nothing holds an end of {deck.key} at ")
        # What lies on it floats with it.
        load = Placement(catalogue.chest, at(1), 1)
        assert proved([*parts, one, load]).floating == (1, 3)


def test_a_deck_may_hang_on_the_sides_of_decks(catalogue: Catalogue) -> None:
    """Two bridges over towers at four corners, and a third between their middles."""
    block = catalogue["block-1x1x1"]
    towers = [Placement(block, Tile(row, col), 0) for row in (0, 2) for col in (0, 4)]
    sides = [Placement(catalogue.bridge(3), Tile(row, 1), 1) for row in (0, 2)]
    between = Placement(catalogue.bridge(1), Tile(1, 2), 1, 1)
    parts = [Placement(catalogue.quadrant, Tile(0, 0), 0), *towers, *sides, between]
    assert not list(proved(parts).issues())
    fewer = [part for part in parts if part is not towers[0]]
    assert proved(fewer).floating == (4, 6)


UNDER = """
forge 1
stack C5, E5 height 2
bridge C5 -> E5 level 2
ladder D5 -> C5
start red at B1..I1
start blue at B10..I10
"""


def test_build_with_clash_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Legality would refuse this map: without it the proof does, whoever builds."""
    monkeypatch.setattr(legality, "ELEMENTS", {})
    monkeypatch.setattr(running, "EXHAUSTIVE", False)  # what is patched is in this process
    file = tmp_path / "under.forge"
    file.write_text(UNDER)
    with pytest.raises(ForgeError) as error:
        ff.build(ff.load(file))
    assert [issue.code for issue in error.value.issues] == ["FDF433"]
    run = typed("build", file, "-o", tmp_path / "out")
    assert run.returncode == 1
    assert "FDF433" in run.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "words",
    [(), ("--variants", "1"), ("--bond",), ("--minimise", "pieces"), ("--own", "stock.csv")],
    ids=" ".join,
)
def test_prove_checks_assembly_of_built_meshes(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The very placements and the very meshes; what is asked of single pieces is left out."""
    monkeypatch.setattr(running, "EXHAUSTIVE", False)  # what is patched is in this process
    (tmp_path / "stock.csv").write_text("piece,count\nblock-1x1x1,9\n")
    small = small_map(tmp_path / "small.forge")
    seen: list[tuple[Sequence[Placement], dict[str, bytes]]] = []
    real = assembly_check.check_assembly

    def look(placements: Sequence[Placement], meshes: dict[str, Mesh], *more: object) -> object:
        used = {placement.piece.key for placement in placements}
        seen.append((placements, {key: meshes[key].vertices.tobytes() for key in used}))
        return real(placements, meshes, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(assembly_check, "check_assembly", look)
    for name in ("_printed", "_joined", "_held"):
        monkeypatch.setattr(prove, name, lambda *_: ())
    built = typed(
        "build", small, "--no-pictures", "--style", "plain", *words, "-o", "out", cwd=tmp_path
    )
    assert built.returncode == 0, built.stderr
    told = typed("prove", small, "--style", "plain", *words, "--json", cwd=tmp_path)
    assert told.returncode == 0, told.stderr
    assert seen[0] == seen[1]
    assert json.loads(told.stdout)["maps"][str(small)]["parts"] == len(seen[0][0])


def test_assembly_check_is_cached(
    catalogue: Catalogue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FDFORGE_CACHE_DIR", str(tmp_path))
    looks: list[int] = []
    real = assembly_check._looked
    monkeypatch.setattr(assembly_check, "_looked", lambda *all_: looks.append(1) or real(*all_))  # type: ignore[func-returns-value]
    first, again = proved(_tower(catalogue)), proved(_tower(catalogue))
    assert first == again
    assert len(looks) == 1
    proved(_tower(catalogue)[:-1])
    assert len(looks) == 2

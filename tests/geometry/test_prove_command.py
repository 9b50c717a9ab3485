"""`fdforge prove` as it is used, and that it says no."""

import json
from pathlib import Path

import pytest

from falldamage_forge.cli.commands import prove
from falldamage_forge.geometry.mesh_validation import MeshValidity
from falldamage_forge.geometry.printability import PrintabilityReport, PrintFault
from tests.cli.running import typed


def test_pieces_and_maps_are_proved_together() -> None:
    run = typed("prove", "block-1x1x1", "ladder-1", "--style", "stone", "--json")
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    assert found["ok"] is True
    assert [piece["key"] for piece in found["pieces"]] == ["block-1x1x1", "ladder-1"]
    assert found["pieces"][0]["bridge_mm"] <= 12.05
    assert all(joint["overlap_mm3"] < 0.01 for joint in found["joints"])
    assert found["holds"][0]["name"] == "block-1x1x1"
    assert found["holds"][0]["tip_gf"] > 80
    table = typed("prove", "start-red")
    assert table.returncode == 0
    assert "1 pieces" in table.stdout or "all print without supports" in table.stdout


def test_prove_refuses_unknown_name() -> None:
    run = typed("prove", "block-1x1x9")
    assert run.returncode == 1
    assert "FDF400" in run.stderr
    assert "did you mean" in run.stderr
    assert typed("prove", "no-such-map.forge").returncode == 1
    assert typed("prove", "--style", "marble").returncode == 1


def test_prove_uses_printer_of_user(tmp_path: Path) -> None:
    own = tmp_path / "mine.toml"
    own.write_text('title = "Mine"\nbed_mm = [170, 170]\nheight_mm = 50\n')
    run = typed("prove", "block-1x1x2", "--printer", own, "--json")
    assert run.returncode == 1
    found = json.loads(run.stdout)
    assert found["ok"] is False
    assert found["printer"] == "mine"
    assert found["pieces"][0]["codes"] == ["FDF418"]
    quadrant = json.loads(typed("prove", "start-red", "--printer", own, "--json").stdout)
    assert quadrant["ok"] is True


def test_prove_verdict_follows_issues(capsys: pytest.CaptureFixture[str]) -> None:
    from falldamage_forge import presets

    sound = MeshValidity(12, 1.0, (1.0, 1.0, 1.0), ())
    bad = PrintabilityReport(
        "it", sound, faults=(PrintFault("FDF420", "begins in the air", (1.0, 2.0, 3.0)),)
    )
    findings = prove.ProofReport(prints=[bad])
    prove._echo_table(findings, presets.load_printer("a1-mini"), presets.load_style("plain"))
    assert "FAULTY" in capsys.readouterr().out
    document = prove._document(
        findings, presets.load_printer("a1-mini"), presets.load_style("plain"), findings.issues()
    )
    assert document["ok"] is False
    assert document["pieces"][0]["faults"][0]["place_mm"] == [1.0, 2.0, 3.0]


def test_build_has_requested_style(tmp_path: Path) -> None:
    """The command itself runs in the page of pieces."""
    from falldamage_forge import presets
    from falldamage_forge.builds.pipeline import BuildOptions, assemble_parts
    from falldamage_forge.geometry.piece_mesh import build

    brick = presets.load_style("brick")
    piece, printer = presets.load_catalogue()["block-l-1"], presets.load_printer("a1-mini")
    made = assemble_parts(
        {piece.key: 2}, {piece.key: piece}, printer, options=BuildOptions(style=brick)
    )
    styled, plain = build(piece, printer, brick), build(piece, printer)
    assert made.meshes[piece.key].vertices.tobytes() == styled.vertices.tobytes()
    assert len(styled.faces) > len(plain.faces)
    assert typed("build", "duel", "--style", "marble", "-o", tmp_path / "no").returncode == 1

"""Exit codes of the program, and what the user is told while PrusaSlicer works."""

from __future__ import annotations

import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import click
import pytest

import falldamage_forge as ff
from falldamage_forge import cli, presets
from falldamage_forge.cli import build_options, sliced_proof
from falldamage_forge.geometry import stl
from falldamage_forge.issues import refuse
from falldamage_forge.presets import load_printer
from falldamage_forge.printing import prusaslicer


def raising(error: BaseException) -> Callable[..., None]:
    def run(**_: object) -> None:
        raise error

    return run


@pytest.mark.parametrize(
    ("error", "status", "told"),
    [
        (refuse("FDF295", "no room", "make some"), 1, "error[FDF295]: no room"),
        (click.UsageError("no such word"), 2, "Error: no such word"),
        (click.Abort(), 130, "stopped; no file was left incomplete"),
        (KeyboardInterrupt(), 130, "stopped; no file was left incomplete"),
        (OSError(28, "No space left", "DISK: X"), 1, "error: No space left: DISK: X"),
        (OSError(28, "No space left"), 1, "error: No space left"),
        (OSError("odd: "), 1, "error: odd"),
        (click.exceptions.Exit(3), 3, ""),
    ],
)
def test_error_has_its_exit_code_and_one_message(
    error: BaseException,
    status: int,
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(cli, "cli", raising(error))
    assert cli._status() == status
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines()[:1] == ([told] if told else [])


def test_command_that_ends_well_exits_with_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli, "cli", lambda **_: None)
    assert cli._status() == 0


def test_equal_plates_are_sliced_once_with_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[object, ...]] = []
    sliced: list[bytes] = []

    def slice_plate(data: bytes, suffix: str, settings: object) -> str:
        assert suffix == ".stl"
        sliced.append(data)
        return f"gcode of {data.decode()}"

    printer = load_printer("a1-mini")
    names = ("one", "two", "one")
    plates = [
        SimpleNamespace(name=f"plate-{number}", group="stone", mesh=mesh, counts=dict)
        for number, mesh in enumerate(names, start=1)
    ]
    monkeypatch.setattr(prusaslicer, "find_slicer", lambda: None)
    monkeypatch.setattr(prusaslicer, "slice_plate", slice_plate)
    monkeypatch.setattr(stl, "write_stl", lambda mesh, name: mesh.encode())
    monkeypatch.setattr(
        "falldamage_forge.export.plate_meshes.plate_mesh",
        lambda plate, meshes: meshes[plate.mesh],
    )
    monkeypatch.setattr(build_options, "show_progress", lambda *words: told.append(words))
    printed = {name: name for name in names}
    build: Any = SimpleNamespace(
        plates=plates, meshes={}, printed=printed, printer=printer, pieces={}
    )
    assert list(build_options.gcodes(build)) == [f"gcode of {name}" for name in names]
    assert sliced == [b"one", b"two"]
    assert told == [("slicing plate-1", 0, 3), ("slicing plate-2", 1, 3)]
    assert presets.slicer_files(printer, "stone")


EARED = (
    "forge 1\ntree at E5\nstack D4 height 1\nspire at D4\n"
    "start red at B1..I1\nstart blue at B10..I10\n"
)


def test_slicer_is_asked_about_the_plates_that_are_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All triangles, with the ears that are torn off; only the name in the header differs."""
    asked: list[bytes] = []

    def slice_plate(data: bytes, suffix: str, settings: object) -> str:
        asked.append(data)
        return ""

    monkeypatch.setattr(prusaslicer, "find_slicer", lambda: None)
    monkeypatch.setattr(prusaslicer, "slice_plate", slice_plate)
    built = ff.build(ff.loads(EARED, "eared.forge"))
    job = built.build
    assert any(len(job.printed[key].faces) > len(job.meshes[key].faces) for key in job.meshes)
    list(build_options.gcodes(job))
    written = {
        one.data[80:]
        for one in built.artifacts(pictures=False)
        if re.fullmatch(r"plates/[^/]+\.stl", one.path)
    }
    assert {data[80:] for data in asked} == written


def test_parts_and_joints_are_proved_one_by_one_with_progress(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[tuple[object, ...]] = []
    slicer: Any = SimpleNamespace(judge=lambda piece: piece.key, join=lambda joint: joint.name)
    monkeypatch.setattr(sliced_proof, "PartSlicer", lambda printer, style: slicer)
    monkeypatch.setattr(sliced_proof, "show_progress", lambda *words: told.append(words))
    pieces: Any = [SimpleNamespace(key=key) for key in ("a", "b", "a")]
    joints: Any = [SimpleNamespace(name="a on b")]
    proof: Any = sliced_proof.prove_sliced(pieces, joints, None, None)  # type: ignore[arg-type]
    assert (proof.parts, proof.joints) == (["a", "b"], ["a on b"])
    assert told == [("slicing a", 0, 2), ("slicing b", 1, 2), ("joining a on b", 0, 1)]

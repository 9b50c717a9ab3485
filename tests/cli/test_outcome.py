"""Exit codes of the program, and what the user is told while PrusaSlicer works."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import click
import pytest

import falldamage_forge as ff
from falldamage_forge import cli, presets
from falldamage_forge.builds.pipeline import assemble_parts
from falldamage_forge.cli import build_options, sliced_proof
from falldamage_forge.export.threemf import MODEL, PRUSA_RANGES
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

    def slice_plate(data: bytes, settings: object) -> str:
        sliced.append(data)
        return f"gcode {len(sliced)}"

    monkeypatch.setattr(prusaslicer, "find_slicer", lambda: None)
    monkeypatch.setattr(prusaslicer, "slice_plate", slice_plate)
    monkeypatch.setattr(build_options, "show_progress", lambda *words: told.append(words))
    printer, counts = load_printer("a1-mini"), {"quadrant": 2, "tie": 1}
    pieces = {key: presets.load_catalogue()[key] for key in counts}
    job = assemble_parts(counts, pieces, printer)
    one, other = sorted(job.plates, key=lambda plate: -len(plate.slots))
    plates = tuple(replace(plate, index=n) for n, plate in enumerate((one, other, one), start=1))
    job = replace(job, plates=plates)
    assert list(build_options.gcodes(job)) == ["gcode 1", "gcode 2", "gcode 1"]
    assert len(set(sliced)) == len(sliced) == 2
    assert told == [("slicing plate-01-base", 0, 3), ("slicing plate-02-base", 1, 3)]
    assert presets.slicer_files(printer, "stone")


def told_to_slicer(data: bytes) -> dict[str, bytes]:
    """What a slicer reads of a 3MF, without its title and its picture."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        members = {name: package.read(name) for name in package.namelist() if name.endswith("l")}
    members[MODEL] = re.sub(rb'<metadata name="Title">[^<]*', b"", members[MODEL])
    return {name: members[name] for name in members if name in (MODEL, PRUSA_RANGES)}


EARED = (
    "forge 1\ntree at E5\nstack D4 height 1\nspire at D4\n"
    "start red at B1..I1\nstart blue at B10..I10\n"
)


def test_slicer_is_asked_about_the_plates_that_are_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All triangles, with the ears that are torn off, and all layers; only the title differs."""
    asked: list[bytes] = []

    def slice_plate(data: bytes, settings: object) -> str:
        asked.append(data)
        return ""

    monkeypatch.setattr(prusaslicer, "find_slicer", lambda: None)
    monkeypatch.setattr(prusaslicer, "slice_plate", slice_plate)
    built = ff.build(ff.loads(EARED, "eared.forge"))
    job = built.build
    assert any(len(job.printed[key].faces) > len(job.meshes[key].faces) for key in job.meshes)
    list(build_options.gcodes(job))
    written = [
        one.data
        for one in built.artifacts(pictures=False)
        if re.fullmatch(r"plates/[^/]+\.3mf", one.path)
    ]
    known = [told_to_slicer(data) for data in written]
    assert [told_to_slicer(data) for data in asked] == [
        each for n, each in enumerate(known) if each not in known[:n]
    ]
    assert any(PRUSA_RANGES in told_to_slicer(data) for data in asked)


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

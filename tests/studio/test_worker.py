"""The worker process of the studio: one job at a time; a newer job ends the current one."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from falldamage_forge.infra import disk_cache
from falldamage_forge.infra.process_pool import Gone, Helper
from falldamage_forge.presets import path
from falldamage_forge.studio import mesh_service, worker_process
from falldamage_forge.studio.background_jobs import BackgroundJobs
from falldamage_forge.studio.mesh_service import MeshService
from falldamage_forge.studio.part_instances import parts, placements
from falldamage_forge.studio.session import Session
from falldamage_forge.studio.session_stages import LATE
from falldamage_forge.studio.worker_process import WorkerProcess
from tests.cli.running import SMALL
from tests.patience import SILENCE_S, at_most

SESSION = Session(SMALL.format(tower="D4"), "map.forge")


@pytest.fixture
def worker() -> Iterator[WorkerProcess]:
    worker = WorkerProcess()
    with at_most(SILENCE_S, worker.stop):
        yield worker
    worker.close()


def test_one_wish_after_the_other_gets_its_own_answers(worker: WorkerProcess) -> None:
    for _ in range(2):
        number, answers = worker.submit("stages", SESSION)
        told = [*answers]
        assert [what for what, _ in told] == ["told"] * len(LATE) + ["done"]
        worker.done(number)
    number, answers = worker.submit("sheets", SESSION)
    *progress, (what, data) = answers
    assert {what for what, _ in progress} == {"progress"}
    assert (what, data[:4]) == ("made", b"%PDF")


def test_a_faulty_map_is_told_and_the_next_is_served(worker: WorkerProcess) -> None:
    number, answers = worker.submit("sheets", Session("forge 1\nstack Z99 height 1\n", "map.forge"))
    assert [what for what, _ in answers][-1] == "failed"
    worker.done(number)
    assert [what for what, _ in worker.submit("stages", SESSION)[1]][-1] == "done"


def test_a_newer_wish_ends_the_one_under_way(worker: WorkerProcess) -> None:
    _, first = worker.submit("zip", Session(path("maps", "duel").read_text(), "map.forge"))
    _, second = worker.submit("stages", SESSION)
    with pytest.raises(Gone):
        list(first)
    assert [what for what, _ in second][-1] == "done"


def test_stages_of_a_change_follow_the_download_that_runs() -> None:
    """A map that is changed while a download is made ends neither the download nor its stages."""
    told: list[dict[str, Any]] = []
    sessions = [SESSION]

    def seen(kind: str) -> bool:
        return any(one["type"] == kind for one in told)

    async def change() -> None:
        jobs = BackgroundJobs(lambda: sessions[-1], told.append)
        try:
            jobs.start_download("plates", "en")
            while not seen("progress"):
                await asyncio.sleep(0.01)
            sessions.append(SESSION.with_text(SESSION.text + "# changed\n", "typing"))
            jobs.postpone_stages()
            jobs.schedule_stages()
            while not seen("advice"):
                await asyncio.sleep(0.01)
        finally:
            jobs.close()

    asyncio.run(asyncio.wait_for(change(), SILENCE_S))
    kinds = [one["type"] for one in told if one["type"] != "progress"]
    assert kinds == ["made", *LATE]
    assert told[-1]["revision"] == sessions[-1].revision


def test_a_worker_closed_while_it_starts_leaves_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[Helper] = []
    worker = WorkerProcess()

    def start(first: Callable[[], object]) -> Helper:
        started.append(Helper(first))
        worker.close()  # as from another thread, before `submit` knows of the process
        return started[-1]

    monkeypatch.setattr(worker_process, "Helper", start)
    with pytest.raises(Gone):
        worker.submit("stages", SESSION)
    with pytest.raises(Gone):
        worker.submit("stages", SESSION)
    assert started and not any(process.alive for process in started)


def test_meshes_come_from_a_process_that_is_started_again_when_it_died(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(disk_cache.FOLDER, str(tmp_path))  # a mesh in the cache needs no process

    async def asked() -> None:
        meshes = MeshService()
        told = parts(SESSION, meshes.addresses(SESSION))
        names = sorted({part["mesh"].removeprefix("mesh/") for part in told["parts"]})
        assert await meshes.get(names[0])
        assert meshes._helper._helper
        meshes._helper._helper.close()
        assert await meshes.get(names[1])
        assert await meshes.get("nobody") is None
        meshes.close()
        assert await meshes.get(names[0]) is None

    asyncio.run(asked())


def test_a_mesh_under_way_while_the_studio_closes_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(disk_cache.FOLDER, str(tmp_path))

    async def asked() -> None:
        meshes = MeshService()
        first, *_ = parts(SESSION, meshes.addresses(SESSION))["parts"]
        name = first["mesh"].removeprefix("mesh/")

        def closes(folder: str, key: str) -> None:
            meshes.close()

        monkeypatch.setattr(disk_cache, "get", closes)
        assert await meshes.get(name) is None
        assert meshes._helper._helper is None

    asyncio.run(asked())


def test_oldest_announced_meshes_are_forgotten_when_there_are_too_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Made or not; one that is announced again is known again."""
    monkeypatch.setenv(disk_cache.FOLDER, str(tmp_path))
    monkeypatch.setattr(mesh_service, "MOST", 2)

    async def asked() -> None:
        meshes = MeshService()
        monkeypatch.setattr(meshes, "_bake", lambda announced: announced[0].key.encode())
        address = meshes.addresses(SESSION)
        pieces = sorted({one.piece for one in placements(SESSION)}, key=lambda each: each.key)
        one, other, third = (pieces * 3)[:3]
        urls = [address(piece, most) for piece, most in ((one, 0), (other, 1), (third, 2))]
        names = [url.removeprefix("mesh/") for url in urls]
        assert len(set(names)) == 3 and [f"mesh/{name}" for name in names] == urls
        assert await meshes.get(names[0]) is None
        assert await meshes.get(names[1]) == other.key.encode()
        assert address(one, 0) == urls[0]
        assert await meshes.get(names[1]) is None
        assert await meshes.get(names[0]) == one.key.encode()
        assert await meshes.get(names[2]) == third.key.encode()
        assert set(meshes._made) == {names[0], names[2]}
        meshes.close()

    asyncio.run(asked())


def test_mesh_has_another_address_for_each_style_and_number_of_triangles() -> None:
    """So no page shows the mesh of other settings."""
    piece = placements(SESSION)[0].piece
    other = replace(SESSION, settings=SESSION.settings.changed({"style": "plain"}))
    plain, changed = (MeshService().addresses(one) for one in (SESSION, other))
    assert len({plain(piece, 0), plain(piece, 1), changed(piece, 0), changed(piece, 1)}) == 4

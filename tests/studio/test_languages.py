"""Texts of messages come in the language of each page; everything else is the same."""

import asyncio
import json
from typing import Any

from falldamage_forge.studio.message_shapes import TOLD
from falldamage_forge.studio.pyodide_host import BatchWorker, InteractiveWorker
from falldamage_forge.studio.send_queue import SendQueue
from falldamage_forge.studio.session import Session
from falldamage_forge.studio.session_stages import verdict
from falldamage_forge.studio.spoken_message import SPOKEN, spoken_message

WRONG = "forge 1\nstak D4 height 3\nstart red at B1..I1\nstart blue at B10..I10\n"


def hello(language: str) -> str:
    return json.dumps({"v": 1, "type": "hello", "token": "", "language": language})


def test_every_path_leads_to_a_type_of_message() -> None:
    assert set(SPOKEN) <= {*TOLD, "error"}


def test_a_verdict_in_german_differs_in_its_texts_only() -> None:
    told = verdict(Session(WRONG, "wrong.forge"))
    spoken = spoken_message(told, "de")
    first, english = spoken["issues"][0], told["issues"][0]
    assert first["message"] == "keine Anweisung `stak`"
    assert first["hint"] == "meinst du `stack`?"
    assert first["why"].startswith("Jede Zeile beginnt mit einem Schlüsselwort")
    texts = dict.fromkeys(("message", "hint", "why"), "")
    assert {**first, **texts} == {**english, **texts}
    assert {**spoken, "issues": []} == {**told, "issues": []}
    assert spoken_message(told, "en") is told
    assert spoken_message(told, "xx") is told


def test_a_legend_keeps_its_colours() -> None:
    told = {"type": "overlay", "legend": [["#fff", "tree"], ["tree", "water"]]}
    assert spoken_message(told, "de")["legend"] == [["#fff", "Baum"], ["tree", "Wasser"]]


def test_each_page_hears_its_own_language() -> None:
    told: dict[str, list[Any]] = {"en": [], "de": []}

    async def hear() -> None:
        for language, heard in told.items():

            async def send(said: dict[str, Any], heard: list[Any] = heard) -> None:
                heard.append(said)

            page = SendQueue(send)
            page.language = language
            page.put({"type": "error", "message": "no such message"})
            page.put(verdict(Session(WRONG, "wrong.forge")))
            running = asyncio.create_task(page.run())
            while len(heard) < 2:
                await asyncio.sleep(0)
            running.cancel()

    asyncio.run(hear())
    assert told["en"][1]["issues"][0]["message"] == "no statement `stak`"
    assert told["de"][1]["issues"][0]["message"] == "keine Anweisung `stak`"


def test_a_page_without_a_server_changes_its_language() -> None:
    worker = InteractiveWorker(WRONG)

    def messages() -> list[str]:
        stages = map(json.loads, worker.run_stages())
        return [one["issues"][0]["message"] for one in stages if one["type"] == "verdict"]

    assert messages() == ["no statement `stak`"]
    greeting = [json.loads(told)["type"] for told in worker.on_message(hello("de"))]
    assert greeting == ["presets", "state", "settings"] and worker.changed
    assert messages() == ["keine Anweisung `stak`"]
    worker.on_message(hello("en"))
    assert messages() == ["no statement `stak`"]


def test_slow_work_of_a_page_without_a_server_speaks_too() -> None:
    from falldamage_forge.studio.session_settings import SessionSettings

    worker = BatchWorker()
    wish = {"kind": "zip", "text": WRONG, "revision": 1, "settings": SessionSettings().table()}
    worker.on_message(json.dumps({**wish, "language": "de"}))
    told = [json.loads(one) for one in worker.run_stages()]
    assert "keine Anweisung `stak`" in told[-1]["message"]

"""The published schema of the messages: current, whole, and such that it can fail."""

import copy
import json
import re
from typing import Any

import jsonschema
import pytest

from falldamage_forge.presets import load_text
from falldamage_forge.studio import session_stages as stages
from falldamage_forge.studio.message_handlers import QUESTIONS, handle_message
from falldamage_forge.studio.message_shapes import TOLD
from falldamage_forge.studio.protocol import CHOICES, FIELDS, message
from falldamage_forge.studio.protocol_schema import json_schema
from falldamage_forge.studio.session import Session
from tests.cli.running import ROOT, typed
from tests.studio.telling import fits

DUEL = load_text("maps", "duel.forge")


def test_the_published_schema_is_current_and_a_schema() -> None:
    published = json.loads((ROOT / "docs" / "studio.schema.json").read_text("utf-8"))
    assert published == json_schema()
    jsonschema.Draft202012Validator.check_schema(published)


def test_the_command_prints_it() -> None:
    assert json.loads(typed("studio", "--schema").stdout) == json_schema()


def test_every_message_that_the_page_hears_is_in_it() -> None:
    page = (ROOT / "falldamage_forge/studio/page/heard.js").read_text("utf-8")
    table = page[page.index("const HEARD = {") : page.index("\n};", page.index("const HEARD = {"))]
    heard = set(re.findall(r"^  (\w+)[:(]", table, re.M)) | {"presets"}
    assert heard == set(TOLD) - {"files"}


@pytest.mark.parametrize("stage", stages.STAGES)
def test_what_a_text_means_fits(stage: str) -> None:
    for text in (DUEL, load_text("maps", "gatehouse.forge"), "forge 1\nbord 5x5\n"):
        fits(stages.STAGES[stage](Session(text)))


@pytest.mark.parametrize("kind", ["units", "stamps", "meaning", "overlay", "history", "compare"])
def test_answers_to_questions_fit(kind: str) -> None:
    assert kind in QUESTIONS
    asked: dict[str, Any] = {"line": 1, "column": 2, "tile": "C3", "to": "", "unit": "", "by": 0}
    asked["text"] = "forge 1\nboard 3x3\n"
    for overlay in CHOICES["kind"]:
        said = {"type": kind, **asked, "kind": overlay}
        fits(handle_message(Session(DUEL), said).told[0])


def test_a_question_and_its_ways_fit() -> None:
    rock = "define rock {\n  stack A1..B1 height 1\n}\n"
    text = f"forge 1\nboard 10x10\n{rock}place rock at B2\nplace rock at F6\n"
    _, told = Session(text).gesture("lower B2", "ask", brush=False)
    assert fits(told)["answer"] == "question"


def spoilt(told: dict[str, Any]) -> list[dict[str, Any]]:
    """A message with each of its fields gone, and with one that nobody knows."""
    without = [{k: v for k, v in told.items() if k != name} for name in told if name != "type"]
    return [*without, {**told, "more": 1}]


def test_what_lacks_a_field_or_has_one_too_many_does_not_fit() -> None:
    told = [stages.board(Session(DUEL)), stages.verdict(Session(DUEL)), Session(DUEL).preview("x")]
    for one in (*told, message("made", of="zip", size=3)):
        for bad in spoilt(one):
            with pytest.raises(jsonschema.ValidationError):
                fits(bad)
    deep = copy.deepcopy(told[0])
    deep["board"]["columns"][0][1] = 7
    with pytest.raises(jsonschema.ValidationError):
        fits(deep)


def test_every_message_of_a_page_is_in_it() -> None:
    shapes = json_schema()["$defs"]["said"]["oneOf"]
    assert [shape["properties"]["type"]["const"] for shape in shapes] == list(FIELDS)
    said = {"v": 1, "type": "gesture", "words": "x", "revision": 0, "copies": "all", "brush": True}
    fits(said, "said")
    with pytest.raises(jsonschema.ValidationError):
        fits({**said, "copies": "some"}, "said")

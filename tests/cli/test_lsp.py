"""The language server over its real standard input and output."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import ROOT
from tests.patience import SILENCE_S, at_most

pytest.importorskip("pygls", reason="pygls is missing: pip install 'falldamage-forge[lsp]'")

SOURCE = """\
forge 1
define tower {
  stack A1 height 2
}
place towr at B2
stack D4 height 2
start red at B1..I1
start blue at B10..I10
"""


class Editor:
    def __init__(self, path: Path) -> None:
        self.uri = path.as_uri()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "falldamage_forge", "lsp"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=ROOT,
        )  # fmt: skip
        self.number = 0

    def answer(self, method: str, params: Any) -> Any:
        """The whole answer to a request: its result, or its error."""
        return self.send(method, params, ask=True, whole=True)

    def send(self, method: str, params: Any, ask: bool = False, whole: bool = False) -> Any:
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
        if ask:
            self.number += 1
            message["id"] = self.number
        data = json.dumps(message).encode()
        assert self.process.stdin
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self.process.stdin.flush()
        while ask:
            answer = self.receive()
            if answer.get("id") == self.number:
                return answer if whole else answer.get("result")
        return None

    def receive(self) -> Any:
        assert self.process.stdout
        length = 0
        while (line := self.process.stdout.readline()) not in (b"\r\n", b""):
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        return json.loads(self.process.stdout.read(length))

    def diagnostics(self) -> list[Any]:
        while True:
            message = self.receive()
            if message.get("method") == "textDocument/publishDiagnostics":
                found: list[Any] = message["params"]["diagnostics"]
                return found

    def at(self, line: int, character: int) -> dict[str, Any]:
        place = {"line": line, "character": character}
        return {"textDocument": {"uri": self.uri}, "position": place}


@pytest.fixture
def editor(tmp_path: Path) -> Iterator[Editor]:
    session = Editor(tmp_path / "m.forge")
    with at_most(SILENCE_S, session.process.kill):
        session.send(
            "initialize", {"processId": None, "rootUri": None, "capabilities": {}}, ask=True
        )
        session.send("initialized", {})
        document = {"uri": session.uri, "languageId": "forge", "version": 1, "text": SOURCE}
        session.send("textDocument/didOpen", {"textDocument": document})
        yield session
    session.process.kill()
    session.process.wait(SILENCE_S)


def test_an_editor_gets_diagnostics_fixes_and_help(editor: Editor) -> None:
    (fault,) = [d for d in editor.diagnostics() if d["severity"] == 1]
    assert (fault["code"], fault["range"]["start"]) == ("FDF202", {"line": 4, "character": 6})

    document = {"textDocument": {"uri": editor.uri}}
    context = {"diagnostics": [fault]}
    asked = {**document, "range": fault["range"], "context": context}
    (fix,) = editor.send("textDocument/codeAction", asked, ask=True)
    assert fix["edit"]["changes"][editor.uri][0]["newText"] == "tower"

    words = editor.send("textDocument/completion", editor.at(4, 6), ask=True)["items"]
    assert "tower" in {item["label"] for item in words}
    words = editor.send("textDocument/completion", editor.at(5, 2), ask=True)["items"]
    assert {"stack", "bridge"} <= {item["label"] for item in words}

    hover = editor.send("textDocument/hover", editor.at(5, 7), ask=True)
    assert hover["contents"]["value"] == "D4: column of level 2"

    mended = SOURCE.replace("towr", "tower  ")
    version = {"uri": editor.uri, "version": 2}
    editor.send(
        "textDocument/didChange", {"textDocument": version, "contentChanges": [{"text": mended}]}
    )
    assert [d for d in editor.diagnostics() if d["severity"] == 1] == []

    target = editor.send("textDocument/definition", editor.at(4, 8), ask=True)
    assert target["range"]["start"]["line"] == 1

    options = {**document, "options": {"tabSize": 2, "insertSpaces": True}}
    (edit,) = editor.send("textDocument/formatting", options, ask=True)
    assert "place tower at B2\n" in edit["newText"]


def test_consequence_of_an_error_is_shown_with_its_cause(editor: Editor) -> None:
    editor.diagnostics()
    text = "forge 1\nstack row 5 height 9\nstart red at B1..I1\nstart blue at B10..I10\n"
    document = {"uri": editor.uri, "version": 2}
    changes = {"textDocument": document, "contentChanges": [{"text": text}]}
    editor.send("textDocument/didChange", changes)
    cause, follower = editor.diagnostics()
    assert (cause["code"], cause["range"]["start"]["line"]) == ("FDF300", 1)
    assert follower["code"] == "FDF311"
    assert follower["message"].endswith("follows from FDF300 in line 2")


REQUESTS = ("hover", "completion", "definition", "formatting", "codeAction")
INVALID = (
    {},
    [],
    "a",
    None,
    {"textDocument": {"uri": "file:///m.forge"}, "position": {"line": "x", "character": 0}},
    {"textDocument": 3, "position": {"line": 0, "character": 0}},
    {"textDocument": {}, "position": None, "range": 7, "context": [], "options": 1},
)
INVALID_PARAMS = -32602
"""Source: JSON-RPC 2.0, 5.1."""


@pytest.mark.parametrize("request_", REQUESTS)
def test_request_with_invalid_parameters_is_answered(editor: Editor, request_: str) -> None:
    for params in INVALID:
        answer = editor.answer(f"textDocument/{request_}", params)
        assert answer["error"]["code"] == INVALID_PARAMS, params
    assert editor.send("textDocument/hover", editor.at(5, 7), ask=True), "the server goes on"


@pytest.mark.parametrize("request_", REQUESTS)
def test_request_about_a_closed_file_has_an_empty_answer(
    editor: Editor, request_: str, tmp_path: Path
) -> None:
    """Closed after it was open, never opened, and not a file at all."""
    editor.send("textDocument/didClose", {"textDocument": {"uri": editor.uri}})
    there = tmp_path / "there.forge"
    there.write_text(SOURCE)
    for uri in (editor.uri, there.as_uri(), "untitled:Untitled-1"):
        place = {"line": 5, "character": 7}
        params = {
            "textDocument": {"uri": uri},
            "position": place,
            "range": {"start": place, "end": place},
            "context": {"diagnostics": []} if request_ == "codeAction" else None,
            "options": {"tabSize": 2, "insertSpaces": True},
        }
        answer = editor.answer(f"textDocument/{request_}", params)
        assert "error" not in answer, answer
        found = answer["result"]
        assert not found or found == {"isIncomplete": False, "items": []}


@pytest.mark.parametrize("request_", REQUESTS[:3])
@pytest.mark.parametrize(("line", "character"), [(99, 0), (0, 999), (5, 10**6), (2**31 - 1, 0)])
def test_place_outside_of_the_text_is_answered(
    editor: Editor, request_: str, line: int, character: int
) -> None:
    assert "error" not in editor.answer(f"textDocument/{request_}", editor.at(line, character))

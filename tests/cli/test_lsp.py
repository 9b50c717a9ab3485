"""The language server over its real standard input and output."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
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
    def __init__(self, path: Path, *options: str) -> None:
        self.uri = path.as_uri()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "falldamage_forge", *options, "lsp"],
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


@contextmanager
def opened(path: Path, *options: str) -> Iterator[Editor]:
    """An editor with the source open."""
    session = Editor(path, *options)
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


@pytest.fixture
def editor(tmp_path: Path) -> Iterator[Editor]:
    with opened(tmp_path / "m.forge") as session:
        yield session


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


def edited(text: str, edits: list[Any]) -> str:
    """A text after the edits of an answer."""
    lines = text.splitlines(keepends=True)
    for edit in sorted(edits, key=lambda edit: -edit["range"]["start"]["character"]):
        start, end = edit["range"]["start"], edit["range"]["end"]
        assert start["line"] == end["line"]
        line = lines[start["line"]]
        lines[start["line"]] = (
            line[: start["character"]] + edit["newText"] + line[end["character"] :]
        )
    return "".join(lines)


def test_names_are_found_and_changed_in_all_files_of_a_folder(
    editor: Editor, tmp_path: Path
) -> None:
    """A definition, its place, and the place of a file beside it that imports the first one."""
    other, stranger = tmp_path / "other.forge", tmp_path / "stranger.forge"
    other.write_text('forge 1\nimport "m.forge" as all\nplace all.tower at C3\nplace tower at C5\n')
    stranger.write_text('forge 1\nimport "else.forge" as all\nplace all.tower at C3\n')
    text = SOURCE.replace("towr", "tower")
    version = {"uri": editor.uri, "version": 2}
    changes = {"textDocument": version, "contentChanges": [{"text": text}]}
    editor.send("textDocument/didChange", changes)
    here = editor.at(4, 8)
    for declared, lines in ((True, [1, 4, 2]), (False, [4, 2])):
        asked = {**here, "context": {"includeDeclaration": declared}}
        found = editor.send("textDocument/references", asked, ask=True)
        assert [place["range"]["start"]["line"] for place in found] == lines
    assert len(editor.send("textDocument/documentHighlight", here, ask=True)) == 2
    ready = editor.send("textDocument/prepareRename", here, ask=True)
    assert (ready["placeholder"], ready["range"]["start"]) == ("tower", {"line": 4, "character": 6})
    assert editor.send("textDocument/prepareRename", editor.at(5, 1), ask=True) is None
    answer = editor.send("textDocument/rename", {**here, "newName": "keep-2"}, ask=True)
    assert edited(text, answer["changes"][editor.uri]) == text.replace("tower", "keep-2")
    after = edited(other.read_text(), answer["changes"][other.as_uri()])
    assert after == other.read_text().replace("all.tower", "all.keep-2")
    assert set(answer["changes"]) == {editor.uri, other.as_uri()}


@pytest.mark.parametrize(("name", "why"), [("2x", "no name"), ("", "no name"), ("a b", "no name")])
def test_name_that_is_none_is_refused(editor: Editor, name: str, why: str) -> None:
    answer = editor.answer("textDocument/rename", {**editor.at(1, 8), "newName": name})
    assert why in answer["error"]["message"]


def test_outline_and_folds_show_what_a_file_has(editor: Editor) -> None:
    document = {"textDocument": {"uri": editor.uri}}
    outline = editor.send("textDocument/documentSymbol", document, ask=True)
    assert [one["name"] for one in outline] == ["tower", "towr at B2", "start red", "start blue"]
    for one in outline:
        assert one["range"]["start"]["line"] <= one["selectionRange"]["start"]["line"]
        assert one["selectionRange"]["end"]["line"] <= one["range"]["end"]["line"]
    (fold,) = editor.send("textDocument/foldingRange", document, ask=True)
    assert (fold["startLine"], fold["endLine"]) == (1, 3)


def test_server_speaks_german_if_it_is_asked_to(tmp_path: Path) -> None:
    with opened(tmp_path / "m.forge", "--lang", "de") as editor:
        (fault,) = [one for one in editor.diagnostics() if one["severity"] == 1]
        assert "Abhilfe: " in fault["message"]
        hover = editor.send("textDocument/hover", editor.at(5, 1), ask=True)
        assert "Säule" in hover["contents"]["value"] or "Höhe" in hover["contents"]["value"]
        context = {"diagnostics": [fault]}
        asked = {"textDocument": {"uri": editor.uri}, "range": fault["range"], "context": context}
        (fix,) = editor.send("textDocument/codeAction", asked, ask=True)
        assert fix["title"] == "Ändern in `tower`"
        answer = editor.answer("textDocument/rename", {**editor.at(1, 8), "newName": "2x"})
        assert "kein Name" in answer["error"]["message"]


@pytest.mark.parametrize(
    ("options", "title"),
    [((), "raise B4, B6 and the bridge to level 3"),
     (("--lang", "de"), "hebe B4, B6 und die Brücke auf Höhe 3")],
)  # fmt: skip
def test_fix_that_changes_the_board_edits_the_lines_from_which_it_comes(
    options: tuple[str, ...], title: str, tmp_path: Path
) -> None:
    head, tail = "forge 1\nstack B5 height 2\n", "start red at B1..I1\nstart blue at B10..I10\n"
    text = f"{head}stack B4, B6 height 2\nbridge B4 -> B6 level 2\n{tail}"
    with opened(tmp_path / "m.forge", *options) as editor:
        editor.diagnostics()
        version = {"uri": editor.uri, "version": 2}
        changes = {"textDocument": version, "contentChanges": [{"text": text}]}
        editor.send("textDocument/didChange", changes)
        (fault,) = [one for one in editor.diagnostics() if one["code"] == "FDF134"]
        asked = {
            "textDocument": {"uri": editor.uri},
            "range": fault["range"],
            "context": {"diagnostics": [fault]},
        }
        (fix,) = editor.send("textDocument/codeAction", asked, ask=True)
    assert fix["title"] == title
    (edit,) = fix["edit"]["changes"][editor.uri]
    lines = text.splitlines(keepends=True)
    first, last = (edit["range"][end] for end in ("start", "end"))
    after = "".join(lines[: first["line"]]) + lines[first["line"]][: first["character"]]
    after += edit["newText"] + lines[last["line"]][last["character"] :]
    after += "".join(lines[last["line"] + 1 :])
    assert after == f"{head}stack B4, B6 height 3\nbridge B4 -> B6 level 3\n{tail}"


REQUESTS = (
    "hover", "completion", "definition", "references", "documentHighlight", "prepareRename",
    "rename", "formatting", "codeAction", "documentSymbol", "foldingRange",
)  # fmt: skip
CONTEXTS: dict[str, dict[str, Any]] = {
    "codeAction": {"diagnostics": []}, "references": {"includeDeclaration": True},
}  # fmt: skip
OTHER = {"uri": "file:///m.forge"}
INVALID = (
    {},
    [],
    "a",
    None,
    {"textDocument": OTHER, "position": {"line": "x", "character": 0}},
    {"textDocument": 3, "position": {"line": 0, "character": 0}},
    {"textDocument": {}, "position": None, "range": 7, "context": [], "options": 1},
)
INVALID_PARAMS = -32602
"""Source: JSON-RPC 2.0, 5.1."""


@pytest.mark.parametrize("request_", REQUESTS)
def test_request_with_invalid_parameters_is_answered(editor: Editor, request_: str) -> None:
    whole_file = request_ in ("documentSymbol", "foldingRange")
    for params in INVALID:
        if whole_file and isinstance(params, dict) and params.get("textDocument") == OTHER:
            continue  # its place is not asked for
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
            "context": CONTEXTS.get(request_),
            "options": {"tabSize": 2, "insertSpaces": True},
            "newName": "keep",
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

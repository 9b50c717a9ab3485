"""`fdforge lsp`: run a language server over standard input and output."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlparse

from falldamage_forge.cli import option
from falldamage_forge.diagnostics.machine_formatters import span_json
from falldamage_forge.infra.optional_libraries import missing

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer
    from pygls.protocol import LanguageServerProtocol

    from falldamage_forge.studio.session import Session

LEVELS = {"error": 1, "warning": 2, "info": 3}
FIRST = {"line": 1, "column": 1, "end_line": 1, "end_column": 2}


@option.command
def command() -> None:
    """Serve editors: diagnostics, completion, hover, definitions, formatting and quick fixes."""
    try:
        server = make_server()
    except ImportError:
        raise missing("lsp", "the language server") from None
    server.start_io()


def file_of(uri: str) -> str:
    """Return the path of a `file:` URI."""
    return unquote(urlparse(uri).path)


def session_of(text: str, file: str) -> Session:
    """Return the session of an editor's text of a file.

    Args:
        text: Text of the editor.
        file: Path of its file; imports of the text start at its folder.
    """
    from falldamage_forge.studio.session import Session

    return Session(text, file, Path(file).parent)


def _answering_protocol() -> type[LanguageServerProtocol]:
    """Return the protocol of pygls; it also answers requests whose parameters are not valid."""
    from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
    from pygls.protocol import LanguageServerProtocol

    class AnsweringProtocol(LanguageServerProtocol):
        def structure_message(self, data: dict[str, Any]) -> Any:
            try:
                return super().structure_message(data)
            except JsonRpcException:
                if "id" in data and "method" in data:
                    error = JsonRpcInvalidParams(f"invalid parameters of {data['method']}")
                    self._send_response(data["id"], error=error.to_response_error())
                raise

    return AnsweringProtocol


def make_server() -> LanguageServer:  # noqa: PLR0915 - a table of handlers
    """Return the server with its features registered; ImportError without pygls."""
    from lsprotocol import types as lsp
    from pygls.lsp.server import LanguageServer

    from falldamage_forge.infra.version import FORGE_VERSION
    from falldamage_forge.lang import language_service
    from falldamage_forge.studio import language_features
    from falldamage_forge.studio.session_stages import verdict

    server = LanguageServer("fdforge", FORGE_VERSION, protocol_cls=_answering_protocol())

    def session(uri: str) -> Session | None:
        """Return the session of an open document; None if the editor has not opened it."""
        if unquote(uri) not in server.workspace.text_documents:
            return None
        return session_of(server.workspace.get_text_document(uri).source, file_of(uri))

    def range_of(place: dict[str, Any]) -> Any:
        return lsp.Range(
            lsp.Position(place["line"] - 1, place["column"] - 1),
            lsp.Position(place["end_line"] - 1, place["end_column"] - 1),
        )

    def diagnostic(issue: dict[str, Any], uri: str) -> Any:
        """Return an issue as a diagnostic, at the text's start if its place is elsewhere."""
        file, place = file_of(uri), issue["place"]
        here = place and place["file"] == file
        related = [
            lsp.DiagnosticRelatedInformation(
                lsp.Location(uri, range_of(note["place"])), note["message"]
            )
            for note in issue["notes"]
            if note["place"]["file"] == file
        ]
        return lsp.Diagnostic(
            range_of(place if here else FIRST),
            issue["message"] + (f"\nhelp: {issue['hint']}" if issue["hint"] else ""),
            severity=lsp.DiagnosticSeverity(LEVELS[issue["severity"]]),
            code=issue["code"],
            source="fdforge",
            related_information=related,
        )

    def diagnostics(uri: str) -> list[tuple[dict[str, Any], Any]]:
        """Return every issue with its diagnostic; a follower is related to its cause."""
        here = session(uri)
        issues = verdict(here)["issues"] if here else []
        found = [(issue, diagnostic(issue, uri)) for issue in issues]
        for issue, entry in found:
            if issue["follows"] is not None:
                cause, at = found[issue["follows"]]
                entry.message += f"\nfollows from {cause['code']} in line {at.range.start.line + 1}"
        return found

    def publish(uri: str) -> None:
        found = [diagnostic for _, diagnostic in diagnostics(uri)]
        server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, found))

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: lsp.DidOpenTextDocumentParams) -> None:
        publish(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: lsp.DidChangeTextDocumentParams) -> None:
        publish(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION)
    def completion(params: lsp.CompletionParams) -> lsp.CompletionList:
        place, here = params.position, session(params.text_document.uri)
        words = language_features.words_at(here.text, place.line, place.character) if here else ()
        return lsp.CompletionList(
            False,
            [
                lsp.CompletionItem(item.word, detail=item.kind, documentation=item.detail or None)
                for item in words
            ],
        )

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def hover(params: lsp.HoverParams) -> lsp.Hover | None:
        place, here = params.position, session(params.text_document.uri)
        if here is None:
            return None
        answer = language_features.hover_text(here, place.line, place.character)
        shown = ": ".join(part for part in (answer["form"], answer["text"]) if part)
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.PlainText, shown)) if shown else None

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def definition(params: lsp.DefinitionParams) -> lsp.Location | None:
        uri, place = params.text_document.uri, params.position
        here = session(uri)
        if here is None:
            return None
        span = language_service.definition_at(here.text, here.name, place.line, place.character)
        return lsp.Location(uri, range_of(span_json(span))) if span else None

    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    def formatting(params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit] | None:
        before = session(params.text_document.uri)
        if before is None:
            return None
        after, failed = language_features.format_session(before)
        end = lsp.Position(len(before.text.splitlines()) + 1, 0)
        return None if failed else [lsp.TextEdit(lsp.Range(lsp.Position(0, 0), end), after.text)]

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION)
    def fixes(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        uri = params.text_document.uri
        asked = {(one.code, one.message): one for one in params.context.diagnostics}
        found = []
        for issue, entry in diagnostics(uri):
            fix, one = issue["fix"], asked.get((entry.code, entry.message))
            if one is None or fix is None or one.range != entry.range:
                continue
            line = fix["line"] - 1
            place = lsp.Range(lsp.Position(line, fix["first"]), lsp.Position(line, fix["last"]))
            edit = lsp.WorkspaceEdit(changes={uri: [lsp.TextEdit(place, fix["text"])]})
            kind = lsp.CodeActionKind.QuickFix
            deed = "Add" if fix["first"] == fix["last"] else "Change to"
            title = f"{deed} `{fix['text'].strip()}`" if fix["text"] else "Remove it"
            found.append(lsp.CodeAction(title, kind=kind, diagnostics=[one], edit=edit))
        return found

    return server

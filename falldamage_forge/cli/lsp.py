"""`fdforge lsp`: a language server over standard input and output."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlparse

import click

from falldamage_forge.cli.common import FORGE
from falldamage_forge.issues import ForgeError, Issue, SourceSpan

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer

LEVELS = {"error": 1, "warning": 2, "info": 3}


@click.command()
def command() -> None:
    """Serve editors: diagnostics, completion, hover, definitions, formatting and quick fixes."""
    try:
        server = make_server()
    except ImportError:
        hint = "pip install 'falldamage-forge[lsp]'"
        raise click.UsageError(f"the language server needs the package pygls: {hint}") from None
    server.start_io()


def file_of(uri: str) -> str:
    """The path of a `file:` address."""
    return unquote(urlparse(uri).path)


def issues_of(text: str, file: str) -> tuple[Issue, ...]:
    """Everything `check` would say of a text that an editor holds for a file."""
    try:
        return FORGE.check(FORGE.loads(text, file, Path(file).parent)).issues
    except ForgeError as error:
        return error.issues


def make_server() -> LanguageServer:  # noqa: PLR0915 - a table of handlers
    """The server with its features registered. Raises ImportError without pygls."""
    from lsprotocol import types as lsp
    from pygls.lsp.server import LanguageServer

    from falldamage_forge import __version__
    from falldamage_forge.diagnostics.catalogue import explain
    from falldamage_forge.lang import assist, load
    from falldamage_forge.lang.format import format_text
    from falldamage_forge.studio.editing import vocabularies

    server = LanguageServer("fdforge", __version__)

    def span_range(span: SourceSpan) -> Any:
        return lsp.Range(
            lsp.Position(span.line - 1, span.col - 1),
            lsp.Position(span.end_line - 1, span.end_col - 1),
        )

    def related(issue: Issue, uri: str, file: str) -> list[Any]:
        """The second places of an issue, in this file."""
        return [
            lsp.DiagnosticRelatedInformation(lsp.Location(uri, span_range(note.span)), note.message)
            for note in issue.notes
            if note.span.file == file
        ]

    def publish(uri: str) -> None:
        text = server.workspace.get_text_document(uri).source
        file = file_of(uri)
        found = []
        for issue in issues_of(text, file):
            span = issue.span or SourceSpan(file, 1, 1, 1, 2)
            if span.file != file:
                span = SourceSpan(file, 1, 1, 1, 2)
            message = issue.message + (f"\nhelp: {issue.hint}" if issue.hint else "")
            found.append(
                lsp.Diagnostic(
                    span_range(span),
                    message,
                    severity=lsp.DiagnosticSeverity(LEVELS[issue.severity]),
                    code=issue.code,
                    source="fdforge",
                    related_information=related(issue, uri, file),
                )
            )
        server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, found))

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: lsp.DidOpenTextDocumentParams) -> None:
        publish(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: lsp.DidChangeTextDocumentParams) -> None:
        publish(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION)
    def completion(params: lsp.CompletionParams) -> lsp.CompletionList:
        text = server.workspace.get_text_document(params.text_document.uri).source
        place = params.position
        words = assist.complete(text, place.line, place.character, vocabularies())
        return lsp.CompletionList(
            False,
            [
                lsp.CompletionItem(item.word, detail=item.kind, documentation=item.detail or None)
                for item in words
            ],
        )

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def hover(params: lsp.HoverParams) -> lsp.Hover | None:
        uri = params.text_document.uri
        text = server.workspace.get_text_document(uri).source
        place = params.position
        word, _, _ = assist.word_at(text, place.line, place.character)
        layout = load(text, file_of(uri)).layout
        shown = assist.describe_word(word, layout.board, explain)
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.PlainText, shown)) if shown else None

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def definition(params: lsp.DefinitionParams) -> lsp.Location | None:
        uri = params.text_document.uri
        text = server.workspace.get_text_document(uri).source
        place = params.position
        span = assist.definition_at(text, file_of(uri), place.line, place.character)
        return lsp.Location(uri, span_range(span)) if span else None

    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    def formatting(params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit] | None:
        document = server.workspace.get_text_document(params.text_document.uri)
        try:
            text = format_text(document.source, "x")
        except ForgeError:
            return None
        end = lsp.Position(len(document.lines) + 1, 0)
        return [lsp.TextEdit(lsp.Range(lsp.Position(0, 0), end), text)]

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION)
    def fixes(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        found = []
        uri = params.text_document.uri
        for diagnostic in params.context.diagnostics:
            place = diagnostic.range
            rows = server.workspace.get_text_document(uri).source.splitlines()
            row = rows[place.start.line] if place.start.line < len(rows) else ""
            last = place.end.character if place.end.line == place.start.line else len(row)
            fix = assist.fix_of(row, place.start.character, last, diagnostic.message)
            if fix:
                first = lsp.Position(place.start.line, fix.first)
                end = lsp.Position(place.start.line, fix.last)
                edit = lsp.TextEdit(lsp.Range(first, end), fix.text)
                found.append(
                    lsp.CodeAction(
                        f"Change to `{fix.text}`",
                        kind=lsp.CodeActionKind.QuickFix,
                        diagnostics=[diagnostic],
                        edit=lsp.WorkspaceEdit(changes={uri: [edit]}),
                    )
                )
        return found

    return server

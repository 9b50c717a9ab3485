"""`fdforge lsp`: run a language server over standard input and output."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlparse

from falldamage_forge.cli import option
from falldamage_forge.cli.spoken_language import wished_say
from falldamage_forge.diagnostics.machine_formatters import span_json
from falldamage_forge.infra.optional_libraries import missing

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer
    from pygls.protocol import LanguageServerProtocol

    from falldamage_forge.issues import SourceSpan
    from falldamage_forge.studio.session import Session

MOST_IMPORTERS = 500
"""Files of a folder that are searched for imports of another one."""
LEVELS = {"error": 1, "warning": 2, "info": 3}
SYMBOLS = {
    "title": "String", "import": "Module", "define": "Class", "map": "Array", "units": "Namespace",
    "place": "Method", "mirror": "Namespace", "rotate": "Namespace",
}  # fmt: skip
"""Kinds of the protocol by the word of a statement; others are objects."""
FIRST = {"line": 1, "column": 1, "end_line": 1, "end_column": 2}


@option.command
def command() -> None:
    """Serve editors: diagnostics, completion, hover, definitions, names, formatting, fixes."""
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


def _title(fix: Mapping[str, Any]) -> str:
    """Return the title of a quick fix in English."""
    if fix["words"]:
        words: str = fix["words"]
        return words
    if not fix["text"]:
        return "Remove it"
    deed = "Add" if fix["first"] == fix["last"] else "Change to"
    return f"{deed} `{fix['text'].strip()}`"


def importers(path: Path) -> Iterator[tuple[Path, str]]:
    """Yield the readable layouts beside a file, with their texts: they may import it."""
    if not path.parent.is_dir():
        return
    for other in sorted(path.parent.glob("*.forge"))[:MOST_IMPORTERS]:
        if other != path:
            with suppress(OSError, UnicodeDecodeError):
                yield other, other.read_text("utf-8")


def make_server() -> LanguageServer:  # noqa: PLR0915 - a table of handlers
    """Return the server with its features registered; ImportError without pygls."""
    from lsprotocol import types as lsp
    from pygls.exceptions import JsonRpcInvalidParams
    from pygls.lsp.server import LanguageServer

    from falldamage_forge.infra.version import FORGE_VERSION
    from falldamage_forge.lang import language_service, names
    from falldamage_forge.studio import language_features
    from falldamage_forge.studio.session_stages import verdict

    say = wished_say()
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
                lsp.Location(uri, range_of(note["place"])), say(note["message"])
            )
            for note in issue["notes"]
            if note["place"]["file"] == file
        ]
        return lsp.Diagnostic(
            range_of(place if here else FIRST),
            say(issue["message"])
            + (f"\n{say('help')}: {say(issue['hint'])}" if issue["hint"] else ""),
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
                line = at.range.start.line + 1
                entry.message += "\n" + say(f"follows from {cause['code']} in line {line}")
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
        parts = answer["form"], say(answer["text"])
        shown = ": ".join(part for part in parts if part)
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.PlainText, shown)) if shown else None

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def definition(params: lsp.DefinitionParams) -> lsp.Location | None:
        uri, place = params.text_document.uri, params.position
        here = session(uri)
        if here is None:
            return None
        span = language_service.definition_at(here.text, here.name, place.line, place.character)
        return lsp.Location(uri, range_of(span_json(span))) if span else None

    def uses(uri: str, place: lsp.Position) -> tuple[names.NameUse, ...]:
        """Return the uses of the name at a place of an open document."""
        here = session(uri)
        if here is None:
            return ()
        return names.uses_at(here.text, here.name, place.line, place.character)

    def range_at(span: SourceSpan) -> Any:
        return range_of(span_json(span))

    def elsewhere(uri: str, name: str) -> Iterator[tuple[str, SourceSpan]]:
        """Yield where layouts beside a file place its definition of a name."""
        path = Path(file_of(uri))
        for other, text in importers(path):
            address = other.as_uri()
            if opened := session(address):
                text = opened.text  # noqa: PLW2901 - what the editor shows counts
            for span in names.uses_from(text, str(other), path.name, name):
                yield address, span

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    def references(params: lsp.ReferenceParams) -> list[lsp.Location]:
        uri = params.text_document.uri
        found = uses(uri, params.position)
        told = params.context.include_declaration
        own = [lsp.Location(uri, range_at(x.span)) for x in found if told or not x.defines]
        if any(x.kind == "definition" for x in found):
            own += [lsp.Location(at, range_at(x)) for at, x in elsewhere(uri, found[0].name)]
        return own

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def highlights(params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight]:
        return [
            lsp.DocumentHighlight(range_at(x.span))
            for x in uses(params.text_document.uri, params.position)
        ]

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    def renamed(params: lsp.PrepareRenameParams) -> lsp.PrepareRenamePlaceholder | None:
        place = params.position
        for use in uses(params.text_document.uri, place):
            at = range_at(use.span)
            if at.start <= place <= at.end:
                return lsp.PrepareRenamePlaceholder(at, use.name)
        return None

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    def rename(params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        uri, name = params.text_document.uri, params.new_name
        found = uses(uri, params.position)
        here = session(uri)
        if here is None or not found:
            return None
        if why := names.refusal_of(here.text, here.name, found, name):
            raise JsonRpcInvalidParams(say(why))
        changes = {uri: [lsp.TextEdit(range_at(use.span), name) for use in found]}
        if any(use.kind == "definition" for use in found):
            for address, span in elsewhere(uri, found[0].name):
                changes.setdefault(address, []).append(lsp.TextEdit(range_at(span), name))
        return lsp.WorkspaceEdit(changes=changes)

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        here = session(params.text_document.uri)

        def shown(symbol: names.Symbol) -> lsp.DocumentSymbol:
            kind = lsp.SymbolKind[SYMBOLS.get(symbol.kind, "Object")]
            parts = [shown(part) for part in symbol.parts]
            whole, head = range_at(symbol.whole), range_at(symbol.head)
            return lsp.DocumentSymbol(
                symbol.name or "-", kind, whole, head, symbol.kind, children=parts
            )

        return [shown(x) for x in names.outline(here.text, here.name)] if here else []

    @server.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
    def folding(params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
        here = session(params.text_document.uri)
        kinds = {True: lsp.FoldingRangeKind.Comment, False: lsp.FoldingRangeKind.Region}
        found = names.folds(here.text, here.name) if here else ()
        return [lsp.FoldingRange(first, last, kind=kinds[note]) for first, last, note in found]

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
            end = lsp.Position(line + fix["more"], fix["last"])
            place = lsp.Range(lsp.Position(line, fix["first"]), end)
            edit = lsp.WorkspaceEdit(changes={uri: [lsp.TextEdit(place, fix["text"])]})
            kind = lsp.CodeActionKind.QuickFix
            title = say(_title(fix))
            found.append(lsp.CodeAction(title, kind=kind, diagnostics=[one], edit=edit))
        return found

    return server

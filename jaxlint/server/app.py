"""The protocol: documents come, diagnostics go a moment after the last keystroke, questions are answered."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass

from lsprotocol import types as lsp
from pygls import uris
from pygls.lsp.server import LanguageServer

from jaxlint import __version__
from jaxlint.config import ConfigError
from jaxlint.server import checks
from jaxlint.server.actions import KINDS, actions
from jaxlint.server.checks import Buffer, Checked
from jaxlint.server.convert import Converter

PAUSE = 0.03
"""Seconds without a keystroke before a file is checked."""

NOTEBOOKS = lsp.NotebookDocumentSyncOptions(
    notebook_selector=[
        lsp.NotebookDocumentFilterWithNotebook(
            notebook="jupyter-notebook", cells=[lsp.NotebookCellLanguage(language="python")]
        )
    ],
    save=True,
)


@dataclass(frozen=True, slots=True)
class Place:
    """A document of the editor: which buffer it belongs to (the URI of a file or notebook), and as which cell."""

    uri: str
    cell: int | None = None


class JaxlintServer(LanguageServer):
    """The state of one session: what was checked last of each file, and what waits to be checked."""

    def __init__(self) -> None:
        super().__init__("jaxlint", __version__, notebook_document_sync=NOTEBOOKS)
        self.checked: dict[str, Checked] = {}
        self.waiting: dict[str, asyncio.Task[None]] = {}
        self.one_at_a_time = asyncio.Lock()
        self.told: set[str] = set()

    # ---- documents -------------------------------------------------------------------------------------

    def place_of(self, uri: str) -> Place:
        """Where a text document belongs."""
        notebook = self.workspace.get_notebook_document(cell_uri=uri)
        if notebook is None:
            return Place(uri)
        return Place(notebook.uri, next(i for i, cell in enumerate(notebook.cells, 1) if cell.document == uri))

    def buffer(self, uri: str) -> Buffer | None:
        """What the editor holds of a file or notebook; None when it has closed it."""
        path = uris.to_fs_path(uri) if uri.startswith("file:") else None
        # a file that was never saved lies, for its imports and its configuration, in the workspace
        name = path or os.path.join(self.workspace.root_path or os.getcwd(), os.path.basename(uri.rpartition(":")[2]))
        notebook = self.workspace.get_notebook_document(notebook_uri=uri)
        if notebook is not None:
            texts = self.workspace.text_documents
            cells = tuple(
                (number, texts[cell.document].source)
                for number, cell in enumerate(notebook.cells, 1)
                if cell.kind == lsp.NotebookCellKind.Code and cell.document in texts
            )
            return Buffer(name, cells=cells, on_disk=path is not None)
        document = self.workspace.text_documents.get(uri)
        return None if document is None else Buffer(name, document.source, on_disk=path is not None)

    def open_uris(self) -> list[str]:
        """The files and notebooks that are open, cells not counted."""
        notebooks = self.workspace.notebook_documents
        cells = {cell.document for notebook in notebooks.values() for cell in notebook.cells}
        return [*notebooks, *(uri for uri in self.workspace.text_documents if uri not in cells)]

    def others(self, uri: str) -> list[Buffer]:
        """The buffers beside that of `uri`."""
        found = [self.buffer(other) for other in self.open_uris() if other != uri]
        return [buffer for buffer in found if buffer is not None]

    def converter(self, uri: str, checked: Checked) -> Converter:
        """Converts places of one checked file."""
        notebook = self.workspace.get_notebook_document(notebook_uri=uri)
        documents = [cell.document for cell in notebook.cells] if notebook is not None else []
        codec = self.workspace.position_codec
        return Converter(checked.source, codec, lambda cell: uri if cell is None else documents[cell - 1])

    # ---- checking --------------------------------------------------------------------------------------

    def changed(self, uri: str) -> None:
        """A file has changed: check it after a pause, then the open ones that it matters to."""
        known = self.waiting.pop(uri, None)
        if known is not None:
            known.cancel()
        self.waiting[uri] = asyncio.create_task(self._after_a_pause(uri))

    async def _after_a_pause(self, uri: str) -> None:
        await asyncio.sleep(PAUSE)
        new = uri not in self.checked
        checked = await self.fresh(uri)
        if checked is None:
            return
        for other in self.open_uris():
            known = self.checked.get(other)
            # a file that was not open may be one that others could not find before
            if other != uri and known is not None and (new or checked.buffer.path in known.read):
                await self.fresh(other)

    async def fresh(self, uri: str) -> Checked | None:
        """The outcome for what the editor holds now, checked and published unless it already is."""
        async with self.one_at_a_time:
            buffer = self.buffer(uri)
            if buffer is None:
                return None
            others = self.others(uri)
            try:
                checked = await asyncio.to_thread(checks.check, buffer, others)
            except ConfigError as error:
                self.tell(str(error))
                checked = Checked(buffer, buffer.source())
            for problem in checked.problems:
                self.tell(problem)
            if self.buffer(uri) != buffer:
                return None  # the editor went on meanwhile: the next check is on its way
            self.checked[uri] = checked
            self._publish(uri, checked)
            return checked

    def _publish(self, uri: str, checked: Checked) -> None:
        convert = self.converter(uri, checked)
        notebook = self.workspace.get_notebook_document(notebook_uri=uri)
        by_uri: dict[str, list[lsp.Diagnostic]] = {uri: []} if notebook is None else {}
        for cell in notebook.cells if notebook is not None else ():
            by_uri[cell.document] = []
        for finding in checked.findings:
            by_uri.setdefault(convert.uri_of(finding.span.cell), []).append(convert.diagnostic(finding))
        for each, diagnostics in by_uri.items():
            document = self.workspace.text_documents.get(each)
            version = document.version if document is not None else None
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(each, diagnostics, version))

    def closed(self, uri: str, documents: list[str]) -> None:
        """A file is closed: its diagnostics go."""
        self.checked.pop(uri, None)
        task = self.waiting.pop(uri, None)
        if task is not None:
            task.cancel()
        for document in documents:
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(document, []))

    def tell(self, message: str) -> None:
        """Show a message, the same one once."""
        if message not in self.told:
            self.told.add(message)
            self.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Error, f"jaxlint: {message}"))

    async def current(self, uri: str) -> Checked | None:
        """The outcome for what the editor holds now: the last one when nothing has changed since."""
        known = self.checked.get(uri)
        return known if known is not None and known.buffer == self.buffer(uri) else await self.fresh(uri)


# ---- features ------------------------------------------------------------------------------------------


def _follow_files(server: JaxlintServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: lsp.DidOpenTextDocumentParams) -> None:
        server.changed(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: lsp.DidChangeTextDocumentParams) -> None:
        server.changed(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: lsp.DidSaveTextDocumentParams) -> None:
        server.changed(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: lsp.DidCloseTextDocumentParams) -> None:
        server.closed(params.text_document.uri, [params.text_document.uri])

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def changed_on_disk(params: lsp.DidChangeWatchedFilesParams) -> None:
        server.told.clear()
        for uri in server.open_uris():
            server.changed(uri)


def _follow_notebooks(server: JaxlintServer) -> None:
    @server.feature(lsp.NOTEBOOK_DOCUMENT_DID_OPEN)
    def opened(params: lsp.DidOpenNotebookDocumentParams) -> None:
        server.changed(params.notebook_document.uri)

    @server.feature(lsp.NOTEBOOK_DOCUMENT_DID_CHANGE)
    def changed(params: lsp.DidChangeNotebookDocumentParams) -> None:
        server.changed(params.notebook_document.uri)

    @server.feature(lsp.NOTEBOOK_DOCUMENT_DID_SAVE)
    def saved(params: lsp.DidSaveNotebookDocumentParams) -> None:
        server.changed(params.notebook_document.uri)

    @server.feature(lsp.NOTEBOOK_DOCUMENT_DID_CLOSE)
    def closed(params: lsp.DidCloseNotebookDocumentParams) -> None:
        cells = [cell.uri for cell in params.cell_text_documents]
        server.closed(params.notebook_document.uri, cells)


def _answer(server: JaxlintServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(code_action_kinds=list(KINDS)))
    async def code_actions(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        place = server.place_of(params.text_document.uri)
        checked = await server.current(place.uri)
        if checked is None:
            return []
        only = [str(getattr(kind, "value", kind)) for kind in params.context.only or ()]
        return actions(checked, server.converter(place.uri, checked), place.cell, params.range, only)

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def hover(params: lsp.HoverParams) -> lsp.Hover | None:
        place = server.place_of(params.text_document.uri)
        buffer = server.buffer(place.uri)
        if buffer is None:
            return None
        convert = server.converter(place.uri, Checked(buffer, buffer.source()))
        column = convert.column(place.cell, params.position)
        others, row = server.others(place.uri), params.position.line + 1
        async with server.one_at_a_time:
            entries = await asyncio.to_thread(checks.explain, buffer, others, place.cell, row, column)
        text = "\n\n".join("\n- ".join(entry.split("\n")) for entry in entries)
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text)) if text else None


def make() -> JaxlintServer:
    """A server with all its features, not started."""
    server = JaxlintServer()
    _follow_files(server)
    _follow_notebooks(server)
    _answer(server)
    return server


def serve() -> int:
    """`jaxlint server`: speak with the editor on standard input and output until it hangs up."""
    make().start_io()
    return 0

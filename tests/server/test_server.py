"""The language server, spoken to by the client of pygls over standard input and output."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls", reason="the language server needs the extra `lsp`")

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

REPOSITORY = Path(__file__).resolve().parents[2]
TRACED = "import jax\n\n@jax.jit\ndef f(x):\n    if x > 0:\n        return x\n    return -x\n"


class Editor:
    """A client that keeps the last diagnostics of each document."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.client = LanguageClient("tests", "1")
        self.diagnostics: dict[str, list[lsp.Diagnostic]] = {}
        self.messages: list[str] = []
        self.news = asyncio.Event()

        @self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params: lsp.PublishDiagnosticsParams) -> None:
            self.diagnostics[params.uri] = list(params.diagnostics)
            self.news.set()

        @self.client.feature(lsp.WINDOW_SHOW_MESSAGE)
        def shown(params: lsp.ShowMessageParams) -> None:
            self.messages.append(params.message)
            self.news.set()

    async def start(self) -> None:
        env = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
        await self.client.start_io(sys.executable, "-m", "jaxlint", "server", env=env, cwd=str(self.folder))
        await self.client.initialize_async(
            lsp.InitializeParams(capabilities=lsp.ClientCapabilities(), root_uri=self.folder.as_uri())
        )
        self.client.initialized(lsp.InitializedParams())

    async def stop(self) -> None:
        await self.client.shutdown_async(None)
        self.client.exit(None)
        await self.client.stop()

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def open(self, name: str, text: str) -> str:
        item = lsp.TextDocumentItem(self.uri(name), "python", 1, text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        return item.uri

    def type(self, uri: str, text: str, version: int = 2) -> None:
        self.client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(
                lsp.VersionedTextDocumentIdentifier(version, uri),
                [lsp.TextDocumentContentChangeWholeDocument(text)],
            )
        )

    async def until(self, true: Callable[[], object]) -> None:
        """Wait until something holds."""
        while not true():
            self.news.clear()
            await asyncio.wait_for(self.news.wait(), 30)

    def codes(self, uri: str) -> list[tuple[Any, int]]:
        """Rule and row (from 0) of each diagnostic."""
        return [(each.code, each.range.start.line) for each in self.diagnostics.get(uri, [])]

    async def actions(self, uri: str, row: int, only: list[str] | None = None) -> dict[str, lsp.CodeAction]:
        at = lsp.Range(lsp.Position(row, 0), lsp.Position(row, 0))
        found = await self.client.text_document_code_action_async(
            lsp.CodeActionParams(lsp.TextDocumentIdentifier(uri), at, lsp.CodeActionContext([], only=only))
        )
        return {action.title: action for action in found or [] if isinstance(action, lsp.CodeAction)}

    async def hover(self, uri: str, row: int, character: int) -> str:
        found = await self.client.text_document_hover_async(
            lsp.HoverParams(lsp.TextDocumentIdentifier(uri), lsp.Position(row, character))
        )
        return found.contents.value if found is not None and isinstance(found.contents, lsp.MarkupContent) else ""


def applied(text: str, edits: list[Any]) -> str:
    """The text after an editor has made the edits (ASCII: units are characters)."""
    lines = text.split("\n")
    starts = [sum(len(line) + 1 for line in lines[:row]) for row in range(len(lines) + 1)]
    offset = lambda at: starts[at.line] + at.character  # noqa: E731
    for edit in sorted(edits, key=lambda edit: offset(edit.range.start), reverse=True):
        text = text[: offset(edit.range.start)] + edit.new_text + text[offset(edit.range.end) :]
    return text


@pytest.fixture
def session(tmp_path: Path) -> Callable[[Callable[[Editor], Awaitable[None]]], None]:
    """Runs a test's coroutine with an editor that is connected to a server."""

    def run(body: Callable[[Editor], Awaitable[None]]) -> None:
        async def connected() -> None:
            editor = Editor(tmp_path)
            await editor.start()
            try:
                await body(editor)
            finally:
                await editor.stop()

        asyncio.run(connected())

    return run


Session = Callable[[Callable[[Editor], Coroutine[Any, Any, None]]], None]


def test_diagnostics_follow_the_text(session: Session) -> None:
    async def body(editor: Editor) -> None:
        uri = editor.open("a.py", TRACED)
        await editor.until(lambda: editor.codes(uri))
        assert editor.codes(uri) == [("traced-branch", 4)]
        (shown,) = editor.diagnostics[uri]
        assert shown.severity == lsp.DiagnosticSeverity.Error and shown.source == "jaxlint"
        assert shown.related_information and shown.related_information[0].location.uri == uri
        editor.type(uri, TRACED.replace("@jax.jit\n", ""))
        await editor.until(lambda: not editor.codes(uri))
        editor.type(uri, "def f(:\n", 3)
        await editor.until(lambda: editor.codes(uri))
        assert editor.codes(uri) == [("syntax-error", 0)]
        editor.client.text_document_did_close(lsp.DidCloseTextDocumentParams(lsp.TextDocumentIdentifier(uri)))
        await editor.until(lambda: not editor.codes(uri))

    session(body)


def test_an_unsaved_module_counts_in_the_file_that_imports_it(session: Session, tmp_path: Path) -> None:
    (tmp_path / "lib.py").write_text("import jax\n\ndef compiled(f):\n    return f\n")
    text = "import lib\n\n@lib.compiled\ndef f(x):\n    if x > 0:\n        return x\n    return -x\n"

    async def body(editor: Editor) -> None:
        uri = editor.open("main.py", text)
        await editor.until(lambda: uri in editor.diagnostics)
        assert editor.codes(uri) == []
        lib = editor.open("lib.py", (tmp_path / "lib.py").read_text())
        editor.type(lib, "import jax\n\ndef compiled(f):\n    return jax.jit(f)\n")
        await editor.until(lambda: editor.codes(uri))
        assert editor.codes(uri) == [("traced-branch", 4)]

    session(body)


def test_columns_are_in_utf_16(session: Session) -> None:
    async def body(editor: Editor) -> None:
        text = 'import jax\n\n@jax.jit\ndef f(x):\n    s = "😀😀"; y = float(x); return y\n'
        uri = editor.open("a.py", text)
        await editor.until(lambda: editor.codes(uri))
        (shown,) = editor.diagnostics[uri]
        start = shown.range.start.character
        assert text.split("\n")[4].encode("utf-16-le")[2 * start :].decode("utf-16-le").startswith("float(x)")
        assert "tracer" in await editor.hover(uri, 4, start + len("float("))

    session(body)


FAULTY = "import jax.numpy as jnp\n\nx = jnp.zeros(3)\nx[0] = 1.0\n"


def test_fixes_and_ignore_here(session: Session) -> None:
    async def body(editor: Editor) -> None:
        uri = editor.open("a.py", FAULTY)
        await editor.until(lambda: editor.codes(uri))
        found = await editor.actions(uri, 3)
        assert len(found) == 3
        (fix,) = [action for action in found.values() if action.is_preferred]
        assert fix.edit is not None and fix.edit.changes is not None
        fixed = applied(FAULTY, list(fix.edit.changes[uri]))
        assert "x = x.at[0].set(1.0)" in fixed
        ignore = found["Ignore in-place-update here"]
        assert ignore.edit is not None and ignore.edit.changes is not None
        ignored = applied(FAULTY, list(ignore.edit.changes[uri]))
        assert "x[0] = 1.0  # jaxlint: ignore[in-place-update]" in ignored
        everything = await editor.actions(uri, 0, only=["source.fixAll"])
        (every,) = everything.values()
        assert every.edit is not None and every.edit.changes is not None
        assert applied(FAULTY, list(every.edit.changes[uri])) == fixed
        editor.type(uri, fixed)
        await editor.until(lambda: not editor.codes(uri))
        editor.type(uri, ignored, 3)
        assert await editor.actions(uri, 3) == {}  # waits for the check of what is there now

    session(body)


def test_hover_says_what_is_known_and_why(session: Session) -> None:
    async def body(editor: Editor) -> None:
        uri = editor.open("a.py", TRACED)
        text = await editor.hover(uri, 4, 7)
        assert text.startswith("`x`: ") and "a tracer of `jax.jit`" in text
        assert "\n- a.py:4:7  `x` is a traced argument of `f`" in text
        assert await editor.hover(uri, 1, 0) == ""
        broken = editor.open("b.py", "def f(:\n")
        assert await editor.hover(broken, 0, 4) == ""

    session(body)


def test_notebook_cells(session: Session, tmp_path: Path) -> None:
    texts = ["# Title", "import jax.numpy as jnp\nx = jnp.zeros(3)", "%matplotlib inline\nx[0] = 1.0\n"]
    kinds = [lsp.NotebookCellKind.Markup, lsp.NotebookCellKind.Code, lsp.NotebookCellKind.Code]

    async def body(editor: Editor) -> None:
        uris = [f"vscode-notebook-cell:{tmp_path}/nb.ipynb#{i}" for i in range(3)]
        cells = [lsp.NotebookCell(kind, uri) for kind, uri in zip(kinds, uris)]
        documents = [lsp.TextDocumentItem(uris[i], "python", 1, texts[i]) for i in (1, 2)]
        notebook = lsp.NotebookDocument(editor.uri("nb.ipynb"), "jupyter-notebook", 1, cells)
        editor.client.notebook_document_did_open(lsp.DidOpenNotebookDocumentParams(notebook, documents))
        await editor.until(lambda: editor.codes(uris[2]))
        assert editor.codes(uris[2]) == [("in-place-update", 1)] and editor.codes(uris[1]) == []
        found = await editor.actions(uris[2], 1)
        (fix,) = [action for action in found.values() if action.is_preferred]
        assert fix.edit is not None and fix.edit.changes is not None
        assert applied(texts[2], list(fix.edit.changes[uris[2]])) == "%matplotlib inline\nx = x.at[0].set(1.0)\n"
        assert "an array on the device" in await editor.hover(uris[2], 1, 0)
        change = lsp.NotebookDocumentCellContentChanges(
            lsp.VersionedTextDocumentIdentifier(2, uris[1]),
            [lsp.TextDocumentContentChangeWholeDocument("x = [1, 2, 3]")],
        )
        editor.client.notebook_document_did_change(
            lsp.DidChangeNotebookDocumentParams(
                lsp.VersionedNotebookDocumentIdentifier(2, notebook.uri),
                lsp.NotebookDocumentChangeEvent(cells=lsp.NotebookDocumentCellChanges(text_content=[change])),
            )
        )
        await editor.until(lambda: not editor.codes(uris[2]))

    session(body)


def test_configuration_counts_and_its_errors_are_shown(session: Session, tmp_path: Path) -> None:
    (tmp_path / "jaxlint.toml").write_text('ignore = ["traced-branch"]\nextend-exclude = ["gen"]')
    (tmp_path / "gen").mkdir()

    async def body(editor: Editor) -> None:
        for name in ("a.py", "gen/a.py"):
            uri = editor.open(name, TRACED)
            await editor.until(lambda uri=uri: uri in editor.diagnostics)
            assert editor.codes(uri) == []
        (tmp_path / "jaxlint.toml").write_text('ignor = ["traced-branch"]')
        editor.type(editor.uri("a.py"), TRACED + "\n")
        await editor.until(lambda: editor.messages)
        assert "unknown key `ignor`" in editor.messages[0]
        (tmp_path / "jaxlint.toml").write_text("")
        editor.client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams([]))
        await editor.until(lambda: editor.codes(editor.uri("a.py")))

    session(body)


def test_without_pygls_one_line_says_what_to_install(tmp_path: Path) -> None:
    code = "import sys; sys.modules['pygls'] = None; from jaxlint.cli import main; sys.exit(main(['server']))"
    env = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, env=env)
    assert done.returncode == 2
    assert done.stderr == 'jaxlint: error: the language server needs pygls: pip install "jaxlint-gpu[lsp]"\n'

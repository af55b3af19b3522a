"""How long an editor waits: from a change of a file to its diagnostics, through the language server.

    python -m benchmarks.editor_latency FILE.py [--edits 20]

Types a comment at the end of the file, again and again, with a pause after each, and prints the milliseconds until
the diagnostics come. They include the server's own pause (`jaxlint.server.app.PAUSE`). On Linux also the server's own
time on the processor for each edit, which is what is left of the rest where nothing else runs.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import sys
import time
from pathlib import Path

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

from jaxlint.server.app import PAUSE


def processor_time(pid: int) -> float | None:
    """Milliseconds that a process has run; None where the system does not say."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


async def measure(path: Path, edits: int) -> tuple[list[float], float | None]:
    """Milliseconds from each change to the diagnostics of its version, and of the processor for one edit."""
    client = LanguageClient("benchmark", "1")
    versions: asyncio.Queue[int | None] = asyncio.Queue()

    @client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    def published(params: lsp.PublishDiagnosticsParams) -> None:
        versions.put_nowait(params.version)

    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    await client.start_io(sys.executable, "-m", "jaxlint", "server", env=env)
    await client.initialize_async(
        lsp.InitializeParams(capabilities=lsp.ClientCapabilities(), root_uri=path.parent.as_uri())
    )
    client.initialized(lsp.InitializedParams())
    text, uri = path.read_text(encoding="utf-8"), path.as_uri()
    item = lsp.TextDocumentItem(uri, "python", 0, text)
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
    await versions.get()
    pid = client._server.pid if client._server is not None else 0
    before = processor_time(pid)
    taken: list[float] = []
    for version in range(1, edits + 1):
        change = lsp.TextDocumentContentChangeWholeDocument(f"{text}# {version}\n")
        began = time.perf_counter()
        client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(lsp.VersionedTextDocumentIdentifier(version, uri), [change])
        )
        while await versions.get() != version:
            pass
        taken.append((time.perf_counter() - began) * 1000)
        await asyncio.sleep(0.2)
    after = processor_time(pid)
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()
    return taken, (after - before) / edits if before is not None and after is not None else None


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--edits", type=int, default=20)
    options = parser.parse_args()
    path = options.file.resolve()
    unsorted, processor = asyncio.run(measure(path, options.edits))
    taken = sorted(unsorted)
    rows = len(path.read_text(encoding="utf-8").split("\n"))
    print(
        f"{path.name}: {rows} lines; median {statistics.median(taken):.0f} ms, least {taken[0]:.0f} ms, "
        f"most {taken[-1]:.0f} ms of {len(taken)} edits (of it {PAUSE * 1000:.0f} ms pause)"
        + (f"; {processor:.0f} ms on the processor" if processor is not None else "")
    )


if __name__ == "__main__":
    main()

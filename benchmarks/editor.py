"""How long an editor waits: the language server's first findings, those after an edit, and `graphbus watch` on a save.

A real client speaks to a real server over its standard input and output. The project has 100 files (or FILES), once
with agents and once plain. Each wait is told beside the processor time that the server used in it: on a busy machine
the first says how busy it was. Medians of EDITS edits. Goals: 1 s, 0.2 s, 0.5 s of processor time; exit 1 beyond.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from lsprotocol import types as lsp
from pytest_lsp import ClientServerConfig, client_capabilities

FILES, EDITS = int(os.environ.get("FILES", "100")), int(os.environ.get("EDITS", "9"))
GOALS_S = {"first findings": 1.0, "after an edit": 0.2, "watch, a save": 0.5}
WAIT_S = 120.0
AGENT = '''"""Part {i}."""
from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Item{i}(TypedDict):
    sku: str
    qty: int


class Node{i}(GraphBusNode):
    """Does part {i}."""

    @depends_on("Node{before}.give")
    @schema_method
    def take(self, sku: str, qty: int) -> bool:
        total = 0
        for number in range(qty):
            total += number * {i}
        return bool(total)

    @schema_method
    def give(self, sku: str) -> Item{i}:
        found = {{"sku": sku, "qty": len(sku) + {i}}}
        return found
'''
PLAIN = '''"""Part {i}."""
from shop.part{before} import Part{before}


class Part{i}:
    """Does part {i}."""

    def give(self, sku: str):
        found = {{"sku": sku, "qty": len(sku) + {i}}}
        return found

    def take(self, sku: str, qty: int) -> bool:
        before = Part{before}().give(sku)
        return before["qty"] > qty
'''


def written(root: Path, text: str) -> Path:
    """The project; returns a file of it whose `qty` others read."""
    (root / "shop").mkdir()
    (root / "pyproject.toml").touch()
    (root / "shop" / "__init__.py").touch()
    for i in range(FILES):
        (root / "shop" / f"part{i}.py").write_text(text.format(i=i, before=(i - 1) % FILES))
    return root / "shop" / "part5.py"


def used_s(pid: int) -> float:
    """Processor time of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def served(root: Path, file: Path) -> dict[str, tuple[float, float]]:
    """The waits of one editor: what -> (seconds, processor seconds of the server)."""
    client = await ClientServerConfig([sys.executable, "-m", "graphbus_core.cli.main", "lsp"]).start()
    pid = client._server.pid
    try:
        params = lsp.InitializeParams(capabilities=client_capabilities("visual-studio-code"), root_uri=root.as_uri())
        client.capabilities = params.capabilities
        await asyncio.wait_for(client.initialize_async(params), WAIT_S)
        began, used = time.perf_counter(), used_s(pid)
        client.initialized(lsp.InitializedParams())
        await until(lambda: len(client.log_messages) > 0)
        told = {"first findings": (time.perf_counter() - began, used_s(pid) - used)}
        text = file.read_text()
        client.text_document_did_open(
            lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(file.as_uri(), "python", 1, text))
        )
        await until(lambda: len(client.log_messages) > 1)
        waits = []
        for number in range(EDITS):
            now = text.replace("qty", "count") if number % 2 == 0 else text
            seen = len(client.log_messages)
            began, used = time.perf_counter(), used_s(pid)
            change = lsp.TextDocumentContentChangeWholeDocument(now)
            document = lsp.VersionedTextDocumentIdentifier(number + 2, file.as_uri())
            client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, [change]))
            await until(lambda seen=seen: len(client.log_messages) > seen)
            waits.append((time.perf_counter() - began, used_s(pid) - used))
            found = any(client.diagnostics.values())
            assert found == (number % 2 == 0), "the edit's finding came, or went"
        told["after an edit"] = middle(waits)
        await asyncio.wait_for(client.shutdown_session(), WAIT_S)
        return told
    finally:
        if client._server.returncode is None:
            client._server.kill()
        await asyncio.wait_for(client.stop(), WAIT_S)


async def until(holds: object) -> None:
    async with asyncio.timeout(WAIT_S):
        while not holds():  # type: ignore[operator]
            await asyncio.sleep(0.001)


def middle(waits: list[tuple[float, float]]) -> tuple[float, float]:
    return statistics.median(w for w, _ in waits), statistics.median(u for _, u in waits)


def watched(root: Path, file: Path) -> tuple[float, float]:
    """From a save to what `graphbus watch` prints of it."""
    command = [sys.executable, "-u", "-m", "graphbus_core.cli.main", "watch", str(root)]
    watch = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"})
    assert watch.stdout is not None
    try:
        looked(watch)
        text, waits = file.read_text(), []
        for number in range(EDITS):
            began, used = time.perf_counter(), used_s(watch.pid)
            file.write_text(text.replace("qty", "count") if number % 2 == 0 else text)
            looked(watch)
            waits.append((time.perf_counter() - began, used_s(watch.pid) - used))
        return middle(waits)
    finally:
        watch.kill()
        watch.wait(30)


def looked(watch: subprocess.Popen[str]) -> None:
    """Until the line that ends a look."""
    assert watch.stdout is not None
    while not (line := watch.stdout.readline()).endswith(" s)\n"):
        assert line, "watch ended"


def main() -> int:
    missed = 0
    print(f"{FILES} files; seconds waited, and processor seconds of the server in them\n")
    print(f"{'':<8}{'':<16}{'waited':>8}{'processor':>11}{'goal':>7}")
    for name, text in (("agents", AGENT), ("plain", PLAIN)):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder).resolve()
            file = written(root, text)
            told = asyncio.run(served(root, file))
            told["watch, a save"] = watched(root, file)
        for what, (waited, used) in told.items():
            missed += used > GOALS_S[what]
            print(f"{name:<8}{what:<16}{waited:>8.2f}{used:>11.2f}{GOALS_S[what]:>7.1f}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())

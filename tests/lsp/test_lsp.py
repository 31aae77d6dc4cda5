"""The language server, asked by a real client over its standard input and output."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

from graphbus_core.lsp import server as terms
from graphbus_core.testing import write_files
from tests import forking

WAIT_S = 60.0
NODES = """from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Order(TypedDict):
    sku: str
    quantity: int


class Cart(GraphBusNode):
    @schema_method
    def order(self, sku: str) -> Order:
        return {"sku": sku, "quantity": 1}


class Billing(GraphBusNode):
    @depends_on("Cart.order")
    @schema_method
    def bill(self, sku: str, qty: int) -> bool:
        return qty > 0
"""
PLAIN = """class Cart:
    def order(self, sku: str):
        return {"sku": sku, "qty": 1}


def main():
    found = Cart().order("x")
    return found["qty"]
"""


class Editor:
    """One client with a server, and what was said to it so far."""

    def __init__(self, client: LanguageClient, root: Path) -> None:
        self.client, self.root = client, root

    def uri(self, file: str) -> str:
        return (self.root / file).as_uri()

    def open(self, file: str) -> None:
        text = (self.root / file).read_text(encoding="utf-8")
        document = lsp.TextDocumentItem(self.uri(file), "python", 1, text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(document))

    def type(self, file: str, text: str, version: int = 2) -> None:
        whole = lsp.TextDocumentContentChangeWholeDocument(text)
        document = lsp.VersionedTextDocumentIdentifier(version, self.uri(file))
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, [whole]))

    async def looked(self) -> None:
        """The server has looked once more: it logs how much it found."""
        seen = len(self.client.log_messages)
        await self._until(lambda: len(self.client.log_messages) > seen)

    async def _until(self, holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(WAIT_S):
            while not holds():
                await asyncio.sleep(0.01)

    def codes(self, file: str) -> list[str]:
        return [str(one.code) for one in self.client.diagnostics.get(self.uri(file), ())]

    def at(self, file: str, line: int, column: int) -> dict[str, Any]:
        document = lsp.TextDocumentIdentifier(self.uri(file))
        return {"text_document": document, "position": lsp.Position(line - 1, column)}


@asynccontextmanager
async def editor(root: Path) -> AsyncIterator[Editor]:
    """A server of its own, that is gone afterwards, whatever happens."""
    config = ClientServerConfig(server_command=[sys.executable, "-m", "graphbus_core.cli.main", "lsp"])
    with forking.forked_by_asyncio():
        client = await config.start()
    assert isinstance(client, LanguageClient)
    one = Editor(client, root)
    try:
        async with asyncio.timeout(WAIT_S):
            params = lsp.InitializeParams(
                capabilities=client_capabilities("visual-studio-code"), root_uri=root.as_uri()
            )
            await client.initialize_session(params)
            await one._until(lambda: bool(client.log_messages))
        yield one
        async with asyncio.timeout(WAIT_S):
            await client.shutdown_session()
    finally:
        server = client._server
        if server is not None and server.returncode is None:
            server.kill()
        async with asyncio.timeout(WAIT_S):
            await client.stop()


def run(root: Path, talk: Callable[[Editor], Awaitable[None]]) -> None:
    """One talk with one server, bounded."""

    async def whole() -> None:
        async with editor(root) as one:
            await talk(one)

    asyncio.run(asyncio.wait_for(whole(), 100))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write_files(tmp_path, {"pyproject.toml": "", "shop/__init__.py": "", "shop/nodes.py": NODES})
    return tmp_path


def test_a_finding_stands_at_its_line_with_its_payload(project: Path) -> None:
    async def talk(editor: Editor) -> None:
        (one,) = editor.client.diagnostics[editor.uri("shop/nodes.py")]
        assert (one.code, one.source, one.severity) == ("GB101", "graphbus", lsp.DiagnosticSeverity.Error)
        assert 'payload: {"sku": "", "quantity": 0}' in one.message
        assert NODES.splitlines()[one.range.start.line].strip().startswith("def bill")
        assert one.related_information is not None
        assert one.related_information[0].location.range.start.line == NODES.splitlines().index(
            "    def order(self, sku: str) -> Order:"
        )
        assert one.code_description is not None

    run(project, talk)


def test_what_is_typed_counts_before_it_is_saved(project: Path) -> None:
    async def talk(editor: Editor) -> None:
        editor.open("shop/nodes.py")
        await editor.looked()
        editor.type("shop/nodes.py", NODES.replace("quantity", "qty"))
        await editor.looked()
        assert editor.codes("shop/nodes.py") == []
        editor.type("shop/nodes.py", NODES + "def (", 3)  # half a line: everything stays as it was
        await editor.looked()
        assert editor.codes("shop/nodes.py") == []
        document = lsp.TextDocumentIdentifier(editor.uri("shop/nodes.py"))
        editor.client.text_document_did_close(lsp.DidCloseTextDocumentParams(document))
        await editor.looked()
        assert editor.codes("shop/nodes.py") == ["GB101"]  # what lies on the disk

    run(project, talk)


def test_hover_tells_the_contract_its_links_and_why_a_field_is_there(project: Path) -> None:
    async def talk(editor: Editor) -> None:
        lines = NODES.splitlines()
        line = next(n for n, text in enumerate(lines, 1) if "def bill" in text)
        on_name = await editor.client.text_document_hover_async(
            lsp.HoverParams(**editor.at("shop/nodes.py", line, lines[line - 1].index("bill") + 1))
        )
        assert on_name is not None
        assert 'takes `{"sku": str, "qty": int}`' in on_name.contents.value
        assert "fed by `Cart.order` (shop/nodes.py:13) ✗ does not fit" in on_name.contents.value
        on_field = await editor.client.text_document_hover_async(
            lsp.HoverParams(**editor.at("shop/nodes.py", line, lines[line - 1].index("qty") + 1))
        )
        assert on_field is not None
        assert "comes from `Cart.order` (shop/nodes.py:13), which has no such field" in on_field.contents.value
        nothing = await editor.client.text_document_hover_async(lsp.HoverParams(**editor.at("shop/nodes.py", 1, 2)))
        assert nothing is None

    run(project, talk)


def test_from_a_consumer_to_its_producer_and_back(project: Path) -> None:
    async def talk(editor: Editor) -> None:
        lines = NODES.splitlines()
        bill = next(n for n, text in enumerate(lines, 1) if "def bill" in text)
        order = next(n for n, text in enumerate(lines, 1) if "def order" in text)
        to = await editor.client.text_document_definition_async(
            lsp.DefinitionParams(**editor.at("shop/nodes.py", bill, 10))
        )
        assert [one.range.start.line for one in to] == [order - 1]
        context = lsp.ReferenceContext(include_declaration=False)
        back = await editor.client.text_document_references_async(
            lsp.ReferenceParams(context=context, **editor.at("shop/nodes.py", order, 10))
        )
        assert [one.range.start.line for one in back] == [bill - 1]

    run(project, talk)


def test_a_quick_fix_is_the_rules_proposal_and_mends_it(project: Path) -> None:
    async def talk(editor: Editor) -> None:
        shown = editor.client.diagnostics[editor.uri("shop/nodes.py")]
        found = await editor.client.text_document_code_action_async(
            lsp.CodeActionParams(
                lsp.TextDocumentIdentifier(editor.uri("shop/nodes.py")),
                shown[0].range,
                lsp.CodeActionContext(diagnostics=list(shown)),
            )
        )
        titles = [one.title for one in found]
        assert titles == ["GraphBus: 'qty' becomes 'quantity', which Cart.order sends"]
        assert found[0].is_preferred is False  # names alone prove nothing: a person chooses
        changes = found[0].edit.changes[editor.uri("shop/nodes.py")]
        (project / "shop/nodes.py").write_text(_applied(NODES, changes))
        editor.client.text_document_did_save(
            lsp.DidSaveTextDocumentParams(lsp.TextDocumentIdentifier(editor.uri("shop/nodes.py")))
        )
        await editor.looked()
        assert editor.codes("shop/nodes.py") == []
        assert "def bill(self, sku: str, quantity: int) -> bool:" in (project / "shop/nodes.py").read_text()

    run(project, talk)


def test_a_project_without_agents_is_read_as_it_is(tmp_path: Path) -> None:
    write_files(tmp_path, {"pyproject.toml": "", "shop.py": PLAIN})

    async def talk(editor: Editor) -> None:
        editor.open("shop.py")
        await editor.looked()
        assert editor.codes("shop.py") == []
        editor.type("shop.py", PLAIN.replace('"qty": 1', '"count": 1'))
        await editor.looked()
        assert editor.codes("shop.py") == ["GB501"]
        told = await editor.client.text_document_hover_async(lsp.HoverParams(**editor.at("shop.py", 2, 9)))
        assert told is not None
        assert "Cart.order" in told.contents.value

    run(tmp_path, talk)


def _applied(text: str, changes: Any) -> str:
    lines = text.splitlines(keepends=True)
    for one in sorted(changes, key=lambda c: -c.range.start.line):
        lines[one.range.start.line : one.range.end.line] = one.new_text.splitlines(keepends=True)
    return "".join(lines)


def test_columns_count_as_the_protocol_counts_them() -> None:
    """Beyond the first plane a character is two units."""
    assert terms.count_units("a😀é") == 4
    assert [terms.find_column("a😀é", at) for at in (0, 1, 3, 4, 9)] == [0, 1, 2, 3, 3]
    (one,) = terms.build_edits(b"a\nb\nc\n", b"a\nB\nc\n")
    assert (one.range.start.line, one.range.end.line, one.new_text) == (1, 2, "B\n")

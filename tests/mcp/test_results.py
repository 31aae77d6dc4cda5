"""What a client is given: results by their schemas, refusals as errors, and what its seat alone can read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import jsonschema
import pytest

pytest.importorskip("mcp")
from mcp import Client
from mcp.shared.exceptions import MCPError

from graphbus_core.mcp.server import Resources, build_server
from graphbus_core.mcp.tools import NegotiationTools
from graphbus_core.negotiation.document.model import Settings
from graphbus_core.negotiation.document.text.pages import split_pages
from graphbus_core.sessions.document.directory import NegotiationDirectory
from tests.mcp.hosts import Host, played

both = pytest.mark.parametrize("transport", ["stdio", "http"])
LONG = "\n".join(f"Line {n} of a plan says that shelf {n} is swept." for n in range(1_200))


def run(folder: Path, game: Callable[[Any], Coroutine[Any, Any, Any]], shared: bool = False) -> Any:
    """Play with a client of the SDK in this process."""

    async def play() -> Any:
        talk = NegotiationTools(folder / ".graphbus", shared, (folder,) if shared else ())
        async with Client(build_server(talk, Resources.from_tools(talk))) as client:
            return await game(client)

    return asyncio.run(play())


def test_every_tool_says_what_it_takes_and_gives(tmp_path: Path) -> None:
    """Each parameter and each field of a result has its words; what acts does not say that it only reads."""

    async def game(client: Any) -> Any:
        return (await client.list_tools()).tools, (await client.list_resources()).resources

    tools, resources = run(tmp_path, game)
    assert all(r.title and r.description for r in resources)
    for tool in tools:
        fields = tool.output_schema["properties"]
        assert tool.title
        assert fields
        assert [k for k, v in {**fields, **tool.input_schema["properties"]}.items() if "description" not in v] == []
        jsonschema.Draft202012Validator.check_schema(tool.output_schema)
        jsonschema.validate({"error": "A refusal is read by the same schema."}, tool.output_schema)
    hints = {tool.name: tool.annotations for tool in tools}
    assert {n for n, h in hints.items() if h.read_only_hint} == {"read_page", "check_contract", "try_change"}
    assert [n for n, h in hints.items() if h.destructive_hint] == ["land"]  # it runs a command that its caller names


@both
def test_a_refused_join_is_an_error_with_every_reason(transport: str, tmp_path: Path) -> None:
    """In a folder without a single agent, over both transports."""

    async def game(at: Host) -> Any:
        async with at.client() as client:
            wrong = {"where": str(tmp_path / "palns"), "seat": "Bad_Name", "agents": 999}
            refused = await client.session.call_tool("join", wrong)
            joined = await client("join", where=str(tmp_path / "plans"), seat="ann", topic="A plan", source="Sweep.")
            late = await client.session.call_tool("my_answer", {"id": "x", "answer": {}, "ticket": client.ticket})
            return refused, joined, late

    refused, joined, late = played(tmp_path, transport, game, agents=False)
    assert refused.is_error
    for reason in ("no negotiation in", "'Bad_Name' is not", "not 999"):
        assert reason in refused.content[0].text
    assert (joined["seat"], late.is_error) == ("ann", True)
    assert late.structured_content == {"taken": False, "why": late.content[0].text}
    assert not (tmp_path / "palns").exists()


def test_a_source_that_is_too_long_is_refused_before_anything_is_opened(tmp_path: Path) -> None:
    """As a command refuses it; over MCP nobody looked."""

    async def game(client: Any) -> Any:
        return await client.call_tool(
            "join", {"where": str(tmp_path / "plans"), "topic": "A plan", "source": "x" * 3_000_000}
        )

    refused = run(tmp_path, game)
    assert refused.is_error
    assert "3,000,000 characters" in refused.content[0].text
    assert not (tmp_path / "plans").exists()


def open_table(folder: Path) -> Path:
    """A table of two, with a long source, waiting for its second agent."""
    where = NegotiationDirectory(folder / "plans")
    where.init(Settings())
    where.add_issue("shelves")
    (where.root / "topic.md").write_text("# Topic\n\nSweeping.\n")
    (where.root / "sources" / "long plan.md").write_text(LONG)
    where.register("agent-beta")
    return where.root


def test_a_long_source_comes_by_pages(tmp_path: Path) -> None:
    """The first with the question, each other by its number; together they are the source."""
    root = open_table(tmp_path)

    async def game(client: Any) -> Any:
        await client.call_tool("join", {"where": str(root), "seat": "agent-alpha"})
        where = NegotiationDirectory(root)
        where.write("agent-beta", "1", "Sweep them.")
        where.hand_off("agent-beta")
        asked = (await client.call_tool("what_am_i_asked", {"wait_s": 5})).structured_content
        count = len(split_pages(LONG))
        pages = [
            await client.call_tool("read_page", {"name": "sources/long plan", "page": n + 1}) for n in range(count + 1)
        ]
        return asked, pages

    asked, pages = run(tmp_path, game)
    assert "# Page 1 of 3 of source long plan. The next: read_page" in asked["new"]
    assert len(asked["new"]) < 25_000
    assert "".join(page.structured_content["text"] for page in pages[:-1]) == LONG
    assert pages[-1].is_error


@pytest.mark.parametrize("shared", [False, True])
def test_a_seat_reads_its_own(shared: bool, tmp_path: Path) -> None:
    """By the addresses that join gave; over HTTP nobody reads with another's ticket, nor without one."""
    root = open_table(tmp_path)

    async def game(client: Any) -> Any:
        joined = (await client.call_tool("join", {"where": str(root), "seat": "agent-alpha"})).structured_content
        found: dict[str, str] = {}
        for name, address in joined["resources"].items():
            found[name] = (await client.read_resource(address)).contents[0].text
        wrong = joined["resources"]["topic"].replace("seats/", "seats/x")
        for name, address in {"wrong": wrong, "any": "graphbus://topic"}.items():
            try:
                found[name] = (await client.read_resource(address)).contents[0].text
            except MCPError as e:
                found[name] = str(e)
        return found

    found = run(tmp_path, game, shared)
    assert "Sweeping." in found["topic"]
    assert "01-shelves" in found["issues"]
    assert found["sources/long plan"].startswith("(page 1 of 3)\nLine 0 of")
    assert "call join" in found["wrong"]
    assert ("each seat reads its own" in found["any"]) is shared

"""A real MCP client, over stdio, plays negotiations to their end (issue 19, part 4)."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.document import NegotiationDirectory
from graphbus_core.negotiation.core import Ask, View
from graphbus_core.negotiation.document.said.vocabulary import Settings
from graphbus_core.participants.people.lasting import LastingDesk, LastingParticipant

pytest.importorskip("mcp")
PATIENCE_S = 120


@asynccontextmanager
async def client(project: Path, *args: str) -> AsyncIterator[Any]:
    """The SDK's client, with a server of ours in a process of its own."""
    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client

    env = {**os.environ, "XDG_STATE_HOME": str(project / "state")}
    command = ["-m", "graphbus_core.cli.main", "mcp", "--project", str(project), *args]
    async with Client(stdio_client(StdioServerParameters(command=sys.executable, args=command, env=env))) as session:
        yield session


async def call(session: Any, tool: str, **arguments: Any) -> dict[str, Any]:
    """What a tool gives back."""
    result = await session.call_tool(tool, arguments)
    found = result.structured_content or json.loads(result.content[0].text)
    return dict(found)


async def play(session: Any, words: Mapping[str, str], turns: int = 60) -> str:
    """Answer until it is over: offer what `words` has on an issue, else accept the newest offer of another."""
    for _ in range(turns):
        asked = await call(session, "what_am_i_asked", wait_s=10)
        if "over" in asked:
            return str(asked["over"])
        if "waiting" in asked:
            continue
        offers = [line.split("[")[1].split("]")[0] for line in asked["new"].splitlines() if "offers [" in line]
        issues = [line[2:].split(":")[0] for line in asked["new"].splitlines() if line.startswith("# 0")]
        body = {"accepts": [{"issue": i, "hash": h} for i, h in zip(issues, offers, strict=False)]}
        if not offers:
            body = {"offers": [{"issue": i, "text": words.get(i, "Keep it plain.")} for i in issues]}
        said = await call(session, "my_answer", id=asked["id"], answer=body)
        assert said["taken"], said
    return "too many turns"


def test_two_clients_negotiate_a_document_and_one_is_started_again(tmp_path: Path) -> None:
    """Two stdio servers are two processes and meet in the directory; the seat outlives its server."""
    root = tmp_path / "plans"
    where = NegotiationDirectory(root)
    where.init(Settings(2))
    where.new_issue("backups")

    async def negotiate() -> tuple[str, str]:
        async with client(tmp_path) as alpha, client(tmp_path) as beta:
            a = await call(alpha, "join", where=str(root), seat="agent-alpha", topic="One plan", source="Keep 90 days.")
            b = await call(beta, "join", where=str(root), seat="agent-beta")
            assert (a["seat"], b["seat"]) == ("agent-alpha", "agent-beta")
            asked = await call(alpha, "what_am_i_asked", wait_s=5)
            wrong = await call(alpha, "my_answer", id=asked["id"], answer={"offers": [{"issue": "9", "text": "x"}]})
            assert "no one issue" in wrong["why"]
            offer = {"offers": [{"issue": "1", "text": "Keep backups 30 days."}]}
            assert (await call(alpha, "my_answer", id=asked["id"], answer=offer))["taken"]
            again = await call(alpha, "my_answer", id=asked["id"], answer=offer)
            assert not again["taken"]
            fits = await call(alpha, "check_contract", a={"type": "integer"}, b={"type": "string"})
            assert (fits["compatible"], "counterexample" in fits) == (False, True)
        async with client(tmp_path) as alpha, client(tmp_path) as beta:  # both were killed
            assert (await call(alpha, "join", where=str(root), seat="agent-alpha"))["resumed"]
            assert (await call(beta, "join", where=str(root), seat="agent-beta"))["resumed"]
            return tuple(await asyncio.gather(play(alpha, {}), play(beta, {})))  # type: ignore[return-value]

    ends = asyncio.run(asyncio.wait_for(negotiate(), PATIENCE_S))
    assert all("finished" in end for end in ends)
    assert "Keep backups 30 days." in (root / "final.md").read_text()
    assert set(where.look().tokens) == {"agent-alpha", "agent-beta"}


def test_a_question_on_the_desk_outlives_whoever_asked_it(tmp_path: Path) -> None:
    """Asked again after a kill it finds the answer; of two answers the first stands."""
    desk = LastingDesk(tmp_path / "desk")
    seat = LastingParticipant(desk, "build")
    ask = Ask("propose-Cleaner-1", "Cleaner", "propose", {"instructions": "Say.", "answer": {"type": "object"}})

    async def ask_it(seconds: float) -> Any:
        return await asyncio.wait_for(seat.answer(ask, View((), ())), seconds)

    with pytest.raises(TimeoutError):
        asyncio.run(ask_it(0.5))
    laid = desk.open("Cleaner")[0]
    assert (laid.id, laid.kind, laid.ask.id) == ("build/propose-Cleaner-1", "propose", ask.id)
    assert desk.answer(laid.id, {"proposals": []})
    assert not desk.answer(laid.id, {"proposals": [1]})
    assert asyncio.run(ask_it(5)).body == {"proposals": []}
    assert desk.open() == []


def test_a_coding_agent_speaks_for_a_component_in_a_build(tmp_path: Path) -> None:
    """Three processes: a build, a server, and nothing between them but the desk."""
    agents = tmp_path / "agents"
    agents.mkdir()
    (agents / "nodes.py").write_text(
        "from graphbus_core import GraphBusNode, schema_method\n\n\n"
        "class Cleaner(GraphBusNode):\n"
        '    @schema_method(input_schema={"text": str}, output_schema={"text": str})\n'
        "    def clean(self, text):\n"
        '        return {"text": text.strip()}\n'
    )

    async def build() -> str:
        command = [sys.executable, "-m", "graphbus_core.cli.main", "build", "agents", "--enable-agents"]
        done = await asyncio.create_subprocess_exec(
            *command,
            "--seat",
            "Cleaner=mcp",
            cwd=tmp_path,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        asked = []
        async with client(tmp_path, "--join", "build", "--seat", "Cleaner") as session:
            while done.returncode is None and len(asked) < 10:
                found = await call(session, "what_am_i_asked", wait_s=3)
                if "id" in found:
                    asked.append(found)
                    bad = await call(session, "my_answer", id=found["id"], answer={"proposals": "none"})
                    assert not bad["taken"]
                    assert (await call(session, "my_answer", id=found["id"], answer={"proposals": []}))["taken"]
                await asyncio.sleep(0.1)
        out = (await done.communicate())[0].decode()
        assert done.returncode == 0, out
        assert asked, out
        assert "instructions" in asked[0]
        return out

    asyncio.run(asyncio.wait_for(build(), PATIENCE_S))

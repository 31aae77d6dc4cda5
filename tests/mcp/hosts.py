"""Real clients of the SDK and the servers that they talk to: a process of its own each, or one over HTTP for all."""

from __future__ import annotations

import json
import os
import sys
from asyncio import create_subprocess_exec, subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

TOKEN = "a token of the test's own"[2:].replace(" ", "-").replace("'", "")
MAIN = [sys.executable, "-m", "graphbus_core.cli.main"]
NODE = """\
from graphbus_core import GraphBusNode, schema_method


class Cleaner(GraphBusNode):
    @schema_method(input_schema={"text": str}, output_schema={"text": str})
    def clean(self, text):
        return {"text": text.strip()}
"""


def project(folder: Path) -> Path:
    """A project of one agent."""
    (folder / "agents").mkdir(exist_ok=True)
    (folder / "agents" / "nodes.py").write_text(NODE)
    return folder


def environment(folder: Path) -> dict[str, str]:
    """No key, no session of whoever runs the tests, and a state folder of its own."""
    kept = {k: v for k, v in os.environ.items() if not k.endswith(("_API_KEY", "SESSION_ID", "THREAD_ID"))}
    return {**kept, "XDG_STATE_HOME": str(folder / "state"), "GRAPHBUS_TOKEN": TOKEN}


class Client:
    """One client; what `join` gave it as a ticket goes with each call."""

    def __init__(self, session: Any) -> None:
        self.session = session
        self.ticket = ""

    async def __call__(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """What a tool gives back."""
        if self.ticket and tool not in ("check_contract", "try_change"):
            arguments["ticket"] = self.ticket
        result = await self.session.call_tool(tool, arguments)
        found = dict(result.structured_content or json.loads(result.content[0].text))
        self.ticket = str(found.get("ticket", self.ticket))
        return found

    async def read(self, name: str) -> str:
        """A resource."""
        found = await self.session.read_resource(f"graphbus://{name}")
        return str(found.contents[0].text)


class Host:
    """Servers over one project. Killed, they are started again where the next client connects."""

    def __init__(self, folder: Path, transport: str) -> None:
        self.folder = folder
        self.transport = transport
        self._server: subprocess.Process | None = None
        self._url = ""

    @asynccontextmanager
    async def client(self, asked: Callable[..., Any] | None = None, mode: str = "auto") -> AsyncIterator[Client]:
        """A client, connected. `asked` is called where the server asks its user."""
        from mcp import Client as Sdk
        from mcp import StdioServerParameters
        from mcp.client.stdio import stdio_client

        more: dict[str, Any] = {"elicitation_callback": asked, "mode": mode}
        async with AsyncExitStack() as stack:
            if self.transport == "stdio":
                args = [*MAIN[1:], "mcp", "--project", str(self.folder)]
                parameters = StdioServerParameters(command=MAIN[0], args=args, env=environment(self.folder))
                transport: Any = stdio_client(parameters)
            else:
                import httpx2
                from mcp.client.streamable_http import streamable_http_client

                headers = {"Authorization": f"Bearer {TOKEN}"}
                http = await stack.enter_async_context(httpx2.AsyncClient(headers=headers, timeout=60))
                transport = streamable_http_client(f"{await self._serving()}mcp", http_client=http)
            yield Client(await stack.enter_async_context(Sdk(transport, **more)))

    async def _serving(self) -> str:
        if self._server is None:
            self._server = await create_subprocess_exec(
                *MAIN, "serve", "agents", "--port", "0", "--json",
                cwd=self.folder, env=environment(self.folder), stdout=subprocess.PIPE,
            )  # fmt: skip
            assert self._server.stdout is not None
            self._url = str(json.loads(await self._server.stdout.readline())["url"])
        return self._url

    async def kill(self) -> None:
        """End the server of all, at once."""
        if self._server is not None:
            self._server.kill()
            await self._server.wait()
            self._server = None


@asynccontextmanager
async def host(folder: Path, transport: str) -> AsyncIterator[Host]:
    """A host, and nothing of it left behind."""
    made = Host(project(folder), transport)
    try:
        yield made
    finally:
        await made.kill()


async def command(folder: Path, *arguments: str) -> subprocess.Process:
    """A command of ours, running."""
    return await create_subprocess_exec(
        *MAIN, *arguments, cwd=folder, env=environment(folder), stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )

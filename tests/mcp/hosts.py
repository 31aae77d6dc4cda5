"""Real clients of the SDK and the servers that they talk to: a process of its own each, or one over HTTP for all."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from asyncio import create_subprocess_exec, subprocess
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from tests import forking

TOKEN = "a token of the test's own"[2:].replace(" ", "-").replace("'", "")
MAIN = [sys.executable, "-m", "graphbus_core.cli.main"]
PATIENCE_S = 280  # for a game, against a hang; the lowest priority on a busy machine takes 150
ENDING_S = 30  # for anything that was killed, or was told to end
T = TypeVar("T")
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

    def __init__(self, folder: Path, transport: str, served: str = "agents") -> None:
        self.folder = folder
        self.served = served
        self.transport = transport
        self._server: subprocess.Process | None = None
        self._url = ""
        self._started: list[subprocess.Process] = []
        self.forked: list[forking.Popen] = []  # all processes, also those that the SDK starts

    @asynccontextmanager
    async def client(self, asked: Callable[..., Any] | None = None, mode: str = "auto") -> AsyncIterator[Client]:
        """A client, connected. `asked` is called where the server asks its user."""
        from mcp import Client as Sdk, StdioServerParameters
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
                *MAIN, "serve", self.served, "--port", "0", "--json",
                cwd=self.folder, env=environment(self.folder), stdout=subprocess.PIPE,
            )  # fmt: skip
            self._started.append(self._server)
            assert self._server.stdout is not None
            self._url = str(json.loads(await self._server.stdout.readline())["url"])
        return self._url

    async def command(self, *arguments: str) -> subprocess.Process:
        """A command of ours in the project's folder, running. It ends with the host, whatever the test does."""
        started = await create_subprocess_exec(
            *MAIN, *arguments, cwd=self.folder, env=environment(self.folder), stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )  # fmt: skip
        self._started.append(started)
        return started

    async def kill(self) -> None:
        """End every server, at once and without a warning."""
        for process in self.forked:
            if "mcp" in process.args and process.returncode is None:
                with suppress(ProcessLookupError):
                    os.kill(process.pid, signal.SIGKILL)  # not by its own method, which would wait where asyncio does
        if self._server is not None:
            ended, self._server = self._server, None
            await killed(ended)

    async def close(self) -> None:
        """End everything that was started here."""
        for started in self._started:
            if started.returncode is None:
                await killed(started)

    def end(self) -> None:
        """The same where the loop hangs: it waits for nobody."""
        for started in self._started:
            if started.returncode is None:
                with suppress(ProcessLookupError):
                    os.kill(started.pid, signal.SIGKILL)


def played(folder: Path, transport: str, game: Callable[[Host], Coroutine[Any, Any, T]], agents: bool = True) -> T:
    """Play a game at a host, of which nothing is left behind."""
    at = Host(project(folder), transport) if agents else Host(folder, transport, ".")

    async def play() -> T:
        try:
            return await game(at)
        finally:
            await at.close()

    try:
        with forking.forked_by_asyncio() as at.forked:
            return bounded(play(), PATIENCE_S)
    finally:
        at.end()


async def killed(process: subprocess.Process) -> None:
    """End a process, and wait for it no longer than anything needs that was killed."""
    with suppress(ProcessLookupError):
        process.kill()
    await asyncio.wait_for(process.wait(), ENDING_S)


async def output(process: subprocess.Process) -> str:
    """All that a command said, once it has ended by itself. The game that waits for it has the bound."""
    said, _ = await process.communicate()
    return said.decode()


def bounded(game: Coroutine[Any, Any, T], patience_s: float) -> T:
    """Run a game; AssertionError, with where it stood, if it does not end in time.

    `asyncio.run` would wait for ever in its cleanup: for a task that is cancelled and does not end, and for threads.
    """
    loop = asyncio.new_event_loop()
    task = loop.create_task(game)
    try:
        loop.run_until_complete(asyncio.wait({task}, timeout=patience_s))
        if task.done():
            return task.result()
        stands = "; ".join(f"{frame.f_code.co_filename}:{frame.f_lineno}" for frame in task.get_stack())
        task.cancel()
        loop.run_until_complete(asyncio.wait({task}, timeout=ENDING_S))
        loop.set_exception_handler(lambda *_: None)  # a task that goes on all the same is named here, and not later too
        raise AssertionError(f"not over within {patience_s:g} s; it stood at {stands}")
    finally:
        loop.close()

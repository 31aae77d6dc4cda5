"""The MCP server as a part of an HTTP server: streamable HTTP, made when the first client comes.

Whoever mounts it has checked token, Host and Origin before. The SDK is loaded late: a server that nobody talks to over
MCP starts as fast as before, and one without the extra says how to get it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graphbus_core.services.queries.negotiations import NegotiationShelf
    from graphbus_core.services.queries.project import ProjectView

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
MISSING = "The MCP server needs the extra `mcp`: pip install 'graphbus-core[mcp]'."


class HttpMount:
    """An ASGI application. `close` it with the server."""

    def __init__(self, output: Path, project: ProjectView, shelf: NegotiationShelf) -> None:
        self._of = (output, project, shelf)
        self._app: Any = None
        self._lock = asyncio.Lock()
        self._over = asyncio.Event()
        self._running: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        # Two first clients at once must not make two servers; later ones find the lock free.
        async with self._lock:
            if self._app is None and (why := await self._open()):
                await _refuse(send, why)
                return
        # The mount's path is cut off: the SDK would look for it among its own routes.
        await self._app({**scope, "path": "/", "root_path": ""}, receive, send)

    async def _open(self) -> str:
        try:
            # In a thread, because importing the SDK takes longer than a request may block the loop.
            mcp_server = await asyncio.to_thread(_create_server, *self._of)
        except ImportError:
            return MISSING
        ready = asyncio.Event()

        async def run() -> None:
            """Entered and left in one task, as the SDK's task group wants it."""
            async with mcp_server.session_manager.run():
                ready.set()
                await self._over.wait()

        from mcp.server.transport_security import TransportSecuritySettings

        # The guard knows the names under which this server is reached; a second list of them would only differ.
        unguarded = TransportSecuritySettings(enable_dns_rebinding_protection=False)
        self._app = mcp_server.streamable_http_app(streamable_http_path="/", transport_security=unguarded)
        self._running = asyncio.ensure_future(run())
        await ready.wait()
        return ""

    async def close(self) -> None:
        """Let everybody go."""
        self._over.set()
        if self._running is not None:
            with suppress(asyncio.CancelledError):
                await self._running


def _create_server(output: Path, project: ProjectView, shelf: NegotiationShelf) -> Any:
    from graphbus_core.mcp.server import Resources, build_server
    from graphbus_core.mcp.tools import NegotiationTools

    # Whoever started the server named these folders; a client from elsewhere names none.
    served = () if project.project_path is None else (project.project_path,)
    named = (output.absolute().parent, *served, *shelf.directories.values())
    talk = NegotiationTools(output, shared=True, within=named)
    reading = Resources(output, project, shelf)
    reading.talk = talk
    return build_server(talk, reading)


async def _refuse(send: Send, why: str) -> None:
    body = json.dumps({"error": {"code": "missing_extra", "message": why, "path": None}}).encode()
    # 501: this server cannot do it. A client must not take it for a path that it got wrong.
    await send({"type": "http.response.start", "status": 501, "headers": [(b"content-type", b"application/json")]})
    await send({"type": "http.response.body", "body": body})

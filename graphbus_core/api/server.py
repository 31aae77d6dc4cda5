"""`serve`: the API and the page over one project, on loopback, behind a token (seed 002 §6.2, `api/server.py`)."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import secrets
import socket
from collections.abc import Callable
from pathlib import Path

import uvicorn

from graphbus_core.api.app import create_app
from graphbus_core.api.guard.connections import BoundedProtocol
from graphbus_core.api.guard.headers import Headers
from graphbus_core.api.guard.hosts import Hosts, bare, reached_at, shown
from graphbus_core.api.guard.security import Guard, check_binding, own_token
from graphbus_core.api.stream import Stream
from graphbus_core.errors import UsageError
from graphbus_core.workspace import Workspace

PORT = 8420


def serve(
    path: Path,
    output_dir: Path,
    host: str = "127.0.0.1",
    port: int = PORT,
    allow_hosts: tuple[str, ...] = (),
    directories: tuple[Path, ...] = (),
    say: Callable[[str], None] = print,
    as_json: bool = False,
    include: tuple[str, ...] = (),
) -> None:
    """Serve until Ctrl-C. The address, with a token where the user set none, is said once; with `as_json` as an object.

    `include` are globs of what is read, where several folders are served as one project.
    Raises ConfigError for an address beyond loopback without GRAPHBUS_TOKEN, UsageError for an address that is taken or
    none of this machine's.
    """
    own = own_token(os.environ)
    # Beyond this machine only with a token that somebody chose: one that we print would be copied into a chat.
    check_binding(host, own)
    token = own or secrets.token_urlsafe(24)
    stream = Stream()
    workspace = Workspace(path, output_dir, stream.publish, directories, include)
    listening = _listen(host, port)
    port = listening.getsockname()[1]
    url = reached_at(host, port)
    # Behind `#`: a fragment is never sent, so the token stands in no log of any server or proxy.
    address = url if own else f"{url}#token={token}"
    if as_json:
        # With a token of the user's own it is not printed, not even here.
        say(json.dumps({"url": url, "token": None if own else token, "pid": os.getpid()}))
    else:
        hint = "\n\nIn a browser add #token= and your GRAPHBUS_TOKEN to it." if own else ""
        say(f"GraphBus serves {path} at\n\n  {address}{hint}\n\nCtrl-C stops it.")
    config = uvicorn.Config(
        Headers(Guard(create_app(workspace, stream), token, Hosts(host, port, allow_hosts))),
        http=BoundedProtocol,
        log_level="warning",
        # Listeners only send "I am here"; a larger frame is somebody trying what happens.
        ws_max_size=65_536,
        timeout_graceful_shutdown=3,
    )
    ApiServer(config, workspace).run(sockets=[listening])


class ApiServer(uvicorn.Server):
    """A server that stops the workspace before it waits for its connections: who waits for a node is let go."""

    def __init__(self, config: uvicorn.Config, workspace: Workspace) -> None:
        super().__init__(config)
        self.workspace = workspace

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End in order."""
        # Before the connections are waited for: each of them may be waiting for a node that only this lets go.
        await asyncio.to_thread(self.workspace.close)
        await super().shutdown(sockets)


def _listen(host: str, port: int) -> socket.socket:
    where = f"{shown(host)}:{port}"
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    # A server that was just stopped leaves its port in TIME_WAIT, and the next start must not wait a minute.
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        if not bare(host):
            raise UsageError("--host is empty: leave it out, or give an address of this machine.")
        listening.bind((bare(host), port))
        listening.listen(512)  # before the address is said: whoever comes at once waits, and is not refused
    except (OSError, UnicodeError) as e:
        listening.close()
        if isinstance(e, OSError) and e.errno in (errno.EADDRINUSE, errno.EACCES):
            raise UsageError(f"Cannot listen on {where}: {e.strerror}. Give another port with --port.") from e
        why = (e.strerror if isinstance(e, OSError) else None) or e
        raise UsageError(f"Cannot listen on {where}: {why}. --host takes an address of this machine.") from e
    return listening

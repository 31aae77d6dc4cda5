"""`serve`: the API and the page over one project, on loopback, behind a token (seed 002 §6.2, `api/server.py`)."""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
from collections.abc import Callable
from pathlib import Path

import uvicorn

from graphbus_core.api.app import create_app
from graphbus_core.api.security import Guard, check_binding, is_loopback
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
) -> None:
    """Serve until Ctrl-C. The address, with a token where the user set none, is said once.

    Raises ConfigError for an address beyond loopback without GRAPHBUS_TOKEN, UsageError for a port that is taken.
    """
    own_token = os.environ.get("GRAPHBUS_TOKEN")
    check_binding(host, own_token)
    token = own_token or secrets.token_urlsafe(24)
    stream = Stream()
    workspace = Workspace(path, output_dir, stream.publish, directories)
    listening = _listen(host, port)
    port = listening.getsockname()[1]
    own = ("127.0.0.1", "localhost", "[::1]") if is_loopback(host) else (host,)
    names = frozenset(f"{name}:{port}" for name in (*own, *allow_hosts))
    address = f"http://{host}:{port}/"
    say(f"GraphBus serves {path} at\n\n  {address}{'' if own_token else f'#token={token}'}\n\nCtrl-C stops it.")
    config = uvicorn.Config(
        Guard(create_app(workspace, stream), token, names),
        log_level="warning",
        ws_max_size=65_536,
        timeout_graceful_shutdown=3,
    )
    Server(config, workspace).run(sockets=[listening])


class Server(uvicorn.Server):
    """A server that stops the workspace before it waits for its connections: who waits for a node is let go."""

    def __init__(self, config: uvicorn.Config, workspace: Workspace) -> None:
        super().__init__(config)
        self.workspace = workspace

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End in order."""
        await asyncio.to_thread(self.workspace.close)
        await super().shutdown(sockets)


def _listen(host: str, port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host.strip("[]"), port))
        listening.listen(512)  # before the address is said: whoever comes at once waits, and is not refused
    except OSError as e:
        raise UsageError(f"Cannot listen on {host}:{port}: {e.strerror}. Give another port with --port.") from e
    return listening

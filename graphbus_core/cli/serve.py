"""`graphbus serve`: the API and the page over one project, on loopback, behind a token."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import Annotated

import typer

from graphbus_core.errors import UsageError

app = typer.Typer(add_completion=False)

PORT = 8420
OUTPUT = Path(".graphbus")


@app.command()
def serve(
    path: Annotated[Path, typer.Argument(help="The folder of the agents, or a .graphbus folder.")] = OUTPUT,
    host: Annotated[str, typer.Option(help="Where to listen; beyond loopback it wants GRAPHBUS_TOKEN.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port; 0 takes any that is free.", min=0, max=65535)] = PORT,
    output_dir: Annotated[Path, typer.Option("--output-dir", "-o", help="Where builds go.")] = OUTPUT,
    allow_host: Annotated[list[str] | None, typer.Option(help="A name under which others reach this server.")] = None,
) -> None:
    """Serve the API and the page. The token is GRAPHBUS_TOKEN, or a new one that is printed once, in the address."""
    serve_project(path, output_dir, host, port, tuple(allow_host or ()))


def serve_project(
    path: Path, output_dir: Path, host: str = "127.0.0.1", port: int = PORT, allow_hosts: tuple[str, ...] = ()
) -> None:
    """Serve until Ctrl-C."""
    import secrets

    import uvicorn

    from graphbus_core.api.app import create_app
    from graphbus_core.api.security import Guard, check_binding, is_loopback
    from graphbus_core.api.stream import Stream
    from graphbus_core.workspace import Workspace

    own_token = os.environ.get("GRAPHBUS_TOKEN")
    check_binding(host, own_token)
    token = own_token or secrets.token_urlsafe(24)
    stream = Stream()
    workspace = Workspace(path, output_dir, stream.publish)
    listening = _listen(host, port)
    port = listening.getsockname()[1]
    own = ("127.0.0.1", "localhost", "[::1]") if is_loopback(host) else (host,)
    names = frozenset(f"{name}:{port}" for name in (*own, *allow_hosts))
    address = f"http://{host}:{port}/"
    typer.echo(f"GraphBus serves {path} at\n\n  {address}{'' if own_token else f'#token={token}'}\n\nCtrl-C stops it.")
    config = uvicorn.Config(
        Guard(create_app(workspace, stream), token, names),
        log_level="warning",
        ws_max_size=65_536,
        timeout_graceful_shutdown=3,
    )
    uvicorn.Server(config).run(sockets=[listening])


def _listen(host: str, port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host.strip("[]"), port))
    except OSError as e:
        raise UsageError(f"Cannot listen on {host}:{port}: {e.strerror}. Give another port with --port.") from e
    return listening

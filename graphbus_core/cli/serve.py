"""`graphbus serve`: the API and the page over one project, on loopback, behind a token."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from graphbus_core.cli import options

app = typer.Typer(add_completion=False)

PORT = 8420


@app.command()
def serve(
    path: Annotated[
        Path | None,
        typer.Argument(
            help="The folder of the agents, or a .graphbus folder; default: `roots`, else .graphbus, else this."
        ),
    ] = None,
    host: Annotated[str, typer.Option(help="Where to listen; beyond loopback it wants GRAPHBUS_TOKEN.")] = "127.0.0.1",
    port: options.Port = PORT,
    output_dir: Annotated[
        Path | None, typer.Option("--output-dir", "-o", help="Where builds go.", show_default=".graphbus")
    ] = None,
    negotiation: Annotated[list[Path] | None, typer.Option(help="A document negotiation to show as well.")] = None,
    allow_host: options.AllowHost = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print address and token as one JSON object.")] = False,
) -> None:
    """Serve the API and the page, and MCP at /mcp; documents, decisions and teams need no agents. The token is
    GRAPHBUS_TOKEN, or a new one that is printed once, in the address."""
    from graphbus_core.http import server
    from graphbus_core.settings import load_settings

    folders = tuple(negotiation or ())
    # Of the project that is named, which need not be that of the working directory.
    all_settings = load_settings(path or ".")
    start, settings = all_settings.resolve_start(None if path is None else str(path))
    folder = output_dir or Path(settings.output)
    # Several roots are one project, seen through its `include`.
    include = () if settings is all_settings else settings["include"]
    hosts = tuple(allow_host or ())
    if start is None and not folder.exists():
        start = "."  # nothing was built yet: documents, decisions and teams need no build
    server.serve(Path(start or folder), folder, host, port, hosts, folders, typer.echo, as_json, include)

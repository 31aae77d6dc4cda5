"""`graphbus mcp`: an MCP server on standard input and output, for any coding agent."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(add_completion=False)


@app.command()
def mcp(
    project: Annotated[
        Path, typer.Option("--project", help="The project whose builds and consents are joined.")
    ] = Path(),
    where: Annotated[str, typer.Option("--join", help='Sit down at once: a directory, "build" or "consent".')] = "",
    seat: Annotated[str, typer.Option("--seat", help="The name that is spoken for, with --join.")] = "",
) -> None:
    """Let a coding agent take part in negotiations, over MCP on standard input and output. `graphbus skill install`
    registers it with your agent."""
    from graphbus_core.errors import UsageError
    from graphbus_core.mcp.server import create_server
    from graphbus_core.settings import load_settings

    if not project.is_dir():
        raise UsageError(f"There is no folder {project}; give --project the folder of your project.")
    settings = load_settings(project)
    # The client starts this process wherever it likes: the usual folder is the project's, not that of the process.
    folder = Path() if settings.is_stated("output_dir") else project
    create_server((folder / settings.output).absolute(), where=where, seat=seat).run()

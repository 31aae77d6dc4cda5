"""`graphbus lsp`: a language server on standard input and output, for any editor."""

from __future__ import annotations

import typer

app = typer.Typer(add_completion=False)


@app.command()
def lsp() -> None:
    """Serve one editor: findings with their payloads, contracts on hover, ways to producer and consumer, quick fixes.

    It reads the folder that the editor opens, with the texts as they stand there. It runs nothing of the project.
    """
    from graphbus_core.lsp import create_server

    create_server().start_io()

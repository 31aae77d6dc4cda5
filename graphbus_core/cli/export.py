"""`graphbus export`: a build as AsyncAPI, OpenAPI, Mermaid or DOT, for other tools."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(add_completion=False)


@app.command()
def export(
    form: Annotated[str, typer.Argument(metavar="FORMAT", help="asyncapi, openapi, mermaid or dot.")],
    artifacts: Annotated[str | None, typer.Argument(help="The folder of the build.", show_default=".graphbus")] = None,
    output: Annotated[str | None, typer.Option("--output", "-o", help="A file; default: standard output.")] = None,
) -> None:
    """Write what a build declares in a form that other tools read."""
    from graphbus_core.cli.options import resolve_output_dir as folder
    from graphbus_core.errors import UsageError
    from graphbus_core.services.inference import DEFAULT_SERVER, FORMATS
    from graphbus_core.services.queries import ArtifactFolder

    if form not in FORMATS:
        raise UsageError(f"There is no format {form!r}; use {', '.join(FORMATS)}.")
    text = FORMATS[form](ArtifactFolder(folder(artifacts)), DEFAULT_SERVER)
    if output is None:
        typer.echo(text, nl=False)
    else:
        Path(output).write_text(text, encoding="utf-8")

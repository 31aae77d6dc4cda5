"""`graphbus baseline`: keep today's findings in a file, so that only new ones count."""

from __future__ import annotations

from typing import Annotated

import typer

from graphbus_core.cli import options

app = typer.Typer(add_completion=False)


@app.command()
def baseline(
    path: Annotated[str | None, typer.Argument(help="The folder of the agents, or a dotted package.")] = None,
    output: Annotated[str | None, typer.Option("--output", "-o", help="The file; `baseline` of the settings.")] = None,
    as_json: options.AsJson = False,
) -> None:
    """Write the findings of today to a file. From then on `validate` reports new ones, and those that are gone."""
    import json

    from graphbus_core.errors import UsageError
    from graphbus_core.files.whole import put_whole
    from graphbus_core.findings.baseline import baseline_text
    from graphbus_core.settings import effective
    from graphbus_core.shown import counted
    from graphbus_core.workspace.shows.inferred import judged_project

    settings = effective(path or ".").over({"baseline": output})
    path, settings = settings.start(path)
    if path is None:
        raise UsageError("Which folder? Give it, or set `roots` in [tool.graphbus].")
    file = settings.root / settings["baseline"]
    # Judged without the old baseline: what it kept and is still there is kept again.
    found = judged_project(path, settings, with_baseline=False).counted
    put_whole(file, baseline_text(found).encode())
    number = sum(not one.code.startswith("GB9") for one in found)
    if as_json:
        typer.echo(json.dumps({"file": str(file), "findings": number}))
    else:
        typer.echo(f"{counted(number, 'finding')} kept in {file.name}. New ones count from now on.")

"""`graphbus baseline`: keep today's findings in a file, so that only new ones count."""

from __future__ import annotations

from typing import Annotated

import typer

from graphbus_core.cli import options

app = typer.Typer(add_completion=False)


@app.command()
def baseline(
    path: Annotated[str | None, typer.Argument(help="The folder of the agents, or a dotted package.")] = None,
    include: options.Include = None,
    exclude: options.Exclude = None,
    output: Annotated[str | None, typer.Option("--output", "-o", help="The file; `baseline` of the settings.")] = None,
    as_json: options.AsJson = False,
) -> None:
    """Write the findings of today to a file. From then on `validate` reports new ones, and those that are gone."""
    import json

    from graphbus_core.errors import UsageError
    from graphbus_core.findings.suppressions import render_baseline
    from graphbus_core.services.inference.findings import judge_project
    from graphbus_core.settings import load_settings
    from graphbus_core.storage.atomic_files import write_atomic
    from graphbus_core.text import format_count

    settings = load_settings(path or ".").merge_flags({"include": include, "exclude": exclude, "baseline": output})
    path, settings = settings.resolve_start(path)
    if path is None:
        raise UsageError("Which folder? Give it, or set `roots` in [tool.graphbus].")
    file = settings.root / settings["baseline"]
    # Judged without the old baseline: what it kept and is still there is kept again.
    counted_findings = judge_project(path, settings, with_baseline=False).counted
    write_atomic(file, render_baseline(counted_findings).encode())
    number = sum(not finding.code.startswith("GB9") for finding in counted_findings)
    if as_json:
        typer.echo(json.dumps({"file": str(file), "findings": number}))
    else:
        typer.echo(f"{format_count(number, 'finding')} kept in {file.name}. New ones count from now on.")

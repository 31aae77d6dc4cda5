"""`graphbus init`: the settings of a project, as a diff first, written only on request."""

from __future__ import annotations

from typing import Annotated

import typer

from graphbus_core.cli import options

app = typer.Typer(add_completion=False)


@app.command()
def init(
    path: Annotated[str, typer.Argument(help="The project.")] = ".",
    write: Annotated[bool, typer.Option("--write", help="Write what is shown.")] = False,
    decorators: Annotated[
        bool, typer.Option("--decorators", help="Not the settings but `@contract` in the source: a diff first.")
    ] = False,
    as_json: options.AsJson = False,
) -> None:
    """Propose `[tool.graphbus]` for a project: which folders hold components, and what proves behaviour.

    Nothing is written without --write, and nothing that stands there is changed.
    """
    import json
    from pathlib import Path

    from graphbus_core.errors import UsageError
    from graphbus_core.shown import shown
    from graphbus_core.workspace.reads.settled import proposed

    if not Path(path).is_dir():
        raise UsageError(f"There is no folder {path}. Give the folder of a Python project.")
    if decorators:
        from graphbus_core.cli.project.decorators import init_decorators

        init_decorators(path, write, as_json)
        return
    made = proposed(Path(path))
    if write:
        made.write()
    if as_json:
        typer.echo(json.dumps({"file": str(made.file), "written": write, "diff": made.diff}, ensure_ascii=False))
        return
    typer.echo(shown(made.diff))
    typer.echo(f"Written to {made.file}." if write else "Nothing was changed. `graphbus init --write` writes it.")
    typer.echo("Next: `graphbus infer`, then `graphbus validate --format github` in CI.")
